/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Adaptive bubble routing without faults: every minimal hop on the adaptive VCs, and as an escape dimension order on VC 0, whose
 *  rings on a torus bubble flow control keeps from filling up. It needs one escape VC where Duato's protocol needs two.
 *  Source: [puente2001], as [puente2004, 2] sums it up. */
#include "src/routing/grid/escape.h"
#include "src/routing/lanes.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "adaptive-bubble", HF_ON_MESH | HF_ON_TORUS);
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_grid_escape_plan(cx, plan, 1, HF_GRID_CLASSES_NONE); }

/* VC 0 of one direction of a closed line is a ring. */
static uint32_t ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    return vc == 0 ? hf_grid_ring(plan->topo, plan->state, channel) : HF_NONE;
}

static bool has_rings(const hf_plan *plan) {
    hf_grid grid;
    return hf_grid_of(plan->topo, &grid) && grid.has_ring;
}

static const hf_param params[] = {
    {.name = "adaptive-vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 63,
     .help = "virtual channels for every minimal hop, beside that of the escape"},
    HF_GRID_ESCAPE_TIES,
    HF_PARAM_LANES,
    {0},
};

const hf_routing hf_routing_adaptive_bubble = {
    .name = "adaptive-bubble",
    .summary = "adaptive bubble routing on tori: fully adaptive minimal VCs over dimension order on rings with bubbles",
    .source = "puente2001; puente2004, 2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = hf_grid_escape_route,
    .likeness = &hf_grid_escape_likeness,
    .escape = hf_grid_escape,
    .ring = ring,
    .has_rings = has_rings,
};
