/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traces, programs and networks: closed forms without load, exactly one action for each message whatever is lost, and the
 * published figures for add. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

static const hf_network_kind kinds[] = {HF_NETWORK_GRID_2D, HF_NETWORK_GRID_3D, HF_NETWORK_FAT_TREE};

static hf_messaging on(hf_network_kind kind, bool is_buffered) {
    return (hf_messaging){.network = {kind, 1, 2},
                          .protocol = hf_protocol_default(),
                          .is_buffered = is_buffered,
                          .seed = 7,
                          .cycle_limit = 10000000};
}

static hf_messaging_result run(hf_context *cx, const hf_messaging *m, const hf_trace *t) {
    hf_messaging_result r;
    assert_int_equal(hf_messaging_run(cx, m, t, &r), HF_OK);
    return r;
}

static void child(hf_trace *t, void *user) {
    hf_trace_work(t, 9);
    hf_trace_join(t, 0, user, 5);
}

/** A Load takes a request of 8 flits and a reply of 4, each with its channels, injection and the cycle of its ejection. The ACK
 * goes ahead of the reply; the perfect network has neither ACK nor checksum. */
static void load_without_traffic(void **state) {
    static const uint32_t channels[3][2] = {{2, 14}, {2, 9}, {4, 6}}; /* on 64 nodes, from 0 to 9 and to 63 */
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t far = 0; far < 2; far++) {
            const uint64_t h = channels[k][far];
            hf_trace t;
            const int64_t word = 3;
            assert_int_equal(hf_trace_init(*state, 64, &t), HF_OK);
            assert_int_equal(hf_trace_load(&t, far ? 63 : k == 1 ? 5 : 9, &word), 3);
            hf_trace_finish(&t);
            hf_messaging m = on(kinds[k], false);
            const hf_messaging_result lossy = run(*state, &m, &t);
            assert_int_equal(lossy.cycles, (h + 1 + 8) + 4 + (h + 1 + 4));
            assert_int_equal(lossy.n_packet[HF_PROTOCOL_MSG], 2);
            m.is_buffered = true;
            assert_int_equal(run(*state, &m, &t).cycles, (h + 1 + 7) + (h + 1 + 3));
            hf_trace_free(&t);
        }
    }
}

static void rest(hf_trace *t, void *user) {
    const hf_join *j = user;
    assert_int_equal(j->value, 5);
    hf_trace_work(t, 100);
}

