/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The time to the first set that is not tolerated, and the time in tolerated sets, against the explicit chain over all subsets
 *  (tests/oracle/lives.c): every routing, criterion and kind of universe on small networks, components in random classes, rows of
 *  all sizes, of some, and sampled. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/reliability.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"
#include "tests/oracle/lives.h"
#include "tests/support/failing.h"

enum { M_MAX = 9, SUBSETS = 1 << M_MAX, ROWS_MAX = SUBSETS };

/** A network, what it tolerates, and how its components fail. */
typedef struct scene {
    fixture fx;
    const char *criterion;
    uint32_t m;
    bool bad[SUBSETS];
    hf_random random;
    hf_reliability_class class[HF_RELIABILITY_CLASSES];
    size_t n_class;
    uint8_t class_of[M_MAX];
    double rate[M_MAX];
} scene;

static void judge_all(scene *s) {
    s->m = s->fx.universe->n_component;
    for (uint32_t set = 0; set < 1u << s->m; set++) {
        uint32_t component[M_MAX], f = 0;
        const hf_mark mark = hf_scratch_mark(s->fx.cx);
        hf_fault_set faults;
        hf_plan plan;
        hf_verdict v;
        for (uint32_t i = 0; i < s->m; i++) {
            if ((set >> i) & 1) {
                component[f++] = i;
            }
        }
        fixture_plan_set(&s->fx, component, f, &faults, &plan);
        fixture_ok(&s->fx, hf_tolerance_judge(s->fx.cx, &plan, fixture_criterion(&s->fx, s->criterion), false, &v));
        s->bad[set] = !v.tolerated;
        hf_scratch_reset(s->fx.cx, mark);
    }
}

/** Components in random classes; the rate of a class is now and then 0, or much higher than that of another. */
static void draw_classes(scene *s) {
    static const double rates[] = {1e-3, 2e-3, 3e-5, 0.7, 0};
    s->n_class = 1 + hf_random_below(&s->random, s->m < HF_RELIABILITY_CLASSES ? s->m : HF_RELIABILITY_CLASSES);
    for (size_t c = 0; c < s->n_class; c++) {
        s->class[c] = (hf_reliability_class){.rate = rates[hf_random_below(&s->random, c == 0 ? 4 : 5)]};
    }
    for (uint32_t i = 0; i < s->m; i++) {
        s->class_of[i] = (uint8_t)(i < s->n_class ? i : hf_random_below(&s->random, s->n_class));
        s->class[s->class_of[i]].n_component++;
        s->rate[i] = s->class[s->class_of[i]].rate;
    }
}

/** Rows of all compositions of sizes that are not left out; with one class also by samples. */
static size_t make_rows(scene *s, uint32_t sizes, bool is_sampled, hf_reliability_row *row) {
    uint64_t count[ROWS_MAX] = {0}, bad[ROWS_MAX] = {0};
    size_t n = 0;
    for (uint32_t set = 0; set < 1u << s->m; set++) {
        uint32_t failed[HF_RELIABILITY_CLASSES] = {0};
        size_t i = 0;
        for (uint32_t x = 0; x < s->m; x++) {
            failed[s->class_of[x]] += (set >> x) & 1;
        }
        if (!((sizes >> __builtin_popcount(set)) & 1)) {
            continue;
        }
        while (i < n && memcmp(row[i].failed, failed, sizeof failed) != 0) {
            i++;
        }
        if (i == n) {
            row[n] = (hf_reliability_row){.lost = {0, 0, 0}};
            memcpy(row[n++].failed, failed, sizeof failed);
        }
        count[i]++;
        bad[i] += s->bad[set];
    }
    for (size_t i = 0; i < n; i++) {
        const double share = (double)bad[i] / (double)count[i];
        row[i].bad = (hf_bounded){share, share, share};
        if (is_sampled) { /* a sample of 50 sets, with an interval that practically never misses */
            hf_reliability_count c = {row[i].failed[0], 50, 0, false};
            for (int k = 0; k < 50; k++) {
                c.not_tolerated += hf_random_below(&s->random, count[i]) < bad[i];
            }
            row[i] = hf_reliability_row_of(&c, 1 - 1e-10);
        }
    }
    return n;
}

