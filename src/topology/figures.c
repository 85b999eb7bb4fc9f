/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Degree, diameter and mean distance of the fault-free network.
 *
 *  Terminals that hang on one switch see the network alike, so a search starts at each switch that carries terminals, and
 *  64 searches run at once, one bit each. Searches whose sources carry the same number of terminals go together: then a switch
 *  needs only a count of its new bits. Where terminals have several links or one-way ones, a search starts at each terminal. */
#include <holdfast/core/big.h>
#include <holdfast/topology.h>

#include <math.h>
#include <string.h>

#include "src/core/joined.h"
#include "src/topology/search.h"

enum { LANES = 64, USUAL_LEVELS = 8 };

/** Words that a measurement by search may touch before the closed forms take over. */
static const double work_limit = 2e10;

typedef struct search {
    const hf_topology *topo;
    uint32_t *weight; /**< per switch: terminals on it */
    uint32_t *source; /**< switches with terminals, by weight */
    uint32_t n_source;
    uint64_t *seen, *front, *next; /**< per switch, a bit a source of the batch */
    uint32_t longest;
    uint64_t pairs;
    hf_u128 sum; /**< channels, over ordered pairs */
} search;

/* ---- the batch ---- */

/** Count the pairs from n sources at `first` to the terminals of switches in the front: hops + 2 channels apart. */
static void count_front(search *s, const uint32_t *first, uint32_t n, uint32_t hops) {
    const uint64_t here = s->weight[first[0]];
    uint64_t pairs = 0;
    for (uint32_t i = 0; i < s->n_source; i++) {
        const uint32_t v = s->source[i];
        pairs += here * s->weight[v] * (uint64_t)__builtin_popcountll(s->front[v]);
    }
    if (hops == 0) {
        pairs -= n * here; /* a terminal to itself */
    }
    if (pairs) {
        s->pairs += pairs;
        s->sum += (hf_u128)pairs * (hops + 2);
        s->longest = hops + 2 > s->longest ? hops + 2 : s->longest;
    }
}

/** One hop further. \return whether any switch was new to any source. */
static bool advance(search *s) {
    const hf_topology *topo = s->topo;
    memset(s->next, 0, topo->n_switch * sizeof *s->next);
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        for (uint32_t i = s->front[v] ? topo->out_begin[v] : topo->out_begin[v + 1]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t to = topo->to[topo->out_list[i]];
            if (!hf_topology_is_terminal(topo, to)) {
                s->next[to] |= s->front[v];
            }
        }
    }
    uint64_t any = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        s->front[v] = s->next[v] & ~s->seen[v];
        s->seen[v] |= s->front[v];
        any |= s->front[v];
    }
    return any != 0;
}

static void search_batch(search *s, const uint32_t *first, uint32_t n) {
    memset(s->seen, 0, s->topo->n_switch * sizeof *s->seen);
    memset(s->front, 0, s->topo->n_switch * sizeof *s->front);
    for (uint32_t i = 0; i < n; i++) {
        s->front[first[i]] = s->seen[first[i]] = UINT64_C(1) << i;
    }
    uint32_t hops = 0;
    do {
        count_front(s, first, n, hops++);
    } while (advance(s));
}

/** How many sources from i on go into one batch. */
static uint32_t batch_size(const search *s, uint32_t i) {
    uint32_t n = 1;
    while (n < LANES && i + n < s->n_source && s->weight[s->source[i + n]] == s->weight[s->source[i]]) {
        n++;
    }
    return n;
}

/* ---- sources ---- */

/** Put the switches with terminals in order of weight, each weight in order of switches. */
static void list_sources(search *s, uint32_t most) {
    for (uint32_t w = 1; w <= most; w++) {
        for (uint32_t v = 0; v < s->topo->n_switch; v++) {
            if (s->weight[v] == w) {
                s->source[s->n_source++] = v;
            }
        }
    }
}

static hf_status prepare(hf_context *cx, const hf_topology *topo, search *s) {
    *s = (search){.topo = topo};
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->weight, (void **)&s->weight));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->source, (void **)&s->source));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->seen, (void **)&s->seen));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->front, (void **)&s->front));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->next, (void **)&s->next));
    uint32_t most = 0;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t v = topo->terminal_switch[t];
        most = ++s->weight[v] > most ? s->weight[v] : most;
    }
    list_sources(s, most);
    return HF_OK;
}

