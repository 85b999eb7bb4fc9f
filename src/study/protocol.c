/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that run a program with idempotent messaging and on the perfect network. A run that several cells ask for is made once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/study/messaged.h"

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

/* The tree's bundles mean nothing to a grid. */
static bool is_alike_network(const hf_network_spec *a, const hf_network_spec *b) {
    const bool has_tree = a->kind == HF_NETWORK_FAT_TREE && b->kind == HF_NETWORK_FAT_TREE;
    return (!has_tree || (a->leaf_width == b->leaf_width && a->growth == b->growth)) && a->n_failed == b->n_failed;
}

static bool is_alike_protocol(const hf_protocol *p, const hf_protocol *q) {
    return p->send_capacity == q->send_capacity && p->receive_capacity == q->receive_capacity && p->retention == q->retention &&
           p->n_id == q->n_id && p->has_secondary == q->has_secondary && p->once == q->once;
}

static bool is_alike_messaging(const hf_messaging *a, const hf_messaging *b) {
    return is_alike_network(&a->network, &b->network) && is_alike_protocol(&a->protocol, &b->protocol) &&
           a->is_buffered == b->is_buffered && !(a->loss < b->loss) && !(a->loss > b->loss) && a->jitter == b->jitter &&
           a->seed == b->seed && a->flit_bits == b->flit_bits && a->clock_percent == b->clock_percent;
}

static bool is_alike_program(const hf_benchmark_options *a, const hf_benchmark_options *b) {
    return a->request_size == b->request_size && a->reply_size == b->reply_size && a->work_factor == b->work_factor &&
           a->seed == b->seed;
}

bool hf_study_is_alike(const hf_study_messaged *a, const hf_study_messaged *b) {
    return is_alike_program(&a->program, &b->program) && is_alike_messaging(&a->messaging, &b->messaging);
}

static bool is_same(const hf_study_messaged *a, const hf_study_messaged *b) {
    const hf_protocol *p = &a->messaging.protocol, *q = &b->messaging.protocol;
    return hf_study_is_alike(a, b) && a->program.benchmark == b->program.benchmark && a->program.n_node == b->program.n_node &&
           a->messaging.network.kind == b->messaging.network.kind && p->backoff == q->backoff &&
           p->backoff_constant == q->backoff_constant && a->messaging.cycle_limit == b->messaging.cycle_limit;
}

static hf_status make(hf_context *cx, hf_study_messaged *of) {
    hf_program program;
    HF_TRY(hf_benchmark_program(cx, &of->program, &program));
    const hf_status status = hf_messaging_run(cx, &of->messaging, &program, &of->result);
    hf_program_free(&program);
    return status;
}

/* Of this study, from the store, or made. */
static hf_status run(hf_study_job *job, hf_study_messaged *of) {
    for (size_t i = 0; i < job->n_messaged; i++) {
        if (is_same(&job->messaged[i], of)) {
            *of = job->messaged[i];
            return HF_OK;
        }
    }
    HF_TRY(hf_study_messaged_recall(job, of));
    if (!of->from_store) {
        HF_TRY(make(job->cx, of));
        HF_TRY(hf_study_messaged_keep(job, of));
    }
    HF_TRY(hf_resize(job->cx, job->n_messaged + 1, sizeof *job->messaged, (void **)&job->messaged));
    job->messaged[job->n_messaged++] = *of;
    return HF_OK;
}

static uint64_t packets_of(const hf_messaging_result *r) {
    return r->n_packet[HF_PROTOCOL_MSG] + r->n_packet[HF_PROTOCOL_ACK] + r->n_packet[HF_PROTOCOL_CONF];
}

static bool is_of_perfect(hf_study_show show) { return show == HF_SHOW_BUFFERED_CYCLES || show == HF_SHOW_BUFFERED_PACKETS; }

static hf_study_value value_of(hf_study_show show, const hf_messaging_result *lossy, const hf_messaging_result *perfect) {
    switch (show) {
    case HF_SHOW_BUFFERED_CYCLES:
        return hf_study_exact(perfect->cycles, 1);
    case HF_SHOW_IDEMPOTENT_CYCLES:
        return hf_study_exact(lossy->cycles, 1);
    case HF_SHOW_PACKETS:
        return hf_study_exact(packets_of(lossy), 1);
    case HF_SHOW_BUFFERED_PACKETS:
        return hf_study_exact(packets_of(perfect), 1);
    case HF_SHOW_SENDS:
        return hf_study_exact(lossy->n_packet[HF_PROTOCOL_MSG], lossy->n_message ? lossy->n_message : 1);
    case HF_SHOW_ACTED_TWICE:
        return hf_study_exact(lossy->n_duplicate, 1);
    case HF_SHOW_VIOLATIONS:
        return hf_study_exact(lossy->n_lost + lossy->n_duplicate, 1);
    default:
        return hf_study_exact(lossy->cycles, perfect->cycles ? perfect->cycles : 1);
    }
}

/* A run without a time: something was lost, or the limit came first. */
static hf_status add_incomplete(hf_study_job *job, const hf_messaging *m, const hf_messaging_result *r, const char *what) {
    char *why;
    HF_TRY(r->n_lost > 0 ? hf_scratch_print(job->cx, &why, "%" PRIu64 " messages lost", r->n_lost)
                         : hf_scratch_print(job->cx, &why, "not complete after %" PRIu64 " cycles", m->cycle_limit));
    HF_TRY(what ? hf_scratch_print(job->cx, &why, "%s, %s", why, what) : HF_OK);
    return hf_study_add_line(job, HF_NONE, NULL, why);
}

static hf_status add_run(hf_study_job *job, const hf_study_cell *cell, const char *spec, const char *what) {
    hf_study_messaged of = {.result = {.is_complete = true}, .from_store = true};
    hf_study_messaged perfect = of;
    const hf_messaging_result *lossy = &of.result;
    HF_TRY(hf_messaging_parse(job->cx, spec, &of.program, &of.messaging));
    if (cell->show >= HF_SHOW_WORST_OVER_BEST) {
        return hf_study_backoff_line(job, cell->show, &of, what);
    }
    if (!is_of_perfect(cell->show)) {
        HF_TRY(run(job, &of));
    }
    if (is_of_perfect(cell->show) || cell->show == HF_SHOW_SLOW_DOWN) {
        perfect.program = of.program;
        perfect.messaging = perfect_of(&of.messaging);
        HF_TRY(run(job, &perfect));
    }
    hf_study_value value = value_of(cell->show, lossy, &perfect.result);
    value.from_store = of.from_store && perfect.from_store;
    value.is_accepted = of.is_accepted || perfect.is_accepted;
    snprintf(value.method, sizeof value.method, "simulation, seed %" PRIu64, of.messaging.seed);
    snprintf(value.what, sizeof value.what, "%s", what ? what : "");
    if (cell->show == HF_SHOW_VIOLATIONS) {
        snprintf(value.method, sizeof value.method, "%" PRIu64 " messages checked, seed %" PRIu64, lossy->n_message,
                 of.messaging.seed);
    } else if (lossy->n_duplicate > 0 && cell->show != HF_SHOW_ACTED_TWICE) {
        HF_FAIL(job->cx, HF_EINVAL, "%s: %" PRIu64 " messages were acted on twice", spec, lossy->n_duplicate);
    }
    const bool is_told = cell->show == HF_SHOW_VIOLATIONS && lossy->n_lost + lossy->n_duplicate > 0;
    if (!is_told && (!lossy->is_complete || !perfect.result.is_complete)) {
        return add_incomplete(job, &of.messaging, lossy, what);
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
