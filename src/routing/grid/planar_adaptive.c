/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Planar-adaptive routing on meshes with three VCs: a packet adapts inside of one plane of dimensions i and i+1 at a time, until
 *  it has done dimension i. Plane A_i uses d_(i,2) and, while dimension i increases, d_(i+1,0), while it decreases, d_(i+1,1). In
 *  the last plane, a packet that has only the last dimension to go is in the increasing network.
 *  Source: [chien1992]. */
#include "src/routing/grid/route.h"
#include "src/routing/lanes.h"

enum { LOW = 0, HIGH = 1, MAIN = 2, N_VC = 3 };

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "planar-adaptive", HF_ON_MESH);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof *grid, &grid));
    plan->n_vc = N_VC;
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_topology *topo = plan->topo;
    const hf_grid *grid = plan->state;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination), open = hf_grid_first_open(grid, at, goal);
    const uint32_t i = open + 1 < grid->n || grid->n == 1 ? open : grid->n - 2; /* the plane of dimensions i and i + 1 */
    const int way = hf_grid_way(grid, at, goal, i), other = i + 1 < grid->n ? hf_grid_way(grid, at, goal, i + 1) : 0;
    size_t count = 0;
    if (way != 0) {
        hops[count++] = (hf_hop){hf_grid_channel(topo, grid, at, i, way), MAIN, 0};
    }
    if (other != 0) {
        hops[count++] = (hf_hop){hf_grid_channel(topo, grid, at, i + 1, other), way < 0 ? HIGH : LOW, 0};
    }
    return count;
}

static const hf_likeness likeness = {.by_switch = true, .arrival = hf_arrival_any, .run = hf_grid_run};

const hf_routing hf_routing_planar_adaptive = {
    .name = "planar-adaptive",
    .summary = "planar-adaptive routing on meshes: minimal, adaptive in one plane at a time, three VCs",
    .source = "chien1992",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_BLIND,
    .params = hf_lanes_params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
