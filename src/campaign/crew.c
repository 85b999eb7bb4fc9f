/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Workers of a campaign. Their contexts share the caller's allocator and stop flag. */
#include "src/campaign/crew.h"

static void worker_free(const hf_allocator *allocator, hf_worker *w) {
    hf_judge_free(w->judge);
    hf_release(allocator, w->set);
    hf_release(allocator, w->pushed);
    hf_tally_free(allocator, &w->tally);
    hf_context_free(w->cx);
}

/* \param[in] first NULL, or the judge of a worker before it */
static hf_status new_judge(hf_worker *w, const hf_campaign *c, const hf_judge *first) {
    if (first && first->ops->share) {
        return first->ops->share(w->cx, first, &w->judge);
    }
    if (c->inquiry) {
        return c->inquiry->judge(w->cx, c->inquiry->user, c->universe, c->rule, &w->judge);
    }
    return c->use_relation ? hf_judge_new_relation(w->cx, c->universe, c->rule, c->criterion, &w->judge)
                           : hf_judge_new(w->cx, c->universe, c->rule, c->criterion, &w->judge);
}

static hf_status worker_init(hf_context *cx, const hf_campaign *c, uint32_t f_max, const hf_judge *first, hf_worker *w) {
    w->cx = hf_context_new(hf_context_allocator(cx));
    if (!w->cx) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory: the context of a thread cannot be had");
    }
    hf_context_set_stop(w->cx, hf_context_stop_flag(cx));
    HF_TRY(hf_allocate(cx, f_max, sizeof *w->set, (void **)&w->set));
    HF_TRY(hf_allocate(cx, f_max, sizeof *w->pushed, (void **)&w->pushed));
    HF_TRY(hf_tally_init(cx, c, f_max, &w->tally));
    const hf_status status = new_judge(w, c, first);
    if (status != HF_OK) {
        hf_context_copy_failure(cx, w->cx);
    }
    return status;
}

hf_status hf_crew_init(hf_context *cx, const hf_campaign *c, uint32_t threads, hf_crew *out) {
    *out = (hf_crew){.threads = threads};
    for (size_t i = 0; i < c->n_f; i++) {
        out->f_max = c->f[i] > out->f_max ? c->f[i] : out->f_max;
    }
    return hf_allocate(cx, threads, sizeof *out->worker, (void **)&out->worker);
}

hf_status hf_crew_grow(hf_context *cx, const hf_campaign *c, hf_crew *crew, size_t n, uint32_t *count) {
    *count = n < crew->threads ? (uint32_t)n : crew->threads;
    while (crew->count < *count) {
        const hf_judge *first = crew->count > 0 ? crew->worker[0].judge : NULL;
        const hf_status status = worker_init(cx, c, crew->f_max, first, &crew->worker[crew->count]);
        if (status != HF_OK) {
            worker_free(hf_context_allocator(cx), &crew->worker[crew->count]);
            crew->worker[crew->count] = (hf_worker){0};
            return status;
        }
        crew->count++;
    }
    return HF_OK;
}

void hf_crew_free(hf_context *cx, hf_crew *crew) {
    for (uint32_t i = 0; i < crew->count; i++) {
        worker_free(hf_context_allocator(cx), &crew->worker[i]);
    }
    hf_release(hf_context_allocator(cx), crew->worker);
}
