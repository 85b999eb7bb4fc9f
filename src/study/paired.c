/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Two cells side by side: runs that are the same; means over the same fault sets, compared set by set; and runs that were
 * measured in the same windows, compared window by window. What a bad set, or traffic that is dense for a while, does to both
 * does not widen the interval. A ratio is that of the means, with the interval of the residuals a - r b [Cochran, Sampling
 * techniques, 3rd ed., 6.3]. */
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

/** A cell and what it asked for. */
typedef struct side {
    const hf_study_cell *cell;
    const hf_report *answer;
    const hf_report_table *shown; /**< NULL: it has no answer */
    double x;                     /**< what it tells */
} side;

static bool is_same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static size_t rows_of(const hf_report_table *t) { return t->n_cell / t->n_column; }

static double number_of(const hf_report_table *t, size_t row, const char *key) {
    const hf_column *column = hf_column_find(t->column, t->n_column, key, strlen(key));
    const hf_cell *c = hf_study_table_value(t, row, key);
    return c ? hf_cell_number(column, c) : NAN;
}

/* Is that said to both questions alike? \param[in] names NULL-terminated  \param[in] may_peak false: and neither takes a peak */
static hf_status is_asked_alike(hf_context *cx, const side *a, const side *b, const char *const *names, bool may_peak,
                                bool *out) {
    hf_argument of_a[HF_STUDY_ARGUMENTS], of_b[HF_STUDY_ARGUMENTS];
    size_t n_a, n_b;
    HF_TRY(hf_study_arguments(cx, a->cell, of_a, &n_a));
    HF_TRY(hf_study_arguments(cx, b->cell, of_b, &n_b));
    *out = may_peak || (!hf_asked_value(of_a, n_a, "peak") && !hf_asked_value(of_b, n_b, "peak"));
    for (; *names; names++) {
        *out &= is_same(hf_asked_value(of_a, n_a, *names), hf_asked_value(of_b, n_b, *names));
    }
    return HF_OK;
}

