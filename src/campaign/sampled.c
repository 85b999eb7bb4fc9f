/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled fault sets: sample i of a row is a pure function of (seed, f, i). */
#include <stdlib.h>
#include <string.h>

#include <holdfast/random.h>

#include "src/campaign/work.h"

enum { TICKS = 256 };

/* Streams of different f stay apart through the purpose word. */
static hf_purpose purpose_of(uint32_t f) { return (hf_purpose)((uint32_t)HF_PURPOSE_SAMPLE | f << 8); }

/* FNV-1a over the components: names the set whatever way it was found. */
static uint64_t hash_set(uint32_t f, const uint32_t *c) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < f; i++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (c[i] >> shift & 0xff)) * UINT64_C(0x100000001b3);
        }
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

static hf_status judge_one(hf_worker *worker, const hf_row_job *job) {
    hf_measure measure;
    hf_status status = HF_OK;
    uint32_t n = 0;
    while (n < job->f && status == HF_OK) {
        status = worker->judge->ops->push(worker->cx, worker->judge, worker->pushed[n]);
        n += status == HF_OK;
    }
    if (status == HF_OK) {
        status = worker->judge->ops->read(worker->cx, worker->judge, &measure);
    }
    while (n-- > 0) {
        worker->judge->ops->pop(worker->judge);
    }
    if (status == HF_OK) {
        hf_tally_add(&worker->tally, &measure, worker->set, job->f);
    }
    return status;
}

hf_status hf_work_sampled(hf_worker *worker, const hf_row_job *job, uint64_t lo, uint64_t hi) {
    const hf_campaign *campaign = job->campaign;
    for (uint64_t i = lo; i < hi; i++) {
        if ((i - lo) % TICKS == 0 && hf_work_halted(worker, job)) {
            HF_FAIL(worker->cx, HF_ESTOP, "stopped");
        }
        hf_random r;
        hf_random_init(&r, campaign->seed, purpose_of(job->f), i);
        hf_random_subset(&r, job->m, job->f, worker->set);
        memcpy(worker->pushed, worker->set, job->f * sizeof *worker->set);
        hf_campaign_order(campaign->order, campaign->seed, job->f, worker->pushed);
        HF_TRY(judge_one(worker, job));
    }
    return HF_OK;
}
