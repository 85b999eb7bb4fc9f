/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Intervals for proportions: Wilson (JASA 1927) and Clopper-Pearson (Biometrika 1934). For means of bounded values: empirical
 *  Bernstein (Maurer and Pontil 2009) and Hoeffding's in the form of Chernoff (1963). */
#include <holdfast/core/stats.h>

#include <math.h>
#include <stdbool.h>

#include "src/bridge/gsl.h"

enum { FEW = 30 /* below this count the exact interval is used */, HALVINGS = 60 };

const char *hf_interval_method_name(hf_interval_method method) {
    static const char *const name[] = {
        "exact",       "wilson",    "clopper-pearson", "bernstein-hoeffding", "bernstein-hoeffding-range-seen",
        "batch-means", "student-t", "exact-of-a-part", "korn-graubard"};
    return name[method];
}

hf_estimate hf_estimate_wilson(uint64_t count, uint64_t trials, double confidence) {
    const double n = (double)trials, p = (double)count / n, z = hf_gsl_normal_quantile(0.5 + confidence / 2);
    const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (hf_estimate){p, count == 0 ? 0 : fmax(0, centre - half), count == trials ? 1 : fmin(1, centre + half),
                         HF_INTERVAL_WILSON};
}

hf_estimate hf_estimate_clopper_pearson(uint64_t count, uint64_t trials, double confidence) {
    const double tail = (1 - confidence) / 2, x = (double)count, n = (double)trials;
    const double low = count == 0 ? 0 : hf_gsl_beta_quantile(tail, x, n - x + 1);
    const double high = count == trials ? 1 : hf_gsl_beta_quantile(1 - tail, x + 1, n - x);
    return (hf_estimate){x / n, low, high, HF_INTERVAL_CLOPPER_PEARSON};
}

hf_estimate hf_estimate_proportion(uint64_t count, uint64_t trials, double confidence) {
    const bool is_few = count < FEW || trials - count < FEW;
    return is_few ? hf_estimate_clopper_pearson(count, trials, confidence) : hf_estimate_wilson(count, trials, confidence);
}

/* The sum S of independent trials that are not alike, of mean m, has lighter tails than the binomial variable B of as many that
 * are (Hoeffding): P(S >= s) <= P(B >= s) for s >= m + 1. For m < s < m + 1 and s >= 2 nothing is claimed that asks for it: B is
 * above a mean of 1 or more with probability 1/4 at least (Doerr 2018), so s is not in its tail. For s = 1 P(S >= 1) <= m is
 * used, which is all there is. The other end is the same of trials that fail. */
static hf_estimate estimate_few_unlike(uint64_t count, uint64_t trials, double confidence) {
    hf_estimate e = hf_estimate_clopper_pearson(count, trials, confidence);
    const double least = (1 - confidence) / 2 / (double)trials;
    e.low = count == 1 ? fmin(e.low, least) : e.low;
    e.high = count + 1 == trials ? fmax(e.high, 1 - least) : e.high;
    return e;
}

hf_estimate hf_estimate_unlike(uint64_t count, uint64_t trials, double variance, double confidence) {
    const double p = (double)count / (double)trials, plain = (double)count * (1 - p), tail = (1 - confidence) / 2;
    if (count < FEW || trials - count < FEW) {
        return estimate_few_unlike(count, trials, confidence);
    }
    if (!(variance < plain)) {
        return hf_estimate_proportion(count, trials, confidence);
    }
    const double n = (double)trials * plain / fmax(variance, 1), x = n * p;
    return (hf_estimate){p, hf_gsl_beta_quantile(tail, x, n - x + 1), hf_gsl_beta_quantile(1 - tail, x + 1, n - x),
                         HF_INTERVAL_KORN_GRAUBARD};
}

/* ---- means of bounded values ---- */

/* Relative entropy of coins: of one that shows heads with probability a to one with b. */
static double divergence(double a, double b) {
    const double heads = a > 0 ? a * log(a / b) : 0, tails = a < 1 ? (1 - a) * log((1 - a) / (1 - b)) : 0;
    return heads + tails;
}

/* The true mean of values in [0, 1] that is farthest from `mean` towards `end` (0 or 1) and still believable: a divergence of
 * at most `limit`. The outer end of the last interval, so that rounding does not take from it. */
static double farthest(double mean, double end, double limit) {
    double inside = mean, outside = end;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (inside + outside) / 2;
        if (divergence(mean, middle) <= limit) {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    return outside;
}

/* Both inequalities on [0, 1]: each holds but for half of the risk, each end but for a quarter. */
static void bound_unit(double mean, double variance, double n, double risk, double *low, double *high) {
    const double chernoff = log(4 / risk) / n, log_risk = log(8 / risk);
    const double half = n > 1 ? sqrt(2 * variance * log_risk / n) + 7 * log_risk / (3 * (n - 1)) : 1;
    *low = fmax(mean - half, farthest(mean, 0, chernoff));
    *high = fmin(mean + half, farthest(mean, 1, chernoff));
}

static double variance_of(const hf_sample *s, double mean, double range) {
    if (isinf(s->squares)) {
        return mean * (range - mean); /* no values in the range have more */
    }
    return s->n > 1 ? fmax(s->squares - s->sum * mean, 0) / ((double)s->n - 1) : 0;
}

hf_mean_estimate hf_estimate_mean(const hf_sample *s, double confidence) {
    const bool is_known = isfinite(s->most);
    const double range = is_known ? s->most : fmax(s->largest, 1);
    hf_mean_estimate out = {0, 0, s->most, is_known ? HF_INTERVAL_BERNSTEIN : HF_INTERVAL_BERNSTEIN_SEEN};
    if (s->n == 0) {
        return out;
    }
    if (range == 1 && is_known && s->squares == s->sum) {
        const hf_estimate e = hf_estimate_clopper_pearson((uint64_t)s->sum, s->n, confidence);
        return (hf_mean_estimate){e.value, e.low, e.high, e.method};
    }
    out.value = s->sum / (double)s->n;
    if (range > 0) {
        const double mean = fmin(out.value / range, 1), variance = variance_of(s, out.value, range) / range / range;
        bound_unit(mean, variance, (double)s->n, 1 - confidence, &out.low, &out.high);
    }
    out.low *= range;
    out.high = range > 0 ? out.high * range : 0;
    return out;
}
