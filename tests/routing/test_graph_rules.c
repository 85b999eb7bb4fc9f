/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  minimal and up-down on graphs of all kinds: ways counted by hand and by a slow search, with and without faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "src/routing/any/updown.h"
#include "src/topology/search.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/dependencies.h"
#include "tests/oracle/wheel.h"
#include "tests/support/folder.h"
#include "tests/support/share.h"

enum { SETS = 20 };

static void open_random(fixture *fx, const char *topo, const char *rule, uint64_t seed, hf_fault_set *set, hf_plan *plan) {
    uint32_t component[4];
    hf_random random;
    fixture_open(fx, topo, "channels+switches+terminal-links", rule);
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 7);
    const uint32_t m = fx->universe->n_component, f = (uint32_t)hf_random_below(&random, m < 4 ? m : 4);
    hf_random_subset(&random, m, f, component);
    fixture_plan_set(fx, component, f, set, plan);
}

/* What a plan says in runs is what it says in hops, but for channels that have failed. */
static void runs_are_hops(const hf_plan *plan, uint32_t at, uint32_t destination, const hf_hop *hops, size_t n) {
    hf_channel_run *run = calloc(plan->max_runs, sizeof *run);
    const size_t n_run = plan->runs(plan, at, destination, run);
    size_t count = 0;
    assert_true(n_run > 0 && n_run <= plan->max_runs);
    for (size_t i = 0; i < n_run; i++) {
        for (uint32_t c = run[i].first; c < run[i].first + run[i].n; c++) {
            if (!((plan->faults->channel_set[c / 64] >> c % 64) & 1)) {
                assert_true(count < n && hops[count].channel == c);
                count++;
            }
        }
    }
    assert_int_equal(count, n);
    free(run);
}

/** minimal is the template of CONTRIBUTING with all slack: distances of the healthy network. Its hops go by port; so do its runs,
 *  where it has some, and its distances then. */
static void minimal_is_nearer(void **state) {
    uint64_t n_run = 0, n_distance = 0;
    (void)state;
    for (size_t s = 0; s < N_TOPOLOGY_SPEC; s++) {
        for (uint64_t seed = 0; seed < SETS; seed++) {
            fixture fx;
            hf_fault_set set;
            hf_plan plan;
            open_random(&fx, topology_specs[s], "minimal", seed, &set, &plan);
            const hf_topology *topo = fx.topo;
            uint32_t *distance = calloc(topo->n_node, sizeof *distance), *queue = calloc(topo->n_node, sizeof *queue);
            hf_hop hops[64];
            for (uint32_t d = 0; d < topo->n_terminal; d++) {
                hf_distances(topo, set.channel_set, topo->n_switch + d, true, queue, distance);
                for (uint32_t v = 0; v < topo->n_node; v++) {
                    size_t want = 0;
                    uint32_t channel[64] = {0};
                    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
                        const uint32_t c = topo->out_list[i], to = topo->to[c];
                        channel[want] = c;
                        want += v != topo->n_switch + d && distance[v] != HF_NONE && distance[to] != HF_NONE &&
                                (to < topo->n_switch || to == topo->n_switch + d) && distance[to] + 1 == distance[v] &&
                                !((set.channel_set[c / 64] >> c % 64) & 1);
                    }
                    const size_t n = v == topo->n_switch + d ? want : hf_plan_route(&plan, v, HF_HOP_INJECTION, d, hops);
                    assert_int_equal(n, want);
                    for (size_t i = 0; i < want; i++) {
                        assert_int_equal(hops[i].channel, channel[i]);
                    }
                    if (plan.runs && v != topo->n_switch + d) {
                        runs_are_hops(&plan, v, d, hops, n);
                        n_run++;
                    }
                    if (plan.distance && v >= topo->n_switch) {
                        assert_int_equal(plan.distance(&plan, v - topo->n_switch, d), distance[v]);
                        n_distance++;
                    }
                }
            }
            free(distance);
            free(queue);
            fixture_close(&fx);
        }
    }
    assert_true(n_run > 5000 && n_distance > 1000);
}

