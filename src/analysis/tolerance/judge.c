/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Judges of fault sets for a rule and a criterion: the routing's own incremental one where it answers the question, else one
 *  that composes it with connectivity, or that plans each set and reads the relation. The criterion decides in all of them. */
#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>

#include "src/analysis/parting/parting.h"
#include "src/analysis/tolerance/blind.h"
#include "src/analysis/tolerance/connectivity.h"

/* FEW sets are found one after the other, the next in a WINDOW of so many sets, or where it is to be expected. */
enum { FEW = 64, WINDOW = 256 };

/* A stack of components with what helps to read it. Without a fast judge every read makes the plan anew. */
typedef struct composed {
    hf_judge base;
    hf_judge_ops ops;
    hf_allocator allocator;
    const hf_universe *universe;
    const hf_rule *rule;
    const hf_criterion *criterion;
    uint32_t least;       /* terminals in service that the criterion asks for */
    hf_judge *fast;       /* the routing's own, or that of all rules that look at no faults, or NULL */
    hf_connectivity *net; /* beside it, or NULL */
    hf_judge
        *parts; /* beside both, or NULL: counts which sets of links part the switches; only where the others do many at once */
    bool parts_is_net;    /* to part the switches is to part the terminals */
    bool keeps_terminals; /* links between switches alone fail: all terminals stay in service */
    hf_fault_stack failed;
} composed;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    composed *judge = (composed *)base;
    HF_TRY(hf_fault_stack_push(cx, &judge->failed, component));
    hf_status status = judge->fast ? judge->fast->ops->push(cx, judge->fast, component) : HF_OK;
    if (status == HF_OK && judge->parts) {
        status = judge->parts->ops->push(cx, judge->parts, component);
        if (status != HF_OK && judge->fast) {
            judge->fast->ops->pop(judge->fast);
        }
    }
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
    if (judge->parts) {
        judge->parts->ops->pop(judge->parts);
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
    HF_TRY(hf_plan_make_plain(cx, judge->rule, &faults, &plan));
    return hf_tolerance_measure(cx, judge->rule, &plan, judge->criterion, out);
}

/* Does a healthy path lead from every terminal to every other? */
static hf_status is_connected(hf_context *cx, const composed *judge, bool *out) {
    if (judge->net) {
        *out = hf_connectivity_read(judge->net);
        return HF_OK;
    }
    hf_fault_set faults;
    HF_TRY(hf_fault_set_make(cx, judge->universe, judge->failed.component, judge->failed.depth, &faults));
    return hf_connectivity_all(cx, &faults, out);
}

/* Only whether the criterion holds. */
static hf_status judge_plan(hf_context *cx, const composed *judge, bool *tolerated) {
    hf_fault_set faults;
    hf_plan plan;
    HF_TRY(hf_fault_set_make(cx, judge->universe, judge->failed.component, judge->failed.depth, &faults));
    hf_verdict verdict;
    HF_TRY(hf_plan_make_plain(cx, judge->rule, &faults, &plan));
    HF_TRY(hf_tolerance_judge(cx, &plan, judge->criterion, false, &verdict));
    *tolerated = verdict.tolerated;
    return HF_OK;
}

/* Who is connected is served. The judge of a rule of shortest ways knows those without faults: it misses ways that faults
 * open. */
static bool finds_all(const composed *judge) {
    return (hf_rule_traits(judge->rule) & HF_ROUTING_SHORTEST) || (judge->fast && judge->fast->connects);
}

/* The verdict, where the routing's own judge has measured the set. */
static hf_status decide(hf_context *cx, const composed *judge, hf_measure *out) {
    const bool serves_all = out->tolerated, is_surviving = judge->criterion->flags & HF_CRITERION_SURVIVING;
    if (judge->criterion->flags & HF_CRITERION_CONNECTED) {
        if (serves_all && !judge->fast->ops->sheds) {
            return HF_OK; /* by healthy paths, and all stay in service */
        }
        return is_connected(cx, judge, &out->tolerated);
    }
    out->tolerated = serves_all && out->live >= judge->least;
    /* a set that serves every pair serves the surviving ones too */
    if (serves_all || out->live < judge->least) {
        return HF_OK;
    }
    if (finds_all(judge)) {
        out->tolerated = is_surviving;
        return is_surviving ? HF_OK : is_connected(cx, judge, &out->tolerated);
    }
    if (!is_surviving) {
        return HF_OK;
    }
    if (judge->net && hf_connectivity_read(judge->net)) {
        return HF_OK; /* every pair survives */
    }
    hf_status status = HF_ENOTSUP;
    if (judge->fast->ops->surviving) {
        status = judge->fast->ops->surviving(cx, judge->fast, &out->tolerated);
    }
    if (status == HF_ENOTSUP) {
        hf_context_clear(cx);
        return judge_plan(cx, judge, &out->tolerated);
    }
    return status;
}

