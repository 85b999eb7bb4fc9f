/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A repair that is good but not proved the best: dependencies are allowed one by one as long as they close no cycle, those first
 * that some pair needs. A dependency that would close a cycle now would do so ever after, so it is forbidden for good; the next
 * best path of the pair takes its place. Near pairs have the fewest paths and come first. Source of the idea: paths one by one
 * into an acyclic graph [skeie2002]; here the paths may come from any routing and all into one layer. */
#include <string.h>

#include <holdfast/bitset.h>

#include "src/analysis/repair.h"

typedef enum choice { OPEN, ALLOWED, FORBIDDEN } choice;

typedef struct guess {
    hf_repair_work *r;
    uint8_t *choice;      /* by edge of r->g */
    uint64_t *seen;       /* states of the walk */
    uint32_t *came, *via; /* by state: the one before, and the edge taken or HF_NONE */
    uint32_t *deque;      /* grows both ways from the middle, `room` states each */
    uint32_t room;
    uint32_t *near, *queue; /* by node: channels to the destination; scratch */
} guess;

/* Would a dependency close a cycle of allowed ones? */
static bool closes_cycle(guess *g, uint32_t from, uint32_t to) {
    hf_repair_work *r = g->r;
    uint32_t top = 0;
    r->n_stamp++;
    r->queue[top++] = to;
    r->stamp[to] = r->n_stamp;
    while (top > 0) {
        const uint32_t v = r->queue[--top];
        if (v == from) {
            return true;
        }
        for (uint32_t e = r->g.begin[v]; e < r->g.begin[v + 1]; e++) {
            const uint32_t u = r->g.to[e];
            if (g->choice[e] == ALLOWED && r->stamp[u] != r->n_stamp) {
                r->stamp[u] = r->n_stamp;
                r->queue[top++] = u;
            }
        }
    }
    return false;
}

/* \return false: it is forbidden now */
static bool allow(guess *g, uint32_t from, uint32_t e) {
    if (g->choice[e] == OPEN) {
        g->choice[e] = closes_cycle(g, from, g->r->g.to[e]) ? FORBIDDEN : ALLOWED;
    }
    return g->choice[e] == ALLOWED;
}

/* ---- one pair ---- */

static uint32_t resource_of(const guess *g, hf_hop hop) { return hop.channel * g->r->d.n_vc + hop.vc; }

/* A way with few open dependencies and none forbidden. \return the last state before delivery, HF_NONE: there is none.
 * \param[out] last the edge to the terminal */
static uint32_t find_way(guess *g, uint32_t source, uint32_t *last) {
    hf_repair_work *r = g->r;
    const hf_walk *w = &r->walk;
    uint32_t head = g->room, tail = g->room;
    memset(g->seen, 0, hf_words(w->n_state) * sizeof *g->seen);
    hf_bit_set(g->seen, source);
    g->deque[tail++] = source;
    while (head < tail) {
        const uint32_t s = g->deque[head++];
        const size_t count = hf_plan_route(r->plan, w->at[s], w->in[s], w->destination, r->hops);
        for (size_t i = 0; i < count; i++) {
            const uint32_t target = w->edge[w->edge_begin[s] + i];
            const uint32_t e =
                w->in[s].channel == HF_NONE ? HF_NONE : hf_repair_edge(r, resource_of(g, w->in[s]), resource_of(g, r->hops[i]));
            const bool is_open = e != HF_NONE && g->choice[e] == OPEN;
            if (target == HF_WALK_FAULT || (e != HF_NONE && g->choice[e] == FORBIDDEN)) {
                continue;
            }
            if (target == HF_WALK_DELIVERED) {
                *last = e;
                return s;
            }
            if (hf_bit_test(g->seen, target)) {
                continue;
            }
            hf_bit_set(g->seen, target);
            g->came[target] = s;
            g->via[target] = e;
            if (is_open) {
                g->deque[tail++] = target;
            } else {
                g->deque[--head] = target;
            }
        }
    }
    return HF_NONE;
}

