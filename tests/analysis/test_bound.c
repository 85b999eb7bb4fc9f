/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The class bound: certificates that hold, certificates that have been tampered with, and the argument of its checker against
 *  the registers of real plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "src/routing/tree/plan.h"
#include "tests/oracle/fixture.h"

static bool check(fixture *fx, const hf_bound *bound) {
    bool ok = false;
    fixture_ok(fx, hf_bound_check(fx->cx, fx->universe, &fx->rule, bound, &ok));
    return ok;
}

static void bounds_hold(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=2", "kary-tree:k=2,n=4", "kary-tree:k=3,n=3", "kary-tree:k=4,n=2",
                                        "kary-tree:k=4,n=3", "kary-tree:k=6,n=2", "kary-tree:k=8,n=3"};
    static const char *const universes[] = {"channels", "links"};
    static const char *const rules[] = {"updown", "ft2ei", "ft2ei:intervals=2", "ft2ei:intervals=unlimited,own=yes"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        for (size_t u = 0; u < 2; u++) {
            for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
                fixture fx;
                hf_bound *bound;
                fixture_open(&fx, trees[i], universes[u], rules[r]);
                fixture_ok(&fx, hf_bound_make(fx.cx, fx.universe, &fx.rule, &bound));
                assert_int_equal(bound->n_class, fx.topo->n_port_max / 2);
                assert_int_equal(bound->n_witness, bound->n_class);
                assert_true(check(&fx, bound));
                hf_bound_free(bound);
                fixture_close(&fx);
            }
        }
    }
}

static void bounds_on_switches_and_filters(void **state) {
    (void)state;
    static const struct {
        const char *universe;
        hf_status status;
    } row[] = {{"switches:stage=1", HF_OK},     {"links:stage=0", HF_OK},       {"links+switches:stage=1", HF_OK},
               {"switches", HF_ENOTSUP},        {"terminal-links", HF_ENOTSUP}, {"links:stage=1", HF_ENOTSUP},
               {"switches:stage=2", HF_ENOTSUP}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_bound *bound;
        fixture_open(&fx, "kary-tree:k=3,n=3", row[i].universe, "ft2ei");
        const hf_status status = hf_bound_make(fx.cx, fx.universe, &fx.rule, &bound);
        if (status != row[i].status) {
            print_error("%s: %s\n", row[i].universe, hf_context_message(fx.cx));
        }
        assert_int_equal(status, row[i].status);
        if (status == HF_OK) {
            assert_true(check(&fx, bound));
            hf_bound_free(bound);
        }
        fixture_close(&fx);
    }
}

static void rules_without_classes_are_refused(void **state) {
    (void)state;
    static const char *const rules[] = {"interval", "ft2ei:propagate=no"};
    fixture fx;
    hf_bound *bound;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", NULL);
    for (size_t i = 0; i < 2; i++) {
        fixture_rule(&fx, rules[i]);
        assert_int_equal(hf_bound_make(fx.cx, fx.universe, &fx.rule, &bound), HF_ENOTSUP);
    }
    fixture_close(&fx);
    fixture_open(&fx, "kary-tree:k=2,n=1", "switches", "updown");
    assert_int_equal(hf_bound_make(fx.cx, fx.universe, &fx.rule, &bound), HF_ENOTSUP);
    fixture_close(&fx);
}

static void tampering_is_noticed(void **state) {
    (void)state;
    static const char *const rules[] = {"ft2ei", "updown"};
    for (size_t r = 0; r < 2; r++) {
        fixture fx;
        hf_bound *bound;
        fixture_open(&fx, "kary-tree:k=3,n=3", "channels", rules[r]);
        fixture_ok(&fx, hf_bound_make(fx.cx, fx.universe, &fx.rule, &bound));
        assert_true(check(&fx, bound));
        for (uint32_t i = 0; i < bound->n_component; i++) {
            const uint32_t old = bound->class_of[i];
            bound->class_of[i] = (old + 1) % bound->n_class;
            /* updown has no registers: a channel that no class needs may stand in another */
            assert_true(!check(&fx, bound) || r == 1);
            bound->class_of[i] = bound->n_class;
            assert_false(check(&fx, bound));
            assert_non_null(strstr(hf_context_message(fx.cx), "step 1"));
            bound->class_of[i] = old;
        }
        const uint32_t first = bound->witness[0];
        bound->witness[0] = bound->witness[1];
        assert_false(check(&fx, bound));
        assert_non_null(strstr(hf_context_message(fx.cx), "step 4"));
        bound->witness[0] = first;
        const uint32_t last = bound->witness[2];
        bound->witness[2] = bound->n_component - 1;
        assert_false(check(&fx, bound));
        bound->witness[2] = last;
        bound->routing[0] = 'x';
        assert_false(check(&fx, bound));
        hf_bound_free(bound);
        fixture_close(&fx);
    }
}

/* What step 3 takes from the arithmetic of single faults, seen in the registers of the plan: a component changes registers of its
 * own class only. */
static void registers_of_single_faults_stay_in_their_class(void **state) {
    (void)state;
    static const char *const universes[] = {"channels", "links", "switches:stage=1", "switches:stage=2"};
    static const char *const rules[] = {"ft2ei", "ft2ei:own=yes"};
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
        for (size_t r = 0; r < 2; r++) {
            fixture fx;
            hf_tree tree;
            fixture_open(&fx, "kary-tree:k=3,n=3", universes[u], rules[r]);
            assert_true(hf_tree_of(fx.topo, &tree));
            for (uint32_t component = 0; component < fx.universe->n_component; component++) {
                hf_fault_set set;
                hf_plan plan;
                fixture_plan_set(&fx, &component, 1, &set, &plan);
                const uint32_t own = hf_tree_class(&tree, set.channel[0]);
                for (uint32_t sw = 0; sw < tree.n_switch - tree.width; sw++) {
                    for (uint32_t j = 0; j < tree.k; j++) {
                        const bool excludes = plan.routing->registers(&plan, sw, tree.k + j, NULL, 0) > 1;
                        assert_true(!excludes || hf_tree_class(&tree, hf_tree_up_channel(&tree, sw, j)) == own);
                    }
                }
            }
            fixture_close(&fx);
        }
    }
}

/* A few seconds are allowed for all 262,144 channels of the 8-ary 5-tree. */
static void the_8_ary_5_tree_is_certified(void **state) {
    (void)state;
    fixture fx;
    hf_bound *bound;
    fixture_open(&fx, "kary-tree:k=8,n=5", "channels", "ft2ei");
    const clock_t begin = clock();
    fixture_ok(&fx, hf_bound_make(fx.cx, fx.universe, &fx.rule, &bound));
    assert_int_equal(bound->n_component, 262144);
    assert_true(check(&fx, bound));
    print_message("8-ary 5-tree: certified in %.2f s\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
    hf_bound_free(bound);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(bounds_on_switches_and_filters),
        cmocka_unit_test(rules_without_classes_are_refused),
        cmocka_unit_test(tampering_is_noticed),
        cmocka_unit_test(registers_of_single_faults_stay_in_their_class),
        cmocka_unit_test(the_8_ary_5_tree_is_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
