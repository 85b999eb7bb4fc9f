/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that run a program with idempotent messaging and on the perfect network. A run that several cells ask for is made once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/protocol.h>

#include "src/study/job.h"

typedef struct hf_study_messaged {
    hf_program program;
    hf_messaging messaging;
    hf_messaging_result result;
} messaged;

void hf_study_messaged_free(hf_study_job *job) { hf_release(hf_context_allocator(job->cx), job->messaged); }

/* The perfect network knows nothing of the protocol, of failures and of chance. */
static hf_messaging perfect_of(const hf_messaging *m) {
    hf_messaging perfect = hf_messaging_default(m->network.kind);
    perfect.network.leaf_width = m->network.leaf_width;
    perfect.network.growth = m->network.growth;
    perfect.cycle_limit = m->cycle_limit;
    perfect.is_buffered = true;
    return perfect;
}

static bool is_same_program(const hf_program *a, const hf_program *b) {
    return a->benchmark == b->benchmark && a->n_node == b->n_node && a->request_size == b->request_size &&
           a->reply_size == b->reply_size && a->work_factor == b->work_factor && a->seed == b->seed;
}

static bool is_same_network(const hf_network_spec *a, const hf_network_spec *b) {
    return a->kind == b->kind && a->leaf_width == b->leaf_width && a->growth == b->growth && a->n_failed == b->n_failed;
}

static bool is_same(const hf_messaging *a, const hf_messaging *b) {
    const hf_protocol *p = &a->protocol, *q = &b->protocol;
    return is_same_network(&a->network, &b->network) && p->send_capacity == q->send_capacity &&
           p->receive_capacity == q->receive_capacity && p->backoff == q->backoff && p->backoff_constant == q->backoff_constant &&
           a->is_buffered == b->is_buffered && !(a->loss < b->loss) && !(a->loss > b->loss) && a->jitter == b->jitter &&
           a->seed == b->seed && a->cycle_limit == b->cycle_limit && a->flit_bits == b->flit_bits &&
           a->clock_percent == b->clock_percent;
}

static hf_status run(hf_study_job *job, const hf_program *program, const hf_messaging *m, hf_messaging_result *out) {
    for (size_t i = 0; i < job->n_messaged; i++) {
        if (is_same_program(&job->messaged[i].program, program) && is_same(&job->messaged[i].messaging, m)) {
            *out = job->messaged[i].result;
            return HF_OK;
        }
    }
    hf_trace trace;
    HF_TRY(hf_benchmark_trace(job->cx, program, &trace));
    const hf_status status = hf_messaging_run(job->cx, m, &trace, out);
    hf_trace_free(&trace);
    HF_TRY(status);
    HF_TRY(hf_resize(job->cx, job->n_messaged + 1, sizeof *job->messaged, (void **)&job->messaged));
    job->messaged[job->n_messaged++] = (messaged){*program, *m, *out};
    return HF_OK;
}

static hf_study_value value_of(hf_study_show show, const hf_messaging_result *lossy, const hf_messaging_result *perfect) {
    switch (show) {
    case HF_SHOW_BUFFERED_CYCLES:
        return hf_study_exact(perfect->cycles, 1);
    case HF_SHOW_IDEMPOTENT_CYCLES:
        return hf_study_exact(lossy->cycles, 1);
    case HF_SHOW_SENDS:
        return hf_study_exact(lossy->n_packet[HF_PROTOCOL_MSG], lossy->n_message ? lossy->n_message : 1);
    case HF_SHOW_ACTED_TWICE:
        return hf_study_exact(lossy->n_duplicate, 1);
    default:
        return hf_study_exact(lossy->cycles, perfect->cycles ? perfect->cycles : 1);
    }
}

static hf_status add_run(hf_study_job *job, const hf_study_cell *cell, const char *spec, const char *what) {
    hf_program program;
    hf_messaging m;
    hf_messaging_result lossy = {.is_complete = true}, perfect = {.is_complete = true};
    HF_TRY(hf_messaging_parse(job->cx, spec, &program, &m));
    if (cell->show != HF_SHOW_BUFFERED_CYCLES) {
        HF_TRY(run(job, &program, &m, &lossy));
    }
    if (cell->show == HF_SHOW_BUFFERED_CYCLES || cell->show == HF_SHOW_SLOW_DOWN) {
        const hf_messaging other = perfect_of(&m);
        HF_TRY(run(job, &program, &other, &perfect));
    }
    hf_study_value value = value_of(cell->show, &lossy, &perfect);
    snprintf(value.method, sizeof value.method, "simulation, seed %" PRIu64, m.seed);
    snprintf(value.what, sizeof value.what, "%s", what ? what : "");
    if (lossy.n_duplicate > 0 && cell->show != HF_SHOW_ACTED_TWICE) {
        HF_FAIL(job->cx, HF_EINVAL, "%s: %" PRIu64 " messages were acted on twice", spec, lossy.n_duplicate);
    }
    if (!lossy.is_complete || !perfect.is_complete) {
        char *why;
        HF_TRY(hf_scratch_print(job->cx, &why, "not complete after %" PRIu64 " cycles%s%s", m.cycle_limit, what ? ", " : "",
                                what ? what : ""));
        return hf_study_add_line(job, HF_NONE, NULL, why);
    }
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

hf_status hf_study_do_protocol(hf_study_job *job, const hf_study_cell *cell) {
    char *spec, *what;
    size_t i = 0;
    do {
        HF_TRY(hf_study_program(job->cx, cell, i++, &spec, &what));
        if (spec) {
            HF_TRY(add_run(job, cell, spec, what));
        }
    } while (spec);
    return HF_OK;
}
