/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The networks of a cell and the campaigns on them; a campaign that two cells share runs once. */
#include <inttypes.h>
#include <string.h>

#include "src/study/job.h"

/* ---- the scene ---- */

static hf_status open_parts(hf_context *cx, const hf_study_cell *cell, hf_study_scene *out) {
    HF_TRY(hf_topology_new(cx, cell->topology, &out->topo));
    HF_TRY(hf_rule_init(cx, cell->routing, out->topo, &out->rule));
    return cell->universe ? hf_universe_new(cx, out->topo, cell->universe, NULL, &out->universe) : HF_OK;
}

hf_status hf_study_scene_open(hf_context *cx, const hf_study_cell *cell, hf_study_scene *out) {
    *out = (hf_study_scene){.cell = cell};
    const hf_status status = open_parts(cx, cell, out);
    if (status != HF_OK) {
        hf_study_scene_close(out);
    }
    return status;
}

void hf_study_scene_close(hf_study_scene *scene) {
    hf_universe_free(scene->universe);
    hf_rule_free(&scene->rule);
    hf_topology_free(scene->topo);
    *scene = (hf_study_scene){0};
}

/* ---- campaigns ---- */

static void tell(void *user, const hf_progress *progress) {
    const hf_study_job *job = user;
    const hf_study *study = job->study;
    job->options->tell(job->options->tell_user, job->cell, study->n_cell, study->cell[job->cell].label, progress);
}

/* The key of the campaign with its list of faults; in the arena. */
static hf_status make_key(hf_context *cx, const hf_campaign *campaign, char **out) {
    char *key;
    HF_TRY(hf_store_key(cx, campaign, &key));
    hf_status status = hf_scratch_print(cx, out, "%s", key);
    hf_release(hf_context_allocator(cx), key);
    for (size_t i = 0; i < campaign->n_f && status == HF_OK; i++) {
        status = hf_scratch_print(cx, out, "%s|%" PRIu32, *out, campaign->f[i]);
    }
    return status;
}

static hf_status keep(hf_study_job *job, const char *key, hf_result *result) {
    HF_TRY(hf_resize(job->cx, job->n_cached + 1, sizeof *job->cached, (void **)&job->cached));
    HF_TRY(hf_duplicate(job->cx, key, &job->cached[job->n_cached].key));
    job->cached[job->n_cached++].result = result;
    return HF_OK;
}

static hf_status run_with_journal(hf_study_job *job, hf_campaign *campaign, hf_result **out) {
    hf_journal *journal = NULL;
    if (job->options->store) {
        HF_TRY(hf_store_journal_new(job->cx, job->options->store, campaign, &journal));
        if (job->options->again) {
            journal->load = NULL;
        }
        campaign->journal = journal;
    }
    const hf_status status = hf_campaign_run(job->cx, campaign, out);
    hf_store_journal_free(journal);
    return status;
}

static hf_status find_or_run(hf_study_job *job, hf_campaign *campaign, const hf_result **out) {
    char *key;
    HF_TRY(make_key(job->cx, campaign, &key));
    for (size_t i = 0; i < job->n_cached; i++) {
        if (strcmp(job->cached[i].key, key) == 0) {
            *out = job->cached[i].result;
            return HF_OK;
        }
    }
    hf_result *result = NULL;
    hf_status status = run_with_journal(job, campaign, &result);
    if (status == HF_OK) {
        status = keep(job, key, result);
        *out = result;
    }
    if (status != HF_OK) {
        hf_result_free(result);
    }
    return status;
}

hf_status hf_study_campaign(hf_study_job *job, const hf_study_scene *scene, hf_method method, const uint32_t *f, size_t n_f,
                            const hf_result **out) {
    const hf_study_cell *cell = scene->cell;
    hf_campaign campaign = {.universe = scene->universe,
                            .rule = &scene->rule,
                            .criterion = &cell->criterion,
                            .f = f,
                            .n_f = n_f,
                            .method = method,
                            .samples = cell->samples,
                            .seed = cell->seed,
                            .order = HF_ORDER_COMPONENT,
                            .threads = job->options->threads,
                            .progress = job->options->tell ? tell : NULL,
                            .progress_user = job};
    const hf_mark mark = hf_scratch_mark(job->cx);
    const hf_status status = find_or_run(job, &campaign, out);
    hf_scratch_reset(job->cx, mark);
    return status;
}
