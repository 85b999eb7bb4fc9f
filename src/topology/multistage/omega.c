/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The Omega network of [lawrie1975]: before each stage the lines are shuffled, the highest digit becomes the lowest. Stage s
 *  of a way to p takes the output of digit n-1-s of p. */
#include "src/topology/multistage/fly.h"

static uint32_t wire(const hf_fly *fly, uint32_t s, uint32_t y) {
    const uint32_t weight = fly->n_line / fly->k;
    return s == fly->n_stage ? y : y % weight * fly->k + y / weight;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_fly_build(cx, &hf_topology_omega, args, hf_args_get(args, "n")->number, wire, out);
}

const hf_topology_kind hf_topology_omega = {
    .name = "omega",
    .summary = "Omega network: a perfect k-shuffle before each of n stages of k x k switches",
    .source = "lawrie1975",
    .claims = HF_FLY_CLAIMS,
    .build = build,
    HF_FLY_FIGURES,
};
