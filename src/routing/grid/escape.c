/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Adaptive VCs over an escape of dimension order. */
#include "src/routing/grid/escape.h"

typedef struct over_escape {
    hf_grid grid;
    hf_grid_line line;
    uint32_t n_escape, n_adaptive;
} over_escape;

const char *const hf_grid_escape_ties[] = {"balanced", "plus", NULL};

hf_status hf_grid_escape_plan(hf_context *cx, hf_plan *plan, uint32_t n_escape, hf_grid_classes classes) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(over_escape), &grid));
    over_escape *state = (over_escape *)grid;
    state->line = (hf_grid_line){(hf_grid_ties)hf_args_get(plan->args, "ties")->number, classes, 1};
    state->n_escape = n_escape;
    state->n_adaptive = (uint32_t)hf_args_get(plan->args, "adaptive-vcs")->number;
    plan->n_vc = n_escape + state->n_adaptive;
    plan->max_hops = 2 * grid->n * state->n_adaptive + 1;
    return HF_OK;
}

size_t hf_grid_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const over_escape *state = plan->state;
    if (hf_route_ends(plan->topo, at, destination, hops)) {
        return 1;
    }
    hops[0] = hf_grid_dor_hop(plan->topo, &state->grid, &state->line, at, hf_route_goal(plan->topo, destination));
    return 1;
}

size_t hf_grid_escape_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const over_escape *state = plan->state;
    const size_t count = hf_grid_escape(plan, at, in, destination, hops);
    if (hf_topology_is_terminal(plan->topo, at)) {
        return count;
    }
    const uint32_t goal = hf_route_goal(plan->topo, destination);
    return count + hf_grid_minimal_hops(plan->topo, &state->grid, at, goal, state->n_escape, state->n_adaptive, hops + count);
}

const hf_likeness hf_grid_escape_likeness = {.by_switch = true, .arrival = hf_arrival_any, .run = hf_grid_run};
