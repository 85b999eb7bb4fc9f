/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plans: made, and what is asked of any. */
#include <holdfast/core/bitset.h>
#include <holdfast/format.h>
#include <holdfast/routing.h>

#include "src/routing/lanes.h"

/* What every reader counts on before the first hop. */
static hf_status check_plan(hf_context *cx, const hf_plan *plan) {
    if (plan->n_vc == 0 || (uint64_t)plan->topo->n_channel * plan->n_vc >= HF_NONE) {
        HF_FAIL(cx, plan->n_vc ? HF_ERANGE : HF_EINVAL,
                "routing \"%s\", plan(): n_vc = %u for %u channels is out of range; need 1 to %u", plan->routing->name,
                plan->n_vc, plan->topo->n_channel, plan->topo->n_channel ? (HF_NONE - 1) / plan->topo->n_channel : HF_NONE);
    }
    if (plan->max_hops == 0) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\", plan(): max_hops = 0 is out of range; need at least 1", plan->routing->name);
    }
    return HF_OK;
}

static size_t offer_nothing(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)plan, (void)at, (void)in, (void)destination, (void)hops;
    return 0;
}

/* Of a plan that is refused: nobody is in service, and nothing is offered. */
static hf_status close_plan(hf_context *cx, hf_plan *plan) {
    hf_routing *closed;
    uint64_t *live;
    uint32_t vcs;
    HF_TRY(hf_scratch(cx, 1, sizeof *closed, (void **)&closed));
    HF_TRY(hf_scratch(cx, hf_words(plan->topo->n_terminal), sizeof *live, (void **)&live));
    *closed = *plan->routing;
    closed->route = offer_nothing;
    closed->escape = NULL;
    closed->ring = NULL;
    closed->length = NULL;
    closed->direction = NULL;
    closed->registers = NULL;
    plan->routing = closed;
    plan->live = live;
    plan->runs = NULL;
    plan->distance = NULL;
    (void)hf_lanes_parameter(plan->args, &vcs);
    plan->n_vc = vcs ? vcs : plan->n_vc;
    return HF_OK;
}

/* Without faults there has to be a plan. */
static hf_status fit(hf_context *cx, hf_plan *plan) {
    HF_TRY(plan->refusal ? HF_OK : hf_lanes_fit(cx, plan));
    if (plan->refusal && plan->faults->n_channel == 0) {
        HF_FAIL(cx, HF_ERANGE, "routing \"%s\": %s", plan->routing->name, plan->refusal);
    }
    return plan->refusal ? close_plan(cx, plan) : HF_OK;
}

static hf_status make(hf_context *cx, const hf_rule *rule, const hf_fault_set *faults, bool has_lanes, hf_plan *plan) {
    *plan = (hf_plan){.routing = rule->routing,
                      .topo = faults->topo,
                      .faults = faults,
                      .args = &rule->args,
                      .data = rule->data,
                      .flows = rule->flows,
                      .n_vc = 1,
                      .max_hops = 1};
    if (rule->routing->open && !rule->data) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" was not opened for a topology; give one to hf_rule_init()", rule->spec);
    }
    HF_TRY(rule->routing->plan(cx, plan));
    HF_TRY(check_plan(cx, plan));
    HF_TRY(fit(cx, plan));
    HF_TRY(has_lanes ? hf_lanes_plan(cx, plan) : HF_OK);
    HF_TRY(plan->lanes ? check_plan(cx, plan) : HF_OK);
    return rule->classes ? hf_classes_plan(cx, rule->classes, plan) : HF_OK;
}

hf_status hf_plan_make(hf_context *cx, const hf_rule *rule, const hf_fault_set *faults, hf_plan *plan) {
    return make(cx, rule, faults, true, plan);
}

hf_status hf_plan_make_plain(hf_context *cx, const hf_rule *rule, const hf_fault_set *faults, hf_plan *plan) {
    return make(cx, rule, faults, false, plan);
}

hf_status hf_plan_is_blind(hf_context *cx, const hf_plan *plan, bool *out) {
    *out = hf_plan_traits(plan) & HF_ROUTING_BLIND;
    return plan->routing->is_blind ? plan->routing->is_blind(cx, hf_plan_own(plan), out) : HF_OK;
}

hf_status hf_plan_mark(hf_context *cx, const hf_plan *plan, hf_marks *marks) {
    const hf_routing_drawing *drawing = hf_drawing_of(plan->routing);
    marks->is_north_first = drawing->is_north_first;
    return drawing->mark ? drawing->mark(cx, hf_plan_own(plan), marks) : HF_OK;
}

static bool has_healthy(const uint64_t *failed, const uint32_t *list, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (!hf_bit_test(failed, list[i])) {
            return true;
        }
    }
    return false;
}

uint32_t hf_plan_live(const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    const uint64_t *failed = plan->faults->channel_set;
    uint32_t live = 0;
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        live += hf_plan_is_live(plan, v - topo->n_switch) &&
                (has_healthy(failed, topo->out_list + out, topo->out_begin[v + 1] - out) ||
                 has_healthy(failed, topo->in_list + in, topo->in_begin[v + 1] - in));
    }
    return live;
}

bool hf_plan_is_empty(const hf_plan *plan) {
    const size_t n = plan->topo->n_terminal;
    return plan->live && hf_bits_next(plan->live, n, 0) == n;
}
