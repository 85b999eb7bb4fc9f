/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Moves of the explicit check. What an endpoint does is hf_protocol_step(); here are the channels and the passing of time. */
#include "src/protocol/world.h"

#include <string.h>

/* ---- endpoints, to and from bytes ---- */

typedef struct endpoint {
    hf_send_entry sent[HF_CHECK_MAX];
    hf_receive_entry received[HF_CHECK_MAX];
    hf_endpoint end;
} endpoint;

static void open_sender(const hf_world *w, endpoint *e) {
    e->end = (hf_endpoint){.node = 0, .n_sent = w->n_sent, .next_id = w->next_id, .sent = e->sent, .received = e->received};
    for (uint32_t i = 0; i < w->n_sent; i++) {
        e->sent[i] = (hf_send_entry){.id = w->sent[i].id, .message = w->sent[i].message, .destination = 1};
    }
}

static void close_sender(const endpoint *e, hf_world *w) {
    memset(w->sent, 0, sizeof w->sent);
    w->n_sent = (uint8_t)e->end.n_sent;
    w->next_id = (uint8_t)e->end.next_id;
    for (uint32_t i = 0; i < e->end.n_sent; i++) {
        uint32_t place = 0;
        for (uint32_t j = 0; j < e->end.n_sent; j++) {
            place += e->sent[j].id < e->sent[i].id;
        }
        w->sent[place].id = (uint8_t)e->sent[i].id;
        w->sent[place].message = (uint8_t)e->sent[i].message;
    }
}

static void open_receiver(const hf_world *w, endpoint *e) {
    e->end = (hf_endpoint){.node = 1, .n_received = w->n_received, .sent = e->sent, .received = e->received};
    for (uint32_t i = 0; i < w->n_received; i++) {
        const uint8_t forget = w->received[i].forget;
        e->received[i] = (hf_receive_entry){.id = w->received[i].id,
                                            .due = forget == HF_FORGET_ANSWERED ? UINT64_MAX : 0,
                                            .secondary = w->received[i].secondary,
                                            .forget = forget == HF_FORGET_NEVER ? UINT64_MAX : forget,
                                            .is_confirmed = forget != HF_FORGET_OPEN && forget != HF_FORGET_ANSWERED};
    }
}

static uint8_t mark_of(const hf_receive_entry *m) {
    if (!m->is_confirmed) {
        return m->due == UINT64_MAX ? HF_FORGET_ANSWERED : HF_FORGET_OPEN;
    }
    return m->forget == UINT64_MAX ? HF_FORGET_NEVER : (uint8_t)m->forget;
}

static void close_receiver(const endpoint *e, hf_world *w) {
    memset(w->received, 0, sizeof w->received);
    w->n_received = (uint8_t)e->end.n_received;
    for (uint32_t i = 0; i < e->end.n_received; i++) {
        uint32_t place = 0;
        for (uint32_t j = 0; j < e->end.n_received; j++) {
            place += e->received[j].id < e->received[i].id;
        }
        w->received[place].id = (uint8_t)e->received[i].id;
        w->received[place].secondary = (uint8_t)e->received[i].secondary;
        w->received[place].forget = mark_of(&e->received[i]);
    }
}

/* ---- channels ---- */

static bool has_room(const hf_check *check, const hf_world *w, uint32_t channel) {
    return w->n_flight[channel] < check->capacity;
}

/* Into the channel; lost if there is no room. */
static void send(const hf_check *check, const hf_protocol_packet *p, uint32_t channel, hf_world *w) {
    if (has_room(check, w, channel)) {
        w->flight[channel][w->n_flight[channel]++] = (hf_flight){.kind = (uint8_t)p->kind,
                                                                 .id = (uint8_t)p->id,
                                                                 .secondary = (uint8_t)p->secondary,
                                                                 .message = (uint8_t)p->message,
                                                                 .wait = HF_WAIT_ANY};
    }
}

static hf_flight take(hf_world *w, uint32_t channel, uint32_t index) {
    hf_flight *flight = w->flight[channel];
    const hf_flight out = flight[index];
    const uint32_t n = --w->n_flight[channel];
    memmove(flight + index, flight + index + 1, (n - index) * sizeof *flight);
    memset(flight + n, 0, sizeof *flight);
    return out;
}

