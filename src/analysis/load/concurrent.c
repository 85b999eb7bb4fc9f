/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Maximum concurrent flow: the least largest load of a channel that any routing could do, with one flow on each channel for
 *  each switch that packets leave the network at. */
#include <holdfast/core/bitset.h>

#include "src/analysis/load/best.h"

typedef struct problem {
    hf_context *cx;
    const hf_topology *topo;
    const hf_fault_set *faults;
    const hf_traffic *traffic;
    hf_channel_lp lp;
    uint32_t *enters, *leaves; /* by terminal: its switches */
    double *demand;            /* by switch: the weight that it sends to the switch at work */
    uint32_t *column;          /* by channel */
} problem;

/* The only neighbour of a terminal over healthy channels; HF_NONE if there is none. */
static hf_status only_switch(const problem *p, uint32_t node, const uint32_t *begin, const uint32_t *list, const uint32_t *end,
                             uint32_t *out) {
    *out = HF_NONE;
    for (uint32_t i = begin[node]; i < begin[node + 1]; i++) {
        if (hf_bit_test(p->faults->channel_set, list[i])) {
            continue;
        }
        if (*out != HF_NONE) {
            HF_FAIL(p->cx, HF_ENOTSUP, "terminal t%u has several links; the best routing is found for terminals with one",
                    node - p->topo->n_switch);
        }
        *out = end[list[i]];
    }
    return HF_OK;
}

static hf_status find_ends(problem *p) {
    const hf_topology *topo = p->topo;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t node = topo->n_switch + t;
        HF_TRY(only_switch(p, node, topo->out_begin, topo->out_list, topo->to, &p->enters[t]));
        HF_TRY(only_switch(p, node, topo->in_begin, topo->in_list, topo->from, &p->leaves[t]));
    }
    return HF_OK;
}

static hf_status no_way(const problem *p) { HF_FAIL(p->cx, HF_ENOTSUP, "some of the traffic has no way in %s", p->topo->spec); }

/* Whoever sends or is sent to has a switch. */
static hf_status check_ends(const problem *p) {
    for (uint32_t s = 0; s < p->traffic->n_terminal; s++) {
        for (uint32_t d = 0; d < p->traffic->n_terminal; d++) {
            if ((p->enters[s] == HF_NONE || p->leaves[d] == HF_NONE) && hf_traffic_weight(p->traffic, s, d)) {
                return no_way(p);
            }
        }
    }
    return HF_OK;
}

/* \return whether any switch sends to the goal */
static bool find_demand(problem *p, uint32_t goal) {
    bool any = false;
    for (uint32_t sw = 0; sw < p->topo->n_switch; sw++) {
        p->demand[sw] = 0;
    }
    for (uint32_t s = 0; s < p->traffic->n_terminal; s++) {
        for (uint32_t d = 0; d < p->traffic->n_terminal; d++) {
            const uint64_t weight = p->leaves[d] == goal ? hf_traffic_weight(p->traffic, s, d) : 0;
            if (weight && p->enters[s] != goal) {
                p->demand[p->enters[s]] += (double)weight;
                any = true;
            }
        }
    }
    return any;
}

static bool is_usable(const problem *p, uint32_t channel) {
    return p->topo->link[channel] < p->topo->n_switch_link && !hf_bit_test(p->faults->channel_set, channel);
}

/* What leaves a switch towards the goal is what comes in and what it sends itself. */
static hf_status conserve(problem *p, uint32_t sw) {
    const hf_topology *topo = p->topo;
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        if (is_usable(p, topo->out_list[i])) {
            hf_milp_term(p->lp.milp, 1, p->column[topo->out_list[i]]);
        }
    }
    for (uint32_t i = topo->in_begin[sw]; i < topo->in_begin[sw + 1]; i++) {
        if (is_usable(p, topo->in_list[i])) {
            hf_milp_term(p->lp.milp, -1, p->column[topo->in_list[i]]);
        }
    }
    if (hf_milp_terms(p->lp.milp) == 0 && p->demand[sw] > 0) {
        return no_way(p);
    }
    return hf_channel_lp_row(&p->lp, p->demand[sw]);
}

static hf_status add_goal(problem *p, uint32_t goal) {
    if (!find_demand(p, goal)) {
        return HF_OK;
    }
    for (uint32_t c = 0; c < p->topo->n_channel; c++) {
        if (is_usable(p, c)) {
            HF_TRY(hf_channel_lp_flow(p->cx, &p->lp, c, &p->column[c]));
        }
    }
    for (uint32_t sw = 0; sw < p->topo->n_switch; sw++) {
        if (sw != goal) {
            HF_TRY(conserve(p, sw));
        }
    }
    return HF_OK;
}

static hf_status solve(problem *p, double *out) {
    const hf_topology *topo = p->topo;
    double *load;
    HF_TRY(hf_scratch(p->cx, topo->n_terminal, sizeof *p->enters, (void **)&p->enters));
    HF_TRY(hf_scratch(p->cx, topo->n_terminal, sizeof *p->leaves, (void **)&p->leaves));
    HF_TRY(hf_scratch(p->cx, topo->n_switch, sizeof *p->demand, (void **)&p->demand));
    HF_TRY(hf_scratch(p->cx, topo->n_channel, sizeof *p->column, (void **)&p->column));
    HF_TRY(hf_scratch(p->cx, topo->n_channel, sizeof *load, (void **)&load));
    HF_TRY(find_ends(p));
    HF_TRY(check_ends(p));
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        HF_TRY(add_goal(p, sw));
    }
    return hf_channel_lp_solve(p->cx, &p->lp, p->traffic->denominator, out, load);
}

hf_status hf_load_best(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, const hf_traffic *traffic,
                       double *out) {
    problem p = {.cx = cx, .topo = topo, .faults = faults, .traffic = traffic};
    const hf_mark mark = hf_scratch_mark(cx);
    *out = 0;
    HF_TRY(hf_channel_lp_start(cx, topo, &p.lp));
    const hf_status status = solve(&p, out);
    hf_channel_lp_free(&p.lp);
    hf_scratch_reset(cx, mark);
    return status;
}
