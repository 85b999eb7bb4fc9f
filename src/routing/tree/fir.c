/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flexible interval routing. */
#include "src/routing/tree/fir.h"

/** Bits of a digit, 0 if k is no power of two. */
static uint32_t bits_of(uint32_t k) {
    uint32_t bits = 0;
    while ((UINT32_C(1) << bits) < k) {
        bits++;
    }
    return (UINT32_C(1) << bits) == k ? bits : 0;
}

bool hf_fir_destro(const hf_tree *tree, uint32_t sw, uint32_t port, hf_fir *out) {
    const uint32_t k = tree->k, stage = hf_tree_stage(tree, sw), bits = bits_of(k), shift = stage * bits;
    if (bits == 0 || k > HF_FIR_ARITY_MAX || port >= (stage + 1 < tree->n ? 2 * k : k)) {
        return false;
    }
    if (port < k) {
        const hf_interval below = hf_tree_inclusion(tree, sw, port);
        *out = (hf_fir){below.lo, below.hi, tree->n_terminal - 1, 0};
        return true;
    }
    const uint32_t digit = (port - k) << shift;
    *out = (hf_fir){digit, digit, (k - 1) << shift, (uint32_t)((UINT64_C(1) << k) - 1)};
    return true;
}

size_t hf_fir_list(const hf_fir *fir, hf_register *out, size_t max) {
    const hf_register list[HF_FIR_REGISTERS] = {
        {"LIB..UIB", 0, {fir->lib, fir->uib}}, {"MR", 0, {fir->mr, fir->mr}}, {"RRR", 0, {fir->rrr, fir->rrr}}};
    for (size_t i = 0; i < HF_FIR_REGISTERS && i < max; i++) {
        out[i] = list[i];
    }
    return HF_FIR_REGISTERS;
}
