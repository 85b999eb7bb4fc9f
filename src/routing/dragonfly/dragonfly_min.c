/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Minimal routing on dragonflies: to a switch with a link to the goal's group, over that link, to the goal: local, global,
 *  local. The VC is the number of global channels passed, so local channels before and after the global one are on different
 *  VCs. With vcs=1 they share one, and packets can wait in a circle. All global links between the two groups are admissible. A
 *  shorter way over two global links of a third group is not taken. Source: [kim2008]. */
#include "src/routing/dragonfly/route.h"

enum { N_VC = 2 };

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    return hf_dragonfly_accepts(cx, topo, "dragonfly-min", args, N_VC);
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_dragonfly_plan(cx, plan, N_VC, 1); }

static const hf_param params[] = {
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels of each channel: 2, or as many lanes; 1 is one too few"},
    {0},
};

static uint32_t arrival(const hf_plan *plan, hf_hop in) { return hf_dragonfly_like(plan, in, 0).vc; }

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    (void)in;
    return hf_dragonfly_run(plan->topo, plan->state, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = run};

/* Local and global channels tell the groups, and where there are links between them; all of these are admissible. */
static hf_symmetric symmetric(const hf_topology *topo, const hf_args *args) {
    hf_symmetric claim = hf_always_symmetric(topo, args);
    claim.keeps = "kind";
    return claim;
}

const hf_routing hf_routing_dragonfly_min = {
    .name = "dragonfly-min",
    .summary = "minimal routing on dragonflies: local, global, local, the VC rises with the global channel",
    .source = "kim2008",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = hf_dragonfly_direct,
    .likeness = &likeness,
    .symmetric = symmetric,
};
