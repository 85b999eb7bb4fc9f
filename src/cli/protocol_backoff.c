/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holdfast protocol backoff: which backoff comes closest to the best, in the worst case and on average. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/protocol.h"
#include "src/core/number.h"

enum { CONSTANTS_MAX = 64, N_BACKOFF = HF_BACKOFF_EXPONENTIAL + 1 };

/* "1,2,4": each with all four functions. */
static hf_status read_tries(const cli *c, hf_backoff_try *tries, size_t *n) {
    const char *text = cli_value_or(c, "constants", "1,2,3,4,6,8,12,16,24,32");
    const hf_list_form form = {.high = 1000000, .is_whole = true};
    double constant[CONSTANTS_MAX];
    size_t n_constant;
    if (!hf_read_list(text, &form, CONSTANTS_MAX, constant, &n_constant)) {
        HF_FAIL(c->cx, HF_EINVAL, "--constants=%s is not right; need up to %d whole numbers from 0 to 1000000, such as 1,2,4",
                text, CONSTANTS_MAX);
    }
    *n = 0;
    for (size_t i = 0; i < n_constant; i++) {
        for (int b = 0; b < N_BACKOFF; b++) {
            tries[(*n)++] = (hf_backoff_try){.backoff = (hf_backoff)b, .constant = (uint32_t)constant[i]};
        }
    }
    return HF_OK;
}

static hf_status search(const protocol_request *r, hf_backoff_try *tries, size_t n) {
    hf_benchmark_options options[PROTOCOL_BENCHMARKS];
    hf_messaging network[PROTOCOL_NETWORKS];
    size_t n_program = 0, n_network = 0;
    for (int b = 0; b < PROTOCOL_BENCHMARKS; b++) {
        if (r->has_benchmark[b]) {
            options[n_program++] = protocol_program(r, (hf_benchmark)b);
        }
    }
    for (int k = 0; k < PROTOCOL_NETWORKS; k++) {
        if (r->has_network[k]) {
            network[n_network] = r->run.messaging;
            network[n_network++].network.kind = (hf_network_kind)k;
        }
    }
    return hf_backoff_search(r->c->cx, options, n_program, network, n_network, tries, n);
}

/* By function, then by constant. */
static int by_name(const void *a, const void *b) {
    const hf_backoff_try *p = a, *q = b;
    if (p->backoff != q->backoff) {
        return p->backoff < q->backoff ? -1 : 1;
    }
    return p->constant < q->constant ? -1 : p->constant > q->constant;
}

static void find_best(const hf_backoff_try *tries, size_t n, size_t *worst, size_t *mean) {
    *worst = *mean = 0;
    for (size_t i = 1; i < n; i++) {
        *worst = tries[i].worst < tries[*worst].worst ? i : *worst;
        *mean = tries[i].mean < tries[*mean].mean ? i : *mean;
    }
}

static hf_status print_ratio(hf_context *cx, cli_table *t, double ratio, bool is_best) {
    return isfinite(ratio) ? cli_table_cell(cx, t, "%.3f%s", ratio, is_best ? " (best)" : "") : cli_table_cell(cx, t, "-");
}

static hf_status put_table(const cli *c, const hf_backoff_try *tries, size_t n) {
    static const char *const header[] = {"backoff", "C", "worst", "mean", "not complete"};
    static const bool is_number[] = {false, true, true, true, true};
    size_t worst, mean;
    cli_table t;
    hf_text out;
    find_best(tries, n, &worst, &mean);
    HF_TRY(cli_table_start(c->cx, &t, header, is_number, sizeof header / sizeof *header, n));
    for (size_t i = 0; i < n; i++) {
        HF_TRY(cli_table_cell(c->cx, &t, "%s", hf_backoff_name(tries[i].backoff)));
        HF_TRY(cli_table_cell(c->cx, &t, "%" PRIu32, tries[i].constant));
        HF_TRY(print_ratio(c->cx, &t, tries[i].worst, i == worst));
        HF_TRY(print_ratio(c->cx, &t, tries[i].mean, i == mean));
        HF_TRY(cli_table_cell(c->cx, &t, "%" PRIu32, tries[i].n_incomplete));
    }
    hf_text_init(c->cx, &out);
    hf_status status = hf_table_text(c->cx, &t.table, &out);
    status = status == HF_OK ? cli_put(c, &out) : status;
    hf_text_free(&out);
    return status;
}

static hf_status put_json(const protocol_request *r, const hf_backoff_try *tries, size_t n) {
    hf_json *root = cli_json(r->c), *rows = hf_json_array();
    for (size_t i = 0; i < n; i++) {
        hf_json *row = hf_json_object();
        hf_json_set(row, "backoff", hf_json_text(hf_backoff_name(tries[i].backoff)));
        hf_json_set(row, "constant_cycles", hf_json_integer(tries[i].constant));
        hf_json_set(row, "worst", isfinite(tries[i].worst) ? hf_json_real(tries[i].worst) : hf_json_null());
        hf_json_set(row, "mean", isfinite(tries[i].mean) ? hf_json_real(tries[i].mean) : hf_json_null());
        hf_json_set(row, "not_complete", hf_json_integer(tries[i].n_incomplete));
        hf_json_push(rows, row);
    }
    hf_json_set(root, "spec", protocol_json_spec(r));
    hf_json_set(root, "rows", rows);
    return cli_put_json(r->c, root);
}

hf_status protocol_backoff(const cli *c, bool *is_yes) {
    protocol_request r = {.c = c};
    hf_backoff_try tries[CONSTANTS_MAX * N_BACKOFF];
    size_t n, worst, mean;
    HF_TRY(protocol_read_request(&r));
    HF_TRY(read_tries(c, tries, &n));
    HF_TRY(search(&r, tries, n));
    qsort(tries, n, sizeof *tries, by_name);
    find_best(tries, n, &worst, &mean);
    *is_yes = isfinite(tries[worst].worst);
    return cli_has(c, "json") ? put_json(&r, tries, n) : put_table(c, tries, n);
}
