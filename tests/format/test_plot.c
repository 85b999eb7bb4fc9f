/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots: well-formed, every point inside the frame and at its place, ticks that are round, nothing drawn of what is not
 *  finite. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/format/xml.h"

#include <holdfast/core/random.h>
#include <holdfast/format.h>

/** The frame of a panel. */
typedef struct frame {
    double left, top, width, height;
} frame;

static char *draw(hf_context *cx, const hf_plot *plot) {
    hf_text text;
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_plot(cx, plot, HF_PLOT_SVG, &text), HF_OK);
    assert_xml(text.data);
    return text.data;
}
static void drop(hf_context *cx, char *svg) { hf_release(hf_context_allocator(cx), svg); }

/** Place of the i-th mark. \return false if there are fewer */
static bool mark_at(const char *svg, size_t i, double *x, double *y) {
    const char *at = svg;
    static const char head[] = "class=\"mark\" transform=\"translate(";
    for (size_t k = 0; k <= i; k++) {
        at = strstr(at, head);
        if (!at) {
            return false;
        }
        at += sizeof head - 1;
    }
    char *end;
    *x = strtod(at, &end);
    *y = strtod(end, NULL);
    return true;
}

static frame frame_of(const char *svg, size_t i) {
    const char *at = svg;
    frame f;
    for (size_t k = 0; k <= i; k++) {
        at = strstr(at, "<rect x=");
        assert_non_null(at);
        at++;
    }
    assert_int_equal(sscanf(at, "rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &f.left, &f.top, &f.width, &f.height),
                     4);
    return f;
}

/** Where a value stands on an axis that keeps a 27th part free at each end: 4% of what the values span. */
static double at_share(double from, double length, double share) { return from + length * (0.04 + share) / 1.08; }

static void linear_places(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point point[] = {{0, 0, 0, 0, NULL}, {10, 100, 0, 0, "the <end>"}, {5, 50, 40, 60, NULL}};
    const hf_plot_series series = {.name = "a & b", .point = point, .n_point = 3, .is_joined = true};
    const hf_plot plot = {.title = "t", .x = {.label = "x (s)"}, .y = {.label = "y"}, .series = &series, .n_series = 1};
    char *svg = draw(cx, &plot);
    const frame f = frame_of(svg, 0);
    const double want[][2] = {{at_share(f.left, f.width, 0), at_share(f.top, f.height, 1)},
                              {at_share(f.left, f.width, 1), at_share(f.top, f.height, 0)},
                              {at_share(f.left, f.width, 0.5), at_share(f.top, f.height, 0.5)}};
    for (size_t i = 0; i < 3; i++) {
        double x = -1, y = -1;
        assert_true(mark_at(svg, i, &x, &y));
        assert_true(fabs(x - want[i][0]) < 0.01);
        assert_true(fabs(y - want[i][1]) < 0.01);
    }
    assert_int_equal(count_of(svg, "class=\"bar\""), 1); /* one interval makes no band */
    assert_int_equal(count_of(svg, "the &lt;end&gt;"), 1);
    assert_int_equal(count_of(svg, ">a &amp; b<"), 1);
    assert_int_equal(count_of(svg, ">x (s)<"), 1);
    drop(cx, svg);
}

static void log_places(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point point[] = {
        {1, 10, 0, 0, NULL}, {100, 1000, 0, 0, NULL}, {10, 0, 0, 0, NULL}, {-1, 20, 0, 0, NULL}};
    const hf_plot_series series = {.point = point, .n_point = 4};
    const hf_plot plot = {
        .title = "t", .x = {.label = "x", .is_log = true}, .y = {.label = "y", .is_log = true}, .series = &series, .n_series = 1};
    char *svg = draw(cx, &plot);
    double x = -1, y = -1;
    assert_int_equal(count_of(svg, "class=\"mark\""), 2);
    assert_true(mark_at(svg, 0, &x, &y));
    const frame f = frame_of(svg, 0);
    assert_true(fabs(x - at_share(f.left, f.width, 0)) < 0.01 && fabs(y - at_share(f.top, f.height, 1)) < 0.01);
    assert_true(mark_at(svg, 1, &x, &y));
    assert_true(fabs(x - at_share(f.left, f.width, 1)) < 0.01 && fabs(y - at_share(f.top, f.height, 0)) < 0.01);
    assert_int_equal(count_of(svg, ">1000</text>"), 1);
    drop(cx, svg);
}

/** Whatever the values are: all marks inside the frame, nothing that is not a number, and not too many ticks. */
static void any_values(void **state) {
    hf_context *cx = *state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        hf_random random;
        hf_plot_point point[6];
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        for (size_t i = 0; i < 6; i++) {
            const double size = pow(10, (double)hf_random_below(&random, 40) - 20);
            point[i] = (hf_plot_point){.x = (double)hf_random_below(&random, 1000) * size,
                                       .y = seed % 3 ? (double)hf_random_below(&random, 9) - 4 : 7 * size};
            point[i].low = point[i].y;
            point[i].high = seed % 5 ? point[i].y : point[i].y + size;
        }
        point[5].y = seed % 2 ? (double)NAN : HUGE_VAL;
        const hf_plot_series series = {.name = "s", .point = point, .n_point = seed % 7, .is_joined = true, .is_steps = seed % 2};
        const hf_plot plot = {.title = "t",
                              .x = {.label = "x", .is_log = seed % 4 == 0},
                              .y = {.label = "y", .has_zero = seed % 2},
                              .series = &series,
                              .n_series = 1};
        char *svg = draw(cx, &plot);
        if (strstr(svg, "nan") || strstr(svg, "inf") || count_of(svg, "<line") > 120) {
            fail_msg("seed %d:\n%s", (int)seed, svg);
        }
        const frame f = frame_of(svg, 0);
        double x = -1, y = -1;
        for (size_t i = 0; mark_at(svg, i + 1, &x, &y); i++) { /* the last is the legend's */
            assert_true(mark_at(svg, i, &x, &y));
            if (x < f.left - 0.01 || x > f.left + f.width + 0.01 || y < f.top - 0.01 || y > f.top + f.height + 0.01) {
                fail_msg("seed %d: mark %d at %g %g", (int)seed, (int)i, x, y);
            }
        }
        drop(cx, svg);
        hf_text text; /* nothing is written outside of its grid, whatever the values are */
        hf_text_init(cx, &text);
        assert_int_equal(hf_format_plot(cx, &plot, HF_PLOT_TEXT, &text), HF_OK);
        hf_text_free(&text);
    }
}

