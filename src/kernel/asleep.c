/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Headers that sleep. In a full network most headers wait, and one that waits for one hop need not ask in every cycle: it sleeps
 *  until it is routed, until its virtual channel is given back, or until there is room for its packet, which trains tell
 *  beforehand (trains.c): where room comes a flit a cycle, the cycle is known. Whoever wakes asks, and sleeps again where others
 *  were first. */
#include "src/kernel/trains.h"

static void stand_up(hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    k->port[l->port].waiting |= UINT64_C(1) << l->bit;
    hf_busy_mark(&k->busy_waiting, l->port);
}

void hf_kernel_alarm(hf_kernel *k, uint32_t who, uint64_t cycle) {
    const uint64_t last = k->counts.cycle + HF_ALARMS - 1;
    uint32_t *first = &k->alarm[(cycle < last ? cycle : last) & (HF_ALARMS - 1)];
    k->next_asleep[who] = *first;
    *first = who;
}

void hf_kernel_sleep_until(hf_kernel *k, uint32_t lane, uint64_t cycle) {
    const hf_lane *l = &k->lane[lane];
    k->port[l->port].waiting &= ~(UINT64_C(1) << l->bit);
    hf_kernel_alarm(k, 2 * lane, cycle);
}

void hf_kernel_sleep(hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    const hf_hop hop = hf_lane_hop(k, lane, 0);
    const uint32_t q = hop.channel * k->n_vc + hop.vc;
    const uint64_t now = k->counts.cycle;
    if (k->owner[q] == HF_NONE) {
        const bool has_queue = hf_kernel_has_queue(k, q);
        const uint32_t missing = hf_kernel_need(k, lane, q) - hf_kernel_room(k, q);
        if (missing <= (has_queue ? hf_train_rest(k->trains[q].queue, now) : hf_train_rest(k->trains[q].credit, now + 1))) {
            hf_kernel_sleep_until(k, lane, now + missing);
            return;
        }
    }
    k->port[l->port].waiting &= ~(UINT64_C(1) << l->bit);
    k->next_asleep[2 * lane] = k->asleep[q];
    k->asleep[q] = 2 * lane;
}

void hf_kernel_wake(hf_kernel *k, uint32_t q) {
    for (uint32_t who = k->asleep[q]; who != HF_NONE; who = k->next_asleep[who]) {
        stand_up(k, who / 2);
    }
    k->asleep[q] = HF_NONE;
}

void hf_kernel_more_room(hf_kernel *k, uint32_t q, uint32_t room, uint64_t from, uint32_t n) {
    uint32_t *link = &k->asleep[q];
    while (k->owner[q] == HF_NONE && *link != HF_NONE) {
        const uint32_t who = *link, need = hf_kernel_need(k, who / 2, q), later = need > room + 1 ? need - room - 1 : 0;
        if (later < n) {
            *link = k->next_asleep[who];
            hf_kernel_alarm(k, who, from + later);
        } else {
            link = &k->next_asleep[who];
        }
    }
}

void hf_kernel_ring(hf_kernel *k) {
    uint32_t *first = &k->alarm[k->counts.cycle & (HF_ALARMS - 1)];
    for (uint32_t who = *first; who != HF_NONE; who = k->next_asleep[who]) {
        const hf_lane *l = &k->lane[who / 2];
        if (who % 2) {
            hf_kernel_queue_wake(k, who / 2);
        } else if (l->out == HF_NONE) {
            stand_up(k, who / 2);
        } else if (l->count > 0) {
            k->port[l->port].moving |= UINT64_C(1) << l->bit;
            hf_busy_mark(&k->busy_moving, l->port);
        }
    }
    *first = HF_NONE;
}

void hf_kernel_wake_all(hf_kernel *k) {
    for (uint32_t lane = 0; lane < k->n_lane; lane++) {
        if (k->lane[lane].packet != HF_NONE && k->lane[lane].out == HF_NONE) {
            stand_up(hf_kernel_part(k, k->lane[lane].node), lane);
        }
    }
    for (uint32_t q = 0; q < k->n_resource; q++) {
        k->asleep[q] = HF_NONE;
    }
    for (uint32_t i = 0; i < k->n_part * HF_ALARMS; i++) {
        k->part[i / HF_ALARMS]->alarm[i % HF_ALARMS] = HF_NONE;
    }
}
