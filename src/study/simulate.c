/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that simulate: the lines of points that have been run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "src/bridge/gsl.h"
#include "src/study/runs.h"

static const double confidence = 0.95;

hf_batch_mean hf_study_figure(hf_study_show show, const hf_study_point *p) {
    if (show == HF_SHOW_BEFORE || show == HF_SHOW_AFTER) {
        return p->phase[show == HF_SHOW_AFTER];
    }
    if (show >= HF_SHOW_BEFORE && show <= HF_SHOW_MESSAGES) {
        return (hf_batch_mean){p->reconfiguration[show - HF_SHOW_BEFORE], 0, 1};
    }
    if (show >= HF_SHOW_TASK_CYCLES && show <= HF_SHOW_RELAYED) {
        return (hf_batch_mean){p->work[show - HF_SHOW_TASK_CYCLES], show == HF_SHOW_TASK_CYCLES ? p->task_half : NAN, 1};
    }
    switch (show) {
    case HF_SHOW_LATENCY:
        return p->latency;
    case HF_SHOW_NETWORK_LATENCY:
        return p->network_latency;
    case HF_SHOW_SERVED_TO_EACH:
        return (hf_batch_mean){p->load * p->least_share, p->load * p->least_share * p->accepted.half / p->accepted.mean,
                               p->accepted.steady};
    case HF_SHOW_SATURATED_AT:
        return (hf_batch_mean){(p->load + p->above) / 2, (p->above - p->load) / 2, p->accepted.steady};
    default:
        return p->accepted;
    }
}

/* Of several loads, that with most accepted traffic. */
static const hf_study_sim *pick(hf_study_show show, const hf_study_sim *const *run, size_t n) {
    const hf_study_sim *best = run[0];
    for (size_t i = 1; i < n && show == HF_SHOW_THROUGHPUT; i++) {
        best = run[i]->point.accepted.mean > best->point.accepted.mean ? run[i] : best;
    }
    return best;
}

static bool is_work(const hf_study_cell *cell) { return cell->simulation.work.kind != HF_STUDY_WORK_NONE; }

/* The value rests on these runs: steady if each is at its share of the level [Bonferroni]. Work has an end and needs none. */
static void rest_on_runs(const hf_study_cell *cell, const hf_study_sim *const *run, size_t n, hf_study_value *value) {
    for (size_t i = 0; i < n && !is_work(cell); i++) {
        const hf_batch_mean m = hf_study_figure(cell->show, &run[i]->point);
        hf_study_rest_on(value, !hf_batch_is_steady((hf_batch_mean){.steady = m.steady * (double)n}), run[i]->point.cycles);
    }
}

static void describe(const hf_study_cell *cell, const hf_study_point *p, hf_study_value *value) {
    const hf_simulation *o = &cell->simulation.options;
    snprintf(value->method, sizeof value->method, "%" PRIu32 " windows of %" PRIu64 " cycles, seed %" PRIu64 "%s%s%s", o->batches,
             o->window, cell->seed, p->is_blocked ? ", deadlock" : "", p->is_saturated ? ", saturated" : "",
             value->is_unsteady ? ", not steady" : "");
}

static void describe_work(const hf_study_cell *cell, const hf_study_point *p, hf_study_value *value) {
    const hf_study_work *work = &cell->simulation.work;
    char what[48] = "played once", lost[48] = "";
    if (work->kind == HF_STUDY_WORK_BARRIER && work->barrier.tasks > 1) {
        snprintf(what, sizeof what, "%" PRIu32 " tasks", work->barrier.tasks);
    }
    if (p->lost > 0) {
        snprintf(lost, sizeof lost, ", %.0f messages lost", p->lost);
    }
    snprintf(value->method, sizeof value->method, "%s, seed %" PRIu64 "%s", what, cell->seed, lost);
}

/* Work that is given whole is exact, a trace from its generator and seed too: every network plays the same. Of other work a
 * figure without an interval has none. */
