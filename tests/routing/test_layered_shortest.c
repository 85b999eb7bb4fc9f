/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  layered-shortest: shortest ways, balanced as they are defined, with faults and without; layers without cycles, few of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/big.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/routing/any/layered.h"
#include "tests/oracle/fixture.h"

/* ---- the ways by their definition, slowly ---- */

enum { ROWS = 24, SWITCHES = 40, CHANNELS = 256, DEGREE = 12, LAYERS = 24, FAR = 1000 };

typedef struct slow {
    const hf_topology *topo;
    const hf_goals *goals;
    const hf_fault_set *faults; /* NULL: none */
    uint32_t hops[ROWS][SWITCHES];
    uint32_t next[ROWS][SWITCHES]; /* HF_NONE: none */
    uint32_t vc[ROWS][SWITCHES], n_vc;
    /* by layer and channel: is the i-th that leaves its end behind it on a way? */
    bool behind[LAYERS][CHANNELS][DEGREE];
} slow;

static bool is_healthy(const slow *s, uint32_t c) { return !s->faults || !hf_bit_test(s->faults->channel_set, c); }

static void find_hops(slow *s, uint32_t row) {
    const hf_topology *topo = s->topo;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        s->hops[row][v] = v == s->goals->goal[row] ? 0 : FAR;
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->to[c] == s->goals->goal[row] && topo->from[c] < topo->n_switch && s->goals->goal[row] >= topo->n_switch &&
            is_healthy(s, c)) {
            s->hops[row][topo->from[c]] = 0;
        }
    }
    for (uint32_t round = 0; round < topo->n_switch; round++) {
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            const uint32_t a = topo->from[c], b = topo->to[c];
            if (a < topo->n_switch && b < topo->n_switch && is_healthy(s, c) && s->hops[row][b] + 1 < s->hops[row][a]) {
                s->hops[row][a] = s->hops[row][b] + 1;
            }
        }
    }
}

static bool is_nearer(const slow *s, uint32_t row, uint32_t v, uint32_t c) {
    const uint32_t to = s->topo->to[c];
    return to < s->topo->n_switch && is_healthy(s, c) && s->hops[row][to] < s->hops[row][v];
}

static uint32_t entry(const slow *s, uint32_t row, uint32_t source) {
    const hf_topology *topo = s->topo;
    uint32_t best = HF_NONE;
    for (uint32_t i = topo->out_begin[topo->n_switch + source]; i < topo->out_begin[topo->n_switch + source + 1]; i++) {
        const uint32_t v = topo->to[topo->out_list[i]];
        best = s->hops[row][v] < FAR && (best == HF_NONE || s->hops[row][v] < s->hops[row][best]) ? v : best;
    }
    return best;
}

/* Ways of pairs of terminals over each channel, without those to a row. */
static void count_loads(const slow *s, uint32_t without, uint64_t *load) {
    memset(load, 0, CHANNELS * sizeof *load);
    for (uint32_t d = 0; d < s->topo->n_terminal; d++) {
        for (uint32_t source = 0; source < s->topo->n_terminal; source++) {
            const uint32_t row = s->goals->row[d], first = entry(s, row, source);
            for (uint32_t v = first; source != d && row != without && v != HF_NONE && s->next[row][v] != HF_NONE;
                 v = s->topo->to[s->next[row][v]]) {
                load[s->next[row][v]]++;
            }
        }
    }
}

static hf_u128 cost_of(const slow *s, uint32_t row, uint32_t c, const uint64_t *load, uint32_t power) {
    hf_u128 sum = 0;
    for (; c != HF_NONE; c = s->next[row][s->topo->to[c]]) {
        sum += power == 1 ? load[c] : (hf_u128)load[c] * load[c] * load[c];
    }
    return sum;
}

static void balance_row(slow *s, uint32_t row, uint32_t power) {
    const hf_topology *topo = s->topo;
    uint64_t load[CHANNELS];
    count_loads(s, row, load);
    memset(s->next[row], 0xff, sizeof s->next[row]); /* HF_NONE */
    for (uint32_t hops = 1; hops < topo->n_switch; hops++) {
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1] && s->hops[row][v] == hops; i++) {
                const uint32_t c = topo->out_list[i], best = s->next[row][v];
                const bool is_better = is_nearer(s, row, v, c) &&
                                       (best == HF_NONE || cost_of(s, row, c, load, power) < cost_of(s, row, best, load, power));
                s->next[row][v] = is_better ? c : best;
            }
        }
    }
}

static void find_ways(slow *s) {
    memset(s->next, 0xff, sizeof s->next); /* HF_NONE */
    for (uint32_t row = 0; row < s->goals->n_row; row++) {
        find_hops(s, row);
    }
    for (uint32_t power = 1; power <= 3; power += 2) {
        for (uint32_t row = 0; row < s->goals->n_row; row++) {
            balance_row(s, row, power);
        }
    }
}

