/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cells made of two values found before, or of a group of such pairs: combinations, and claims of the text about them. The
 *  intervals of the two are taken as independent: how far their ends are from the values adds up as squares, each side for itself
 *  [newcombe1998], as an interval of a small share is longer above than below; relative to the values where these are divided. Of
 *  two means over the same fault sets or windows they are not, see paired.c; and runs that are equal to the last bit differ by
 *  nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/study/job.h"

static const char *const formulas[] = {"A / B - 1", "A / B", "A - B", "A B", "1 - A / B", "A"};

typedef struct measured {
    double x, down, up; /**< the value, and how far its interval goes to either side */
    bool is_exact;
} measured;

static measured measured_of(const hf_study_value *v) {
    const double x = hf_study_number(v);
    return (measured){.x = x, .down = v->is_exact ? 0 : x - v->low, .up = v->is_exact ? 0 : v->high - x, .is_exact = v->is_exact};
}

static bool take(const hf_study_job *job, size_t cell, measured *out) {
    *out = measured_of(&job->told[cell]);
    return job->n_told[cell] == 1 && isfinite(out->x) && isfinite(out->down) && isfinite(out->up);
}

/* How far a result goes down, or up, with a value that it follows with this slope. */
static double reach(measured v, double slope, bool is_up) { return fabs(slope) * ((slope > 0) == is_up ? v.up : v.down); }

/* The result, and how it follows the two. */
static double result_of(hf_study_show show, double a, double b, double *of_a, double *of_b) {
    const double sign = show == HF_SHOW_LOSS ? -1 : 1;
    switch (show) {
    case HF_SHOW_DIFFERENCE:
        *of_a = 1;
        *of_b = -1;
        return a - b;
    case HF_SHOW_PRODUCT:
        *of_a = b;
        *of_b = a;
        return a * b;
    default:
        *of_a = sign / b;
        *of_b = -sign * a / (b * b);
        return show == HF_SHOW_GAIN ? a / b - 1 : show == HF_SHOW_LOSS ? 1 - a / b : a / b;
    }
}

