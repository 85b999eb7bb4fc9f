/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Which routes to give another way. A cycle of dependencies is gone when all routes of one of its dependencies are: a program in
 *  integers with a column for each such route and dependency and a row for each cycle. Rows are added until a solution leaves no
 *  cycle: then no choice is smaller. Where it gets large or late, the dependency with the fewest routes goes of one cycle after
 *  the other; cycles that share no route bound the choice from below. */
#include <string.h>

#include "src/analysis/deadlock/routes.h"
#include "src/bridge/glpk.h"

enum { ROWS_MOST = 30000, CYCLES_A_ROUND = 64 };

typedef struct program {
    const hf_rerouting *r;
    hf_milp *milp;
    uint32_t *of_route, *of_dependency; /* columns, HF_NONE: not there yet */
    uint32_t n_row;
} program;

hf_status hf_rerouting_graph(const hf_rerouting *r, hf_digraph *out) {
    uint32_t *from, *to, n = 0;
    HF_TRY(hf_scratch(r->cx, r->n_dependency, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(r->cx, r->n_dependency, sizeof *to, (void **)&to));
    for (uint32_t e = 0; e < r->n_dependency; e++) {
        bool is_used = false;
        for (uint32_t i = r->users.begin[e]; i < r->users.begin[e + 1] && !is_used; i++) {
            is_used = !r->routes->of[r->users.item[i]].is_new;
        }
        if (is_used) {
            from[n] = r->from[e];
            to[n++] = r->to[e];
        }
    }
    return hf_digraph_of_edges(r->cx, r->n_resource, n, from, to, out);
}

static uint32_t dependency_of(const hf_rerouting *r, uint32_t from, uint32_t to) {
    for (uint32_t e = 0; e < r->n_dependency; e++) {
        if (r->from[e] == from && r->to[e] == to) {
            return e;
        }
    }
    return HF_NONE;
}

/* Routes that a dependency still has. */
static uint32_t count_users(const hf_rerouting *r, uint32_t e) {
    uint32_t n = 0;
    for (uint32_t i = r->users.begin[e]; i < r->users.begin[e + 1]; i++) {
        n += !r->routes->of[r->users.item[i]].is_new;
    }
    return n;
}

static void take_users(const hf_rerouting *r, uint32_t e) {
    for (uint32_t i = r->users.begin[e]; i < r->users.begin[e + 1]; i++) {
        r->routes->of[r->users.item[i]].is_new = true;
    }
}

/* A shortest cycle of what is left, as dependencies; *n 0: there is none. */
static hf_status find_cycle(const hf_rerouting *r, uint32_t **cycle, uint32_t *n) {
    hf_digraph g;
    uint32_t *level, levelled;
    HF_TRY(hf_rerouting_graph(r, &g));
    HF_TRY(hf_scratch(r->cx, r->n_resource, sizeof *level, (void **)&level));
    HF_TRY(hf_digraph_levels(r->cx, &g, level, &levelled));
    *n = 0;
    if (levelled == r->n_resource) {
        return HF_OK;
    }
    uint64_t *among;
    HF_TRY(hf_scratch(r->cx, r->n_resource / 64 + 1, sizeof *among, (void **)&among));
    for (uint32_t v = 0; v < r->n_resource; v++) {
        among[v / 64] |= (uint64_t)(level[v] == HF_NONE) << v % 64;
    }
    HF_TRY(hf_digraph_shortest_cycle(r->cx, &g, among, 1e9, cycle, n));
    const uint32_t first = (*cycle)[0];
    for (uint32_t i = 0; i < *n; i++) {
        (*cycle)[i] = dependency_of(r, (*cycle)[i], i + 1 < *n ? (*cycle)[i + 1] : first);
    }
    return HF_OK;
}

static uint32_t fewest_users(const hf_rerouting *r, const uint32_t *cycle, uint32_t n) {
    uint32_t best = cycle[0];
    for (uint32_t i = 1; i < n; i++) {
        best = count_users(r, cycle[i]) < count_users(r, best) ? cycle[i] : best;
    }
    return best;
}

/* ---- the program ---- */

static hf_status add_dependency(program *p, uint32_t e) {
    const hf_rerouting *r = p->r;
    if (p->of_dependency[e] != HF_NONE) {
        return HF_OK;
    }
    HF_TRY(hf_milp_add_binary(p->milp, 0, &p->of_dependency[e]));
    for (uint32_t i = r->users.begin[e]; i < r->users.begin[e + 1]; i++) {
        const uint32_t route = r->users.item[i];
        if (p->of_route[route] == HF_NONE) {
            HF_TRY(hf_milp_add_binary(p->milp, 1, &p->of_route[route]));
        }
        hf_milp_term(p->milp, 1, p->of_route[route]);
        hf_milp_term(p->milp, -1, p->of_dependency[e]);
        HF_TRY(hf_milp_at_least(p->milp, 0));
        p->n_row++;
    }
    return HF_OK;
}

static hf_status add_cycle(program *p, const uint32_t *cycle, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        HF_TRY(add_dependency(p, cycle[i]));
    }
    for (uint32_t i = 0; i < n; i++) {
        hf_milp_term(p->milp, 1, p->of_dependency[cycle[i]]);
    }
    p->n_row++;
    return hf_milp_at_least(p->milp, 1);
}

