/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Judges of fault sets for a rule and a criterion: the routing's own incremental one where it answers the question, else one
 *  that composes it with connectivity, or that plans each set and reads the relation. The criterion decides in all of them. */
#include <holdfast/analysis/tolerance.h>

#include "src/analysis/parting/parting.h"
#include "src/analysis/tolerance/connectivity.h"

/* A stack of components with what helps to read it. Without a fast judge every read makes the plan anew. */
typedef struct composed {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion;
    uint32_t least;       /* terminals in service that the criterion asks for */
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

/* The verdict, where the routing's own judge has measured the set. */
static hf_status decide(hf_context *cx, const composed *judge, hf_measure *out) {
    const bool serves_all = out->tolerated;
    if (judge->net) {
        out->tolerated = hf_connectivity_read(judge->net);
        return HF_OK;
    }
    if (judge->criterion->flags & HF_CRITERION_CONNECTED) {
        return judge_plan(cx, judge, &out->tolerated);
    }
    out->tolerated = serves_all && out->live >= judge->least;
    /* a set that serves every pair serves the surviving ones too */
    if (!(judge->criterion->flags & HF_CRITERION_SURVIVING) || serves_all || out->live < judge->least) {
        return HF_OK;
    }
    if (judge->fast->ops->surviving) {
        out->tolerated = judge->fast->ops->surviving(judge->fast);
        return HF_OK;
    }
    return judge_plan(cx, judge, &out->tolerated);
}

static hf_status read_set(hf_context *cx, composed *judge, hf_measure *out) {
    const hf_routing *routing = judge->rule->routing;
    if (!judge->fast) {
        return measure_plan(cx, judge, out);
    }
    HF_TRY(judge->fast->ops->read(cx, judge->fast, out));
    HF_TRY(decide(cx, judge, out));
    if (hf_measures_of(routing)->settle) {
        hf_measures_of(routing)->settle(judge->universe->topo, out);
    }
    return HF_OK;
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
                              uint32_t least, composed **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    **out = (composed){.base = {&composed_ops},
                       .allocator = *hf_context_allocator(cx),
                       .universe = universe,
                       .rule = rule,
                       .criterion = criterion,
                       .least = least};
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
    uint32_t least;
    HF_TRY(hf_criterion_least(cx, criterion, universe->topo, &least));
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return hf_parting_judge_new(cx, universe, least, true, out);
    }
    HF_TRY(new_composed(cx, universe, rule, criterion, least, &judge));
    *out = &judge->base;
    return HF_OK;
}

/* What stands beside the routing's own judge for this criterion. */
static hf_status compose(hf_context *cx, composed *judge) {
    const unsigned flags = judge->criterion->flags;
    const hf_judge_ops *ops = judge->fast ? judge->fast->ops : NULL;
    if (ops && (flags & HF_CRITERION_SURVIVING) && ops->safe && !ops->sheds) {
        judge->base.ops = &composed_safe_ops;
    }
    if (ops && (flags & HF_CRITERION_CONNECTED)) {
        return optional(cx, hf_connectivity_new(cx, judge->universe, &judge->net));
    }
    return HF_OK;
}

hf_status hf_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                       hf_judge **out) {
    hf_judge *fast;
    composed *judge;
    uint32_t least;
    HF_TRY(hf_criterion_least(cx, criterion, universe->topo, &least));
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return hf_parting_judge_new(cx, universe, least, false, out);
    }
    HF_TRY(make_fast(cx, universe, rule, &fast));
    if (fast && criterion->flags == 0 && !fast->ops->sheds) {
        *out = fast; /* all terminals stay in service: it is criterion all-pairs itself */
        return HF_OK;
    }
    hf_status status = new_composed(cx, universe, rule, criterion, least, &judge);
    if (status != HF_OK) {
        hf_judge_free(fast);
        return status;
    }
    judge->fast = fast;
    status = compose(cx, judge);
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
