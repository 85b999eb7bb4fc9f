/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways over edges of graphs that lose edges. A component takes its edges out of a destination's graph all at once: first what
 *  leads on from the vertices before them changes, from the edges back, then what comes to those behind them, from the edges
 *  on. The ways over an edge are those to its tail times those from its head; so each edge that one of the two changes for
 *  changes its flow once for each. Written once, compiled for numbers of 64 and of 128 bits. */
#include "src/analysis/tolerance/flows.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/grow.h"

#define KERNEL static inline __attribute__((always_inline))

/* A level of the stack: where its entries begin, and what was lost below it. */
struct hf_flow_level {
    uint32_t component;
    size_t first;
    hf_u128 lost;
};
/* A number that a level has changed. */
struct hf_flow_entry {
    uint32_t vertex;
    bool is_up;
    hf_u128 was;
};

KERNEL hf_u128 get(const void *list, size_t i, bool is_wide) {
    return is_wide ? ((const hf_u128 *)list)[i] : ((const uint64_t *)list)[i];
}

KERNEL void set(void *list, size_t i, hf_u128 value, bool is_wide) {
    if (is_wide) {
        ((hf_u128 *)list)[i] = value;
    } else {
        ((uint64_t *)list)[i] = (uint64_t)value;
    }
}

KERNEL void add(void *list, size_t i, hf_u128 more, bool is_wide) { set(list, i, get(list, i, is_wide) + more, is_wide); }

KERNEL hf_u128 cut(hf_u128 value, bool is_wide) { return is_wide ? value : (uint64_t)value; }

/* ---- without faults ---- */

KERNEL void count_ways(hf_flows *f, bool is_wide) {
    const hf_way_graphs *ways = f->ways;
    for (uint32_t v = 0; v < ways->n_vertex; v++) {
        hf_u128 sum = v == ways->begin[ways->goal[v]];
        for (uint32_t e = ways->out[v]; e < ways->out[v + 1]; e++) {
            sum += ways->edge[e].times * get(f->below, ways->edge[e].head, is_wide);
        }
        set(f->below, v, sum, is_wide);
        set(f->up, v, ways->source.begin[v + 1] - ways->source.begin[v], is_wide);
    }
    for (uint32_t v = ways->n_vertex; v-- > 0;) {
        for (uint32_t i = ways->out[v]; i < ways->out[v + 1]; i++) {
            const hf_way_edge *e = &ways->edge[i];
            const hf_u128 to_it = cut(e->times * get(f->up, v, is_wide), is_wide);
            add(f->up, e->head, to_it, is_wide);
            add(f->flow, e->flow, to_it * get(f->below, e->head, is_wide), is_wide);
        }
    }
}

/* ---- a component is taken out ---- */

KERNEL void note(hf_flows *f, uint32_t vertex, bool is_up, hf_u128 was) {
    f->entry[f->n_entry++] = (struct hf_flow_entry){vertex, is_up, was};
}

/* Edges of one destination leave: what their ends lose is to be done. \return vertices to do before, and behind the edges */
KERNEL void cut_edges(hf_flows *f, const uint32_t *list, uint32_t n, uint32_t base, size_t *open_below, size_t *open_up,
                      bool is_wide) {
    *open_below = *open_up = 0;
    for (uint32_t i = 0; i < n; i++) {
        const hf_way_edge *e = &f->ways->edge[list[i]];
        if (f->dead[e->fate] > 1) {
            continue; /* another component has taken it out */
        }
        const uint32_t tail = e->tail - base, head = e->head - base;
        const hf_u128 from_it = cut(e->times * get(f->below, e->head, is_wide), is_wide),
                      to_it = cut(e->times * get(f->up, e->tail, is_wide), is_wide);
        add(f->flow, e->flow, -(get(f->up, e->tail, is_wide) * from_it), is_wide);
        if (from_it) {
            add(f->more_below, tail, -from_it, is_wide);
            *open_below += !hf_bit_test(f->todo_below, tail);
            hf_bit_set(f->todo_below, tail);
        }
        if (to_it) {
            add(f->more_up, head, -to_it, is_wide);
            *open_up += !hf_bit_test(f->todo_up, head);
            hf_bit_set(f->todo_up, head);
        }
    }
}

