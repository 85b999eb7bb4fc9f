/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Jobs that threads take as they come free. */
#include "src/core/jobs.h"

#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "src/core/clock.h"

uint32_t hf_jobs_thread(void) { return (uint32_t)omp_get_thread_num(); }

uint32_t hf_jobs_cores(void) { return (uint32_t)omp_get_num_procs(); }

typedef struct worker {
    hf_context *cx;
    hf_status status;
    size_t at; /* the job at work */
} worker;

typedef struct crew {
    hf_job *job;
    void *user;
    size_t n;
    atomic_size_t next;
    atomic_bool has_failed;
    worker *worker;
} crew;

static void work(crew *c, worker *w) {
    size_t i;
    while (!atomic_load(&c->has_failed) && (i = atomic_fetch_add(&c->next, 1)) < c->n) {
        const hf_mark mark = hf_scratch_mark(w->cx);
        w->at = i;
        w->status = c->job(w->cx, c->user, i);
        if (w->status != HF_OK) {
            atomic_store(&c->has_failed, true);
        }
        hf_scratch_reset(w->cx, mark);
    }
}

static hf_status hire(hf_context *cx, crew *c, uint32_t threads) {
    for (uint32_t i = 0; i < threads; i++) {
        c->worker[i].cx = hf_context_new(hf_context_allocator(cx));
        if (!c->worker[i].cx) {
            HF_FAIL(cx, HF_ENOMEM, "out of memory for %" PRIu32 " threads", threads);
        }
        hf_context_set_stop(c->worker[i].cx, hf_context_stop_flag(cx));
    }
    return HF_OK;
}

static hf_status run(hf_context *cx, crew *c, uint32_t threads, size_t *failed) {
    HF_TRY(hire(cx, c, threads));
    if (threads == 1) { /* without a region, so that the threads of one within the job stay from one to the next */
        work(c, &c->worker[0]);
    } else {
#pragma omp parallel num_threads((int)threads)
        work(c, &c->worker[hf_jobs_thread()]);
    }
    const worker *first = NULL; /* jobs begin in order, so those before it have all been done */
    for (uint32_t i = 0; i < threads; i++) {
        const worker *w = &c->worker[i];
        first = w->status != HF_OK && (!first || w->at < first->at) ? w : first;
    }
    if (!first) {
        return HF_OK;
    }
    hf_context_copy_failure(cx, first->cx);
    *failed = first->at;
    return first->status;
}

hf_status hf_jobs_do(hf_context *cx, size_t n, uint32_t threads, hf_job *job, void *user, size_t *failed) {
    crew c = {.job = job, .user = user, .n = n};
    *failed = n;
    threads = threads ? threads : hf_jobs_cores();
    threads = threads < n ? threads : (uint32_t)n;
    if (n == 0) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(cx, threads, sizeof *c.worker, (void **)&c.worker));
    const hf_status status = run(cx, &c, threads, failed);
    for (uint32_t i = 0; i < threads; i++) {
        hf_context_free(c.worker[i].cx);
    }
    hf_release(hf_context_allocator(cx), c.worker);
    return status;
}

/* ---- rounds ---- */

typedef struct rounds {
    hf_context *cx, **part_cx;
    hf_meeting *meet;
    hf_round *round;
    void *user;
    uint32_t n_part, n_thread;
    bool may_spin;
    hf_status status;
    bool goes_on;
    atomic_uint here, number, asleep; /* threads that have come to the meeting; meetings so far; threads that sleep */
    pthread_mutex_t lock;
    pthread_cond_t is_over;
} rounds;

/* Sleeping and waking up take longer than most waits, and much longer where other programs run; less than a time slice. */
static const double spin_s = 0.0003;
enum { SPINS = 128 /* before anybody else is let on this core */ };

static void breathe(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* \return whether the meeting is over, after some time at most */
static bool spin(const rounds *r, unsigned number) {
    const double end = hf_clock_s() + spin_s;
    do {
        for (int i = 0; i < SPINS; i++) {
            if (atomic_load(&r->number) != number) {
                return true;
            }
            breathe();
        }
        sched_yield();
    } while (r->may_spin && hf_clock_s() < end);
    return false;
}

/* Until the meeting is over. Where cores are short, who has the work gets this one. */
static void wait_for(rounds *r, unsigned number) {
    if (spin(r, number)) {
        return;
    }
    pthread_mutex_lock(&r->lock);
    atomic_fetch_add(&r->asleep, 1);
    while (atomic_load(&r->number) == number) {
        pthread_cond_wait(&r->is_over, &r->lock);
    }
    atomic_fetch_sub(&r->asleep, 1);
    pthread_mutex_unlock(&r->lock);
}

/* Whoever comes last holds the meeting. */
static void come_together(rounds *r) {
    const unsigned number = atomic_load(&r->number);
    if (atomic_fetch_add(&r->here, 1) + 1 < r->n_thread) {
        wait_for(r, number);
        return;
    }
    atomic_store(&r->here, 0);
    r->status = r->meet(r->cx, r->user, r->part_cx, &r->goes_on);
    r->goes_on = r->goes_on && r->status == HF_OK;
    atomic_store(&r->number, number + 1);
    if (atomic_load(&r->asleep)) {
        pthread_mutex_lock(&r->lock);
        pthread_cond_broadcast(&r->is_over);
        pthread_mutex_unlock(&r->lock);
    }
}

static void take_part(rounds *r, uint32_t thread) {
    for (come_together(r); r->goes_on; come_together(r)) {
        for (uint32_t i = thread; i < r->n_part; i += r->n_thread) {
            r->round(r->user, i);
        }
    }
}

static hf_status hire_parts(rounds *r) {
    r->part_cx[0] = r->cx;
    for (uint32_t i = 1; i < r->n_part; i++) {
        r->part_cx[i] = hf_context_new(hf_context_allocator(r->cx));
        if (!r->part_cx[i]) {
            HF_FAIL(r->cx, HF_ENOMEM, "out of memory for %" PRIu32 " threads", r->n_part);
        }
    }
#pragma omp parallel num_threads((int)r->n_part)
    {
#pragma omp single
        {
            r->n_thread = (uint32_t)omp_get_num_threads(); /* fewer where threads have a limit */
            r->may_spin = r->n_thread <= hf_jobs_cores();
        }
        take_part(r, hf_jobs_thread());
    }
    return r->status;
}

hf_status hf_jobs_rounds(hf_context *cx, uint32_t n_part, hf_meeting *meet, hf_round *round, void *user) {
    rounds r = {.cx = cx, .meet = meet, .round = round, .user = user, .n_part = n_part};
    HF_TRY(hf_allocate(cx, n_part, sizeof(hf_context *), (void **)&r.part_cx));
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.is_over, NULL);
    const hf_status status = hire_parts(&r);
    pthread_cond_destroy(&r.is_over);
    pthread_mutex_destroy(&r.lock);
    for (uint32_t i = 1; i < n_part; i++) {
        hf_context_free(r.part_cx[i]);
    }
    hf_release(hf_context_allocator(cx), r.part_cx);
    return status;
}
