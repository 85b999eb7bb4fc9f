/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of `switches-connected`: searches, and a way of counting many sets at once where the universe has one. */
#include "src/analysis/parting/parting.h"

#include <holdfast/core/bitset.h>

typedef struct parting_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_parting p;
    hf_parting_links *links;       /* or NULL */
    hf_parting_switches *switches; /* or NULL */
} parting_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_parting_push(cx, &((parting_judge *)base)->p, component);
}

static void pop(hf_judge *base) {
    parting_judge *judge = (parting_judge *)base;
    hf_parting_pop(&judge->p);
    if (judge->links) {
        hf_parting_links_pop(judge->links, judge->p.stack.depth);
    }
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    *out = (hf_measure){.tolerated = hf_parting_read(&((parting_judge *)base)->p)};
    return HF_OK;
}

static hf_status count(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                       uint64_t *first) {
    parting_judge *judge = (parting_judge *)base;
    hf_parting_sum sum = {.lo = lo, .hi = hi, .first = UINT64_MAX};
    HF_TRY(judge->links ? hf_parting_links_count(cx, judge->links, &judge->p, r, &sum)
                        : hf_parting_switches_count(cx, judge->switches, &judge->p, r, &sum));
    *not_tolerated = sum.bad;
    *first = sum.first;
    return HF_OK;
}

static void release(hf_judge *base) {
    parting_judge *judge = (parting_judge *)base;
    const hf_allocator allocator = judge->allocator;
    void *const block[] = {judge->p.stack.component, judge->p.down, judge->p.gone, judge->p.queue, judge->p.seen};
    hf_parting_links_free(judge->links);
    hf_parting_switches_free(judge->switches);
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
    hf_release(&allocator, judge);
}

static const hf_judge_ops read_ops = {.push = push, .pop = pop, .read = read, .free = release};
static const hf_judge_ops count_ops = {.push = push, .pop = pop, .read = read, .count = count, .free = release};

static hf_status allocate(hf_context *cx, hf_parting *p) {
    const hf_topology *topo = p->universe->topo;
    HF_TRY(hf_allocate(cx, topo->n_channel, sizeof *p->down, (void **)&p->down));
    HF_TRY(hf_allocate(cx, topo->n_switch, sizeof *p->gone, (void **)&p->gone));
    HF_TRY(hf_allocate(cx, topo->n_switch, sizeof *p->queue, (void **)&p->queue));
    return hf_allocate(cx, hf_words(topo->n_switch), sizeof *p->seen, (void **)&p->seen);
}

/* A way of counting that this universe does not have is left out. */
static hf_status add_count(hf_context *cx, parting_judge *judge) {
    if (hf_parting_live(&judge->p, judge->p.least) < judge->p.least) {
        return HF_OK; /* not even without faults */
    }
    hf_status status = hf_parting_links_new(cx, judge->p.universe, &judge->links);
    if (status == HF_ENOTSUP) {
        hf_context_clear(cx);
        status = hf_parting_switches_new(cx, judge->p.universe, &judge->switches);
    }
    if (status == HF_ENOTSUP) {
        hf_context_clear(cx);
        return HF_OK;
    }
    judge->base.ops = &count_ops;
    return status;
}

hf_status hf_parting_judge_new(hf_context *cx, const hf_universe *universe, uint32_t least, bool is_slow, hf_judge **out) {
    parting_judge *judge;
    HF_TRY(hf_allocate(cx, 1, sizeof *judge, (void **)&judge));
    *judge = (parting_judge){
        .base = {.ops = &read_ops}, .allocator = *hf_context_allocator(cx), .p = {.universe = universe, .least = least}};
    hf_status status = allocate(cx, &judge->p);
    if (status == HF_OK && !is_slow) {
        status = add_count(cx, judge);
    }
    if (status != HF_OK) {
        release(&judge->base);
        return status;
    }
    *out = &judge->base;
    return HF_OK;
}
