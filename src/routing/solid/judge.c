/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of campaigns over solid faults: every set is planned and measured; the measure finds out whether every pair in
 * service is delivered, so the relation need not be walked a second time. */
#include <holdfast/core/bitset.h>

#include "src/routing/set_judge.h"
#include "src/routing/solid/route.h"

typedef struct judge {
    hf_set_judge set;
    const hf_routing *routing;
    const hf_args *args;
} judge;

static hf_status measure(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan = {.routing = j->routing, .topo = faults->topo, .faults = faults, .args = j->args};
    HF_TRY(j->routing->plan(cx, &plan));
    *out = (hf_measure){.live = (uint32_t)hf_bits_count(plan.live, hf_words(faults->topo->n_terminal))};
    return hf_solid_survey(cx, &plan, out, &out->tolerated);
}

hf_status hf_solid_judge_new(hf_context *cx, const hf_routing *routing, const hf_universe *universe, const hf_args *args,
                             hf_judge **out) {
    judge *j;
    HF_TRY(hf_set_judge_new(cx, universe, measure, sizeof *j, (void **)&j));
    j->routing = routing;
    j->args = args;
    *out = &j->set.base;
    return HF_OK;
}
