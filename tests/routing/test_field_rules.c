/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules that networks run by today: how many virtual channels ugal and par take on dragonflies and HyperX, what ecmp serves
 *  and closes between a failure and convergence, valley-free ways, and ways of nue on any network. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"

static hf_deadlock_answer answer_of(fixture *fx, const hf_plan *plan) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    hf_deadlock d;
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, &d));
    return d.answer;
}

/* ---- virtual channels of ways over other places ---- */

#define SMALL "dragonfly:p=1,a=4,h=1"
#define LARGE "dragonfly:p=1,a=4,h=2"

static void virtual_channels(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint32_t n_vc;
        bool is_free;
    } cases[] = {
        /* three by theory, the global channels passed; two are too few */
        {SMALL, "ugal:order=classes", 3, true},
        {LARGE, "ugal:order=classes", 3, true},
        {LARGE, "ugal:order=classes,vcs=2", 2, false},
        /* over any switch two local channels of a group follow each other: three close cycles, hops have to be counted */
        {SMALL, "ugal:via=switches,order=classes", 3, false},
        {LARGE, "ugal:via=switches,order=classes", 3, false},
        {LARGE, "ugal:via=switches", 6, true},
        /* who may choose again takes seven; the last one shared, six do, as the last hop leads out of the network */
        {SMALL, "par:via=switches", 7, true},
        {LARGE, "par:via=switches", 7, true},
        {LARGE, "par:via=switches,vcs=6", 6, true},
        {LARGE, "par:via=switches,vcs=5", 5, false},
        {LARGE, "par:order=classes", 3, false},
        {LARGE, "par", 6, true},
        {"hyperx:dims=3x3", "ugal:order=classes", 2, true},
        {"hyperx:dims=3x3", "ugal:vcs=1", 1, false},
        {"hyperx:dims=3x3", "ugal", 4, true},
        {"hyperx:dims=3x3", "par", 5, true},
        {"hyperx:dims=3x3", "par:order=classes", 2, false},
        {"hyperx:dims=4", "ugal", 2, true},
        {"hyperx:dims=4", "ugal:vcs=1", 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        fixture_open(&fx, cases[i].topo, NULL, cases[i].rule);
        fixture_plan(&fx, "", &none, &plan);
        assert_int_equal(plan.n_vc, cases[i].n_vc);
        if (answer_of(&fx, &plan) != (cases[i].is_free ? HF_DEADLOCK_FREE : HF_DEADLOCK_FOUND)) {
            fail_msg("%s on %s", cases[i].rule, cases[i].topo);
        }
        fixture_close(&fx);
    }
}

/* Channels between switches of the longest way of a plan, by following every hop. */
static uint32_t longest(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, uint32_t so_far) {
    hf_hop hops[256];
    uint32_t most = so_far;
    assert_true(plan->max_hops <= 256 && so_far < 16);
    const size_t n = at == plan->topo->n_switch + destination ? 0 : hf_plan_route(plan, at, in, destination, hops);
    for (size_t i = 0; i < n; i++) {
        const bool is_inside = plan->topo->link[hops[i].channel] < plan->topo->n_switch_link;
        const uint32_t length = longest(plan, plan->topo->to[hops[i].channel], hops[i], destination, so_far + is_inside);
        most = length > most ? length : most;
    }
    return most;
}

static void longest_ways(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint32_t length;
    } cases[] = {{SMALL, "ugal", 5},
                 {SMALL, "ugal:via=switches", 6},
                 {SMALL, "par:via=switches", 7},
                 {"hyperx:dims=3x2", "ugal", 4},
                 {"hyperx:dims=3x2", "par", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        uint32_t most = 0;
        fixture_open(&fx, cases[i].topo, NULL, cases[i].rule);
        fixture_plan(&fx, "", &none, &plan);
        for (uint32_t d = 1; d < fx.topo->n_terminal; d++) {
            const uint32_t length = longest(&plan, fx.topo->n_switch, HF_HOP_INJECTION, d, 0);
            most = length > most ? length : most;
        }
        assert_int_equal(most, cases[i].length);
        fixture_close(&fx);
    }
}

/* ---- packets that commit themselves ---- */

/* Is there a cycle of dependencies? Out of what is left, take who waits for nobody. */
static bool has_cycle(fixture *fx, const hf_plan *plan) {
    const uint32_t n = plan->topo->n_channel * plan->n_vc;
    uint64_t *next = calloc(hf_words((size_t)n * n), sizeof *next);
    bool *gone = calloc(n, sizeof *gone), changed = true;
    uint32_t left = n;
    hf_walk walk;
    assert_non_null(next);
    assert_non_null(gone);
    fixture_ok(fx, hf_walk_init(fx->cx, plan->topo, &walk));
    for (uint32_t d = 0; d < plan->topo->n_terminal; d++) {
        fixture_ok(fx, hf_walk_explore(fx->cx, &walk, plan, d));
        for (uint32_t s = plan->topo->n_terminal; s < walk.n_state; s++) {
            for (uint32_t e = walk.edge_begin[s]; e < walk.edge_begin[s + 1]; e++) {
                const uint32_t r = walk.in[s].channel * plan->n_vc + walk.in[s].vc;
                hf_bit_set(next, (size_t)r * n + walk.hops[e].channel * plan->n_vc + walk.hops[e].vc);
            }
        }
    }
    while (changed) {
        changed = false;
        for (uint32_t r = 0; r < n; r++) {
            bool waits = false;
            for (uint32_t q = 0; q < n && !gone[r]; q++) {
                waits |= !gone[q] && hf_bit_test(next, (size_t)r * n + q);
            }
            if (!gone[r] && !waits) {
                gone[r] = changed = true;
                left--;
            }
        }
    }
    free(next);
    free(gone);
    return left > 0;
}

