/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/flits.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 32, HEAD = 1, TAIL = 2, NOBODY = 255 };

/* By channel in use: 0, or 4 * (1 + destination) + HEAD + TAIL. */
typedef struct net {
    uint8_t flit[CHANNELS];
} net;

typedef struct search {
    const hf_plan *plan;
    flits_timing timing;
    uint32_t n, channel[CHANNELS], source[CHANNELS]; /* in use; terminal that sends into it, or HF_NONE */
    bool drains[CHANNELS];
    uint8_t next[CHANNELS][CHANNELS]; /* by channel and destination; NOBODY: none */
    uint8_t first[CHANNELS];          /* by terminal */
    net *state;
    size_t *slot, room, count, limit;
    size_t *open, n_open; /* states to look at, the newest first: full networks come soon */
    bool is_over;
} search;

/* ---- the network ---- */

static uint8_t index_of(search *s, uint32_t channel) {
    const hf_topology *topo = s->plan->topo;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->channel[i] == channel) {
            return (uint8_t)i;
        }
    }
    if (s->n == CHANNELS) {
        s->is_over = true;
        return 0;
    }
    s->channel[s->n] = channel;
    s->drains[s->n] = hf_topology_is_terminal(topo, topo->to[channel]);
    s->source[s->n] = hf_topology_is_terminal(topo, topo->from[channel]) ? topo->from[channel] - topo->n_switch : HF_NONE;
    memset(s->next[s->n], NOBODY, CHANNELS);
    return (uint8_t)s->n++;
}

/* The way of one pair, and with it the channels in use. */
static void follow(search *s, uint32_t source, uint32_t destination) {
    const hf_topology *topo = s->plan->topo;
    hf_hop hops[64], in = HF_HOP_INJECTION;
    uint32_t at = topo->n_switch + source;
    uint8_t before = NOBODY;
    for (uint32_t i = 0; at != topo->n_switch + destination; i++) {
        s->is_over |= hf_plan_route(s->plan, at, in, destination, hops) != 1 || i > topo->n_channel;
        if (s->is_over) {
            return;
        }
        const uint8_t here = index_of(s, hops[0].channel);
        if (before != NOBODY) {
            s->next[before][destination] = here;
        } else {
            s->first[source] = here;
        }
        before = here;
        in = hops[0];
        at = topo->to[in.channel];
    }
}

/* ---- states ---- */

