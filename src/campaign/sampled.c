/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled fault sets: sample i of a row is a pure function of (seed, f, i). */
#include "src/campaign/work.h"

hf_status hf_work_sampled(hf_worker *worker, hf_row_job *job, uint64_t lo, uint64_t hi, uint64_t *end) {
    for (*end = lo; *end < hi && !hf_work_ends(worker, job); ++*end) {
        hf_fault_sample(job->campaign->seed, job->m, job->f, *end, worker->set);
        HF_TRY(hf_work_read_alone(worker, job));
    }
    return HF_OK;
}
