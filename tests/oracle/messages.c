/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The rules of the protocol once more, as plain as possible: numbers in lists, every move tried, every state compared. */
#include "tests/oracle/messages.h"

#include <stdlib.h>
#include <string.h>

enum { NOTHING = -1, ANSWERED = -2, FOREVER = -3, MSG = 1, ACK, CONF, LONG = 4, N_LIST = 4096 };

typedef struct packet {
    int kind, id, place, message; /* place: in the receive table, by secondary id */
    int left;                     /* cycles to arrive within; NOTHING: any */
} packet;

typedef struct line {
    int id, message, place, left; /* left: cycles until it is forgotten, or FOREVER; NOTHING: not confirmed; ANSWERED: nor will
                                     its ACK be sent again */
} line;

typedef struct state {
    int n_new, next_id, n_sent, n_received, acted[LONG];
    line sent[LONG], received[LONG];
    int n_forth, n_back;
    packet forth[LONG], back[LONG];
} state;

typedef struct search {
    const hf_check *check;
    state *state;
    uint32_t *depth, n, most;
    uint32_t list[N_LIST], *next; /* lists of alike states; 0: the end, for states count from 1 there */
    uint8_t *good;                /* messages that can be acted on, a bit each */
    oracle_messages *result;
} search;

/* ---- lists ---- */

static void drop_packet(packet *list, int *n, int i) {
    for (int j = i; j + 1 < *n; j++) {
        list[j] = list[j + 1];
    }
    memset(&list[--*n], 0, sizeof *list);
}

static void drop_line(line *list, int *n, int i) {
    for (int j = i; j + 1 < *n; j++) {
        list[j] = list[j + 1];
    }
    memset(&list[--*n], 0, sizeof *list);
}

/* In the order of ids. */
static void add_line(line *list, int *n, line new) {
    int i = (*n)++;
    for (; i > 0 && list[i - 1].id > new.id; i--) {
        list[i] = list[i - 1];
    }
    list[i] = new;
}

static int line_of_id(const line *list, int n, int id) {
    for (int i = 0; i < n; i++) {
        if (list[i].id == id) {
            return i;
        }
    }
    return NOTHING;
}

static int line_of_place(const line *list, int n, int place) {
    for (int i = 0; i < n; i++) {
        if (list[i].place == place) {
            return i;
        }
    }
    return NOTHING;
}

/* ---- rules ---- */

static void put_forth(const search *x, state *s, packet p) {
    if (s->n_forth < (int)x->check->capacity) {
        s->forth[s->n_forth++] = p;
    }
}

static void send_new(const search *x, state *s) {
    const int n_id = (int)x->check->protocol.n_id;
    int id = s->next_id;
    while (n_id && line_of_id(s->sent, s->n_sent, id) != NOTHING) {
        id = (id + 1) % n_id;
    }
    s->next_id = n_id ? (id + 1) % n_id : id + 1;
    add_line(s->sent, &s->n_sent, (line){.id = id, .message = s->n_new});
    put_forth(x, s, (packet){.kind = MSG, .id = id, .message = s->n_new, .left = NOTHING});
    s->n_new++;
}

static void receiver_takes(const search *x, state *s, packet p) {
    const bool by_place = x->check->protocol.has_secondary;
    if (p.kind == MSG) {
        if (line_of_id(s->received, s->n_received, p.id) == NOTHING && s->n_received < (int)x->check->protocol.receive_capacity) {
            int place = 0;
            while (by_place && line_of_place(s->received, s->n_received, place) != NOTHING) {
                place++;
            }
            add_line(s->received, &s->n_received, (line){.id = p.id, .place = place, .left = NOTHING});
            s->acted[p.message]++;
        }
        return;
    }
    const int i = by_place ? line_of_place(s->received, s->n_received, p.place) : line_of_id(s->received, s->n_received, p.id);
    if (i != NOTHING && (s->received[i].left == NOTHING || s->received[i].left == ANSWERED)) {
        const bool is_forever = x->check->protocol.retention == HF_RETENTION_FOREVER;
        s->received[i].left = is_forever ? FOREVER : (int)x->check->protocol.retention + 1;
        if (x->check->protocol.retention == 0) {
            drop_line(s->received, &s->n_received, i);
        }
    }
}

