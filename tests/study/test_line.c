/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Cells that lay a line through a curve, against the normal equations solved for the printed points; intervals against what
 *  the result does when each value moves to either end of its own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/studies.h"
#include <holdfast/study.h>

#define TOP                                                                                                                      \
    "schema: 1\nname: x\ntitle: t\nsource: s\nx-axis: x\ny-axis: y\ndefaults:\n  topology: mesh:dims=3x3\n  routing: "           \
    "updown-graph\n  universe: links\n  traffic: uniform\ncells:\n"
#define TASK "ask: simulate, column: task, barrier: \"messages=20,tasks="

static hf_study_outcome *run_text(hf_context *cx, const char *yaml) {
    const hf_study_options options = {.threads = 2};
    return study_run(cx, yaml, &options);
}

/* The first `n` lines of an outcome, the value of one of them moved. */
static void solve(const hf_study_outcome *o, size_t n, size_t moved, double by, double *slope, double *residual, double *line) {
    double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = o->line[i].x, y = o->line[i].value + (i == moved ? by : 0);
        s0 += 1;
        s1 += x;
        s2 += x * x;
        t0 += y;
        t1 += x * y;
    }
    const double det = s0 * s2 - s1 * s1, a = (t0 * s2 - t1 * s1) / det;
    *slope = (s0 * t1 - s1 * t0) / det;
    for (size_t i = 0; i < n; i++) {
        line[i] = a + *slope * o->line[i].x;
        residual[i] = o->line[i].value + (i == moved ? by : 0) - line[i];
    }
}

enum { POINTS_MOST = 8 };

static void near(double have, double want) { assert_true(fabs(have - want) < 1e-9 * (1 + fabs(want))); }

/* What a move of one value does to either side of a result. */
static void add_side(double by, double *down, double *up) { *(by < 0 ? down : up) += by * by; }

