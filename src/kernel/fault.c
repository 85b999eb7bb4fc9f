/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Channels fail while packets are about. A packet is hit if a flit of it is on a failed channel, lies in a switch that is gone,
 *  or still has to cross a failed channel that others of its flits have crossed. All of it is taken out, and the room that it
 *  held is free at once. A packet that was given a failed channel and has sent nothing over it is routed anew. */
#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/kernel/kernel.h"

typedef struct breaker {
    hf_kernel *k;
    const hf_fault_set *faults;
    uint64_t *is_hit; /* bits of packets */
} breaker;

static void hit(breaker *b, uint32_t flit) { hf_bit_set(b->is_hit, flit >> HF_FLIT_SHIFT); }

static bool flit_is_hit(const breaker *b, uint32_t flit) { return hf_bit_test(b->is_hit, flit >> HF_FLIT_SHIFT); }

static uint32_t *flit_at(const hf_kernel *k, uint32_t lane, uint32_t i) { return hf_lane_place(k, lane, i); }

static bool has_failed(const breaker *b, uint32_t channel) { return hf_bit_test(b->faults->channel_set, channel); }

/* Flits that arrive in one cycle, from one part at another. */
typedef struct flits {
    hf_event *event;
    uint32_t *n;
} flits;

/* The i-th of n_part * n_part * n_slot. */
static flits flits_on_way(const hf_kernel *k, uint32_t i) {
    const uint32_t s = i % k->n_slot, pair = i / k->n_slot;
    hf_slot *slot = &k->part[pair / k->n_part]->wheel[pair % k->n_part][s];
    return (flits){slot->flits, &slot->n_flit};
}

/* ---- who is hit ---- */

static void look_on_channels(breaker *b) {
    const hf_kernel *k = b->k;
    for (uint32_t i = 0; i < k->n_part * k->n_part * k->n_slot; i++) {
        const flits f = flits_on_way(k, i);
        for (uint32_t j = 0; j < *f.n; j++) {
            if (has_failed(b, k->lane[f.event[j].lane].port)) {
                hit(b, f.event[j].flit);
            }
        }
    }
}

/* Has the packet in front of a lane sent a flit on already? */
static bool has_begun(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    return lane >= k->n_resource ? l->first > 0 : l->count == 0 || !(hf_lane_flit(k, lane) & HF_FLIT_HEAD);
}

static void route_anew(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    k->owner[l->out] = HF_NONE;
    k->port[l->port].moving &= ~(UINT64_C(1) << l->bit);
    k->port[l->port].starved &= ~(UINT64_C(1) << l->bit);
    hf_kernel_header(hf_kernel_part(k, l->node), lane);
}

static void look_in_lanes(breaker *b) {
    hf_kernel *k = b->k;
    for (uint32_t r = 0; r < k->n_lane; r++) {
        const hf_lane *l = &k->lane[r];
        for (uint32_t i = 0; r < k->n_resource && l->node < k->topo->n_switch && i < l->count; i++) {
            if (hf_bit_test(b->faults->switch_set, l->node)) {
                hit(b, *flit_at(k, r, i));
            }
        }
        if (l->out >= HF_LANE_DROP || !has_failed(b, l->out / k->n_vc)) {
            continue;
        }
        if (has_begun(k, r)) {
            hf_bit_set(b->is_hit, l->packet);
        } else {
            route_anew(k, r);
        }
    }
}

/* ---- taking out ---- */

static void clear_channels(breaker *b) {
    hf_kernel *k = b->k;
    for (uint32_t i = 0; i < k->n_part * k->n_part * k->n_slot; i++) {
        const flits f = flits_on_way(k, i);
        uint32_t n = 0;
        for (uint32_t j = 0; j < *f.n; j++) {
            if (!flit_is_hit(b, f.event[j].flit)) {
                f.event[n++] = f.event[j];
            } else if (k->lane[f.event[j].lane].node < k->topo->n_switch) {
                hf_kernel_add_credit(k, f.event[j].lane);
            }
        }
        *f.n = n;
    }
}

static void look_in_queues(breaker *b) {
    const hf_kernel *k = b->k;
    for (uint32_t q = 0; k->queue && q < k->n_resource; q++) {
        for (uint32_t i = 0; has_failed(b, k->lane[q].port) && i < k->queue[q].n_run; i++) {
            hit(b, hf_kernel_queue_at(k, q, i)->flit);
        }
    }
}

static void clear_queues(breaker *b) {
    hf_kernel *k = b->k;
    for (uint32_t q = 0; k->queue && q < k->n_resource; q++) {
        uint32_t n = 0, n_flit = 0;
        for (uint32_t i = 0; i < k->queue[q].n_run; i++) {
            const hf_queued run = *hf_kernel_queue_at(k, q, i);
            if (!flit_is_hit(b, run.flit)) {
                *hf_kernel_queue_at(k, q, n++) = run;
                n_flit += run.n;
            }
        }
        hf_kernel_queue_cut(hf_kernel_part(k, k->topo->from[q / k->n_vc]), q, n, n_flit);
    }
}

