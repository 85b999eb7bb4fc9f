/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One shortest way of the healthy network for every pair, on any topology, and as many virtual channels as it takes to keep
 *  their dependencies without a cycle: pair by pair, the way goes on the lowest VC where it closes none. Which of the ways that
 *  are as short is said in layered_balance.c; faults change those ways that they touch, and no others (layered_change.h). Source:
 *  the layers of [skeie2002], with ways that go by the destination alone. */
#include "src/routing/any/layered.h"
#include "src/routing/lanes.h"

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_layered *ways;
    HF_TRY(hf_scratch(cx, 1, sizeof *ways, (void **)&ways));
    HF_TRY(hf_layered_make(cx, plan, ways));
    return hf_layered_take(cx, ways, plan);
}

/* ---- measures ---- */

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    (void)cx;
    hf_layered_measure(plan->state, out);
    return HF_OK;
}

static const char *const extras[] = {"layers", "distance_hops", "longest_hops", NULL};
static double most_layers(const hf_topology *topo) {
    (void)topo;
    return HF_LAYERS_MAX;
}
static const hf_extra_note extra_notes[] = {
    {"virtual channels that keep the paths free of cycles", NULL, 0, most_layers},
    {"hops between switches, sum over the ordered pairs with a path", NULL, 0, hf_most_hops_sum},
    {"hops between switches, of the farthest pair", NULL, 0, hf_most_hops}};

static const hf_routing_measures measures = {NULL, extras, extra_notes, measure, NULL};

static const hf_likeness likeness = {.by_switch = true, .arrival = hf_layered_vc_before};

const hf_routing hf_routing_layered_shortest = {
    .name = "layered-shortest",
    .summary = "one shortest way a pair of the healthy network, on as many VCs as keep them free of cycles; any topology",
    .source = "skeie2002",
    .traits = HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE | HF_ROUTING_UNEVEN,
    .params = hf_lanes_params,
    .claims = hf_layered_claims,
    .plan = make,
    .route = hf_layered_route,
    .likeness = &likeness,
    .measures = &measures,
    .judge = hf_layered_shortest_judge_new,
};
