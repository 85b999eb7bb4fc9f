/** \file
 *  Flexible interval routing [gomez2010, 4.2.1]: four registers a port. A port takes a destination if its bits under the mask MR
 *  lie in the cyclic interval LIB..UIB, unless a port that RRR names takes it too. Switches of k = 2^r: a digit has r bits. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_FIR_H
#define HOLDFAST_SRC_ROUTING_TREE_FIR_H

#include "src/routing/tree/plan.h"

enum { HF_FIR_REGISTERS = 3, HF_FIR_ARITY_MAX = 16 };

typedef struct hf_fir {
    uint32_t lib, uib, mr;
    uint32_t rrr; /**< bit i: port i comes first */
} hf_fir;

/** Registers of DESTRO at a port. \return false where there are none: k is no power of two up to 16, or no such port */
bool hf_fir_destro(const hf_tree *tree, uint32_t sw, uint32_t port, hf_fir *out);
/** Does the port take the destination, RRR aside? */
static inline bool hf_fir_takes(const hf_fir *fir, uint32_t destination) {
    const uint32_t x = destination & fir->mr;
    return fir->lib <= fir->uib ? fir->lib <= x && x <= fir->uib : x >= fir->lib || x <= fir->uib;
}
/** The `registers` callback of a rule with these registers: "LIB..UIB", "MR" and "RRR". */
size_t hf_fir_list(const hf_fir *fir, hf_register *out, size_t max);

#endif
