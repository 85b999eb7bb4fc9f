/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Immunet against the figures of the paper and of its reading: trees, rings, tables, distances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "src/routing/immunet/immunet.h"
#include "tests/oracle/fixture.h"
#include "tests/support/folder.h"

/* ---- rings ---- */

static const hf_immunet *plan_of(fixture *fx, const char *rule, const char *faults, hf_fault_set *set, hf_plan *plan) {
    fixture_rule(fx, rule);
    fixture_plan(fx, faults, set, plan);
    return plan->state;
}

/* Every hop of the tour begins where the last one ended, and all live switches of the part are met. */
static void check_ring(const hf_immunet *s, const hf_plan *plan) {
    const hf_ring *r = &s->ring;
    uint32_t on_rings = 0, live = 0;
    for (uint32_t v = 0; v < s->ways.n; v++) {
        const bool is_gone = hf_bit_test(plan->faults->switch_set, v);
        live += !is_gone;
        assert_true(is_gone == (r->rank[v] == HF_NONE));
    }
    for (uint32_t root = 0; root < r->n_rank; root += r->size[root]) {
        const uint32_t begin = r->begin[root], end = r->end[root];
        assert_int_equal(end - begin, 2 * (r->size[root] - 1));
        for (uint32_t i = begin; i < end; i++) {
            const uint32_t on = i + 1 < end ? i + 1 : begin;
            assert_int_equal(s->ways.to[r->hop[i]], s->ways.from[r->hop[on]]);
            assert_int_equal(r->next[r->hop[i]], r->hop[on]);
            assert_false(hf_bit_test(s->dead, plan->topo->link[s->ways.channel[r->hop[i]]]));
        }
        on_rings += r->size[root];
    }
    assert_int_equal(on_rings, live);
}

static void ring_visits_all_for_any_ties(void **state) {
    (void)state;
    static const char *const topologies[] = {"torus:dims=4x4", "mesh:dims=3x5", "kary-tree:k=2,n=3",
                                             "random-regular:n=12,degree=3", "dragonfly:p=1,a=3,h=1"};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        fixture fx;
        fixture_open(&fx, topologies[i], "links+switches", "immunet");
        for (uint64_t seed = 0; seed < 60; seed++) {
            char rule[80];
            uint32_t component[6];
            hf_random random;
            hf_fault_set set;
            hf_plan plan;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            snprintf(rule, sizeof rule, "immunet:ties=%s", hf_ties_names[seed % 4]);
            fixture_rule(&fx, rule);
            hf_random_init(&random, seed, HF_PURPOSE_TEST, i);
            const uint32_t f = (uint32_t)hf_random_below(&random, 7);
            hf_random_subset(&random, fx.universe->n_component, f, component);
            fixture_plan_set(&fx, component, f, &set, &plan);
            check_ring(plan.state, &plan);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
}

/* Faults that come one after the other, or into an emergency, in random order. */
static void nested_faults_end_on_one_ring(void **state) {
    (void)state;
    static const char *const gaps[] = {"1", "2", "3", "unlimited"};
    fixture fx;
    fixture_open(&fx, "torus:dims=4x4", "links+switches", "immunet");
    for (uint64_t seed = 0; seed < 200; seed++) {
        char rule[80];
        uint32_t component[5];
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        snprintf(rule, sizeof rule, "immunet:gap=%s,ties=%s", gaps[seed % 4], hf_ties_names[seed / 4 % 4]);
        fixture_rule(&fx, rule);
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 77);
        const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 5);
        hf_random_subset(&random, fx.universe->n_component, f, component);
        hf_random_shuffle(&random, component, f);
        fixture_plan_set(&fx, component, f, &set, &plan);
        check_ring(plan.state, &plan);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

/* The walk of notices with all faults at once gives the tree that the short way gives. */
static void walk_agrees_with_trees_at_once(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "torus:dims=4x5", "links+switches", "immunet");
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint32_t component[5];
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        hf_emergency slow;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 5);
        const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 5);
        hf_random_subset(&random, fx.universe->n_component, f, component);
        fixture_plan_set(&fx, component, f, &set, &plan);
        const hf_immunet *s = plan.state;
        const hf_emergency_rule rule = {.ties = (hf_ties)(seed % 4)};
        hf_emergency fast;
        uint32_t *queue;
        fixture_ok(&fx, hf_scratch(fx.cx, 2 * (size_t)s->ways.n, sizeof *queue, (void **)&queue));
        fixture_ok(&fx, hf_emergency_room(fx.cx, &s->ways, &fast));
        hf_emergency_at_once(&s->ways, &rule, s->dead, set.switch_set, queue, &fast);
        fixture_ok(&fx, hf_emergency_room(fx.cx, &s->ways, &slow));
        fixture_ok(&fx, hf_emergency_walk(fx.cx, &s->ways, &rule, &set, &slow));
        for (uint32_t v = 0; v < s->ways.n; v++) {
            if (!hf_bit_test(set.switch_set, v)) {
                assert_int_equal(fast.root[v], slow.root[v]);
                assert_int_equal(fast.parent[v], slow.parent[v]);
                assert_int_equal(fast.level[v], slow.level[v]);
                assert_int_equal(fast.priority[v], slow.priority[v]);
            }
        }
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

