/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The older convex model: as solid-fault, but every f-region must be a rectangle. Its rings have no concave corners, so the
 *  readings of rule 4 do not differ. Source: [boppana1995], as told in [chalasani1996, 5]. */
#include "src/routing/lanes.h"
#include "src/routing/solid/params.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    return hf_solid_accepts_rings(cx, topo, "block-fault", args);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    const hf_solid_options options = {.is_convex_only = true,
                                      .is_any_vc = true,
                                      .rings = (hf_solid_rings)hf_args_get(plan->args, "rings")->number,
                                      .sidesteps = hf_args_get(plan->args, "sidesteps")->number};
    return hf_solid_plan_make(cx, plan, &options);
}

static const hf_param params[] = {HF_SOLID_RINGS_PARAM, HF_SOLID_SIDESTEPS_PARAM, HF_PARAM_LANES, {0}};

extern const hf_routing hf_routing_block_fault;
static hf_status judge(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_solid_judge_new(cx, &hf_routing_block_fault, universe, &rule->args, out);
}

const hf_routing hf_routing_block_fault = {
    .name = "block-fault",
    .summary = "the older model of convex faults in meshes and tori: as solid-fault, for rectangular regions only",
    .source = "boppana1995; chalasani1996, 5",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_FAULT_AWARE | HF_ROUTING_ACYCLIC,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = hf_solid_route,
    .claim = hf_solid_claim,
    .drawing = &hf_solid_drawing,
    .measures = &hf_convex_measures,
    .judge = judge,
};
