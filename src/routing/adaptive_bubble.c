/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Adaptive bubble routing without faults: every minimal hop on the adaptive VCs, and as an escape dimension order on VC 0, whose
 *  rings on a torus bubble flow control keeps from filling up. It needs one escape VC where Duato's protocol needs two.
 *  Source: [puente2001], as [puente2004, 2] sums it up. */
#include "src/routing/grid_route.h"

typedef struct adaptive_bubble {
    hf_grid grid;
    uint32_t n_adaptive;
} adaptive_bubble;

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "adaptive-bubble", HF_ON_MESH | HF_ON_TORUS);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(adaptive_bubble), &grid));
    adaptive_bubble *state = (adaptive_bubble *)grid;
    state->n_adaptive = (uint32_t)hf_args_get(plan->args, "adaptive-vcs")->number;
    plan->n_vc = 1 + state->n_adaptive;
    plan->max_hops = 2 * grid->n * state->n_adaptive + 1;
    return HF_OK;
}

static size_t escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const adaptive_bubble *state = plan->state;
    if (hf_route_ends(plan->topo, at, destination, hops)) {
        return 1;
    }
    hops[0] = hf_grid_dor_hop(plan->topo, &state->grid, at, hf_route_goal(plan->topo, destination), 0);
    hops[0].vc = 0;
    return 1;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const adaptive_bubble *state = plan->state;
    const size_t count = escape(plan, at, in, destination, hops);
    if (hf_topology_is_terminal(plan->topo, at)) {
        return count;
    }
    const uint32_t goal = hf_route_goal(plan->topo, destination);
    return count + hf_grid_minimal_hops(plan->topo, &state->grid, at, goal, 1, state->n_adaptive, hops + count);
}

/* VC 0 of one direction of a closed line is a ring. */
static uint32_t ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const hf_grid *grid = &((const adaptive_bubble *)plan->state)->grid;
    const hf_topology *topo = plan->topo;
    if (vc != 0 || topo->link[channel] >= topo->n_switch_link) {
        return HF_NONE;
    }
    const uint32_t d = hf_grid_dimension(topo, grid, channel);
    const uint32_t first = hf_grid_move(grid, topo->from[channel], d, 0);
    return grid->wraps[d] ? hf_topology_channel_at(topo, first, topo->from_port[channel]) : HF_NONE;
}

static const hf_param params[] = {
    {.name = "adaptive-vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 63,
     .help = "virtual channels for every minimal hop, beside that of the escape"},
    {0},
};

const hf_routing hf_routing_adaptive_bubble = {
    .name = "adaptive-bubble",
    .summary = "adaptive bubble routing on tori: fully adaptive minimal VCs over dimension order on rings with bubbles",
    .source = "puente2001; puente2004, 2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .escape = escape,
    .ring = ring,
};
