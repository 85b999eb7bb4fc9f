/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The mesh: switches on an n-dimensional grid, each joined to its neighbours. Numbers and ports are those of grid.h.
 *  Source: [dally2004, 5.1]. */
#include "src/topology/grid/grid.h"

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_grid_build(cx, &hf_topology_mesh, args, out);
}

static const hf_param params[] = {
    HF_GRID_PARAM_DIMS,
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_mesh = {
    .name = "mesh",
    .summary = "mesh: switches on a grid of any dimensions, each joined to its neighbours",
    .source = "dally2004, 5.1",
    .claims = "product of the k_d switches; N (1 - 1/k_d) links in dimension d; port 2d is +, 2d+1 is -; diameter sum of (k_d - "
              "1), + 2",
    .params = params,
    .grid = hf_grid_take_dims,
    .build = build,
    .place = hf_grid_place,
    .diameter = hf_grid_diameter,
    .mean_distance = hf_grid_mean_distance,
};