/** Dimension order with one virtual channel goes by where a packet is and where to, not by how it came. */
static void dimension_order_in_runs(void **state) {
    static const char *const topologies[] = {"mesh:dims=4x3", "torus:dims=4x5", "hypercube:n=3", "hyperx:dims=3x3,terminals=2"};
    static const char *const rules[] = {"dor", "dor:order=yx", "dor:ties=plus", "dor:ties=both"};
    (void)state;
    for (size_t i = 0; i < 16; i++) {
        const char *spec = topologies[i / 4], *rule = rules[i % 4];
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_hop hops[64];
        if (i / 4 == 2 && i % 4 == 1) {
            continue; /* it has three dimensions */
        }
        fixture_open(&fx, spec, NULL, rule);
        fixture_plan(&fx, "", &set, &plan);
        assert_non_null(plan.runs);
        for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
            for (uint32_t v = 0; v < fx.topo->n_node; v++) {
                for (uint32_t j = fx.topo->in_begin[v]; v != fx.topo->n_switch + d && j < fx.topo->in_begin[v + 1]; j++) {
                    const hf_hop in = {fx.topo->in_list[j], 0, 0};
                    runs_are_hops(&plan, v, d, hops, hf_plan_route(&plan, v, in, d, hops));
                }
            }
        }
        fixture_close(&fx);
    }
}

/* ---- up*, down* ---- */

/** Shortest legal way by Bellman and Ford's steps over (node, gone down) from terminal to terminal. */
static uint32_t slow_distance(const hf_topology *topo, const hf_fault_set *set, const uint32_t *level, uint32_t from, uint32_t to,
                              uint32_t *best) {
    for (uint32_t i = 0; i < 2 * topo->n_node; i++) {
        best[i] = HF_NONE;
    }
    best[2 * from] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            const uint32_t a = topo->from[c], b = topo->to[c];
            const bool is_failed = (set->channel_set[c / 64] >> c % 64) & 1;
            const bool up = a >= topo->n_switch || (b < topo->n_switch && (level[b] != level[a] ? level[b] < level[a] : b < a));
            for (uint32_t down = 0; down < 2 && !is_failed && (a < topo->n_switch || a == from); down++) {
                const uint32_t next = 2 * b + !up;
                if (best[2 * a + down] != HF_NONE && !(up && down) && best[2 * a + down] + 1 < best[next]) {
                    best[next] = best[2 * a + down] + 1;
                    changed = true;
                }
            }
        }
    }
    return best[2 * to] < best[2 * to + 1] ? best[2 * to] : best[2 * to + 1];
}

/** Levels by steps, from switch `root`, over what is healthy in either direction; fault-free or with failed links only. */
static void slow_levels(const hf_topology *topo, const hf_fault_set *set, uint32_t root, uint32_t *level) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        level[v] = v == root ? 0 : HF_NONE;
    }
    for (uint32_t next = root, step = 0; next < topo->n_switch;) {
        level[next] = 0;
        for (step = 0; step < topo->n_switch; step++) {
            for (uint32_t c = 0; c < topo->n_channel; c++) {
                const uint32_t a = topo->from[c], b = topo->to[c];
                const bool is_usable = topo->link[c] < topo->n_switch_link && !((set->channel_set[c / 64] >> c % 64) & 1);
                if (is_usable && level[a] == step && level[b] == HF_NONE) {
                    level[b] = step + 1;
                }
                if (is_usable && level[b] == step && level[a] == HF_NONE) {
                    level[a] = step + 1;
                }
            }
        }
        for (next = 0; next < topo->n_switch && level[next] != HF_NONE; next++) {
        }
    }
}

/** Length of the way of first hops; HF_NONE if it ends early. */
static uint32_t walk_length(const hf_plan *plan, uint32_t from, uint32_t d, bool take_last) {
    hf_hop hops[64], in = HF_HOP_INJECTION;
    uint32_t length = 0, at = from;
    while (at != plan->topo->n_switch + d) {
        const size_t n = hf_plan_route(plan, at, in, d, hops);
        if (n == 0) {
            return HF_NONE;
        }
        in = hops[take_last ? n - 1 : 0];
        at = plan->topo->to[in.channel];
        assert_true(++length < 1000);
    }
    return length;
}

