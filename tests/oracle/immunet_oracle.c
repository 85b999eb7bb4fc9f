/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/immunet_oracle.h"

#include <stdlib.h>

#include <holdfast/core/bitset.h>

static bool works(const hf_fault_set *faults, uint32_t channel, bool needs_both) {
    return !hf_bit_test(faults->channel_set, channel) &&
           !(needs_both && hf_bit_test(faults->channel_set, faults->topo->reverse[channel]));
}

/* Warshall over all nodes; only switches lie between. Between switches a link may need both of its channels. */
static uint8_t *closure(const hf_fault_set *faults, bool needs_both) {
    const hf_topology *topo = faults->topo;
    const size_t n = topo->n_node;
    uint8_t *leads = calloc(n * n, 1);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool is_inner = !hf_topology_is_terminal(topo, topo->from[c]) && !hf_topology_is_terminal(topo, topo->to[c]);
        leads[topo->from[c] * n + topo->to[c]] |= works(faults, c, needs_both && is_inner);
    }
    for (size_t by = 0; by < topo->n_switch; by++) {
        for (size_t a = 0; a < n; a++) {
            for (size_t b = 0; b < n && leads[a * n + by]; b++) {
                leads[a * n + b] |= leads[by * n + b];
            }
        }
    }
    return leads;
}

bool immunet_oracle_survives(const hf_fault_set *faults) {
    const hf_topology *topo = faults->topo;
    const size_t n = topo->n_node;
    uint8_t *healthy = closure(faults, false), *served = closure(faults, true);
    size_t n_live = 0;
    for (size_t t = topo->n_switch; t < n; t++) {
        bool any = false;
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            any |= (topo->from[c] == t || topo->to[c] == t) && !hf_bit_test(faults->channel_set, c);
        }
        n_live += any;
    }
    bool all = n_live >= 2;
    for (size_t a = topo->n_switch; a < n; a++) {
        for (size_t b = topo->n_switch; b < n; b++) {
            all &= a == b || !healthy[a * n + b] || served[a * n + b];
        }
    }
    free(healthy);
    free(served);
    return all;
}
