/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One cycle: what was on its way comes in, sources generate, virtual channels are given, flits are sent. */
#include <holdfast/core/bitset.h>

#include "src/kernel/trains.h"

enum { FETCH_LANE = 16, FETCH_FLIT = 8 };

static void consume(hf_kernel *k, const hf_event *e) {
    const uint32_t packet = e->flit >> HF_FLIT_SHIFT;
    hf_packet *p = &k->packet[packet];
    hf_kernel_counts *n = &k->counts;
    const bool is_there = k->lane[e->lane].node == k->topo->n_switch + p->destination;
    n->delivered_flits += is_there;
    if (!(e->flit & HF_FLIT_TAIL)) {
        return;
    }
    hf_kernel_end_packet(k, packet, !is_there);
}

static void arrive(hf_kernel *k, const hf_event *e) {
    hf_lane *l = &k->lane[e->lane];
    if (l->place == HF_LANE_SINK) {
        consume(k, e);
        return;
    }
    if (!k->trains || e->flit & HF_FLIT_HEAD) {
        *hf_lane_place(k, e->lane, l->count) = e->flit;
    }
    l->count++;
    if (k->o.route_early && (e->flit & HF_FLIT_HEAD) && l->count > 1) {
        hf_kernel_header_behind(k, e->lane, e->flit >> HF_FLIT_SHIFT);
    }
    if (l->out != HF_NONE) {
        k->port[l->port].moving |= UINT64_C(1) << l->bit;
        hf_busy_mark(&k->busy_moving, l->port);
        return;
    }
    const bool is_whole = (e->flit & HF_FLIT_TAIL) && hf_lane_packet(k, e->lane) == e->flit >> HF_FLIT_SHIFT;
    if (k->o.switching == HF_SWITCHING_SAF ? is_whole : l->count == 1) {
        hf_kernel_header(k, e->lane);
    }
}

/* In a large network a lane and its flits are seldom in the cache: ask for those of the events a little later. Always inline, as
 * GCC leaves out calls of functions that do nothing else. */
static inline __attribute__((always_inline)) void fetch(const hf_kernel *k, const hf_event *e, uint32_t n) {
    if (n > FETCH_LANE) {
        __builtin_prefetch(&k->lane[e[FETCH_LANE].lane], 1);
    }
    if (n > FETCH_FLIT) {
        const uint32_t lane = e[FETCH_FLIT].lane;
        __builtin_prefetch(hf_lane_place(k, lane, k->lane[lane].count), 1);
    }
}

/* What another part, or this one, has sent. */
static void take_out(hf_kernel *k, hf_slot *s) {
    const uint32_t n = s->n_flit, n_fetch = k->n_lane >= HF_MANY_LANES ? n : 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i < n_fetch) {
            fetch(k, s->flits + i, n - i);
        }
        arrive(k, &s->flits[i]);
    }
    for (uint32_t i = 0; i < s->n_credit; i++) {
        hf_kernel_add_credit(k, s->credits[i]);
    }
    for (uint32_t i = 0; k->trains && i < s->n_credit; i++) {
        hf_kernel_credits_came(k, s->credits[i], 1);
    }
    if (k->trains) {
        hf_kernel_trains_come_in(k, s);
    }
    s->n_flit = s->n_credit = 0;
}

void hf_kernel_come_in(hf_kernel *k) {
    for (uint32_t i = 0; i < k->n_part; i++) {
        take_out(k, &k->part[i]->wheel[k->number][k->now]);
    }
    if (k->trains) {
        hf_kernel_ring(k);
    }
}

/* One cycle of a network with buffers. */
static hf_status move(hf_kernel *k) {
    HF_TRY(hf_kernel_ask_channels(k));
    if (k->o.vc_stage) {
        hf_kernel_send_flits(k);
        hf_kernel_give_channels(k);
    } else {
        hf_kernel_give_channels(k);
        hf_kernel_send_flits(k);
    }
    return HF_OK;
}

hf_status hf_kernel_go_on(hf_kernel *k) {
    hf_kernel_keep_failure(k, k->client ? k->client->begin(k, k->user) : HF_OK);
    HF_TRY(k->heads ? hf_kernel_heads_step(k) : k->circuits ? hf_kernel_circuit_step(k) : move(k));
    k->counts.cycle++;
    k->now = k->now + 1 < k->n_slot ? k->now + 1 : 0;
    return k->failed;
}
