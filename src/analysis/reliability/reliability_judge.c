/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over reliability: the judge of tolerance, and beside it the composition of the set and its lost
 *  terminals. */
#include <holdfast/analysis/reliability.h>
#include <holdfast/core/bitset.h>

typedef struct judge {
    hf_judge base;
    hf_allocator allocator;
    hf_judge *inner; /**< decides about tolerance */
    const hf_universe *universe;
    const hf_rule *rule;
    const uint8_t *class_of;
    size_t n_class;
    bool wants_lost;
    uint32_t failed[HF_RELIABILITY_CLASSES];
    hf_fault_stack stack;
} judge;

/* ---- compositions ---- */

/** Ascending in the numbers of the first class, then of the second, and so on. */
static bool next_composition(uint32_t f, size_t n_class, uint32_t *failed) {
    for (size_t c = n_class - 1; c-- > 0;) {
        uint32_t rest = f;
        for (size_t i = 0; i < c; i++) {
            rest -= failed[i];
        }
        if (failed[c] < rest) {
            failed[c]++;
            rest -= failed[c];
            for (size_t i = c + 1; i + 1 < n_class; i++) {
                failed[i] = 0;
            }
            failed[n_class - 1] = rest;
            return true;
        }
    }
    return false;
}

bool hf_reliability_composition(uint32_t f, size_t n_class, size_t i, uint32_t *failed) {
    for (size_t c = 0; c < n_class; c++) {
        failed[c] = 0;
    }
    failed[n_class - 1] = f;
    while (i-- > 0) {
        if (!next_composition(f, n_class, failed)) {
            return false;
        }
    }
    return true;
}

static size_t number_of(const judge *j) {
    uint32_t failed[HF_RELIABILITY_CLASSES];
    size_t i = 0;
    for (; hf_reliability_composition(j->stack.depth, j->n_class, i, failed); i++) {
        bool is_equal = true;
        for (size_t c = 0; c < j->n_class; c++) {
            is_equal &= failed[c] == j->failed[c];
        }
        if (is_equal) {
            break;
        }
    }
    return i;
}

/* ---- lost terminals ---- */

static bool exchanges(const hf_plan *plan, const hf_verdict *v, uint32_t a, uint32_t b) {
    const size_t n = plan->topo->n_terminal;
    return a != b && hf_plan_is_live(plan, b) && !hf_bit_test(v->bad_pair, a * n + b) && !hf_bit_test(v->bad_pair, b * n + a);
}

static hf_status count_lost(hf_context *cx, const judge *j, uint64_t *out) {
    const uint32_t n = j->universe->topo->n_terminal;
    hf_criterion all_pairs;
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict v;
    HF_TRY(hf_criterion_init(cx, "all-pairs", &all_pairs));
    HF_TRY(hf_fault_set_make(cx, j->universe, j->stack.component, j->stack.depth, &faults));
    HF_TRY(hf_plan_make_plain(cx, j->rule, &faults, &plan));
    HF_TRY(hf_tolerance_judge(cx, &plan, &all_pairs, true, &v));
    *out = 0;
    for (uint32_t a = 0; a < n; a++) {
        uint32_t partners = 0;
        for (uint32_t b = 0; b < n && hf_plan_is_live(&plan, a); b++) {
            partners += exchanges(&plan, &v, a, b);
        }
        *out += 2 * (uint64_t)partners < n - 1;
    }
    return HF_OK;
}

/* ---- the judge ---- */

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    judge *j = (judge *)base;
    HF_TRY(hf_fault_stack_push(cx, &j->stack, component));
    const hf_status status = j->inner->ops->push(cx, j->inner, component);
    if (status != HF_OK) {
        hf_fault_stack_pop(&j->stack);
        return status;
    }
    j->failed[j->class_of[component]]++;
    return HF_OK;
}

static void pop(hf_judge *base) {
    judge *j = (judge *)base;
    j->inner->ops->pop(j->inner);
    j->failed[j->class_of[hf_fault_stack_pop(&j->stack)]]--;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const judge *j = (judge *)base;
    hf_measure found;
    uint64_t lost = 0;
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = j->inner->ops->read(cx, j->inner, &found);
    if (status == HF_OK && j->wants_lost) {
        status = count_lost(cx, j, &lost);
    }
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    *out = (hf_measure){.tolerated = found.tolerated};
    const size_t i = number_of(j);
    if (i >= HF_EXTRAS) {
        HF_FAIL(cx, HF_ERANGE, "more than %d compositions of %u failures", HF_EXTRAS, j->stack.depth);
    }
    out->extra[i] = (uint64_t)!found.tolerated + (lost << HF_RELIABILITY_LOST);
    return HF_OK;
}

static void release(hf_judge *base) {
    judge *j = (judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_judge_free(j->inner);
    hf_release(&allocator, j->stack.component);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};

hf_status hf_reliability_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule,
                                   const hf_criterion *criterion, const uint8_t *class_of, size_t n_class, bool want_lost,
                                   hf_judge **out) {
    judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (judge){.base = {.ops = &ops},
                 .allocator = *hf_context_allocator(cx),
                 .universe = universe,
                 .rule = rule,
                 .class_of = class_of,
                 .n_class = n_class,
                 .wants_lost = want_lost};
    const hf_status status = hf_judge_new(cx, universe, rule, criterion, &j->inner);
    if (status != HF_OK) {
        hf_release(&j->allocator, j);
        return status;
    }
    *out = &j->base;
    return HF_OK;
}

bool hf_reliability_is_monotone(unsigned traits, const hf_criterion *criterion, bool fails_switches) {
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return !fails_switches;
    }
    if (criterion->flags & HF_CRITERION_CONNECTED) {
        return true;
    }
    return !(criterion->flags & HF_CRITERION_SURVIVING) && (traits & HF_ROUTING_MONOTONE);
}
