/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A switch reaches what the ends of its healthy channels reach. Where the channels have an order, one pass along it is enough.
 *  */
#include "src/analysis/tolerance/reach.h"

#include <holdfast/core/bitset.h>
#include <string.h>

#include "src/topology/search.h"

enum { MEMORY_LIMIT_MIB = 256 };

struct hf_reach {
    hf_allocator allocator;
    const hf_topology *topo;
    size_t words;
    bool has_order;
    uint32_t *order; /* n_switch: switches, each behind those that its channels lead to where that is possible */
    uint64_t *row;   /* n_switch + 1 rows of terminals; the last one is scratch */
};

/* ---- the order ---- */

typedef struct ordering {
    const hf_topology *topo;
    uint32_t *pending; /* n_switch: channels to switches that are not in the order yet */
} ordering;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    (void)from;
    (void)arc;
    const ordering *o = user;
    return !hf_topology_is_terminal(o->topo, to) && --o->pending[to] == 0;
}

/* What stands on a cycle, or before one, comes last, by number. */
static void append_others(hf_reach *reach, const uint32_t *pending, uint32_t n) {
    reach->has_order = n == reach->topo->n_switch;
    for (uint32_t v = 0; v < reach->topo->n_switch && !reach->has_order; v++) {
        if (pending[v] > 0) {
            reach->order[n++] = v;
        }
    }
}

static hf_status find_order(hf_context *cx, hf_reach *reach) {
    const hf_topology *topo = reach->topo;
    ordering o = {.topo = topo};
    uint32_t n = 0;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *o.pending, (void **)&o.pending));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (!hf_topology_is_terminal(topo, topo->from[c]) && !hf_topology_is_terminal(topo, topo->to[c])) {
            o.pending[topo->from[c]]++;
        }
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (o.pending[v] == 0) {
            reach->order[n++] = v;
        }
    }
    append_others(reach, o.pending, hf_breadth_first(hf_channels(topo, true), reach->order, n, enter, &o));
    return HF_OK;
}

/* ---- making ---- */

static hf_status fill(hf_context *cx, hf_reach *reach) {
    const hf_topology *topo = reach->topo;
    HF_TRY(hf_allocate(cx, topo->n_switch, sizeof *reach->order, (void **)&reach->order));
    HF_TRY(hf_allocate(cx, (topo->n_switch + (size_t)1) * reach->words, sizeof *reach->row, (void **)&reach->row));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = find_order(cx, reach);
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_reach_new(hf_context *cx, const hf_topology *topo, hf_reach **out) {
    const size_t words = hf_words(topo->n_terminal);
    hf_reach *reach;
    if (topo->n_switch * (uint64_t)words * sizeof *reach->row > (uint64_t)MEMORY_LIMIT_MIB << 20) {
        HF_FAIL(cx, HF_ENOTSUP, "\"%s\" is too large for rows of terminals", topo->spec);
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *reach, (void **)&reach));
    *reach = (hf_reach){.allocator = *hf_context_allocator(cx), .topo = topo, .words = words};
    const hf_status status = fill(cx, reach);
    if (status != HF_OK) {
        hf_reach_free(reach);
        return status;
    }
    *out = reach;
    return HF_OK;
}

void hf_reach_free(hf_reach *reach) {
    if (!reach) {
        return;
    }
    const hf_allocator allocator = reach->allocator;
    hf_release(&allocator, reach->order);
    hf_release(&allocator, reach->row);
    hf_release(&allocator, reach);
}

/* ---- reading ---- */

/* What the healthy channels of a node lead to, added to a row. */
static void gather(const hf_reach *reach, const uint16_t *failed, uint32_t node, uint64_t *row) {
    const hf_topology *topo = reach->topo;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (failed[c]) {
            continue;
        }
        if (hf_topology_is_terminal(topo, to)) {
            hf_bit_set(row, to - topo->n_switch);
            continue;
        }
        const uint64_t *more = reach->row + to * reach->words;
        for (size_t w = 0; w < reach->words; w++) {
            row[w] |= more[w];
        }
    }
}

/* \return whether a row has grown */
static bool pass(hf_reach *reach, const uint16_t *failed) {
    uint64_t *row = reach->row + reach->topo->n_switch * reach->words;
    bool grew = false;
    for (uint32_t i = 0; i < reach->topo->n_switch; i++) {
        uint64_t *own = reach->row + reach->order[i] * reach->words;
        memcpy(row, own, reach->words * sizeof *row);
        gather(reach, failed, reach->order[i], row);
        grew |= memcmp(row, own, reach->words * sizeof *row) != 0;
        memcpy(own, row, reach->words * sizeof *row);
    }
    return grew;
}

bool hf_reach_all(hf_reach *reach, const uint16_t *failed) {
    const hf_topology *topo = reach->topo;
    uint64_t *row = reach->row + topo->n_switch * reach->words;
    memset(reach->row, 0, topo->n_switch * reach->words * sizeof *reach->row);
    while (pass(reach, failed) && !reach->has_order) {
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        memset(row, 0, reach->words * sizeof *row);
        hf_bit_set(row, t);
        gather(reach, failed, topo->n_switch + t, row);
        if (hf_bits_next_clear(row, topo->n_terminal, 0) < topo->n_terminal) {
            return false;
        }
    }
    return true;
}
