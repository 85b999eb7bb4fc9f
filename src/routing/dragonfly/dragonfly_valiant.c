/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Valiant's routing on dragonflies: minimal to an intermediate group, minimal on from there. All groups are admissible; the
 *  packet's header names the one that was chosen: the tag is 1 + the group until the packet is there, then 0. The VC is the
 *  number of global channels passed, which takes three; with vcs=2 the last two groups share one, one too few.
 *  Source: [kim2008]. */
#include "src/routing/dragonfly/route.h"

enum { N_VC = 3 };

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    return hf_dragonfly_accepts(cx, topo, "dragonfly-valiant", args, N_VC);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_dragonfly shape;
    (void)hf_dragonfly_of(plan->topo, &shape);
    return hf_dragonfly_plan(cx, plan, N_VC, shape.groups);
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_dragonfly *shape = plan->state;
    if (hf_topology_is_terminal(topo, at)) {
        return hf_route_choose(topo, at, shape->groups, hops);
    }
    if (in.tag != 0 && in.tag - 1 != at / shape->a) {
        return hf_dragonfly_to_group(topo, shape, at, in.tag - 1, hf_dragonfly_like(plan, in, in.tag), hops);
    }
    return hf_dragonfly_direct(plan, at, in, destination, hops);
}

static const hf_param params[] = {
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "3",
     .low = 2,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels of each channel: 3, or as many lanes; 2 is one too few"},
    {0},
};

/* The group that is still to be gone over, and the virtual channel to go on by. */
static uint32_t arrival(const hf_plan *plan, hf_hop in) { return in.tag * plan->n_vc + hf_dragonfly_like(plan, in, 0).vc; }

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_dragonfly *shape = plan->state;
    return in.tag != 0 && in.tag - 1 != at / shape->a ? HF_NONE : hf_dragonfly_run(plan->topo, plan->state, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = run};

const hf_routing hf_routing_dragonfly_valiant = {
    .name = "dragonfly-valiant",
    .summary = "Valiant's routing on dragonflies: over any group, the VC rises with each global channel",
    .source = "kim2008",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
