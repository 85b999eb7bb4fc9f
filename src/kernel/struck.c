/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What faults have struck so far, when others will, and what is counted of them. */
#include <holdfast/core/bitset.h>

#include "src/kernel/reconfigure.h"

/* The fault that came last; NULL: none has. */
static hf_kernel_layer *latest(const hf_kernel *k) {
    return k->layers && k->layers->n_open ? &k->layers->layer[k->layers->n_open - 1] : NULL;
}

bool hf_kernel_came_late(const hf_kernel *k, uint64_t entered) {
    const hf_kernel_layer *y = latest(k);
    return !y || (y->report.is_finished && entered >= y->report.finished);
}

void hf_kernel_count_lost(hf_kernel *k, uint64_t entered) {
    hf_kernel_layer *y = latest(k);
    k->counts.lost++;
    if (y && hf_kernel_came_late(k, entered)) { /* parts count side by side */
        __atomic_fetch_add(&y->report.lost_late, 1, __ATOMIC_RELAXED);
    }
}

uint64_t hf_kernel_fails_at(const hf_kernel *k, uint32_t channel, uint32_t *fault) {
    for (*fault = 0; *fault < k->layers->n_layer; ++*fault) {
        const hf_kernel_fault *f = k->layers->layer[*fault].fault;
        if (hf_bit_test(f->faults->channel_set, channel)) {
            return f->cycle;
        }
    }
    return UINT64_MAX;
}

bool hf_kernel_switch_failed(const hf_kernel *k, uint32_t node, uint32_t *fault) {
    const uint32_t n = node < k->topo->n_switch ? k->layers->n_open : 0;
    for (*fault = 0; *fault < n; ++*fault) {
        if (hf_bit_test(k->layers->layer[*fault].fault->faults->switch_set, node)) {
            return true;
        }
    }
    return false;
}

void hf_kernel_count_hit(hf_kernel *k, uint32_t fault) { k->layers->layer[fault].report.hit++; }

bool hf_kernel_is_changing(const hf_kernel *k) {
    const hf_kernel_layers *r = k->layers;
    return r && r->n_open && !r->layer[r->n_open - 1].report.is_finished;
}
