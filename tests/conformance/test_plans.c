/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under a plan of every listed routing fails in turn, on the first topology that the routing accepts: the call
 *  says so, nothing leaks, the next try works. Routings that read a file have tests of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/failing.h"

typedef struct pair {
    const char *topo, *rule;
} pair;

static hf_status plan_once(hf_context *cx, void *user) {
    const pair *p = user;
    hf_topology *topo = NULL;
    hf_rule rule = {0};
    hf_fault_set set;
    hf_plan plan;
    hf_status status = hf_topology_new(cx, p->topo, &topo);
    if (status == HF_OK) {
        status = hf_rule_init(cx, p->rule, topo, &rule);
    }
    if (status == HF_OK) {
        status = hf_no_faults(cx, topo, &set);
    }
    if (status == HF_OK) {
        status = hf_plan_make(cx, &rule, &set, &plan);
    }
    hf_rule_free(&rule);
    hf_topology_free(topo);
    return status;
}

static bool accepts(const char *topo, const char *rule) {
    fixture fx;
    fixture_open(&fx, topo, NULL, NULL);
    const bool is_accepted = hf_rule_init(fx.cx, rule, fx.topo, &fx.rule) == HF_OK;
    fixture_close(&fx);
    return is_accepted;
}

static bool needs_a_file(const hf_routing *routing) {
    return routing->params && routing->params[0].type == HF_PARAM_TEXT && !routing->params[0].fallback;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (size_t r = 0; r < hf_routing_count(); r++) {
        const hf_routing *routing = hf_routing_at(r);
        size_t s = 0;
        if (needs_a_file(routing)) {
            continue;
        }
        while (s < N_TOPOLOGY_SPEC && !accepts(topology_specs[s], routing->name)) {
            s++;
        }
        assert_true(s < N_TOPOLOGY_SPEC);
        pair p = {topology_specs[s], routing->name};
        assert_true(failing_sweep(routing->name, plan_once, &p) > 10);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
