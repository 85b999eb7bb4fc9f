/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/consumers.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 96, HOPS = 64 };

/* A packet, + 1: ((class * n_terminal) + source) * n_terminal + destination; 0: the buffer is free. */
typedef uint8_t buffers[PLACES];

typedef struct search {
    const hf_plan *plan;
    uint32_t n, n_terminal; /* buffers: one for each resource */
    buffers *kept;
    size_t count, limit, room;
    uint32_t *slot; /* open hash: number + 1 */
    bool is_over;
} search;

typedef struct packet {
    uint32_t class, source, destination;
} packet;

static uint8_t code(const search *s, packet p) {
    return (uint8_t)(1 + (p.class * s->n_terminal + p.source) * s->n_terminal + p.destination);
}

static packet decode(const search *s, uint8_t code) {
    const uint32_t i = code - 1u, n = s->n_terminal;
    return (packet){i / n / n, i / n % n, i % n};
}

static void visit(search *s, const uint8_t *c) {
    uint64_t h = 1469598103934665603u;
    for (uint32_t i = 0; i < s->n; i++) {
        h = (h ^ c[i]) * 1099511628211u;
    }
    size_t at = (h ^ h >> 29) & (s->room - 1);
    for (; s->slot[at]; at = (at + 1) & (s->room - 1)) {
        if (memcmp(s->kept[s->slot[at] - 1], c, s->n) == 0) {
            return;
        }
    }
    if (s->count == s->limit) {
        s->is_over = true;
        return;
    }
    memcpy(s->kept[s->count], c, s->n);
    s->slot[at] = (uint32_t)++s->count;
}

/* A way on from a buffer: to another as some packet, or out of the network. */
typedef struct way {
    uint32_t to; /* HF_NONE: out */
    packet as;
} way;

static size_t hops_as(const search *s, uint32_t at, hf_hop in, packet as, way *ways) {
    hf_hop hops[HOPS];
    const size_t n = hf_plan_route(&s->plan->of_class[as.class], at, in, as.destination, hops);
    for (size_t i = 0; i < n; i++) {
        ways[i] = (way){hops[i].channel * s->plan->n_vc + hops[i].vc, as};
    }
    return n;
}

/* Each choice of ways on that a packet in buffer r may have; the search takes all, a deadlock has one. \return 0: no further
 * one */
static size_t ways_on(const search *s, uint32_t r, packet p, uint32_t choice, way *ways) {
    const hf_topology *topo = s->plan->topo;
    const hf_classes *classes = s->plan->classes;
    const uint32_t at = topo->to[r / s->plan->n_vc];
    uint32_t met = 0;
    if (at != topo->n_switch + p.destination) {
        return choice ? 0 : hops_as(s, at, (hf_hop){r / s->plan->n_vc, r % s->plan->n_vc, 0}, p, ways);
    }
    for (uint32_t a = 0; a < classes->n_answer; a++) {
        for (uint32_t t = 0; t < s->n_terminal && classes->answer[a].of == p.class; t++) {
            const uint32_t with = classes->answer[a].with;
            const bool is_one =
                classes->answer[a].to_any ? hf_plan_has_flow(&s->plan->of_class[with], p.destination, t) : t == p.source;
            if (is_one && met++ == choice) {
                return hops_as(s, at, HF_HOP_INJECTION, (packet){with, p.destination, t}, ways);
            }
        }
    }
    ways[0].to = HF_NONE;
    return met == 0 && choice == 0;
}

static void moves(search *s, const uint8_t *c) {
    buffers next;
    way ways[HOPS];
    size_t n;
    for (uint32_t pair = 0; pair < s->plan->classes->n * s->n_terminal * s->n_terminal; pair++) {
        const packet p = decode(s, (uint8_t)(pair + 1));
        const bool is_sent =
            !s->plan->classes->of[p.class].is_answer && hf_plan_has_flow(&s->plan->of_class[p.class], p.source, p.destination);
        n = is_sent ? hops_as(s, s->plan->topo->n_switch + p.source, HF_HOP_INJECTION, p, ways) : 0;
        for (size_t i = 0; i < n; i++) {
            if (!c[ways[i].to]) {
                memcpy(next, c, s->n);
                next[ways[i].to] = code(s, p);
                visit(s, next);
            }
        }
    }
    for (uint32_t r = 0; r < s->n; r++) {
        for (uint32_t choice = 0; c[r] && (n = ways_on(s, r, decode(s, c[r]), choice, ways)) > 0; choice++) {
            for (size_t i = 0; i < n; i++) {
                if (ways[i].to == HF_NONE || !c[ways[i].to]) {
                    memcpy(next, c, s->n);
                    next[r] = 0;
                    if (ways[i].to != HF_NONE) {
                        next[ways[i].to] = code(s, ways[i].as);
                    }
                    visit(s, next);
                }
            }
        }
    }
}

