/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The k-ary n-fly of [dally2004, chapter 4]: output j of switch o in stage s leads to the switch of the next stage whose digit
 *  n-2-s is j. Stage s of a way to p takes the output of digit n-1-s of p. */
#include "src/topology/multistage/fly.h"

static uint32_t wire(const hf_fly *fly, uint32_t s, uint32_t y) {
    if (s == 0 || s == fly->n_stage) {
        return y;
    }
    const uint32_t o = y / fly->k, j = y % fly->k, weight = hf_power(fly->k, fly->n - 1 - s);
    const uint32_t digit = o / weight % fly->k;
    return (o - digit * weight + j * weight) * fly->k + digit;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_fly_build(cx, &hf_topology_butterfly, args, hf_args_get(args, "n")->number, wire, out);
}

const hf_topology_kind hf_topology_butterfly = {
    .name = "butterfly",
    .summary = "k-ary n-fly: a butterfly of one-way links, one path a pair, destination digits from the highest on",
    .source = "dally2004, 4",
    .claims = HF_FLY_CLAIMS,
    .build = build,
    HF_FLY_FIGURES,
};
