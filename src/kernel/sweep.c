/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Many loads at once, and the search for the load that saturates. Each point is a run of its own in a context of its own, so
 *  threads do not show. */
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

#include "src/kernel/measure.h"

typedef struct worker {
    hf_context *cx;
    hf_status status;
} worker;

typedef struct sweep {
    const hf_simulation *simulation;
    size_t n;
    hf_point *points;
    worker *crew;
    atomic_size_t next;
    atomic_bool has_failed;
} sweep;

/* Take loads as they come free. What a deadlock shows stays in the worker's arena. */
static void work(sweep *s, worker *w) {
    size_t i;
    while (!atomic_load(&s->has_failed) && (i = atomic_fetch_add(&s->next, 1)) < s->n) {
        const hf_mark mark = hf_scratch_mark(w->cx);
        w->status = hf_measure_point(w->cx, s->simulation, &s->points[i]);
        if (w->status != HF_OK) {
            atomic_store(&s->has_failed, true);
        } else if (s->points[i].n_blocked == 0) {
            hf_scratch_reset(w->cx, mark);
        }
    }
}

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

static hf_status hire(hf_context *cx, worker *crew, uint32_t threads) {
    for (uint32_t i = 0; i < threads; i++) {
        crew[i].cx = hf_context_new(hf_context_allocator(cx));
        if (!crew[i].cx) {
            HF_FAIL(cx, HF_ENOMEM, "out of memory for %u threads", threads);
        }
        hf_context_set_stop(crew[i].cx, hf_context_stop_flag(cx));
    }
    return HF_OK;
}

static hf_status run(hf_context *cx, sweep *s, uint32_t threads) {
    HF_TRY(hire(cx, s->crew, threads));
#pragma omp parallel num_threads((int)threads)
    work(s, &s->crew[omp_get_thread_num()]);
    for (uint32_t i = 0; i < threads; i++) {
        if (s->crew[i].status != HF_OK) {
            hf_context_copy_failure(cx, s->crew[i].cx);
            return s->crew[i].status;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        HF_TRY(bring_over(cx, &s->points[i]));
    }
    return HF_OK;
}

hf_status hf_simulate(hf_context *cx, const hf_simulation *simulation, const double *load, size_t n, hf_point *points) {
    sweep s = {.simulation = simulation, .n = n, .points = points};
    uint32_t threads = simulation->threads ? simulation->threads : (uint32_t)omp_get_num_procs();
    threads = threads < n ? threads : (uint32_t)(n ? n : 1);
    for (size_t i = 0; i < n; i++) {
        points[i] = (hf_point){.load = load[i]};
    }
    HF_TRY(hf_allocate(cx, threads, sizeof *s.crew, (void **)&s.crew));
    const hf_status status = run(cx, &s, threads);
    for (uint32_t i = 0; i < threads; i++) {
        hf_context_free(s.crew[i].cx);
    }
    hf_release(hf_context_allocator(cx), s.crew);
    return status;
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
    double low = 0, width = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        hf_point *found = points + (size_t)round * PER_ROUND;
        double load[PER_ROUND];
        width /= PER_ROUND + 1;
        for (uint32_t i = 0; i < PER_ROUND; i++) {
            load[i] = low + (i + 1) * width;
        }
        HF_TRY(hf_simulate(cx, simulation, load, PER_ROUND, found));
        for (uint32_t i = 0; i < PER_ROUND && !found[i].is_saturated; i++) {
            low = load[i];
        }
    }
    sort_by_load(points, HF_SATURATION_POINTS);
    *best = HF_NONE;
    for (uint32_t i = 0; i < HF_SATURATION_POINTS; i++) {
        *best = points[i].load == low ? i : *best;
    }
    return HF_OK;
}
