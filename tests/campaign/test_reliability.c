/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reliability from campaigns against every subset of the components of a small network, each with its own probability, judged
 *  one by one; the time to failure also against drawn lives of the components. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/support/rows.h"

enum { M_MAX = 12, SUBSETS = 1 << M_MAX, LIVES = 20000 };

/** A network small enough for all subsets. */
typedef struct slow {
    fixture fx;
    uint32_t m;
    bool bad[SUBSETS];
    uint32_t lost[SUBSETS];
    double rate[M_MAX];
    uint8_t class_of[M_MAX];
    hf_reliability_class class[2];
    size_t n_class;
} slow;

/** Terminals with fewer than half of the others as partners both ways. */
static uint32_t count_lost(slow *s, const hf_plan *plan) {
    const uint32_t n = s->fx.topo->n_terminal;
    hf_verdict v;
    uint32_t lost = 0;
    fixture_ok(&s->fx, hf_tolerance_judge(s->fx.cx, plan, fixture_criterion(&s->fx, "all-pairs"), true, &v));
    for (uint32_t a = 0; a < n; a++) {
        uint32_t partners = 0;
        for (uint32_t b = 0; b < n; b++) {
            const size_t there = (size_t)a * n + b, back = (size_t)b * n + a;
            partners += a != b && hf_plan_is_live(plan, a) && hf_plan_is_live(plan, b) &&
                        !((v.bad_pair[there >> 6] >> (there & 63)) & 1) && !((v.bad_pair[back >> 6] >> (back & 63)) & 1);
        }
        lost += partners < (n - 1) / 2.0;
    }
    return lost;
}

static void slow_open(slow *s, const char *topo, const char *universe, const char *rule, const char *criterion) {
    fixture_open(&s->fx, topo, universe, rule);
    s->m = s->fx.universe->n_component;
    assert_true(s->m <= M_MAX);
    for (uint32_t set = 0; set < 1u << s->m; set++) {
        uint32_t component[M_MAX], f = 0;
        const hf_mark mark = hf_scratch_mark(s->fx.cx);
        for (uint32_t i = 0; i < s->m; i++) {
            if ((set >> i) & 1) {
                component[f++] = i;
            }
        }
        hf_fault_set faults;
        hf_plan plan;
        hf_verdict v;
        fixture_plan_set(&s->fx, component, f, &faults, &plan);
        fixture_ok(&s->fx, hf_tolerance_judge(s->fx.cx, &plan, fixture_criterion(&s->fx, criterion), false, &v));
        s->bad[set] = !v.tolerated;
        s->lost[set] = count_lost(s, &plan);
        hf_scratch_reset(s->fx.cx, mark);
    }
}

/** Classes by type: links are class 0, switches 1; rates are `a` and `b` per hour. */
static void set_rates(slow *s, double a, double b, double mttr_h) {
    s->n_class = a == b ? 1 : 2;
    s->class[0] = (hf_reliability_class){.rate = a, .mttr_h = mttr_h};
    s->class[1] = (hf_reliability_class){.rate = b, .mttr_h = 2 * mttr_h};
    for (uint32_t i = 0; i < s->m; i++) {
        const bool is_second = s->fx.universe->component[i].type == HF_COMPONENT_SWITCH;
        s->rate[i] = is_second ? b : a;
        s->class_of[i] = is_second && s->n_class == 2;
        s->class[s->class_of[i]].n_component++;
    }
}

/** Expectations when component i is failed with probability[i]. */
static void slow_expect(const slow *s, const double *probability, double *bad, double *lost) {
    *bad = *lost = 0;
    for (uint32_t set = 0; set < 1u << s->m; set++) {
        double weight = 1;
        for (uint32_t i = 0; i < s->m; i++) {
            weight *= (set >> i) & 1 ? probability[i] : 1 - probability[i];
        }
        *bad += s->bad[set] ? weight : 0;
        *lost += weight * s->lost[set];
    }
}

static double slow_bad_at(const slow *s, double hours, double *lost) {
    double probability[M_MAX], bad;
    for (uint32_t i = 0; i < s->m; i++) {
        probability[i] = 1 - exp(-s->rate[i] * hours);
    }
    slow_expect(s, probability, &bad, lost);
    return bad;
}

/* ---- the campaign's way ---- */

