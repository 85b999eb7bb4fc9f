/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Linear programs over flows on channels. */
#include "src/analysis/load/best.h"

#include "src/core/rows.h"

static const double limit_s = 600;

hf_status hf_channel_lp_start(hf_context *cx, const hf_topology *topo, hf_channel_lp *p) {
    *p = (hf_channel_lp){.topo = topo};
    HF_TRY(hf_scratch(cx, HF_CHANNEL_LP_MAX, sizeof *p->channel, (void **)&p->channel));
    HF_TRY(hf_milp_new(cx, &p->milp));
    p->channel[0] = HF_NONE;
    const hf_status status = hf_milp_add_real(p->milp, 1, 0, INFINITY, NULL);
    if (status != HF_OK) {
        hf_channel_lp_free(p);
    }
    return status;
}

void hf_channel_lp_free(hf_channel_lp *p) {
    hf_milp_free(p->milp);
    p->milp = NULL;
}

hf_status hf_channel_lp_flow(hf_context *cx, hf_channel_lp *p, uint32_t channel, uint32_t *column) {
    if (hf_milp_columns(p->milp) == HF_CHANNEL_LP_MAX) {
        HF_FAIL(cx, HF_ERANGE, "the linear program for %s needs more than %d flows; take a smaller network", p->topo->spec,
                HF_CHANNEL_LP_MAX);
    }
    HF_TRY(hf_milp_add_real(p->milp, 0, 0, INFINITY, column));
    p->channel[*column] = channel;
    return HF_OK;
}

hf_status hf_channel_lp_row(hf_channel_lp *p, double value) {
    return hf_milp_terms(p->milp) ? hf_milp_add_row(p->milp, value, value) : HF_OK;
}

/* The flows over a channel between switches are together at most the largest load. */
static hf_status bound_channels(hf_context *cx, hf_channel_lp *p) {
    hf_rows flows; /* by channel */
    const hf_tempo tempo = hf_topology_tempo(p->topo);
    HF_TRY(hf_rows_of(cx, p->topo->n_channel, NULL, hf_milp_columns(p->milp), p->channel, &flows));
    for (uint32_t c = 0; c < p->topo->n_channel; c++) {
        if (p->topo->link[c] >= p->topo->n_switch_link || flows.begin[c] == flows.begin[c + 1]) {
            continue;
        }
        for (uint32_t i = flows.begin[c]; i < flows.begin[c + 1]; i++) {
            hf_milp_term(p->milp, hf_tempo_cycles(&tempo, c), flows.item[i]);
        }
        hf_milp_term(p->milp, -1, 0);
        HF_TRY(hf_milp_at_most(p->milp, 0));
    }
    return HF_OK;
}

hf_status hf_channel_lp_solve(hf_context *cx, hf_channel_lp *p, uint64_t denominator, double *largest, double *load) {
    hf_milp_answer answer;
    bool has_solution;
    HF_TRY(bound_channels(cx, p));
    HF_TRY(hf_milp_solve(p->milp, limit_s, &answer, &has_solution));
    if (answer == HF_MILP_INFEASIBLE) {
        HF_FAIL(cx, HF_ENOTSUP, "some of the traffic has no way in %s", p->topo->spec);
    }
    if (answer != HF_MILP_OPTIMAL) {
        HF_FAIL(cx, HF_ERANGE, "the linear program for %s with %u flows was not solved in %g s; take a smaller network",
                p->topo->spec, hf_milp_columns(p->milp), limit_s);
    }
    for (uint32_t i = 0; i < hf_milp_columns(p->milp); i++) {
        if (p->channel[i] != HF_NONE) {
            load[p->channel[i]] += fmax(hf_milp_real(p->milp, i), 0);
        }
    }
    for (uint32_t c = 0; c < p->topo->n_channel; c++) {
        load[c] /= (double)denominator;
    }
    *largest = hf_milp_real(p->milp, 0) / (double)denominator;
    return HF_OK;
}
