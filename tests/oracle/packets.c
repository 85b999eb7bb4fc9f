/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/packets.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/core/random.h>

/* ---- random relations ---- */

static uint32_t slots_of(const packets_relation *r, uint32_t node) {
    return (r->topo->out_begin[node + 1] - r->topo->out_begin[node]) * r->n_vc;
}

static hf_hop hop_of(const packets_relation *r, uint32_t node, uint32_t slot) {
    return (hf_hop){r->topo->out_list[r->topo->out_begin[node] + slot / r->n_vc], slot % r->n_vc, 0};
}

/* Hops by bit: a slot with a tag. */
static hf_hop hop_of_bit(const packets_relation *r, uint32_t node, uint32_t bit, uint32_t tag) {
    hf_hop hop = hop_of(r, node, bit / r->n_tag);
    hop.tag = r->by_source ? tag : bit % r->n_tag;
    return hop;
}

static bool may_use(const packets_relation *r, hf_hop hop, bool one_way) {
    const hf_topology *topo = r->topo;
    const uint32_t link = topo->link[hop.channel];
    return link < topo->n_switch_link && (!one_way || topo->forward[link] == hop.channel);
}

/* Hops of one arrival at `node`; straight to the terminal where it hangs there. */
static uint64_t draw(const packets_relation *r, hf_random *random, uint32_t node, uint32_t destination, uint32_t hops_max,
                     bool one_way) {
    uint64_t mask = 0;
    const uint32_t n = slots_of(r, node);
    for (uint32_t slot = 0; slot < n; slot++) {
        if (r->topo->to[hop_of(r, node, slot).channel] == r->topo->n_switch + destination) {
            return UINT64_C(1) << slot * r->n_tag;
        }
    }
    const uint32_t wanted = 1 + (uint32_t)hf_random_below(random, hops_max);
    for (uint32_t tries = 0; tries < 64 && (uint32_t)__builtin_popcountll(mask) < wanted; tries++) {
        const uint32_t slot = (uint32_t)hf_random_below(random, n);
        const uint32_t tag = r->n_tag > 1 && !r->by_source ? (uint32_t)hf_random_below(random, r->n_tag) : 0;
        mask |= may_use(r, hop_of(r, node, slot), one_way) ? UINT64_C(1) << (slot * r->n_tag + tag) : 0;
    }
    return mask;
}

static void make_empty(const hf_topology *topo, uint32_t n_vc, uint32_t n_tag, packets_relation *out) {
    *out = (packets_relation){.topo = topo, .n_vc = n_vc, .n_tag = n_tag};
    out->mask = calloc((size_t)topo->n_channel * n_vc * n_tag * topo->n_terminal, sizeof *out->mask);
}

void packets_relation_empty(const hf_topology *topo, uint32_t n_vc, packets_relation *out) { make_empty(topo, n_vc, 1, out); }

static uint32_t channel_between(const hf_topology *topo, uint32_t from, uint32_t to) {
    uint32_t c = 0;
    while (topo->from[c] != from || topo->to[c] != to) {
        c++;
    }
    return c;
}

void packets_relation_add(packets_relation *relation, uint32_t destination, uint32_t from, uint32_t at, uint32_t to) {
    const hf_topology *topo = relation->topo;
    const uint32_t in = channel_between(topo, from, at), out = channel_between(topo, at, to);
    uint32_t place = 0;
    while (topo->out_list[topo->out_begin[at] + place] != out) {
        place++;
    }
    relation->mask[(size_t)in * relation->n_vc * topo->n_terminal + destination] |= UINT64_C(1) << place * relation->n_vc;
}

/* At every switch, for every arrival with every tag. */
static void draw_all(packets_relation *r, uint64_t seed, uint32_t hops_max, bool one_way) {
    const uint32_t n_terminal = r->topo->n_terminal, n = r->topo->n_channel * r->n_vc * r->n_tag;
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t node = r->topo->to[i / r->n_tag / r->n_vc];
        for (uint32_t d = 0; d < n_terminal && !hf_topology_is_terminal(r->topo, node); d++) {
            r->mask[(size_t)i * n_terminal + d] = draw(r, &random, node, d, hops_max, one_way);
        }
    }
}

