/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of a study in the results store: what determines a run, and what came of it. */
#include <inttypes.h>

#include <holdfast/store.h>

#include "src/core/number.h"
#include "src/study/messaged.h"

enum { COUNTS = 11 };

static hf_status make_key(hf_context *cx, const hf_study_messaged *of, char **out) {
    const hf_benchmark_options *p = &of->program;
    const hf_messaging *m = &of->messaging;
    const hf_protocol *q = &m->protocol;
    char *program, *protocol;
    HF_TRY(hf_scratch_print(cx, &program, "%d %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64, (int)p->benchmark,
                            p->n_node, p->request_size, p->reply_size, p->work_factor, p->seed));
    HF_TRY(hf_scratch_print(cx, &protocol, "%" PRIu32 " %" PRIu32 " %d %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %d %u",
                            q->send_capacity, q->receive_capacity, (int)q->backoff, q->backoff_constant, q->reply_size,
                            q->retention, q->n_id, q->has_secondary, q->once));
    return hf_scratch_print(cx, out,
                            "protocol|%s|program %s|protocol %s|network %d %" PRIu32 " %" PRIu32 " %" PRIu32 "|%d %a %" PRIu32
                            " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32,
                            hf_build_code(), program, protocol, (int)m->network.kind, m->network.leaf_width, m->network.growth,
                            m->network.n_failed, m->is_buffered, m->loss, m->jitter, m->seed, m->cycle_limit, m->flit_bits,
                            m->clock_percent);
}

static void list_counts(hf_messaging_result *r, uint64_t *count[COUNTS]) {
    uint64_t *const all[COUNTS] = {&r->cycles,    &r->n_message, &r->n_packet[0], &r->n_packet[1], &r->n_packet[2], &r->n_dropped,
                                   &r->n_damaged, &r->n_refused, &r->n_duplicate, &r->n_lost,      &r->n_waiting};
    for (size_t i = 0; i < COUNTS; i++) {
        count[i] = all[i];
    }
}

static hf_status print(hf_context *cx, const hf_messaging_result *result, char **out) {
    hf_messaging_result r = *result;
    uint64_t *count[COUNTS];
    list_counts(&r, count);
    HF_TRY(hf_scratch_print(cx, out, "%d", r.is_complete));
    for (size_t i = 0; i < COUNTS; i++) {
        HF_TRY(hf_scratch_print(cx, out, "%s %" PRIu64, *out, *count[i]));
    }
    return HF_OK;
}

static bool parse(const char *text, hf_messaging_result *out) {
    uint64_t *count[COUNTS];
    hf_slice at = hf_slice_of(text);
    uint64_t is_complete;
    list_counts(out, count);
    bool is_right = hf_take_number(&at, &is_complete);
    for (size_t i = 0; i < COUNTS && is_right; i++) {
        is_right = hf_take_text(&at, " ") && hf_take_number(&at, count[i]);
    }
    out->is_complete = is_right && is_complete != 0;
    return is_right && at.size == 0;
}

hf_status hf_study_messaged_keep(const hf_study_job *job, const hf_study_messaged *of) {
    if (!job->options->store) {
        return HF_OK;
    }
    char *key, *text;
    const hf_mark mark = hf_scratch_mark(job->cx);
    hf_status status = make_key(job->cx, of, &key);
    if (status == HF_OK) {
        status = print(job->cx, &of->result, &text);
    }
    if (status == HF_OK) {
        status = hf_store_note(job->cx, job->options->store, key, text);
    }
    hf_scratch_reset(job->cx, mark);
    return status;
}

hf_status hf_study_messaged_recall(const hf_study_job *job, hf_study_messaged *of) {
    of->from_store = of->is_accepted = false;
    if (!job->options->store || job->options->again) {
        return HF_OK;
    }
    char *key, *text = NULL;
    const hf_mark mark = hf_scratch_mark(job->cx);
    hf_status status = make_key(job->cx, of, &key);
    if (status == HF_OK) {
        status = hf_store_recall(job->cx, job->options->store, key, &text, &of->is_accepted);
    }
    of->from_store = status == HF_OK && text && parse(text, &of->result);
    hf_scratch_reset(job->cx, mark);
    return status;
}
