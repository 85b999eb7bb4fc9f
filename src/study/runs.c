/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running the simulations of a study: out of the store, or by threads that take them as they come free. */
#include "src/study/runs.h"
#include "src/core/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/core/random.h>

#include "src/core/hash.h"
#include "src/core/jobs.h"
#include "src/core/source.h"

/* ---- points as texts ---- */

enum {
    RECONFIGURATIONS = HF_SHOW_MESSAGES - HF_SHOW_BEFORE + 1,
    WORKS = HF_SHOW_RELAYED - HF_SHOW_TASK_CYCLES + 1,
    OWN = 6,
    MEANS = 5,
    REALS = OWN + 3 * MEANS + WORKS + RECONFIGURATIONS
};

/* The numbers of a point in the order in which they are written. */
static void list_reals(hf_study_point *p, double *real[REALS]) {
    double *const own[OWN] = {&p->load, &p->above, &p->least_share, &p->task_half, &p->lost, &p->cycles};
    hf_batch_mean *const mean[MEANS] = {&p->accepted, &p->latency, &p->network_latency, &p->phase[0], &p->phase[1]};
    double **at = real + OWN;
    memcpy(real, own, sizeof own);
    for (size_t i = 0; i < MEANS; i++) {
        *at++ = &mean[i]->mean;
        *at++ = &mean[i]->half;
        *at++ = &mean[i]->steady;
    }
    for (size_t i = 0; i < WORKS; i++) {
        *at++ = &p->work[i];
    }
    for (size_t i = 0; i < RECONFIGURATIONS; i++) {
        *at++ = &p->reconfiguration[i];
    }
}

hf_status hf_study_point_print(hf_context *cx, const hf_study_point *point, char **out) {
    hf_study_point p = *point;
    double *real[REALS];
    list_reals(&p, real);
    *out = "";
    for (size_t i = 0; i < REALS; i++) {
        HF_TRY(hf_scratch_print(cx, out, "%s%a ", *out, *real[i]));
    }
    return hf_scratch_print(cx, out, "%s%u %u", *out, p.is_saturated, p.is_blocked);
}

bool hf_study_point_parse(const char *text, hf_study_point *out) {
    double *real[REALS];
    uint32_t *const flag[] = {&out->is_saturated, &out->is_blocked};
    hf_slice at = hf_slice_of(text);
    list_reals(out, real);
    for (size_t i = 0; i < REALS; i++) {
        if (!hf_take_noted(&at, real[i]) || !hf_take_text(&at, " ")) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof flag / sizeof *flag; i++) {
        uint64_t value;
        if ((i > 0 && !hf_take_text(&at, " ")) || !hf_take_number(&at, &value)) {
            return false;
        }
        *flag[i] = (uint32_t)value;
    }
    return at.size == 0;
}

/* ---- one simulation ---- */

static void take_point(const hf_point *p, hf_study_point *out) {
    *out = (hf_study_point){.load = p->load,
                            .above = p->load,
                            .accepted = p->accepted,
                            .latency = p->latency,
                            .network_latency = p->network_latency,
                            .least_share = p->least_share,
                            .cycles = (double)p->cycles,
                            .is_saturated = p->is_saturated,
                            .is_blocked = p->n_blocked > 0};
}

static hf_status search(hf_context *cx, const hf_simulation *s, hf_study_point *out) {
    hf_point points[HF_SATURATION_POINTS];
    uint32_t best;
    HF_TRY(hf_simulate_saturation(cx, s, points, &best));
    *out = (hf_study_point){.above = points[0].load};
    if (best != HF_NONE) {
        take_point(&points[best], out);
        out->above = best + 1 < HF_SATURATION_POINTS ? points[best + 1].load : 1;
    }
    return HF_OK;
}

/* Sets that were drawn are runs that know nothing of each other: each has traffic of its own, in all cells that drew it the same.
 */
static uint64_t seed_of(const hf_study_cell *cell, const hf_study_sim *run) {
    hf_random random;
    if (run->n_set == 0) {
        return cell->seed;
    }
    hf_random_init(&random, cell->seed, HF_PURPOSE_TRAFFIC, hf_hash_bytes(run->set, run->n_set * sizeof *run->set));
    return hf_random_u64(&random);
}

static hf_status simulate(hf_context *cx, const hf_study_scene *scene, const hf_traffic *traffic, hf_study_sim *run) {
    hf_fault_set faults, none;
    hf_plan plan;
    hf_point point;
    hf_history history;
    hf_simulation s = scene->cell->simulation.options;
    const bool is_reconfigured = scene->cell->kind == HF_STUDY_RECONFIGURATION;
    HF_TRY(hf_fault_set_parse(cx, scene->topo, NULL, "", &none));
    HF_TRY(run->n_set ? hf_fault_set_make(cx, scene->universe, run->set, run->n_set, &faults)
                      : hf_fault_set_parse(cx, scene->topo, NULL, scene->cell->simulation.failed, &faults));
    HF_TRY(hf_plan_make(cx, &scene->rule, is_reconfigured ? &none : &faults, &plan));
    s.plan = &plan;
    s.traffic = traffic;
    s.seed = seed_of(scene->cell, run);
    s.threads = 1;
    if (is_reconfigured) {
        HF_TRY(hf_study_run_reconfiguration(cx, scene, &s, &faults, run, &history));
        take_point(&history.start, &run->point);
        hf_study_take_reconfiguration(&history, &run->point);
        return HF_OK;
    }
    if (scene->cell->simulation.work.kind != HF_STUDY_WORK_NONE) {
        const hf_play play = {&plan, s.kernel, scene->cell->simulation.work.cycle_limit};
        return hf_study_run_work(cx, scene, &play, traffic, run, &run->point);
    }
    if (run->load == 0) {
        return search(cx, &s, &run->point);
    }
    HF_TRY(hf_simulate(cx, &s, &run->load, 1, &point));
    take_point(&point, &run->point);
    return HF_OK;
}

