/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escapes [duato1995]: a subrelation that every packet is offered wherever it can get, and whose extended dependencies have no
 * cycle. A dependency leads from an escape resource that a packet holds to an escape hop that it asks for, directly or after hops
 * that are not escape hops; whether the packet took the held one as escape (direct, indirect) or not (cross) makes no difference
 * here. If numbers rise along all of these, a blocked packet waits for one whose last such number is higher, and so on: no set of
 * packets can wait for itself.
 *
 * Escapes of bubble rings [puente2004]: packets move by virtual cut-through, so one that waits holds one buffer, and what it asks
 * for later depends on what it holds then: direct dependencies do. Those inside a ring are left out, and every ring is taken as
 * one. Flow control keeps a free buffer on a ring, so a ring whose packets want nothing but to go on moves, and a lap later they
 * have been where they want to leave. That no packet goes round for ever is checked too. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"

static const size_t edges_limit = (size_t)1 << 28;

typedef struct court {
    const hf_plan *plan;
    const hf_escape *escape;
    const uint32_t *ring_of; /* by resource; NULL: no rings with bubbles */
    uint32_t *after;         /* by resource: what follows it on its ring */
    hf_walk walk;
    uint32_t n_resource;
    hf_hop *escapes;
    size_t n_escape;
    uint64_t *is_escape;                  /* n_resource bits: offered as escape for some destination */
    uint64_t *edge;                       /* n_resource x words: extended dependencies, as bits over slots of escape resources */
    uint32_t *index, *resource_of, count; /* escape resources */
    /* per destination */
    uint32_t *target; /* state, or HF_NONE when the hop ends at the destination */
    uint8_t *is_r1;
    uint32_t n_hop, hop_room, state_room;
    uint32_t *stamp, *queue;
} court;

static uint32_t resource(const court *c, hf_hop hop) { return hop.channel * c->plan->n_vc + hop.vc; }

static bool same(hf_hop a, hf_hop b) { return a.channel == b.channel && a.vc == b.vc && a.tag == b.tag; }

static bool is_terminal_channel(const hf_topology *topo, uint32_t channel) { return topo->link[channel] >= topo->n_switch_link; }

static bool is_escape_hop(const court *c, hf_hop hop) {
    if (is_terminal_channel(c->plan->topo, hop.channel)) {
        return true;
    }
    if (!c->escape->is_declared) {
        return hop.vc < 64 && (c->escape->vcs >> hop.vc & 1);
    }
    for (size_t i = 0; i < c->n_escape; i++) {
        if (same(c->escapes[i], hop)) {
            return true;
        }
    }
    return false;
}

/* ---- the states of one destination, with hops ---- */

static hf_status make_room(hf_context *cx, court *c) {
    if (c->state_room < c->walk.n_state + 1) {
        c->state_room = 2 * c->walk.n_state + 64;
        HF_TRY(hf_scratch(cx, c->state_room, sizeof *c->stamp, (void **)&c->stamp));
        HF_TRY(hf_scratch(cx, c->state_room, sizeof *c->queue, (void **)&c->queue));
    }
    if (c->hop_room < c->walk.n_edge) {
        c->hop_room = 2 * c->walk.n_edge + 64;
        HF_TRY(hf_scratch(cx, c->hop_room, sizeof *c->target, (void **)&c->target));
        HF_TRY(hf_scratch(cx, c->hop_room, sizeof *c->is_r1, (void **)&c->is_r1));
    }
    return HF_OK;
}

/* Which hops of a state are escapes. \param[out] ok false if a packet is offered no escape here */
static hf_status read_state(hf_context *cx, court *c, uint32_t state, bool *ok) {
    const hf_plan *plan = c->plan;
    const uint32_t at = c->walk.at[state], d = c->walk.destination;
    const uint32_t begin = c->walk.edge_begin[state], end = c->walk.edge_begin[state + 1];
    if (c->escape->is_declared) {
        HF_TRY(hf_plan_read_escape(cx, plan, at, c->walk.in[state], d, c->escapes, &c->n_escape));
    }
    bool any = begin == end && state < plan->topo->n_terminal; /* never sent */
    for (uint32_t e = begin; e < end; e++) {
        const uint32_t to = c->walk.edge[e];
        c->target[e] = to == HF_WALK_DELIVERED || to == HF_WALK_FAULT ? HF_NONE : to;
        c->is_r1[e] = to != HF_WALK_FAULT && is_escape_hop(c, c->walk.hops[e]);
        any |= c->is_r1[e];
    }
    *ok = any;
    return HF_OK;
}

static hf_status read_destination(hf_context *cx, court *c, uint32_t d, bool *ok) {
    HF_TRY(hf_walk_explore(cx, &c->walk, c->plan, d));
    HF_TRY(make_room(cx, c));
    for (uint32_t s = 0; s < c->walk.n_state && *ok; s++) {
        const bool counts = s >= c->plan->topo->n_terminal || (s != d && hf_plan_is_live(c->plan, s));
        HF_TRY(counts ? read_state(cx, c, s, ok) : HF_OK);
    }
    return HF_OK;
}

