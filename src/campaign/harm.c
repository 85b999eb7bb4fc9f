/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The sets of a size that do most harm: by looking at all of them, or by a search with a bound. Where what is lost to a set is
 *  lost to one of its components (a rule that looks at no faults, or lost paths), the harm of a set is no more than that of its
 *  components together; a search that leaves out what cannot do more is then exact. Elsewhere components do more together than
 *  each for itself, as two links that part the network; there the search climbs from the fewest that are not tolerated. */
#include <holdfast/campaign.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>

#include <stdlib.h>
#include <string.h>

#include "src/core/sort.h"

enum { FEW_SETS = 10000 };            /* that are all looked at, and counted, where a search would do */
static const double pairs_most = 2e9; /* pairs that a search by the relation looks at: about a minute */

const char *hf_harm_name(hf_harm_kind kind) {
    static const char *const names[] = {"pairs", "victims", "lost-paths"};
    return names[kind];
}

/* ---- the judge: what a set does ---- */

typedef struct harm_judge {
    hf_judge base;
    const hf_harm_request *request;
    hf_allocator allocator;
    hf_judge *inner;       /* of victims and lost paths */
    hf_fault_stack failed; /* of pairs */
    uint64_t least, value; /* a set that does `least` counts as not tolerated */
} harm_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    harm_judge *j = (harm_judge *)base;
    return j->inner ? j->inner->ops->push(cx, j->inner, component) : hf_fault_stack_push(cx, &j->failed, component);
}

static void pop(hf_judge *base) {
    harm_judge *j = (harm_judge *)base;
    if (j->inner) {
        j->inner->ops->pop(j->inner);
    } else {
        (void)hf_fault_stack_pop(&j->failed);
    }
}

/* Ordered pairs that are not served, or at risk. */
static hf_status count_pairs(hf_context *cx, const harm_judge *j, uint64_t *out) {
    const hf_harm_request *r = j->request;
    const hf_mark mark = hf_scratch_mark(cx);
    const size_t n = r->universe->topo->n_terminal;
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    HF_TRY(hf_fault_set_make(cx, r->universe, j->failed.component, j->failed.depth, &faults));
    HF_TRY(hf_plan_make_plain(cx, r->rule, &faults, &plan));
    HF_TRY(hf_tolerance_judge(cx, &plan, r->criterion, true, &verdict));
    *out = hf_bits_count(verdict.bad_pair, hf_words(n * n));
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    harm_judge *j = (harm_judge *)base;
    hf_measure inner = {0};
    if (!j->inner) {
        HF_TRY(count_pairs(cx, j, &j->value));
    } else {
        HF_TRY(j->inner->ops->read(cx, j->inner, &inner));
        const bool is_victims = j->request->kind == HF_HARM_VICTIMS;
        const bool is_known = is_victims ? inner.has_victims : inner.has_lost_paths;
        j->value = !is_known ? HF_UNKNOWN : is_victims ? inner.victims : inner.lost_paths;
    }
    *out = (hf_measure){.tolerated = j->value == HF_UNKNOWN || j->value < j->least, .quantity = &j->value};
    return HF_OK;
}

static void release(hf_judge *base) {
    harm_judge *j = (harm_judge *)base;
    const hf_allocator a = j->allocator;
    hf_judge_free(j->inner);
    hf_release(&a, j->failed.component);
    hf_release(&a, j);
}

static hf_status new_judge(hf_context *cx, const hf_harm_request *r, uint64_t least, hf_judge **out) {
    static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .free = release};
    harm_judge *j;
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (harm_judge){.base = {.ops = &ops}, .request = r, .allocator = *hf_context_allocator(cx), .least = least};
    const hf_status status = r->kind == HF_HARM_PAIRS ? HF_OK : hf_judge_new(cx, r->universe, r->rule, r->criterion, &j->inner);
    if (status != HF_OK) {
        release(&j->base);
        return status;
    }
    *out = &j->base;
    return HF_OK;
}

/* ---- all sets ---- */

typedef struct pass {
    const hf_harm_request *request;
    uint64_t least;
} pass;

static hf_status judge_of_pass(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const pass *p = user;
    (void)universe;
    (void)rule;
    return new_judge(cx, p->request, p->least, out);
}

static hf_status walk(hf_context *cx, const hf_harm_request *r, uint64_t least, hf_result **out) {
    pass p = {r, least};
    const hf_inquiry inquiry = {.key = "harm", .user = &p, .n_quantity = 1, .judge = judge_of_pass};
    const hf_campaign campaign = {.universe = r->universe,
                                  .rule = r->rule,
                                  .inquiry = &inquiry,
                                  .f = &r->f,
                                  .n_f = 1,
                                  .method = HF_METHOD_EXHAUSTIVE,
                                  .threads = r->threads,
                                  .progress = r->progress,
                                  .progress_user = r->progress_user};
    return hf_campaign_run(cx, &campaign, out);
}

