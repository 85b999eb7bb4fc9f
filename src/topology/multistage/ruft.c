/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  RUFT, the reduced unidirectional fat-tree of [gomez2010, 5.2]. Its stages are joined as by the up links of the k-ary n-tree:
 *  output j of switch <s, o> leads to the switch whose digit s is j. Output j of the last stage leads by a long link to terminal
 *  j o_(n-2) ... o_0. */
#include "src/topology/multistage/fly.h"

static uint32_t wire(const hf_fly *fly, uint32_t s, uint32_t y) {
    if (s == 0) {
        return y;
    }
    const uint32_t o = y / fly->k, j = y % fly->k, weight = hf_power(fly->k, s - 1);
    if (s == fly->n_stage) {
        return j * (fly->n_line / fly->k) + o;
    }
    const uint32_t digit = o / weight % fly->k;
    return (o - digit * weight + j * weight) * fly->k + digit;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    return hf_fly_build(cx, &hf_topology_ruft, args, hf_args_get(args, "n")->number, wire, out);
}

static void counts(const hf_args *args, hf_topology_counts *out) { hf_fly_count(args, hf_args_get(args, "n")->number, out); }

const hf_topology_kind hf_topology_ruft = {
    .name = "ruft",
    .summary = "RUFT: a k-ary n-tree without its way down, one-way links, the last stage joined to the terminals",
    .source = "gomez2010, 5.2",
    .claims = HF_FLY_CLAIMS,
    .build = build,
    .counts = counts,
    .is_reduced_tree = true,
    HF_FLY_FIGURES,
};
