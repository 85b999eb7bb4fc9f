/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Of several jobs that fail, the first one is told, however threads come to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "src/core/jobs.h"

enum { JOBS = 24, TRIES = 400, THREADS = 4 };

typedef struct work {
    uint64_t seed;
    size_t first; /* that fails */
    volatile uint64_t spun[JOBS];
} work;

static bool fails(const work *w, size_t i) { return i >= w->first && (i == w->first || (w->seed >> i & 1)); }

static hf_status spin(hf_context *cx, void *user, size_t i) {
    work *w = user;
    const uint64_t rounds = (w->seed * (i + 7) >> 20) % 3000;
    for (uint64_t k = 0; k < rounds; k++) {
        w->spun[i] += k;
    }
    if (fails(w, i)) {
        HF_FAIL(cx, HF_EINVAL, "job %zu fails", i);
    }
    return HF_OK;
}

static void the_first_failure_is_told(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < TRIES; seed++) {
        hf_context *cx = hf_context_new(NULL);
        work w = {.seed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15), .first = seed % (JOBS + 1)};
        size_t failed;
        char said[32];
        const hf_status status = hf_jobs_do(cx, JOBS, THREADS, spin, &w, &failed);
        assert_int_equal(failed, w.first);
        assert_int_equal(status, w.first < JOBS ? HF_EINVAL : HF_OK);
        (void)snprintf(said, sizeof said, "job %zu fails", w.first);
        assert_string_equal(hf_context_message(cx), w.first < JOBS ? said : "");
        hf_context_free(cx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_failure_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