/** Both orders of Sync and Join give the same blocks in time; local work and waiting add up. */
static void sync_before_and_after_join(void **state) {
    uint64_t cycles[2];
    for (int before = 0; before < 2; before++) {
        hf_trace t;
        hf_join j = {0};
        assert_int_equal(hf_trace_init(*state, 16, &t), HF_OK);
        if (before) {
            const uint32_t block = hf_trace_block_new(&t, 3);
            hf_trace_work(&t, 1);
            hf_trace_send(&t, 3, HF_TRACE_FORK, block);
            hf_trace_sync_then(&t, &j, rest, &j);
            t.node = 3;
            t.block = block;
            child(&t, &j);
        } else {
            hf_trace_fork(&t, child, 3, &j);
            assert_int_equal(hf_trace_sync(&t, &j), 5);
            rest(&t, &j);
        }
        hf_trace_finish(&t);
        const hf_messaging m = on(HF_NETWORK_GRID_2D, true);
        cycles[before] = run(*state, &m, &t).cycles;
        hf_trace_free(&t);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_int_equal(cycles[0], 1 + (3 + 1 + 7) + 9 + 1 + (3 + 1 + 7) + 100);
}

static void store_and_wait(void **state) {
    hf_trace t;
    int64_t word[4] = {0};
    assert_int_equal(hf_trace_init(*state, 16, &t), HF_OK);
    hf_trace_store(&t, 0, &word[0], 1);
    hf_trace_wait(&t); /* nothing is outstanding */
    assert_int_equal(t.n_block, 1);
    hf_trace_store(&t, 1, &word[1], 2);
    hf_trace_store(&t, 4, &word[2], 3);
    hf_trace_wait(&t);
    hf_trace_finish(&t);
    assert_int_equal(word[2], 3);
    assert_int_equal(t.n_message, 5);
    assert_int_equal(t.blocks[t.block].n_signal, 3);
    hf_trace_free(&t);
}

/** The programs check their results as they are written down; then every message is acted on once, with 0% and 10% damaged. */
static void once_whatever_is_lost(void **state) {
    for (int b = HF_BENCHMARK_ADD; b <= HF_BENCHMARK_NBODY; b++) {
        hf_trace t;
        assert_int_equal(hf_benchmark_trace(*state, (hf_benchmark)b, 16, 3, &t), HF_OK);
        for (uint32_t k = 0; k < 3; k++) {
            hf_messaging m = on(kinds[k], true);
            const hf_messaging_result perfect = run(*state, &m, &t);
            m.is_buffered = false;
            const hf_messaging_result clean = run(*state, &m, &t), again = run(*state, &m, &t);
            m.loss = 0.1;
            m.jitter = 15;
            m.protocol.send_capacity = 2;
            m.protocol.receive_capacity = 1;
            const hf_messaging_result damaged = run(*state, &m, &t);
            assert_true(perfect.is_complete && clean.is_complete && damaged.is_complete);
            assert_true(clean.n_duplicate == 0 && damaged.n_duplicate == 0 && damaged.n_damaged > 0);
            assert_true(perfect.cycles < clean.cycles && clean.cycles < damaged.cycles);
            assert_int_equal(clean.n_message, perfect.n_message);
            assert_memory_equal(&clean, &again, sizeof clean);
        }
        hf_trace_free(&t);
    }
}

/** Without chance in the waits, a CONF and a MSG can meet at the same channel at every attempt, and the CONF loses each time. */
static void collisions_in_step(void **state) {
    hf_trace t;
    hf_messaging m = on(HF_NETWORK_FAT_TREE, false);
    m.protocol.send_capacity = 2;
    m.protocol.receive_capacity = 1;
    assert_int_equal(hf_benchmark_trace(*state, HF_BENCHMARK_REVERSE, 16, 3, &t), HF_OK);
    assert_false(run(*state, &m, &t).is_complete);
    m.jitter = 1;
    const hf_messaging_result r = run(*state, &m, &t);
    assert_true(r.is_complete && r.n_duplicate == 0 && r.cycles < 20000);
    hf_trace_free(&t);
}

/** [brown2002, table 2a], add: buffered within 30%, idempotent within 35%, the grid of three dimensions faster. */
static void table_2a_add(void **state) {
    static const double published[3][2] = {{814, 1229}, {645, 986}, {634, 991}};
    hf_trace t;
    double cycles[3][2];
    assert_int_equal(hf_benchmark_trace(*state, HF_BENCHMARK_ADD, 4096, 1, &t), HF_OK);
    for (uint32_t k = 0; k < 3; k++) {
        for (int lossy = 0; lossy < 2; lossy++) {
            const hf_messaging m = on(kinds[k], !lossy);
            cycles[k][lossy] = (double)run(*state, &m, &t).cycles;
            const double ratio = cycles[k][lossy] / published[k][lossy];
            assert_true(ratio > (lossy ? 0.65 : 0.7) && ratio < (lossy ? 1.35 : 1.3));
        }
    }
    assert_true(cycles[1][0] < cycles[0][0] && cycles[1][1] < cycles[0][1]);
    hf_trace_free(&t);
}

static void bad_requests(void **state) {
    hf_trace t;
    hf_messaging_result r;
    assert_int_equal(hf_benchmark_trace(*state, HF_BENCHMARK_NBODY, 32, 1, &t), HF_ERANGE);
    assert_int_equal(hf_benchmark_trace(*state, HF_BENCHMARK_ADD, 24, 1, &t), HF_ERANGE);
    assert_int_equal(hf_benchmark_trace(*state, HF_BENCHMARK_ADD, 32, 1, &t), HF_OK);
    hf_messaging m = on(HF_NETWORK_FAT_TREE, true);
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_ERANGE);
    m.network.kind = HF_NETWORK_GRID_3D;
    m.cycle_limit = 10;
    assert_int_equal(hf_messaging_run(*state, &m, &t, &r), HF_OK);
    assert_false(r.is_complete);
    hf_trace_free(&t);
}

int main(void) {
    hf_context *cx = hf_context_new(NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(load_without_traffic, cx), cmocka_unit_test_prestate(sync_before_and_after_join, cx),
        cmocka_unit_test_prestate(store_and_wait, cx),       cmocka_unit_test_prestate(once_whatever_is_lost, cx),
        cmocka_unit_test_prestate(collisions_in_step, cx),   cmocka_unit_test_prestate(table_2a_add, cx),
        cmocka_unit_test_prestate(bad_requests, cx),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    hf_context_free(cx);
    return failed;
}
