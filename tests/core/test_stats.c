/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Intervals for proportions against their definitions: where a tail of the binomial distribution, summed here in long double,
 *  reaches half of what is left of the confidence; where the score of a proportion is the quantile. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/core/stats.h>

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

/** Below 30 on either side exact, from 30 on Wilson. */
static void choice_of_the_method(void **state) {
    (void)state;
    static const struct {
        uint64_t count, trials;
        hf_interval_method method;
    } row[] = {{0, 1, HF_INTERVAL_CLOPPER_PEARSON},
               {29, 29, HF_INTERVAL_CLOPPER_PEARSON},
               {29, 1000000000, HF_INTERVAL_CLOPPER_PEARSON},
               {30, 30, HF_INTERVAL_CLOPPER_PEARSON},
               {30, 1000000000, HF_INTERVAL_WILSON},
               {999970, 1000000, HF_INTERVAL_WILSON},
               {999971, 1000000, HF_INTERVAL_CLOPPER_PEARSON},
               {30, 60, HF_INTERVAL_WILSON}};
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
    assert_string_equal(hf_interval_method_name(HF_INTERVAL_BERNSTEIN), "bernstein-hoeffding");
    assert_string_equal(hf_interval_method_name(HF_INTERVAL_BERNSTEIN_SEEN), "bernstein-hoeffding-range-seen");
}

/* ---- means of bounded values ---- */

/** The definition, value by value: variance in two passes, Maurer and Pontil's inequality and Hoeffding's solved on a fine
 * grid. */
static void means(void **state) {
    (void)state;
    static const double value[][6] = {{3, 3, 3, 3, 3, 3}, {0, 0, 0, 0, 0, 6}, {1, 2, 3, 4, 5, 6}, {7, 7, 7, 7, 7, 7}, {0}};
    const double most = 7, risk = 0.05;
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        hf_sample s = {.n = 6, .most = most};
        double spread = 0;
        for (size_t k = 0; k < 6; k++) {
            s.sum += value[i][k];
            s.squares += value[i][k] * value[i][k];
            s.largest = fmax(s.largest, value[i][k]);
        }
        for (size_t k = 0; k < 6; k++) {
            spread += (value[i][k] - s.sum / 6) * (value[i][k] - s.sum / 6) / 5;
        }
        const hf_mean_estimate e = hf_estimate_mean(&s, 1 - risk);
        const double mean = s.sum / 6, half = sqrt(2 * spread * log(8 / risk) / 6) + 7 * most * log(8 / risk) / (3 * 5);
        double low = most, high = 0;
        for (int step = 0; step <= 1000000; step++) { /* the means that Hoeffding and Chernoff leave */
            const double p = step / 1e6, q = mean / most;
            const double d = (q > 0 ? q * log(q / p) : 0) + (q < 1 ? (1 - q) * log((1 - q) / (1 - p)) : 0);
            if (d <= log(4 / risk) / 6) {
                low = fmin(low, p * most);
                high = fmax(high, p * most);
            }
        }
        assert_int_equal(e.method, HF_INTERVAL_BERNSTEIN);
        assert_true(fabs(e.value - mean) < 1e-12);
        assert_true(fabs(e.low - fmax(low, mean - half)) < 1e-5 * most);
        assert_true(fabs(e.high - fmin(high, mean + half)) < 1e-5 * most);
    }
}

/** One of the distributions whose mean is known. */
typedef struct known {
    const char *name;
    double most, mean;
    double (*draw)(hf_random *r);
} known;

static double unit(hf_random *r) { return ((double)hf_random_u32(r) + 0.5) / 4294967296.0; }
static double draw_rare(hf_random *r) { return unit(r) < 1e-4 ? 1024 : 0; }
static double draw_rare_beside(hf_random *r) { return unit(r) < 1e-4 ? 1024 : (double)hf_random_below(r, 3); }
static double draw_seldom(hf_random *r) { return unit(r) < 0.01 ? 1000 : 1; }
static double draw_nearly_all(hf_random *r) { return unit(r) < 0.999 ? 64 : 0; }
static double draw_ends(hf_random *r) { return unit(r) < 0.5 ? 0 : 10; }
static double draw_even(hf_random *r) { return (double)hf_random_below(r, 101); }
static double draw_halves(hf_random *r) { return fmin(floor(-log2(unit(r))), 20); }
static double draw_constant(hf_random *r) {
    (void)r;
    return 5;
}
static double draw_bit(hf_random *r) { return unit(r) < 0.02; }

