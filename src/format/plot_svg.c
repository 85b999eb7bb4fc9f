/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots as SVG 1.1, with the same plain means as the drawings of networks (svg.c). A series has a colour, a mark and a dash of
 *  its own, so that it survives a print in black and white; what is published for it has its mark hollow. One panel is as wide
 *  as a column of a paper, in which its text has some 7 points; several are as wide as two columns. */
#include "src/format/drawing.h"
#include "src/format/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FONT = 12, EDGE = 8, LINE = 16, TICK_GAP = 6, GAP = 16, LABELS_MAX = 256, KEY = 26 };
static const double letter = 0.6 * FONT; /* mean width */

typedef struct plotter {
    hf_text *out;
    const hf_plot *plot;
    hf_plot_layout l;
    double left, top, width, height; /* of the frame of the first panel */
    double below, step_x, step_y;    /* from one frame to the next */
    double whole_width, whole_height;
    size_t n_row, legend_columns, panel; /* the one that is drawn */
    double turn;                         /* degrees of the labels of names on the x axis, or 0 */
    double label[LABELS_MAX][3];         /* left, right and baseline of those drawn */
    size_t n_label;
} plotter;

/* ---- texts ---- */

static double width_of(const char *text) {
    size_t n = 0;
    for (; *text; text++) {
        n += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return letter * (double)n;
}

static void draw_text(const plotter *p, double x, double y, const char *more, const char *text) {
    hf_text_print(p->out, "<text x=\"%s\" y=\"%s\"%s>", HF_DECIMAL(x), HF_DECIMAL(y), more);
    hf_text_any_xml(p->out, text);
    hf_text_print(p->out, "</text>\n");
}

/* A title in as many lines as it takes. \return lines; drawn with p->out, unless it is only measured */
static int draw_title(const plotter *p, const char *text, double width, bool is_drawn) {
    char line[512];
    int n = 0;
    while (*text) {
        size_t size = 0;
        for (size_t end = 0; text[end] && (size == 0 || letter * 1.05 * (double)end < width) && end + 1 < sizeof line;) {
            end += strcspn(text + end, " ");
            size = size == 0 || letter * 1.05 * (double)end < width ? end : size;
            end += strspn(text + end, " ");
        }
        size = size < sizeof line ? size : sizeof line - 1;
        memcpy(line, text, size);
        line[size] = 0;
        if (is_drawn) {
            draw_text(p, EDGE, EDGE + 11 + n * LINE, " font-weight=\"bold\" fill=\"#222222\"", line);
        }
        text += size + strspn(text + size, " ");
        n++;
    }
    return n;
}

/* ---- where everything goes ---- */

static double widest_tick(const hf_scale *s) {
    char text[HF_TICK_SIZE];
    double value, most = 0;
    for (int i = 0; hf_scale_tick(s, i, &value); i++) {
        hf_scale_print_tick(s, value, text);
        most = fmax(most, width_of(text));
    }
    return most;
}

static double widest_name(const hf_plot_axis *axis) {
    double most = 0;
    for (size_t i = 0; i < axis->n_name; i++) {
        most = fmax(most, width_of(axis->name[i]));
    }
    return most;
}

static size_t count_keys(const hf_plot_layout *l) {
    size_t n = l->has_published;
    for (size_t i = 0; i < l->n_look; i++) {
        n += l->look[i].name != NULL;
    }
    return n;
}

static double widest_key(const hf_plot_layout *l) {
    double most = width_of(l->has_published ? "published" : "");
    for (size_t i = 0; i < l->n_look; i++) {
        most = fmax(most, l->look[i].name ? width_of(l->look[i].name) : 0);
    }
    return most + KEY + 2 * EDGE;
}

static void place_all(plotter *p) {
    const hf_plot_layout *l = &p->l;
    static const double widths[] = {0, 340, 260, 200}, heights[] = {0, 220, 180, 150};
    const double name = widest_name(&p->plot->x), titles = *l->panel[0] ? LINE + 2 : 0;
    p->width = widths[l->n_column];
    p->height = heights[l->n_column];
    p->turn = p->plot->x.n_name && name + letter > p->width / (double)p->plot->x.n_name ? 30 : 0;
    p->below = TICK_GAP + (p->turn > 0 ? 0.5 * name + LINE : LINE);
    double ticks = 0;
    for (size_t i = 0; i < l->n_panel; i++) {
        ticks = fmax(ticks, widest_tick(&l->y[i]));
    }
    p->left = EDGE + LINE + 4 + ticks + TICK_GAP;
    p->left = p->turn > 0 ? fmax(p->left, 0.87 * name - 0.5 * p->width / (double)p->plot->x.n_name) : p->left;
    p->n_row = (l->n_panel + l->n_column - 1) / l->n_column;
    p->step_x = p->width + GAP + (l->own_y ? ticks + TICK_GAP : 0);
    p->step_y = p->height + GAP + titles + (l->own_x ? p->below : 0);
    p->whole_width = ceil(fmax(p->left + p->step_x * (double)(l->n_column - 1) + p->width + EDGE + 6, widest_key(l)));
    p->top = EDGE + LINE * draw_title(p, p->plot->title, p->whole_width - 2 * EDGE, false) + 4 + titles;
    p->legend_columns = (size_t)fmax(1, floor((p->whole_width - EDGE) / widest_key(l)));
    const double keys = ceil((double)count_keys(l) / (double)p->legend_columns);
    p->whole_height = ceil(p->top + p->step_y * (double)(p->n_row - 1) + p->height + p->below + LINE + 6 + keys * LINE + EDGE);
}

/* Move axes to a panel. */
static void go_to(plotter *p, size_t panel, double *left, double *top) {
    *left = p->left + p->step_x * (double)(panel % p->l.n_column);
    const size_t row = panel / p->l.n_column;
    *top = p->top + p->step_y * (double)row;
    p->panel = panel;
    p->l.x[panel].origin = *left;
    p->l.x[panel].length = p->width;
    p->l.y[panel].origin = *top + p->height;
    p->l.y[panel].length = -p->height;
}

/* ---- axes ---- */

static void draw_stroke(const plotter *p, double x1, double y1, double x2, double y2, const char *more) {
    hf_text_print(p->out, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s/>\n", HF_DECIMAL(x1), HF_DECIMAL(y1), HF_DECIMAL(x2),
                  HF_DECIMAL(y2), more);
}

static void draw_grid(const plotter *p, const hf_scale *s, double left, double top) {
    const bool is_x = s == &p->l.x[p->panel];
    double value;
    for (int i = 0; hf_scale_tick(s, i, &value); i++) {
        const double at = hf_scale_tick_at(s, value);
        draw_stroke(p, is_x ? at : left, is_x ? top : at, is_x ? at : left + p->width, is_x ? top + p->height : at,
                    " stroke=\"#e4e6e9\"");
    }
}

static void draw_name(const plotter *p, double x, double y, const char *name) {
    char turn[96] = " text-anchor=\"middle\"";
    if (p->turn > 0) {
        (void)snprintf(turn, sizeof turn, " text-anchor=\"end\" transform=\"rotate(-%.0f %s %s)\"", p->turn, HF_DECIMAL(x),
                       HF_DECIMAL(y - 6));
    }
    draw_text(p, x, p->turn > 0 ? y - 6 : y, turn, name);
}

/* Numbers below the frame, where the one before leaves room; names always. */
static void label_x(const plotter *p, double top) {
    const hf_scale *s = &p->l.x[p->panel];
    const double y = top + p->height + TICK_GAP + 11;
    double value, last = -HUGE_VAL;
    char text[HF_TICK_SIZE];
    for (int i = 0; hf_scale_tick(s, i, &value); i++) {
        const double at = hf_scale_tick_at(s, value);
        hf_scale_print_tick(s, value, text);
        if (s->axis->n_name) {
            draw_name(p, at, y, s->axis->name[i]);
        } else if (at - width_of(text) / 2 > last + FONT / 2.0) {
            draw_text(p, at, y, " text-anchor=\"middle\"", text);
            last = at + width_of(text) / 2;
        }
    }
}

static void label_y(const plotter *p, double left) {
    double value;
    char text[HF_TICK_SIZE];
    for (int i = 0; hf_scale_tick(&p->l.y[p->panel], i, &value); i++) {
        hf_scale_print_tick(&p->l.y[p->panel], value, text);
        draw_text(p, left - TICK_GAP, hf_scale_tick_at(&p->l.y[p->panel], value) + 4, " text-anchor=\"end\"", text);
    }
}

static void draw_frame(plotter *p, size_t panel) {
    double left, top;
    go_to(p, panel, &left, &top);
    draw_grid(p, &p->l.x[p->panel], left, top);
    draw_grid(p, &p->l.y[p->panel], left, top);
    if (p->l.own_x || panel + p->l.n_column >= p->l.n_panel) {
        label_x(p, top);
    }
    if (p->l.own_y || panel % p->l.n_column == 0) {
        label_y(p, left);
    }
    hf_text_print(p->out, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"none\" stroke=\"#4a4f57\"/>\n",
                  HF_DECIMAL(left), HF_DECIMAL(top), HF_DECIMAL(p->width), HF_DECIMAL(p->height));
    if (*p->l.panel[panel]) {
        draw_text(p, left + p->width / 2, top - 5, " text-anchor=\"middle\"", p->l.panel[panel]);
    }
}

/* The labels of the axes, once for all panels. */
static void draw_labels(const plotter *p) {
    const double bottom = p->top + p->step_y * (double)(p->n_row - 1) + p->height, middle = (p->top + bottom) / 2;
    const double right = p->left + p->step_x * (double)(p->l.n_column - 1) + p->width;
    char turn[96];
    draw_text(p, (p->left + right) / 2, bottom + p->below + LINE - 2, " text-anchor=\"middle\"", p->plot->x.label);
    (void)snprintf(turn, sizeof turn, " text-anchor=\"middle\" transform=\"rotate(-90 %d %s)\"", EDGE + 10, HF_DECIMAL(middle));
    draw_text(p, EDGE + 10, middle, turn, p->plot->y.label);
}

/* ---- series ---- */

/** The mark of a look: one of eight shapes round (x, y). */
static void draw_mark(const plotter *p, const hf_plot_look *look, bool is_hollow, double x, double y) {
    static const char *const shape[HF_PLOT_MARKS] = {"M-1 -1h2v2h-2z",
                                                     "M0 -1.2L1.2 1L-1.2 1z",
                                                     "M0 -1.3L1.3 0L0 1.3L-1.3 0z",
                                                     "M-1.2 -1L1.2 -1L0 1.2z",
                                                     "M-1 -1L1 1M-1 1L1 -1",
                                                     "M-1.2 0h2.4M0 -1.2v2.4",
                                                     "M-1.1 0a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0 -2.2 0z",
                                                     "M0 -1.2L1.1 -0.4L0.7 1L-0.7 1L-1.1 -0.4z"};
    const double r = look->is_pale ? 2 : is_hollow ? 4 : 3;
    hf_text_print(p->out, "<path class=\"mark\" transform=\"translate(%s %s) scale(%s)\" d=\"%s\" stroke-width=\"0.4\"%s/>\n",
                  HF_DECIMAL(x), HF_DECIMAL(y), HF_DECIMAL(r), shape[look->mark], is_hollow ? " fill=\"#ffffff\"" : "");
}

static const char *dash_of(const hf_plot_look *look) {
    static const char *const dashes[HF_PLOT_DASHES] = {"", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\"",
                                                       " stroke-dasharray=\"8 3 2 3\""};
    return dashes[look->dash];
}

static void draw_joined(const plotter *p, size_t i) {
    const hf_plot_series *s = &p->plot->series[i];
    bool is_open = false;
    hf_text_print(p->out, "<path fill=\"none\" stroke-width=\"1.5\"%s d=\"", dash_of(&p->l.look[p->l.look_of[i]]));
    for (size_t k = 0; k < s->n_point; k++) {
        const hf_plot_point *point = &s->point[k];
        if (!hf_plot_is_drawn(&p->l, point)) {
            is_open = false;
            continue;
        }
        const double x = hf_scale_at(&p->l.x[p->panel], point->x), y = hf_scale_at(&p->l.y[p->panel], point->y);
        if (is_open && s->is_steps) {
            hf_text_print(p->out, "H%s", HF_DECIMAL(x));
        }
        hf_text_print(p->out, "%s%s %s", is_open ? "L" : "M", HF_DECIMAL(x), HF_DECIMAL(y));
        is_open = true;
    }
    hf_text_print(p->out, "\"/>\n");
}

/* Forward along the lower ends, back along the upper ones; a point without an interval is both. */
static void draw_band(const plotter *p, const hf_plot_series *s) {
    bool is_open = false;
    hf_text_print(p->out, "<path class=\"band\" stroke=\"none\" fill-opacity=\"0.18\" d=\"");
    for (size_t k = 0; k < 2 * s->n_point; k++) {
        const hf_plot_point *point = &s->point[k < s->n_point ? k : 2 * s->n_point - 1 - k];
        if (hf_plot_is_drawn(&p->l, point)) {
            const double end = !hf_plot_has_interval(&p->l, point) ? point->y : k < s->n_point ? point->low : point->high;
            hf_text_print(p->out, "%s%s %s", is_open ? "L" : "M", HF_DECIMAL(hf_scale_at(&p->l.x[p->panel], point->x)),
                          HF_DECIMAL(hf_scale_at(&p->l.y[p->panel], end)));
            is_open = true;
        }
    }
    hf_text_print(p->out, "%s\"/>\n", is_open ? "Z" : "");
}

static void draw_bar(const plotter *p, double x, const hf_plot_point *point) {
    const double low = hf_scale_at(&p->l.y[p->panel], point->low), high = hf_scale_at(&p->l.y[p->panel], point->high);
    hf_text_print(p->out, "<path class=\"bar\" fill=\"none\" d=\"M%s %sV%sM%s %sh6M%s %sh6\"/>\n", HF_DECIMAL(x), HF_DECIMAL(low),
                  HF_DECIMAL(high), HF_DECIMAL(x - 3), HF_DECIMAL(low), HF_DECIMAL(x - 3), HF_DECIMAL(high));
}

static bool is_free(const plotter *p, double left, double right, double y) {
    for (size_t i = 0; i < p->n_label; i++) {
        if (left < p->label[i][1] && right > p->label[i][0] && fabs(y - p->label[i][2]) < 11) {
            return false;
        }
    }
    return true;
}

/* Where a line between two points is within [left, right]. \return does it pass between the heights? */
static bool passes(const double from[2], const double to[2], double left, double right, double top, double bottom) {
    const double begin = fmax(fmin(from[0], to[0]), left), end = fmin(fmax(from[0], to[0]), right);
    const double slope = from[0] < to[0] || from[0] > to[0] ? (to[1] - from[1]) / (to[0] - from[0]) : 0;
    const double y1 = slope == 0 ? from[1] : from[1] + slope * (begin - from[0]);
    const double y2 = slope == 0 ? to[1] : from[1] + slope * (end - from[0]);
    return begin <= end && fmax(y1, y2) >= top && fmin(y1, y2) <= bottom;
}

/* How many marks and lines are where a label would stand? */
static size_t count_below(const plotter *p, double left, double right, double y) {
    size_t n = 0;
    for (size_t i = 0; i < p->plot->n_series; i++) {
        const hf_plot_series *s = &p->plot->series[i];
        double last[2] = {0, 0};
        bool is_open = false;
        for (size_t k = 0; k < s->n_point && p->l.panel_of[i] == p->panel; k++) {
            const bool is_drawn = hf_plot_is_drawn(&p->l, &s->point[k]);
            const double at[2] = {hf_scale_at(&p->l.x[p->panel], hf_plot_x(&p->l, i, &s->point[k])),
                                  hf_scale_at(&p->l.y[p->panel], s->point[k].y)};
            n += is_drawn && passes(is_open && s->is_joined ? last : at, at, left - 4, right + 4, y - 12, y + 6);
            memcpy(last, at, sizeof last);
            is_open = is_drawn;
        }
    }
    return n;
}

/** Beside the point, on the side where there is more room: at its height, near it or at the edges of the frame, where no label
 * and least of the curves is. */
static void draw_label(plotter *p, double x, double y0, const char *text) {
    const double bottom = p->l.y[p->panel].origin, top = bottom - p->height;
    const double at[] = {y0 - 5,  y0 + 14, y0 - 17,  y0 + 26,    y0 - 29,  y0 + 38,
                         y0 + 50, y0 + 62, top + 13, bottom - 6, top + 25, bottom - 18};
    const bool is_right = x < p->l.x[p->panel].origin + p->width / 2;
    const double width = 0.85 * width_of(text), left = is_right ? x + 7 : x - 7 - width, right = left + width;
    size_t least = SIZE_MAX;
    double y = at[0];
    for (size_t i = 0; i < sizeof at / sizeof *at && least > 0; i++) {
        const bool is_inside = at[i] - 10 > top && at[i] + 4 < bottom && is_free(p, left, right, at[i]);
        const size_t n = is_inside ? count_below(p, left, right, at[i]) : SIZE_MAX;
        y = n < least ? at[i] : y;
        least = n < least ? n : least;
    }
    if (p->n_label < LABELS_MAX) {
        memcpy(p->label[p->n_label++], (double[3]){left, right, y}, sizeof *p->label);
    }
    draw_text(p, is_right ? x + 7 : x - 7, y,
              is_right ? " stroke=\"none\" font-size=\"10\"" : " stroke=\"none\" font-size=\"10\" text-anchor=\"end\"", text);
}

static void draw_points(plotter *p, size_t i, bool has_band) {
    const hf_plot_series *s = &p->plot->series[i];
    for (size_t k = 0; k < s->n_point; k++) {
        const hf_plot_point *point = &s->point[k];
        if (!hf_plot_is_drawn(&p->l, point)) {
            continue;
        }
        const double x = hf_scale_at(&p->l.x[p->panel], hf_plot_x(&p->l, i, point)), y = hf_scale_at(&p->l.y[p->panel], point->y);
        if (!has_band && hf_plot_has_interval(&p->l, point)) {
            draw_bar(p, x, point);
        }
        if (!s->is_joined || s->n_point <= 100) {
            draw_mark(p, &p->l.look[p->l.look_of[i]], s->is_published, x, y);
        }
        if (point->label) {
            draw_label(p, x, y, point->label);
        }
    }
}

static void draw_series(plotter *p, size_t i) {
    const hf_plot_series *s = &p->plot->series[i];
    const char *colour = hf_plot_colour(&p->l.look[p->l.look_of[i]]);
    const bool has_band = hf_plot_has_band(&p->l, s);
    double left, top;
    go_to(p, p->l.panel_of[i], &left, &top);
    hf_text_print(p->out, "<g class=\"series\" stroke=\"#%s\" fill=\"#%s\">\n", colour, colour);
    if (has_band) {
        draw_band(p, s);
    }
    if (s->is_joined && s->n_point) {
        draw_joined(p, i);
    }
    draw_points(p, i, has_band);
    hf_text_print(p->out, "</g>\n");
}

/* ---- the legend, below: names of any length find room ---- */

static void draw_key(const plotter *p, size_t place, const hf_plot_look *look, bool is_hollow, const char *name) {
    const double x = EDGE + floor((p->whole_width - EDGE) / (double)p->legend_columns) * (double)(place % p->legend_columns);
    const size_t n_line = (count_keys(&p->l) + p->legend_columns - 1) / p->legend_columns;
    const size_t line = place / p->legend_columns;
    const double y = p->whole_height - EDGE - LINE * ((double)(n_line - line) - 0.5);
    const char *colour = is_hollow ? "222222" : hf_plot_colour(look);
    hf_text_print(p->out, "<g stroke=\"#%s\" fill=\"#%s\">\n", colour, colour);
    if (look->is_joined && !is_hollow) {
        char more[64];
        (void)snprintf(more, sizeof more, " stroke-width=\"1.5\"%s", dash_of(look));
        draw_stroke(p, x, y, x + KEY - 4, y, more);
    }
    draw_mark(p, look, is_hollow, x + KEY / 2.0 - 2, y);
    hf_text_print(p->out, "</g>\n");
    draw_text(p, x + KEY + 2, y + 4, " fill=\"#222222\"", name);
}

static void draw_legend(const plotter *p) {
    size_t place = 0;
    hf_text_print(p->out, "<g class=\"legend\">\n");
    for (size_t i = 0; i < p->l.n_look; i++) {
        if (p->l.look[i].name) {
            draw_key(p, place++, &p->l.look[i], false, p->l.look[i].name);
        }
    }
    if (p->l.has_published) {
        draw_key(p, place, &p->l.look[0], true, "published");
    }
    hf_text_print(p->out, "</g>\n");
}

/* ---- all ---- */

static void draw_all(plotter *p) {
    hf_text_print(p->out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n<title>",
                  HF_DECIMAL(p->whole_width), HF_DECIMAL(p->whole_height), HF_DECIMAL(p->whole_width),
                  HF_DECIMAL(p->whole_height));
    hf_text_any_xml(p->out, p->plot->title);
    hf_text_print(p->out,
                  "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                  "<g font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"%d\">\n",
                  FONT);
    (void)draw_title(p, p->plot->title, p->whole_width - 2 * EDGE, true);
    hf_text_print(p->out, "<g class=\"axes\" fill=\"#222222\">\n");
    for (size_t panel = 0; panel < p->l.n_panel; panel++) {
        draw_frame(p, panel);
    }
    draw_labels(p);
    hf_text_print(p->out, "</g>\n");
    for (size_t i = 0; i < p->plot->n_series; i++) {
        draw_series(p, i);
    }
    if (!p->l.has_points) {
        draw_text(p, p->left + p->width / 2, p->top + p->height / 2, " text-anchor=\"middle\" fill=\"#222222\"", "no points");
    }
    draw_legend(p);
    hf_text_print(p->out, "</g>\n</svg>\n");
}

hf_status hf_plot_write_svg(hf_context *cx, const hf_plot *plot, hf_text *out) {
    plotter p = {.out = out, .plot = plot};
    HF_TRY(hf_plot_lay_out(cx, plot, 7, 6, HF_PLOT_EDGE_PERCENT / 100.0, &p.l));
    place_all(&p);
    draw_all(&p);
    return HF_OK;
}