static void clear_buffer(breaker *b, uint32_t r) {
    hf_kernel *k = b->k;
    hf_lane *l = &k->lane[r];
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint32_t flit = *flit_at(k, r, i);
        if (!flit_is_hit(b, flit)) {
            *flit_at(k, r, n++) = flit;
        }
    }
    for (; l->count > n; l->count--) {
        hf_kernel_add_credit(k, r);
    }
}

/* The packet in front of the lane is out: whatever it had asked for or been given is free. */
static void forget_front(hf_kernel *k, uint32_t r) {
    hf_lane *l = &k->lane[r];
    if (l->out < HF_LANE_DROP) {
        k->owner[l->out] = HF_NONE;
    }
    hf_kernel_slot_free(k, l);
    l->out = l->packet = HF_NONE;
    k->port[l->port].waiting &= ~(UINT64_C(1) << l->bit);
    k->port[l->port].starved &= ~(UINT64_C(1) << l->bit);
}

static void take_up_next(hf_kernel *k, uint32_t r) {
    const hf_lane *l = &k->lane[r];
    const bool is_whole = k->o.switching != HF_SWITCHING_SAF || (l->count && l->count >= k->packet[hf_lane_packet(k, r)].length);
    if (l->count > 0 && is_whole) {
        hf_kernel_header(k, r);
    }
}

/* What its masks say of a lane that has lost flits. */
static void note_lane(hf_kernel *k, uint32_t r) {
    const hf_lane *l = &k->lane[r];
    if (l->count == 0 || l->out == HF_NONE) {
        k->port[l->port].moving &= ~(UINT64_C(1) << l->bit);
        hf_busy_clear_if(&hf_kernel_part(k, l->node)->busy_moving, l->port, !k->port[l->port].moving);
    }
}

void hf_kernel_front_is_out(hf_kernel *k, uint32_t r) {
    forget_front(k, r);
    note_lane(k, r);
    take_up_next(hf_kernel_part(k, k->lane[r].node), r);
}

static void clear_lane(breaker *b, uint32_t r) {
    hf_kernel *k = b->k;
    hf_lane *l = &k->lane[r];
    const bool is_source = r >= k->n_resource, is_front = l->packet != HF_NONE && hf_bit_test(b->is_hit, l->packet);
    if (!is_source) {
        clear_buffer(b, r);
    } else if (is_front) {
        l->count = 0;
    }
    if (is_front && !is_source) {
        hf_kernel_front_is_out(k, r);
        return;
    }
    if (is_front) {
        forget_front(k, r);
    }
    note_lane(k, r);
    if (is_front) {
        hf_kernel_source_done(hf_kernel_part(k, l->node), r - k->n_resource);
    }
}

static uint64_t bury(breaker *b, uint32_t n_packet) {
    hf_kernel *k = b->k;
    uint64_t count = 0;
    for (uint32_t p = 0; p < n_packet; p++) {
        if (hf_bit_test(b->is_hit, p)) {
            hf_kernel_end_packet(k, p, true);
            count++;
        }
    }
    return count;
}

static void note_gone(hf_kernel *k, const hf_fault_set *faults) {
    const hf_topology *topo = k->topo;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t v = topo->n_switch + t;
        bool goes_in = false, comes_out = false;
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            goes_in |= !hf_bit_test(faults->channel_set, topo->out_list[i]);
        }
        for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
            comes_out |= !hf_bit_test(faults->channel_set, topo->in_list[i]);
        }
        if ((topo->out_begin[v] < topo->out_begin[v + 1] && !goes_in) ||
            (topo->in_begin[v] < topo->in_begin[v + 1] && !comes_out)) {
            hf_bit_set(k->gone, t);
        }
    }
}

static hf_status clear_all(hf_kernel *k, const hf_fault_set *faults, uint64_t *n_hit) {
    breaker b = {.k = k, .faults = faults};
    const uint32_t n_packet = k->n_packet;
    HF_TRY(hf_scratch(k->cx, hf_words(n_packet), sizeof *b.is_hit, (void **)&b.is_hit));
    look_on_channels(&b);
    look_in_queues(&b);
    look_in_lanes(&b);
    *n_hit = bury(&b, n_packet);
    clear_channels(&b);
    clear_queues(&b);
    for (uint32_t r = 0; r < k->n_lane; r++) {
        clear_lane(&b, r);
    }
    return HF_OK;
}

hf_status hf_kernel_break(hf_kernel *k, const hf_fault_set *faults, uint64_t *n_hit) {
    HF_TRY(k->circuits ? HF_OK : clear_all(k, faults, n_hit)); /* without buffers trips know what breaks them */
    memcpy(k->down, faults->channel_set, hf_words(k->topo->n_channel) * sizeof *k->down);
    note_gone(k, faults);
    hf_kernel_reroute(k, HF_NONE);
    return HF_OK;
}
