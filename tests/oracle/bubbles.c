/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/bubbles.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 24, QUEUE = 2 };

/* By place its packets, the first one first: 1 + the destination, 0 where there is none. */
typedef struct configuration {
    uint8_t slot[SLOTS];
} configuration;

typedef struct search {
    const hf_plan *plan;
    const uint32_t *ring;
    const uint64_t *plain;
    uint32_t n_place, place_of[256], resource[SLOTS], first[SLOTS], size[SLOTS];
    configuration *queue;
    uint32_t *table; /* open hash of 1 + places in the queue */
    size_t room, count, limit;
    bool is_over;
} search;

static void visit(search *s, const configuration *c) {
    uint64_t hash = 1469598103934665603U;
    for (size_t i = 0; i < SLOTS; i++) {
        hash = (hash ^ c->slot[i]) * 1099511628211U;
    }
    size_t at = (hash >> 20) & (s->room - 1);
    for (; s->table[at]; at = (at + 1) & (s->room - 1)) {
        if (memcmp(&s->queue[s->table[at] - 1], c, sizeof *c) == 0) {
            return;
        }
    }
    if (s->count == s->limit) {
        s->is_over = true;
        return;
    }
    s->queue[s->count] = *c;
    s->table[at] = (uint32_t)++s->count;
}

static uint32_t packets_in(const search *s, const configuration *c, uint32_t place) {
    uint32_t n = 0;
    while (n < s->size[place] && c->slot[s->first[place] + n]) {
        n++;
    }
    return n;
}

static void pop(const search *s, configuration *c, uint32_t place) {
    uint8_t *slot = c->slot + s->first[place];
    memmove(slot, slot + 1, s->size[place] - 1);
    slot[s->size[place] - 1] = 0;
}

static void push(const search *s, configuration *c, uint32_t place, uint32_t destination) {
    c->slot[s->first[place] + packets_in(s, c, place)] = (uint8_t)(1 + destination);
}

/* May a packet come in from resource `from`, HF_NONE: from its source? */
static bool fits(const search *s, const configuration *c, uint32_t from, uint32_t place) {
    const uint32_t r = s->resource[place], channel = r / s->plan->n_vc, free = s->size[place] - packets_in(s, c, place);
    const bool enters = s->ring[r] != HF_NONE && (from == HF_NONE || s->ring[from] != s->ring[r]);
    const bool keeps = !(s->plain[channel / 64] >> channel % 64 & 1);
    return free >= (enters && keeps ? 2 : 1);
}

/* Where the first packet of a place may go: places, HF_NONE for a delivery. */
static size_t choices(const search *s, const configuration *c, uint32_t place, uint32_t *to) {
    const uint32_t r = s->resource[place], n_vc = s->plan->n_vc, destination = c->slot[s->first[place]] - 1U;
    hf_hop hops[64];
    const hf_hop in = {r / n_vc, r % n_vc, 0};
    const size_t n = hf_plan_route(s->plan, s->plan->topo->to[in.channel], in, destination, hops);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t next = s->place_of[hops[i].channel * n_vc + hops[i].vc];
        if (next == HF_NONE || fits(s, c, r, next)) {
            to[count++] = next;
        }
    }
    return count;
}

static void inject(search *s, const configuration *c) {
    const hf_topology *topo = s->plan->topo;
    hf_hop hops[64];
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        for (uint32_t d = 0; d < topo->n_terminal; d++) {
            const bool is_sent = hf_plan_has_flow(s->plan, source, d);
            const size_t n = is_sent ? hf_plan_route(s->plan, topo->n_switch + source, HF_HOP_INJECTION, d, hops) : 0;
            for (size_t h = 0; h < n; h++) {
                const uint32_t place = s->place_of[hops[h].channel * s->plan->n_vc + hops[h].vc];
                if (fits(s, c, HF_NONE, place)) {
                    configuration next = *c;
                    push(s, &next, place, d);
                    visit(s, &next);
                }
            }
        }
    }
}

static void move(search *s, const configuration *c) {
    uint32_t to[64];
    for (uint32_t place = 0; place < s->n_place; place++) {
        const size_t n = packets_in(s, c, place) ? choices(s, c, place, to) : 0;
        for (size_t i = 0; i < n; i++) {
            configuration next = *c;
            pop(s, &next, place);
            if (to[i] != HF_NONE) {
                push(s, &next, to[i], c->slot[s->first[place]] - 1U);
            }
            visit(s, &next);
        }
    }
}

/* Let go whoever may move, or may move once others have. */
static bool has_deadlock(const search *s, const configuration *c) {
    configuration stays = *c;
    uint32_t to[64], left = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t place = 0; place < s->n_place; place++) {
            while (packets_in(s, &stays, place) && choices(s, &stays, place, to)) {
                pop(s, &stays, place);
                changed = true;
            }
        }
    }
    for (uint32_t place = 0; place < s->n_place; place++) {
        left += packets_in(s, &stays, place);
    }
    return left > 0;
}

/* The last channels to terminals drain at once. */
static bool open_search(search *s) {
    const hf_topology *topo = s->plan->topo;
    const uint32_t n_resource = topo->n_channel * s->plan->n_vc;
    uint32_t slots = 0;
    for (uint32_t r = 0; r < n_resource; r++) {
        const uint32_t channel = r / s->plan->n_vc;
        const bool drains = hf_topology_is_terminal(topo, topo->to[channel]);
        const bool unused = hf_topology_is_terminal(topo, topo->from[channel]) && r % s->plan->n_vc > 0;
        const uint32_t size = s->ring[r] == HF_NONE ? 1 : QUEUE;
        s->place_of[r] = HF_NONE;
        if (drains || unused) {
            continue;
        }
        if (slots + size > SLOTS) {
            return false;
        }
        s->place_of[r] = s->n_place;
        s->resource[s->n_place] = r;
        s->size[s->n_place] = size;
        s->first[s->n_place++] = slots;
        slots += size;
    }
    s->room = 1;
    while (s->room < 2 * s->limit) {
        s->room *= 2;
    }
    s->table = calloc(s->room, sizeof *s->table);
    s->queue = malloc((s->limit + 1) * sizeof *s->queue);
    return true;
}

packets_answer bubbles_search(const hf_plan *plan, const uint32_t *ring, const uint64_t *plain, size_t limit) {
    search s = {.plan = plan, .ring = ring, .plain = plain, .limit = limit};
    packets_answer answer = PACKETS_FREE;
    if (!open_search(&s)) {
        return PACKETS_TOO_MANY;
    }
    visit(&s, &(configuration){{0}});
    for (size_t i = 0; i < s.count && answer == PACKETS_FREE && !s.is_over; i++) {
        const configuration c = s.queue[i];
        if (has_deadlock(&s, &c)) {
            answer = PACKETS_DEADLOCK;
        } else {
            inject(&s, &c);
            move(&s, &c);
        }
    }
    answer = answer == PACKETS_FREE && s.is_over ? PACKETS_TOO_MANY : answer;
    free(s.queue);
    free(s.table);
    return answer;
}
