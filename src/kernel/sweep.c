/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Many loads at once, and the search for the load that saturates. Each point is a run of its own in a context of its own; one
 *  alone takes all threads. Either way threads do not show. */
#include <string.h>

#include "src/core/jobs.h"
#include "src/core/tell.h"
#include "src/kernel/measure.h"

typedef struct sweep {
    hf_context *cx; /**< the caller's */
    const hf_simulation *simulation;
    hf_point *points;
    size_t n;
    hf_tell tell;
} sweep;

static hf_status copy(hf_context *cx, const void *from, size_t n, size_t size, void **to) {
    HF_TRY(hf_scratch(cx, n, size, to));
    if (n) {
        memcpy(*to, from, n * size);
    }
    return HF_OK;
}

/* Bring windows and the packets of a deadlock over into the caller's arena. */
static hf_status bring_over(hf_context *cx, hf_point *p) {
    HF_TRY(copy(cx, p->window, p->n_window, sizeof *p->window, (void **)&p->window));
    HF_TRY(copy(cx, p->blocked, p->n_blocked, sizeof *p->blocked, (void **)&p->blocked));
    for (uint32_t i = 0; i < p->n_blocked; i++) {
        hf_blocked *b = &p->blocked[i];
        HF_TRY(copy(cx, b->hold, b->n_hold, sizeof *b->hold, (void **)&b->hold));
        HF_TRY(copy(cx, b->wait, b->n_wait, sizeof *b->wait, (void **)&b->wait));
        HF_TRY(copy(cx, b->path, b->n_path, sizeof *b->path, (void **)&b->path));
    }
    return HF_OK;
}

static hf_status run_point(hf_context *cx, void *user, size_t i) {
    sweep *s = user;
    hf_simulation one = *s->simulation;
    one.threads = s->n == 1 ? one.threads : 1;
    HF_TRY(hf_measure_point(cx, &one, &s->points[i]));
    hf_status status;
#pragma omp critical(hf_sweep_points)
    {
        status = bring_over(s->cx, &s->points[i]);
        if (status != HF_OK) {
            hf_context_copy_failure(cx, s->cx);
        }
    }
    hf_tell_add(&s->tell, 1);
    return status;
}

static sweep begin(hf_context *cx, const hf_simulation *simulation, size_t n) {
    sweep s = {.cx = cx,
               .simulation = simulation,
               .tell = {.show = n > 1 ? simulation->progress : NULL, .user = simulation->progress_user}};
    hf_tell_begin(&s.tell, "loads", n);
    return s;
}

static hf_status run_points(sweep *s, const double *load, size_t n, hf_point *points) {
    size_t failed;
    s->points = points;
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        points[i] = (hf_point){.load = load[i]};
    }
    return hf_jobs_do(s->cx, n, s->simulation->threads, run_point, s, &failed);
}

hf_status hf_simulate(hf_context *cx, const hf_simulation *simulation, const double *load, size_t n, hf_point *points) {
    sweep s = begin(cx, simulation, n);
    return run_points(&s, load, n, points);
}

/* ---- saturation ---- */

enum { PER_ROUND = 3 };

static void sort_by_load(hf_point *points, size_t n) {
    for (size_t i = 1; i < n; i++) {
        const hf_point p = points[i];
        size_t at = i;
        for (; at > 0 && points[at - 1].load > p.load; at--) {
            points[at] = points[at - 1];
        }
        points[at] = p;
    }
}

static bool was_run(const hf_point *points, size_t n, double load) {
    bool was = false;
    for (size_t i = 0; i < n; i++) {
        was |= points[i].load == load;
    }
    return was;
}

/** What a search has left: between a load that is accepted and one that is not, or 1. */
typedef struct bracket {
    double low, high;
} bracket;

/* Of a round, its loads ascending: the highest that is accepted, and the lowest saturated one. Of steady loads alone, others are
 * passed over, so that one which chance calls not steady hides none above it; where a round finds no steady load, what is above
 * the lowest of the others is given up. */
static void narrow(const hf_point *round, bool steady_only, bracket *b) {
    const double before = b->low;
    uint32_t i = 0;
    for (; i < PER_ROUND && !round[i].is_saturated; i++) {
        b->low = steady_only && !hf_batch_is_steady(round[i].accepted) ? b->low : round[i].load;
    }
    b->high = i < PER_ROUND ? round[i].load : b->high;
    b->high = b->low == before ? round[0].load : b->high;
}

/* Each round cuts what is left into four. */
hf_status hf_simulate_saturation(hf_context *cx, const hf_simulation *simulation, hf_point *points, uint32_t *best) {
    sweep s = begin(cx, simulation, HF_SATURATION_POINTS);
    bracket b = {0, 1};
    for (uint32_t n = 0; n < HF_SATURATION_POINTS; n += PER_ROUND) {
        const double width = (b.high - b.low) / (PER_ROUND + 1);
        double load[PER_ROUND];
        for (uint32_t i = 0; i < PER_ROUND; i++) {
            load[i] = b.low + (i + 1) * width;
            load[i] += was_run(points, n, load[i]) ? width / 2 : 0;
        }
        HF_TRY(run_points(&s, load, PER_ROUND, points + n));
        narrow(points + n, simulation->steady_only, &b);
    }
    sort_by_load(points, HF_SATURATION_POINTS);
    *best = HF_NONE;
    for (uint32_t i = 0; i < HF_SATURATION_POINTS; i++) {
        *best = points[i].load == b.low ? i : *best;
    }
    return HF_OK;
}
