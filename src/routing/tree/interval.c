/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plain interval routing on a k-ary n-tree: up over any port while the destination is not below the switch, then down over the
 *  one port whose interval holds it. It knows nothing of faults and offers its hops over failed channels too.
 *  Source: [gomez2010, 3.1, figures 3.2 to 3.4]. */
#include "src/routing/tree/plan.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "interval");
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    void *state;
    HF_TRY(hf_scratch(cx, 1, sizeof(hf_tree), &state));
    hf_tree *tree = state;
    if (!hf_tree_of(plan->topo, tree)) {
        return hf_tree_accepts(cx, plan->topo, "interval");
    }
    plan->max_hops = tree->k;
    plan->state = tree;
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_tree *tree = plan->state;
    if (at >= tree->n_switch) {
        hops[0] = (hf_hop){hf_tree_injection(tree, at - tree->n_switch), 0, 0};
        return 1;
    }
    if (hf_tree_is_below(tree, at, destination)) {
        uint32_t port = hf_tree_down_port(tree, hf_tree_stage(tree, at), destination);
        hops[0] = (hf_hop){hf_tree_down_channel(tree, at, port), 0, 0};
        return 1;
    }
    for (uint32_t j = 0; j < tree->k; j++) {
        hops[j] = (hf_hop){hf_tree_up_channel(tree, at, j), 0, 0};
    }
    return tree->k;
}

static size_t registers(const hf_plan *plan, uint32_t sw, uint32_t port, hf_register *out, size_t max) {
    const hf_tree *tree = plan->state;
    if (hf_topology_channel_at(plan->topo, sw, port) == HF_NONE) {
        return 0;
    }
    if (max > 0) {
        out[0] = (hf_register){"inclusion", 0, hf_tree_inclusion(tree, sw, port)};
    }
    return 1;
}

static hf_switch_memory memory(const hf_args *args) {
    (void)args;
    return (hf_switch_memory){HF_SWITCH_INTERVALS, 0};
}

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    (void)in;
    return hf_tree_run(plan, plan->state, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = hf_arrival_any, .run = run};

const hf_routing hf_routing_interval = {
    .name = "interval",
    .summary = "Plain adaptive interval routing on k-ary n-trees, without any handling of faults",
    .source = "gomez2010, 3.1",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_BLIND,
    .params = hf_no_params,
    .accepts = accepts,
    .chooses = hf_tree_chooses,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .registers = registers,
    .memory = memory,
};
