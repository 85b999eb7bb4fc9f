/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Two cells that ran over the same fault sets, compared set by set: what a bad set does to both does not widen the interval. A
 *  ratio is that of the means, with the interval of the residuals a - r b [Cochran, Sampling techniques, 3rd ed., 6.3]. And cells
 *  whose runs are the same. */
#include <math.h>
#include <string.h>

#include "src/bridge/gsl.h"
#include "src/question/ask.h"
#include "src/study/job.h"

enum { SETS_LEAST = 3 };
static const double confidence = 0.95;

/* ---- the same sets ---- */

static bool is_same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* One number of faults and one load, drawn of the same universe with the same seed. */
static hf_status is_drawn_alike(hf_context *cx, const hf_study_cell *a, const hf_study_cell *b, bool *out) {
    static const char *const drawn_by[] = {"faults", "seed", "universe", "only"};
    hf_argument of_a[HF_STUDY_ARGUMENTS], of_b[HF_STUDY_ARGUMENTS];
    size_t n_a, n_b;
    HF_TRY(hf_study_arguments(cx, a, of_a, &n_a));
    HF_TRY(hf_study_arguments(cx, b, of_b, &n_b));
    *out = a->n_line == 1 && b->n_line == 1 && !a->table && !b->table && !hf_asked_value(of_a, n_a, "peak") &&
           !hf_asked_value(of_b, n_b, "peak");
    for (size_t i = 0; i < sizeof drawn_by / sizeof *drawn_by; i++) {
        *out &= is_same(hf_asked_value(of_a, n_a, drawn_by[i]), hf_asked_value(of_b, n_b, drawn_by[i]));
    }
    return HF_OK;
}

static size_t rows_of(const hf_report_table *t) { return t->n_cell / t->n_column; }

/* Runs of a walk over fault sets tell of which; those of programs do not. */
static bool tells_sets(const hf_report_table *t) { return t && hf_column_find(t->column, t->n_column, "set", strlen("set")); }

static const char *set_of(const hf_report_table *t, size_t row) {
    const hf_cell *c = hf_study_table_value(t, row, "set");
    return c ? c->word : "";
}

/* Sets of both, in the order in which both were drawn. */
static size_t match(const hf_report_table *const runs[2], const char *const column[2], double *a, double *b) {
    size_t n = 0, k = 0;
    for (size_t i = 0; i < rows_of(runs[0]); i++) {
        size_t at = k;
        while (at < rows_of(runs[1]) && strcmp(set_of(runs[0], i), set_of(runs[1], at)) != 0) {
            at++;
        }
        if (at < rows_of(runs[1])) {
            const hf_cell *x = hf_study_table_value(runs[0], i, column[0]), *y = hf_study_table_value(runs[1], at, column[1]);
            a[n] = x ? x->value : NAN;
            b[n++] = y ? y->value : NAN;
            k = at + 1;
        }
    }
    return n;
}

static double mean_of(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

/* Half of the interval of the mean of a - r b, whose mean is `mean`. */
static double half_of(const double *a, const double *b, double r, double mean, size_t n) {
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double off = a[i] - r * b[i] - mean;
        squares += off * off;
    }
    return hf_gsl_t_quantile(0.5 + confidence / 2, (double)(n - 1)) * sqrt(squares / (double)(n - 1) / (double)n);
}

hf_status hf_study_compare_sets(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out, size_t *n) {
    const hf_study_cell *of = &job->study->cell[pair.of], *against = &job->study->cell[pair.against];
    const hf_report_table *runs[2];
    const char *const column[2] = {of->column, against->column};
    double *a, *b;
    bool is_alike;
    *n = 0;
    HF_TRY(hf_study_table(job, pair.of, "runs", &runs[0]));
    HF_TRY(hf_study_table(job, pair.against, "runs", &runs[1]));
    if (show == HF_SHOW_PRODUCT || !tells_sets(runs[0]) || !tells_sets(runs[1])) {
        return HF_OK;
    }
    HF_TRY(is_drawn_alike(job->cx, of, against, &is_alike));
    HF_TRY(hf_scratch(job->cx, rows_of(runs[0]), sizeof *a, (void **)&a));
    HF_TRY(hf_scratch(job->cx, rows_of(runs[0]), sizeof *b, (void **)&b));
    *n = is_alike ? match(runs, column, a, b) : 0;
    if (*n < SETS_LEAST) {
        *n = 0;
        return HF_OK;
    }
    const bool subtracts = show == HF_SHOW_DIFFERENCE;
    const double x = mean_of(a, *n), y = mean_of(b, *n), r = subtracts ? 1 : x / y;
    const double half = half_of(a, b, r, x - r * y, *n) / (subtracts ? 1 : fabs(y));
    const double value = subtracts ? x - y : show == HF_SHOW_GAIN ? r - 1 : show == HF_SHOW_LOSS ? 1 - r : r;
    *out = (hf_study_value){.is_real = true, .real = value, .low = value - half, .high = value + half};
    return HF_OK;
}

/* ---- the same runs ---- */

static bool is_same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool is_same_cell(const hf_cell *a, const hf_cell *b) {
    return a->is_known == b->is_known &&
           (!a->is_known || (a->count == b->count && is_same_number(a->value, b->value) && is_same_number(a->low, b->low) &&
                             is_same_number(a->high, b->high) && is_same(a->word, b->word)));
}

/* Of a measurement: it says of its means whether they are steady. */
static bool is_measured(const hf_report_table *t, const char *column) {
    static const char tail[] = "_steady";
    const size_t size = strlen(column);
    bool found = false;
    for (size_t i = 0; i < t->n_column; i++) {
        found |= strncmp(t->column[i].key, column, size) == 0 && strcmp(t->column[i].key + size, tail) == 0;
    }
    return found;
}

/* Figures with their intervals, and what they are of. */
static bool is_compared(const hf_column *column) {
    return column->kind == HF_COLUMN_ESTIMATE || strcmp(column->key, "load") == 0 || strcmp(column->key, "f") == 0 ||
           strcmp(column->key, "sets") == 0;
}

hf_status hf_study_are_equal_runs(hf_study_job *job, hf_study_pair pair, bool *out) {
    const hf_study_cell *of = &job->study->cell[pair.of], *against = &job->study->cell[pair.against];
    const hf_report_table *a, *b;
    *out = false;
    HF_TRY(hf_study_table(job, pair.of, of->table, &a));
    HF_TRY(hf_study_table(job, pair.against, against->table, &b));
    if (!a || !b || of->question != against->question || !is_same(of->column, against->column) ||
        !is_same(of->row, against->row) || !is_same(of->table, against->table) || a->n_column != b->n_column ||
        a->n_cell != b->n_cell || !is_measured(a, of->column)) {
        return HF_OK;
    }
    *out = true;
    for (size_t i = 0; i < a->n_cell && *out; i++) {
        *out = !is_compared(&a->column[i % a->n_column]) || is_same_cell(&a->cell[i], &b->cell[i]);
    }
    return HF_OK;
}
