/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One row: what the journal holds, batches handed out to threads, the figures at the end.
 *
 *  A batch is handed in piece by piece: a piece ends when its time is over or the campaign stops, always between two sets, and
 *  goes to the journal and into the row under the run's lock. So a killed run loses little and a stopped one nothing. Pieces grow
 *  with the time that the row has taken, so that the journal does not grow in proportion. */
#include "src/campaign/row.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>

#include "src/campaign/forecast.h"
#include "src/campaign/ranges.h"
#include "src/campaign/size.h"
#include "src/campaign/team.h"
#include "src/core/clock.h"
#include "src/core/jobs.h"

static const double progress_every_s = 0.1, flush_every_s = 1, piece_least_s = 1, piece_most_s = 60, piece_share = 1.0 / 64;
static const double confidence = 0.95;
/* Smallest batches: of a few steps of the judge. */
enum { UNIT = 16, UNIT_LANES = 4096 };

typedef struct row_run {
    hf_context *cx;
    const hf_campaign *campaign;
    hf_row_job job;
    hf_quota quota;
    hf_row *row;
    hf_row_size size;
    hf_range_list stored, todo;
    hf_range_queue queue;
    pthread_mutex_t lock; /* over all of this but job */
    uint64_t failed_at;   /* lowest rank at which a batch failed */
    hf_status status;
    const hf_progress *before; /* the campaign's progress up to this row */
    double started_s, told_s, flushed_s;
    hf_team_row team;
    hf_tally brought; /* of a mate */
    hf_big *lost_sum; /* lost paths of the whole range by their closed form; NULL: not asked for, or there is none */
} row_run;

/* ---- resuming ---- */

static hf_status take_stored(hf_context *cx, void *taker, uint64_t lo, uint64_t hi, const hf_tally *tally, bool is_accepted) {
    row_run *run = taker;
    if (lo >= hi || hi > run->size.total || tally->sets != hi - lo) {
        HF_FAIL(cx, HF_ESTORE,
                "a stored batch of f=%" PRIu32 " with ranks %" PRIu64 " to %" PRIu64 " is damaged; run `holdfast store verify`",
                run->job.f, lo, hi);
    }
    if (lo < run->size.lo || hi > run->size.hi) {
        return HF_OK;
    }
    HF_TRY(hf_range_add(cx, &run->stored, lo, hi));
    hf_tally_merge(&run->row->tally, tally, run->job.f);
    run->row->accepted_sets += is_accepted ? tally->sets : 0;
    return HF_OK;
}

static hf_status resume(row_run *run) {
    const hf_journal *journal = run->campaign->journal;
    if (journal && journal->load) {
        HF_TRY(journal->load(run->cx, journal->user, run->job.f, take_stored, run));
    }
    HF_TRY(hf_range_gaps(run->cx, &run->stored, run->size.lo, run->size.hi, &run->todo));
    if (run->team.team) {
        run->todo.count *= !hf_team_follows(&run->team);
        HF_TRY(hf_tally_init(run->cx, run->campaign, run->job.f, &run->brought));
        HF_TRY(hf_team_begin(run->cx, &run->team, &run->todo, &run->row->tally));
    }
    run->row->resumed_sets = run->row->tally.sets;
    atomic_store(&run->job.done, run->row->resumed_sets);
    return HF_OK;
}

static hf_status announce(row_run *run) {
    const hf_journal *journal = run->campaign->journal;
    return journal && journal->start ? journal->start(run->cx, journal->user, run->row) : HF_OK;
}

static void show_progress(row_run *run, double now) {
    const uint64_t done = atomic_load(&run->job.done);
    hf_progress p = *run->before;
    p.done = done;
    p.all_done += done;
    p.elapsed_s = now - run->started_s;
    p.sets_per_s = p.elapsed_s > 0 ? (double)(done - run->row->resumed_sets) / p.elapsed_s : 0;
    run->told_s = now;
    run->campaign->progress(run->campaign->progress_user, &p);
}

