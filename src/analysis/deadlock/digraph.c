/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs over resources: lists of edges both ways, levels, shortest cycles. */
#include <string.h>

#include <holdfast/bitset.h>

#include "src/analysis/deadlock/decide.h"

/* ---- making ---- */

/* Predecessors from successors, by counting. */
static hf_status turn(hf_context *cx, hf_digraph *g) {
    HF_TRY(hf_scratch(cx, (size_t)g->n + 2, sizeof *g->back_begin, (void **)&g->back_begin));
    HF_TRY(hf_scratch(cx, g->n_edge, sizeof *g->back, (void **)&g->back));
    uint32_t *next = g->back_begin + 1; /* one ahead: filling moves it into place */
    for (uint32_t e = 0; e < g->n_edge; e++) {
        next[g->to[e] + 1]++;
    }
    for (uint32_t v = 0; v < g->n; v++) {
        next[v + 1] += next[v];
    }
    for (uint32_t v = 0; v < g->n; v++) {
        for (uint32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
            g->back[next[g->to[e]]++] = v;
        }
    }
    return HF_OK;
}

static bool is_inside_ring(const uint32_t *ring_of, uint32_t a, uint32_t b) {
    return ring_of && ring_of[a] != HF_NONE && ring_of[a] == ring_of[b];
}

hf_status hf_digraph_of_dependency(hf_context *cx, const hf_dependency *d, const uint32_t *ring_of, hf_digraph *out) {
    const size_t words = d->words;
    uint64_t edges = 0;
    for (uint32_t r = 0; r < d->n_resource; r++) {
        edges += hf_bits_count(d->all + r * words, words);
    }
    if (edges >= HF_NONE) {
        HF_FAIL(cx, HF_ERANGE, "%llu dependencies are too many", (unsigned long long)edges);
    }
    *out = (hf_digraph){.n = d->n_resource};
    HF_TRY(hf_scratch(cx, (size_t)out->n + 1, sizeof *out->begin, (void **)&out->begin));
    HF_TRY(hf_scratch(cx, edges, sizeof *out->to, (void **)&out->to));
    for (uint32_t r = 0; r < d->n_resource; r++) {
        uint32_t slot = 0, q;
        out->begin[r] = out->n_edge;
        while ((q = hf_dependency_next(d, r, d->all + r * words, &slot)) != HF_NONE) {
            if (!is_inside_ring(ring_of, r, q)) {
                out->to[out->n_edge++] = q;
            }
        }
    }
    out->begin[out->n] = out->n_edge;
    return turn(cx, out);
}

hf_status hf_digraph_of_edges(hf_context *cx, uint32_t n, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                              hf_digraph *out) {
    *out = (hf_digraph){.n = n, .n_edge = n_edge};
    HF_TRY(hf_scratch(cx, (size_t)n + 2, sizeof *out->begin, (void **)&out->begin));
    HF_TRY(hf_scratch(cx, n_edge, sizeof *out->to, (void **)&out->to));
    uint32_t *next = out->begin + 1;
    for (uint32_t e = 0; e < n_edge; e++) {
        next[from[e] + 1]++;
    }
    for (uint32_t v = 0; v < n; v++) {
        next[v + 1] += next[v];
    }
    for (uint32_t e = 0; e < n_edge; e++) {
        out->to[next[from[e]]++] = to[e];
    }
    return turn(cx, out);
}

/* ---- levels ---- */

hf_status hf_digraph_levels(hf_context *cx, const hf_digraph *g, uint32_t *level, uint32_t *count) {
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *left, *queue, tail = 0;
    HF_TRY(hf_scratch(cx, g->n, sizeof *left, (void **)&left));
    HF_TRY(hf_scratch(cx, g->n, sizeof *queue, (void **)&queue));
    for (uint32_t v = 0; v < g->n; v++) {
        level[v] = HF_NONE;
        left[v] = g->begin[v + 1] - g->begin[v];
        if (left[v] == 0) {
            level[v] = 0;
            queue[tail++] = v;
        }
    }
    /* Vertices come in ascending level, so the last successor to come gives the level. */
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t v = queue[head];
        for (uint32_t e = g->back_begin[v]; e < g->back_begin[v + 1]; e++) {
            const uint32_t u = g->back[e];
            if (--left[u] == 0) {
                level[u] = level[v] + 1;
                queue[tail++] = u;
            }
        }
    }
    *count = tail;
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* ---- shortest cycle ---- */

typedef struct cycle_search {
    const hf_digraph *g;
    const uint64_t *among;
    uint32_t *parent, *depth, *stamp, *queue;
    uint32_t best; /* length so far */
} cycle_search;

static bool counts(const cycle_search *s, uint32_t v) { return !s->among || hf_bit_test(s->among, v); }

/* Breadth-first from `root` until it comes back or gets as deep as the best. \return the last vertex before root, or HF_NONE */
static uint32_t come_back(cycle_search *s, uint32_t root) {
    const hf_digraph *g = s->g;
    uint32_t tail = 0;
    s->queue[tail++] = root;
    s->stamp[root] = root + 1;
    s->depth[root] = 1;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t v = s->queue[head];
        if (s->depth[v] >= s->best) {
            return HF_NONE;
        }
        for (uint32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
            const uint32_t u = g->to[e];
            if (u == root) {
                return v;
            }
            if (s->stamp[u] != root + 1 && counts(s, u)) {
                s->stamp[u] = root + 1;
                s->depth[u] = s->depth[v] + 1;
                s->parent[u] = v;
                s->queue[tail++] = u;
            }
        }
    }
    return HF_NONE;
}

hf_status hf_digraph_shortest_cycle(hf_context *cx, const hf_digraph *g, const uint64_t *among, double limit_s, uint32_t **cycle,
                                    uint32_t *n_cycle) {
    cycle_search s = {.g = g, .among = among, .best = HF_NONE};
    uint32_t **const array[] = {&s.parent, &s.depth, &s.stamp, &s.queue};
    for (size_t i = 0; i < 4; i++) {
        HF_TRY(hf_scratch(cx, g->n, sizeof(uint32_t), (void **)array[i]));
    }
    HF_TRY(hf_scratch(cx, g->n, sizeof(uint32_t), (void **)cycle));
    const double start = hf_clock_s();
    *n_cycle = 0;
    for (uint32_t root = 0; root < g->n && s.best > 1; root++) {
        if ((root & 63) == 0 && (hf_context_stopped(cx) || hf_clock_s() - start > limit_s)) {
            *n_cycle = HF_NONE;
            return HF_OK;
        }
        const uint32_t last = counts(&s, root) && g->begin[root] < g->begin[root + 1] ? come_back(&s, root) : HF_NONE;
        if (last == HF_NONE) {
            continue;
        }
        s.best = *n_cycle = s.depth[last];
        for (uint32_t v = last, i = s.best; i-- > 0; v = s.parent[v]) {
            (*cycle)[i] = v;
        }
    }
    return HF_OK;
}
