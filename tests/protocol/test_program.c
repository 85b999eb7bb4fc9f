/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces: what a program may not do, and trace files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

/* ---- misuse ---- */

static void nothing(hf_program *t, void *user) {
    (void)t;
    (void)user;
}

static void join_twice(hf_program *t) {
    hf_join join = {0};
    hf_program_join(t, 0, &join, 1);
    hf_program_join(t, 0, &join, 2);
}

static void sync_twice(hf_program *t) {
    hf_join join = {0};
    hf_program_join(t, 0, &join, 1);
    hf_program_sync(t, &join);
    hf_program_sync(t, &join);
}

static void sync_first(hf_program *t) {
    hf_join join = {0};
    hf_program_sync(t, &join);
}

static void await_twice(hf_program *t) {
    hf_join join = {0};
    hf_program_sync_then(t, &join, nothing, NULL);
    hf_program_sync_then(t, &join, nothing, NULL);
}

static void store_and_await(hf_program *t) {
    hf_join join = {0};
    int64_t word;
    hf_program_store(t, 1, &word, 5);
    hf_program_sync_then(t, &join, nothing, NULL);
}

static void far_load(hf_program *t) {
    const int64_t word = 1;
    hf_program_load(t, 4, &word);
}

static void far_fork(hf_program *t) { hf_program_fork(t, nothing, 4, NULL); }

static void far_send(hf_program *t) { hf_program_send(t, UINT32_MAX, 8, HF_NONE); }

static void send_nothing(hf_program *t) { hf_program_send(t, 1, 0, HF_NONE); }

static void send_too_much(hf_program *t) { hf_program_send(t, 1, HF_MESSAGE_SIZE_MAX + 1, HF_NONE); }

static void go_on_nowhere(hf_program *t) { hf_program_continue(t, 1); }

static void go_on_elsewhere(hf_program *t) { hf_program_continue(t, hf_program_block_new(t, 2)); }

static void long_work(hf_program *t) {
    hf_program_work(t, UINT32_MAX);
    hf_program_work(t, 1);
}

/** A program that does what it may not is refused with a sentence, and nothing after that has an effect. */
static void refused_programs(void **state) {
    static const struct {
        void (*program)(hf_program *t);
        hf_status status;
        const char *message;
    } cases[] = {
        {join_twice, HF_EINVAL, "two Joins of one register"},
        {sync_twice, HF_EINVAL, "two Syncs of one register"},
        {sync_first, HF_EINVAL, "no Join has written yet; need hf_program_sync_then()"},
        {await_twice, HF_EINVAL, "two Syncs of one register"},
        {store_and_await, HF_EINVAL, "1 stores outstanding at a Sync with a continuation"},
        {far_load, HF_ERANGE, "node 4; need 0 to 3"},
        {far_fork, HF_ERANGE, "node 4; need 0 to 3"},
        {far_send, HF_ERANGE, "node 4294967295; need 0 to 3"},
        {send_nothing, HF_ERANGE, "a message of 0 flits to node 1; need 1 to 32"},
        {send_too_much, HF_ERANGE, "a message of 33 flits to node 1; need 1 to 32"},
        {go_on_nowhere, HF_ERANGE, "the program goes on in block 1; need 0 to 0"},
        {go_on_elsewhere, HF_EINVAL, "the thread on node 0 goes on in block 1, which is on node 2"},
        {long_work, HF_ERANGE, "more than 2^32 - 1 cycles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_program t;
        hf_messaging_result r;
        const hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_2D);
        assert_int_equal(hf_program_init(*state, 4, &t), HF_OK);
        cases[i].program(&t);
        assert_int_equal(t.status, cases[i].status);
        assert_non_null(strstr(hf_context_message(*state), cases[i].message));
        const uint32_t n_message = t.n_message, n_block = t.n_block;
        int64_t word = 0;
        hf_program_store(&t, 1, &word, 3);
        hf_program_work(&t, 5);
        hf_program_fork(&t, nothing, 1, NULL);
        hf_program_wait(&t);
        assert_true(t.n_message == n_message && t.n_block == n_block);
        assert_int_equal(hf_program_finish(&t), cases[i].status);
        assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_EINVAL);
        assert_non_null(strstr(hf_context_message(*state), "not finished"));
        hf_program_free(&t);
    }
}

/** A block may be signalled before it is there, but it has to come. */
static void signal_to_nowhere(void **state) {
    hf_program t;
    assert_int_equal(hf_program_init(*state, 4, &t), HF_OK);
    hf_program_send(&t, 1, 8, 1);
    assert_int_equal(t.status, HF_OK);
    assert_int_equal(hf_program_finish(&t), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(*state), "message 0 signals block 1, but there are 1 blocks"));
    assert_false(t.is_finished);
    hf_program_free(&t);
}

static void no_nodes(void **state) {
    hf_program t;
    assert_int_equal(hf_program_init(*state, 0, &t), HF_ERANGE);
    hf_program_free(&t);
}

/** Signals are counted once, however often the trace is finished. */
static void finished_twice(void **state) {
    hf_program t;
    const int64_t word = 1;
    assert_int_equal(hf_program_init(*state, 4, &t), HF_OK);
    hf_program_load(&t, 3, &word);
    assert_int_equal(hf_program_finish(&t), HF_OK);
    assert_int_equal(hf_program_finish(&t), HF_OK);
    assert_int_equal(t.blocks[t.block].n_signal, 1);
    hf_program_free(&t);
}

/* ---- files ---- */

