/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Deadlocks of long worms, by integer programming. The decision is co-NP-complete [verbeek2014].
 *
 *  A configuration gives every resource at most one worm. For each state (resource, tag, destination) that packets can get to
 *  there is a column "a header waits here", and for each hop of it a column "a worm lies here and goes on over this hop". Rows:
 *  a resource holds at most one of these; where a worm goes on, it lies; a header waits only if all its hops are held; no
 *  worm is a ring (these rows are added as they are needed). Only resources from which a cycle can be reached can take part. The
 *  fewest resources held are looked for. */
#include <math.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"
#include "src/bridge/glpk.h"
#include "src/core/grow.h"

enum { COLUMNS_MAX = 60000 };

/* One state, and where its columns are. */
typedef struct state {
    uint32_t resource, destination, tag;
    uint32_t header;             /* column, HF_NONE: cannot wait for ever here */
    uint32_t first_hop, n_hop;   /* in hop[] */
    uint32_t first_edge, n_edge; /* in edge[] */
} state;

typedef struct edge {
    uint32_t from, to; /* states */
    uint32_t column;
} edge;

typedef struct model {
    hf_context *cx;
    const hf_dependency *d;
    const uint32_t *level;
    hf_allocator allocator;
    state *state;
    uint32_t n_state;
    edge *edge;
    uint32_t n_edge;
    uint32_t *hop; /* resources */
    uint32_t n_hop;
    size_t state_room, edge_room, hop_room;
    uint32_t n_column;
    bool is_large;
    hf_milp *milp;
} model;

/* ---- states ---- */

static bool can_cycle(const model *m, uint32_t r) { return m->level[r] == HF_NONE; }

/* The hops of one state of the walk. */
static hf_status add_hops(model *m, const hf_walk *w, uint32_t s, hf_hop *hops, state *out) {
    const hf_plan *plan = m->d->plan;
    const size_t count = hf_plan_route(plan, w->at[s], w->in[s], w->destination, hops);
    out->first_hop = m->n_hop;
    bool waits = count > 0;
    for (size_t i = 0; i < count; i++) {
        if (!hf_bit_test(plan->faults->channel_set, hops[i].channel)) {
            HF_GROW(m->cx, m->hop, m->n_hop, m->hop_room);
            waits &= can_cycle(m, hf_dependency_resource(m->d, hops[i]));
            m->hop[m->n_hop++] = hf_dependency_resource(m->d, hops[i]);
        }
    }
    out->n_hop = m->n_hop - out->first_hop;
    out->header = waits && out->n_hop ? m->n_column++ : HF_NONE;
    return HF_OK;
}

static hf_status add_edges(model *m, const hf_walk *w, uint32_t s, const uint32_t *index, state *out) {
    out->first_edge = m->n_edge;
    for (uint32_t e = w->edge_begin[s]; e < w->edge_begin[s + 1]; e++) {
        const uint32_t to = w->edge[e];
        if (to != HF_WALK_DELIVERED && to != HF_WALK_FAULT && index[to] != HF_NONE) {
            HF_GROW(m->cx, m->edge, m->n_edge, m->edge_room);
            m->edge[m->n_edge++] = (edge){index[s], index[to], m->n_column++};
        }
    }
    out->n_edge = m->n_edge - out->first_edge;
    return HF_OK;
}

