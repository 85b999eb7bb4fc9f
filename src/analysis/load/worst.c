/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Worst-case permutations: what each pair puts on each channel is fixed, so the worst for a channel is the assignment of
 *  destinations to sources with the largest sum. */
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/analysis/deadlock/assignment.h"
#include "src/analysis/load/flow.h"
#include "src/analysis/load/load.h"
#include "src/core/grow.h"
#include "src/core/machine.h"

/** At least, for each of the n^3 steps of an assignment. */
static const double assignment_s = 1e-10;
/** Unit of shares that are not exact. */
static const double rounded_unit = 1099511627776.0; /* 2^40 */

/* What pairs put on a channel, in units of 1 / scale. Most pairs of a large network do not use it, so those that do are listed;
 * once a list would take more room than all pairs, they are all there, in the order of their numbers. */
typedef struct channel_shares {
    uint32_t *pair; /* source * n + destination; NULL: entry i is that of pair i */
    uint64_t *share;
    size_t n, room;
} channel_shares;

typedef struct shares {
    hf_context *cx;
    hf_flow flow;
    uint32_t n; /* terminals */
    uint64_t *weight;
    channel_shares *channel; /* those between switches */
    uint32_t *row;           /* channel to its place there, HF_NONE for those of terminals */
    uint32_t n_row;
} shares;

static hf_status start(hf_context *cx, const hf_plan *plan, hf_split split, shares *s) {
    const hf_topology *topo = plan->topo;
    s->cx = cx;
    s->n = topo->n_terminal;
    HF_TRY(hf_flow_init(cx, plan, split, &s->flow));
    HF_TRY(hf_scratch(cx, s->n, sizeof *s->weight, (void **)&s->weight));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *s->row, (void **)&s->row));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        s->row[c] = topo->link[c] < topo->n_switch_link ? s->n_row++ : HF_NONE;
    }
    HF_TRY(hf_machine_fits(cx, (double)s->n * s->n * sizeof *s->channel->share, HF_NONE * (double)sizeof *s->channel->share,
                           "the worst permutation on \"%s\", the shares of all pairs in a channel,", topo->spec));
    HF_TRY(hf_machine_lasts(cx, assignment_s * s->n_row * s->n * s->n * s->n,
                            "the worst permutation on \"%s\", an assignment for every channel,", topo->spec));
    return hf_scratch(cx, s->n_row, sizeof *s->channel, (void **)&s->channel);
}

static void release(shares *s) {
    const hf_allocator *allocator = hf_context_allocator(s->cx);
    for (uint32_t i = 0; s->channel && i < s->n_row; i++) {
        hf_release(allocator, s->channel[i].pair);
        hf_release(allocator, s->channel[i].share);
    }
}

/* ---- shares ---- */

static void grow(shares *s, uint64_t factor) {
    for (uint32_t c = 0; factor != 1 && c < s->n_row; c++) {
        for (size_t i = 0; i < s->channel[c].n; i++) {
            s->channel[c].share[i] *= factor;
        }
    }
}

static void clear(shares *s) {
    for (uint32_t c = 0; c < s->n_row; c++) {
        channel_shares *a = &s->channel[c];
        if (a->pair) {
            a->n = 0;
        } else if (a->share) {
            memset(a->share, 0, a->n * sizeof *a->share);
        }
    }
}

static void spread(const channel_shares *a, uint64_t *all) {
    for (size_t i = 0; i < a->n; i++) {
        all[a->pair ? a->pair[i] : i] = a->share[i];
    }
}

static hf_status list_all(shares *s, channel_shares *a) {
    uint64_t *all;
    const size_t n = (size_t)s->n * s->n;
    HF_TRY(hf_allocate(s->cx, n, sizeof *all, (void **)&all));
    spread(a, all);
    hf_release(hf_context_allocator(s->cx), a->pair);
    hf_release(hf_context_allocator(s->cx), a->share);
    *a = (channel_shares){NULL, all, n, n};
    return HF_OK;
}

static hf_status add_share(shares *s, channel_shares *a, uint32_t pair, uint64_t share) {
    const double entry = sizeof *a->pair + sizeof *a->share, all = (double)s->n * s->n * sizeof *a->share;
    if (a->n > 0 && a->pair && a->pair[a->n - 1] == pair) { /* a pair is added whole before the next */
        a->share[a->n - 1] += share;
        return HF_OK;
    }
    if (a->pair && a->n == a->room && 2 * (double)a->n * entry > all) {
        HF_TRY(list_all(s, a));
    }
    if (a->share && !a->pair) {
        a->share[pair] += share;
        return HF_OK;
    }
    size_t next_room = a->room;
    HF_GROW(s->cx, a->pair, a->n, next_room);
    HF_GROW(s->cx, a->share, a->n, a->room);
    assert(a->pair && a->share);
    a->pair[a->n] = pair;
    a->share[a->n++] = share;
    return HF_OK;
}

static hf_status add_pair(shares *s, uint32_t from, uint32_t to) {
    const hf_flow *flow = &s->flow;
    const hf_walk *w = &flow->walk;
    for (uint32_t i = 0; i < flow->n_order; i++) {
        const uint32_t state = flow->order[i], n = hf_flow_used(flow, state);
        for (uint32_t e = 0; e < n; e++) {
            const uint32_t target = w->edge[w->edge_begin[state] + e];
            if (target == HF_WALK_DELIVERED || target == HF_WALK_FAULT || s->row[w->in[target].channel] == HF_NONE) {
                continue;
            }
            HF_TRY(add_share(s, &s->channel[s->row[w->in[target].channel]], from * s->n + to,
                             flow->is_exact ? flow->part[state] / n : (uint64_t)llround(flow->amount[state] / n * rounded_unit)));
        }
    }
    return HF_OK;
}

