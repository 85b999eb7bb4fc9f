/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The ways of a plan: those of the whole network, and what faults change of them. */
#include "src/routing/any/layered_change.h"

static hf_status lay_out(hf_context *cx, const hf_plan *plan, uint32_t n_table, hf_layered *out) {
    const size_t per_row = sizeof *out->next + sizeof *out->distance + sizeof *out->vc;
    *out = (hf_layered){.n_vc = 1};
    HF_TRY(hf_goals_init(cx, plan, n_table * per_row, &out->goals));
    const size_t size = (size_t)out->goals.n_row * plan->topo->n_switch;
    out->goals.failed = NULL;
    HF_TRY(hf_scratch(cx, size, sizeof *out->next, (void **)&out->next));
    HF_TRY(hf_scratch(cx, size, sizeof *out->distance, (void **)&out->distance));
    return hf_scratch(cx, size, sizeof *out->vc, (void **)&out->vc);
}

hf_status hf_layered_whole(hf_context *cx, const hf_plan *plan, uint32_t n_table, hf_layered *out, hf_laying *laying) {
    HF_TRY(lay_out(cx, plan, n_table, out));
    HF_TRY(hf_layered_balance(cx, out, 2));
    HF_TRY(hf_laying_init(cx, plan->topo, laying));
    return hf_laying_all(cx, laying, out);
}

hf_status hf_layered_make(hf_context *cx, const hf_plan *plan, hf_layered *out) {
    hf_layered whole;
    hf_laying laying;
    hf_layered_change change;
    if (plan->faults->n_channel == 0) {
        return hf_layered_whole(cx, plan, 1, out, &laying);
    }
    HF_TRY(hf_layered_whole(cx, plan, 2, &whole, &laying));
    HF_TRY(hf_layered_change_init(cx, &whole, &laying, plan->args, &change));
    hf_layered_change_begin(&change, plan->faults);
    for (uint32_t row = 0; row < whole.goals.n_row; row++) {
        hf_layered_change_row(&change, row);
    }
    HF_TRY(hf_layered_change_lay(cx, cx, &change));
    *out = change.now;
    return HF_OK;
}

void hf_layered_measure(const hf_layered *ways, hf_measure *out) {
    const size_t size = (size_t)ways->goals.n_row * ways->goals.topo->n_switch;
    uint64_t sum = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < size; i++) {
        const uint32_t hops = ways->distance[i] == HF_FAR ? 0 : ways->distance[i];
        sum += hops;
        most = hops > most ? hops : most;
    }
    out->extra[0] = ways->n_vc;
    out->extra[1] = sum;
    out->extra[2] = most;
}
