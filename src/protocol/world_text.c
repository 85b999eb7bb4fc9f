/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Moves of the explicit check in words. Messages count from 1 here. */
#include <string.h>

#include "src/protocol/world.h"

static void print_packet(const hf_check *check, const hf_flight *f, hf_text *text) {
    const bool by_place = check->protocol.has_secondary && f->kind == HF_PROTOCOL_CONF;
    hf_text_print(text, "%s", hf_protocol_kind_name((hf_protocol_kind)f->kind));
    if (f->kind == HF_PROTOCOL_MSG) {
        hf_text_print(text, " of message %d", f->message + 1);
    }
    if (!by_place) {
        hf_text_print(text, " id %d", f->id);
    }
    if (check->protocol.has_secondary && f->kind != HF_PROTOCOL_MSG) {
        hf_text_print(text, " secondary id %d", f->secondary);
    }
}

static void print_answer(const hf_check *check, const hf_world *w, const hf_world *next, bool is_lost, hf_text *text) {
    if (next->n_sent < w->n_sent) {
        uint32_t i = 0;
        while (i < next->n_sent && w->sent[i].id == next->sent[i].id) {
            i++;
        }
        hf_text_print(text, ", forgets message %d", w->sent[i].message + 1);
    }
    if (next->n_sent == w->n_sent && check->protocol.once & HF_ONCE_CONF) {
        hf_text_print(text, ", does not answer");
        return;
    }
    hf_text_print(text,
                  !is_lost && w->n_flight[HF_TO_RECEIVER] < check->capacity ? ", sends CONF" : ", sends CONF, which is lost");
}

static void print_arrival(const hf_check *check, const hf_world *w, hf_move move, hf_text *text) {
    const hf_world next = hf_world_after(check, w, move);
    const hf_flight *f = &w->flight[move.channel][move.index];
    hf_text_print(text, move.channel == HF_TO_RECEIVER ? "receiver takes " : "sender takes ");
    print_packet(check, f, text);
    hf_text_print(text, move.is_kept ? ", of which a copy stays under way" : "");
    if (move.index > 0) {
        hf_text_print(text, ", ahead of %d sent before", move.index);
    }
    if (f->kind == HF_PROTOCOL_ACK) {
        print_answer(check, w, &next, move.is_lost, text);
    } else if (f->kind == HF_PROTOCOL_MSG) {
        hf_text_print(text, next.acted[f->message] > w->acted[f->message] ? ", acts on it" : ", drops it");
    } else {
        const bool is_kept =
            check->protocol.retention == HF_RETENTION_FOREVER && memcmp(next.received, w->received, sizeof w->received) != 0;
        hf_text_print(text, next.n_received < w->n_received ? ", forgets the message"
                            : is_kept                       ? ", remembers the message for ever"
                                                            : ", keeps its table");
    }
}

void hf_world_print_move(const hf_check *check, const hf_world *w, hf_move move, hf_text *text) {
    hf_move kept = move;
    kept.is_lost = false;
    const hf_world next = hf_world_after(check, w, kept);
    const uint32_t last[2] = {next.n_flight[0] - 1U, next.n_flight[1] - 1U};
    switch ((hf_move_kind)move.kind) {
    case HF_MOVE_NEW:
    case HF_MOVE_MESSAGE:
        hf_text_print(text, move.kind == HF_MOVE_NEW ? "sender sends " : "sender sends again ");
        print_packet(check, &next.flight[HF_TO_RECEIVER][last[HF_TO_RECEIVER]], text);
        hf_text_print(text, move.is_lost ? ", which is lost" : "");
        break;
    case HF_MOVE_ACKNOWLEDGE:
        hf_text_print(text, "receiver sends ");
        print_packet(check, &next.flight[HF_TO_SENDER][last[HF_TO_SENDER]], text);
        hf_text_print(text, move.is_lost ? ", which is lost" : "");
        break;
    case HF_MOVE_ARRIVE:
        print_arrival(check, w, move, text);
        break;
    case HF_MOVE_LOSE:
    case HF_MOVE_DOUBLE:
        hf_text_print(text, move.kind == HF_MOVE_LOSE ? "network loses " : "network doubles ");
        print_packet(check, &w->flight[move.channel][move.index], text);
        break;
    case HF_MOVE_TIME:
        hf_text_print(text, "a cycle passes");
        break;
    }
}
