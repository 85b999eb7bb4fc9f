/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  O1TURN on meshes of two dimensions: every packet takes x first or y first; its header says which (tag 1 or 2). With a virtual
 *  channel for each order there is no cycle of dependencies; with one for both there is: the mixture that deadlocks.
 *  Source: [seo2005]. */
#include "src/routing/grid/route.h"
#include "src/routing/lanes.h"

enum { X_FIRST = 1, Y_FIRST = 2 };

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    const uint32_t vcs = (uint32_t)hf_args_get(args, "vcs")->number;
    HF_TRY(hf_grid_accepts(cx, topo, "o1turn", HF_ON_MESH | HF_ON_PLANE));
    return hf_lanes_check(cx, "o1turn", 0, vcs, vcs > 1 ? 2 : 1);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof *grid, &grid));
    plan->n_vc = hf_args_get(plan->args, "vcs")->number > 1 ? 2 : 1;
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_grid *grid = plan->state;
    if (hf_topology_is_terminal(topo, at)) {
        return hf_route_choose(topo, at, Y_FIRST, hops);
    }
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination), first = in.tag == X_FIRST ? 0 : 1;
    const uint32_t d = hf_grid_way(grid, at, goal, first) ? first : 1 - first;
    hops[0] =
        (hf_hop){hf_grid_channel(topo, grid, at, d, hf_grid_way(grid, at, goal, d)), plan->n_vc == 2 ? in.tag - 1 : 0, in.tag};
    return 1;
}

static const hf_param params[] = {
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "2",
     .low = 1,
     .high = 64,
     .help = "virtual channels of each channel: 2, one for each order, or as many lanes; 1 for both"},
    {0},
};

static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    (void)plan;
    return in.tag;
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = hf_grid_run};

const hf_routing hf_routing_o1turn = {
    .name = "o1turn",
    .summary = "O1TURN: x first or y first for every packet, with a virtual channel for each order or one for both",
    .source = "seo2005",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
