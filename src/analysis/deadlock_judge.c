/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of campaigns over deadlock: every fault set is planned and decided on its own. */
#include <holdfast/deadlock.h>

typedef struct judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    const hf_rule *rule;
    hf_deadlock_options options;
    uint32_t *component; /* the stack */
    uint32_t depth, capacity;
} judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    judge *j = (judge *)base;
    if (j->depth == j->capacity) {
        const uint32_t capacity = 2 * j->capacity + 16;
        HF_TRY(hf_resize(cx, capacity, sizeof *j->component, (void **)&j->component));
        j->capacity = capacity;
    }
    j->component[j->depth++] = component;
    return HF_OK;
}

static void pop(hf_judge *base) { ((judge *)base)->depth--; }

static uint8_t outcome_of(const hf_deadlock *d) {
    if (d->answer == HF_DEADLOCK_FOUND) {
        return HF_OUTCOME_DEADLOCK;
    }
    if (!d->is_connected) {
        return HF_OUTCOME_DISCONNECTED;
    }
    return d->answer == HF_DEADLOCK_FREE ? HF_OUTCOME_FREE : HF_OUTCOME_UNKNOWN;
}

static hf_status decide(hf_context *cx, const judge *j, hf_measure *out) {
    hf_fault_set faults;
    hf_plan plan;
    hf_deadlock found;
    HF_TRY(hf_fault_set_make(cx, j->universe, j->component, j->depth, &faults));
    HF_TRY(hf_plan_make(cx, j->rule, &faults, &plan));
    if (hf_plan_is_empty(&plan)) {
        *out = (hf_measure){.tolerated = true, .outcome = HF_OUTCOME_NOT_COVERED};
        return HF_OK;
    }
    HF_TRY(hf_deadlock_decide(cx, &plan, &j->options, &found));
    *out = (hf_measure){.tolerated = found.answer != HF_DEADLOCK_FOUND, .outcome = outcome_of(&found)};
    return HF_OK;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = decide(cx, (judge *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

static void release(hf_judge *base) {
    judge *j = (judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->component);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};

hf_status hf_deadlock_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule,
                                const hf_deadlock_options *options, hf_judge **out) {
    judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (judge){.base = {&ops}, .allocator = *hf_context_allocator(cx), .universe = universe, .rule = rule, .options = *options};
    j->options.threads = 1;                                          /* the campaign's threads do */
    j->options.want_witness = options->timing == HF_TIMING_LOCKSTEP; /* its packets are looked at first */
    *out = &j->base;
    return HF_OK;
}