static hf_status save(row_run *run, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    const hf_journal *journal = run->campaign->journal;
    if (!journal || !journal->save) {
        return HF_OK;
    }
    HF_TRY(journal->save(run->cx, journal->user, run->job.f, lo, hi, tally));
    const double now = hf_clock_s();
    if (!journal->flush || now - run->flushed_s < flush_every_s) {
        return HF_OK;
    }
    run->flushed_s = now;
    return journal->flush(run->cx, journal->user);
}

/* Into the journal and the row. */
static void take_in(row_run *run, uint64_t lo, uint64_t end, const hf_tally *tally) {
    run->status = hf_team_follows(&run->team) ? hf_team_bring(run->cx, &run->team, lo, end, tally) : save(run, lo, end, tally);
    if (run->status == HF_OK) {
        hf_tally_merge(&run->row->tally, tally, run->job.f);
    } else {
        run->failed_at = 0;
    }
}

/* Ranks [lo, end) are in the worker's tally, also when a judge was stopped in the middle of the set after them. */
static void hand_in(row_run *run, hf_worker *worker, uint64_t lo, uint64_t end, hf_status status) {
    const bool is_failure = status != HF_OK && status != HF_ESTOP;
    pthread_mutex_lock(&run->lock);
    if (is_failure && lo < run->failed_at) {
        run->failed_at = lo;
        run->status = status;
        hf_context_copy_failure(run->cx, worker->cx);
    } else if (!is_failure && run->status == HF_OK && end > lo) {
        take_in(run, lo, end, &worker->tally);
    }
    if (run->status != HF_OK) {
        atomic_store(&run->job.halts, true);
    }
    pthread_mutex_unlock(&run->lock);
}

/* ---- together ---- */

static void halt_if(row_run *run, bool halts) {
    if (halts) {
        atomic_store(&run->job.halts, true);
    }
}

static void answer(row_run *run, const hf_team_message *said) {
    hf_range range = {0, 0};
    switch (said->word) {
    case HF_TEAM_ASKS:
        if (!atomic_load(&run->job.halts) && !hf_context_stopped(run->cx)) {
            (void)hf_range_take(&run->queue, &range);
        }
        run->status = hf_team_give(run->cx, &run->team, said->from, range);
        break;
    case HF_TEAM_BRINGS:
        atomic_fetch_add(&run->job.done, run->brought.sets);
        halt_if(run, run->job.until_lost && run->brought.not_tolerated > 0);
        take_in(run, said->lo, said->hi, &run->brought);
        break;
    case HF_TEAM_LEAVES:
        if (said->status != HF_OK && said->status != HF_ESTOP) {
            run->failed_at = 0;
            run->status = hf_context_fail(run->cx, said->status, __FILE__, __LINE__, "%s", said->text);
        }
        break;
    case HF_TEAM_NOTHING:
        break;
    }
}

/* All that mates have said; or until each has left. A failure before does not keep rank 0 from hearing them out. */
static void serve(row_run *run, bool until_left) {
    hf_team_message said;
    do {
        const hf_status before = run->status;
        if (atomic_load(&run->job.halts) || hf_context_stopped(run->cx)) {
            (void)hf_team_halt(run->cx, &run->team);
        }
        if (hf_team_listen(run->cx, &run->team, false, &said, &run->brought) != HF_OK) {
            run->status = HF_EIO;
            return;
        }
        answer(run, &said);
        run->status = before != HF_OK ? before : run->status;
        halt_if(run, run->status != HF_OK);
        if (until_left && said.word == HF_TEAM_NOTHING) {
            hf_clock_wait(0.0002);
        }
    } while (until_left ? run->team.n_left > 0 : said.word != HF_TEAM_NOTHING);
}

static void meet(row_run *run) {
    bool halts = false;
    if (hf_team_leads(&run->team)) {
        serve(run, false);
    } else if (hf_team_follows(&run->team) && hf_team_hears_halt(run->cx, &run->team, &halts) == HF_OK && halts) {
        atomic_store(&run->job.halts, true);
    }
}