static hf_status add_destination(model *m, hf_walk *w, uint32_t destination, hf_hop *hops) {
    HF_TRY(hf_walk_explore(m->cx, w, m->d->plan, destination));
    const hf_mark mark = hf_scratch_mark(m->cx);
    uint32_t *index;
    HF_TRY(hf_scratch(m->cx, w->n_state, sizeof *index, (void **)&index));
    for (uint32_t s = 0; s < w->n_state; s++) {
        index[s] = HF_NONE;
        if (s >= m->d->plan->topo->n_terminal && can_cycle(m, hf_dependency_resource(m->d, w->in[s]))) {
            HF_GROW(m->cx, m->state, m->n_state, m->state_room);
            m->state[m->n_state] = (state){.resource = hf_dependency_resource(m->d, w->in[s]),
                                           .destination = destination,
                                           .tag = w->in[s].tag,
                                           .header = HF_NONE};
            index[s] = m->n_state++;
        }
    }
    for (uint32_t s = 0; s < w->n_state && m->n_column < COLUMNS_MAX; s++) {
        if (index[s] != HF_NONE) {
            state *out = &m->state[index[s]];
            HF_TRY(add_hops(m, w, s, hops, out));
            HF_TRY(add_edges(m, w, s, index, out));
        }
    }
    m->is_large = m->n_column >= COLUMNS_MAX;
    hf_scratch_reset(m->cx, mark);
    return HF_OK;
}

static hf_status add_states(model *m) {
    const hf_plan *plan = m->d->plan;
    hf_walk w;
    hf_hop *hops;
    HF_TRY(hf_walk_init(m->cx, plan->topo, &w));
    HF_TRY(hf_scratch(m->cx, hf_plan_room(plan), sizeof *hops, (void **)&hops));
    /* The walk's arrays grow in the arena; a first round lets them grow before marks are set. */
    for (uint32_t d = 0; d < plan->topo->n_terminal; d++) {
        HF_TRY(hf_walk_explore(m->cx, &w, plan, d));
    }
    for (uint32_t d = 0; d < plan->topo->n_terminal && !m->is_large; d++) {
        if (hf_plan_is_live(plan, d)) {
            HF_TRY(add_destination(m, &w, d, hops));
        }
    }
    return HF_OK;
}

/* ---- rows ---- */

/* Columns that lie at a state, as terms of a row. */
static void put_state(model *m, const state *s, double value) {
    if (s->header != HF_NONE) {
        hf_milp_term(m->milp, value, s->header);
    }
    for (uint32_t e = s->first_edge; e < s->first_edge + s->n_edge; e++) {
        hf_milp_term(m->milp, value, m->edge[e].column);
    }
}

static void put_resource(model *m, const hf_rows *at, uint32_t r, double value) {
    for (uint32_t i = at->begin[r]; i < at->begin[r + 1]; i++) {
        put_state(m, &m->state[at->item[i]], value);
    }
}

static hf_status resource_rows(model *m, const hf_rows *at) {
    for (uint32_t r = 0; r < m->d->n_resource; r++) {
        put_resource(m, at, r, 1);
        HF_TRY(hf_milp_terms(m->milp) ? hf_milp_at_most(m->milp, 1) : HF_OK);
    }
    return HF_OK;
}

/* The worms that go on to a state lie there. */
static hf_status going_on_rows(model *m, const hf_digraph *g) {
    for (uint32_t s = 0; s < m->n_state; s++) {
        for (uint32_t i = g->back.begin[s]; i < g->back.begin[s + 1]; i++) {
            const state *before = &m->state[g->back.item[i]];
            for (uint32_t e = before->first_edge; e < before->first_edge + before->n_edge; e++) {
                if (m->edge[e].to == s) {
                    hf_milp_term(m->milp, 1, m->edge[e].column);
                }
            }
        }
        if (hf_milp_terms(m->milp)) {
            put_state(m, &m->state[s], -1);
            HF_TRY(hf_milp_at_most(m->milp, 0));
        }
    }
    return HF_OK;
}

/* header(s) <= sum of what lies at each of its hops */
static hf_status waiting_rows(model *m, const hf_rows *at) {
    for (uint32_t s = 0; s < m->n_state; s++) {
        for (uint32_t h = 0; m->state[s].header != HF_NONE && h < m->state[s].n_hop; h++) {
            put_resource(m, at, m->hop[m->state[s].first_hop + h], -1);
            hf_milp_term(m->milp, 1, m->state[s].header);
            HF_TRY(hf_milp_at_most(m->milp, 0));
        }
    }
    return HF_OK;
}

