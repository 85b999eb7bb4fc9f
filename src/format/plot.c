/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots as SVG 1.1, with the same plain means as the drawings of networks (svg.c). A series has a colour and a mark of its own,
 *  so that it survives a print in black and white. Ticks stand at 1, 2 or 5 times a power of ten; logarithmic axes show
 *  decades. */
#include "src/format/drawing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 84, RIGHT = 24, TOP = 44, BOTTOM = 56, WIDTH = 560, HEIGHT = 360, ROW = 18, FONT_SIZE = 11, TITLE_SIZE = 13 };
enum { POINTS_MAX = 100000, N_LOOK = 8, MINOR_DECADES = 4, TICKS_MAX = 64, TICK_SIZE = 32 };

/** Colours that the colour-blind tell apart. Source: Okabe and Ito. */
static const char *const colours[N_LOOK] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#8a6d00", "#222222"};

/** One axis ready to be drawn: values (or their logarithms) in [low, high] to pixels from `origin` on. */
typedef struct scale {
    const hf_plot_axis *axis;
    double low, high, step; /**< linear: distance of ticks; logarithmic: decades between ticks */
    double origin, length;  /**< length below 0: upwards */
} scale;

typedef struct plotter {
    hf_text *out;
    const hf_plot *plot;
    scale x, y;
    bool has_points;
} plotter;

/* ---- scales ---- */

static bool fits_axis(const hf_plot_axis *axis, double value) { return isfinite(value) && (!axis->is_log || value > 0); }
static bool is_drawn(const plotter *p, const hf_plot_point *point) {
    return fits_axis(&p->plot->x, point->x) && fits_axis(&p->plot->y, point->y);
}
static bool has_bar(const plotter *p, const hf_plot_point *point) {
    return point->low < point->high && fits_axis(&p->plot->y, point->low) && fits_axis(&p->plot->y, point->high);
}

static double measure(const scale *s, double value) { return s->axis->is_log ? log10(value) : value; }
static double at(const scale *s, double value) {
    return s->origin + s->length * (measure(s, value) - s->low) / (s->high - s->low);
}

static void include(scale *s, double value) {
    s->low = fmin(s->low, measure(s, value));
    s->high = fmax(s->high, measure(s, value));
}