static void empty_and_large(void **state) {
    hf_context *cx = *state;
    hf_text text;
    const hf_plot none = {.title = "nothing", .x = {.label = "x"}, .y = {.label = "y"}};
    char *svg = draw(cx, &none);
    assert_int_equal(count_of(svg, "no points"), 1);
    drop(cx, svg);
    const hf_plot_series many = {.n_point = 100001};
    const hf_plot large = {.title = "large", .x = {.label = "x"}, .y = {.label = "y"}, .series = &many, .n_series = 1};
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_plot(cx, &large, HF_PLOT_SVG, &text), HF_ERANGE);
    assert_null(text.data);
}

/* Numbers below the axis keep apart, however long: a digit is 0.64 of the size of the font wide. */
static void labels_keep_apart(void **state) {
    hf_context *cx = *state;
    static const double most[] = {7, 1000, 95000, 100000, 123456, 9.5e9, 1e-7};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        const hf_plot_point point[] = {{0, 0, 0, 0, NULL}, {most[i], 1, 1, 1, NULL}};
        const hf_plot_series series = {.point = point, .n_point = 2};
        const hf_plot plot = {.title = "t", .x = {.label = ""}, .y = {.label = ""}, .series = &series, .n_series = 1};
        char *svg = draw(cx, &plot);
        const frame f = frame_of(svg, 0);
        double last = 0;
        int n = 0;
        for (const char *at = svg; (at = strstr(at, "<text x=\"")) != NULL; at++) {
            const double x = strtod(at + 9, NULL);
            const char *y = strstr(at, "y=\"") + 3, *text = strchr(at, '>') + 1;
            if (fabs(strtod(y, NULL) - (f.top + f.height + 17)) > 0.01) {
                continue;
            }
            const double half = 0.3 * 12 * (double)(strchr(text, '<') - text);
            assert_true(n == 0 || x - half > last);
            last = x + half;
            n++;
        }
        assert_true(n >= 3);
        drop(cx, svg);
    }
}

