/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots as LaTeX with pgfplots. The file has the data as tables, one a series, and compiles by itself to a page of the size of
 *  the picture; where pgfplots is loaded already it is nothing but the picture, to be had by \input in a figure. It takes no
 *  title: that is what captions are for. One panel fits a column, several the width of a page. */
#include "src/format/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REAL_SIZE = 40, TICKS_MOST = 7, TICKS_LEAST = 2 };

typedef struct writer {
    hf_text *out;
    const hf_plot *plot;
    hf_plot_layout l;
    double width, height; /* of a frame, in cm */
    size_t n_row;
} writer;

/* `value` with twelve digits, whatever the locale. */
static const char *real(char text[REAL_SIZE], double value) {
    (void)snprintf(text, REAL_SIZE, "%.12g", value);
    for (char *c = text; *c; c++) {
        *c = *c == ',' ? '.' : *c;
    }
    return text;
}
#define REAL(value) real((char[REAL_SIZE]){0}, (value))

/* The comment in the first line cannot be left by what a title holds. */
static void put_comment(const writer *w, const char *text) {
    hf_text_print(w->out, "%% ");
    for (; *text; text++) {
        hf_text_append(w->out, *text == '\n' || *text == '\r' ? " " : text, 1);
    }
    hf_text_print(w->out, "\n");
}

static void put_head(const writer *w) {
    put_comment(w, w->plot->title);
    hf_text_print(
        w->out,
        "%% Compiles by itself with pdflatex. In a document: \\usepackage{pgfplots}, and \\input of this file in a figure.\n"
        "\\ifx\\pgfplotsset\\undefined\n"
        "  \\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.17}\n"
        "  \\pdftrailerid{}\\pdfsuppressptexinfo=-1\\pdfinfoomitdate=1\n"
        "  \\newsavebox{\\holdfastpicture}\n"
        "  \\def\\holdfastend{\\end{lrbox}\\pdfhorigin=2bp\\pdfvorigin=2bp\n"
        "    \\pdfpagewidth=\\dimexpr\\wd\\holdfastpicture+4bp\\relax\n"
        "    \\pdfpageheight=\\dimexpr\\ht\\holdfastpicture+\\dp\\holdfastpicture+4bp\\relax\n"
        "    \\hoffset=0pt\\voffset=0pt\\shipout\\box\\holdfastpicture\\end{document}}\n"
        "  \\begin{document}\\begin{lrbox}{\\holdfastpicture}%%\n"
        "\\else\\let\\holdfastend\\relax\\fi\n"
        "\\begin{tikzpicture}\n");
    for (size_t i = 0; i < w->l.n_look; i++) {
        hf_text_print(w->out, "\\definecolor{holdfast%zu}{HTML}{%s}\n", i, hf_plot_colour(&w->l.look[i]));
    }
}

/* ---- axes ---- */

/* What a letter of a label is wide, in cm. */
static const double letter = 0.16;

/* How labels of words are turned so that none lies on the next: not, or by so many degrees. \param[out] drop how far they reach
 * down more than a number does, in cm */
static int turn_of(const writer *w, double *drop) {
    const hf_plot_axis *x = &w->plot->x;
    size_t longest = 0;
    for (size_t i = 0; i < x->n_name; i++) {
        longest = strlen(x->name[i]) > longest ? strlen(x->name[i]) : longest;
    }
    const double length = letter * (double)longest, room = x->n_name ? w->width / (double)x->n_name : length + letter;
    const int turn = length + letter <= room ? 0 : room >= 0.75 ? 30 : 90;
    *drop = turn == 90 ? length : turn == 30 ? 0.5 * length : 0;
    return turn;
}

static void put_names(const writer *w) {
    static const char *const anchors[] = {"north east", "east"};
    const hf_plot_axis *x = &w->plot->x;
    double drop;
    const int turn = turn_of(w, &drop);
    hf_text_print(w->out, "  xtick={");
    for (size_t i = 0; i < x->n_name; i++) {
        hf_text_print(w->out, "%s%zu", i ? "," : "", i);
    }
    hf_text_print(w->out, "}, xticklabels={");
    for (size_t i = 0; i < x->n_name; i++) {
        hf_text_print(w->out, "%s{", i ? "," : "");
        hf_text_latex(w->out, x->name[i]);
        hf_text_print(w->out, "}");
    }
    hf_text_print(w->out, "},\n");
    if (turn) {
        hf_text_print(w->out, "  x tick label style={rotate=%d, anchor=%s, inner sep=1pt},\n", turn, anchors[turn == 90]);
    }
}

