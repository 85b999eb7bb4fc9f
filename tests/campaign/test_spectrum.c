/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Random orders of failure against verdicts of the relation on every start of every order; against the orders that `bounds`
 *  looks at; shares against exact numbers; the same bytes from any number of threads. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/support/rows.h"

enum { M = 64 };

typedef struct asked {
    uint32_t f[M + 1];
    hf_campaign campaign;
    hf_spectrum_job job;
    hf_spectrum spectrum;
} asked;

/* All sizes, `orders` orders. */
static void run(fixture *fx, const char *criterion, uint64_t seed, uint64_t orders, uint32_t threads, asked *a) {
    const uint32_t m = fx->universe->n_component;
    hf_result *result;
    assert_in_range(m, 0, M);
    for (uint32_t f = 0; f <= m; f++) {
        a->f[f] = f;
    }
    a->campaign = rows_campaign(fx, criterion, a->f, m + 1);
    a->campaign.seed = seed;
    a->campaign.threads = threads;
    fixture_ok(fx, hf_spectrum_prepare(fx->cx, &a->campaign, orders, &a->job));
    fixture_ok(fx, hf_campaign_run(fx->cx, &a->job.campaign, &result));
    fixture_ok(fx, hf_spectrum_of_tally(fx->cx, &a->job, &result->row[0].tally, &a->spectrum));
    assert_int_equal(a->spectrum.orders, orders);
    hf_result_free(result);
}

/* By the relation alone. */
static void look(fixture *fx, const char *criterion, uint64_t seed, uint64_t orders, uint64_t *lost) {
    const uint32_t m = fx->universe->n_component;
    uint32_t order[M];
    hf_judge *judge;
    memset(lost, 0, (m + 1) * sizeof *lost);
    fixture_ok(fx, hf_judge_new_relation(fx->cx, fx->universe, &fx->rule, fixture_criterion(fx, criterion), &judge));
    for (uint64_t i = 0; i < orders; i++) {
        hf_random random;
        for (uint32_t c = 0; c < m; c++) {
            order[c] = c;
        }
        hf_random_init(&random, seed, HF_PURPOSE_ORDER, i);
        hf_random_shuffle(&random, order, m);
        for (uint32_t f = 0; f <= m; f++) {
            hf_measure measure;
            fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
            lost[f] += !measure.tolerated;
            fixture_ok(fx, f < m ? judge->ops->push(fx->cx, judge, order[f]) : HF_OK);
        }
        for (uint32_t f = 0; f < m; f++) {
            judge->ops->pop(judge);
        }
    }
    hf_judge_free(judge);
}

static void expect_relation(fixture *fx, const char *criterion, uint64_t seed, uint64_t orders, bool is_monotone) {
    static asked a;
    uint64_t lost[M + 1];
    run(fx, criterion, seed, orders, 1, &a);
    assert_int_equal(a.spectrum.is_monotone, is_monotone);
    look(fx, criterion, seed, orders, lost);
    for (uint32_t f = 0; f <= fx->universe->n_component; f++) {
        if (lost[f] != a.spectrum.lost[f]) {
            fail_msg("seed %" PRIu64 ", %s, %s, %s, %s, f=%" PRIu32 ": %" PRIu64 " orders lost, the relation says %" PRIu64, seed,
                     fx->topo->spec, fx->rule.spec, fx->universe->spec, criterion, f, a.spectrum.lost[f], lost[f]);
        }
    }
}

