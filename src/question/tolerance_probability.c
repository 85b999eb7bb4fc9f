/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The probability that a network is not tolerated where every component fails with the same probability, by itself: the sum over
 *  all sizes of their share of not tolerated sets and the probability of that size. All terms have one sign, so a small sum is as
 *  accurate as a large one. Sizes that no row tells are bounded. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/number.h"
#include "src/question/tolerance.h"

enum { PROBABILITIES = 1000 };

static hf_status read_list(hf_context *cx, const char *text, double *out, size_t *n) {
    hf_slice at = hf_slice_of(text);
    bool is_right = true;
    *n = 0;
    do {
        is_right = *n < PROBABILITIES && hf_take_real(&at, &out[*n]) && out[*n] > 0 && out[*n] < 1;
        *n += is_right;
    } while (is_right && hf_take_text(&at, ","));
    if (!is_right || at.size > 0) {
        HF_FAIL(cx, HF_EINVAL, "--probability=%s is not right; need numbers between 0 and 1, such as 0.01,1e-6", text);
    }
    return HF_OK;
}

/* ---- rows ---- */

static const hf_cell *cell_of(const hf_report_table *t, size_t row, const char *key) {
    const hf_column *column = hf_column_find(t->column, t->n_column, key, strlen(key));
    return &t->cell[row * t->n_column + (size_t)(column - t->column)];
}

/* What the rows of the answer say, those that say something. */
static hf_status rows_of_answer(const tolerance *a, hf_reliability_row **out, size_t *n) {
    const hf_report_table *t = &a->answer->table[0];
    const size_t rows = t->n_cell / t->n_column;
    HF_TRY(hf_scratch(a->cx, rows + 1, sizeof **out, (void **)out));
    *n = 0;
    for (size_t i = 0; i < rows; i++) {
        const hf_cell *share = cell_of(t, i, "fraction");
        if (share->is_known) {
            (*out)[(*n)++] =
                (hf_reliability_row){.failed = {(uint32_t)cell_of(t, i, "f")->count},
                                     .bad = {cell_of(t, i, "low")->value, share->value, cell_of(t, i, "high")->value}};
        }
    }
    return HF_OK;
}

/* Intervals of samples are made to hold together; those of orders do. */
static hf_status find_rows(const tolerance *a, hf_reliability_class *class, hf_reliability_row **out, size_t *n) {
    return a->run.result ? hf_result_reliability(a->cx, a->run.result, class, 1, false, 0, out, n) : rows_of_answer(a, out, n);
}

static bool has_samples(const tolerance *a) {
    const hf_report_table *t = &a->answer->table[0];
    bool any = false;
    for (size_t i = 0; i < t->n_cell / t->n_column; i++) {
        const hf_cell *exact = cell_of(t, i, "exact");
        any = any || (exact->count == 0 && cell_of(t, i, "fraction")->is_known);
    }
    return any;
}

/* ---- the table ---- */

static const hf_column columns[] = {{"probability", "probability", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"unreliability", "unreliability", NULL, HF_COLUMN_RANGE, 9, 0},
                                    {"reliability", "reliability", NULL, HF_COLUMN_RANGE, 9, 0},
                                    {"covered", "covered", NULL, HF_COLUMN_REAL, 8, 0},
                                    {"figures", "figures", NULL, HF_COLUMN_WORD, 6, 0}};

/* Time stands for probability: at rate 1, so many hours. */
static hf_status add_row(const tolerance *a, const hf_reliability *model, double p, const char *estimate) {
    hf_reliability_state s;
    hf_report *out = a->answer;
    HF_TRY(hf_reliability_at(a->cx, model, -log1p(-p), &s));
    hf_report_cell(out, hf_cell_real(p));
    hf_report_cell(out, hf_cell_range(s.bad.low, s.bad.value, s.bad.high));
    hf_report_cell(out, hf_cell_range(s.good.low, s.good.value, s.good.high));
    hf_report_cell(out, hf_cell_real(s.covered));
    hf_report_cell(out, hf_cell_word(estimate ? estimate : hf_reliability_is_one(&s) ? "exact" : "bounds"));
    return HF_OK;
}

static hf_status add_rows(const tolerance *a, const hf_reliability *model, const double *p, size_t n) {
    const bool is_estimate = has_samples(a);
    hf_report_table_begin(a->answer, "unreliability", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < n; i++) {
        HF_TRY(add_row(a, model, p[i], is_estimate ? "95%" : NULL));
    }
    hf_report_note(a->answer,
                   "Every component fails with that probability, by itself. Numbers of faults without a row are bounded; "
                   "covered: the probability that there is one.");
    return HF_OK;
}

hf_status hf_tolerance_unreliability(const tolerance *a, const char *text) {
    const hf_universe *u = a->scene->universe;
    hf_reliability_class class = {.n_component = u->n_component, .rate = 1};
    hf_reliability_row *row;
    hf_reliability *model;
    double *p;
    size_t n, n_row;
    HF_TRY(hf_scratch(a->cx, PROBABILITIES + 1, sizeof *p, (void **)&p));
    HF_TRY(read_list(a->cx, text, p, &n));
    HF_TRY(find_rows(a, &class, &row, &n_row));
    const bool is_monotone =
        hf_reliability_is_monotone(hf_rule_traits(&a->scene->rule), &a->scene->criterion, u->switch_begin[u->n_component] > 0);
    HF_TRY(hf_reliability_new(a->cx, &class, 1, row, n_row, is_monotone, 0, &model));
    const hf_status status = add_rows(a, model, p, n);
    hf_reliability_free(model);
    return status;
}
