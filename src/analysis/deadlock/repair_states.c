/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The states of a relation over all destinations, and what is left of them when dependencies are forbidden. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/repair_states.h"

static const size_t hops_limit = (size_t)1 << 26; /* about 1 GiB of states and hops */

/* ---- gathering ---- */

uint32_t hf_repair_edge(const hf_repair_work *r, hf_hop in, hf_hop hop) {
    if (in.channel == HF_NONE) {
        return HF_NONE;
    }
    const hf_digraph *g = &r->g;
    const uint32_t from = hf_dependency_resource(&r->d, in), to = hf_dependency_resource(&r->d, hop);
    for (uint32_t e = g->out.begin[from]; e < g->out.begin[from + 1]; e++) {
        if (g->out.item[e] == to) {
            return e;
        }
    }
    return HF_NONE;
}

/* The hops of state `w` of a walk, as those of state `base` + w. */
static void take_state(hf_repair_work *r, const hf_walk *walk, uint32_t w, uint32_t base, hf_hop *hops) {
    hf_repair_states *s = &r->s;
    s->in[base + w] = walk->in[w];
    s->begin[base + w] = s->n_hop;
    if (walk->edge_begin[w] == walk->edge_begin[w + 1]) {
        return;
    }
    (void)hf_plan_route(r->plan, walk->at[w], walk->in[w], walk->destination, hops); /* read by the walk */
    for (uint32_t e = walk->edge_begin[w]; e < walk->edge_begin[w + 1]; e++) {
        const hf_hop hop = hops[e - walk->edge_begin[w]];
        if (!hf_bit_test(r->plan->faults->channel_set, hop.channel)) {
            const uint32_t to = walk->edge[e];
            s->of[s->n_hop] = base + w;
            s->to[s->n_hop] = to == HF_WALK_DELIVERED ? HF_REPAIR_DELIVERED : to == HF_WALK_FAULT ? 0 : base + to;
            s->edge[s->n_hop++] = hf_repair_edge(r, walk->in[w], hop);
        }
    }
}

static hf_status count_all(hf_repair_work *r, hf_walk *walk, size_t *n, size_t *n_hop) {
    *n = 1;
    *n_hop = 0;
    for (uint32_t d = 0; d < r->plan->topo->n_terminal; d++) {
        if (hf_plan_is_live(r->plan, d)) {
            HF_TRY(hf_walk_explore(r->cx, walk, r->plan, d));
            *n += walk->n_state;
            *n_hop += walk->n_edge;
        }
    }
    if (*n_hop + *n > hops_limit) {
        HF_FAIL(r->cx, HF_ERANGE, "routing \"%s\" on \"%s\": a repair of %zu states with %zu hops needs more than 1 GiB",
                r->plan->routing->name, r->plan->topo->spec, *n, *n_hop);
    }
    return HF_OK;
}

static hf_status allocate(hf_repair_work *r, size_t n, size_t n_hop) {
    hf_repair_states *s = &r->s;
    const size_t n_terminal = r->plan->topo->n_terminal;
    HF_TRY(hf_scratch(r->cx, n_terminal + 1, sizeof *s->first, (void **)&s->first));
    HF_TRY(hf_scratch(r->cx, n, sizeof *s->in, (void **)&s->in));
    HF_TRY(hf_scratch(r->cx, n + 1, sizeof *s->begin, (void **)&s->begin));
    HF_TRY(hf_scratch(r->cx, n_hop, sizeof *s->to, (void **)&s->to));
    HF_TRY(hf_scratch(r->cx, n_hop, sizeof *s->edge, (void **)&s->edge));
    HF_TRY(hf_scratch(r->cx, n_hop, sizeof *s->of, (void **)&s->of));
    HF_TRY(hf_scratch(r->cx, n, sizeof *s->root, (void **)&s->root));
    HF_TRY(hf_scratch(r->cx, hf_words(n), sizeof *r->is_good, (void **)&r->is_good));
    HF_TRY(hf_scratch(r->cx, n, sizeof *r->on, (void **)&r->on));
    HF_TRY(hf_scratch(r->cx, n, sizeof *r->cost, (void **)&r->cost));
    HF_TRY(hf_scratch(r->cx, n, sizeof *r->ahead, (void **)&r->ahead));
    HF_TRY(hf_scratch(r->cx, n, sizeof *r->by, (void **)&r->by));
    HF_TRY(hf_scratch(r->cx, 2 * (2 * n + n_hop) + 2, sizeof *r->queue, (void **)&r->queue));
    return hf_scratch(r->cx, r->g.n_edge, sizeof *r->user, (void **)&r->user);
}

