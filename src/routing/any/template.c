/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A routing to start from: copy, rename, fill, add X(name) to list.def. This one works on any topology: it offers every channel
 *  that brings a packet nearer to its destination in the network that the faults leave. It is built and tested, but not listed.
 *  Source: none; breadth-first search. */
#include <holdfast/core/bitset.h>
#include <holdfast/routing.h>

#include "src/topology/search.h"

/* What a plan remembers. It lives in the arena, so there is nothing to free. */
typedef struct nearer {
    uint32_t *distance; /* n_terminal rows of n_node: healthy channels still to go, HF_NONE: no way */
} nearer;

static const hf_param params[] = {
    {.name = "slack",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 1000,
     .help = "offer nothing where the way is longer than the shortest way of the fault-free network by more than this, channels"},
    {0},
};

/* Forget the nodes from which the way has become longer than `slack` allows. */
static void cut_detours(const hf_topology *topo, uint64_t slack, const uint32_t *shortest, uint32_t *distance) {
    for (uint32_t v = 0; v < topo->n_node; v++) {
        if (distance[v] != HF_NONE && distance[v] > shortest[v] + slack) {
            distance[v] = HF_NONE;
        }
    }
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    void *state, *distance, *shortest, *queue;
    HF_TRY(hf_scratch(cx, 1, sizeof(nearer), &state));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_terminal * topo->n_node, sizeof(uint32_t), &distance));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &shortest));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &queue));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        uint32_t *row = (uint32_t *)distance + (size_t)t * topo->n_node;
        hf_distances(topo, NULL, topo->n_switch + t, true, queue, shortest);
        hf_distances(topo, plan->faults->channel_set, topo->n_switch + t, true, queue, row);
        cut_detours(topo, hf_args_get(plan->args, "slack")->number, shortest, row);
    }
    ((nearer *)state)->distance = distance;
    plan->state = state;
    plan->max_hops = topo->n_port_max;
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_topology *topo = plan->topo;
    const nearer *state = plan->state;
    const uint32_t *distance = state->distance + (size_t)destination * topo->n_node;
    size_t count = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t channel = topo->out_list[i], to = topo->to[channel];
        const bool is_passage = to == topo->n_switch + destination || !hf_topology_is_terminal(topo, to);
        if (hf_bit_test(plan->faults->channel_set, channel) || distance[to] == HF_NONE || !is_passage) {
            continue;
        }
        if (distance[to] + 1 == distance[at]) {
            hops[count++] = (hf_hop){channel, 0, 0};
        }
    }
    return count;
}

extern const hf_routing hf_routing_template;
static const hf_likeness likeness = {.by_switch = true, .arrival = hf_arrival_any};

const hf_routing hf_routing_template = {
    .name = "template",
    .summary = "Every healthy way that brings a packet nearer, on any topology; a routing to start from",
    .source = "none",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_FAULT_AWARE,
    .params = params,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
