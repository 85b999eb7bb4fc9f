/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fixpoint against explicit search, on random relations in small networks; shortest cycles of random graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"
#include "tests/support/share.h"

static const struct network {
    const char *topo;
    uint32_t n_vc, hops_max, cases;
    bool one_way;
    uint32_t n_tag; /* 0: none */
    bool by_source;
} networks[] = {
    {"ring:n=3", 1, 1, 60, false, 0, false},      {"ring:n=3", 1, 2, 60, false, 0, false},
    {"ring:n=4", 1, 1, 40, true, 0, false},       {"ring:n=5", 1, 1, 20, true, 0, false},
    {"mesh:dims=2x2", 1, 1, 60, false, 0, false}, {"mesh:dims=2x2", 1, 2, 60, false, 0, false},
    {"ring:n=3", 2, 2, 40, true, 0, false},       {"complete:n=3", 1, 2, 40, false, 0, false},
    {"ring:n=6", 1, 1, 6, true, 0, false},        {"ring:n=3", 1, 1, 850, false, 2, false},
    {"ring:n=3", 1, 2, 150, false, 3, false},     {"mesh:dims=2x2", 1, 1, 100, false, 2, false},
    {"ring:n=3", 1, 1, 850, false, 0, true},      {"ring:n=3", 1, 2, 150, false, 0, true},
    {"mesh:dims=2x2", 1, 1, 60, false, 0, true},
};
enum { LIMIT = 250000 };

/* Of two cases one has all pairs, the other some flows, none at random. */
static hf_flow_list *draw_flows(fixture *fx, uint64_t seed) {
    const uint32_t n = fx->topo->n_terminal;
    uint32_t source[64], destination[64], count = 0;
    hf_flow_list *flows = NULL;
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 7);
    for (uint32_t pair = 0; pair < n * n; pair++) {
        if (pair / n != pair % n && hf_random_below(&random, 3)) {
            source[count] = pair / n;
            destination[count++] = pair % n;
        }
    }
    fixture_ok(fx, seed % 2 ? HF_OK : hf_flow_list_of(fx->cx, n, source, destination, count, &flows));
    return flows;
}

static void draw_relation(const fixture *fx, const struct network *net, uint64_t seed, packets_relation *out) {
    if (net->n_tag || net->by_source) {
        packets_relation_tagged(fx->topo, net->n_vc, net->n_tag, net->by_source, seed, net->hops_max, out);
    } else {
        packets_relation_make(fx->topo, net->n_vc, seed, net->hops_max, net->one_way, out);
    }
}

static bool is_held(const hf_deadlock *found, uint32_t resource) {
    bool held = false;
    for (uint32_t i = 0; i < found->n_blocked; i++) {
        held |= found->blocked[i].hold[0] == resource;
    }
    return held;
}

/* Is one of the packets where the relation brings it in an empty network, with all that it may take held? */
static bool is_blocked(const hf_plan *plan, const hf_deadlock *found, const hf_blocked *b) {
    hf_hop hops[64], in = HF_HOP_INJECTION;
    uint32_t at = plan->topo->n_switch + b->source;
    bool is_right = hf_plan_has_flow(plan, b->source, b->destination) && b->n_hold == 1 && b->n_path > 0;
    for (uint32_t i = 0; i < b->n_path && is_right; i++) {
        is_right = hf_hops_hold(hops, hf_plan_route(plan, at, in, b->destination, hops), b->path[i]);
        in = b->path[i];
        at = plan->topo->to[in.channel];
    }
    const size_t n = hf_plan_route(plan, at, in, b->destination, hops);
    for (size_t h = 0; h < n && is_right; h++) {
        is_right = is_held(found, hops[h].channel * plan->n_vc + hops[h].vc);
    }
    return is_right && in.channel * plan->n_vc + in.vc == b->hold[0];
}

/* The deadlock of a relation with headers need not come about from the empty network: packets of it may be in the way of others
 * of it. It must be one where each packet comes there alone. */
static bool is_deadlock(const hf_plan *plan, const hf_deadlock *found) {
    bool is_right = found->n_blocked > 0;
    for (uint32_t i = 0; i < found->n_blocked && is_right; i++) {
        is_right = is_blocked(plan, found, &found->blocked[i]);
    }
    return is_right;
}

typedef struct tally {
    uint32_t compared, deadlocks, apart;
} tally;

