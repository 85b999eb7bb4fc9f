/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Intervals for proportions against their definitions: where a tail of the binomial distribution, summed here in long double,
 *  reaches half of what is left of the confidence; where the score of a proportion is the quantile. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/stats.h>

static void expect_near(long double got, long double want, long double relative) {
    if (!(fabsl(got - want) <= relative * fabsl(want))) {
        fail_msg("%.17Lg, not %.17Lg", got, want);
    }
}

/** P(X >= count) for X binomial with `trials` and p, 0 < p < 1: the sum of its terms, each from the logarithm of the one before,
 *  so that no term that counts is lost. */
static long double upper_tail(unsigned count, unsigned trials, long double p) {
    long double term = trials * log1pl(-p), sum = 0; /* the term of 0 */
    for (unsigned i = 0; i <= trials; i++) {
        sum += i >= count ? expl(term) : 0;
        term += logl((trials - i) / (i + 1.0L)) + logl(p) - log1pl(-p);
    }
    return sum;
}

/** P(X <= count), by its own sum: 1 - upper_tail() would lose what is small. */
static long double lower_tail(unsigned count, unsigned trials, long double p) {
    return upper_tail(trials - count, trials, 1 - p);
}

/** Clopper and Pearson's low end: the p at which `count` or more come with probability `tail`; it grows with p. */
static long double slow_low(unsigned count, unsigned trials, long double tail) {
    long double low = 0, high = 1;
    for (int i = 0; i < 200; i++) {
        const long double middle = (low + high) / 2;
        if (upper_tail(count, trials, middle) < tail) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

/** P(Z > z) of a standard normal Z, by bisection of erfc: the quantile. */
static long double slow_quantile(long double tail) {
    long double low = 0, high = 40;
    for (int i = 0; i < 200; i++) {
        const long double middle = (low + high) / 2;
        if (erfcl(middle / sqrtl(2)) / 2 > tail) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}

static const double confidences[] = {0.5, 0.9, 0.95, 0.99, 0.999};

static void clopper_pearson(void **state) {
    (void)state;
    static const unsigned trials[] = {1, 2, 3, 10, 29, 100, 1000};
    for (size_t t = 0; t < sizeof trials / sizeof *trials; t++) {
        const unsigned n = trials[t], step = n / 7 + 1;
        for (unsigned count = 0; count <= n; count += step) {
            for (size_t c = 0; c < sizeof confidences / sizeof *confidences; c++) {
                const hf_estimate e = hf_estimate_clopper_pearson(count, n, confidences[c]);
                const long double tail = (1 - (long double)confidences[c]) / 2;
                assert_int_equal(e.method, HF_INTERVAL_CLOPPER_PEARSON);
                expect_near(e.value, (long double)count / n, 1e-15L);
                expect_near(e.low, count ? slow_low(count, n, tail) : 0, 1e-10L);
                expect_near(1 - e.high, count < n ? slow_low(n - count, n, tail) : 0, 1e-9L);
            }
        }
    }
}

/** At the ends a tail is one power: with count 0, (1 - high)^n = tail; with all, low^n = tail. */
static void clopper_pearson_at_the_ends(void **state) {
    (void)state;
    static const uint64_t trials[] = {1, 2, 50, 10000, 100000000};
    for (size_t t = 0; t < sizeof trials / sizeof *trials; t++) {
        const long double n = (long double)trials[t], each = logl(0.025L) / n;
        const hf_estimate none = hf_estimate_clopper_pearson(0, trials[t], 0.95);
        const hf_estimate all = hf_estimate_clopper_pearson(trials[t], trials[t], 0.95);
        assert_true(none.value == 0 && none.low == 0 && all.value == 1 && all.high == 1);
        expect_near(none.high, -expm1l(each), 1e-10L);
        expect_near(all.low, expl(each), 1e-10L);
    }
}

/** The definition: |value - p| = z sqrt(p (1-p) / n) at p = low and p = high. Count 0 ends at z^2 / (n + z^2). */
static void wilson(void **state) {
    (void)state;
    static const struct {
        uint64_t count, trials;
    } row[] = {{0, 10},
               {10, 10},
               {1, 2},
               {5, 10},
               {30, 1000},
               {999, 1000},
               {1, 100000},
               {0, 10000000},
               {50, 60},
               {12345, 10000000},
               {500000000000, 1000000000000}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (size_t c = 0; c < sizeof confidences / sizeof *confidences; c++) {
            const hf_estimate e = hf_estimate_wilson(row[i].count, row[i].trials, confidences[c]);
            const long double n = (long double)row[i].trials, value = (long double)row[i].count / n;
            const long double z = slow_quantile((1 - (long double)confidences[c]) / 2), low = e.low, high = e.high;
            assert_int_equal(e.method, HF_INTERVAL_WILSON);
            expect_near(e.value, value, 1e-15L);
            if (row[i].count == 0) {
                assert_true(e.low == 0);
                expect_near(high, z * z / (n + z * z), 1e-10L);
                continue;
            }
            expect_near(value - low, z * sqrtl(low * (1 - low) / n), 1e-7L);
            if (row[i].count == row[i].trials) {
                assert_true(e.high == 1);
                expect_near(low, n / (n + z * z), 1e-10L);
            } else {
                expect_near(high - value, z * sqrtl(high * (1 - high) / n), 1e-7L);
            }
        }
    }
}

/** Below 30 exact, from 30 on Wilson; the rule looks at the count alone. */
static void choice_of_the_method(void **state) {
    (void)state;
    static const struct {
        uint64_t count, trials;
        hf_interval_method method;
    } row[] = {{0, 1, HF_INTERVAL_CLOPPER_PEARSON},           {29, 29, HF_INTERVAL_CLOPPER_PEARSON},
               {29, 1000000000, HF_INTERVAL_CLOPPER_PEARSON}, {30, 30, HF_INTERVAL_WILSON},
               {30, 1000000000, HF_INTERVAL_WILSON},          {999970, 1000000, HF_INTERVAL_WILSON}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const hf_estimate got = hf_estimate_proportion(row[i].count, row[i].trials, 0.95);
        const hf_estimate want = row[i].method == HF_INTERVAL_WILSON
                                     ? hf_estimate_wilson(row[i].count, row[i].trials, 0.95)
                                     : hf_estimate_clopper_pearson(row[i].count, row[i].trials, 0.95);
        assert_int_equal(got.method, row[i].method);
        assert_true(got.low == want.low && got.high == want.high && got.value == want.value);
    }
}

/** Of all outcomes of n trials, those whose interval holds p weigh at least the confidence, whatever p: that is what "exact"
 *  promises. */
static void clopper_pearson_covers(void **state) {
    (void)state;
    enum { N = 40 };
    for (int step = 1; step < 100; step++) {
        const long double p = step / 100.0L;
        long double covered = 0;
        for (unsigned count = 0; count <= N; count++) {
            const hf_estimate e = hf_estimate_clopper_pearson(count, N, 0.95);
            const bool holds = e.low <= p && p <= e.high;
            covered += holds ? upper_tail(count, N, p) - (count < N ? upper_tail(count + 1, N, p) : 0) : 0;
        }
        assert_true(covered >= 0.95L);
    }
}

/** What a reader of a table takes for granted. */
static void intervals_are_in_order(void **state) {
    (void)state;
    for (uint64_t trials = 1; trials <= 60; trials++) {
        double low = -1, high = -1;
        for (uint64_t count = 0; count <= trials; count++) {
            const hf_estimate e = hf_estimate_clopper_pearson(count, trials, 0.95), w = hf_estimate_wilson(count, trials, 0.95);
            const hf_estimate wider = hf_estimate_clopper_pearson(count, trials, 0.99);
            assert_true(0 <= e.low && e.low <= e.value && e.value <= e.high && e.high <= 1);
            assert_true(0 <= w.low && w.low <= w.value && w.value <= w.high && w.high <= 1);
            assert_true(wider.low <= e.low && e.high <= wider.high);
            assert_true(low < e.low || count == 0);
            assert_true(high < e.high);
            low = e.low;
            high = e.high;
        }
    }
}

static void tails_add_up(void **state) {
    (void)state;
    expect_near(upper_tail(0, 50, 0.3L), 1, 1e-15L);
    expect_near(upper_tail(2, 3, 0.5L), 0.5L, 1e-15L);
    expect_near(lower_tail(1, 2, 0.25L), 1 - 0.0625L, 1e-15L); /* all but two of two */
    expect_near(slow_quantile(0.025L), 1.959963984540054L, 1e-15L);
}

static void names(void **state) {
    (void)state;
    assert_string_equal(hf_interval_method_name(HF_INTERVAL_EXACT), "exact");
    assert_string_equal(hf_interval_method_name(HF_INTERVAL_WILSON), "wilson");
    assert_string_equal(hf_interval_method_name(HF_INTERVAL_CLOPPER_PEARSON), "clopper-pearson");
}

/** Means of values against sums over the values, in two passes. */
static void means(void **state) {
    (void)state;
    static const uint64_t value[][6] = {
        {3, 3, 3, 3, 3, 3}, {0, 0, 0, 0, 0, 6}, {1, 2, 3, 4, 5, 6}, {1000000007, 1000000009, 1000000000, 1, 0, 5}};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        hf_u128 sum = 0, squares = 0;
        long double mean = 0, spread = 0;
        for (size_t k = 0; k < 6; k++) {
            sum += value[i][k];
            squares += (hf_u128)value[i][k] * value[i][k];
            mean += (long double)value[i][k] / 6;
        }
        for (size_t k = 0; k < 6; k++) {
            spread += (value[i][k] - mean) * (value[i][k] - mean) / 5;
        }
        const hf_mean_estimate e = hf_estimate_mean(sum, squares, 6, 0.95);
        const long double half = 1.959963984540054L * sqrtl(spread / 6);
        expect_near(e.value, mean, 1e-12L);
        expect_near(e.high, mean + half, 1e-9L);
        expect_near(e.low, mean > half ? mean - half : 0, 1e-9L);
    }
    const hf_mean_estimate one = hf_estimate_mean(5, 25, 1, 0.95);
    assert_true(one.value == 5 && one.low == 5 && one.high == 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_add_up),
        cmocka_unit_test(clopper_pearson),
        cmocka_unit_test(clopper_pearson_at_the_ends),
        cmocka_unit_test(wilson),
        cmocka_unit_test(choice_of_the_method),
        cmocka_unit_test(clopper_pearson_covers),
        cmocka_unit_test(intervals_are_in_order),
        cmocka_unit_test(means),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
