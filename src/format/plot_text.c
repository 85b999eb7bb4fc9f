/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots for a terminal: marks on a grid of characters. A mark of an earlier series hides those of later ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/format/plot.h"

enum { COLUMNS = 61, ROWS = 16, X_TICKS = 6, Y_TICKS = 5, GRID = COLUMNS + 1 };
static const char marks[] = "*o+x#@%&";
enum { N_MARK = sizeof marks - 1 };

typedef struct canvas {
    hf_text *out;
    const hf_plot *plot;
    hf_plot_layout l;
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
    const hf_scale *x = &c->l.x[c->l.panel_of[i]], *y = &c->l.y[c->l.panel_of[i]];
    for (size_t k = 0; k < s->n_point; k++) {
        if (hf_plot_is_drawn(&c->l, &s->point[k])) {
            const int column = place(hf_scale_at(x, hf_plot_x(&c->l, i, &s->point[k])), COLUMNS);
            const int row = place(hf_scale_at(y, s->point[k].y), ROWS);
            c->grid[row][column] = marks[c->l.look_of[i] % N_MARK];
        }
    }
}

static void label_rows(canvas *c, const hf_scale *y) {
    double value;
    memset(c->left, 0, sizeof c->left);
    for (int i = 0; hf_scale_tick(y, i, &value); i++) {
        hf_scale_print_tick(y, value, c->left[place(hf_scale_tick_at(y, value), ROWS)]);
    }
}

/* Labels below, each centred under its tick, where the one before leaves room. */
static void label_columns(canvas *c, const hf_scale *x) {
    size_t end = 0;
    double value;
    memset(c->below, ' ', sizeof c->below - 1);
    for (int i = 0; hf_scale_tick(x, i, &value); i++) {
        char text[HF_TICK_SIZE];
        hf_scale_print_tick(x, value, text);
        const size_t size = strlen(text), column = (size_t)place(hf_scale_tick_at(x, value), COLUMNS);
        const size_t first = column > size / 2 ? column - size / 2 : 0;
        if (i == 0 || first > end) {
            memcpy(c->below + first, text, size);
            end = first + size;
        }
    }
    c->below[end] = 0;
}

static void print_rows(const canvas *c, const hf_scale *x, int width) {
    for (int row = 0; row < ROWS; row++) {
        const char *line = c->grid[row];
        int n = COLUMNS;
        while (n > 0 && line[n - 1] == ' ') {
            n--;
        }
        hf_text_print(c->out, "%*s %c%.*s\n", width, c->left[row], c->left[row][0] ? '+' : '|', n, line);
    }
    char rule[COLUMNS + 1];
    double value;
    memset(rule, '-', COLUMNS);
    rule[COLUMNS] = 0;
    for (int i = 0; hf_scale_tick(x, i, &value); i++) {
        rule[place(hf_scale_tick_at(x, value), COLUMNS)] = '+';
    }
    hf_text_print(c->out, "%*s +%s\n%*s  %s\n%*s  %s\n", width, "", rule, width, "", c->below, width, "", c->plot->x.label);
}

static void print_legend(const canvas *c) {
    for (size_t i = 0; i < c->l.n_look; i++) {
        if (c->l.look[i].name) {
            hf_text_print(c->out, "%c %s\n", marks[i % N_MARK], c->l.look[i].name);
        }
    }
}

static void print_panel(canvas *c, size_t panel) {
    hf_scale *x = &c->l.x[panel], *y = &c->l.y[panel];
    int width = 0;
    x->length = COLUMNS - 1;
    y->origin = ROWS - 1;
    y->length = -(ROWS - 1);
    memset(c->grid, ' ', sizeof c->grid);
    for (size_t i = c->plot->n_series; i-- > 0;) {
        if (c->l.panel_of[i] == panel) {
            mark_series(c, i);
        }
    }
    label_rows(c, y);
    label_columns(c, x);
    for (int row = 0; row < ROWS; row++) {
        const int size = (int)strlen(c->left[row]);
        width = size > width ? size : width;
    }
    hf_text_print(c->out, *c->l.panel[panel] ? "%s, %s\n" : "%s%s\n", c->plot->y.label, c->l.panel[panel]);
    print_rows(c, x, width);
}

hf_status hf_plot_write_text(hf_context *cx, const hf_plot *plot, hf_text *out) {
    canvas c = {.out = out, .plot = plot};
    HF_TRY(hf_plot_lay_out(cx, plot, X_TICKS, Y_TICKS, 0, &c.l));
    if (!c.l.has_points) {
        hf_text_print(out, "%s: no points\n", plot->y.label);
        return HF_OK;
    }
    for (size_t panel = 0; panel < c.l.n_panel; panel++) {
        print_panel(&c, panel);
    }
    print_legend(&c);
    return HF_OK;
}