/* ---- the paper's figures: 3x3 torus, link 4-1 dead, then 3-4; ports 0 E, 1 W, 2 S, 3 N ---- */

static uint32_t parent_of(const hf_immunet *s, uint32_t v) {
    return s->emergency.parent[v] == HF_NONE ? HF_NONE : s->ways.to[s->emergency.parent[v]];
}

static uint32_t port_after(const hf_immunet *s, uint32_t v, uint32_t port) {
    const hf_topology *topo = s->ways.topo;
    const uint32_t in = topo->reverse[hf_topology_channel_at(topo, v, port)];
    return topo->from_port[s->ways.channel[s->ring.next[s->ways.of[in]]]];
}

static void figure_5(void **state) {
    (void)state;
    static const uint32_t parent[] = {3, 7, 5, 4, HF_NONE, 4, 3, 4, 5};
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "torus:dims=3x3", NULL, "immunet");
    const hf_immunet *s = plan_of(&fx, "immunet:epl=printed,ties=last-port", "s4:3", &set, &plan);
    for (uint32_t v = 0; v < 9; v++) {
        assert_int_equal(parent_of(s, v), parent[v]);
        assert_int_equal(s->emergency.priority[v], 4);
    }
    /* figure 5(b): from #3 to #2, from #2 to #0, from #0 to #3 */
    assert_int_equal(port_after(s, 3, 3), 2);
    assert_int_equal(port_after(s, 3, 2), 0);
    assert_int_equal(port_after(s, 3, 0), 3);
    fixture_close(&fx);
}

static void figures_6_and_7(void **state) {
    (void)state;
    static const uint32_t first[] = {10}, second[] = {3}; /* links 1-4 and 3-4 of the 3x3 torus */
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "torus:dims=3x3", "links", "immunet:epl=printed,gap=2");
    const uint32_t both[] = {first[0], second[0]};
    assert_int_equal(hf_topology_channel_at(fx.topo, 4, 3), fx.topo->backward[first[0]]);
    assert_int_equal(hf_topology_channel_at(fx.topo, 3, 0), fx.topo->forward[second[0]]);
    fixture_plan_set(&fx, both, 2, &set, &plan);
    const hf_immunet *s = plan.state;
    for (uint32_t v = 0; v < 9; v++) {
        assert_int_equal(s->emergency.priority[v], 13); /* 1 * 9 + 4 beats 1 * 9 + 3; the paper prints 12 and 11 */
        assert_int_equal(s->emergency.root[v], 4);
    }
    assert_int_equal(parent_of(s, 5), 4);
    assert_int_equal(parent_of(s, 7), 4);
    /* figure 7: whatever the goal, node 5 sends towards node 4, output port 1 */
    for (uint32_t goal = 0; goal < 9; goal++) {
        if (goal != 5) {
            const uint32_t way = hf_ring_entry(&s->ways, &s->ring, 5, goal, true);
            assert_int_equal(fx.topo->from_port[s->ways.channel[way]], 1);
        }
    }
    fixture_close(&fx);
}

/* The priority as printed: where switch 0 alone detects, it emits 0, which nobody takes; the safe one is heard. */
static void printed_priority_of_switch_0_is_not_heard(void **state) {
    (void)state;
    static const char links[] = "0 1\n0 2\n2 3\n";
    char folder[256], path[320], spec[400];
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    folder_open(folder, sizeof folder);
    folder_write(folder_file(folder, "links", path, sizeof path), links, sizeof links - 1);
    snprintf(spec, sizeof spec, "file:%s,format=edges", path);
    fixture_open(&fx, spec, NULL, "immunet");
    for (unsigned printed = 0; printed < 2; printed++) {
        const hf_immunet *s = plan_of(&fx, printed ? "immunet:epl=printed" : "immunet", "s1", &set, &plan);
        assert_int_equal(s->emergency.root[0], 0);
        assert_int_equal(s->emergency.root[3], printed ? HF_NONE : 0);
    }
    fixture_close(&fx);
    folder_close(folder);
}

