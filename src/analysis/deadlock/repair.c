/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest dependencies, or turns, to forbid so that no cycle is left among those that packets bring about, and every packet
 *  arrives. Either nothing else changes, and no packet may come to where all its hops are forbidden; or packets look ahead: a hop
 *  behind which no way to the destination is left is not offered.
 *
 *  A program with a binary column for each dependency (or turn). Rows say what every repair does, and are added as solutions
 *  break them; a solution that breaks none is one of the fewest: - a cycle is broken, or one of the ways by which packets come to
 *  use its dependencies (and, looking ahead, go on from there); - where a packet is stuck: one of its hops is allowed, or the way
 *  there is forbidden; - looking ahead, for a pair without a way: not all of the forbidden hops are that lead out of what its
 *  packets reach. */
#include <math.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/repair_states.h"

enum { COLUMNS_MAX = 20000, ROWS_A_ROUND = 200 };

typedef hf_repair_work repair;

/* ---- columns ---- */

/* Direction of a channel on a grid: 2 * dimension, odd backwards; HF_NONE elsewhere. */
static uint32_t direction_of(const hf_topology *topo, const hf_attribute *dimension, uint32_t channel) {
    const uint32_t link = topo->link[channel];
    if (link >= topo->n_switch_link || dimension->of_link[link] == HF_NONE) {
        return HF_NONE;
    }
    return 2 * dimension->of_link[link] + (topo->forward[link] != channel);
}

static void name_edge(repair *r, uint32_t e, uint32_t *column) {
    if (*column == HF_NONE) {
        r->first_edge[r->n_column] = e;
        *column = r->n_column++;
    }
    r->column_of[e] = *column;
}

static hf_status name_turns(repair *r) {
    const hf_topology *topo = r->plan->topo;
    const hf_attribute *dimension = hf_topology_attribute(topo, "dimension");
    if (!dimension) {
        HF_FAIL(r->cx, HF_ENOTSUP, "topology \"%s\" has no directions; turns are those of grids", topo->spec);
    }
    uint32_t turn[2 * HF_DIMS_MAX * 2 * HF_DIMS_MAX];
    memset(turn, 0xff, sizeof turn);
    for (uint32_t v = 0; v < r->g.n; v++) {
        for (uint32_t e = r->g.out.begin[v]; e < r->g.out.begin[v + 1]; e++) {
            const uint32_t a = direction_of(topo, dimension, v / r->d.n_vc),
                           b = direction_of(topo, dimension, r->g.out.item[e] / r->d.n_vc);
            if (a != HF_NONE && b != HF_NONE && a != b) {
                name_edge(r, e, &turn[a * 2 * HF_DIMS_MAX + b]);
            }
        }
    }
    return HF_OK;
}

static hf_status name_columns(repair *r, bool by_turns) {
    r->n_column = 0;
    memset(r->column_of, 0xff, r->g.n_edge * sizeof *r->column_of);
    if (by_turns) {
        return name_turns(r);
    }
    for (uint32_t e = 0; e < r->g.n_edge; e++) {
        uint32_t column = HF_NONE;
        name_edge(r, e, &column);
    }
    return HF_OK;
}

/* ---- what cannot be forbidden ---- */

static void keep(repair *r, uint32_t column) {
    for (uint32_t e = 0; e < r->g.n_edge; e++) {
        r->column_of[e] = r->column_of[e] == column ? HF_NONE : r->column_of[e];
    }
}

/* The one column of which a packet at v, which no repair keeps away from there, needs a hop; HF_NONE: it has hops without one, or
 * of several. \param[out] is_dead it has none at all */
static uint32_t needed(const repair *r, uint32_t v, bool *is_dead) {
    const hf_repair_states *s = &r->s;
    uint32_t column = HF_NONE, n = 0;
    for (uint32_t h = s->begin[v]; h < s->begin[v + 1]; h++) {
        if (r->looks_ahead && !hf_repair_is_offered(r, h)) {
            continue;
        }
        const uint32_t e = s->edge[h], c = e == HF_NONE ? HF_NONE : r->column_of[e];
        if (n > 0 && c != column) {
            return HF_NONE;
        }
        column = c;
        n++;
    }
    *is_dead = n == 0;
    return column;
}

/* Go on from v to where packets get whatever is forbidden: all hops without a column; looking ahead, a hop that is the only
 * one. */