/* Vertices from `first` on; what leads to them has higher numbers. */
KERNEL void go_back(hf_flows *f, uint32_t base, uint32_t first, size_t open, bool is_wide) {
    const hf_way_graphs *ways = f->ways;
    const uint32_t *dead = f->dead;
    const void *up = f->up;
    void *flow = f->flow, *more = f->more_below;
    uint64_t *todo = f->todo_below;
    for (size_t w = first >> 6; open > 0; w++) {
        while (todo[w]) {
            const uint32_t v = (uint32_t)(w << 6) + (uint32_t)__builtin_ctzll(todo[w]), vertex = base + v;
            const hf_u128 by = get(more, v, is_wide), was = get(f->below, vertex, is_wide);
            todo[w] &= todo[w] - 1;
            open--;
            set(more, v, 0, is_wide);
            if (!by) {
                continue;
            }
            note(f, vertex, false, was);
            set(f->below, vertex, was + by, is_wide);
            f->lost = cut(f->lost - (ways->source.begin[vertex + 1] - ways->source.begin[vertex]) * by, is_wide);
            const hf_way_edge *end = ways->in + ways->in_begin[vertex + 1];
            for (const hf_way_edge *e = ways->in + ways->in_begin[vertex]; e < end; e++) {
                if (dead[e->fate]) {
                    continue;
                }
                const uint32_t tail = e->tail - base;
                const hf_u128 step = cut(e->times * by, is_wide);
                add(flow, e->flow, get(up, e->tail, is_wide) * step, is_wide);
                add(more, tail, step, is_wide);
                open += !hf_bit_test(todo, tail);
                hf_bit_set(todo, tail);
            }
        }
    }
}

/* Vertices from `last` down; those that they lead to have lower numbers. */
KERNEL void go_on(hf_flows *f, uint32_t base, uint32_t last, size_t open, bool is_wide) {
    const hf_way_graphs *ways = f->ways;
    const uint32_t *dead = f->dead;
    const void *below = f->below;
    void *flow = f->flow, *more = f->more_up;
    uint64_t *todo = f->todo_up;
    for (size_t w = last >> 6; open > 0; w--) {
        while (todo[w]) {
            const uint32_t v = (uint32_t)(w << 6) + 63 - (uint32_t)__builtin_clzll(todo[w]), vertex = base + v;
            const hf_u128 by = get(more, v, is_wide), was = get(f->up, vertex, is_wide);
            hf_bit_clear(todo, v);
            open--;
            set(more, v, 0, is_wide);
            if (!by) {
                continue;
            }
            note(f, vertex, true, was);
            set(f->up, vertex, was + by, is_wide);
            const hf_way_edge *end = ways->edge + ways->out[vertex + 1];
            for (const hf_way_edge *e = ways->edge + ways->out[vertex]; e < end; e++) {
                if (dead[e->fate]) {
                    continue;
                }
                const uint32_t head = e->head - base;
                const hf_u128 step = cut(e->times * by, is_wide);
                add(flow, e->flow, get(below, e->head, is_wide) * step, is_wide);
                add(more, head, step, is_wide);
                open += !hf_bit_test(todo, head);
                hf_bit_set(todo, head);
            }
        }
    }
}

/* Edges of one destination, ascending, and so are their tails. */
KERNEL void cut_destination(hf_flows *f, const uint32_t *list, uint32_t n, bool is_wide) {
    const hf_way_graphs *ways = f->ways;
    const uint32_t base = ways->begin[ways->goal[ways->edge[list[0]].tail]];
    uint32_t last = 0;
    size_t open_below, open_up;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t head = ways->edge[list[i]].head - base;
        last = head > last ? head : last;
    }
    cut_edges(f, list, n, base, &open_below, &open_up, is_wide);
    go_back(f, base, ways->edge[list[0]].tail - base, open_below, is_wide);
    go_on(f, base, last, open_up, is_wide);
}

static void cut_narrow(hf_flows *f, const uint32_t *list, uint32_t n) { cut_destination(f, list, n, false); }
static void cut_wide(hf_flows *f, const uint32_t *list, uint32_t n) { cut_destination(f, list, n, true); }

/* ---- the stack ---- */

static size_t number_size(const hf_flows *f) { return f->is_wide ? sizeof(hf_u128) : sizeof(uint64_t); }

