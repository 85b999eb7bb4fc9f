/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The perfect network: wormhole, where each channel stores a whole packet at its end. Packets wait, none is lost, there is no
 *  checksum. Source: [brown2002, 4.5]. */
#include "src/protocol/run.h"

hf_status hf_buffered_send(hf_run *r, uint32_t message) {
    hf_run_queue *q = &r->node[r->source[message]].pending;
    r->next_message[message] = HF_NONE;
    *(q->first == HF_NONE ? &q->first : &r->next_message[q->last]) = message;
    q->last = message;
    return hf_run_wake(r, r->source[message], r->now);
}

hf_status hf_buffered_arrive(hf_run *r, uint32_t packet) {
    const uint32_t message = r->packet[packet].packet.message;
    hf_run_packet_drop(r, packet);
    return hf_run_deliver(r, message);
}

hf_status hf_buffered_serve(hf_run *r, uint32_t node) {
    hf_run_queue *q = &r->node[node].pending;
    if (q->first == HF_NONE || r->free_at[node] == UINT64_MAX) {
        return HF_OK; /* woken by the next message, or when the packet in the channel has moved on */
    }
    if (r->free_at[node] > r->now) {
        return hf_run_wake(r, node, r->free_at[node]);
    }
    const hf_program_message *m = &r->program->messages[q->first];
    const uint32_t size = hf_run_size(r, m->size);
    const hf_protocol_packet packet = {
        .message = q->first, .source = node, .destination = m->destination, .size = size > 1 ? size - 1 : 1};
    uint32_t i;
    HF_TRY(hf_run_packet_new(r, &packet, &i));
    r->packet[i].held[0] = node;
    r->packet[i].until[0] = r->now;
    r->free_at[node] = UINT64_MAX;
    q->first = r->next_message[q->first];
    return hf_run_activate(r, i);
}

/* A channel is free again once the tail has left its store. */
static hf_status leave(hf_run *r, hf_run_packet *p) {
    const uint32_t channel = p->held[0];
    r->free_at[channel] = r->now + p->packet.size;
    return channel < r->net.n_node ? hf_run_wake(r, channel, r->free_at[channel]) : HF_OK;
}

static uint32_t find_channel(const hf_run *r, const hf_run_packet *p, hf_place *next) {
    hf_network_bundle bundle[HF_NETWORK_HOPS];
    if (hf_network_hops(&r->net, p->place, p->packet.destination, false, bundle, next) == 0) {
        bundle[0] = (hf_network_bundle){r->net.n_node + p->packet.destination, 1};
    }
    for (uint32_t c = bundle[0].first; c < bundle[0].first + bundle[0].width; c++) {
        if (r->free_at[c] <= r->now) {
            return c;
        }
    }
    return HF_NONE;
}

static hf_status advance(hf_run *r, uint32_t packet, bool *stays) {
    hf_run_packet *p = &r->packet[packet];
    hf_place next = p->place;
    const uint32_t channel = find_channel(r, p, &next);
    *stays = true;
    if (channel == HF_NONE) {
        return HF_OK;
    }
    HF_TRY(leave(r, p));
    p->held[0] = channel;
    p->place = next;
    *stays = channel >= 2 * r->net.n_node;
    r->free_at[channel] = *stays ? UINT64_MAX : r->now + p->packet.size;
    return *stays ? HF_OK : hf_run_push(r, r->now + p->packet.size, HF_RUN_ARRIVE, packet);
}

hf_status hf_buffered_move(hf_run *r) { return hf_run_move(r, advance); }
