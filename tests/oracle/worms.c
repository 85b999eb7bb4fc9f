/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/worms.h"

#include <stdlib.h>

enum { RESOURCES = 64, HOPS = 64 };

typedef struct worm {
    uint64_t held, needed; /* resources */
} worm;

typedef struct search {
    const hf_plan *plan;
    worm *worm;
    size_t count, room, steps, limit;
    uint32_t least; /* found so far; RESOURCES + 1: none */
    bool is_over;
} search;

static uint64_t bit(uint32_t r) { return UINT64_C(1) << r; }

static uint32_t resource_of(const hf_plan *plan, hf_hop hop) { return hop.channel * plan->n_vc + hop.vc; }

static bool has_arrived(const hf_plan *plan, uint32_t r, uint32_t destination) {
    return plan->topo->to[r / plan->n_vc] == plan->topo->n_switch + destination;
}

/* What a packet for `destination` whose header is at the end of r may ask for. */
static uint64_t hops_after(const hf_plan *plan, uint32_t r, uint32_t destination) {
    hf_hop hops[HOPS];
    const uint32_t at = plan->topo->to[r / plan->n_vc];
    uint64_t mask = 0;
    if (hf_topology_is_terminal(plan->topo, at)) {
        return 0;
    }
    const size_t n = hf_plan_route(plan, at, (hf_hop){r / plan->n_vc, r % plan->n_vc, 0}, destination, hops);
    for (size_t h = 0; h < n; h++) {
        mask |= bit(resource_of(plan, hops[h]));
    }
    return mask;
}

/* Resources that packets for `destination` can get to. */
static uint64_t reachable(const hf_plan *plan, uint32_t destination) {
    uint64_t seen = 0;
    hf_hop hops[HOPS];
    for (uint32_t source = 0; source < plan->topo->n_terminal; source++) {
        const size_t n = !hf_plan_has_flow(plan, source, destination)
                             ? 0
                             : hf_plan_route(plan, plan->topo->n_switch + source, HF_HOP_INJECTION, destination, hops);
        for (size_t h = 0; h < n; h++) {
            seen |= bit(resource_of(plan, hops[h]));
        }
    }
    for (uint64_t before = 0; before != seen;) {
        before = seen;
        for (uint64_t rest = before; rest; rest &= rest - 1) {
            seen |= hops_after(plan, (uint32_t)__builtin_ctzll(rest), destination);
        }
    }
    return seen;
}

/* ---- all worms ---- */

static void add_worm(search *s, uint64_t held, uint64_t needed) {
    if (s->count == s->limit) {
        s->is_over = true;
        return;
    }
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->worm = realloc(s->worm, s->room * sizeof *s->worm);
    }
    s->worm[s->count++] = (worm){held, needed};
}

/* Worms whose tail is behind: `tail` is the last one held so far, `held` reaches from there to the header. */
static void lengthen(search *s, uint32_t destination, uint64_t places, uint32_t tail, uint64_t held, uint64_t needed) {
    add_worm(s, held, needed);
    for (uint64_t rest = places & ~held; rest && !s->is_over; rest &= rest - 1) {
        const uint32_t before = (uint32_t)__builtin_ctzll(rest);
        if (!has_arrived(s->plan, before, destination) && hops_after(s->plan, before, destination) & bit(tail)) {
            lengthen(s, destination, places, before, held | bit(before), needed);
        }
    }
}

static void all_worms(search *s) {
    for (uint32_t d = 0; d < s->plan->topo->n_terminal; d++) {
        const uint64_t places = reachable(s->plan, d);
        for (uint64_t rest = places; rest && !s->is_over; rest &= rest - 1) {
            const uint32_t header = (uint32_t)__builtin_ctzll(rest);
            const uint64_t needed = has_arrived(s->plan, header, d) ? 0 : hops_after(s->plan, header, d);
            if (needed) {
                lengthen(s, d, places, header, bit(header), needed);
            }
        }
    }
}

/* ---- all sets of them ---- */

static void complete(search *s, uint64_t held, uint64_t needed) {
    const uint32_t size = (uint32_t)__builtin_popcountll(held | needed);
    if (size >= s->least || s->is_over) {
        return;
    }
    if (!(needed & ~held)) {
        s->least = size;
        return;
    }
    s->is_over = ++s->steps > s->limit;
    const uint64_t next = needed & ~held & -(needed & ~held); /* the lowest */
    for (size_t i = 0; i < s->count; i++) {
        if (s->worm[i].held & next && !(s->worm[i].held & held)) {
            complete(s, held | s->worm[i].held, needed | s->worm[i].needed);
        }
    }
}

worms_answer worms_search(const hf_plan *plan, size_t limit) {
    search s = {.plan = plan, .limit = limit, .least = RESOURCES + 1};
    s.is_over = plan->topo->n_channel * plan->n_vc > RESOURCES;
    if (!s.is_over) {
        all_worms(&s);
    }
    for (size_t i = 0; i < s.count && !s.is_over; i++) {
        complete(&s, s.worm[i].held, s.worm[i].needed);
    }
    free(s.worm);
    return (worms_answer){!s.is_over, s.least > RESOURCES ? 0 : s.least};
}

/* ---- configurations ---- */

/* Does the packet's way lead to what it holds? */
static bool is_way(const hf_plan *plan, const hf_blocked *b) {
    uint64_t offered = 0;
    hf_hop hops[HOPS];
    const size_t n = hf_plan_route(plan, plan->topo->n_switch + b->source, HF_HOP_INJECTION, b->destination, hops);
    for (size_t h = 0; h < n; h++) {
        offered |= bit(resource_of(plan, hops[h]));
    }
    for (uint32_t i = 0; i < b->n_path; i++) {
        const uint32_t r = resource_of(plan, b->path[i]);
        if (!(offered & bit(r))) {
            return false;
        }
        offered = hops_after(plan, r, b->destination);
    }
    for (uint32_t i = 1; i < b->n_hold; i++) {
        if (!(offered & bit(b->hold[i]))) {
            return false;
        }
        offered = hops_after(plan, b->hold[i], b->destination);
    }
    return b->n_path > 0 && b->n_hold > 0 && resource_of(plan, b->path[b->n_path - 1]) == b->hold[0];
}

const char *worms_refute(const hf_plan *plan, const hf_blocked *blocked, uint32_t count) {
    uint64_t held = 0, needed = 0;
    for (uint32_t k = 0; k < count; k++) {
        const hf_blocked *b = &blocked[k];
        const uint32_t header = b->hold[b->n_hold - 1];
        if (!is_way(plan, b)) {
            return "a packet is not offered the way that it is said to have come";
        }
        for (uint32_t i = 0; i < b->n_hold; i++) {
            if (held & bit(b->hold[i])) {
                return "a resource is held twice";
            }
            held |= bit(b->hold[i]);
        }
        if (has_arrived(plan, header, b->destination) || !hops_after(plan, header, b->destination)) {
            return "a packet does not wait";
        }
        needed |= hops_after(plan, header, b->destination);
    }
    return count == 0 ? "there is no packet" : needed & ~held ? "a packet may go on" : NULL;
}

uint32_t worms_held(const hf_blocked *blocked, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        sum += blocked[k].n_hold;
    }
    return sum;
}
