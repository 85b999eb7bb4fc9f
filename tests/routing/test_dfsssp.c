/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DFSSSP against its definition, done slowly: balanced shortest ways one destination after the other, and layers by breaking the
 *  first cycle found and searching again from the beginning; without faults and with. And that it balances. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/bitset.h>

#include "src/routing/any/layered.h"
#include "tests/oracle/fixture.h"

enum { SWITCHES = 32, TERMINALS = 48, CHANNELS = 320, FAR = 1000 };

/* ---- the definition ---- */

typedef struct slow {
    const hf_topology *topo;
    const hf_fault_set *faults;
    uint32_t next[TERMINALS][SWITCHES]; /* HF_NONE: none */
    uint32_t hops[TERMINALS][SWITCHES];
    uint32_t layer[TERMINALS][SWITCHES], n_layer;
    uint64_t load[CHANNELS];
    bool is_source[SWITCHES];
    uint32_t users[CHANNELS][CHANNELS];
    uint32_t stack[CHANNELS], n_stack, state[CHANNELS];
} slow;

static bool is_healthy(const slow *s, uint32_t c) { return !hf_bit_test(s->faults->channel_set, c); }

/* Sum of loads on the way that was chosen, channel by channel. */
static uint64_t sum_of(const slow *s, uint32_t t, uint32_t v) {
    uint64_t sum = 0;
    for (; s->next[t][v] != HF_NONE; v = s->topo->to[s->next[t][v]]) {
        sum += s->load[s->next[t][v]];
    }
    return sum;
}

static void find_hops(slow *s, uint32_t t) {
    const hf_topology *topo = s->topo;
    const uint32_t node = topo->n_switch + t, only = topo->in_begin[node + 1] - topo->in_begin[node] == 1;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        s->hops[t][v] = FAR;
        s->next[t][v] = HF_NONE;
    }
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        if (only || is_healthy(s, topo->in_list[i])) {
            s->hops[t][topo->from[topo->in_list[i]]] = 0;
        }
    }
    for (uint32_t round = 0; round < topo->n_switch; round++) {
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            const uint32_t a = topo->from[c], b = topo->to[c];
            if (a < topo->n_switch && b < topo->n_switch && is_healthy(s, c) && s->hops[t][b] + 1 < s->hops[t][a]) {
                s->hops[t][a] = s->hops[t][b] + 1;
            }
        }
    }
}

static void choose_ways(slow *s, uint32_t t) {
    const hf_topology *topo = s->topo;
    for (uint32_t hops = 1; hops < topo->n_switch; hops++) {
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            uint64_t best = 0;
            for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1] && s->hops[t][v] == hops; i++) {
                const uint32_t c = topo->out_list[i], b = topo->to[c];
                if (b >= topo->n_switch || s->hops[t][b] + 1 != hops || !is_healthy(s, c)) {
                    continue;
                }
                const uint64_t sum = s->load[c] + sum_of(s, t, b);
                if (s->next[t][v] == HF_NONE || sum < best) {
                    s->next[t][v] = c;
                    best = sum;
                }
            }
        }
    }
}

/* The switch that a terminal enters by on its way to another one. */
static uint32_t entry(const slow *s, uint32_t source, uint32_t t) {
    const hf_topology *topo = s->topo;
    uint32_t best = HF_NONE;
    for (uint32_t i = topo->out_begin[topo->n_switch + source]; i < topo->out_begin[topo->n_switch + source + 1]; i++) {
        const uint32_t c = topo->out_list[i], v = topo->to[c];
        if (s->hops[t][v] < FAR && is_healthy(s, c) && (best == HF_NONE || s->hops[t][v] < s->hops[t][best])) {
            best = v;
        }
    }
    return best;
}

static void find_ways(slow *s) {
    for (uint32_t t = 0; t < s->topo->n_terminal; t++) {
        find_hops(s, t);
        choose_ways(s, t);
        for (uint32_t source = 0; source < s->topo->n_terminal; source++) {
            for (uint32_t v = source == t ? HF_NONE : entry(s, source, t); v != HF_NONE && s->next[t][v] != HF_NONE;) {
                s->load[s->next[t][v]]++;
                v = s->topo->to[s->next[t][v]];
            }
        }
    }
}

/* Does the way from v have the dependency? */
static bool has(const slow *s, uint32_t t, uint32_t v, uint32_t a, uint32_t b) {
    for (; s->next[t][v] != HF_NONE; v = s->topo->to[s->next[t][v]]) {
        if (s->next[t][v] == a && s->next[t][s->topo->to[a]] == b) {
            return true;
        }
    }
    return false;
}

