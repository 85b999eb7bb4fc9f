/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that threads take as they come free. */
#include "src/core/jobs.h"

#include <inttypes.h>
#include <omp.h>
#include <stdatomic.h>

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
#pragma omp parallel num_threads((int)threads)
    work(c, &c->worker[hf_jobs_thread()]);
    for (uint32_t i = 0; i < threads; i++) {
        if (c->worker[i].status != HF_OK) {
            hf_context_copy_failure(cx, c->worker[i].cx);
            *failed = c->worker[i].at;
            return c->worker[i].status;
        }
    }
    return HF_OK;
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
