/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest components that part a network. Whoever leaves every pair of neighbours in a ring of terminals connected leaves all
 *  connected, so the smallest cut is that of one of these pairs. A pair is cut by flows; where a component takes several
 *  channels down that is no flow any more, and a program hits paths, one more each time that its set leaves one. */
#include <string.h>

#include "src/analysis/weakest/menger.h"
#include "src/bridge/glpk.h"
#include "src/core/clock.h"
#include "src/core/rows.h"

typedef struct cut {
    hf_context *cx;
    const hf_universe *universe;
    const hf_criterion *criterion;
    bool is_flow;
    hf_menger flow;
    hf_rows takers;       /* where it is none: components that take each channel down */
    bool *is_hit;         /* n_component */
    uint32_t *queue, *by; /* n_node; n_node: the channel by which it was reached */
    double end_s;
    bool want_paths, is_over;
    hf_weakest *out;
} cut;

static hf_status keep(cut *c, const uint32_t *component, uint32_t n) {
    memcpy(c->out->component, component, n * sizeof *component);
    c->out->n = n;
    c->out->is_possible = true;
    return HF_OK;
}

/* ---- a pair by flows ---- */

/* Components that part the pair, if there are fewer than `below`. \param[out] n `below`: there are not */
static hf_status flow_pair(cut *c, uint32_t from, uint32_t to, uint32_t below, uint32_t *set, uint32_t *n) {
    *n = hf_menger_find(&c->flow, from, to, below);
    if (*n < below) {
        hf_menger_cut(&c->flow, c->universe, set, n);
    }
    return HF_OK;
}

/* ---- a pair by hitting sets ---- */

static bool is_down(const cut *c, uint32_t channel) {
    for (uint32_t i = c->takers.begin[channel]; i < c->takers.begin[channel + 1]; i++) {
        if (c->is_hit[c->takers.item[i]]) {
            return true;
        }
    }
    return false;
}

/* A shortest path without the components that are hit, to be followed back by c->by. */
static bool find_path(cut *c, uint32_t from, uint32_t to) {
    const hf_topology *topo = c->universe->topo;
    uint32_t head = 0, tail = 0;
    memset(c->by, 0xff, topo->n_node * sizeof *c->by);
    c->queue[tail++] = from;
    while (head < tail && c->by[to] == HF_NONE) {
        const uint32_t v = c->queue[head++];
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t channel = topo->out_list[i], w = topo->to[channel];
            const bool goes_on = w == to || !hf_topology_is_terminal(topo, w);
            if (goes_on && w != from && c->by[w] == HF_NONE && !is_down(c, channel)) {
                c->by[w] = channel;
                c->queue[tail++] = w;
            }
        }
    }
    return c->by[to] != HF_NONE;
}

/* A row of the program: some component of the path fails. \param[out] is_fragile is there any? */
static hf_status add_path(cut *c, hf_milp *milp, uint32_t from, uint32_t to, hf_weakest_lists *path, bool *is_fragile) {
    const hf_topology *topo = c->universe->topo;
    bool *is_term;
    uint32_t length = 0;
    const hf_mark mark = hf_scratch_mark(c->cx);
    HF_TRY(hf_scratch(c->cx, c->universe->n_component, sizeof *is_term, (void **)&is_term));
    for (uint32_t v = to; v != from; v = topo->from[c->by[v]]) {
        const uint32_t channel = c->by[v];
        c->queue[length++] = channel;
        for (uint32_t i = c->takers.begin[channel]; i < c->takers.begin[channel + 1]; i++) {
            const uint32_t x = c->takers.item[i];
            if (!is_term[x]) {
                hf_milp_term(milp, 1, x);
            }
            is_term[x] = true;
        }
    }
    hf_scratch_reset(c->cx, mark);
    *is_fragile = hf_milp_terms(milp) > 0;
    if (c->want_paths) {
        HF_TRY(hf_weakest_list_item(c->cx, path, from));
        HF_TRY(hf_weakest_list_item(c->cx, path, to));
        for (uint32_t i = length; i-- > 0;) {
            HF_TRY(hf_weakest_list_item(c->cx, path, c->queue[i]));
        }
        HF_TRY(hf_weakest_list_end(c->cx, path));
    }
    return *is_fragile ? hf_milp_at_least(milp, 1) : HF_OK;
}

static hf_status solve(cut *c, hf_milp *milp, uint32_t *set, uint32_t *n, bool *is_solved) {
    hf_milp_answer answer = HF_MILP_UNDECIDED;
    bool has_solution;
    const double left = c->end_s - hf_clock_s();
    *n = 0;
    HF_TRY(left > 0 ? hf_milp_solve(milp, left, &answer, &has_solution) : HF_OK);
    *is_solved = answer == HF_MILP_OPTIMAL;
    for (uint32_t i = 0; *is_solved && i < c->universe->n_component; i++) {
        if (hf_milp_value(milp, i)) {
            set[(*n)++] = i;
        }
    }
    return HF_OK;
}