/* Once for the most, once more for the sets that do it. */
static hf_status look_at_all(hf_context *cx, const hf_harm_request *r, hf_harm *out) {
    hf_result *result = NULL;
    hf_status status = walk(cx, r, UINT64_MAX, &result);
    if (status == HF_OK) {
        const hf_quantity *q = &result->row[0].tally.quantity[0];
        out->looked = result->row[0].tally.sets;
        out->is_known = q->sets == out->looked;
        out->most = q->highest;
    }
    hf_result_free(result);
    result = NULL;
    HF_TRY(status);
    if (!out->is_known) {
        return HF_OK;
    }
    status = walk(cx, r, out->most, &result);
    if (status == HF_OK) {
        const hf_tally *t = &result->row[0].tally;
        out->sets = t->not_tolerated;
        out->is_exact = out->is_counted = true;
        out->bound = out->most;
        memcpy(out->component, t->witness, r->f * sizeof *out->component);
    }
    hf_result_free(result);
    return status;
}

/* ---- a search ---- */

typedef struct single {
    uint64_t harm;
    uint32_t component;
} single;

typedef struct search {
    hf_context *cx;
    const hf_harm_request *r;
    hf_judge *judge;
    uint32_t m;
    uint64_t looks_most;
    single *single;  /* m: what each does alone, the most first */
    uint32_t *set;   /* f */
    uint32_t *order; /* f: scratch */
    hf_harm *out;
} search;

static int by_harm(const void *a, const void *b) {
    const single *x = a, *y = b;
    return x->harm != y->harm ? (x->harm < y->harm) - (x->harm > y->harm)
                              : (x->component > y->component) - (x->component < y->component);
}

/* What a set does; its components fail in ascending order, as in campaigns. */
static hf_status look(search *s, const uint32_t *set, uint32_t n, uint64_t *harm) {
    hf_measure measure = {0};
    uint32_t depth = 0;
    hf_status status = hf_context_go_on(s->cx, "looking for the sets that do most harm");
    memcpy(s->order, set, n * sizeof *set);
    hf_sort_numbers(s->order, n);
    while (depth < n && status == HF_OK) {
        status = s->judge->ops->push(s->cx, s->judge, s->order[depth]);
        depth += status == HF_OK;
    }
    status = status == HF_OK ? s->judge->ops->read(s->cx, s->judge, &measure) : status;
    *harm = status == HF_OK ? measure.quantity[0] : 0;
    s->out->looked++;
    while (depth-- > 0) {
        s->judge->ops->pop(s->judge);
    }
    s->out->is_known &= *harm != HF_UNKNOWN;
    if (status == HF_OK && n == s->r->f && *harm != HF_UNKNOWN && (s->out->most < *harm || !s->out->has_set)) {
        s->out->most = *harm;
        s->out->has_set = true;
        memcpy(s->out->component, s->order, n * sizeof *s->order);
    }
    return status;
}

static bool is_over(const search *s) { return s->out->looked >= s->looks_most || !s->out->is_known; }

static hf_status look_at_singles(search *s) {
    for (uint32_t i = 0; i < s->m && !is_over(s); i++) {
        s->single[i].component = i;
        HF_TRY(look(s, &i, 1, &s->single[i].harm));
    }
    if (!is_over(s)) {
        qsort(s->single, s->m, sizeof *s->single, by_harm);
    }
    return HF_OK;
}

/* Is what a set loses lost to one of its components? */
static bool is_sum(const hf_harm_request *r) {
    const unsigned traits = hf_rule_traits(r->rule);
    if (r->criterion->flags != 0) {
        return false;
    }
    return (traits & HF_ROUTING_BLIND && r->kind != HF_HARM_VICTIMS) ||
           (traits & HF_ROUTING_ALL_MINIMAL && r->kind == HF_HARM_LOST_PATHS);
}

/* What the next `left` that do most alone do together, at most. */
static uint64_t bound_of(const search *s, uint32_t from, uint32_t left) {
    uint64_t sum = 0;
    for (uint32_t i = from; i < from + left && i < s->m; i++) {
        sum += s->single[i].harm;
    }
    return sum;
}

/* All sets that begin like this one and can do more than is known. \param[in] harm of its first `depth` */
static hf_status branch(search *s, uint32_t depth, uint32_t from, uint64_t harm) { /* NOLINT(misc-no-recursion): to depth f */
    const uint32_t left = s->r->f - depth;
    for (uint32_t i = from; i + left <= s->m && !is_over(s); i++) {
        uint64_t with;
        if (s->out->has_set && harm + bound_of(s, i, left) <= s->out->most) {
            return HF_OK;
        }
        s->set[depth] = s->single[i].component;
        HF_TRY(look(s, s->set, depth + 1, &with));
        HF_TRY(left > 1 ? branch(s, depth + 1, i + 1, with) : HF_OK);
    }
    return HF_OK;
}

static hf_status search_sums(search *s) {
    HF_TRY(look_at_singles(s));
    if (is_over(s)) {
        return HF_OK;
    }
    s->out->bound = bound_of(s, 0, s->r->f);
    HF_TRY(branch(s, 0, 0, 0));
    s->out->is_exact = !is_over(s);
    s->out->bound = s->out->is_exact ? s->out->most : s->out->bound;
    return HF_OK;
}

