/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Properties that theorems on multipath networks rest on, measured: how far the paths of a pair fan out, and to how many routers
 *  small sets of routers lead. Sets of routers of a class are bits. Source: [chong1992, 2]. */
#include <string.h>

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>

#include "src/topology/multistage/multipath.h"

typedef struct check {
    const hf_topology *topo;
    hf_multipath net;
    hf_wiring *out;
    uint64_t *front, *next; /**< routers of a stage, by their place in it */
    uint64_t *neighbour;    /**< of the routers of one class in one direction: rows of words */
    uint32_t words;
} check;

static uint32_t first_of(const check *c, uint32_t stage) { return stage * c->net.width; }
static uint32_t routers_of(const check *c, uint32_t stage) {
    return stage + 1 < c->net.n_stage ? c->net.width : c->net.width * c->net.dilation;
}

/* ---- fanout ---- */

/** The most routers that can be used, and how far the whole tree of paths fits. */
static void find_limits(check *c) {
    uint64_t tree = 1, n_class = 1;
    c->out->can_to = HF_NONE;
    for (uint32_t s = 0; s < c->net.n_stage; s++, n_class *= c->net.radix) {
        hf_wiring_stage *stage = &c->out->stage[s];
        tree = tree < UINT32_MAX ? tree * c->net.dilation : tree;
        stage->class_size = (uint32_t)(routers_of(c, s) / n_class);
        stage->most = tree < stage->class_size ? (uint32_t)tree : stage->class_size;
        stage->fanout_least = HF_NONE;
        if (tree <= stage->class_size && c->out->can_to + 1 == s) {
            c->out->can_to = s;
        }
    }
}

/** Routers of each class of a stage that an endpoint's paths reach. */
static void count_classes(const check *c, uint32_t s) {
    hf_wiring_stage *stage = &c->out->stage[s];
    for (uint32_t lo = 0; lo < routers_of(c, s); lo += stage->class_size) {
        uint32_t n = 0;
        for (uint32_t i = lo; i < lo + stage->class_size; i++) {
            n += hf_bit_test(c->front, i);
        }
        stage->fanout_least = n < stage->fanout_least ? n : stage->fanout_least;
        stage->fanout_most = n > stage->fanout_most ? n : stage->fanout_most;
    }
}

/** Mark in `set` the routers of stage s that the channels of a node lead to. */
static void mark_outputs(const check *c, uint32_t node, uint32_t s, uint64_t *set) {
    const hf_topology *topo = c->topo;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        hf_bit_set(set, topo->to[topo->out_list[i]] - first_of(c, s));
    }
}

static void follow(check *c, uint32_t terminal) {
    memset(c->front, 0, c->words * sizeof *c->front);
    mark_outputs(c, c->topo->n_switch + terminal, 0, c->front);
    count_classes(c, 0);
    for (uint32_t s = 0; s + 1 < c->net.n_stage; s++) {
        memset(c->next, 0, c->words * sizeof *c->next);
        for (uint32_t i = 0; i < routers_of(c, s); i++) {
            if (hf_bit_test(c->front, i)) {
                mark_outputs(c, first_of(c, s) + i, s + 1, c->next);
            }
        }
        uint64_t *const swap = c->front;
        c->front = c->next;
        c->next = swap;
        count_classes(c, s + 1);
    }
}

static void find_full(check *c) {
    uint64_t tree = c->net.dilation;
    c->out->full_to = HF_NONE;
    for (uint32_t s = 0; s < c->net.n_stage && c->out->stage[s].fanout_least == tree; s++, tree *= c->net.dilation) {
        c->out->full_to = s;
    }
}

/* ---- expansion ---- */

