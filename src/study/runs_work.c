/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of work with an end. */
#include <math.h>

#include "src/core/source.h"
#include "src/study/runs.h"

enum { WORKS = HF_SHOW_RELAYED - HF_SHOW_TASK_CYCLES + 1 };

static hf_status play_barrier(hf_context *cx, const hf_study_cell *cell, const hf_play *play, const hf_traffic *traffic,
                              hf_play_result *result, hf_batch_mean *task) {
    const hf_barrier *barrier = &cell->simulation.work.barrier;
    double *task_cycles;
    HF_TRY(hf_scratch(cx, barrier->tasks, sizeof *task_cycles, (void **)&task_cycles));
    return hf_play_barrier(cx, play, traffic, barrier, cell->seed, result, task_cycles, task);
}

static hf_status play_file(hf_context *cx, const char *name, const hf_play *play, hf_play_result *result) {
    hf_source source;
    hf_messages messages;
    HF_TRY(hf_source_load(cx, name, HF_STUDY_TRACE_BYTES, &source));
    hf_status status = hf_messages_parse(cx, source.path, source.text.data ? source.text.data : "", source.text.size,
                                         play->plan->topo->n_terminal, &messages);
    hf_source_free(&source);
    HF_TRY(status);
    status = hf_play_messages(cx, play, &messages, result);
    hf_messages_free(&messages);
    return status;
}

static hf_status play_generated(hf_context *cx, const hf_study_cell *cell, const hf_play *play, const hf_traffic *traffic,
                                double load, hf_play_result *result) {
    const hf_generation g = {.plan = play->plan,
                             .traffic = traffic,
                             .load = load,
                             .burst = cell->simulation.options.burst,
                             .packet_length = play->kernel.packet_length,
                             .message_flits = cell->simulation.work.message_flits,
                             .seed = cell->seed,
                             .cycles = cell->simulation.work.cycles};
    hf_messages messages;
    HF_TRY(hf_messages_generate(cx, &g, &messages));
    const hf_status status = hf_play_messages(cx, play, &messages, result);
    hf_messages_free(&messages);
    return status;
}

static hf_status play_program(hf_context *cx, const hf_study_cell *cell, const hf_play *play, hf_play_result *result) {
    const hf_benchmark_options options = {
        .benchmark = cell->simulation.work.program, .n_node = play->plan->topo->n_terminal, .seed = cell->seed};
    hf_program program;
    HF_TRY(hf_benchmark_program(cx, &options, &program));
    const hf_status status = hf_play_program(cx, play, &program, result);
    hf_program_free(&program);
    return status;
}

static hf_status play_work(hf_context *cx, const hf_study_cell *cell, const hf_play *play, const hf_traffic *traffic,
                           const hf_study_sim *run, hf_play_result *result, hf_batch_mean *task) {
    switch (cell->simulation.work.kind) {
    case HF_STUDY_WORK_BARRIER:
        return play_barrier(cx, cell, play, traffic, result, task);
    case HF_STUDY_WORK_FILE:
        return play_file(cx, run->source, play, result);
    case HF_STUDY_WORK_GENERATED:
        return play_generated(cx, cell, play, traffic, run->load, result);
    default:
        return play_program(cx, cell, play, result);
    }
}

hf_status hf_study_run_work(hf_context *cx, const hf_study_scene *scene, const hf_play *play, const hf_traffic *traffic,
                            const hf_study_sim *run, hf_study_point *out) {
    hf_play_result r = {.latency = NAN, .network_latency = NAN}; /* not complete */
    hf_batch_mean task = {.mean = NAN, .half = NAN};
    HF_TRY(play_work(cx, scene->cell, play, traffic, run, &r, &task));
    const double missing = r.is_complete ? 0 : NAN, terminals = scene->topo->n_terminal;
    const double accepted = r.cycles > 0 ? (double)r.flits / (double)r.cycles / terminals : NAN;
    *out = (hf_study_point){.load = run->load,
                            .above = run->load,
                            .accepted = {.mean = accepted + missing, .half = NAN},
                            .latency = {.mean = r.latency + missing, .half = NAN},
                            .network_latency = {.mean = r.network_latency + missing, .half = NAN},
                            .work = {task.mean + missing, (double)r.cycles + missing, (double)r.relayed + missing},
                            .task_half = task.half,
                            .lost = (double)r.lost,
                            .is_blocked = r.n_blocked > 0};
    _Static_assert(WORKS == 3, "what a cell can show of work");
    return HF_OK;
}
