/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The torus: an n-dimensional grid whose lines are closed to rings. A line of two switches has one link unless double=yes,
 *  one of one switch has none. Numbers and ports are those of grid.h.
 *  Source: [dally2004, 5.1]. */
#include "src/topology/grid/grid.h"

static void grid(const hf_args *args, hf_grid *out) {
    hf_grid_take_dims(args, out);
    hf_grid_wrap(out, hf_args_get(args, "double")->number);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_grid_build(cx, &hf_topology_torus, args, out);
}

static const hf_param params[] = {
    HF_GRID_PARAM_DIMS,
    {.name = "double",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "two links, not one, between the switches of a dimension of size 2"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_torus = {
    .name = "torus",
    .summary = "torus: a grid of any dimensions whose lines are closed to rings",
    .source = "dally2004, 5.1",
    .claims = "product of the k_d switches; N links in a dimension with k_d > 2; port 2d is +, 2d+1 is -; diameter sum of "
              "floor(k_d/2), + 2",
    .params = params,
    .grid = grid,
    .build = build,
    .place = hf_grid_place,
    .diameter = hf_grid_diameter,
    .mean_distance = hf_grid_mean_distance,
};
