/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Exact counts of small trees through whole campaigns. The numbers come from an independent implementation and from
 *  formulas, not from this library. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>

#include "tests/support/rows.h"
#include "tests/support/share.h"

static uint64_t binomial(uint32_t m, uint32_t f) {
    uint64_t all;
    assert_true(hf_binomial(m, f, &all));
    return all;
}

/* One row per f in [lo, hi]; tolerated[f] sets are tolerated. */
static void expect_tolerated(fixture *fx, const char *criterion, uint32_t lo, uint32_t hi, const uint64_t *tolerated) {
    uint32_t f[64];
    for (uint32_t i = lo; i <= hi; i++) {
        f[i - lo] = i;
    }
    hf_campaign c = rows_campaign(fx, criterion, f, hi - lo + 1);
    c.threads = 2;
    hf_result *result = rows_run(fx, &c);
    assert_int_equal(result->n_row, hi - lo + 1);
    for (size_t i = 0; i < result->n_row; i++) {
        const hf_row *row = &result->row[i];
        const uint64_t all = binomial(fx->universe->n_component, row->f);
        if (row->tally.sets != all || row->tally.sets - row->tally.not_tolerated != tolerated[row->f]) {
            print_error("%s, %s, %s, f=%" PRIu32 ": %" PRIu64 " of %" PRIu64 " tolerated, should be %" PRIu64 " of %" PRIu64 "\n",
                        fx->topo->spec, fx->rule.spec, criterion, row->f, row->tally.sets - row->tally.not_tolerated,
                        row->tally.sets, tolerated[row->f], all);
            fail();
        }
        assert_true(row->is_exact && row->is_complete && row->is_whole);
        assert_int_equal(row->tally.has_witness, row->tally.not_tolerated > 0);
    }
    hf_result_free(result);
}

/* f = 0..32; what is left out is 0. */
static const uint64_t tree23[33] = {1,       32,      464,    4032,   23424,  96224, 289032, 650240, 1119290, 1506400, 1619136,
                                    1415456, 1019360, 607968, 299056, 119456, 37666, 8976,   1512,   160,     8};
static const uint64_t tree23_m1[33] = {1,       32,      464,    4028,   23350,  95628, 286280, 642156, 1103394, 1484836, 1598528,
                                       1401496, 1012768, 605904, 298672, 119424, 37666, 8976,   1512,   160,     8};

static void two_ary_three_tree(void **state) {
    (void)state;
    const uint32_t less = share_step() > 1 ? 2 : 0; /* a few per cent of the sets */
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "updown");
    /* The middle rows take minutes. */
    expect_tolerated(&fx, "all-pairs", 0, 11 - less, tree23);
    expect_tolerated(&fx, "all-pairs", 26 + less, 32, tree23);
    fixture_rule(&fx, "ft2ei:intervals=1");
    expect_tolerated(&fx, "all-pairs", 0, 7 - less, tree23_m1);
    expect_tolerated(&fx, "all-pairs", 26 + less, 32, tree23_m1);
    fixture_rule(&fx, "ft2ei:intervals=2");
    expect_tolerated(&fx, "all-pairs", 0, 6 - less, tree23);
    expect_tolerated(&fx, "all-pairs", 26 + less, 32, tree23);
    fixture_rule(&fx, "ft2ei:intervals=unlimited");
    expect_tolerated(&fx, "all-pairs", 0, 6 - less, tree23);
    fixture_close(&fx);
}

static void three_ary_two_tree(void **state) {
    (void)state;
    static const uint64_t all_pairs[19] = {1, 18, 153, 774, 2520, 5382, 7479, 6606, 3627, 1212, 252, 36, 3};
    static const uint64_t connected[19] = {1, 18, 153, 810, 2952, 7686, 14391, 19116, 17451, 10434, 3852, 792, 69};
    static const char *const rules[] = {"updown", "ft2ei:intervals=1", "ft2ei:intervals=2", "ft2ei:intervals=3",
                                        "ft2ei:intervals=unlimited"};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=3,n=2", "channels", "updown");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        fixture_rule(&fx, rules[i]);
        expect_tolerated(&fx, "all-pairs", 0, 18, all_pairs);
        expect_tolerated(&fx, "connected", 0, 18, connected);
    }
    fixture_close(&fx);
}

static void four_ary_two_tree_links(void **state) {
    (void)state;
    static const uint64_t unlimited[17] = {1, 16, 120, 560, 1732, 3552, 4704, 3888, 2118, 880, 264, 48, 4};
    static const uint64_t one[17] = {1, 16, 120, 560, 1732, 3504, 4440, 3600, 2070, 880, 264, 48, 4};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=4,n=2", "links", "updown");
    expect_tolerated(&fx, "all-pairs", 0, 16, unlimited);
    fixture_rule(&fx, "ft2ei:intervals=unlimited");
    expect_tolerated(&fx, "all-pairs", 0, 16, unlimited);
    fixture_rule(&fx, "ft2ei:intervals=1");
    expect_tolerated(&fx, "all-pairs", 0, 16, one);
    fixture_close(&fx);
}

