/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Repairs and layers: what is proposed does it, and less does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/deadlock.h>

#include "tests/oracle/fixture.h"

/* A plan without some of the hops of another, after some arrivals. */
typedef struct pruned {
    const hf_plan *inner;
    uint32_t n;
    const uint32_t *from, *to;
    bool by_turns;
} pruned;

static uint32_t direction(const hf_plan *plan, uint32_t channel) {
    const hf_topology *topo = plan->topo;
    const uint32_t link = topo->link[channel];
    const uint32_t dimension = hf_topology_attribute(topo, "dimension")->of_link[link];
    return dimension == HF_NONE ? HF_NONE : 2 * dimension + (topo->forward[link] != channel);
}

static bool is_forbidden(const pruned *p, hf_hop in, hf_hop out) {
    const uint32_t n_vc = p->inner->n_vc;
    for (uint32_t i = 0; i < p->n; i++) {
        const uint32_t a = p->from[i] / n_vc, b = p->to[i] / n_vc;
        const bool same = p->by_turns ? direction(p->inner, a) == direction(p->inner, in.channel) &&
                                            direction(p->inner, b) == direction(p->inner, out.channel)
                                      : p->from[i] == in.channel * n_vc + in.vc && p->to[i] == out.channel * n_vc + out.vc;
        if (same) {
            return true;
        }
    }
    return false;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const pruned *p = plan->state;
    const size_t count = hf_plan_route(p->inner, at, in, destination, hops);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (in.channel == HF_NONE || !is_forbidden(p, in, hops[i])) {
            hops[kept++] = hops[i];
        }
    }
    return kept;
}

static const hf_routing pruned_routing = {.name = "pruned", .summary = "for tests", .route = route};

/* Without what is forbidden: no cycle, and every pair still served. */
static void check(fixture *fx, const hf_plan *plan, const pruned *p, bool *acyclic, bool *served) {
    hf_plan less = *plan;
    hf_deadlock d;
    hf_verdict verdict;
    less.routing = &pruned_routing;
    less.state = p;
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &less, &options, &d));
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &less, fixture_criterion(fx, "all-pairs"), false, &verdict));
    *acyclic = d.method == HF_METHOD_ACYCLIC;
    *served = verdict.unserved == 0;
}

static void expect_repair(const char *topo, const char *rule, bool by_turns, uint32_t fewest) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_repair repair;
    bool acyclic, served;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, by_turns, 60, &repair));
    if (!repair.is_found || repair.n_forbidden != fewest) {
        print_error("%s, %s: %u\n", topo, rule, repair.n_forbidden);
        fail();
    }
    assert_true(repair.is_fewest);
    const pruned p = {&plan, repair.n_forbidden, repair.from, repair.to, by_turns};
    check(&fx, &plan, &p, &acyclic, &served);
    assert_true(acyclic && served);
    for (uint32_t i = 0; i < repair.n_forbidden; i++) { /* none of them is idle */
        uint32_t from[64], to[64], n = 0;
        for (uint32_t k = 0; k < repair.n_forbidden; k++) {
            from[n] = repair.from[k];
            to[n] = repair.to[k];
            n += k != i;
        }
        const pruned q = {&plan, n, from, to, by_turns};
        check(&fx, &plan, &q, &acyclic, &served);
        assert_false(acyclic);
    }
    fixture_close(&fx);
}

/* A square has one cycle each way round; each further square of a mesh adds two, of which neighbours share none of the turns. */
static void repairs_are_fewest(void **state) {
    (void)state;
    expect_repair("mesh:dims=2x2", "minimal", false, 2);
    expect_repair("mesh:dims=2x3", "minimal", false, 4);
    expect_repair("mesh:dims=3x3", "minimal", false, 8);
    expect_repair("mesh:dims=4x4", "minimal", true, 2); /* [glass1992] */
    expect_repair("mesh:dims=3x3x3", "minimal", true, 6);
}

static void one_path_a_pair_cannot_be_repaired(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_repair repair;
    fixture_open(&fx, "ring:n=6", NULL, "dor");
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, false, 60, &repair));
    assert_true(repair.is_impossible);
    assert_false(repair.is_found);
    assert_int_equal(repair.n_forbidden, 0);
    fixture_close(&fx);
    fixture_open(&fx, "torus:dims=8x8", NULL, "minimal"); /* along a ring there is one minimal way for each pair two hops apart */
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, false, 60, &repair));
    assert_true(repair.is_impossible);
    fixture_close(&fx);
    fixture_open(&fx, "complete:n=4", NULL, "minimal");
    fixture_plan(&fx, "", &set, &plan);
    assert_int_equal(hf_deadlock_repair(fx.cx, &plan, true, 60, &repair), HF_ENOTSUP);
    fixture_close(&fx);
}

/* With next to no time for the exact way: valid, nothing idle, and within the bounds. */
static void expect_guess(const char *topo, const char *rule) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_repair repair;
    bool acyclic, served;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_deadlock_repair(fx.cx, &plan, false, 1, &repair));
    if (!repair.is_found || repair.n_forbidden < repair.lower_bound) {
        print_error("%s, %s: %u, at least %u\n", topo, rule, repair.n_forbidden, repair.lower_bound);
        fail();
    }
    const pruned p = {&plan, repair.n_forbidden, repair.from, repair.to, false};
    check(&fx, &plan, &p, &acyclic, &served);
    assert_true(acyclic && served);
    repair.from[repair.n_forbidden / 2] = HF_NONE - 1; /* no such resource: one is allowed again */
    check(&fx, &plan, &p, &acyclic, &served);
    assert_false(acyclic);
    print_message("%s, %s: %u, at least %u\n", topo, rule, repair.n_forbidden, repair.lower_bound);
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
        fixture_ok(&fx, hf_deadlock_layers(fx.cx, &plan, &found));
        assert_int_equal(found.n_path, (uint64_t)fx.topo->n_terminal * (fx.topo->n_terminal - 1));
        assert_int_equal(found.lower, known[i].lower);
        assert_int_equal(found.upper, known[i].upper);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(repairs_are_fewest), cmocka_unit_test(one_path_a_pair_cannot_be_repaired),
                                       cmocka_unit_test(guesses_do), cmocka_unit_test(layers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
