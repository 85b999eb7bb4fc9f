/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled fault sets: sample i of a row is a pure function of (seed, f, i). */
#include <holdfast/random.h>

#include "src/campaign/work.h"

/* The number of faults stands in the upper 24 bits of the purpose, so that rows of one seed draw from different streams. */
static hf_purpose purpose_of(uint32_t f) { return (hf_purpose)((uint32_t)HF_PURPOSE_SAMPLE | f << 8); }

hf_status hf_work_sampled(hf_worker *worker, hf_row_job *job, uint64_t lo, uint64_t hi, uint64_t *end) {
    for (*end = lo; *end < hi && !hf_work_ends(worker, job); ++*end) {
        hf_random r;
        hf_random_init(&r, job->campaign->seed, purpose_of(job->f), *end);
        hf_random_subset(&r, job->m, job->f, worker->set);
        HF_TRY(hf_work_read_alone(worker, job));
    }
    return HF_OK;
}