/* ---- distances ---- */

static void read_set(fixture *fx, const char *faults, hf_measure *out) {
    hf_fault_set set;
    hf_plan plan;
    const hf_immunet *s;
    fixture_plan(fx, faults, &set, &plan);
    s = plan.state;
    assert_non_null(s);
    *out = (hf_measure){0};
    fixture_ok(fx, hf_measures_of(plan.routing)->measure(fx->cx, &plan, out));
}

static void distances_of_the_reading(void **state) {
    (void)state;
    fixture fx;
    hf_measure m;
    fixture_open(&fx, "torus:dims=8x8", NULL, "immunet");
    read_set(&fx, "", &m);
    assert_int_equal(m.extra[HF_IMMUNET_ADAPTIVE_SUM], 16384);
    assert_int_equal(m.extra[HF_IMMUNET_PAIRS], 4032);
    assert_int_equal(m.extra[HF_IMMUNET_ADAPTIVE_SUM] * 63, 4032 * 256);
    read_set(&fx, "s0:0", &m);
    assert_int_equal(m.extra[HF_IMMUNET_ADAPTIVE_SUM], 16408);
    assert_int_equal(m.extra[HF_IMMUNET_ADAPTIVE_SUM] * 72, 4032 * 293);
    assert_int_equal(m.extra[HF_IMMUNET_RING], 126);
    assert_int_equal(m.extra[HF_IMMUNET_OPTIMISED_SUM], 208424);
    assert_int_equal(m.extra[HF_IMMUNET_OPTIMISED_LONGEST], 120);
    assert_int_equal(m.extra[HF_IMMUNET_PROVISIONAL_SUM], 231220);
    fixture_close(&fx);
    fixture_open(&fx, "torus:dims=16x16", NULL, "immunet");
    read_set(&fx, "", &m);
    assert_int_equal(m.extra[HF_IMMUNET_ADAPTIVE_SUM] * 255, 65280 * 2048);
    read_set(&fx, "s100:2", &m);
    assert_int_equal(m.extra[HF_IMMUNET_ADAPTIVE_SUM] * 272, 65280 * 2185);
    fixture_close(&fx);
}

/* Lengths on the ring by following it, entry by entry. */
static void lengths_by_following(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "torus:dims=4x4", NULL, "immunet");
    for (unsigned provisional = 0; provisional < 2; provisional++) {
        const hf_immunet *s = plan_of(&fx, "immunet", "s0:0,s5:2,s15,s9:1", &set, &plan);
        uint64_t sum = 0, longest = 0;
        for (uint32_t v = 0; v < 15; v++) {
            for (uint32_t goal = 0; goal < 15; goal++) {
                if (v == goal) {
                    continue;
                }
                uint64_t hops = 1;
                uint32_t way = hf_ring_entry(&s->ways, &s->ring, v, goal, provisional);
                for (; s->ways.to[way] != goal; hops++) {
                    way = s->ring.next[way];
                    assert_true(hops < 28);
                }
                sum += hops;
                longest = hops > longest ? hops : longest;
            }
        }
        hf_measure m = {0};
        fixture_ok(&fx, hf_measures_of(plan.routing)->measure(fx.cx, &plan, &m));
        assert_int_equal(m.extra[provisional ? HF_IMMUNET_PROVISIONAL_SUM : HF_IMMUNET_OPTIMISED_SUM], sum);
        assert_int_equal(m.extra[provisional ? HF_IMMUNET_PROVISIONAL_LONGEST : HF_IMMUNET_OPTIMISED_LONGEST], longest);
    }
    fixture_close(&fx);
}

/* ---- hops ---- */

static uint64_t hops_to(const hf_immunet *s, uint32_t from, uint32_t goal) {
    return s->distance[(size_t)s->row[goal] * s->ways.n + from];
}

/* Is a hop of a switch where a packet was injected adaptive: live, one nearer, and not a channel of the ring, found by walking
 * it? */
