/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Both allocations of a cycle: virtual channels to headers, then the crossbar to flits. Each is separable: who asks names one
 *  thing, then each thing takes one of those that ask, round-robin. */
#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/kernel/kernel.h"

static void set_bit(hf_kernel *k, uint64_t *mask, uint32_t port, uint32_t bit) {
    mask[port] |= UINT64_C(1) << bit;
    hf_busy_mark(&k->busy, port);
}

static void clear_bit(hf_kernel *k, uint64_t *mask, uint32_t port, uint32_t bit) {
    mask[port] &= ~(UINT64_C(1) << bit);
    if (!(k->waiting[port] | k->moving[port])) {
        hf_busy_clear(&k->busy, port);
    }
}

/* In the number of who asks: after all that are without. */
#define LATER 0x80000000u

/* What comes from terminals lets others go first. */
static uint32_t later(const hf_kernel *k, uint32_t lane) { return k->o.transit_first && k->lane[lane].is_injection ? LATER : 0; }

/* Ask for `thing`: the smallest distance from its pointer wins. `number` is the place of who asks among `of` at the node, and
 * LATER. */
static void ask(hf_requests *q, uint32_t thing, uint32_t by, uint32_t number, uint32_t of) {
    const uint32_t pointer = q->pointer[thing], place = number & ~LATER;
    const uint32_t key = (place >= pointer ? place - pointer : place + of - pointer) | (number & LATER);
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
    l->packet = hf_lane_packet(k, lane);
    const hf_packet *p = &k->packet[l->packet];
    l->ready = is_source ? p->generated + k->o.vc_stage : k->counts.cycle + k->o.routing_delay;
    if (k->routed && !is_source) {
        uint64_t *free = &k->routed[hf_lane_node(k, lane)];
        l->ready = (*free > k->counts.cycle ? *free : k->counts.cycle) + k->o.routing_delay;
        *free = l->ready;
    }
    if (!is_source) {
        l->tag = p->tag;
    }
    set_bit(k, k->waiting, hf_lane_port(k, lane), hf_lane_bit(k, lane));
}

/* How the packet in front of a lane came, as the routing sees it. */
static hf_hop arrival(const hf_kernel *k, uint32_t lane, const hf_packet *p) {
    if (lane >= k->n_resource) {
        return HF_HOP_INJECTION;
    }
    const uint32_t channel = k->lane[lane].port;
    const bool is_free = k->o.terminal_vcs && hf_topology_is_terminal(k->topo, k->topo->from[channel]);
    return (hf_hop){channel, is_free ? p->entry_vc : k->lane[lane].bit, k->lane[lane].tag};
}

/* One hop over a channel of a terminal: all of its virtual channels do. */
static void free_terminal(hf_kernel *k, uint32_t lane, hf_packet *p) {
    hf_lane *l = &k->lane[lane];
    hf_hop *hops = hf_lane_hops(k, lane);
    if (!k->o.terminal_vcs || l->n_hop != 1 || k->topo->link[hops[0].channel] < k->topo->n_switch_link) {
        return;
    }
    p->entry_vc = lane < k->n_resource ? p->entry_vc : hops[0].vc;
    for (l->n_hop = 0; l->n_hop < k->n_vc; l->n_hop++) {
        hops[l->n_hop] = (hf_hop){hops[0].channel, l->n_hop, hops[0].tag};
    }
}

/* Hops of the escape behind the others, in the order in which they are offered. */
static hf_status put_escape_last(hf_kernel *k, uint32_t lane, hf_hop in, uint32_t destination) {
    hf_lane *l = &k->lane[lane];
    hf_hop *hops = hf_lane_hops(k, lane);
    size_t n;
    HF_TRY(hf_kernel_escape(k, l->node, in, destination, &n));
    l->n_other = l->n_hop;
    for (size_t e = 0; e < n; e++) {
        for (uint32_t i = 0; i < l->n_other; i++) {
            const hf_hop hop = hops[i];
            if (hop.channel == k->escape_hops[e].channel && hop.vc == k->escape_hops[e].vc) {
                memmove(&hops[i], &hops[i + 1], (l->n_hop - i - 1) * sizeof *hops);
                hops[l->n_hop - 1] = hop;
                l->n_other--;
                break;
            }
        }
    }
    return HF_OK;
}

