/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots as SVG 1.1, with the same plain means as the drawings of networks (svg.c). A series has a colour and a mark of its own,
 *  so that it survives a print in black and white. Ticks stand at 1, 2 or 5 times a power of ten; logarithmic axes show
 *  decades. */
#include "src/format/drawing.h"
#include "src/format/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A plot of some 600 units, so that its text can be read in a column of 85 mm: 5 to 6 points. */
enum { LEFT = 94, RIGHT = 24, TOP = 44, BOTTOM = 60, WIDTH = 480, HEIGHT = 320, ROW = 20, FONT_SIZE = 13, TITLE_SIZE = 14 };
enum { N_LOOK = 8, MINOR_DECADES = 4, TICKS_MAX = 64, LABELS_MAX = 256 };

/** Colours that the colour-blind tell apart. Source: Okabe and Ito. */
static const char *const colours[N_LOOK] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#8a6d00", "#222222"};

typedef struct plotter {
    hf_text *out;
    const hf_plot *plot;
    hf_scale x, y;
    bool has_points;
    double label[LABELS_MAX][3]; /**< left, right and baseline of those drawn */
    size_t n_label;
} plotter;

/* ---- texts ---- */

static void draw_text(const plotter *p, double x, double y, const char *more, const char *text) {
    hf_text_print(p->out, "<text x=\"%s\" y=\"%s\"%s>", HF_DECIMAL(x), HF_DECIMAL(y), more);
    hf_text_any_xml(p->out, text);
    hf_text_print(p->out, "</text>\n");
}

/* ---- axes ---- */

static void draw_stroke(const plotter *p, double x1, double y1, double x2, double y2, const char *more) {
    hf_text_print(p->out, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s/>\n", HF_DECIMAL(x1), HF_DECIMAL(y1), HF_DECIMAL(x2),
                  HF_DECIMAL(y2), more);
}

static void draw_tick(const plotter *p, const hf_scale *s, double value, bool is_labelled) {
    static const char pale[] = " stroke=\"#e4e6e9\"", faint[] = " stroke=\"#f1f2f4\"";
    const double place = s->origin + s->length * (value - s->low) / (s->high - s->low);
    const bool is_x = s == &p->x;
    char text[HF_TICK_SIZE];
    draw_stroke(p, is_x ? place : LEFT, is_x ? TOP : place, is_x ? place : LEFT + WIDTH, is_x ? TOP + HEIGHT : place,
                is_labelled ? pale : faint);
    if (is_labelled) {
        hf_scale_print_tick(s, value, text);
        draw_text(p, is_x ? place : LEFT - 8, is_x ? TOP + HEIGHT + 19 : place + 4.5,
                  is_x ? " text-anchor=\"middle\"" : " text-anchor=\"end\"", text);
    }
}

/* Is there room for the label of a tick after one that ends at *last? On the y axis there always is. */
static bool has_room(const plotter *p, const hf_scale *s, double value, double *last) {
    char text[HF_TICK_SIZE];
    hf_scale_print_tick(s, value, text);
    const double place = s->origin + s->length * (value - s->low) / (s->high - s->low);
    const double half = 0.32 * FONT_SIZE * (double)strlen(text);
    if (s == &p->x && place - half < *last + FONT_SIZE / 2.0) {
        return false;
    }
    *last = place + half;
    return true;
}

static void draw_ticks(const plotter *p, const hf_scale *s) {
    double last = -HUGE_VAL;
    for (int i = 0; i < TICKS_MAX && s->low + i * s->step <= s->high + s->step * 1e-6; i++) {
        const double value = s->low + i * s->step;
        for (int k = 2; k < 10 && s->axis->is_log && s->high - s->low <= MINOR_DECADES && value < s->high; k++) {
            draw_tick(p, s, value + log10(k), false);
        }
        draw_tick(p, s, value, has_room(p, s, value, &last));
    }
}