static void expect(const scene *s, bool is_exact, double want, const hf_bounded *b, const char *what) {
    const double slack = 1e-9 * want + 1e-9;
    const bool is_ordered = b->low <= b->value && b->value <= b->high;
    const bool is_inside = isinf(want) ? isinf(b->high) : b->low <= want + slack && want - slack <= b->high;
    const bool is_tight = isinf(want) ? isinf(b->low) : b->high - b->low <= slack;
    if (!is_ordered || !is_inside || (is_exact && !is_tight)) {
        fail_msg("%s, %s, %s, %s: %s is %.12g, found [%.12g, %.12g], value %.12g, %s", s->fx.topo->spec, s->fx.rule.spec,
                 s->fx.universe->spec, s->criterion, what, want, b->low, b->high, b->value, is_exact ? "exact" : "bounds");
    }
}

static bool fails_switches(const scene *s) { return s->fx.universe->switch_begin[s->m] > 0; }

/** One set of rows: both times hold their truth, before the walk and after it, and are exact where everything is known. */
static void compare(scene *s, uint32_t sizes, bool is_sampled) {
    const bool is_monotone =
        hf_reliability_is_monotone(hf_rule_traits(&s->fx.rule), fixture_criterion(&s->fx, s->criterion), fails_switches(s));
    const bool is_whole = sizes == (1u << (s->m + 1)) - 1 && !is_sampled;
    const double first = lives_to_first_bad(s->m, s->bad, s->rate), good = lives_in_good(s->m, s->bad, s->rate);
    const hf_reliability_sets sets = {.universe = s->fx.universe,
                                      .rule = &s->fx.rule,
                                      .criterion = fixture_criterion(&s->fx, s->criterion),
                                      .class_of = s->class_of,
                                      .threads = 1};
    hf_reliability_row row[ROWS_MAX];
    hf_reliability *r;
    hf_bounded mttf, integral;
    uint32_t f_done;
    const size_t n = make_rows(s, sizes, is_sampled, row);
    fixture_ok(&s->fx, hf_reliability_new(s->fx.cx, s->class, s->n_class, row, n, is_monotone, 0, &r));
    fixture_ok(&s->fx, hf_reliability_integral(s->fx.cx, r, &integral));
    expect(s, is_whole, good, &integral, "time in tolerated sets");
    fixture_ok(&s->fx, hf_reliability_mttf(s->fx.cx, r, &mttf));
    expect(s, is_whole && is_monotone, first, &mttf, "time to failure");
    assert_true(mttf.low <= integral.high * (1 + 1e-9) && mttf.high <= integral.high * (1 + 1e-9));
    const uint32_t f_most = is_whole ? s->m : s->m / 2;
    fixture_ok(&s->fx, hf_reliability_walk(s->fx.cx, r, &sets, f_most, &f_done));
    assert_int_equal(f_done, f_most);
    fixture_ok(&s->fx, hf_reliability_mttf(s->fx.cx, r, &mttf));
    expect(s, is_whole, first, &mttf, "time to failure after the walk");
    hf_reliability_free(r);
}

static void compare_all(scene *s) {
    judge_all(s);
    for (int k = 0; k < 3; k++) {
        const uint32_t all = (1u << (s->m + 1)) - 1;
        memset(s->class, 0, sizeof s->class);
        draw_classes(s);
        compare(s, all, false);
        compare(s, all >> (s->m / 2), false);
        compare(s, (uint32_t)hf_random_below(&s->random, all + UINT64_C(1)), false);
        if (s->n_class == 1) {
            compare(s, all, true);
        }
    }
}

