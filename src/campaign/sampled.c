/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Sampled fault sets: sample i of a row is a pure function of (seed, f, i); orders of failure likewise. */
#include <holdfast/core/random.h>

#include "src/campaign/work.h"

static void draw(const hf_row_job *job, uint64_t index, hf_worker *worker) {
    const hf_campaign *c = job->campaign;
    uint32_t *set = worker->set;
    if (job->quota) {
        worker->stratum = hf_quota_draw(c->strata, job->quota, c->seed, index, set);
        return;
    }
    if (!c->inquiry || !c->inquiry->orders) {
        hf_fault_sample(c->seed, job->m, job->f, index, set);
        return;
    }
    hf_random random;
    for (uint32_t i = 0; i < job->f; i++) {
        set[i] = i;
    }
    hf_random_init(&random, c->seed, HF_PURPOSE_ORDER, index);
    hf_random_shuffle(&random, set, job->f);
}

hf_status hf_work_sampled(hf_worker *worker, hf_row_job *job, uint64_t lo, uint64_t hi, uint64_t *end) {
    for (*end = lo; *end < hi && !hf_work_ends(worker, job); ++*end) {
        draw(job, *end, worker);
        HF_TRY(hf_work_read_alone(worker, job, *end));
    }
    return HF_OK;
}