static hf_study_value compare(hf_study_show show, measured a, measured b) {
    double of_a, of_b;
    const double value = result_of(show, a.x, b.x, &of_a, &of_b);
    return (hf_study_value){.is_real = true,
                            .real = value,
                            .is_exact = a.is_exact && b.is_exact,
                            .low = value - hypot(reach(a, of_a, false), reach(b, of_b, false)),
                            .high = value + hypot(reach(a, of_a, true), reach(b, of_b, true))};
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

/* "most of 12, 2 more without a value" */
static void describe_group(const hf_study_cell *cell, size_t n_none, char *text, size_t size) {
    static const char *const takes[] = {
        [HF_TAKE_LEAST] = "least", [HF_TAKE_MOST] = "most", [HF_TAKE_MEAN] = "mean", [HF_TAKE_SUM] = "sum"};
    char none[48] = "";
    if (n_none > 0) {
        snprintf(none, sizeof none, ", %zu more without a value", n_none);
    }
    snprintf(text, size, ", %s of %zu%s", takes[cell->take], cell->n_pair - n_none, none);
}

static void describe(const hf_study_cell *cell, hf_study_comparison by, const char *group, hf_study_value *value) {
    const char *unsteady = value->is_unsteady ? ", not steady" : "", *equal = by.are_equal ? ", equal runs" : "";
    char range[HF_STUDY_RANGE_SIZE], pairs[48] = "";
    if (by.n > 0) {
        snprintf(pairs, sizeof pairs, ", %zu %s", by.n, by.of);
    }
    if (cell->kind == HF_STUDY_CLAIM) {
        hf_study_print_range(cell, range, sizeof range);
        snprintf(value->method, sizeof value->method, "holds in %s%s%s%s%s", range, group, pairs, equal, unsteady);
    } else {
        snprintf(value->method, sizeof value->method, "%s%s%s%s%s", formulas[cell->show - HF_SHOW_GAIN], group, pairs, equal,
                 unsteady);
    }
}

static hf_status find_value(const hf_study_job *job, hf_study_pair pair, hf_study_value *out, const char **why) {
    measured of;
    if (!take(job, pair.of, &of)) {
        *why = "the cell that it is about has no value, several, or one without an interval";
        return HF_OK;
    }
    *out = job->told[pair.of];
    out->what[0] = 0;
    out->word = NULL; /* of a flag 1 or 0 */
    return HF_OK;
}

/* \param[out] why it cannot be computed, or as it is: `out` and `by` are set */
static hf_status combine(hf_study_job *job, hf_study_show show, hf_study_pair pair, hf_study_value *out, hf_study_comparison *by,
                         const char **why) {
    measured of, against;
    *by = (hf_study_comparison){0};
    if (show == HF_SHOW_VALUE) {
        return find_value(job, pair, out, why);
    }
    if (!take(job, pair.of, &of) || !take(job, pair.against, &against)) {
        *why = "a cell that it compares has no value, several, or one without an interval";
        return HF_OK;
    }
    if (show != HF_SHOW_DIFFERENCE && (of.x == 0 || against.x == 0)) {
        *why = "a value that it compares is 0";
        return HF_OK;
    }
    hf_study_value paired;
    HF_TRY(hf_study_compare(job, show, pair, &paired, by));
    if (by->are_equal) { /* the difference of equal runs is steady whatever they are */
        of = (measured){.x = of.x, .is_exact = true};
        against = (measured){.x = against.x, .is_exact = true};
        *out = compare(show, of, against);
        hf_study_come_from(out, &job->told[pair.of]);
        hf_study_come_from(out, &job->told[pair.against]);
        return HF_OK;
    }
    *out = by->n > 0 ? paired : compare(show, of, against);
    hf_study_rest_on(out, &job->told[pair.of]);
    hf_study_rest_on(out, &job->told[pair.against]);
    return HF_OK;
}

/* ---- groups ---- */

typedef struct gathering {
    hf_study_value value; /* so far */
    size_t n, n_none, at; /* pairs with a value and without one; the pair of the least or the most */
    double sum, down, up; /* of values, and of how far their intervals go to either side */
} gathering;

static void gather(hf_study_take take, size_t i, const hf_study_value *v, gathering *g) {
    const measured m = measured_of(v);
    const bool is_better = take == HF_TAKE_LEAST ? m.x < hf_study_number(&g->value) : m.x > hf_study_number(&g->value);
    const hf_study_value rests = g->value;
    if (g->n == 0 || (take <= HF_TAKE_MOST && is_better)) {
        g->value = *v;
        g->at = i;
    }
    if (g->n > 0) {
        g->value.is_exact = rests.is_exact && v->is_exact;
        hf_study_rest_on(&g->value, &rests);
        g->value.is_unsteady |= v->is_unsteady;
        hf_study_come_from(&g->value, v);
    }
    g->n++;
    g->sum += m.x;
    g->down += m.down;
    g->up += m.up;
}

/* What `*` stands for in the id of the cell: it tells which one it is. */
static void name_taken(const hf_study_job *job, const hf_study_cell *cell, const gathering *g, hf_study_value *out) {
    const char *id = job->study->cell[cell->pair[g->at].of].id;
    const size_t before = strcspn(cell->group, "*"), behind = strlen(cell->group) - before - 1;
    snprintf(out->what, sizeof out->what, "%.*s", (int)(strlen(id) - before - behind), id + before);
}

/* An interval of a mean goes as far as theirs on average, that of a sum as far as all together, whatever the values have in
 * common. \param[out] why it cannot be computed, or as it is */
static void take_of(const hf_study_job *job, const hf_study_cell *cell, const gathering *g, hf_study_value *out,
                    const char **why) {
    *out = g->value;
    if (cell->take > HF_TAKE_MOST) {
        const double n = cell->take == HF_TAKE_MEAN ? (double)g->n : 1;
        out->is_real = true;
        out->real = g->sum / n;
        out->low = out->real - g->down / n;
        out->high = out->real + g->up / n;
    } else if (!out->is_exact) {
        *why = "a value of the group has an interval; the least and the most are of exact values";
    } else {
        name_taken(job, cell, g, out);
    }
}

/* The least is that of the cells that have a value, unless it is claimed. */
static hf_status combine_group(hf_study_job *job, const hf_study_cell *cell) {
    gathering g = {0};
    char text[96];
    for (size_t i = 0; i < cell->n_pair; i++) {
        hf_study_value value;
        hf_study_comparison by;
        const char *none = NULL;
        const hf_mark mark = hf_scratch_mark(job->cx);
        const hf_status status = combine(job, cell->show, cell->pair[i], &value, &by, &none);
        hf_scratch_reset(job->cx, mark);
        HF_TRY(status);
        g.n_none += none != NULL;
        if (!none) {
            gather(cell->take, i, &value, &g);
        }
    }
    if (g.n == 0 || (g.n_none > 0 && (cell->take != HF_TAKE_LEAST || cell->kind == HF_STUDY_CLAIM))) {
        snprintf(text, sizeof text, "%zu of the %zu that it takes have no value", g.n_none, cell->n_pair);
        return hf_study_add_line(job, HF_NONE, NULL, text);
    }
    hf_study_value value;
    const char *why = NULL;
    take_of(job, cell, &g, &value, &why);
    describe_group(cell, g.n_none, text, sizeof text);
    describe(cell, (hf_study_comparison){0}, text, &value);
    return hf_study_add_line(job, HF_NONE, why ? NULL : &value, why);
}

hf_status hf_study_do_combination(hf_study_job *job, const hf_study_cell *cell) {
    hf_study_value value;
    hf_study_comparison by;
    const char *why = NULL;
    if (cell->take != HF_TAKE_NONE) {
        return combine_group(job, cell);
    }
    HF_TRY(combine(job, cell->show, cell->pair[0], &value, &by, &why));
    if (!why) {
        describe(cell, by, "", &value);
    }
    return hf_study_add_line(job, HF_NONE, why ? NULL : &value, why);
}