/* At every look of every thread; who finds the lock taken has nothing to add. */
static void look(void *user) {
    row_run *run = user;
    if ((run->campaign->progress || run->team.team) && pthread_mutex_trylock(&run->lock) == 0) {
        const double now = hf_clock_s();
        meet(run);
        if (run->campaign->progress && now - run->told_s >= progress_every_s) {
            show_progress(run, now);
        }
        pthread_mutex_unlock(&run->lock);
    }
}

/* The next range for a thread of this program. */
static bool take_range(row_run *run, hf_range *out) {
    bool has_more = false;
    pthread_mutex_lock(&run->lock);
    if (!hf_team_follows(&run->team)) {
        has_more = hf_range_take(&run->queue, out);
    } else if (!atomic_load(&run->job.halts) && hf_team_ask(run->cx, &run->team, out, &has_more) != HF_OK) {
        run->status = HF_EIO;
    }
    pthread_mutex_unlock(&run->lock);
    return has_more;
}

/* The end of the work, of one thread alone. */
static hf_status part(row_run *run, hf_status status) {
    run->status = run->status != HF_OK ? run->status : status;
    if (hf_team_leads(&run->team)) {
        halt_if(run, run->status != HF_OK);
        serve(run, true);
    } else if (hf_team_follows(&run->team)) {
        HF_TRY(hf_team_leave(run->cx, &run->team, run->status));
    }
    return run->status;
}

/* ---- working ---- */

static double piece_seconds(const row_run *run) {
    const double seconds = piece_least_s + piece_share * (hf_clock_s() - run->started_s);
    return seconds < piece_most_s ? seconds : piece_most_s;
}

static void work_batch(row_run *run, hf_worker *worker, hf_range batch) {
    while (batch.lo < batch.hi && !hf_work_stopped(worker, &run->job)) {
        uint64_t end = batch.lo;
        hf_work_begin(worker, piece_seconds(run));
        const hf_status status = run->job.exhaustive ? hf_work_exhaustive(worker, &run->job, batch.lo, batch.hi, &end)
                                                     : hf_work_sampled(worker, &run->job, batch.lo, batch.hi, &end);
        hf_work_tell(worker, &run->job);
        hand_in(run, worker, batch.lo, end, status);
        batch.lo = end;
    }
}

static void work(row_run *run, hf_worker *worker) {
    bool taken;
    do {
        hf_range batch = {0, 0};
        taken = take_range(run, &batch);
        work_batch(run, worker, batch);
    } while (taken && !hf_work_stopped(worker, &run->job));
}

static hf_status find_lost_sum(row_run *run) {
    const hf_campaign *c = run->campaign;
    if (run->lost_sum || !hf_campaign_measures(c) || c->inquiry || !(hf_rule_traits(c->rule) & HF_ROUTING_ALL_MINIMAL)) {
        return HF_OK;
    }
    HF_TRY(hf_big_new(run->cx, &run->lost_sum));
    const hf_status status =
        hf_paths_lost_sum(run->cx, c->universe, c->rule, run->job.f, run->size.lo, run->size.hi, run->lost_sum);
    if (status != HF_OK) {
        hf_big_free(run->lost_sum);
        run->lost_sum = NULL;
    }
    if (status != HF_ENOTSUP) {
        return status;
    }
    hf_context_clear(run->cx);
    return HF_OK;
}

/* Many sets at once have verdicts only: enough where nothing else is asked, or where victims cannot occur and lost paths have a
 * closed form. */
static hf_status find_counts(row_run *run, const hf_judge *judge) {
    if (judge->ops->count && run->job.in_order) {
        HF_TRY(find_lost_sum(run));
        run->job.counts = !hf_campaign_measures(run->campaign) || run->lost_sum;
    }
    return HF_OK;
}

/* What was saved is kept, whatever happened after it; a failure of the work is told rather than one of the journal. */
static hf_status flush(row_run *run, hf_crew *crew) {
    const hf_journal *journal = run->campaign->journal;
    if (!journal || !journal->flush) {
        return run->status;
    }
    if (run->status != HF_OK) {
        (void)journal->flush(crew->worker[0].cx, journal->user);
        return run->status;
    }
    return journal->flush(run->cx, journal->user);
}

