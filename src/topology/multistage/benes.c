/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The Benes network of [benes1965] for k x k switches: a baseline network, then its mirror image; they share the middle stage.
 *  A way is free in the first n-1 stages; stage 2n-2-i takes the output of digit i of the destination. */
#include "src/topology/multistage/fly.h"

static uint32_t wire(const hf_fly *fly, uint32_t s, uint32_t y) {
    if (s == 0 || s == fly->n_stage) {
        return y;
    }
    const bool is_mirrored = s >= fly->n;
    const uint32_t step = is_mirrored ? fly->n_stage - s : s;
    const uint32_t block = hf_power(fly->k, fly->n - step + 1), first = y / block * block, at = y % block;
    const uint32_t part = block / fly->k;
    return first + (is_mirrored ? at % part * fly->k + at / part : at % fly->k * part + at / fly->k);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_fly_build(cx, &hf_topology_benes, args, 2 * hf_args_get(args, "n")->number - 1, wire, out);
}

const hf_topology_kind hf_topology_benes = {
    .name = "benes",
    .summary = "Benes network: a baseline network and its mirror image, rearrangeable, k^(n-1) paths a pair",
    .source = "benes1965",
    .claims =
        "k^n terminals; (2n-1) k^(n-1) switches; 2n k^n one-way links; every path crosses 2n channels; k^(n-1) paths a pair",
    .build = build,
    HF_FLY_FIGURES,
};
