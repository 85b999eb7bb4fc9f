/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The paths of one pair of terminals, as the figures of papers on multistage networks draw them in bold: the states of the walk
 *  that lie between the source and the destination, and the channels between these. */
#include <holdfast/analysis.h>
#include <holdfast/bitset.h>

#include "src/analysis/paths/walk.h"

typedef struct search {
    const hf_plan *plan;
    hf_walk walk;
    uint64_t *served, *met; /**< states from which a way leads on; states met from the source */
    uint32_t *queue;
    uint64_t *channel_set, *node_set;
} search;

static bool leads_on(const search *s, uint32_t target) {
    return target == HF_WALK_DELIVERED || (target != HF_WALK_FAULT && hf_bit_test(s->served, target));
}

/** Mark the hops of a state that lead on. The edges of a state stand in the order of its hops. */
static void take_hops(search *s, uint32_t state, uint32_t *tail) {
    hf_walk *w = &s->walk;
    const hf_topology *topo = s->plan->topo;
    hf_plan_route(s->plan, w->at[state], w->in[state], w->destination, w->hops);
    for (uint32_t e = w->edge_begin[state]; e < w->edge_begin[state + 1]; e++) {
        const uint32_t target = w->edge[e], channel = w->hops[e - w->edge_begin[state]].channel;
        if (!leads_on(s, target)) {
            continue;
        }
        hf_bit_set(s->channel_set, channel);
        hf_bit_set(s->node_set, topo->to[channel]);
        if (target != HF_WALK_DELIVERED && !hf_bit_test(s->met, target)) {
            hf_bit_set(s->met, target);
            s->queue[(*tail)++] = target;
        }
    }
}

static void follow(search *s, uint32_t source) {
    uint32_t tail = 0;
    if (!hf_bit_test(s->served, source)) {
        return;
    }
    hf_bit_set(s->node_set, s->plan->topo->n_switch + source);
    hf_bit_set(s->met, source);
    s->queue[tail++] = source;
    for (uint32_t head = 0; head < tail; head++) {
        take_hops(s, s->queue[head], &tail);
    }
}

static hf_status count(hf_context *cx, hf_walk *walk, uint32_t source, hf_pair_paths *out) {
    hf_u128 all;
    const hf_status status = hf_walk_count(cx, walk, &all);
    if (status == HF_ENOTSUP || status == HF_ERANGE) {
        hf_context_clear(cx);
        return HF_OK;
    }
    out->is_counted = status == HF_OK;
    out->n_path = status == HF_OK ? walk->ways[source] : 0;
    return status;
}

hf_status hf_paths_of_pair(hf_context *cx, const hf_plan *plan, uint32_t source, uint32_t destination, hf_pair_paths *out) {
    const hf_topology *topo = plan->topo;
    search s = {.plan = plan};
    *out = (hf_pair_paths){0};
    if (source == destination) {
        HF_FAIL(cx, HF_EINVAL, "paths from t%u to itself: need two terminals", source);
    }
    HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof *s.channel_set, (void **)&s.channel_set));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_node), sizeof *s.node_set, (void **)&s.node_set));
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_walk_init(cx, topo, &s.walk));
    HF_TRY(hf_walk_explore(cx, &s.walk, plan, NULL, destination));
    HF_TRY(hf_walk_turn(cx, &s.walk));
    HF_TRY(hf_scratch(cx, hf_words(s.walk.n_state), sizeof *s.served, (void **)&s.served));
    HF_TRY(hf_scratch(cx, hf_words(s.walk.n_state), sizeof *s.met, (void **)&s.met));
    HF_TRY(hf_scratch(cx, s.walk.n_state, sizeof *s.queue, (void **)&s.queue));
    hf_walk_served(&s.walk, s.served);
    follow(&s, source);
    HF_TRY(count(cx, &s.walk, source, out));
    hf_scratch_reset(cx, mark);
    out->channel_set = s.channel_set;
    out->node_set = s.node_set;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        out->n_channel += hf_bit_test(s.channel_set, c);
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        out->n_switch += hf_bit_test(s.node_set, v);
    }
    return HF_OK;
}