static void sender_takes(const search *x, state *s, packet p) {
    const int i = line_of_id(s->sent, s->n_sent, p.id);
    if (i != NOTHING) {
        drop_line(s->sent, &s->n_sent, i);
    } else if (x->check->protocol.once & HF_ONCE_CONF) {
        return;
    }
    put_forth(x, s, (packet){.kind = CONF, .id = x->check->protocol.has_secondary ? 0 : p.id, .place = p.place, .left = NOTHING});
}

/* A copy right behind the packet. */
static void double_packet(packet *list, int *n, int i) {
    for (int j = (*n)++; j > i; j--) {
        list[j] = list[j - 1];
    }
}

/* Those sent before have `slip` cycles left. */
static packet take(const search *x, packet *list, int *n, int i) {
    const packet p = list[i];
    for (int j = 0; j < i; j++) {
        if (list[j].left == NOTHING || list[j].left > (int)x->check->slip) {
            list[j].left = (int)x->check->slip;
        }
    }
    drop_packet(list, n, i);
    return p;
}

static bool pass_time(state *s) {
    bool is_timed = false;
    packet *const list[2] = {s->forth, s->back};
    const int n[2] = {s->n_forth, s->n_back};
    for (int c = 0; c < 2; c++) {
        for (int i = 0; i < n[c]; i++) {
            if (list[c][i].left == 0) {
                return false;
            }
            is_timed |= list[c][i].left != NOTHING;
            list[c][i].left -= list[c][i].left != NOTHING;
        }
    }
    for (int i = s->n_received - 1; i >= 0; i--) {
        if (s->received[i].left > 0) {
            is_timed = true;
            if (--s->received[i].left == 0) {
                drop_line(s->received, &s->n_received, i);
            }
        }
    }
    return is_timed;
}

/* ---- questions ---- */

/* A bit for each message that was acted on. */
static unsigned acted(const search *x, const state *s) {
    unsigned bits = 0;
    for (unsigned m = 0; m < x->check->n_message && m < HF_CHECK_MAX; m++) {
        bits |= (s->acted[m] > 0 ? 1U : 0U) << m;
    }
    return bits;
}

static hf_check_answer judge(const state *s) {
    for (int m = 0; m < s->n_new; m++) {
        bool is_there = s->acted[m] > 0;
        for (int i = 0; i < s->n_sent; i++) {
            is_there |= s->sent[i].message == m;
        }
        for (int i = 0; i < s->n_forth; i++) {
            is_there |= s->forth[i].kind == MSG && s->forth[i].message == m;
        }
        if (s->acted[m] > 1 || !is_there) {
            return s->acted[m] > 1 ? HF_CHECK_DUPLICATE : HF_CHECK_LOST;
        }
    }
    return HF_CHECK_SAFE;
}

/* ---- search ---- */

static uint32_t list_of(const state *s) {
    const unsigned char *byte = (const unsigned char *)s;
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof *s; i++) {
        sum = sum * 31 + byte[i];
    }
    return sum % N_LIST;
}

static void keep(search *x, const state *s, uint32_t depth) {
    const uint32_t list = list_of(s);
    x->state[x->n] = *s;
    x->depth[x->n] = depth;
    x->next[x->n] = x->list[list];
    x->list[list] = ++x->n;
}

/* While searching: add a state. Afterwards: what it leads to. */
static unsigned meet(search *x, uint32_t from, const state *s, bool is_searching) {
    uint32_t i = x->list[list_of(s)];
    while (i && memcmp(&x->state[i - 1], s, sizeof *s) != 0) {
        i = x->next[i - 1];
    }
    if (!is_searching) {
        return x->good[i - 1];
    }
    if (!i && x->result->answer == HF_CHECK_SAFE) {
        keep(x, s, x->depth[from] + 1);
        x->result->answer = x->n >= x->most ? HF_CHECK_UNKNOWN : judge(s);
        x->result->n_step = x->result->answer == HF_CHECK_SAFE ? 0 : x->depth[from] + 1;
    }
    return 0;
}