static void put_limits(const writer *w, const hf_scale *s, char which) {
    hf_text_print(w->out, "  %cmin=%s, %cmax=%s,%s", which, REAL(s->is_log ? pow(10, s->low) : s->low), which,
                  REAL(s->is_log ? pow(10, s->high) : s->high), s->is_log ? "" : "\n");
    if (s->is_log) {
        hf_text_print(w->out, " %cmode=log,\n", which);
    }
}

/* The ticks of the other forms. Within a decade their labels too: pgfplots would write powers with broken exponents. */
static void put_ticks(const writer *w, const hf_scale *s, char which) {
    double value;
    if (s->axis->n_name) {
        return;
    }
    hf_text_print(w->out, "  %ctick={", which);
    for (int i = 0; hf_scale_tick(s, i, &value); i++) {
        hf_text_print(w->out, "%s%s", i ? "," : "", REAL(s->is_log ? pow(10, value) : fabs(value) < s->step * 1e-6 ? 0 : value));
    }
    hf_text_print(w->out, "},\n");
    if (!s->is_log && s->step >= 1e-4 && s->step < 1) { /* 0.05 and not 5 times a power of ten */
        hf_text_print(w->out,
                      "  scaled %c ticks=false, %cticklabel style={/pgf/number format/fixed, /pgf/number format/precision=%d},\n",
                      which, which, (int)ceil(-log10(s->step) - 1e-6));
    }
    if (s->is_log && s->step <= 0) {
        hf_text_print(w->out, "  log ticks with fixed point,\n");
    }
}

/* Do the labels of an axis of numbers stand side by side? */
static bool has_room(const writer *w, const hf_scale *s) {
    char text[HF_TICK_SIZE];
    double value, length = 0;
    for (int i = 0; !s->axis->n_name && hf_scale_tick(s, i, &value); i++) {
        hf_scale_print_tick(s, value, text);
        length += letter * (double)(s->is_log && s->step > 0 ? 3 : strlen(text) + 1); /* powers of ten */
    }
    return length <= w->width + 2 * letter;
}

/* A label of several panels stays below its own, in as many lines as it takes. */
static double label_room(const writer *w) { return w->width + (w->l.own_y ? 1.1 : 0.3); }
static size_t label_lines(const writer *w) {
    return w->l.n_column < 2 ? 1 : (size_t)fmax(1, ceil(letter * (double)strlen(w->plot->x.label) / label_room(w)));
}

static void put_label(const writer *w, char which, const char *label) {
    if (which == 'x' && label_lines(w) > 1) {
        hf_text_print(w->out,
                      "  xlabel style={align=center, text width=%scm, execute at begin node=\\hyphenpenalty10000\\relax},\n",
                      REAL(label_room(w)));
    }
    hf_text_print(w->out, "  %clabel={", which);
    hf_text_latex(w->out, label);
    hf_text_print(w->out, "},\n");
}

/* The options of the axis of a panel. Only panels at the left and at the bottom tell what their axes are. */
static void put_axis(const writer *w, size_t panel) {
    const hf_plot_layout *l = &w->l;
    const size_t column = panel % l->n_column, row = panel / l->n_column;
    const bool is_bottom = panel + l->n_column >= l->n_panel, has_titles = *l->panel[0] != 0;
    hf_text_print(w->out,
                  "\\begin{axis}[at={(%scm,%scm)}, anchor=south west, scale only axis, width=%scm, height=%scm,\n"
                  "  font=\\footnotesize, grid=major, grid style={black!10}, tick align=inside,\n",
                  REAL((double)column * (w->width + (l->own_y ? 1.3 : 0.5))),
                  REAL(-(double)row * (w->height + (has_titles ? 0.9 : 0.4) + (l->own_x ? 0.4 : 0))), REAL(w->width),
                  REAL(w->height));
    put_limits(w, &l->x[panel], 'x');
    put_limits(w, &l->y[panel], 'y');
    put_ticks(w, &l->x[panel], 'x');
    put_ticks(w, &l->y[panel], 'y');
    if (w->plot->x.n_name) {
        put_names(w);
    }
    if (has_titles) {
        hf_text_print(w->out, "  y tick scale label style={at={(rel axis cs:0,1)}, anchor=south east, inner xsep=0pt},\n");
        hf_text_print(w->out, "  title style={yshift=-1ex}, title={");
        hf_text_latex(w->out, l->panel[panel]);
        hf_text_print(w->out, "},\n");
    }
    if (is_bottom) {
        put_label(w, 'x', w->plot->x.label);
    } else if (!l->own_x) {
        hf_text_print(w->out, "  xticklabels={},\n");
    }
    if (column == 0) {
        put_label(w, 'y', w->plot->y.label);
    } else if (!l->own_y) {
        hf_text_print(w->out, "  yticklabels={},\n");
    }
}