static void updown_is_shortest(void **state) {
    (void)state;
    static const char *const list[] = {"torus:dims=3x3",        "ring:n=6,terminals=2", "random-regular:n=8,degree=3",
                                       "dragonfly:p=1,a=2,h=1", "mesh:dims=3x4",        "hyperx:dims=2x1x3,terminals=2"};
    for (size_t s = 0; s < sizeof list / sizeof *list; s++) {
        for (uint64_t seed = 0; seed < SETS; seed++) {
            fixture fx;
            hf_fault_set set;
            hf_plan plan;
            open_random(&fx, list[s], seed % 2 ? "updown-graph" : "updown-graph:root=3", seed, &set, &plan);
            const hf_topology *topo = fx.topo;
            const uint32_t asked = seed % 2 ? 0 : 3, root = (set.switch_set[0] >> asked) & 1 ? 0 : asked;
            uint32_t *level = calloc(topo->n_switch, sizeof *level), *best = calloc(topo->n_node, 2 * sizeof *best);
            slow_levels(topo, &set, root, level);
            for (uint32_t a = 0; a < topo->n_terminal; a++) {
                for (uint32_t b = 0; b < topo->n_terminal; b++) {
                    const uint32_t from = topo->n_switch + a, to = topo->n_switch + b;
                    const uint32_t want = a == b ? 0 : slow_distance(topo, &set, level, from, to, best);
                    if (walk_length(&plan, from, b, false) != want || walk_length(&plan, from, b, true) != want) {
                        fail_msg("%s, seed %u: t%u to t%u is not %u long", list[s], (unsigned)seed, a, b, want);
                    }
                }
            }
            free(level);
            free(best);
            fixture_close(&fx);
        }
    }
}

/** Distances of legal ways to a terminal from (node, gone down), step by step. */
static void slow_distances(const hf_topology *topo, const hf_fault_set *set, const uint32_t *level, uint32_t to,
                           uint32_t *distance) {
    for (uint32_t i = 0; i < 2 * topo->n_node; i++) {
        distance[i] = i / 2 == to ? 0 : HF_NONE;
    }
    bool grew = true;
    for (uint32_t step = 0; grew; step++) {
        grew = false;
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            const uint32_t a = topo->from[c], b = topo->to[c];
            const bool is_up = a >= topo->n_switch || (b < topo->n_switch && hf_updown_is_up(topo, level, c));
            const bool is_on = !hf_bit_test(set->channel_set, c) && (b < topo->n_switch || b == to);
            for (uint32_t down = 0; down < 2; down++) {
                if (is_on && !(is_up && down) && distance[2 * a + down] == HF_NONE && distance[2 * b + !is_up] == step) {
                    distance[2 * a + down] = step + 1;
                    grew = true;
                }
            }
        }
    }
}

/** Hops from a place where packets have gone down or not: those of shortest ways, by port. */
static void compare_hops(const hf_plan *plan, const uint32_t *level, uint32_t at, hf_hop in, uint32_t d,
                         const uint32_t *distance) {
    const hf_topology *topo = plan->topo;
    const bool down =
        in.channel != HF_NONE && topo->from[in.channel] < topo->n_switch && !hf_updown_is_up(topo, level, in.channel);
    hf_hop hops[64];
    const size_t n = hf_plan_route(plan, at, in, d, hops);
    size_t count = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        const bool is_up = at >= topo->n_switch || (to < topo->n_switch && hf_updown_is_up(topo, level, c));
        const uint32_t rest = distance[2 * to + !is_up];
        const bool is_healthy = !hf_bit_test(plan->faults->channel_set, c);
        if (is_healthy && !(is_up && down) && rest != HF_NONE && rest + 1 == distance[2 * at + down]) {
            assert_true(count < n && hops[count].channel == c);
            count++;
        }
    }
    assert_int_equal(n, count);
}

