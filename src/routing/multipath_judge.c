/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast path of campaigns over multipath networks: failed channels are counted in and out, the rest is found anew. */
#include "src/routing/multipath_judge.h"

#include <holdfast/bitset.h>

typedef struct multipath_judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    hf_remains remains;
    uint64_t *failed;
    uint16_t *count; /**< per channel: failed components that take it down */
    uint32_t *stack, depth;
} multipath_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    (void)cx;
    multipath_judge *judge = (multipath_judge *)base;
    const hf_universe *u = judge->universe;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (judge->count[u->channel[i]]++ == 0) {
            hf_bit_set(judge->failed, u->channel[i]);
        }
    }
    judge->stack[judge->depth++] = component;
    return HF_OK;
}

static void pop(hf_judge *base) {
    multipath_judge *judge = (multipath_judge *)base;
    const hf_universe *u = judge->universe;
    const uint32_t component = judge->stack[--judge->depth];
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (--judge->count[u->channel[i]] == 0) {
            judge->failed[u->channel[i] >> 6] &= ~(UINT64_C(1) << (u->channel[i] & 63));
        }
    }
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    multipath_judge *judge = (multipath_judge *)base;
    *out = (hf_measure){0};
    hf_remains_find_live(&judge->remains);
    hf_remains_measure(&judge->remains, out);
    return HF_OK;
}

static void release(hf_judge *base) {
    multipath_judge *judge = (multipath_judge *)base;
    const hf_allocator allocator = judge->allocator;
    const hf_remains *r = &judge->remains;
    void *const blocks[] = {r->live, r->live_below, r->blocked,   r->reach,     r->row,
                            r->seen, judge->failed, judge->count, judge->stack, judge};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        hf_release(&allocator, blocks[i]);
    }
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};

static hf_status prepare(hf_context *cx, const hf_universe *universe, const hf_args *args, multipath_judge *judge) {
    const hf_topology *topo = universe->topo;
    HF_TRY(hf_remains_init(cx, topo, args, hf_allocate, &judge->remains));
    HF_TRY(hf_allocate(cx, hf_words(topo->n_channel), sizeof *judge->failed, (void **)&judge->failed));
    HF_TRY(hf_allocate(cx, topo->n_channel, sizeof *judge->count, (void **)&judge->count));
    HF_TRY(hf_allocate(cx, universe->n_component, sizeof *judge->stack, (void **)&judge->stack));
    judge->remains.failed = judge->failed;
    return HF_OK;
}

hf_status hf_multipath_judge_new(hf_context *cx, const hf_universe *universe, const hf_args *args, hf_judge **out) {
    multipath_judge *judge;
    HF_TRY(hf_allocate(cx, 1, sizeof *judge, (void **)&judge));
    *judge = (multipath_judge){.base = {&ops}, .allocator = *hf_context_allocator(cx), .universe = universe};
    const hf_status status = prepare(cx, universe, args, judge);
    if (status != HF_OK) {
        release(&judge->base);
        return status;
    }
    *out = &judge->base;
    return HF_OK;
}
