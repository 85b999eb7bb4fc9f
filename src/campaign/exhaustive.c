/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  All fault sets of a range of ranks: depth-first over lexicographic prefixes, a push and a pop from one set to the next. Where
 *  the judge has bit lanes, the last one or two components are counted at once, and a prefix that no further faults can break is
 *  taken whole; where it adds up sets that differ in the last components, it is asked once for them. */
#include <holdfast/core/combination.h>

#include "src/campaign/work.h"

typedef struct walk {
    hf_worker *worker;
    hf_row_job *job;
    uint64_t lo, hi;
    uint64_t rank;  /* of the first set that is neither done nor left out */
    uint32_t lanes; /* components that the judge counts at once: 0, 1 or 2 */
    uint32_t sums;  /* components whose sets it adds up at once */
    uint32_t depth; /* components pushed */
} walk;

hf_status hf_work_fill_choose(hf_context *cx, hf_row_job *job) {
    const size_t columns = (size_t)job->m - job->f + 1;
    HF_TRY(hf_allocate(cx, (job->f + (size_t)1) * columns, sizeof *job->choose, (void **)&job->choose));
    for (uint32_t r = 0; r <= job->f; r++) {
        uint64_t *row = job->choose + r * columns;
        const uint64_t *before = r > 0 ? row - columns : NULL;
        row[0] = 1;
        for (size_t rest = 1; rest < columns; rest++) {
            row[rest] = before ? row[rest - 1] + before[rest] : 1;
        }
    }
    return HF_OK;
}

/* Sets under the present prefix and component c after it. */
static uint64_t sets_under(const walk *w, uint32_t c) {
    const uint32_t x = w->job->m - 1 - c, r = w->job->f - w->depth - 1;
    return w->job->choose[(size_t)r * (w->job->m - w->job->f + 1) + (x - r)];
}

static hf_status push(walk *w, uint32_t c) {
    w->worker->set[w->depth] = c;
    if (w->job->in_order) {
        HF_TRY(w->worker->judge->ops->push(w->worker->cx, w->worker->judge, c));
    }
    w->depth++;
    return HF_OK;
}

static uint32_t pop(walk *w) {
    if (w->job->in_order) {
        w->worker->judge->ops->pop(w->worker->judge);
    }
    return w->worker->set[--w->depth];
}

/* ---- sets under a prefix, all at once ---- */

static hf_status read_one(walk *w) {
    hf_worker *worker = w->worker;
    hf_measure measure;
    if (!w->job->in_order) {
        return hf_work_read_alone(worker, w->job, w->rank);
    }
    worker->judge->index = w->rank;
    HF_TRY(hf_work_read(worker, w->job, &measure));
    hf_work_add(worker, w->job, &measure);
    return HF_OK;
}

/* Trees have no victims where they count; a question about the network has none at all. */
static void take_tolerated(walk *w, uint64_t sets) {
    hf_tally *tally = &w->worker->tally;
    tally->sets += sets;
    tally->victims_histogram[0] += hf_campaign_measures(w->job->campaign) ? sets : 0;
}

/* The components that complete the prefix to the set with index `first` among those with r more. */
static void complete(const walk *w, uint32_t r, uint64_t first) {
    const uint32_t from = w->depth ? w->worker->set[w->depth - 1] + 1 : 0;
    uint32_t *rest = w->worker->set + w->depth;
    hf_lex_unrank(w->job->m - from, r, first, rest);
    for (uint32_t i = 0; i < r; i++) {
        rest[i] += from;
    }
}

/* Of the sets that complete the prefix by w->lanes components, those with index [lo, hi). */
static hf_status count_lanes(walk *w, uint64_t lo, uint64_t hi) {
    hf_worker *worker = w->worker;
    uint64_t bad, first;
    HF_TRY(worker->judge->ops->count(worker->cx, worker->judge, w->lanes, lo, hi, &bad, &first));
    take_tolerated(w, hi - lo);
    if (bad > 0) {
        complete(w, w->lanes, first);
        hf_tally_merge(&worker->tally, &(hf_tally){.not_tolerated = bad, .has_witness = true, .witness = worker->set}, w->job->f);
    }
    return HF_OK;
}

/* Of the sets that complete the prefix by w->sums components, those with index [lo, hi). */
static hf_status add_up(walk *w, uint64_t lo, uint64_t hi) {
    hf_worker *worker = w->worker;
    hf_judge_sum sum = {.first = UINT64_MAX, .victims_histogram = worker->tally.victims_histogram};
    HF_TRY(worker->judge->ops->sum(worker->cx, worker->judge, w->sums, lo, hi, &sum));
    if (w->job->campaign->verdicts) {
        sum.lost_paths_sets = sum.lost_paths_max = 0;
        sum.lost_paths = 0;
    }
    if (sum.not_tolerated > 0) {
        complete(w, w->sums, sum.first);
    }
    hf_tally_add_sum(&worker->tally, &sum, hi - lo, worker->set, w->job->f);
    return HF_OK;
}

/* Take the `size` sets under the present prefix, as far as they are in the range, if one step does it. */
static hf_status take(walk *w, uint64_t size, bool *taken) {
    const hf_judge_ops *ops = w->worker->judge->ops;
    const uint32_t left = w->job->f - w->depth;
    const uint64_t lo = w->lo > w->rank ? w->lo - w->rank : 0, hi = w->hi - w->rank < size ? w->hi - w->rank : size;
    *taken = true;
    if (left == 0) {
        HF_TRY(read_one(w));
    } else if (left == w->lanes) {
        HF_TRY(count_lanes(w, lo, hi));
    } else if (left == w->sums) {
        HF_TRY(add_up(w, lo, hi));
    } else if (w->lanes && ops->safe && ops->safe(w->worker->judge, left)) {
        take_tolerated(w, hi - lo);
    } else {
        *taken = false;
        return HF_OK;
    }
    w->rank += size;
    return HF_OK;
}

/* ---- the walk ---- */

/* From the root, whose one step did not do, to the end of the range. The prefix stays pushed. */
static hf_status descend(walk *w) {
    uint32_t c = 0; /* candidate for the next component */
    while (w->rank < w->hi) {
        if (c + (w->job->f - w->depth) > w->job->m) {
            c = pop(w) + 1;
            continue;
        }
        const uint64_t size = sets_under(w, c);
        if (w->rank + size <= w->lo) {
            w->rank += size;
            c++;
            continue;
        }
        if (hf_work_ends(w->worker, w->job)) {
            return HF_OK;
        }
        bool taken;
        HF_TRY(push(w, c));
        HF_TRY(take(w, size, &taken));
        if (taken) {
            (void)pop(w);
        }
        c++;
    }
    return HF_OK;
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

hf_status hf_work_exhaustive(hf_worker *worker, hf_row_job *job, uint64_t lo, uint64_t hi, uint64_t *end) {
    walk w = {.worker = worker,
              .job = job,
              .lo = lo,
              .hi = hi,
              .lanes = job->counts ? lesser(job->f, 2) : 0,
              .sums = job->sums ? lesser(job->f, worker->judge->ops->sum_most) : 0};
    bool taken;
    *end = lo;
    if (hf_work_ends(worker, job)) {
        return HF_OK;
    }
    hf_status status = take(&w, job->total, &taken);
    if (status == HF_OK && !taken) {
        status = descend(&w);
    }
    while (w.depth > 0) {
        (void)pop(&w);
    }
    *end = w.rank < lo ? lo : w.rank < hi ? w.rank : hi;
    return status;
}