static unsigned packets_move(search *x, uint32_t from, bool is_forth, bool is_searching) {
    const state *s = &x->state[from];
    const bool full = s->n_forth == (int)x->check->capacity;
    unsigned found = 0;
    for (int i = 0; i < (is_forth ? s->n_forth : s->n_back); i++) {
        state next = *s;
        if ((i == 0 || x->check->slip > 0) && (is_forth || x->check->has_loss || !full)) {
            if (is_forth) {
                receiver_takes(x, &next, take(x, next.forth, &next.n_forth, i));
            } else {
                sender_takes(x, &next, take(x, next.back, &next.n_back, i));
            }
            found |= meet(x, from, &next, is_searching);
        }
        if (x->check->has_loss) {
            next = *s;
            drop_packet(is_forth ? next.forth : next.back, is_forth ? &next.n_forth : &next.n_back, i);
            found |= meet(x, from, &next, is_searching);
        }
        if (x->check->has_duplication && (is_forth ? s->n_forth : s->n_back) < (int)x->check->capacity) {
            next = *s;
            double_packet(is_forth ? next.forth : next.back, is_forth ? &next.n_forth : &next.n_back, i);
            found |= meet(x, from, &next, is_searching);
        }
    }
    return found;
}

static unsigned try_all(search *x, uint32_t from, bool is_searching) {
    const hf_protocol *p = &x->check->protocol;
    const state s = x->state[from];
    unsigned found = 0;
    state next = s;
    if (s.n_forth < (int)x->check->capacity) {
        if (s.n_new < (int)x->check->n_message && s.n_sent < (int)p->send_capacity && (!p->n_id || s.n_sent < (int)p->n_id)) {
            send_new(x, &next);
            found |= meet(x, from, &next, is_searching);
        }
        for (int i = 0; i < s.n_sent && !(p->once & HF_ONCE_MSG); i++) {
            next = s;
            put_forth(x, &next, (packet){.kind = MSG, .id = s.sent[i].id, .message = s.sent[i].message, .left = NOTHING});
            found |= meet(x, from, &next, is_searching);
        }
    }
    for (int i = 0; s.n_back < (int)x->check->capacity && i < s.n_received; i++) {
        if (s.received[i].left == NOTHING) {
            next = s;
            next.back[next.n_back++] =
                (packet){.kind = ACK, .id = s.received[i].id, .place = s.received[i].place, .left = NOTHING};
            next.received[i].left = p->once & HF_ONCE_ACK ? ANSWERED : NOTHING;
            found |= meet(x, from, &next, is_searching);
        }
    }
    found |= packets_move(x, from, true, is_searching);
    found |= packets_move(x, from, false, is_searching);
    next = s;
    return pass_time(&next) ? meet(x, from, &next, is_searching) | found : found;
}

static void find_stuck(search *x) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (uint32_t s = x->n; s-- > 0;) {
            const unsigned good = x->good[s] | acted(x, &x->state[s]) | try_all(x, s, false);
            has_changed |= good != x->good[s];
            x->good[s] = (uint8_t)good;
        }
    }
    for (uint32_t s = x->n; s-- > 0;) {
        if (x->good[s] != (1U << x->check->n_message) - 1) {
            x->result->answer = HF_CHECK_STUCK;
            x->result->n_step = x->depth[s];
        }
    }
}

oracle_messages oracle_explore_messages(const hf_check *check, uint32_t most) {
    oracle_messages result = {.answer = HF_CHECK_SAFE};
    search x = {.check = check, .most = most, .result = &result};
    x.state = calloc(most, sizeof *x.state);
    x.depth = calloc(most, sizeof *x.depth);
    x.next = calloc(most, sizeof *x.next);
    x.good = calloc(most, 1);
    keep(&x, &(state){0}, 0);
    for (uint32_t s = 0; s < x.n && result.answer == HF_CHECK_SAFE; s++) {
        try_all(&x, s, true);
    }
    if (result.answer == HF_CHECK_SAFE) {
        find_stuck(&x);
    }
    result.n_state = x.n;
    free(x.state);
    free(x.depth);
    free(x.next);
    free(x.good);
    return result;
}