static hf_status read_set(hf_context *cx, composed *judge, hf_measure *out) {
    const hf_routing *routing = judge->rule->routing;
    if (!judge->fast || !judge->fast->ops->read) {
        return measure_plan(cx, judge, out);
    }
    HF_TRY(judge->fast->ops->read(cx, judge->fast, out));
    HF_TRY(decide(cx, judge, out));
    if (hf_measures_of(routing)->settle) {
        hf_measures_of(routing)->settle(judge->universe->topo, out);
    }
    return HF_OK;
}

static hf_status judge_set(hf_context *cx, composed *judge, hf_measure *out) {
    const hf_judge_ops *ops = judge->fast ? judge->fast->ops : NULL;
    *out = (hf_measure){0};
    if (!ops) {
        return judge_plan(cx, judge, &out->tolerated);
    }
    const bool is_surviving = judge->criterion->flags & HF_CRITERION_SURVIVING;
    if (finds_all(judge) && is_surviving && judge->keeps_terminals) {
        out->tolerated = true;
        return HF_OK;
    }
    const bool asks_net = finds_all(judge) || (!ops->count && (judge->criterion->flags & HF_CRITERION_CONNECTED));
    if (judge->net && asks_net && !is_surviving) {
        out->tolerated = hf_connectivity_read(judge->net);
        return HF_OK;
    }
    const hf_status status = ops->verdict ? ops->verdict(cx, judge->fast, out) : ops->read(cx, judge->fast, out);
    if (status == HF_ENOTSUP && !ops->read) {
        hf_context_clear(cx);
        return judge_plan(cx, judge, &out->tolerated);
    }
    HF_TRY(status);
    return decide(cx, judge, out);
}

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_set(cx, (composed *)base, out);
    hf_scratch_reset(cx, mark);
    return status;
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

/* ---- many sets at once: as those beside do it where no set parts the switches, else those that they do not tolerate ---- */

static uint32_t first_above(const composed *judge) {
    return judge->failed.depth ? judge->failed.component[judge->failed.depth - 1] + 1 : 0;
}

/* The verdict with r further components. */
static hf_status read_with(hf_context *cx, composed *judge, const uint32_t *more, uint32_t r, bool *tolerated) {
    hf_measure measure;
    hf_status status = HF_OK;
    uint32_t n = 0;
    while (n < r && status == HF_OK) {
        status = push(cx, &judge->base, more[n]);
        n += status == HF_OK;
    }
    if (status == HF_OK) {
        status = verdict(cx, &judge->base, &measure);
    }
    while (n-- > 0) {
        pop(&judge->base);
    }
    *tolerated = status == HF_OK && measure.tolerated;
    return status;
}

/* The r further components of the set with this index. */
static void find_set(const composed *judge, uint32_t r, uint64_t index, uint32_t more[2]) {
    const uint32_t above = first_above(judge);
    hf_lex_unrank(judge->universe->n_component - above, r, index, more);
    for (uint32_t i = 0; i < r; i++) {
        more[i] += above;
    }
}

/* One more set, after all those that were counted: it is the one with this index. */
static hf_status count_one(hf_context *cx, composed *judge, const uint32_t *more, uint32_t r, uint64_t index, uint64_t *bad,
                           uint64_t *first) {
    bool tolerated;
    HF_TRY(hf_context_go_on(cx, "judging fault sets"));
    HF_TRY(read_with(cx, judge, more, r, &tolerated));
    *bad += !tolerated;
    *first = !tolerated && *first == UINT64_MAX ? index : *first;
    return HF_OK;
}

static hf_status count_each(hf_context *cx, composed *judge, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *bad,
                            uint64_t *first) {
    const uint32_t m = judge->universe->n_component;
    uint32_t more[2];
    *bad = 0;
    *first = UINT64_MAX;
    if (lo < hi) {
        find_set(judge, r, lo, more);
    }
    for (uint64_t i = lo; i < hi; i++) {
        HF_TRY(count_one(cx, judge, more, r, i, bad, first));
        (void)hf_lex_next(m, r, more, NULL);
    }
    return HF_OK;
}

