/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All fault sets of a range of ranks: depth-first over lexicographic prefixes, a push and a pop from one set to the next. Where
 * the judge has bit lanes, the last one or two components are counted at once, and a prefix that no further faults can break is
 * taken whole. */
#include <string.h>

#include <holdfast/combination.h>

#include "src/campaign/work.h"

typedef struct walk {
    hf_worker *worker;
    const hf_row_job *job;
    uint64_t lo, hi;
    uint64_t rank;  /* of the first set under the present prefix */
    uint32_t lanes; /* components that the judge counts at once: 0, 1 or 2 */
    uint32_t ticks; /* sets since the last look at the stop flag */
} walk;

enum { TICKS = 4096 };

static uint64_t binomial(const walk *w, uint32_t x, uint32_t r) { return w->job->binomial[(size_t)x * (w->job->f + 1) + r]; }

/* The part of [lo, hi) in the `size` ranks from w->rank on, relative to it. */
static bool overlap(const walk *w, uint64_t size, uint64_t *from, uint64_t *to) {
    *from = w->lo > w->rank ? w->lo - w->rank : 0;
    *to = w->hi - w->rank < size ? w->hi - w->rank : size;
    return w->hi > w->rank && *from < *to;
}

static hf_status read_one(walk *w) {
    hf_worker *worker = w->worker;
    hf_measure measure;
    HF_TRY(worker->judge->ops->read(worker->cx, worker->judge, &measure));
    hf_tally_add(&worker->tally, &measure, worker->set, w->job->f);
    return HF_OK;
}

/* A random order of failing: the judge's stack is empty in between, the whole set is pushed anew. */
static hf_status read_in_random_order(walk *w) {
    hf_worker *worker = w->worker;
    const uint32_t f = w->job->f;
    memcpy(worker->pushed, worker->set, f * sizeof *worker->set);
    hf_campaign_order(HF_ORDER_RANDOM, w->job->campaign->seed, f, worker->pushed);
    hf_status status = HF_OK;
    uint32_t n = 0;
    while (n < f && status == HF_OK) {
        status = worker->judge->ops->push(worker->cx, worker->judge, worker->pushed[n]);
        n += status == HF_OK;
    }
    if (status == HF_OK) {
        status = read_one(w);
    }
    while (n-- > 0) {
        worker->judge->ops->pop(worker->judge);
    }
    return status;
}

/* Take tolerated sets without looking at each. */
static void take_tolerated(hf_tally *tally, uint64_t sets) {
    tally->sets += sets;
    tally->victims_histogram[0] += sets;
}

/* The sets that complete the present prefix (`depth` components) by w->lanes more, from component `from` on. */
static hf_status count_lanes(walk *w, uint32_t depth, uint32_t from, uint64_t lo, uint64_t hi) {
    hf_worker *worker = w->worker;
    const uint32_t s = w->job->m - from, r = w->lanes;
    uint64_t bad, first;
    HF_TRY(worker->judge->ops->count(worker->cx, worker->judge, r, lo, hi, &bad, &first));
    hf_tally found = {.sets = hi - lo, .not_tolerated = bad, .has_witness = bad > 0};
    found.victims_histogram[0] = hi - lo;
    if (bad > 0) {
        hf_lex_unrank(s, r, first, worker->set + depth);
        for (uint32_t i = 0; i < r; i++) {
            worker->set[depth + i] += from;
        }
        found.witness = worker->set;
    }
    hf_tally_merge(&worker->tally, &found, w->job->f);
    return HF_OK;
}

static hf_status descend(walk *w, uint32_t depth, uint32_t from);

/* Everything under the prefix set[0..depth-1], whose last component has just been pushed: `size` sets from w->rank on. */
static hf_status visit(walk *w, uint32_t depth, uint64_t size) {
    hf_worker *worker = w->worker;
    const uint32_t left = w->job->f - depth, from = depth ? worker->set[depth - 1] + 1 : 0;
    uint64_t lo, hi;
    (void)overlap(w, size, &lo, &hi);
    if (left == 0) {
        w->rank += 1;
        return w->job->campaign->order == HF_ORDER_RANDOM ? read_in_random_order(w) : read_one(w);
    }
    if (w->lanes && left == w->lanes) {
        HF_TRY(count_lanes(w, depth, from, lo, hi));
        w->rank += size;
        return HF_OK;
    }
    if (w->lanes && worker->judge->ops->safe && worker->judge->ops->safe(worker->judge, left)) {
        take_tolerated(&worker->tally, hi - lo);
        w->rank += size;
        return HF_OK;
    }
    return descend(w, depth, from);
}

static hf_status descend(walk *w, uint32_t depth, uint32_t from) {
    hf_worker *worker = w->worker;
    const uint32_t left = w->job->f - depth;
    const bool pushes = w->job->campaign->order == HF_ORDER_COMPONENT;
    for (uint32_t c = from; c + left <= w->job->m && w->rank < w->hi; c++) {
        const uint64_t size = binomial(w, w->job->m - 1 - c, left - 1);
        if (w->rank + size <= w->lo) {
            w->rank += size;
            continue;
        }
        if (++w->ticks >= TICKS || (w->lanes && left == w->lanes + 1)) {
            w->ticks = 0;
            if (hf_work_halted(worker, w->job)) {
                HF_FAIL(worker->cx, HF_ESTOP, "stopped");
            }
        }
        worker->set[depth] = c;
        if (pushes) {
            HF_TRY(worker->judge->ops->push(worker->cx, worker->judge, c));
        }
        const hf_status status = visit(w, depth + 1, size);
        if (pushes) {
            worker->judge->ops->pop(worker->judge);
        }
        HF_TRY(status);
    }
    return HF_OK;
}

hf_status hf_work_exhaustive(hf_worker *worker, const hf_row_job *job, uint64_t lo, uint64_t hi) {
    walk w = {worker, job, lo, hi, 0, 0, 0};
    if (job->counts) {
        w.lanes = job->f < 2 ? job->f : 2;
    }
    return visit(&w, 0, job->total);
}
