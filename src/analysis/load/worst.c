/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Worst-case permutations: what each pair puts on each channel is fixed, so the worst for a channel is the assignment of
 *  destinations to sources with the largest sum. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/analysis/deadlock/assignment.h"
#include "src/analysis/load/flow.h"
#include "src/analysis/load/load.h"
#include "src/core/machine.h"

/** At least, for each of the n^3 steps of an assignment. */
static const double assignment_s = 1e-10;
/** Unit of shares that are not exact. */
static const double rounded_unit = 1099511627776.0; /* 2^40 */

typedef struct shares {
    hf_flow flow;
    uint32_t n; /* terminals */
    uint64_t *weight;
    uint64_t *share; /* per channel between switches: n rows of n, in units of 1 / scale */
    uint32_t *row;   /* channel to its place in share, HF_NONE for those of terminals */
    uint32_t n_row;
} shares;

static hf_status start(hf_context *cx, const hf_plan *plan, hf_split split, shares *s) {
    const hf_topology *topo = plan->topo;
    s->n = topo->n_terminal;
    HF_TRY(hf_flow_init(cx, plan, split, &s->flow));
    HF_TRY(hf_scratch(cx, s->n, sizeof *s->weight, (void **)&s->weight));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *s->row, (void **)&s->row));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        s->row[c] = topo->link[c] < topo->n_switch_link ? s->n_row++ : HF_NONE;
    }
    const double bytes = (double)s->n_row * s->n * s->n * sizeof *s->share;
    HF_TRY(hf_machine_fits(cx, bytes, HUGE_VAL, "the worst permutation on \"%s\", the shares of all pairs in all channels,",
                           topo->spec));
    HF_TRY(hf_machine_lasts(cx, assignment_s * s->n_row * s->n * s->n * s->n,
                            "the worst permutation on \"%s\", an assignment for every channel,", topo->spec));
    return hf_scratch(cx, (size_t)s->n_row * s->n * s->n, sizeof *s->share, (void **)&s->share);
}

static void grow(shares *s, uint64_t factor) {
    for (size_t i = 0; factor != 1 && i < (size_t)s->n_row * s->n * s->n; i++) {
        s->share[i] *= factor;
    }
}

static uint64_t *share_of(shares *s, uint32_t channel, uint32_t from, uint32_t to) {
    return &s->share[((size_t)s->row[channel] * s->n + from) * s->n + to];
}

static void add_pair(shares *s, uint32_t from, uint32_t to) {
    const hf_flow *flow = &s->flow;
    const hf_walk *w = &flow->walk;
    for (uint32_t i = 0; i < flow->n_order; i++) {
        const uint32_t state = flow->order[i], n = hf_flow_used(flow, state);
        for (uint32_t e = 0; e < n; e++) {
            const uint32_t target = w->edge[w->edge_begin[state] + e];
            if (target == HF_WALK_DELIVERED || target == HF_WALK_FAULT || s->row[w->in[target].channel] == HF_NONE) {
                continue;
            }
            *share_of(s, w->in[target].channel, from, to) +=
                flow->is_exact ? flow->part[state] / n : (uint64_t)llround(flow->amount[state] / n * rounded_unit);
        }
    }
}

static hf_status find_shares(hf_context *cx, shares *s) {
    for (uint32_t to = 0; to < s->n; to++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while finding shares, at destination t%u", to);
        }
        for (uint32_t from = 0; from < s->n; from++) {
            uint64_t grown;
            if (from == to) {
                continue;
            }
            s->weight[from] = 1;
            HF_TRY(hf_flow_start(cx, &s->flow, to, s->weight));
            hf_flow_run(&s->flow, s->weight, &grown);
            grow(s, s->flow.is_exact ? grown : 1);
            add_pair(s, from, to);
            s->weight[from] = 0;
        }
    }
    return HF_OK;
}

/* No assignment is above the sum of the largest entries of the rows, nor above that of the columns. */
static uint64_t bound_of(const uint64_t *weight, uint32_t n, uint64_t *column) {
    uint64_t by_row = 0, by_column = 0;
    memset(column, 0, n * sizeof *column);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t most = 0;
        for (uint32_t j = 0; j < n; j++) {
            const uint64_t x = weight[(size_t)i * n + j];
            most = x > most ? x : most;
            column[j] = x > column[j] ? x : column[j];
        }
        by_row += most;
    }
    for (uint32_t j = 0; j < n; j++) {
        by_column += column[j];
    }
    return by_row < by_column ? by_row : by_column;
}

static hf_status find_worst(hf_context *cx, shares *s, const hf_topology *topo, hf_worst *out) {
    hf_assignment problem;
    uint32_t *to;
    uint64_t worst = 0;
    HF_TRY(hf_assignment_init(cx, s->n, &problem));
    HF_TRY(hf_scratch(cx, s->n, sizeof *to, (void **)&to));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint64_t *weight = s->row[c] == HF_NONE ? NULL : share_of(s, c, 0, 0);
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while looking for the worst permutation, at channel %" PRIu32, c);
        }
        if (!weight || bound_of(weight, s->n, s->weight) <= worst) {
            continue;
        }
        const uint64_t sum = hf_assignment_solve(&problem, weight, to);
        if (sum > worst) {
            worst = sum;
            out->channel = c;
            memcpy(out->to, to, s->n * sizeof *to);
        }
    }
    const bool is_exact = s->flow.is_exact;
    out->load = (double)worst / (is_exact ? (double)s->flow.scale : rounded_unit);
    out->exact = is_exact ? hf_fraction_of(worst, s->flow.scale) : (hf_fraction){0, 0};
    return HF_OK;
}

static hf_status run(hf_context *cx, const hf_plan *plan, hf_split split, hf_worst *out) {
    shares s = {0};
    HF_TRY(start(cx, plan, split, &s));
    HF_TRY(find_shares(cx, &s));
    if (!s.flow.is_exact && s.flow.scale > 1) { /* some shares are whole, some rounded: all rounded */
        memset(s.share, 0, (size_t)s.n_row * s.n * s.n * sizeof *s.share);
        HF_TRY(find_shares(cx, &s));
    }
    return find_worst(cx, &s, plan->topo, out);
}

hf_status hf_load_worst(hf_context *cx, const hf_plan *plan, hf_split split, hf_worst *out) {
    const uint32_t n = plan->topo->n_terminal;
    if (split == HF_SPLIT_OPTIMAL) {
        HF_FAIL(cx, HF_ENOTSUP, "the worst permutation is found for splits even and first, whose shares are the same for all");
    }
    *out = (hf_worst){.channel = HF_NONE};
    HF_TRY(hf_scratch(cx, n, sizeof *out->to, (void **)&out->to));
    for (uint32_t t = 0; t < n; t++) {
        out->to[t] = t;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = run(cx, plan, split, out);
    hf_scratch_reset(cx, mark);
    return status;
}
