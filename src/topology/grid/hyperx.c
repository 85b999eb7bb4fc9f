/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  HyperX, or flattened butterfly: a grid in which all switches of a line are joined with each other. Ports go dimension by
 *  dimension, inside one in ascending order of the digit that they lead to.
 *  Source: [ahn2009; kim2007]. */
#include "src/topology/grid/grid.h"

static void grid(const hf_args *args, hf_grid *out) {
    hf_grid_take_dims(args, out);
    out->is_complete = true;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_grid_build(cx, &hf_topology_hyperx, args, out);
}

static const hf_param params[] = {
    HF_GRID_PARAM_DIMS,
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_hyperx = {
    .name = "hyperx",
    .summary = "HyperX, flattened butterfly: a grid whose lines are complete graphs",
    .source = "ahn2009; kim2007",
    .claims = "product of the k_d switches; N (k_d - 1) / 2 links in dimension d; degree sum of (k_d - 1), + terminals; "
              "diameter: dimensions with k_d > 1, + 2",
    .params = params,
    .grid = grid,
    .build = build,
    .place = hf_grid_place,
    .diameter = hf_grid_diameter,
    .mean_distance = hf_grid_mean_distance,
};
