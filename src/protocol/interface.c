/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The interfaces of a node. That of the protocol sends CONF before ACK before MSG. Source: [brown2002, 4.2 and 4.3]. The plain
 *  one is for the perfect network, which loses nothing: no protocol, no checksum. Source: [brown2002, 4.5]. */
#include "src/protocol/run.h"

/* ---- sending ---- */

static hf_protocol_output step(hf_run *r, uint32_t node, const hf_protocol_event *e) {
    return hf_protocol_step(&r->protocol, &r->node[node].end, e);
}

/* An ACK has a header and a checksum of its own, so those of the reply that it carries are saved. */
static uint32_t carried_flits(const hf_run *r, uint32_t message) {
    enum { SAVED = 2 };
    const uint32_t reply = hf_run_reply(r, message);
    const uint32_t size = reply == HF_NONE ? 0 : hf_run_size(r, r->program->messages[reply].size);
    return reply == HF_NONE ? 0 : size > SAVED ? size - SAVED : 1;
}

/* Messages into the send table, as long as it has room. */
static hf_status admit(hf_run *r, uint32_t node) {
    hf_run_queue *q = &r->node[node].pending;
    bool has_room = r->node[node].end.n_sent < r->protocol.send_capacity;
    while (has_room && q->first != HF_NONE) {
        const hf_program_message *m = &r->program->messages[q->first];
        hf_protocol_event e = {
            .kind = HF_EVENT_SUBMIT,
            .now = r->now,
            .packet = {.message = q->first, .destination = m->destination, .size = hf_run_size(r, m->size)},
        };
        e.packet.carried = carried_flits(r, q->first);
        HF_TRY(hf_network_distance(r->cx, r->net, node, m->destination, &e.distance));
        has_room = step(r, node, &e).is_accepted;
        q->first = has_room ? r->next_message[q->first] : q->first;
    }
    return HF_OK;
}

static void wait_in_line(hf_run *r, uint32_t message) {
    hf_run_queue *q = &r->node[r->source[message]].pending;
    r->next_message[message] = HF_NONE;
    *(q->first == HF_NONE ? &q->first : &r->next_message[q->last]) = message;
    q->last = message;
}

static hf_status send(hf_run *r, uint32_t message) {
    wait_in_line(r, message);
    HF_TRY(admit(r, r->source[message]));
    return hf_run_wake(r, r->source[message], r->now);
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
    const hf_endpoint *end = &r->node[node].end;
    const uint32_t distance = kind == HF_EVENT_TRANSMIT ? end->sent[line].distance : end->received[line].distance;
    const hf_protocol_output out = step(r, node, &e);
    uint32_t packet;
    HF_TRY(hf_run_packet_new(r, &out.packet, distance, &packet));
    return hf_run_inject(r, packet);
}

/* The interface is free. An ACK before a MSG, if due; else it looks again when the first of them is. */
static hf_status serve_tables(hf_run *r, uint32_t node) {
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
    return hf_run_wake(r, node, ack_due < message_due ? ack_due : message_due);
}

static hf_status serve(hf_run *r, uint32_t node) {
    hf_run_node *n = &r->node[node];
    const uint32_t conf = n->conf.first;
    if (hf_run_is_busy(r, node)) {
        return HF_OK; /* it looks again when it is idle */
    }
    if (conf == HF_NONE) {
        return serve_tables(r, node);
    }
    n->conf.first = r->packet[conf].next;
    return hf_run_inject(r, conf);
}

/* ---- arrival ---- */

static hf_status queue_conf(hf_run *r, uint32_t node, const hf_protocol_packet *conf) {
    hf_run_queue *q = &r->node[node].conf;
    uint32_t packet;
    HF_TRY(hf_run_packet_new(r, conf, 0, &packet));
    *(q->first == HF_NONE ? &q->first : &r->packet[q->last].next) = packet;
    q->last = packet;
    return HF_OK;
}

static bool is_damaged(hf_run *r) {
    return r->messaging->loss > 0 && (double)hf_random_u32(&r->random) < r->messaging->loss * 4294967296.0;
}

static hf_status take(hf_run *r, const hf_protocol_packet *packet, uint32_t distance) {
    const uint32_t node = packet->destination;
    const uint32_t was_full = r->node[node].end.n_received == r->messaging->protocol.receive_capacity;
    const hf_protocol_event time = {.kind = HF_EVENT_TIME, .now = r->now};
    const hf_protocol_event e = {.kind = HF_EVENT_ARRIVE, .now = r->now, .distance = distance, .packet = *packet};
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
            const uint32_t reply = hf_run_reply(r, out.message);
            HF_TRY(reply != HF_NONE ? hf_run_deliver(r, reply) : HF_OK);
        }
        HF_TRY(admit(r, node));
    }
    return hf_run_wake(r, node, r->now);
}

static hf_status arrive(hf_run *r, uint32_t packet) {
    const hf_run_packet p = r->packet[packet];
    hf_run_packet_drop(r, packet);
    if (is_damaged(r)) {
        r->result->n_damaged++;
        return HF_OK;
    }
    return take(r, &p.packet, p.distance);
}

const hf_run_interface hf_run_idempotent = {send, arrive, serve};

/* ---- without a protocol ---- */

static hf_status send_plain(hf_run *r, uint32_t message) {
    wait_in_line(r, message);
    return hf_run_wake(r, r->source[message], r->now);
}

static hf_status arrive_plain(hf_run *r, uint32_t packet) {
    const uint32_t message = r->packet[packet].packet.message;
    hf_run_packet_drop(r, packet);
    return hf_run_deliver(r, message);
}

static hf_status serve_plain(hf_run *r, uint32_t node) {
    hf_run_queue *q = &r->node[node].pending;
    const uint32_t message = q->first;
    uint32_t packet;
    if (message == HF_NONE || hf_run_is_busy(r, node)) {
        return HF_OK; /* woken by the next message, or when it is idle */
    }
    const hf_program_message *m = &r->program->messages[message];
    const uint32_t size = hf_run_size(r, m->size);
    const hf_protocol_packet p = {
        .message = message, .source = node, .destination = m->destination, .size = size > 1 ? size - 1 : 1};
    q->first = r->next_message[message];
    HF_TRY(hf_run_packet_new(r, &p, 0, &packet));
    return hf_run_inject(r, packet);
}

const hf_run_interface hf_run_plain = {send_plain, arrive_plain, serve_plain};
