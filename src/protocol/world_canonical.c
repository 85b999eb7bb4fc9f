/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Symmetry of the explicit check. The numbers of messages mean nothing, and ids only whether they are equal: where ids are never
 *  used again, a message and its id are renamed together; where they are, only their distance from the next one counts. Two
 *  messages with equal keys below stand nowhere in a channel and in the same lines of the tables, so either may come first. */
#include <string.h>

#include "src/protocol/world.h"

typedef struct naming {
    uint32_t key[HF_CHECK_MAX]; /* what becomes of a message, by its old number */
    uint8_t name[HF_CHECK_MAX]; /* its new number */
} naming;

static void note(naming *n, uint32_t message, uint32_t bits) { n->key[message] |= bits; }

/* Of one message: 2 bits for its actions, 1 for the send table, 10 for the receive table, 2 x HF_CHECK_MAX for places in
 * channels; where ids are used again, 8 for its id instead of what only has the id. */
static void read_keys(const hf_check *check, const hf_world *w, naming *n) {
    const bool has_own_ids = check->protocol.n_id == 0;
    memset(n->key, 0, sizeof n->key);
    for (uint32_t m = 0; m < w->n_new; m++) {
        note(n, m, w->acted[m]);
    }
    for (uint32_t i = 0; i < w->n_sent; i++) {
        note(n, w->sent[i].message, 4U | (has_own_ids ? 0U : (uint32_t)w->sent[i].id << 3));
    }
    for (uint32_t i = 0; has_own_ids && i < w->n_received; i++) {
        note(n, w->received[i].id, 8U | (uint32_t)w->received[i].secondary << 4 | (uint32_t)w->received[i].forget << 6);
    }
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < w->n_flight[c]; i++) {
            const hf_flight *f = &w->flight[c][i];
            const bool has_message = f->kind == HF_PROTOCOL_MSG,
                       has_id = has_own_ids && !(f->kind == HF_PROTOCOL_CONF && check->protocol.has_secondary);
            if (has_message || has_id) {
                note(n, has_message ? f->message : f->id, 1U << (14 + c * HF_CHECK_MAX + i));
            }
        }
    }
}

/* Messages in flight first. \return whether a name changes. */
static bool choose_names(const hf_world *w, naming *n) {
    bool has_changed = false;
    for (uint32_t m = 0; m < w->n_new; m++) {
        uint32_t before = 0;
        for (uint32_t o = 0; o < w->n_new; o++) {
            before += n->key[o] > n->key[m] || (n->key[o] == n->key[m] && o < m);
        }
        n->name[m] = (uint8_t)before;
        has_changed |= before != m;
    }
    return has_changed;
}

static void count_ids_from_next(const hf_check *check, hf_world *w) {
    const uint8_t n_id = (uint8_t)check->protocol.n_id, shift = (uint8_t)(n_id - w->next_id);
    for (uint32_t i = 0; i < w->n_sent; i++) {
        w->sent[i].id = (uint8_t)((w->sent[i].id + shift) % n_id);
    }
    for (uint32_t i = 0; i < w->n_received; i++) {
        w->received[i].id = (uint8_t)((w->received[i].id + shift) % n_id);
    }
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < w->n_flight[c]; i++) {
            hf_flight *f = &w->flight[c][i];
            if (f->kind != HF_PROTOCOL_CONF || !check->protocol.has_secondary) {
                f->id = (uint8_t)((f->id + shift) % n_id);
            }
        }
    }
    w->next_id = 0;
}

static void rename_all(const hf_check *check, const naming *n, hf_world *w) {
    const bool has_own_ids = check->protocol.n_id == 0;
    uint8_t acted[HF_CHECK_MAX] = {0};
    for (uint32_t m = 0; m < w->n_new; m++) {
        acted[n->name[m]] = w->acted[m];
    }
    memcpy(w->acted, acted, sizeof acted);
    for (uint32_t i = 0; i < w->n_sent; i++) {
        w->sent[i].message = n->name[w->sent[i].message];
        w->sent[i].id = has_own_ids ? w->sent[i].message : w->sent[i].id;
    }
    for (uint32_t i = 0; has_own_ids && i < w->n_received; i++) {
        w->received[i].id = n->name[w->received[i].id];
    }
    for (uint32_t c = 0; c < 2; c++) {
        for (uint32_t i = 0; i < w->n_flight[c]; i++) {
            hf_flight *f = &w->flight[c][i];
            if (f->kind == HF_PROTOCOL_MSG) {
                f->message = n->name[f->message];
            }
            if (has_own_ids && !(f->kind == HF_PROTOCOL_CONF && check->protocol.has_secondary)) {
                f->id = n->name[f->id];
            }
        }
    }
}

/* Lines of the tables in the order of their ids. */
static void sort_tables(hf_world *w) {
    for (uint32_t i = 1; i < w->n_sent; i++) {
        for (uint32_t j = i; j > 0 && w->sent[j - 1].id > w->sent[j].id; j--) {
            const hf_sent_line line = w->sent[j];
            w->sent[j] = w->sent[j - 1];
            w->sent[j - 1] = line;
        }
    }
    for (uint32_t i = 1; i < w->n_received; i++) {
        for (uint32_t j = i; j > 0 && w->received[j - 1].id > w->received[j].id; j--) {
            const hf_received_line line = w->received[j];
            w->received[j] = w->received[j - 1];
            w->received[j - 1] = line;
        }
    }
}

void hf_world_make_canonical(const hf_check *check, hf_world *w) {
    naming n;
    if (check->protocol.n_id > 0) {
        count_ids_from_next(check, w);
    }
    read_keys(check, w, &n);
    if (choose_names(w, &n)) {
        rename_all(check, &n, w);
    }
    sort_tables(w);
}
