/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One shortest way of the healthy network for every pair, on any topology, and as many virtual channels as it takes to keep
 *  their dependencies without a cycle: pair by pair, the way goes on the lowest VC where it closes none. A baseline for rules
 *  that react to faults: everything is computed anew. Source: the layers of [skeie2002], with ways that go by the destination
 *  alone. */
#include "src/core/layers.h"
#include "src/routing/any/layered.h"

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_layered *ways;
    HF_TRY(hf_scratch(cx, 1, sizeof *ways, (void **)&ways));
    HF_TRY(hf_layered_make(cx, plan, NULL, ways));
    plan->n_vc = ways->n_vc;
    plan->state = ways;
    return HF_OK;
}

/* The layer that a packet is on; n_vc: it has none yet. */
static uint32_t vc_before(const hf_plan *plan, hf_hop in) {
    const bool is_first = in.channel == HF_NONE || plan->topo->link[in.channel] >= plan->topo->n_switch_link;
    return is_first || in.vc >= plan->n_vc ? plan->n_vc : in.vc;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_layered *state = plan->state;
    const hf_topology *topo = plan->topo;
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    if (hf_topology_is_terminal(topo, at)) {
        hops[0] = (hf_hop){hf_layered_first(state, at, state->goals.row[destination]), 0, 0};
        return hops[0].channel != HF_NONE;
    }
    const size_t place = (size_t)state->goals.row[destination] * topo->n_switch + at;
    if (state->next[place] == HF_NONE) {
        hops[0] = (hf_hop){hf_layered_last(state, at, destination), 0, 0};
        return hops[0].channel != HF_NONE;
    }
    const uint32_t vc = vc_before(plan, in);
    hops[0] = (hf_hop){state->next[place], vc < plan->n_vc ? vc : state->vc[place], 0};
    return 1;
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

static const hf_likeness likeness = {.by_switch = true, .arrival = vc_before};

const hf_routing hf_routing_layered_shortest = {
    .name = "layered-shortest",
    .summary = "one shortest way a pair of the healthy network, on as many VCs as keep them free of cycles; any topology",
    .source = "skeie2002",
    .traits = HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE | HF_ROUTING_COMPLETE,
    .params = hf_no_params,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .measures = &measures,
    .judge = hf_layered_judge_new,
};
