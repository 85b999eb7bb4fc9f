/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Repairs and layers: what is proposed does it, nothing smaller does, and where nothing is proposed nothing does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "src/routing/lanes.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"
#include "tests/oracle/repairs.h"
#include "tests/support/share.h"

static repairs all; /* large: not on the stack */

/* ---- against all sets ---- */

typedef struct counts {
    uint32_t found, impossible, ahead, fewest;
} counts;

/* The proposal by the oracle: forbidden for all, withheld from some. */
static bool holds(const hf_repair *found, bool ahead) {
    repairs *r = malloc(sizeof *r);
    bool is_forbidden[REPAIRS_DEPENDENCIES] = {false};
    assert_non_null(r);
    *r = all;
    for (uint32_t i = 0; i < found->n_forbidden; i++) {
        const uint32_t class = repairs_class(r, found->from[i], found->to[i]);
        assert_true(class != HF_NONE && !is_forbidden[class]);
        is_forbidden[class] = true;
    }
    bool ok = repairs_hold(r, is_forbidden, ahead);
    for (uint32_t i = 0; i < found->n_withheld; i++) { /* and with them, nobody need look ahead */
        const hf_withheld *w = &found->withheld[i];
        for (uint32_t v = 0; v < REPAIRS_STATES; v++) {
            for (uint32_t h = 0; h < r->n_hop[w->destination][v]; h++) {
                repairs_hop *hop = &r->hop[w->destination][v][h];
                hop->is_withheld |= hop->to == w->to && (w->from == HF_NONE ? v >= r->n_resource : v == w->from);
            }
        }
    }
    ok = ok && repairs_hold(r, is_forbidden, false);
    free(r);
    return ok;
}

static void compare(const hf_repair *found, bool ahead, size_t tries, const char *what, counts *n) {
    bool is_known;
    const uint32_t fewest = repairs_fewest(&all, ahead, tries, &is_known);
    const bool is_right =
        found->is_found ? holds(found, ahead) && found->lower_bound <= found->n_forbidden &&
                              (!is_known || (fewest != HF_NONE && found->lower_bound <= fewest)) &&
                              (!found->is_fewest || (is_known ? found->n_forbidden == fewest : found->n_forbidden >= fewest))
        : found->is_impossible ? !is_known || fewest == HF_NONE
                               : !is_known || found->lower_bound <= fewest;
    if (!is_right) {
        fail_msg("%s, ahead %d: found %d, fewest %d, impossible %d, %u forbidden, at least %u; by trying all %s%u", what, ahead,
                 found->is_found, found->is_fewest, found->is_impossible, found->n_forbidden, found->lower_bound,
                 is_known ? "" : "at least ", fewest);
    }
    n->found += found->is_found && !ahead;
    n->ahead += found->is_found && ahead;
    n->impossible += found->is_impossible && !ahead;
    n->fewest += found->is_fewest;
}

static void compare_both(hf_context *cx, const hf_plan *plan, bool by_turns, size_t tries, const char *what, counts *n) {
    hf_repair repair;
    if (hf_deadlock_repair(cx, plan, by_turns, 1, &repair) != HF_OK) {
        fail_msg("%s: %s", what, hf_context_message(cx));
    }
    compare(&repair, false, tries, what, n);
    assert_int_equal(repair.ahead != NULL, !repair.is_found);
    if (repair.ahead) {
        compare(repair.ahead, true, tries, what, n);
    }
}

