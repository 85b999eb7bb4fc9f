/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Non-adaptive routing round solid faults in meshes and tori of two or more dimensions: e-cube, and round the f-ring of a fault
 *  that blocks it, with the virtual channels c0..c3, in tori c0..c7. A set that is not valid is not covered: the plan then keeps
 * no terminal in service. Source: [chalasani1996, 3 and 5]. */
#include "src/routing/lanes.h"
#include "src/routing/solid/params.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    return hf_solid_accepts_args(cx, topo, "solid-fault", args);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_solid_options options = hf_solid_options_of(plan->args);
    options.is_any_vc = hf_args_get(plan->args, "base-vc")->number == 0;
    return hf_solid_plan_make(cx, plan, &options);
}

static const char *const base_vcs[] = {"any", "own", NULL};

static const hf_param params[] = {
    HF_SOLID_SACRIFICE_PARAM,
    HF_SOLID_RULE4_PARAM,
    HF_SOLID_RESET_PARAM,
    HF_SOLID_RINGS_PARAM,
    HF_SOLID_TURNED_PARAM,
    HF_SOLID_SIDESTEPS_PARAM,
    {.name = "base-vc",
     .type = HF_PARAM_WORD,
     .fallback = "any",
     .words = base_vcs,
     .help = "virtual channels off the f-rings: any of the four of its class, or that of the message's own type"},
    HF_PARAM_LANES,
    {0},
};

extern const hf_routing hf_routing_solid_fault;
static hf_status judge(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_solid_judge_new(cx, &hf_routing_solid_fault, universe, &rule->args, out);
}

const hf_routing hf_routing_solid_fault = {
    .name = "solid-fault",
    .summary = "non-adaptive routing round solid faults in meshes and tori: e-cube and fault rings, four VCs, in tori eight",
    .source = "chalasani1996, 3 and 5",
    .params = params,
    .accepts = accepts,
    .plan = make,
    .judge = judge,
    HF_SOLID_FIELDS,
};
