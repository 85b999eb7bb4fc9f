/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The method that a campaign takes by itself: each of them where it should, and numbers that agree. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rows.h"
#include "tests/support/share.h"

static const double memory = 1 << 27;

static hf_choice choose(fixture *fx, const char *criterion, const uint32_t *f, size_t n_f, bool walks) {
    hf_choice choice;
    const hf_campaign c = rows_campaign(fx, criterion, f, n_f);
    const unsigned orders = hf_method_bit(HF_METHOD_SPECTRUM),
                   all = orders | hf_method_bit(HF_METHOD_COUNTED) | hf_method_bit(HF_METHOD_ORBITS);
    fixture_ok(fx, hf_campaign_choose(fx->cx, &c, walks ? orders : all, memory, &choice));
    assert_true(choice.why[0] && !strchr(choice.why, '\n'));
    return choice;
}

static void methods(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule, *criterion;
        uint32_t low, high; /* f */
        bool walks;
        hf_method method;
    } cases[] = {{"kary-tree:k=2,n=3", "links", "updown", "all-pairs", 0, 16, false, HF_METHOD_EXHAUSTIVE},
                 {"kary-tree:k=4,n=3", "links", "updown", "all-pairs", 0, 4, false, HF_METHOD_EXHAUSTIVE},
                 {"kary-tree:k=4,n=3", "links", "updown", "all-pairs", 0, 128, false, HF_METHOD_COUNTED},
                 {"kary-tree:k=4,n=3", "links", "updown", "all-pairs", 0, 5, true, HF_METHOD_EXHAUSTIVE},
                 {"kary-tree:k=4,n=3", "links", "updown", "all-pairs", 8, 8, true, HF_METHOD_SAMPLED},
                 {"kary-tree:k=4,n=3", "links", "updown", "surviving", 8, 8, false, HF_METHOD_ORBITS},
                 {"torus:dims=6x6", "links", "dor", "connected", 0, 20, false, HF_METHOD_COUNTED},
                 {"torus:dims=16x16", "links", "dor", "all-pairs", 5, 6, false, HF_METHOD_SPECTRUM},
                 {"torus:dims=16x16", "links", "dor", "all-pairs", 6, 6, false, HF_METHOD_SAMPLED},
                 {"kary-tree:k=4,n=3", "channels", "ft2ei:intervals=1", "all-pairs", 8, 9, false, HF_METHOD_SAMPLED},
                 {"torus:dims=6x6", "links", "dor", "all-pairs", 5, 5, false, HF_METHOD_EXHAUSTIVE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        uint32_t f[160], n = 0;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        for (uint32_t k = cases[i].low; k <= cases[i].high; k++) {
            f[n++] = k;
        }
        const hf_choice choice = choose(&fx, cases[i].criterion, f, n, cases[i].walks);
        if (choice.method != cases[i].method) {
            fail_msg("case %zu: method %s, because of %s", i, hf_method_name(choice.method), choice.why);
        }
        assert_true(!choice.counted || choice.method == HF_METHOD_COUNTED || choice.method == HF_METHOD_SPECTRUM);
        hf_counted_free(choice.counted);
        fixture_close(&fx);
    }
}

static hf_status no_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)user, (void)universe, (void)rule, (void)out;
    HF_FAIL(cx, HF_EINVAL, "nothing is asked to choose a method");
}

/* What takes its time over every set goes by orbits sooner, and by no method that asks of tolerance. */
static void methods_of_inquiries(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint32_t f, n_part;
        bool may_symmetric, may_orbits;
        hf_method method;
    } cases[] = {{"torus:dims=4x4", "minimal", 2, 0, true, true, HF_METHOD_EXHAUSTIVE},
                 {"torus:dims=6x6", "minimal", 3, 0, true, true, HF_METHOD_ORBITS},
                 {"torus:dims=6x6", "minimal", 3, 2, true, true, HF_METHOD_EXHAUSTIVE},
                 {"torus:dims=6x6", "minimal", 3, 0, false, true, HF_METHOD_EXHAUSTIVE},
                 {"torus:dims=6x6", "minimal", 3, 0, true, false, HF_METHOD_EXHAUSTIVE},
                 {"torus:dims=6x6", "dor", 3, 0, true, true, HF_METHOD_EXHAUSTIVE},
                 {"torus:dims=6x6", "dor", 20, 0, true, true, HF_METHOD_SAMPLED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_choice choice;
        const unsigned may = cases[i].may_orbits ? hf_method_bit(HF_METHOD_ORBITS) : 0;
        const hf_inquiry inquiry = {
            .key = "none", .symmetric = cases[i].may_symmetric ? HF_SYMMETRIC_RELATION : 0, .judge = no_judge};
        fixture_open(&fx, cases[i].topo, "links", cases[i].rule);
        const hf_campaign c = {.universe = fx.universe,
                               .rule = &fx.rule,
                               .inquiry = &inquiry,
                               .f = &cases[i].f,
                               .n_f = 1,
                               .n_part = cases[i].n_part,
                               .part = cases[i].n_part ? 1 : 0};
        fixture_ok(&fx, hf_campaign_choose(fx.cx, &c, may, memory, &choice));
        if (choice.method != cases[i].method) {
            fail_msg("case %zu: method %s, because of %s", i, hf_method_name(choice.method), choice.why);
        }
        assert_null(choice.counted);
        fixture_close(&fx);
    }
}

/* Pairs of exact methods, where walking over all sets takes too long for a test. */
static void pairs(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule, *criterion;
        uint32_t f;
    } cases[] = {{"torus:dims=6x6", "links", "minimal", "connected", 4},
                 {"torus:dims=5x5", "links+switches", "minimal", "switches-connected", 4},
                 {"mesh:dims=5x5", "switches", "minimal", "connected", 7},
                 {"kary-tree:k=3,n=3", "links", "updown", "all-pairs", 6},
                 {"kary-tree:k=4,n=3", "links", "updown", "all-pairs", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += share_step()) {
        fixture fx;
        hf_counted *counted, *orbits;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        const hf_criterion *criterion = fixture_criterion(&fx, cases[i].criterion);
        fixture_ok(&fx, hf_counted_run(fx.cx, fx.universe, &fx.rule, criterion, cases[i].f, 1e9, &counted));
        fixture_ok(&fx, hf_orbits_run(fx.cx, fx.universe, &fx.rule, criterion, cases[i].f, &orbits));
        for (uint32_t f = 0; f <= cases[i].f; f++) {
            if (hf_big_compare(counted->not_tolerated[f], orbits->not_tolerated[f]) != 0) {
                fail_msg("%s, %s, %s: counted and orbits differ at f=%" PRIu32, cases[i].topo, cases[i].universe,
                         cases[i].criterion, f);
            }
        }
        hf_counted_free(counted);
        hf_counted_free(orbits);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods), cmocka_unit_test(methods_of_inquiries),
                                       cmocka_unit_test(pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