/* Cycles of what is left, until none is or a round is full; what breaks them is taken meanwhile. */
static hf_status add_cycles(program *p, uint32_t *count) {
    for (*count = 0; *count < CYCLES_A_ROUND; ++*count) {
        const hf_mark mark = hf_scratch_mark(p->r->cx);
        uint32_t *cycle, n;
        HF_TRY(find_cycle(p->r, &cycle, &n));
        if (n == 0) {
            hf_scratch_reset(p->r->cx, mark);
            return HF_OK;
        }
        HF_TRY(add_cycle(p, cycle, n));
        take_users(p->r, fewest_users(p->r, cycle, n));
        hf_scratch_reset(p->r->cx, mark);
    }
    return HF_OK;
}

static void take_solution(const program *p, const bool *anyhow) {
    for (uint32_t i = 0; i < p->r->routes->n; i++) {
        p->r->routes->of[i].is_new = anyhow[i] || (p->of_route[i] != HF_NONE && hf_milp_value(p->milp, p->of_route[i]));
    }
}

static uint32_t count_new(const hf_rerouting *r) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->routes->n; i++) {
        n += r->routes->of[i].is_new;
    }
    return n;
}

/* Rows and solutions in turn. \param[out] is_done no choice is smaller; else what is taken so far is for break_all() */
static hf_status solve(program *p, const bool *anyhow, uint32_t *lower_bound, bool *is_done) {
    const hf_rerouting *r = p->r;
    const double start_s = hf_clock_s(), end_s = start_s + (r->end_s - start_s) / 2; /* the rest is for the ways */
    for (;;) {
        uint32_t count;
        hf_milp_answer answer;
        bool has_solution;
        HF_TRY(hf_context_go_on(r->cx, "choosing routes"));
        HF_TRY(add_cycles(p, &count));
        *is_done = count == 0;
        const double left_s = end_s - hf_clock_s();
        if (*is_done || p->n_row > ROWS_MOST || left_s <= 0) {
            return HF_OK;
        }
        HF_TRY(hf_milp_solve(p->milp, left_s, &answer, &has_solution));
        if (answer != HF_MILP_OPTIMAL) {
            return HF_OK;
        }
        take_solution(p, anyhow);
        *lower_bound = count_new(r) > *lower_bound ? count_new(r) : *lower_bound;
    }
}

/* ---- one cycle after the other ---- */

static hf_status break_all(const hf_rerouting *r) {
    uint32_t n = 1;
    while (n > 0) {
        const hf_mark mark = hf_scratch_mark(r->cx);
        uint32_t *cycle;
        HF_TRY(hf_context_go_on(r->cx, "choosing routes"));
        HF_TRY(find_cycle(r, &cycle, &n));
        if (n > 0) {
            take_users(r, fewest_users(r, cycle, n));
        }
        hf_scratch_reset(r->cx, mark);
    }
    return HF_OK;
}

/* Cycles that share no route: of each, all routes of one dependency go. */
static hf_status bound(const hf_rerouting *r, const bool *anyhow, uint32_t *lower_bound) {
    uint32_t n = 1, *cycle;
    *lower_bound = count_new(r);
    while (n > 0) {
        const hf_mark mark = hf_scratch_mark(r->cx);
        HF_TRY(hf_context_go_on(r->cx, "choosing routes"));
        HF_TRY(find_cycle(r, &cycle, &n));
        *lower_bound += n > 0 ? count_users(r, fewest_users(r, cycle, n)) : 0;
        for (uint32_t i = 0; i < n; i++) {
            take_users(r, cycle[i]);
        }
        hf_scratch_reset(r->cx, mark);
    }
    for (uint32_t i = 0; i < r->routes->n; i++) {
        r->routes->of[i].is_new = anyhow[i];
    }
    return HF_OK;
}

hf_status hf_rerouting_choose(const hf_rerouting *r, uint32_t *lower_bound) {
    program p = {.r = r};
    bool *anyhow, is_done;
    HF_TRY(hf_scratch(r->cx, r->routes->n, sizeof *anyhow, (void **)&anyhow));
    HF_TRY(hf_scratch(r->cx, r->routes->n, sizeof *p.of_route, (void **)&p.of_route));
    HF_TRY(hf_scratch(r->cx, r->n_dependency, sizeof *p.of_dependency, (void **)&p.of_dependency));
    memset(p.of_route, 0xff, r->routes->n * sizeof *p.of_route); /* HF_NONE */
    memset(p.of_dependency, 0xff, r->n_dependency * sizeof *p.of_dependency);
    for (uint32_t i = 0; i < r->routes->n; i++) {
        anyhow[i] = r->routes->of[i].is_new;
    }
    HF_TRY(bound(r, anyhow, lower_bound));
    HF_TRY(hf_milp_new(r->cx, &p.milp));
    const hf_status status = solve(&p, anyhow, lower_bound, &is_done);
    hf_milp_free(p.milp);
    HF_TRY(status);
    return is_done ? HF_OK : break_all(r);
}
