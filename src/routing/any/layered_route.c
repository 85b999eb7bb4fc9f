/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The relation of ways on layers; `layered-shortest` and `dfsssp` find different ones. */
#include "src/routing/any/layered.h"

#include "src/core/layers.h"
#include "src/routing/lanes.h"

uint32_t hf_layered_most(const hf_args *args) {
    uint32_t vcs;
    (void)hf_lanes_parameter(args, &vcs);
    return vcs && vcs < HF_LAYERS_MAX ? vcs : HF_LAYERS_MAX;
}

bool hf_layered_is_enough(const hf_topology *topo, const hf_args *args) { return hf_goals_count(topo) <= hf_layered_most(args); }

unsigned hf_layered_claims(const hf_topology *topo, const hf_args *args) {
    return topo && hf_layered_is_enough(topo, args) ? HF_ROUTING_MONOTONE | HF_ROUTING_COMPLETE : 0;
}

hf_status hf_layered_take(hf_context *cx, hf_layered *ways, hf_plan *plan) {
    plan->n_vc = ways->n_vc;
    plan->state = ways;
    if (ways->needs_more) {
        char *why;
        HF_TRY(hf_scratch_print(cx, &why, "the ways on \"%s\" need more than %d layers", plan->topo->spec, HF_LAYERS_MAX));
        plan->refusal = why;
    }
    return HF_OK;
}

uint32_t hf_layered_vc_before(const hf_plan *plan, hf_hop in) {
    const bool is_first = in.channel == HF_NONE || plan->topo->link[in.channel] >= plan->topo->n_switch_link;
    return is_first || in.vc >= plan->n_vc ? plan->n_vc : in.vc;
}

uint32_t hf_layered_last(const hf_layered *ways, uint32_t at, uint32_t destination) {
    const hf_topology *topo = ways->goals.topo;
    const uint32_t node = topo->n_switch + destination;
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        const uint32_t c = topo->in_list[i];
        if (topo->from[c] == at && !hf_goals_is_failed(&ways->goals, c)) {
            return c;
        }
    }
    return HF_NONE;
}

uint32_t hf_layered_first(const hf_layered *ways, uint32_t at, uint32_t row) {
    const hf_topology *topo = ways->goals.topo;
    const uint16_t *distance = ways->distance + (size_t)row * topo->n_switch;
    uint32_t best = HF_NONE;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        const bool is_way = !hf_goals_is_failed(&ways->goals, c) && distance[topo->to[c]] != HF_FAR;
        best = is_way && (best == HF_NONE || distance[topo->to[c]] < distance[topo->to[best]]) ? c : best;
    }
    return best;
}

size_t hf_layered_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
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
    const uint32_t vc = hf_layered_vc_before(plan, in);
    hops[0] = (hf_hop){state->next[place], vc < plan->n_vc ? vc : state->vc[place], 0};
    return 1;
}
