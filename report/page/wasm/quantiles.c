/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Distributions and their quantiles without GSL. The incomplete beta function is Lentz's continued fraction [press2007, 6.4];
 *  what is asked the other way round is found by halving. */
#include "src/bridge/gsl.h"

#include <float.h>
#include <math.h>

enum { HALVINGS = 1200 /* from 1 to the smallest double */, TERMS = 10000, LARGE = 12 };
static const double two_pi = 6.283185307179586;

static double away_from_zero(double x) { return fabs(x) < DBL_MIN * 16 ? DBL_MIN * 16 : x; }

static double fraction(double a, double b, double x) {
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
    for (int m = 1; m < TERMS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        value *= c * d;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        value *= c * d;
        if (fabs(c * d - 1) < 4 * DBL_EPSILON) {
            break;
        }
    }
    return value;
}

/* What Stirling's formula leaves of log gamma(x), x >= LARGE. */
static double rest_of_stirling(double x) {
    const double y = 1 / (x * x);
    return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * 691.0 / 360360))))) / x;
}

/* a log(x (a + b) / a), which is small where x is near a / (a + b). */
static double power(double x, double rest, double a, double b) {
    return a * (x < 0.5 ? log(x) + log((a + b) / a) : log1p(-rest) + log1p(b / a));
}

/* x^a (1 - x)^b / B(a, b), without the difference of large logarithms: small shapes are made large by B(a, b) = B(a + 1, b) (a +
 * b) / a. */
static double density(double x, double rest, double a, double b) {
    double sum = 0;
    for (; a < LARGE; a++) {
        sum += log(a / (a + b) / x);
    }
    for (; b < LARGE; b++) {
        sum += log(b / (a + b) / rest);
    }
    sum += power(x, rest, a, b) + power(rest, x, b, a) + rest_of_stirling(a + b) - rest_of_stirling(a) - rest_of_stirling(b);
    return exp(sum) * sqrt(a / (a + b) * b / two_pi);
}

/* P(X <= x) of a Beta(a, b) variable; `rest` is 1 - x, which may have digits that x cannot show. */
static double beta_below(double x, double rest, double a, double b) {
    if (x <= 0 || rest <= 0) {
        return x > 0;
    }
    const double front = density(x, rest, a, b);
    return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a : 1 - front * fraction(b, a, rest) / b;
}

double hf_gsl_beta_quantile(double p, double a, double b) {
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        if (beta_below(middle, 1 - middle, a, b) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low + (high - low) / 2;
}

double hf_gsl_normal_below(double x) { return erfc(-x / sqrt(2)) / 2; }

double hf_gsl_t_below(double x, double freedom) {
    const double square = x * x, sum = freedom + square;
    const double tail = beta_below(freedom / sum, square / sum, freedom / 2, 0.5) / 2;
    return x < 0 ? tail : 1 - tail;
}

/* x with below(x) = p of a distribution that is symmetric about 0; the lower half, whose tail keeps its digits. */
static double halve(double p, double freedom, double (*below)(double x, double freedom)) {
    double low = -1, high = 0;
    if (p >= 0.5) {
        return p == 0.5 ? 0 : -halve(1 - p, freedom, below);
    }
    while (below(low, freedom) > p && low > -DBL_MAX / 4) {
        high = low;
        low *= 2;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) {
            break;
        }
        if (below(middle, freedom) < p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low + (high - low) / 2;
}

static double normal_below(double x, double freedom) { return (void)freedom, hf_gsl_normal_below(x); }

double hf_gsl_normal_quantile(double p) { return halve(p, 0, normal_below); }
double hf_gsl_t_quantile(double p, double freedom) { return halve(p, freedom, hf_gsl_t_below); }