/* ---- series ---- */

static void put_look(const writer *w, size_t i, bool is_joined, bool is_hollow) {
    static const char *const marks[HF_PLOT_MARKS] = {"square*", "triangle*", "diamond*", "triangle*", "x", "+", "*", "pentagon*"};
    static const char *const dashes[HF_PLOT_DASHES] = {"solid", "densely dashed", "densely dotted", "dashdotted"};
    const hf_plot_look *look = &w->l.look[i];
    hf_text_print(w->out, "color=holdfast%zu, %s, mark=%s, mark size=%s, mark options={solid%s%s}", i,
                  is_joined ? dashes[look->dash] : "only marks", marks[look->mark],
                  look->is_pale ? "1pt"
                  : is_hollow   ? "2.6pt"
                                : "1.8pt",
                  look->mark == 3 ? ", rotate=180" : "", is_hollow ? ", fill=white" : "");
}

static void put_band(const writer *w, size_t i) {
    const hf_plot_series *s = &w->plot->series[i];
    hf_text_print(w->out, "\\addplot[forget plot, draw=none, fill=holdfast%zu, fill opacity=0.18] coordinates {",
                  w->l.look_of[i]);
    for (size_t k = 0; k < 2 * s->n_point; k++) {
        const hf_plot_point *point = &s->point[k < s->n_point ? k : 2 * s->n_point - 1 - k];
        if (hf_plot_is_drawn(&w->l, point)) {
            const double end = !hf_plot_has_interval(&w->l, point) ? point->y : k < s->n_point ? point->low : point->high;
            hf_text_print(w->out, "(%s,%s) ", REAL(point->x), REAL(end));
        }
    }
    hf_text_print(w->out, "} -- cycle;\n");
}

/* How far the interval reaches above and below; nan: no point, where the line is broken. */
static void put_row(const writer *w, size_t i, const hf_plot_point *point) {
    const bool has = hf_plot_has_interval(&w->l, point);
    if (!hf_plot_is_drawn(&w->l, point)) {
        hf_text_print(w->out, "nan nan 0 0\n");
        return;
    }
    hf_text_print(w->out, "%s %s %s %s\n", REAL(hf_plot_x(&w->l, i, point)), REAL(point->y),
                  REAL(has ? point->high - point->y : 0), REAL(has ? point->y - point->low : 0));
}

static void put_point_labels(const writer *w, size_t i) {
    const hf_plot_series *s = &w->plot->series[i];
    const hf_scale *x = &w->l.x[w->l.panel_of[i]];
    for (size_t k = 0; k < s->n_point; k++) {
        if (s->point[k].label && hf_plot_is_drawn(&w->l, &s->point[k])) {
            const double middle = (x->low + x->high) / 2;
            hf_text_print(w->out, "\\node[font=\\tiny, anchor=%s, color=holdfast%zu] at (axis cs:%s,%s) {",
                          s->point[k].x < (x->is_log ? pow(10, middle) : middle) ? "west" : "east", w->l.look_of[i],
                          REAL(s->point[k].x), REAL(s->point[k].y));
            hf_text_latex(w->out, s->point[k].label);
            hf_text_print(w->out, "};\n");
        }
    }
}

static void put_series(const writer *w, size_t i) {
    const hf_plot_series *s = &w->plot->series[i];
    const bool has_band = hf_plot_has_band(&w->l, s);
    if (has_band) {
        put_band(w, i);
    }
    put_comment(w, s->name ? s->name : "");
    hf_text_print(w->out, "\\addplot[forget plot, ");
    put_look(w, w->l.look_of[i], s->is_joined, s->is_published);
    hf_text_print(w->out, "%s%s%s]\n  table[x=x, y=y, y error plus=more, y error minus=less] {\nx y more less\n",
                  s->is_steps ? ", const plot" : "", s->is_joined ? ", unbounded coords=jump" : "",
                  has_band ? "" : ", error bars/y dir=both, error bars/y explicit");
    for (size_t k = 0; k < s->n_point; k++) {
        put_row(w, i, &s->point[k]);
    }
    hf_text_print(w->out, "};\n");
    put_point_labels(w, i);
}

