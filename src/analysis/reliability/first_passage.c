/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The time to the first set on the way that is not tolerated.
 *
 *  For a set S let q(S) be the probability that the failures came to S over tolerated sets alone, S included, given that they
 *  came to S. The last component to fail is each of a class with the same probability, so q(S) is 0 if S is not tolerated, else
 *  the mean of q over the sets with one component less, weighted by class. A dynamic programme over the lattice of sets, size by
 *  size. What is not walked is bounded by the shares of sets. */
#include <holdfast/core/combination.h>

#include <math.h>

#include "src/analysis/reliability/reliability.h"
#include "src/core/jobs.h"
#include "src/core/tell.h"

enum { SETS_MOST = 1 << 20, SETS_A_JOB = 1 << 12 };
/* Sums of shares are known to this part; what is below it may be 0. */
static const double rounding = 1e-12;

/* One size of sets. */
typedef struct level {
    const hf_reliability *r;
    const hf_reliability_sets *sets;
    const double *visit;
    uint32_t m, f;
    uint64_t n;           /* C(m, f) */
    const double *before; /* q by rank, of the sets of f - 1 */
    double *now;          /* of these */
    bool all_tolerated;   /* the rows say so; no set needs to be judged */
    bool is_dead;         /* q is 0 for all sets of f - 1 */
    hf_tell tell;
} level;

static size_t state_of(const level *l, const uint32_t *set) {
    size_t state = 0;
    for (uint32_t i = 0; i < l->f; i++) {
        state += l->r->step[l->sets->class_of[set[i]]];
    }
    return state;
}

/* Probability that the last of the failures of `state` was one component of class c that has failed. */
static double last_was(const level *l, size_t state, size_t c) {
    const size_t from = state - l->r->step[c];
    const double leave = hf_reliability_leave(l->r, from);
    if (!(l->visit[state] > 0) || !(leave > 0)) {
        return 0;
    }
    return l->visit[from] * hf_reliability_next(l->r, from, c) / leave / l->visit[state] / hf_reliability_failed(l->r, state, c);
}

/* q of a tolerated set. `less` has room for f. */
static double mean_before(const level *l, const uint32_t *set, uint32_t *less) {
    double last[HF_RELIABILITY_CLASSES], sum = 0;
    const size_t state = state_of(l, set);
    if (l->f == 0) {
        return 1;
    }
    for (size_t c = 0; c < l->r->n_class; c++) {
        last[c] = hf_reliability_failed(l->r, state, c) > 0 ? last_was(l, state, c) : 0;
    }
    for (uint32_t i = 0; i + 1 < l->f; i++) {
        less[i] = set[i + 1];
    }
    for (uint32_t i = 0; i < l->f; i++) { /* `less` is the set without set[i] */
        const double q = l->before[hf_lex_rank(l->m, l->f - 1, less)];
        sum += q * last[l->sets->class_of[set[i]]];
        if (i + 1 < l->f) {
            less[i] = set[i];
        }
    }
    return sum;
}

/* ---- judging the sets of a size ---- */

static bool all_tolerated(const hf_reliability *r, uint32_t f) {
    for (size_t s = 0; s < r->n_state; s++) {
        uint32_t failed = 0;
        for (size_t c = 0; c < r->n_class; c++) {
            failed += hf_reliability_failed(r, s, c);
        }
        if (failed == f && r->bad[s].high > 0) {
            return false;
        }
    }
    return true;
}

static hf_status judge_set(hf_context *cx, const level *l, hf_judge *judge, uint64_t rank, const uint32_t *set, uint32_t *less) {
    hf_measure found;
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped while judging the sets of %u failures one after the other", l->f);
    }
    HF_TRY(judge->ops->read(cx, judge, &found));
    l->now[rank] = found.tolerated ? mean_before(l, set, less) : 0;
    return HF_OK;
}