static void release_hops(hf_kernel *k, hf_lane *l) {
    if (l->slot != HF_NONE) {
        k->free_slot[k->n_free_slot++] = l->slot;
        l->slot = HF_NONE;
    }
}

/* Until the tables of its node change. */
static void sleep_on(hf_kernel *k, uint32_t lane) {
    release_hops(k, &k->lane[lane]);
    k->lane[lane].ready = UINT64_MAX;
}

void hf_kernel_reroute(hf_kernel *k, uint32_t node) {
    for (uint32_t i = 0; i < k->n_lane; i++) {
        hf_lane *l = &k->lane[i];
        const bool waits = k->waiting[l->port] >> l->bit & 1;
        if (!waits || (node != HF_NONE && l->node != node)) {
            continue;
        }
        release_hops(k, l);
        l->ready = l->ready == UINT64_MAX ? k->counts.cycle : l->ready;
    }
}

static hf_status route(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    hf_packet *p = &k->packet[hf_lane_packet(k, lane)];
    const hf_hop in = arrival(k, lane, p);
    const bool is_gone = lane >= k->n_resource && k->gone && hf_bit_test(k->gone, p->destination);
    size_t n = 0;
    HF_TRY(is_gone ? HF_OK : hf_kernel_route(k, hf_lane_node(k, lane), in, p->destination, &n));
    if (n == HF_ROUTE_WAIT) {
        sleep_on(k, lane);
        return HF_OK;
    }
    HF_TRY(hf_kernel_slot_new(k, &l->slot));
    hf_hop *hops = hf_lane_hops(k, lane);
    l->n_hop = 0;
    for (size_t i = 0; i < n; i++) {
        if (!hf_bit_test(k->down, k->route_hops[i].channel)) {
            hops[l->n_hop++] = k->route_hops[i];
        }
    }
    free_terminal(k, lane, p);
    if (k->o.selection == HF_SELECT_ESCAPE_LAST) {
        HF_TRY(put_escape_last(k, lane, in, p->destination));
    }
    if (k->o.selection == HF_SELECT_RANDOM && l->n_hop > 1) {
        hf_kernel_draw_channel(k, lane, hops);
    }
    if (k->o.choose_once && l->n_hop > 1) {
        hops[0] = hops[hf_kernel_choose(k, lane, hops)];
        l->n_hop = 1;
    }
    return HF_OK;
}

static void waits_no_more(hf_kernel *k, uint32_t lane, uint32_t out) {
    hf_lane *l = &k->lane[lane];
    const uint32_t port = hf_lane_port(k, lane), bit = hf_lane_bit(k, lane);
    release_hops(k, l);
    l->out = out;
    set_bit(k, k->moving, port, bit);
    clear_bit(k, k->waiting, port, bit);
}

static void give(hf_kernel *k, uint32_t q) {
    const uint32_t lane = k->vcs.by[q];
    if (lane == HF_LANE_CONTROL) {
        k->vcs.pointer[q] = 0;
        k->vcs.by[q] = HF_NONE;
        hf_kernel_control_granted(k, q);
        return;
    }
    const uint32_t of = k->degree[hf_lane_node(k, lane)] * k->n_vc + 1;
    const uint32_t next = k->place[hf_lane_port(k, lane)] * k->n_vc + hf_lane_bit(k, lane) + 1;
    hf_lane *l = &k->lane[lane];
    k->vcs.pointer[q] = next < of ? next : 0;
    k->vcs.by[q] = HF_NONE;
    const uint32_t tag = hf_lane_hops(k, lane)[l->turn].tag;
    k->counts.deviated += tag >= HF_TAG_DEVIATED;
    k->packet[hf_lane_packet(k, lane)].tag = tag & ~HF_TAG_DEVIATED;
    if (k->order && lane >= k->n_resource) {
        hf_kernel_number(k, &k->packet[l->packet]);
    }
    l->turn++;
    k->owner[q] = lane;
    waits_no_more(k, lane, q);
}

