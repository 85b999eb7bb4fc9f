/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the work on a row would take. Every run of sets of one length is as likely to be looked at, so the mean time of those
 *  that were is an unbiased estimate of the mean of all; runs are as long as it takes to tell their time from that of finding
 *  their first set. Time is that of the processor, so that it does not count what else the machine does; all threads work, so
 *  that it counts what they take from each other. */
#include "src/campaign/forecast.h"

#include <math.h>

#include <holdfast/core/random.h>

#include "src/campaign/size.h"
#include "src/core/clock.h"
#include "src/core/jobs.h"

static const double run_least_s = 5e-4, whole_s = 1e9;
/* Runs of which the time is looked at together; a row has so many runs at least; bytes of a piece of work in the store; pieces
 * are handed in every second, then every 64th of the time, at last every minute. */
enum { TOGETHER = 8, RUNS = 64, RUN_FIRST = 16, PIECE_BYTES = 320, PIECE_GROWS_S = 64, PIECE_MOST_S = 3840, PIECES_MOST = 60 };

typedef struct timed {
    double sets, core_s;
    hf_status status;
} timed;

hf_status hf_forecast_add(hf_context *cx, hf_forecast *forecast, hf_forecast_row row) {
    if (forecast->n_row == forecast->room) {
        const size_t room = forecast->room ? 2 * forecast->room : 16;
        hf_forecast_row *rows;
        HF_TRY(hf_scratch(cx, room, sizeof *rows, (void **)&rows));
        for (size_t i = 0; i < forecast->n_row; i++) {
            rows[i] = forecast->row[i];
        }
        forecast->row = rows;
        forecast->room = room;
    }
    forecast->row[forecast->n_row++] = row;
    return HF_OK;
}

/* Ranks from `at` of those that are left, as far as one range of them goes. */
static hf_range range_from(const hf_range_list *todo, uint64_t at, uint64_t n) {
    size_t i = 0;
    while (at >= todo->item[i].hi - todo->item[i].lo) {
        at -= todo->item[i].hi - todo->item[i].lo;
        i++;
    }
    const uint64_t lo = todo->item[i].lo + at, rest = todo->item[i].hi - lo;
    return (hf_range){lo, lo + (n < rest ? n : rest)};
}

/* Nobody asks how far it is. */
static void ignore(void *run) { (void)run; }

static hf_status look_at(hf_worker *worker, hf_row_job *job, hf_range range) {
    uint64_t end = range.lo;
    hf_work_begin(worker, whole_s);
    return job->exhaustive ? hf_work_exhaustive(worker, job, range.lo, range.hi, &end)
                           : hf_work_sampled(worker, job, range.lo, range.hi, &end);
}

/* Some runs of n sets, each from a random multiple of n on. */
static timed time_runs(const hf_forecast_part *part, hf_worker *worker, hf_random *random, uint64_t all, uint64_t n) {
    timed out = {0};
    const double from_s = hf_clock_cpu_s();
    for (int i = 0; i < TOGETHER && out.status == HF_OK; i++) {
        const hf_range range = range_from(part->todo, n * hf_random_below(random, (all + n - 1) / n), n);
        out.status = look_at(worker, part->job, range);
        out.sets += (double)(range.hi - range.lo);
    }
    out.core_s = hf_clock_cpu_s() - from_s;
    return out;
}

/* Until the time is over; at least once. Runs that turn out to be short are forgotten, and made longer. */
static timed time_thread(const hf_forecast_part *part, hf_worker *worker, uint32_t thread, double seconds) {
    const uint64_t all = hf_range_total(part->todo), most = all / RUNS > RUN_FIRST ? all / RUNS : all;
    const double until_s = hf_clock_s() + seconds;
    uint64_t n = most < RUN_FIRST ? most : RUN_FIRST;
    timed out = {0};
    hf_random random;
    hf_random_init(&random, thread, HF_PURPOSE_FORECAST, part->job->f);
    do {
        const timed runs = time_runs(part, worker, &random, all, n);
        const bool is_short = runs.core_s < TOGETHER * run_least_s && n < most;
        out = (timed){out.sets * !is_short + runs.sets, out.core_s * !is_short + runs.core_s, runs.status};
        n = is_short ? (n > most / 4 ? most : 4 * n) : n;
    } while (out.status == HF_OK && hf_clock_s() < until_s && !hf_context_stopped(worker->cx));
    return out;
}

/* Half of the time is shared alike, half by the numbers of sets. */
static double seconds_of(hf_context *cx, const hf_campaign *c, uint64_t here) {
    double all = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        hf_row_size size;
        all += hf_row_size_find(cx, c, c->f[i], &size) == HF_OK ? (double)(size.hi - size.lo) : 0;
    }
    return c->forecast->seconds * (0.5 / (double)c->n_f + 0.5 * fmin(1, (double)here / fmax(all, 1)));
}

/* Of a row that one thread works on for so long. */
static double pieces_of(double seconds) {
    const double few = fmin(seconds, PIECE_GROWS_S), more = fmin(fmax(seconds, PIECE_GROWS_S), PIECE_MOST_S);
    return 1 + few + PIECE_GROWS_S * log(more / PIECE_GROWS_S) + fmax(0, seconds - PIECE_MOST_S) / PIECES_MOST;
}

static hf_status add_row(hf_context *cx, const hf_forecast_part *part, const timed *all) {
    const hf_campaign *c = part->job->campaign;
    const double left = (double)hf_range_total(part->todo), core_s = left * all->core_s / all->sets;
    const bool are_orders = c->inquiry && c->inquiry->orders;
    return hf_forecast_add(cx, c->forecast,
                           (hf_forecast_row){.f = are_orders ? HF_NONE : part->job->f,
                                             .method = part->job->exhaustive ? HF_METHOD_EXHAUSTIVE : c->method,
                                             .what = are_orders              ? "orders"
                                                     : part->job->exhaustive ? "sets"
                                                                             : "samples",
                                             .left = left,
                                             .looked = fmin(all->sets, left),
                                             .core_s = core_s,
                                             .start_s = part->start_s,
                                             .bytes = PIECE_BYTES * part->threads * pieces_of(core_s / part->threads),
                                             .threads = part->threads,
                                             .is_shared = true});
}

hf_status hf_forecast_measure(hf_context *cx, const hf_forecast_part *part, hf_crew *crew) {
    part->job->look = ignore;
    const double seconds = seconds_of(cx, part->job->campaign, hf_range_total(part->todo));
    timed *timed_by, all = {0};
    HF_TRY(hf_scratch(cx, part->threads, sizeof *timed_by, (void **)&timed_by));
#pragma omp parallel num_threads((int)part->threads)
    {
        const uint32_t thread = hf_jobs_thread();
        timed_by[thread] = time_thread(part, &crew->worker[thread], thread, seconds);
    }
    for (uint32_t i = 0; i < part->threads; i++) {
        if (timed_by[i].status != HF_OK) {
            hf_context_copy_failure(cx, crew->worker[i].cx);
            return timed_by[i].status;
        }
        all.sets += timed_by[i].sets;
        all.core_s += timed_by[i].core_s;
    }
    return add_row(cx, part, &all);
}
