/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The randomly wired multibutterfly of [chong1992, 2.1; upfal1989]: between a class and the next one in each direction, outputs
 *  are joined to inputs by a random permutation in which the outputs of a router lead to different routers. */
#include "src/topology/multistage/multipath.h"

static void wire(const hf_multipath *net, const hf_args *args, hf_random *random, hf_multipath_bundle *bundle) {
    (void)args;
    hf_multipath_shuffle(net, random, bundle);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_multipath_build(cx, &hf_topology_multibutterfly, args, wire, false, out);
}

static const hf_param params[] = {
    HF_MULTIPATH_SHAPE,
    HF_MULTIPATH_SEED,
    HF_MULTIPATH_INPUTS("random"),
    {0},
};

const hf_topology_kind hf_topology_multibutterfly = {
    .name = "multibutterfly",
    .summary = "randomly wired multibutterfly of dilated routers: many paths a pair, with expansion",
    .source = "chong1992, 2",
    .params = params,
    .build = build,
    HF_MULTIPATH_FIGURES,
};
