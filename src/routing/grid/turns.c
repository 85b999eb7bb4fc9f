/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Minimal adaptive routing on a mesh of two dimensions with some turns forbidden: of all minimal ways those without such a turn.
 *  With no turn forbidden it is fully adaptive. Where two opposite turns of one quadrant are forbidden, no way leads there.
 *  Source: [glass1992]. */
#include <string.h>

#include "src/routing/grid/route.h"

/** Directions as in a map: + of dimension 0 is east, + of dimension 1 is north. */
enum { EAST, WEST, NORTH, SOUTH, N_DIRECTION };

typedef struct turns {
    hf_grid grid;
    bool is_forbidden[N_DIRECTION][N_DIRECTION]; /**< from a direction to another */
} turns;

static int direction_of(char letter) {
    static const char letters[] = "ewns";
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : -1;
}

/** Read "ne.nw". \return whether every piece is a turn of 90 degrees */
static bool read_turns(const char *text, turns *out) {
    if (strcmp(text, "none") == 0) {
        return true;
    }
    for (const char *at = text;; at += 3) {
        const int from = direction_of(at[0]), to = from < 0 ? -1 : direction_of(at[1]);
        if (to < 0 || from / 2 == to / 2 || (at[2] && at[2] != '.')) {
            return false;
        }
        out->is_forbidden[from][to] = true;
        if (!at[2]) {
            return true;
        }
    }
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    turns read = {.grid = {0}};
    HF_TRY(hf_grid_accepts(cx, topo, "turns", HF_ON_MESH | HF_ON_PLANE));
    if (!read_turns(hf_args_get(args, "forbid")->text, &read)) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"turns\": forbid=%s is not right; need turns of 90 degrees joined by points, such as ne.nw",
                hf_args_get(args, "forbid")->text);
    }
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(turns), &grid));
    (void)read_turns(hf_args_get(plan->args, "forbid")->text, (turns *)grid);
    hf_route_take_vcs(plan, grid->n);
    return HF_OK;
}

/** The direction of a hop of dimension d. */
static int direction(uint32_t d, int way) { return 2 * (int)d + (way < 0); }

/** May a packet that still needs dimension `other` go on in dimension d? Only if it can turn into the other one later. */
static bool leads_on(const turns *state, uint32_t d, int way, int other_way) {
    return other_way == 0 || !state->is_forbidden[direction(d, way)][direction(1 - d, other_way)];
}

/** May a packet that came by `in` leave in that direction? */
static bool may_turn(const turns *state, const hf_topology *topo, hf_hop in, int to) {
    if (hf_topology_is_terminal(topo, topo->from[in.channel])) {
        return true;
    }
    return !state->is_forbidden[topo->from_port[in.channel]][to];
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const turns *state = plan->state;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    const int way[2] = {hf_grid_way(&state->grid, at, goal, 0), hf_grid_way(&state->grid, at, goal, 1)};
    size_t count = 0;
    for (uint32_t d = 0; d < 2; d++) {
        if (way[d] != 0 && leads_on(state, d, way[d], way[1 - d]) && may_turn(state, topo, in, direction(d, way[d]))) {
            hops[count++] = (hf_hop){hf_grid_channel(topo, &state->grid, at, d, way[d]), 0, 0};
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

static const hf_param params[] = {
    {.name = "forbid",
     .type = HF_PARAM_TEXT,
     .fallback = "none",
     .help = "turns from one direction to another, e +x, w -x, n +y, s -y, joined by points: ne.nw; or none"},
    HF_PARAM_VCS,
    {0},
};

static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    const hf_topology *topo = plan->topo;
    return hf_topology_is_terminal(topo, topo->from[in.channel]) ? 0 : 1 + topo->from_port[in.channel];
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = hf_grid_run};

const hf_routing hf_routing_turns = {
    .name = "turns",
    .summary = "minimal adaptive routing on meshes of two dimensions with given turns forbidden, one VC or more",
    .source = "glass1992",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
