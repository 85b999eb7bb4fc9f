/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The endpoint of idempotent messaging as a pure state machine. Source: [brown2002, 2 and 4.3]. */
#include <holdfast/protocol.h>

const char *hf_protocol_kind_name(hf_protocol_kind kind) {
    static const char *const name[] = {"MSG", "ACK", "CONF"};
    return name[kind];
}

hf_protocol hf_protocol_default(void) {
    return (hf_protocol){
        .send_capacity = 16, .receive_capacity = 32, .backoff = HF_BACKOFF_QUADRATIC, .backoff_constant = 3, .reply_size = 4};
}

/* ---- backoff ---- */

/* Source of table and congestion: [brown2002, 6], which leaves the measure open: here what this node had to send again. */
static uint64_t backoff_cycles(const hf_protocol *p, const hf_endpoint *s, uint32_t attempt) {
    const uint32_t last = p->n_backoff_table;
    if (p->backoff == HF_BACKOFF_TABLE && last > 0) {
        return p->backoff_table[(attempt < last ? attempt : last) - 1];
    }
    if (p->backoff == HF_BACKOFF_CONGESTION) {
        const uint64_t most = UINT64_C(1) << 62, wait = hf_backoff_cycles(HF_BACKOFF_LINEAR, p->backoff_constant, attempt);
        return wait > most / (1 + (uint64_t)s->congestion) ? most : wait * (1 + (uint64_t)s->congestion);
    }
    return hf_backoff_cycles(p->backoff, p->backoff_constant, attempt);
}

static void note_attempt(const hf_protocol *p, hf_endpoint *s, uint32_t attempt) {
    s->congestion += p->backoff == HF_BACKOFF_CONGESTION && attempt > 1 && s->congestion < UINT32_MAX;
}

static void note_answer(hf_endpoint *s) { s->congestion /= 2; }

/* The cycle of the next attempt after one of event `e`. `size`: flits of packet and answer. */
static uint64_t next_attempt(const hf_protocol *p, const hf_endpoint *s, const hf_protocol_event *e, uint32_t size,
                             uint32_t distance, uint32_t attempt) {
    const bool is_last = p->once & (e->kind == HF_EVENT_TRANSMIT ? HF_ONCE_MSG : HF_ONCE_ACK);
    const uint64_t wait = size + 2 * (uint64_t)distance + e->jitter;
    return is_last ? UINT64_MAX : e->now + wait + backoff_cycles(p, s, attempt);
}

/* ---- sender ---- */

static uint32_t find_sent(const hf_endpoint *s, uint64_t id) {
    for (uint32_t i = 0; i < s->n_sent; i++) {
        if (s->sent[i].id == id) {
            return i;
        }
    }
    return HF_NONE;
}

/* The next id that no active message has. False if there is none. */
static bool take_id(const hf_protocol *p, hf_endpoint *s, uint64_t *id) {
    if (p->n_id == 0) {
        *id = s->next_id++;
        return true;
    }
    for (uint64_t i = 0; i < p->n_id && i <= s->n_sent; i++) {
        *id = (s->next_id + i) % p->n_id;
        if (find_sent(s, *id) == HF_NONE) {
            s->next_id = (*id + 1) % p->n_id;
            return true;
        }
    }
    return false;
}

static void submit(const hf_protocol *p, hf_endpoint *s, const hf_protocol_event *e, hf_protocol_output *out) {
    uint64_t id;
    if (s->n_sent == p->send_capacity || !take_id(p, s, &id)) {
        return;
    }
    s->sent[s->n_sent++] = (hf_send_entry){.id = id,
                                           .due = e->now,
                                           .message = e->packet.message,
                                           .destination = e->packet.destination,
                                           .size = e->packet.size,
                                           .carried = e->packet.carried,
                                           .distance = e->distance};
    out->is_accepted = true;
}

static void transmit(const hf_protocol *p, hf_endpoint *s, const hf_protocol_event *e, hf_protocol_output *out) {
    hf_send_entry *m = &s->sent[e->index];
    note_attempt(p, s, ++m->attempt);
    m->due = next_attempt(p, s, e, m->size + p->reply_size + m->carried, m->distance, m->attempt);
    out->has_packet = true;
    out->packet = (hf_protocol_packet){.kind = HF_PROTOCOL_MSG,
                                       .source = s->node,
                                       .destination = m->destination,
                                       .size = m->size,
                                       .carried = m->carried,
                                       .message = m->message,
                                       .id = m->id};
}

