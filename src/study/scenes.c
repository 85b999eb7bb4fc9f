/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Scenes that questions of a study share. */
#include "src/core/names.h"
#include "src/question/ask.h"
#include "src/study/job.h"

static hf_status add(hf_study_job *job, const char *key, hf_names *names, uint32_t *out) {
    *out = hf_names_find(names, hf_slice_of(key));
    if (*out != HF_NONE) {
        return HF_OK;
    }
    HF_TRY(hf_resize(job->cx, job->n_scene + 1, sizeof *job->scene, (void **)&job->scene));
    hf_study_scene *scene = &job->scene[job->n_scene++];
    *scene = (hf_study_scene){.key = NULL};
    HF_TRY(hf_duplicate(job->cx, key, &scene->key));
    return hf_names_add(job->cx, names, hf_slice_of(scene->key), out);
}

static hf_status plan_one(hf_study_job *job, hf_study_answer *a, hf_names *names) {
    const hf_study_cell *cell = &job->study->cell[a->cell];
    hf_argument arguments[HF_STUDY_ARGUMENTS];
    size_t n;
    char *key;
    uint32_t scene;
    HF_TRY(hf_study_arguments(job->cx, cell, arguments, &n));
    HF_TRY(hf_scene_key(job->cx, cell->question, arguments, n, &key));
    HF_TRY(hf_scratch_print(job->cx, &key, "%s%s", hf_study_walks(job, a) ? "walks|" : "", key));
    HF_TRY(add(job, key, names, &scene));
    a->scene = scene;
    job->scene[scene].n_left++;
    return HF_OK;
}

static hf_status plan_all(hf_study_job *job, bool walks, hf_names *names) {
    for (size_t i = 0; i < job->n_answer; i++) {
        hf_study_answer *a = &job->answer[i];
        const hf_mark mark = hf_scratch_mark(job->cx);
        const hf_status status = !a->note && hf_study_walks(job, a) == walks ? plan_one(job, a, names) : HF_OK;
        hf_scratch_reset(job->cx, mark);
        HF_TRY(status);
    }
    return HF_OK;
}

/* Behind one another those that share a scene, in the order in which the first of each comes. */
static hf_status put_in_order(hf_study_job *job) {
    const hf_mark mark = hf_scratch_mark(job->cx);
    size_t *begin;
    HF_TRY(hf_allocate(job->cx, job->n_answer + 1, sizeof *job->open, (void **)&job->open));
    HF_TRY(hf_scratch(job->cx, job->n_scene + 1, sizeof *begin, (void **)&begin));
    for (size_t s = 0; s < job->n_scene; s++) {
        begin[s] = job->n_open;
        job->n_open += job->scene[s].n_left;
    }
    for (size_t i = 0; i < job->n_answer; i++) {
        if (!job->answer[i].note) {
            job->open[begin[job->answer[i].scene]++] = i;
        }
    }
    hf_scratch_reset(job->cx, mark);
    return HF_OK;
}

hf_status hf_study_scenes_plan(hf_study_job *job) {
    hf_names names;
    hf_names_init(job->cx, &names);
    hf_status status = plan_all(job, false, &names);
    status = status == HF_OK ? plan_all(job, true, &names) : status;
    status = status == HF_OK ? put_in_order(job) : status;
    hf_names_free(&names);
    return status;
}

static void close_scene(hf_study_scene *s) {
    if (s->memory) {
        hf_scene_close(&s->scene);
        hf_text_free(&s->files);
        hf_context_free(s->memory);
        s->memory = NULL;
    }
}

static hf_status open_scene(hf_context *cx, const hf_study_cell *cell, const hf_argument *arguments, size_t n,
                            hf_study_scene *s) {
    s->memory = hf_context_new(hf_context_allocator(cx));
    if (!s->memory) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for a scene");
    }
    hf_text_init(s->memory, &s->files);
    hf_context_note_files(s->memory, &s->files);
    hf_status status = hf_scene_open(s->memory, cell->question, "question", arguments, n, &s->scene);
    hf_context_note_files(s->memory, NULL);
    status = status == HF_OK ? hf_text_check(s->memory, &s->files) : status;
    if (status != HF_OK) {
        hf_context_copy_failure(cx, s->memory);
        close_scene(s);
    }
    return status;
}

hf_status hf_study_scene_take(hf_context *cx, hf_study_job *job, const hf_study_answer *answer, const hf_argument *arguments,
                              size_t n, hf_text *files, const hf_scene **out) {
    hf_study_scene *s = &job->scene[answer->scene];
    hf_status status = HF_OK;
    *out = NULL;
#pragma omp critical(hf_study_scenes)
    if (s->memory || s->n_left > 1) {
        status = s->memory ? HF_OK : open_scene(cx, &job->study->cell[answer->cell], arguments, n, s);
        *out = &s->scene;
    }
    if (status == HF_OK && *out) {
        hf_text_print(files, "%s", s->files.data ? s->files.data : "");
    }
    return status;
}

void hf_study_scene_release(hf_study_job *job, const hf_study_answer *answer) {
    hf_study_scene *s = &job->scene[answer->scene];
#pragma omp critical(hf_study_scenes)
    if (--s->n_left == 0) {
        close_scene(s);
    }
}

void hf_study_scenes_free(hf_study_job *job) {
    const hf_allocator *allocator = hf_context_allocator(job->cx);
    for (size_t i = 0; i < job->n_scene; i++) {
        close_scene(&job->scene[i]);
        hf_release(allocator, job->scene[i].key);
    }
    hf_release(allocator, job->scene);
    hf_release(allocator, job->open);
}