static hf_status begin_level(hf_context *cx, hf_flows *f, uint32_t component) {
    const size_t bytes = f->ways->n_flow * number_size(f);
    HF_RESERVE(cx, f->level, f->depth + 1, f->level_room);
    HF_TRY(hf_reserve_heap(cx, (f->depth + 1) * bytes, 1, &f->kept, &f->kept_room));
    f->level[f->depth] = (struct hf_flow_level){component, f->n_entry, f->lost};
    memcpy((char *)f->kept + f->depth * bytes, f->flow, bytes);
    f->depth++;
    return HF_OK;
}

static void change_fates(hf_flows *f, uint32_t component, uint32_t by) {
    const hf_rows *rows = &f->ways->fate_of;
    for (uint32_t i = rows->begin[component]; i < rows->begin[component + 1]; i++) {
        f->dead[rows->item[i]] += by;
    }
}

hf_status hf_flows_push(hf_context *cx, hf_flows *f, uint32_t component) {
    const hf_way_graphs *ways = f->ways;
    const hf_rows *edges = &ways->edge_of;
    HF_TRY(begin_level(cx, f, component));
    change_fates(f, component, 1);
    for (uint32_t i = edges->begin[component], end = edges->begin[component + 1]; i < end;) {
        const uint32_t d = ways->goal[ways->edge[edges->item[i]].tail], begin = i;
        while (i < end && ways->edge[edges->item[i]].tail < ways->begin[d + 1]) {
            i++;
        }
        const size_t most = 2 * (size_t)(ways->begin[d + 1] - ways->begin[d]);
        const hf_status status = hf_reserve_heap(cx, f->n_entry + most, sizeof *f->entry, (void **)&f->entry, &f->entry_room);
        if (status != HF_OK) {
            hf_flows_pop(f);
            return status;
        }
        (f->is_wide ? cut_wide : cut_narrow)(f, edges->item + begin, i - begin);
    }
    return HF_OK;
}

void hf_flows_pop(hf_flows *f) {
    const struct hf_flow_level level = f->level[--f->depth];
    const size_t bytes = f->ways->n_flow * number_size(f);
    while (f->n_entry > level.first) {
        const struct hf_flow_entry *e = &f->entry[--f->n_entry];
        set(e->is_up ? f->up : f->below, e->vertex, e->was, f->is_wide);
    }
    memcpy(f->flow, (const char *)f->kept + f->depth * bytes, bytes);
    f->lost = level.lost;
    change_fates(f, level.component, UINT32_MAX);
}

hf_u128 hf_flows_lost(const hf_flows *f) { return f->lost; }

/* ---- making ---- */

static hf_status allocate(hf_context *cx, hf_flows *f) {
    const hf_way_graphs *ways = f->ways;
    const size_t size = number_size(f), most = ways->vertex_most;
    HF_TRY(hf_allocate(cx, ways->n_fate, sizeof *f->dead, (void **)&f->dead));
    HF_TRY(hf_allocate(cx, ways->n_vertex, size, &f->up));
    HF_TRY(hf_allocate(cx, ways->n_vertex, size, &f->below));
    HF_TRY(hf_allocate(cx, ways->n_flow, size, &f->flow));
    HF_TRY(hf_allocate(cx, most, size, &f->more_up));
    HF_TRY(hf_allocate(cx, most, size, &f->more_below));
    HF_TRY(hf_allocate(cx, hf_words(most), sizeof *f->todo_up, (void **)&f->todo_up));
    return hf_allocate(cx, hf_words(most), sizeof *f->todo_below, (void **)&f->todo_below);
}

hf_status hf_flows_new(hf_context *cx, const hf_way_graphs *ways, hf_flows **out) {
    hf_flows *f;
    HF_TRY(hf_allocate(cx, 1, sizeof *f, (void **)&f));
    *f = (hf_flows){.ways = ways, .allocator = *hf_context_allocator(cx), .is_wide = ways->n_way > UINT64_MAX};
    const hf_status status = allocate(cx, f);
    if (status != HF_OK) {
        hf_flows_free(f);
        return status;
    }
    if (f->is_wide) {
        count_ways(f, true);
    } else {
        count_ways(f, false);
    }
    *out = f;
    return HF_OK;
}

void hf_flows_free(hf_flows *f) {
    if (!f) {
        return;
    }
    const hf_allocator allocator = f->allocator;
    void *const block[] = {f->dead,    f->up,         f->below, f->flow,  f->more_up, f->more_below,
                           f->todo_up, f->todo_below, f->level, f->entry, f->kept,    f};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}
