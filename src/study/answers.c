/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The answers that the cells of a study ask for: out of the store, or asked once each. */
#include <inttypes.h>
#include <string.h>

#include "src/core/jobs.h"
#include "src/core/names.h"
#include "src/core/source.h"
#include "src/question/ask.h"
#include "src/report/note.h"
#include "src/study/job.h"

#define FILE_BYTES ((size_t)1 << 32) /* of a file that is looked at again, at most */

/* ---- which there are ---- */

/* The question and what is said to it, in the order of its parameters. */
static hf_status make_key(hf_context *cx, const hf_study_cell *cell, char **out) {
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    const hf_param *p;
    size_t n;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    HF_TRY(hf_scratch_print(cx, out, "answer|%s", cell->question->name));
    for (size_t i = 0; (p = hf_question_param(cell->question, i)); i++) {
        const char *value = hf_asked_value(arguments, n, p->name);
        HF_TRY(value ? hf_scratch_print(cx, out, "%s|%s=%s", *out, p->name, value) : HF_OK);
    }
    return hf_scratch_print(cx, out, "%s|%s", *out, hf_build_code());
}

static hf_status plan_cell(hf_study_job *job, size_t cell, hf_names *names) {
    char *key;
    uint32_t found;
    HF_TRY(make_key(job->cx, &job->study->cell[cell], &key));
    found = hf_names_find(names, hf_slice_of(key));
    job->answer_of[cell] = found == HF_NONE ? job->n_answer : found;
    if (found != HF_NONE) {
        return HF_OK;
    }
    HF_TRY(hf_resize(job->cx, job->n_answer + 1, sizeof *job->answer, (void **)&job->answer));
    hf_study_answer *a = &job->answer[job->n_answer++];
    *a = (hf_study_answer){.cell = cell};
    HF_TRY(hf_duplicate(job->cx, key, &a->key));
    return hf_names_add(job->cx, names, hf_slice_of(a->key), &found);
}

static hf_status plan(hf_study_job *job) {
    hf_names names;
    hf_status status = hf_allocate(job->cx, job->study->n_cell, sizeof *job->answer_of, (void **)&job->answer_of);
    hf_names_init(job->cx, &names);
    for (size_t c = 0; c < job->study->n_cell && status == HF_OK; c++) {
        const hf_study_cell *cell = &job->study->cell[c];
        const hf_mark mark = hf_scratch_mark(job->cx);
        status = cell->kind == HF_STUDY_ASK && !cell->not_computable ? plan_cell(job, c, &names) : HF_OK;
        hf_scratch_reset(job->cx, mark);
    }
    hf_names_free(&names);
    return status;
}

/* ---- the store ---- */

/* Kept are a line "PATH#hash" for each file that was read, an empty line, and the answer. */
static hf_status keep(hf_context *cx, const hf_study_job *job, const hf_study_answer *a, const char *files) {
    char *text;
    if (!job->options->store || a->is_accepted) {
        return HF_OK; /* what rests on another program's work is none of this one */
    }
    HF_TRY(hf_scratch_print(cx, &text, "%s\n%s", files, a->note));
    return hf_store_note(cx, job->options->store, a->key, text);
}

/* Are the files as they were? \param[in,out] at the first line; then the answer */
static hf_status are_same_files(hf_context *cx, char **at, bool *out) {
    for (*out = true; *out && **at && **at != '\n';) {
        hf_source source;
        char *end = strchr(*at, '\n');
        if (!end) {
            *out = false;
            break;
        }
        *end = 0;
        const hf_status status = hf_source_load(cx, *at, FILE_BYTES, &source);
        if (status == HF_ENOMEM) {
            return status;
        }
        *out = status == HF_OK;
        if (*out) {
            hf_source_free(&source);
        }
        hf_context_clear(cx);
        *at = end + 1;
    }
    *out = *out && **at == '\n';
    *at += *out;
    return HF_OK;
}

static hf_status recall(hf_study_job *job, hf_study_answer *a) {
    hf_report answer;
    char *text;
    bool is_whole = false;
    HF_TRY(hf_store_recall(job->cx, job->options->store, a->key, &text, &a->is_accepted));
    if (!text) {
        return HF_OK;
    }
    HF_TRY(are_same_files(job->cx, &text, &a->from_store));
    HF_TRY(a->from_store ? hf_report_of_note(job->cx, text, &answer, &is_whole) : HF_OK);
    a->from_store = is_whole;
    a->is_accepted &= is_whole;
    return is_whole ? hf_duplicate(job->cx, text, &a->note) : HF_OK;
}

static hf_status recall_all(hf_study_job *job) {
    for (size_t i = 0; i < job->n_answer && job->options->store && !job->options->again; i++) {
        const hf_mark mark = hf_scratch_mark(job->cx);
        HF_TRY(recall(job, &job->answer[i]));
        hf_scratch_reset(job->cx, mark);
    }
    return HF_OK;
}

/* ---- asking ---- */

enum { JOURNALS = 256 };

typedef struct asking {
    hf_study_job *job;
    size_t cell;
    hf_journal *journal[JOURNALS]; /* of the campaigns of the answer */
    size_t n_journal;
} asking;

static hf_status give_journal(hf_context *cx, void *user, hf_campaign *campaign) {
    asking *a = user;
    if (!a->job->options->store || a->n_journal == JOURNALS) {
        return HF_OK;
    }
    hf_journal **journal = &a->journal[a->n_journal];
    HF_TRY(hf_store_journal_new(cx, a->job->options->store, campaign, journal));
    a->n_journal++;
    if (a->job->options->again) {
        (*journal)->load = NULL;
    }
    campaign->journal = *journal;
    return HF_OK;
}