static hf_status some_header(model *m) {
    for (uint32_t s = 0; s < m->n_state; s++) {
        if (m->state[s].header != HF_NONE) {
            hf_milp_term(m->milp, 1, m->state[s].header);
        }
    }
    return hf_milp_at_least(m->milp, 1);
}

static hf_status build(model *m) {
    uint32_t *from, *to;
    hf_rows at; /* states by resource */
    HF_TRY(hf_rows_start(m->cx, m->d->n_resource, &at));
    HF_TRY(hf_scratch(m->cx, m->n_edge, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(m->cx, m->n_edge, sizeof *to, (void **)&to));
    for (uint32_t s = 0; s < m->n_state; s++) {
        hf_rows_count(&at, m->state[s].resource);
    }
    HF_TRY(hf_rows_lay(m->cx, &at));
    for (uint32_t s = 0; s < m->n_state; s++) {
        hf_rows_put(&at, m->state[s].resource, s);
    }
    for (uint32_t e = 0; e < m->n_edge; e++) {
        from[e] = m->edge[e].from;
        to[e] = m->edge[e].to;
    }
    hf_digraph g;
    HF_TRY(hf_digraph_of_edges(m->cx, m->n_state, m->n_edge, from, to, &g));
    for (uint32_t c = 0; c < m->n_column; c++) {
        HF_TRY(hf_milp_add_binary(m->milp, 1, NULL));
    }
    HF_TRY(resource_rows(m, &at));
    HF_TRY(going_on_rows(m, &g));
    HF_TRY(waiting_rows(m, &at));
    return some_header(m);
}

/* ---- rings without a header ---- */

/* Where the worm at s goes on, or HF_NONE. */
static uint32_t state_after(const model *m, uint32_t s) {
    for (uint32_t e = m->state[s].first_edge; e < m->state[s].first_edge + m->state[s].n_edge; e++) {
        if (hf_milp_value(m->milp, m->edge[e].column)) {
            return m->edge[e].to;
        }
    }
    return HF_NONE;
}

/* Of the steps among the states of a ring, which are marked, one fewer than there are states may be taken. */
static hf_status forbid_ring(model *m, uint32_t first, uint32_t mark, const uint32_t *marks) {
    uint32_t size = 0, s = first;
    do {
        for (uint32_t e = m->state[s].first_edge; e < m->state[s].first_edge + m->state[s].n_edge; e++) {
            if (marks[m->edge[e].to] == mark) {
                hf_milp_term(m->milp, 1, m->edge[e].column);
            }
        }
        size++;
        s = state_after(m, s);
    } while (s != first);
    return hf_milp_at_most(m->milp, size - 1);
}

/* A relation that lets packets go round lets the rows above hold for a worm that bites its own tail. */
static hf_status forbid_rings(model *m, uint32_t *rings) {
    uint32_t *marks;
    const hf_mark mark = hf_scratch_mark(m->cx);
    HF_TRY(hf_scratch(m->cx, m->n_state, sizeof *marks, (void **)&marks));
    *rings = 0;
    for (uint32_t first = 0; first < m->n_state; first++) {
        uint32_t s = first;
        while (s != HF_NONE && marks[s] == 0) {
            marks[s] = first + 1;
            s = state_after(m, s);
        }
        if (s == first && marks[first] == first + 1) {
            HF_TRY(forbid_ring(m, first, first + 1, marks));
            ++*rings;
        }
    }
    hf_scratch_reset(m->cx, mark);
    return HF_OK;
}

/* Solve, forbid the rings of the solution, and again, until it has none. */
static hf_status solve(model *m, double limit_s, hf_milp_answer *answer, bool *has_solution) {
    const double end_s = hf_clock_s() + limit_s;
    uint32_t rings = 1;
    for (double left_s = limit_s; rings > 0 && left_s > 0; left_s = end_s - hf_clock_s()) {
        HF_TRY(hf_milp_solve(m->milp, left_s, answer, has_solution));
        rings = 0;
        if (*has_solution) {
            HF_TRY(forbid_rings(m, &rings));
        }
    }
    if (rings > 0) {
        *answer = HF_MILP_UNDECIDED;
        *has_solution = false;
    }
    return HF_OK;
}

/* ---- the solution as packets ---- */

static uint32_t state_before(const model *m, uint32_t s) {
    for (uint32_t e = 0; e < m->n_edge; e++) {
        if (m->edge[e].to == s && hf_milp_value(m->milp, m->edge[e].column)) {
            return m->edge[e].from;
        }
    }
    return HF_NONE;
}

static hf_status make_worm(model *m, uint32_t header, hf_blocked *b) {
    const state *s = &m->state[header];
    uint32_t length = 1;
    for (uint32_t before = header; (before = state_before(m, before)) != HF_NONE && length <= m->n_state;) {
        length++;
    }
    *b = (hf_blocked){.source = HF_NONE, .destination = s->destination, .n_hold = length, .n_wait = s->n_hop};
    HF_TRY(hf_scratch(m->cx, length, sizeof *b->hold, (void **)&b->hold));
    HF_TRY(hf_scratch(m->cx, s->n_hop, sizeof *b->wait, (void **)&b->wait));
    memcpy(b->wait, m->hop + s->first_hop, s->n_hop * sizeof *b->wait);
    uint32_t tail = header;
    for (uint32_t i = length; i-- > 0;) {
        b->hold[i] = m->state[header].resource;
        tail = header;
        header = i ? state_before(m, header) : header;
    }
    /* The way to the tail, then along the worm. */
    HF_TRY(hf_find_path(m->cx, m->d->plan, HF_NONE, m->state[tail].resource, m->state[tail].tag, b));
    return HF_OK;
}

static hf_status read_solution(model *m, hf_deadlock *out) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < m->n_state; s++) {
        count += m->state[s].header != HF_NONE && hf_milp_value(m->milp, m->state[s].header);
    }
    HF_TRY(hf_scratch(m->cx, count, sizeof *out->blocked, (void **)&out->blocked));
    for (uint32_t s = 0; s < m->n_state; s++) {
        if (m->state[s].header != HF_NONE && hf_milp_value(m->milp, m->state[s].header)) {
            HF_TRY(make_worm(m, s, &out->blocked[out->n_blocked++]));
        }
    }
    return HF_OK;
}

