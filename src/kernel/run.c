/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Running a kernel: cycle after cycle, by one thread or several; a packet by hand. */
#include "src/kernel/trains.h"

hf_status hf_kernel_run(hf_kernel *k, uint64_t cycles) {
    HF_TRY(k->threads > 1 && !k->part_of ? hf_kernel_divide(k) : HF_OK);
    if (k->part_of) {
        return hf_kernel_run_parts(k, cycles);
    }
    hf_kernel_trains_begin(k, cycles);
    for (uint64_t i = 0; i < cycles; i++) {
        if (hf_context_stopped(k->cx)) {
            HF_FAIL(k->cx, HF_ESTOP, "stopped at cycle %llu", (unsigned long long)k->counts.cycle);
        }
        if (k->heads) {
            HF_TRY(hf_kernel_heads_come_in(k));
        } else {
            hf_kernel_come_in(k);
        }
        HF_TRY(k->layers ? hf_kernel_reconfigure(k) : HF_OK);
        HF_TRY(k->drain ? hf_kernel_drain(k) : HF_OK);
        HF_TRY(hf_kernel_go_on(k));
    }
    hf_kernel_trains_end(k);
    return HF_OK;
}

hf_status hf_kernel_send(hf_kernel *k, uint32_t source, uint32_t destination) {
    const uint32_t n = k->topo->n_terminal;
    if (source >= n || destination >= n || source == destination || k->lane[k->n_resource + source].packet != HF_NONE ||
        k->client) {
        HF_FAIL(k->cx, HF_EINVAL, "terminal t%u cannot send to t%u now", source, destination);
    }
    const hf_packet p = {
        .source = source, .destination = destination, .length = k->o.packet_length, .generated = k->counts.cycle};
    HF_TRY(k->part_of ? hf_kernel_provide_packets(k) : HF_OK);
    HF_TRY(hf_kernel_put_at_head(hf_kernel_part(k, k->topo->n_switch + source), &p));
    hf_kernel_add_up(k);
    return HF_OK;
}