/* A copy right behind the packet. */
static void make_double(hf_world *w, hf_move move) {
    hf_flight *flight = w->flight[move.channel];
    const uint32_t n = w->n_flight[move.channel]++;
    memmove(flight + move.index + 1, flight + move.index, (n - move.index) * sizeof *flight);
}

/* ---- moves ---- */

static void submit(const hf_check *check, hf_move move, hf_world *w) {
    endpoint e;
    open_sender(w, &e);
    const hf_protocol_event event = {.kind = HF_EVENT_SUBMIT, .packet = {.message = w->n_new, .destination = 1}};
    const hf_protocol_event first = {.kind = HF_EVENT_TRANSMIT, .index = w->n_sent};
    if (hf_protocol_step(&check->protocol, &e.end, &event).is_accepted) {
        const hf_protocol_output out = hf_protocol_step(&check->protocol, &e.end, &first);
        w->n_new++;
        close_sender(&e, w);
        if (!move.is_lost) {
            send(check, &out.packet, HF_TO_RECEIVER, w);
        }
    }
}

static void repeat(const hf_check *check, hf_move move, hf_world *w) {
    endpoint e;
    const bool is_message = move.kind == HF_MOVE_MESSAGE;
    is_message ? open_sender(w, &e) : open_receiver(w, &e);
    const hf_protocol_event event = {.kind = is_message ? HF_EVENT_TRANSMIT : HF_EVENT_ACKNOWLEDGE, .index = move.index};
    const hf_protocol_output out = hf_protocol_step(&check->protocol, &e.end, &event);
    if (!is_message) {
        close_receiver(&e, w);
    }
    if (!move.is_lost) {
        send(check, &out.packet, is_message ? HF_TO_RECEIVER : HF_TO_SENDER, w);
    }
}

/* What was sent earlier and is still under way has `slip` cycles left. */
static void overtake(const hf_check *check, hf_move move, hf_world *w) {
    for (uint32_t i = 0; i < move.index; i++) {
        hf_flight *f = &w->flight[move.channel][i];
        f->wait = f->wait < check->slip ? f->wait : (uint8_t)check->slip;
    }
}

static void arrive(const hf_check *check, hf_move move, hf_world *w) {
    endpoint e;
    overtake(check, move, w);
    const hf_flight f = move.is_kept ? w->flight[move.channel][move.index] : take(w, move.channel, move.index);
    hf_protocol_event event = {.kind = HF_EVENT_ARRIVE};
    event.packet = (hf_protocol_packet){
        .kind = (hf_protocol_kind)f.kind, .id = f.id, .secondary = f.secondary, .message = f.message, .source = move.channel};
    if (move.channel == HF_TO_RECEIVER) {
        open_receiver(w, &e);
        const hf_protocol_output out = hf_protocol_step(&check->protocol, &e.end, &event);
        w->acted[f.message] += out.has_action;
        close_receiver(&e, w);
    } else {
        open_sender(w, &e);
        const hf_protocol_output out = hf_protocol_step(&check->protocol, &e.end, &event);
        close_sender(&e, w);
        if (out.has_packet && !move.is_lost) {
            send(check, &out.packet, HF_TO_RECEIVER, w);
        }
    }
}

/* Clocks of a world count from now; one cycle later they are one less. */
static void pass_time(const hf_check *check, hf_world *w) {
    endpoint e;
    const hf_protocol_event event = {.kind = HF_EVENT_TIME, .now = 1};
    open_receiver(w, &e);
    hf_protocol_step(&check->protocol, &e.end, &event);
    for (uint32_t i = 0; i < e.end.n_received; i++) {
        e.received[i].forget -= e.received[i].is_confirmed && e.received[i].forget != UINT64_MAX;
    }
    close_receiver(&e, w);
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < w->n_flight[c]; i++) {
            if (w->flight[c][i].wait != HF_WAIT_ANY) {
                w->flight[c][i].wait--;
            }
        }
    }
}

hf_world hf_world_after(const hf_check *check, const hf_world *w, hf_move move) {
    hf_world next = *w;
    switch ((hf_move_kind)move.kind) {
    case HF_MOVE_NEW:
        submit(check, move, &next);
        break;
    case HF_MOVE_MESSAGE:
    case HF_MOVE_ACKNOWLEDGE:
        repeat(check, move, &next);
        break;
    case HF_MOVE_ARRIVE:
        arrive(check, move, &next);
        break;
    case HF_MOVE_LOSE:
        take(&next, move.channel, move.index);
        break;
    case HF_MOVE_DOUBLE:
        make_double(&next, move);
        break;
    case HF_MOVE_TIME:
        pass_time(check, &next);
        break;
    }
    return next;
}