hf_status hf_repair_states_make(hf_repair_work *r) {
    const uint32_t n_terminal = r->plan->topo->n_terminal;
    hf_repair_states *s = &r->s;
    hf_walk walk;
    hf_hop *hops;
    size_t n, n_hop;
    HF_TRY(hf_walk_init(r->cx, r->plan->topo, &walk));
    HF_TRY(count_all(r, &walk, &n, &n_hop));
    HF_TRY(allocate(r, n, n_hop));
    HF_TRY(hf_scratch(r->cx, hf_plan_room(r->plan), sizeof *hops, (void **)&hops));
    s->n = 1;
    s->in[0] = HF_HOP_INJECTION;
    for (uint32_t d = 0; d < n_terminal; d++) {
        s->first[d] = s->n;
        if (!hf_plan_is_live(r->plan, d)) {
            continue;
        }
        HF_TRY(hf_walk_explore(r->cx, &walk, r->plan, d));
        for (uint32_t w = 0; w < walk.n_state; w++) {
            take_state(r, &walk, w, s->n, hops);
            if (w < n_terminal && hf_plan_sends(r->plan, w, d)) {
                s->root[s->n_root++] = s->n + w;
            }
        }
        s->n += walk.n_state;
    }
    s->first[n_terminal] = s->n;
    s->begin[s->n] = s->n_hop;
    return hf_rows_of(r->cx, s->n, NULL, s->n_hop, s->to, &s->back);
}

/* ---- what is left ---- */

static uint32_t price(const hf_repair_work *r, uint32_t hop) {
    const uint32_t e = r->s.edge[hop];
    return e != HF_NONE && r->column_of[e] != HF_NONE;
}

/* From the destinations backwards, ways with few columns first: a queue with two ends. */
static void find_good(hf_repair_work *r) {
    const hf_repair_states *s = &r->s;
    uint32_t head = 2 * s->n + s->n_hop, tail = head;
    memset(r->is_good, 0, hf_words(s->n) * sizeof *r->is_good);
    memset(r->ahead, 0xff, s->n * sizeof *r->ahead);
    for (uint32_t h = 0; h < s->n_hop; h++) {
        if (s->to[h] == HF_REPAIR_DELIVERED && !hf_repair_is_forbidden(r, s->edge[h]) && price(r, h) < r->ahead[s->of[h]]) {
            r->ahead[s->of[h]] = price(r, h);
            r->on[s->of[h]] = h;
            if (price(r, h)) {
                r->queue[tail++] = s->of[h];
            } else {
                r->queue[--head] = s->of[h];
            }
        }
    }
    while (head < tail) {
        const uint32_t v = r->queue[head++];
        if (hf_bit_test(r->is_good, v)) {
            continue;
        }
        hf_bit_set(r->is_good, v);
        for (uint32_t i = s->back.begin[v]; i < s->back.begin[v + 1]; i++) {
            const uint32_t h = s->back.item[i], u = s->of[h], more = r->ahead[v] + price(r, h);
            if (hf_repair_is_forbidden(r, s->edge[h]) || hf_bit_test(r->is_good, u) || more >= r->ahead[u]) {
                continue;
            }
            r->ahead[u] = more;
            r->on[u] = h;
            if (more > r->ahead[v]) {
                r->queue[tail++] = u;
            } else {
                r->queue[--head] = u;
            }
        }
    }
}

bool hf_repair_is_offered(const hf_repair_work *r, uint32_t hop) {
    const uint32_t to = r->s.to[hop];
    return !hf_repair_is_forbidden(r, r->s.edge[hop]) &&
           (!r->looks_ahead || to == HF_REPAIR_DELIVERED || hf_bit_test(r->is_good, to));
}

