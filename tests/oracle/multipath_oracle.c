/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/multipath_oracle.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

typedef struct world {
    const hf_topology *topo;
    const uint64_t *failed; /**< NULL: nothing has failed */
} world;

static bool works(const world *w, uint32_t channel) { return !w->failed || !hf_bit_test(w->failed, channel); }

/** Terminals that a node leads to; terminals do not forward. */
static void search(const world *w, uint32_t node, bool is_start, uint8_t *met, uint8_t *terminal) {
    const hf_topology *topo = w->topo;
    if (!is_start && hf_topology_is_terminal(topo, node)) {
        terminal[node - topo->n_switch] = 1;
        return;
    }
    if (met[node]) {
        return;
    }
    met[node] = 1;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        if (works(w, topo->out_list[i])) {
            search(w, topo->to[topo->out_list[i]], false, met, terminal);
        }
    }
}

static void reach(const world *w, uint32_t node, bool is_start, uint8_t *terminal) {
    uint8_t *met = calloc(w->topo->n_node, 1);
    memset(terminal, 0, w->topo->n_terminal);
    search(w, node, is_start, met, terminal);
    free(met);
}

/** What each channel leads to without faults: rows of n_terminal. */
static uint8_t *directions_of(const hf_topology *topo) {
    const world healthy = {topo, NULL};
    uint8_t *row = calloc((size_t)topo->n_channel * topo->n_terminal + 1, 1);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        reach(&healthy, topo->to[c], false, row + (size_t)c * topo->n_terminal);
    }
    return row;
}

static uint32_t count_ways(const world *w, const uint32_t *begin, const uint32_t *list, uint32_t node) {
    uint32_t n = 0;
    for (uint32_t i = begin[node]; i < begin[node + 1]; i++) {
        n += works(w, list[i]);
    }
    return n;
}

/** Does a router lack, in the direction of channel `like`, a healthy output to a terminal or to a router that is not blocked? */
static bool is_shut(const world *w, const uint8_t *row, const uint8_t *blocked, uint32_t sw, uint32_t like) {
    const hf_topology *topo = w->topo;
    const size_t n = topo->n_terminal;
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        const bool same = memcmp(row + c * n, row + like * n, n) == 0;
        if (same && works(w, c) && (hf_topology_is_terminal(topo, to) || !blocked[to])) {
            return false;
        }
    }
    return true;
}

static bool is_blocked(const world *w, const uint8_t *row, const multipath_answer *a, bool all_block, uint32_t sw) {
    const hf_topology *topo = w->topo;
    bool any = false, all = true, needed = false;
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        bool leads_to_live = false;
        for (uint32_t t = 0; t < topo->n_terminal; t++) {
            leads_to_live |= row[(size_t)c * topo->n_terminal + t] && a->live[t];
        }
        if (leads_to_live) {
            const bool shut = is_shut(w, row, a->blocked, sw, c);
            needed = true;
            any |= shut;
            all &= shut;
        }
    }
    return needed && (all_block ? all : any);
}

/** Routers that failed ones block; these do not block others. */
static void block_once(const world *w, const uint8_t *row, bool all_block, multipath_answer *a) {
    uint8_t *found = calloc(w->topo->n_switch, 1);
    for (uint32_t sw = 0; sw < w->topo->n_switch; sw++) {
        found[sw] = is_blocked(w, row, a, all_block, sw);
    }
    memcpy(a->blocked, found, w->topo->n_switch);
    free(found);
}

static void propagate(const world *w, bool all_block, bool once, multipath_answer *a) {
    const hf_topology *topo = w->topo;
    uint8_t *row = directions_of(topo);
    if (once) {
        block_once(w, row, all_block, a);
    }
    for (bool changed = !once; changed;) {
        changed = false;
        for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
            if (!a->blocked[sw] && is_blocked(w, row, a, all_block, sw)) {
                a->blocked[sw] = 1;
                changed = true;
            }
        }
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        bool enters = false;
        for (uint32_t i = topo->out_begin[topo->n_switch + t]; i < topo->out_begin[topo->n_switch + t + 1]; i++) {
            enters |= works(w, topo->out_list[i]) && !a->blocked[topo->to[topo->out_list[i]]];
        }
        a->live[t] = a->live[t] && enters;
    }
    free(row);
}

/** Do all live terminals reach each other, directly or by way of other live ones? */
static bool joins(const world *w, const multipath_answer *a, bool with_relays) {
    const uint32_t n = w->topo->n_terminal;
    uint8_t *to = calloc((size_t)n * n + 1, 1);
    bool ok = true;
    for (uint32_t s = 0; s < n; s++) {
        reach(w, w->topo->n_switch + s, true, to + (size_t)s * n);
    }
    for (uint32_t k = 0; with_relays && k < n; k++) { /* Warshall */
        for (uint32_t i = 0; i < n && a->live[k]; i++) {
            for (uint32_t j = 0; j < n && to[i * n + k]; j++) {
                to[i * n + j] |= to[k * n + j];
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            ok &= i == j || !a->live[i] || !a->live[j] || to[i * n + j];
        }
    }
    free(to);
    return ok;
}

void multipath_oracle(const hf_fault_set *faults, multipath_policy policy, bool all_block, bool once, multipath_answer *out) {
    const hf_topology *topo = faults->topo;
    const world w = {topo, faults->channel_set};
    out->lost = out->n_blocked = out->weak = out->unwarned = 0;
    memset(out->by_losses, 0, sizeof out->by_losses);
    memset(out->blocked, 0, topo->n_switch);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t node = topo->n_switch + t;
        const bool has_ways =
            count_ways(&w, topo->out_begin, topo->out_list, node) && count_ways(&w, topo->in_begin, topo->in_list, node);
        out->live[t] = policy == POLICY_NONE || has_ways;
    }
    if (policy == POLICY_FAULT_PROPAGATION) {
        propagate(&w, all_block, once, out);
    }
    out->tolerated = joins(&w, out, policy == POLICY_MULTI_HOP);
    out->joined = joins(&w, out, true);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t node = topo->n_switch + t;
        const uint32_t ways_out = count_ways(&w, topo->out_begin, topo->out_list, node),
                       ways_in = count_ways(&w, topo->in_begin, topo->in_list, node),
                       losses = topo->out_begin[node + 1] - topo->out_begin[node] - ways_out + topo->in_begin[node + 1] -
                                topo->in_begin[node] - ways_in;
        out->lost += !out->live[t];
        out->weak += out->live[t] && losses > 0;
        out->unwarned += losses <= 2 && (ways_out == 0 || ways_in == 0);
        if (losses > 0) {
            out->by_losses[losses < 4 ? losses - 1 : 3]++;
        }
    }
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        out->n_blocked += out->blocked[sw];
    }
}