static hf_status hit_paths(cut *c, hf_milp *milp, uint32_t from, uint32_t to, uint32_t below, hf_weakest_lists *path,
                           uint32_t *set, uint32_t *n) {
    bool is_solved = true, is_fragile = true;
    for (uint32_t i = 0; i < c->universe->n_component; i++) {
        HF_TRY(hf_milp_add_binary(milp, 1, NULL));
    }
    for (*n = 0; *n < below;) {
        memset(c->is_hit, 0, c->universe->n_component * sizeof *c->is_hit);
        for (uint32_t i = 0; i < *n; i++) {
            c->is_hit[set[i]] = true;
        }
        if (!find_path(c, from, to)) {
            return HF_OK;
        }
        HF_TRY(add_path(c, milp, from, to, path, &is_fragile));
        HF_TRY(is_fragile ? solve(c, milp, set, n, &is_solved) : HF_OK);
        *n = is_fragile && is_solved ? *n : below;
        c->is_over |= !is_solved;
    }
    *n = below;
    return HF_OK;
}

static hf_status hit_pair(cut *c, uint32_t from, uint32_t to, uint32_t below, hf_weakest_lists *path, uint32_t *set,
                          uint32_t *n) {
    hf_milp *milp = NULL;
    hf_status status;
    HF_TRY(hf_milp_new(c->cx, &milp));
    status = hit_paths(c, milp, from, to, below, path, set, n);
    hf_milp_free(milp);
    return status;
}

/* ---- all pairs ---- */

/* Once more, for the paths: those that flows and programs now find are as many as the smallest cut has components. */
static hf_status look_at(cut *c, uint32_t from, uint32_t to, bool is_last, uint32_t *set) {
    const uint32_t below = c->out->is_possible ? c->out->n : c->universe->n_component + 1;
    uint32_t n;
    HF_TRY(hf_context_go_on(c->cx, "looking for the fewest components that part the network"));
    if (!c->is_flow) {
        HF_TRY(hit_pair(c, from, to, below, &c->out->path, set, &n));
    } else {
        HF_TRY(flow_pair(c, from, to, below, set, &n));
        HF_TRY(is_last ? hf_menger_paths(c->cx, &c->flow, from, to, &c->out->path) : HF_OK);
    }
    return n < below ? keep(c, set, n) : HF_OK;
}

static hf_status look_at_all(cut *c, bool is_last, uint32_t *set) {
    uint32_t first, n;
    hf_weakest_ends(c->universe->topo, c->criterion, &first, &n);
    if (hf_weakest_is_ring(c->universe->topo, c->criterion)) {
        for (uint32_t i = 0; i < n && n > 1; i++) {
            HF_TRY(look_at(c, first + i, first + (i + 1) % n, is_last, set));
        }
        return HF_OK;
    }
    for (uint64_t i = 0; i < (uint64_t)n * n; i++) {
        if (i / n != i % n) {
            HF_TRY(look_at(c, first + (uint32_t)(i / n), first + (uint32_t)(i % n), is_last, set));
        }
    }
    return HF_OK;
}

static hf_status prepare(cut *c) {
    const hf_universe *u = c->universe;
    const hf_status status = hf_menger_init(c->cx, u, &c->flow);
    c->is_flow = status == HF_OK;
    if (status != HF_ENOTSUP) {
        return status;
    }
    hf_context_clear(c->cx);
    const hf_rows channels = {.n = u->n_component, .begin = u->channel_begin, .item = u->channel};
    HF_TRY(hf_rows_turn(c->cx, &channels, u->topo->n_channel, &c->takers));
    HF_TRY(hf_scratch(c->cx, u->n_component, sizeof *c->is_hit, (void **)&c->is_hit));
    HF_TRY(hf_scratch(c->cx, u->topo->n_channel + u->topo->n_node, sizeof *c->queue, (void **)&c->queue));
    return hf_scratch(c->cx, u->topo->n_node, sizeof *c->by, (void **)&c->by);
}

hf_status hf_weakest_cut(hf_context *cx, const hf_universe *universe, const hf_criterion *criterion, double limit_s,
                         bool want_paths, hf_weakest *out) {
    cut c = {.cx = cx, .universe = universe, .criterion = criterion, .end_s = hf_clock_s() + limit_s, .out = out};
    uint32_t *set;
    out->is_possible = false;
    HF_TRY(prepare(&c));
    HF_TRY(hf_scratch(cx, universe->n_component, sizeof *set, (void **)&set));
    HF_TRY(look_at_all(&c, false, set));
    c.want_paths = want_paths;
    HF_TRY(want_paths && !c.is_over ? look_at_all(&c, true, set) : HF_OK);
    out->is_exact = !c.is_over;
    out->proof = c.is_over ? HF_WEAKEST_NONE : HF_WEAKEST_PATHS;
    out->least = c.is_over ? out->least : out->is_possible ? out->n : universe->n_component + 1;
    return HF_OK;
}
