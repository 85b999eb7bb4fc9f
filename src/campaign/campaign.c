/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Campaigns: checks, the batches of a row handed out to threads, and the figures of the finished row. */
#include <holdfast/campaign.h>

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <holdfast/combination.h>

#include "src/campaign/ranges.h"
#include "src/campaign/work.h"

enum { THREADS_MAX = 1024, BATCHES = 1024 };
static const double progress_every_s = 0.1, flush_every_s = 1.0, confidence = 0.95;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one row's size ---- */

typedef struct row_size {
    bool exhaustive;
    uint64_t total;  /* ranks of the whole row */
    uint64_t lo, hi; /* the part's share */
} row_size;

/* floor(total * part / parts) without overflow. */
static uint64_t share(uint64_t total, uint32_t part, uint32_t parts) { return (uint64_t)((hf_u128)total * part / parts); }

static hf_status refuse_size(hf_context *cx, const hf_campaign *c, uint32_t f) {
    HF_FAIL(cx, HF_ERANGE,
            "f=%" PRIu32 ": C(%" PRIu32 ", %" PRIu32 ") fault sets are more than 2^63 and cannot be walked; use --method sampled",
            f, c->universe->n_component, f);
}

static hf_status size_row(hf_context *cx, const hf_campaign *c, uint32_t f, row_size *out) {
    uint64_t all;
    const bool fits = hf_binomial(c->universe->n_component, f, &all) && all < UINT64_C(1) << 63;
    /* More samples than sets: look at each set once instead. */
    out->exhaustive = c->method == HF_METHOD_EXHAUSTIVE || (fits && c->samples >= all);
    if (out->exhaustive && !fits) {
        return refuse_size(cx, c, f);
    }
    const uint32_t part = c->n_part ? c->part : 1, parts = c->n_part ? c->n_part : 1;
    out->total = out->exhaustive ? all : c->samples;
    out->lo = share(out->total, part - 1, parts);
    out->hi = share(out->total, part, parts);
    return HF_OK;
}

/* Batches of a row depend on nothing but the row, so stored ones fit every later run. */
static uint64_t batch_size(const row_size *size) {
    const uint64_t least = size->exhaustive ? 1 << 14 : 1 << 9;
    const uint64_t even = size->total / BATCHES + 1;
    return even < least ? least : even;
}

/* ---- checks, before anything is done ---- */

hf_status hf_campaign_check(hf_context *cx, const hf_campaign *c) {
    for (size_t i = 0; i < c->n_f; i++) {
        if (c->f[i] > c->universe->n_component) {
            HF_FAIL(cx, HF_EINVAL, "f=%" PRIu32 " faults, but the universe \"%s\" of \"%s\" has only %" PRIu32 " components",
                    c->f[i], c->universe->spec, c->universe->topo->spec, c->universe->n_component);
        }
    }
    if (c->method == HF_METHOD_SAMPLED && c->samples == 0) {
        HF_FAIL(cx, HF_EINVAL, "samples=0: need at least 1 sample");
    }
    if (c->method == HF_METHOD_SAMPLED && c->samples >= UINT64_C(1) << 63) {
        HF_FAIL(cx, HF_EINVAL, "samples=%" PRIu64 ": need fewer than 2^63", c->samples);
    }
    if (c->n_part && (c->part < 1 || c->part > c->n_part)) {
        HF_FAIL(cx, HF_EINVAL, "part %" PRIu32 "/%" PRIu32 " is not right; parts are 1/%" PRIu32 " to %" PRIu32 "/%" PRIu32,
                c->part, c->n_part, c->n_part, c->n_part, c->n_part);
    }
    if (c->threads > THREADS_MAX) {
        HF_FAIL(cx, HF_EINVAL, "threads=%" PRIu32 ": need at most %d", c->threads, THREADS_MAX);
    }
    for (size_t i = 0; i < c->n_f; i++) {
        row_size size;
        HF_TRY(size_row(cx, c, c->f[i], &size));
    }
    return HF_OK;
}