static void count_users(slow *s, uint32_t layer) {
    memset(s->users, 0, sizeof s->users);
    for (uint32_t t = 0; t < s->topo->n_terminal; t++) {
        for (uint32_t from = 0; from < s->topo->n_switch; from++) {
            for (uint32_t v = from; s->is_source[from] && s->layer[t][from] == layer && s->next[t][v] != HF_NONE;) {
                const uint32_t c = s->next[t][v];
                v = s->topo->to[c];
                s->users[c][s->next[t][v] == HF_NONE ? c : s->next[t][v]] += s->next[t][v] != HF_NONE;
            }
        }
    }
}

/* Depth first; true with the cycle on the stack from the place that it leads back to. */
static bool search(slow *s, uint32_t c, uint32_t *back) {
    s->state[c] = 1;
    s->stack[s->n_stack++] = c;
    for (uint32_t i = s->topo->out_begin[s->topo->to[c]]; i < s->topo->out_begin[s->topo->to[c] + 1]; i++) {
        const uint32_t after = s->topo->out_list[i];
        if (s->users[c][after] == 0 || s->state[after] == 2) {
            continue;
        }
        if (s->state[after] == 1) {
            *back = after;
            return true;
        }
        if (search(s, after, back)) {
            return true;
        }
    }
    s->n_stack--;
    s->state[c] = 2;
    return false;
}

static bool break_one(slow *s, uint32_t layer) {
    uint32_t back = HF_NONE;
    bool is_found = false;
    count_users(s, layer);
    memset(s->state, 0, sizeof s->state);
    s->n_stack = 0;
    for (uint32_t c = 0; c < s->topo->n_channel && !is_found; c++) {
        is_found = s->state[c] == 0 && search(s, c, &back);
    }
    if (!is_found) {
        return false;
    }
    uint32_t a = s->stack[s->n_stack - 1], b = back;
    for (uint32_t i = s->n_stack - 1; s->stack[i] != back; i--) {
        if (s->users[s->stack[i - 1]][s->stack[i]] < s->users[a][b]) {
            a = s->stack[i - 1];
            b = s->stack[i];
        }
    }
    for (uint32_t t = 0; t < s->topo->n_terminal; t++) {
        for (uint32_t v = 0; v < s->topo->n_switch; v++) {
            s->layer[t][v] += s->is_source[v] && s->layer[t][v] == layer && has(s, t, v, a, b);
        }
    }
    s->n_layer = layer + 2;
    return true;
}

static void find_layers(slow *s) {
    for (uint32_t c = 0; c < s->topo->n_channel; c++) {
        if (s->topo->from[c] >= s->topo->n_switch) {
            s->is_source[s->topo->to[c]] = true;
        }
    }
    s->n_layer = 1;
    for (uint32_t layer = 0; layer < s->n_layer; layer++) {
        while (break_one(s, layer)) {
        }
    }
}

/* ---- the rule ---- */

static void same_hops(fixture *fx, const slow *s, const hf_plan *plan, const char *name, uint32_t trial) {
    for (uint32_t t = 0; t < fx->topo->n_terminal; t++) {
        for (uint32_t v = 0; v < fx->topo->n_switch; v++) {
            hf_hop hops[8];
            size_t n = 0;
            if (s->next[t][v] == HF_NONE || !s->is_source[v]) {
                continue;
            }
            /* as it comes from a terminal: on no layer yet */
            hf_hop in = HF_HOP_INJECTION;
            for (uint32_t c = 0; c < fx->topo->n_channel; c++) {
                in = fx->topo->from[c] >= fx->topo->n_switch && fx->topo->to[c] == v ? (hf_hop){c, 0, 0} : in;
            }
            fixture_ok(fx, hf_plan_read(fx->cx, plan, v, in, t, hops, &n));
            const uint32_t node = fx->topo->n_switch + t;
            const bool is_cut = fx->topo->in_begin[node + 1] - fx->topo->in_begin[node] == 1 &&
                                !is_healthy(s, fx->topo->in_list[fx->topo->in_begin[node]]);
            if (n != !is_cut || (n && (hops[0].channel != s->next[t][v] || hops[0].vc != s->layer[t][v]))) {
                print_error("%s, seed %u: from s%u to t%u\n", name, trial, v, t);
            }
            assert_int_equal(n, !is_cut);
            if (n) {
                assert_int_equal(hops[0].channel, s->next[t][v]);
                assert_int_equal(hops[0].vc, s->layer[t][v]);
            }
        }
    }
}

