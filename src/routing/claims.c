/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What rules and plans claim, and the answers that many rules share. */
#include <holdfast/routing.h>

const char *const hf_control_order_names[] = {"first", "newest", NULL};

const hf_likeness hf_no_likeness = {0};
const hf_routing_drawing hf_no_drawing = {0};
const hf_routing_measures hf_no_measures = {0};

hf_symmetric hf_always_symmetric(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    (void)args;
    return (hf_symmetric){.of = HF_SYMMETRIC_TOLERANCE | HF_SYMMETRIC_BUBBLES | HF_SYMMETRIC_RELATION, .f_most = UINT32_MAX};
}

bool hf_routing_never_chooses(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    (void)args;
    return false;
}

uint32_t hf_arrival_any(const hf_plan *plan, hf_hop in) {
    (void)plan, (void)in;
    return 0;
}

/* ---- traits ---- */

/* What only a relation of all pairs has. */
static unsigned without_flows(unsigned traits, bool has_flows) {
    return has_flows ? traits & ~(unsigned)(HF_ROUTING_ALL_MINIMAL | HF_ROUTING_SHORTEST) : traits;
}

unsigned hf_routing_claims(const hf_routing *routing, const hf_topology *topo, const hf_args *args) {
    return routing->traits | (routing->claims && args ? routing->claims(topo, args) : 0);
}

unsigned hf_rule_traits(const hf_rule *rule) { return without_flows(rule->routing->traits | rule->claims, rule->flows); }

unsigned hf_plan_traits(const hf_plan *plan) {
    return without_flows(plan->traits | hf_routing_claims(plan->routing, plan->topo, plan->args), plan->flows);
}

/* ---- rings ---- */

bool hf_plan_has_rings(const hf_plan *plan) {
    const hf_routing *routing = plan->routing;
    return routing->ring && (!routing->has_rings || routing->has_rings(hf_plan_own(plan)));
}

hf_status hf_plan_need_rings(hf_context *cx, const hf_plan *plan) {
    if (!hf_plan_has_rings(plan)) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\"%s declares no rings on \"%s\"; bubble flow control needs them",
                plan->routing->name, plan->routing->ring ? " with these parameters" : "", plan->topo->spec);
    }
    return HF_OK;
}
