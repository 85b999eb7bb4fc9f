/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fewest dependencies, or turns, to forbid so that no cycle is left and every pair keeps a path.
 *
 * A program with a binary column for each dependency (or turn): at least one of every cycle; for a pair cut off by what is
 * forbidden, not all of the hops that lead out of what its packets still reach. Rows are added as solutions break them, so a
 * solution that breaks none is one of the fewest [lower bound: the program without the rows that are not there yet]. */
#include <math.h>
#include <string.h>

#include <holdfast/bitset.h>

#include "src/analysis/repair.h"
#include "src/bridge/igraph.h"

enum { ROUNDS_MAX = 400, COLUMNS_MAX = 20000 };

typedef struct hf_repair_work repair;

/* ---- columns ---- */

/* Direction of a channel on a grid: 2 * dimension, odd backwards; HF_NONE elsewhere. */
static uint32_t direction_of(const hf_topology *topo, const hf_attribute *dimension, uint32_t channel) {
    const uint32_t link = topo->link[channel];
    if (link >= topo->n_switch_link || dimension->of_link[link] == HF_NONE) {
        return HF_NONE;
    }
    return 2 * dimension->of_link[link] + (topo->forward[link] != channel);
}

static hf_status name_turns(repair *r, const uint32_t *level) {
    const hf_topology *topo = r->plan->topo;
    const hf_attribute *dimension = hf_topology_attribute(topo, "dimension");
    if (!dimension) {
        HF_FAIL(r->cx, HF_ENOTSUP, "topology \"%s\" has no directions; turns are those of grids", topo->spec);
    }
    uint32_t turn[2 * HF_DIMS_MAX * 2 * HF_DIMS_MAX];
    memset(turn, 0xff, sizeof turn);
    for (uint32_t v = 0; v < r->g.n; v++) {
        for (uint32_t e = r->g.begin[v]; e < r->g.begin[v + 1]; e++) {
            const uint32_t a = direction_of(topo, dimension, v / r->d.n_vc),
                           b = direction_of(topo, dimension, r->g.to[e] / r->d.n_vc);
            r->column_of[e] = HF_NONE;
            if (a == HF_NONE || b == HF_NONE || a == b || level[v] != HF_NONE) {
                continue;
            }
            uint32_t *column = &turn[a * 2 * HF_DIMS_MAX + b];
            if (*column == HF_NONE) {
                r->first_edge[r->n_column] = e;
                *column = r->n_column++;
            }
            r->column_of[e] = *column;
        }
    }
    return HF_OK;
}

/* Dependencies between resources from which a cycle can be reached and that end where one can. */
static void name_dependencies(repair *r, const uint32_t *level) {
    for (uint32_t v = 0; v < r->g.n; v++) {
        for (uint32_t e = r->g.begin[v]; e < r->g.begin[v + 1]; e++) {
            r->column_of[e] = HF_NONE;
            if (level[v] == HF_NONE && level[r->g.to[e]] == HF_NONE) {
                r->first_edge[r->n_column] = e;
                r->column_of[e] = r->n_column++;
            }
        }
    }
}

static bool is_forbidden(const repair *r, uint32_t e) {
    return r->column_of[e] != HF_NONE && hf_bit_test(r->forbidden, r->column_of[e]);
}

/* ---- rows ---- */

static hf_status add_row(repair *r, uint32_t n, bool at_least_one) {
    for (uint32_t i = 0; i < n; i++) {
        hf_bit_clear(r->in_row, r->row[i]);
        r->value[i] = 1;
    }
    return at_least_one ? hf_milp_add_row(r->cx, r->milp, 1, INFINITY, n, r->row, r->value)
                        : hf_milp_add_row(r->cx, r->milp, -INFINITY, n - 1.0, n, r->row, r->value);
}