/* ---- workers ---- */

typedef struct hf_crew {
    hf_worker *worker;
    uint32_t count;
} hf_crew;

static void crew_free(hf_context *cx, hf_crew *crew) {
    for (uint32_t i = 0; i < crew->count && crew->worker; i++) {
        hf_worker *w = &crew->worker[i];
        if (w->judge) {
            hf_judge_free(w->judge);
        }
        hf_release(hf_context_allocator(cx), w->set);
        hf_release(hf_context_allocator(cx), w->pushed);
        hf_release(hf_context_allocator(cx), w->tally.witness);
        hf_context_free(w->cx);
    }
    hf_release(hf_context_allocator(cx), crew->worker);
}

static hf_status worker_init(hf_context *cx, const hf_campaign *c, uint32_t f_max, hf_worker *w) {
    w->cx = hf_context_new(hf_context_allocator(cx));
    if (!w->cx) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory: a worker's context cannot be had");
    }
    hf_context_set_stop(w->cx, hf_context_stop_flag(cx));
    HF_TRY(hf_allocate(cx, f_max, sizeof *w->set, (void **)&w->set));
    HF_TRY(hf_allocate(cx, f_max, sizeof *w->pushed, (void **)&w->pushed));
    HF_TRY(hf_allocate(cx, f_max, sizeof *w->tally.witness, (void **)&w->tally.witness));
    const hf_status status = c->use_relation ? hf_judge_new_relation(w->cx, c->universe, c->rule, c->criterion, &w->judge)
                                             : hf_judge_new(w->cx, c->universe, c->rule, c->criterion, &w->judge);
    if (status != HF_OK) {
        hf_context_copy_failure(cx, w->cx);
    }
    return status;
}

static hf_status crew_init(hf_context *cx, const hf_campaign *c, uint32_t threads, hf_crew *out) {
    uint32_t f_max = 1;
    for (size_t i = 0; i < c->n_f; i++) {
        f_max = c->f[i] > f_max ? c->f[i] : f_max;
    }
    HF_TRY(hf_allocate(cx, threads, sizeof *out->worker, (void **)&out->worker));
    for (; out->count < threads; out->count++) {
        const hf_status status = worker_init(cx, c, f_max, &out->worker[out->count]);
        if (status != HF_OK) {
            out->count++;
            return status;
        }
    }
    return HF_OK;
}

/* ---- one row ---- */

typedef struct row_run {
    hf_context *cx;
    const hf_campaign *campaign;
    hf_row_job job;
    hf_row *row;
    hf_range_list done, todo;
    size_t next;      /* first batch of todo that nobody has taken */
    size_t failed_at; /* lowest batch that failed */
    hf_status status;
    hf_progress *progress; /* of the whole campaign */
    uint64_t worked;       /* sets of this run, without resumed ones */
    double started_s, told_s, flushed_s;
} row_run;

static hf_status take_stored(hf_context *cx, void *taker, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    row_run *run = taker;
    if (lo >= hi || hi > run->job.total || tally->sets != hi - lo) {
        HF_FAIL(cx, HF_ESTORE,
                "a stored batch of f=%" PRIu32 " with ranks %" PRIu64 "..%" PRIu64 " is damaged; run `holdfast store verify`",
                run->job.f, lo, hi);
    }
    return hf_range_add(cx, &run->done, lo, hi);
}

static hf_status take_inside(hf_context *cx, void *taker, uint64_t lo, uint64_t hi, const hf_tally *tally) {
    row_run *run = taker;
    (void)cx;
    for (size_t i = 0; i < run->done.count; i++) {
        if (run->done.item[i].lo == lo && run->done.item[i].hi == hi) {
            hf_tally_merge(&run->row->tally, tally, run->job.f);
            return HF_OK;
        }
    }
    return HF_OK;
}