/* ---- rings with bubbles ---- */

static bool in_one_ring(const court *c, uint32_t a, uint32_t b) {
    return c->ring_of && c->ring_of[a] != HF_NONE && c->ring_of[a] == c->ring_of[b];
}

/* A packet on a ring goes on to one resource of it, if it stays. \return false if there are two */
static bool follow_ring(court *c, uint32_t state) {
    const uint32_t held = resource(c, c->walk.in[state]);
    for (uint32_t e = c->walk.edge_begin[state]; e < c->walk.edge_begin[state + 1]; e++) {
        const uint32_t next = resource(c, c->walk.hops[e]);
        if (in_one_ring(c, held, next)) {
            if (c->after[held] != HF_NONE && c->after[held] != next) {
                return false;
            }
            c->after[held] = next;
        }
    }
    return true;
}

static hf_arcs arcs_of(const court *c) { return (hf_arcs){.begin = c->walk.edge_begin, .to = c->target}; }

static hf_step leave(void *user, uint32_t from, uint32_t hop, uint32_t to) {
    (void)from;
    (void)hop;
    const court *c = user;
    return to != HF_NONE && --c->stamp[to] == 0;
}

/* Can no packet for this destination go round for ever? By taking out states that all others have left. */
static bool is_bounded(court *c) {
    const uint32_t n = c->walk.n_state;
    uint32_t tail = 0;
    memset(c->stamp, 0, n * sizeof *c->stamp); /* hops that lead to a state */
    for (uint32_t e = 0; e < c->walk.n_edge; e++) {
        if (c->target[e] != HF_NONE) {
            c->stamp[c->target[e]]++;
        }
    }
    for (uint32_t s = 0; s < n; s++) {
        if (c->stamp[s] == 0) {
            c->queue[tail++] = s;
        }
    }
    return hf_breadth_first(arcs_of(c), c->queue, tail, leave, c) == n;
}

static bool check_rings(court *c) {
    bool ok = is_bounded(c);
    for (uint32_t s = c->plan->topo->n_terminal; s < c->walk.n_state && ok; s++) {
        ok = follow_ring(c, s);
    }
    return ok;
}

/* ---- extended dependencies ---- */

static size_t words_of(const court *c) { return hf_words(c->count); }

typedef struct sight {
    const court *c;
    uint64_t *edge; /* escape hops in sight */
    uint32_t stamp;
} sight;

static hf_step look(void *user, uint32_t from, uint32_t hop, uint32_t to) {
    (void)from;
    const sight *s = user;
    const court *c = s->c;
    if (c->is_r1[hop]) {
        hf_bit_set(s->edge, c->index[resource(c, c->walk.hops[hop])]);
        return HF_STEP_PASS;
    }
    if (c->ring_of || to == HF_NONE || c->stamp[to] == s->stamp) {
        return HF_STEP_PASS;
    }
    c->stamp[to] = s->stamp;
    return HF_STEP_ENTER;
}

/* From state `s`, over hops that are no escape hops, all escape hops that come into sight: they depend on what is held at s. */
static void extend(court *c, uint32_t s) {
    const uint32_t held = resource(c, c->walk.in[s]);
    if (!hf_bit_test(c->is_escape, held)) {
        return;
    }
    sight from_here = {c, c->edge + (size_t)c->index[held] * words_of(c), s + 1};
    c->queue[0] = s;
    c->stamp[s] = s + 1;
    (void)hf_breadth_first(arcs_of(c), c->queue, 1, look, &from_here);
}

static hf_status each_destination(hf_context *cx, court *c, bool extends, bool *ok) {
    const hf_topology *topo = c->plan->topo;
    for (uint32_t d = 0; d < topo->n_terminal && *ok; d++) {
        if (!hf_plan_is_live(c->plan, d)) {
            continue;
        }
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while looking at an escape");
        }
        HF_TRY(read_destination(cx, c, d, ok));
        if (*ok && extends && c->ring_of) {
            *ok = check_rings(c);
        }
        if (!*ok) {
            return HF_OK;
        }
        if (!extends) {
            for (uint32_t e = 0; e < c->walk.n_edge; e++) {
                if (c->is_r1[e]) {
                    hf_bit_set(c->is_escape, resource(c, c->walk.hops[e]));
                }
            }
            continue;
        }
        memset(c->stamp, 0, c->walk.n_state * sizeof *c->stamp);
        for (uint32_t s = topo->n_terminal; s < c->walk.n_state; s++) {
            extend(c, s);
        }
    }
    return HF_OK;
}

/* ---- the verdict ---- */