/* As without faults where that still leads nearer, else in turn. */
static void change_ways(const slow *whole, slow *s) {
    for (uint32_t row = 0; row < s->goals->n_row; row++) {
        find_hops(s, row);
        for (uint32_t v = 0; v < s->topo->n_switch; v++) {
            uint32_t nearer[CHANNELS], n = 0;
            for (uint32_t i = s->topo->out_begin[v]; i < s->topo->out_begin[v + 1]; i++) {
                nearer[n] = s->topo->out_list[i];
                n += is_nearer(s, row, v, nearer[n]);
            }
            const uint32_t was = whole->next[row][v];
            const bool is_kept = was != HF_NONE && is_nearer(s, row, v, was);
            s->next[row][v] = n == 0 ? HF_NONE : is_kept ? was : nearer[row % n];
        }
    }
}

/* ---- layers by their definition ---- */

static bool leads(const slow *s, uint32_t layer, uint32_t from, uint32_t to, bool *seen) {
    const uint32_t end = s->topo->to[from];
    bool does = from == to;
    seen[from] = true;
    for (uint32_t i = 0; !does && end < s->topo->n_switch && i < s->topo->out_begin[end + 1] - s->topo->out_begin[end]; i++) {
        const uint32_t c = s->topo->out_list[s->topo->out_begin[end] + i];
        does = s->behind[layer][from][i] && !seen[c] && leads(s, layer, c, to, seen);
    }
    return does;
}

/* Does the way of a row from `v` close no cycle on the layer? It is left there, whole or in part. */
static bool takes(slow *s, uint32_t layer, uint32_t row, uint32_t v) {
    bool is_free = true;
    for (uint32_t c = s->next[row][v]; is_free && c != HF_NONE && s->next[row][s->topo->to[c]] != HF_NONE;) {
        const uint32_t then = s->next[row][s->topo->to[c]];
        bool seen[CHANNELS] = {false};
        uint32_t i = 0;
        while (s->topo->out_list[s->topo->out_begin[s->topo->to[c]] + i] != then) {
            i++;
        }
        is_free = !leads(s, layer, then, c, seen);
        s->behind[layer][c][i] = true;
        c = then;
    }
    return is_free;
}

static void put(slow *s, uint32_t row, uint32_t v) {
    static bool before[CHANNELS][DEGREE];
    uint32_t layer = 0;
    for (bool is_put = false; !is_put; layer += !is_put) {
        assert_true(layer < LAYERS);
        memcpy(before, s->behind[layer], sizeof before);
        is_put = takes(s, layer, row, v);
        memcpy(s->behind[layer], is_put ? s->behind[layer] : before, sizeof before);
    }
    s->vc[row][v] = layer;
    s->n_vc = layer < s->n_vc ? s->n_vc : layer + 1;
}

/* Does the way without faults meet one, or end where the goal is lost? */
static bool is_touched(const slow *whole, const slow *s, uint32_t row, uint32_t v) {
    bool is = false;
    for (uint32_t c = whole->next[row][v]; c != HF_NONE; c = whole->next[row][v]) {
        is |= !is_healthy(s, c);
        v = s->topo->to[c];
    }
    return is || (whole->hops[row][v] == 0 && s->hops[row][v] != 0);
}

static void lay_all(slow *s) {
    s->n_vc = 1;
    memset(s->behind, 0, sizeof s->behind);
    for (uint32_t row = 0; row < s->goals->n_row; row++) {
        for (uint32_t v = 0; v < s->topo->n_switch; v++) {
            put(s, row, v);
        }
    }
}

/* What is touched goes on the layers of the whole; all anew if they do not do. */
static void change_layers(const slow *whole, slow *s, uint32_t most) {
    memcpy(s->behind, whole->behind, sizeof s->behind);
    memcpy(s->vc, whole->vc, sizeof s->vc);
    s->n_vc = whole->n_vc;
    for (uint32_t row = 0; row < s->goals->n_row; row++) {
        for (uint32_t v = 0; v < s->topo->n_switch; v++) {
            if (is_touched(whole, s, row, v)) {
                put(s, row, v);
            }
        }
    }
    if (s->n_vc > most) {
        lay_all(s);
    }
}

/* ---- the rule against them ---- */

static void compare(const slow *s, const hf_layered *ways) {
    assert_int_equal(ways->n_vc, s->n_vc);
    for (uint32_t row = 0; row < s->goals->n_row; row++) {
        for (uint32_t v = 0; v < s->topo->n_switch; v++) {
            const size_t place = (size_t)row * s->topo->n_switch + v;
            assert_int_equal(ways->next[place], s->next[row][v]);
            assert_int_equal(ways->distance[place], s->hops[row][v] == FAR ? HF_FAR : s->hops[row][v]);
            assert_int_equal(ways->vc[place], s->vc[row][v]);
        }
    }
}

