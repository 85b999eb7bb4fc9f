/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every minimal hop on any topology, on any VC: fully adaptive and, on most networks, prone to deadlock. Minimal means a
 *  shortest way of the network that the faults leave. The plan is a table of distances by breadth-first search from every
 *  switch that carries terminals; none where arithmetic tells the ways. Source: none. */
#include "src/routing/any/goals.h"
#include "src/routing/any/straight.h"

typedef struct minimal {
    hf_straight *straight; /**< NULL: there are the following */
    hf_goals goals;
    uint16_t *distance; /**< n_row rows of n_switch: channels to a switch with a channel to the goal, or HF_FAR */
} minimal;

static hf_status make_table(hf_context *cx, const hf_plan *plan, minimal *state) {
    HF_TRY(hf_goals_init(cx, plan, sizeof *state->distance, &state->goals));
    HF_TRY(hf_scratch(cx, (size_t)state->goals.n_row * plan->topo->n_switch, sizeof *state->distance, (void **)&state->distance));
    for (uint32_t row = 0; row < state->goals.n_row; row++) {
        HF_TRY(hf_goals_search(cx, &state->goals, row, state->distance + (size_t)row * plan->topo->n_switch));
    }
    return HF_OK;
}

static size_t runs(const hf_plan *plan, uint32_t at, uint32_t destination, hf_channel_run *run) {
    const minimal *state = plan->state;
    return hf_straight_runs(state->straight, at, destination, run);
}

static uint32_t distance(const hf_plan *plan, uint32_t source, uint32_t destination) {
    const minimal *state = plan->state;
    return hf_straight_distance(state->straight, source, destination);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(minimal), &memory));
    minimal *state = memory;
    HF_TRY(hf_straight_new(cx, plan->topo, plan->faults, &state->straight));
    HF_TRY(state->straight ? HF_OK : make_table(cx, plan, state));
    plan->n_vc = (uint32_t)hf_args_get(plan->args, "vcs")->number;
    plan->max_hops = hf_goals_degree(plan->topo) * plan->n_vc;
    plan->state = state;
    plan->runs = state->straight && plan->n_vc == 1 ? runs : NULL;
    plan->max_runs = HF_STRAIGHT_RUNS;
    plan->distance = plan->runs ? distance : NULL;
    return HF_OK;
}

/** Channels from a node to the destination, HF_FAR if there is no way. */
static uint32_t distance_from(const minimal *state, uint32_t node, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    if (hf_topology_is_terminal(topo, node)) {
        return node == topo->n_switch + destination ? 0 : HF_FAR;
    }
    const uint32_t d = state->distance[(size_t)state->goals.row[destination] * topo->n_switch + node];
    return d == HF_FAR ? HF_FAR : d + 1;
}

/** On every virtual channel, where there are several. \return hops written */
static size_t add_hops(const hf_plan *plan, uint32_t channel, hf_hop *hops) {
    const uint32_t n = plan->topo->link[channel] < plan->topo->n_switch_link ? plan->n_vc : 1;
    for (uint32_t vc = 0; vc < n; vc++) {
        hops[vc] = (hf_hop){channel, vc, 0};
    }
    return n;
}

static size_t go_straight(const hf_plan *plan, uint32_t at, uint32_t destination, hf_hop *hops) {
    hf_channel_run run[HF_STRAIGHT_RUNS];
    const uint64_t *failed = plan->faults->channel_set;
    const size_t n = at == plan->topo->n_switch + destination ? 0 : runs(plan, at, destination, run);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t c = run[i].first; c < run[i].first + run[i].n; c++) {
            count += failed && hf_bit_test(failed, c) ? 0 : add_hops(plan, c, hops + count);
        }
    }
    return count;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_topology *topo = plan->topo;
    const minimal *state = plan->state;
    uint32_t best = HF_FAR;
    size_t count = 0;
    if (state->straight) {
        return go_straight(plan, at, destination, hops);
    }
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        const uint32_t d = hf_goals_is_failed(&state->goals, c) ? HF_FAR : distance_from(state, to, destination);
        if (d == HF_FAR || d > best) {
            continue;
        }
        count = d < best ? 0 : count;
        best = d;
        count += add_hops(plan, c, hops + count);
    }
    return count;
}

static const hf_param params[] = {
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels of each channel, all admissible"},
    {0},
};

static const hf_likeness likeness = {.by_switch = true, .arrival = hf_arrival_any};

const hf_routing hf_routing_minimal = {
    .name = "minimal",
    .summary = "every minimal hop of the healthy network on every virtual channel, on any topology",
    .source = "none",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_FAULT_AWARE | HF_ROUTING_SHORTEST |
              HF_ROUTING_COMPLETE,
    .params = params,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .symmetric = hf_always_symmetric,
};
