/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Packets put in place in an empty network: how a witness is replayed. */
#include <holdfast/core/bitset.h>

#include "src/kernel/trains.h"

/* A packet that is being led to where it is. */
typedef struct walker {
    hf_kernel *k;
    const hf_blocked *b;
    hf_hop at;
} walker;

/* Take the hop onto resource r, which must be offered; with any tag, or that of `want`. */
static hf_status step(walker *w, uint32_t r, const hf_hop *want) {
    const hf_kernel *k = w->k;
    const uint32_t node = w->at.channel == HF_NONE ? k->topo->n_switch + w->b->source : k->topo->to[w->at.channel];
    const hf_hop *hops = k->route_hops;
    size_t n;
    HF_TRY(hf_plan_read(k->cx, k->plan, node, w->at, w->b->destination, k->route_hops, &n));
    for (size_t i = 0; i < n; i++) {
        const bool is_it = hops[i].channel * k->n_vc + hops[i].vc == r && (!want || hops[i].tag == want->tag);
        if (is_it && (!k->plan->faults || !hf_bit_test(k->plan->faults->channel_set, hops[i].channel))) {
            w->at = hops[i];
            return HF_OK;
        }
    }
    char name[HF_NAME_SIZE];
    hf_resource_name(k->topo, k->n_vc, r, name, sizeof name);
    HF_FAIL(k->cx, HF_EINVAL, "a packet from t%u to t%u is not offered %s where it is said to take it", w->b->source,
            w->b->destination, name);
}

static hf_status lead_to_first(walker *w) {
    const hf_blocked *b = w->b;
    w->at = HF_HOP_INJECTION;
    for (uint32_t i = 0; i < b->n_path; i++) {
        HF_TRY(step(w, b->path[i].channel * w->k->n_vc + b->path[i].vc, &b->path[i]));
    }
    if (b->n_path == 0 || b->n_hold == 0 || w->at.channel * w->k->n_vc + w->at.vc != b->hold[0]) {
        HF_FAIL(w->k->cx, HF_EINVAL, "the path of the packet from t%u to t%u does not end at what it holds", b->source,
                b->destination);
    }
    return HF_OK;
}

static hf_status check_hold(const hf_kernel *k, uint32_t r) {
    char name[HF_NAME_SIZE];
    hf_resource_name(k->topo, k->n_vc, r, name, sizeof name);
    if (k->lane[r].count > 0) {
        HF_FAIL(k->cx, HF_EINVAL, "%s is held twice", name);
    }
    if (hf_topology_is_terminal(k->topo, k->topo->to[r / k->n_vc])) {
        HF_FAIL(k->cx, HF_EINVAL, "%s leads to a terminal, which takes what comes", name);
    }
    return HF_OK;
}

void hf_kernel_put_flits(hf_kernel *k, uint32_t r, uint32_t packet, uint32_t n, bool has_head, bool has_tail) {
    hf_lane *l = &k->lane[r];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t head = has_head && i == 0 ? HF_FLIT_HEAD : 0, tail = has_tail && i == n - 1 ? HF_FLIT_TAIL : 0;
        const uint32_t flit = packet << HF_FLIT_SHIFT | head | tail;
        if (l->count < k->o.buffer) {
            *hf_lane_place(k, r, l->count++) = flit;
            k->credit[r]--;
        } else {
            hf_kernel_queue_put(hf_kernel_part(k, k->topo->from[r / k->n_vc]), r, flit, 1, k->counts.cycle);
            if (k->trains) {
                const uint32_t first = hf_kernel_queue_at(k, r, 0)->flit >> HF_FLIT_SHIFT;
                k->trains[r].queue_left += !head && first == packet;
            }
        }
    }
}

static hf_status new_packet(const walker *w, uint32_t length, uint32_t *out) {
    const hf_packet p = {.source = w->b->source,
                         .destination = w->b->destination,
                         .length = length,
                         .generated = w->k->counts.cycle,
                         .entered = w->k->counts.cycle};
    return hf_kernel_packet_new(w->k, &p, out);
}

/* A header at the front of lane r; one that commits itself waits for what it is said to wait for. */
static hf_status put_header(const walker *w, uint32_t r) {
    hf_kernel *part = hf_kernel_part(w->k, w->k->lane[r].node);
    const bool commits = hf_plan_traits(w->k->plan) & HF_ROUTING_COMMITS;
    hf_kernel_header(part, r);
    return commits && w->b->n_wait == 1 ? hf_kernel_commit(part, r, w->b->wait[0]) : HF_OK;
}

static hf_status place_worm(walker *w) {
    hf_kernel *k = w->k;
    const hf_blocked *b = w->b;
    uint32_t packet, length = 0;
    for (uint32_t i = 0; i < b->n_hold; i++) {
        length += hf_kernel_capacity(k, b->hold[i]);
    }
    HF_TRY(new_packet(w, length, &packet));
    for (uint32_t i = 0; i < b->n_hold; i++) {
        const uint32_t r = b->hold[i];
        HF_TRY(i ? step(w, r, NULL) : HF_OK);
        HF_TRY(check_hold(k, r));
        hf_kernel_put_flits(k, r, packet, hf_kernel_capacity(k, r), i == b->n_hold - 1, i == 0);
        k->lane[r].tag = w->at.tag;
        if (i > 0) {
            const uint32_t before = b->hold[i - 1], port = before / k->n_vc;
            k->lane[before].out = r;
            k->aim[before].channel = r / k->n_vc;
            k->owner[r] = before;
            k->port[port].moving |= UINT64_C(1) << before % k->n_vc;
            k->port[port].starved |= (uint64_t)(!k->queue && k->credit[r] == 0) << before % k->n_vc;
            hf_busy_mark(&hf_kernel_part(k, k->port[port].node)->busy_moving, port);
        }
    }
    k->packet[packet].tag = w->at.tag;
    return put_header(w, b->hold[b->n_hold - 1]);
}

static hf_status place_packets(walker *w) {
    hf_kernel *k = w->k;
    const uint32_t r = w->b->hold[0], length = k->o.packet_length;
    if (w->b->n_hold > 1) {
        HF_FAIL(k->cx, HF_EINVAL, "the packet from t%u to t%u holds %u buffers; only wormhole packets hold several", w->b->source,
                w->b->destination, w->b->n_hold);
    }
    HF_TRY(check_hold(k, r));
    for (uint32_t room = hf_kernel_capacity(k, r); room >= length; room -= length) {
        uint32_t packet;
        HF_TRY(new_packet(w, length, &packet));
        k->packet[packet].tag = w->at.tag;
        hf_kernel_put_flits(k, r, packet, length, true, true);
    }
    return put_header(w, r);
}

hf_status hf_kernel_place(hf_kernel *k, const hf_blocked *blocked, uint32_t count) {
    walker w = {.k = k};
    if (k->circuits || k->heads) {
        HF_FAIL(k->cx, HF_EINVAL, "packets cannot be put in place where there are no buffers");
    }
    for (uint32_t i = 0; i < count; i++) {
        w.b = &blocked[i];
        HF_TRY(lead_to_first(&w));
        HF_TRY(k->o.switching == HF_SWITCHING_WORMHOLE ? place_worm(&w) : place_packets(&w));
    }
    return HF_OK;
}