/* Every ACK is answered, also one for a message that is long forgotten, unless a CONF is sent once. */
static void take_ack(const hf_protocol *p, hf_endpoint *s, const hf_protocol_packet *ack, hf_protocol_output *out) {
    const uint32_t i = find_sent(s, ack->id);
    if (i != HF_NONE) {
        note_answer(s);
        out->message = s->sent[i].message;
        s->sent[i] = s->sent[--s->n_sent];
        out->is_accepted = true;
    }
    out->has_packet = i != HF_NONE || !(p->once & HF_ONCE_CONF);
    out->packet = (hf_protocol_packet){.kind = HF_PROTOCOL_CONF,
                                       .source = s->node,
                                       .destination = ack->source,
                                       .size = p->reply_size,
                                       .secondary = ack->secondary,
                                       .id = p->has_secondary ? 0 : ack->id};
}

/* ---- receiver ---- */

static uint32_t find_received(const hf_endpoint *s, uint32_t source, uint64_t id) {
    for (uint32_t i = 0; i < s->n_received; i++) {
        if (s->received[i].source == source && s->received[i].id == id) {
            return i;
        }
    }
    return HF_NONE;
}

static uint32_t find_secondary(const hf_endpoint *s, uint32_t secondary) {
    for (uint32_t i = 0; i < s->n_received; i++) {
        if (s->received[i].secondary == secondary) {
            return i;
        }
    }
    return HF_NONE;
}

static uint32_t free_secondary(const hf_endpoint *s) {
    uint32_t secondary = 0;
    while (find_secondary(s, secondary) != HF_NONE) {
        secondary++;
    }
    return secondary;
}

static void take_message(const hf_protocol *p, hf_endpoint *s, const hf_protocol_event *e, hf_protocol_output *out) {
    const hf_protocol_packet *msg = &e->packet;
    if (find_received(s, msg->source, msg->id) != HF_NONE || s->n_received == p->receive_capacity) {
        return;
    }
    s->received[s->n_received] = (hf_receive_entry){.id = msg->id,
                                                    .due = e->now,
                                                    .source = msg->source,
                                                    .secondary = p->has_secondary ? free_secondary(s) : 0,
                                                    .carried = msg->carried,
                                                    .distance = e->distance};
    s->n_received++;
    out->is_accepted = out->has_action = true;
    out->message = msg->message;
    out->source = msg->source;
}

static void acknowledge(const hf_protocol *p, hf_endpoint *s, const hf_protocol_event *e, hf_protocol_output *out) {
    hf_receive_entry *m = &s->received[e->index];
    note_attempt(p, s, ++m->attempt);
    m->due = next_attempt(p, s, e, m->carried + 2 * p->reply_size, m->distance, m->attempt);
    out->has_packet = true;
    out->packet = (hf_protocol_packet){.kind = HF_PROTOCOL_ACK,
                                       .source = s->node,
                                       .destination = m->source,
                                       .size = p->reply_size + m->carried,
                                       .secondary = m->secondary,
                                       .id = m->id};
}

static void forget(hf_endpoint *s, uint32_t i) { s->received[i] = s->received[--s->n_received]; }

static void take_confirmation(const hf_protocol *p, hf_endpoint *s, const hf_protocol_event *e) {
    const hf_protocol_packet *conf = &e->packet;
    const uint32_t i = p->has_secondary ? find_secondary(s, conf->secondary) : find_received(s, conf->source, conf->id);
    if (i == HF_NONE || s->received[i].is_confirmed) {
        return;
    }
    note_answer(s);
    if (p->retention == 0) {
        forget(s, i);
        return;
    }
    s->received[i].is_confirmed = true;
    s->received[i].forget = p->retention == HF_RETENTION_FOREVER ? UINT64_MAX : e->now + p->retention + 1;
}

static void pass_time(hf_endpoint *s, uint64_t now) {
    for (uint32_t i = s->n_received; i-- > 0;) {
        if (s->received[i].is_confirmed && s->received[i].forget <= now) {
            forget(s, i);
        }
    }
}

hf_protocol_output hf_protocol_step(const hf_protocol *protocol, hf_endpoint *state, const hf_protocol_event *event) {
    hf_protocol_output out = {0};
    switch (event->kind) {
    case HF_EVENT_SUBMIT:
        submit(protocol, state, event, &out);
        break;
    case HF_EVENT_TRANSMIT:
        transmit(protocol, state, event, &out);
        break;
    case HF_EVENT_ACKNOWLEDGE:
        acknowledge(protocol, state, event, &out);
        break;
    case HF_EVENT_TIME:
        pass_time(state, event->now);
        break;
    case HF_EVENT_ARRIVE:
        if (event->packet.kind == HF_PROTOCOL_MSG) {
            take_message(protocol, state, event, &out);
        } else if (event->packet.kind == HF_PROTOCOL_ACK) {
            take_ack(protocol, state, &event->packet, &out);
        } else {
            take_confirmation(protocol, state, event);
        }
        break;
    }
    return out;
}