/* Two to seven pairs, so that some relations have no cycle. */
static hf_flow_list *draw_flows(fixture *fx, uint64_t seed) {
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 5);
    return fixture_flows(fx, &random, 2 + (uint32_t)(seed % 6));
}

/* Whoever waits for the one hop that it chose can deadlock if and only if dependencies have a cycle, whatever else was
 * offered. */
static void commitment(void **state) {
    (void)state;
    uint32_t cyclic = 0, differ = 0;
    enum { CASES = 300 };
    fixture fx;
    fixture_open(&fx, "ring:n=4", NULL, NULL);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        packets_relation relation;
        hf_fault_set none;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        packets_relation_make(fx.topo, 2, seed, 3, true, &relation);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
        hf_plan plan = packets_plan(&relation, &none);
        hf_flow_list *flows = draw_flows(&fx, seed);
        hf_routing commits = *plan.routing;
        plan.flows = flows;
        const hf_deadlock_answer waiting_for_all = answer_of(&fx, &plan);
        commits.traits |= HF_ROUTING_COMMITS;
        plan.routing = &commits;
        const bool is_cyclic = has_cycle(&fx, &plan);
        if ((answer_of(&fx, &plan) == HF_DEADLOCK_FOUND) != is_cyclic) {
            fail_msg("seed %llu: packets that commit themselves", (unsigned long long)seed);
        }
        cyclic += is_cyclic;
        differ += is_cyclic && waiting_for_all == HF_DEADLOCK_FREE;
        packets_relation_free(&relation);
        hf_flow_list_free(flows);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
    print_message("%u of %d relations have a cycle; of these %u are free for packets that wait for all hops\n", cyclic, CASES,
                  differ);
    assert_true(cyclic > 20 && cyclic < CASES - 20 && differ > 0);
}

/* ---- ecmp ---- */

static bool tolerates(fixture *fx, const char *rule, const uint32_t *component, uint32_t f) {
    hf_rule other;
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    const hf_mark mark = hf_scratch_mark(fx->cx);
    fixture_plan_set(fx, component, f, &set, &plan);
    fixture_ok(fx, hf_rule_init(fx->cx, rule, fx->topo, &other));
    fixture_ok(fx, hf_plan_make(fx->cx, &other, &set, &plan));
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, fixture_criterion(fx, "all-pairs"), false, &verdict));
    hf_rule_free(&other);
    hf_scratch_reset(fx->cx, mark);
    return verdict.tolerated;
}

/* Converged it is `minimal`; what stale tables serve, local repair serves too, and what that serves, alternates do. */
static void between_failure_and_convergence(void **state) {
    (void)state;
    static const char *const topologies[] = {"kary-tree:k=2,n=3", "torus:dims=3x3", "hyperx:dims=3x3",
                                             "random-regular:n=8,degree=3"};
    uint32_t count[5] = {0};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        fixture fx;
        hf_random random;
        fixture_open(&fx, topologies[i], "links", "minimal");
        for (uint64_t seed = 1; seed <= 60; seed++) {
            static const char *const rules[] = {"minimal", "ecmp", "ecmp:tables=alternates", "ecmp:tables=local",
                                                "ecmp:tables=stale"};
            uint32_t component[3], f = (uint32_t)(seed % 3) + 1;
            bool is_served[5];
            hf_random_init(&random, seed, HF_PURPOSE_TEST, (uint32_t)i);
            hf_random_subset(&random, fx.universe->n_component, f, component);
            for (int r = 0; r < 5; r++) {
                is_served[r] = tolerates(&fx, rules[r], component, f);
                count[r] += is_served[r];
            }
            if (is_served[0] != is_served[1] || (is_served[4] && !is_served[3]) || (is_served[3] && !is_served[2])) {
                fail_msg("%s, seed %llu: %d %d %d %d %d", topologies[i], (unsigned long long)seed, is_served[0], is_served[1],
                         is_served[2], is_served[3], is_served[4]);
            }
        }
        fixture_close(&fx);
    }
    print_message("of 240 sets minimal serves %u, ecmp converged %u, alternates %u, local %u, stale %u\n", count[0], count[1],
                  count[2], count[3], count[4]);
    assert_true(count[1] > count[2] && count[2] > 0);
}

