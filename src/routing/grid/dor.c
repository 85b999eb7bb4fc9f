/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Dimension-order routing, e-cube: one dimension after the other, the shorter way round a ring, by `ties` where both are as
 *  long. With dateline=yes the VCs of a channel are two classes of vcs/2 lanes, used as `classes` says; without, all VCs are
 *  alike, and rings can deadlock. On a HyperX (flattened butterfly [kim2007]) each dimension takes one hop. Source: [dally1987;
 *  dally2004, 8.4.2 and 14.2]. */
#include <string.h>

#include "src/routing/grid/route.h"

typedef struct dor {
    hf_grid grid;
    uint32_t order[HF_GRID_DIMS_MAX];
    hf_grid_line line;
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

/* On a HyperX, to the digit of the goal at once. */
static size_t straight(const dor *state, const hf_topology *topo, uint32_t at, uint32_t goal, uint32_t d, hf_hop *hops) {
    const uint32_t port = hf_grid_line_port(&state->grid, at, d, hf_grid_digit(&state->grid, goal, d));
    for (uint32_t lane = 0; lane < state->line.lanes; lane++) {
        hops[lane] = (hf_hop){hf_topology_channel_at(topo, at, port), lane, 0};
    }
    return state->line.lanes;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const dor *state = plan->state;
    const hf_topology *topo = plan->topo;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    uint32_t i = 0;
    while (hf_grid_digit(&state->grid, at, state->order[i]) == hf_grid_digit(&state->grid, goal, state->order[i])) {
        i++;
    }
    const uint32_t d = state->order[i];
    return state->grid.is_complete ? straight(state, topo, at, goal, d, hops)
                                   : hf_grid_line_hops(topo, &state->grid, &state->line, at, in, goal, d, 0, hops);
}

static size_t runs(const hf_plan *plan, uint32_t at, uint32_t destination, hf_channel_run *run) {
    hf_hop hops[2];
    const size_t n = route(plan, at, HF_HOP_INJECTION, destination, hops);
    for (size_t i = 0; i < n; i++) {
        run[i] = (hf_channel_run){hops[i].channel, 1};
    }
    return n;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(dor), &grid));
    dor *state = (dor *)grid;
    const bool has_dateline = hf_args_get(plan->args, "dateline")->number != 0;
    plan->n_vc = (uint32_t)hf_args_get(plan->args, "vcs")->number;
    state->line.ties = (hf_grid_ties)hf_args_get(plan->args, "ties")->number;
    state->line.classes = has_dateline ? (hf_grid_classes)hf_args_get(plan->args, "classes")->number : HF_GRID_CLASSES_NONE;
    state->line.lanes = has_dateline ? plan->n_vc / 2 : plan->n_vc;
    plan->max_hops = 2 * plan->n_vc;
    plan->runs = plan->n_vc == 1 ? runs : NULL; /* so there are no classes, which look at how a packet came */
    plan->max_runs = plan->max_hops;
    (void)read_order(hf_args_get(plan->args, "order")->text, &state->grid, state->order);
    return HF_OK;
}

/** Without VCs that break them, the channels of one direction of a line that is closed are a ring for bubble flow control. */
static uint32_t ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const dor *state = plan->state;
    (void)vc;
    return plan->n_vc > 1 || state->grid.is_complete ? HF_NONE : hf_grid_ring(plan->topo, &state->grid, channel);
}

/* Such a line there is where something wraps. */
static bool has_rings(const hf_plan *plan) {
    hf_grid grid;
    return hf_args_get(plan->args, "vcs")->number == 1 && hf_grid_of(plan->topo, &grid) && !grid.is_complete && grid.has_ring;
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
     .help = "two classes of virtual channels, so that no ring of them is closed"},
    {.name = "classes",
     .type = HF_PARAM_WORD,
     .fallback = "balanced",
     .words = hf_grid_classes_names,
     .help = "class of who does not close a ring: both (balanced), 0 (plain), 0 while who closes it has 1 all along (crossing)"},
    {.name = "ties",
     .type = HF_PARAM_WORD,
     .fallback = "balanced",
     .words = hf_grid_ties_names,
     .help = "half-way round a ring: balanced, by the parity of the sum of the destination's coordinates, always plus, or both"},
    {0},
};

static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    const dor *state = plan->state;
    return hf_grid_line_arrival(plan->topo, &state->grid, &state->line, in);
}

static void order(const hf_plan *plan, uint32_t *terminals) {
    const dor *state = plan->state;
    hf_grid_order(plan->topo, &state->grid, state->order, terminals);
}

static uint32_t along(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const dor *state = plan->state;
    (void)in;
    return hf_grid_along(plan->topo, &state->grid, state->order, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = hf_grid_run, .order = order, .along = along};

const hf_routing hf_routing_dor = {
    .name = "dor",
    .summary = "dimension-order routing on meshes, tori, hypercubes and HyperX, with or without datelines",
    .source = "dally1987; dally2004, 8.4.2 and 14.2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .ring = ring,
    .has_rings = has_rings,
};
