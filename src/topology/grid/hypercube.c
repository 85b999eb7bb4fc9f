/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The binary n-cube: 2^n switches, joined where their numbers differ in one bit. Port d flips bit d; forward sets it.
 *  Source: [dally2004, 5.1]. */
#include "src/topology/grid/grid.h"

static void grid(const hf_args *args, hf_grid *out) {
    out->is_cube = true;
    out->n = (uint32_t)hf_args_get(args, "n")->number;
    for (uint32_t d = 0; d < out->n; d++) {
        out->size[d] = 2;
    }
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_grid_build(cx, &hf_topology_hypercube, args, out);
}

static const hf_param params[] = {
    {.name = "n", .type = HF_PARAM_UINT, .low = 1, .high = HF_GRID_DIMS_MAX, .help = "dimensions"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_hypercube = {
    .name = "hypercube",
    .summary = "hypercube: switches joined where their numbers differ in one bit",
    .source = "dally2004, 5.1",
    .claims = "2^n switches; n 2^(n-1) links; degree n + terminals; diameter n + 2",
    .params = params,
    .grid = grid,
    .build = build,
    .place = hf_grid_place,
    .diameter = hf_grid_diameter,
    .mean_distance = hf_grid_mean_distance,
};
