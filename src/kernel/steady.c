/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Batch means. Windows are joined until von Neumann's ratio of the batches [von Neumann, Ann. Math. Stat. 12(4), 1941] is that
 *  of independent ones [fishman1978]; the correlation that is left widens the interval as in Skart [tafazzoli2011]. A mean of
 *  packets is a ratio, with the interval of the residuals [Cochran, Sampling techniques, 3rd ed., 6.3].
 *
 *  Steady is what four regressions and that ratio do not refuse: on time (a drift), on the first half against the second, and
 *  on the first and the last quarter against the rest (a warm-up that is not over, a collapse that has begun). Levels are
 *  shared among the tests [Bonferroni]. */
#include "src/kernel/steady.h"

#include <math.h>

#include "src/bridge/gsl.h"

enum { TESTS = 5, SHAPES = 4, GROWTH = 8 };
static const double confidence = 0.95, independent = 0.1, correlation_most = 0.9, rounding = 1e-12;

typedef struct batches {
    double *x;
    uint32_t n;
    double mean, squares; /* about the mean */
} batches;

/* ---- the series ---- */

/* Each window as it moves the mean: where it counts packets, by how much its sum is off what they would have in the mean. */
static double spread_out(hf_series s, double *value, uint32_t *n_counting) {
    double sum = 0, count = 0;
    *n_counting = 0;
    for (uint32_t i = 0; i < s.n; i++) {
        sum += s.sum[i];
        count += s.count ? s.count[i] : 1;
        *n_counting += !s.count || s.count[i] > 0;
    }
    const double mean = sum / count;
    for (uint32_t i = 0; i < s.n; i++) {
        value[i] = s.count ? mean + (s.sum[i] - mean * s.count[i]) * s.n / count : s.sum[i];
    }
    return mean;
}

/* Batches of `size` windows; what does not fill one is left out at the beginning. */
static void join(const double *value, uint32_t n, uint32_t size, batches *out) {
    const uint32_t first = n % size;
    double sum = 0;
    out->n = n / size;
    for (uint32_t b = 0; b < out->n; b++) {
        out->x[b] = 0;
        for (uint32_t i = 0; i < size; i++) {
            out->x[b] += value[first + b * size + i] / size;
        }
        sum += out->x[b];
    }
    out->mean = sum / out->n;
    out->squares = 0;
    for (uint32_t b = 0; b < out->n; b++) {
        out->squares += (out->x[b] - out->mean) * (out->x[b] - out->mean);
    }
}

/* ---- do batches hang together? ---- */

static bool is_constant(const batches *b) {
    const double off = rounding * b->mean;
    return b->squares <= off * off * b->n;
}

/* Probability that independent batches follow each other so closely. */
static double von_neumann(const batches *b) {
    double steps = 0;
    for (uint32_t i = 1; i < b->n; i++) {
        steps += (b->x[i] - b->x[i - 1]) * (b->x[i] - b->x[i - 1]);
    }
    const double n = b->n, deviation = sqrt(4 * (n - 2) / (n * n - 1));
    return hf_gsl_normal_below((steps / b->squares - 2) / deviation);
}

/* How many times wider correlation makes the variance of the mean of `x`, whose own mean is 0. */
static double widening(const double *x, uint32_t n) {
    double squares = 0, products = 0;
    for (uint32_t i = 0; i < n; i++) {
        squares += x[i] * x[i];
        products += i ? x[i] * x[i - 1] : 0;
    }
    const double r = squares > 0 ? fmin(fmax(products / squares, 0), correlation_most) : 0;
    return (1 + r) / (1 - r);
}

/* ---- trends ---- */

/* What batch i of n weighs in a regression. */
static double shape_of(int shape, uint32_t i, uint32_t n) {
    const uint32_t part = shape == 1 ? n / 2 : n / 4;
    return shape == 0 ? i : shape == 3 ? i >= n - part : i < part;
}

/* Two-sided probability that batches without that trend give such a slope. \param scratch n entries */
static double regress(const batches *b, int shape, double *scratch) {
    double middle = 0, gg = 0, gx = 0, rest = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        middle += shape_of(shape, i, b->n) / b->n;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        const double g = shape_of(shape, i, b->n) - middle;
        gg += g * g;
        gx += g * (b->x[i] - b->mean);
    }
    const double slope = gx / gg, freedom = b->n - 2.0;
    for (uint32_t i = 0; i < b->n; i++) {
        scratch[i] = b->x[i] - b->mean - slope * (shape_of(shape, i, b->n) - middle);
        rest += scratch[i] * scratch[i];
    }
    const double error = sqrt(rest / freedom / gg * widening(scratch, b->n));
    return error > 0 ? 2 * hf_gsl_t_below(-fabs(slope) / error, freedom) : 0;
}