/* ---- climbing ---- */

static bool holds(const uint32_t *set, uint32_t n, uint32_t component) {
    for (uint32_t i = 0; i < n; i++) {
        if (set[i] == component) {
            return true;
        }
    }
    return false;
}

/* The component that does most in place `at` of the set. \param[in,out] best what the set does; \param[out] rises it does more */
static hf_status improve(search *s, uint32_t n, uint32_t at, uint64_t *best, bool *rises) {
    const uint32_t was = s->set[at];
    uint32_t kept = was;
    *rises = false;
    for (uint32_t c = 0; c < s->m && !is_over(s); c++) {
        uint64_t harm;
        s->set[at] = was; /* not among the others */
        if (holds(s->set, n, c)) {
            continue;
        }
        s->set[at] = c;
        HF_TRY(look(s, s->set, n, &harm));
        if (harm != HF_UNKNOWN && harm > *best) {
            *best = harm;
            kept = c;
            *rises = true;
        }
    }
    s->set[at] = kept;
    return HF_OK;
}

/* From n components that are given, one more each time, then others in their places. */
static hf_status climb(search *s, uint32_t n) {
    uint64_t best = 0;
    bool rises = true;
    for (; n < s->r->f && !is_over(s); n++) {
        uint32_t free_one = 0;
        while (holds(s->set, n, free_one)) {
            free_one++;
        }
        s->set[n] = free_one;
        HF_TRY(look(s, s->set, n + 1, &best));
        HF_TRY(improve(s, n + 1, n, &best, &rises));
    }
    if (n == s->r->f) {
        HF_TRY(look(s, s->set, n, &best));
    }
    for (bool any = true; any && !is_over(s);) {
        any = false;
        for (uint32_t at = 0; at < s->r->f && !is_over(s); at++) {
            HF_TRY(improve(s, s->r->f, at, &best, &rises));
            any |= rises;
        }
    }
    return HF_OK;
}

static hf_status search_climbing(search *s) {
    const hf_harm_request *r = s->r;
    const uint64_t n = r->universe->topo->n_terminal;
    s->out->bound = r->kind == HF_HARM_PAIRS ? n * (n - 1) : HF_UNKNOWN;
    const uint64_t looks = s->looks_most; /* a third for each start */
    s->looks_most = looks / 3;
    HF_TRY(climb(s, 0));
    s->looks_most = looks / 3 * 2;
    if (r->n_seed > 0 && r->n_seed <= r->f) {
        memcpy(s->set, r->seed, r->n_seed * sizeof *s->set);
        HF_TRY(climb(s, r->n_seed));
    }
    uint32_t n_region;
    s->looks_most = looks;
    HF_TRY(hf_weakest_region(s->cx, r->universe, r->f, s->set, &n_region));
    return n_region > 0 ? climb(s, n_region) : HF_OK;
}

/* Sets that are looked at, at most: fewer where each is judged pair by pair in a large network. */
static uint64_t most_looks(const hf_harm_request *r) {
    const double n = r->universe->topo->n_terminal, sets = pairs_most / (n * n + 1);
    return r->kind == HF_HARM_PAIRS && sets < (double)r->sets_most ? (uint64_t)sets + 1 : r->sets_most;
}

static hf_status search_sets(hf_context *cx, const hf_harm_request *r, hf_harm *out) {
    search s = {.cx = cx, .r = r, .m = r->universe->n_component, .looks_most = most_looks(r), .out = out};
    HF_TRY(hf_scratch(cx, s.m, sizeof *s.single, (void **)&s.single));
    HF_TRY(hf_scratch(cx, r->f, sizeof *s.set, (void **)&s.set));
    HF_TRY(hf_scratch(cx, r->f, sizeof *s.order, (void **)&s.order));
    HF_TRY(new_judge(cx, r, UINT64_MAX, &s.judge));
    out->is_known = true;
    const hf_status status = is_sum(r) ? search_sums(&s) : search_climbing(&s);
    hf_judge_free(s.judge);
    return status;
}

hf_status hf_harm_find(hf_context *cx, const hf_harm_request *request, hf_harm *out) {
    const uint32_t m = request->universe->n_component;
    uint64_t sets;
    *out = (hf_harm){.bound = HF_UNKNOWN};
    if (request->f < 1 || request->f > m) {
        HF_FAIL(cx, HF_EINVAL, "f=%u faults are out of range; need 1 to the %u components", request->f, m);
    }
    HF_TRY(hf_scratch(cx, request->f, sizeof *out->component, (void **)&out->component));
    if (hf_binomial(m, request->f, &sets) &&
        sets <= (is_sum(request) && most_looks(request) > FEW_SETS ? FEW_SETS : most_looks(request))) {
        HF_TRY(look_at_all(cx, request, out));
        out->has_set = out->is_known;
        return HF_OK;
    }
    return search_sets(cx, request, out);
}
