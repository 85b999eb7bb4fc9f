/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A program as a block-structured trace: the sum of a word on each node, figure 6 of brown2002. It prints the sum and how long
 *  it took with idempotent messaging; with a second word it also writes the trace to a file, for `holdfast protocol run
 *  --program`.
 *
 *      gcc sum.c $(pkg-config --cflags --libs holdfast) -o sum
 *      ./sum 64 sum.trace && holdfast protocol run --program sum.trace */
#include <holdfast/holdfast.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct sum_job {
    uint32_t first, n;   /* nodes first .. first + n - 1 */
    uint32_t parent;     /* node of the thread that waits */
    const int64_t *data; /* a word on each node */
    hf_join *sum;
} sum_job;

static void sum_thread(hf_program *t, void *user) {
    const sum_job *job = user;
    if (job->n == 1) {
        hf_program_join(t, job->parent, job->sum, hf_program_load(t, job->first, &job->data[job->first]));
        return;
    }
    hf_join left = {0}, right = {0};
    const uint32_t half = job->n / 2;
    hf_program_fork(t, sum_thread, job->first, &(sum_job){job->first, half, job->first, job->data, &left});
    hf_program_fork(t, sum_thread, job->first + half,
                    &(sum_job){job->first + half, job->n - half, job->first, job->data, &right});
    hf_program_join(t, job->parent, job->sum, hf_program_sync(t, &left) + hf_program_sync(t, &right));
}

/* The program runs here, as one thread, and leaves its trace behind. */
static hf_status write_down(hf_context *cx, uint32_t n_node, const int64_t *data, hf_program *trace) {
    hf_join sum = {0};
    HF_TRY(hf_program_init(cx, n_node, trace));
    hf_program_fork(trace, sum_thread, 0, &(sum_job){0, n_node, 0, data, &sum});
    printf("the sum is %" PRId64 "\n", hf_program_sync(trace, &sum));
    return hf_program_finish(trace);
}

/* On a grid that drops packets, 5% of them damaged besides. */
static hf_status simulate(hf_context *cx, const hf_program *trace) {
    hf_messaging m = hf_messaging_default(HF_NETWORK_GRID_2D);
    hf_messaging_result r;
    m.loss = 0.05;
    HF_TRY(hf_messaging_run(cx, &m, trace, &r));
    printf("%" PRIu64 " messages, %" PRIu64 " cycles, %" PRIu64 " lost, %" PRIu64 " acted on twice\n", r.n_message, r.cycles,
           r.n_lost, r.n_duplicate);
    return HF_OK;
}

static hf_status save(hf_context *cx, const hf_program *trace, const char *path) {
    hf_text text;
    hf_text_init(cx, &text);
    hf_status status = hf_program_print(cx, trace, &text);
    status = status == HF_OK ? hf_text_save(cx, &text, path) : status;
    hf_text_free(&text);
    return status;
}

int main(int n_word, char **word) {
    hf_context *cx = hf_context_new(NULL);
    hf_program trace = {0};
    const uint32_t n_node = n_word > 1 ? (uint32_t)strtoul(word[1], NULL, 10) : 64;
    int64_t *data = calloc(n_node ? n_node : 1, sizeof *data);
    hf_status status = cx && data ? HF_OK : HF_ENOMEM;
    for (uint32_t i = 0; status == HF_OK && i < n_node; i++) {
        data[i] = i + 1;
    }
    status = status == HF_OK ? write_down(cx, n_node, data, &trace) : status;
    status = status == HF_OK ? simulate(cx, &trace) : status;
    status = status == HF_OK && n_word > 2 ? save(cx, &trace, word[2]) : status;
    if (status != HF_OK) {
        fprintf(stderr, "sum: %s\n", cx ? hf_context_message(cx) : "out of memory");
    }
    hf_program_free(&trace);
    hf_context_free(cx);
    free(data);
    return status != HF_OK;
}