static void report(const search *s, hf_topology_figures *out) {
    const uint64_t all = s->topo->n_terminal ? s->topo->n_terminal * (s->topo->n_terminal - UINT64_C(1)) : 0;
    out->n_pair_apart = all - s->pairs;
    out->is_strongly_connected = out->n_pair_apart == 0;
    out->diameter = out->is_strongly_connected ? s->longest : HF_NONE;
    out->mean_distance = !out->is_strongly_connected ? NAN : s->pairs ? (double)s->sum / (double)s->pairs : 0;
}

static hf_status search_all(hf_context *cx, const hf_topology *topo, hf_topology_figures *out) {
    search s;
    HF_TRY(prepare(cx, topo, &s));
    for (uint32_t i = 0, n; i < s.n_source; i += n) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "topology \"%s\": measuring was stopped", topo->spec);
        }
        n = batch_size(&s, i);
        search_batch(&s, s.source + i, n);
    }
    report(&s, out);
    return HF_OK;
}

/* ---- terminals with several links, or with different ways in and out ---- */

static bool has_plain_terminals(const hf_topology *topo) {
    if (topo->n_link - topo->n_switch_link != topo->n_terminal) {
        return false;
    }
    for (uint32_t l = topo->n_switch_link; l < topo->n_link; l++) {
        if (topo->backward[l] == HF_NONE) {
            return false;
        }
    }
    return true;
}

static hf_status search_each(hf_context *cx, const hf_topology *topo, hf_topology_figures *out) {
    search s = {.topo = topo};
    uint32_t *distance, *queue;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *distance, (void **)&distance));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *queue, (void **)&queue));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "topology \"%s\": measuring was stopped", topo->spec);
        }
        hf_distances(topo, NULL, topo->n_switch + t, false, queue, distance);
        for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
            if (distance[v] != HF_NONE && distance[v] > 0) {
                s.pairs++;
                s.sum += distance[v];
                s.longest = distance[v] > s.longest ? distance[v] : s.longest;
            }
        }
    }
    report(&s, out);
    return HF_OK;
}

/* ---- the rest ---- */

/** Ports in use: those with an outgoing or an incoming channel. Both lists are in order of ports. */
static uint32_t degree_of(const hf_topology *topo, uint32_t v) {
    uint32_t i = topo->out_begin[v], j = topo->in_begin[v], n = 0;
    const uint32_t i_end = topo->out_begin[v + 1], j_end = topo->in_begin[v + 1];
    for (; i < i_end || j < j_end; n++) {
        const uint32_t a = i < i_end ? topo->from_port[topo->out_list[i]] : HF_NONE;
        const uint32_t b = j < j_end ? topo->to_port[topo->in_list[j]] : HF_NONE;
        i += a <= b;
        j += b <= a;
    }
    return n;
}

static void measure_links(const hf_topology *topo, hf_topology_figures *out) {
    out->degree_min = topo->n_switch ? HF_NONE : 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t degree = degree_of(topo, v);
        out->degree_min = degree < out->degree_min ? degree : out->degree_min;
        out->degree_max = degree > out->degree_max ? degree : out->degree_max;
    }
    out->is_bidirectional = hf_topology_is_bidirectional(topo);
}

/** Parts that no link joins: every link that joins two makes one of them. */
static hf_status count_parts(hf_context *cx, const hf_topology *topo, uint32_t *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *root;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *root, (void **)&root));
    hf_joined_start(root, topo->n_node);
    *out = topo->n_node;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        *out -= hf_joined_join(root, topo->from[c], topo->to[c]);
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

hf_status hf_topology_measure(hf_context *cx, const hf_topology *topo, hf_topology_figures *out) {
    *out = (hf_topology_figures){0};
    measure_links(topo, out);
    HF_TRY(count_parts(cx, topo, &out->n_part));
    const hf_topology_kind *kind = topo->kind;
    const double searches = has_plain_terminals(topo) ? (double)topo->n_switch / LANES + 1 : topo->n_terminal;
    const double work = searches * topo->n_channel * USUAL_LEVELS;
    if (work > work_limit && kind->diameter && kind->mean_distance && kind->diameter(topo) != HF_NONE) {
        out->is_strongly_connected = true;
        out->diameter = kind->diameter(topo);
        out->mean_distance = kind->mean_distance(topo);
        return HF_OK;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = has_plain_terminals(topo) ? search_all(cx, topo, out) : search_each(cx, topo, out);
    hf_scratch_reset(cx, mark);
    return status;
}
