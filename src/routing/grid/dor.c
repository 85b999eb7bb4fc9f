/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Dimension-order routing, e-cube: one dimension after the other, the shorter way round a ring, + where both are as long. With
 *  dateline=yes the VCs of a channel are two classes of vcs/2 lanes: a packet enters each dimension in class 0 and goes on in
 *  class 1 once it has passed the channel that closes the ring; without, all VCs are alike, and rings can deadlock. On a HyperX
 *  (flattened butterfly [kim2007]) each dimension takes one hop.
 *  Source: [dally1987; dally2004, 8.4.2 and 14.2]. */
#include <string.h>

#include "src/routing/grid/route.h"

typedef struct dor {
    hf_grid grid;
    uint32_t order[HF_GRID_DIMS_MAX];
    uint32_t lanes; /**< VCs of a class */
    bool has_dateline;
} dor;

/** Take the dimensions in the order of the letters. \return whether each is named once */
static bool read_order(const char *text, const hf_grid *grid, uint32_t *order) {
    bool seen[HF_GRID_DIMS_MAX] = {false};
    const bool is_ascending = strcmp(text, "ascending") == 0;
    if (!is_ascending && strlen(text) != grid->n) {
        return false;
    }
    for (uint32_t i = 0; i < grid->n; i++) {
        uint32_t d = is_ascending ? i : 0;
        while (!is_ascending && d < grid->n && hf_grid_letter(d) != text[i]) {
            d++;
        }
        if (d == grid->n || seen[d]) {
            return false;
        }
        seen[d] = true;
        order[i] = d;
    }
    return true;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    hf_grid grid;
    uint32_t order[HF_GRID_DIMS_MAX];
    const char *text = hf_args_get(args, "order")->text;
    const unsigned vcs = (unsigned)hf_args_get(args, "vcs")->number;
    HF_TRY(hf_grid_accepts(cx, topo, "dor", HF_ON_MESH | HF_ON_TORUS | HF_ON_HYPERX));
    (void)hf_grid_of(topo, &grid);
    if (!read_order(text, &grid, order)) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"dor\": order=%s is not right for \"%s\"; need each of its coordinates once, or ascending", text,
                topo->spec);
    }
    if (hf_args_get(args, "dateline")->number && grid.is_complete) {
        HF_FAIL(cx, HF_EINVAL, "routing \"dor\": dateline=yes is not right for \"%s\"; it has no rings", topo->spec);
    }
    if (hf_args_get(args, "dateline")->number && vcs % 2 != 0) {
        HF_FAIL(cx, HF_EINVAL, "routing \"dor\": vcs=%u is not right with dateline=yes; need an even number for two classes",
                vcs);
    }
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(dor), &grid));
    dor *state = (dor *)grid;
    state->has_dateline = hf_args_get(plan->args, "dateline")->number != 0;
    plan->n_vc = (uint32_t)hf_args_get(plan->args, "vcs")->number;
    state->lanes = state->has_dateline ? plan->n_vc / 2 : plan->n_vc;
    plan->max_hops = state->lanes;
    (void)read_order(hf_args_get(plan->args, "order")->text, &state->grid, state->order);
    return HF_OK;
}

/** Class in which a packet that came by `in` goes on in dimension d. */
static uint32_t class_of(const dor *state, const hf_topology *topo, hf_hop in, uint32_t d) {
    const bool is_entering =
        hf_topology_is_terminal(topo, topo->from[in.channel]) || hf_grid_dimension(topo, &state->grid, in.channel) != d;
    return !is_entering && (in.vc >= state->lanes || hf_grid_is_wrap(topo, &state->grid, in.channel));
}

/** One step along the line, or on a HyperX straight to the digit of the goal. */
static uint32_t channel_towards(const dor *state, const hf_topology *topo, uint32_t at, uint32_t goal, uint32_t d, int way) {
    const hf_grid *grid = &state->grid;
    return grid->is_complete ? hf_topology_channel_at(topo, at, hf_grid_line_port(grid, at, d, hf_grid_digit(grid, goal, d)))
                             : hf_grid_channel(topo, grid, at, d, way);
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const dor *state = plan->state;
    const hf_topology *topo = plan->topo;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    uint32_t i = 0;
    int way = 0;
    while ((way = hf_grid_way(&state->grid, at, goal, state->order[i])) == 0) {
        i++;
    }
    const uint32_t d = state->order[i], channel = channel_towards(state, topo, at, goal, d, way);
    const uint32_t first = state->has_dateline ? class_of(state, topo, in, d) * state->lanes : 0;
    for (uint32_t lane = 0; lane < state->lanes; lane++) {
        hops[lane] = (hf_hop){channel, first + lane, 0};
    }
    return state->lanes;
}

/** Without VCs that break them, the channels of one direction of a line that is closed are a ring for bubble flow control. */
static uint32_t ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const dor *state = plan->state;
    (void)vc;
    return plan->n_vc > 1 || state->grid.is_complete ? HF_NONE : hf_grid_ring(plan->topo, &state->grid, channel);
}

/* Such a line there is where something wraps. */
static bool has_rings(const hf_topology *topo, const hf_args *args) {
    hf_grid grid;
    return hf_args_get(args, "vcs")->number == 1 && hf_grid_of(topo, &grid) && !grid.is_complete && grid.has_ring;
}

static const hf_param params[] = {
    {.name = "order",
     .type = HF_PARAM_TEXT,
     .fallback = "ascending",
     .help = "order of the dimensions by their letters, such as yx; ascending: x first"},
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels of each channel"},
    {.name = "dateline",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "two classes of virtual channels, the second after the channel that closes a ring"},
    {0},
};

const hf_routing hf_routing_dor = {
    .name = "dor",
    .summary = "dimension-order routing on meshes, tori, hypercubes and HyperX, with or without datelines",
    .source = "dally1987; dally2004, 8.4.2 and 14.2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .ring = ring,
    .has_rings = has_rings,
};