/* ---- which moves there are ---- */

static bool can_submit(const hf_check *check, const hf_world *w) {
    const hf_protocol *p = &check->protocol;
    return w->n_new < check->n_message && w->n_sent < p->send_capacity && (p->n_id == 0 || w->n_sent < p->n_id);
}

/* Something is timed, and nothing has to arrive in this cycle. */
static bool can_pass_time(const hf_world *w) {
    bool is_timed = false;
    for (uint32_t i = 0; i < w->n_received; i++) {
        is_timed |= w->received[i].forget != HF_FORGET_OPEN && w->received[i].forget < HF_FORGET_ANSWERED;
    }
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < w->n_flight[c]; i++) {
            is_timed |= w->flight[c][i].wait != HF_WAIT_ANY;
            if (w->flight[c][i].wait == 0) {
                return false;
            }
        }
    }
    return is_timed;
}

static uint32_t channel_moves(const hf_check *check, const hf_world *w, uint8_t c, hf_move *move) {
    uint32_t n = 0;
    const bool is_answer_kept = c == HF_TO_RECEIVER || check->has_loss || has_room(check, w, HF_TO_RECEIVER);
    for (uint8_t i = 0; i < w->n_flight[c]; i++) {
        if (is_answer_kept && (i == 0 || check->slip > 0)) {
            move[n++] = (hf_move){.kind = HF_MOVE_ARRIVE, .index = i, .channel = c};
        }
        if (check->has_loss) {
            move[n++] = (hf_move){.kind = HF_MOVE_LOSE, .index = i, .channel = c};
        }
        if (check->has_duplication && has_room(check, w, c)) {
            move[n++] = (hf_move){.kind = HF_MOVE_DOUBLE, .index = i, .channel = c};
        }
    }
    return n;
}

/* What is sent for the first time. A packet that can be lost as it is sent and is sent again need only be lost at first. */
static uint32_t add_first(hf_move first, bool is_losable, bool is_once, hf_move *move) {
    uint32_t n = 0;
    if (!is_losable || is_once) {
        move[n++] = first;
    }
    if (is_losable) {
        first.is_lost = true;
        move[n++] = first;
    }
    return n;
}

/* `is_losable`: what the network loses is lost as it is sent. */
static uint32_t sender_moves(const hf_check *check, const hf_world *w, bool is_losable, hf_move *move) {
    const bool is_once = check->protocol.once & HF_ONCE_MSG;
    uint32_t n = 0;
    if (has_room(check, w, HF_TO_RECEIVER)) {
        if (can_submit(check, w)) {
            n += add_first((hf_move){.kind = HF_MOVE_NEW}, is_losable, is_once, move);
        }
        for (uint8_t i = 0; i < w->n_sent && !is_once; i++) {
            move[n++] = (hf_move){.kind = HF_MOVE_MESSAGE, .index = i};
        }
    }
    return n;
}

static uint32_t receiver_moves(const hf_check *check, const hf_world *w, bool is_losable, hf_move *move) {
    const bool is_once = check->protocol.once & HF_ONCE_ACK;
    uint32_t n = 0;
    for (uint8_t i = 0; has_room(check, w, HF_TO_SENDER) && i < w->n_received; i++) {
        if (w->received[i].forget == HF_FORGET_OPEN) {
            n += add_first((hf_move){.kind = HF_MOVE_ACKNOWLEDGE, .index = i}, is_losable && is_once, is_once, move + n);
        }
    }
    return n;
}

uint32_t hf_world_moves(const hf_check *check, const hf_world *w, hf_move *move) {
    uint32_t n = sender_moves(check, w, false, move);
    n += receiver_moves(check, w, false, move + n);
    n += channel_moves(check, w, HF_TO_RECEIVER, move + n);
    n += channel_moves(check, w, HF_TO_SENDER, move + n);
    if (can_pass_time(w)) {
        move[n++] = (hf_move){.kind = HF_MOVE_TIME};
    }
    return n;
}

/* ---- partial order ---- A loss commutes with all that happens since the packet was sent, so packets are lost as they are
 * sent: a MSG or an ACK sent again and lost changes nothing, a new message may have no packet yet, an answer to an ACK may be
 * gone; so may what is sent once only. A doubling commutes with all that happens until the first copy arrives, so a copy is
 * left behind then; there is room for it then if there ever was. All properties asked are stable: what is lost or acted on
 * twice stays so. Over channels that keep the order, sender and receiver meet in the channels only: taking the first packet and
 * adding a last one commute, unless the channel is empty or full. */