static hf_status make_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    slow *s = user;
    return hf_reliability_judge_new(cx, universe, rule, fixture_criterion(&s->fx, "all-pairs"), s->class_of, s->n_class, true,
                                    out);
}

static hf_reliability *fast(slow *s, uint32_t f_max, hf_method method, uint64_t samples, bool is_monotone) {
    uint32_t f[M_MAX + 1];
    for (uint32_t i = 0; i <= f_max; i++) {
        f[i] = i;
    }
    const hf_inquiry inquiry = {.key = "test", .user = s, .judge = make_judge};
    hf_campaign c = rows_campaign(&s->fx, "all-pairs", f, f_max + 1);
    c.criterion = NULL;
    c.inquiry = &inquiry;
    c.method = method;
    c.samples = samples;
    hf_result *result = rows_run(&s->fx, &c);
    hf_reliability_row *row;
    size_t n;
    hf_reliability *r;
    const uint32_t n_terminal = s->fx.topo->n_terminal;
    fixture_ok(&s->fx, hf_result_reliability(s->fx.cx, result, s->class, s->n_class, true, n_terminal, &row, &n));
    fixture_ok(&s->fx, hf_reliability_new(s->fx.cx, s->class, s->n_class, row, n, is_monotone, n_terminal, &r));
    hf_result_free(result);
    return r;
}

static void expect_inside(double value, const hf_bounded *b, const char *what, double hours) {
    const double slack = 1e-9 * (fabs(value) + 1e-3);
    if (!(b->low <= value + slack && value <= b->high + slack && b->low <= b->value && b->value <= b->high)) {
        print_error("%s at %g: %.15g is not in [%.15g, %.15g] (value %.15g)\n", what, hours, value, b->low, b->high, b->value);
        fail();
    }
}
static void expect_equal(double value, const hf_bounded *b, const char *what, double hours) {
    expect_inside(value, b, what, hours);
    if (b->high - b->low > 1e-9 * (fabs(value) + 1e-3)) {
        print_error("%s at %g: [%.15g, %.15g] is not one value\n", what, hours, b->low, b->high);
        fail();
    }
}

/** The integral of R by Simpson's rule over u in (0, 1), t = u / (1 - u) hours times a scale. */
static double slow_integral(const slow *s, double scale) {
    const int n = 4000;
    double sum = 0, lost;
    for (int i = 0; i < n; i++) {
        const double u = (double)i / n, t = scale * u / (1 - u);
        const double value = (1 - slow_bad_at(s, t, &lost)) * scale / ((1 - u) * (1 - u));
        sum += value * (i == 0 ? 1 : i % 2 ? 4 : 2);
    }
    return sum / (3 * n);
}

static const struct {
    const char *topo, *universe, *rule;
    double a, b;
} cases[] = {
    {"kary-tree:k=2,n=2", "links+switches", "updown", 1e-3, 1e-3}, {"kary-tree:k=2,n=2", "links+switches", "updown", 1e-3, 4e-3},
    {"kary-tree:k=2,n=2", "links+switches", "updown", 2e-3, 0},    {"ring:n=5", "links+switches", "minimal", 1e-4, 3e-4},
    {"kary-tree:k=2,n=2", "channels", "ft2ei", 0.5, 0.5},          {"mesh:dims=2x3", "links", "updown-graph", 1e-5, 1e-5},
};