static hf_status ask_for_channel(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    const bool may_ask = lane < k->n_resource || !k->order || hf_kernel_may_send(k, &k->packet[l->packet]);
    if (l->ready > k->counts.cycle || !may_ask) {
        return HF_OK;
    }
    if (l->slot == HF_NONE) {
        HF_TRY(route(k, lane));
        if (l->slot == HF_NONE) {
            return HF_OK;
        }
    }
    if (l->n_hop == 0) {
        waits_no_more(k, lane, HF_LANE_DROP);
        return HF_OK;
    }
    const hf_hop *hops = hf_lane_hops(k, lane);
    const uint32_t i = hf_kernel_select(k, lane, hops);
    if (i != HF_NONE) {
        const uint32_t number = k->place[hf_lane_port(k, lane)] * k->n_vc + hf_lane_bit(k, lane);
        const uint32_t q = hops[i].channel * k->n_vc + hops[i].vc;
        l->turn = i;
        if (k->o.vc_stage && lane >= k->n_resource) { /* nobody else asks for it */
            k->vcs.by[q] = lane;
            give(k, q);
        } else {
            ask(&k->vcs, q, lane, number | later(k, lane), k->degree[hf_lane_node(k, lane)] * k->n_vc + 1);
        }
    }
    return HF_OK;
}

hf_status hf_kernel_ask_channels(hf_kernel *k) {
    for (size_t w = hf_busy_next(&k->busy, 0); w < k->busy.n_word; w = hf_busy_next(&k->busy, w + 1)) {
        for (uint64_t ports = k->busy.word[w]; ports; ports &= ports - 1) {
            const uint32_t port = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports);
            const uint32_t lane = port < k->topo->n_channel ? port * k->n_vc : k->n_resource + port - k->topo->n_channel;
            for (uint64_t bits = k->waiting[port]; bits; bits &= bits - 1) {
                HF_TRY(ask_for_channel(k, lane + (uint32_t)__builtin_ctzll(bits)));
            }
        }
    }
    return HF_OK;
}

void hf_kernel_give_channels(hf_kernel *k) {
    for (uint32_t i = 0; i < k->vcs.n_asked; i++) {
        give(k, k->vcs.asked[i]);
    }
    k->vcs.n_asked = 0;
}

void hf_kernel_ask_control(hf_kernel *k, uint32_t q) {
    const uint32_t last = k->degree[k->topo->from[q / k->n_vc]] * k->n_vc;
    ask(&k->vcs, q, HF_LANE_CONTROL, last, last + 1);
}

/* ---- the crossbar ---- */

static void send_credit(hf_kernel *k, uint32_t lane) {
    const uint32_t at = k->now + k->o.credit_delay, s = at < k->n_slot ? at : at - k->n_slot;
    k->credits[(size_t)s * k->n_credit + k->slot[s].n_credit++] = lane;
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
    l->out = l->packet = HF_NONE;
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
        if (lane < k->n_resource) {
            hf_kernel_end_packet(k, flit >> HF_FLIT_SHIFT, true);
        } else {
            k->counts.refused++;
            k->packet[flit >> HF_FLIT_SHIFT].is_lost = true;
            hf_kernel_packet_free(k, flit >> HF_FLIT_SHIFT);
        }
    }
    after_flit(k, lane, flit);
}

static void send(hf_kernel *k, uint32_t lane) {
    const uint32_t q = k->lane[lane].out, flit = take(k, lane);
    if (k->queue && k->queue[q].room) {
        hf_kernel_queue_put(k, q, flit, k->counts.cycle + k->o.crossbar_delay);
    } else {
        hf_kernel_onto_channel(k, q, flit, k->delay[k->lane[q].port]);
    }
    if (lane >= k->n_resource && flit & HF_FLIT_HEAD) {
        k->packet[flit >> HF_FLIT_SHIFT].entered = k->counts.cycle;
        k->counts.injected++;
    }
    after_flit(k, lane, flit);
}

