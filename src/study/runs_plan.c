/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which simulations a cell asks for. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/combination.h>
#include <holdfast/random.h>

#include "src/study/runs.h"

enum { DRAWS_PER_SAMPLE = 1000 };

/* Everything that determines the point. */
static hf_status make_key(hf_context *cx, const hf_study_scene *scene, const hf_traffic *traffic, const hf_fault_set *faults,
                          double load, char **out) {
    const hf_study_cell *cell = scene->cell;
    const hf_burst burst = cell->simulation.options.burst;
    char *failed = "", *bursts = "";
    HF_TRY(burst.length > 0 ? hf_scratch_print(cx, &bursts, " burst %.17g,%.17g", burst.length, burst.peak) : HF_OK);
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        HF_TRY(hf_scratch_print(cx, &failed, "%s %" PRIu32, failed, faults->channel[i]));
    }
    return hf_scratch_print(cx, out, "%s|%s|%s|%s|%s|%s|%s|%" PRIu64 "|%.17g%s%s|%s",
                            cell->kind == HF_STUDY_REPAIR ? cell->simulation.repair_text : "simulation", scene->topo->spec,
                            scene->rule.spec, traffic->spec, cell->simulation.router, cell->simulation.measure, failed,
                            cell->seed, load, bursts, cell->simulation.options.for_each ? " for each" : "", hf_program_version());
}

static hf_status find_or_add(hf_study_job *job, const char *key, double load, const uint32_t *set, uint32_t n_set, size_t *out) {
    hf_study_runs *all = job->runs;
    for (*out = 0; *out < all->n_run; ++*out) {
        if (strcmp(all->run[*out].key, key) == 0) {
            return HF_OK;
        }
    }
    HF_TRY(hf_resize(job->cx, all->n_run + 1, sizeof *all->run, (void **)&all->run));
    hf_study_sim *run = &all->run[all->n_run++];
    *run = (hf_study_sim){.cell = job->cell, .load = load, .n_set = n_set};
    HF_TRY(hf_duplicate(job->cx, key, &run->key));
    HF_TRY(hf_allocate(job->cx, n_set, sizeof *run->set, (void **)&run->set));
    if (n_set > 0) {
        memcpy(run->set, set, n_set * sizeof *set);
    }
    return HF_OK;
}

/* All loads of a cell under one fault set. */
static hf_status ask(hf_study_job *job, const hf_study_scene *scene, const hf_traffic *traffic, const hf_fault_set *faults,
                     const uint32_t *set, uint32_t n_set, uint32_t f) {
    hf_study_runs *all = job->runs;
    const hf_study_simulation *s = &scene->cell->simulation;
    for (size_t i = 0; i < (s->n_load ? s->n_load : 1); i++) {
        const double load = s->n_load ? s->load[i] : 0;
        char *key;
        size_t run;
        HF_TRY(make_key(job->cx, scene, traffic, faults, load, &key));
        HF_TRY(find_or_add(job, key, load, set, n_set, &run));
        HF_TRY(hf_resize(job->cx, all->n_ask + 1, sizeof *all->ask, (void **)&all->ask));
        all->ask[all->n_ask++] = (hf_study_ask){run, f};
    }
    return HF_OK;
}

/* ---- random fault sets ---- */

static hf_status is_tolerated(hf_context *cx, hf_judge *judge, const uint32_t *set, uint32_t f, bool *out) {
    hf_measure measure = {0};
    hf_status status = HF_OK;
    uint32_t pushed = 0;
    while (pushed < f && status == HF_OK) {
        status = judge->ops->push(cx, judge, set[pushed]);
        pushed += status == HF_OK;
    }
    status = status == HF_OK ? judge->ops->read(cx, judge, &measure) : status;
    for (; pushed > 0; pushed--) {
        judge->ops->pop(judge);
    }
    *out = measure.tolerated;
    return status;
}

