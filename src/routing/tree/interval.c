/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plain interval routing on a k-ary n-tree: up over any port while the destination is not below the switch, then down over the
 *  one port whose interval holds it. It knows nothing of faults and offers its hops over failed channels too.
 *  Source: [gomez2010, 3.1, figures 3.2 to 3.4]. */
#include "src/routing/tree/route.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "interval");
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    HF_TRY(hf_tree_plan_plain(cx, plan));
    hf_route_take_vcs(plan, ((const hf_tree *)plan->state)->k);
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_tree *tree = plan->state;
    size_t n = 1;
    if (at >= tree->n_switch) {
        hops[0] = hf_tree_hop_in(tree, at - tree->n_switch);
    } else if (hf_tree_is_below(tree, at, destination)) {
        hops[0] = hf_tree_hop_down(tree, at, destination);
    } else {
        for (n = 0; n < tree->k; n++) {
            hops[n] = hf_tree_hop_up(tree, at, (uint32_t)n);
        }
    }
    return hf_route_on_all_vcs(plan, hops, n);
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

static const hf_param params[] = {HF_PARAM_VCS, {0}};

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
    .params = params,
    .accepts = accepts,
    .chooses = hf_tree_chooses,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .registers = registers,
    .memory = memory,
};
