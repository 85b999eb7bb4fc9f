/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots laid out: who looks how, where axes end. Ticks stand at 1, 2 or 5 times a power of ten; logarithmic axes show decades.
 *  An axis ends a little beyond the data and not at the next tick, so that no part of the picture stays empty. */
#include "src/format/plot.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 100000, TICKS_MAX = 64 };

/* ---- points ---- */

static bool fits(const hf_scale *s, double value) { return isfinite(value) && (!s->is_log || value > 0); }

bool hf_plot_is_drawn(const hf_plot_layout *l, const hf_plot_point *point) {
    return fits(l->x, point->x) && fits(l->y, point->y);
}

bool hf_plot_has_interval(const hf_plot_layout *l, const hf_plot_point *point) {
    return point->low < point->high && fits(l->y, point->low) && fits(l->y, point->high);
}

bool hf_plot_has_band(const hf_plot_layout *l, const hf_plot_series *series) {
    size_t n = 0;
    for (size_t k = 0; k < series->n_point; k++) {
        n += hf_plot_is_drawn(l, &series->point[k]) && hf_plot_has_interval(l, &series->point[k]);
    }
    return series->is_joined && !series->is_steps && n > 1;
}

double hf_plot_x(const hf_plot_layout *l, size_t series, const hf_plot_point *point) {
    static const double room = 0.7; /* of the way from one name to the next */
    const double beside = ((double)l->look_of[series] + 0.5) / (double)l->n_look - 0.5;
    return point->x + (l->plot->x.n_name ? room * beside : 0);
}

/* ---- looks and panels ---- */

/* Which text of a list; it is added where it is not there yet. */
static size_t place_of(const char **list, size_t *n, const char *text) {
    for (size_t i = 0; i < *n && text; i++) {
        if (list[i] && strcmp(list[i], text) == 0) {
            return i;
        }
    }
    list[*n] = text;
    return (*n)++;
}

static void note_look(hf_plot_look *look, const hf_plot_series *s, size_t i) {
    look->name = s->name;
    look->is_pale = s->is_pale;
    look->is_joined |= s->is_joined;
    look->has_published |= s->is_published;
    look->colour = i % HF_PLOT_COLOURS;
    look->mark = (i + i / HF_PLOT_COLOURS) % HF_PLOT_MARKS;
    look->dash = i % HF_PLOT_DASHES;
}

static hf_status tell_apart(hf_context *cx, hf_plot_layout *l) {
    const size_t n = l->plot->n_series;
    const char **name;
    HF_TRY(hf_scratch(cx, n + 1, sizeof *name, (void **)&name));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *l->panel, (void **)&l->panel));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *l->look, (void **)&l->look));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *l->look_of, (void **)&l->look_of));
    HF_TRY(hf_scratch(cx, n + 1, sizeof *l->panel_of, (void **)&l->panel_of));
    for (size_t i = 0; i < n; i++) {
        const hf_plot_series *s = &l->plot->series[i];
        l->look_of[i] = place_of(name, &l->n_look, s->name);
        note_look(&l->look[l->look_of[i]], s, l->look_of[i]);
        l->panel_of[i] = place_of(l->panel, &l->n_panel, s->panel ? s->panel : "");
        l->has_published |= s->is_published;
    }
    l->n_panel += l->n_panel == 0;
    l->panel[0] = l->panel[0] ? l->panel[0] : "";
    l->n_column = l->n_panel < 3 ? l->n_panel : l->n_panel == 4 ? 2 : 3;
    return HF_OK;
}

const char *hf_plot_colour(const hf_plot_look *look) {
    static const char *const colours[HF_PLOT_COLOURS] = {"0072B2", "D55E00", "009E73", "CC79A7",
                                                         "E69F00", "56B4E9", "8A6D00", "222222"};
    return look->is_pale ? "B4B9C0" : colours[look->colour];
}

/* ---- axes ---- */

static double measure(const hf_scale *s, double value) { return s->is_log ? log10(value) : value; }

double hf_scale_tick_at(const hf_scale *s, double value) { return s->origin + s->length * (value - s->low) / (s->high - s->low); }