static bool is_adaptive(const hf_immunet *s, uint32_t goal, uint32_t way, uint32_t vc, bool has_spare) {
    const uint32_t link = s->ways.topo->link[s->ways.channel[way]], start = s->ring.hop[0];
    if (hf_bit_test(s->dead, link) || hops_to(s, s->ways.to[way], goal) + 1 != hops_to(s, s->ways.from[way], goal)) {
        return false;
    }
    bool is_on_tour = way == start;
    for (uint32_t on = s->ring.next[start]; on != start; on = s->ring.next[on]) {
        is_on_tour |= on == way;
    }
    return vc == HF_IMMUNET_ADAPTIVE || (has_spare && !is_on_tour);
}

/* Every channel that is offered, against every channel: the ring's way in, and what is adaptive. */
static void safe_channels_off_the_ring_are_adaptive(void **state) {
    (void)state;
    static const char *const specs[] = {"immunet", "immunet:spare=no"};
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    uint32_t n_spare = 0;
    fixture_open(&fx, "torus:dims=4x4", NULL, "immunet");
    for (unsigned spec = 0; spec < 2; spec++) {
        const hf_immunet *s = plan_of(&fx, specs[spec], "s0:0,s5:2", &set, &plan);
        hf_hop hops[HF_IMMUNET_VCS * 5 + 1];
        for (uint32_t pair = 0; pair < 256; pair++) {
            const uint32_t at = pair / 16, goal = pair % 16, entry = hf_ring_entry(&s->ways, &s->ring, at, goal, false);
            const hf_hop in = {.channel = fx.topo->out_list[fx.topo->out_begin[16 + at]], .vc = 0, .tag = 0};
            const size_t n = at == goal ? 0 : plan.routing->route(&plan, at, in, goal, hops);
            size_t want = at != goal;
            for (uint32_t way = s->ways.begin[at]; at != goal && way < 2 * s->ways.begin[at + 1] - s->ways.begin[at]; way++) {
                const uint32_t k = way - s->ways.begin[at], w = s->ways.begin[at] + k / 2, vc = k % 2;
                bool is_offered = false;
                for (size_t i = 0; i < n; i++) {
                    is_offered |= hops[i].channel == s->ways.channel[w] && hops[i].vc == vc;
                }
                const bool is_entry = w == entry && vc == HF_IMMUNET_SAFE, is_free = is_adaptive(s, goal, w, vc, spec == 0);
                assert_true(is_offered == (is_entry || is_free));
                want += is_free;
                n_spare += is_free && vc == HF_IMMUNET_SAFE;
            }
            assert_int_equal(n, want);
        }
    }
    assert_true(n_spare > 0);
    fixture_close(&fx);
}

/* The priority as printed fails after three faults that come in turn, with the network connected; the safe one does not. */
static void printed_counters_diverge(void **state) {
    (void)state;
    static const char *const faults[] = {"s1:0-s2:1", "s4:0-s5:1", "s11:2-s15:3"};
    uint32_t component[3];
    fixture fx;
    fixture_open(&fx, "torus:dims=4x4", "links", NULL);
    for (uint32_t i = 0; i < 3; i++) {
        hf_fault_set set;
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, fx.universe, faults[i], &set));
        component[i] = set.component[0];
    }
    uint32_t broken[2] = {0, 0};
    static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t i = 0; i < 12; i++) {
        hf_fault_set set;
        hf_plan plan;
        const uint32_t *o = orders[i / 2];
        const uint32_t order[] = {component[o[0]], component[o[1]], component[o[2]]};
        fixture_rule(&fx, i % 2 ? "immunet:epl=printed,gap=unlimited" : "immunet:gap=unlimited");
        fixture_plan_set(&fx, order, 3, &set, &plan);
        const hf_immunet *s = plan.state;
        broken[i % 2] += s->ring.size[0] != 16;
    }
    assert_int_equal(broken[0], 0);
    assert_true(broken[1] > 0);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ring_visits_all_for_any_ties),
        cmocka_unit_test(nested_faults_end_on_one_ring),
        cmocka_unit_test(walk_agrees_with_trees_at_once),
        cmocka_unit_test(figure_5),
        cmocka_unit_test(figures_6_and_7),
        cmocka_unit_test(printed_priority_of_switch_0_is_not_heard),
        cmocka_unit_test(distances_of_the_reading),
        cmocka_unit_test(lengths_by_following),
        cmocka_unit_test(safe_channels_off_the_ring_are_adaptive),
        cmocka_unit_test(printed_counters_diverge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