static uint32_t go_on(const repair *r, uint32_t v, uint64_t *met, uint32_t *list, uint32_t tail) {
    const hf_repair_states *s = &r->s;
    uint32_t n = 0;
    for (uint32_t h = s->begin[v]; h < s->begin[v + 1]; h++) {
        n += !r->looks_ahead || hf_repair_is_offered(r, h);
    }
    for (uint32_t h = s->begin[v]; h < s->begin[v + 1] && (!r->looks_ahead || n == 1); h++) {
        const uint32_t e = s->edge[h], to = s->to[h];
        const bool is_open = (e == HF_NONE || r->column_of[e] == HF_NONE) && hf_repair_is_offered(r, h);
        if (is_open && to != HF_REPAIR_DELIVERED && !hf_bit_test(met, to)) {
            hf_bit_set(met, to);
            list[tail++] = to;
        }
    }
    return tail;
}

/* Columns that every repair leaves alone are none. Nothing is forbidden yet. \param[out] possible false: a packet is stuck
 * whatever is forbidden */
static hf_status drop_needed(repair *r, bool *possible) {
    const hf_repair_states *s = &r->s;
    uint64_t *met;
    uint32_t *list;
    HF_TRY(hf_scratch(r->cx, hf_words(s->n), sizeof *met, (void **)&met));
    HF_TRY(hf_scratch(r->cx, s->n, sizeof *list, (void **)&list));
    *possible = true;
    for (bool changed = true; changed && hf_clock_s() < r->end_s;) {
        uint32_t tail = 0;
        changed = false;
        memset(met, 0, hf_words(s->n) * sizeof *met);
        for (uint32_t i = 0; i < s->n_root; i++) {
            hf_bit_set(met, s->root[i]);
            list[tail++] = s->root[i];
        }
        for (uint32_t head = 0; head < tail; head++) {
            bool is_dead = false;
            const uint32_t column = needed(r, list[head], &is_dead);
            if (is_dead) {
                *possible = false;
                return HF_OK;
            }
            if (column != HF_NONE) {
                keep(r, column);
                changed = true;
            }
            tail = go_on(r, list[head], met, list, tail);
        }
    }
    return HF_OK;
}

static void number_columns(repair *r) {
    uint32_t n = 0;
    memset(r->stamp, 0xff, r->n_column * sizeof *r->stamp);
    for (uint32_t e = 0; e < r->g.n_edge; e++) {
        const uint32_t old = r->column_of[e];
        if (old != HF_NONE && r->stamp[old] == HF_NONE) {
            r->stamp[old] = n;
            r->first_edge[n++] = e;
        }
        r->column_of[e] = old == HF_NONE ? HF_NONE : r->stamp[old];
    }
    r->n_column = n;
    memset(r->stamp, 0, (size_t)(r->g.n_edge + r->g.n) * sizeof *r->stamp);
    r->n_stamp = 0;
}

/* ---- rows ---- */

/* A row is a set of columns, of which one is to be forbidden (sign 1) or allowed (sign -1). */
typedef struct clause {
    uint32_t n, n_negative;
} clause;

static void put(repair *r, clause *c, uint32_t edge, bool is_negative) {
    const uint32_t column = edge == HF_NONE ? HF_NONE : r->column_of[edge];
    if (column != HF_NONE && !hf_bit_test(r->in_row, column)) {
        hf_bit_set(r->in_row, column);
        hf_milp_term(r->milp, is_negative ? -1 : 1, column);
        r->row[c->n++] = column;
        c->n_negative += is_negative;
    }
}

static void put_way_to(repair *r, clause *c, uint32_t state) {
    for (uint32_t h = r->by[state]; h != HF_NONE - 1; h = r->by[r->s.of[h]]) {
        put(r, c, r->s.edge[h], false);
    }
}

static void put_way_from(repair *r, clause *c, uint32_t state) {
    while (state != HF_REPAIR_DELIVERED) {
        put(r, c, r->s.edge[r->on[state]], false);
        state = r->s.to[r->on[state]];
    }
}

/* \return HF_ENOTSUP: an empty row, which nothing fulfils */
static hf_status add(repair *r, const clause *c) {
    for (uint32_t i = 0; i < c->n; i++) {
        hf_bit_clear(r->in_row, r->row[i]);
    }
    return c->n == 0 ? HF_ENOTSUP : hf_milp_at_least(r->milp, 1 - (double)c->n_negative);
}

/* ---- cycles that are left ---- */