hf_status hf_study_run_point(hf_context *cx, const hf_study_cell *cell, hf_study_sim *run) {
    hf_study_scene scene;
    hf_traffic *traffic;
    HF_TRY(hf_study_scene_open(cx, cell, &scene));
    hf_status status = hf_traffic_new(cx, scene.topo, cell->traffic, &traffic);
    if (status == HF_OK) {
        status = simulate(cx, &scene, traffic, run);
        hf_traffic_free(traffic);
    }
    hf_study_scene_close(&scene);
    return status;
}

/* ---- all of them ---- */

static hf_status keep(hf_context *cx, const hf_study_job *job, const hf_study_sim *run) {
    char *text;
    if (!job->options->store) {
        return HF_OK;
    }
    HF_TRY(hf_study_point_print(cx, &run->point, &text));
    return hf_store_note(cx, job->options->store, run->key, text);
}

static hf_status run_one(hf_context *cx, void *user, size_t i) {
    const hf_study_job *job = user;
    hf_study_sim *run = &job->runs->run[i];
    const hf_study_cell *cell = &job->study->cell[run->cell];
    if (run->is_done) {
        return HF_OK;
    }
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped");
    }
#pragma omp critical(hf_study_runs)
    if (job->options->tell) {
        job->options->tell(job->options->tell_user, run->cell, job->study->n_cell, cell->label, NULL);
    }
    HF_TRY(hf_study_run_point(cx, cell, run));
    hf_status status;
#pragma omp critical(hf_study_runs)
    status = keep(cx, job, run);
    run->is_done = status == HF_OK;
    return status;
}

static hf_status name_cell(const hf_study_job *job, size_t at, hf_status status) {
    if (status != HF_OK && status != HF_ESTOP) {
        const hf_study_cell *cell = &job->study->cell[at];
        hf_context_prefix(job->cx, "%s, line %" PRIu32 ", cell \"%s\": ", job->study->file, cell->line, cell->label);
    }
    return status;
}

static hf_status run_all(hf_study_job *job) {
    size_t failed;
    const hf_status status = hf_jobs_do(job->cx, job->runs->n_run, job->options->threads, run_one, job, &failed);
    return failed < job->runs->n_run ? name_cell(job, job->runs->run[failed].cell, status) : status;
}

/* What the store holds. */
static hf_status recall(hf_study_job *job) {
    for (size_t i = 0; i < job->runs->n_run && job->options->store && !job->options->again; i++) {
        hf_study_sim *run = &job->runs->run[i];
        const hf_mark mark = hf_scratch_mark(job->cx);
        char *text;
        HF_TRY(hf_store_recall(job->cx, job->options->store, run->key, &text, &run->is_accepted));
        run->is_done = run->from_store = text && hf_study_point_parse(text, &run->point);
        hf_scratch_reset(job->cx, mark);
    }
    return HF_OK;
}

static hf_status plan_cell(hf_study_job *job) {
    hf_study_scene scene;
    const hf_study_cell *cell = &job->study->cell[job->cell];
    if (!hf_study_is_simulated(cell->kind) || cell->not_computable) {
        return HF_OK;
    }
    const hf_mark mark = hf_scratch_mark(job->cx);
    HF_TRY(hf_study_scene_open(job->cx, cell, &scene));
    const hf_status status = hf_study_runs_plan(job, &scene);
    hf_study_scene_close(&scene);
    hf_scratch_reset(job->cx, mark);
    return status;
}

static hf_status plan_cells(hf_study_job *job) {
    const size_t n = job->study->n_cell;
    HF_TRY(hf_allocate(job->cx, 1, sizeof *job->runs, (void **)&job->runs));
    HF_TRY(hf_allocate(job->cx, n + 1, sizeof *job->runs->first, (void **)&job->runs->first));
    for (job->cell = 0; job->cell < n; job->cell++) {
        HF_TRY(name_cell(job, job->cell, plan_cell(job)));
        job->runs->first[job->cell + 1] = job->runs->n_ask;
    }
    job->cell = 0;
    return HF_OK;
}

hf_status hf_study_simulate_all(hf_study_job *job) {
    HF_TRY(plan_cells(job));
    HF_TRY(recall(job));
    return run_all(job);
}

void hf_study_runs_free(hf_study_job *job) {
    const hf_allocator *allocator = hf_context_allocator(job->cx);
    for (size_t i = 0; job->runs && i < job->runs->n_run; i++) {
        hf_release(allocator, job->runs->run[i].key);
        hf_release(allocator, job->runs->run[i].set);
        hf_release(allocator, job->runs->run[i].source);
    }
    if (job->runs) {
        hf_release(allocator, job->runs->run);
        hf_release(allocator, job->runs->ask);
        hf_release(allocator, job->runs->first);
    }
    hf_release(allocator, job->runs);
}
