/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  layered-shortest: shortest ways, layers without cycles, few of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "tests/oracle/fixture.h"

/* Trees of switches need one layer; an odd ring of more than four switches two. Nothing deadlocks, with faults or without. */
static void layers_without_cycles(void **state) {
    (void)state;
    static const struct {
        const char *topo, *faults;
        uint32_t least, most;
        uint64_t distance; /* sum over ordered pairs of switches */
    } cases[] = {
        {"mesh:dims=6", "", 1, 1, 70},           {"ring:n=5", "", 2, 2, 30},        {"ring:n=5", "s0:0", 1, 1, 40},
        {"torus:dims=4x4", "", 2, 4, 512},       {"torus:dims=5x5", "s0", 2, 6, 0}, {"hypercube:n=4", "s0:0,s5:1", 1, 4, 0},
        {"torus:dims=8x8", "s0:0", 2, 6, 16408},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock d;
        hf_measure m = {0};
        const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE};
        fixture_open(&fx, cases[i].topo, NULL, "layered-shortest");
        fixture_plan(&fx, cases[i].faults, &set, &plan);
        assert_in_range(plan.n_vc, cases[i].least, cases[i].most);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
        assert_int_equal(d.method, HF_METHOD_ACYCLIC);
        fixture_ok(&fx, hf_measures_of(plan.routing)->measure(fx.cx, &plan, &m));
        assert_int_equal(m.extra[0], plan.n_vc);
        assert_true(cases[i].distance == 0 || m.extra[1] == cases[i].distance);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_without_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