static bool is_exact(const hf_study_cell *cell) {
    const hf_study_work_kind kind = cell->simulation.work.kind;
    return kind == HF_STUDY_WORK_FILE || kind == HF_STUDY_WORK_GENERATED || kind == HF_STUDY_WORK_PROGRAM;
}

static bool is_figure(const hf_study_cell *cell, hf_batch_mean m) {
    return isfinite(m.mean) && (is_work(cell) || isfinite(m.half));
}

static hf_status add_no_figure(hf_study_job *job, const hf_study_cell *cell, uint32_t f) {
    return hf_study_add_line(job, f, NULL,
                             is_work(cell) ? "no figure: the work did not end, for a deadlock or the cycles of measure"
                                           : "no figure: no packet arrived, or the repair did not end");
}

/* A line for one of `n` loads: of the throughput that which accepts most, which rests on all of them. */
static hf_status add_point(hf_study_job *job, const hf_study_cell *cell, const hf_study_sim *const *all, size_t n) {
    const hf_study_sim *run = pick(cell->show, all, n);
    const hf_batch_mean m = hf_study_figure(cell->show, &run->point);
    if (!is_figure(cell, m)) {
        return add_no_figure(job, cell, HF_NONE);
    }
    hf_study_value value = {.is_real = true,
                            .is_exact = is_exact(cell),
                            .real = cell->show == HF_SHOW_SATURATED_AT ? run->point.load : m.mean,
                            .low = m.mean - m.half,
                            .high = m.mean + m.half,
                            .from_store = run->from_store,
                            .is_accepted = run->is_accepted};
    rest_on_runs(cell, all, n, &value);
    (is_work(cell) ? describe_work : describe)(cell, &run->point, &value);
    if (cell->simulation.n_load > 1 && cell->show != HF_SHOW_THROUGHPUT) {
        snprintf(value.what, sizeof value.what, "load %g", run->load);
    }
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

/* The runs over fault sets of one number of faults. */
typedef struct sets {
    const hf_study_sim *const *run; /* n: of each set that which counts */
    const hf_study_sim *const *all; /* n_all: of all sets and loads */
    size_t n, n_all;
    uint64_t looked; /* sets that were looked at */
    bool is_all;     /* these are all that there are, and each run has an interval of its own */
} sets;

/* Does a run say how far its figure may be off? A search tells where it stopped, work and reconfigurations nothing. */
static bool has_own_interval(const hf_study_cell *cell) {
    const bool is_phase = cell->show == HF_SHOW_BEFORE || cell->show == HF_SHOW_AFTER;
    return is_phase || (cell->kind == HF_STUDY_SIMULATE && !is_work(cell) && cell->show != HF_SHOW_SATURATED_AT);
}

/* How many sets, of how many that were looked at if not all are tolerated. */
static void describe_sets(const hf_study_cell *cell, const sets *s, double lost, hf_study_value *value) {
    char of[32] = "", missing[48] = "";
    if (s->looked > s->n) {
        snprintf(of, sizeof of, " of %" PRIu64, s->looked);
    }
    if (lost > 0) {
        snprintf(missing, sizeof missing, ", %.0f messages lost", lost);
    }
    snprintf(value->method, sizeof value->method, "mean over %s%zu tolerated sets%s, seed %" PRIu64 "%s%s",
             s->is_all && s->n > 1 ? "all " : "", s->n, of, cell->seed, missing, value->is_unsteady ? ", not steady" : "");
}

/* Half of the interval of the mean of runs. Of sets that were drawn by Student's t over them. All sets that there are stand for
 * themselves: only what their runs leave open is left, and each has traffic of its own. */
static double half_of(const hf_study_cell *cell, const sets *s, double mean) {
    double own = 0, squares = 0;
    for (size_t i = 0; i < s->n; i++) {
        const hf_batch_mean m = hf_study_figure(cell->show, &s->run[i]->point);
        own += m.half * m.half;
        squares += (m.mean - mean) * (m.mean - mean);
    }
    if (s->is_all || s->n == 1) {
        return sqrt(own) / (double)s->n;
    }
    const double freedom = (double)(s->n - 1);
    return hf_gsl_t_quantile(0.5 + confidence / 2, freedom) * sqrt(squares / freedom / (double)s->n);
}

static hf_status add_mean(hf_study_job *job, const hf_study_cell *cell, uint32_t f, const sets *s) {
    double sum = 0, lost = 0;
    hf_study_value value = {.is_real = true, .from_store = true};
    for (size_t i = 0; i < s->n; i++) {
        sum += hf_study_figure(cell->show, &s->run[i]->point).mean;
        lost += s->run[i]->point.lost;
        value.from_store &= s->run[i]->from_store;
        value.is_accepted |= s->run[i]->is_accepted;
    }
    const double mean = sum / (double)s->n, half = half_of(cell, s, mean);
    if (!is_figure(cell, (hf_batch_mean){.mean = mean, .half = half})) {
        return add_no_figure(job, cell, f);
    }
    value.real = mean;
    value.low = mean - half;
    value.high = mean + half;
    value.is_exact = s->n == 1 && is_exact(cell);
    rest_on_runs(cell, s->all, s->n_all, &value);
    describe_sets(cell, s, lost, &value);
    return hf_study_add_line(job, f, &value, NULL);
}

/* The cell's runs for one number of faults; each set has its loads side by side. */
static hf_status add_faults(hf_study_job *job, const hf_study_cell *cell, const hf_study_ask *ask, size_t n_ask, uint32_t f) {
    const hf_study_sim **run, **all;
    const size_t n_load = cell->simulation.n_load ? cell->simulation.n_load : 1;
    HF_TRY(hf_scratch(job->cx, n_ask, sizeof *run, (void **)&run));
    HF_TRY(hf_scratch(job->cx, n_ask, sizeof *all, (void **)&all));
    sets s = {.run = run, .all = all};
    for (size_t i = 0; i < n_ask; i++) {
        if (ask[i].f == f) {
            s.looked = ask[i].looked;
            s.is_all = ask[i].is_all && has_own_interval(cell);
            all[s.n_all++] = &job->runs->run[ask[i].run];
        }
    }
    for (size_t i = 0; i < s.n_all; i += n_load) {
        run[s.n++] = pick(cell->show, all + i, n_load);
    }
    const uint32_t row = cell->n_f > 1 ? cell->f[f] : HF_NONE;
    return s.n ? add_mean(job, cell, row, &s) : hf_study_add_line(job, row, NULL, "no set that is tolerated was found");
}

static hf_status add_loads(hf_study_job *job, const hf_study_cell *cell, const hf_study_ask *ask, size_t n) {
    const hf_study_sim **run;
    HF_TRY(hf_scratch(job->cx, n, sizeof *run, (void **)&run));
    for (size_t i = 0; i < n; i++) {
        run[i] = &job->runs->run[ask[i].run];
    }
    if (cell->show == HF_SHOW_THROUGHPUT) {
        return add_point(job, cell, run, n);
    }
    for (size_t i = 0; i < n; i++) {
        HF_TRY(add_point(job, cell, run + i, 1));
    }
    return HF_OK;
}

hf_status hf_study_do_simulate(hf_study_job *job, const hf_study_cell *cell) {
    const hf_study_runs *all = job->runs;
    const size_t n = all->first[job->cell + 1] - all->first[job->cell];
    const hf_study_ask *ask = n ? all->ask + all->first[job->cell] : NULL;
    if (cell->n_f == 0) {
        return add_loads(job, cell, ask, n);
    }
    for (uint32_t f = 0; f < cell->n_f; f++) {
        HF_TRY(add_faults(job, cell, ask, n, f));
    }
    return HF_OK;
}
