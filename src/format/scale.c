/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Axes of plots. Ticks stand at 1, 2 or 5 times a power of ten; logarithmic axes show decades. */
#include "src/format/scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { POINTS_MAX = 100000 };

static bool fits_axis(const hf_plot_axis *axis, double value) { return isfinite(value) && (!axis->is_log || value > 0); }

bool hf_plot_is_drawn(const hf_plot *plot, const hf_plot_point *point) {
    return fits_axis(&plot->x, point->x) && fits_axis(&plot->y, point->y);
}

bool hf_plot_has_bar(const hf_plot *plot, const hf_plot_point *point) {
    return point->low < point->high && fits_axis(&plot->y, point->low) && fits_axis(&plot->y, point->high);
}

static double measure(const hf_scale *s, double value) { return s->axis->is_log ? log10(value) : value; }

double hf_scale_at(const hf_scale *s, double value) {
    return s->origin + s->length * (measure(s, value) - s->low) / (s->high - s->low);
}

static void include(hf_scale *s, double value) {
    s->low = fmin(s->low, measure(s, value));
    s->high = fmax(s->high, measure(s, value));
}

/** 1, 2 or 5 times a power of ten, so that at most about `most` of them fill the width. */
static double round_step(double width, int most) {
    const double raw = width / most, power = pow(10, floor(log10(raw)));
    const double times = raw / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void round_ends(hf_scale *s, int most) {
    if (s->axis->is_log) {
        s->low = floor(s->low + 1e-9);
        s->high = fmax(ceil(s->high - 1e-9), s->low + 1);
        s->step = fmax(1, ceil((s->high - s->low) / most));
        return;
    }
    if (s->axis->has_zero) {
        s->low = fmin(s->low, 0);
        s->high = fmax(s->high, 0);
    }
    /* An axis of one value: some width round it that doubles can tell apart. */
    const double least = fmax(fabs(s->low), fabs(s->high)) * 1e-9;
    if (s->high - s->low <= least) {
        const double more = s->low == 0 ? 1 : fabs(s->low) / 2;
        s->low -= s->axis->has_zero && s->low >= 0 ? 0 : more;
        s->high += more;
    }
    s->step = round_step(s->high - s->low, most);
    s->low = floor(s->low / s->step + 1e-6) * s->step;
    s->high = ceil(s->high / s->step - 1e-6) * s->step;
}

static void include_series(const hf_plot *plot, const hf_plot_series *series, hf_scale *x, hf_scale *y, bool *has_points) {
    for (size_t k = 0; k < series->n_point; k++) {
        const hf_plot_point *point = &series->point[k];
        if (!hf_plot_is_drawn(plot, point)) {
            continue;
        }
        *has_points = true;
        include(x, point->x);
        include(y, point->y);
        if (hf_plot_has_bar(plot, point)) {
            include(y, point->low);
            include(y, point->high);
        }
    }
}

bool hf_scale_find(const hf_plot *plot, int x_most, int y_most, hf_scale *x, hf_scale *y) {
    bool has_points = false;
    x->axis = &plot->x;
    y->axis = &plot->y;
    x->low = y->low = DBL_MAX;
    x->high = y->high = -DBL_MAX;
    for (size_t i = 0; i < plot->n_series; i++) {
        include_series(plot, &plot->series[i], x, y, &has_points);
    }
    if (!has_points) {
        x->low = y->low = 0;
        x->high = y->high = 1;
    }
    round_ends(x, x_most);
    round_ends(y, y_most);
    return has_points;
}

void hf_scale_print_tick(const hf_scale *s, double value, char *text) {
    if (s->axis->is_log) {
        const double power = pow(10, value);
        (void)snprintf(text, HF_TICK_SIZE, value >= -3 && value < 6 ? "%.10g" : "%.0e", power);
    } else {
        (void)snprintf(text, HF_TICK_SIZE, "%.10g", fabs(value) < s->step * 1e-6 ? 0 : value);
    }
    for (char *c = text; *c; c++) { /* whatever the locale's point is */
        *c = *c == ',' ? '.' : *c;
    }
}

hf_status hf_plot_check(hf_context *cx, const hf_plot *plot) {
    size_t n = 0;
    for (size_t i = 0; i < plot->n_series; i++) {
        n += plot->series[i].n_point;
    }
    if (n > POINTS_MAX) {
        HF_FAIL(cx, HF_ERANGE, "the plot \"%s\" has %zu points; at most %d can be drawn", plot->title, n, POINTS_MAX);
    }
    return HF_OK;
}