static hf_status count_fast(hf_context *cx, composed *judge, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *bad,
                            uint64_t *first) {
    return judge->fast->ops->count(cx, judge->fast, r, lo, hi, bad, first);
}

/* The next of `left` sets that the fast judge does not tolerate, from index `lo` on. In windows that grow. */
static hf_status find_next(hf_context *cx, composed *judge, uint32_t r, uint64_t left, uint64_t lo, uint64_t hi, uint64_t *at) {
    const uint64_t apart = (hi - lo) / left;
    uint64_t bad = 0;
    for (uint64_t width = apart > WINDOW ? apart : WINDOW; bad == 0; lo += width, width *= 2) {
        HF_TRY(count_fast(cx, judge, r, lo, hi - lo < width ? hi : lo + width, &bad, at));
    }
    return HF_OK;
}

/* Only those that the fast judge does not tolerate: `left` of them, the first of which has the index `at`. */
static hf_status count_these(hf_context *cx, composed *judge, uint32_t r, uint64_t left, uint64_t at, uint64_t hi, uint64_t *bad,
                             uint64_t *first) {
    uint32_t more[2];
    *bad = 0;
    *first = UINT64_MAX;
    for (; left > 0; left--) {
        find_set(judge, r, at, more);
        HF_TRY(count_one(cx, judge, more, r, at, bad, first));
        HF_TRY(left > 1 ? find_next(cx, judge, r, left - 1, at + 1, hi, &at) : HF_OK);
    }
    return HF_OK;
}

/* A rule that takes no terminal out of service tolerates by any criterion what it tolerates by all pairs. The other sets are
 * looked at: one after the other where they are few, all where they are many, else in halves. \param[in,out] bad, first as the
 * fast judge counts; as they are */
static hf_status look_at_few(hf_context *cx, composed *judge, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *bad,
                             uint64_t *first) { /* NOLINT(misc-no-recursion): halves */
    if (*bad <= FEW) {
        return count_these(cx, judge, r, *bad, *first, hi, bad, first);
    }
    if (*bad > (hi - lo) / 4) {
        return count_each(cx, judge, r, lo, hi, bad, first);
    }
    const uint64_t middle = lo + (hi - lo) / 2;
    uint64_t bad_above, first_of_above;
    HF_TRY(count_fast(cx, judge, r, lo, middle, bad, first));
    HF_TRY(look_at_few(cx, judge, r, lo, middle, bad, first));
    HF_TRY(count_fast(cx, judge, r, middle, hi, &bad_above, &first_of_above));
    HF_TRY(look_at_few(cx, judge, r, middle, hi, &bad_above, &first_of_above));
    *first = *first < first_of_above ? *first : first_of_above;
    *bad += bad_above;
    return HF_OK;
}

/* A network in parts stays so. */
static hf_status count_by_fast(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                               uint64_t *first) {
    composed *judge = (composed *)base;
    const bool asks_pairs = judge->criterion->flags & HF_CRITERION_SURVIVING;
    HF_TRY(count_fast(cx, judge, r, lo, hi, not_tolerated, first));
    if (*not_tolerated > 0 && !asks_pairs && !hf_connectivity_read(judge->net)) {
        *not_tolerated = hi - lo;
        *first = lo;
        return HF_OK;
    }
    return look_at_few(cx, judge, r, lo, hi, not_tolerated, first);
}

/* Where sets part the switches and that does not say all. \param[in,out] bad, first as the fast judge counts; as they are */
static hf_status count_parting(hf_context *cx, composed *judge, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *bad,
                               uint64_t *first) {
    return (judge->fast->ops->count ? look_at_few : count_each)(cx, judge, r, lo, hi, bad, first);
}

/* Do the sets that part the switches say all? \param[out] bad, first of them */
static hf_status count_parted(hf_context *cx, const composed *judge, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *bad,
                              uint64_t *first, bool *is_enough) {
    HF_TRY(judge->parts->ops->count(cx, judge->parts, r, lo, hi, bad, first));
    const bool asks_net = finds_all(judge) || (judge->criterion->flags & HF_CRITERION_CONNECTED);
    *is_enough = *bad == 0 || (judge->parts_is_net && asks_net);
    return HF_OK;
}

