/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Valiant's routing on meshes, tori and hypercubes: first to an intermediate switch, then to the goal, both times by `inner`.
 *  All intermediate switches are admissible; the packet's header names the one that was chosen: the tag is 1 + the switch in the
 *  first phase, 0 in the second. Each phase has VCs of its own: one, on tori two for the dateline classes.
 *  Source: [valiant1982; dally2004, 9.1]. */
#include "src/routing/grid/route.h"
#include "src/routing/lanes.h"

typedef struct valiant {
    hf_grid grid;
    hf_grid_line line;
} valiant;

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "valiant", HF_ON_MESH | HF_ON_TORUS);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(valiant), &grid));
    valiant *state = (valiant *)grid;
    const hf_grid_classes classes = (hf_grid_classes)hf_args_get(plan->args, "classes")->number;
    state->line = (hf_grid_line){.ties = (hf_grid_ties)hf_args_get(plan->args, "ties")->number,
                                 .classes = grid->has_ring ? classes : HF_GRID_CLASSES_NONE,
                                 .lanes = 1};
    plan->n_vc = 2 * hf_grid_dor_vcs(grid);
    plan->max_hops = plan->topo->n_switch > 4 ? plan->topo->n_switch : 4;
    return HF_OK;
}

/* Towards the goal of the phase, on the virtual channels from `first` on. */
static size_t towards(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t goal, uint32_t first, hf_hop *hops) {
    const valiant *state = plan->state;
    const uint32_t d = hf_grid_first_open(&state->grid, at, goal);
    return hf_grid_line_hops(plan->topo, &state->grid, &state->line, at, in, goal, d, first, hops);
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    if (hf_topology_is_terminal(topo, at)) {
        return hf_route_choose(topo, at, topo->n_switch, hops);
    }
    if (in.tag != 0 && in.tag - 1 != at) {
        const size_t count = towards(plan, at, in, in.tag - 1, 0, hops);
        for (size_t i = 0; i < count; i++) {
            hops[i].tag = in.tag;
        }
        return count;
    }
    return hf_route_ends(topo, at, destination, hops)
               ? 1
               : towards(plan, at, in, hf_route_goal(topo, destination), plan->n_vc / 2, hops);
}

static const char *const inner[] = {"dor", NULL};

static const hf_param params[] = {
    {.name = "inner",
     .type = HF_PARAM_WORD,
     .fallback = "dor",
     .words = inner,
     .help = "routing of both phases: dor, dimension order with x first"},
    {.name = "classes", .type = HF_PARAM_WORD, .fallback = "balanced", .words = hf_grid_classes_names, .help = "as for dor"},
    {.name = "ties", .type = HF_PARAM_WORD, .fallback = "balanced", .words = hf_grid_ties_names, .help = "as for dor"},
    HF_PARAM_LANES,
    {0},
};

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const valiant *state = plan->state;
    return in.tag != 0 && in.tag - 1 != at ? HF_NONE : hf_grid_run_to(plan->topo, &state->grid, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .run = run};

const hf_routing hf_routing_valiant = {
    .name = "valiant",
    .summary = "Valiant's routing on meshes and tori: over any intermediate switch, a class of VCs for each phase",
    .source = "valiant1982; dally2004, 9.1",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