/* Of the stored batches keep those that lie wholly inside this run's part. */
static void keep_inside(hf_range_list *done, uint64_t lo, uint64_t hi) {
    size_t n = 0;
    for (size_t i = 0; i < done->count; i++) {
        if (done->item[i].lo >= lo && done->item[i].hi <= hi) {
            done->item[n++] = done->item[i];
        }
    }
    done->count = n;
}

static hf_status resume(row_run *run, const row_size *size) {
    const hf_journal *journal = run->campaign->journal;
    if (journal && journal->load) {
        HF_TRY(journal->load(run->cx, journal->user, run->job.f, take_stored, run));
        keep_inside(&run->done, size->lo, size->hi);
        HF_TRY(journal->load(run->cx, journal->user, run->job.f, take_inside, run));
        hf_range_sort(&run->done);
    }
    run->row->resumed_sets = run->row->tally.sets;
    return hf_range_gaps(run->cx, &run->done, size->lo, size->hi, batch_size(size), &run->todo);
}

static void tell(row_run *run, bool always) {
    const double now = now_s();
    if (!run->campaign->progress || (!always && now - run->told_s < progress_every_s)) {
        return;
    }
    run->told_s = now;
    hf_progress p = *run->progress;
    p.done = run->row->tally.sets;
    p.all_done += p.done;
    p.elapsed_s = now - run->started_s;
    p.sets_per_s = p.elapsed_s > 0 ? (double)run->worked / p.elapsed_s : 0;
    run->campaign->progress(run->campaign->progress_user, &p);
}

/* A finished batch goes to the journal and into the row. Called by one thread at a time. */
static hf_status finish_batch(row_run *run, const hf_range *range, const hf_tally *tally) {
    const hf_journal *journal = run->campaign->journal;
    if (journal && journal->save) {
        HF_TRY(journal->save(run->cx, journal->user, run->job.f, range->lo, range->hi, tally));
        const double now = now_s();
        if (journal->flush && now - run->flushed_s > flush_every_s) {
            run->flushed_s = now;
            HF_TRY(journal->flush(run->cx, journal->user));
        }
    }
    hf_tally_merge(&run->row->tally, tally, run->job.f);
    run->worked += tally->sets;
    tell(run, false);
    return HF_OK;
}

static void note_failure(row_run *run, size_t batch, hf_status status, hf_worker *worker) {
    if (batch < run->failed_at) {
        run->failed_at = batch;
        run->status = status;
        hf_context_copy_failure(run->cx, worker->cx);
    }
    run->job.halt = 1;
}

/* One thread: take batches until there are none. */
static void work(row_run *run, hf_worker *worker) {
    for (;;) {
        size_t batch;
#pragma omp atomic capture
        batch = run->next++;
        if (batch >= run->todo.count || hf_work_halted(worker, &run->job)) {
            return;
        }
        const hf_range range = run->todo.item[batch];
        hf_tally_clear(&worker->tally);
        const hf_status status = run->job.exhaustive ? hf_work_exhaustive(worker, &run->job, range.lo, range.hi)
                                                     : hf_work_sampled(worker, &run->job, range.lo, range.hi);
#pragma omp critical(hf_campaign_batch)
        {
            if (status != HF_OK) {
                if (status != HF_ESTOP || !run->job.halt) {
                    note_failure(run, batch, status, worker);
                }
            } else if (run->status == HF_OK || run->status == HF_ESTOP) {
                const hf_status kept = finish_batch(run, &range, &worker->tally);
                if (kept != HF_OK) {
                    run->status = kept;
                    run->failed_at = 0;
                    run->job.halt = 1;
                }
            }
        }
    }
}

static hf_status fill_binomials(hf_context *cx, hf_row_job *job) {
    const uint32_t columns = job->f + 1;
    HF_TRY(hf_allocate(cx, ((size_t)job->m + 1) * columns, sizeof *job->binomial, (void **)&job->binomial));
    for (uint32_t x = 0; x <= job->m; x++) {
        uint64_t *row = job->binomial + (size_t)x * columns;
        const uint64_t *before = x > 0 ? row - columns : row;
        row[0] = 1;
        for (uint32_t r = 1; r <= job->f && x > 0; r++) {
            const uint64_t a = before[r], b = before[r - 1];
            row[r] = a > UINT64_MAX - b ? UINT64_MAX : a + b;
        }
    }
    return HF_OK;
}

