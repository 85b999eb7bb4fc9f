/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Duato's protocol on meshes, tori and hypercubes: every minimal hop on the adaptive VCs, and as an escape the hop of
 *  dimension-order routing on VC 0, on tori on VCs 0 and 1. Packets come and go between the two, so the dateline class of the
 *  escape follows from place and goal: 0 while the way in the dimension has still to close the ring, then 1; with balanced
 *  classes 0 too for goals that nobody reaches who closes the ring.
 *  Source: [duato1993; duato1995]. */
#include "src/routing/grid/escape.h"
#include "src/routing/lanes.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "duato", HF_ON_MESH | HF_ON_TORUS);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_grid grid;
    (void)hf_grid_of(plan->topo, &grid);
    return hf_grid_escape_plan(cx, plan, hf_grid_dor_vcs(&grid), (hf_grid_classes)hf_args_get(plan->args, "classes")->number);
}

static const char *const classes[] = {"balanced", "plain", NULL};

static const hf_param params[] = {
    {.name = "adaptive-vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 62,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels for every minimal hop, beside those of the escape"},
    {.name = "classes",
     .type = HF_PARAM_WORD,
     .fallback = "balanced",
     .words = classes,
     .help = "class of the escape for who does not close the ring: plain, 1; balanced, 0 to half of the destinations"},
    HF_GRID_ESCAPE_TIES,
    HF_PARAM_LANES,
    {0},
};

const hf_routing hf_routing_duato = {
    .name = "duato",
    .summary = "Duato's protocol on meshes and tori: fully adaptive minimal VCs over an escape of dimension order",
    .source = "duato1993; duato1995",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = hf_grid_escape_route,
    .likeness = &hf_grid_escape_likeness,
    .escape = hf_grid_escape,
};