/* ---- the legend, below the panel at the left of the last row ---- */

static void put_legend_style(const writer *w) {
    size_t longest = 0, n = w->l.has_published;
    double drop;
    (void)turn_of(w, &drop);
    for (size_t i = 0; i < w->l.n_look; i++) {
        const size_t size = w->l.look[i].name ? strlen(w->l.look[i].name) : 0;
        longest = size > longest ? size : longest;
        n += size > 0;
    }
    const double whole = 1.2 + (w->width + 0.5) * (double)w->l.n_column;
    const size_t fit = (size_t)fmax(1, floor(whole / (1.0 + 0.15 * (double)longest)));
    hf_text_print(w->out,
                  "  legend columns=%zu, legend cell align=left, legend style={at={(axis description cs:0,0)}, xshift=-1.1cm, "
                  "yshift=-%scm,\n"
                  "    anchor=north west, draw=none, fill=none, font=\\footnotesize, /tikz/every even column/.append "
                  "style={column sep=2ex}",
                  fit < n ? fit
                  : n     ? n
                          : 1,
                  REAL(1 + drop + 0.35 * (double)(label_lines(w) - 1)));
    if (1.0 + 0.15 * (double)longest > whole) {
        hf_text_print(w->out, ", nodes={text width=%scm, align=left}", REAL(whole - 1));
    }
    hf_text_print(w->out, "},\n");
}

static void put_legend(const writer *w) {
    for (size_t i = 0; i < w->l.n_look; i++) {
        if (w->l.look[i].name) {
            hf_text_print(w->out, "\\addlegendimage{");
            put_look(w, i, w->l.look[i].is_joined, false);
            hf_text_print(w->out, "}\\addlegendentry{");
            hf_text_latex(w->out, w->l.look[i].name);
            hf_text_print(w->out, "}\n");
        }
    }
    if (w->l.has_published) {
        hf_text_print(w->out, "\\addlegendimage{only marks, mark=square*, mark size=2.6pt, mark options={fill=white}}"
                              "\\addlegendentry{published}\n");
    }
}

/* ---- all ---- */

static void put_panel(const writer *w, size_t panel) {
    const bool has_legend = panel == (w->n_row - 1) * w->l.n_column;
    put_axis(w, panel);
    if (has_legend) {
        put_legend_style(w);
    }
    hf_text_print(w->out, "]\n");
    for (size_t i = 0; i < w->plot->n_series; i++) {
        if (w->l.panel_of[i] == panel) {
            put_series(w, i);
        }
    }
    if (!w->l.has_points) {
        hf_text_print(w->out, "\\node at (rel axis cs:0.5,0.5) {no points};\n");
    }
    if (has_legend) {
        put_legend(w);
    }
    hf_text_print(w->out, "\\end{axis}\n");
}

hf_status hf_plot_write_tex(hf_context *cx, const hf_plot *plot, hf_text *out) {
    static const double widths[] = {0, 6.4, 5.5, 3.5}, heights[] = {0, 4.3, 3.8, 2.8};
    writer w = {.out = out, .plot = plot};
    bool fits = false;
    for (int most = TICKS_MOST; most >= TICKS_LEAST && !fits; most--) {
        HF_TRY(hf_plot_lay_out(cx, plot, most, 6, HF_PLOT_EDGE_PERCENT / 100.0, &w.l));
        w.width = widths[w.l.n_column];
        fits = true;
        for (size_t i = 0; i < w.l.n_panel; i++) {
            fits &= has_room(&w, &w.l.x[i]);
        }
    }
    w.height = heights[w.l.n_column];
    w.n_row = (w.l.n_panel + w.l.n_column - 1) / w.l.n_column;
    put_head(&w);
    for (size_t panel = 0; panel < w.l.n_panel; panel++) {
        put_panel(&w, panel);
    }
    hf_text_print(out, "\\end{tikzpicture}\n\\holdfastend\n");
    return HF_OK;
}
