/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The ring: a torus of one dimension, n switches in a circle; port 0 is + (to the next number), port 1 is -.
 *  Source: [dally2004, 5.1]. */
#include "src/topology/grid/grid.h"

static void grid(const hf_args *args, hf_grid *out) {
    out->n = 1;
    out->size[0] = (uint32_t)hf_args_get(args, "n")->number;
    hf_grid_wrap(out, false);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_grid_build(cx, &hf_topology_ring, args, out);
}

static const hf_param params[] = {
    {.name = "n", .type = HF_PARAM_UINT, .low = 1, .high = HF_GRID_SIZE_MAX, .help = "switches"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_ring = {
    .name = "ring",
    .summary = "ring: switches in a circle, a torus of one dimension",
    .source = "dally2004, 5.1",
    .claims = "n switches; n links if n > 2; degree 2 + terminals; diameter floor(n/2) + 2",
    .params = params,
    .grid = grid,
    .build = build,
    .place = hf_uniform_on_circle,
    .diameter = hf_grid_diameter,
    .mean_distance = hf_grid_mean_distance,
};
