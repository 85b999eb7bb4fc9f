/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under the check and the simulation of idempotent messaging fails in turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <holdfast/protocol.h>

#include "support/failing.h"

static hf_status play_check(hf_context *cx, void *user) {
    const bool *is_broken = user;
    hf_check_result result;
    hf_check check = {.protocol = hf_protocol_default(), .n_message = 3, .capacity = 2, .has_loss = true, .state_limit = 100000};
    check.protocol.send_capacity = check.protocol.receive_capacity = 2;
    check.protocol.n_id = *is_broken ? 1 : 0;
    return hf_protocol_check(cx, &check, &result);
}

static hf_status play_run(hf_context *cx, void *user) {
    const hf_benchmark *benchmark = user;
    hf_trace trace;
    hf_messaging_result result;
    hf_messaging m = {.protocol = hf_protocol_default(), .seed = 1, .cycle_limit = 100000};
    HF_TRY(hf_benchmark_trace(cx, &(hf_program){.benchmark = *benchmark, .n_node = 16, .seed = 1}, &trace));
    hf_status status = hf_messaging_run(cx, &m, &trace, &result);
    m.is_buffered = true;
    status = status == HF_OK ? hf_messaging_run(cx, &m, &trace, &result) : status;
    hf_trace_free(&trace);
    return status;
}

static void check_survives(void **state) {
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        bool is_broken = broken;
        assert_true(failing_sweep("check", play_check, &is_broken) > 10);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(check_survives), cmocka_unit_test(run_survives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
