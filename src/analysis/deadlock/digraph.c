/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Graphs over resources: lists of edges both ways, levels, shortest cycles. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"

/* ---- making ---- */

/* Predecessors from successors. */
static hf_status turn(hf_context *cx, hf_digraph *g) { return hf_rows_turn(cx, &g->out, g->n, &g->back); }

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
    HF_TRY(hf_rows_start(cx, out->n, &out->out));
    HF_TRY(hf_scratch(cx, edges, sizeof *out->out.item, (void **)&out->out.item));
    for (uint32_t r = 0; r < d->n_resource; r++) {
        uint32_t slot = 0, q;
        out->out.begin[r] = out->n_edge;
        while ((q = hf_dependency_next(d, r, d->all + r * words, &slot)) != HF_NONE) {
            if (!is_inside_ring(ring_of, r, q)) {
                out->out.item[out->n_edge++] = q;
            }
        }
    }
    out->out.begin[out->n] = out->n_edge;
    return turn(cx, out);
}

hf_status hf_digraph_of_edges(hf_context *cx, uint32_t n, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                              hf_digraph *out) {
    *out = (hf_digraph){.n = n, .n_edge = n_edge};
    HF_TRY(hf_rows_start(cx, n, &out->out));
    for (uint32_t e = 0; e < n_edge; e++) {
        hf_rows_count(&out->out, from[e]);
    }
    HF_TRY(hf_rows_lay(cx, &out->out));
    for (uint32_t e = 0; e < n_edge; e++) {
        hf_rows_put(&out->out, from[e], to[e]);
    }
    return turn(cx, out);
}

/* ---- levels ---- */

typedef struct levelling {
    uint32_t *left, *level; /* successors that have no level yet */
} levelling;

/* Vertices come in ascending level, so the last successor to come gives the level. */
static hf_step enter_level(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    (void)arc;
    const levelling *l = user;
    if (--l->left[to] > 0) {
        return HF_STEP_PASS;
    }
    l->level[to] = l->level[from] + 1;
    return HF_STEP_ENTER;
}

hf_status hf_digraph_levels(hf_context *cx, const hf_digraph *g, uint32_t *level, uint32_t *count) {
    const hf_mark mark = hf_scratch_mark(cx);
    levelling l = {.level = level};
    uint32_t *queue, tail = 0;
    HF_TRY(hf_scratch(cx, g->n, sizeof *l.left, (void **)&l.left));
    HF_TRY(hf_scratch(cx, g->n, sizeof *queue, (void **)&queue));
    for (uint32_t v = 0; v < g->n; v++) {
        level[v] = HF_NONE;
        l.left[v] = g->out.begin[v + 1] - g->out.begin[v];
        if (l.left[v] == 0) {
            level[v] = 0;
            queue[tail++] = v;
        }
    }
    *count = hf_breadth_first(hf_rows_arcs(&g->back), queue, tail, enter_level, &l);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* ---- shortest cycle ---- */

typedef struct cycle_search {
    const uint64_t *among;
    uint32_t *part; /* vertices that lead to one another have the same; HF_NONE: not among them */
    uint32_t *parent, *depth, *stamp, *queue;
    uint32_t root, last; /* of the cycle, HF_NONE: none found */
    uint32_t best;       /* length so far */
} cycle_search;

static bool counts(const cycle_search *s, uint32_t v) { return !s->among || hf_bit_test(s->among, v); }

/* Vertices as a depth-first search leaves them. \param[out] order in `depth`; \return how many */
static uint32_t list_by_end(cycle_search *s, const hf_digraph *g) {
    const uint32_t *begin = g->out.begin;
    uint32_t *next = s->parent, *stack = s->queue, n = 0;
    memset(next, 0xff, g->n * sizeof *next); /* HF_NONE: not seen */
    for (uint32_t root = 0; root < g->n; root++) {
        uint32_t depth = 0;
        if (counts(s, root) && next[root] == HF_NONE) {
            next[root] = begin[root];
            stack[depth++] = root;
        }
        while (depth > 0) {
            const uint32_t v = stack[depth - 1], to = next[v] < begin[v + 1] ? g->out.item[next[v]++] : HF_NONE;
            if (to == HF_NONE) {
                s->depth[n++] = v;
                depth--;
            } else if (counts(s, to) && next[to] == HF_NONE) {
                next[to] = begin[to];
                stack[depth++] = to;
            }
        }
    }
    return n;
}

/* A cycle stays among vertices that lead to one another: what leads to the one that was left last, and has no part yet. */
static void find_parts(cycle_search *s, const hf_digraph *g) {
    uint32_t *stack = s->queue;
    memset(s->part, 0xff, g->n * sizeof *s->part);
    for (uint32_t i = list_by_end(s, g); i-- > 0;) {
        const uint32_t last = s->depth[i];
        uint32_t depth = 0;
        if (s->part[last] == HF_NONE) {
            s->part[last] = last;
            stack[depth++] = last;
        }
        while (depth > 0) {
            const uint32_t v = stack[--depth];
            for (uint32_t k = g->back.begin[v]; k < g->back.begin[v + 1]; k++) {
                const uint32_t from = g->back.item[k];
                if (counts(s, from) && s->part[from] == HF_NONE) {
                    s->part[from] = last;
                    stack[depth++] = from;
                }
            }
        }
    }
}

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    (void)arc;
    cycle_search *s = user;
    if (s->depth[from] >= s->best) {
        return HF_STEP_HALT;
    }
    if (to == s->root) {
        s->last = from;
        return HF_STEP_HALT;
    }
    /* Through a vertex below the root leads no shorter cycle than the best: the search from there would have found it. */
    if (to < s->root || s->stamp[to] == s->root + 1 || s->part[to] != s->part[s->root]) {
        return HF_STEP_PASS;
    }
    s->stamp[to] = s->root + 1;
    s->depth[to] = s->depth[from] + 1;
    s->parent[to] = from;
    return HF_STEP_ENTER;
}

/* From `root` until it comes back or gets as deep as the best. */
static void come_back(cycle_search *s, const hf_digraph *g, uint32_t root) {
    s->root = root;
    s->last = HF_NONE;
    s->queue[0] = root;
    s->stamp[root] = root + 1;
    s->depth[root] = 1;
    if (counts(s, root)) {
        (void)hf_breadth_first(hf_rows_arcs(&g->out), s->queue, 1, enter, s);
    }
}

hf_status hf_digraph_shortest_cycle(hf_context *cx, const hf_digraph *g, const uint64_t *among, double limit_s, uint32_t **cycle,
                                    uint32_t *n_cycle) {
    cycle_search s = {.among = among, .best = HF_NONE};
    uint32_t **const array[] = {&s.part, &s.parent, &s.depth, &s.stamp, &s.queue};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        HF_TRY(hf_scratch(cx, g->n, sizeof(uint32_t), (void **)array[i]));
    }
    HF_TRY(hf_scratch(cx, g->n, sizeof(uint32_t), (void **)cycle));
    const double start = hf_clock_s();
    *n_cycle = 0;
    find_parts(&s, g);
    for (uint32_t root = 0; root < g->n && s.best > 1; root++) {
        if ((root & 63) == 0 && (hf_context_stopped(cx) || hf_clock_s() - start > limit_s)) {
            *n_cycle = HF_NONE;
            return HF_OK;
        }
        come_back(&s, g, root);
        if (s.last == HF_NONE) {
            continue;
        }
        s.best = *n_cycle = s.depth[s.last];
        for (uint32_t v = s.last, i = s.best; i-- > 0; v = s.parent[v]) {
            (*cycle)[i] = v;
        }
    }
    return HF_OK;
}
