/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over deadlock: every fault set is planned and decided on its own. */
#include <holdfast/analysis/deadlock.h>

#include "src/routing/set_judge.h"

typedef struct judge {
    hf_set_judge set;
    const hf_rule *rule;
    hf_deadlock_options options;
} judge;

uint8_t hf_deadlock_outcome(const hf_deadlock *d) {
    if (d->answer == HF_DEADLOCK_FOUND) {
        return HF_OUTCOME_DEADLOCK;
    }
    if (d->is_time_over) {
        return HF_OUTCOME_TIME_LIMIT;
    }
    if (!d->is_connected) {
        return d->is_parted ? HF_OUTCOME_DISCONNECTED : HF_OUTCOME_LOST;
    }
    if (d->answer != HF_DEADLOCK_FREE) {
        return HF_OUTCOME_UNKNOWN;
    }
    return d->serves ? HF_OUTCOME_FREE : HF_OUTCOME_IDLE;
}

uint32_t hf_deadlock_note(uint32_t outcome) {
    static const uint8_t noted[HF_NOTES] = {HF_OUTCOME_DISCONNECTED, HF_OUTCOME_LOST, HF_OUTCOME_NOT_COVERED, HF_OUTCOME_IDLE};
    for (uint32_t note = 0; note < HF_NOTES; note++) {
        if (noted[note] == outcome) {
            return note;
        }
    }
    return HF_NONE;
}

static hf_measure measure_of(uint8_t outcome) {
    const uint32_t note = hf_deadlock_note(outcome);
    return (hf_measure){
        .tolerated = outcome != HF_OUTCOME_DEADLOCK, .outcome = outcome, .noted = note == HF_NONE ? 0 : (uint8_t)(1u << note)};
}

static hf_status decide(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan;
    hf_deadlock found;
    HF_TRY(hf_plan_make(cx, j->rule, faults, &plan));
    if (hf_plan_is_empty(&plan)) {
        *out = measure_of(HF_OUTCOME_NOT_COVERED);
        return HF_OK;
    }
    HF_TRY(hf_deadlock_decide(cx, &plan, &j->options, &found));
    *out = measure_of(hf_deadlock_outcome(&found));
    return HF_OK;
}

hf_status hf_deadlock_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule,
                                const hf_deadlock_options *options, hf_judge **out) {
    judge *j;
    HF_TRY(hf_set_judge_new(cx, universe, decide, sizeof *j, (void **)&j));
    j->rule = rule;
    j->options = *options;
    j->options.threads = 1;                                          /* the campaign's threads do */
    j->options.want_witness = options->timing == HF_TIMING_LOCKSTEP; /* its packets are looked at first */
    *out = &j->set.base;
    return HF_OK;
}
