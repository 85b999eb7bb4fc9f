/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cells that lay a straight line through a curve, by least squares without weights: how far the points are from it, and how
 *  steep it is. Residuals and slope are linear in the values, so how far intervals go adds up as squares, each side for itself;
 *  values are taken as independent. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/study/job.h"

enum { POINTS_LEAST = 3 };

typedef struct curve {
    size_t n;
    double *x, *y, *down, *up; /**< down, up: how far the interval of y goes */
    double mean_x, mean_y, sxx, slope;
    bool has_intervals, is_exact;
    hf_study_value rests; /**< what the points rest on */
} curve;

static bool is_on(const hf_study_job *job, const hf_study_line *line, const char *name) {
    const char *own = job->study->cell[line->cell].curve;
    return own && strcmp(own, name) == 0 && isfinite(line->x) && isfinite(line->value);
}

static hf_status gather(hf_study_job *job, const char *name, curve *out) {
    const hf_study_outcome *o = job->outcome;
    *out = (curve){.has_intervals = true, .is_exact = true};
    HF_TRY(hf_scratch(job->cx, o->n_line + 1, sizeof *out->x, (void **)&out->x));
    HF_TRY(hf_scratch(job->cx, o->n_line + 1, sizeof *out->y, (void **)&out->y));
    HF_TRY(hf_scratch(job->cx, o->n_line + 1, sizeof *out->down, (void **)&out->down));
    HF_TRY(hf_scratch(job->cx, o->n_line + 1, sizeof *out->up, (void **)&out->up));
    for (size_t i = 0; i < o->n_line; i++) {
        const hf_study_line *line = &o->line[i];
        if (is_on(job, line, name)) {
            out->x[out->n] = line->x;
            out->y[out->n] = line->value;
            out->down[out->n] = line->value - line->value_low;
            out->up[out->n++] = line->value_high - line->value;
            out->has_intervals &= line->is_exact || *line->low;
            out->is_exact &= line->is_exact;
            hf_study_rest_on(&out->rests, &(hf_study_value){.is_unsteady = line->is_unsteady,
                                                            .cycles = line->cycles,
                                                            .from_store = line->from_store,
                                                            .is_accepted = line->is_accepted});
        }
    }
    return HF_OK;
}

static void fit(curve *c) {
    double sxy = 0;
    for (size_t i = 0; i < c->n; i++) {
        c->mean_x += c->x[i] / (double)c->n;
        c->mean_y += c->y[i] / (double)c->n;
    }
    for (size_t i = 0; i < c->n; i++) {
        c->sxx += (c->x[i] - c->mean_x) * (c->x[i] - c->mean_x);
        sxy += (c->x[i] - c->mean_x) * (c->y[i] - c->mean_y);
    }
    c->slope = sxy / c->sxx;
}

static double on_line(const curve *c, size_t i) { return c->mean_y + c->slope * (c->x[i] - c->mean_x); }

/* The interval of a sum of the values, each with its weight. */
static void find_ends(const curve *c, double (*weight_of)(const curve *c, size_t i, size_t j), size_t i, double sum, double *low,
                      double *high) {
    double down = 0, up = 0;
    for (size_t j = 0; j < c->n; j++) {
        const double w = weight_of(c, i, j), d = w * (w > 0 ? c->down[j] : c->up[j]), u = w * (w > 0 ? c->up[j] : c->down[j]);
        down += d * d;
        up += u * u;
    }
    *low = sum - sqrt(down);
    *high = sum + sqrt(up);
}

/* Of residual i, y[i] less what the line has there. */
static double weight_in_residual(const curve *c, size_t i, size_t j) {
    return (i == j) - 1 / (double)c->n - (c->x[i] - c->mean_x) * (c->x[j] - c->mean_x) / c->sxx;
}

static double weight_in_slope(const curve *c, size_t i, size_t j) {
    (void)i;
    return (c->x[j] - c->mean_x) / c->sxx;
}

/* What the line rises or falls between the first point and the last. */
static double rise_of(const curve *c) {
    double low = c->x[0], high = c->x[0];
    for (size_t i = 1; i < c->n; i++) {
        low = fmin(low, c->x[i]);
        high = fmax(high, c->x[i]);
    }
    return fabs(c->slope) * (high - low);
}

/* The largest distance of a point from the line, as a share of what the line rises. */
static hf_study_value find_deviation(const curve *c) {
    hf_study_value value = {.is_real = true, .is_exact = c->is_exact};
    const double rise = rise_of(c);
    for (size_t i = 0; i < c->n; i++) {
        const double off = c->y[i] - on_line(c, i);
        double low, high;
        find_ends(c, weight_in_residual, i, off, &low, &high);
        value.real = fmax(value.real, fabs(off) / rise);
        value.low = fmax(value.low, fmax(low, -high) / rise); /* below 0: it may be on the line */
        value.high = fmax(value.high, fmax(-low, high) / rise);
    }
    return value;
}

static hf_study_value find_slope(const curve *c) {
    hf_study_value value = {.is_real = true, .is_exact = c->is_exact, .real = c->slope};
    find_ends(c, weight_in_slope, 0, c->slope, &value.low, &value.high);
    return value;
}

hf_status hf_study_do_line(hf_study_job *job, const hf_study_cell *cell) {
    curve c;
    char range[HF_STUDY_RANGE_SIZE];
    HF_TRY(gather(job, cell->fitted, &c));
    fit(&c);
    if (c.n < POINTS_LEAST || !(c.sxx > 0)) {
        return hf_study_add_line(job, HF_NONE, NULL, "the curve has fewer than three points with a value before this cell");
    }
    if (!c.has_intervals) {
        return hf_study_add_line(job, HF_NONE, NULL, "a point of the curve has no interval");
    }
    const bool is_slope = cell->show == HF_SHOW_SLOPE;
    hf_study_value value = is_slope ? find_slope(&c) : find_deviation(&c);
    if (!is_slope && !(rise_of(&c) > 0)) {
        return hf_study_add_line(job, HF_NONE, NULL, "the line does not rise or fall");
    }
    hf_study_rest_on(&value, &c.rests);
    const int n =
        snprintf(value.method, sizeof value.method, "least squares, %zu points%s", c.n, value.is_unsteady ? ", not steady" : "");
    if (cell->claim.is_made && n > 0) {
        hf_study_print_range(cell, range, sizeof range);
        snprintf(value.method + n, sizeof value.method - (size_t)n, ", holds in %s", range);
    }
    return hf_study_add_line(job, HF_NONE, &value, NULL);
}