static void all_sets_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        slow *s = calloc(1, sizeof *s);
        assert_non_null(s);
        slow_open(s, cases[i].topo, cases[i].universe, cases[i].rule, "all-pairs");
        set_rates(s, cases[i].a, cases[i].b, 20 / cases[i].a / 1000);
        hf_reliability *r = fast(s, s->m, HF_METHOD_EXHAUSTIVE, 0, false);
        double x = 0;
        for (int k = 0; k < 12; k++, x = 1.7 * x + 0.01) {
            hf_reliability_state at;
            double lost;
            const double hours = x / cases[i].a, bad = slow_bad_at(s, hours, &lost);
            fixture_ok(&s->fx, hf_reliability_at(s->fx.cx, r, hours, &at));
            expect_equal(bad, &at.bad, "bad", hours);
            expect_equal(lost, &at.lost, "lost", hours);
            assert_true(fabs(at.covered - 1) < 1e-12);
        }
        double probability[M_MAX], bad, lost;
        hf_reliability_state steady;
        for (uint32_t k = 0; k < s->m; k++) {
            const hf_reliability_class *class = &s->class[s->class_of[k]];
            probability[k] = class->rate * class->mttr_h / (1 + class->rate * class->mttr_h);
        }
        slow_expect(s, probability, &bad, &lost);
        fixture_ok(&s->fx, hf_reliability_steady(s->fx.cx, r, &steady));
        expect_equal(bad, &steady.bad, "steady", 0);
        expect_equal(lost, &steady.lost, "steady loss", 0);
        if (s->bad[(1u << s->m) - 1] && cases[i].b > 0) {
            hf_bounded integral;
            fixture_ok(&s->fx, hf_reliability_integral(s->fx.cx, r, &integral));
            const double want = slow_integral(s, 0.3 / cases[i].a);
            assert_true(integral.low == integral.high && fabs(integral.value - want) < 1e-6 * want);
        }
        hf_reliability_free(r);
        fixture_close(&s->fx);
        free(s);
    }
}

/** Rows of a few sizes, or samples: what all subsets give lies inside the bounds. */
static void bounds_hold(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        slow *s = calloc(1, sizeof *s);
        assert_non_null(s);
        slow_open(s, cases[i].topo, cases[i].universe, cases[i].rule, "all-pairs");
        set_rates(s, cases[i].a, cases[i].b, 0);
        for (int way = 0; way < 3; way++) { /* way 2 samples: only where classes are alike */
            if (way == 2 && s->n_class > 1) {
                continue;
            }
            const bool is_monotone = way > 0 && s->fx.rule.routing->traits & HF_ROUTING_MONOTONE;
            hf_reliability *r = fast(s, 3, way == 2 ? HF_METHOD_SAMPLED : HF_METHOD_EXHAUSTIVE, way == 2 ? 20 : 0, is_monotone);
            double x = 0.001;
            for (int k = 0; k < 11; k++, x *= 2.3) {
                hf_reliability_state at;
                double lost;
                const double hours = x / cases[i].a, bad = slow_bad_at(s, hours, &lost);
                fixture_ok(&s->fx, hf_reliability_at(s->fx.cx, r, hours, &at));
                expect_inside(bad, &at.bad, "bad", hours);
                expect_inside(lost, &at.lost, "lost", hours);
            }
            hf_bounded integral;
            fixture_ok(&s->fx, hf_reliability_integral(s->fx.cx, r, &integral));
            const double want = cases[i].b > 0 ? slow_integral(s, 0.3 / cases[i].a) : integral.low;
            assert_true(integral.low <= want * (1 + 1e-6) && integral.low <= integral.value);
            assert_true(integral.high >= want * (1 - 1e-6));
            hf_reliability_free(r);
        }
        fixture_close(&s->fx);
        free(s);
    }
}

/** Draw lives of all components; the network's life ends with the failure after which the set is not tolerated. */
static void drawn_lives(void **state) {
    (void)state;
    slow *s = calloc(1, sizeof *s);
    assert_non_null(s);
    slow_open(s, "kary-tree:k=2,n=2", "links+switches", "updown", "all-pairs");
    set_rates(s, 1e-3, 4e-3, 0);
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < LIVES; i++) {
        hf_random random;
        double life[M_MAX], end = HUGE_VAL;
        hf_random_init(&random, 7, HF_PURPOSE_TEST, i);
        for (uint32_t k = 0; k < s->m; k++) {
            life[k] = -log(((double)hf_random_u32(&random) + 0.5) / 4294967296.0) / s->rate[k];
        }
        for (uint32_t k = 0; k < s->m; k++) {
            uint32_t failed = 0;
            for (uint32_t j = 0; j < s->m; j++) {
                failed |= (uint32_t)(life[j] <= life[k]) << j;
            }
            end = s->bad[failed] ? fmin(end, life[k]) : end;
        }
        sum += end;
        squares += end * end;
    }
    hf_reliability *r = fast(s, s->m, HF_METHOD_EXHAUSTIVE, 0, true);
    hf_bounded mttf;
    fixture_ok(&s->fx, hf_reliability_mttf(s->fx.cx, r, &mttf));
    const double mean = sum / LIVES, error = sqrt((squares / LIVES - mean * mean) / LIVES);
    if (fabs(mean - mttf.value) > 4 * error) {
        print_error("drawn %g +- %g, computed %g\n", mean, error, mttf.value);
        fail();
    }
    hf_reliability_free(r);
    fixture_close(&s->fx);
    free(s);
}

