/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The best that an adaptive routing can do with the hops of its plan: shares that make the largest load smallest, one flow
 *  for each hop of each destination. No flow goes where it would be lost unless its source has no other way. */
#include <string.h>

#include "src/analysis/load/best.h"
#include "src/analysis/load/flow.h"
#include "src/analysis/traffic/traffic.h"

typedef struct problem {
    hf_context *cx;
    hf_flow flow;
    const hf_traffic *traffic;
    hf_channel_lp lp;
    uint64_t *weight;
    double lost;
    /* by state of the walk */
    bool *delivers;
    uint32_t *first_in, room; /* the list of flows into it, HF_NONE at its end */
    uint32_t *next_in;        /* by column */
} problem;

static hf_status make_room(problem *p) {
    if (p->flow.walk.state_room > p->room) {
        p->room = p->flow.walk.state_room;
        HF_TRY(hf_scratch(p->cx, p->room, sizeof *p->delivers, (void **)&p->delivers));
        HF_TRY(hf_scratch(p->cx, p->room, sizeof *p->first_in, (void **)&p->first_in));
    }
    memset(p->delivers, 0, p->flow.walk.n_state * sizeof *p->delivers);
    memset(p->first_in, 0xff, p->flow.walk.n_state * sizeof *p->first_in); /* HF_NONE */
    return HF_OK;
}

static bool is_good(const problem *p, uint32_t target) {
    return target == HF_WALK_DELIVERED || (target != HF_WALK_FAULT && p->delivers[target]);
}

static void mark_delivering(problem *p) {
    const hf_walk *w = &p->flow.walk;
    for (uint32_t i = p->flow.n_order; i-- > 0;) {
        const uint32_t s = p->flow.order[i];
        for (uint32_t e = w->edge_begin[s]; e < w->edge_begin[s + 1]; e++) {
            p->delivers[s] |= is_good(p, w->edge[e]);
        }
    }
}

/* What goes out of a state is what came in, or what the source sends. */
static hf_status conserve(problem *p, uint32_t s) {
    const hf_walk *w = &p->flow.walk;
    for (uint32_t e = w->edge_begin[s]; e < w->edge_begin[s + 1]; e++) {
        const uint32_t target = w->edge[e];
        uint32_t column;
        if (!is_good(p, target)) {
            continue;
        }
        HF_TRY(hf_channel_lp_flow(p->cx, &p->lp, w->hops[e].channel, &column));
        hf_milp_term(p->lp.milp, 1, column);
        if (target != HF_WALK_DELIVERED) {
            p->next_in[column] = p->first_in[target];
            p->first_in[target] = column;
        }
    }
    for (uint32_t c = p->first_in[s]; c != HF_NONE; c = p->next_in[c]) {
        hf_milp_term(p->lp.milp, -1, c);
    }
    return hf_channel_lp_row(&p->lp, s < p->traffic->n_terminal ? (double)p->weight[s] : 0);
}

static hf_status add_destination(problem *p, uint32_t destination) {
    uint64_t any = 0;
    for (uint32_t s = 0; s < p->traffic->n_terminal; s++) {
        p->weight[s] = hf_traffic_weight(p->traffic, s, destination);
        any |= p->weight[s];
    }
    if (!any) {
        return HF_OK;
    }
    HF_TRY(hf_flow_start(p->cx, &p->flow, destination, p->weight));
    HF_TRY(make_room(p));
    mark_delivering(p);
    for (uint32_t i = 0; i < p->flow.n_order; i++) {
        const uint32_t s = p->flow.order[i];
        if (p->delivers[s]) {
            HF_TRY(conserve(p, s));
        } else if (s < p->traffic->n_terminal) {
            p->lost += (double)p->weight[s];
        }
    }
    return HF_OK;
}

static hf_status solve(problem *p, const hf_plan *plan, double *load, double *lost) {
    HF_TRY(hf_flow_init(p->cx, plan, HF_SPLIT_OPTIMAL, &p->flow));
    HF_TRY(hf_scratch(p->cx, p->traffic->n_terminal, sizeof *p->weight, (void **)&p->weight));
    HF_TRY(hf_scratch(p->cx, HF_CHANNEL_LP_MAX, sizeof *p->next_in, (void **)&p->next_in));
    for (uint32_t d = 0; d < p->traffic->n_terminal; d++) {
        HF_TRY(add_destination(p, d));
    }
    double largest;
    HF_TRY(hf_channel_lp_solve(p->cx, &p->lp, p->traffic->denominator, &largest, load));
    const double total = hf_traffic_total(p->traffic);
    *lost = total > 0 ? p->lost / total : 0;
    return HF_OK;
}

hf_status hf_load_optimal(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, double *load, double *lost) {
    problem p = {.cx = cx, .traffic = traffic};
    HF_TRY(hf_channel_lp_start(cx, plan->topo, &p.lp));
    const hf_status status = solve(&p, plan, load, lost);
    hf_channel_lp_free(&p.lp);
    return status;
}
