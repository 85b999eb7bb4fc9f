/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Whoever makes large tables looks at the stop flag while it does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

static void tables_are_stopped(void **state) {
    (void)state;
    static const char *const rule[] = {"minimal", "updown-graph", "layered-shortest", "immunet"};
    static const char *const topology[] = {"complete:n=9", "mesh:dims=3x3", "mesh:dims=3x3", "mesh:dims=3x3"};
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        fixture fx;
        hf_plan plan;
        hf_fault_set none;
        volatile sig_atomic_t stop = 1;
        fixture_open(&fx, topology[i], NULL, rule[i]);
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, "", &none));
        hf_context_set_stop(fx.cx, &stop);
        assert_int_equal(hf_plan_make(fx.cx, &fx.rule, &none, &plan), HF_ESTOP);
        assert_string_equal(hf_context_message(fx.cx), "stopped while making the table of distances");
        stop = 0;
        fixture_ok(&fx, hf_plan_make(fx.cx, &fx.rule, &none, &plan));
        hf_context_set_stop(fx.cx, NULL);
        fixture_close(&fx);
    }
}

/* Immunet measures all pairs of each set, with the plan and in its judge. */
static void measures_are_stopped(void **state) {
    (void)state;
    fixture fx;
    hf_plan plan;
    hf_fault_set none;
    hf_judge *judge;
    hf_measure m;
    volatile sig_atomic_t stop = 0;
    fixture_open(&fx, "torus:dims=4x4", "links", "immunet");
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, "", &none));
    fixture_ok(&fx, hf_plan_make(fx.cx, &fx.rule, &none, &plan));
    fixture_ok(&fx, fx.rule.routing->judge(fx.cx, fx.universe, &fx.rule, &judge));
    hf_context_set_stop(fx.cx, &stop);
    for (int i = 0; i < 2; i++) {
        stop = 1;
        m = (hf_measure){0};
        assert_int_equal(i ? judge->ops->read(fx.cx, judge, &m) : hf_measures_of(plan.routing)->measure(fx.cx, &plan, &m),
                         HF_ESTOP);
        assert_string_equal(hf_context_message(fx.cx), "stopped while measuring a ring");
        stop = 0;
        fixture_ok(&fx, i ? judge->ops->read(fx.cx, judge, &m) : hf_measures_of(plan.routing)->measure(fx.cx, &plan, &m));
    }
    hf_context_set_stop(fx.cx, NULL);
    judge->ops->free(judge);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_stopped),
        cmocka_unit_test(measures_are_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
