/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Numbers in texts: what is one, what is left of the text, corners of 64 bits, units, and ranges whose steps are exact. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/core/number.h"

static void digits_at_the_front(void **state) {
    (void)state;
    const struct {
        const char *text;
        unsigned base;
        bool is_there, fits;
        uint64_t value;
        const char *rest;
    } cases[] = {
        {"", 10, false, true, 0, ""},
        {"x1", 10, false, true, 0, "x1"},
        {"-1", 10, false, true, 0, "-1"},
        {"0", 10, true, true, 0, ""},
        {"007..9", 10, true, true, 7, "..9"},
        {"18446744073709551615", 10, true, true, UINT64_MAX, ""},
        {"18446744073709551616,", 10, true, false, UINT64_MAX, ","},
        {"99999999999999999999999999", 10, true, false, UINT64_MAX, ""},
        {"ffFFffffffffffffg", 16, true, true, UINT64_MAX, "g"},
        {"10000000000000000", 16, true, false, UINT64_MAX, ""},
        {"ff", 10, false, true, 0, "ff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_slice at = hf_slice_of(cases[i].text);
        uint64_t value;
        bool fits;
        assert_int_equal(hf_take_digits(&at, cases[i].base, &value, &fits), cases[i].is_there);
        assert_int_equal(fits, cases[i].fits);
        assert_true(value == cases[i].value && hf_slice_is(at, cases[i].rest));
        at = hf_slice_of(cases[i].text);
        const bool is_number = hf_take_number(&at, &value);
        if (cases[i].base == 10) {
            assert_int_equal(is_number, cases[i].is_there && cases[i].fits);
            assert_true(hf_slice_is(at, is_number ? cases[i].rest : cases[i].text));
        }
    }
    uint64_t value;
    assert_true(hf_slice_number(hf_slice_of("0x1F"), 16, &value) && value == 31);
    assert_true(hf_slice_number(hf_slice_of("1f"), 16, &value) && value == 31);
    assert_false(hf_slice_number(hf_slice_of("0x"), 16, &value));
    assert_false(hf_slice_number(hf_slice_of("0x1f"), 10, &value));
    assert_true(hf_read_number("5", 5, 5, &value) && value == 5);
    assert_false(hf_read_number("5 ", 5, 5, &value) || hf_read_number("6", 5, 5, &value) || hf_read_number("4", 5, 5, &value));
}

/* Wide, fixed and scaled numbers. */
static void exact_numbers(void **state) {
    (void)state;
    const struct {
        const char *text;
        bool is_there;
        uint64_t value;
        unsigned places;
        bool is_scaled; /**< to thousandths */
        uint64_t scaled;
        const char *rest;
    } cases[] = {
        {"11.90%", true, 1190, 2, true, 11900, "%"},
        {"16", true, 16, 0, true, 16000, ""},
        {"0.125,", true, 125, 3, true, 125, ","},
        {"0.1250", true, 1250, 4, false, 0, ""},
        {"5.", true, 5, 0, true, 5000, "."},
        {"1..2", true, 1, 0, true, 1000, "..2"},
        {".5", false, 0, 0, false, 0, ".5"},
        {"-1", false, 0, 0, false, 0, "-1"},
        {"1844674407370955161.5", true, UINT64_MAX, 1, false, 0, ""},
        {"1844674407370955161.6", false, 0, 0, false, 0, "1844674407370955161.6"},
        {"18446744073709551", true, UINT64_C(18446744073709551), 0, true, UINT64_C(18446744073709551000), ""},
        {"18446744073709552", true, UINT64_C(18446744073709552), 0, false, 0, ""},
        {"18446744073709551616", false, 0, 0, false, 0, "18446744073709551616"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_slice at = hf_slice_of(cases[i].text);
        uint64_t value;
        unsigned places;
        assert_int_equal(hf_take_fixed(&at, &value, &places), cases[i].is_there);
        assert_true(!cases[i].is_there || (value == cases[i].value && places == cases[i].places));
        assert_true(hf_slice_is(at, cases[i].rest));
        at = hf_slice_of(cases[i].text);
        assert_int_equal(hf_take_scaled(&at, 3, &value), cases[i].is_scaled);
        assert_true(!cases[i].is_scaled || value == cases[i].scaled);
        assert_true(hf_slice_is(at, cases[i].is_scaled ? cases[i].rest : cases[i].text));
    }
    const char most[] = "340282366920938463463374607431768211455|", more[] = "340282366920938463463374607431768211456";
    hf_slice at = hf_slice_of(most);
    hf_u128 wide;
    assert_true(hf_take_wide(&at, &wide) && wide == ~(hf_u128)0 && hf_slice_is(at, "|"));
    assert_false(hf_take_wide(&at, &wide));
    at = hf_slice_of(more);
    assert_true(!hf_take_wide(&at, &wide) && hf_slice_is(at, more));
}

static void reals(void **state) {
    (void)state;
    const struct {
        const char *text;
        double value;
        const char *rest; /**< NULL: no number */
    } cases[] = {
        {"0.25", 0.25, ""},     {".5", 0.5, ""},    {"5.", 5, ""},      {"0..4", 0, "..4"},
        {"1.5..2", 1.5, "..2"}, {"-3", -3, ""},     {"+3", 3, ""},      {"1e-9FIT", 1e-9, "FIT"},
        {"1e", 1, "e"},         {"2e+", 2, "e+"},   {"0x10", 0, "x10"}, {"1e3", 1000, ""},
        {"", 0, NULL},          {".", 0, NULL},     {"..4", 0, NULL},   {"inf", 0, NULL},
        {"nan", 0, NULL},       {"-", 0, NULL},     {"e5", 0, NULL},    {"1e999", 0, NULL},
        {" 1", 0, NULL},        {"0.1%", 0.1, "%"}, {"12h", 12, "h"},   {"1,5", 1, ",5"},
        {"--1", 0, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_slice at = hf_slice_of(cases[i].text);
        double value = 0;
        const bool is_there = hf_take_real(&at, &value);
        if (is_there != (cases[i].rest != NULL) || value != cases[i].value ||
            !hf_slice_is(at, cases[i].rest ? cases[i].rest : cases[i].text)) {
            fail_msg("\"%s\": %d %g, left \"%.*s\"", cases[i].text, is_there, value, HF_SLICE(at));
        }
    }
}

/** What was written with "%a" comes back to the bit. */
static void noted(void **state) {
    (void)state;
    const double values[] = {0, -0.0, 0.1, 1e300, -5e-324, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        snprintf(text, sizeof text, "%a %a", values[i], NAN);
        hf_slice at = hf_slice_of(text);
        double value, none;
        assert_true(hf_take_noted(&at, &value) && value == values[i] && !signbit(value) == !signbit(values[i]));
        assert_true(hf_take_text(&at, " ") && hf_take_noted(&at, &none) && isnan(none) && at.size == 0);
        assert_false(hf_take_noted(&at, &none));
    }
    hf_slice at = hf_slice_of(" 1");
    double value;
    assert_false(hf_take_noted(&at, &value));
}

static void quantities(void **state) {
    (void)state;
    static const hf_unit times[] = {{"", 1}, {"h", 1}, {"m", 0.1}, {"min", 1.0 / 60}, {0}}, bare[] = {{"%", 0.01}, {0}};
    double value;
    assert_true(hf_read_quantity(hf_slice_of("2"), times, &value) && value == 2);
    assert_true(hf_read_quantity(hf_slice_of("2h"), times, &value) && value == 2);
    assert_true(hf_read_quantity(hf_slice_of("60min"), times, &value) && value == 1); /* not "m" with "in" left */
    assert_false(hf_read_quantity(hf_slice_of("2q"), times, &value));
    assert_false(hf_read_quantity(hf_slice_of("-2h"), times, &value));
    assert_false(hf_read_quantity(hf_slice_of("h"), times, &value));
    assert_true(hf_read_quantity(hf_slice_of("50%"), bare, &value) && value == 0.5);
    assert_false(hf_read_quantity(hf_slice_of("50"), bare, &value));
}

enum { MOST = 12 };

static void lists(void **state) {
    (void)state;
    static const hf_unit times[] = {{"", 1}, {"h", 1}, {"d", 24}, {0}};
    const hf_list_form real = {.low = 0, .high = 100}, whole = {.high = 100, .is_whole = true, .ascends = true},
                       time = {.high = 1e9, .units = times, .ascends = true};
    const struct {
        const char *text;
        const hf_list_form *form;
        size_t n; /**< 0: no list */
        double value[MOST];
    } cases[] = {
        {"0.1..0.5/0.1", &real, 5, {0.1, 0.2, 0.3, 0.4, 0.5}},
        {"0.05..0.95/0.15", &real, 7, {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95}},
        {"1e-1..0.3/0.1", &real, 3, {0.1, 0.1 + 0.1, 0.1 + 2 * 0.1}},
        {"0.1..0.35/0.1", &real, 3, {0.1, 0.2, 0.3}},
        {"0.4,0.2, 0.8", &real, 3, {0.4, 0.2, 0.8}},
        {"2..2", &real, 1, {2}},
        {"0..4,8", &whole, 6, {0, 1, 2, 3, 4, 8}},
        {"0..8/4,9", &whole, 4, {0, 4, 8, 9}},
        {"0..9/4", &whole, 3, {0, 4, 8}},
        {"0..11", &whole, 12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
        {"0..12", &whole, 0, {0}},
        {"0,100h,5d", &time, 3, {0, 100, 120}},
        {"0..2d/1d,3d", &time, 4, {0, 24, 48, 72}},
        {"0..1d/12h", &time, 3, {0, 12, 24}},
        {"0..3d", &time, 4, {0, 24, 48, 72}},
        {"", &real, 0, {0}},
        {"1,", &real, 0, {0}},
        {",1", &real, 0, {0}},
        {"1,,2", &real, 0, {0}},
        {"1..", &real, 0, {0}},
        {"..1", &real, 0, {0}},
        {"2..1", &real, 0, {0}},
        {"0.1..0.5", &real, 0, {0}},
        {"1..2.5", &real, 0, {0}},
        {"0.14..1.14", &real, 2, {0.14, 1.14}},
        {"0.1d..1.1d", &time, 2, {0.1 * 24, 1.1 * 24}},
        {"1.5..3.5", &real, 3, {1.5, 2.5, 3.5}},
        {"1h..2d", &time, 0, {0}},
        {"1..2/", &real, 0, {0}},
        {"1..2/0", &real, 0, {0}},
        {"1..2/-1", &real, 0, {0}},
        {"1...3", &real, 0, {0}},
        {"-1", &real, 0, {0}},
        {"100.5", &real, 0, {0}},
        {"0..1e308/1e-300", &real, 0, {0}},
        {"1.5", &whole, 0, {0}},
        {"1e1", &whole, 0, {0}},
        {"+1", &whole, 0, {0}},
        {"1.", &whole, 0, {0}},
        {" 1", &whole, 0, {0}},
        {"3,3", &whole, 0, {0}},
        {"0..4,4", &whole, 0, {0}},
        {"101", &whole, 0, {0}},
        {"1 2", &whole, 0, {0}},
        {"5q", &time, 0, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double list[MOST];
        size_t n;
        const bool is_list = hf_read_list(cases[i].text, cases[i].form, MOST, list, &n);
        if (is_list != (cases[i].n > 0) || (is_list && n != cases[i].n)) {
            fail_msg("\"%s\": %d, %zu numbers", cases[i].text, is_list, n);
        }
        for (size_t k = 0; is_list && k < n; k++) {
            if (list[k] != cases[i].value[k]) {
                fail_msg("\"%s\": number %zu is %.17g, not %.17g", cases[i].text, k, list[k], cases[i].value[k]);
            }
        }
    }
}

/** Any step of any range of three decimals is what the decimal itself reads as. */
static void steps_are_decimals(void **state) {
    (void)state;
    enum { ALL = 4096 };
    static double list[ALL];
    const hf_list_form form = {.high = 1e6};
    hf_random random;
    hf_random_init(&random, 7, HF_PURPOSE_SAMPLE, 0);
    for (unsigned run = 0; run < 2000; run++) {
        const unsigned low = (unsigned)hf_random_below(&random, 5000), step = 1 + (unsigned)hf_random_below(&random, 700),
                       steps = (unsigned)hf_random_below(&random, 60), high = low + step * steps;
        char text[96];
        size_t n;
        snprintf(text, sizeof text, "%u.%03u..%u.%03u/%u.%03u", low / 1000, low % 1000, high / 1000, high % 1000, step / 1000,
                 step % 1000);
        if (!hf_read_list(text, &form, ALL, list, &n) || n != steps + 1) {
            fail_msg("\"%s\": %zu numbers", text, n);
        }
        for (unsigned i = 0; i < n; i++) {
            double value;
            snprintf(text, sizeof text, "%u.%03u", (low + i * step) / 1000, (low + i * step) % 1000);
            assert_true(hf_read_real(text, &value) && value == list[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digits_at_the_front),
        cmocka_unit_test(exact_numbers),
        cmocka_unit_test(reals),
        cmocka_unit_test(noted),
        cmocka_unit_test(quantities),
        cmocka_unit_test(lists),
        cmocka_unit_test(steps_are_decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
