/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Negative-first in n dimensions: first, adaptively, the negative directions, then, adaptively, the positive ones. On hypercubes
 *  this is p-cube routing.
 *  Source: [glass1992]. */
#include "src/routing/grid/turn_model.h"

static bool is_first(uint32_t n, uint32_t d, bool is_plus) {
    (void)n;
    (void)d;
    return !is_plus;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "negative-first", HF_ON_MESH);
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_turn_plan(cx, plan, is_first); }

const hf_routing hf_routing_negative_first = {
    .name = "negative-first",
    .summary = "negative-first on meshes, p-cube on hypercubes: minimal, adaptive, one VC or more",
    .accepts = accepts,
    .plan = make,
    HF_TURN_MODEL,
};