/* Bit lanes give verdicts only: enough where victims cannot occur and lost paths have a closed form. */
static bool can_count(const hf_campaign *c, const hf_judge *judge) {
    return judge->ops->count && (c->rule->routing->traits & HF_ROUTING_ALL_MINIMAL) && c->criterion->flags == 0 &&
           c->order == HF_ORDER_COMPONENT;
}

static hf_status lost_paths_by_formula(row_run *run, const row_size *size) {
    hf_big *sum;
    HF_TRY(hf_big_new(run->cx, &sum));
    hf_u128 value = 0;
    const hf_status status =
        hf_paths_lost_sum(run->cx, run->campaign->universe, run->campaign->rule, run->job.f, size->lo, size->hi, sum);
    run->row->has_lost_paths = status == HF_OK && hf_big_get_u128(sum, &value);
    run->row->tally.lost_paths_sum = value;
    hf_big_free(sum);
    if (status == HF_ENOTSUP) {
        hf_context_clear(run->cx);
        return HF_OK;
    }
    return status;
}

static double mean(hf_u128 sum, uint64_t n) { return n ? (double)sum / (double)n : 0; }

static hf_status finish_row(row_run *run, const row_size *size) {
    hf_row *row = run->row;
    hf_tally *t = &row->tally;
    row->is_complete = t->sets == size->hi - size->lo;
    row->is_exact = run->job.exhaustive;
    row->has_lost_paths = true;
    if (run->job.counts && row->is_complete) {
        HF_TRY(lost_paths_by_formula(run, size));
    } else if (run->job.counts) {
        row->has_lost_paths = false;
    }
    if (t->sets == 0) {
        row->fraction = (hf_estimate){0, 0, 1, HF_INTERVAL_CLOPPER_PEARSON};
    } else if (row->is_exact) {
        const double value = (double)t->not_tolerated / (double)t->sets;
        row->fraction = (hf_estimate){value, value, value, HF_INTERVAL_EXACT};
    } else {
        row->fraction = hf_estimate_proportion(t->not_tolerated, t->sets, confidence);
    }
    row->victims_mean = mean(t->victims_sum, t->sets);
    row->lost_paths_mean = mean(t->lost_paths_sum, t->sets);
    return HF_OK;
}

static hf_status start_row(hf_context *cx, const hf_campaign *c, const row_size *size, uint32_t f, hf_row *row) {
    hf_big *all;
    row->f = f;
    row->method = size->exhaustive ? HF_METHOD_EXHAUSTIVE : HF_METHOD_SAMPLED;
    row->total = size->total;
    row->is_whole = size->lo == 0 && size->hi == size->total;
    HF_TRY(hf_allocate(cx, f, sizeof *row->tally.witness, (void **)&row->tally.witness));
    HF_TRY(hf_big_new(cx, &all));
    hf_big_binomial(all, c->universe->n_component, f);
    const hf_status status = hf_big_text(cx, all, &row->population);
    hf_big_free(all);
    return status;
}

static hf_status run_batches(row_run *run, hf_crew *crew) {
    const int threads = (int)(run->todo.count < crew->count ? run->todo.count : crew->count);
#pragma omp parallel num_threads(threads > 0 ? threads : 1)
    work(run, &crew->worker[omp_get_thread_num()]);
    if (run->status == HF_OK && hf_context_stopped(run->cx) && run->row->tally.sets < run->progress->total) {
        run->status = hf_context_fail(run->cx, HF_ESTOP, __FILE__, __LINE__, "stopped");
    }
    const hf_journal *journal = run->campaign->journal;
    if (journal && journal->flush) {
        const hf_status flushed = journal->flush(run->cx, journal->user);
        run->status = run->status == HF_OK || run->status == HF_ESTOP ? (flushed == HF_OK ? run->status : flushed) : run->status;
    }
    return run->status;
}