static hf_status count(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                       uint64_t *first) {
    composed *judge = (composed *)base;
    const bool asks_pairs = judge->criterion->flags & HF_CRITERION_SURVIVING;
    bool is_enough;
    if (finds_all(judge) && asks_pairs) {
        *not_tolerated = 0; /* all terminals stay in service */
        *first = UINT64_MAX;
        return HF_OK;
    }
    HF_TRY(count_parted(cx, judge, r, lo, hi, not_tolerated, first, &is_enough));
    if (!is_enough) {
        HF_TRY(judge->fast->ops->count ? count_fast(cx, judge, r, lo, hi, not_tolerated, first) : HF_OK);
        return count_parting(cx, judge, r, lo, hi, not_tolerated, first);
    }
    return asks_pairs ? count_fast(cx, judge, r, lo, hi, not_tolerated, first) : HF_OK;
}

static hf_status sum(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, hf_judge_sum *out) {
    composed *judge = (composed *)base;
    const bool is_surviving = judge->criterion->flags & HF_CRITERION_SURVIVING;
    bool is_enough;
    HF_TRY(judge->fast->ops->sum(cx, judge->fast, r, lo, hi, out));
    if (finds_all(judge) && is_surviving) {
        out->not_tolerated = 0; /* all terminals stay in service */
        out->first = UINT64_MAX;
        return HF_OK;
    }
    const hf_judge_sum all_pairs = *out;
    HF_TRY(count_parted(cx, judge, r, lo, hi, &out->not_tolerated, &out->first, &is_enough));
    if (!is_enough || is_surviving) {
        out->not_tolerated = all_pairs.not_tolerated;
        out->first = all_pairs.first;
    }
    return is_enough ? HF_OK : count_parting(cx, judge, r, lo, hi, &out->not_tolerated, &out->first);
}

static void release(hf_judge *base) {
    composed *judge = (composed *)base;
    hf_judge_free(judge->fast);
    hf_judge_free(judge->parts);
    hf_connectivity_free(judge->net);
    const hf_allocator allocator = judge->allocator;
    hf_release(&allocator, judge->failed.component);
    hf_release(&allocator, judge);
}

static hf_status new_composed(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                              uint32_t least, const hf_judge_ops *ops, composed **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    **out = (composed){.ops = *ops,
                       .allocator = *hf_context_allocator(cx),
                       .universe = universe,
                       .rule = rule,
                       .criterion = criterion,
                       .least = least};
    (*out)->base.ops = &(*out)->ops;
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
    if (rule->flows) { /* fast paths know of all pairs */
        return HF_OK;
    }
    HF_TRY(rule->routing->judge ? optional(cx, rule->routing->judge(cx, universe, rule, out)) : HF_OK);
    const unsigned traits = hf_rule_traits(rule);
    const bool has_fixed_ways = !*out && (!(traits & HF_ROUTING_FAULT_AWARE) || (traits & HF_ROUTING_SHORTEST));
    return has_fixed_ways ? optional(cx, hf_blind_judge_new(cx, universe, rule, out)) : HF_OK;
}

/* The network beside the judge that measures the sets. */
static hf_status add_net(hf_context *cx, composed *judge) {
    const bool asks_net = finds_all(judge) || (judge->criterion->flags & (HF_CRITERION_CONNECTED | HF_CRITERION_SURVIVING));
    const bool is_of_use = judge->fast && asks_net;
    return is_of_use ? optional(cx, hf_connectivity_new(cx, judge->universe, &judge->net)) : HF_OK;
}

/* Is every component a link between switches? */
static bool has_switch_links(const hf_universe *universe) {
    bool holds = true;
    for (uint32_t i = 0; i < universe->n_component && holds; i++) {
        holds = universe->component[i].type == HF_COMPONENT_LINK && universe->component[i].id < universe->topo->n_switch_link;
    }
    return holds;
}

static bool has_bare_switch(hf_context *cx, const hf_topology *topo, hf_status *status) {
    const hf_mark mark = hf_scratch_mark(cx);
    uint64_t *carries;
    *status = hf_scratch(cx, hf_words(topo->n_switch), sizeof *carries, (void **)&carries);
    for (uint32_t t = 0; t < topo->n_terminal && *status == HF_OK; t++) {
        hf_bit_set(carries, topo->terminal_switch[t]);
    }
    const bool is_bare = *status == HF_OK && hf_bits_next_clear(carries, topo->n_switch, 0) < topo->n_switch;
    hf_scratch_reset(cx, mark);
    return is_bare;
}

