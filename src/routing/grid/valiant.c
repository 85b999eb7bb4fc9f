/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Valiant's routing on meshes, tori and hypercubes: first to an intermediate switch, then to the goal, both times by `inner`.
 *  All intermediate switches are admissible; the packet's header names the one that was chosen: the tag is 1 + the switch in the
 *  first phase, 0 in the second. Each phase has VCs of its own: one, on tori two for the dateline classes, which follow from
 *  place and goal of the phase.
 *  Source: [valiant1982; dally2004, 9.1]. */
#include "src/routing/grid/route.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "valiant", HF_ON_MESH | HF_ON_TORUS);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof *grid, &grid));
    plan->n_vc = 2 * hf_grid_dor_vcs(grid);
    plan->max_hops = plan->topo->n_switch;
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_grid *grid = plan->state;
    if (hf_topology_is_terminal(topo, at)) {
        return hf_route_choose(topo, at, topo->n_switch, hops);
    }
    if (in.tag != 0 && in.tag - 1 != at) {
        hops[0] = hf_grid_dor_hop(topo, grid, at, in.tag - 1, 0);
        hops[0].tag = in.tag;
        return 1;
    }
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    hops[0] = hf_grid_dor_hop(topo, grid, at, hf_route_goal(topo, destination), plan->n_vc / 2);
    return 1;
}

static const char *const inner[] = {"dor", NULL};

static const hf_param params[] = {
    {.name = "inner",
     .type = HF_PARAM_WORD,
     .fallback = "dor",
     .words = inner,
     .help = "routing of both phases: dor, dimension order with x first"},
    {0},
};

const hf_routing hf_routing_valiant = {
    .name = "valiant",
    .summary = "Valiant's routing on meshes and tori: over any intermediate switch, a class of VCs for each phase",
    .source = "valiant1982; dally2004, 9.1",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
};