static void random_relations(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t n_vc, hops;
        const char *vcs; /* NULL: the relation's own; or lanes of them */
    } known[] = {{"ring:n=3", 1, 2, NULL},      {"ring:n=3", 2, 2, NULL},     {"ring:n=4", 1, 2, NULL},
                 {"mesh:dims=2x2", 1, 3, NULL}, {"complete:n=3", 1, 3, NULL}, {"complete:n=4", 1, 3, NULL},
                 {"mesh:dims=2x2", 2, 2, NULL}, {"ring:n=2", 2, 3, NULL},     {"ring:n=3", 1, 2, "vcs=2"},
                 {"ring:n=2", 2, 3, "vcs=4"}};
    counts n = {0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_args args;
        fixture_open(&fx, known[i].topo, NULL, "minimal");
        fixture_plan(&fx, "", &none, &plan);
        fixture_ok(&fx, hf_args_parse(fx.cx, "routing", "random", hf_lanes_params, known[i].vcs ? known[i].vcs : "", &args));
        for (uint64_t seed = 1; seed <= 40; seed += share_step()) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            packets_relation relation;
            char what[80];
            packets_relation_make(fx.topo, known[i].n_vc, seed, known[i].hops, false, &relation);
            plan = packets_plan(&relation, &none);
            plan.args = &args;
            fixture_ok(&fx, hf_lanes_plan(fx.cx, &plan));
            (void)snprintf(what, sizeof what, "%s, %u VCs, %u hops, seed %u", known[i].topo, plan.n_vc, known[i].hops,
                           (unsigned)seed);
            if (repairs_make(&plan, &all)) {
                compare_both(fx.cx, &plan, false, 1500, what, &n);
            }
            packets_relation_free(&relation);
            hf_scratch_reset(fx.cx, mark);
        }
        hf_args_free(&args);
        fixture_close(&fx);
    }
    print_message("%u repairs, %u impossible, %u looking ahead, %u the fewest\n", n.found, n.impossible, n.ahead, n.fewest);
    assert_true(n.found > 100 / share_step() && n.impossible > 40 / share_step() && n.ahead > 20 / share_step());
}

static uint32_t direction(const hf_plan *plan, uint32_t channel) {
    const hf_topology *topo = plan->topo;
    const uint32_t link = topo->link[channel];
    const uint32_t dimension = link < topo->n_switch_link ? hf_topology_attribute(topo, "dimension")->of_link[link] : HF_NONE;
    return dimension == HF_NONE ? HF_NONE : 2 * dimension + (topo->forward[link] != channel);
}

/* Turns of a grid as classes. */
static void class_turns(repairs *r) {
    uint32_t seen[64];
    memset(seen, 0xff, sizeof seen);
    r->n_class = 0;
    for (uint32_t i = 0; i < r->n_dependency; i++) {
        const uint32_t a = direction(r->plan, r->from[i] / r->plan->n_vc), b = direction(r->plan, r->to[i] / r->plan->n_vc);
        if (a == HF_NONE || b == HF_NONE || a == b) {
            r->class_of[i] = HF_NONE;
            continue;
        }
        seen[a * 8 + b] = seen[a * 8 + b] == HF_NONE ? r->n_class++ : seen[a * 8 + b];
        r->class_of[i] = seen[a * 8 + b];
    }
}

static void rules_of_grids(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *faults;
        bool by_turns;
    } known[] = {{"mesh:dims=2x2", "minimal", "", false},
                 {"mesh:dims=2x3", "minimal", "", false},
                 {"mesh:dims=2x2", "minimal:vcs=2", "", false},
                 {"ring:n=4", "minimal", "", false},
                 {"ring:n=5", "minimal", "", false},
                 {"ring:n=4", "dor", "", false},
                 {"mesh:dims=2x3", "minimal", "", true},
                 {"mesh:dims=3x3", "minimal", "", true},
                 {"mesh:dims=3x3", "minimal", "s0:0-s1:1", true},
                 {"torus:dims=3x3", "minimal", "", true},
                 {"mesh:dims=2x3", "minimal", "s0:0-s1:1", false},
                 {"ring:n=4", "minimal:vcs=2", "", false}};
    counts n = {0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        fixture_open(&fx, known[i].topo, NULL, known[i].rule);
        fixture_plan(&fx, known[i].faults, &set, &plan);
        assert_true(repairs_make(&plan, &all));
        if (known[i].by_turns) {
            class_turns(&all);
        }
        compare_both(fx.cx, &plan, known[i].by_turns, 20000, known[i].topo, &n);
        fixture_close(&fx);
    }
    assert_true(n.ahead > 0);
}