static hf_status count_escapes(hf_context *cx, court *c) {
    HF_TRY(hf_scratch(cx, c->n_resource, sizeof *c->index, (void **)&c->index));
    HF_TRY(hf_scratch(cx, c->n_resource, sizeof *c->resource_of, (void **)&c->resource_of));
    for (uint32_t r = 0; r < c->n_resource; r++) {
        if (hf_bit_test(c->is_escape, r)) {
            c->resource_of[c->count] = r;
            c->index[r] = c->count++;
        }
    }
    return HF_OK;
}

/* The first escape resource of each ring stands for all of it. */
static hf_status represent(hf_context *cx, const court *c, uint32_t **out) {
    uint32_t *first;
    HF_TRY(hf_scratch(cx, c->count, sizeof **out, (void **)out));
    HF_TRY(hf_scratch(cx, c->n_resource, sizeof *first, (void **)&first));
    memset(first, 0xff, c->n_resource * sizeof *first); /* HF_NONE */
    for (uint32_t a = 0; a < c->count; a++) {
        const uint32_t ring = c->ring_of ? c->ring_of[c->resource_of[a]] : HF_NONE;
        if (ring != HF_NONE && first[ring] == HF_NONE) {
            first[ring] = a;
        }
        (*out)[a] = ring == HF_NONE ? a : first[ring];
    }
    return HF_OK;
}

static hf_status number_escapes(hf_context *cx, const court *c, bool *ok, uint32_t *number) {
    uint32_t *from, *to, *level, n = 0, levelled, highest = 0;
    const size_t words = words_of(c);
    const uint64_t edges = hf_bits_count(c->edge, c->count * words);
    if (edges >= edges_limit) {
        *ok = false;
        return HF_OK;
    }
    uint32_t *stands;
    HF_TRY(represent(cx, c, &stands));
    HF_TRY(hf_scratch(cx, edges, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(cx, edges, sizeof *to, (void **)&to));
    HF_TRY(hf_scratch(cx, c->count, sizeof *level, (void **)&level));
    for (uint32_t a = 0; a < c->count; a++) {
        const uint64_t *row = c->edge + a * words;
        for (size_t b = hf_bits_next(row, c->count, 0); b < c->count; b = hf_bits_next(row, c->count, b + 1)) {
            if (!in_one_ring(c, c->resource_of[a], c->resource_of[b])) {
                from[n] = stands[a];
                to[n++] = stands[b];
            }
        }
    }
    hf_digraph g;
    HF_TRY(hf_digraph_of_edges(cx, c->count, n, from, to, &g));
    HF_TRY(hf_digraph_levels(cx, &g, level, &levelled));
    *ok = levelled == c->count;
    for (uint32_t a = 0; a < c->count && *ok; a++) {
        highest = level[a] > highest ? level[a] : highest;
    }
    memset(number, 0xff, c->n_resource * sizeof *number); /* HF_NONE */
    for (uint32_t a = 0; a < c->count && *ok; a++) {
        number[c->resource_of[a]] = highest - level[stands[a]];
    }
    return HF_OK;
}

static hf_status check(hf_context *cx, court *c, bool *ok, uint32_t *number) {
    HF_TRY(hf_walk_init(cx, c->plan->topo, &c->walk));
    HF_TRY(hf_scratch(cx, hf_plan_room(c->plan), sizeof *c->escapes, (void **)&c->escapes));
    HF_TRY(hf_scratch(cx, hf_words(c->n_resource), sizeof *c->is_escape, (void **)&c->is_escape));
    HF_TRY(hf_scratch(cx, c->n_resource, sizeof *c->after, (void **)&c->after));
    memset(c->after, 0xff, c->n_resource * sizeof *c->after); /* HF_NONE */
    HF_TRY(each_destination(cx, c, false, ok));
    if (!*ok) {
        return HF_OK;
    }
    HF_TRY(count_escapes(cx, c));
    if ((uint64_t)c->count * words_of(c) > edges_limit / 4) {
        *ok = false; /* more than half a GiB of extended dependencies */
        return HF_OK;
    }
    HF_TRY(hf_scratch(cx, c->count * words_of(c), sizeof *c->edge, (void **)&c->edge));
    HF_TRY(each_destination(cx, c, true, ok));
    return *ok ? number_escapes(cx, c, ok, number) : HF_OK;
}

hf_status hf_escape_check(hf_context *cx, const hf_plan *plan, const hf_escape *escape, const uint32_t *ring_of, bool *ok,
                          uint32_t *number) {
    court c = {.plan = plan, .escape = escape, .ring_of = ring_of, .n_resource = plan->topo->n_channel * plan->n_vc};
    const hf_mark mark = hf_scratch_mark(cx);
    *ok = true;
    const hf_status status = check(cx, &c, ok, number);
    hf_scratch_reset(cx, mark);
    return status;
}
