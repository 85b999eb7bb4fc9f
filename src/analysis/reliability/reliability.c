/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reliability over a grid of states: state (i_1, i_2, ...) has i_c failed components of class c. Without repair the classes are
 *  binomial, with repair birth-death chains; both have weights with the ratio (m - i) x / min(i + 1, crews), where x is
 *  e^(rate t) - 1 or rate times repair time. The integral of R follows the jumps of the chain from state to state. */
#include "src/analysis/reliability/reliability.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <holdfast/core/stats.h>

enum { STATES_MAX = 1 << 22 };

bool hf_bounded_is_one(const hf_bounded *b) {
    return isinf(b->low) || (isfinite(b->high) && b->high - b->low <= 1e-12 * fabs(b->high));
}

bool hf_reliability_is_one(const hf_reliability_state *s) {
    return hf_bounded_is_one(&s->bad) && hf_bounded_is_one(&s->good) && hf_bounded_is_one(&s->lost);
}

hf_reliability_row hf_reliability_row_of(const hf_reliability_count *count, double confidence) {
    hf_reliability_row row = {.failed = {count->f}};
    const double share = (double)count->not_tolerated / (double)count->sets;
    row.bad = (hf_bounded){share, share, share};
    if (!count->is_exact) {
        const hf_estimate e = hf_estimate_clopper_pearson(count->not_tolerated, count->sets, confidence);
        row.bad = (hf_bounded){e.low, share, e.high};
    }
    return row;
}

/* ---- states ---- */

static hf_status lay_out(hf_context *cx, hf_reliability *r) {
    size_t n = 1;
    for (size_t c = 0; c < r->n_class; c++) {
        r->step[c] = n;
        if (n > STATES_MAX / ((size_t)r->class[c].n_component + 1)) {
            HF_FAIL(cx, HF_ERANGE,
                    "the numbers of failed components of the classes have more than %d combinations; give classes "
                    "the same rate, or fewer components",
                    STATES_MAX);
        }
        n *= (size_t)r->class[c].n_component + 1;
    }
    r->n_state = n;
    HF_TRY(hf_allocate(cx, n, sizeof *r->is_covered, (void **)&r->is_covered));
    HF_TRY(hf_allocate(cx, n, sizeof *r->bad, (void **)&r->bad));
    HF_TRY(hf_allocate(cx, n, sizeof *r->lost, (void **)&r->lost));
    HF_TRY(hf_allocate(cx, n, sizeof *r->chain, (void **)&r->chain));
    for (size_t s = 0; s < n; s++) {
        r->chain[s] = -1;
    }
    return HF_OK;
}

static hf_status place_rows(hf_context *cx, hf_reliability *r, const hf_reliability_row *row, size_t n_row, uint32_t n_terminal) {
    for (size_t s = 0; s < r->n_state; s++) {
        r->bad[s] = (hf_bounded){0, 1, 1};
        r->lost[s] = (hf_bounded){0, n_terminal, n_terminal};
    }
    for (size_t i = 0; i < n_row; i++) {
        size_t state = 0;
        for (size_t c = 0; c < r->n_class; c++) {
            if (row[i].failed[c] > r->class[c].n_component) {
                HF_FAIL(cx, HF_EINVAL, "a row has %" PRIu32 " failed components of a class of %" PRIu32, row[i].failed[c],
                        r->class[c].n_component);
            }
            state += row[i].failed[c] * r->step[c];
        }
        r->is_covered[state] = true;
        r->bad[state] = row[i].bad;
        r->lost[state] = n_terminal ? row[i].lost : (hf_bounded){0, 0, 0};
    }
    return HF_OK;
}