static const known distributions[] = {
    {"1024 with probability 1e-4", 1024, 0.1024, draw_rare},
    {"1024 with probability 1e-4, else 0 to 2", 1024, 0.1024 + 0.9999, draw_rare_beside},
    {"1000 with probability 0.01, else 1", 1000, 10.99, draw_seldom},
    {"64 but for 1 in 1000", 64, 64 * 0.999, draw_nearly_all},
    {"0 or 10", 10, 5, draw_ends},
    {"0 to 100", 100, 50, draw_even},
    {"halving, up to 20", 20, 1 - 1.0 / (1 << 20), draw_halves},
    {"always 5 of 9", 9, 5, draw_constant},
    {"1 with probability 0.02", 1, 0.02, draw_bit},
};

/** Thousands of small samples: the intervals miss the mean no more often than they may, four deviations of chance beside. */
static void means_are_covered(void **state) {
    (void)state;
    enum { TRIALS = 2000 };
    static const uint64_t sizes[] = {1, 2, 10, 100, 1000};
    for (size_t i = 0; i < sizeof distributions / sizeof *distributions; i++) {
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const known *d = &distributions[i];
            const uint64_t n_trial = sizes[k] > 100 ? TRIALS / 5 : TRIALS;
            uint64_t n_missed = 0;
            hf_random r;
            hf_random_init(&r, 11, HF_PURPOSE_TEST, i * 100 + k);
            for (uint64_t t = 0; t < n_trial; t++) {
                hf_sample s = {.n = sizes[k], .most = d->most};
                for (uint64_t x = 0; x < sizes[k]; x++) {
                    const double v = d->draw(&r);
                    s.sum += v;
                    s.squares += v * v;
                    s.largest = fmax(s.largest, v);
                }
                const hf_mean_estimate e = hf_estimate_mean(&s, 0.95);
                n_missed += !(e.low <= d->mean && d->mean <= e.high);
                assert_true(0 <= e.low && e.low <= e.value && e.value <= e.high && e.high <= d->most && e.low < e.high);
                s.squares = INFINITY; /* not kept */
                const hf_mean_estimate w = hf_estimate_mean(&s, 0.95);
                n_missed += n_trial * !(w.low <= w.value && w.value <= w.high && w.low < w.high);
            }
            const double allowed = 0.05 * (double)n_trial;
            if ((double)n_missed > allowed + 4 * sqrt(allowed)) {
                fail_msg("%s, %d values: %d of %d intervals miss the mean", d->name, (int)sizes[k], (int)n_missed, (int)n_trial);
            }
        }
    }
}

/** More values, a narrower interval: near what is known of the spread, not of the range. */
static void means_get_narrow(void **state) {
    (void)state;
    const double n = 1e8, mean = 3, variance = 0.25, most = 1000;
    const hf_sample s = {.n = (uint64_t)n, .sum = n * mean, .squares = n * (variance + mean * mean), .largest = 4, .most = most};
    const hf_mean_estimate e = hf_estimate_mean(&s, 0.95);
    assert_true(e.high - e.low < 4 * 2 * 1.96 * sqrt(variance / n));
    hf_sample open = s;
    open.most = INFINITY;
    assert_int_equal(hf_estimate_mean(&open, 0.95).method, HF_INTERVAL_BERNSTEIN_SEEN);
}

/** Where nothing bounds the values the interval is never of no width; without values it is everything. */
static void means_of_little(void **state) {
    (void)state;
    const hf_sample zeros = {.n = 1000, .most = INFINITY}, none = {.most = 7}, nothing = {.n = 10, .most = 0};
    const hf_mean_estimate e = hf_estimate_mean(&zeros, 0.95), all = hf_estimate_mean(&none, 0.95);
    assert_true(e.low == 0 && e.high > 1e-3 && e.high < 0.02);
    assert_true(all.low == 0 && all.high == 7);
    const hf_mean_estimate zero = hf_estimate_mean(&nothing, 0.95);
    assert_true(zero.low == 0 && zero.value == 0 && zero.high == 0);
}