static hf_status ask_if_tolerated(hf_study_job *job, const hf_study_scene *scene, const hf_traffic *traffic, hf_judge *judge,
                                  const uint32_t *set, uint32_t i, uint64_t *count) {
    const uint32_t f = scene->cell->f[i];
    const hf_mark mark = hf_scratch_mark(job->cx);
    hf_fault_set faults;
    bool is_good = false;
    HF_TRY(is_tolerated(job->cx, judge, set, f, &is_good));
    if (is_good) {
        HF_TRY(hf_fault_set_make(job->cx, scene->universe, set, f, &faults));
        ++*count;
        HF_TRY(ask(job, scene, traffic, &faults, set, f, i));
    }
    hf_scratch_reset(job->cx, mark);
    return HF_OK;
}

static hf_status ask_all_sets(hf_study_job *job, const hf_study_scene *scene, const hf_traffic *traffic, hf_judge *judge,
                              uint32_t *set, uint32_t i, uint64_t *count) {
    const uint32_t f = scene->cell->f[i];
    hf_lex_unrank(scene->universe->n_component, f, 0, set);
    do {
        HF_TRY(ask_if_tolerated(job, scene, traffic, judge, set, i, count));
    } while (hf_lex_next(scene->universe->n_component, f, set, NULL));
    return HF_OK;
}

/* Set number `draw` of a seed is that of a sampled campaign. */
static hf_status ask_samples(hf_study_job *job, const hf_study_scene *scene, const hf_traffic *traffic, hf_judge *judge,
                             uint32_t *set, uint32_t i, uint64_t *count) {
    const hf_study_cell *cell = scene->cell;
    const uint32_t f = cell->f[i];
    for (uint64_t draw = 0; *count < cell->samples && draw < cell->samples * DRAWS_PER_SAMPLE; draw++) {
        hf_random r;
        hf_random_init(&r, cell->seed, (hf_purpose)((uint32_t)HF_PURPOSE_SAMPLE | f << 8), draw);
        hf_random_subset(&r, scene->universe->n_component, f, set);
        HF_TRY(ask_if_tolerated(job, scene, traffic, judge, set, i, count));
    }
    return HF_OK;
}

static hf_status ask_sets(hf_study_job *job, const hf_study_scene *scene, const hf_traffic *traffic, hf_judge *judge,
                          uint32_t i) {
    const uint32_t f = scene->cell->f[i], m = scene->universe->n_component;
    uint64_t all, count = 0;
    uint32_t *set;
    if (f > m) {
        HF_FAIL(job->cx, HF_EINVAL, "f=%" PRIu32 ", but universe \"%s\" has %" PRIu32 " components", f, scene->universe->spec, m);
    }
    HF_TRY(hf_scratch(job->cx, f, sizeof *set, (void **)&set));
    const bool is_small = hf_binomial(m, f, &all) && all <= scene->cell->samples;
    HF_TRY((is_small ? ask_all_sets : ask_samples)(job, scene, traffic, judge, set, i, &count));
    if (count == 0) {
        HF_FAIL(job->cx, HF_EINVAL, "f=%" PRIu32 ": no set that is tolerated was found", f);
    }
    return HF_OK;
}

/* ---- cells ---- */

static hf_status ask_for(hf_study_job *job, const hf_study_scene *scene, const hf_traffic *traffic) {
    const hf_study_cell *cell = scene->cell;
    hf_fault_set faults;
    if (cell->n_f == 0) {
        HF_TRY(hf_fault_set_parse(job->cx, scene->topo, NULL, cell->simulation.failed, &faults));
        return ask(job, scene, traffic, &faults, NULL, 0, 0);
    }
    hf_judge *judge;
    HF_TRY(hf_judge_new(job->cx, scene->universe, &scene->rule, cell->criterion, &judge));
    hf_status status = HF_OK;
    for (uint32_t i = 0; i < cell->n_f && status == HF_OK; i++) {
        status = ask_sets(job, scene, traffic, judge, i);
    }
    hf_judge_free(judge);
    return status;
}

hf_status hf_study_runs_plan(hf_study_job *job, const hf_study_scene *scene) {
    hf_traffic *traffic;
    HF_TRY(hf_traffic_new(job->cx, scene->topo, scene->cell->traffic, &traffic));
    const hf_status status = ask_for(job, scene, traffic);
    hf_traffic_free(traffic);
    return status;
}
