/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules that give their relation in bits, too, give the one that route() does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

enum { SETS = 4 };

/* Does a healthy channel lead to a terminal: from a node, or HF_NONE, from anywhere? */
static bool leads_to(const hf_plan *plan, uint32_t node, uint32_t terminal) {
    const hf_topology *topo = plan->topo;
    const uint32_t to = topo->n_switch + terminal;
    bool leads = false;
    for (uint32_t i = topo->in_begin[to]; i < topo->in_begin[to + 1]; i++) {
        const uint32_t c = topo->in_list[i];
        leads |= !hf_bit_test(plan->faults->channel_set, c) && (node == HF_NONE || topo->from[c] == node);
    }
    return leads;
}

static void compare_place(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops, uint64_t *rows,
                          const char *what) {
    const hf_topology *topo = plan->topo;
    const hf_likeness *like = hf_likeness_of(plan);
    const uint32_t row = like->row(plan, destination);
    const uint32_t arrival = hf_topology_is_terminal(topo, at) ? 0 : like->arrival(plan, in);
    const size_t n = hf_plan_route(plan, at, in, destination, hops);
    assert_true(arrival < like->arrivals);
    like->offered(plan, at, arrival, row / HF_OFFERED_ROWS, rows);
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++, rows += HF_OFFERED_WORDS) {
        const hf_hop hop = {topo->out_list[i], 0, 0};
        const bool is_inward = !hf_topology_is_terminal(topo, topo->to[hop.channel]);
        if (hf_bit_test(rows, row % HF_OFFERED_ROWS) != (is_inward && hf_hops_hold(hops, n, hop))) {
            fail_msg("%s: at node %u for t%u the bits say otherwise of channel %u", what, at, destination, hop.channel);
        }
    }
}

static void compare_plan(fixture *fx, const hf_plan *plan, const char *what) {
    const hf_topology *topo = plan->topo;
    hf_walk walk;
    hf_hop *hops;
    uint64_t *rows;
    fixture_ok(fx, hf_walk_init(fx->cx, topo, &walk));
    fixture_ok(fx, hf_scratch(fx->cx, hf_plan_room(plan), sizeof *hops, (void **)&hops));
    fixture_ok(fx, hf_scratch(fx->cx, (size_t)topo->n_channel * HF_OFFERED_WORDS, sizeof *rows, (void **)&rows));
    for (uint32_t d = 0; d < topo->n_terminal; d += share_step()) {
        if (!leads_to(plan, HF_NONE, d)) {
            continue;
        }
        fixture_ok(fx, hf_walk_explore(fx->cx, &walk, plan, d));
        for (uint32_t s = 0; s < walk.n_state; s++) {
            if (s != d && !leads_to(plan, walk.at[s], d)) {
                compare_place(plan, walk.at[s], walk.in[s], d, hops, rows, what);
            }
        }
    }
}

static void compare_rule(fixture *fx, uint32_t *n_compared) {
    for (uint32_t i = 0; i < SETS; i++) {
        const hf_mark mark = hf_scratch_mark(fx->cx);
        hf_fault_set set;
        hf_plan plan;
        char text[200];
        fixture_plan_drawn(fx, i, 34, i, &set, &plan);
        snprintf(text, sizeof text, "%s on %s, seed %u", fx->rule.spec, fx->topo->spec, i);
        if (hf_likeness_of(&plan)->offered) {
            compare_plan(fx, &plan, text);
            ++*n_compared;
        }
        hf_scratch_reset(fx->cx, mark);
    }
}

static void bits_are_the_relation(void **state) {
    (void)state;
    uint32_t n_compared = 0;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        fixture fx;
        fixture_open(&fx, topology_specs[i], i % 2 ? "terminal-links" : "links+switches", NULL);
        for (size_t r = 0; r < hf_routing_count(); r++) {
            if (hf_routing_at(r)->likeness && hf_routing_at(r)->likeness->offered &&
                hf_rule_init(fx.cx, hf_routing_at(r)->name, fx.topo, &fx.rule) == HF_OK) {
                compare_rule(&fx, &n_compared);
                hf_rule_free(&fx.rule);
            }
        }
        fixture_close(&fx);
    }
    assert_true(n_compared > 100);
}

/* What is said in several fields is said in all of them. */
static void fields_go_together(void **state) {
    (void)state;
    for (size_t r = 0; r < hf_routing_count(); r++) {
        const hf_likeness *like = hf_routing_at(r)->likeness;
        if (like) {
            assert_true(!like->order == !like->along);
            assert_true(!like->offered == !like->row && !like->offered == !like->arrivals);
            assert_true(!like->offered || like->arrival);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields_go_together), cmocka_unit_test(bits_are_the_relation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
