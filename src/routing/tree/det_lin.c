/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DET-Lin: deterministic routing on k-ary n-trees by the source. At stage s a packet goes up at port k + p_s of its source,
 *  until it is above its destination. Digit s of the source is the down port at which the packet came into the switch, as all
 *  its digits above are those of the leaf switch. Source: [gomez2010, 4.2 and 4.3], who cite it as [78]. */
#include "src/routing/tree/route.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "det-lin");
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_tree *tree = plan->state;
    if (at >= tree->n_switch) {
        hops[0] = hf_tree_hop_in(tree, at - tree->n_switch);
    } else if (hf_tree_is_below(tree, at, destination)) {
        hops[0] = hf_tree_hop_down(tree, at, destination);
    } else {
        hops[0] = hf_tree_hop_up(tree, at, plan->topo->to_port[in.channel]);
    }
    return hf_route_on_all_vcs(plan, hops, 1);
}

static const hf_param params[] = {HF_PARAM_VCS, {0}};

/* Up by the number of the port that it came in by. */
static uint32_t arrival(const hf_plan *plan, hf_hop in) { return plan->topo->to_port[in.channel]; }

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    (void)in;
    return hf_tree_run(plan, plan->state, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = run};

const hf_routing hf_routing_det_lin = {
    .name = "det-lin",
    .summary = "deterministic routing on k-ary n-trees, up by the digit of the source and the stage",
    .source = "gomez2010, 4.3",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = hf_tree_plan_plain,
    .route = route,
    .likeness = &likeness,
};
