/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Duato's protocol on meshes, tori and hypercubes: every minimal hop on the adaptive VCs, and as an escape the hop of
 *  dimension-order routing on VC 0, on tori on VCs 0 and 1. Packets come and go between the two, so the dateline class of the
 *  escape follows from place and goal: 0 while the way in the dimension has still to close the ring, then 1.
 *  Source: [duato1993; duato1995]. */
#include "src/routing/grid_route.h"

typedef struct duato {
    hf_grid grid;
    uint32_t n_escape, n_adaptive;
} duato;

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "duato", HF_ON_MESH | HF_ON_TORUS);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(duato), &grid));
    duato *state = (duato *)grid;
    state->n_escape = hf_grid_dor_vcs(grid);
    state->n_adaptive = (uint32_t)hf_args_get(plan->args, "adaptive-vcs")->number;
    plan->n_vc = state->n_escape + state->n_adaptive;
    plan->max_hops = 2 * grid->n * state->n_adaptive + 1;
    return HF_OK;
}

static size_t escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const duato *state = plan->state;
    if (hf_route_ends(plan->topo, at, destination, hops)) {
        return 1;
    }
    hops[0] = hf_grid_dor_hop(plan->topo, &state->grid, at, hf_route_goal(plan->topo, destination), 0);
    return 1;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const duato *state = plan->state;
    const size_t count = escape(plan, at, in, destination, hops);
    if (hf_topology_is_terminal(plan->topo, at)) {
        return count;
    }
    const uint32_t goal = hf_route_goal(plan->topo, destination);
    return count + hf_grid_minimal_hops(plan->topo, &state->grid, at, goal, state->n_escape, state->n_adaptive, hops + count);
}

static const hf_param params[] = {
    {.name = "adaptive-vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 62,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels for every minimal hop, beside those of the escape"},
    {0},
};

const hf_routing hf_routing_duato = {
    .name = "duato",
    .summary = "Duato's protocol on meshes and tori: fully adaptive minimal VCs over an escape of dimension order",
    .source = "duato1993; duato1995",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .escape = escape,
};