void packets_relation_make(const hf_topology *topo, uint32_t n_vc, uint64_t seed, uint32_t hops_max, bool one_way,
                           packets_relation *out) {
    packets_relation_empty(topo, n_vc, out);
    draw_all(out, seed, hops_max, one_way);
}

void packets_relation_tagged(const hf_topology *topo, uint32_t n_vc, uint32_t n_tag, bool by_source, uint64_t seed,
                             uint32_t hops_max, packets_relation *out) {
    make_empty(topo, n_vc, by_source ? topo->n_terminal : n_tag, out);
    out->by_source = by_source;
    draw_all(out, seed, hops_max, false);
}

void packets_relation_free(packets_relation *relation) { free(relation->mask); }

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const packets_relation *r = plan->state;
    if (in.channel == HF_NONE) {
        hops[0] = (hf_hop){r->topo->out_list[r->topo->out_begin[at]], r->spreads ? destination % r->n_vc : 0,
                           r->by_source ? at - r->topo->n_switch : 0};
        return 1;
    }
    const size_t arrival = ((size_t)in.channel * r->n_vc + in.vc) * r->n_tag + in.tag;
    const uint64_t mask = r->mask[arrival * r->topo->n_terminal + destination];
    size_t count = 0;
    for (uint32_t bit = 0; bit < slots_of(r, at) * r->n_tag; bit++) {
        if (mask >> bit & 1) {
            hops[count++] = hop_of_bit(r, at, bit, in.tag);
        }
    }
    return count;
}

static const hf_routing random_routing = {.name = "random-relation", .summary = "for tests", .route = route};

hf_plan packets_plan(const packets_relation *relation, const hf_fault_set *faults) {
    return (hf_plan){.routing = &random_routing,
                     .topo = relation->topo,
                     .faults = faults,
                     .n_vc = relation->n_vc,
                     .max_hops = 64,
                     .state = relation};
}

/* ---- the search ---- */

/* A configuration: for each resource that can hold a packet 1 + its destination and tag, or 0; so many bits each. */
typedef struct search {
    const hf_plan *plan;
    uint32_t n_place, *place_of, *resource; /* resources but the last channels to terminals, which drain at once */
    uint32_t bits, n_tag;
    uint64_t *seen; /* open hash, 0 free; configurations are kept + 1 */
    size_t room, count, limit;
    uint64_t *queue;
    bool is_over;
} search;

static uint32_t packet_at(const search *s, uint64_t c, uint32_t place) {
    return (uint32_t)(c >> (place * s->bits)) & ((1u << s->bits) - 1);
}

static uint64_t with(const search *s, uint64_t c, uint32_t place, uint32_t packet) {
    const uint64_t field = ((UINT64_C(1) << s->bits) - 1) << (place * s->bits);
    return (c & ~field) | (uint64_t)packet << (place * s->bits);
}