/* \param[in] reach of the interval of x - r y */
static hf_study_value apart(hf_study_show show, double x, double y, hf_sides reach) {
    const bool subtracts = show == HF_SHOW_DIFFERENCE, turns = !subtracts && (show == HF_SHOW_LOSS) != (y < 0);
    const double value = subtracts ? x - y : show == HF_SHOW_GAIN ? x / y - 1 : show == HF_SHOW_LOSS ? 1 - x / y : x / y;
    const double by = subtracts ? 1 : fabs(y);
    return (hf_study_value){.is_real = true,
                            .real = value,
                            .low = value - (turns ? reach.up : reach.down) / by,
                            .high = value + (turns ? reach.down : reach.up) / by};
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

static bool are_equal(const side *a, const side *b) {
    const hf_report_table *s = a->shown, *t = b->shown;
    bool equal = s && t && a->cell->question == b->cell->question && is_same(a->cell->column, b->cell->column) &&
                 is_same(a->cell->row, b->cell->row) && is_same(a->cell->table, b->cell->table) && s->n_column == t->n_column &&
                 s->n_cell == t->n_cell && is_measured(s, a->cell->column);
    for (size_t i = 0; equal && i < s->n_cell; i++) {
        equal = !is_compared(&s->column[i % s->n_column]) || is_same_cell(&s->cell[i], &t->cell[i]);
    }
    return equal;
}

/* ---- the same sets ---- */

/* Runs of a walk over fault sets tell of which; those of programs do not. */
static const hf_report_table *runs_of(const side *s) {
    const hf_report_table *t = hf_study_table(s->answer, "runs");
    return t && !s->cell->table && hf_column_find(t->column, t->n_column, "set", strlen("set")) ? t : NULL;
}

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

/* One number of faults and one load, drawn of the same universe with the same seed. */
static hf_status compare_sets(hf_context *cx, hf_study_show show, const side *of, const side *against, hf_study_value *out,
                              size_t *n) {
    static const char *const drawn_by[] = {"faults", "seed", "universe", "only", NULL};
    const hf_report_table *const runs[2] = {runs_of(of), runs_of(against)};
    const char *const column[2] = {of->cell->column, against->cell->column};
    double *a, *b;
    bool is_alike;
    *n = 0;
    if (!runs[0] || !runs[1] || of->cell->n_line != 1 || against->cell->n_line != 1) {
        return HF_OK;
    }
    HF_TRY(is_asked_alike(cx, of, against, drawn_by, false, &is_alike));
    HF_TRY(hf_scratch(cx, rows_of(runs[0]), sizeof *a, (void **)&a));
    HF_TRY(hf_scratch(cx, rows_of(runs[0]), sizeof *b, (void **)&b));
    const size_t both = is_alike ? match(runs, column, a, b) : 0;
    if (both >= SETS_LEAST) {
        const double x = mean_of(a, both), y = mean_of(b, both), r = show == HF_SHOW_DIFFERENCE ? 1 : x / y;
        const double half = half_of(a, b, r, x - r * y, both);
        *out = apart(show, x, y, (hf_sides){half, half});
        *n = both;
    }
    return HF_OK;
}

/* ---- the same windows ---- */

static bool is_latency(const char *column) { return strcmp(column, "latency") == 0 || strcmp(column, "network_latency") == 0; }

/* Of one load that was measured in windows enough, where the cell shows its mean. */
static const hf_report_table *windows_of(const side *s) {
    const hf_report_table *w = hf_study_table(s->answer, "windows");
    const bool is_load = s->shown && strcmp(s->shown->name, "loads") == 0 && rows_of(s->shown) == 1;
    const bool is_mean = is_load && (strcmp(s->cell->column, "accepted") == 0 || is_latency(s->cell->column));
    return is_mean && w && rows_of(w) >= HF_STEADY_BATCHES ? w : NULL;
}

/* The same traffic, warmed up for as long, in windows as long and as many. */
static hf_status are_beside(hf_context *cx, const side *a, const side *b, bool *out) {
    static const char *const made_by[] = {"seed", "traffic", "burst", NULL};
    const hf_report_table *const window[2] = {windows_of(a), windows_of(b)};
    *out = false;
    if (!window[0] || !window[1] || rows_of(window[0]) != rows_of(window[1]) ||
        number_of(window[0], 0, "cycle") != number_of(window[1], 0, "cycle") ||
        number_of(a->shown, 0, "warm_up_cycles") != number_of(b->shown, 0, "warm_up_cycles") ||
        number_of(a->shown, 0, "load") != number_of(b->shown, 0, "load")) {
        return HF_OK;
    }
    return is_asked_alike(cx, a, b, made_by, true, out);
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

/* Windows of a batch: half as long against a latency as for the figure itself, as what two runs have in common is out of it. */
static hf_status find_least(hf_context *cx, const side *s, uint32_t *out) {
    const hf_report_table *t = windows_of(s);
    hf_series latency;
    double sum = 0, count = 0;
    HF_TRY(add_up(cx, t, is_latency(s->cell->column) ? s->cell->column : "network_latency", &latency));
    for (uint32_t i = 0; i < latency.n; i++) {
        sum += latency.sum[i];
        count += latency.count ? latency.count[i] : 0; /* there is one, as it is a latency */
    }
    *out = hf_measure_windows(count > 0 ? sum / count / 2 : 0, number_of(t, 0, "cycle"), latency.n);
    return HF_OK;
}

static hf_status compare_windows(hf_context *cx, hf_study_show show, const side *of, const side *against, hf_study_value *out,
                                 size_t *n) {
    const double r = show == HF_SHOW_DIFFERENCE ? 1 : of->x / against->x;
    uint32_t of_a, of_b;
    hf_series a, b;
    hf_sides reach;
    bool is_beside;
    HF_TRY(are_beside(cx, of, against, &is_beside));
    if (!is_beside) {
        return HF_OK;
    }
    HF_TRY(add_up(cx, windows_of(of), of->cell->column, &a));
    HF_TRY(add_up(cx, windows_of(against), against->cell->column, &b));
    HF_TRY(find_least(cx, of, &of_a));
    HF_TRY(find_least(cx, against, &of_b));
    HF_TRY(hf_series_apart(cx, a, b, r, of_a > of_b ? of_a : of_b, &reach));
    if (isfinite(reach.down) && isfinite(reach.up)) {
        *out = apart(show, of->x, against->x, reach);
        *n = a.n;
    }
    return HF_OK;
}

/* ---- two cells ---- */

static hf_status find_side(hf_study_job *job, size_t cell, side *out) {
    *out = (side){.cell = &job->study->cell[cell], .x = hf_study_number(&job->told[cell])};
    HF_TRY(hf_study_answer_of(job, cell, &out->answer));
    out->shown = hf_study_table(out->answer, out->cell->table);
    return HF_OK;
}

hf_status hf_study_compare(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out,
                           hf_study_comparison *by) {
    side of, against;
    *by = (hf_study_comparison){0};
    if (show == HF_SHOW_PRODUCT) {
        return HF_OK;
    }
    HF_TRY(find_side(job, pair.of, &of));
    HF_TRY(find_side(job, pair.against, &against));
    by->are_equal = are_equal(&of, &against);
    if (!by->are_equal) {
        by->of = "sets";
        HF_TRY(compare_sets(job->cx, show, &of, &against, out, &by->n));
    }
    if (!by->are_equal && by->n == 0) {
        by->of = "windows";
        HF_TRY(compare_windows(job->cx, show, &of, &against, out, &by->n));
    }
    return HF_OK;
}
