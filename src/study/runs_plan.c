/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which simulations a cell asks for. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/core/source.h"
#include "src/study/runs.h"

enum { DRAWS_PER_SAMPLE = 1000 };

/* ---- the network, rule and universe of a cell ---- */

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

/* ---- what a cell asks for ---- */

/** A cell that asks. */
typedef struct asking {
    hf_study_job *job;
    const hf_study_scene *scene;
    const hf_traffic *traffic;
    const char *source; /**< of a trace out of a file: "PATH#hash"; else NULL */
} asking;

/* What is run: the first part of the key. */
static const char *text_of(const asking *a) {
    const hf_study_simulation *s = &a->scene->cell->simulation;
    return a->scene->cell->kind == HF_STUDY_RECONFIGURATION ? s->reconfiguration_text
           : s->work.text                                   ? s->work.text
                                                            : "simulation";
}

/* " 3 17 20": many channels may have failed. */
static hf_status list_failed(hf_context *cx, const hf_fault_set *faults, char **out) {
    enum { ROOM = 12 }; /* of a number and a space */
    char *at;
    HF_TRY(hf_scratch(cx, (size_t)faults->n_channel * ROOM + 1, 1, (void **)&at));
    *out = at;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        at += snprintf(at, ROOM, " %" PRIu32, faults->channel[i]);
    }
    return HF_OK;
}

/* Everything that determines the point. */
static hf_status make_key(const asking *a, const hf_fault_set *faults, bool is_drawn, double load, char **out) {
    hf_context *cx = a->job->cx;
    const hf_study_scene *scene = a->scene;
    const hf_study_cell *cell = scene->cell;
    const hf_burst burst = cell->simulation.options.burst;
    char *failed, *bursts = "";
    HF_TRY(burst.length > 0 ? hf_scratch_print(cx, &bursts, " burst %.17g,%.17g%s", burst.length, burst.peak,
                                               burst.together ? ",together" : "")
                            : HF_OK);
    HF_TRY(list_failed(cx, faults, &failed));
    return hf_scratch_print(cx, out, "%s%s%s|%s|%s|%s|%s|%s|%s%s|%" PRIu64 "|%.17g%s%s|%s", text_of(a), a->source ? " " : "",
                            a->source ? a->source : "", scene->topo->spec, scene->rule.spec, a->traffic->spec,
                            cell->simulation.router, cell->simulation.measure, is_drawn ? "set" : "", failed, cell->seed, load,
                            bursts, cell->simulation.options.for_each ? " for each" : "", hf_build_code());
}

static hf_status find_or_add(const asking *a, const char *key, double load, const uint32_t *set, uint32_t n_set, size_t *out) {
    hf_study_job *job = a->job;
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
    HF_TRY(a->source ? hf_duplicate(job->cx, a->source, &run->source) : HF_OK);
    HF_TRY(hf_allocate(job->cx, n_set, sizeof *run->set, (void **)&run->set));
    if (n_set > 0) {
        memcpy(run->set, set, n_set * sizeof *set);
    }
    return HF_OK;
}

/* All loads of a cell under one fault set. */
static hf_status ask(const asking *a, const hf_fault_set *faults, const uint32_t *set, uint32_t n_set, uint32_t f) {
    hf_context *cx = a->job->cx;
    hf_study_runs *all = a->job->runs;
    const hf_study_simulation *s = &a->scene->cell->simulation;
    for (size_t i = 0; i < (s->n_load ? s->n_load : 1); i++) {
        const double load = s->n_load ? s->load[i] : 0;
        char *key;
        size_t run;
        HF_TRY(make_key(a, faults, n_set > 0, load, &key));
        HF_TRY(find_or_add(a, key, load, set, n_set, &run));
        HF_TRY(hf_resize(cx, all->n_ask + 1, sizeof *all->ask, (void **)&all->ask));
        all->ask[all->n_ask++] = (hf_study_ask){.run = run, .f = f};
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

static hf_status ask_if_tolerated(const asking *a, hf_judge *judge, const uint32_t *set, uint32_t i, uint64_t *count) {
    hf_context *cx = a->job->cx;
    const uint32_t f = a->scene->cell->f[i];
    const hf_mark mark = hf_scratch_mark(cx);
    hf_fault_set faults;
    bool is_good = false;
    HF_TRY(is_tolerated(cx, judge, set, f, &is_good));
    if (is_good) {
        HF_TRY(hf_fault_set_make(cx, a->scene->universe, set, f, &faults));
        ++*count;
        HF_TRY(ask(a, &faults, set, f, i));
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* All sets, or as many that are tolerated as the cell asks for. */
static hf_status ask_sets(const asking *a, hf_judge *judge, uint32_t i) {
    const hf_study_cell *cell = a->scene->cell;
    const uint32_t f = cell->f[i], m = a->scene->universe->n_component;
    const hf_sets sets = hf_sets_of(m, f, cell->samples, cell->seed);
    const uint64_t most = sets.is_all ? sets.n : cell->samples * DRAWS_PER_SAMPLE;
    const size_t first = a->job->runs->n_ask;
    uint64_t count = 0, looked = 0;
    uint32_t *set;
    if (f > m) {
        HF_FAIL(a->job->cx, HF_EINVAL, "f=%" PRIu32 ", but universe \"%s\" has %" PRIu32 " components", f,
                a->scene->universe->spec, m);
    }
    HF_TRY(hf_scratch(a->job->cx, f, sizeof *set, (void **)&set));
    for (; looked < most && (sets.is_all || count < cell->samples); looked++) {
        hf_sets_get(&sets, looked, set);
        HF_TRY(ask_if_tolerated(a, judge, set, i, &count));
    }
    for (size_t k = first; k < a->job->runs->n_ask; k++) {
        a->job->runs->ask[k].looked = looked;
        a->job->runs->ask[k].is_all = sets.is_all;
    }
    return HF_OK;
}

/* ---- cells ---- */

static hf_status ask_for(const asking *a) {
    hf_context *cx = a->job->cx;
    const hf_study_scene *scene = a->scene;
    const hf_study_cell *cell = scene->cell;
    hf_fault_set faults;
    if (cell->n_f == 0) {
        HF_TRY(hf_fault_set_parse(cx, scene->topo, NULL, cell->simulation.failed, &faults));
        return ask(a, &faults, NULL, 0, 0);
    }
    hf_judge *judge;
    HF_TRY(hf_judge_new(cx, scene->universe, &scene->rule, &cell->criterion, &judge));
    hf_status status = HF_OK;
    for (uint32_t i = 0; i < cell->n_f && status == HF_OK; i++) {
        status = ask_sets(a, judge, i);
    }
    hf_judge_free(judge);
    return status;
}

/* The trace of a cell is known by the content of its file. */
static hf_status ask_with_source(asking *a) {
    const hf_study_work *work = &a->scene->cell->simulation.work;
    hf_source source;
    if (work->kind != HF_STUDY_WORK_FILE) {
        return ask_for(a);
    }
    HF_TRY(hf_source_load(a->job->cx, work->path, HF_STUDY_TRACE_BYTES, &source));
    a->source = source.named;
    const hf_status status = ask_for(a);
    hf_source_free(&source);
    return status;
}

hf_status hf_study_runs_plan(hf_study_job *job, const hf_study_scene *scene) {
    hf_traffic *traffic;
    HF_TRY(hf_traffic_new(job->cx, scene->topo, scene->cell->traffic, &traffic));
    asking a = {.job = job, .scene = scene, .traffic = traffic};
    const hf_status status = ask_with_source(&a);
    hf_traffic_free(traffic);
    return status;
}