static void compare(const struct network *net, uint32_t number, tally *all) {
    fixture fx;
    fixture_open(&fx, net->topo, NULL, NULL);
    for (uint64_t seed = 1; seed <= net->cases; seed += share_step()) {
        packets_relation relation;
        hf_fault_set faults;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        draw_relation(&fx, net, seed + 1000 * number, &relation);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &faults));
        hf_flow_list *flows = draw_flows(&fx, seed);
        hf_plan plan = packets_plan(&relation, &faults);
        plan.flows = flows;
        const packets_answer expected = packets_search(&plan, relation.n_tag, LIMIT);
        const hf_deadlock_options options = {.switching = HF_SWITCHING_SAF, .threads = 1, .want_witness = true};
        hf_deadlock found;
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &found));
        if (expected != PACKETS_TOO_MANY) {
            const hf_deadlock_answer right = expected == PACKETS_DEADLOCK ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE;
            const bool is_apart = relation.n_tag > 1 && found.answer == HF_DEADLOCK_FOUND && right == HF_DEADLOCK_FREE;
            all->compared++;
            all->deadlocks += expected == PACKETS_DEADLOCK;
            all->apart += is_apart;
            const bool is_proved = found.answer != HF_DEADLOCK_FOUND || is_deadlock(&plan, &found);
            if ((found.answer != right && !is_apart) || !is_proved) {
                print_error("%s, case %llu of %u: %s, but the search says otherwise\n", net->topo, (unsigned long long)seed,
                            number, hf_deadlock_answer_name(found.answer));
                fail();
            }
        }
        packets_relation_free(&relation);
        hf_flow_list_free(flows);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

static void fixpoint_equals_search(void **state) {
    (void)state;
    tally all = {0};
    for (uint32_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        compare(&networks[i], i, &all);
    }
    print_message("%u relations compared, %u of them deadlock; %u deadlocks do not come about from the empty network\n",
                  all.compared, all.deadlocks, all.apart);
    assert_true(all.compared > 2000 / share_step());
    assert_true(all.deadlocks > 50 / share_step() && all.deadlocks < all.compared - 50 / share_step());
    assert_true(all.apart < all.compared / 50);
}

/* ---- shortest cycles ---- */

enum { VERTICES = 12, EDGES = 40, FAR = 1000 };

/* By distances of all pairs. */
static uint32_t girth_of(uint32_t n, uint32_t n_edge, const uint32_t *from, const uint32_t *to, uint64_t among) {
    uint32_t distance[VERTICES][VERTICES], best = FAR;
    for (uint32_t i = 0; i < VERTICES * VERTICES; i++) {
        distance[i / VERTICES][i % VERTICES] = FAR;
    }
    for (uint32_t e = 0; e < n_edge; e++) {
        if (among >> from[e] & among >> to[e] & 1) {
            distance[from[e]][to[e]] = 1;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n * n; i++) {
            const uint32_t over = distance[i / n][k] + distance[k][i % n];
            distance[i / n][i % n] = over < distance[i / n][i % n] ? over : distance[i / n][i % n];
        }
    }
    for (uint32_t v = 0; v < n; v++) {
        best = distance[v][v] < best ? distance[v][v] : best;
    }
    return best == FAR ? 0 : best;
}

static bool is_edge(uint32_t n_edge, const uint32_t *from, const uint32_t *to, uint32_t a, uint32_t b) {
    bool is = false;
    for (uint32_t e = 0; e < n_edge; e++) {
        is |= from[e] == a && to[e] == b;
    }
    return is;
}

static void shortest_cycles(void **state) {
    (void)state;
    uint32_t seen[VERTICES + 1] = {0};
    for (uint64_t seed = 1; seed <= 3000; seed += share_step()) {
        fixture fx;
        hf_random random;
        hf_digraph g;
        uint32_t from[EDGES], to[EDGES], *cycle, n_cycle;
        fixture_open(&fx, "ring:n=3", NULL, NULL);
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 3);
        const uint32_t n = 1 + (uint32_t)hf_random_below(&random, VERTICES), n_edge = (uint32_t)hf_random_below(&random, 2 * n);
        const uint64_t among = hf_random_below(&random, 2) ? hf_random_below(&random, UINT64_C(1) << n) : UINT64_MAX;
        for (uint32_t e = 0; e < n_edge; e++) {
            from[e] = (uint32_t)hf_random_below(&random, n);
            to[e] = (uint32_t)hf_random_below(&random, n);
        }
        fixture_ok(&fx, hf_digraph_of_edges(fx.cx, n, n_edge, from, to, &g));
        fixture_ok(&fx, hf_digraph_shortest_cycle(fx.cx, &g, among == UINT64_MAX ? NULL : &among, 60, &cycle, &n_cycle));
        if (n_cycle != girth_of(n, n_edge, from, to, among)) {
            print_error("seed %llu\n", (unsigned long long)seed);
        }
        assert_int_equal(n_cycle, girth_of(n, n_edge, from, to, among));
        for (uint32_t i = 0; i < n_cycle; i++) {
            assert_true(is_edge(n_edge, from, to, cycle[i], cycle[(i + 1) % n_cycle]) && (among >> cycle[i] & 1));
        }
        seen[n_cycle]++;
        fixture_close(&fx);
    }
    assert_true(seen[0] > 100 / share_step() && seen[1] > 100 / share_step() && seen[2] > 100 / share_step());
    assert_true(seen[3] > 20 / share_step() && (seen[5] > 0 || share_step() > 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixpoint_equals_search), cmocka_unit_test(shortest_cycles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