/** A share of trials: Wilson's intervals may fall short of the confidence by what their waves are known for, exact ones never. */
static void shares_are_covered(void **state) {
    (void)state;
    static const unsigned sizes[] = {10, 100, 300};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (int step = 1; step < 40; step++) {
            const unsigned n = sizes[k];
            const long double p = step < 20 ? step / 400.0L : step / 40.0L;
            long double covered = 0;
            for (unsigned count = 0; count <= n; count++) {
                const hf_estimate e = hf_estimate_proportion(count, n, 0.95);
                const long double next = count < n ? upper_tail(count + 1, n, p) : 0;
                covered += e.low <= p && p <= e.high ? upper_tail(count, n, p) - next : 0;
            }
            assert_true(covered >= 0.935L);
        }
    }
}

enum { UNLIKE = 240 };

/* How likely each count is, of trials that each have a probability of their own: one trial after the other. */
static void counts_of_unlike(const double *p, unsigned n, double *at) {
    memset(at, 0, (n + 1) * sizeof *at);
    at[0] = 1;
    for (unsigned i = 0; i < n; i++) {
        for (unsigned count = i + 2; count-- > 0;) {
            at[count] = (count <= i ? at[count] * (1 - p[i]) : 0) + (count > 0 ? at[count - 1] * p[i] : 0);
        }
    }
}

/* Some trials of a probability, others of another: \param[in] knows the variance is given, else it is that of trials alike */
static double unlike_covered(unsigned n, unsigned some, double p, double q, bool knows) {
    double each[UNLIKE], at[UNLIKE + 1], sum = 0, variance = 0, covered = 0;
    for (unsigned i = 0; i < n; i++) {
        each[i] = i < some ? p : q;
        sum += each[i];
        variance += each[i] * (1 - each[i]);
    }
    counts_of_unlike(each, n, at);
    for (unsigned count = 0; count <= n; count++) {
        const hf_estimate e = hf_estimate_unlike(count, n, knows ? variance : INFINITY, 0.95);
        assert_true(0 <= e.low && e.low <= e.value && e.value <= e.high && e.high <= 1);
        covered += e.low <= sum / n && sum / n <= e.high ? at[count] : 0;
    }
    return covered;
}

/* Few trials, or few on one side: at least the confidence, whatever the probabilities, also where one trial alone can be lost.
 * Many: as good as the variance that is told. */
static void unlike_trials_are_covered(void **state) {
    (void)state;
    static const double shares[] = {0, 0.0253, 0.1, 0.5, 0.9, 1};
    enum { SHARES = sizeof shares / sizeof *shares };
    for (unsigned n = 1; n <= UNLIKE; n = 2 * n + 1) {
        for (unsigned some = 1; some <= n; some = 3 * some + 1) {
            for (unsigned k = 0; k < SHARES * SHARES; k++) {
                const double p = shares[k / SHARES], q = shares[k % SHARES];
                const double covered = unlike_covered(n, some, p, q, n > 60);
                if (covered < (n > 60 ? 0.935 : 0.95 - 1e-12)) {
                    fail_msg("%u of %u trials of %g, others of %g: the interval holds with %g", some, n, p, q, covered);
                }
            }
        }
    }
    const hf_estimate plain = hf_estimate_unlike(100, 200, 50, 0.95), less = hf_estimate_unlike(100, 200, 12.5, 0.95),
                      none = hf_estimate_unlike(100, 200, 0, 0.95);
    assert_int_equal(plain.method, HF_INTERVAL_WILSON);
    assert_int_equal(less.method, HF_INTERVAL_KORN_GRAUBARD);
    assert_true(less.high - less.low < 0.55 * (plain.high - plain.low) && none.low < 0.5 && 0.5 < none.high);
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
        cmocka_unit_test(means_are_covered),
        cmocka_unit_test(means_get_narrow),
        cmocka_unit_test(means_of_little),
        cmocka_unit_test(shares_are_covered),
        cmocka_unit_test(unlike_trials_are_covered),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