static uint32_t put(repair *r, uint32_t n, uint32_t e) {
    const uint32_t column = r->column_of[e];
    if (column != HF_NONE && !hf_bit_test(r->in_row, column)) {
        hf_bit_set(r->in_row, column);
        r->row[n++] = column;
    }
    return n;
}

/* A shortest cycle through `root` over edges that are neither forbidden nor in the packing. \return its last edge, or HF_NONE */
static uint32_t cycle_through(repair *r, uint32_t root) {
    const hf_digraph *g = &r->g;
    uint32_t tail = 0;
    r->n_stamp++;
    r->queue[tail++] = root;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t v = r->queue[head];
        for (uint32_t e = g->begin[v]; e < g->begin[v + 1]; e++) {
            const uint32_t u = g->to[e];
            if (is_forbidden(r, e) || hf_bit_test(r->used, e)) {
                continue;
            }
            if (u == root) {
                r->parent_edge[root] = e;
                return v;
            }
            if (r->stamp[u] != r->n_stamp) {
                r->stamp[u] = r->n_stamp;
                r->parent_edge[u] = e;
                r->queue[tail++] = u;
            }
        }
    }
    return HF_NONE;
}

static uint32_t tail_of(const repair *r, uint32_t e) { /* the resource that edge e leaves */
    uint32_t lo = 0, hi = r->g.n;
    while (hi - lo > 1) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (r->g.begin[middle] <= e) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return lo;
}

/* Rows for a packing of cycles that what is forbidden leaves. \param[out] count cycles \return HF_ENOTSUP: one cannot be broken
 */
static hf_status add_cycles(repair *r, const uint32_t *level, uint32_t *count) {
    *count = 0;
    memset(r->used, 0, hf_words(r->g.n_edge) * sizeof *r->used);
    for (uint32_t root = 0; root < r->g.n && hf_clock_s() < r->end_s; root++) {
        if (level[root] != HF_NONE) {
            continue;
        }
        for (uint32_t last; (last = cycle_through(r, root)) != HF_NONE;) {
            uint32_t n = 0, v = root;
            do {
                const uint32_t e = r->parent_edge[v];
                n = put(r, n, e);
                hf_bit_set(r->used, e);
                v = tail_of(r, e);
            } while (v != root);
            if (n == 0) {
                return HF_ENOTSUP;
            }
            HF_TRY(add_row(r, n, true));
            ++*count;
        }
    }
    return HF_OK;
}

/* ---- connectivity ---- */

uint32_t hf_repair_edge(const repair *r, uint32_t from, uint32_t to) {
    for (uint32_t e = r->g.begin[from]; e < r->g.begin[from + 1]; e++) {
        if (r->g.to[e] == to) {
            return e;
        }
    }
    return HF_NONE;
}

/* From `source`, everything that packets still reach; the forbidden hops that lead on are the row. \return whether the
 * destination is among it */
static bool reach(repair *r, uint32_t source, uint32_t *n) {
    const hf_walk *w = &r->walk;
    uint32_t tail = 0;
    *n = 0;
    r->n_stamp++;
    r->queue[tail++] = source;
    r->stamp[source] = r->n_stamp;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t s = r->queue[head];
        const size_t count = hf_plan_route(r->plan, w->at[s], w->in[s], w->destination, r->hops);
        for (size_t i = 0; i < count; i++) {
            const uint32_t target = w->edge[w->edge_begin[s] + i], q = r->hops[i].channel * r->d.n_vc + r->hops[i].vc;
            const uint32_t e =
                w->in[s].channel == HF_NONE ? HF_NONE : hf_repair_edge(r, w->in[s].channel * r->d.n_vc + w->in[s].vc, q);
            if (e != HF_NONE && is_forbidden(r, e)) {
                *n = put(r, *n, e);
            } else if (target == HF_WALK_DELIVERED) {
                return true;
            } else if (target != HF_WALK_FAULT && r->stamp[target] != r->n_stamp) {
                r->stamp[target] = r->n_stamp;
                r->queue[tail++] = target;
            }
        }
    }
    return false;
}

