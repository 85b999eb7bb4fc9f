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

/* Bring the packets of a deadlock over into the caller's arena. */
static hf_status bring_over(hf_context *cx, hf_point *p) {
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

enum { PER_ROUND = 3, ROUNDS = HF_SATURATION_POINTS / PER_ROUND };

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

/* Each round cuts what is left into four. */
hf_status hf_simulate_saturation(hf_context *cx, const hf_simulation *simulation, hf_point *points, uint32_t *best) {
    sweep s = begin(cx, simulation, HF_SATURATION_POINTS);
    double low = 0, width = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        hf_point *found = points + (size_t)round * PER_ROUND;
        double load[PER_ROUND];
        width /= PER_ROUND + 1;
        for (uint32_t i = 0; i < PER_ROUND; i++) {
            load[i] = low + (i + 1) * width;
        }
        HF_TRY(run_points(&s, load, PER_ROUND, found));
        for (uint32_t i = 0; i < PER_ROUND && !found[i].is_saturated; i++) {
            low = simulation->steady_only && !hf_batch_is_steady(found[i].accepted) ? low : load[i];
        }
    }
    sort_by_load(points, HF_SATURATION_POINTS);
    *best = HF_NONE;
    for (uint32_t i = 0; i < HF_SATURATION_POINTS; i++) {
        *best = points[i].load == low ? i : *best;
    }
    return HF_OK;
}