/* Links that leave all switches connected leave all terminals so. */
static hf_status add_parts(hf_context *cx, composed *judge) {
    const hf_judge_ops *ops = judge->fast ? judge->fast->ops : NULL;
    const bool is_of_use = judge->net && ops && (ops->count || ops->sum || finds_all(judge)) && !ops->sheds;
    hf_status status;
    if (is_of_use && ops->count) {
        judge->ops.count = count_by_fast;
        judge->ops.safe = ops->safe ? safe : NULL;
    }
    judge->keeps_terminals = has_switch_links(judge->universe);
    if (!is_of_use || !judge->keeps_terminals || !hf_connectivity_read(judge->net)) {
        return HF_OK;
    }
    judge->parts_is_net = !has_bare_switch(cx, judge->universe->topo, &status) &&
                          hf_topology_has_plain_terminals(judge->universe->topo); /* else one may stay by another switch */
    HF_TRY(status);
    HF_TRY(hf_parting_judge_new(cx, judge->universe, 0, false, &judge->parts));
    if (!judge->parts->ops->count) {
        hf_judge_free(judge->parts);
        judge->parts = NULL;
        return HF_OK;
    }
    judge->ops.sum = ops->sum ? sum : NULL;
    judge->ops.sum_most = ops->sum_most < 2 ? ops->sum_most : 2; /* as count_parted() */
    judge->ops.count = ops->count || finds_all(judge) ? count : NULL;
    judge->ops.safe = ops->safe ? safe : NULL;
    return HF_OK;
}

/* \param[in] fast ours from now on */
static hf_status compose(hf_context *cx, const composed *like, const hf_judge_ops *ops, hf_judge *fast, hf_judge **out) {
    composed *judge;
    hf_status status = new_composed(cx, like->universe, like->rule, like->criterion, like->least, ops, &judge);
    if (status != HF_OK) {
        hf_judge_free(fast);
        return status;
    }
    judge->fast = fast;
    status = add_net(cx, judge);
    if (status == HF_OK) {
        status = add_parts(cx, judge);
    }
    if (status != HF_OK) {
        release(&judge->base);
        return status;
    }
    *out = &judge->base;
    return HF_OK;
}

static hf_status share(hf_context *cx, const hf_judge *base, hf_judge **out) {
    const composed *judge = (const composed *)base;
    hf_judge *fast = NULL;
    if (judge->fast) {
        HF_TRY(judge->fast->ops->share ? judge->fast->ops->share(cx, judge->fast, &fast)
                                       : make_fast(cx, judge->universe, judge->rule, &fast));
    }
    const hf_judge_ops plain = {
        .push = push, .pop = pop, .read = read, .verdict = verdict, .share = judge->ops.share, .free = release};
    return compose(cx, judge, &plain, fast, out);
}

static const hf_judge_ops composed_ops = {
    .push = push, .pop = pop, .read = read, .verdict = verdict, .share = share, .free = release};

hf_status hf_judge_new_relation(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                                hf_judge **out) {
    composed *judge;
    uint32_t least;
    HF_TRY(hf_criterion_least(cx, criterion, universe->topo, &least));
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return hf_parting_judge_new(cx, universe, least, true, out);
    }
    HF_TRY(new_composed(cx, universe, rule, criterion, least, &composed_ops, &judge));
    *out = &judge->base;
    return HF_OK;
}

hf_status hf_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion,
                       hf_judge **out) {
    hf_judge *fast;
    uint32_t least;
    HF_TRY(hf_criterion_least(cx, criterion, universe->topo, &least));
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return hf_parting_judge_new(cx, universe, least, false, out);
    }
    HF_TRY(make_fast(cx, universe, rule, &fast));
    const composed like = {.universe = universe, .rule = rule, .criterion = criterion, .least = least, .fast = fast};
    if (fast && fast->ops->read && criterion->flags == 0 && !fast->ops->sheds && !finds_all(&like)) {
        *out = fast; /* all terminals stay in service: it is criterion all-pairs itself */
        return HF_OK;
    }
    return compose(cx, &like, &composed_ops, fast, out);
}

void hf_judge_free(hf_judge *judge) {
    if (judge) {
        judge->ops->free(judge);
    }
}
