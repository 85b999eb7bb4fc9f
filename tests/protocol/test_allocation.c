/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under the check and the simulation of idempotent messaging fails in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

#include "src/protocol/messaged.h"

#include "support/failing.h"

/* What is taken away from the protocol, if anything. */
enum { ALL_THERE, SHORT_IDS, SENT_ONCE, N_BROKEN };

static hf_status play_check(hf_context *cx, void *user) {
    const int *broken = user;
    hf_check_result result;
    hf_check check = {.protocol = hf_protocol_default(), .n_message = 3, .capacity = 2, .has_loss = true, .state_limit = 100000};
    check.protocol.send_capacity = check.protocol.receive_capacity = 2;
    check.protocol.n_id = *broken == SHORT_IDS ? 1 : 0;
    check.protocol.once = *broken == SENT_ONCE ? HF_ONCE_MSG : 0;
    check.reduction = *broken == SENT_ONCE ? HF_REDUCE_ALL : 0;
    return hf_protocol_check(cx, &check, &result);
}

static hf_status play_run(hf_context *cx, void *user) {
    const hf_benchmark *benchmark = user;
    hf_program program;
    hf_messaging_result result;
    hf_messaging m = {.protocol = hf_protocol_default(), .seed = 1, .cycle_limit = 100000};
    HF_TRY(hf_benchmark_program(cx, &(hf_benchmark_options){.benchmark = *benchmark, .n_node = 16, .seed = 1}, &program));
    hf_status status = hf_messaging_run(cx, &m, &program, &result);
    m.is_buffered = true;
    status = status == HF_OK ? hf_messaging_run(cx, &m, &program, &result) : status;
    hf_program_free(&program);
    return status;
}

static hf_status write_application(hf_context *cx, void *user) {
    hf_application a;
    hf_program program;
    HF_TRY(hf_application_parse(cx, user, &a));
    HF_TRY(hf_application_program(cx, &a, 4, 1, &program));
    hf_program_free(&program);
    return HF_OK;
}

/* What the runs above leave out: around failed links, damage and jitter, on every network. */
static hf_status play_failed(hf_context *cx, void *user) {
    const hf_network_kind *kind = user;
    hf_program program;
    hf_messaging_result result;
    hf_messaging m = hf_messaging_default(*kind);
    m.network.n_failed = 3;
    m.loss = 0.1;
    m.jitter = 3;
    HF_TRY(hf_benchmark_program(cx, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_ADD, .n_node = 16}, &program));
    const hf_status status = hf_messaging_run(cx, &m, &program, &result);
    hf_program_free(&program);
    return status;
}

static hf_status play_search(hf_context *cx, void *user) {
    (void)user;
    hf_backoff_try tries[] = {{.backoff = HF_BACKOFF_LINEAR, .constant = 2}, {.backoff = HF_BACKOFF_QUADRATIC, .constant = 1}};
    const hf_benchmark_options options = {.benchmark = HF_BENCHMARK_ADD, .n_node = 4};
    const hf_messaging network = hf_messaging_default(HF_NETWORK_FAT_TREE);
    return hf_backoff_search(cx, &options, 1, &network, 1, tries, 2);
}

static hf_status play_spec(hf_context *cx, void *user) {
    (void)user;
    hf_messaged m = {0};
    return hf_group_read(cx, &hf_messaged_group, "backoff=linear,constant=8,loss=0.05,secondary-ids=yes", &m);
}

/* A trace as text and back, and by a file. */
static hf_status play_file(hf_context *cx, void *user) {
    const char *path = user;
    hf_program program, again;
    hf_text text;
    HF_TRY(hf_benchmark_program(cx, &(hf_benchmark_options){.benchmark = HF_BENCHMARK_ADD, .n_node = 16}, &program));
    hf_text_init(cx, &text);
    hf_status status = hf_program_print(cx, &program, &text);
    hf_program_free(&program);
    status = status == HF_OK ? hf_text_save(cx, &text, path) : status;
    hf_text_free(&text);
    HF_TRY(status);
    HF_TRY(hf_program_read_file(cx, path, &again));
    hf_program_free(&again);
    return HF_OK;
}

static void failed_links_survive(void **state) {
    (void)state;
    for (int k = HF_NETWORK_GRID_2D; k <= HF_NETWORK_FAT_TREE; k++) {
        hf_network_kind kind = (hf_network_kind)k;
        assert_true(failing_sweep(hf_network_kind_name(kind), play_failed, &kind) > 15);
    }
}

static void files_and_specs_survive(void **state) {
    (void)state;
    char path[] = "/tmp/holdfast-trace-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(failing_sweep("trace file", play_file, path) > 5);
    remove(path);
    assert_true(failing_sweep("search", play_search, NULL) > 10);
    assert_true(failing_sweep("spec", play_spec, NULL) > 0);
    static char names[][32] = {"fft:size=16", "radix:size=64", "lu:size=32"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(failing_sweep(names[i], write_application, names[i]) > 5);
    }
}

static void check_survives(void **state) {
    (void)state;
    for (int broken = ALL_THERE; broken < N_BROKEN; broken++) {
        assert_true(failing_sweep("check", play_check, &broken) > 10);
    }
}

static void run_survives(void **state) {
    (void)state;
    for (int b = HF_BENCHMARK_ADD; b <= HF_BENCHMARK_NBODY; b++) {
        hf_benchmark benchmark = (hf_benchmark)b;
        assert_true(failing_sweep(hf_benchmark_name(benchmark), play_run, &benchmark) > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_survives), cmocka_unit_test(run_survives),
                                       cmocka_unit_test(failed_links_survive), cmocka_unit_test(files_and_specs_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