static void drop_row(repair *r, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        hf_bit_clear(r->in_row, r->row[i]);
    }
}

/* Rows for pairs that are cut off. \return HF_ENOTSUP: some pair has no path even if nothing is forbidden */
static hf_status add_cuts(repair *r, uint32_t *count) {
    const hf_topology *topo = r->plan->topo;
    *count = 0;
    for (uint32_t d = 0; d < topo->n_terminal && hf_clock_s() < r->end_s; d++) {
        if (!hf_plan_is_live(r->plan, d)) {
            continue;
        }
        HF_TRY(hf_walk_explore(r->cx, &r->walk, r->plan, NULL, d));
        for (uint32_t s = 0; s < topo->n_terminal; s++) {
            uint32_t n = 0;
            if (s == d || !hf_plan_is_live(r->plan, s) || reach(r, s, &n)) {
                drop_row(r, n);
                continue;
            }
            if (n == 0) {
                return HF_ENOTSUP;
            }
            HF_TRY(add_row(r, n, false));
            ++*count;
        }
    }
    return HF_OK;
}

/* ---- what cannot be forbidden ---- */

/* Along what packets from `source` must do, as long as they have no choice. */
static void keep_forced(repair *r, uint32_t source, uint64_t *kept) {
    const hf_walk *w = &r->walk;
    uint32_t s = source;
    for (uint32_t steps = 0; steps < w->n_state && w->edge_begin[s + 1] - w->edge_begin[s] == 1; steps++) {
        const uint32_t target = w->edge[w->edge_begin[s]];
        if (target == HF_WALK_FAULT) {
            return;
        }
        if (w->in[s].channel != HF_NONE) {
            (void)hf_plan_route(r->plan, w->at[s], w->in[s], w->destination, r->hops);
            const uint32_t e =
                hf_repair_edge(r, w->in[s].channel * r->d.n_vc + w->in[s].vc, r->hops[0].channel * r->d.n_vc + r->hops[0].vc);
            if (e != HF_NONE && r->column_of[e] != HF_NONE) {
                hf_bit_set(kept, r->column_of[e]);
            }
        }
        if (target == HF_WALK_DELIVERED) {
            return;
        }
        s = target;
    }
}

/* Columns without which some pair has no path are none. */
static hf_status drop_forced(repair *r) {
    uint64_t *kept;
    uint32_t *now;
    HF_TRY(hf_scratch(r->cx, hf_words(r->n_column), sizeof *kept, (void **)&kept));
    HF_TRY(hf_scratch(r->cx, r->n_column, sizeof *now, (void **)&now));
    for (uint32_t d = 0; d < r->plan->topo->n_terminal; d++) {
        if (!hf_plan_is_live(r->plan, d)) {
            continue;
        }
        HF_TRY(hf_walk_explore(r->cx, &r->walk, r->plan, NULL, d));
        for (uint32_t s = 0; s < r->plan->topo->n_terminal; s++) {
            if (s != d && hf_plan_is_live(r->plan, s)) {
                keep_forced(r, s, kept);
            }
        }
    }
    uint32_t n = 0;
    for (uint32_t c = 0; c < r->n_column; c++) {
        now[c] = hf_bit_test(kept, c) ? HF_NONE : n;
        r->first_edge[n] = r->first_edge[c];
        n += now[c] != HF_NONE;
    }
    for (uint32_t e = 0; e < r->g.n_edge; e++) {
        r->column_of[e] = r->column_of[e] == HF_NONE ? HF_NONE : now[r->column_of[e]];
    }
    r->n_column = n;
    return HF_OK;
}

/* ---- the rounds ---- */