/** 1, 2 or 5 times a power of ten, so that at most about `most` of them fill the width. */
static double round_step(double width, int most) {
    const double raw = width / most, power = pow(10, floor(log10(raw)));
    const double times = raw / power;
    return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void round_ends(scale *s, int most) {
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

static void find_scales(plotter *p) {
    p->x = (scale){.axis = &p->plot->x, .low = DBL_MAX, .high = -DBL_MAX, .origin = LEFT, .length = WIDTH};
    p->y = (scale){.axis = &p->plot->y, .low = DBL_MAX, .high = -DBL_MAX, .origin = TOP + HEIGHT, .length = -HEIGHT};
    for (size_t i = 0; i < p->plot->n_series; i++) {
        for (size_t k = 0; k < p->plot->series[i].n_point; k++) {
            const hf_plot_point *point = &p->plot->series[i].point[k];
            if (!is_drawn(p, point)) {
                continue;
            }
            p->has_points = true;
            include(&p->x, point->x);
            include(&p->y, point->y);
            if (has_bar(p, point)) {
                include(&p->y, point->low);
                include(&p->y, point->high);
            }
        }
    }
    if (!p->has_points) {
        p->x.low = p->y.low = 0;
        p->x.high = p->y.high = 1;
    }
    round_ends(&p->x, 10);
    round_ends(&p->y, 8);
}

/* ---- texts ---- */

static void draw_text(const plotter *p, double x, double y, const char *more, const char *text) {
    hf_text_print(p->out, "<text x=\"%s\" y=\"%s\"%s>", HF_DECIMAL(x), HF_DECIMAL(y), more);
    hf_text_any_xml(p->out, text);
    hf_text_print(p->out, "</text>\n");
}

/** A tick's value: with as many digits as the step needs; a power of ten as it stands while it is short. */
static void print_tick(const scale *s, double value, char *text) {
    if (s->axis->is_log) {
        const double power = pow(10, value);
        (void)snprintf(text, TICK_SIZE, value >= -3 && value < 6 ? "%.10g" : "%.0e", power);
    } else {
        (void)snprintf(text, TICK_SIZE, "%.10g", fabs(value) < s->step * 1e-6 ? 0 : value);
    }
    for (char *c = text; *c; c++) { /* whatever the locale's point is */
        *c = *c == ',' ? '.' : *c;
    }
}

/* ---- axes ---- */

static void draw_stroke(const plotter *p, double x1, double y1, double x2, double y2, const char *more) {
    hf_text_print(p->out, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s/>\n", HF_DECIMAL(x1), HF_DECIMAL(y1), HF_DECIMAL(x2),
                  HF_DECIMAL(y2), more);
}

static void draw_tick(const plotter *p, const scale *s, double value, bool is_labelled) {
    static const char pale[] = " stroke=\"#e4e6e9\"", faint[] = " stroke=\"#f1f2f4\"";
    const double place = s->origin + s->length * (value - s->low) / (s->high - s->low);
    const bool is_x = s == &p->x;
    char text[TICK_SIZE];
    draw_stroke(p, is_x ? place : LEFT, is_x ? TOP : place, is_x ? place : LEFT + WIDTH, is_x ? TOP + HEIGHT : place,
                is_labelled ? pale : faint);
    if (is_labelled) {
        print_tick(s, value, text);
        draw_text(p, is_x ? place : LEFT - 8, is_x ? TOP + HEIGHT + 18 : place + 4,
                  is_x ? " text-anchor=\"middle\"" : " text-anchor=\"end\"", text);
    }
}

static void draw_ticks(const plotter *p, const scale *s) {
    for (int i = 0; i < TICKS_MAX && s->low + i * s->step <= s->high + s->step * 1e-6; i++) {
        const double value = s->low + i * s->step;
        for (int k = 2; k < 10 && s->axis->is_log && s->high - s->low <= MINOR_DECADES && value < s->high; k++) {
            draw_tick(p, s, value + log10(k), false);
        }
        draw_tick(p, s, value, true);
    }
}

static void draw_axes(const plotter *p) {
    hf_text_print(p->out, "<g class=\"axes\" fill=\"#222222\">\n");
    draw_ticks(p, &p->x);
    draw_ticks(p, &p->y);
    hf_text_print(p->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#4a4f57\"/>\n", LEFT, TOP,
                  WIDTH, HEIGHT);
    draw_text(p, LEFT + WIDTH / 2.0, TOP + HEIGHT + 40, " text-anchor=\"middle\"", p->plot->x.label);
    char turn[96];
    (void)snprintf(turn, sizeof turn, " text-anchor=\"middle\" transform=\"rotate(-90 20 %d)\"", TOP + HEIGHT / 2);
    draw_text(p, 20, TOP + HEIGHT / 2.0, turn, p->plot->y.label);
    hf_text_print(p->out, "</g>\n");
}

/* ---- series ---- */

/** The mark of a series: one of eight shapes round (x, y). */
static void draw_mark(const plotter *p, size_t look, double x, double y, double r) {
    static const char *const shape[N_LOOK] = {
        "M-1 -1h2v2h-2z",       "M0 -1.2L1.2 1L-1.2 1z",  "M0 -1.3L1.3 0L0 1.3L-1.3 0z", "M-1.2 -1L1.2 -1L0 1.2z",
        "M-1 -1L1 1M-1 1L1 -1", "M-1.2 0h2.4M0 -1.2v2.4", "M-1.2 -0.6h2.4v1.2h-2.4z",    "M-0.6 -1.2h1.2v2.4h-1.2z"};
    hf_text_print(p->out, "<path class=\"mark\" transform=\"translate(%s %s) scale(%s)\" d=\"%s\" stroke-width=\"0.4\"/>\n",
                  HF_DECIMAL(x), HF_DECIMAL(y), HF_DECIMAL(r), shape[look]);
}

static void draw_joined(const plotter *p, const hf_plot_series *s) {
    bool is_open = false;
    hf_text_print(p->out, "<path fill=\"none\" stroke-width=\"1.6\" d=\"");
    for (size_t k = 0; k < s->n_point; k++) {
        const hf_plot_point *point = &s->point[k];
        if (!is_drawn(p, point)) {
            is_open = false;
            continue;
        }
        const double x = at(&p->x, point->x), y = at(&p->y, point->y);
        if (is_open && s->is_steps) {
            hf_text_print(p->out, "H%s", HF_DECIMAL(x));
        }
        hf_text_print(p->out, "%s%s %s", is_open ? "L" : "M", HF_DECIMAL(x), HF_DECIMAL(y));
        is_open = true;
    }
    hf_text_print(p->out, "\"/>\n");
}

static void draw_bar(const plotter *p, const hf_plot_point *point) {
    const double x = at(&p->x, point->x), low = at(&p->y, point->low), high = at(&p->y, point->high);
    hf_text_print(p->out, "<path class=\"bar\" fill=\"none\" d=\"M%s %sV%sM%s %sh6M%s %sh6\"/>\n", HF_DECIMAL(x), HF_DECIMAL(low),
                  HF_DECIMAL(high), HF_DECIMAL(x - 3), HF_DECIMAL(low), HF_DECIMAL(x - 3), HF_DECIMAL(high));
}

/** Beside the point, on the side where there is more room. */
static void draw_label(const plotter *p, const hf_plot_point *point) {
    const double x = at(&p->x, point->x), y = at(&p->y, point->y);
    const bool is_right = x < LEFT + WIDTH / 2.0;
    draw_text(p, is_right ? x + 7 : x - 7, y - 5,
              is_right ? " stroke=\"none\" font-size=\"9\"" : " stroke=\"none\" font-size=\"9\" text-anchor=\"end\"",
              point->label);
}

static const char *colour_of(const hf_plot_series *s, size_t look) { return s->is_pale ? "#b4b9c0" : colours[look]; }

static void draw_series(const plotter *p, size_t i) {
    const hf_plot_series *s = &p->plot->series[i];
    const size_t look = i % N_LOOK;
    hf_text_print(p->out, "<g class=\"series\" stroke=\"%s\" fill=\"%s\">\n", colour_of(s, look), colour_of(s, look));
    if (s->is_joined && s->n_point) {
        draw_joined(p, s);
    }
    for (size_t k = 0; k < s->n_point; k++) {
        const hf_plot_point *point = &s->point[k];
        if (!is_drawn(p, point)) {
            continue;
        }
        if (has_bar(p, point)) {
            draw_bar(p, point);
        }
        if (!s->is_joined || s->n_point <= 100) {
            draw_mark(p, look, at(&p->x, point->x), at(&p->y, point->y), s->is_pale ? 2 : 3.2);
        }
        if (point->label) {
            draw_label(p, point);
        }
    }
    hf_text_print(p->out, "</g>\n");
}

/* ---- the legend, below: names of any length find room ---- */

static void draw_key(const plotter *p, size_t i, double y) {
    const hf_plot_series *s = &p->plot->series[i];
    const size_t look = i % N_LOOK;
    hf_text_print(p->out, "<g stroke=\"%s\" fill=\"%s\">\n", colour_of(s, look), colour_of(s, look));
    if (s->is_joined) {
        draw_stroke(p, LEFT, y, LEFT + 28, y, " stroke-width=\"1.6\"");
    }
    draw_mark(p, look, LEFT + 14, y, s->is_pale ? 2 : 3.2);
    hf_text_print(p->out, "</g>\n");
    draw_text(p, LEFT + 38, y + 4, " fill=\"#222222\"", s->name);
}

static double draw_legend(const plotter *p, bool is_drawn_now) {
    double y = TOP + HEIGHT + BOTTOM + ROW / 2.0;
    for (size_t i = 0; i < p->plot->n_series; i++) {
        if (p->plot->series[i].name) {
            if (is_drawn_now) {
                draw_key(p, i, y);
            }
            y += ROW;
        }
    }
    return y;
}

/* ---- all ---- */

/** The widest text decides when it is wider than the frame. */
static double width_of(const hf_plot *plot) {
    double width = LEFT + WIDTH + RIGHT;
    width = fmax(width, 32 + 0.68 * TITLE_SIZE * (double)strlen(plot->title));
    for (size_t i = 0; i < plot->n_series; i++) {
        width = fmax(width, plot->series[i].name ? LEFT + 54 + 0.66 * FONT_SIZE * (double)strlen(plot->series[i].name) : 0);
    }
    return ceil(width);
}

static void draw_all(const plotter *p) {
    const double width = width_of(p->plot), height = ceil(draw_legend(p, false));
    hf_text_print(p->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n<title>",
                  HF_DECIMAL(width), HF_DECIMAL(height), HF_DECIMAL(width), HF_DECIMAL(height));
    hf_text_any_xml(p->out, p->plot->title);
    hf_text_print(p->out,
                  "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                  "<g font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"%d\">\n",
                  FONT_SIZE);
    draw_text(p, 16, 22, " font-size=\"13\" font-weight=\"bold\" fill=\"#222222\"", p->plot->title);
    draw_axes(p);
    for (size_t i = 0; i < p->plot->n_series; i++) {
        draw_series(p, i);
    }
    if (!p->has_points) {
        draw_text(p, LEFT + WIDTH / 2.0, TOP + HEIGHT / 2.0, " text-anchor=\"middle\" fill=\"#222222\"", "no points");
    }
    hf_text_print(p->out, "<g class=\"legend\">\n");
    (void)draw_legend(p, true);
    hf_text_print(p->out, "</g>\n</g>\n</svg>\n");
}

hf_status hf_format_plot(hf_context *cx, const hf_plot *plot, hf_text *out) {
    plotter p = {.out = out, .plot = plot};
    size_t n = 0;
    for (size_t i = 0; i < plot->n_series; i++) {
        n += plot->series[i].n_point;
    }
    if (n > POINTS_MAX) {
        HF_FAIL(cx, HF_ERANGE, "the plot \"%s\" has %zu points; at most %d can be drawn", plot->title, n, POINTS_MAX);
    }
    find_scales(&p);
    draw_all(&p);
    return hf_text_check(cx, out);
}
