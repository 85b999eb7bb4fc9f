/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The end of a packet, and delivery in order. A destination keeps, for each source, packets that came before others sent
 *  earlier; a source sends only what the buffer has room for, whatever comes out of order. It is ideal: what a destination has
 *  handed on is known at once everywhere, and any number of packets is handed on in a cycle.
 *  Source: [gomez2010, 4.3.1]. A packet that is lost counts as handed on when its turn comes. */
#include "src/kernel/kernel.h"

static size_t pair_of(const hf_kernel *k, const hf_packet *p) { return (size_t)p->source * k->topo->n_terminal + p->destination; }

static void finish(hf_kernel *k, uint32_t packet) {
    const hf_packet *p = &k->packet[packet];
    hf_kernel_counts *n = &k->counts;
    if (p->is_lost) {
        hf_kernel_count_lost(k, p->entered);
    } else {
        const uint64_t latency = n->cycle - p->generated, network = n->cycle - p->entered;
        n->delivered++;
        n->latency_sum += latency;
        n->network_latency_sum += network;
        n->network_latency_max = network > n->network_latency_max ? network : n->network_latency_max;
        n->histogram[latency ? 64 - __builtin_clzll(latency) : 0]++;
    }
    hf_kernel_packet_free(k, packet);
}

/* Into the waiting packets of its pair, by number. */
static void keep(hf_kernel *k, hf_pair_order *o, uint32_t packet) {
    const uint32_t number = k->packet[packet].number;
    uint32_t *at = &o->waiting;
    while (*at != HF_NONE && k->packet[*at].number - o->next < number - o->next) {
        at = &k->packet[*at].behind;
    }
    k->packet[packet].behind = *at;
    *at = packet;
}

void hf_kernel_end_packet(hf_kernel *k, uint32_t packet, bool is_lost) {
    hf_packet *p = &k->packet[packet];
    p->is_lost = is_lost;
    if (!k->order) {
        finish(k, packet);
        return;
    }
    hf_pair_order *o = &k->order[pair_of(k, p)];
    k->counts.reordered += p->number != o->next;
    keep(k, o, packet);
    while (o->waiting != HF_NONE && k->packet[o->waiting].number == o->next) {
        const uint32_t first = o->waiting;
        o->waiting = k->packet[first].behind;
        o->next++;
        finish(k, first);
    }
}

bool hf_kernel_may_send(const hf_kernel *k, const hf_packet *p) {
    const hf_pair_order *o = &k->order[pair_of(k, p)];
    return o->sent - o->next < k->o.reorder;
}

void hf_kernel_number(hf_kernel *k, hf_packet *p) { p->number = k->order[pair_of(k, p)].sent++; }

hf_status hf_kernel_order_new(hf_kernel *k) {
    const size_t n = (size_t)k->topo->n_terminal * k->topo->n_terminal;
    if (k->o.reorder == 0) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(k->cx, n, sizeof *k->order, (void **)&k->order));
    for (size_t i = 0; i < n; i++) {
        k->order[i].waiting = HF_NONE;
    }
    return HF_OK;
}
