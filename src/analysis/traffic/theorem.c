/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The bad permutation in the proof of theorem 1 of [chong1992, 2]. In a deterministic maximal-fanout network the paths of many
 *  endpoints towards one class use the same few routers of a stage: these endpoints, A, all send to that class, B, over these
 *  routers, C. The stage is the one where min(|A|, |B|) / |C| is largest; the paper takes stage lg(n)/4. Who is not in A, or
 *  finds no place in B, sends to what is left, in order. A, B and C are those of the deterministic network of the same shape,
 *  whatever the wiring is: so wirings can be compared under one permutation. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/traffic/traffic.h"
#include "src/topology/multistage/multipath.h"

typedef struct search {
    const hf_topology *topo; /**< the deterministic network */
    hf_multipath net;
    size_t words;
    uint64_t *front, *next; /**< rows by endpoint: routers of the stage that its paths reach, by their place in it */
    uint8_t *is_in;         /**< endpoints of A, of the best stage */
    uint8_t *trial;
    uint32_t n_a, n_b, n_c; /**< of the best stage; n_c = 0: none yet */
} search;

static void mark_outputs(const search *s, uint32_t node, uint32_t first, uint64_t *set) {
    const hf_topology *topo = s->topo;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        hf_bit_set(set, topo->to[topo->out_list[i]] - first);
    }
}

/** All fronts one stage on. */
static void advance(search *s, uint32_t stage) {
    const uint32_t width = s->net.width;
    memset(s->next, 0, s->topo->n_terminal * s->words * sizeof *s->next);
    for (uint32_t t = 0; t < s->topo->n_terminal; t++) {
        const uint64_t *row = s->front + t * s->words;
        for (size_t i = hf_bits_next(row, width, 0); i < width; i = hf_bits_next(row, width, i + 1)) {
            mark_outputs(s, (uint32_t)(stage * width + i), (stage + 1) * width, s->next + t * s->words);
        }
    }
    uint64_t *const swap = s->front;
    s->front = s->next;
    s->next = swap;
}

/** A, B and C of a stage: the first class, and the routers of it that the last endpoint reaches. */
static void look_at(search *s, uint32_t class_size, uint32_t n_b) {
    const size_t words = hf_words(class_size);
    const uint64_t last = class_size % 64 ? (UINT64_C(1) << class_size % 64) - 1 : UINT64_MAX;
    const uint64_t *own = s->front + (s->topo->n_terminal - 1) * s->words;
    uint32_t n_a = 0, n_c = 0;

    for (size_t w = 0; w < words; w++) {
        n_c += (uint32_t)__builtin_popcountll(own[w] & (w + 1 == words ? last : UINT64_MAX));
    }
    for (uint32_t t = 0; t < s->topo->n_terminal; t++) {
        uint64_t outside = 0;
        for (size_t w = 0; w < words; w++) {
            outside |= s->front[t * s->words + w] & ~own[w] & (w + 1 == words ? last : UINT64_MAX);
        }
        s->trial[t] = outside == 0;
        n_a += outside == 0;
    }
    const uint64_t here = n_a < n_b ? n_a : n_b, best = s->n_a < s->n_b ? s->n_a : s->n_b;
    if (s->n_c == 0 || here * s->n_c > best * n_c) {
        memcpy(s->is_in, s->trial, s->topo->n_terminal);
        s->n_a = n_a;
        s->n_b = n_b;
        s->n_c = n_c;
    }
}

static void find_stage(search *s) {
    uint32_t class_size = s->net.width, n_b = s->topo->n_terminal;
    for (uint32_t t = 0; t < s->topo->n_terminal; t++) {
        mark_outputs(s, s->topo->n_switch + t, 0, s->front + t * s->words);
    }
    for (uint32_t stage = 0; stage + 1 < s->net.n_stage; stage++) {
        look_at(s, class_size, n_b);
        class_size /= s->net.radix;
        n_b /= s->net.radix;
        if (stage + 2 < s->net.n_stage) {
            advance(s, stage);
        }
    }
}

/** The first endpoints of A to B in order, the others to what is left in order. B is the first n_b endpoints. */
static void map(const search *s, uint32_t *to) {
    const uint32_t n = s->topo->n_terminal, n_bad = s->n_a < s->n_b ? s->n_a : s->n_b;
    uint32_t bad = 0, rest = n_bad;
    for (uint32_t t = 0; t < n; t++) {
        to[t] = s->is_in[t] && bad < n_bad ? bad++ : rest++;
    }
}

static hf_status find(hf_context *cx, const hf_topology *deterministic, hf_traffic *t) {
    search s = {.topo = deterministic};
    hf_multipath_of(deterministic, &s.net);
    s.words = hf_words(s.net.width);
    const size_t n = deterministic->n_terminal;
    HF_TRY(hf_scratch(cx, n * s.words, sizeof *s.front, (void **)&s.front));
    HF_TRY(hf_scratch(cx, n * s.words, sizeof *s.next, (void **)&s.next));
    HF_TRY(hf_scratch(cx, n, 1, (void **)&s.is_in));
    HF_TRY(hf_scratch(cx, n, 1, (void **)&s.trial));
    find_stage(&s);
    HF_TRY(hf_traffic_map(cx, t));
    map(&s, t->to);
    return HF_OK;
}

static hf_status fill(hf_context *cx, const hf_topology *topo, hf_traffic *t) {
    hf_multipath net;
    hf_topology *deterministic;
    char *spec;
    if (!hf_multipath_of(topo, &net)) {
        HF_FAIL(cx, HF_EINVAL, "traffic \"theorem-1\" is for multibutterfly and maximal-fanout; \"%s\" is neither", topo->spec);
    }
    HF_TRY(hf_scratch_print(cx, &spec, "maximal-fanout:radix=%u,dilation=%u,stages=%u", net.radix, net.dilation, net.n_stage));
    HF_TRY(hf_topology_new(cx, spec, &deterministic));
    const hf_status status = find(cx, deterministic, t);
    hf_topology_free(deterministic);
    return status;
}

const hf_traffic_kind hf_traffic_theorem_1 = {
    .name = "theorem-1",
    .summary = "The bad permutation of deterministic maximal-fanout networks: many endpoints to one class over few routers",
    .source = "chong1992, theorem 1",
    .params = hf_no_params,
    .fill = fill,
};
