/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  North-last in the plane, all-but-one-positive-last in n dimensions: first, adaptively, all negative directions and the
 *  positive one of dimension 0, then, adaptively, the other positive directions. Source: [glass1992]. */
#include "src/routing/grid/turn_model.h"

static bool is_first(uint32_t n, uint32_t d, bool is_plus) {
    (void)n;
    return !is_plus || d == 0;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "north-last", HF_ON_MESH);
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_turn_plan(cx, plan, is_first); }

const hf_routing hf_routing_north_last = {
    .name = "north-last",
    .summary = "north-last on meshes, all-but-one-positive-last in n dimensions: minimal, adaptive, one VC or more",
    .accepts = accepts,
    .plan = make,
    HF_TURN_MODEL,
};
