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

static hf_status decide(hf_context *cx, const hf_set_judge *set, const hf_fault_set *faults, hf_measure *out) {
    const judge *j = (const judge *)set;
    hf_plan plan;
    hf_deadlock found;
    HF_TRY(hf_plan_make(cx, j->rule, faults, &plan));
    if (hf_plan_is_empty(&plan)) {
        *out = (hf_measure){.tolerated = true, .outcome = HF_OUTCOME_NOT_COVERED, .noted = 1u << HF_NOTE_NOT_COVERED};
        return HF_OK;
    }
    HF_TRY(hf_deadlock_decide(cx, &plan, &j->options, &found));
    *out = (hf_measure){.tolerated = found.answer != HF_DEADLOCK_FOUND, .outcome = hf_deadlock_outcome(&found)};
    out->noted = (uint8_t)((out->outcome == HF_OUTCOME_DISCONNECTED) << HF_NOTE_DISCONNECTED |
                           (out->outcome == HF_OUTCOME_LOST) << HF_NOTE_LOST | (out->outcome == HF_OUTCOME_IDLE) << HF_NOTE_IDLE);
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