static void compare_sets(const char *topology, const char *rule, uint64_t seed, uint32_t n_set, uint32_t *n_more,
                         uint32_t *n_anew) {
    static slow whole, changed;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_random random;
    fixture_open(&fx, topology, "channels+terminal-links", rule);
    assert_true(fx.topo->n_switch <= SWITCHES && fx.topo->n_channel <= CHANNELS && fx.topo->n_terminal <= ROWS);
    assert_true(hf_goals_degree(fx.topo) <= DEGREE);
    fixture_plan_set(&fx, NULL, 0, &set, &plan);
    whole = (slow){.topo = fx.topo, .goals = &((const hf_layered *)hf_plan_own(&plan)->state)->goals};
    find_ways(&whole);
    lay_all(&whole);
    compare(&whole, hf_plan_own(&plan)->state);
    const uint32_t most = hf_layered_most(&fx.rule.args);
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 3);
    for (uint32_t k = 0; k < n_set; k++) {
        const hf_mark mark = hf_scratch_mark(fx.cx);
        uint32_t component[6];
        const uint32_t f = 1 + k % 6;
        hf_random_subset(&random, fx.universe->n_component, f, component);
        fixture_plan_set(&fx, component, f, &set, &plan);
        changed = (slow){.topo = fx.topo, .goals = whole.goals, .faults = &set};
        change_ways(&whole, &changed);
        change_layers(&whole, &changed, HF_LAYERS_MAX);
        *n_more += changed.n_vc > whole.n_vc;
        *n_anew += changed.n_vc > most;
        change_layers(&whole, &changed, most);
        compare(&changed, hf_plan_own(&plan)->state);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

static void ways_as_defined(void **state) {
    (void)state;
    static const char *const topologies[] = {"torus:dims=4x5",
                                             "mesh:dims=3x4,terminals=2",
                                             "random-regular:n=16,degree=4",
                                             "torus:dims=2x3,double=yes",
                                             "kary-tree:k=2,n=3",
                                             "omega:k=2,n=3",
                                             "rails:hosts=3",
                                             "multibutterfly:radix=2,dilation=2,stages=3",
                                             "dragonfly:p=2,a=3,h=1"};
    uint32_t n_more = 0, n_anew = 0;
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        compare_sets(topologies[i], "layered-shortest", i, 40, &n_more, &n_anew);
    }
    assert_true(n_more > 20 && n_anew == 0);
    compare_sets("random-regular:n=20,degree=3", "layered-shortest:vcs=2", 20, 40, &n_more, &n_anew);
    compare_sets("ring:n=8", "layered-shortest:vcs=2", 21, 40, &n_more, &n_anew);
    assert_true(n_anew > 20);
}

/* ---- layers ---- */

/* Trees of switches need one layer; an odd ring of more than four switches two. Nothing deadlocks, with faults or without. */
static void layers_without_cycles(void **state) {
    (void)state;
    static const struct {
        const char *topo, *faults;
        uint32_t least, most;
        uint64_t distance; /* sum over ordered pairs of switches */
    } cases[] = {
        {"mesh:dims=6", "", 1, 1, 70},           {"ring:n=5", "", 2, 2, 30},        {"ring:n=5", "s0:0", 2, 2, 40},
        {"torus:dims=4x4", "", 1, 1, 512},       {"torus:dims=5x5", "s0", 2, 6, 0}, {"hypercube:n=4", "s0:0,s5:1", 1, 4, 0},
        {"torus:dims=8x8", "s0:0", 2, 6, 16408},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock d;
        hf_measure m = {0};
        const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE};
        fixture_open(&fx, cases[i].topo, NULL, "layered-shortest");
        fixture_plan(&fx, cases[i].faults, &set, &plan);
        assert_in_range(plan.n_vc, cases[i].least, cases[i].most);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
        assert_int_equal(d.method, HF_METHOD_ACYCLIC);
        fixture_ok(&fx, hf_measures_of(plan.routing)->measure(fx.cx, &plan, &m));
        assert_int_equal(m.extra[0], plan.n_vc);
        assert_true(cases[i].distance == 0 || m.extra[1] == cases[i].distance);
        fixture_close(&fx);
    }
}

/* No more than ways along dimensions take, of which `dfsssp` has as many by breaking cycles or more. */
static void layers_on_grids(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t layers;
    } cases[] = {{"mesh:dims=5x5x5", 1}, {"hypercube:n=6", 1},  {"hyperx:dims=4x4x4", 1},
                 {"torus:dims=9x7", 3},  {"torus:dims=8x8", 3}, {"torus:dims=12x12", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const rules[] = {"layered-shortest", "dfsssp"};
        uint32_t n_vc[2];
        for (int r = 0; r < 2; r++) {
            fixture fx;
            hf_fault_set set;
            hf_plan plan;
            fixture_open(&fx, cases[i].topo, NULL, rules[r]);
            fixture_plan(&fx, "", &set, &plan);
            n_vc[r] = plan.n_vc;
            fixture_close(&fx);
        }
        assert_int_equal(n_vc[0], cases[i].layers);
        assert_true(n_vc[0] <= n_vc[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_as_defined),
        cmocka_unit_test(layers_without_cycles),
        cmocka_unit_test(layers_on_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
