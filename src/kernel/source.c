/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Sources: what is at the head of their queues. */
#include "src/kernel/kernel.h"

static hf_status put_at_head(hf_kernel *k, uint32_t t, uint32_t destination, uint64_t generated) {
    hf_lane *l = &k->lane[k->n_resource + t];
    const hf_packet p = {.source = t, .destination = destination, .length = k->o.packet_length, .generated = generated};
    HF_TRY(hf_kernel_packet_new(k, p, &l->packet));
    l->first = 0;
    l->count = p.length;
    k->counts.generated++;
    hf_kernel_header(k, k->n_resource + t);
    return HF_OK;
}

hf_status hf_kernel_send(hf_kernel *k, uint32_t source, uint32_t destination) {
    if (k->lane[k->n_resource + source].packet != HF_NONE || source == destination) {
        HF_FAIL(k->cx, HF_EINVAL, "terminal t%u cannot send to t%u now", source, destination);
    }
    return put_at_head(k, source, destination, k->counts.cycle);
}

void hf_kernel_source_done(hf_kernel *k, uint32_t t) { k->lane[k->n_resource + t].packet = HF_NONE; }
