/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Intervals of sources behind the edges of trees, and unions of them: two of one tree are nested or apart. */
#include "src/analysis/tolerance/way_trees.h"

#include "src/core/grow.h"

/* ---- trees ---- */

bool hf_way_trees_fit(const hf_way_graphs *ways) {
    bool fits = ways->has_counts;
    for (uint32_t v = 0; v < ways->n_vertex && fits; v++) {
        const uint32_t n = ways->out[v + 1] - ways->out[v];
        fits = n == 0 || (n == 1 && ways->edge[ways->out[v]].times == 1);
    }
    return fits;
}

/* Sources whose way comes by each vertex; what leads to a vertex has a higher number. */
static void count_sources(const hf_way_graphs *ways, uint32_t *size) {
    for (uint32_t v = ways->n_vertex; v-- > 0;) {
        size[v] += ways->source.begin[v + 1] - ways->source.begin[v];
        if (ways->out[v] < ways->out[v + 1]) {
            size[ways->edge[ways->out[v]].head] += size[v];
        }
    }
}

/* A vertex takes its place behind those that lead to the same vertex and came before. \param[in,out] taken n_vertex zeros */
static void place_vertices(const hf_way_graphs *ways, const uint32_t *size, uint32_t *taken, uint32_t *first) {
    for (uint32_t v = 0; v < ways->n_vertex; v++) {
        first[v] = 0;
        if (ways->out[v] < ways->out[v + 1]) {
            const uint32_t head = ways->edge[ways->out[v]].head;
            first[v] = first[head] + taken[head];
            taken[head] += size[v];
        }
    }
}

hf_status hf_way_trees_make(hf_context *cx, const hf_way_graphs *ways, hf_way_span **span) {
    const uint32_t n = ways->edge_of.begin[ways->universe->n_component];
    uint32_t *size, *taken, *first;
    HF_TRY(hf_scratch(ways->cx, (size_t)n + 1, sizeof **span, (void **)span));
    HF_TRY(hf_scratch(cx, (size_t)ways->n_vertex + 1, sizeof *size, (void **)&size));
    HF_TRY(hf_scratch(cx, (size_t)ways->n_vertex + 1, sizeof *taken, (void **)&taken));
    HF_TRY(hf_scratch(cx, (size_t)ways->n_vertex + 1, sizeof *first, (void **)&first));
    count_sources(ways, size);
    place_vertices(ways, size, taken, first);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t tail = ways->edge[ways->edge_of.item[i]].tail;
        (*span)[i] = (hf_way_span){ways->goal[tail], first[tail], size[tail]};
    }
    return HF_OK;
}

/* ---- unions ---- */

typedef struct entry {
    uint32_t first, size; /* size 0: inside of another */
    uint32_t next;        /* of the same destination, + 1; 0: none */
} entry;

struct hf_way_union {
    hf_allocator allocator;
    const hf_way_graphs *ways;
    uint32_t *head; /* n_terminal: entries of a destination, + 1; 0: none */
    entry *list;
    size_t n, room;
};

hf_status hf_way_union_new(hf_context *cx, const hf_way_graphs *ways, hf_way_union **out) {
    hf_way_union *u;
    HF_TRY(hf_allocate(cx, 1, sizeof *u, (void **)&u));
    *u = (hf_way_union){.allocator = *hf_context_allocator(cx), .ways = ways};
    const hf_status status = hf_allocate(cx, ways->universe->topo->n_terminal, sizeof *u->head, (void **)&u->head);
    if (status != HF_OK) {
        hf_way_union_free(u);
        return status;
    }
    *out = u;
    return HF_OK;
}

void hf_way_union_free(hf_way_union *u) {
    if (u) {
        const hf_allocator allocator = u->allocator;
        hf_release(&allocator, u->head);
        hf_release(&allocator, u->list);
        hf_release(&allocator, u);
    }
}

/* \return sources that no interval held before */
static uint64_t add_span(hf_way_union *u, const hf_way_span *s) {
    uint32_t inside = 0;
    for (uint32_t i = u->head[s->destination]; i; i = u->list[i - 1].next) {
        entry *e = &u->list[i - 1];
        if (s->first >= e->first && s->first + s->size <= e->first + e->size) {
            return 0;
        }
        if (e->first >= s->first && e->first + e->size <= s->first + s->size) {
            inside += e->size;
            e->size = 0;
        }
    }
    u->list[u->n] = (entry){s->first, s->size, u->head[s->destination]};
    u->head[s->destination] = (uint32_t)++u->n;
    return s->size - inside;
}

static hf_status add_component(hf_context *cx, hf_way_union *u, uint32_t component, uint64_t *lost) {
    const uint32_t *begin = u->ways->edge_of.begin;
    for (uint32_t i = begin[component]; i < begin[component + 1]; i++) {
        HF_GROW(cx, u->list, u->n, u->room);
        *lost += u->ways->span[i].size > 0 ? add_span(u, &u->ways->span[i]) : 0;
    }
    return HF_OK;
}

static void forget(hf_way_union *u, uint32_t component) {
    const uint32_t *begin = u->ways->edge_of.begin;
    for (uint32_t i = begin[component]; i < begin[component + 1]; i++) {
        u->head[u->ways->span[i].destination] = 0;
    }
}

hf_status hf_way_union_lost(hf_context *cx, hf_way_union *u, const uint32_t *component, uint32_t n, uint64_t *lost) {
    hf_status status = HF_OK;
    *lost = 0;
    u->n = 0;
    for (uint32_t i = 0; i < n && status == HF_OK; i++) {
        status = add_component(cx, u, component[i], lost);
    }
    for (uint32_t i = 0; i < n; i++) {
        forget(u, component[i]);
    }
    return status;
}