static hf_status search(model *m, double limit_s, hf_deadlock *out) {
    hf_milp_answer answer;
    bool has_solution;
    HF_TRY(add_states(m));
    if (m->is_large || m->n_state == 0) {
        return HF_OK;
    }
    HF_TRY(hf_milp_new(m->cx, &m->milp));
    HF_TRY(build(m));
    HF_TRY(solve(m, limit_s, &answer, &has_solution));
    if (has_solution) {
        out->answer = HF_DEADLOCK_FOUND;
        out->method = HF_METHOD_WORMS;
        out->is_smallest = answer == HF_MILP_OPTIMAL;
        return read_solution(m, out);
    }
    if (answer == HF_MILP_INFEASIBLE) {
        out->answer = HF_DEADLOCK_FREE;
        out->method = HF_METHOD_WORMS;
        memset(out->number, 0xff, out->n_resource * sizeof *out->number);
    }
    return HF_OK;
}

hf_status hf_worms_search(hf_context *cx, const hf_dependency *d, const uint32_t *level, double limit_s, hf_deadlock *out) {
    model m = {.cx = cx, .d = d, .level = level, .allocator = *hf_context_allocator(cx)};
    const hf_status status = search(&m, limit_s, out);
    hf_milp_free(m.milp);
    hf_release(&m.allocator, m.state);
    hf_release(&m.allocator, m.edge);
    hf_release(&m.allocator, m.hop);
    return status;
}
