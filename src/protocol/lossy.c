/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The network that drops: a head takes one channel a cycle and holds it for the packet's length; where none is free, the packet
 * is gone and its channels are free at once. The interface sends CONF before ACK before MSG. Source: [brown2002, 4.2 and 4.3]. */
#include "src/protocol/run.h"

/* ---- the interface ---- */

static hf_protocol_output step(hf_run *r, uint32_t node, const hf_protocol_event *e) {
    return hf_protocol_step(&r->protocol, &r->node[node].end, e);
}

/* Channels on the way, the injection included. */
static uint32_t distance(const hf_run *r, uint32_t a, uint32_t b) { return hf_network_distance(&r->net, a, b) + 1; }

/* Messages into the send table, as long as it has room. */
static void admit(hf_run *r, uint32_t node) {
    hf_run_queue *q = &r->node[node].pending;
    while (q->first != HF_NONE) {
        const hf_program_message *m = &r->program->messages[q->first];
        const hf_protocol_event e = {
            .kind = HF_EVENT_SUBMIT,
            .now = r->now,
            .distance = distance(r, node, m->destination),
            .packet = {.message = q->first, .destination = m->destination, .size = hf_run_size(r, m->size)},
        };
        if (!step(r, node, &e).is_accepted) {
            return;
        }
        q->first = r->next_message[q->first];
    }
}

hf_status hf_lossy_send(hf_run *r, uint32_t message) {
    hf_run_queue *q = &r->node[r->source[message]].pending;
    r->next_message[message] = HF_NONE;
    *(q->first == HF_NONE ? &q->first : &r->next_message[q->last]) = message;
    q->last = message;
    admit(r, r->source[message]);
    return hf_run_wake(r, r->source[message], r->now);
}

static hf_status inject(hf_run *r, uint32_t node, uint32_t packet) {
    hf_run_packet *p = &r->packet[packet];
    p->held[0] = node;
    p->until[0] = r->free_at[node] = r->now + p->packet.size;
    p->n_held = 1;
    return hf_run_activate(r, packet);
}

/* The line of the receive table whose ACK is due first. */
static uint32_t first_ack(const hf_endpoint *s, uint64_t *due) {
    uint32_t best = HF_NONE;
    for (uint32_t i = 0; i < s->n_received; i++) {
        if (!s->received[i].is_confirmed && s->received[i].due < *due) {
            *due = s->received[i].due;
            best = i;
        }
    }
    return best;
}

static uint32_t first_message(const hf_endpoint *s, uint64_t *due) {
    uint32_t best = HF_NONE;
    for (uint32_t i = 0; i < s->n_sent; i++) {
        if (s->sent[i].due < *due) {
            *due = s->sent[i].due;
            best = i;
        }
    }
    return best;
}

static hf_status make_and_inject(hf_run *r, uint32_t node, hf_protocol_event_kind kind, uint32_t line) {
    hf_protocol_event e = {.kind = kind, .index = line, .now = r->now};
    if (r->messaging->jitter > 0) {
        e.jitter = (uint32_t)hf_random_below(&r->random, (uint64_t)r->messaging->jitter + 1);
    }
    const hf_protocol_output out = step(r, node, &e);
    uint32_t packet;
    HF_TRY(hf_run_packet_new(r, &out.packet, &packet));
    return inject(r, node, packet);
}

/* The interface is free. An ACK before a MSG, if due; else it looks again when the first of them is. */
static hf_status serve_tables(hf_run *r, uint32_t node, bool *is_idle) {
    const hf_endpoint *end = &r->node[node].end;
    uint64_t ack_due = UINT64_MAX, message_due = UINT64_MAX;
    const uint32_t ack = first_ack(end, &ack_due);
    if (ack_due <= r->now) {
        return make_and_inject(r, node, HF_EVENT_ACKNOWLEDGE, ack);
    }
    const uint32_t message = first_message(end, &message_due);
    if (message_due <= r->now) {
        return make_and_inject(r, node, HF_EVENT_TRANSMIT, message);
    }
    *is_idle = true;
    return hf_run_wake(r, node, ack_due < message_due ? ack_due : message_due);
}

hf_status hf_lossy_serve(hf_run *r, uint32_t node) {
    hf_run_node *n = &r->node[node];
    bool is_idle = false;
    if (r->free_at[node] > r->now) {
        return hf_run_wake(r, node, r->free_at[node]);
    }
    if (n->conf.first != HF_NONE) {
        const uint32_t packet = n->conf.first;
        n->conf.first = r->packet[packet].next;
        HF_TRY(inject(r, node, packet));
    } else {
        HF_TRY(serve_tables(r, node, &is_idle));
    }
    return is_idle ? HF_OK : hf_run_wake(r, node, r->free_at[node]);
}

