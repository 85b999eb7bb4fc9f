/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Both allocations of a cycle: virtual channels to headers, then the crossbar to flits. Each is separable: who asks names one
 *  thing, then each thing takes one of those that ask, round-robin. */
#include <holdfast/bitset.h>

#include "src/kernel/kernel.h"

static void set_bit(uint64_t *mask, uint64_t *busy, uint32_t port, uint32_t bit) {
    mask[port] |= UINT64_C(1) << bit;
    hf_bit_set(busy, port);
}

static void clear_bit(hf_kernel *k, uint64_t *mask, uint32_t port, uint32_t bit) {
    mask[port] &= ~(UINT64_C(1) << bit);
    if (!(k->waiting[port] | k->moving[port])) {
        hf_bit_clear(k->busy, port);
    }
}

/* Ask for `thing`: the smallest distance from its pointer wins. `number` is the place of who asks among `of` at the node. */
static void ask(hf_requests *q, uint32_t thing, uint32_t by, uint32_t number, uint32_t of) {
    const uint32_t pointer = q->pointer[thing];
    const uint32_t key = number >= pointer ? number - pointer : number + of - pointer;
    if (q->by[thing] == HF_NONE) {
        q->asked[q->n_asked++] = thing;
    } else if (q->key[thing] <= key) {
        return;
    }
    q->by[thing] = by;
    q->key[thing] = key;
}

/* ---- virtual channels ---- */

void hf_kernel_header(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    const bool is_source = lane >= k->n_resource;
    l->out = l->slot = HF_NONE;
    l->ready = k->counts.cycle + (is_source ? 0 : k->o.routing_delay);
    if (!is_source) {
        l->tag = k->packet[hf_lane_packet(k, lane)].tag;
    }
    set_bit(k->waiting, k->busy, hf_lane_port(k, lane), hf_lane_bit(k, lane));
}

bool hf_kernel_has_room(const hf_kernel *k, uint32_t lane, uint32_t q, uint32_t space) {
    if (k->o.switching == HF_SWITCHING_WORMHOLE) {
        return k->o.reuse_early ? space > 0 : space == k->o.buffer;
    }
    const uint32_t length = k->packet[hf_lane_packet(k, lane)].length;
    const bool enters = k->ring && k->ring[q] != HF_NONE && (lane >= k->n_resource || k->ring[lane] != k->ring[q]);
    return space >= (enters ? length + k->o.packet_length : length);
}

static hf_status route(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    const hf_packet *p = &k->packet[hf_lane_packet(k, lane)];
    const hf_hop in = lane < k->n_resource ? (hf_hop){lane / k->n_vc, lane % k->n_vc, l->tag} : HF_HOP_INJECTION;
    HF_TRY(hf_kernel_slot_new(k, &l->slot));
    hf_hop *hops = k->hops + (size_t)l->slot * k->plan->max_hops;
    const size_t n = hf_plan_route(k->plan, hf_lane_node(k, lane), in, p->destination, hops);
    l->n_hop = 0;
    for (size_t i = 0; i < n; i++) {
        if (!k->plan->faults || !hf_bit_test(k->plan->faults->channel_set, hops[i].channel)) {
            hops[l->n_hop++] = hops[i];
        }
    }
    return HF_OK;
}

static void waits_no_more(hf_kernel *k, uint32_t lane, uint32_t out) {
    hf_lane *l = &k->lane[lane];
    const uint32_t port = hf_lane_port(k, lane), bit = hf_lane_bit(k, lane);
    k->free_slot[k->n_free_slot++] = l->slot;
    l->slot = HF_NONE;
    l->out = out;
    set_bit(k->moving, k->busy, port, bit);
    clear_bit(k, k->waiting, port, bit);
}

static hf_status ask_for_channel(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    if (l->ready > k->counts.cycle) {
        return HF_OK;
    }
    if (l->slot == HF_NONE) {
        HF_TRY(route(k, lane));
    }
    if (l->n_hop == 0) {
        waits_no_more(k, lane, HF_LANE_DROP);
        return HF_OK;
    }
    const hf_hop *hops = k->hops + (size_t)l->slot * k->plan->max_hops;
    const uint32_t i = hf_kernel_select(k, lane, hops);
    if (i != HF_NONE) {
        const uint32_t number = k->place[hf_lane_port(k, lane)] * k->n_vc + hf_lane_bit(k, lane);
        ask(&k->vcs, hops[i].channel * k->n_vc + hops[i].vc, lane, number, k->degree[hf_lane_node(k, lane)] * k->n_vc);
        l->turn = i;
    }
    return HF_OK;
}

static void give(hf_kernel *k, uint32_t q) {
    const uint32_t lane = k->vcs.by[q], of = k->degree[hf_lane_node(k, lane)] * k->n_vc;
    const uint32_t next = k->place[hf_lane_port(k, lane)] * k->n_vc + hf_lane_bit(k, lane) + 1;
    hf_lane *l = &k->lane[lane];
    k->vcs.pointer[q] = next < of ? next : 0;
    k->vcs.by[q] = HF_NONE;
    k->packet[hf_lane_packet(k, lane)].tag = k->hops[(size_t)l->slot * k->plan->max_hops + l->turn].tag;
    l->turn++;
    k->owner[q] = lane;
    waits_no_more(k, lane, q);
}

hf_status hf_kernel_give_channels(hf_kernel *k) {
    const size_t words = hf_words(k->n_port);
    for (size_t w = 0; w < words; w++) {
        for (uint64_t ports = k->busy[w]; ports; ports &= ports - 1) {
            const uint32_t port = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports);
            const uint32_t lane = port < k->topo->n_channel ? port * k->n_vc : k->n_resource + port - k->topo->n_channel;
            for (uint64_t bits = k->waiting[port]; bits; bits &= bits - 1) {
                HF_TRY(ask_for_channel(k, lane + (uint32_t)__builtin_ctzll(bits)));
            }
        }
    }
    for (uint32_t i = 0; i < k->vcs.n_asked; i++) {
        give(k, k->vcs.asked[i]);
    }
    k->vcs.n_asked = 0;
    return HF_OK;
}

