/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways as bits: the graphs are followed from every source to the destination, way by way. */
#include "src/analysis/tolerance/way_sets.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/grow.h"

bool hf_way_sets_pay(const hf_way_graphs *ways) {
    const uint32_t m = ways->universe->n_component;
    if (!ways->has_counts || (double)ways->n_way / 8 * m > (double)HF_WAY_SETS_MIB * (1 << 20)) {
        return false;
    }
    const bool has_gaps = hf_bits_next(ways->again, m, 0) < m;
    return ways->n_way <= (has_gaps ? HF_WAY_SETS_MANY : HF_WAY_SETS_FEW);
}

/* A way that is being followed: the edges from the source on, and how often each has been taken. */
typedef struct place {
    uint32_t edge, times;
} place;

typedef struct follower {
    const hf_way_graphs *ways;
    hf_way_sets *sets;
    size_t n; /* ways that are done */
    place *at;
    size_t depth, room;
} follower;

static void note_way(follower *f) {
    const hf_way_graphs *ways = f->ways;
    for (size_t i = 0; i < f->depth; i++) {
        for (uint32_t k = ways->edge[f->at[i].edge].fate; k; k = ways->fate[k].others) {
            hf_bit_set(f->sets->needs + ways->fate[k].component * f->sets->words, f->n);
        }
    }
    f->n++;
}

/* Go on to the next way: the same edge once more, or the next one of its tail, or of one before it. */
static void step_on(follower *f) {
    const hf_way_graphs *ways = f->ways;
    while (f->depth > 0) {
        place *p = &f->at[f->depth - 1];
        if (++p->times < ways->edge[p->edge].times) {
            return;
        }
        const uint32_t tail = ways->edge[p->edge].tail;
        p->times = 0;
        if (++p->edge < ways->out[tail + 1]) {
            return;
        }
        f->depth--;
    }
}

static hf_status follow(hf_context *cx, follower *f, uint32_t vertex) {
    const hf_way_graphs *ways = f->ways;
    const uint32_t goal = ways->begin[ways->goal[vertex]];
    uint32_t v = vertex;
    do {
        while (v != goal) {
            HF_GROW(cx, f->at, f->depth, f->room);
            f->at[f->depth++] = (place){ways->out[v], 0};
            v = ways->edge[ways->out[v]].head;
        }
        note_way(f);
        step_on(f);
        v = f->depth > 0 ? ways->edge[f->at[f->depth - 1].edge].head : v;
    } while (f->depth > 0);
    return HF_OK;
}

hf_status hf_way_sets_make(hf_context *cx, const hf_way_graphs *ways, hf_way_sets *out) {
    follower f = {.ways = ways, .sets = out};
    hf_status status = HF_OK;
    out->words = hf_words((size_t)ways->n_way);
    HF_TRY(hf_scratch(cx, ways->universe->n_component * out->words, sizeof *out->needs, (void **)&out->needs));
    for (uint32_t v = 0; v < ways->n_vertex && status == HF_OK; v++) {
        for (uint32_t i = ways->source.begin[v]; i < ways->source.begin[v + 1] && status == HF_OK; i++) {
            status = follow(cx, &f, v);
        }
    }
    hf_release(hf_context_allocator(cx), f.at);
    return status;
}

/* ---- the stack ---- */

static const uint64_t *row_of(const hf_way_stack *s, uint32_t component) { return s->sets->needs + component * s->sets->words; }

static const uint64_t *top_of(const hf_way_stack *s) { return s->depth > 0 ? s->lost + (s->depth - 1) * s->sets->words : NULL; }

hf_status hf_way_stack_push(hf_context *cx, hf_way_stack *s, uint32_t component) {
    const size_t words = s->sets->words;
    if (s->depth == s->room) {
        HF_TRY(hf_resize(cx, (2 * s->room + 4) * words, sizeof *s->lost, (void **)&s->lost));
        s->room = 2 * s->room + 4;
    }
    uint64_t *next = s->lost + s->depth * words;
    memcpy(next, row_of(s, component), words * sizeof *next);
    if (s->depth++ > 0) {
        (void)hf_bits_or(next, next - words, words);
    }
    return HF_OK;
}

uint64_t hf_way_stack_lost(const hf_way_stack *s) { return s->depth > 0 ? hf_bits_count(top_of(s), s->sets->words) : 0; }

void hf_way_stack_lost_with(const hf_way_stack *s, uint32_t lo, uint32_t hi, uint64_t *lost) {
    hf_bits_count_joined(row_of(s, lo), hi - lo, top_of(s), s->sets->words, lost);
}