/* `arrival`, also of a copy. */
static uint32_t add_arrival(const hf_check *check, const hf_world *w, hf_move arrival, hf_move *move) {
    uint32_t n = 0;
    move[n++] = arrival;
    if (check->has_duplication && has_room(check, w, arrival.channel)) {
        arrival.is_kept = true;
        move[n++] = arrival;
    }
    return n;
}

static uint32_t answer_moves(const hf_check *check, const hf_world *w, hf_move *move) {
    uint32_t n = 0;
    for (uint8_t i = 0; i < w->n_flight[HF_TO_SENDER] && (i == 0 || check->slip > 0); i++) {
        hf_move arrival = {.kind = HF_MOVE_ARRIVE, .index = i, .channel = HF_TO_SENDER};
        if (has_room(check, w, HF_TO_RECEIVER)) {
            n += add_arrival(check, w, arrival, move + n);
        }
        arrival.is_lost = true;
        if (check->has_loss) {
            n += add_arrival(check, w, arrival, move + n);
        }
    }
    return n;
}

static uint32_t arrival_moves(const hf_check *check, const hf_world *w, hf_move *move) {
    uint32_t n = 0;
    for (uint8_t i = 0; i < w->n_flight[HF_TO_RECEIVER] && (i == 0 || check->slip > 0); i++) {
        n += add_arrival(check, w, (hf_move){.kind = HF_MOVE_ARRIVE, .index = i, .channel = HF_TO_RECEIVER}, move + n);
    }
    if (can_pass_time(w)) { /* without slip, the receiver's own clock */
        move[n++] = (hf_move){.kind = HF_MOVE_TIME};
    }
    return n;
}

/* Nothing that the other endpoint does can hinder one of the moves, or add one. */
static bool is_alone(const hf_check *check, const hf_world *w, uint32_t in, uint32_t out) {
    return check->slip == 0 && w->n_flight[in] > 0 && has_room(check, w, out);
}

uint32_t hf_world_ordered_moves(const hf_check *check, const hf_world *w, hf_move *move, uint32_t *n_ample) {
    uint32_t n = 0;
    if (is_alone(check, w, HF_TO_SENDER, HF_TO_RECEIVER)) {
        n = sender_moves(check, w, check->has_loss, move);
        n += answer_moves(check, w, move + n);
        *n_ample = n;
        n += receiver_moves(check, w, check->has_loss, move + n);
        return n + arrival_moves(check, w, move + n);
    }
    n = receiver_moves(check, w, check->has_loss, move);
    n += arrival_moves(check, w, move + n);
    const uint32_t n_receiver = n;
    n += sender_moves(check, w, check->has_loss, move + n);
    n += answer_moves(check, w, move + n);
    *n_ample = is_alone(check, w, HF_TO_RECEIVER, HF_TO_SENDER) ? n_receiver : n;
    return n;
}

/* ---- what is asked ---- */

static bool is_under_way(const hf_world *w, uint32_t message) {
    bool found = false;
    for (uint32_t i = 0; i < w->n_sent; i++) {
        found |= w->sent[i].message == message;
    }
    for (uint32_t i = 0; i < w->n_flight[HF_TO_RECEIVER]; i++) {
        const hf_flight *f = &w->flight[HF_TO_RECEIVER][i];
        found |= f->kind == HF_PROTOCOL_MSG && f->message == message;
    }
    return found;
}

hf_check_answer hf_world_judge(const hf_check *check, const hf_world *w, uint32_t *message) {
    for (uint32_t m = 0; m < check->n_message; m++) {
        *message = m;
        if (w->acted[m] > 1) {
            return HF_CHECK_DUPLICATE;
        }
        if (m < w->n_new && w->acted[m] == 0 && !is_under_way(w, m)) {
            return HF_CHECK_LOST;
        }
    }
    return HF_CHECK_SAFE;
}

unsigned hf_world_acted(const hf_check *check, const hf_world *w) {
    unsigned acted = 0;
    for (uint32_t m = 0; m < check->n_message && m < HF_CHECK_MAX; m++) {
        acted |= (w->acted[m] > 0 ? 1U : 0U) << m;
    }
    return acted;
}
