/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What both walks share: the pace of looking up, the order of failing, and reading a set by itself. */
#include "src/campaign/work.h"

#include <string.h>

#include <holdfast/core/random.h>

#include "src/core/clock.h"
#include "src/core/hash.h"

bool hf_campaign_asks_switches(const hf_campaign *c) { return !c->inquiry && (c->criterion->flags & HF_CRITERION_SWITCHES); }
bool hf_campaign_measures(const hf_campaign *c) { return !c->verdicts && !hf_campaign_asks_switches(c); }

enum { STRIDE_MAX = 1 << 20 };
static const double look_every_s = 1e-3;

void hf_work_begin(hf_worker *worker, double seconds) {
    const double now = hf_clock_s();
    hf_tally_clear(&worker->tally);
    worker->pace = (hf_pace){.left = 1, .stride = 1, .looked_s = now, .until_s = now + seconds};
}

void hf_work_tell(hf_worker *worker, hf_row_job *job) {
    atomic_fetch_add_explicit(&job->done, worker->tally.sets - worker->pace.told, memory_order_relaxed);
    worker->pace.told = worker->tally.sets;
}

bool hf_work_look(hf_worker *worker, hf_row_job *job) {
    hf_pace *pace = &worker->pace;
    const double now = hf_clock_s(), took_s = now - pace->looked_s;
    if (took_s < look_every_s / 2 && pace->stride < STRIDE_MAX) {
        pace->stride *= 2;
    } else if (took_s > look_every_s * 2 && pace->stride > 1) {
        pace->stride /= 2;
    }
    pace->left = pace->stride;
    pace->looked_s = now;
    hf_work_tell(worker, job);
    job->look(job->run);
    return now >= pace->until_s || hf_work_stopped(worker, job);
}

/* Names the set whatever way it was found. */
static uint64_t hash_set(uint32_t f, const uint32_t *c) {
    uint64_t hash = HF_HASH_START;
    for (uint32_t i = 0; i < f; i++) {
        hash = hf_hash_number(hash, c[i], sizeof c[i]);
    }
    return hash;
}

void hf_campaign_order(hf_order order, uint64_t seed, uint32_t f, uint32_t *c) {
    if (order == HF_ORDER_RANDOM) {
        hf_random r;
        hf_random_init(&r, seed, HF_PURPOSE_ORDER, hash_set(f, c));
        hf_random_shuffle(&r, c, f);
    }
}

/* Where that ends the row, this worker looks up at once, and the others when they do. */
void hf_work_add(hf_worker *worker, hf_row_job *job, const hf_measure *measure) {
    hf_tally_add(&worker->tally, measure, worker->set, job->f);
    if (job->quota) {
        hf_tally_add_stratum(&worker->tally, worker->stratum, measure);
    }
    if (job->until_lost && !measure->tolerated) {
        atomic_store_explicit(&job->halts, true, memory_order_relaxed);
        worker->pace.left = 1;
    }
}

hf_status hf_work_read(hf_worker *worker, const hf_row_job *job, hf_measure *measure) {
    const hf_judge_ops *ops = worker->judge->ops;
    if (!job->campaign->verdicts) {
        return ops->read(worker->cx, worker->judge, measure);
    }
    HF_TRY(ops->verdict ? ops->verdict(worker->cx, worker->judge, measure) : ops->read(worker->cx, worker->judge, measure));
    *measure = (hf_measure){.tolerated = measure->tolerated};
    return HF_OK;
}

hf_status hf_work_read_alone(hf_worker *worker, hf_row_job *job, uint64_t index) {
    const hf_judge_ops *ops = worker->judge->ops;
    hf_measure measure;
    hf_status status = HF_OK;
    uint32_t n = 0;
    if (job->campaign->verdicts && ops->tolerates) {
        hf_work_add(worker, job, &(hf_measure){.tolerated = ops->tolerates(worker->judge, worker->set, job->f)});
        return HF_OK;
    }
    memcpy(worker->pushed, worker->set, job->f * sizeof *worker->set);
    if (!job->in_order) {
        hf_campaign_order(HF_ORDER_RANDOM, job->campaign->seed, job->f, worker->pushed);
    }
    while (n < job->f && status == HF_OK) {
        status = ops->push(worker->cx, worker->judge, worker->pushed[n]);
        n += status == HF_OK;
    }
    worker->judge->index = index;
    if (status == HF_OK) {
        status = hf_work_read(worker, job, &measure);
    }
    while (n-- > 0) {
        ops->pop(worker->judge);
    }
    if (status == HF_OK) {
        hf_work_add(worker, job, &measure);
    }
    return status;
}