/* Allow the dependencies of some way of a pair. \return false: none is left */
static bool serve(guess *g, uint32_t source) {
    const hf_walk *w = &g->r->walk;
    for (;;) {
        uint32_t e, s = find_way(g, source, &e);
        bool ok = s != HF_NONE;
        if (!ok) {
            return false;
        }
        for (; s != source && ok; s = g->came[s]) {
            ok = e == HF_NONE || allow(g, resource_of(g, w->in[s]), e);
            e = g->via[s];
        }
        if (ok) {
            return true;
        }
    }
}

/* ---- all pairs ---- */

/* Pairs that are `length` channels apart. \param[in,out] most channels of any pair; ok: so far every pair is served in time */
static hf_status serve_length(guess *g, uint32_t length, uint32_t *most, bool *ok) {
    const hf_plan *plan = g->r->plan;
    const hf_topology *topo = plan->topo;
    for (uint32_t d = 0; d < topo->n_terminal && *ok; d++) {
        if (!hf_plan_is_live(plan, d)) {
            continue;
        }
        HF_TRY(hf_walk_explore(g->r->cx, &g->r->walk, plan, NULL, d));
        hf_distances(topo, plan->faults->channel_set, topo->n_switch + d, true, g->queue, g->near);
        for (uint32_t s = 0; s < topo->n_terminal && *ok; s++) {
            const uint32_t near = s == d || !hf_plan_is_live(plan, s) ? 0 : g->near[topo->n_switch + s];
            if (near == HF_NONE) {
                *ok = false;
            } else if (near == length) {
                *ok = serve(g, s);
            }
            *most = near != HF_NONE && near > *most ? near : *most;
        }
        *ok &= hf_clock_s() < g->r->end_s;
    }
    return HF_OK;
}

/* What no pair needs is allowed too, as far as it goes. */
static void finish(guess *g, hf_repair *out) {
    hf_repair_work *r = g->r;
    memset(r->forbidden, 0, hf_words(r->n_column) * sizeof *r->forbidden);
    out->n_forbidden = 0;
    for (uint32_t v = 0; v < r->g.n && hf_clock_s() < r->end_s; v++) {
        for (uint32_t e = r->g.begin[v]; e < r->g.begin[v + 1]; e++) {
            if (!allow(g, v, e)) {
                hf_bit_set(r->forbidden, r->column_of[e]);
                out->n_forbidden++;
            }
        }
    }
    out->is_found = hf_clock_s() < r->end_s;
}

hf_status hf_repair_guess(hf_repair_work *r, hf_repair *out) {
    guess g = {.r = r, .room = r->g.n * 4 + r->plan->topo->n_terminal + 64};
    HF_TRY(hf_scratch(r->cx, r->g.n_edge, sizeof *g.choice, (void **)&g.choice));
    HF_TRY(hf_scratch(r->cx, hf_words(g.room), sizeof *g.seen, (void **)&g.seen));
    HF_TRY(hf_scratch(r->cx, g.room, sizeof *g.came, (void **)&g.came));
    HF_TRY(hf_scratch(r->cx, g.room, sizeof *g.via, (void **)&g.via));
    HF_TRY(hf_scratch(r->cx, 2 * (size_t)g.room, sizeof *g.deque, (void **)&g.deque));
    HF_TRY(hf_scratch(r->cx, r->plan->topo->n_node, sizeof *g.near, (void **)&g.near));
    HF_TRY(hf_scratch(r->cx, r->plan->topo->n_node, sizeof *g.queue, (void **)&g.queue));
    for (uint32_t e = 0; e < r->g.n_edge; e++) {
        g.choice[e] = r->column_of[e] == HF_NONE ? ALLOWED : OPEN;
    }
    uint32_t most = 1;
    bool ok = true;
    for (uint32_t length = 1; length <= most && ok; length++) {
        HF_TRY(serve_length(&g, length, &most, &ok));
    }
    if (ok) {
        finish(&g, out);
    }
    return HF_OK;
}