double hf_scale_at(const hf_scale *s, double value) { return hf_scale_tick_at(s, measure(s, value)); }

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

/* An axis of nearly one value, whose ticks would differ in digits that nobody reads: some width round it. */
static void widen(hf_scale *s) {
    const double least = s->is_log ? 0.5 : fmax(fabs(s->low), fabs(s->high)) * 2e-3, width = s->high - s->low;
    if (width <= least) {
        const double more = s->is_log ? (0.6 - width) / 2 : s->low == 0 ? 1 : fabs(s->low) / 2;
        s->low -= s->axis->has_zero && s->low >= 0 && !s->is_log ? 0 : more;
        s->high += more;
    }
}

static void end_axis(hf_scale *s, int most, double edge) {
    if (s->axis->n_name) {
        s->low = -0.5;
        s->high = (double)s->axis->n_name - 0.5;
        s->first = 0;
        s->step = 1;
        return;
    }
    if (s->axis->has_zero && !s->is_log) {
        s->low = fmin(s->low, 0);
        s->high = fmax(s->high, 0);
    }
    widen(s);
    const double room = edge * (s->high - s->low);
    const bool is_bottom = s->axis->has_zero && s->low == 0, is_top = s->axis->has_zero && s->high == 0;
    s->low -= is_bottom && !s->is_log ? 0 : room;
    s->high += is_top && !s->is_log ? 0 : room;
    const double width = s->high - s->low;
    const bool has_decades = floor(s->high + 1e-9) - ceil(s->low - 1e-9) >= 1; /* two of them at least */
    s->step = !s->is_log ? round_step(width, most) : has_decades && width >= 1.5 ? fmax(1, ceil(width / most)) : 0;
    s->step = s->is_whole && !s->is_log ? fmax(1, s->step) : s->step;
    s->first = s->step > 0 ? ceil(s->low / s->step - 1e-6) * s->step : floor(s->low);
}

bool hf_scale_tick(const hf_scale *s, int i, double *value) {
    static const double parts[] = {0, 0.30102999566398120, 0.69897000433601880}; /* of a decade: 1, 2, 5 */
    if (s->step > 0) {
        *value = s->first + i * s->step;
        return i < TICKS_MAX && *value <= s->high + s->step * 1e-6;
    }
    for (int k = 0; k < TICKS_MAX; k++) {
        const int decade = k / 3;
        *value = s->first + decade + parts[k % 3];
        if (*value > s->high + 1e-9) {
            return false;
        }
        if (*value >= s->low - 1e-9 && i-- == 0) {
            return true;
        }
    }
    return false;
}

void hf_scale_print_tick(const hf_scale *s, double value, char *text) {
    const double at = s->is_log ? pow(10, value) : value;
    if (s->axis->n_name) {
        const size_t i = value < 0 ? 0 : (size_t)lround(value);
        (void)snprintf(text, HF_TICK_SIZE, "%.*s", HF_TICK_SIZE - 1, i < s->axis->n_name ? s->axis->name[i] : "");
        return;
    }
    if (s->is_log) {
        if (value >= -3.01 && value < 4.99) {
            (void)snprintf(text, HF_TICK_SIZE, "%.6g", at);
        } else {
            const double power = floor(value + 1e-9);
            (void)snprintf(text, HF_TICK_SIZE, "%.0fe%.0f", at / pow(10, power), power);
        }
    } else {
        (void)snprintf(text, HF_TICK_SIZE, "%.10g", fabs(value) < s->step * 1e-6 ? 0 : value);
    }
    for (char *c = text; *c; c++) { /* whatever the locale's point is */
        *c = *c == ',' ? '.' : *c;
    }
}

/* ---- where the data lie ---- */

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Do the values ask for a logarithmic axis? More than three decades, and a tenth of them where a linear one would show
 * nothing. */
