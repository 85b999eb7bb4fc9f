/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DFSSSP: one shortest way to each terminal, which keeps away from channels that many ways take, on any topology; and layers by
 *  breaking cycles. Destinations come one after the other by number; of the shortest ways of the healthy network each takes those
 *  with the least sum of what ways to terminals before it have put on their channels, and adds its own (layered_balance.c). The
 *  layers are made in layered_cycles.c. Everything is computed anew after faults. Source: [domke2011]; differs: ways are shortest
 *  in hops first, layers that are left over are not filled up, and where all layers that there are do not do, each switch that is
 *  a goal has one. */
#include "src/core/layers.h"
#include "src/core/machine.h"
#include "src/routing/any/layered.h"
#include "src/routing/lanes.h"

static const double memory_limit = 4294967296.0;

/* A row for each terminal, as each has ways of its own. */
static hf_status lay_out(hf_context *cx, const hf_plan *plan, hf_layered *out) {
    const size_t per_row = sizeof *out->next + sizeof *out->distance + sizeof *out->vc;
    const double bytes = (double)plan->topo->n_terminal * plan->topo->n_switch * (double)per_row;
    HF_TRY(
        hf_machine_fits(cx, bytes, memory_limit, "the table of routing \"%s\" on \"%s\"", plan->routing->name, plan->topo->spec));
    HF_TRY(hf_goals_init(cx, plan, per_row, &out->goals));
    for (uint32_t t = out->goals.topo->n_terminal; t-- > 0;) {
        /* a terminal's row is not above its number, so what is read is still there */
        out->goals.goal[t] = out->goals.goal[out->goals.row[t]];
        out->goals.row[t] = t;
    }
    out->goals.n_row = plan->topo->n_terminal;
    const size_t size = (size_t)out->goals.n_row * plan->topo->n_switch;
    HF_TRY(hf_scratch(cx, size, sizeof *out->next, (void **)&out->next));
    HF_TRY(hf_scratch(cx, size, sizeof *out->distance, (void **)&out->distance));
    return hf_scratch(cx, size, sizeof *out->vc, (void **)&out->vc);
}

/* With fewer layers than goals it is said how many there would have to be. */
static hf_status make(hf_context *cx, hf_plan *plan) {
    const bool is_enough = hf_layered_is_enough(plan->topo, plan->args);
    hf_layered *ways;
    HF_TRY(hf_scratch(cx, 1, sizeof *ways, (void **)&ways));
    ways->n_vc = 1;
    HF_TRY(lay_out(cx, plan, ways));
    HF_TRY(hf_layered_balance(cx, ways, 1));
    HF_TRY(hf_layered_break_cycles(cx, ways, is_enough ? hf_layered_most(plan->args) : HF_LAYERS_MAX));
    return hf_layered_take(cx, ways, plan);
}

/* ---- measures ---- */

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    (void)cx;
    const hf_layered *ways = plan->state;
    out->extra[0] = ways->n_vc;
    for (size_t i = 0; i < (size_t)ways->goals.n_row * plan->topo->n_switch; i++) {
        const uint32_t hops = ways->distance[i] == HF_FAR ? 0 : ways->distance[i];
        out->extra[1] = hops > out->extra[1] ? hops : out->extra[1];
    }
    return HF_OK;
}

static const char *const extras[] = {"layers", "longest_hops", NULL};
static double most_layers(const hf_topology *topo) {
    (void)topo;
    return HF_LAYERS_MAX;
}
static const hf_extra_note extra_notes[] = {{"virtual channels that keep the paths free of cycles", NULL, 0, most_layers},
                                            {"hops between switches, of the farthest pair", NULL, 0, hf_most_hops}};
static const hf_routing_measures measures = {NULL, extras, extra_notes, measure, NULL};

static const hf_likeness likeness = {.arrival = hf_layered_vc_before};

const hf_routing hf_routing_dfsssp = {
    .name = "dfsssp",
    .summary = "shortest ways to each terminal, balanced by what the channels carry, layered by breaking cycles; any topology",
    .source = "domke2011",
    .traits = HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE | HF_ROUTING_UNEVEN,
    .params = hf_lanes_params,
    .claims = hf_layered_claims,
    .plan = make,
    .route = hf_layered_route,
    .likeness = &likeness,
    .measures = &measures,
    .judge = hf_dfsssp_judge_new,
};