static hf_status allocate(repair *r) {
    const size_t n = r->d.n_resource, states = (size_t)r->g.n * 4 + r->plan->topo->n_terminal + 64, edges = r->g.n_edge;
    const size_t room = n > states ? n : states;
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->column_of, (void **)&r->column_of));
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->first_edge, (void **)&r->first_edge));
    HF_TRY(hf_scratch(r->cx, hf_words(edges), sizeof *r->used, (void **)&r->used));
    HF_TRY(hf_scratch(r->cx, hf_words(edges), sizeof *r->forbidden, (void **)&r->forbidden));
    HF_TRY(hf_scratch(r->cx, hf_words(edges), sizeof *r->in_row, (void **)&r->in_row));
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->row, (void **)&r->row));
    HF_TRY(hf_scratch(r->cx, edges, sizeof *r->value, (void **)&r->value));
    HF_TRY(hf_scratch(r->cx, n, sizeof *r->parent_edge, (void **)&r->parent_edge));
    HF_TRY(hf_scratch(r->cx, room, sizeof *r->stamp, (void **)&r->stamp));
    HF_TRY(hf_scratch(r->cx, room, sizeof *r->queue, (void **)&r->queue));
    HF_TRY(hf_scratch(r->cx, r->plan->max_hops, sizeof *r->hops, (void **)&r->hops));
    return hf_walk_init(r->cx, r->plan->topo, &r->walk);
}

/* States of a destination may be more than resources where hops carry tags. */
static hf_status check_states(repair *r) {
    const size_t room = (size_t)r->g.n * 4 + r->plan->topo->n_terminal + 64;
    for (uint32_t d = 0; d < r->plan->topo->n_terminal; d++) {
        HF_TRY(hf_walk_explore(r->cx, &r->walk, r->plan, NULL, d));
        if (r->walk.n_state > room) {
            HF_FAIL(r->cx, HF_ENOTSUP, "routing \"%s\" has too many states for a repair", r->plan->routing->name);
        }
    }
    return HF_OK;
}

static hf_status take_solution(repair *r, hf_repair *out) {
    out->n_forbidden = 0;
    for (uint32_t c = 0; c < r->n_column; c++) {
        hf_bit_clear(r->forbidden, c);
        if (hf_milp_value(r->milp, c)) {
            hf_bit_set(r->forbidden, c);
            out->n_forbidden++;
        }
    }
    return HF_OK;
}

static hf_status rounds(repair *r, const uint32_t *level, hf_repair *out) {
    for (uint32_t round = 0; round < ROUNDS_MAX && hf_clock_s() < r->end_s; round++) {
        uint32_t n_cycle, n_cut = 0;
        hf_status status = add_cycles(r, level, &n_cycle);
        if (status == HF_OK && n_cycle == 0) {
            status = add_cuts(r, &n_cut);
        }
        if (status == HF_ENOTSUP) {
            out->is_impossible = true;
            return HF_OK;
        }
        HF_TRY(status);
        if (n_cycle == 0 && n_cut == 0 && hf_clock_s() < r->end_s) {
            out->is_found = out->is_fewest = true;
            return HF_OK;
        }
        hf_milp_answer answer;
        bool has_solution;
        HF_TRY(hf_milp_solve(r->cx, r->milp, fmax(r->end_s - hf_clock_s(), 0.001), &answer, &has_solution));
        if (answer == HF_MILP_INFEASIBLE) {
            out->is_impossible = true;
            return HF_OK;
        }
        if (answer != HF_MILP_OPTIMAL) {
            return HF_OK;
        }
        HF_TRY(take_solution(r, out));
        out->lower_bound = out->n_forbidden;
    }
    return HF_OK;
}

