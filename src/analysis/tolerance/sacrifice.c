/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rectangles of the mesh are tried in the order of the nodes that they give up, until those alone are as many as the best
 *  choice. */
#include "src/analysis/tolerance/sacrifice.h"

#include <stdlib.h>

#include <holdfast/core/bitset.h>

#include "src/bridge/glpk.h"
#include "src/core/clock.h"
#include "src/routing/solid/regions.h"

typedef struct window {
    uint32_t low[2], high[2]; /* by dimension */
    uint32_t outside;         /* nodes given up that have not failed */
} window;

/* One integer program. Columns by node: the node is out, its link in + direction of d is faulty, its face is dark; HF_NONE:
 * cannot be. */
typedef struct problem {
    hf_context *cx;
    const hf_solid *s;
    const window *w;
    hf_milp *milp;
    uint32_t *out, *link[2], *dark;
} problem;

/* ---- columns ---- */

static bool is_inner(const problem *p, uint32_t node, uint32_t d) {
    const uint32_t digit = hf_solid_digit(p->s, node, d);
    return digit > p->w->low[d] && digit < p->w->high[d];
}
static bool is_within(const window *w, const hf_solid *s, uint32_t node) {
    for (uint32_t d = 0; d < 2; d++) {
        const uint32_t digit = hf_solid_digit(s, node, d);
        if (digit < w->low[d] || digit > w->high[d]) {
            return false;
        }
    }
    return true;
}
static bool is_below_high(const problem *p, uint32_t node, uint32_t d) { return hf_solid_digit(p->s, node, d) < p->w->high[d]; }

static hf_status add_columns(problem *p) {
    const uint32_t n = p->s->topo->n_switch;
    for (uint32_t v = 0; v < n; v++) {
        p->out[v] = p->dark[v] = p->link[0][v] = p->link[1][v] = HF_NONE;
        if (!is_within(p->w, p->s, v)) {
            continue;
        }
        if (is_inner(p, v, 0) && is_inner(p, v, 1)) {
            HF_TRY(hf_milp_add_binary(p->milp, !p->s->bad[v], &p->out[v]));
        }
        if (is_below_high(p, v, 0) && is_below_high(p, v, 1)) {
            HF_TRY(hf_milp_add_binary(p->milp, 0, &p->dark[v]));
        }
        for (uint32_t d = 0; d < 2; d++) {
            if (is_below_high(p, v, d) && is_inner(p, v, 1 - d)) {
                HF_TRY(hf_milp_add_binary(p->milp, 0, &p->link[d][v]));
            }
        }
    }
    return HF_OK;
}

/* ---- what a choice means ---- */

/* A link is faulty if it failed or an end is out, and only then; both its faces are dark exactly if it is faulty. */
static hf_status add_link(problem *p, uint32_t v, uint32_t d) {
    const uint32_t stride = p->s->grid.stride[d], f = p->link[d][v];
    const uint32_t end[] = {p->out[v], p->out[v + stride]}, face[] = {p->dark[v], p->dark[v - p->s->grid.stride[1 - d]]};
    const bool has_failed = p->s->cut[(size_t)d * p->s->topo->n_switch + v] != 0;
    for (size_t k = 0; k < 2; k++) {
        hf_milp_term(p->milp, 1, face[k]);
        hf_milp_term(p->milp, -1, f);
        HF_TRY(hf_milp_at_least(p->milp, 0));
        if (end[k] != HF_NONE) {
            hf_milp_term(p->milp, 1, f);
            hf_milp_term(p->milp, -1, end[k]);
            HF_TRY(hf_milp_at_least(p->milp, 0));
        }
    }
    hf_milp_term(p->milp, 1, f);
    hf_milp_term(p->milp, -1, face[0]);
    hf_milp_term(p->milp, -1, face[1]);
    HF_TRY(hf_milp_at_least(p->milp, -1));
    hf_milp_term(p->milp, has_failed ? 1 : -1, f);
    for (size_t k = 0; k < 2 && !has_failed; k++) {
        if (end[k] != HF_NONE) {
            hf_milp_term(p->milp, 1, end[k]);
        }
    }
    return hf_milp_at_least(p->milp, has_failed ? 1 : 0);
}

