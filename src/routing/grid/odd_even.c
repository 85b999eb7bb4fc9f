/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The odd-even turn model on a mesh of two dimensions, minimal: no packet turns from east to north or south in an even column,
 *  nor from north or south to west in an odd one. The function is ROUTE of the paper; its test for the source column, where a
 *  packet has not gone east yet, looks at the channel of arrival instead.
 *  Source: [chiu2000]. */
#include "src/routing/grid/route.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "odd-even", HF_ON_MESH | HF_ON_PLANE);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof *grid, &grid));
    hf_route_take_vcs(plan, grid->n);
    return HF_OK;
}

/** Came here eastwards? Then a turn to the north or the south is one of the turns that even columns forbid. */
static bool goes_east(const hf_topology *topo, hf_hop in) {
    return !hf_topology_is_terminal(topo, topo->from[in.channel]) && topo->from_port[in.channel] == 0;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_grid *grid = plan->state;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    const uint32_t x = hf_grid_digit(grid, at, 0), goal_x = hf_grid_digit(grid, goal, 0);
    const int east = hf_grid_way(grid, at, goal, 0), north = hf_grid_way(grid, at, goal, 1);
    const bool is_odd = x % 2 == 1, is_vertical_free = east == 0 || (east > 0 ? is_odd || !goes_east(topo, in) : !is_odd);
    const bool is_horizontal_free = east < 0 || north == 0 || goal_x % 2 == 1 || goal_x - x != 1;
    size_t count = 0;
    if (north != 0 && is_vertical_free) {
        hops[count++] = (hf_hop){hf_grid_channel(topo, grid, at, 1, north), 0, 0};
    }
    if (east != 0 && is_horizontal_free) {
        hops[count++] = (hf_hop){hf_grid_channel(topo, grid, at, 0, east), 0, 0};
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

static uint32_t arrival(const hf_plan *plan, hf_hop in) { return goes_east(plan->topo, in); }

/* In the next column to the east it matters whether the goal's is odd. */
static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_topology *topo = plan->topo;
    const hf_grid *grid = plan->state;
    const uint32_t p = hf_uniform_terminals(topo), goal = destination / p;
    (void)in;
    const bool is_next = !hf_topology_is_terminal(topo, at) && hf_grid_digit(grid, goal, 0) == hf_grid_digit(grid, at, 0) + 1;
    return is_next ? (goal + 1) * p : hf_grid_run_to(topo, grid, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = run};

static const hf_param params[] = {HF_PARAM_VCS, {0}};

const hf_routing hf_routing_odd_even = {
    .name = "odd-even",
    .summary = "odd-even turn model on meshes of two dimensions: minimal, adaptive, one VC or more",
    .source = "chiu2000",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