static double find_trend(const batches *b, double *scratch) {
    double least = 1;
    for (int shape = 0; shape < SHAPES; shape++) {
        least = fmin(least, regress(b, shape, scratch));
    }
    return least;
}

/* ---- the sheet of one series ---- */

/* Batches that look independent, or the largest ones. \return the most of the probabilities that they are */
static double find_batches(const double *value, uint32_t n, uint32_t least, batches *out) {
    double most = 0;
    for (uint32_t size = least; n / size >= HF_STEADY_BATCHES && most < independent; size += 1 + size / GROWTH) {
        join(value, n, size, out);
        most = is_constant(out) ? 1 : fmax(most, von_neumann(out));
    }
    return most;
}

/* Room for the windows of a series, its batches, and as much again. */
typedef struct sheet {
    double *value, *scratch;
    uint32_t n, n_counting;
    bool is_long; /* enough windows for tests */
    double alike; /* the most of the probabilities that its batches are independent */
    batches b;
} sheet;

static hf_status make_sheet(hf_context *cx, uint32_t n, sheet *out) {
    *out = (sheet){.n = n};
    HF_TRY(hf_scratch(cx, n, sizeof *out->value, (void **)&out->value));
    HF_TRY(hf_scratch(cx, n, sizeof *out->scratch, (void **)&out->scratch));
    return hf_scratch(cx, n, sizeof *out->b.x, (void **)&out->b.x);
}

static void divide(sheet *s, uint32_t least) {
    s->is_long = s->n / least >= HF_STEADY_BATCHES;
    join(s->value, s->n, s->n / least >= 2 ? least : 1, &s->b);
    s->alike = s->is_long ? find_batches(s->value, s->n, least, &s->b) : 0;
}

/* Of the mean of its batches. */
static double standard_error(const sheet *s) {
    const batches *b = &s->b;
    for (uint32_t i = 0; i < b->n; i++) {
        s->scratch[i] = b->x[i] - b->mean;
    }
    return sqrt(b->squares / (b->n - 1.0) / b->n * widening(s->scratch, b->n));
}

static double quantile_of(const batches *b) { return hf_gsl_t_quantile(0.5 + confidence / 2, b->n - 1.0); }

hf_status hf_series_mean(hf_context *cx, hf_series s, uint32_t least, hf_batch_mean *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    sheet of;
    HF_TRY(make_sheet(cx, s.n, &of));
    *out = (hf_batch_mean){spread_out(s, of.value, &of.n_counting), NAN, 0};
    if (of.n_counting >= 2) {
        divide(&of, least);
        out->half = quantile_of(&of.b) * standard_error(&of);
        out->steady = !of.is_long ? 0 : is_constant(&of.b) ? 1 : fmin(1, TESTS * fmin(of.alike, find_trend(&of.b, of.scratch)));
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

/* ---- two series ---- */

/* Third moment of the batches over the cube of their deviation, without bias; 0 of two batches. */
static double skewness(const batches *b) {
    double cubes = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const double off = b->x[i] - b->mean;
        cubes += off * off * off;
    }
    const double n = b->n, deviation = sqrt(b->squares / (n - 1));
    return b->n > 2 && deviation > 0 ? n / (n - 1) / (n - 2) * cubes / (deviation * deviation * deviation) : 0;
}

/* Student's t for the mean of batches that are skewed: with `beta` = skewness / (6 root n) [willink2005]. */
static double bend(double t, double beta) { return beta == 0 ? t : (cbrt(1 + 6 * beta * (t - beta)) - 1) / (2 * beta); }

hf_status hf_series_apart(hf_context *cx, hf_series a, hf_series b, double r, uint32_t least, hf_sides *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    sheet of_a, of_b;
    HF_TRY(make_sheet(cx, a.n, &of_a));
    HF_TRY(make_sheet(cx, a.n, &of_b));
    (void)spread_out(a, of_a.value, &of_a.n_counting);
    (void)spread_out(b, of_b.value, &of_b.n_counting);
    *out = (hf_sides){NAN, NAN};
    if (of_a.n_counting >= 2 && of_b.n_counting >= 2) {
        for (uint32_t i = 0; i < a.n; i++) {
            of_a.value[i] -= r * of_b.value[i];
        }
        divide(&of_a, least);
        const double beta = skewness(&of_a.b) / (6 * sqrt(of_a.b.n)), t = quantile_of(&of_a.b), error = standard_error(&of_a);
        *out = (hf_sides){bend(t, beta) * error, -bend(-t, beta) * error};
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

hf_status hf_series_hold(hf_context *cx, hf_series state, uint32_t least, hf_batch_mean *out) {
    hf_batch_mean held;
    HF_TRY(hf_series_mean(cx, state, least, &held));
    out->steady = fmin(1, 2 * fmin(out->steady, held.steady));
    return HF_OK;
}
