/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The randomly wired multibutterfly of [chong1992, 2.1; upfal1989]: between a class and the next one in each direction, outputs
 *  are joined to inputs by a random permutation in which the outputs of a router lead to different routers. */
#include "src/topology/multipath.h"

static void wire(const hf_multipath *net, const hf_args *args, hf_random *random, hf_bundle *bundle) {
    (void)args;
    hf_multipath_shuffle(net, random, bundle);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_multipath_build(cx, &hf_topology_multibutterfly, args, wire, out);
}

static const hf_param params[] = {
    HF_MULTIPATH_SHAPE,
    HF_MULTIPATH_SEED,
    {.name = "inputs",
     .type = HF_PARAM_WORD,
     .fallback = "random",
     .words = hf_multipath_inputs,
     .help = "the endpoints' outputs: clustered (groups of radix x dilation endpoints share their routers) or random"},
    {0},
};

const hf_topology_kind hf_topology_multibutterfly = {
    .name = "multibutterfly",
    .summary = "randomly wired multibutterfly of dilated routers: many paths a pair, with expansion",
    .source = "chong1992, 2",
    .claims = "radix^stages endpoints; (stages - 1 + dilation) radix^(stages-1) routers; every path crosses stages + 1 channels",
    .params = params,
    .build = build,
    .place = hf_multipath_place,
    .diameter = hf_multipath_diameter,
    .mean_distance = hf_multipath_mean_distance,
};