/* Sets of ranks [lo, hi): a few pops and pushes from one to the next. The judge ends as it ends. */
static hf_status judge_range(hf_context *cx, const level *l, hf_judge *judge, uint64_t lo, uint64_t hi) {
    uint32_t *set, *less, keep = 0;
    HF_TRY(hf_scratch(cx, l->f, sizeof *set, (void **)&set));
    HF_TRY(hf_scratch(cx, l->f, sizeof *less, (void **)&less));
    hf_lex_unrank(l->m, l->f, lo, set);
    for (uint64_t rank = lo; rank < hi; rank++) {
        for (uint32_t i = keep; i < l->f; i++) {
            HF_TRY(judge->ops->push(cx, judge, set[i]));
        }
        HF_TRY(judge_set(cx, l, judge, rank, set, less));
        if (rank + 1 < hi) {
            (void)hf_lex_next(l->m, l->f, set, &keep);
        }
        for (uint32_t i = keep; i < l->f && rank + 1 < hi; i++) {
            judge->ops->pop(judge);
        }
    }
    return HF_OK;
}

static hf_status take_range(hf_context *cx, const level *l, uint64_t lo, uint64_t hi) {
    uint32_t *set, *less;
    HF_TRY(hf_scratch(cx, l->f, sizeof *set, (void **)&set));
    HF_TRY(hf_scratch(cx, l->f, sizeof *less, (void **)&less));
    hf_lex_unrank(l->m, l->f, lo, set);
    for (uint64_t rank = lo; rank < hi; rank++) {
        l->now[rank] = mean_before(l, set, less);
        (void)hf_lex_next(l->m, l->f, set, NULL);
    }
    return HF_OK;
}

static hf_status judge_part(hf_context *cx, void *user, size_t i) {
    level *l = user;
    const uint64_t lo = (uint64_t)i * SETS_A_JOB, hi = lo + SETS_A_JOB < l->n ? lo + SETS_A_JOB : l->n;
    hf_judge *judge;
    if (l->all_tolerated) {
        return take_range(cx, l, lo, hi);
    }
    HF_TRY(hf_judge_new(cx, l->sets->universe, l->sets->rule, l->sets->criterion, &judge));
    const hf_status status = judge_range(cx, l, judge, lo, hi);
    hf_judge_free(judge);
    hf_tell_add(&l->tell, hi - lo);
    return status;
}

/* The shares of the states of this size: means over their sets. */
static hf_status take_means(hf_context *cx, const level *l, hf_reliability *r) {
    uint32_t *set;
    uint64_t *count;
    HF_TRY(hf_scratch(cx, l->f, sizeof *set, (void **)&set));
    HF_TRY(hf_scratch(cx, r->n_state, sizeof *count, (void **)&count));
    hf_lex_unrank(l->m, l->f, 0, set);
    for (uint64_t rank = 0; rank < l->n; rank++) {
        const size_t state = state_of(l, set);
        r->chain[state] = (count[state]++ ? r->chain[state] : 0) + l->now[rank];
        (void)hf_lex_next(l->m, l->f, set, NULL);
    }
    for (size_t s = 0; s < r->n_state; s++) {
        r->chain[s] = count[s] ? r->chain[s] / (double)count[s] : r->chain[s];
    }
    return HF_OK;
}

