/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots for a terminal: marks on a grid of characters. A mark of an earlier series hides those of later ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/format/scale.h"

enum { COLUMNS = 61, ROWS = 16, X_TICKS = 6, Y_TICKS = 5, TICKS_MAX = 20, GRID = COLUMNS + 1 };
static const char marks[] = "*o+x#@%&";
enum { N_MARK = sizeof marks - 1 };

typedef struct canvas {
    hf_text *out;
    const hf_plot *plot;
    hf_scale x, y;
    char grid[ROWS][GRID];
    char left[ROWS][HF_TICK_SIZE]; /* labels of the rows */
    char below[GRID + HF_TICK_SIZE];
} canvas;

static int place(double at, int n) {
    const int i = (int)lround(at);
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static void mark_series(canvas *c, size_t i) {
    const hf_plot_series *s = &c->plot->series[i];
    for (size_t k = 0; k < s->n_point; k++) {
        if (hf_plot_is_drawn(c->plot, &s->point[k])) {
            const int column = place(hf_scale_at(&c->x, s->point[k].x), COLUMNS);
            const int row = place(hf_scale_at(&c->y, s->point[k].y), ROWS);
            c->grid[row][column] = marks[i % N_MARK];
        }
    }
}

static double tick_place(const hf_scale *s, double value) {
    return s->origin + s->length * (value - s->low) / (s->high - s->low);
}

static void label_rows(canvas *c) {
    const hf_scale *s = &c->y;
    for (int i = 0; i < TICKS_MAX && s->low + i * s->step <= s->high + s->step * 1e-6; i++) {
        const double value = s->low + i * s->step;
        hf_scale_print_tick(s, value, c->left[place(tick_place(s, value), ROWS)]);
    }
}

/* Labels below, each centred under its tick, where the one before leaves room. */
static void label_columns(canvas *c) {
    const hf_scale *s = &c->x;
    size_t end = 0;
    memset(c->below, ' ', sizeof c->below - 1);
    for (int i = 0; i < TICKS_MAX && s->low + i * s->step <= s->high + s->step * 1e-6; i++) {
        const double value = s->low + i * s->step;
        char text[HF_TICK_SIZE];
        hf_scale_print_tick(s, value, text);
        const size_t size = strlen(text), column = (size_t)place(tick_place(s, value), COLUMNS);
        const size_t first = column > size / 2 ? column - size / 2 : 0;
        if (i == 0 || first > end) {
            memcpy(c->below + first, text, size);
            end = first + size;
        }
    }
    c->below[end] = 0;
}

static void print_rows(const canvas *c, int width) {
    for (int row = 0; row < ROWS; row++) {
        const char *line = c->grid[row];
        int n = COLUMNS;
        while (n > 0 && line[n - 1] == ' ') {
            n--;
        }
        hf_text_print(c->out, "%*s %c%.*s\n", width, c->left[row], c->left[row][0] ? '+' : '|', n, line);
    }
    char rule[COLUMNS + 1];
    memset(rule, '-', COLUMNS);
    rule[COLUMNS] = 0;
    for (int i = 0; i < TICKS_MAX && c->x.low + i * c->x.step <= c->x.high + c->x.step * 1e-6; i++) {
        rule[place(tick_place(&c->x, c->x.low + i * c->x.step), COLUMNS)] = '+';
    }
    hf_text_print(c->out, "%*s +%s\n%*s  %s\n%*s  %s\n", width, "", rule, width, "", c->below, width, "", c->plot->x.label);
}

static void print_legend(const canvas *c) {
    for (size_t i = 0; i < c->plot->n_series; i++) {
        if (c->plot->series[i].name) {
            hf_text_print(c->out, "%c %s\n", marks[i % N_MARK], c->plot->series[i].name);
        }
    }
}

hf_status hf_format_plot_text(hf_context *cx, const hf_plot *plot, hf_text *out) {
    canvas c = {.out = out, .plot = plot};
    HF_TRY(hf_plot_check(cx, plot));
    c.x = (hf_scale){.origin = 0, .length = COLUMNS - 1};
    c.y = (hf_scale){.origin = ROWS - 1, .length = -(ROWS - 1)};
    if (!hf_scale_find(plot, X_TICKS, Y_TICKS, &c.x, &c.y)) {
        hf_text_print(out, "%s: no points\n", plot->y.label);
        return hf_text_check(cx, out);
    }
    memset(c.grid, ' ', sizeof c.grid);
    for (size_t i = plot->n_series; i-- > 0;) {
        mark_series(&c, i);
    }
    label_rows(&c);
    label_columns(&c);
    int width = 0;
    for (int row = 0; row < ROWS; row++) {
        const int size = (int)strlen(c.left[row]);
        width = size > width ? size : width;
    }
    hf_text_print(out, "%s\n", plot->y.label);
    print_rows(&c, width);
    print_legend(&c);
    return hf_text_check(cx, out);
}
