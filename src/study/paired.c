/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Two cells that ran over the same fault sets, compared set by set, and two runs that were measured in the same windows,
 * compared window by window: what a bad set, or traffic that is dense for a while, does to both does not widen the interval. A
 *  ratio is that of the means, with the interval of the residuals a - r b [Cochran, Sampling techniques, 3rd ed., 6.3]. And cells
 *  whose runs are the same. */
#include <math.h>
#include <string.h>

#include "src/bridge/gsl.h"
#include "src/kernel/measure.h"
#include "src/kernel/steady.h"
#include "src/question/ask.h"
#include "src/report/limits.h"
#include "src/study/job.h"

enum { SETS_LEAST = 3 };
static const double confidence = 0.95;

static bool is_same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static size_t rows_of(const hf_report_table *t) { return t->n_cell / t->n_column; }

static double number_of(const hf_report_table *t, size_t row, const char *key) {
    const hf_column *column = hf_column_find(t->column, t->n_column, key, strlen(key));
    const hf_cell *c = hf_study_table_value(t, row, key);
    return c ? hf_cell_number(column, c) : NAN;
}

/* \param[in] half of the interval of x - r y */
static hf_study_value apart(hf_study_show show, double x, double y, double half) {
    const double value = show == HF_SHOW_DIFFERENCE ? x - y
                         : show == HF_SHOW_GAIN     ? x / y - 1
                         : show == HF_SHOW_LOSS     ? 1 - x / y
                                                    : x / y;
    const double reach = half / (show == HF_SHOW_DIFFERENCE ? 1 : fabs(y));
    return (hf_study_value){.is_real = true, .real = value, .low = value - reach, .high = value + reach};
}

/* ---- the same sets ---- */

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
            a[n] = number_of(runs[0], i, column[0]);
            b[n++] = number_of(runs[1], at, column[1]);
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

static hf_status compare_sets(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out, size_t *n) {
    const hf_study_cell *of = &job->study->cell[pair.of], *against = &job->study->cell[pair.against];
    const hf_report_table *runs[2];
    const char *const column[2] = {of->column, against->column};
    double *a, *b;
    bool is_alike;
    *n = 0;
    HF_TRY(hf_study_table(job, pair.of, "runs", &runs[0]));
    HF_TRY(hf_study_table(job, pair.against, "runs", &runs[1]));
    if (!tells_sets(runs[0]) || !tells_sets(runs[1])) {
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
    const double x = mean_of(a, *n), y = mean_of(b, *n), r = show == HF_SHOW_DIFFERENCE ? 1 : x / y;
    *out = apart(show, x, y, half_of(a, b, r, x - r * y, *n));
    return HF_OK;
}

/* ---- the same windows ---- */

/* A run at one load, and what it was measured as. */
typedef struct run {
    const hf_report_table *load, *window;
    const char *column;
    hf_series series;
} run;

static bool is_latency(const char *column) { return strcmp(column, "latency") == 0 || strcmp(column, "network_latency") == 0; }

/* \param[out] out `window` NULL: the cell shows something else */
static hf_status find_run(hf_study_job *job, size_t cell, run *out) {
    const hf_study_cell *c = &job->study->cell[cell];
    const hf_report_table *window;
    *out = (run){.column = c->column};
    HF_TRY(hf_study_table(job, cell, NULL, &out->load));
    HF_TRY(hf_study_table(job, cell, "windows", &window));
    const bool is_one = !c->table && out->load && rows_of(out->load) == 1;
    const bool is_mean = c->column && (strcmp(c->column, "accepted") == 0 || is_latency(c->column));
    out->window = is_one && is_mean && window && rows_of(window) >= HF_STEADY_BATCHES ? window : NULL;
    return HF_OK;
}

/* Warmed up for as long, with windows as long and as many. */
static bool are_beside(const run *a, const run *b) {
    return a->window && b->window && rows_of(a->window) == rows_of(b->window) &&
           number_of(a->load, 0, "warm_up_cycles") == number_of(b->load, 0, "warm_up_cycles") &&
           number_of(a->window, 0, "cycle") == number_of(b->window, 0, "cycle");
}

/* What packets had of it in each window. */
static hf_status add_up(hf_context *cx, const hf_report_table *t, const char *column, hf_series *out) {
    double *sum, *count;
    HF_TRY(hf_scratch(cx, rows_of(t), sizeof *sum, (void **)&sum));
    HF_TRY(hf_scratch(cx, rows_of(t), sizeof *count, (void **)&count));
    for (size_t i = 0; i < rows_of(t); i++) {
        const double value = number_of(t, i, column);
        count[i] = is_latency(column) ? number_of(t, i, "packets") : 1;
        sum[i] = count[i] > 0 ? value * count[i] : 0;
    }
    *out = (hf_series){sum, is_latency(column) ? count : NULL, (uint32_t)rows_of(t)};
    return HF_OK;
}

/* Windows of a batch, as for the figure itself. */
static hf_status windows_of(hf_context *cx, const run *r, uint32_t *out) {
    hf_series s;
    double sum = 0, count = 0;
    HF_TRY(add_up(cx, r->window, is_latency(r->column) ? r->column : "network_latency", &s));
    for (uint32_t i = 0; i < s.n; i++) {
        sum += s.sum[i];
        count += s.count[i];
    }
    *out = hf_measure_windows(count > 0 ? sum / count : 0, number_of(r->window, 0, "cycle"), s.n);
    return HF_OK;
}

static hf_status compare_windows(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out, size_t *n) {
    const double x = hf_study_number(&job->told[pair.of]), y = hf_study_number(&job->told[pair.against]);
    const double r = show == HF_SHOW_DIFFERENCE ? 1 : x / y;
    uint32_t of_a, of_b;
    double half;
    run a, b;
    HF_TRY(find_run(job, pair.of, &a));
    HF_TRY(find_run(job, pair.against, &b));
    if (!are_beside(&a, &b)) {
        return HF_OK;
    }
    HF_TRY(add_up(job->cx, a.window, a.column, &a.series));
    HF_TRY(add_up(job->cx, b.window, b.column, &b.series));
    HF_TRY(windows_of(job->cx, &a, &of_a));
    HF_TRY(windows_of(job->cx, &b, &of_b));
    HF_TRY(hf_series_apart(job->cx, a.series, b.series, r, of_a > of_b ? of_a : of_b, &half));
    if (isfinite(half)) {
        *out = apart(show, x, y, half);
        *n = a.series.n;
    }
    return HF_OK;
}

hf_status hf_study_compare_paired(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out,
                                  hf_study_pairs *by) {
    *by = (hf_study_pairs){0};
    if (show == HF_SHOW_PRODUCT) {
        return HF_OK;
    }
    by->of = "sets";
    HF_TRY(compare_sets(job, show, pair, out, &by->n));
    if (by->n == 0) {
        by->of = "windows";
        HF_TRY(compare_windows(job, show, pair, out, &by->n));
    }
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