/** Neighbours of the routers of a class in direction j, as bits of the next class. */
static void find_neighbours(check *c, uint32_t s, uint32_t class, uint32_t j) {
    const hf_topology *topo = c->topo;
    const uint32_t size = c->out->stage[s].class_size, next = c->out->stage[s + 1].class_size;
    const uint32_t to = first_of(c, s + 1) + (class * c->net.radix + j) * next;
    const size_t words = hf_words(next);
    memset(c->neighbour, 0, size * words * sizeof *c->neighbour);
    for (uint32_t u = 0; u < size; u++) {
        const uint32_t v = first_of(c, s) + class * size + u;
        for (uint32_t x = 0; x < c->net.dilation; x++) {
            const uint32_t channel = topo->out_list[topo->out_begin[v] + j * c->net.dilation + x];
            hf_bit_set(c->neighbour + u * words, topo->to[channel] - to);
        }
    }
}

static void keep_least(uint32_t *least, uint64_t n) { *least = *least == 0 || n < *least ? (uint32_t)n : *least; }

/** Sets of one, two and three routers, each the union of the one before and a row. */
static void measure_sets(const check *c, uint32_t s, uint32_t *expansion) {
    const uint32_t size = c->out->stage[s].class_size;
    const size_t words = hf_words(c->out->stage[s + 1].class_size);
    const uint64_t *row = c->neighbour;
    uint64_t *pair = c->next;
    for (uint32_t a = 0; a < size; a++) {
        keep_least(&expansion[0], hf_bits_count(row + a * words, words));
        for (uint32_t b = a + 1; b < size; b++) {
            for (size_t w = 0; w < words; w++) {
                pair[w] = row[a * words + w] | row[b * words + w];
            }
            const uint64_t n_pair = hf_bits_count(pair, words);
            keep_least(&expansion[1], n_pair);
            for (uint32_t d = expansion[2] == 0 || n_pair < expansion[2] ? b + 1 : size; d < size; d++) {
                uint64_t n = 0;
                for (size_t w = 0; w < words; w++) {
                    n += (uint64_t)__builtin_popcountll(pair[w] | row[d * words + w]);
                }
                keep_least(&expansion[2], n);
            }
        }
    }
}

static hf_status measure_expansion(hf_context *cx, check *c) {
    for (uint32_t s = 0; s + 1 < c->net.n_stage; s++) {
        const uint32_t n_class = routers_of(c, s) / c->out->stage[s].class_size;
        for (uint32_t i = 0; i < n_class * c->net.radix; i++) {
            if (hf_context_stopped(cx)) {
                HF_FAIL(cx, HF_ESTOP, "stopped while measuring expansion, in stage %u", s);
            }
            find_neighbours(c, s, i / c->net.radix, i % c->net.radix);
            measure_sets(c, s, c->out->stage[s].expansion);
        }
    }
    return HF_OK;
}

/* ---- all together ---- */

static hf_status check_multipath(hf_context *cx, check *c) {
    const hf_topology *topo = c->topo;
    const uint32_t most = routers_of(c, c->net.n_stage - 1) > c->net.width ? routers_of(c, c->net.n_stage - 1) : c->net.width;
    c->words = (uint32_t)hf_words(most);
    HF_TRY(hf_scratch(cx, c->words, sizeof *c->front, (void **)&c->front));
    HF_TRY(hf_scratch(cx, c->words, sizeof *c->next, (void **)&c->next));
    HF_TRY(hf_scratch(cx, (size_t)c->net.width * c->words, sizeof *c->neighbour, (void **)&c->neighbour));
    find_limits(c);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        follow(c, t);
    }
    find_full(c);
    return measure_expansion(cx, c);
}

hf_status hf_wiring_check(hf_context *cx, const hf_topology *topo, hf_wiring *out) {
    check c = {.topo = topo, .out = out};
    hf_topology_figures figures;
    *out = (hf_wiring){.full_to = HF_NONE, .can_to = HF_NONE};
    HF_TRY(hf_topology_measure(cx, topo, &figures));
    out->is_connected = figures.is_strongly_connected;
    if (!hf_multipath_of(topo, &c.net)) {
        return HF_OK;
    }
    out->n_stage = c.net.n_stage;
    HF_TRY(hf_scratch(cx, c.net.n_stage, sizeof *out->stage, (void **)&out->stage));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = check_multipath(cx, &c);
    hf_scratch_reset(cx, mark);
    return status;
}
