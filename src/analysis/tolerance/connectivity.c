/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Connectivity of the healthy network between terminals, whatever the routing: once by breadth-first search, and incrementally
 *  along a stack of components for campaigns. Terminals do not forward packets. */
#include "src/analysis/tolerance/connectivity.h"

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <string.h>

#include "src/analysis/paths/walk.h"
#include "src/analysis/tolerance/reach.h"
#include "src/topology/search.h"

static bool reaches_all(const hf_topology *topo, const uint32_t *distance) {
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        if (distance[v] == HF_NONE) {
            return false;
        }
    }
    return true;
}

hf_status hf_connectivity_all(hf_context *cx, const hf_fault_set *faults, bool *out) {
    const hf_topology *topo = faults->topo;
    const hf_mark mark = hf_scratch_mark(cx);
    void *distance, *queue;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &distance));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &queue));
    /* of terminals that are left where they are entered, forth and back from one say all; else ask each */
    const uint32_t n_start = hf_topology_has_plain_terminals(topo) && topo->n_terminal > 0 ? 1 : topo->n_terminal;
    bool all = true;
    for (uint32_t t = 0; t < n_start && all; t++) {
        hf_distances(topo, faults->channel_set, topo->n_switch + t, false, queue, distance);
        all = reaches_all(topo, distance);
        if (all && n_start == 1) {
            hf_distances(topo, faults->channel_set, topo->n_switch + t, true, queue, distance);
            all = reaches_all(topo, distance);
        }
    }
    hf_scratch_reset(cx, mark);
    *out = all;
    return HF_OK;
}

enum { MEMORY_LIMIT_MIB = 256 };

struct hf_connectivity {
    const hf_universe *universe;
    hf_allocator allocator;
    uint32_t n_switch;
    size_t words;
    uint16_t *failed;        /* per channel: failed components that take it down */
    uint32_t *way;           /* per channel between switches: index of its (from, to) pair */
    uint32_t *healthy;       /* per (from, to) pair: healthy channels */
    uint32_t n_cut;          /* failed terminal channels */
    uint64_t *forth, *back;  /* n_switch rows: where a switch leads, and from where it is led to */
    uint64_t *goal;          /* switches with terminals */
    uint64_t *seen, *border; /* of a search */
    hf_reach *reach;         /* in place of rows and goals where terminals are left elsewhere than they are entered; or NULL */
};

static uint64_t *row(const hf_connectivity *state, uint64_t *rows, uint32_t sw) { return rows + (size_t)sw * state->words; }

/* Number the pairs of switches that a channel connects; parallel channels share one. */
static hf_status number_ways(hf_context *cx, hf_connectivity *state) {
    const hf_topology *topo = state->universe->topo;
    void *last;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof(uint32_t), &last));
    uint32_t *way_to = last, n_way = 0;
    for (uint32_t from = 0; from < topo->n_switch; from++) {
        for (uint32_t i = topo->out_begin[from]; i < topo->out_begin[from + 1]; i++) {
            const uint32_t channel = topo->out_list[i], to = topo->to[channel];
            if (hf_topology_is_terminal(topo, to)) {
                continue;
            }
            if (!hf_bit_test(row(state, state->forth, from), to)) {
                way_to[to] = n_way++;
            }
            hf_bit_set(row(state, state->forth, from), to);
            hf_bit_set(row(state, state->back, to), from);
            state->way[channel] = way_to[to];
            state->healthy[way_to[to]]++;
        }
    }
    return HF_OK;
}

static hf_status allocate(hf_context *cx, hf_connectivity *state) {
    const hf_topology *topo = state->universe->topo;
    const size_t words = state->words, rows = topo->n_switch;
    HF_TRY(hf_allocate(cx, topo->n_channel, sizeof *state->failed, (void **)&state->failed));
    if (!hf_topology_has_plain_terminals(topo)) {
        return hf_reach_new(cx, topo, &state->reach);
    }
    HF_TRY(hf_allocate(cx, topo->n_channel, sizeof *state->way, (void **)&state->way));
    HF_TRY(hf_allocate(cx, topo->n_channel, sizeof *state->healthy, (void **)&state->healthy));
    HF_TRY(hf_allocate(cx, rows * words, sizeof *state->forth, (void **)&state->forth));
    HF_TRY(hf_allocate(cx, rows * words, sizeof *state->back, (void **)&state->back));
    HF_TRY(hf_allocate(cx, words, sizeof *state->goal, (void **)&state->goal));
    HF_TRY(hf_allocate(cx, words, sizeof *state->seen, (void **)&state->seen));
    HF_TRY(hf_allocate(cx, words, sizeof *state->border, (void **)&state->border));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_bit_set(state->goal, topo->terminal_switch[t]);
    }
    return HF_OK;
}