/** A monotone share is at least that of any smaller state and at most that of any larger one. */
static void tighten(hf_reliability *r) {
    for (size_t s = 0; s < r->n_state; s++) {
        for (size_t c = 0; c < r->n_class; c++) {
            if (hf_reliability_failed(r, s, c) > 0) {
                r->bad[s].low = fmax(r->bad[s].low, r->bad[s - r->step[c]].low);
            }
        }
    }
    for (size_t s = r->n_state; s-- > 0;) {
        for (size_t c = 0; c < r->n_class; c++) {
            if (hf_reliability_failed(r, s, c) < r->class[c].n_component) {
                r->bad[s].high = fmin(r->bad[s].high, r->bad[s + r->step[c]].high);
            }
        }
    }
    for (size_t s = 0; s < r->n_state; s++) { /* rows that claim more than they can know must not turn the ends round */
        r->bad[s].high = fmax(r->bad[s].high, r->bad[s].low);
        r->bad[s].value = r->is_covered[s] ? fmin(fmax(r->bad[s].value, r->bad[s].low), r->bad[s].high) : r->bad[s].high;
    }
}

static bool any_fails(const hf_reliability_class *class, size_t n_class) {
    for (size_t c = 0; c < n_class; c++) {
        if (class[c].rate > 0 && class[c].n_component > 0) {
            return true;
        }
    }
    return false;
}

hf_status hf_reliability_new(hf_context *cx, const hf_reliability_class *classes, size_t n_class, const hf_reliability_row *row,
                             size_t n_row, bool is_monotone, uint32_t n_terminal, hf_reliability **out) {
    hf_reliability *r;
    hf_status status;
    if (!any_fails(classes, n_class)) {
        HF_FAIL(cx, HF_EINVAL, "no component has a failure rate above 0; nothing ever fails");
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *r, (void **)&r));
    r->allocator = *hf_context_allocator(cx);
    r->n_class = n_class;
    r->is_monotone = is_monotone;
    memcpy(r->class, classes, n_class * sizeof *classes);
    HF_TRY_DONE(lay_out(cx, r));
    HF_TRY_DONE(place_rows(cx, r, row, n_row, n_terminal));
    if (is_monotone) {
        tighten(r);
    }
    *out = r;
    return HF_OK;
done:
    hf_reliability_free(r);
    return status;
}

void hf_reliability_free(hf_reliability *r) {
    if (r) {
        const hf_allocator allocator = r->allocator;
        hf_release(&allocator, r->is_covered);
        hf_release(&allocator, r->bad);
        hf_release(&allocator, r->lost);
        hf_release(&allocator, r->chain);
        hf_release(&allocator, r);
    }
}

/* ---- probabilities of the numbers of failures of a class ---- */

/** Weights with the ratio (m - i) x / min(i + 1, crews), as probabilities. In logarithms, as they span hundreds of decades. */
static void spread(uint32_t m, double x, uint32_t crews, double *out) {
    double log_weight = 0, largest = 0, sum = 0;
    if (x <= 0 || isinf(x)) {
        for (uint32_t i = 0; i <= m; i++) {
            out[i] = i == (x <= 0 ? 0 : m);
        }
        return;
    }
    out[0] = 0;
    for (uint32_t i = 0; i < m; i++) {
        const uint32_t repaired = crews && crews < i + 1 ? crews : i + 1;
        log_weight += log((double)(m - i) * x / repaired);
        out[i + 1] = log_weight;
        largest = fmax(largest, log_weight);
    }
    for (uint32_t i = 0; i <= m; i++) {
        out[i] = exp(out[i] - largest);
        sum += out[i];
    }
    for (uint32_t i = 0; i <= m; i++) {
        out[i] /= sum;
    }
}

static void add(hf_bounded *to, double weight, const hf_bounded *part) {
    to->low += weight * part->low;
    to->value += weight * part->value;
    to->high += weight * part->high;
}

static hf_bounded complement(hf_bounded x) { return (hf_bounded){1 - x.high, 1 - x.value, 1 - x.low}; }

/* 1 - bad keeps the digits of a large one, the sum of its parts those of a small one. */
static double rest_of(double bad, double sum) { return bad < 0.5 ? 1 - bad : fmin(sum, 1); }

static void find_good(const hf_bounded *bad, const hf_bounded *sum, hf_bounded *out) {
    out->high = rest_of(bad->low, sum->high);
    out->value = fmin(rest_of(bad->value, sum->value), out->high);
    out->low = fmin(rest_of(bad->high, sum->low), out->value);
}