/* Will all fit? The destinations that are left are taken to need half of what those so far do: the first may lie in a corner. */
static hf_status check_memory(const shares *s, uint32_t done) {
    double bytes = 0;
    for (uint32_t c = 0; c < s->n_row; c++) {
        const channel_shares *a = &s->channel[c];
        const double all = (double)s->n * s->n * sizeof *a->share;
        const double listed = (double)a->n * (sizeof *a->pair + sizeof *a->share) * (1 + (double)s->n / done) / 2;
        bytes += a->pair && listed < all ? listed : a->n ? all : 0;
    }
    return hf_machine_fits(s->cx, bytes, HUGE_VAL, "the worst permutation on \"%s\", the shares of all pairs in all channels,",
                           s->flow.plan->topo->spec);
}

static hf_status find_shares(shares *s) {
    for (uint32_t to = 0; to < s->n; to++) {
        if (hf_context_stopped(s->cx)) {
            HF_FAIL(s->cx, HF_ESTOP, "stopped while finding shares, at destination t%u", to);
        }
        for (uint32_t from = 0; from < s->n; from++) {
            uint64_t grown;
            if (from == to) {
                continue;
            }
            s->weight[from] = 1;
            HF_TRY(hf_flow_start(s->cx, &s->flow, to, s->weight));
            hf_flow_run(&s->flow, s->weight, &grown);
            grow(s, s->flow.is_exact ? grown : 1);
            HF_TRY(add_pair(s, from, to));
            s->weight[from] = 0;
        }
        HF_TRY(check_memory(s, to + 1));
    }
    return HF_OK;
}

/* ---- assignments ---- */

/* No assignment is above the sum of the largest entries of the rows, nor above that of the columns.
 * \param[in] most scratch of 2 n */
static uint64_t bound_of(const channel_shares *a, uint32_t n, uint64_t *most) {
    uint64_t by_row = 0, by_column = 0;
    memset(most, 0, 2 * (size_t)n * sizeof *most);
    for (size_t i = 0; i < a->n; i++) {
        const size_t pair = a->pair ? a->pair[i] : i;
        uint64_t *row = &most[pair / n], *column = &most[n + pair % n];
        *row = a->share[i] > *row ? a->share[i] : *row;
        *column = a->share[i] > *column ? a->share[i] : *column;
    }
    for (uint32_t i = 0; i < n; i++) {
        by_row += most[i];
        by_column += most[n + i];
    }
    return by_row < by_column ? by_row : by_column;
}

static hf_status find_worst(shares *s, const hf_topology *topo, hf_worst *out) {
    hf_assignment problem;
    uint32_t *to;
    uint64_t *all, *most;
    hf_u128 worst = 0;
    const hf_tempo tempo = hf_topology_tempo(topo);
    const size_t n_pair = (size_t)s->n * s->n;
    HF_TRY(hf_assignment_init(s->cx, s->n, &problem));
    HF_TRY(hf_scratch(s->cx, s->n, sizeof *to, (void **)&to));
    HF_TRY(hf_scratch(s->cx, 2 * (size_t)s->n, sizeof *most, (void **)&most));
    HF_TRY(hf_scratch(s->cx, n_pair, sizeof *all, (void **)&all));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const channel_shares *a = s->row[c] == HF_NONE ? NULL : &s->channel[s->row[c]];
        if (hf_context_stopped(s->cx)) {
            HF_FAIL(s->cx, HF_ESTOP, "stopped while looking for the worst permutation, at channel %" PRIu32, c);
        }
        const hf_u128 weight = hf_tempo_weight(&tempo, c);
        if (!a || bound_of(a, s->n, most) * weight <= worst) {
            continue;
        }
        memset(all, 0, n_pair * sizeof *all);
        spread(a, all);
        const hf_u128 sum = hf_assignment_solve(&problem, all, to) * weight;
        if (sum > worst) {
            worst = sum;
            out->channel = c;
            memcpy(out->to, to, s->n * sizeof *to);
        }
    }
    const bool is_exact = s->flow.is_exact && tempo.common;
    out->load = (double)worst / (s->flow.is_exact ? (double)s->flow.scale : rounded_unit) / (double)tempo.unit;
    out->exact = is_exact ? hf_fraction_of(worst, (hf_u128)s->flow.scale * tempo.unit) : (hf_fraction){0, 0};
    return HF_OK;
}

static hf_status run(const hf_plan *plan, shares *s, hf_worst *out) {
    HF_TRY(find_shares(s));
    if (!s->flow.is_exact && s->flow.scale > 1) { /* some shares are whole, some rounded: all rounded */
        clear(s);
        HF_TRY(find_shares(s));
    }
    return find_worst(s, plan->topo, out);
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
    shares s = {0};
    hf_status status = start(cx, plan, split, &s);
    if (status == HF_OK) {
        status = run(plan, &s, out);
        release(&s);
    }
    hf_scratch_reset(cx, mark);
    return status;
}
