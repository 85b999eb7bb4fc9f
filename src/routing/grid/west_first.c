/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  West-first in the plane, all-but-one-negative-first in n dimensions: first, adaptively, all negative directions but that of
 *  the last dimension, then, adaptively, the other directions. Source: [glass1992]. */
#include "src/routing/grid/turn_model.h"

static bool is_first(uint32_t n, uint32_t d, bool is_plus) { return !is_plus && (d + 1 < n || n == 1); }

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_grid_accepts(cx, topo, "west-first", HF_ON_MESH);
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_turn_plan(cx, plan, is_first); }

const hf_routing hf_routing_west_first = {
    .name = "west-first",
    .summary = "west-first on meshes, all-but-one-negative-first in n dimensions: minimal, adaptive, one VC or more",
    .accepts = accepts,
    .plan = make,
    HF_TURN_MODEL,
};
