/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What counts the ways over each edge: a flow counts those over edges of one fate, for those of its components that no way has
 *  needed before. So a way over several edges of a component is counted once, at the first. Where that depends on how a packet
 *  came to the edge, the component is marked. */
#include "src/analysis/tolerance/way_flows.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/grow.h"

enum { CHAIN_MAX = 32 }; /* fates of more components count as if ways needed them twice */

typedef struct kind_of_flow {
    uint32_t fate, first; /* a bit for each component of the fate */
    uint32_t next;        /* flow of the same fate */
} kind_of_flow;

typedef struct flows {
    hf_context *cx;
    hf_way_graphs *ways;
    size_t words;         /* of a set of components */
    uint64_t *may, *must; /* vertices of a destination: components that some, that all ways to it have needed */
    uint64_t *with;       /* scratch */
    uint32_t *of_fate;    /* first flow, 0: none */
    kind_of_flow *list;
    size_t room;
} flows;

static hf_status find_flow(flows *f, uint32_t fate, uint32_t first, uint32_t *out) {
    hf_way_graphs *ways = f->ways;
    uint32_t i = f->of_fate[fate];
    while (i && f->list[i].first != first) {
        i = f->list[i].next;
    }
    if (!i) {
        HF_GROW(f->cx, f->list, ways->n_flow, f->room);
        i = ways->n_flow++;
        f->list[i] = (kind_of_flow){fate, first, f->of_fate[fate]};
        f->of_fate[fate] = i;
    }
    *out = i;
    return HF_OK;
}

/* Which components of the edge's fate its ways need here for the first time. */
static uint32_t first_needed(const flows *f, const hf_way_edge *e, const uint64_t *may, const uint64_t *must) {
    const hf_way_graphs *ways = f->ways;
    uint32_t first = 0, place = 0;
    for (uint32_t i = e->fate; i; i = ways->fate[i].others, place++) {
        const uint32_t k = ways->fate[i].component;
        if (place >= CHAIN_MAX || (hf_bit_test(may, k) && !hf_bit_test(must, k))) {
            hf_bit_set(ways->again, k);
        } else if (!hf_bit_test(may, k)) {
            first |= UINT32_C(1) << place;
        }
    }
    return first;
}

/* What the ways to the head over this edge have needed. */
static void hand_on(const flows *f, const hf_way_edge *e, const uint64_t *may, const uint64_t *must, uint64_t *to_may,
                    uint64_t *to_must) {
    const hf_way_graphs *ways = f->ways;
    memcpy(f->with, must, f->words * sizeof *must);
    for (uint32_t i = e->fate; i; i = ways->fate[i].others) {
        hf_bit_set(f->with, ways->fate[i].component);
        hf_bit_set(to_may, ways->fate[i].component);
    }
    for (size_t w = 0; w < f->words; w++) {
        to_may[w] |= may[w];
        to_must[w] &= f->with[w];
    }
}

/* Vertices from those farthest up on. */
static hf_status find_flows_to(flows *f, uint32_t destination) {
    hf_way_graphs *ways = f->ways;
    const uint32_t begin = ways->begin[destination], end = ways->begin[destination + 1];
    memset(f->may, 0, (end - begin) * f->words * sizeof *f->may);
    memset(f->must, 0xff, (end - begin) * f->words * sizeof *f->must);
    for (uint32_t v = end; v-- > begin;) {
        const uint64_t *may = f->may + (v - begin) * f->words;
        uint64_t *must = f->must + (v - begin) * f->words;
        if (ways->source.begin[v] < ways->source.begin[v + 1]) {
            memset(must, 0, f->words * sizeof *must);
        }
        for (uint32_t i = ways->out[v]; i < ways->out[v + 1]; i++) {
            hf_way_edge *e = &ways->edge[i];
            const size_t head = (e->head - begin) * f->words;
            HF_TRY(e->fate ? find_flow(f, e->fate, first_needed(f, e, may, must), &e->flow) : HF_OK);
            hand_on(f, e, may, must, f->may + head, f->must + head);
        }
    }
    return HF_OK;
}

/* Call for each component that a flow counts. */
static void each_counted(const flows *f, uint32_t flow, void (*call)(hf_rows *rows, uint32_t component, uint32_t flow),
                         hf_rows *rows) {
    const hf_way_graphs *ways = f->ways;
    uint32_t place = 0;
    for (uint32_t i = f->list[flow].fate; i && place < CHAIN_MAX; i = ways->fate[i].others, place++) {
        const uint32_t k = ways->fate[i].component;
        if ((f->list[flow].first >> place & 1) && !hf_bit_test(ways->again, k)) {
            call(rows, k, flow);
        }
    }
}

static void count_counted(hf_rows *rows, uint32_t component, uint32_t flow) {
    (void)flow;
    hf_rows_count(rows, component);
}

static void put_counted(hf_rows *rows, uint32_t component, uint32_t flow) { hf_rows_put(rows, component, flow); }

static hf_status index_flows(const flows *f) {
    hf_way_graphs *ways = f->ways;
    HF_TRY(hf_rows_start(ways->cx, ways->universe->n_component, &ways->flow_of));
    for (uint32_t i = 1; i < ways->n_flow; i++) {
        each_counted(f, i, count_counted, &ways->flow_of);
    }
    HF_TRY(hf_rows_lay(ways->cx, &ways->flow_of));
    for (uint32_t i = 1; i < ways->n_flow; i++) {
        each_counted(f, i, put_counted, &ways->flow_of);
    }
    return HF_OK;
}

static hf_status find_all_flows(flows *f) {
    hf_way_graphs *ways = f->ways;
    const size_t room = (size_t)ways->vertex_most * f->words;
    HF_TRY(hf_scratch(f->cx, room, sizeof *f->may, (void **)&f->may));
    HF_TRY(hf_scratch(f->cx, room, sizeof *f->must, (void **)&f->must));
    HF_TRY(hf_scratch(f->cx, f->words, sizeof *f->with, (void **)&f->with));
    HF_TRY(hf_scratch(f->cx, ways->n_fate, sizeof *f->of_fate, (void **)&f->of_fate));
    HF_TRY(hf_scratch(ways->cx, f->words, sizeof *ways->again, (void **)&ways->again));
    ways->n_flow = 1; /* flow 0 is nobody's */
    for (uint32_t d = 0; d < f->ways->universe->topo->n_terminal; d++) {
        if (hf_context_stopped(f->cx)) {
            HF_FAIL(f->cx, HF_ESTOP, "stopped while reading the relation, at destination t%u", d);
        }
        HF_TRY(find_flows_to(f, d));
    }
    return index_flows(f);
}

hf_status hf_way_flows_find(hf_context *cx, hf_way_graphs *ways) {
    flows f = {.cx = cx, .ways = ways, .words = hf_words(ways->universe->n_component)};
    const hf_status status = find_all_flows(&f);
    hf_release(hf_context_allocator(cx), f.list);
    return status;
}
