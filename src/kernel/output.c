/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Output queues: one for each virtual channel at the head of a channel of a switch. The crossbar fills them, the channel takes
 *  one flit a cycle out of those whose front flit has a credit, round-robin. */
#include <holdfast/core/bitset.h>

#include "src/kernel/kernel.h"

hf_status hf_kernel_queues_new(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    if (!k->o.output_queue) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->queue, (void **)&k->queue));
    HF_TRY(hf_scratch(k->cx, (size_t)k->n_resource * k->o.output_queue, sizeof *k->queue_flit, (void **)&k->queue_flit));
    HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *k->queued, (void **)&k->queued));
    HF_TRY(hf_scratch(k->cx, topo->n_channel, sizeof *k->queue_turn, (void **)&k->queue_turn));
    for (uint32_t q = 0; q < k->n_resource; q++) {
        k->queue[q].room = topo->from[q / k->n_vc] < topo->n_switch ? k->o.output_queue : 0;
    }
    return HF_OK;
}

uint32_t hf_kernel_room(const hf_kernel *k, uint32_t q) {
    if (!k->queue || k->queue[q].room == 0) {
        return k->credit[q];
    }
    const bool is_sink = k->lane[q].node >= k->topo->n_switch;
    const uint32_t room = k->queue[q].room - k->queue[q].count;
    if (k->o.switching != HF_SWITCHING_WORMHOLE || k->o.reuse_early) {
        return room;
    }
    /* a sink takes all that comes, so of a queue to it a packet needs a place */
    return is_sink ? (room > 0 ? hf_kernel_capacity(k, q) : 0) : room + k->credit[q];
}

void hf_kernel_queue_put(hf_kernel *k, uint32_t q, uint32_t flit, uint64_t ready) {
    const uint32_t channel = k->lane[q].port;
    *hf_kernel_queue_at(k, q, k->queue[q].count++) = (hf_queued){(uint32_t)ready, flit};
    k->queued[channel] |= UINT64_C(1) << k->lane[q].bit;
    hf_busy_mark(&k->busy_queues, channel);
}

void hf_kernel_queue_cut(hf_kernel *k, uint32_t q, uint32_t count) {
    const uint32_t channel = k->lane[q].port;
    k->queue[q].count = count;
    if (count == 0) {
        k->queued[channel] &= ~(UINT64_C(1) << k->lane[q].bit);
    }
    if (!k->queued[channel]) {
        hf_busy_clear(&k->busy_queues, channel);
    }
}

bool hf_kernel_can_send(const hf_kernel *k, uint32_t q) {
    if (k->queue && k->queue[q].room) {
        return k->queue[q].count < k->queue[q].room;
    }
    const uint32_t channel = k->lane[q].port;
    return k->credit[q] > 0 && hf_kernel_is_due(k, channel) && (!k->layers || !hf_kernel_control_sends(k, channel));
}

static bool can_leave(const hf_kernel *k, uint32_t q) {
    const bool has_place = k->lane[q].node >= k->topo->n_switch || k->credit[q] > 0;
    return has_place && (int32_t)((uint32_t)k->counts.cycle - hf_kernel_queue_at(k, q, 0)->ready) >= 0;
}

static void send_from(hf_kernel *k, uint32_t channel) {
    const uint64_t queued = k->queued[channel], high = queued >> k->queue_turn[channel] << k->queue_turn[channel];
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t bits = pass ? queued & ~high : high; bits; bits &= bits - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(bits), q = channel * k->n_vc + bit;
            if (can_leave(k, q)) {
                const uint32_t flit = hf_kernel_queue_at(k, q, 0)->flit, next = k->queue[q].first + 1;
                k->queue[q].first = next < k->o.output_queue ? next : 0;
                k->queue_turn[channel] = bit + 1 < k->n_vc ? bit + 1 : 0;
                hf_kernel_queue_cut(k, q, k->queue[q].count - 1);
                hf_kernel_onto_channel(k, &k->output[channel], q, flit, k->output[channel].delay - k->o.crossbar_delay);
                return;
            }
        }
    }
}

/* Ask for what the channels of a word of busy_queues will look at: in a large network it is seldom in the cache. */
static void fetch_queues(const hf_kernel *k, size_t w) {
    for (uint64_t channels = k->busy_queues.word[w]; channels; channels &= channels - 1) {
        const uint32_t q = ((uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(channels)) * k->n_vc;
        __builtin_prefetch(hf_kernel_queue_at(k, q, 0));
        __builtin_prefetch(&k->lane[q]);
    }
}

void hf_kernel_send_queued(hf_kernel *k) {
    const hf_busy *busy = &k->busy_queues;
    for (size_t w = hf_busy_next(busy, 0); w < busy->n_word; w = hf_busy_next(busy, w + 1)) {
        if (w + 1 < busy->n_word) {
            fetch_queues(k, w + 1);
        }
        for (uint64_t channels = busy->word[w]; channels; channels &= channels - 1) {
            const uint32_t channel = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(channels);
            if (hf_kernel_is_due(k, channel) && (!k->layers || !hf_kernel_control_sends(k, channel))) {
                send_from(k, channel);
            }
        }
    }
}
