/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The bidirectional butterfly MIN of [ni1997]: n stages of k^(n-1) switches, k ports on each side, two-way links wired as in the
 *  k-ary n-fly: right port k+j of switch o in stage s leads to the switch of the next stage whose digit n-2-s is j. Terminals
 * hang on the left of stage 0; a way turns round where a switch leads to both. The right ports of the last stage are left free.
 * It is the k-ary n-tree with its switches numbered by reversed digits above stage 0. */
#include "src/topology/fly.h"
#include "src/topology/uniform.h"

static const char *const coord_name[] = {"index"};

static hf_fly shape_of(const hf_args *args) {
    hf_fly fly = {.k = (uint32_t)hf_args_get(args, "k")->number, .n = (uint32_t)hf_args_get(args, "n")->number};
    fly.n_stage = fly.n;
    fly.n_line = hf_fly_power(fly.k, fly.n);
    return fly;
}

static void add_links(hf_topology *topo, const hf_fly *fly) {
    const uint32_t width = fly->n_line / fly->k;
    for (uint32_t v = 0; v + width < topo->n_switch; v++) {
        const uint32_t s = v / width, o = v % width, weight = hf_fly_power(fly->k, fly->n - 2 - s);
        const uint32_t digit = o / weight % fly->k;
        for (uint32_t j = 0; j < fly->k; j++) {
            hf_topology_add_link(topo, v, fly->k + j, (s + 1) * width + o - digit * weight + j * weight, digit, true);
        }
    }
    hf_uniform_hang(topo, fly->k, 0);
}

static hf_status fill(hf_context *cx, hf_topology *topo, const hf_fly *fly) {
    const uint32_t width = fly->n_line / fly->k;
    uint32_t *of_switch, *of_link;
    add_links(topo, fly);
    HF_TRY(hf_topology_add_attribute(cx, topo, "stage", "stage of a switch, 0 at the terminals; of a link: of its lower switch",
                                     &of_switch, &of_link));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        of_switch[v] = v / width;
        topo->coord[v] = v % width;
    }
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        of_link[l] = of_switch[topo->from[l]];
    }
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const uint64_t k = hf_args_get(args, "k")->number, n = hf_args_get(args, "n")->number;
    const uint64_t n_line = hf_fly_power64(k, n), width = hf_fly_power64(k, n - 1);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_bmin, args, hf_times(n, width), n_line, hf_times(n - 1, n_line), n_line, 1,
                             coord_name, &topo));
    const hf_fly fly = shape_of(args);
    const hf_status status = fill(cx, topo, &fly);
    if (status != HF_OK) {
        hf_topology_free(topo);
        return status;
    }
    *out = topo;
    return HF_OK;
}

/** Terminals side by side in the bottom row, the stages above them. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const hf_fly fly = shape_of(&topo->args);
    const uint32_t width = fly.n_line / fly.k;
    if (hf_topology_is_terminal(topo, node)) {
        return (hf_position){.x = node - topo->n_switch, .y = 0};
    }
    return (hf_position){.x = node % width * fly.k + (fly.k - 1) / 2.0, .y = 1.0 + node / width};
}

static uint32_t diameter(const hf_topology *topo) { return 2 * shape_of(&topo->args).n; }

/** Stage t is the first that leads to both for (k-1) k^t of the other terminals. */
static double mean_distance(const hf_topology *topo) {
    const hf_fly fly = shape_of(&topo->args);
    double sum = 0, at_stage = fly.k - 1;
    for (uint32_t t = 0; t < fly.n; t++, at_stage *= fly.k) {
        sum += at_stage * 2 * (t + 1);
    }
    return sum / (topo->n_terminal - 1.0);
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