/* A label stands where the curve is not: below one that is level, and its letters do not reach it. */
static void labels_leave_curves(void **state) {
    hf_context *cx = *state;
    const hf_plot_point point[] = {{0, 5, 5, 5, "here"}, {10, 5, 5, 5, NULL}, {20, 0, 0, 0, NULL}};
    const hf_plot_series series = {.point = point, .n_point = 3, .is_joined = true};
    const hf_plot plot = {.title = "t", .x = {.label = ""}, .y = {.label = ""}, .series = &series, .n_series = 1};
    char *svg = draw(cx, &plot);
    const char *mark = strstr(svg, "translate("), *end = strstr(svg, ">here<"), *label = end;
    assert_true(mark && label);
    while (strncmp(label, " y=\"", 4) != 0) {
        label--;
    }
    const double height = strtod(strchr(mark, ' '), NULL);
    assert_true(strtod(label + 4, NULL) - 10 > height);
    drop(cx, svg);
}

/** Line `i` of a text, counted from 0. */
static const char *line_of(const char *text, int i) {
    for (; i > 0; i--) {
        text = strchr(text, '\n') + 1;
    }
    return text;
}

/* Ends of both axes, a middle, hidden marks, values that do not fit the axis; and no line longer than a terminal is wide. */
static void in_characters(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point a[] = {{0, 1, 0, 0, NULL}, {10, 1000, 0, 0, NULL}, {5, -1, 0, 0, NULL}},
                               b[] = {{10, 1000, 0, 0, NULL}, {5, 1, 0, 0, NULL}};
    const hf_plot_series series[] = {{.name = "first", .point = a, .n_point = 3}, {.name = "second", .point = b, .n_point = 2}};
    const hf_plot plot = {
        .title = "t", .x = {.label = "x (s)"}, .y = {.label = "y (cycles)", .is_log = true}, .series = series, .n_series = 2};
    hf_text text;
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_plot(cx, &plot, HF_PLOT_TEXT, &text), HF_OK);
    assert_int_equal(strncmp(text.data, "y (cycles)\n1000 +", 17), 0);
    assert_int_equal(line_of(text.data, 1)[6 + 60], '*'); /* the second's lies under it */
    assert_int_equal(line_of(text.data, 16)[6], '*');
    assert_int_equal(line_of(text.data, 16)[6 + 30], 'o');
    assert_int_equal(strncmp(line_of(text.data, 11), "  10 +\n", 7), 0);
    assert_int_equal(strcmp(line_of(text.data, 20), "* first\no second\n"), 0);
    for (const char *line = text.data; *line; line = strchr(line, '\n') + 1) {
        assert_true(strchr(line, '\n') - line < 80);
    }
    hf_text_free(&text);
}

/* ---- looks, panels, forms ---- */

enum { LOOKS = 64 };

/* What is drawn for a series: the colour of its group and the shape of its mark. */
static void look_of(const char *svg, size_t i, char *out, size_t size) {
    const char *at = svg;
    for (size_t k = 0; k <= i; k++) {
        at = strstr(at, "class=\"series\"");
        assert_non_null(at);
        at++;
    }
    const char *mark = strstr(at, " d=\"");
    snprintf(out, size, "%.*s%.*s", (int)strcspn(at, ">"), at, (int)strcspn(mark + 4, "\""), mark);
}

/* Colours and marks repeat as a pair after 64 names only; equal names look alike; published points have the same, hollow. */
static void looks_differ(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point point[] = {{1, 1, 1, 1, NULL}};
    hf_plot_series series[LOOKS + 1];
    char name[LOOKS][8], look[LOOKS + 1][200];
    for (size_t i = 0; i < LOOKS; i++) {
        snprintf(name[i], sizeof name[i], "s%zu", i);
        series[i] = (hf_plot_series){.name = name[i], .point = point, .n_point = 1};
    }
    series[LOOKS] = series[5];
    series[LOOKS].is_published = true;
    const hf_plot plot = {.title = "t", .x = {.label = "x"}, .y = {.label = "y"}, .series = series, .n_series = LOOKS + 1};
    char *svg = draw(cx, &plot);
    for (size_t i = 0; i <= LOOKS; i++) {
        look_of(svg, i, look[i], sizeof look[i]);
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(strcmp(look[i], look[k]) == 0, i == LOOKS && k == 5);
        }
    }
    assert_int_equal(count_of(svg, ">published<"), 1);
    assert_int_equal(count_of(svg, ">s5<"), 1);
    assert_int_equal(count_of(svg, "fill=\"#ffffff\"/>"), 3); /* the paper, the point, the legend */
    drop(cx, svg);
}