/* All by which packets close the cycle through `root`. */
static hf_status add_cycle(repair *r, uint32_t root) {
    clause c = {0};
    uint32_t v = root;
    do {
        const uint32_t e = r->parent_edge[v], h = r->user[e];
        hf_bit_set(r->is_shut, e);
        put(r, &c, e, false);
        put_way_to(r, &c, r->s.of[h]);
        if (r->looks_ahead) {
            put_way_from(r, &c, r->s.to[h]);
        }
        v = hf_repair_tail(r, e);
    } while (v != root);
    return add(r, &c);
}

static hf_status add_cycles(repair *r, uint32_t *count) {
    hf_repair_shut_unused(r);
    for (uint32_t root = 0; root < r->g.n && *count < ROWS_A_ROUND && hf_clock_s() < r->end_s; root++) {
        while (r->level[root] == HF_NONE && hf_repair_has_way(r, root, root)) {
            HF_TRY(add_cycle(r, root));
            ++*count;
        }
    }
    return HF_OK;
}

/* ---- packets that do not arrive ---- */

/* States that packets reach and cannot leave. */
static hf_status add_stuck(repair *r, uint32_t *count) {
    const hf_repair_states *s = &r->s;
    for (uint32_t v = 0; v < s->n && *count < ROWS_A_ROUND; v++) {
        if (r->by[v] == HF_NONE || hf_repair_has_hops(r, v)) {
            continue;
        }
        clause c = {0};
        put_way_to(r, &c, v);
        for (uint32_t h = s->begin[v]; h < s->begin[v + 1]; h++) {
            put(r, &c, s->edge[h], true);
        }
        HF_TRY(add(r, &c));
        ++*count;
    }
    return HF_OK;
}

typedef struct cut {
    repair *r;
    clause c;
    uint64_t *met;
} cut;

static hf_step cross(void *user, uint32_t from, uint32_t hop, uint32_t to) {
    (void)from;
    cut *k = user;
    if (hf_repair_is_forbidden(k->r, k->r->s.edge[hop])) {
        put(k->r, &k->c, k->r->s.edge[hop], true);
        return HF_STEP_PASS;
    }
    const bool is_new = !hf_bit_test(k->met, to); /* not delivered: there is no way */
    hf_bit_set(k->met, to);
    return is_new;
}

/* The forbidden hops out of all that packets from `root`, which has no way, reach. */
static hf_status add_cut(repair *r, uint32_t root) {
    cut k = {.r = r};
    const hf_mark mark = hf_scratch_mark(r->cx);
    HF_TRY(hf_scratch(r->cx, hf_words(r->s.n), sizeof *k.met, (void **)&k.met));
    hf_bit_set(k.met, root);
    r->queue[0] = root;
    (void)hf_breadth_first((hf_arcs){.begin = r->s.begin, .to = r->s.to}, r->queue, 1, cross, &k);
    hf_scratch_reset(r->cx, mark);
    return add(r, &k.c);
}

static hf_status add_cuts(repair *r, uint32_t *count) {
    for (uint32_t i = 0; i < r->s.n_root && *count < ROWS_A_ROUND && hf_clock_s() < r->end_s; i++) {
        if (!hf_bit_test(r->is_good, r->s.root[i])) {
            HF_TRY(add_cut(r, r->s.root[i]));
            ++*count;
        }
    }
    return HF_OK;
}

/* ---- the rounds ---- */

static void take_solution(repair *r, hf_repair *out) {
    out->n_forbidden = 0;
    for (uint32_t c = 0; c < r->n_column; c++) {
        hf_bit_clear(r->forbidden, c);
        if (hf_milp_value(r->milp, c)) {
            hf_bit_set(r->forbidden, c);
            out->n_forbidden++;
        }
    }
}

/* What the present solution breaks. */
static hf_status add_rows(repair *r, uint32_t *count) {
    *count = 0;
    hf_repair_look(r);
    HF_TRY(r->looks_ahead ? add_cuts(r, count) : add_stuck(r, count));
    return add_cycles(r, count);
}

static hf_status rounds(repair *r, hf_repair *out) {
    while (hf_clock_s() < r->end_s) {
        uint32_t n_row;
        hf_milp_answer answer;
        bool has_solution;
        const hf_status status = add_rows(r, &n_row);
        if (status == HF_ENOTSUP) {
            out->is_impossible = true;
            return HF_OK;
        }
        HF_TRY(status);
        if (hf_clock_s() >= r->end_s) {
            return HF_OK;
        }
        if (n_row == 0) {
            out->is_found = out->is_fewest = true;
            return HF_OK;
        }
        if (hf_context_stopped(r->cx)) {
            HF_FAIL(r->cx, HF_ESTOP, "stopped while looking for a repair");
        }
        HF_TRY(hf_milp_solve(r->milp, fmax(r->end_s - hf_clock_s(), 0.001), &answer, &has_solution));
        if (answer != HF_MILP_OPTIMAL) {
            out->is_impossible = answer == HF_MILP_INFEASIBLE;
            return HF_OK;
        }
        take_solution(r, out);
        out->lower_bound = out->n_forbidden;
    }
    return HF_OK;
}