static void visit(search *s, const net *x) {
    uint64_t words[CHANNELS / 8], hash = 0;
    memcpy(words, x->flit, sizeof words);
    for (size_t i = 0; i < CHANNELS / 8; i++) {
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    size_t at = hash & (s->room - 1);
    for (; s->slot[at]; at = (at + 1) & (s->room - 1)) {
        if (memcmp(&s->state[s->slot[at] - 1], x, sizeof *x) == 0) {
            return;
        }
    }
    if (s->count == s->limit) {
        s->is_over = true;
        return;
    }
    s->open[s->n_open++] = s->count;
    s->state[s->count++] = *x;
    s->slot[at] = s->count;
}

static uint32_t destination_of(uint8_t flit) { return flit / 4u - 1; }

static uint8_t after(const search *s, const net *x, uint32_t c) { return s->next[c][destination_of(x->flit[c])]; }

/* The channel of the flit behind that in c, or NOBODY. */
static uint8_t behind(const search *s, const net *x, uint32_t c) {
    for (uint32_t b = 0; b < s->n && !(x->flit[c] & TAIL); b++) {
        if (x->flit[b] && !(x->flit[b] & HEAD) && x->flit[b] / 4 == x->flit[c] / 4 && after(s, x, b) == c) {
            return (uint8_t)b;
        }
    }
    return NOBODY;
}

/* ---- one step ---- */

typedef struct step {
    net from, to;
    bool goes[CHANNELS]; /* headers that go on, and last channels that drain */
} step;

/* New packets, terminal by terminal; flits that follow may be the last of their packet or not. */
static void send(search *s, const step *t, const net *x, uint32_t c) {
    if (c == s->n) {
        visit(s, x);
        return;
    }
    const uint8_t before = t->from.flit[c];
    const bool sends = s->source[c] != HF_NONE && x->flit[c] == 0, follows = sends && before && !(before & TAIL);
    const bool starts = !before || (s->timing == FLITS_SAME_STEP && before & TAIL);
    if (!follows) {
        send(s, t, x, c + 1);
    }
    net more = *x;
    for (uint8_t tail = 0; sends && (follows || starts) && tail <= TAIL; tail += TAIL) {
        for (uint32_t d = 0; d < s->plan->topo->n_terminal; d++) {
            if (d != s->source[c] && (!follows || destination_of(before) == d)) {
                more.flit[c] = (uint8_t)(4 * (1 + d) + tail + (follows ? 0 : HEAD));
                send(s, t, &more, c + 1);
            }
        }
    }
}

static void move(search *s, const step *t) {
    net x = t->from;
    bool left[CHANNELS] = {false};
    for (uint32_t c = 0; c < s->n; c++) {
        if (!t->goes[c]) {
            continue;
        }
        uint8_t last = (uint8_t)c;
        left[c] = true;
        for (uint8_t b; (b = behind(s, &t->from, last)) != NOBODY; last = b) {
            x.flit[last] = t->from.flit[b];
        }
        x.flit[last] = 0;
    }
    for (uint32_t c = 0; c < s->n; c++) {
        if (left[c] && !s->drains[c]) {
            x.flit[after(s, &t->from, c)] = t->from.flit[c];
        }
    }
    send(s, t, &x, 0);
}

/* The header of the packet whose flit is in c; NOBODY: it is being delivered. */
static uint8_t header_of(const search *s, const net *x, uint8_t c) {
    while (!(x->flit[c] & HEAD) && !s->drains[c]) {
        c = after(s, x, c);
    }
    return s->drains[c] ? NOBODY : c;
}

/* Can a header come into channel c in this step? */
static bool is_free(const search *s, const step *t, uint8_t c) {
    if (t->from.flit[c] == 0) {
        return true;
    }
    const uint8_t header = header_of(s, &t->from, c);
    return s->timing == FLITS_SAME_STEP && t->from.flit[c] & TAIL && (header == NOBODY || t->goes[header]);
}

/* Who goes? Each channel that is free is given to one of the headers that want it. */
static void choose(search *s, step *t, uint32_t chosen) {
    uint8_t free = 0;
    for (; free < s->n && (chosen >> free & 1 || !is_free(s, t, free)); free++) {
    }
    if (free == s->n) {
        move(s, t);
        return;
    }
    bool wanted = false;
    for (uint32_t c = 0; c < s->n; c++) {
        if (t->from.flit[c] & HEAD && !s->drains[c] && after(s, &t->from, c) == free) {
            wanted = true;
            t->goes[c] = true;
            choose(s, t, chosen | 1u << free);
            t->goes[c] = false;
        }
    }
    if (!wanted || s->timing == FLITS_MAY_PAUSE) {
        choose(s, t, chosen | 1u << free);
    }
}

static void steps(search *s, const net *x) {
    step t = {.from = *x};
    for (uint32_t c = 0; c < s->n; c++) {
        t.goes[c] = x->flit[c] && s->drains[c];
    }
    choose(s, &t, 0);
}

/* ---- deadlock ---- */

static bool waits_for_ever(const search *s, const net *x, uint8_t c) {
    for (uint32_t i = 0; i <= s->n && c != NOBODY; i++) {
        c = after(s, x, header_of(s, x, c) == NOBODY ? c : header_of(s, x, c));
        if (x->flit[c] == 0) {
            return false;
        }
        c = header_of(s, x, c);
    }
    return c != NOBODY;
}

static bool has_deadlock(const search *s, const net *x) {
    for (uint32_t c = 0; c < s->n; c++) {
        if (x->flit[c] & HEAD && !s->drains[c] && waits_for_ever(s, x, (uint8_t)c)) {
            return true;
        }
    }
    return false;
}

flits_answer flits_search(const hf_plan *plan, flits_timing timing, size_t limit, size_t *states) {
    search s = {.plan = plan, .timing = timing, .limit = limit, .room = 1};
    flits_answer answer = FLITS_FREE;
    for (uint32_t a = 0; a < plan->topo->n_terminal; a++) {
        for (uint32_t b = 0; b < plan->topo->n_terminal && !s.is_over; b++) {
            if (a != b) {
                follow(&s, a, b);
            }
        }
    }
    while (s.room < 2 * limit) {
        s.room *= 2;
    }
    s.state = malloc((limit + 1) * sizeof *s.state);
    s.slot = calloc(s.room, sizeof *s.slot);
    s.open = malloc((limit + 1) * sizeof *s.open);
    const net empty = {{0}};
    visit(&s, &empty);
    while (s.n_open > 0 && answer == FLITS_FREE && !s.is_over) {
        const net x = s.state[s.open[--s.n_open]];
        answer = has_deadlock(&s, &x) ? FLITS_DEADLOCK : FLITS_FREE;
        steps(&s, &x);
    }
    *states = s.count;
    free(s.state);
    free(s.slot);
    free(s.open);
    return answer == FLITS_FREE && s.is_over ? FLITS_TOO_MANY : answer;
}