static void by_the_relation(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule, *criterion;
        bool is_monotone;
    } cases[] = {{"kary-tree:k=2,n=3", "links", "updown", "all-pairs", true},
                 {"kary-tree:k=2,n=3", "channels", "updown", "all-pairs", true},
                 {"kary-tree:k=2,n=2", "switches", "updown", "all-pairs", true},
                 {"kary-tree:k=3,n=2", "links+switches", "updown", "all-pairs:live=50%", true},
                 {"kary-tree:k=2,n=3", "links", "updown", "surviving", false},
                 {"torus:dims=2x2", "links", "minimal", "all-pairs", true},
                 {"torus:dims=2", "links", "minimal", "connected", true},
                 {"torus:dims=3x3", "switches", "minimal", "connected", true},
                 {"torus:dims=3x3", "switches", "minimal", "switches-connected", false},
                 {"torus:dims=3x3", "links+switches", "updown-graph", "all-pairs", false},
                 {"mesh:dims=3x3", "channels", "dor", "all-pairs", true},
                 {"complete:n=4", "terminal-links+switches", "minimal", "surviving", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        for (uint64_t seed = 1; seed < 4; seed++) {
            expect_relation(&fx, cases[i].criterion, seed, 20, cases[i].is_monotone);
        }
        fixture_close(&fx);
    }
}

static hf_status limit_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)user;
    (void)rule;
    return hf_limit_judge_new(cx, universe, out);
}

/* Of links, what parts the switches does so for good: `bounds` plays the same orders backwards. */
static void by_bounds(void **state) {
    (void)state;
    static asked a;
    static const char *const topos[] = {"torus:dims=4x4", "mesh:dims=2x7", "torus:dims=2x2", "kary-tree:k=3,n=3"};
    for (size_t i = 0; i < sizeof topos / sizeof *topos; i++) {
        fixture fx;
        hf_result *result;
        hf_limit limit;
        fixture_open(&fx, topos[i], "links", "minimal");
        const uint32_t m = fx.universe->n_component;
        run(&fx, "switches-connected", i, 500, 1, &a);
        const hf_inquiry inquiry = {.key = "limit", .n_quantity = m + 2, .orders = true, .judge = limit_judge};
        hf_campaign c = a.job.campaign;
        c.inquiry = &inquiry;
        fixture_ok(&fx, hf_campaign_run(fx.cx, &c, &result));
        fixture_ok(&fx, hf_limit_of_tally(fx.cx, &result->row[0].tally, &limit));
        assert_memory_equal(a.spectrum.lost, limit.below, (m + 1) * sizeof *limit.below);
        hf_result_free(result);
        fixture_close(&fx);
    }
}

static double share_of(fixture *fx, const hf_counted *exact, uint32_t f) {
    hf_big *all;
    fixture_ok(fx, hf_big_new(fx->cx, &all));
    hf_big_binomial(all, exact->m, f);
    const double share = hf_big_share(exact->not_tolerated[f], all);
    hf_big_free(all);
    return share;
}

enum { FIRST = 7 };

/* \return whether the intervals of all sizes hold */
static bool hold(fixture *fx, const hf_spectrum *s, const hf_counted *exact) {
    bool all = true;
    for (uint32_t f = FIRST; f + 3 < exact->m; f++) {
        const double share = share_of(fx, exact, f);
        const hf_estimate e = hf_spectrum_share(s, f, 1 - 0.05 / (exact->m - 3 - FIRST));
        assert_true(e.low <= e.value && e.value <= e.high);
        all = all && e.low <= share && share <= e.high;
    }
    return all;
}

/* The shares that are known, from orders alone, and joined to a size that is known; in most runs all intervals hold. */
static void shares(void **state) {
    (void)state;
    static asked a;
    fixture fx;
    hf_counted *exact;
    unsigned alone = 0, joined = 0, runs = 40;
    double wide = 0, narrow = 0;
    fixture_open(&fx, "torus:dims=4x4", "links", "minimal");
    fixture_ok(&fx, hf_counted_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "connected"), M, 1e9, &exact));
    for (uint64_t seed = 0; seed < runs; seed++) {
        run(&fx, "connected", seed, 5000, 1, &a);
        alone += hold(&fx, &a.spectrum, exact);
        const hf_estimate before = hf_spectrum_share(&a.spectrum, FIRST, 0.95);
        a.spectrum.joined = FIRST - 1;
        a.spectrum.exact_share = share_of(&fx, exact, FIRST - 1);
        joined += hold(&fx, &a.spectrum, exact);
        const hf_estimate after = hf_spectrum_share(&a.spectrum, FIRST, 0.95);
        wide += before.high - before.low;
        narrow += after.high - after.low;
    }
    assert_in_range(alone, runs - 5, runs);
    assert_in_range(joined, runs - 5, runs);
    assert_true(narrow < 0.9 * wide);
    hf_counted_free(exact);
    fixture_close(&fx);
}