/** Expectations over independent classes: probability[c][i] of i failures of class c. */
static void expect(const hf_reliability *r, double *const *probability, hf_reliability_state *out) {
    hf_bounded good = {0, 0, 0};
    *out = (hf_reliability_state){0};
    for (size_t s = 0; s < r->n_state; s++) {
        const hf_bounded tolerated = complement(r->bad[s]);
        double weight = 1, failed = 0;
        for (size_t c = 0; c < r->n_class; c++) {
            const uint32_t i = hf_reliability_failed(r, s, c);
            weight *= probability[c][i];
            failed += i;
        }
        add(&out->bad, weight, &r->bad[s]);
        add(&good, weight, &tolerated);
        add(&out->lost, weight, &r->lost[s]);
        out->failed += weight * failed;
        out->covered += r->is_covered[s] ? weight : 0;
    }
    out->bad.high = fmin(out->bad.high, 1); /* rounding */
    out->bad.value = fmin(out->bad.value, out->bad.high);
    out->bad.low = fmin(out->bad.low, out->bad.value);
    out->covered = fmin(out->covered, 1);
    find_good(&out->bad, &good, &out->good);
}

static hf_status expect_with(hf_context *cx, const hf_reliability *r, const double *x, bool has_crews,
                             hf_reliability_state *out) {
    double *probability[HF_RELIABILITY_CLASSES];
    const hf_mark mark = hf_scratch_mark(cx);
    for (size_t c = 0; c < r->n_class; c++) {
        HF_TRY(hf_scratch(cx, (size_t)r->class[c].n_component + 1, sizeof(double), (void **)&probability[c]));
        spread(r->class[c].n_component, x[c], has_crews ? r->class[c].crews : 0, probability[c]);
    }
    expect(r, probability, out);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

hf_status hf_reliability_at(hf_context *cx, const hf_reliability *r, double hours, hf_reliability_state *out) {
    double x[HF_RELIABILITY_CLASSES];
    for (size_t c = 0; c < r->n_class; c++) {
        x[c] = expm1(r->class[c].rate * hours);
    }
    return expect_with(cx, r, x, false, out);
}

hf_status hf_reliability_steady(hf_context *cx, const hf_reliability *r, hf_reliability_state *out) {
    double x[HF_RELIABILITY_CLASSES];
    for (size_t c = 0; c < r->n_class; c++) {
        if (r->class[c].rate > 0 && r->class[c].n_component > 0 && !(r->class[c].mttr_h > 0)) {
            HF_FAIL(cx, HF_EINVAL, "components that fail and are never repaired have no availability in the long run");
        }
        x[c] = r->class[c].rate * r->class[c].mttr_h;
    }
    return expect_with(cx, r, x, true, out);
}

/* ---- the integral of R ---- */

hf_status hf_reliability_visits(hf_context *cx, const hf_reliability *r, double **out) {
    double *visit;
    HF_TRY(hf_scratch(cx, r->n_state, sizeof *visit, (void **)&visit));
    visit[0] = 1;
    for (size_t s = 0; s < r->n_state; s++) {
        const double leave = hf_reliability_leave(r, s);
        for (size_t c = 0; c < r->n_class && visit[s] > 0 && leave > 0; c++) {
            const double rate = hf_reliability_next(r, s, c);
            if (rate > 0) {
                visit[s + r->step[c]] += visit[s] * rate / leave;
            }
        }
    }
    *out = visit;
    return HF_OK;
}

/* Time spent in a state whose share of tolerated sets is known; infinite where nothing more fails. */
static double stay(double visit, double leave, double bad) { return bad < 1 ? visit * (1 - bad) / leave : 0; }

hf_status hf_reliability_integral(hf_context *cx, const hf_reliability *r, hf_bounded *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    double *visit;
    *out = (hf_bounded){0, 0, 0};
    HF_TRY(hf_reliability_visits(cx, r, &visit));
    for (size_t s = 0; s < r->n_state; s++) {
        const double leave = hf_reliability_leave(r, s);
        if (visit[s] > 0) {
            out->low += stay(visit[s], leave, r->bad[s].high);
            out->value += stay(visit[s], leave, r->bad[s].value);
            out->high += stay(visit[s], leave, r->bad[s].low);
        }
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}