/* Panels share their axes: equal values stand at equal places of their frames. What an axis is stands there once. */
static void panels_share_axes(void **state) {
    hf_context *cx = *state;
    static const char *const title[] = {"one", "two", "three", "four & more", "five"};
    static const hf_plot_point point[] = {{0, 0, 0, 0, NULL}, {10, 7, 6, 8, NULL}, {20, 3, 2, 4, NULL}};
    hf_plot_series series[5];
    for (size_t i = 0; i < 5; i++) {
        series[i] = (hf_plot_series){.name = "s", .panel = title[i], .point = point, .n_point = 3, .is_joined = true};
    }
    for (size_t n = 1; n <= 5; n++) {
        const hf_plot plot = {.title = "t", .x = {.label = "x axis"}, .y = {.label = "y axis"}, .series = series, .n_series = n};
        char *svg = draw(cx, &plot);
        for (size_t i = 0; i < n; i++) {
            const frame f = frame_of(svg, i);
            double x = -1, y = -1, x0 = -1, y0 = -1;
            assert_true(mark_at(svg, 3 * i + 1, &x, &y) && mark_at(svg, 1, &x0, &y0));
            assert_true(fabs((x - f.left) - (x0 - frame_of(svg, 0).left)) < 0.02);
            assert_true(fabs((y - f.top) - (y0 - frame_of(svg, 0).top)) < 0.02);
        }
        assert_int_equal(count_of(svg, ">x axis<"), 1);
        assert_int_equal(count_of(svg, ">y axis<"), 1);
        assert_int_equal(count_of(svg, ">s<"), 1);
        assert_int_equal(count_of(svg, "class=\"band\""), (int)n);
        assert_int_equal(count_of(svg, "class=\"bar\""), 0);
        assert_int_equal(count_of(svg, ">four &amp; more<"), n > 3);
        drop(cx, svg);
    }
}

/* Values that a linear axis would press together ask for decades, unless there is one below 0. */
static void free_axes(void **state) {
    hf_context *cx = *state;
    hf_plot_point point[20];
    for (size_t i = 0; i < 20; i++) {
        point[i] = (hf_plot_point){.x = (double)i, .y = pow(2, (double)i)};
    }
    const hf_plot_series series = {.point = point, .n_point = 20};
    const hf_plot plot = {
        .title = "t", .x = {.label = "", .is_free = true}, .y = {.label = "", .is_free = true}, .series = &series, .n_series = 1};
    char *svg = draw(cx, &plot);
    assert_int_equal(count_of(svg, ">10000<"), 1);
    assert_int_equal(count_of(svg, ">15<") + count_of(svg, ">16<"), 1); /* x is linear */
    drop(cx, svg);
    point[3].y = -1;
    svg = draw(cx, &plot);
    assert_int_equal(count_of(svg, ">10000<"), 0);
    drop(cx, svg);
}

/* Words in the place of numbers: each is there, and series stand side by side, in order, between their neighbours. */
static void names_on_x(void **state) {
    hf_context *cx = *state;
    static const char *const name[] = {"4-ary 2-tree of some length", "8-ary 2-tree", "ring"};
    static const hf_plot_point point[] = {{0, 1, 1, 1, NULL}, {1, 2, 2, 2, NULL}, {2, 1.5, 1.5, 1.5, NULL}};
    const hf_plot_series series[] = {{.name = "a", .point = point, .n_point = 3}, {.name = "b", .point = point, .n_point = 3}};
    const hf_plot plot = {
        .title = "t", .x = {.label = "network", .name = name, .n_name = 3}, .y = {.label = "y"}, .series = series, .n_series = 2};
    char *svg = draw(cx, &plot);
    double a[3] = {0}, b[3] = {0}, y;
    for (size_t i = 0; i < 3; i++) {
        assert_true(mark_at(svg, i, &a[i], &y) && mark_at(svg, 3 + i, &b[i], &y));
        assert_true(a[i] < b[i] && (i == 0 || b[i - 1] < a[i]));
        char text[64];
        snprintf(text, sizeof text, ">%s<", name[i]);
        assert_int_equal(count_of(svg, text), 1);
    }
    drop(cx, svg);
}

