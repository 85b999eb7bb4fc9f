/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Does the kernel keep its books? Flits, credits and packets are counted anew and compared; for tests. */
#include <string.h>

#include "src/kernel/kernel.h"

/* Places of each buffer that are free, taken, or on their way back: all of them together. */
static bool places_add_up(const hf_kernel *k, uint32_t *taken) {
    const hf_topology *topo = k->topo;
    for (uint32_t s = 0; s < k->n_slot; s++) {
        for (uint32_t i = 0; i < k->slot[s].n_flit; i++) {
            taken[k->flits[(size_t)s * topo->n_channel + i].lane]++;
        }
        for (uint32_t i = 0; i < k->slot[s].n_credit; i++) {
            taken[k->credits[(size_t)s * k->n_credit + i]]++;
        }
    }
    for (uint32_t r = 0; r < k->n_resource; r++) {
        const bool is_sink = hf_topology_is_terminal(topo, topo->to[r / k->n_vc]);
        if (k->queue && k->queue[r].count > k->queue[r].room) {
            return false;
        }
        if (!is_sink && k->credit[r] + k->lane[r].count + taken[r] != k->o.buffer) {
            return false;
        }
    }
    return true;
}

static bool owners_match(const hf_kernel *k) {
    for (uint32_t r = 0; r < k->n_resource; r++) {
        if (k->owner[r] < HF_LANE_CONTROL && k->lane[k->owner[r]].out != r) {
            return false;
        }
    }
    for (uint32_t i = 0; i < k->n_lane; i++) {
        if (k->lane[i].out < HF_LANE_DROP && k->owner[k->lane[i].out] != i) {
            return false;
        }
    }
    return true;
}

hf_status hf_kernel_is_whole(const hf_kernel *k, bool *out) {
    const hf_kernel_counts *n = &k->counts;
    const hf_mark mark = hf_scratch_mark(k->cx);
    uint32_t *taken;
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *taken, (void **)&taken));
    const uint64_t gone = n->delivered + n->lost + n->refused;
    *out = n->generated == gone + k->present && (k->circuits || (owners_match(k) && places_add_up(k, taken)));
    hf_scratch_reset(k->cx, mark);
    return HF_OK;
}
