/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns over multipath networks: a stack of components, and all that follows found anew for each set that
 *  is read. */
#include "src/routing/multipath/judge.h"

#include <holdfast/core/bitset.h>

typedef struct multipath_judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    hf_remains remains;
    hf_output *output;      /**< of the universe's channels, in the order of components */
    uint32_t *stack, depth; /**< failed components; their channels fail when the set is read */
} multipath_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    (void)cx;
    multipath_judge *judge = (multipath_judge *)base;
    judge->stack[judge->depth++] = component;
    return HF_OK;
}

static void pop(hf_judge *base) { ((multipath_judge *)base)->depth--; }

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    multipath_judge *judge = (multipath_judge *)base;
    const hf_universe *u = judge->universe;
    hf_remains *r = &judge->remains;
    *out = (hf_measure){0};
    hf_remains_mend_all(r);
    for (uint32_t i = 0; i < judge->depth; i++) {
        const uint32_t begin = u->channel_begin[judge->stack[i]];
        hf_remains_fail(r, judge->output + begin, u->channel_begin[judge->stack[i] + 1] - begin);
    }
    hf_remains_find_live(r);
    hf_remains_measure(r, out);
    out->tolerated = hf_remains_serves(r);
    out->live = hf_remains_live(r);
    return HF_OK;
}

/* What a healthy path connects, the rule serves: the direction at every stage is that of the endpoint. */
static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    (void)base;
    *out = true;
    return HF_OK;
}

static void release(hf_judge *base) {
    multipath_judge *judge = (multipath_judge *)base;
    const hf_allocator allocator = judge->allocator;
    void *block[HF_REMAINS_BLOCKS];
    hf_remains_blocks(&judge->remains, block);
    for (size_t i = 0; i < HF_REMAINS_BLOCKS; i++) {
        hf_release(&allocator, block[i]);
    }
    hf_release(&allocator, judge->output);
    hf_release(&allocator, judge->stack);
    hf_release(&allocator, judge);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .surviving = surviving, .sheds = true, .free = release};

static hf_status prepare(hf_context *cx, const hf_universe *universe, const hf_args *args, multipath_judge *judge) {
    const uint32_t n = universe->channel_begin[universe->n_component];
    HF_TRY(hf_remains_init(cx, universe->topo, args, hf_allocate, &judge->remains));
    HF_TRY(hf_allocate(cx, n, sizeof *judge->output, (void **)&judge->output));
    HF_TRY(hf_allocate(cx, universe->n_component, sizeof *judge->stack, (void **)&judge->stack));
    for (uint32_t i = 0; i < n; i++) {
        judge->output[i] = hf_remains_output(&judge->remains, universe->channel[i]);
    }
    return HF_OK;
}

hf_status hf_multipath_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    multipath_judge *judge;
    HF_TRY(hf_allocate(cx, 1, sizeof *judge, (void **)&judge));
    *judge = (multipath_judge){.base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .universe = universe};
    const hf_status status = prepare(cx, universe, &rule->args, judge);
    if (status != HF_OK) {
        release(&judge->base);
        return status;
    }
    *out = &judge->base;
    return HF_OK;
}
