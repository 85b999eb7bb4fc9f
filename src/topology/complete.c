/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The complete graph: every two switches joined. The port that leads to switch j is j, or j - 1 above the switch's own number.
 *  Links are ordered by (lower, higher switch); forward leads to the higher one.
 *  Source: none. */
#include "src/topology/uniform.h"

static uint32_t port_to(uint32_t sw, uint32_t other) { return other < sw ? other : other - 1; }

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const uint64_t n = hf_args_get(args, "n")->number, n_terminal = hf_times(n, hf_args_get(args, "terminals")->number);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_complete, args, n, n_terminal, n * (n - 1) / 2, n_terminal, 0, NULL, &topo));
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a + 1; b < n; b++) {
            hf_topology_add_link(topo, a, port_to(a, b), b, port_to(b, a), true);
        }
    }
    hf_uniform_add_terminals(topo, topo->n_switch - 1);
    return hf_topology_give(hf_topology_finish(cx, topo), topo, out);
}

static uint32_t diameter(const hf_topology *topo) { return hf_uniform_diameter(topo, topo->n_switch > 1); }

static double mean_distance(const hf_topology *topo) {
    return hf_uniform_mean(topo, (double)topo->n_switch * (topo->n_switch - 1.0));
}

static const hf_param params[] = {
    {.name = "n", .type = HF_PARAM_UINT, .low = 1, .high = 65536, .help = "switches"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_complete = {
    .name = "complete",
    .summary = "complete graph: every two switches are joined",
    .source = "none",
    .claims = "n switches; n (n-1) / 2 links; degree n - 1 + terminals; diameter 3 channels",
    .params = params,
    .build = build,
    .place = hf_uniform_on_circle,
    .diameter = diameter,
    .mean_distance = mean_distance,
};
