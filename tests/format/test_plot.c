/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Plots: well-formed, every point inside the frame and at its place, ticks that are round, nothing drawn of what is not finite.
 */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/format/xml.h"

#include <holdfast/core/random.h>
#include <holdfast/format.h>

enum { LEFT = 94, TOP = 44, WIDTH = 480, HEIGHT = 320 };

static char *draw(hf_context *cx, const hf_plot *plot) {
    hf_text text;
    hf_text_init(cx, &text);
    assert_int_equal(hf_format_plot(cx, plot, &text), HF_OK);
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

static void linear_places(void **state) {
    hf_context *cx = *state;
    static const hf_plot_point point[] = {{0, 0, 0, 0, NULL}, {10, 100, 0, 0, "the <end>"}, {5, 50, 40, 60, NULL}};
    const hf_plot_series series = {.name = "a & b", .point = point, .n_point = 3, .is_joined = true};
    const hf_plot plot = {.title = "t", .x = {.label = "x (s)"}, .y = {.label = "y"}, .series = &series, .n_series = 1};
    char *svg = draw(cx, &plot);
    static const double want[][2] = {{LEFT, TOP + HEIGHT}, {LEFT + WIDTH, TOP}, {LEFT + WIDTH / 2.0, TOP + HEIGHT / 2.0}};
    for (size_t i = 0; i < 3; i++) {
        double x = -1, y = -1;
        assert_true(mark_at(svg, i, &x, &y));
        assert_true(fabs(x - want[i][0]) < 0.01);
        assert_true(fabs(y - want[i][1]) < 0.01);
    }
    assert_int_equal(count_of(svg, "class=\"bar\""), 1);
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
    assert_true(x == LEFT && y == TOP + HEIGHT);
    assert_true(mark_at(svg, 1, &x, &y));
    assert_true(x == LEFT + WIDTH && y == TOP);
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
        double x = -1, y = -1;
        for (size_t i = 0; mark_at(svg, i + 1, &x, &y); i++) { /* the last is the legend's */
            assert_true(mark_at(svg, i, &x, &y));
            if (x < LEFT - 0.01 || x > LEFT + WIDTH + 0.01 || y < TOP - 0.01 || y > TOP + HEIGHT + 0.01) {
                fail_msg("seed %d: mark %d at %g %g", (int)seed, (int)i, x, y);
            }
        }
        drop(cx, svg);
        hf_text text; /* nothing is written outside of its grid, whatever the values are */
        hf_text_init(cx, &text);
        assert_int_equal(hf_format_plot_text(cx, &plot, &text), HF_OK);
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
    assert_int_equal(hf_format_plot(cx, &large, &text), HF_ERANGE);
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
        double last = 0;
        int n = 0;
        for (const char *at = svg; (at = strstr(at, "<text x=\"")) != NULL; at++) {
            const double x = strtod(at + 9, NULL);
            const char *y = strstr(at, "y=\"") + 3, *text = strchr(at, '>') + 1;
            if (strtod(y, NULL) != TOP + HEIGHT + 19) {
                continue;
            }
            const double half = 0.32 * 13 * (double)(strchr(text, '<') - text);
            assert_true(n == 0 || x - half > last);
            last = x + half;
            n++;
        }
        assert_true(n >= 3);
        drop(cx, svg);
    }
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
    assert_int_equal(hf_format_plot_text(cx, &plot, &text), HF_OK);
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

static int start(void **state) {
    *state = hf_context_new(NULL);
    return *state == NULL;
}
static int stop(void **state) {
    hf_context_free(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_places), cmocka_unit_test(log_places),
                                       cmocka_unit_test(any_values),    cmocka_unit_test(empty_and_large),
                                       cmocka_unit_test(in_characters), cmocka_unit_test(labels_keep_apart)};
    return cmocka_run_group_tests(tests, start, stop);
}
