/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rings for bubble flow control: a rule says that it has some where one of its plans declares one, without faults or with one,
 *  and nowhere else; without any the flow control is refused by the decision about deadlock and by the kernel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/kernel.h>

#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"

static bool declares_ring(const hf_plan *plan) {
    for (uint32_t r = 0; plan->routing->ring && r < plan->topo->n_channel * plan->n_vc; r++) {
        if (plan->routing->ring(plan, r / plan->n_vc, r % plan->n_vc) != HF_NONE) {
            return true;
        }
    }
    return false;
}

/* In any plan for no or one failed link? */
static bool finds_ring(fixture *fx) {
    bool any = false;
    for (uint32_t link = 0; link <= fx->topo->n_switch_link && !any; link++) {
        const hf_mark mark = hf_scratch_mark(fx->cx);
        char name[80] = "";
        hf_fault_set set;
        hf_plan plan;
        if (link > 0) {
            hf_topology_link_name(fx->topo, link - 1, name, sizeof name);
        }
        fixture_plan(fx, name, &set, &plan);
        any = declares_ring(&plan);
        hf_scratch_reset(fx->cx, mark);
    }
    return any;
}

static void check_refusals(fixture *fx, const hf_plan *plan, bool has_rings) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_VCT, .bubble = true, .threads = 1};
    hf_kernel_options kernel = hf_kernel_usual();
    hf_deadlock found;
    hf_kernel *k;
    kernel.switching = HF_SWITCHING_VCT;
    kernel.bubble = true;
    assert_int_equal(hf_deadlock_decide(fx->cx, plan, &options, &found), has_rings ? HF_OK : HF_ENOTSUP);
    assert_int_equal(hf_kernel_new(fx->cx, plan, &kernel, &k), has_rings ? HF_OK : HF_ENOTSUP);
}

static void check_rule(const char *topo, const char *rule, uint32_t *count) {
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    fixture_open(&fx, topo, NULL, NULL);
    const bool is_accepted = hf_rule_init(fx.cx, rule, fx.topo, &fx.rule) == HF_OK;
    fixture_close(&fx);
    if (!is_accepted) {
        return;
    }
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &none, &plan);
    const bool says = hf_plan_has_rings(&plan), has = finds_ring(&fx);
    if (says != has) {
        print_error("%s, %s: %s rings, and %s\n", topo, rule, says ? "says that it has" : "denies",
                    has ? "there are" : "none is found");
        fail();
    }
    check_refusals(&fx, &plan, says);
    count[says]++;
    fixture_close(&fx);
}

static void rules_know_their_rings(void **state) {
    (void)state;
    static const char *const more[] = {"dor:vcs=2", "adaptive-bubble:adaptive-vcs=2", "immunet:bubble=no",
                                       "immunet:safe=provisional"};
    uint32_t count[2] = {0, 0};
    for (size_t s = 0; s < N_TOPOLOGY_SPEC; s++) {
        for (size_t r = 0; r < hf_routing_count(); r++) {
            const hf_routing *routing = hf_routing_at(r);
            if (!routing->params || routing->params[0].type != HF_PARAM_TEXT || routing->params[0].fallback) {
                check_rule(topology_specs[s], routing->name, count);
            }
        }
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
            check_rule(topology_specs[s], more[i], count);
        }
        for (size_t i = 0; i < N_RULE_SPEC; i++) {
            check_rule(topology_specs[s], rule_specs[i], count);
        }
    }
    print_message("%u pairs with rings, %u without\n", count[1], count[0]);
    assert_true(count[1] > 20 && count[0] > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_know_their_rings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
