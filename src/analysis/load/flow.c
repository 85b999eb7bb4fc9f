/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flows through the relation: states in the order of the flow, and whole parts as long as the denominators allow. */
#include "src/analysis/load/flow.h"

#include <string.h>

/** Larger parts would be near the end of 64 bits. */
#define PART_MAX (UINT64_C(1) << 62)

hf_status hf_flow_init(hf_context *cx, const hf_plan *plan, hf_split split, hf_flow *flow) {
    *flow = (hf_flow){.plan = plan, .split = split, .scale = 1, .is_exact = true};
    return hf_walk_init(cx, plan->topo, &flow->walk);
}

static hf_status make_room(hf_context *cx, hf_flow *flow) {
    if (flow->walk.n_state <= flow->room) {
        return HF_OK;
    }
    const uint32_t room = flow->walk.state_room;
    HF_TRY(hf_scratch(cx, room, sizeof *flow->part, (void **)&flow->part));
    HF_TRY(hf_scratch(cx, room, sizeof *flow->amount, (void **)&flow->amount));
    HF_TRY(hf_scratch(cx, room, sizeof *flow->pending, (void **)&flow->pending));
    HF_TRY(hf_scratch(cx, room, sizeof *flow->order, (void **)&flow->order));
    flow->room = room;
    return HF_OK;
}

static bool is_state(uint32_t target) { return target != HF_WALK_DELIVERED && target != HF_WALK_FAULT; }

/* Does the flow use this edge of a state, to another state? */
static bool is_used(const hf_flow *flow, uint32_t state, uint32_t edge, uint32_t to) {
    return is_state(to) && edge - flow->walk.edge_begin[state] < hf_flow_used(flow, state);
}

static hf_step count_hop(void *user, uint32_t from, uint32_t edge, uint32_t to) {
    const hf_flow *flow = user;
    return is_used(flow, from, edge, to) && flow->pending[to]++ == 0;
}

static hf_step take_hop(void *user, uint32_t from, uint32_t edge, uint32_t to) {
    const hf_flow *flow = user;
    return is_used(flow, from, edge, to) && --flow->pending[to] == 0;
}

/* The states that the sources reach, each after those that lead to it. \return false if the relation goes round */
static bool order_states(hf_flow *flow, const uint64_t *weight) {
    const hf_walk *w = &flow->walk;
    const hf_arcs edges = {.begin = w->edge_begin, .to = w->edge};
    uint32_t sources = 0;
    memset(flow->pending, 0, w->n_state * sizeof *flow->pending);
    for (uint32_t t = 0; t < w->topo->n_terminal; t++) {
        if (weight[t]) {
            flow->order[sources++] = t;
        }
    }
    const uint32_t reached = hf_breadth_first(edges, flow->order, sources, count_hop, flow);
    flow->n_order = hf_breadth_first(edges, flow->order, sources, take_hop, flow);
    return flow->n_order == reached;
}

hf_status hf_flow_start(hf_context *cx, hf_flow *flow, uint32_t destination, const uint64_t *weight) {
    HF_TRY(hf_walk_explore(cx, &flow->walk, flow->plan, destination));
    HF_TRY(make_room(cx, flow));
    if (!order_states(flow, weight)) {
        HF_FAIL(cx, HF_ENOTSUP, "the load towards t%u cannot be found: the relation lets a packet go round", destination);
    }
    return HF_OK;
}

static uint64_t divisor(uint64_t a, uint64_t b) {
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Parts of the whole flow from the sources; 0 if a part is too large. */
static void load_sources(hf_flow *flow, const uint64_t *weight) {
    const uint32_t n = flow->walk.topo->n_terminal;
    uint64_t sum = 0;
    memset(flow->part, 0, flow->walk.n_state * sizeof *flow->part);
    for (uint32_t t = 0; t < n; t++) {
        uint64_t part;
        flow->is_exact &= !__builtin_mul_overflow(weight[t], flow->scale, &part);
        flow->is_exact &= !__builtin_add_overflow(sum, part, &sum) && sum < PART_MAX;
        flow->part[t] = part;
    }
}

/* \return the factor by which the scale must grow first, 1 if all parts are whole */
static uint64_t run_parts(hf_flow *flow) {
    const hf_walk *w = &flow->walk;
    for (uint32_t i = 0; i < flow->n_order; i++) {
        const uint32_t s = flow->order[i], n = hf_flow_used(flow, s), *edge = w->edge + w->edge_begin[s];
        if (n > 1 && flow->part[s] % n) {
            return n / divisor(n, flow->part[s] % n);
        }
        for (uint32_t e = 0; e < n; e++) {
            if (is_state(edge[e])) {
                flow->part[edge[e]] += flow->part[s] / n;
            }
        }
    }
    return 1;
}

static void run_amounts(hf_flow *flow, const uint64_t *weight) {
    const hf_walk *w = &flow->walk;
    memset(flow->amount, 0, w->n_state * sizeof *flow->amount);
    for (uint32_t t = 0; t < w->topo->n_terminal; t++) {
        flow->amount[t] = (double)weight[t];
    }
    for (uint32_t i = 0; i < flow->n_order; i++) {
        const uint32_t s = flow->order[i], n = hf_flow_used(flow, s), *edge = w->edge + w->edge_begin[s];
        for (uint32_t e = 0; e < n; e++) {
            if (is_state(edge[e])) {
                flow->amount[edge[e]] += flow->amount[s] / n;
            }
        }
    }
}

void hf_flow_run(hf_flow *flow, const uint64_t *weight, uint64_t *grown) {
    *grown = 1;
    run_amounts(flow, weight);
    while (flow->is_exact) {
        load_sources(flow, weight);
        const uint64_t factor = flow->is_exact ? run_parts(flow) : 1;
        if (factor == 1) {
            return;
        }
        *grown *= factor;
        flow->is_exact = !__builtin_mul_overflow(flow->scale, factor, &flow->scale);
    }
}
