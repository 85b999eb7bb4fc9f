/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/dependencies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <holdfast/core/bitset.h>

#include "src/analysis/paths/walk.h"

typedef struct graph {
    uint32_t n;
    uint64_t *next; /**< n rows of n bits */
} graph;

enum { NEW, OPEN, DONE };

static bool has_cycle_from(const uint64_t *next, uint32_t n, uint32_t v, uint8_t *colour) {
    const size_t begin = (size_t)v * n, end = begin + n;
    colour[v] = OPEN;
    for (size_t i = hf_bits_next(next, end, begin); i < end; i = hf_bits_next(next, end, i + 1)) {
        const uint32_t to = (uint32_t)(i - begin);
        if (colour[to] == OPEN || (colour[to] == NEW && has_cycle_from(next, n, to, colour))) {
            return true;
        }
    }
    colour[v] = DONE;
    return false;
}

bool dependencies_have_cycle(const uint64_t *next, uint32_t n) {
    uint8_t *colour = calloc(n + 1, 1);
    bool has = false;
    assert_non_null(colour);
    for (uint32_t v = 0; v < n && !has; v++) {
        has = colour[v] == NEW && has_cycle_from(next, n, v, colour);
    }
    free(colour);
    return has;
}

/** Longest way from state s; HF_NONE where it may go round. */
static uint32_t longest_from(const hf_walk *walk, uint32_t s, uint32_t *length, uint8_t *colour) {
    if (colour[s] == 1) {
        return HF_NONE;
    }
    if (colour[s] == 2) {
        return length[s];
    }
    colour[s] = 1;
    uint32_t most = 0;
    for (uint32_t e = walk->edge_begin[s]; e < walk->edge_begin[s + 1] && most != HF_NONE; e++) {
        const uint32_t to = walk->edge[e];
        const uint32_t rest = to >= HF_WALK_FAULT ? 0 : longest_from(walk, to, length, colour);
        most = rest == HF_NONE ? HF_NONE : rest + 1 > most ? rest + 1 : most;
    }
    colour[s] = 2;
    return length[s] = most;
}

static void note_lengths(const hf_walk *walk, uint32_t d, dependencies *out) {
    uint32_t *length = calloc(walk->n_state, sizeof *length);
    uint8_t *colour = calloc(walk->n_state, 1);
    for (uint32_t s = 0; s < walk->topo->n_terminal; s++) {
        const uint32_t l = s == d ? 0 : longest_from(walk, s, length, colour);
        out->longest = l == HF_NONE || out->longest == HF_NONE ? HF_NONE : l > out->longest ? l : out->longest;
    }
    free(length);
    free(colour);
}

static void note_states(const hf_plan *plan, const hf_walk *walk, uint32_t d, graph *g, dependencies *out, uint32_t *n_state) {
    hf_hop *hops = calloc(plan->max_hops, sizeof *hops);
    for (uint32_t s = 0; s < walk->n_state; s++) {
        const size_t n = s == d ? 0 : hf_plan_route(plan, walk->at[s], walk->in[s], d, hops);
        out->is_connected &= s == d || n > 0;
        if (s < walk->topo->n_terminal) {
            continue;
        }
        out->n_hops_max = n > out->n_hops_max ? (uint32_t)n : out->n_hops_max;
        if (n > 0 && !hf_topology_is_terminal(walk->topo, walk->topo->to[hops[0].channel])) {
            out->hops_mean += (double)n;
            ++*n_state;
        }
        for (size_t i = 0; i < n; i++) {
            const uint32_t a = walk->in[s].channel * plan->n_vc + walk->in[s].vc, b = hops[i].channel * plan->n_vc + hops[i].vc;
            hf_bit_set(g->next, (size_t)a * g->n + b);
            out->n_vc_used = hops[i].vc >= out->n_vc_used ? hops[i].vc + 1 : out->n_vc_used;
        }
    }
    free(hops);
}

void dependencies_find(const char *topo, const char *rule, dependencies *out) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_walk walk;
    uint32_t n_state = 0;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_walk_init(fx.cx, fx.topo, &walk));
    graph g = {.n = fx.topo->n_channel * plan.n_vc};
    g.next = calloc(hf_words((size_t)g.n * g.n), sizeof *g.next);
    assert_non_null(g.next);
    *out = (dependencies){.is_connected = true};
    for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
        fixture_ok(&fx, hf_walk_explore(fx.cx, &walk, &plan, d));
        note_states(&plan, &walk, d, &g, out, &n_state);
        note_lengths(&walk, d, out);
    }
    out->hops_mean /= n_state ? n_state : 1;
    out->is_cyclic = dependencies_have_cycle(g.next, g.n);
    free(g.next);
    fixture_close(&fx);
}

void dependencies_check(const char *topo, const char *rule, bool is_cyclic) {
    dependencies found;
    dependencies_find(topo, rule, &found);
    if (found.is_cyclic != is_cyclic || !found.is_connected || found.longest == HF_NONE) {
        fail_msg("%s on %s: %s, %s, longest way %u", rule, topo, found.is_cyclic ? "cyclic" : "acyclic",
                 found.is_connected ? "connected" : "packets get stuck", found.longest);
    }
}