static void visit(search *s, uint64_t c) {
    size_t i = (c * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (s->room - 1);
    for (; s->seen[i]; i = (i + 1) & (s->room - 1)) {
        if (s->seen[i] == c + 1) {
            return;
        }
    }
    if (s->count == s->limit) {
        s->is_over = true;
        return;
    }
    s->seen[i] = c + 1;
    s->queue[s->count++] = c;
}

/* Is a hop a delivery, or to a place? \return HF_NONE for a delivery */
static uint32_t place_of_hop(const search *s, hf_hop hop) { return s->place_of[hop.channel * s->plan->n_vc + hop.vc]; }

static size_t hops_from(const search *s, uint64_t c, uint32_t place, hf_hop *hops) {
    const uint32_t r = s->resource[place], n_vc = s->plan->n_vc;
    const uint32_t packet = packet_at(s, c, place) - 1;
    const hf_hop in = {r / n_vc, r % n_vc, packet % s->n_tag};
    return hf_plan_route(s->plan, s->plan->topo->to[in.channel], in, packet / s->n_tag, hops);
}

static uint32_t packet_of(const search *s, uint32_t destination, hf_hop hop) { return 1 + destination * s->n_tag + hop.tag; }

static void moves(search *s, uint64_t c) {
    const hf_topology *topo = s->plan->topo;
    hf_hop hops[64];
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        for (uint32_t d = 0; d < topo->n_terminal; d++) {
            const size_t n = !hf_plan_has_flow(s->plan, source, d)
                                 ? 0
                                 : hf_plan_route(s->plan, topo->n_switch + source, HF_HOP_INJECTION, d, hops);
            for (size_t h = 0; h < n; h++) {
                const uint32_t place = place_of_hop(s, hops[h]);
                if (packet_at(s, c, place) == 0) {
                    visit(s, with(s, c, place, packet_of(s, d, hops[h])));
                }
            }
        }
    }
    for (uint32_t place = 0; place < s->n_place; place++) {
        const size_t n = packet_at(s, c, place) ? hops_from(s, c, place, hops) : 0;
        for (size_t h = 0; h < n; h++) {
            const uint32_t to = place_of_hop(s, hops[h]);
            if (to == HF_NONE) {
                visit(s, with(s, c, place, 0));
            } else if (packet_at(s, c, to) == 0) {
                visit(s, with(s, with(s, c, place, 0), to, packet_of(s, (packet_at(s, c, place) - 1) / s->n_tag, hops[h])));
            }
        }
    }
}

/* Are there packets that wait for one another for ever? Let go whoever may move, or may move once others have. */
static bool has_deadlock(const search *s, uint64_t c) {
    uint64_t stays = c;
    hf_hop hops[64];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t place = 0; place < s->n_place; place++) {
            const size_t n = packet_at(s, stays, place) ? hops_from(s, stays, place, hops) : 0;
            for (size_t h = 0; h < n; h++) {
                const uint32_t to = place_of_hop(s, hops[h]);
                if (to == HF_NONE || packet_at(s, stays, to) == 0) {
                    stays = with(s, stays, place, 0);
                    changed = true;
                    break;
                }
            }
        }
    }
    return stays != 0;
}

static bool open_search(search *s) {
    const hf_topology *topo = s->plan->topo;
    const uint32_t n_resource = topo->n_channel * s->plan->n_vc;
    s->place_of = malloc(n_resource * sizeof *s->place_of);
    s->resource = malloc(n_resource * sizeof *s->resource);
    while (1u << s->bits < topo->n_terminal * s->n_tag + 1) {
        s->bits++;
    }
    for (uint32_t r = 0; r < n_resource; r++) {
        const uint32_t channel = r / s->plan->n_vc;
        const bool drains = hf_topology_is_terminal(topo, topo->to[channel]);
        const bool unused = hf_topology_is_terminal(topo, topo->from[channel]) && r % s->plan->n_vc > 0;
        s->place_of[r] = HF_NONE;
        if (!drains && !unused) {
            s->place_of[r] = s->n_place;
            s->resource[s->n_place++] = r;
        }
    }
    s->room = 1;
    while (s->room < 2 * s->limit) {
        s->room *= 2;
    }
    s->seen = calloc(s->room, sizeof *s->seen);
    s->queue = malloc((s->limit + 1) * sizeof *s->queue);
    return s->n_place * s->bits <= 63;
}

packets_answer packets_search(const hf_plan *plan, uint32_t n_tag, size_t limit) {
    search s = {.plan = plan, .n_tag = n_tag, .bits = 1, .limit = limit};
    packets_answer answer = PACKETS_FREE;
    s.is_over = !open_search(&s);
    if (!s.is_over) {
        visit(&s, 0);
    }
    for (size_t i = 0; i < s.count && answer == PACKETS_FREE && !s.is_over; i++) {
        if (has_deadlock(&s, s.queue[i])) {
            answer = PACKETS_DEADLOCK;
        } else {
            moves(&s, s.queue[i]);
        }
    }
    answer = answer == PACKETS_FREE && s.is_over ? PACKETS_TOO_MANY : answer;
    free(s.place_of);
    free(s.resource);
    free(s.seen);
    free(s.queue);
    return answer;
}
