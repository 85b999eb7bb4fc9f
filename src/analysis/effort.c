/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reconfiguration over fault sets: the routing's own figures for the plan under each, as quantities of a campaign. */
#include <holdfast/analysis/effort.h>

#include "src/routing/set_judge.h"

typedef struct effort_judge {
    hf_set_judge base;
    const hf_rule *rule;
    hf_effort_asked asked;
    uint32_t n;
    uint64_t value[]; /* n */
} effort_judge;

uint32_t hf_effort_count(const hf_routing *routing) {
    uint32_t n = 0;
    while (routing->efforts && routing->efforts->quantities[n].phase) {
        n++;
    }
    return n;
}

static hf_status refuse(hf_context *cx, const hf_routing *routing) {
    char *have = "";
    for (size_t i = 0; i < hf_routing_count(); i++) {
        if (hf_effort_count(hf_routing_at(i)) > 0) {
            HF_TRY(hf_scratch_print(cx, &have, "%s%s%s", have, *have ? ", " : "", hf_routing_at(i)->name));
        }
    }
    HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" has no model of its reconfiguration; need one of %s", routing->name, have);
}

static hf_status measure(hf_context *cx, const hf_set_judge *base, const hf_fault_set *faults, hf_measure *out) {
    const effort_judge *j = (const effort_judge *)base;
    const hf_effort *quantity = j->rule->routing->efforts->quantities;
    hf_effort_costs costs = j->asked.costs;
    uint64_t *value = ((effort_judge *)base)->value;
    hf_plan plan;
    costs.simulates = !j->asked.is_symmetric && base->base.index < j->asked.simulated;
    for (uint32_t i = 0; i < j->n; i++) {
        value[i] = HF_UNKNOWN;
    }
    HF_TRY(hf_plan_make_plain(cx, j->rule, faults, &plan));
    HF_TRY(plan.routing->efforts->effort(cx, &plan, &costs, value));
    for (uint32_t i = 0; i < j->n && j->asked.is_symmetric; i++) {
        value[i] = quantity[i].by_numbers ? HF_UNKNOWN : value[i];
    }
    *out = (hf_measure){.tolerated = true, .quantity = value};
    return HF_OK;
}

hf_status hf_effort_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_effort_asked *asked,
                              hf_judge **out) {
    const uint32_t n = hf_effort_count(rule->routing);
    effort_judge *j;
    if (n == 0) {
        return refuse(cx, rule->routing);
    }
    HF_TRY(hf_set_judge_new(cx, universe, measure, sizeof *j + n * sizeof *j->value, (void **)&j));
    j->rule = rule;
    j->asked = *asked;
    j->n = n;
    *out = &j->base.base;
    return HF_OK;
}
