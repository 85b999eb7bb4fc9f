/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  It keeps no stack: who asks has the network beside it. */
#include "src/routing/connects_judge.h"

typedef struct connects_judge {
    hf_judge base;
    hf_allocator allocator;
} connects_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    (void)cx;
    (void)base;
    (void)component;
    return HF_OK;
}

static void pop(hf_judge *base) { (void)base; }

/* Where connectivity does not answer, the plan does. */
static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)base;
    (void)out;
    HF_FAIL(cx, HF_ENOTSUP, "the rule is asked set by set");
}

static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    (void)base;
    *out = true;
    return HF_OK;
}

static void release(hf_judge *base) {
    const hf_allocator allocator = ((connects_judge *)base)->allocator;
    hf_release(&allocator, base);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .verdict = verdict, .surviving = surviving, .free = release};

hf_status hf_connects_judge_new(hf_context *cx, hf_judge **out) {
    connects_judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (connects_judge){.base = {.ops = &ops, .connects = true}, .allocator = *hf_context_allocator(cx)};
    *out = &j->base;
    return HF_OK;
}

bool hf_fails_two_way(const hf_universe *u) {
    const hf_topology *topo = u->topo;
    bool holds = true;
    for (uint32_t c = 0; c < topo->n_channel && holds; c++) {
        holds = topo->reverse[c] != HF_NONE;
    }
    for (uint32_t k = 0; k < u->n_component && holds; k++) {
        const uint32_t *begin = u->channel + u->channel_begin[k], n = u->channel_begin[k + 1] - u->channel_begin[k];
        for (uint32_t i = 0; i < n && holds; i++) {
            bool is_both = topo->link[begin[i]] >= topo->n_switch_link;
            for (uint32_t other = 0; other < n && !is_both; other++) {
                is_both = begin[other] == topo->reverse[begin[i]];
            }
            holds = is_both;
        }
    }
    return holds;
}