/** Closed forms: two parts of which one is enough, one crew; a chain of equation 2.6. */
static void closed_forms(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_reliability *r;
    hf_reliability_state steady;
    hf_bounded mttf;
    const double rate = 1e-4, repair = 24, x = rate * repair;
    hf_reliability_class class = {.n_component = 2, .rate = rate, .mttr_h = repair, .crews = 1};
    hf_reliability_row row[3] = {{.failed = {0}}, {.failed = {1}}, {.failed = {2}, .bad = {1, 1, 1}}};
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 3, true, 0, &r), HF_OK);
    assert_int_equal(hf_reliability_steady(cx, r, &steady), HF_OK);
    assert_true(fabs(steady.bad.value - 2 * x * x / (1 + 2 * x + 2 * x * x)) < 1e-15);
    assert_int_equal(hf_reliability_mttf(cx, r, &mttf), HF_OK);
    assert_true(fabs(mttf.value - 1.5 / rate) < 1e-6);
    hf_reliability_free(r);
    class = (hf_reliability_class){.n_component = 1, .rate = 1 / 6.5, .mttr_h = 0.01};
    row[1].bad = (hf_bounded){1, 1, 1};
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 2, true, 0, &r), HF_OK);
    assert_int_equal(hf_reliability_steady(cx, r, &steady), HF_OK);
    assert_true(fabs(1 - steady.bad.value - 6.5 / (6.5 + 0.01)) < 1e-15);
    hf_reliability_free(r);
    class.rate = 0;
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 2, true, 0, &r), HF_EINVAL);
    class = (hf_reliability_class){.n_component = 1, .rate = 1};
    row[1].failed[0] = 2;
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 2, true, 0, &r), HF_EINVAL);
    row[1].failed[0] = 1;
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 2, true, 0, &r), HF_OK);
    assert_int_equal(hf_reliability_steady(cx, r, &steady), HF_EINVAL);
    hf_reliability_free(r);
    class.n_component = 1 << 22;
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 2, true, 0, &r), HF_ERANGE);
    hf_context_free(cx);
}

/* Three components of which none may fail: R = e^(-3 t), however small; what one of them may do beyond is a range, however small.
 */
static void digits_of_small_ones(void **state) {
    (void)state;
    const hf_reliability_class class = {.n_component = 3, .rate = 1};
    hf_reliability_row row[4] = {
        {.failed = {0}}, {.failed = {1}, .bad = {1, 1, 1}}, {.failed = {2}, .bad = {1, 1, 1}}, {.failed = {3}, .bad = {1, 1, 1}}};
    hf_context *cx = hf_context_new(NULL);
    hf_reliability *r;
    hf_reliability_state at;
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 4, true, 0, &r), HF_OK);
    for (int i = 0; i < 24; i++) {
        const double hours = 1e-9 * pow(3, i); /* to 94 */
        assert_int_equal(hf_reliability_at(cx, r, hours, &at), HF_OK);
        assert_true(fabs(at.good.value / exp(-3 * hours) - 1) < 1e-12 && fabs(at.bad.value / -expm1(-3 * hours) - 1) < 1e-12);
        assert_true(hf_reliability_is_one(&at));
    }
    hf_reliability_free(r);
    assert_int_equal(hf_reliability_new(cx, &class, 1, row, 1, true, 0, &r), HF_OK);
    assert_int_equal(hf_reliability_at(cx, r, 1e-18, &at), HF_OK);
    assert_true(at.bad.low == 0 && at.bad.high > 2.9e-18 && !hf_reliability_is_one(&at));
    assert_int_equal(hf_reliability_at(cx, r, 0, &at), HF_OK);
    assert_true(hf_reliability_is_one(&at) && at.good.low == 1);
    hf_reliability_free(r);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(digits_of_small_ones), cmocka_unit_test(all_sets_counted),
                                       cmocka_unit_test(bounds_hold), cmocka_unit_test(drawn_lives),
                                       cmocka_unit_test(closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
