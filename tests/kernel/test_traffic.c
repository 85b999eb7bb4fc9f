/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traffic through the kernel: nothing is lost, the rate is the one asked for, and the same seed gives the same run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "tests/oracle/fixture.h"

static hf_kernel_counts run(fixture *fx, const char *pattern, double load, uint64_t seed, uint64_t cycles) {
    hf_kernel *k;
    hf_fault_set none;
    hf_plan plan;
    hf_traffic *traffic;
    const hf_kernel_options o = hf_kernel_usual();
    fixture_plan(fx, "", &none, &plan);
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, pattern, &traffic));
    fixture_ok(fx, hf_kernel_new(fx->cx, &plan, &o, &k));
    fixture_ok(fx, hf_kernel_offer(k, traffic, load, seed));
    fixture_ok(fx, hf_kernel_run(k, cycles));
    const hf_kernel_counts counts = *hf_kernel_read(k);
    assert_int_equal(counts.generated, counts.delivered + counts.lost + counts.refused + hf_kernel_present(k));
    assert_int_equal(counts.lost + counts.refused, 0);
    hf_traffic_free(traffic);
    return counts;
}

static void conservation(void **state) {
    (void)state;
    static const char *const patterns[] = {"uniform", "complement", "transpose", "bit-reversal",
                                           "tornado", "neighbour",  "hot-spot"};
    fixture fx;
    fixture_open(&fx, "torus:dims=4x4", NULL, "dor:vcs=2,dateline=yes");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        for (int level = 0; level < 3; level++) {
            const hf_kernel_counts c = run(&fx, patterns[i], level == 0 ? 0.1 : level == 1 ? 0.4 : 1.6, 7, 3000);
            assert_true(c.delivered > 500);
        }
    }
    fixture_close(&fx);
}

/* At low load all that is offered arrives: 5 standard deviations of a binomial number of packets. */
static void rate(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "mesh:dims=4x4", NULL, "dor");
    const uint64_t cycles = 20000;
    const hf_kernel_counts c = run(&fx, "uniform", 0.1, 3, cycles);
    const double expected = 0.1 / 4 * 16 * (double)cycles;
    assert_true(fabs((double)c.generated - expected) < 5 * sqrt(expected));
    fixture_close(&fx);
}

static void same_bytes(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "torus:dims=4x4", NULL, "duato");
    const hf_kernel_counts a = run(&fx, "uniform", 0.5, 11, 2000), b = run(&fx, "uniform", 0.5, 11, 2000);
    const hf_kernel_counts c = run(&fx, "uniform", 0.5, 12, 2000);
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(a.latency_sum != c.latency_sum);
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_kernel *k;
    hf_traffic *traffic;
    const hf_kernel_options o = hf_kernel_usual();
    fixture_open(&fx, "mesh:dims=2x2", NULL, "dor");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    fixture_ok(&fx, hf_kernel_new(fx.cx, &plan, &o, &k));
    assert_int_equal(hf_kernel_send(k, 0, 4), HF_EINVAL);
    assert_int_equal(hf_kernel_send(k, 4, 0), HF_EINVAL);
    fixture_ok(&fx, hf_kernel_send(k, 0, 1));
    assert_int_equal(hf_kernel_offer(k, traffic, 0.5, 1), HF_EINVAL); /* a packet stands at a source */
    fixture_ok(&fx, hf_kernel_run(k, 100));
    assert_int_equal(hf_kernel_offer(k, traffic, 5, 1), HF_EINVAL);
    fixture_ok(&fx, hf_kernel_offer(k, traffic, 0.5, 1));
    fixture_ok(&fx, hf_kernel_run(k, 100));
    assert_int_equal(hf_kernel_offer(k, traffic, 0.5, 1), HF_EINVAL); /* again */
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conservation),
        cmocka_unit_test(rate),
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