static hf_status prepare(row_run *run, hf_crew *crew, uint32_t *threads) {
    const uint32_t n_rank = run->team.team ? run->team.team->n_rank : 1;
    HF_TRY(hf_crew_grow(run->cx, run->campaign, crew, hf_range_total(&run->todo) / UNIT + 1, threads));
    if (run->size.exhaustive) {
        HF_TRY(hf_work_fill_choose(run->cx, &run->job));
        HF_TRY(find_counts(run, crew->worker[0].judge));
        run->job.sums = run->job.in_order && !run->job.counts && crew->worker[0].judge->ops->sum;
    }
    hf_range_queue_init(&run->queue, &run->todo, run->job.counts || run->job.sums ? UNIT_LANES : UNIT, *threads * n_rank);
    return HF_OK;
}

/* In the place of the work, what it would take. */
static hf_status forecast(row_run *run, hf_crew *crew) {
    const double from_s = hf_clock_cpu_s();
    uint32_t threads;
    HF_TRY(prepare(run, crew, &threads));
    const hf_forecast_part part = {
        .job = &run->job, .todo = &run->todo, .threads = threads, .start_s = hf_clock_cpu_s() - from_s};
    return hf_forecast_measure(run->cx, &part, crew);
}

static hf_status work_all(row_run *run, hf_crew *crew, hf_status status) {
    uint32_t threads;
    status = status == HF_OK ? prepare(run, crew, &threads) : status;
    if (status != HF_OK) {
        return part(run, status);
    }
    if (pthread_mutex_init(&run->lock, NULL) != 0) {
        HF_FAIL(run->cx, HF_ENOMEM, "out of memory: the lock of a row cannot be had");
    }
#pragma omp parallel num_threads((int)threads)
    work(run, &crew->worker[hf_jobs_thread()]);
    pthread_mutex_destroy(&run->lock);
    (void)part(run, HF_OK);
    return flush(run, crew);
}

/* ---- the figures ---- */

/* Many sets at once leave lost paths to the closed form of the whole range. */
static hf_status lost_paths_by_formula(row_run *run) {
    hf_tally *t = &run->row->tally;
    hf_u128 value;
    if (t->lost_paths_sets == t->sets || !run->row->is_complete) {
        return HF_OK;
    }
    HF_TRY(find_lost_sum(run));
    if (run->lost_sum && hf_big_get_u128(run->lost_sum, &value)) {
        t->lost_paths_sum = value;
        t->lost_paths_sets = t->sets;
    }
    return HF_OK;
}

/* An incomplete walk is no sample: what it has not seen may be tolerated or not. */
static hf_estimate estimate(const row_run *run) {
    const hf_row *row = run->row;
    const hf_tally *t = &row->tally;
    if (run->job.quota && t->sets) {
        const bool is_all = row->is_complete && row->is_whole;
        return hf_estimate_unlike(t->not_tolerated, t->sets, is_all ? hf_quota_variance(&run->quota, t->quantity) : INFINITY,
                                  confidence);
    }
    if (row->method == HF_METHOD_SAMPLED) {
        return t->sets ? hf_estimate_proportion(t->not_tolerated, t->sets, confidence)
                       : (hf_estimate){0, 0, 1, HF_INTERVAL_CLOPPER_PEARSON};
    }
    const uint64_t unseen = row->hi - row->lo - t->sets;
    const double all = (double)(row->hi - row->lo), bad = (double)t->not_tolerated;
    const double value = t->sets ? bad / (double)t->sets : 0;
    return unseen ? (hf_estimate){value, bad / all, (bad + (double)unseen) / all, hf_row_exact(row)}
                  : (hf_estimate){value, value, value, hf_row_exact(row)};
}

static double mean(hf_u128 sum, uint64_t n) { return n ? (double)sum / (double)n : 0; }

/* Is there what a row looks for that ends with it? */
static bool is_decided(const row_run *run) { return run->campaign->until_lost && run->row->tally.not_tolerated > 0; }

