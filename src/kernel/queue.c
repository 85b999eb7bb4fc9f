/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Output queues: one for each virtual channel at the head of a channel of a switch. */
#include "src/kernel/trains.h"

/* Runs between the rings of two queues: an odd number of lines of a cache where a ring has several, so that rings do not lie in
 * the same few sets. */
static uint32_t stride_of(uint32_t size) { return size * sizeof(hf_queued) < 256 ? size : ((size + 15) / 16 | 1) * 16; }

hf_status hf_kernel_queues_new(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    if (!k->o.output_queue) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->queue, (void **)&k->queue));
    k->queue_stride = stride_of(k->o.output_queue);
    HF_TRY(hf_scratch(k->cx, (size_t)k->n_resource * k->queue_stride, sizeof *k->queue_run, (void **)&k->queue_run));
    HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *k->queued, (void **)&k->queued));
    HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *k->queue_turn, (void **)&k->queue_turn));
    for (uint32_t q = 0; q < k->n_resource; q++) {
        k->queue[q].room = topo->from[q / k->n_vc] < topo->n_switch ? k->o.output_queue : 0;
    }
    return HF_OK;
}

uint32_t hf_kernel_room(const hf_kernel *k, uint32_t q) {
    if (!hf_kernel_has_queue(k, q)) {
        return hf_kernel_credits(k, q);
    }
    const bool is_sink = k->lane[q].node >= k->topo->n_switch;
    const uint32_t room = k->queue[q].room - hf_kernel_queue_count(k, q);
    if (k->o.switching != HF_SWITCHING_WORMHOLE || k->o.reuse_early) {
        return room;
    }
    /* a sink takes all that comes, so of a queue to it a packet needs a place */
    return is_sink ? (room > 0 ? hf_kernel_capacity(k, q) : 0) : room + k->credit[q];
}

void hf_kernel_queue_put(hf_kernel *k, uint32_t q, uint32_t flit, uint32_t n, uint64_t ready) {
    const uint32_t channel = k->lane[q].port;
    *hf_kernel_queue_at(k, q, k->queue[q].n_run++) = (hf_queued){(uint32_t)ready, flit, n};
    k->queue[q].count += n;
    k->queued[channel] |= UINT64_C(1) << k->lane[q].bit;
    hf_busy_mark(&k->busy_queues, channel);
}

void hf_kernel_queue_wake(hf_kernel *k, uint32_t q) {
    if (k->queue[q].count > 0) {
        hf_busy_mark(&k->busy_queues, k->lane[q].port);
    }
}

void hf_kernel_queue_take(hf_kernel *k, uint32_t q, uint32_t n) {
    hf_output_queue *queue = &k->queue[q];
    hf_queued *run = hf_kernel_queue_at(k, q, 0);
    run->n -= n;
    run->ready += n;
    const bool is_over = run->n == 0;
    queue->first = is_over ? hf_next_of(queue->first, k->o.output_queue) : queue->first;
    hf_kernel_queue_cut(k, q, queue->n_run - is_over, queue->count - n);
}

void hf_kernel_queue_cut(hf_kernel *k, uint32_t q, uint32_t n_run, uint32_t count) {
    const uint32_t channel = k->lane[q].port;
    k->queue[q].n_run = n_run;
    k->queue[q].count = count;
    if (count == 0) {
        k->queue[q].first = 0; /* an empty queue begins where it began, which is in the cache */
        k->queued[channel] &= ~(UINT64_C(1) << k->lane[q].bit);
    }
    if (!k->queued[channel]) {
        hf_busy_clear(&k->busy_queues, channel);
    }
}

bool hf_kernel_can_send(const hf_kernel *k, uint32_t q) {
    if (hf_kernel_has_queue(k, q)) {
        return k->queue[q].count < k->queue[q].room;
    }
    const uint32_t channel = k->lane[q].port;
    return k->credit[q] > 0 && hf_kernel_is_due(k, channel) && (!k->layers || !hf_kernel_control_sends(k, channel));
}