/* Ask for the outputs of the lanes of a port that can send, from its pointer on: for all, or for that of the first. */
static void ask_for_outputs(hf_kernel *k, uint32_t port) {
    const uint64_t moving = k->moving[port], high = moving >> k->turn[port] << k->turn[port];
    const uint32_t first = port < k->topo->n_channel ? port * k->n_vc : k->n_resource + port - k->topo->n_channel;
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t bits = pass ? moving & ~high : high; bits; bits &= bits - 1) {
            const uint32_t lane = first + (uint32_t)__builtin_ctzll(bits), q = k->lane[lane].out;
            if (q == HF_LANE_DROP) {
                drop(k, lane);
                return;
            }
            if (hf_kernel_can_send(k, q)) {
                const uint32_t number = k->place[port] | later(k, lane);
                ask(&k->outputs, k->lane[q].port, lane, number, k->degree[hf_lane_node(k, lane)]);
                if (!k->o.outputs_first) {
                    return;
                }
            }
        }
    }
}

static void send_chosen(hf_kernel *k, uint32_t channel, uint32_t lane) {
    const uint32_t port = hf_lane_port(k, lane), bit = hf_lane_bit(k, lane);
    const uint32_t next = k->place[port] + 1, of = k->degree[hf_lane_node(k, lane)];
    k->outputs.pointer[channel] = next < of ? next : 0;
    k->turn[port] = bit + 1 < k->n_vc ? bit + 1 : 0;
    send(k, lane);
}

/* Every input takes one of the outputs that chose it. */
static void accept_outputs(hf_kernel *k) {
    hf_requests *a = &k->accepts;
    for (uint32_t i = 0; i < k->outputs.n_asked; i++) {
        const uint32_t channel = k->outputs.asked[i], lane = k->outputs.by[channel];
        ask(a, hf_lane_port(k, lane), channel, k->out_place[channel], k->out_degree[hf_lane_node(k, lane)]);
    }
    for (uint32_t i = 0; i < a->n_asked; i++) {
        const uint32_t port = a->asked[i], channel = a->by[port], lane = k->outputs.by[channel];
        const uint32_t next = k->out_place[channel] + 1;
        a->pointer[port] = next < k->out_degree[hf_lane_node(k, lane)] ? next : 0;
        a->by[port] = HF_NONE;
        send_chosen(k, channel, lane);
    }
    a->n_asked = 0;
}

enum { AHEAD = 12 }; /* channels between what is fetched and what is used */

/* Ask for the flit that a lane sends soon, and for where it goes: in a large network they are seldom in the cache. */
static void fetch(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    if (lane < k->n_resource) {
        __builtin_prefetch(&k->flit[(size_t)lane * k->o.buffer + l->first]);
    }
    if (k->queue) {
        __builtin_prefetch(hf_kernel_queue_at(k, l->out, k->queue[l->out].count), 1);
    }
}

/* A flit at most of each input, to each output. Terminals send in the first round alone. */
static void send_round(hf_kernel *k, bool is_first) {
    for (size_t w = hf_busy_next(&k->busy, 0); w < k->busy.n_word; w = hf_busy_next(&k->busy, w + 1)) {
        for (uint64_t ports = k->busy.word[w]; ports; ports &= ports - 1) {
            const uint32_t port = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports);
            if (is_first || port < k->topo->n_channel) {
                ask_for_outputs(k, port);
            }
        }
    }
    if (k->o.outputs_first) {
        accept_outputs(k);
    }
    for (uint32_t i = 0; i < k->outputs.n_asked; i++) {
        const uint32_t channel = k->outputs.asked[i], lane = k->outputs.by[channel];
        k->outputs.by[channel] = HF_NONE;
        if (k->o.outputs_first) {
            continue;
        }
        if (i + AHEAD < k->outputs.n_asked) {
            fetch(k, k->outputs.by[k->outputs.asked[i + AHEAD]]);
        }
        send_chosen(k, channel, lane);
    }
    k->outputs.n_asked = 0;
}

void hf_kernel_send_flits(hf_kernel *k) {
    send_round(k, true);
    for (uint32_t round = 1; round < k->o.speedup; round++) {
        send_round(k, false);
    }
    hf_kernel_send_queued(k);
}