bool hf_repair_has_hops(const hf_repair_work *r, uint32_t state) {
    for (uint32_t h = r->s.begin[state]; h < r->s.begin[state + 1]; h++) {
        if (hf_repair_is_offered(r, h)) {
            return true;
        }
    }
    return false;
}

/* A reached hop uses its dependency: the one with the fewest columns on its way stands for it. */
static void use(hf_repair_work *r, uint32_t hop) {
    const hf_repair_states *s = &r->s;
    const uint32_t e = s->edge[hop];
    if (e == HF_NONE) {
        return;
    }
    const uint32_t old = r->user[e], on = r->looks_ahead && s->to[hop] != HF_REPAIR_DELIVERED ? r->ahead[s->to[hop]] : 0;
    const uint32_t old_on = old != HF_NONE && r->looks_ahead && s->to[old] != HF_REPAIR_DELIVERED ? r->ahead[s->to[old]] : 0;
    if (old == HF_NONE || r->cost[s->of[hop]] + on < r->cost[s->of[old]] + old_on) {
        r->user[e] = hop;
    }
}

/* From the injections, ways with few columns first. */
static void find_reached(hf_repair_work *r) {
    const hf_repair_states *s = &r->s;
    uint32_t head = 2 * s->n + s->n_hop, tail = head;
    memset(r->by, 0xff, s->n * sizeof *r->by);
    memset(r->user, 0xff, r->g.n_edge * sizeof *r->user);
    memset(r->cost, 0xff, s->n * sizeof *r->cost);
    for (uint32_t i = 0; i < s->n_root; i++) {
        r->cost[s->root[i]] = 0;
        r->by[s->root[i]] = HF_NONE - 1;
        r->queue[tail++] = s->root[i];
    }
    while (head < tail) {
        const uint32_t v = r->queue[head++];
        for (uint32_t h = s->begin[v]; h < s->begin[v + 1]; h++) {
            const uint32_t to = s->to[h], more = r->cost[v] + price(r, h);
            if (!hf_repair_is_offered(r, h) || to == HF_REPAIR_DELIVERED || more >= r->cost[to]) {
                continue;
            }
            r->cost[to] = more;
            r->by[to] = h;
            if (more > r->cost[v]) {
                r->queue[tail++] = to;
            } else {
                r->queue[--head] = to;
            }
        }
    }
    for (uint32_t h = 0; h < s->n_hop; h++) {
        if (r->by[s->of[h]] != HF_NONE && hf_repair_is_offered(r, h)) {
            use(r, h);
        }
    }
}

void hf_repair_look(hf_repair_work *r) {
    if (r->looks_ahead) {
        find_good(r);
    }
    find_reached(r);
}

/* ---- cycles ---- */

uint32_t hf_repair_tail(const hf_repair_work *r, uint32_t e) {
    uint32_t lo = 0, hi = r->g.n;
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (r->g.out.begin[middle] <= e) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

void hf_repair_shut_unused(hf_repair_work *r) {
    memset(r->is_shut, 0, hf_words(r->g.n_edge) * sizeof *r->is_shut);
    for (uint32_t e = 0; e < r->g.n_edge; e++) {
        if (r->user[e] == HF_NONE) {
            hf_bit_set(r->is_shut, e);
        }
    }
}

typedef struct way_search {
    hf_repair_work *r;
    uint32_t goal;
    bool is_met;
} way_search;

static hf_step follow(void *user, uint32_t from, uint32_t e, uint32_t to) {
    (void)from;
    way_search *s = user;
    hf_repair_work *r = s->r;
    if (hf_bit_test(r->is_shut, e) || (to != s->goal && r->stamp[to] == r->n_stamp)) {
        return HF_STEP_PASS;
    }
    r->stamp[to] = r->n_stamp;
    r->parent_edge[to] = e;
    s->is_met = to == s->goal;
    return s->is_met ? HF_STEP_HALT : HF_STEP_ENTER;
}

bool hf_repair_has_way(hf_repair_work *r, uint32_t from, uint32_t to) {
    way_search s = {.r = r, .goal = to};
    r->n_stamp++;
    r->stack[0] = from;
    (void)hf_breadth_first(hf_rows_arcs(&r->g.out), r->stack, 1, follow, &s);
    return s.is_met;
}