/* A feedback arc set by igraph's heuristic instead, if it is smaller and cuts no pair off. */
static hf_status try_feedback(repair *r, hf_repair *out) {
    const uint32_t n = r->n_column;
    uint32_t *from, *to, n_back = 0, n_cut;
    uint64_t *before;
    uint8_t *is_back;
    HF_TRY(hf_scratch(r->cx, r->n_column, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(r->cx, r->n_column, sizeof *to, (void **)&to));
    HF_TRY(hf_scratch(r->cx, r->n_column, sizeof *is_back, (void **)&is_back));
    HF_TRY(hf_scratch(r->cx, hf_words(r->n_column), sizeof *before, (void **)&before));
    for (uint32_t c = 0; c < r->n_column; c++) {
        from[c] = tail_of(r, r->first_edge[c]);
        to[c] = r->g.to[r->first_edge[c]];
    }
    HF_TRY(hf_igraph_feedback(r->cx, r->g.n, n, from, to, is_back));
    memcpy(before, r->forbidden, hf_words(n) * sizeof *before);
    memset(r->forbidden, 0, hf_words(n) * sizeof *before);
    for (uint32_t i = 0; i < n; i++) {
        if (is_back[i]) {
            hf_bit_set(r->forbidden, i);
            n_back++;
        }
    }
    const hf_status status = out->is_found && n_back >= out->n_forbidden ? HF_ENOTSUP : add_cuts(r, &n_cut);
    if (status == HF_OK && n_cut == 0 && hf_clock_s() < r->end_s) {
        out->is_found = true;
        out->n_forbidden = n_back;
    } else {
        memcpy(r->forbidden, before, hf_words(n) * sizeof *before);
    }
    return status == HF_ENOTSUP ? HF_OK : status;
}

static hf_status list_forbidden(repair *r, hf_repair *out) {
    uint32_t n = 0;
    HF_TRY(hf_scratch(r->cx, out->n_forbidden, sizeof *out->from, (void **)&out->from));
    HF_TRY(hf_scratch(r->cx, out->n_forbidden, sizeof *out->to, (void **)&out->to));
    for (uint32_t c = 0; c < r->n_column && out->is_found; c++) {
        if (hf_bit_test(r->forbidden, c)) {
            out->from[n] = tail_of(r, r->first_edge[c]);
            out->to[n++] = r->g.to[r->first_edge[c]];
        }
    }
    out->n_forbidden = n;
    return HF_OK;
}

static hf_status run(repair *r, hf_repair *out) {
    uint32_t *level, levelled;
    HF_TRY(hf_dependency_make(r->cx, r->plan, 1, &r->d));
    HF_TRY(hf_digraph_of_dependency(r->cx, &r->d, NULL, &r->g));
    HF_TRY(hf_scratch(r->cx, r->g.n, sizeof *level, (void **)&level));
    HF_TRY(hf_digraph_levels(r->cx, &r->g, level, &levelled));
    HF_TRY(allocate(r));
    HF_TRY(check_states(r));
    if (out->by_turns) {
        HF_TRY(name_turns(r, level));
    } else {
        name_dependencies(r, level);
    }
    HF_TRY(drop_forced(r));
    for (uint32_t c = 0; c < r->n_column; c++) {
        HF_TRY(hf_milp_add_column(r->cx, r->milp, 1));
    }
    if (r->n_column <= COLUMNS_MAX) {
        HF_TRY(rounds(r, level, out));
    } else {
        const hf_status status = add_cycles(r, level, &out->lower_bound); /* each needs an edge of its own */
        out->is_impossible = status == HF_ENOTSUP;
        HF_TRY(out->is_impossible ? HF_OK : status);
    }
    if (!out->is_found && !out->is_impossible && !out->by_turns) {
        r->end_s = hf_clock_s() + r->limit_s;
        HF_TRY(hf_repair_guess(r, out));
        HF_TRY(try_feedback(r, out));
    }
    return list_forbidden(r, out);
}

hf_status hf_deadlock_repair(hf_context *cx, const hf_plan *plan, bool by_turns, double limit_s, hf_repair *out) {
    repair r = {.cx = cx, .plan = plan, .limit_s = limit_s, .end_s = hf_clock_s() + limit_s};
    *out = (hf_repair){.by_turns = by_turns};
    HF_TRY(hf_milp_new(cx, &r.milp));
    const hf_status status = run(&r, out);
    hf_milp_free(r.milp);
    return status;
}