static void try_rule(const char *topo, const char *universe, const char *rule, uint64_t seed, uint32_t *n_compared) {
    for (size_t c = 0; c < hf_criterion_count(); c++) {
        scene s = {.criterion = hf_criterion_at(c)->name};
        hf_random_init(&s.random, seed, HF_PURPOSE_TEST, c);
        fixture_open(&s.fx, topo, NULL, NULL);
        const bool is_there = hf_universe_new(s.fx.cx, s.fx.topo, universe, NULL, &s.fx.universe) == HF_OK &&
                              s.fx.universe->n_component <= M_MAX && hf_rule_init(s.fx.cx, rule, s.fx.topo, &s.fx.rule) == HF_OK;
        if (is_there) {
            compare_all(&s);
            ++*n_compared;
        }
        fixture_close(&s.fx);
    }
}

static void every_rule(void **state) {
    (void)state;
    static const char *const topologies[] = {"ring:n=4",     "ring:n=2,terminals=2", "mesh:dims=2x2", "mesh:dims=3",
                                             "torus:dims=3", "kary-tree:k=2,n=2",    "complete:n=3",  "ring:n=3"};
    static const char *const universes[] = {"links", "channels", "switches", "terminal-links", "links+switches"};
    uint32_t n_compared = 0;
    uint64_t seed = 0;
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++) {
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            for (size_t i = 0; i < hf_routing_count(); i++) {
                try_rule(topologies[t], universes[u], hf_routing_at(i)->name, seed++, &n_compared);
            }
        }
    }
    assert_true(n_compared > 500);
}

/** A set that is not tolerated and that all ways of failing leave again, and one that no way passes by. */
static void known_answers(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *universe, *criterion;
        double first, good;
    } cases[] = {{"ring:n=4", "updown-graph", "channels", "all-pairs", 1e3 * 37 / 168, 232.142857142857},
                 {"ring:n=4", "dor", "links", "surviving", 250, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s = {.criterion = cases[i].criterion, .n_class = 1};
        fixture_open(&s.fx, cases[i].topo, cases[i].universe, cases[i].rule);
        judge_all(&s);
        for (uint32_t x = 0; x < s.m; x++) {
            s.rate[x] = 1e-3;
        }
        s.class[0] = (hf_reliability_class){.n_component = s.m, .rate = 1e-3};
        assert_true(fabs(lives_to_first_bad(s.m, s.bad, s.rate) - cases[i].first) < 1e-9);
        assert_true(cases[i].good == 0 || fabs(lives_in_good(s.m, s.bad, s.rate) - cases[i].good) < 1e-9);
        compare(&s, (1u << (s.m + 1)) - 1, false);
        fixture_close(&s.fx);
    }
}

/* ---- allocations that fail ---- */

static hf_status walk_and_free(hf_context *cx, void *user) {
    scene *s = user;
    hf_reliability_row row = {.bad = {0, 0, 0}};
    hf_reliability *r;
    hf_bounded mttf;
    uint32_t f_done;
    const hf_reliability_sets sets = {.universe = s->fx.universe,
                                      .rule = &s->fx.rule,
                                      .criterion = fixture_criterion(&s->fx, s->criterion),
                                      .class_of = s->class_of,
                                      .threads = 2};
    HF_TRY(hf_reliability_new(cx, s->class, 1, &row, 1, false, 0, &r));
    hf_status status = hf_reliability_walk(cx, r, &sets, s->m, &f_done);
    status = status == HF_OK ? hf_reliability_mttf(cx, r, &mttf) : status;
    hf_reliability_free(r);
    return status;
}

static void allocations(void **state) {
    (void)state;
    scene s = {.criterion = "surviving", .n_class = 1};
    fixture_open(&s.fx, "ring:n=4", "links", "updown-graph");
    s.m = s.fx.universe->n_component;
    s.class[0] = (hf_reliability_class){.n_component = s.m, .rate = 1};
    assert_true(failing_sweep("walk", walk_and_free, &s) > 10);
    fixture_close(&s.fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rule), cmocka_unit_test(known_answers),
                                       cmocka_unit_test(allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
