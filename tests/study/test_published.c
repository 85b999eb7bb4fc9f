/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Published values as printed, and which computed fractions agree with them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/study/published.h"

static void parses_what_papers_print(void **state) {
    hf_context *cx = hf_context_new(NULL);
    static const struct {
        const char *text;
        uint64_t digits;
        uint32_t decimals;
        bool is_percent;
    } good[] = {{"6%", 6, 0, true},         {"11.90%", 1190, 2, true},
                {"0.9988", 9988, 4, false}, {"134.79199", 13479199, 5, false},
                {"52416", 52416, 0, false}, {"0", 0, 0, false}};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        hf_published p;
        assert_int_equal(hf_published_parse(cx, good[i].text, &p), HF_OK);
        assert_int_equal(p.digits, good[i].digits);
        assert_int_equal(p.decimals, good[i].decimals);
        assert_int_equal(p.is_percent, good[i].is_percent);
    }
    hf_context_free(cx);
}

static void refuses_what_is_no_number(void **state) {
    hf_context *cx = hf_context_new(NULL);
    static const char *const bad[] = {"",   "%",   ".5",  "5.",  "5.%",      "1.2.3",
                                      "-1", "6 %", "6%%", "1e3", "about 6%", "1234567890123456789"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hf_published p;
        assert_int_equal(hf_published_parse(cx, bad[i], &p), HF_EINVAL);
    }
    hf_context_free(cx);
}

/* Does num/den agree with the text? */
static void check(const char *text, uint64_t num, uint64_t den, bool agrees) {
    hf_context *cx = hf_context_new(NULL);
    hf_published p;
    assert_int_equal(hf_published_parse(cx, text, &p), HF_OK);
    if (hf_published_agrees(&p, num, den) != agrees) {
        fail_msg("%s against %ju/%ju: expected %s", text, (uintmax_t)num, (uintmax_t)den, agrees ? "agreement" : "difference");
    }
    hf_context_free(cx);
}

static void compares_as_printed(void **state) {
    (void)state;
    check("6%", 32, 496, true);       /* 6.45% */
    check("6%", 16, 120, false);      /* 13.3% */
    check("7%", 32, 496, false);      /* neither cut nor rounded */
    check("1.46%", 768, 52416, true); /* 1.46520%: cut */
    check("1.47%", 768, 52416, true); /* rounded */
    check("1.45%", 768, 52416, false);
    check("1.48%", 768, 52416, false);
    check("11.90%", 20, 168, true); /* 11.9047% */
    check("11.91%", 20, 168, false);
    check("8.52%", 16, 168, false); /* 9.52% */
    check("9.52%", 16, 168, true);
    check("0.9988", 9988, 10000, true);
    check("0.9988", 99875, 100000, true); /* a tie goes up */
    check("0.9987", 99875, 100000, true); /* or is cut */
    check("0.9988", 99874, 100000, false);
    check("168", 168, 1, true);
    check("168", 169, 1, false);
    check("1", 1, 2, true); /* 0.5 rounds to 1 */
    check("0", 1, 2, true);
    check("0", 0, 1, true);
    check("10%", 99, 100, false);
    check("0.0000000000000001", 1, UINT64_C(10000000000000000), true);
}

/* Some value between low and high would be printed so. */
static void overlaps_as_printed(void **state) {
    static const struct {
        const char *text;
        double low, high;
        bool overlaps;
    } row[] = {{"5%", 0.063, 0.068, false}, {"5%", 0.058, 0.068, true}, {"5%", 0.03, 0.044, false},  {"5%", 0.03, 0.045, true},
               {"0", 0, 0, true},           {"0", 1, 2, false},         {"0.59", 0.6, 0.7, false},   {"0.59", 0.585, 0.585, true},
               {"2.5", 1, 3, true},         {"2.5", NAN, NAN, false},   {"121%", 1.221, 1.3, false}, {"121%", 1.2199, 1.3, true}};
    hf_context *cx = hf_context_new(NULL);
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hf_published p;
        assert_int_equal(hf_published_parse(cx, row[i].text, &p), HF_OK);
        if (hf_published_overlaps(&p, row[i].low, row[i].high) != row[i].overlaps) {
            fail_msg("%s against %g to %g", row[i].text, row[i].low, row[i].high);
        }
    }
    hf_context_free(cx);
}

static void survives_large_numbers(void **state) {
    hf_context *cx = hf_context_new(NULL);
    hf_published p;
    (void)state;
    assert_int_equal(hf_published_parse(cx, "33.333333333333%", &p), HF_OK);
    const hf_u128 huge = (hf_u128)1 << 120;
    assert_true(hf_published_agrees(&p, huge / 3, huge));
    assert_false(hf_published_agrees(&p, huge / 2, huge));
    assert_float_equal(hf_published_value(&p), 1.0 / 3, 1e-14);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parses_what_papers_print), cmocka_unit_test(refuses_what_is_no_number),
                                       cmocka_unit_test(compares_as_printed), cmocka_unit_test(overlaps_as_printed),
                                       cmocka_unit_test(survives_large_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