static void expect_victims(const char *topo, const char *rule, uint32_t lo, size_t n, const uint64_t *sum) {
    uint32_t f[8];
    for (uint32_t i = 0; i < n; i++) {
        f[i] = lo + i;
    }
    fixture fx;
    fixture_open(&fx, topo, "channels", rule);
    const hf_campaign c = rows_campaign(&fx, "all-pairs", f, n);
    hf_result *result = rows_run(&fx, &c);
    for (size_t i = 0; i < n; i++) {
        const hf_tally *t = &result->row[i].tally;
        assert_true(t->victims_sum == sum[i]);
        assert_int_equal(t->victims_max > 0, sum[i] > 0);
    }
    hf_result_free(result);
    fixture_close(&fx);
}

static void victims(void **state) {
    (void)state;
    static const uint64_t tree[] = {8, 224, 2992}, flat[] = {32, 896}, none[] = {0, 0, 0};
    expect_victims("kary-tree:k=2,n=3", "ft2ei:intervals=1", 2, 3, tree);
    expect_victims("kary-tree:k=4,n=2", "ft2ei:intervals=1", 2, 2, flat);
    expect_victims("kary-tree:k=2,n=3", "ft2ei:intervals=unlimited", 2, 3, none);
    expect_victims("kary-tree:k=2,n=3", "updown", 2, 3, none);
}

/* Not tolerated at f = k; every k - 1 faults are tolerated. */
static void expect_at_k(uint32_t k, uint32_t n, const char *rule) {
    uint64_t w = 1;
    for (uint32_t i = 1; i < n; i++) {
        w *= k;
    }
    const uint64_t pairs = (UINT64_C(1) << k) - 2;
    const uint64_t expected[] = {2 * w + w * (w - 1) * pairs, w + w * (w - 1) / 2 * pairs};
    static const char *const universe[] = {"channels", "links"};
    for (size_t u = 0; u < 2; u++) {
        char topo[64];
        snprintf(topo, sizeof topo, "kary-tree:k=%" PRIu32 ",n=%" PRIu32, k, n);
        fixture fx;
        fixture_open(&fx, topo, universe[u], rule);
        const uint32_t f[] = {k - 1, k};
        const hf_campaign c = rows_campaign(&fx, "all-pairs", f, 2);
        hf_result *result = rows_run(&fx, &c);
        assert_int_equal(result->row[0].tally.not_tolerated, 0);
        if (result->row[1].tally.not_tolerated != expected[u]) {
            print_error("%s, %s, %s, f=k: %" PRIu64 " not tolerated, should be %" PRIu64 "\n", topo, rule, universe[u],
                        result->row[1].tally.not_tolerated, expected[u]);
            fail();
        }
        hf_result_free(result);
        fixture_close(&fx);
    }
}

static void formulas_at_k(void **state) {
    (void)state;
    for (uint32_t n = 2; n <= 5; n++) {
        expect_at_k(2, n, "updown");
        expect_at_k(2, n, "ft2ei:intervals=1");
    }
    expect_at_k(3, 2, "ft2ei:intervals=2");
    expect_at_k(3, 3, "updown");
    expect_at_k(3, 3, "ft2ei:intervals=1");
    expect_at_k(4, 2, "ft2ei:intervals=1");
    expect_at_k(5, 2, "updown");
}

static void four_ary_three_tree(void **state) {
    (void)state;
    static const uint32_t f[] = {4};
    static const uint64_t not_tolerated[] = {3392, 1696}, sets[] = {174792640, 10668000};
    static const char *const universe[] = {"channels", "links"};
    for (size_t u = share_step() > 1; u < 2; u++) {
        fixture fx;
        fixture_open(&fx, "kary-tree:k=4,n=3", universe[u], "updown");
        hf_campaign c = rows_campaign(&fx, "all-pairs", f, 1);
        c.threads = 2;
        hf_result *result = rows_run(&fx, &c);
        assert_int_equal(result->row[0].tally.sets, sets[u]);
        assert_int_equal(result->row[0].tally.not_tolerated, not_tolerated[u]);
        hf_result_free(result);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_ary_three_tree),      cmocka_unit_test(three_ary_two_tree),
                                       cmocka_unit_test(four_ary_two_tree_links), cmocka_unit_test(victims),
                                       cmocka_unit_test(formulas_at_k),           cmocka_unit_test(four_ary_three_tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