/** Every program, written, read and written again: the same text, and the same run. */
static void there_and_back(void **state) {
    for (int b = HF_BENCHMARK_ADD; b <= HF_BENCHMARK_NBODY; b++) {
        hf_program t, again;
        hf_text text, second;
        hf_messaging_result r, s;
        const hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_3D);
        assert_int_equal(
            hf_benchmark_program(*state, &(hf_benchmark_options){.benchmark = (hf_benchmark)b, .n_node = 16, .seed = 3}, &t),
            HF_OK);
        hf_text_init(*state, &text);
        hf_text_init(*state, &second);
        assert_int_equal(hf_program_print(*state, &t, &text), HF_OK);
        assert_int_equal(hf_program_parse(*state, "first", text.data, text.size, &again), HF_OK);
        assert_int_equal(hf_program_print(*state, &again, &second), HF_OK);
        assert_string_equal(text.data, second.data);
        assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_OK);
        assert_int_equal(hf_messaging_run(*state, &m, &again, &s), HF_OK);
        assert_memory_equal(&r, &s, sizeof r);
        hf_text_free(&text);
        hf_text_free(&second);
        hf_program_free(&again);
        hf_program_free(&t);
    }
}

/** A Load by hand, with comments: the closed form of a request, its ACK and a reply. */
static void written_by_hand(void **state) {
    static const char file[] = "# a load\n"
                               "nodes 64   # 8 x 8\n"
                               "\n"
                               "block 0 0\n"
                               "  message 63 8 0 1\n"
                               "block 63 0\n"
                               "message 0 4 0 -\r\n";
    hf_program t;
    hf_messaging_result r;
    const hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_2D);
    assert_int_equal(hf_program_parse(*state, "hand", file, sizeof file - 1, &t), HF_OK);
    assert_true(t.n_block == 2 && t.n_message == 2 && t.blocks[1].n_signal == 1);
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_OK);
    assert_int_equal(r.cycles, (14 + 1 + 8) + 4 + (14 + 1 + 4));
    hf_program_free(&t);
}

static void refused_files(void **state) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f: nothing in it; need \"nodes N\""},
        {"# nothing\n", "f: nothing in it"},
        {"block 0 0\n", "f, line 1: \"block\" is not \"nodes\""},
        {"nodes 0\n", "f, line 1: \"0\" is not the number of nodes; need a number from 1 to 65536"},
        {"nodes 65537\n", "need a number from 1 to 65536"},
        {"nodes 4 5\n", "f, line 1: \"5\" is too much"},
        {"nodes 4\nmessage 1 8 0 -\n", "f, line 2: a message before the first block"},
        {"nodes 4\nblock 4 0\n", "f, line 2: \"4\" is not the node of the block; need a number from 0 to 3"},
        {"nodes 4\nblock 3\n", "f, line 2: the line ends where its cycles of work is expected"},
        {"nodes 4\nblock 3 4294967296\n", "need a number from 0 to 4294967295"},
        {"nodes 4\nblock 3 5 1\n", "f, line 2: \"1\" is too much"},
        {"nodes 4\nblock 0 5\nmessage 1 0 0 -\n", "f, line 3: \"0\" is not its flits; need a number from 1 to 32"},
        {"nodes 4\nblock 0 5\nmessage 1 33 0 -\n", "f, line 3: \"33\" is not its flits; need a number from 1 to 32"},
        {"nodes 4\nblock 0 5\nmessage 1 8 6 -\n", "f, line 3: \"6\" is not its offset; need a number from 0 to 5"},
        {"nodes 4\nblock 0 5\nmessage 1 8 5\n", "f, line 3: the line ends where the block that it signals is expected"},
        {"nodes 4\nblock 0 5\nmessage 1 8 5 - -\n", "f, line 3: \"-\" is too much"},
        {"nodes 4\nblock 0 5\nmessage 1 8 5 0\nmessage 1 8 5 7\nmessage 1 8 5 1\n",
         "f, line 4: block 7 is signalled, but there are 1 blocks"},
        {"nodes 4\nblok 0 5\n", "f, line 2: \"blok\" is not right; need \"block NODE CYCLES\" or"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_program t;
        assert_int_equal(hf_program_parse(*state, "f", cases[i].text, strlen(cases[i].text), &t), HF_EINVAL);
        if (!strstr(hf_context_message(*state), cases[i].message)) {
            print_message("case %zu: %s\n", i, hf_context_message(*state));
        }
        assert_non_null(strstr(hf_context_message(*state), cases[i].message));
        assert_null(t.blocks);
    }
}

/** Blocks that wait for each other: the run says so. */
static void waits_for_itself(void **state) {
    static const char file[] = "nodes 4\nblock 0 0\nmessage 1 8 0 1\nblock 1 0\nmessage 0 8 0 0\n";
    hf_program t;
    hf_messaging_result r;
    const hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_2D);
    assert_int_equal(hf_program_parse(*state, "f", file, sizeof file - 1, &t), HF_OK);
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(*state),
                           "block 0 of the program waits for 1 of its signals, which nobody sends; 2 messages are left"));
    hf_program_free(&t);
}

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(refused_programs, cx),  cmocka_unit_test_prestate(no_nodes, cx),
        cmocka_unit_test_prestate(signal_to_nowhere, cx), cmocka_unit_test_prestate(finished_twice, cx),
        cmocka_unit_test_prestate(there_and_back, cx),    cmocka_unit_test_prestate(written_by_hand, cx),
        cmocka_unit_test_prestate(refused_files, cx),     cmocka_unit_test_prestate(waits_for_itself, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
