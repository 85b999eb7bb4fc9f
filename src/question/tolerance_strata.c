/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a stratified sample says of each stratum. */
#include <inttypes.h>
#include <math.h>

#include "src/core/print.h"
#include "src/question/tables.h"
#include "src/question/tolerance.h"

static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"stratum", "stratum", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"share_percent", "share %", "%", HF_COLUMN_REAL, 6, 0},
                                    {"sets", "sets", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"not_tolerated", "not tolerated", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"not_tolerated_percent", "%", "%", HF_COLUMN_ESTIMATE, 6, 0}};

/* "2 links:stage=0, 1 links:stage=1" */
static hf_status name_stratum(hf_context *cx, const hf_strata *s, const uint32_t *of, char **out) {
    HF_TRY(hf_scratch_print(cx, out, "%s", ""));
    for (uint32_t c = 0; c < s->n_class; c++) {
        if (of[c] > 0) {
            HF_TRY(hf_scratch_print(cx, out, "%s%s%" PRIu32 " %s", *out, **out ? ", " : "", of[c], s->name[c]));
        }
    }
    return HF_OK;
}

/* Those that were drawn from. */
static hf_status add_strata(const tolerance *a, const hf_row *row, const hf_quota *quota) {
    const hf_strata *s = a->run.campaign.strata;
    for (uint32_t h = 0; h < quota->n; h++) {
        const hf_quantity *q = &row->tally.quantity[h];
        char *name;
        if (q->sets > 0) {
            const hf_estimate e = hf_estimate_proportion((uint64_t)q->sum, q->sets, 0.95);
            HF_TRY(name_stratum(a->cx, s, quota->of + (size_t)h * s->n_class, &name));
            hf_report_cell(a->answer, hf_cell_count(row->f));
            hf_report_cell(a->answer, hf_cell_word(name));
            hf_report_cell(a->answer, hf_cell_real(100 * quota->share[h]));
            hf_report_cell(a->answer, hf_cell_count(q->sets));
            hf_report_cell(a->answer, hf_cell_count(q->sum));
            hf_report_cell(a->answer, hf_cell_estimate(100 * e.value, 100 * e.low, 100 * e.high, e.method, NULL));
        }
    }
    return HF_OK;
}

/* The variance of the row's share over that of as many plain samples, as far as it is known. */
static double variance_left(const hf_row *row, const hf_quota *quota) {
    const double n = (double)row->tally.sets, bad = (double)row->tally.not_tolerated, plain = bad * (1 - bad / n);
    return plain > 0 ? fmin(1, hf_quota_variance(quota, row->tally.quantity) / plain) : NAN;
}

static hf_status note(const tolerance *a, double least, double most) {
    const hf_strata *s = a->run.campaign.strata;
    char *text = NULL;
    if (least <= most) {
        HF_TRY(hf_asked_note(a->cx, &text,
                             "Drawn in proportion from every split of the faults among %" PRIu32
                             " classes of components; variance of the share, of that of as many sets drawn alike: %.3g to %.3g.",
                             s->n_class, least, most));
    }
    hf_report_note(a->answer, text);
    return HF_OK;
}

hf_status hf_tolerance_strata(const tolerance *a) {
    const hf_campaign *c = &a->run.campaign;
    double least = INFINITY, most = 0;
    HF_BEGIN(a->answer, "strata", columns);
    for (size_t i = 0; i < a->run.result->n_row; i++) {
        const hf_row *row = &a->run.result->row[i];
        hf_quota quota;
        if (row->method == HF_METHOD_SAMPLED) {
            HF_TRY(hf_quota_new(a->cx, c->strata, row->f, row->total, &quota));
            HF_TRY(add_strata(a, row, &quota));
            const double left = variance_left(row, &quota);
            least = fmin(least, left);
            most = fmax(most, left);
        }
    }
    return note(a, least, most);
}
