/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The baseline network of [wu1980]: between stages s-1 and s, each block of k^(n-s+1) lines is unshuffled, its output j leads to
 *  the j-th of k blocks. Stage s of a way to p takes the output of digit n-1-s of p. */
#include "src/topology/multistage/fly.h"

static uint32_t wire(const hf_fly *fly, uint32_t s, uint32_t y) {
    if (s == 0 || s == fly->n_stage) {
        return y;
    }
    const uint32_t block = hf_power(fly->k, fly->n - s + 1), first = y / block * block, at = y % block;
    return first + at % fly->k * (block / fly->k) + at / fly->k;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_fly_build(cx, &hf_topology_baseline, args, hf_args_get(args, "n")->number, wire, out);
}

const hf_topology_kind hf_topology_baseline = {
    .name = "baseline",
    .summary = "baseline network: each stage parts the lines of a block among k blocks",
    .source = "wu1980",
    .claims = HF_FLY_CLAIMS,
    .build = build,
    HF_FLY_FIGURES,
};