hf_status hf_connectivity_new(hf_context *cx, const hf_universe *universe, hf_connectivity **out) {
    const hf_topology *topo = universe->topo;
    const uint64_t row_bytes = 2 * (uint64_t)topo->n_switch * hf_words(topo->n_switch) * sizeof(uint64_t);
    if (row_bytes > (uint64_t)MEMORY_LIMIT_MIB << 20) {
        HF_FAIL(cx, HF_ENOTSUP, "\"%s\" is too large for adjacency rows", topo->spec);
    }
    hf_connectivity *state;
    HF_TRY(hf_allocate(cx, 1, sizeof *state, (void **)&state));
    state->universe = universe;
    state->allocator = *hf_context_allocator(cx);
    state->n_switch = topo->n_switch;
    state->words = hf_words(topo->n_switch);
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = allocate(cx, state);
    if (status == HF_OK && !state->reach) {
        status = number_ways(cx, state);
    }
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_connectivity_free(state);
        return status;
    }
    *out = state;
    return HF_OK;
}

void hf_connectivity_free(hf_connectivity *state) {
    if (!state) {
        return;
    }
    const hf_allocator allocator = state->allocator;
    hf_reach_free(state->reach);
    void *const block[] = {state->failed, state->way,  state->healthy, state->forth, state->back,
                           state->goal,   state->seen, state->border,  state};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}

static void fail_channel(hf_connectivity *state, uint32_t channel) {
    const hf_topology *topo = state->universe->topo;
    if (state->failed[channel]++ > 0 || state->reach) {
        return;
    }
    const uint32_t from = topo->from[channel], to = topo->to[channel];
    if (hf_topology_is_terminal(topo, from) || hf_topology_is_terminal(topo, to)) {
        state->n_cut++;
    } else if (--state->healthy[state->way[channel]] == 0) {
        hf_bit_clear(row(state, state->forth, from), to);
        hf_bit_clear(row(state, state->back, to), from);
    }
}

static void mend_channel(hf_connectivity *state, uint32_t channel) {
    const hf_topology *topo = state->universe->topo;
    if (--state->failed[channel] > 0 || state->reach) {
        return;
    }
    const uint32_t from = topo->from[channel], to = topo->to[channel];
    if (hf_topology_is_terminal(topo, from) || hf_topology_is_terminal(topo, to)) {
        state->n_cut--;
    } else if (state->healthy[state->way[channel]]++ == 0) {
        hf_bit_set(row(state, state->forth, from), to);
        hf_bit_set(row(state, state->back, to), from);
    }
}

void hf_connectivity_push(hf_connectivity *state, uint32_t component) {
    const hf_universe *universe = state->universe;
    for (uint32_t i = universe->channel_begin[component]; i < universe->channel_begin[component + 1]; i++) {
        fail_channel(state, universe->channel[i]);
    }
}

void hf_connectivity_pop(hf_connectivity *state, uint32_t component) {
    const hf_universe *universe = state->universe;
    for (uint32_t i = universe->channel_begin[component]; i < universe->channel_begin[component + 1]; i++) {
        mend_channel(state, universe->channel[i]);
    }
}

static bool has_all_goals(const hf_connectivity *state) {
    for (size_t w = 0; w < state->words; w++) {
        if (state->goal[w] & ~state->seen[w]) {
            return false;
        }
    }
    return true;
}

/* Does a search from the first switch with a terminal see all others? */
static bool search(hf_connectivity *state, uint64_t *rows) {
    const size_t words = state->words;
    const size_t start = hf_bits_next(state->goal, state->n_switch, 0);
    memset(state->seen, 0, words * sizeof *state->seen);
    memset(state->border, 0, words * sizeof *state->border);
    hf_bit_set(state->seen, start);
    hf_bit_set(state->border, start);
    for (bool grew = true; grew && !has_all_goals(state);) {
        grew = false;
        for (size_t sw = hf_bits_next(state->border, state->n_switch, 0); sw < state->n_switch;
             sw = hf_bits_next(state->border, state->n_switch, sw + 1)) {
            hf_bit_clear(state->border, sw);
            const uint64_t *next = row(state, rows, (uint32_t)sw);
            for (size_t w = 0; w < words; w++) {
                const uint64_t fresh = next[w] & ~state->seen[w];
                state->seen[w] |= fresh;
                state->border[w] |= fresh;
                grew |= fresh != 0;
            }
        }
    }
    return has_all_goals(state);
}

bool hf_connectivity_read(hf_connectivity *state) {
    if (state->universe->topo->n_terminal < 2) {
        return true;
    }
    if (state->reach) {
        return hf_reach_all(state->reach, state->failed);
    }
    return state->n_cut == 0 && search(state, state->forth) && search(state, state->back);
}
