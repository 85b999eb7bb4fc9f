/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells made of two values found before: combinations, and claims of the text about them. The intervals of the two are taken as
 * independent: half widths add up as squares, relative ones where the values are divided. Of two means over the same
 * fault sets they are not, see paired.c; and runs that are equal to the last bit differ by nothing. */
#include <math.h>
#include <stdio.h>

#include "src/study/job.h"

static const char *const formulas[] = {"A / B - 1", "A / B", "A - B", "A B", "1 - A / B", "A"};

typedef struct measured {
    double x, half;
    bool is_exact;
} measured;

static bool take(const hf_study_job *job, size_t cell, measured *out) {
    const hf_study_value *v = &job->told[cell];
    out->x = hf_study_number(v);
    out->is_exact = v->is_exact;
    out->half = v->is_exact ? 0 : (v->high - v->low) / 2;
    return job->n_told[cell] == 1 && isfinite(out->x) && isfinite(out->half);
}

static hf_study_value compare(hf_study_show show, measured a, measured b) {
    const bool adds = show == HF_SHOW_DIFFERENCE;
    const double x = adds ? a.x - b.x : show == HF_SHOW_PRODUCT ? a.x * b.x : a.x / b.x;
    const double half = !adds ? fabs(x) * hypot(a.half / a.x, b.half / b.x) : hypot(a.half, b.half);
    const double value = show == HF_SHOW_GAIN ? x - 1 : show == HF_SHOW_LOSS ? 1 - x : x;
    return (hf_study_value){
        .is_real = true, .real = value, .is_exact = a.is_exact && b.is_exact, .low = value - half, .high = value + half};
}

static void print_bound(hf_study_show show, double bound, char *text, size_t size) {
    const bool is_percent = hf_study_show_is_percent(show);
    text[0] = 0;
    if (isfinite(bound)) {
        snprintf(text, size, is_percent ? "%g%%" : "%g", is_percent ? bound * 100 : bound);
    }
}

void hf_study_print_range(const hf_study_cell *cell, char *text, size_t size) {
    const hf_study_claim *claim = &cell->claim;
    char low[20], high[20];
    print_bound(cell->show, claim->low, low, sizeof low);
    print_bound(cell->show, claim->high, high, sizeof high);
    snprintf(text, size, "%s%s..%s%s", low, claim->excludes_low ? "<" : "", claim->excludes_high ? "<" : "", high);
}

static void describe(const hf_study_cell *cell, size_t n_set, bool are_equal, hf_study_value *value) {
    const char *unsteady = value->is_unsteady ? ", not steady" : "";
    char range[HF_STUDY_RANGE_SIZE], sets[32] = "";
    if (n_set > 0) {
        snprintf(sets, sizeof sets, ", %zu sets", n_set);
    }
    const char *equal = are_equal ? ", equal runs" : "";
    if (cell->kind == HF_STUDY_CLAIM) {
        hf_study_print_range(cell, range, sizeof range);
        snprintf(value->method, sizeof value->method, "holds in %s%s%s%s", range, sets, equal, unsteady);
    } else {
        snprintf(value->method, sizeof value->method, "%s%s%s%s", formulas[cell->show - HF_SHOW_GAIN], sets, equal, unsteady);
    }
}

static hf_status judge_value(hf_study_job *job, const hf_study_cell *cell) {
    measured of;
    if (!take(job, cell->claim.of, &of)) {
        return hf_study_add_line(job, HF_NONE, NULL,
                                 "the cell that it is about has no value, several, or one without an interval");
    }
    hf_study_value value = job->told[cell->claim.of];
    value.what[0] = 0;
    describe(cell, 0, false, &value);
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}

static void rest_on(const hf_study_job *job, size_t cell, hf_study_value *value) {
    hf_study_rest_on(value, job->told[cell].is_unsteady, job->told[cell].cycles);
}

hf_status hf_study_do_combination(hf_study_job *job, const hf_study_cell *cell) {
    const hf_study_claim *claim = &cell->claim;
    measured of, against;
    if (cell->show == HF_SHOW_VALUE) {
        return judge_value(job, cell);
    }
    if (!take(job, claim->of, &of) || !take(job, claim->against, &against)) {
        return hf_study_add_line(job, HF_NONE, NULL, "a cell that it compares has no value, several, or one without an interval");
    }
    if (cell->show != HF_SHOW_DIFFERENCE && (of.x == 0 || against.x == 0)) {
        return hf_study_add_line(job, HF_NONE, NULL, "a value that it compares is 0");
    }
    bool are_equal;
    HF_TRY(hf_study_are_equal_runs(job, claim, &are_equal));
    are_equal &= cell->show != HF_SHOW_PRODUCT;
    if (are_equal) {
        of.half = against.half = 0;
        of.is_exact = against.is_exact = true;
    }
    hf_study_value value = compare(cell->show, of, against);
    size_t n_set = 0;
    HF_TRY(are_equal ? HF_OK : hf_study_compare_sets(job, cell, &value, &n_set));
    if (!are_equal) { /* the difference of equal runs is steady whatever they are */
        rest_on(job, claim->of, &value);
        rest_on(job, claim->against, &value);
    }
    describe(cell, n_set, are_equal, &value);
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}