static hf_status ask_for_log(hf_context *cx, const hf_plot *plot, bool is_y, bool *out) {
    double *value;
    size_t n = 0;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_scratch(cx, POINTS_MAX, sizeof *value, (void **)&value));
    for (size_t i = 0; i < plot->n_series; i++) {
        for (size_t k = 0; k < plot->series[i].n_point; k++) {
            const double x = is_y ? plot->series[i].point[k].y : plot->series[i].point[k].x;
            if (x < 0) {
                n = 0;
                i = plot->n_series - 1;
                break;
            }
            if (isfinite(x) && x > 0) {
                value[n++] = x;
            }
        }
    }
    qsort(value, n, sizeof *value, by_value);
    *out = n > 2 && value[n - 1] > 1000 * value[0] && value[n / 10] < 0.01 * value[n - 1];
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static void include_series(hf_plot_layout *l, size_t i) {
    const hf_plot_series *series = &l->plot->series[i];
    hf_scale *x = &l->x[l->panel_of[i]], *y = &l->y[l->panel_of[i]];
    for (size_t k = 0; k < series->n_point; k++) {
        const hf_plot_point *point = &series->point[k];
        if (!hf_plot_is_drawn(l, point)) {
            continue;
        }
        l->has_points = true;
        include(x, point->x);
        include(y, point->y);
        x->is_whole &= point->x >= floor(point->x) && point->x <= floor(point->x);
        if (hf_plot_has_interval(l, point)) {
            include(y, point->low);
            include(y, point->high);
        }
    }
}

/* All panels have one axis, unless some one's values would take less than a third of it. \return whether they have their own */
static bool join_panels(hf_scale *s, size_t n) {
    static const double least = 0.34;
    double low = DBL_MAX, high = -DBL_MAX, narrowest = DBL_MAX;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, s[i].low);
        high = fmax(high, s[i].high);
        narrowest = s[i].low <= s[i].high ? fmin(narrowest, s[i].high - s[i].low) : narrowest;
    }
    const bool is_own = !s->axis->n_name && narrowest < least * (high - low);
    for (size_t i = 0; i < n; i++) {
        s[i].low = is_own && s[i].low <= s[i].high ? s[i].low : low <= high ? low : 0;
        s[i].high = is_own && s[i].low <= s[i].high && s[i].high > -DBL_MAX ? s[i].high : low <= high ? high : 1;
    }
    return is_own;
}

static hf_status begin_axis(hf_context *cx, const hf_plot *plot, bool is_y, size_t n, hf_scale **out) {
    hf_scale s = {.axis = is_y ? &plot->y : &plot->x, .low = DBL_MAX, .high = -DBL_MAX};
    s.is_log = s.axis->is_log;
    s.is_whole = !is_y;
    HF_TRY(s.axis->is_free && !s.is_log && !s.axis->n_name ? ask_for_log(cx, plot, is_y, &s.is_log) : HF_OK);
    HF_TRY(hf_scratch(cx, n, sizeof **out, (void **)out));
    for (size_t i = 0; i < n; i++) {
        (*out)[i] = s;
    }
    return HF_OK;
}

hf_status hf_plot_lay_out(hf_context *cx, const hf_plot *plot, int x_most, int y_most, double edge, hf_plot_layout *out) {
    size_t n = 0;
    *out = (hf_plot_layout){.plot = plot};
    for (size_t i = 0; i < plot->n_series; i++) {
        n += plot->series[i].n_point;
    }
    if (n > POINTS_MAX) {
        HF_FAIL(cx, HF_ERANGE, "the plot \"%s\" has %zu points; at most %d can be drawn", plot->title, n, POINTS_MAX);
    }
    HF_TRY(tell_apart(cx, out));
    HF_TRY(begin_axis(cx, plot, false, out->n_panel, &out->x));
    HF_TRY(begin_axis(cx, plot, true, out->n_panel, &out->y));
    for (size_t i = 0; i < plot->n_series; i++) {
        include_series(out, i);
    }
    out->own_x = join_panels(out->x, out->n_panel);
    out->own_y = join_panels(out->y, out->n_panel);
    for (size_t i = 0; i < out->n_panel; i++) {
        end_axis(&out->x[i], x_most, edge);
        end_axis(&out->y[i], y_most, edge);
    }
    return HF_OK;
}