static hf_status run_row(hf_context *cx, const hf_campaign *c, uint32_t f, hf_crew *crew, hf_progress *progress, hf_row *row) {
    row_size size;
    HF_TRY(size_row(cx, c, f, &size));
    HF_TRY(start_row(cx, c, &size, f, row));
    row_run run = {.cx = cx, .campaign = c, .row = row, .failed_at = SIZE_MAX, .status = HF_OK, .progress = progress};
    run.job =
        (hf_row_job){.campaign = c, .f = f, .m = c->universe->n_component, .exhaustive = size.exhaustive, .total = size.total};
    run.job.counts = size.exhaustive && can_count(c, crew->worker[0].judge);
    run.started_s = run.told_s = run.flushed_s = now_s();
    progress->f = f;
    progress->total = size.hi - size.lo;
    hf_status status;
    HF_TRY_DONE(resume(&run, &size));
    if (size.exhaustive && run.todo.count) {
        HF_TRY_DONE(fill_binomials(cx, &run.job));
    }
    status = run_batches(&run, crew);
    if (status == HF_OK || status == HF_ESTOP) {
        const hf_status finished = finish_row(&run, &size);
        status = finished == HF_OK ? status : finished;
    }
    tell(&run, true);
    progress->all_done += row->tally.sets;
    row->wall_s = now_s() - run.started_s;
    if ((status == HF_OK || status == HF_ESTOP) && c->journal && c->journal->finish) {
        const hf_status kept = c->journal->finish(cx, c->journal->user, row);
        status = kept == HF_OK ? status : kept;
    }
done:
    hf_release(hf_context_allocator(cx), run.job.binomial);
    hf_release(hf_context_allocator(cx), run.done.item);
    hf_release(hf_context_allocator(cx), run.todo.item);
    return status;
}

static uint64_t all_sets(hf_context *cx, const hf_campaign *c) {
    uint64_t sum = 0;
    for (size_t i = 0; i < c->n_f; i++) {
        row_size size;
        if (size_row(cx, c, c->f[i], &size) == HF_OK) {
            const uint64_t here = size.hi - size.lo;
            sum = sum > UINT64_MAX - here ? UINT64_MAX : sum + here;
        }
    }
    return sum;
}

hf_status hf_campaign_run(hf_context *cx, const hf_campaign *c, hf_result **out) {
    HF_TRY(hf_campaign_check(cx, c));
    hf_result *result;
    HF_TRY(hf_allocate(cx, 1, sizeof *result, (void **)&result));
    result->allocator = *hf_context_allocator(cx);
    result->threads = c->threads ? c->threads : (uint32_t)omp_get_num_procs();
    hf_crew crew = {NULL, 0};
    hf_progress progress = {.all_total = all_sets(cx, c)};
    hf_status status;
    HF_TRY_DONE(hf_allocate(cx, c->n_f, sizeof *result->row, (void **)&result->row));
    HF_TRY_DONE(crew_init(cx, c, result->threads, &crew));
    while (result->n_row < c->n_f) {
        hf_row *row = &result->row[result->n_row++];
        HF_TRY_DONE(run_row(cx, c, c->f[result->n_row - 1], &crew, &progress, row));
    }
done:
    crew_free(cx, &crew);
    if (status == HF_OK || status == HF_ESTOP) {
        *out = result;
    } else {
        hf_result_free(result);
    }
    return status;
}

void hf_result_free(hf_result *result) {
    if (!result) {
        return;
    }
    const hf_allocator allocator = result->allocator;
    for (size_t i = 0; i < result->n_row; i++) {
        hf_release(&allocator, result->row[i].population);
        hf_release(&allocator, result->row[i].tally.witness);
    }
    hf_release(&allocator, result->row);
    hf_release(&allocator, result);
}