/* ---- arrival ---- */

static hf_status queue_conf(hf_run *r, uint32_t node, const hf_protocol_packet *conf) {
    hf_run_queue *q = &r->node[node].conf;
    uint32_t packet;
    HF_TRY(hf_run_packet_new(r, conf, &packet));
    *(q->first == HF_NONE ? &q->first : &r->packet[q->last].next) = packet;
    q->last = packet;
    return HF_OK;
}

static bool is_damaged(hf_run *r) {
    return r->messaging->loss > 0 && (double)hf_random_u32(&r->random) < r->messaging->loss * 4294967296.0;
}

static hf_status take(hf_run *r, const hf_protocol_packet *packet) {
    const uint32_t node = packet->destination;
    const uint32_t was_full = r->node[node].end.n_received == r->messaging->protocol.receive_capacity;
    const hf_protocol_event time = {.kind = HF_EVENT_TIME, .now = r->now};
    const hf_protocol_event e = {
        .kind = HF_EVENT_ARRIVE, .now = r->now, .distance = distance(r, packet->source, node), .packet = *packet};
    step(r, node, &time);
    const hf_protocol_output out = step(r, node, &e);
    r->result->n_refused += packet->kind == HF_PROTOCOL_MSG && !out.is_accepted && was_full;
    if (out.has_action) {
        HF_TRY(hf_run_deliver(r, out.message));
    }
    if (out.has_packet) {
        HF_TRY(queue_conf(r, node, &out.packet));
    }
    if (packet->kind == HF_PROTOCOL_ACK) {
        if (out.is_accepted) {
            hf_run_forget(r, out.message);
        }
        admit(r, node);
    }
    return hf_run_wake(r, node, r->now);
}

hf_status hf_lossy_arrive(hf_run *r, uint32_t packet) {
    const hf_protocol_packet p = r->packet[packet].packet;
    hf_run_packet_drop(r, packet);
    if (is_damaged(r)) {
        r->result->n_damaged++;
        return HF_OK;
    }
    return take(r, &p);
}

/* ---- heads ---- */

static void hold(hf_run *r, hf_run_packet *p, uint32_t channel) {
    const uint32_t i = p->n_held++ % HF_MESSAGE_SIZE_MAX;
    p->held[i] = channel;
    p->until[i] = r->free_at[channel] = r->now + p->packet.size;
}

/* The first free channel of the bundles; its place in `next`. */
static uint32_t find_channel(const hf_run *r, const hf_run_packet *p, hf_place *next) {
    hf_network_bundle bundle[HF_NETWORK_HOPS];
    hf_place place[HF_NETWORK_HOPS];
    const uint32_t n = hf_network_hops(&r->net, p->place, p->packet.destination, true, bundle, place);
    for (uint32_t b = 0; b < n; b++) {
        for (uint32_t c = bundle[b].first; c < bundle[b].first + bundle[b].width; c++) {
            if (r->free_at[c] <= r->now) {
                *next = place[b];
                return c;
            }
        }
    }
    const uint32_t eject = r->net.n_node + p->packet.destination;
    return n == 0 && r->free_at[eject] <= r->now ? eject : HF_NONE;
}

static hf_status drop(hf_run *r, uint32_t packet) {
    hf_run_packet *p = &r->packet[packet];
    const uint32_t n = p->n_held < HF_MESSAGE_SIZE_MAX ? p->n_held : HF_MESSAGE_SIZE_MAX, source = p->packet.source;
    for (uint32_t i = 0; i < n; i++) {
        if (p->until[i] > r->now) {
            r->free_at[p->held[i]] = r->now;
        }
    }
    r->result->n_dropped++;
    hf_run_packet_drop(r, packet);
    return hf_run_wake(r, source, r->now + 1);
}

/* One channel further, out, or gone. `stays`: still on its way. */
static hf_status advance(hf_run *r, uint32_t packet, bool *stays) {
    hf_run_packet *p = &r->packet[packet];
    hf_place next = p->place;
    const uint32_t channel = find_channel(r, p, &next);
    *stays = channel >= 2 * r->net.n_node && channel != HF_NONE;
    if (channel == HF_NONE) {
        return drop(r, packet);
    }
    hold(r, p, channel);
    p->place = next;
    return *stays ? HF_OK : hf_run_push(r, r->now + p->packet.size, HF_RUN_ARRIVE, packet);
}

hf_status hf_lossy_move(hf_run *r) { return hf_run_move(r, advance); }