static void draw_axes(const plotter *p) {
    hf_text_print(p->out, "<g class=\"axes\" fill=\"#222222\">\n");
    draw_ticks(p, &p->x);
    draw_ticks(p, &p->y);
    hf_text_print(p->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#4a4f57\"/>\n", LEFT, TOP,
                  WIDTH, HEIGHT);
    draw_text(p, LEFT + WIDTH / 2.0, TOP + HEIGHT + 43, " text-anchor=\"middle\"", p->plot->x.label);
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
        if (!hf_plot_is_drawn(p->plot, point)) {
            is_open = false;
            continue;
        }
        const double x = hf_scale_at(&p->x, point->x), y = hf_scale_at(&p->y, point->y);
        if (is_open && s->is_steps) {
            hf_text_print(p->out, "H%s", HF_DECIMAL(x));
        }
        hf_text_print(p->out, "%s%s %s", is_open ? "L" : "M", HF_DECIMAL(x), HF_DECIMAL(y));
        is_open = true;
    }
    hf_text_print(p->out, "\"/>\n");
}

static void draw_bar(const plotter *p, const hf_plot_point *point) {
    const double x = hf_scale_at(&p->x, point->x), low = hf_scale_at(&p->y, point->low), high = hf_scale_at(&p->y, point->high);
    hf_text_print(p->out, "<path class=\"bar\" fill=\"none\" d=\"M%s %sV%sM%s %sh6M%s %sh6\"/>\n", HF_DECIMAL(x), HF_DECIMAL(low),
                  HF_DECIMAL(high), HF_DECIMAL(x - 3), HF_DECIMAL(low), HF_DECIMAL(x - 3), HF_DECIMAL(high));
}

static bool is_free(const plotter *p, double left, double right, double y) {
    for (size_t i = 0; i < p->n_label; i++) {
        if (left < p->label[i][1] && right > p->label[i][0] && fabs(y - p->label[i][2]) < 12) {
            return false;
        }
    }
    return true;
}

/** Beside the point, on the side where there is more room; higher or lower where another label stands. */
static void draw_label(plotter *p, const hf_plot_point *point) {
    static const double off[] = {-5, 14, -18, 27, -31, 40};
    const double x = hf_scale_at(&p->x, point->x), y0 = hf_scale_at(&p->y, point->y);
    const bool is_right = x < LEFT + WIDTH / 2.0;
    const double width = 6.8 * (double)strlen(point->label), left = is_right ? x + 7 : x - 7 - width, right = left + width;
    size_t i = 0;
    while (i + 1 < sizeof off / sizeof *off && !is_free(p, left, right, y0 + off[i])) {
        i++;
    }
    const double y = y0 + off[i];
    if (p->n_label < LABELS_MAX) {
        memcpy(p->label[p->n_label++], (double[3]){left, right, y}, sizeof *p->label);
    }
    draw_text(p, is_right ? x + 7 : x - 7, y,
              is_right ? " stroke=\"none\" font-size=\"11\"" : " stroke=\"none\" font-size=\"11\" text-anchor=\"end\"",
              point->label);
}

static const char *colour_of(const hf_plot_series *s, size_t look) { return s->is_pale ? "#b4b9c0" : colours[look]; }

static void draw_series(plotter *p, size_t i) {
    const hf_plot_series *s = &p->plot->series[i];
    const size_t look = i % N_LOOK;
    hf_text_print(p->out, "<g class=\"series\" stroke=\"%s\" fill=\"%s\">\n", colour_of(s, look), colour_of(s, look));
    if (s->is_joined && s->n_point) {
        draw_joined(p, s);
    }
    for (size_t k = 0; k < s->n_point; k++) {
        const hf_plot_point *point = &s->point[k];
        if (!hf_plot_is_drawn(p->plot, point)) {
            continue;
        }
        if (hf_plot_has_bar(p->plot, point)) {
            draw_bar(p, point);
        }
        if (!s->is_joined || s->n_point <= 100) {
            draw_mark(p, look, hf_scale_at(&p->x, point->x), hf_scale_at(&p->y, point->y), s->is_pale ? 2 : 3.2);
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

static void draw_all(plotter *p) {
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
    draw_text(p, 16, 22, " font-size=\"14\" font-weight=\"bold\" fill=\"#222222\"", p->plot->title);
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
    HF_TRY(hf_plot_check(cx, plot));
    p.x = (hf_scale){.origin = LEFT, .length = WIDTH};
    p.y = (hf_scale){.origin = TOP + HEIGHT, .length = -HEIGHT};
    p.has_points = hf_scale_find(plot, 10, 8, &p.x, &p.y);
    draw_all(&p);
    return hf_text_check(cx, out);
}