static hf_status finish_row(row_run *run) {
    hf_row *row = run->row;
    const hf_tally *t = &row->tally;
    row->is_complete = t->sets == row->hi - row->lo;
    row->is_exact = run->size.exhaustive && row->is_complete;
    row->is_part = run->campaign->n_part > 1;
    row->has_measures = hf_campaign_measures(run->campaign);
    if (!run->campaign->inquiry && row->has_measures) {
        HF_TRY(lost_paths_by_formula(run));
    }
    row->has_victims = row->has_measures && hf_tally_has_victims(t);
    row->has_lost_paths = row->has_measures && t->lost_paths_sets == t->sets;
    row->fraction = estimate(run);
    row->victims_mean = mean(t->victims_sum, t->sets);
    row->lost_paths_mean = mean(t->lost_paths_sum, t->lost_paths_sets);
    row->wall_s = hf_clock_s() - run->started_s;
    if (run->campaign->progress) {
        show_progress(run, hf_clock_s());
    }
    const hf_journal *journal = run->campaign->journal;
    if (journal && journal->finish) {
        HF_TRY(journal->finish(run->cx, journal->user, row));
    }
    if (!row->is_complete && !is_decided(run)) {
        HF_FAIL(run->cx, HF_ESTOP, "stopped at f=%" PRIu32 " after %" PRIu64 " of %" PRIu64 " fault sets", row->f, t->sets,
                row->hi - row->lo);
    }
    return HF_OK;
}

static hf_status start_row(row_run *run) {
    const hf_campaign *c = run->campaign;
    hf_row *row = run->row;
    HF_TRY(hf_row_size_find(run->cx, c, run->job.f, &run->size));
    row->f = run->job.f;
    row->method = run->size.exhaustive ? HF_METHOD_EXHAUSTIVE : HF_METHOD_SAMPLED;
    row->total = run->size.total;
    row->lo = run->size.lo;
    row->hi = run->size.hi;
    row->is_whole = row->lo == 0 && row->hi == row->total;
    run->job.exhaustive = run->size.exhaustive;
    run->job.total = run->size.total;
    if (c->strata && !c->inquiry && !run->size.exhaustive) {
        HF_TRY(hf_quota_new(run->cx, c->strata, row->f, run->size.total, &run->quota));
        run->job.quota = &run->quota;
    }
    HF_TRY(hf_tally_init(run->cx, c, row->f, &row->tally));
    return hf_row_population(run->cx, c, row->f, &row->population);
}

hf_status hf_row_run(hf_context *cx, const hf_campaign *c, uint32_t f, hf_crew *crew, hf_progress *progress, hf_row *row) {
    row_run run = {.cx = cx, .campaign = c, .row = row, .failed_at = UINT64_MAX, .before = progress};
    run.job = (hf_row_job){
        .campaign = c, .f = f, .m = c->universe->n_component, .look = look, .run = &run, .until_lost = c->until_lost};
    run.job.in_order = c->order == HF_ORDER_COMPONENT || (c->rule && (hf_rule_traits(c->rule) & HF_ROUTING_ORDER_FREE)) ||
                       hf_campaign_asks_switches(c);
    run.started_s = run.told_s = run.flushed_s = hf_clock_s();
    run.team = (hf_team_row){.team = c->team, .f = f, .like = &row->tally};
    hf_status status;
    HF_TRY_DONE(start_row(&run));
    progress->f = f;
    progress->what = c->inquiry && c->inquiry->orders ? "orders" : NULL;
    progress->total = row->hi - row->lo;
    HF_TRY_DONE(resume(&run));
    if (c->forecast) {
        status = run.todo.count ? forecast(&run, crew) : HF_OK;
        goto done;
    }
    if (run.todo.count && !is_decided(&run)) {
        status = announce(&run);
        status = work_all(&run, crew, status);
        HF_TRY_DONE(hf_team_end(cx, &run.team, &row->tally, status));
    }
    status = finish_row(&run);
    progress->all_done += row->tally.sets;
done:
    hf_big_free(run.lost_sum);
    hf_tally_free(hf_context_allocator(cx), &run.brought);
    hf_release(hf_context_allocator(cx), run.job.choose);
    hf_release(hf_context_allocator(cx), run.stored.item);
    hf_release(hf_context_allocator(cx), run.todo.item);
    return status;
}
