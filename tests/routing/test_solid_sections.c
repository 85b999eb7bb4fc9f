/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  f-chains in three and more dimensions: which fault sets part cross sections, against floods over healthy links, and that all
 *  others are delivered without a deadlock; all sets of one and two faults; ways out of a cross section that is parted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>
#include <holdfast/format.h>

#include "src/routing/solid/route.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/sections_oracle.h"
#include "tests/support/share.h"

/* Are all pairs in service delivered, whichever way they take, and is there no deadlock? */
static bool is_delivered(fixture *fx, const hf_plan *plan) {
    static const hf_deadlock_options options = {.threads = 1};
    hf_measure measure = {0};
    hf_deadlock found;
    const uint64_t live = hf_plan_live(plan);
    fixture_ok(fx, hf_measures_of(plan->routing)->measure(fx->cx, plan, &measure));
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, &found));
    return measure.extra[3] == live * (live - 1) && found.answer == HF_DEADLOCK_FREE && found.is_connected;
}

static hf_solid_class class_of(const hf_plan *plan) { return ((const hf_solid_plan *)plan->state)->class; }

static void agrees_with_floods(void **state) {
    (void)state;
    static const char *const topos[] = {"mesh:dims=3x3x3", "mesh:dims=3x4x3", "mesh:dims=5x3x2",
                                        "mesh:dims=2x3x5", "mesh:dims=4x4x4", "mesh:dims=3x3x2x3"};
    static const char *const rules[] = {"solid-fault:rings=any", "solid-fault:rings=any,sidesteps=yes",
                                        "solid-fault-adaptive:rings=chains,sidesteps=yes,turned-vcs=yes"};
    enum { TOPOS = sizeof topos / sizeof *topos, RULES = sizeof rules / sizeof *rules };
    uint32_t n_parted = 0, n_covered = 0;
    for (size_t i = 0; i < TOPOS * RULES; i++) {
        fixture fx;
        hf_random random;
        hf_random_init(&random, 3, HF_PURPOSE_TEST, i / RULES);
        fixture_open(&fx, topos[i / RULES], "links+switches", rules[i % RULES]);
        const uint32_t sets = i % RULES == 2 ? 3 : fx.topo->n_switch > 50 ? 3 : 40;
        for (uint32_t k = 0; k < sets; k += share_step()) {
            uint32_t component[6];
            hf_fault_set set;
            hf_plan plan;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 6);
            hf_random_subset(&random, fx.universe->n_component, f, component);
            fixture_plan_set(&fx, component, f, &set, &plan);
            const bool is_parted = class_of(&plan) == HF_SOLID_PARTED, is_covered = class_of(&plan) == HF_SOLID_COVERED;
            if (((is_parted || is_covered) && is_covered != sections_oracle_serves(&set, i % RULES > 0)) ||
                (is_covered && !is_delivered(&fx, &plan))) {
                char name[64];
                for (uint32_t j = 0; j < f; j++) {
                    hf_universe_name(fx.universe, component[j], name, sizeof name);
                    print_error("%s,", name);
                }
                fail_msg("%s, %s, class %d", topos[i / RULES], rules[i % RULES], (int)class_of(&plan));
            }
            n_parted += is_parted;
            n_covered += is_covered;
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    print_message("%u sets covered, %u parted\n", n_covered, n_parted);
    assert_true(n_covered > 150 / share_step() && n_parted > 20 / share_step());
}

/* All sets of f faults: covered and proved, and those that part cross sections. */
static void all_sets(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        uint32_t f;
        uint64_t covered, parted;
    } rows[] = {
        {"mesh:dims=3x3x3", "switches", "solid-fault:rings=any", 1, 23, 4},
        {"mesh:dims=3x3x3", "switches", "solid-fault:rings=any", 2, 220, 110},
        {"mesh:dims=3x3x3", "links", "solid-fault:rings=any", 1, 46, 8},
        {"mesh:dims=3x3x3", "switches", "solid-fault:rings=any,sidesteps=yes", 1, 27, 0},
        {"mesh:dims=3x3x3", "switches", "solid-fault:rings=any,sidesteps=yes", 2, 330, 0},
        {"mesh:dims=3x3x3", "links", "solid-fault:rings=any,sidesteps=yes", 1, 54, 0},
        {"mesh:dims=3x3x3", "links", "solid-fault:rings=any,sidesteps=yes,rule4=no-u-turn,reset=yes,base-vc=own", 1, 54, 0},
        {"mesh:dims=3x3x3", "switches", "solid-fault-adaptive:rings=any,sidesteps=yes", 1, 27, 0},
        {"mesh:dims=3x3x3", "switches", "block-fault:rings=any", 2, 128, 22},
        {"mesh:dims=3x3x3", "switches", "block-fault:rings=any,sidesteps=yes", 2, 150, 0},
        {"mesh:dims=4x4x4", "switches", "solid-fault:rings=any", 1, 64, 0},
        {"mesh:dims=4x4x4", "links", "solid-fault:rings=any", 1, 144, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i += share_step()) {
        fixture fx;
        uint32_t component[2];
        uint64_t of_class[HF_SOLID_PARTED + 1] = {0};
        fixture_open(&fx, rows[i].topo, rows[i].universe, rows[i].rule);
        const uint32_t m = fx.universe->n_component;
        hf_lex_unrank(m, rows[i].f, 0, component);
        for (bool more = true; more; more = hf_lex_next(m, rows[i].f, component, NULL)) {
            hf_fault_set set;
            hf_plan plan;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            fixture_plan_set(&fx, component, rows[i].f, &set, &plan);
            of_class[class_of(&plan)]++;
            assert_true(class_of(&plan) != HF_SOLID_COVERED || is_delivered(&fx, &plan));
            hf_scratch_reset(fx.cx, mark);
        }
        assert_int_equal(of_class[HF_SOLID_COVERED], rows[i].covered);
        assert_int_equal(of_class[HF_SOLID_PARTED], rows[i].parted);
        fixture_close(&fx);
    }
}

/* A way: switches and the virtual channels that are offered on the way to each. */
static void check_way(const hf_plan *plan, const uint32_t *way, const unsigned *vcs, uint32_t n) {
    const uint32_t destination = way[n - 1];
    hf_hop in = HF_HOP_INJECTION, hops[HF_SOLID_CHOICES * HF_SOLID_VCS_MAX];
    for (uint32_t i = 0; i + 1 < n; i++) {
        unsigned offered = 0;
        hf_hop taken = HF_HOP_INJECTION;
        const size_t count = hf_plan_route(plan, way[i], in, destination, hops);
        for (size_t k = 0; k < count; k++) {
            if (plan->topo->to[hops[k].channel] == way[i + 1]) {
                offered |= 1u << hops[k].vc;
                taken = hops[k];
            }
        }
        assert_int_equal(offered, vcs[i]);
        in = taken;
    }
}

/* (0,1,0) of a 3x3x3 mesh takes the edge (0,*,0) out of service, all that the plane z=0 has at x=0: from (0,1,1) to (1,0,0) a
 * message goes to the plane z=1 first. Two nodes in a diagonal of a side part that side, which no sidestep mends. */
static void ways_out(void **state) {
    (void)state;
    static const uint32_t way[] = {4, 13, 12, 9};
    static const unsigned vcs[] = {1u << 8, 1, 8};
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_text text;
    fixture_open(&fx, "mesh:dims=3x3x3", NULL, "solid-fault:rings=any,sidesteps=yes");
    fixture_plan(&fx, "s3", &set, &plan);
    assert_int_equal(plan.n_vc, 9);
    check_way(&plan, way, vcs, 4);
    fixture_close(&fx);
    fixture_open(&fx, "mesh:dims=4x4x4", NULL, "solid-fault:rings=any,sidesteps=yes");
    fixture_plan(&fx, "s20,s40", &set, &plan);
    assert_int_equal(class_of(&plan), HF_SOLID_PARTED);
    hf_text_init(fx.cx, &text);
    fixture_ok(&fx, hf_drawing_of(plan.routing)->describe_faults(fx.cx, &plan, &text));
    assert_non_null(strstr(text.data, "cross section"));
    hf_text_free(&text);
    fixture_close(&fx);
}

/* (2,1,0) of a 5x3x3 mesh takes all of (2,*,0) out of service, and the plane z=2 has nothing at x=0. No adaptive hop leads a
 * message to x=0 into it, which would go to and fro there. */
static void adaptive_hops_stay_out(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "mesh:dims=5x3x3", NULL, "solid-fault-adaptive:rings=any,sidesteps=yes");
    fixture_plan(&fx, "s21", &set, &plan);
    assert_int_equal(class_of(&plan), HF_SOLID_COVERED);
    assert_true(is_delivered(&fx, &plan));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_floods),
        cmocka_unit_test(all_sets),
        cmocka_unit_test(ways_out),
        cmocka_unit_test(adaptive_hops_stay_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