/* Two failed links of a tree: shortest ways turn at the bottom again, and so close cycles, in 12 of 120 cases; valley-free ways
 * never. */
static void bounces_close_cycles(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        uint32_t deadlocks;
    } cases[] = {{"ecmp", 12}, {"valley-free", 0}};
    for (size_t i = 0; i < 2; i++) {
        fixture fx;
        uint32_t deadlocks = 0;
        fixture_open(&fx, "kary-tree:k=2,n=3", "links", cases[i].rule);
        for (uint32_t a = 0; a < 16; a++) {
            for (uint32_t b = a + 1; b < 16; b++) {
                hf_fault_set set;
                hf_plan plan;
                const hf_mark mark = hf_scratch_mark(fx.cx);
                fixture_plan_set(&fx, (const uint32_t[]){a, b}, 2, &set, &plan);
                deadlocks += answer_of(&fx, &plan) == HF_DEADLOCK_FOUND;
                hf_scratch_reset(fx.cx, mark);
            }
        }
        assert_int_equal(deadlocks, cases[i].deadlocks);
        fixture_close(&fx);
    }
}

/* ---- valley-free ---- */

/* Without faults every shortest way of a tree is valley-free, and the other way round. */
static void valley_free_ways_of_trees(void **state) {
    (void)state;
    static const char *const topologies[] = {"kary-tree:k=2,n=3", "xgft:h=2,m=3x4,w=1x2", "xgft:h=3,m=2x2x3,w=1x2x3"};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        fixture fx;
        hf_fault_set none;
        hf_plan plan, all;
        hf_rule minimal;
        hf_walk one, two;
        fixture_open(&fx, topologies[i], NULL, "valley-free");
        fixture_plan(&fx, "", &none, &plan);
        fixture_ok(&fx, hf_rule_init(fx.cx, "minimal", fx.topo, &minimal));
        fixture_ok(&fx, hf_plan_make(fx.cx, &minimal, &none, &all));
        fixture_ok(&fx, hf_walk_init(fx.cx, fx.topo, &one));
        fixture_ok(&fx, hf_walk_init(fx.cx, fx.topo, &two));
        for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
            hf_u128 n, m;
            fixture_ok(&fx, hf_walk_explore(fx.cx, &one, &plan, d));
            fixture_ok(&fx, hf_walk_explore(fx.cx, &two, &all, d));
            fixture_ok(&fx, hf_walk_turn(fx.cx, &one));
            fixture_ok(&fx, hf_walk_turn(fx.cx, &two));
            fixture_ok(&fx, hf_walk_count(fx.cx, &one, &n));
            fixture_ok(&fx, hf_walk_count(fx.cx, &two, &m));
            assert_true(n == m && n > 0);
        }
        hf_rule_free(&minimal);
        fixture_close(&fx);
    }
}

static void valley_free_needs_tiers(void **state) {
    (void)state;
    fixture_refuses("torus:dims=3x3", "valley-free", "s0 and s1 are as far from terminals, and linked");
    fixture_refuses("dragonfly:p=1,a=2,h=1", "valley-free", "needs tiers");
}

/* ---- nue ---- */

/* Whatever the network, the faults and the virtual channels: no cycle, and whoever links of two directions connect is served. */
static void nue_on_anything(void **state) {
    (void)state;
    static const char *const topologies[] = {"torus:dims=4x4",
                                             "random-regular:n=12,degree=3,seed=7",
                                             "dragonfly:p=1,a=3,h=1",
                                             "mesh:dims=3x4,terminals=2",
                                             "ring:n=7",
                                             "kary-tree:k=2,n=3",
                                             "hyperx:dims=3x3"};
    uint32_t served = 0;
    for (uint64_t seed = 0; seed < 210; seed++) {
        fixture fx;
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        hf_verdict verdict;
        char rule[32];
        uint32_t component[8];
        const uint32_t f = (uint32_t)(seed % 6);
        (void)snprintf(rule, sizeof rule, "nue:vcs=%u", (unsigned)(1 + seed / 7 % 4));
        fixture_open(&fx, topologies[seed % 7], "links", rule);
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 9);
        hf_random_subset(&random, fx.universe->n_component, f, component);
        fixture_plan_set(&fx, component, f, &set, &plan);
        fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, fixture_criterion(&fx, "surviving"), false, &verdict));
        if (has_cycle(&fx, &plan) || verdict.unserved || verdict.unsafe) {
            fail_msg("%s on %s, seed %llu", rule, fx.topo->spec, (unsigned long long)seed);
        }
        served += verdict.pairs > 0;
        fixture_close(&fx);
    }
    assert_true(served > 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(virtual_channels),
        cmocka_unit_test(longest_ways),
        cmocka_unit_test(commitment),
        cmocka_unit_test(between_failure_and_convergence),
        cmocka_unit_test(bounces_close_cycles),
        cmocka_unit_test(valley_free_ways_of_trees),
        cmocka_unit_test(valley_free_needs_tiers),
        cmocka_unit_test(nue_on_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