static hf_status walk_level(hf_context *cx, level *l, hf_reliability *r) {
    size_t failed;
    double *now;
    HF_TRY(hf_scratch(cx, l->n, sizeof *now, (void **)&now));
    l->now = now;
    l->all_tolerated = all_tolerated(r, l->f);
    const size_t n_job = l->is_dead ? 0 : (size_t)((l->n + SETS_A_JOB - 1) / SETS_A_JOB);
    hf_tell_begin(&l->tell, NULL, l->n);
    l->tell.progress.f = l->f;
    if (n_job > 0) {
        HF_TRY(hf_jobs_do(cx, n_job, l->sets->threads, judge_part, l, &failed));
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = take_means(cx, l, r);
    hf_scratch_reset(cx, mark);
    return status;
}

static hf_status walk_all(hf_context *cx, hf_reliability *r, const hf_reliability_sets *sets, uint32_t f_most, uint32_t *f_done) {
    level l = {
        .r = r, .sets = sets, .m = sets->universe->n_component, .tell = {.show = sets->progress, .user = sets->progress_user}};
    uint64_t all = 0;
    double *visit;
    HF_TRY(hf_reliability_visits(cx, r, &visit));
    l.visit = visit;
    for (l.f = 0; l.f <= f_most; l.f++) {
        if (!hf_binomial(l.m, l.f, &l.n) || l.n > SETS_MOST || (all += l.n) > SETS_MOST) {
            return HF_OK;
        }
        HF_TRY(walk_level(cx, &l, r));
        *f_done = l.f;
        l.before = l.now;
        l.is_dead = true;
        for (uint64_t rank = 0; rank < l.n; rank++) {
            l.is_dead &= l.now[rank] == 0;
        }
    }
    return HF_OK;
}

hf_status hf_reliability_walk(hf_context *cx, hf_reliability *r, const hf_reliability_sets *sets, uint32_t f_most,
                              uint32_t *f_done) {
    const hf_mark mark = hf_scratch_mark(cx);
    *f_done = 0;
    const hf_status status = walk_all(cx, r, sets, f_most, f_done);
    hf_scratch_reset(cx, mark);
    return status;
}

/* ---- the time ---- */

/* How likely the failures come to a state over tolerated sets alone. */
static hf_bounded pass(const hf_reliability *r, size_t s, double visit, const hf_bounded *in) {
    const hf_bounded *bad = &r->bad[s];
    if (r->chain[s] >= 0) {
        const double p = visit * r->chain[s];
        return (hf_bounded){p, p, p};
    }
    if (r->is_monotone) {
        return (hf_bounded){visit * (1 - bad->high), visit * (1 - bad->value), visit * (1 - bad->low)};
    }
    hf_bounded out = {in->low - visit * bad->high, in->value - visit * bad->value, fmin(in->high, visit * (1 - bad->low))};
    out.low = out.low > rounding * visit ? out.low : 0;
    out.value = out.value > rounding * visit ? fmin(out.value, out.high) : 0;
    out.value = fmax(out.value, out.low);
    return out;
}

static void add_stay(double leave, const hf_bounded *pass, hf_bounded *out) {
    out->low += pass->low > 0 ? pass->low / leave : 0;
    out->value += pass->value > 0 ? pass->value / leave : 0;
    out->high += pass->high > 0 ? pass->high / leave : 0;
}

hf_status hf_reliability_mttf(hf_context *cx, const hf_reliability *r, hf_bounded *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    double *visit;
    hf_bounded *in; /* by state: what comes from the states before */
    *out = (hf_bounded){0, 0, 0};
    HF_TRY(hf_reliability_visits(cx, r, &visit));
    HF_TRY(hf_scratch(cx, r->n_state, sizeof *in, (void **)&in));
    in[0] = (hf_bounded){1, 1, 1};
    for (size_t s = 0; s < r->n_state; s++) {
        if (!(visit[s] > 0)) {
            continue;
        }
        const double leave = hf_reliability_leave(r, s);
        const hf_bounded here = pass(r, s, visit[s], &in[s]);
        add_stay(leave, &here, out);
        for (size_t c = 0; c < r->n_class && leave > 0; c++) {
            const double share = hf_reliability_next(r, s, c) / leave;
            if (share > 0) {
                hf_bounded *next = &in[s + r->step[c]];
                next->low += here.low * share;
                next->value += here.value * share;
                next->high += here.high * share;
            }
        }
    }
    out->high = fmax(out->high, out->low); /* rounding */
    out->value = fmin(fmax(out->value, out->low), out->high);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}