static void expect_fit(const hf_study_outcome *o, size_t n) {
    double slope, other, r[POINTS_MOST], m[POINTS_MOST], line[POINTS_MOST], moved[POINTS_MOST];
    double slope_down = 0, slope_up = 0, down[POINTS_MOST] = {0}, up[POINTS_MOST] = {0}, value = 0, low = 0, high = 0;
    solve(o, n, n, 0, &slope, r, line);
    const double rise = fabs(line[n - 1] - line[0]); /* x ascends */
    for (size_t j = 0; j < 2 * n; j++) {
        const hf_study_line *l = &o->line[j / 2];
        solve(o, n, j / 2, j % 2 ? l->value_high - l->value : l->value_low - l->value, &other, m, moved);
        add_side(other - slope, &slope_down, &slope_up);
        for (size_t i = 0; i < n; i++) {
            add_side(m[i] - r[i], &down[i], &up[i]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        const double a = r[i] - sqrt(down[i]), b = r[i] + sqrt(up[i]);
        value = fmax(value, fabs(r[i]) / rise);
        low = fmax(low, a <= 0 && b >= 0 ? 0 : fmin(fabs(a), fabs(b)) / rise);
        high = fmax(high, fmax(fabs(a), fabs(b)) / rise);
    }
    near(study_find(o, "slope")->value, slope);
    near(study_find(o, "slope")->value_low, slope - sqrt(slope_down));
    near(study_find(o, "slope")->value_high, slope + sqrt(slope_up));
    near(study_find(o, "deviation")->value, value);
    near(study_find(o, "deviation")->value_low, low);
    near(study_find(o, "deviation")->value_high, high);
    assert_true(study_find(o, "deviation")->is_percent && !study_find(o, "slope")->is_percent);
}

static void lines_are_least_squares(void **state) {
    (void)state;
    static const char text[] = TOP "  - {label: a, curve: c, x: \"0\", " TASK "4\"}\n"
                                   "  - {label: b, curve: c, " TASK "1\", faults: \"1,2,3\", runs: 6}\n"
                                   "  - {label: other, curve: d, x: \"9\", " TASK "4\"}\n"
                                   "  - {label: deviation, kind: line, of: c, holds: \"..100%\", id: l}\n"
                                   "  - {label: slope, kind: line, of: c, show: slope, holds: \"..0\"}\n"
                                   "  - {label: bent, kind: line, of: c, holds: \"100%..\"}\n"
                                   "  - {label: few, kind: line, of: d}\n"
                                   "  - {label: claim, kind: claim, of: l, against: l, show: difference, holds: \"-1..1\"}\n";
    hf_context *cx = hf_context_new(NULL);
    hf_study_outcome *o = run_text(cx, text);
    expect_fit(o, 4);
    assert_int_equal(study_find(o, "deviation")->verdict, HF_STUDY_HOLDS);
    assert_int_equal(study_find(o, "slope")->verdict, HF_STUDY_DOES_NOT_HOLD);
    assert_int_equal(study_find(o, "bent")->verdict, HF_STUDY_DOES_NOT_HOLD);
    assert_int_equal(study_find(o, "few")->verdict, HF_STUDY_NOT_COMPUTABLE);
    assert_int_equal(study_find(o, "claim")->verdict, HF_STUDY_HOLDS);
    assert_string_equal(study_find(o, "deviation")->method, "least squares, 4 points, holds in ..100%");
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

/* Shares of few sets have intervals that are longer above than below. */
static void sides_stay_apart(void **state) {
    (void)state;
    static const char text[] =
        "schema: 1\nname: x\ntitle: t\nsource: s\nx-axis: x\ny-axis: y\ncells:\n"
        "  - {label: a, curve: c, ask: tolerance, column: not_tolerated_percent, topology: \"kary-tree:k=4,n=3\", routing: "
        "\"ft2ei:intervals=2\", universe: channels, faults: \"11,13,15,22\", samples: 200, method: sampled}\n"
        "  - {label: deviation, kind: line, of: c}\n"
        "  - {label: slope, kind: line, of: c, show: slope}\n";
    hf_context *cx = hf_context_new(NULL);
    hf_study_outcome *o = run_text(cx, text);
    const hf_study_line *l = study_find(o, "slope");
    assert_true(fabs((l->value_high - l->value) / (l->value - l->value_low) - 1) > 0.05);
    expect_fit(o, 4);
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

/* Loads of rings are exact, and so is what is made of them; a run without an interval is not used. */
static void exact_points_make_exact_lines(void **state) {
    (void)state;
    static const char text[] =
        TOP "  - {label: a, ask: load, column: max_load, topology: \"ring:n=4\", routing: dor, curve: c, x: \"4\"}\n"
            "  - {label: b, ask: load, column: max_load, topology: \"ring:n=6\", routing: dor, curve: c, x: \"6\"}\n"
            "  - {label: c, ask: load, column: max_load, topology: \"ring:n=7\", routing: dor, curve: c, x: \"7\"}\n"
            "  - {label: d, ask: load, column: max_load, topology: \"ring:n=9\", routing: dor, curve: c, x: \"9\"}\n"
            "  - {label: deviation, kind: line, of: c}\n"
            "  - {label: slope, kind: line, of: c, show: slope}\n"
            "  - {label: level, ask: load, column: max_load, topology: \"ring:n=4\", routing: dor, curve: e, x: \"1\"}\n"
            "  - {label: level, ask: load, column: max_load, topology: \"ring:n=4\", routing: dor, curve: e, x: \"2\"}\n"
            "  - {label: level, ask: load, column: max_load, topology: \"ring:n=4\", routing: dor, curve: e, x: \"3\"}\n"
            "  - {label: no rise, kind: line, of: e}\n"
            "  - {label: once, curve: c, x: \"11\", " TASK "1\"}\n"
            "  - {label: spoilt, kind: line, of: c}\n";
    hf_context *cx = hf_context_new(NULL);
    hf_study_outcome *o = run_text(cx, text);
    expect_fit(o, 4);
    assert_true(study_find(o, "deviation")->is_exact && study_find(o, "slope")->is_exact);
    assert_int_equal(study_find(o, "deviation")->verdict, HF_STUDY_NO_PUBLISHED);
    assert_int_equal(study_find(o, "no rise")->verdict, HF_STUDY_NOT_COMPUTABLE);
    assert_int_equal(study_find(o, "spoilt")->verdict, HF_STUDY_NOT_COMPUTABLE);
    hf_study_outcome_free(o);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_least_squares), cmocka_unit_test(sides_stay_apart),
                                       cmocka_unit_test(exact_points_make_exact_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