/* ---- known ones ---- */

static void expect_ahead(const char *topo, const char *rule, bool by_turns, uint32_t fewest) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_repair repair;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, by_turns, 60, &repair));
    assert_true(repair.is_impossible && !repair.is_found); /* minimal packets get stuck unless they look ahead */
    if (!repair.ahead->is_fewest || repair.ahead->n_forbidden != fewest) {
        fail_msg("%s, %s: %u", topo, rule, repair.ahead->n_forbidden);
    }
    fixture_close(&fx);
}

/* A square has one cycle each way round; each further square of a mesh adds two, of which neighbours share none of the turns. */
static void repairs_are_fewest(void **state) {
    (void)state;
    expect_ahead("mesh:dims=2x2", "minimal", false, 2);
    expect_ahead("mesh:dims=2x3", "minimal", false, 4);
    expect_ahead("mesh:dims=3x3", "minimal", false, 8);
    expect_ahead("mesh:dims=4x4", "minimal", true, 2); /* [glass1992] */
    expect_ahead("mesh:dims=3x3x3", "minimal", true, 6);
}

static void one_path_a_pair_cannot_be_repaired(void **state) {
    (void)state;
    static const char *const known[][2] = {{"ring:n=6", "dor"}, {"torus:dims=8x8", "minimal"}}; /* two hops apart: one way */
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_repair repair;
    for (size_t i = 0; i < 2; i++) {
        fixture_open(&fx, known[i][0], NULL, known[i][1]);
        fixture_plan(&fx, "", &set, &plan);
        fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, false, 60, &repair));
        assert_true(repair.is_impossible && !repair.is_found && repair.n_forbidden == 0);
        assert_true(repair.ahead->is_impossible && !repair.ahead->is_found && repair.ahead->n_forbidden == 0);
        fixture_close(&fx);
    }
    fixture_open(&fx, "complete:n=4", NULL, "minimal");
    fixture_plan(&fx, "", &set, &plan);
    assert_int_equal(hf_deadlock_repair(fx.cx, &plan, true, 60, &repair), HF_ENOTSUP);
    fixture_close(&fx);
}

/* With next to no time for the exact way: a repair, since only what is verified is found, and within the bounds. */
static void expect_guess(const char *topo, const char *rule) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_repair repair;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, false, 1, &repair));
    const hf_repair *r = repair.is_found ? &repair : repair.ahead;
    if (!r->is_found || r->n_forbidden < r->lower_bound) {
        fail_msg("%s, %s: %u, at least %u", topo, rule, r->n_forbidden, r->lower_bound);
    }
    print_message("%s, %s: %u, at least %u\n", topo, rule, r->n_forbidden, r->lower_bound);
    fixture_close(&fx);
}

static void guesses_do(void **state) {
    (void)state;
    expect_guess("torus:dims=5x5", "minimal:vcs=2");
    expect_guess("torus:dims=4x7", "minimal:vcs=2");
}

static void layers(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint32_t lower, upper;
    } known[] = {{"mesh:dims=4x4", "dor", 1, 1},
                 {"ring:n=5", "dor", 2, 2},
                 {"torus:dims=4x4", "dor", 2, 2},
                 {"kary-tree:k=2,n=3", "updown", 1, 1}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_layers found;
        fixture_open(&fx, known[i].topo, NULL, known[i].rule);
        fixture_plan(&fx, "", &set, &plan);
        fixture_ok(&fx, hf_deadlock_layers(fx.cx, &plan, false, &found));
        assert_int_equal(found.n_path, (uint64_t)fx.topo->n_terminal * (fx.topo->n_terminal - 1));
        assert_int_equal(found.lower, known[i].lower);
        assert_int_equal(found.upper, known[i].upper);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_relations),   cmocka_unit_test(rules_of_grids),
                                       cmocka_unit_test(repairs_are_fewest), cmocka_unit_test(one_path_a_pair_cannot_be_repaired),
                                       cmocka_unit_test(guesses_do),         cmocka_unit_test(layers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