/* Dark only with a faulty link. */
static hf_status add_face(problem *p, uint32_t v) {
    hf_milp_term(p->milp, -1, p->dark[v]);
    for (uint32_t d = 0; d < 2; d++) {
        const uint32_t near_link = p->link[d][v], far_link = p->link[d][v + p->s->grid.stride[1 - d]];
        if (near_link != HF_NONE) {
            hf_milp_term(p->milp, 1, near_link);
        }
        if (far_link != HF_NONE) {
            hf_milp_term(p->milp, 1, far_link);
        }
    }
    return hf_milp_at_least(p->milp, 0);
}

/* A failed node is out, and one without a good link too. */
static hf_status add_node(problem *p, uint32_t v) {
    const uint32_t *stride = p->s->grid.stride;
    hf_milp_term(p->milp, 1, p->out[v]);
    if (p->s->bad[v]) {
        return hf_milp_at_least(p->milp, 1);
    }
    for (uint32_t d = 0; d < 2; d++) {
        hf_milp_term(p->milp, -1, p->link[d][v]);
        hf_milp_term(p->milp, -1, p->link[d][v - stride[d]]);
    }
    return hf_milp_at_least(p->milp, -3);
}

/* ---- no straight piece between concave corners ---- */

/* Along dimension d from the face `a` on: dark faces a .. b on this side, on the other side dark at both ends and light behind
 * the first: not all of it. `other` is the step to the other side. */
static hf_status forbid_dent(problem *p, uint32_t a, uint32_t b, uint32_t d, int64_t other) {
    const uint32_t stride = p->s->grid.stride[d];
    double needed = 0;
    for (uint32_t v = a; v <= b; v += stride) {
        hf_milp_term(p->milp, -1, p->dark[v]);
        needed++;
    }
    hf_milp_term(p->milp, -1, p->dark[a + other]);
    hf_milp_term(p->milp, -1, p->dark[b + other]);
    hf_milp_term(p->milp, 1, p->dark[a + stride + other]);
    return hf_milp_at_least(p->milp, 1 - (needed + 2));
}

static hf_status forbid_dents(problem *p, uint32_t a, uint32_t d) {
    const uint32_t stride = p->s->grid.stride[d], across = p->s->grid.stride[1 - d];
    for (uint32_t b = a + 2 * stride; hf_solid_digit(p->s, a, d) + (b - a) / stride < p->w->high[d]; b += stride) {
        if (hf_solid_digit(p->s, a, 1 - d) > p->w->low[1 - d]) {
            HF_TRY(forbid_dent(p, a, b, d, -(int64_t)across));
        }
        if (hf_solid_digit(p->s, a, 1 - d) + 1 < p->w->high[1 - d]) {
            HF_TRY(forbid_dent(p, a, b, d, across));
        }
    }
    return HF_OK;
}

static hf_status add_rows(problem *p) {
    for (uint32_t v = 0; v < p->s->topo->n_switch; v++) {
        for (uint32_t d = 0; d < 2; d++) {
            if (p->link[d][v] != HF_NONE) {
                HF_TRY(add_link(p, v, d));
            }
            if (p->dark[v] != HF_NONE) {
                HF_TRY(forbid_dents(p, v, d));
            }
        }
        if (p->dark[v] != HF_NONE) {
            HF_TRY(add_face(p, v));
        }
        if (p->out[v] != HF_NONE) {
            HF_TRY(add_node(p, v));
        }
    }
    return HF_OK;
}

/* ---- rectangles ---- */

/* Its own boundary must be healthy. */
static bool is_open(const hf_solid *s, const window *w) {
    for (uint32_t v = 0; v < s->topo->n_switch; v++) {
        for (uint32_t d = 0; d < 2 && is_within(w, s, v); d++) {
            const uint32_t across = hf_solid_digit(s, v, 1 - d);
            const bool on_line = across == w->low[1 - d] || across == w->high[1 - d];
            if (on_line && (s->bad[v] || (hf_solid_digit(s, v, d) < w->high[d] && !hf_solid_is_good(s, v, d, true)))) {
                return false;
            }
        }
    }
    return true;
}

static int by_outside(const void *a, const void *b) {
    const window *x = a, *y = b;
    return x->outside != y->outside ? (x->outside < y->outside ? -1 : 1) : 0;
}