/* ---- all together ---- */

static hf_status list_forbidden(repair *r, hf_repair *out) {
    uint32_t n = 0;
    out->n_forbidden = out->is_found ? (uint32_t)hf_bits_count(r->forbidden, hf_words(r->n_column)) : 0;
    HF_TRY(hf_scratch(r->cx, out->n_forbidden, sizeof *out->from, (void **)&out->from));
    HF_TRY(hf_scratch(r->cx, out->n_forbidden, sizeof *out->to, (void **)&out->to));
    for (uint32_t c = 0; c < r->n_column && out->is_found; c++) {
        if (hf_bit_test(r->forbidden, c)) {
            out->from[n] = hf_repair_tail(r, r->first_edge[c]);
            out->to[n++] = r->g.out.item[r->first_edge[c]];
        }
    }
    return HF_OK;
}

static hf_status allocate(repair *r) {
    const size_t edges = r->g.n_edge, both = edges + r->g.n;
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->column_of, (void **)&r->column_of));
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->first_edge, (void **)&r->first_edge));
    HF_TRY(hf_scratch(r->cx, hf_words(edges), sizeof *r->is_shut, (void **)&r->is_shut));
    HF_TRY(hf_scratch(r->cx, hf_words(edges), sizeof *r->forbidden, (void **)&r->forbidden));
    HF_TRY(hf_scratch(r->cx, hf_words(edges), sizeof *r->in_row, (void **)&r->in_row));
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->row, (void **)&r->row));
    HF_TRY(hf_scratch(r->cx, r->g.n, sizeof *r->parent_edge, (void **)&r->parent_edge));
    HF_TRY(hf_scratch(r->cx, both, sizeof *r->stamp, (void **)&r->stamp));
    return hf_scratch(r->cx, both, sizeof *r->stack, (void **)&r->stack);
}

/* One of the two problems, from the start. */
static hf_status solve(repair *r, hf_repair *out) {
    bool possible;
    r->end_s = hf_clock_s() + r->limit_s;
    HF_TRY(name_columns(r, out->by_turns));
    memset(r->forbidden, 0, hf_words(r->g.n_edge) * sizeof *r->forbidden);
    hf_repair_look(r);
    HF_TRY(drop_needed(r, &possible));
    number_columns(r);
    out->is_impossible = !possible;
    if (!possible) {
        return HF_OK;
    }
    HF_TRY(hf_milp_new(r->cx, &r->milp));
    hf_status status = HF_OK;
    for (uint32_t c = 0; c < r->n_column && status == HF_OK; c++) {
        status = hf_milp_add_binary(r->milp, 1, NULL);
    }
    if (status == HF_OK && r->n_column <= COLUMNS_MAX) {
        status = rounds(r, out);
    }
    hf_milp_free(r->milp);
    HF_TRY(status);
    if (!out->is_found && !out->is_impossible && !out->by_turns) {
        HF_TRY(hf_repair_guess(r, out));
    }
    if (out->is_found) {
        HF_TRY(hf_repair_apply(r, &out->is_found, out));
        out->is_fewest &= out->is_found;
    }
    return list_forbidden(r, out);
}

hf_status hf_deadlock_repair(hf_context *cx, const hf_plan *plan, bool by_turns, double limit_s, hf_repair *out) {
    repair r = {.cx = cx, .plan = plan, .limit_s = limit_s};
    uint32_t levelled;
    *out = (hf_repair){.by_turns = by_turns};
    HF_TRY(hf_dependency_make(cx, plan, 1, &r.d));
    HF_TRY(hf_digraph_of_dependency(cx, &r.d, NULL, &r.g));
    HF_TRY(hf_scratch(cx, r.g.n, sizeof *r.level, (void **)&r.level));
    HF_TRY(hf_digraph_levels(cx, &r.g, r.level, &levelled));
    HF_TRY(allocate(&r));
    HF_TRY(hf_repair_states_make(&r));
    HF_TRY(solve(&r, out));
    if (out->is_found) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(cx, 1, sizeof *out->ahead, (void **)&out->ahead));
    *out->ahead = (hf_repair){.by_turns = by_turns};
    r.looks_ahead = true;
    return solve(&r, out->ahead);
}