/* Sizes with few sets, at both ends. */
static void few(void **state) {
    (void)state;
    static asked a;
    fixture fx;
    hf_counted *exact, *some;
    fixture_open(&fx, "torus:dims=4x4", "links", "minimal");
    const uint32_t m = fx.universe->n_component;
    run(&fx, "connected", 1, 10, 1, &a);
    fixture_ok(&fx, hf_counted_run(fx.cx, fx.universe, &fx.rule, a.campaign.criterion, m, 1e9, &exact));
    fixture_ok(&fx, hf_counted_few(fx.cx, &a.campaign, 5000, &some));
    for (uint32_t f = 0; f <= m; f++) {
        assert_int_equal(hf_counted_knows(some, f), f <= 3 || f + 3 >= m);
        assert_true(!hf_counted_knows(some, f) || hf_big_compare(some->not_tolerated[f], exact->not_tolerated[f]) == 0);
    }
    hf_counted_free(some);
    hf_counted_free(exact);
    fixture_close(&fx);
}

static void threads(void **state) {
    (void)state;
    static asked one, many;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=2", "channels", "updown");
    run(&fx, "all-pairs", 5, 700, 1, &one);
    run(&fx, "all-pairs", 5, 700, 3, &many);
    assert_memory_equal(one.spectrum.lost, many.spectrum.lost, (fx.universe->n_component + 1) * sizeof *one.spectrum.lost);
    assert_true(one.spectrum.verdicts == many.spectrum.verdicts && one.spectrum.failures == many.spectrum.failures);
    assert_true(one.spectrum.verdicts > 1 && one.spectrum.verdicts < 12);
    fixture_close(&fx);
}

/* One of two components fails: half of the orders lose at the first. */
static void gains(void **state) {
    (void)state;
    hf_spectrum s = {.orders = 1000, .is_monotone = true, .lost = (uint64_t[]){0, 500, 1000}, .joined = HF_NONE};
    s.verdicts = 2;
    s.failures = 4;
    /* 2,000 verdicts for 10 rows make 200 sets a row, 4,000 failures for 1 each of 10 rows 400 */
    assert_float_equal(hf_spectrum_gain(&s, 1, 10, 10), 5, 1e-9);
    assert_float_equal(hf_spectrum_gain(&s, 1, 10, 40), 10, 1e-9);
    assert_true(isnan(hf_spectrum_gain(&s, 2, 10, 10)));
    s.joined = 0;
    s.exact_share = 0;
    assert_float_equal(hf_spectrum_gain(&s, 1, 10, 10), 5, 1e-9);
}

static void refused(void **state) {
    (void)state;
    fixture fx;
    hf_spectrum_job job;
    uint32_t f = 1;
    fixture_open(&fx, "torus:dims=3x3", "links", "immunet");
    hf_campaign c = rows_campaign(&fx, "all-pairs", &f, 1);
    assert_int_equal(hf_spectrum_prepare(fx.cx, &c, 10, &job), HF_ENOTSUP);
    assert_non_null(strstr(hf_context_message(fx.cx), "random order"));
    c.order = HF_ORDER_RANDOM;
    fixture_ok(&fx, hf_spectrum_prepare(fx.cx, &c, 10, &job));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_the_relation), cmocka_unit_test(by_bounds), cmocka_unit_test(shares), cmocka_unit_test(few),
        cmocka_unit_test(threads),         cmocka_unit_test(gains),     cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