static void compare_offers(const char *spec, uint32_t root, uint64_t seed, uint32_t step) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    char rule[64];
    snprintf(rule, sizeof rule, "updown-graph:root=%u", root);
    open_random(&fx, spec, rule, seed, &set, &plan);
    const hf_topology *topo = fx.topo;
    uint32_t *level = calloc(topo->n_switch, sizeof *level), *distance = calloc(topo->n_node, 2 * sizeof *distance);
    slow_levels(topo, &set, hf_bit_test(set.switch_set, root) ? 0 : root, level);
    for (uint32_t d = 0; d < topo->n_terminal; d += step) {
        slow_distances(topo, &set, level, topo->n_switch + d, distance);
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            for (uint32_t k = topo->in_begin[v]; k < topo->in_begin[v + 1]; k++) {
                compare_hops(&plan, level, v, (hf_hop){topo->in_list[k], 0, 0}, d, distance);
            }
        }
        for (uint32_t t = 0; t < topo->n_terminal; t++) {
            if (t != d) {
                compare_hops(&plan, level, topo->n_switch + t, HF_HOP_INJECTION, d, distance);
            }
        }
    }
    free(level);
    free(distance);
    fixture_close(&fx);
}

/** All hops of shortest legal ways and no others: to more goals than a word has bits, over several switches to a terminal, over
 *  links of one direction, and over ways longer than a byte counts, where others that go down only are longer still. */
static void updown_offers_shortest(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint32_t sets, step; /* fault sets; one destination in so many */
    } cases[] = {{"torus:dims=3x3", SETS, 1},
                 {"random-regular:n=90,degree=3", SETS, 7},
                 {"random-regular:n=530,degree=4", 2, 97},
                 {"mesh:dims=9x9", 4, 5},
                 {"rails:hosts=3,accelerators=3,planes=2,spines=2", SETS, 1},
                 {"ring:n=600", 3, 83},
                 {"ring:n=1100", 2, 211}};
    char folder[128], path[256], wheel[288];
    for (size_t s = 0; s < sizeof cases / sizeof *cases; s++) {
        for (uint64_t seed = 0; seed < cases[s].sets; seed += share_step()) {
            compare_offers(cases[s].spec, 3, seed, cases[s].step);
        }
    }
    folder_open(folder, sizeof folder);
    (void)snprintf(wheel, sizeof wheel, "file:%s", folder_file(folder, "wheel.json", path, sizeof path));
    wheel_write(path, 600, true);
    compare_offers(wheel, 600, 0, 37);
    folder_close(folder);
}

static void cycles(void **state) {
    (void)state;
    dependencies_check("mesh:dims=3x3", "minimal", true);
    dependencies_check("mesh:dims=3x3", "minimal:vcs=2", true);
    dependencies_check("kary-tree:k=2,n=3", "minimal", false);
    dependencies_check("complete:n=6", "minimal", false);
    dependencies_check("ring:n=5", "minimal", true);
    dependencies_check("slimfly:q=3", "minimal", true);
    static const char *const list[] = {"torus:dims=4x4", "slimfly:q=3", "dragonfly:p=1,a=4,h=2", "random-regular:n=20,degree=4",
                                       "hypercube:n=4",  "ring:n=9",    "kary-tree:k=2,n=3",     "complete:n=7"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dependencies_check(list[i], "updown-graph", false);
        dependencies_check(list[i], "updown-graph:root=5", false);
    }
}

/** A ring of 6 with root 0: between 2 and 4 the way over 3 turns up again, so it goes round by 0; 2 and 3 stay neighbours. */
static void by_hand(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "ring:n=6", NULL, "updown-graph");
    fixture_plan(&fx, "", &set, &plan);
    assert_int_equal(walk_length(&plan, 6 + 2, 3, false), 3);
    assert_int_equal(walk_length(&plan, 6 + 2, 4, false), 6);
    assert_int_equal(walk_length(&plan, 6 + 1, 4, false), 5);
    fixture_plan(&fx, "s0", &set, &plan); /* a line 1 2 3 4 5, root 1 */
    assert_int_equal(walk_length(&plan, 6 + 2, 4, false), 4);
    assert_int_equal(walk_length(&plan, 6 + 1, 0, false), HF_NONE);
    fixture_close(&fx);
    fixture_open(&fx, "ring:n=6", NULL, NULL);
    assert_int_equal(hf_rule_init(fx.cx, "updown-graph:root=6", fx.topo, &fx.rule), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(fx.cx), "s0..s5"));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_is_nearer),
        cmocka_unit_test(dimension_order_in_runs),
        cmocka_unit_test(updown_is_shortest),
        cmocka_unit_test(updown_offers_shortest),
        cmocka_unit_test(cycles),
        cmocka_unit_test(by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
