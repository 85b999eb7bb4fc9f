/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The bidirectional butterfly MIN of [ni1997]: n stages of k^(n-1) switches, k ports on each side, two-way links wired as in
 *  the k-ary n-fly: right port k+j of switch o in stage s leads to the switch of the next stage whose digit n-2-s is j.
 *  Terminals hang on the left of stage 0; a way turns round where a switch leads to both. The right ports of the last stage are
 *  left free. It is the k-ary n-tree with its switches numbered by reversed digits above stage 0. */
#include "src/topology/multistage/fly.h"
#include "src/topology/uniform.h"

static const char *const coord_name[] = {"index"};

static hf_fly shape_of(const hf_args *args) {
    hf_fly fly = {.k = (uint32_t)hf_args_get(args, "k")->number, .n = (uint32_t)hf_args_get(args, "n")->number};
    fly.n_stage = fly.n;
    fly.n_line = hf_power(fly.k, fly.n);
    return fly;
}

static void add_links(hf_topology *topo, const hf_fly *fly) {
    const uint32_t width = fly->n_line / fly->k;
    for (uint32_t v = 0; v + width < topo->n_switch; v++) {
        const uint32_t s = v / width, o = v % width, weight = hf_power(fly->k, fly->n - 2 - s);
        const uint32_t digit = o / weight % fly->k;
        for (uint32_t j = 0; j < fly->k; j++) {
            hf_topology_add_link(topo, v, fly->k + j, (s + 1) * width + o - digit * weight + j * weight, digit, true);
        }
    }
    hf_uniform_hang(topo, fly->k, 0);
}

static hf_status fill(hf_context *cx, hf_topology *topo, const hf_fly *fly) {
    const uint32_t width = fly->n_line / fly->k;
    add_links(topo, fly);
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        topo->coord[v] = v % width;
    }
    HF_TRY(hf_stages_mark(cx, topo, width, "stage of a switch, 0 at the terminals; of a link: of its lower switch"));
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const uint64_t k = hf_args_get(args, "k")->number, n = hf_args_get(args, "n")->number;
    const uint64_t n_line = hf_power64(k, n), width = hf_power64(k, n - 1);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_bmin, args, hf_times(n, width), n_line, hf_times(n - 1, n_line), n_line, 1,
                             coord_name, &topo));
    const hf_fly fly = shape_of(args);
    return hf_topology_give(fill(cx, topo, &fly), topo, out);
}

static hf_position place(const hf_topology *topo, uint32_t node) { return hf_stages_place(topo, shape_of(&topo->args).k, node); }

static uint32_t diameter(const hf_topology *topo) { return 2 * shape_of(&topo->args).n; }

static double mean_distance(const hf_topology *topo) {
    const hf_fly fly = shape_of(&topo->args);
    return hf_stages_mean_turning(fly.k, fly.n);
}

const hf_topology_kind hf_topology_bmin = {
    .name = "bmin",
    .summary = "bidirectional butterfly MIN: the k-ary n-fly with two-way links, terminals on one side",
    .source = "ni1997",
    .claims = "k^n terminals; n k^(n-1) switches; (n-1) k^n links between switches; diameter 2n channels",
    .params = hf_fly_params,
    .build = build,
    .place = place,
    .diameter = diameter,
    .mean_distance = mean_distance,
};
