/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/rows.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

hf_campaign rows_campaign(fixture *fx, const char *criterion, const uint32_t *f, size_t n_f) {
    return (hf_campaign){.universe = fx->universe,
                         .rule = &fx->rule,
                         .criterion = fixture_criterion(fx, criterion),
                         .f = f,
                         .n_f = n_f,
                         .method = HF_METHOD_EXHAUSTIVE,
                         .threads = 1};
}

hf_result *rows_run(fixture *fx, const hf_campaign *campaign) {
    hf_result *result = NULL;
    fixture_ok(fx, hf_campaign_run(fx->cx, campaign, &result));
    assert_non_null(result);
    return result;
}

static void print_row(FILE *out, const hf_row *row) {
    const hf_tally *t = &row->tally;
    fprintf(out, "f=%" PRIu32 " %s%s%s%s of %s: %" PRIu64 " sets, %" PRIu64 " not tolerated", row->f, hf_method_name(row->method),
            row->is_exact ? " exact" : "", row->is_complete ? " complete" : "", row->is_whole ? " whole" : "", row->population,
            t->sets, t->not_tolerated);
    fprintf(out, ", victims %.17g*2^64+%" PRIu64 " max %" PRIu64, (double)(t->victims_sum >> 64), (uint64_t)t->victims_sum,
            t->victims_max);
    fprintf(out, ", lost %d %.17g*2^64+%" PRIu64, row->has_lost_paths, (double)(t->lost_paths_sum >> 64),
            (uint64_t)t->lost_paths_sum);
    fprintf(out, ", fraction %a %a %a, means %a %a, bins", row->fraction.value, row->fraction.low, row->fraction.high,
            row->victims_mean, row->lost_paths_mean);
    for (size_t i = 0; i < HF_HISTOGRAM_BINS; i++) {
        fprintf(out, " %" PRIu64, t->victims_histogram[i]);
    }
    fprintf(out, ", witness%s", t->has_witness ? "" : " none");
    for (uint32_t i = 0; i < row->f && t->has_witness; i++) {
        fprintf(out, " %" PRIu32, t->witness[i]);
    }
    fprintf(out, "\n");
}

char *rows_text(const hf_result *result) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (size_t i = 0; i < result->n_row; i++) {
        print_row(out, &result->row[i]);
    }
    fclose(out);
    return text;
}

void rows_expect(fixture *fx, const hf_campaign *campaign, const char *text) {
    hf_result *result = rows_run(fx, campaign);
    char *mine = rows_text(result);
    assert_string_equal(mine, text);
    free(mine);
    hf_result_free(result);
}
