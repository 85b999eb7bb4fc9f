/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Judges of fault sets for a rule and a criterion: the routing's own incremental one where it answers the question, else one
 *  that composes it with connectivity, or that plans each set and reads the relation. */
#include <holdfast/analysis.h>

#include "src/analysis/connectivity.h"
#include "src/analysis/parting.h"

/* A stack of components with what helps to read it. Without a fast judge every read makes the plan anew. */
typedef struct composed {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion;
    hf_judge *fast;       /* the routing's own, or NULL */
    hf_connectivity *net; /* for criterion connected, or NULL */
    hf_fault_stack failed;
} composed;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    composed *judge = (composed *)base;
    HF_TRY(hf_fault_stack_push(cx, &judge->failed, component));
    const hf_status status = judge->fast ? judge->fast->ops->push(cx, judge->fast, component) : HF_OK;
    if (status != HF_OK) {
        hf_fault_stack_pop(&judge->failed);
        return status;
    }
    if (judge->net) {
        hf_connectivity_push(judge->net, component);
    }
    return HF_OK;
}

static void pop(hf_judge *base) {
    composed *judge = (composed *)base;
    const uint32_t component = hf_fault_stack_pop(&judge->failed);
    if (judge->fast) {
        judge->fast->ops->pop(judge->fast);
    }
    if (judge->net) {
        hf_connectivity_pop(judge->net, component);
    }
}

/* Everything from the plan of the present set. */
static hf_status measure_plan(hf_context *cx, const composed *judge, hf_measure *out) {
    hf_fault_set faults;
    hf_plan plan;
    HF_TRY(hf_fault_set_make(cx, judge->universe, judge->failed.component, judge->failed.depth, &faults));
    HF_TRY(hf_plan_make(cx, judge->rule, &faults, &plan));
    return hf_tolerance_measure(cx, judge->rule, &plan, judge->criterion, out);
}

/* Only whether the criterion holds. */
static hf_status judge_plan(hf_context *cx, const composed *judge, bool *tolerated) {
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, judge->universe, judge->failed.component, judge->failed.depth, &faults));
    if (judge->criterion->flags & HF_CRITERION_CONNECTED) {
        return hf_connectivity_all(cx, &faults, tolerated);
    }
    hf_plan plan;
    hf_verdict verdict;
    HF_TRY(hf_plan_make(cx, judge->rule, &faults, &plan));
    HF_TRY(hf_tolerance_judge(cx, &plan, judge->criterion, false, &verdict));
    *tolerated = verdict.tolerated;
    return HF_OK;
}

static hf_status read_set(hf_context *cx, composed *judge, hf_measure *out) {
    if (!judge->fast) {
        return measure_plan(cx, judge, out);
    }
    HF_TRY(judge->fast->ops->read(cx, judge->fast, out));
    if (judge->net) {
        out->tolerated = hf_connectivity_read(judge->net);
        return HF_OK;
    }
    /* a set that serves every pair serves the surviving ones too */
    const bool asks_surviving = judge->criterion->flags & HF_CRITERION_SURVIVING;
    if (asks_surviving && out->tolerated) {
        return HF_OK;
    }
    if (asks_surviving && judge->fast->ops->surviving) {
        out->tolerated = judge->fast->ops->surviving(judge->fast);
        return HF_OK;
    }
    return judge->criterion->flags ? judge_plan(cx, judge, &out->tolerated) : HF_OK;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = read_set(cx, (composed *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
}

static bool safe(hf_judge *base, uint32_t r) {
    hf_judge *fast = ((composed *)base)->fast;
    return fast->ops->safe(fast, r);
}

static void release(hf_judge *base) {
    composed *judge = (composed *)base;
    hf_judge_free(judge->fast);
    hf_connectivity_free(judge->net);
    const hf_allocator allocator = judge->allocator;
    hf_release(&allocator, judge->failed.component);
    hf_release(&allocator, judge);
}

static const hf_judge_ops composed_ops = {.push = push, .pop = pop, .read = read, .free = release};
static const hf_judge_ops composed_safe_ops = {.push = push, .pop = pop, .read = read, .safe = safe, .free = release};

static hf_status new_composed(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                              composed **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    **out = (composed){.base = {&composed_ops},
                       .allocator = *hf_context_allocator(cx),
                       .universe = universe,
                       .rule = rule,
                       .criterion = criterion};
    return HF_OK;
}

/* A part that this universe or size does not have is left out. */
static hf_status optional(hf_context *cx, hf_status status) {
    if (status != HF_ENOTSUP) {
        return status;
    }
    hf_context_clear(cx);
    return HF_OK;
}

static hf_status make_fast(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    *out = NULL;
    return rule->routing->judge ? optional(cx, rule->routing->judge(cx, universe, &rule->args, out)) : HF_OK;
}

hf_status hf_judge_new_relation(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                                hf_judge **out) {
    composed *judge;
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return hf_parting_judge_new(cx, universe, true, out);
    }
    HF_TRY(new_composed(cx, universe, rule, criterion, &judge));
    *out = &judge->base;
    return HF_OK;
}

hf_status hf_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                       hf_judge **out) {
    hf_judge *fast;
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return hf_parting_judge_new(cx, universe, false, out);
    }
    HF_TRY(make_fast(cx, universe, rule, &fast));
    if (fast && (criterion->flags == 0 || rule->routing->decides)) {
        *out = fast;
        return HF_OK;
    }
    composed *judge;
    hf_status status = new_composed(cx, universe, rule, criterion, &judge);
    if (status != HF_OK) {
        hf_judge_free(fast);
        return status;
    }
    judge->fast = fast;
    if (fast && (criterion->flags & HF_CRITERION_SURVIVING) && fast->ops->safe) {
        judge->base.ops = &composed_safe_ops;
    }
    if (fast && (criterion->flags & HF_CRITERION_CONNECTED)) {
        status = optional(cx, hf_connectivity_new(cx, universe, &judge->net));
    }
    if (status != HF_OK) {
        release(&judge->base);
        return status;
    }
    *out = &judge->base;
    return HF_OK;
}

void hf_judge_free(hf_judge *judge) {
    if (judge) {
        judge->ops->free(judge);
    }
}
