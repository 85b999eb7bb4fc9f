/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Numbers for people: as many digits as an interval or what is published supports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "src/report/said.h"

typedef struct said_case {
    hf_said_number number;
    const char *value, *interval;
} said_case;

static void test_digits(void **state) {
    static const said_case cases[] = {
        {{9.523809523, 9.523809523, 9.523809523, 3, 0, "%"}, "9.52%", "9.52% to 9.52%"},
        {{64, 64, 64, 3, 0, ""}, "64", "64 to 64"},
        {{118305, 118305, 118305, 3, 0, ""}, "118305", "118305 to 118305"}, /* digits before the point always stand */
        {{0.25, 0.25, 0.25, 4, 0, ""}, "0.25", "0.25 to 0.25"},
        {{0.99999999980121, 0.99999999980121, 0.99999999980121, 11, 0, ""}, "0.99999999980", "0.99999999980 to 0.99999999980"},
        {{3.0412e-6, 3.0412e-6, 3.0412e-6, 3, 0, ""}, "3.04e-06", "3.04e-06 to 3.04e-06"},
        {{0.01582, 9.6e-18, 0.612108, 7, 0, ""}, "0.02", "0 to 0.62"}, /* half of it is 0.31 */
        {{277.249, 269.998, 284.5, 8, 0, ""}, "277.2", "269.9 to 284.5"},
        {{277.249, 269.998, 284.5, 8, 4, ""}, "277.2", "269.9 to 284.5"},
        {{277.249, 269.998, 284.5, 8, 6, ""}, "277.249", "269.998 to 284.500"},
        {{5203.5, 3570.01, 6836.99, 5, 0, ""}, "5204", "3570 to 6837"},
        {{-0.3, -0.55, -0.05, 3, 0, ""}, "-0.30", "-0.55 to -0.05"},
        {{0.238825, 0.238824999999999, 0.238825000000001, 6, 0, ""}, "0.238825", "0.238825 to 0.238825"},
        {{0, 0, 0.0851, 3, 0, "%"}, "0%", "0% to 0.086%"},
    };
    hf_context *cx = hf_context_new(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *value, *interval;
        assert_int_equal(hf_said_value(cx, &cases[i].number, &value), HF_OK);
        assert_int_equal(hf_said_interval(cx, &cases[i].number, &interval), HF_OK);
        assert_string_equal(value, cases[i].value);
        assert_string_equal(interval, cases[i].interval);
    }
    hf_context_free(cx);
}

/* The interval that is printed holds the one that is meant, and is less than a unit of its last place longer at each end. */
static void test_outwards(void **state) {
    hf_context *cx = hf_context_new(NULL);
    unsigned random = 1;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const hf_mark mark = hf_scratch_mark(cx);
        double end[3], low, high;
        char *text;
        for (int k = 0; k < 3; k++) {
            random = random * 1103515245 + 12345;
            end[k] = pow(10, (int)(random >> 16) % 9 - 4) * (random >> 8) / 1e7;
        }
        const hf_said_number number = {end[0] + end[1], end[0], end[0] + end[1] + end[2], 3, 0, ""};
        assert_int_equal(hf_said_interval(cx, &number, &text), HF_OK);
        assert_int_equal(sscanf(text, "%lf to %lf", &low, &high), 2);
        double said, half;
        char *value;
        assert_int_equal(hf_said_value(cx, &number, &value), HF_OK);
        assert_int_equal(hf_said_half(cx, &number, &text), HF_OK);
        assert_int_equal(sscanf(value, "%lf", &said), 1);
        assert_int_equal(sscanf(text, "+- %lf", &half), 1);
        assert_true(said - half <= number.low * (1 + 1e-8) && said + half >= number.high * (1 - 1e-8));
        const double by_half = pow(10, floor(log10((number.high - number.low) / 2)) - 1),
                     by_value = pow(10, floor(log10(number.value)) - 5);
        const double last = fmin(1, fmax(by_half, by_value));
        assert_true(low <= number.low * (1 + 1e-8) && high >= number.high * (1 - 1e-8));
        assert_true(number.low - low < last * 1.001 + 1e-8 * number.low &&
                    high - number.high < last * 1.001 + 1e-8 * number.high);
        hf_scratch_reset(cx, mark);
    }
    hf_context_free(cx);
}

/* Half of an interval ends where the number ends. */
static void test_half(void **state) {
    static const said_case cases[] = {
        {{5203.5, 3570.01, 6836.99, 5, 0, ""}, "5204", "+- 1634"},
        {{13.2041, 13.0522, 13.356, 5, 0, ""}, "13.20", "+- 0.16"},
        {{0.354137, 0.350237, 0.358037, 4, 0, ""}, "0.3541", "+- 0.0040"},
        {{0.354137, 0.350237, 0.358037, 4, 2, ""}, "0.35", "+- 0.01"},
        {{18, 18, 18, 4, 0, ""}, "18", "+- 0"},
    };
    hf_context *cx = hf_context_new(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *value, *half;
        assert_int_equal(hf_said_value(cx, &cases[i].number, &value), HF_OK);
        assert_int_equal(hf_said_half(cx, &cases[i].number, &half), HF_OK);
        assert_string_equal(value, cases[i].value);
        assert_string_equal(half, cases[i].interval);
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digits), cmocka_unit_test(test_outwards),
                                       cmocka_unit_test(test_half)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