/* For LaTeX: a row for each point, escapes, and as many braces that open as that close. Whether it compiles tests/report asks. */
static void in_latex(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point point[] = {{0, 1, 0.5, 2, "a_b"}, {1, NAN, 0, 0, NULL}, {2.25, 1e-9, 1e-9, 1e-9, NULL}};
    const hf_plot_series series[] = {{.name = "50% & more", .panel = "p_1", .point = point, .n_point = 3, .is_joined = true},
                                     {.name = "50% & more", .panel = "p_2", .point = point, .n_point = 3, .is_published = true}};
    const hf_plot plot = {.title = "t\n\\input{x}", .x = {.label = "x_i"}, .y = {.label = "$"}, .series = series, .n_series = 2};
    hf_text text;
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_plot(cx, &plot, HF_PLOT_TEX, &text), HF_OK);
    int depth = 0;
    for (const char *c = text.data; *c; c++) {
        depth += *c == '{' ? c == text.data || c[-1] != '\\' : *c == '}' ? -(c[-1] != '\\') : 0;
        assert_true(depth >= 0);
    }
    assert_int_equal(depth, 0);
    assert_int_equal(count_of(text.data, "\n0 1 1 0.5\n"), 2);
    assert_int_equal(count_of(text.data, "\nnan nan 0 0\n"), 2);
    assert_int_equal(count_of(text.data, "\n2.25 1e-09 0 0\n"), 2);
    assert_int_equal(count_of(text.data, "\\addlegendentry{50\\% \\& more}"), 1);
    assert_int_equal(count_of(text.data, "\\addlegendentry{published}"), 1);
    assert_int_equal(count_of(text.data, "title={p\\_2}"), 1);
    assert_int_equal(count_of(text.data, "\n\\input{x}"), 0); /* the title stays in its comment */
    hf_text_free(&text);
}

/* Labels of ticks stand side by side in narrow panels, and nearly one value has more round it than its last digits. */
static void narrow_ticks(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point wide[] = {{0.01, 1000, 0, 0, NULL}, {0.06, 1005, 0, 0, NULL}},
                               flat[] = {{0.014501, 9, 0, 0, NULL}, {0.014502, 9000, 0, 0, NULL}};
    static const char *const panels[] = {"a", "b", "c"};
    hf_plot_series series[3];
    hf_text text;
    for (size_t i = 0; i < 3; i++) {
        series[i] = (hf_plot_series){.name = "s", .panel = panels[i], .point = i ? flat : wide, .n_point = 2};
    }
    const hf_plot plot = {
        .title = "t", .x = {.label = "x"}, .y = {.label = "y", .is_log = true}, .series = series, .n_series = 3};
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_plot(cx, &plot, HF_PLOT_TEX, &text), HF_OK);
    assert_int_equal(count_of(text.data, "xtick={0.02,0.04,0.06}"), 1);
    assert_int_equal(count_of(text.data, "xtick={0.01,0.015,0.02}"), 2);
    assert_int_equal(count_of(text.data, "ytick={1000}"), 0);
    hf_text_free(&text);
}

/* Where all stands at whole numbers, so do ticks; parts of one are no powers of ten. */
static void whole_ticks(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point whole[] = {{0, 0.05, 0, 0, NULL}, {1, 0.12, 0, 0, NULL}},
                               parts[] = {{0, 5, 0, 0, NULL}, {0.5, 7, 0, 0, NULL}};
    const hf_plot_series series[] = {{.name = "a", .point = whole, .n_point = 2}, {.name = "a", .point = parts, .n_point = 2}};
    static const char *const ticks[] = {"xtick={0,1},", "xtick={0,0.1,0.2,0.3,0.4,0.5},"};
    for (size_t i = 0; i < 2; i++) {
        const hf_plot plot = {.title = "t", .x = {.label = "x"}, .y = {.label = "y"}, .series = &series[i], .n_series = 1};
        hf_text text;
        hf_text_init(cx, &text);
        assert_int_equal(hf_format_plot(cx, &plot, HF_PLOT_TEX, &text), HF_OK);
        assert_int_equal(count_of(text.data, ticks[i]), 1);
        assert_int_equal(count_of(text.data, "yticklabel style={/pgf/number format/fixed, /pgf/number format/precision=2}"),
                         i == 0);
        hf_text_free(&text);
    }
}

static int start(void **state) {
    *state = hf_context_new(NULL);
    return *state == NULL;
}
static int stop(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_places),       cmocka_unit_test(log_places),    cmocka_unit_test(any_values),
        cmocka_unit_test(empty_and_large),     cmocka_unit_test(in_characters), cmocka_unit_test(labels_keep_apart),
        cmocka_unit_test(labels_leave_curves), cmocka_unit_test(looks_differ),  cmocka_unit_test(panels_share_axes),
        cmocka_unit_test(free_axes),           cmocka_unit_test(names_on_x),    cmocka_unit_test(in_latex),
        cmocka_unit_test(narrow_ticks),        cmocka_unit_test(whole_ticks)};
    return cmocka_run_group_tests(tests, start, stop);
}
