/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Adaptive routing round solid faults in meshes and tori: off the f-rings c0 for the e-cube hop and c1..c3 for every hop that
 *  leads nearer and is on no f-ring; on the f-rings as the non-adaptive rule. In tori c0 and c4 are the two classes of the e-cube
 *  hop, the other six adaptive. Source: [chalasani1996, 4 and 5]. */
#include "src/routing/lanes.h"
#include "src/routing/solid/params.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    return hf_solid_accepts_args(cx, topo, "solid-fault-adaptive", args);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_solid_options options = hf_solid_options_of(plan->args);
    options.is_adaptive = true;
    return hf_solid_plan_make(cx, plan, &options);
}

static const hf_param params[] = {HF_SOLID_SACRIFICE_PARAM, HF_SOLID_RULE4_PARAM,     HF_SOLID_RESET_PARAM, HF_SOLID_RINGS_PARAM,
                                  HF_SOLID_TURNED_PARAM,    HF_SOLID_SIDESTEPS_PARAM, HF_PARAM_LANES,       {0}};

extern const hf_routing hf_routing_solid_fault_adaptive;
static hf_status judge(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_solid_judge_new(cx, &hf_routing_solid_fault_adaptive, universe, &rule->args, out);
}

const hf_routing hf_routing_solid_fault_adaptive = {
    .name = "solid-fault-adaptive",
    .summary =
        "adaptive routing round solid faults in meshes and tori: minimal hops off the fault rings, four VCs, in tori eight",
    .source = "chalasani1996, 4 and 5",
    .params = params,
    .accepts = accepts,
    .plan = make,
    .escape = hf_solid_escape,
    .judge = judge,
    HF_SOLID_FIELDS,
};