static hf_status list_windows(hf_context *cx, const hf_solid *s, window **out, size_t *count) {
    const uint64_t n0 = s->grid.size[0], n1 = s->grid.size[1];
    HF_TRY(hf_scratch(cx, n0 * (n0 - 1) / 2 * (n1 * (n1 - 1) / 2), sizeof **out, (void **)out));
    window w;
    *count = 0;
    for (w.low[0] = 0; w.low[0] < n0; w.low[0]++) {
        for (w.high[0] = w.low[0] + 1; w.high[0] < n0; w.high[0]++) {
            for (w.low[1] = 0; w.low[1] < n1; w.low[1]++) {
                for (w.high[1] = w.low[1] + 1; w.high[1] < n1; w.high[1]++) {
                    w.outside = 0;
                    for (uint32_t v = 0; v < s->topo->n_switch; v++) {
                        w.outside += !s->bad[v] && !is_within(&w, s, v);
                    }
                    if (is_open(s, &w)) {
                        (*out)[(*count)++] = w;
                    }
                }
            }
        }
    }
    qsort(*out, *count, sizeof **out, by_outside);
    return HF_OK;
}

/* ---- the search ---- */

static void take_choice(const problem *p, hf_sacrifice *out) {
    uint32_t inside = 0;
    const size_t n = p->s->topo->n_switch;
    for (uint32_t v = 0; v < n; v++) {
        inside += p->out[v] != HF_NONE && !p->s->bad[v] && hf_milp_value(p->milp, p->out[v]);
    }
    if (out->is_possible && inside + p->w->outside >= out->nodes) {
        return;
    }
    out->is_possible = true;
    out->nodes = inside + p->w->outside;
    for (uint32_t v = 0; v < n; v++) {
        const bool is_in = is_within(p->w, p->s, v) && (p->out[v] == HF_NONE || !hf_milp_value(p->milp, p->out[v]));
        hf_bit_clear(out->node, v);
        if (!is_in && !p->s->bad[v]) {
            hf_bit_set(out->node, v);
        }
    }
}

static hf_status solve_window(problem *p, double limit_s, hf_sacrifice *out) {
    hf_milp_answer answer;
    bool has_solution;
    hf_status status;
    HF_TRY(hf_milp_new(p->cx, &p->milp));
    HF_TRY_DONE(add_columns(p));
    HF_TRY_DONE(add_rows(p));
    HF_TRY_DONE(hf_milp_solve(p->milp, limit_s, &answer, &has_solution));
    if (answer == HF_MILP_OPTIMAL) {
        take_choice(p, out);
    }
    out->is_exact &= answer != HF_MILP_UNDECIDED;
done:
    hf_milp_free(p->milp);
    return status;
}

static hf_status solve_all(hf_context *cx, const hf_solid *s, double limit_s, hf_sacrifice *out) {
    problem p = {.cx = cx, .s = s};
    window *list;
    size_t count;
    const uint32_t n = s->topo->n_switch;
    uint32_t **const column[] = {&p.out, &p.link[0], &p.link[1], &p.dark};
    const double end_s = hf_clock_s() + limit_s;
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        HF_TRY(hf_scratch(cx, n + 8, sizeof **column[i], (void **)column[i]));
    }
    HF_TRY(list_windows(cx, s, &list, &count));
    uint32_t bound = HF_NONE; /* of rectangles that were not decided */
    for (size_t i = 0; i < count && !(out->is_possible && list[i].outside >= out->nodes); i++) {
        const bool before = out->is_exact;
        const double left_s = end_s - hf_clock_s();
        p.w = &list[i];
        if (left_s > 0) {
            HF_TRY(solve_window(&p, left_s, out));
        } else {
            out->is_exact = false;
        }
        bound = before && !out->is_exact ? list[i].outside : bound;
    }
    if (!out->is_exact && (!out->is_possible || bound < out->nodes)) {
        out->nodes = bound;
    }
    return HF_OK;
}

hf_status hf_sacrifice_find(hf_context *cx, const hf_fault_set *faults, double limit_s, hf_sacrifice *out) {
    hf_solid s;
    HF_TRY(hf_solid_accepts(cx, faults->topo, "fewest nodes"));
    if (faults->topo->n_coord != 2 || faults->topo->kind != &hf_topology_mesh) {
        HF_FAIL(cx, HF_ENOTSUP, "the fewest nodes to sacrifice are found in meshes of two dimensions, not in \"%s\"",
                faults->topo->spec);
    }
    *out = (hf_sacrifice){.is_exact = true};
    HF_TRY(hf_scratch(cx, hf_words(faults->topo->n_switch), sizeof *out->node, (void **)&out->node));
    HF_TRY(hf_solid_init(cx, faults, &s));
    HF_TRY(solve_all(cx, &s, limit_s, out));
    return HF_OK;
}