static void tell(void *user, const hf_progress *progress) {
    const asking *a = user;
    const hf_study *study = a->job->study;
    a->job->options->tell(a->job->options->tell_user, a->cell, study->n_cell, study->cell[a->cell].label, progress);
}

/* \param[out] note what it gave  \param[out] files that were read */
static hf_status ask(hf_context *cx, asking *a, const hf_study_answer *answer, uint32_t threads, hf_text *files, hf_text *note) {
    const hf_study_cell *cell = &a->job->study->cell[a->cell];
    const hf_conduct conduct = {.threads = threads,
                                .progress = a->job->options->tell ? tell : NULL,
                                .progress_user = a,
                                .keep = give_journal,
                                .keep_user = a};
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    const hf_scene *scene;
    hf_report report;
    size_t n;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    HF_TRY(hf_study_scene_take(cx, a->job, answer, arguments, n, files, &scene));
    hf_context_note_files(cx, files);
    const hf_status status = hf_question_ask(cx, cell->question, "question", scene, arguments, n, &conduct, &report);
    hf_context_note_files(cx, NULL);
    HF_TRY(status);
    HF_TRY(hf_text_check(cx, files));
    return hf_report_to_note(&report, note);
}

static hf_status take(hf_context *cx, const hf_study_job *job, hf_study_answer *a, const hf_text *files, const hf_text *note) {
    hf_status status;
    HF_TRY(hf_duplicate(cx, note->data, &a->note));
#pragma omp critical(hf_study_answers)
    status = keep(cx, job, a, files->data ? files->data : "");
    return status;
}

static hf_status answer_one(hf_context *cx, hf_study_job *job, hf_study_answer *answer, uint32_t threads) {
    asking a = {.job = job, .cell = answer->cell};
    hf_text files, note;
    uint64_t before = 0, after = 0;
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped");
    }
#pragma omp critical(hf_study_answers)
    if (job->options->tell) {
        tell(&a, NULL);
    }
    hf_text_init(cx, &files);
    hf_text_init(cx, &note);
    (void)(job->options->store && hf_store_accepted(job->options->store, &before));
    hf_status status = ask(cx, &a, answer, threads, &files, &note);
    hf_study_scene_release(job, answer);
    (void)(job->options->store && hf_store_accepted(job->options->store, &after));
    answer->is_accepted = after > before;
    if (status == HF_ENOTSUP) {
        status = hf_duplicate(cx, hf_context_message(cx), &answer->why);
        hf_context_clear(cx);
    } else if (status == HF_OK) {
        status = take(cx, job, answer, &files, &note);
    }
    for (size_t i = 0; i < a.n_journal; i++) {
        hf_store_journal_free(a.journal[i]);
    }
    hf_text_free(&files);
    hf_text_free(&note);
    return status;
}

static hf_status name_cell(const hf_study_job *job, size_t at, hf_status status) {
    const hf_study_cell *cell = &job->study->cell[job->answer[at].cell];
    if (status != HF_OK && status != HF_ESTOP) {
        hf_context_prefix(job->cx, "%s, line %" PRIu32 ", cell \"%s\": ", job->study->file, cell->line, cell->label);
    }
    return status;
}

static hf_status answer_beside(hf_context *cx, void *user, size_t i) {
    hf_study_job *job = user;
    return answer_one(cx, job, &job->answer[job->open[i]], 1);
}

/* Every design that is not known is built before the first is asked about: a mistake in the last costs no time. */
static hf_status check_design(hf_context *cx, const hf_study_cell *cell) {
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    hf_scene scene;
    size_t n;
    HF_TRY(hf_study_arguments(cx, cell, arguments, &n));
    HF_TRY(hf_scene_open(cx, cell->question, "question", arguments, n, &scene));
    hf_scene_close(&scene);
    return HF_OK;
}

static hf_status check_designs(hf_study_job *job) {
    for (size_t i = 0; i < job->n_answer; i++) {
        const hf_study_cell *cell = &job->study->cell[job->answer[i].cell];
        const hf_mark mark = hf_scratch_mark(job->cx);
        HF_TRY(hf_study_is_design(cell) && !job->answer[i].note ? name_cell(job, i, check_design(job->cx, cell)) : HF_OK);
        hf_scratch_reset(job->cx, mark);
    }
    return HF_OK;
}

hf_status hf_study_ask_all(hf_study_job *job) {
    size_t failed;
    HF_TRY(plan(job));
    HF_TRY(recall_all(job));
    HF_TRY(check_designs(job));
    HF_TRY(hf_study_scenes_plan(job));
    size_t n = 0;
    while (n < job->n_open && !hf_study_walks(job, &job->answer[job->open[n]])) {
        n++;
    }
    const hf_status status = hf_jobs_do(job->cx, n, job->options->threads, answer_beside, job, &failed);
    HF_TRY(failed < n ? name_cell(job, job->open[failed], status) : status);
    for (; n < job->n_open; n++) {
        const hf_mark mark = hf_scratch_mark(job->cx);
        hf_study_answer *a = &job->answer[job->open[n]];
        HF_TRY(name_cell(job, job->open[n], answer_one(job->cx, job, a, job->options->threads)));
        hf_scratch_reset(job->cx, mark);
    }
    return HF_OK;
}

void hf_study_answers_free(hf_study_job *job) {
    const hf_allocator *allocator = hf_context_allocator(job->cx);
    for (size_t i = 0; i < job->n_answer; i++) {
        hf_release(allocator, job->answer[i].key);
        hf_release(allocator, job->answer[i].note);
        hf_release(allocator, job->answer[i].why);
    }
    hf_release(allocator, job->answer);
    hf_release(allocator, job->answer_of);
    hf_study_scenes_free(job);
}
