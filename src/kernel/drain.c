/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The drain of a full ring. A reconfiguration may leave the buffers of a ring with bubbles so full that no packet in it can
 *  move. "It is possible to employ the network interfaces to temporarily consume the first packets of the queues and
 *  reincorporate them into the ring when fulfilling the rules": a packet that has stood in front of a buffer of a ring for so
 *  many cycles goes out to the interface of a terminal of its switch, and comes in again by the channel of that terminal,
 *  before what the terminal sends. Source: [puente2004, 4.2]. Departure: its flits go and come all at once, when they have had
 *  the time to go either way; an interface holds any number of packets. */
#include <holdfast/core/bitset.h>

#include "src/core/grow.h"
#include "src/kernel/kernel.h"

/* A packet at an interface. */
typedef struct parked {
    uint32_t packet, terminal;
    uint32_t by;   /* buffer that it comes in by, kept for it; HF_NONE: none yet */
    uint64_t back; /* cycle from which on it may come in */
} parked;

struct hf_drain {
    uint32_t *terminal; /* by switch: its first one; HF_NONE: none */
    parked *item;       /* in the order in which they came */
    size_t n, room;
};

hf_status hf_kernel_drain_new(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    if (k->o.drain_after == 0) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(k->cx, 1, sizeof *k->drain, (void **)&k->drain));
    *k->drain = (hf_drain){0};
    HF_TRY(hf_scratch(k->cx, topo->n_switch, sizeof *k->drain->terminal, (void **)&k->drain->terminal));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        k->drain->terminal[v] = HF_NONE;
    }
    for (uint32_t t = topo->n_terminal; t-- > 0;) {
        k->drain->terminal[topo->terminal_switch[t]] = t;
    }
    return HF_OK;
}

size_t hf_kernel_parked(const hf_kernel *k, size_t i, uint32_t *packet) {
    if (k->drain && i < k->drain->n) {
        *packet = k->drain->item[i].packet;
    }
    return k->drain ? k->drain->n : 0;
}

/* ---- out ---- */

static bool is_gone(const hf_kernel *k, uint32_t t) { return k->gone && hf_bit_test(k->gone, t); }

bool hf_kernel_may_drain(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    if (!k->drain || lane >= k->n_resource || k->ring[lane] == HF_NONE || l->node >= k->topo->n_switch) {
        return false;
    }
    const uint32_t t = k->drain->terminal[l->node];
    return t != HF_NONE && !is_gone(k, t);
}

static hf_status park(hf_kernel *k, uint32_t lane) {
    hf_drain *d = k->drain;
    hf_lane *l = &k->lane[lane];
    const uint32_t packet = l->packet, length = k->packet[packet].length;
    HF_GROW_SCRATCH(k->cx, d->item, d->n, d->room);
    d->item[d->n++] = (parked){packet, d->terminal[l->node], HF_NONE, k->counts.cycle + 2 * (uint64_t)length};
    k->counts.drained++;
    l->first += length;
    l->count -= length;
    for (uint32_t f = 0; f < length; f++) {
        hf_kernel_add_credit(k, lane);
    }
    hf_kernel_front_is_out(k, lane);
    return HF_OK;
}

/* Has the packet in front, which is there whole, stood there for too long? */
static bool is_stuck(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    const bool waits = l->count > 0 && l->out == HF_NONE && l->packet != HF_NONE && l->ready <= k->counts.cycle;
    return waits && k->counts.cycle - l->ready >= k->o.drain_after && l->count >= k->packet[l->packet].length;
}

/* ---- back ---- */

/* Nothing of a buffer's channel is on its way, either way. */
static bool is_at_rest(const hf_kernel *k, uint32_t q) { return k->credit[q] + k->lane[q].count == k->o.buffer; }

/* Keep a buffer of the terminal's channel for a packet, if nobody has one: the terminal sends nothing more into it. */
static hf_status keep_way_in(hf_kernel *k, parked *x) {
    size_t n;
    HF_TRY(hf_kernel_route(k, k->topo->n_switch + x->terminal, HF_HOP_INJECTION, k->packet[x->packet].destination, &n));
    for (size_t i = 0; n != HF_ROUTE_WAIT && i < n && x->by == HF_NONE; i++) {
        const hf_hop *hop = &k->route_hops[i];
        const uint32_t q = hop->channel * k->n_vc + hop->vc;
        if (!hf_bit_test(k->down, hop->channel) && k->owner[q] == HF_NONE) {
            k->packet[x->packet].tag = hop->tag;
            k->packet[x->packet].entry_vc = (uint8_t)hop->vc;
            k->owner[q] = HF_LANE_CONTROL;
            x->by = q;
        }
    }
    return HF_OK;
}

/* \param[out] is_back it is in the network again, or lost with its terminal */
static hf_status bring_back(hf_kernel *k, parked *x, bool *is_back) {
    const uint32_t length = k->packet[x->packet].length;
    const bool is_lost = is_gone(k, x->terminal);
    *is_back = is_lost;
    if (!is_lost && x->by == HF_NONE && x->back <= k->counts.cycle) {
        HF_TRY(keep_way_in(k, x));
    }
    if (is_lost) {
        hf_kernel_end_packet(k, x->packet, true);
    } else if (x->by != HF_NONE && is_at_rest(k, x->by) && k->credit[x->by] >= length) {
        const bool is_front = k->lane[x->by].count == 0;
        hf_kernel_put_flits(k, x->by, x->packet, length, true, true);
        if (is_front) {
            hf_kernel_header(k, x->by);
        }
        *is_back = true;
    }
    if (*is_back && x->by != HF_NONE) {
        k->owner[x->by] = HF_NONE;
    }
    return HF_OK;
}

hf_status hf_kernel_drain(hf_kernel *k) {
    hf_drain *d = k->drain;
    size_t left = 0;
    for (size_t i = 0; i < d->n; i++) {
        bool is_back;
        HF_TRY(bring_back(k, &d->item[i], &is_back));
        if (!is_back) {
            d->item[left++] = d->item[i];
        }
    }
    d->n = left;
    for (uint32_t r = 0; k->counts.cycle % k->o.drain_after == 0 && r < k->n_resource; r++) {
        if (hf_kernel_may_drain(k, r) && is_stuck(k, r)) {
            HF_TRY(park(k, r));
        }
    }
    return HF_OK;
}