/* Can the packet in r, whichever answer it has to send, move in `stays`? */
static bool moves_always(const search *s, const uint8_t *stays, uint32_t r) {
    way ways[HOPS];
    size_t n;
    for (uint32_t choice = 0; (n = ways_on(s, r, decode(s, stays[r]), choice, ways)) > 0; choice++) {
        bool any = false;
        for (size_t i = 0; i < n; i++) {
            any |= ways[i].to == HF_NONE || !stays[ways[i].to];
        }
        if (!any) {
            return false;
        }
    }
    return true;
}

static bool has_deadlock(const search *s, const uint8_t *c) {
    buffers stays;
    uint32_t left = 0;
    memcpy(stays, c, s->n);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < s->n; r++) {
            if (stays[r] && moves_always(s, stays, r)) {
                stays[r] = 0;
                changed = true;
            }
        }
    }
    for (uint32_t r = 0; r < s->n; r++) {
        left += stays[r] > 0;
    }
    return left > 0;
}

static packets_answer search_all(search *s) {
    const buffers empty = {0};
    visit(s, empty);
    for (size_t i = 0; i < s->count && !s->is_over; i++) {
        if (has_deadlock(s, s->kept[i])) {
            return PACKETS_DEADLOCK;
        }
        moves(s, s->kept[i]);
    }
    return s->is_over ? PACKETS_TOO_MANY : PACKETS_FREE;
}

packets_answer consumers_search(const hf_plan *plan, size_t limit) {
    size_t room = 1;
    while (room < 2 * limit) {
        room *= 2;
    }
    buffers *const kept = malloc((limit + 1) * sizeof *kept);
    uint32_t *const slot = calloc(room, sizeof *slot);
    search s = {.plan = plan,
                .n = plan->topo->n_channel * plan->n_vc,
                .n_terminal = plan->topo->n_terminal,
                .kept = kept,
                .slot = slot,
                .room = room,
                .limit = limit};
    const bool is_small = s.n <= PLACES && plan->classes->n * s.n_terminal * s.n_terminal < 255;
    const packets_answer answer = is_small ? search_all(&s) : PACKETS_TOO_MANY;
    free(kept);
    free(slot);
    return answer;
}

/* ---- one packet ---- */

static bool waits_for(const hf_plan *plan, const hf_blocked *b, const hf_hop *hops, size_t n) {
    bool is_right = n == b->n_wait && n > 0;
    for (size_t h = 0; h < n && is_right; h++) {
        bool any = false;
        for (uint32_t i = 0; i < b->n_wait; i++) {
            any |= b->wait[i] == hops[h].channel * plan->n_vc + hops[h].vc;
        }
        is_right = any;
    }
    return is_right;
}

bool consumers_is_blocked(const hf_plan *plan, const hf_blocked *b) {
    const hf_plan *own = &plan->of_class[b->class];
    hf_hop hops[HOPS], in = HF_HOP_INJECTION;
    uint32_t at = plan->topo->n_switch + b->source;
    bool is_right = hf_plan_has_flow(own, b->source, b->destination) && b->n_hold == 1 && b->n_path > 0;
    for (uint32_t i = 0; i < b->n_path && is_right; i++) {
        is_right = hf_hops_hold(hops, hf_plan_route(own, at, in, b->destination, hops), b->path[i]);
        in = b->path[i];
        at = plan->topo->to[in.channel];
    }
    const bool has_arrived = at == plan->topo->n_switch + b->destination;
    is_right &= has_arrived == (b->answer != HF_NONE) && in.channel * plan->n_vc + in.vc == b->hold[0];
    for (uint32_t a = 0; has_arrived && is_right && a < plan->classes->n_answer; a++) {
        const hf_class_answer *answer = &plan->classes->answer[a];
        if (answer->of == b->class && answer->with == b->answer) {
            const hf_plan *with = &plan->of_class[b->answer];
            is_right = answer->to_any ? hf_plan_has_flow(with, b->destination, b->answer_to) : b->answer_to == b->source;
            return is_right && waits_for(plan, b, hops, hf_plan_route(with, at, HF_HOP_INJECTION, b->answer_to, hops));
        }
    }
    return is_right && !has_arrived && waits_for(plan, b, hops, hf_plan_route(own, at, in, b->destination, hops));
}
