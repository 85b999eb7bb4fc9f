/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Out of output queues: the crossbar fills them, the channel takes one flit a cycle out of those whose front flit has a credit,
 *  round-robin. */
#include "src/kernel/trains.h"

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
                if (k->trains && hf_kernel_train_from_queue(k, q)) {
                    return;
                }
                const uint32_t flit = hf_kernel_queue_at(k, q, 0)->flit;
                k->queue_turn[channel] = bit + 1 < k->n_vc ? bit + 1 : 0;
                hf_kernel_queue_take(k, q, 1);
                hf_kernel_onto_channel(k, &k->output[channel], q, flit, k->output[channel].delay - k->o.crossbar_delay);
                if (k->trains) {
                    hf_kernel_more_room(k, q, k->queue[q].room - k->queue[q].count - 1, k->counts.cycle + 1, 1);
                    hf_train_note(k, flit, &k->trains[q].queue_left);
                }
                return;
            }
        }
    }
}

enum { AHEAD = 8 }; /* channels between what is fetched and what is used */

/* What a channel looks at first; where its queue begins is asked for a little later. */
static void fetch_channel(const hf_kernel *k, uint32_t channel) {
    const uint32_t q = channel * k->n_vc;
    __builtin_prefetch(&k->queue[q], 1);
    __builtin_prefetch(&k->lane[q]);
    if (k->trains) {
        __builtin_prefetch(&k->trains[q], 1);
    }
}

static void look_at(hf_kernel *k, uint32_t channel) {
    if (k->trains && hf_kernel_queue_sleeps(k, channel)) {
        hf_busy_clear(&k->busy_queues, channel);
    } else if (hf_kernel_is_due(k, channel) && (!k->layers || !hf_kernel_control_sends(k, channel))) {
        send_from(k, channel);
    }
}

/* In a large network what a channel has is seldom in the cache. */
void hf_kernel_send_queued(hf_kernel *k) {
    uint32_t *channel = k->can_send, n = hf_busy_list(&k->busy_queues, channel);
    const bool is_large = k->n_lane >= HF_MANY_LANES;
    for (uint32_t i = 0; is_large && i < n; i++) {
        fetch_channel(k, channel[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (is_large && i + AHEAD < n) {
            __builtin_prefetch(hf_kernel_queue_at(k, channel[i + AHEAD] * k->n_vc, 0), 1);
        }
        look_at(k, channel[i]);
    }
}
