/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The paths of one pair of terminals, as the figures of papers on multistage networks draw them in bold: the states of the walk
 *  that lie between the source and the destination, and the channels between these. */
#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>

#include "src/analysis/paths/walk.h"
#include "src/core/breadth.h"

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

/** Mark a hop that leads on. The edges of a state stand in the order of its hops. */
static hf_step take_hop(void *user, uint32_t state, uint32_t edge, uint32_t target) {
    search *s = user;
    (void)state;
    if (!leads_on(s, target)) {
        return HF_STEP_PASS;
    }
    const uint32_t channel = s->walk.hops[edge].channel;
    hf_bit_set(s->channel_set, channel);
    hf_bit_set(s->node_set, s->plan->topo->to[channel]);
    if (target == HF_WALK_DELIVERED || hf_bit_test(s->met, target)) {
        return HF_STEP_PASS;
    }
    hf_bit_set(s->met, target);
    return HF_STEP_ENTER;
}

static void follow(search *s, uint32_t source) {
    if (!hf_bit_test(s->served, source)) {
        return;
    }
    hf_bit_set(s->node_set, s->plan->topo->n_switch + source);
    hf_bit_set(s->met, source);
    s->queue[0] = source;
    const hf_arcs edges = {.begin = s->walk.edge_begin, .to = s->walk.edge};
    (void)hf_breadth_first(edges, s->queue, 1, take_hop, s);
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
    HF_TRY(hf_walk_explore(cx, &s.walk, plan, destination));
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
