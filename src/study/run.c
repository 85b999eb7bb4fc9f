/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Running a study: cell after cell, in the order of the file. */
#include <inttypes.h>

#include "src/study/job.h"

static hf_status run_cell(hf_study_job *job) {
    const hf_study_cell *cell = &job->study->cell[job->cell];
    if (hf_study_is_design(cell)) {
        return hf_study_add_design(job);
    }
    if (cell->not_computable) {
        return hf_study_add_line(job, HF_NONE, NULL, cell->not_computable);
    }
    if (hf_study_is_of_cells(cell->kind)) {
        return cell->kind == HF_STUDY_LINE ? hf_study_do_line(job, cell) : hf_study_do_combination(job, cell);
    }
    return hf_study_do_ask(job, cell);
}

static hf_status run_cells(hf_study_job *job) {
    for (; job->cell < job->study->n_cell; job->cell++) {
        if (hf_context_stopped(job->cx)) {
            HF_FAIL(job->cx, HF_ESTOP, "stopped");
        }
        const hf_study_cell *cell = &job->study->cell[job->cell];
        const hf_mark mark = hf_scratch_mark(job->cx);
        const hf_status status = run_cell(job);
        hf_scratch_reset(job->cx, mark);
        if (status != HF_OK) {
            hf_context_prefix(job->cx, "%s, line %" PRIu32 ", cell \"%s\": ", job->study->file, cell->line, cell->label);
            return status;
        }
    }
    return HF_OK;
}

static hf_status run_all(hf_study_job *job) {
    HF_TRY(hf_allocate(job->cx, job->study->n_cell, sizeof *job->told, (void **)&job->told));
    HF_TRY(hf_allocate(job->cx, job->study->n_cell, sizeof *job->n_told, (void **)&job->n_told));
    HF_TRY(hf_study_ask_all(job));
    return run_cells(job);
}

static void drop_cached(hf_study_job *job) {
    const hf_allocator *allocator = hf_context_allocator(job->cx);
    hf_study_answers_free(job);
    hf_release(allocator, job->told);
    hf_release(allocator, job->n_told);
}

hf_status hf_study_run(hf_context *cx, const hf_study *study, const hf_study_options *options, hf_study_outcome **out) {
    hf_study_job job = {.cx = cx, .study = study, .options = options};
    HF_TRY(hf_allocate(cx, 1, sizeof *job.outcome, (void **)&job.outcome));
    job.outcome->allocator = *hf_context_allocator(cx);
    const hf_status status = run_all(&job);
    drop_cached(&job);
    if (status != HF_OK && status != HF_ESTOP) {
        hf_study_outcome_free(job.outcome);
        return status;
    }
    *out = job.outcome;
    return status;
}
