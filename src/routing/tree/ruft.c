/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Self-routing: at each stage of a one-way network of k x k switches the packet takes the output that one digit of its
 *  destination names. RUFT takes digit s at stage s, the butterfly and its kin the highest first. Source: [gomez2010, 5.2]. */

#include <string.h>

#include "src/routing/ends.h"
#include "src/topology/multistage/fly.h"

typedef struct self_route {
    hf_fly fly;
    bool is_lowest_first;
} self_route;

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    hf_fly fly;
    if (!hf_fly_of(topo, &fly) || fly.n_stage != fly.n) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"ruft\" takes ruft, butterfly, omega and baseline, whose digits name one path; not \"%s\"", topo->spec);
    }
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    self_route *state;
    HF_TRY(hf_scratch(cx, 1, sizeof *state, (void **)&state));
    hf_fly_of(plan->topo, &state->fly);
    state->is_lowest_first = plan->topo->kind->is_reduced_tree;
    plan->state = state;
    hf_route_take_vcs(plan, 1);
    return HF_OK;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const self_route *state = plan->state;
    const hf_fly *fly = &state->fly;
    if (hf_topology_is_terminal(plan->topo, at)) {
        hops[0] = (hf_hop){hf_topology_channel_at(plan->topo, at, 0), 0, 0};
        return 1;
    }
    const uint32_t stage = at / (fly->n_line / fly->k), digit = state->is_lowest_first ? stage : fly->n - 1 - stage;
    hops[0] = (hf_hop){hf_topology_channel_at(plan->topo, at, fly->k + hf_fly_digit(fly, destination, digit)), 0, 0};
    return hf_route_on_all_vcs(plan, hops, 1);
}

static const hf_likeness likeness = {.arrival = hf_arrival_any};

static const hf_param params[] = {HF_PARAM_VCS, {0}};

const hf_routing hf_routing_ruft = {
    .name = "ruft",
    .summary = "self-routing on RUFT, butterfly, omega and baseline: one digit of the destination a stage",
    .source = "gomez2010, 5.2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .chooses = hf_routing_never_chooses,
    .plan = make,
    .route = route,
    .likeness = &likeness,
};
