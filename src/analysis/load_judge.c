/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over load: every fault set is planned and its load found on its own. */
#include <math.h>

#include <holdfast/load.h>

#include "src/routing/set_judge.h"

typedef struct judge {
    hf_set_judge set;
    const hf_rule *rule;
    const hf_traffic *traffic;
    hf_split split;
} judge;

static uint64_t in_units(double value) { return (uint64_t)llround(value / HF_LOAD_EXTRA_UNIT); }

static hf_status find(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan;
    hf_load *load;
    HF_TRY(hf_plan_make(cx, j->rule, faults, &plan));
    HF_TRY(hf_load_find(cx, &plan, j->traffic, j->split, &load));
    *out = (hf_measure){.tolerated = load->lost == 0};
    out->extra[HF_LOAD_MAX] = in_units(load->max_load);
    out->extra[HF_LOAD_ALL] = in_units(fmax(load->max_load, load->terminal_load));
    out->extra[HF_LOAD_SATURATION] = in_units(load->saturation);
    out->extra[HF_LOAD_LOST] = in_units(load->lost);
    hf_load_free(load);
    return HF_OK;
}

hf_status hf_load_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_traffic *traffic,
                            hf_split split, hf_judge **out) {
    judge *j;
    HF_TRY(hf_set_judge_new(cx, universe, find, sizeof *j, (void **)&j));
    j->rule = rule;
    j->traffic = traffic;
    j->split = split;
    *out = &j->set.base;
    return HF_OK;
}