/* ---- the crossbar ---- */

static void send_credit(hf_kernel *k, uint32_t lane) {
    const uint32_t at = k->now + k->o.credit_delay, s = at < k->n_slot ? at : at - k->n_slot;
    k->credits[(size_t)s * k->topo->n_channel + k->slot[s].n_credit++] = lane;
}

/* Take the next flit out of a lane. */
static uint32_t take(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    uint32_t flit;
    if (lane < k->n_resource) {
        flit = hf_lane_flit(k, lane);
        l->first = l->first + 1 < k->o.buffer ? l->first + 1 : 0;
        send_credit(k, lane);
    } else {
        flit = l->packet << HF_FLIT_SHIFT | (l->first == 0 ? HF_FLIT_HEAD : 0u) | (l->count == 1 ? HF_FLIT_TAIL : 0u);
        l->first++;
    }
    l->count--;
    return flit;
}

/* Under store and forward a packet is routed when it is there whole. */
static bool has_header(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    return l->count > 0 && (k->o.switching != HF_SWITCHING_SAF || l->count >= k->packet[hf_lane_packet(k, lane)].length);
}

static void tail_left(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    if (l->out < HF_LANE_DROP) {
        k->owner[l->out] = HF_NONE;
    }
    l->out = HF_NONE;
    clear_bit(k, k->moving, hf_lane_port(k, lane), hf_lane_bit(k, lane));
    if (lane >= k->n_resource) {
        hf_kernel_source_done(k, lane - k->n_resource);
    } else if (has_header(k, lane)) {
        hf_kernel_header(k, lane);
        l->ready++;
    }
}

static void after_flit(hf_kernel *k, uint32_t lane, uint32_t flit) {
    if (flit & HF_FLIT_TAIL) {
        tail_left(k, lane);
    } else if (k->lane[lane].count == 0) {
        clear_bit(k, k->moving, hf_lane_port(k, lane), hf_lane_bit(k, lane));
    }
}

static void drop(hf_kernel *k, uint32_t lane) {
    const uint32_t flit = take(k, lane);
    if (flit & HF_FLIT_TAIL) {
        *(lane < k->n_resource ? &k->counts.lost : &k->counts.refused) += 1;
        hf_kernel_packet_free(k, flit >> HF_FLIT_SHIFT);
    }
    after_flit(k, lane, flit);
}

static void send(hf_kernel *k, uint32_t lane) {
    const uint32_t q = k->lane[lane].out, channel = k->lane[q].port, flit = take(k, lane);
    const uint32_t at = k->now + k->delay[channel], s = at < k->n_slot ? at : at - k->n_slot;
    k->flits[(size_t)s * k->topo->n_channel + k->slot[s].n_flit++] = (hf_event){q, flit};
    k->counts.flit_hops++;
    if (k->lane[q].node < k->topo->n_switch) {
        k->credit[q]--;
    }
    if (lane >= k->n_resource && flit & HF_FLIT_HEAD) {
        k->packet[flit >> HF_FLIT_SHIFT].entered = k->counts.cycle;
        k->counts.injected++;
    }
    after_flit(k, lane, flit);
}

/* A lane of the port that can send, from its pointer on; HF_NONE if none. */
static uint32_t choose_lane(const hf_kernel *k, uint32_t port) {
    const uint64_t moving = k->moving[port], high = moving >> k->turn[port] << k->turn[port];
    const uint32_t lane = port < k->topo->n_channel ? port * k->n_vc : k->n_resource + port - k->topo->n_channel;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t bits = pass ? moving & ~high : high; bits; bits &= bits - 1) {
            const uint32_t l = lane + (uint32_t)__builtin_ctzll(bits), q = k->lane[l].out;
            if (q == HF_LANE_DROP || k->credit[q] > 0) {
                return l;
            }
        }
    }
    return HF_NONE;
}

static void ask_for_output(hf_kernel *k, uint32_t port) {
    const uint32_t lane = k->moving[port] ? choose_lane(k, port) : HF_NONE;
    if (lane == HF_NONE) {
        return;
    }
    if (k->lane[lane].out == HF_LANE_DROP) {
        drop(k, lane);
        return;
    }
    k->chosen[port] = lane;
    ask(&k->outputs, k->lane[k->lane[lane].out].port, port, k->place[port], k->degree[hf_lane_node(k, lane)]);
}

static void send_chosen(hf_kernel *k, uint32_t channel) {
    const uint32_t port = k->outputs.by[channel], lane = k->chosen[port], bit = hf_lane_bit(k, lane);
    const uint32_t next = k->place[port] + 1, of = k->degree[hf_lane_node(k, lane)];
    k->outputs.by[channel] = HF_NONE;
    k->outputs.pointer[channel] = next < of ? next : 0;
    k->turn[port] = bit + 1 < k->n_vc ? bit + 1 : 0;
    send(k, lane);
}

void hf_kernel_send_flits(hf_kernel *k) {
    const size_t words = hf_words(k->n_port);
    for (size_t w = 0; w < words; w++) {
        for (uint64_t ports = k->busy[w]; ports; ports &= ports - 1) {
            ask_for_output(k, (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports));
        }
    }
    for (uint32_t i = 0; i < k->outputs.n_asked; i++) {
        send_chosen(k, k->outputs.asked[i]);
    }
    k->outputs.n_asked = 0;
}