static const struct {
    const char *topo, *universe;
    uint32_t trials;
} networks[] = {{"ring:n=5", "channels", 20},
                {"ring:n=2,terminals=3", "links", 4},
                {"torus:dims=4x4", "links", 8},
                {"torus:dims=3x3", "channels", 12},
                {"random-regular:n=16,degree=3", "links", 12},
                {"kary-tree:k=2,n=3", "switches", 12},
                {"dragonfly:p=1,a=3,h=1", "links", 12},
                {"rails:hosts=4,accelerators=2,relay=yes", "links", 6},
                {"complete:n=6", "channels", 8}};

static void as_defined(void **state) {
    (void)state;
    static slow s;
    uint32_t layers = 0;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        fixture fx;
        fixture_open(&fx, networks[i].topo, networks[i].universe, "dfsssp");
        assert_true(fx.topo->n_switch <= SWITCHES && fx.topo->n_terminal <= TERMINALS && fx.topo->n_channel <= CHANNELS);
        for (uint32_t trial = 0; trial < networks[i].trials; trial++) {
            const uint32_t m = fx.universe->n_component;
            uint32_t set[CHANNELS];
            hf_random random;
            hf_fault_set faults;
            hf_plan plan;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_random_init(&random, trial, HF_PURPOSE_TEST, i);
            const uint32_t f = trial == 0 ? 0 : trial == 1 ? m : (uint32_t)hf_random_below(&random, m / 3 + 2);
            hf_random_subset(&random, m, f, set);
            fixture_plan_set(&fx, set, f, &faults, &plan);
            memset(&s, 0, sizeof s);
            s.topo = fx.topo;
            s.faults = &faults;
            find_ways(&s);
            find_layers(&s);
            if (s.n_layer != plan.n_vc) {
                print_error("%s, seed %u: %u layers\n", networks[i].topo, trial, plan.n_vc);
            }
            assert_int_equal(plan.n_vc, s.n_layer);
            same_hops(&fx, &s, &plan, networks[i].topo, trial);
            layers = plan.n_vc > layers ? plan.n_vc : layers;
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    assert_true(layers > 1);
}

/* Where layers do not do, the ways to each switch have one, and there is no cycle. */
static void one_layer_each(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t most, n_vc; /* 0: none that do */
    } row[] = {{"torus:dims=5x5", 1, 25},      {"ring:n=5", 1, 5}, {"ring:n=5", 2, 2}, {"mesh:dims=4x1", 1, 1},
               {"ring:n=7,terminals=3", 1, 7}, {"ring:n=70", 1, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_deadlock d;
        fixture_open(&fx, row[i].topo, NULL, "dfsssp");
        fixture_plan(&fx, "", &none, &plan);
        hf_layered ways = *(const hf_layered *)plan.state;
        memset(ways.vc, 0, (size_t)ways.goals.n_row * fx.topo->n_switch);
        fixture_ok(&fx, hf_layered_break_cycles(fx.cx, &ways, row[i].most));
        assert_int_equal(ways.needs_more, row[i].n_vc == 0);
        if (row[i].n_vc) {
            assert_int_equal(ways.n_vc, row[i].n_vc);
            plan.state = &ways;
            plan.n_vc = ways.n_vc;
            fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
            assert_int_equal(d.method, HF_METHOD_ACYCLIC);
            assert_true(d.is_connected);
        }
        fixture_close(&fx);
    }
}

/* Known of old: one layer on trees, two on a ring of five; a certificate's proof for each. */
static void known_layers(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t n_vc;
    } row[] = {{"kary-tree:k=4,n=3", 1}, {"ring:n=5", 2}, {"mesh:dims=4x1", 1}, {"clos:tiers=2,radix=8", 1}, {"complete:n=6", 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
        fixture fx;
        hf_fault_set none;
        hf_plan plan;
        hf_deadlock d;
        fixture_open(&fx, row[i].topo, NULL, "dfsssp");
        fixture_plan(&fx, "", &none, &plan);
        assert_int_equal(plan.n_vc, row[i].n_vc);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
        assert_int_equal(d.method, HF_METHOD_ACYCLIC);
        assert_true(d.is_connected);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_defined), cmocka_unit_test(one_layer_each),
                                       cmocka_unit_test(known_layers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
