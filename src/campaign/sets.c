/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A walk over fault sets for questions that keep a tally of their own: threads take ranges as they come free. */
#include <stdatomic.h>
#include <string.h>

#include <holdfast/campaign.h>
#include <holdfast/core/combination.h>

#include "src/core/clock.h"
#include "src/core/jobs.h"

/* Enough for the slowest range to cost little, few enough for their tallies to cost nothing. */
enum { RANGES = 512 };

hf_sets hf_sets_of(uint32_t m, uint32_t f, uint64_t samples, uint64_t seed) {
    uint64_t all;
    const bool is_all = hf_binomial(m, f, &all) && all <= samples;
    return (hf_sets){.m = m, .f = f, .seed = seed, .is_all = is_all, .n = is_all ? all : samples};
}

void hf_sets_get(const hf_sets *sets, uint64_t i, uint32_t *set) {
    if (sets->is_all) {
        hf_lex_unrank(sets->m, sets->f, i, set);
    } else {
        hf_fault_sample(sets->seed, sets->m, sets->f, i, set);
    }
}

typedef struct walking {
    const hf_set_walk *walk;
    void *tally;
    uint64_t n_range, done;
    double started_s;
    atomic_bool is_decided;
} walking;

static uint64_t start_of(const walking *w, uint64_t range) { return (uint64_t)((hf_u128)w->walk->sets.n * range / w->n_range); }

static void show_progress(const walking *w) {
    const hf_set_walk *walk = w->walk;
    const double elapsed_s = hf_clock_s() - w->started_s;
    walk->progress(walk->progress_user, &(hf_progress){.f = walk->sets.f,
                                                       .what = walk->what,
                                                       .done = w->done,
                                                       .total = walk->sets.n,
                                                       .all_done = w->done,
                                                       .all_total = walk->sets.n,
                                                       .elapsed_s = elapsed_s,
                                                       .sets_per_s = elapsed_s > 0 ? (double)w->done / elapsed_s : 0});
}

static hf_status look(hf_context *cx, void *user, size_t range) {
    walking *w = user;
    const hf_set_walk *walk = w->walk;
    const uint64_t lo = start_of(w, range), hi = start_of(w, range + 1);
    uint32_t *set;
    void *tally, *state = NULL;
    HF_TRY(hf_scratch(cx, walk->sets.f, sizeof *set, (void **)&set));
    HF_TRY(hf_scratch(cx, walk->tally_size, 1, &tally));
    HF_TRY(walk->begin ? walk->begin(cx, walk->user, &state) : HF_OK);
    for (uint64_t i = lo; i < hi && !atomic_load_explicit(&w->is_decided, memory_order_relaxed); i++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped");
        }
        const hf_mark mark = hf_scratch_mark(cx);
        hf_sets_get(&walk->sets, i, set);
        HF_TRY(walk->look(cx, walk->user, state, i, set, tally));
        hf_scratch_reset(cx, mark);
        if (walk->decides && walk->decides(walk->user, tally)) {
            atomic_store_explicit(&w->is_decided, true, memory_order_relaxed);
        }
    }
#pragma omp critical(hf_set_walk)
    {
        walk->merge(walk->user, w->tally, tally);
        w->done += hi - lo;
        if (walk->progress) {
            show_progress(w);
        }
    }
    return HF_OK;
}

hf_status hf_set_walk_run(hf_context *cx, const hf_set_walk *walk, void *tally) {
    walking w = {.walk = walk, .tally = tally, .started_s = hf_clock_s()};
    size_t failed;
    w.n_range = walk->sets.n < RANGES ? walk->sets.n : RANGES;
    memset(tally, 0, walk->tally_size);
    return hf_jobs_do(cx, w.n_range, walk->threads, look, &w, &failed);
}
