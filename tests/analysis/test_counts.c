/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Exact counts of tolerated fault sets and exact sums of victims on small k-ary n-trees.
 *  Source: [gomez2010, 3.4.2] as settled by exhaustive runs of an independent implementation; channels between switches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>

#include "tests/oracle/fixture.h"

typedef struct counts {
    uint64_t sets, tolerated, victims;
} counts;

/* Walk all sets of size f in lexicographic order along the judge's stack. */
static counts count(const fixture *fx, hf_judge *judge, uint32_t f) {
    counts sum = {0};
    uint32_t component[64], depth = 0, keep = 0;
    const uint32_t m = fx->universe->n_component;
    hf_lex_unrank(m, f, 0, component);
    do {
        for (; depth > keep; depth--) {
            judge->ops->pop(judge);
        }
        for (; depth < f; depth++) {
            fixture_ok(fx, judge->ops->push(fx->cx, judge, component[depth]));
        }
        hf_measure measure;
        fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
        sum.sets++;
        sum.tolerated += measure.tolerated;
        sum.victims += measure.victims;
    } while (hf_lex_next(m, f, component, &keep));
    for (; depth > 0; depth--) {
        judge->ops->pop(judge);
    }
    return sum;
}

static void expect_counts(const char *topo, const char *universe, const char *rule, const char *criterion, bool by_relation,
                          uint32_t f_lo, uint32_t f_hi, const uint64_t *tolerated, const uint64_t *victims) {
    fixture fx;
    hf_judge *judge;
    fixture_open(&fx, topo, universe, rule);
    const hf_criterion *c = fixture_criterion(&fx, criterion);
    fixture_ok(&fx, by_relation ? hf_judge_new_relation(fx.cx, fx.universe, &fx.rule, c, &judge)
                                : hf_judge_new(fx.cx, fx.universe, &fx.rule, c, &judge));
    for (uint32_t f = f_lo; f <= f_hi; f++) {
        const counts have = count(&fx, judge, f);
        if (tolerated && have.tolerated != tolerated[f - f_lo]) {
            print_error("%s, %s, %s, %s, f=%u: %llu tolerated, want %llu\n", topo, universe, rule, criterion, f,
                        (unsigned long long)have.tolerated, (unsigned long long)tolerated[f - f_lo]);
            fail();
        }
        if (victims && have.victims != victims[f - f_lo]) {
            print_error("%s, %s, %s, %s, f=%u: %llu victims, want %llu\n", topo, universe, rule, criterion, f,
                        (unsigned long long)have.victims, (unsigned long long)victims[f - f_lo]);
            fail();
        }
    }
    hf_judge_free(judge);
    fixture_close(&fx);
}

static void tolerated_in_the_2_ary_3_tree(void **state) {
    (void)state;
    static const uint64_t exact[] = {1, 32, 464, 4032, 23424, 96224}, m1[] = {1, 32, 464, 4028, 23350, 95628};
    static const char tree[] = "kary-tree:k=2,n=3";
    expect_counts(tree, "channels", "updown", "all-pairs", false, 0, 5, exact, NULL);
    expect_counts(tree, "channels", "ft2ei:intervals=unlimited", "all-pairs", false, 0, 5, exact, NULL);
    expect_counts(tree, "channels", "ft2ei:intervals=3", "all-pairs", false, 0, 5, exact, NULL);
    expect_counts(tree, "channels", "ft2ei:intervals=2", "all-pairs", false, 0, 5, exact, NULL);
    expect_counts(tree, "channels", "ft2ei", "all-pairs", false, 0, 5, m1, NULL);
    expect_counts(tree, "channels", "ft2ei", "all-pairs", true, 0, 3, m1, NULL);
}

static void tolerated_in_the_3_ary_2_tree(void **state) {
    (void)state;
    static const uint64_t tolerated[] = {1, 18, 153, 774, 2520, 5382, 7479, 6606, 3627, 1212, 252, 36, 3, 0};
    static const uint64_t connected[] = {1, 18, 153, 810, 2952, 7686, 14391, 19116, 17451, 10434, 3852, 792, 69, 0};
    static const char *const rules[] = {"updown", "ft2ei", "ft2ei:intervals=2", "ft2ei:intervals=unlimited"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        expect_counts("kary-tree:k=3,n=2", "channels", rules[i], "all-pairs", false, 0, 13, tolerated, NULL);
    }
    expect_counts("kary-tree:k=3,n=2", "channels", "updown", "connected", false, 0, 13, connected, NULL);
}

static void tolerated_links_of_the_4_ary_2_tree(void **state) {
    (void)state;
    static const uint64_t exact[] = {1, 16, 120, 560, 1732, 3552, 4704, 3888, 2118, 880, 264, 48, 4, 0};
    static const uint64_t m1[] = {1, 16, 120, 560, 1732, 3504, 4440, 3600, 2070, 880, 264, 48, 4, 0};
    expect_counts("kary-tree:k=4,n=2", "links", "updown", "all-pairs", false, 0, 13, exact, NULL);
    expect_counts("kary-tree:k=4,n=2", "links", "ft2ei:intervals=unlimited", "all-pairs", false, 0, 13, exact, NULL);
    expect_counts("kary-tree:k=4,n=2", "links", "ft2ei", "all-pairs", false, 0, 13, m1, NULL);
}

/* A link is an up and a down channel. The figures hold whether they fail link by link or one direction after the other. */
static void order_within_links_does_not_matter_there(void **state) {
    (void)state;
    static const uint64_t m1[] = {3504, 4440, 3600, 2070};
    fixture fx;
    hf_judge *judge;
    fixture_open(&fx, "kary-tree:k=4,n=2", "channels", "ft2ei");
    fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
    for (uint32_t f = 5; f <= 8; f++) {
        uint32_t link[8];
        uint64_t by_link = 0, ups_first = 0;
        hf_lex_unrank(16, f, 0, link);
        do {
            for (uint32_t order = 0; order < 2; order++) {
                hf_measure measure;
                for (uint32_t i = 0; i < 2 * f; i++) {
                    const uint32_t l = order == 0 ? link[i / 2] : link[i % f];
                    const bool is_down = order == 0 ? i % 2 : i >= f;
                    fixture_ok(&fx, judge->ops->push(fx.cx, judge, is_down ? 16 + l : l));
                }
                fixture_ok(&fx, judge->ops->read(fx.cx, judge, &measure));
                *(order == 0 ? &by_link : &ups_first) += measure.tolerated;
                for (uint32_t i = 0; i < 2 * f; i++) {
                    judge->ops->pop(judge);
                }
            }
        } while (hf_lex_next(16, f, link, NULL));
        assert_int_equal(by_link, m1[f - 5]);
        assert_int_equal(ups_first, m1[f - 5]);
    }
    hf_judge_free(judge);
    fixture_close(&fx);
}

static void victims_of_one_register(void **state) {
    (void)state;
    static const uint64_t two_three[] = {8, 224, 2992}, four_two[] = {32, 896}, none[] = {0, 0, 0};
    expect_counts("kary-tree:k=2,n=3", "channels", "ft2ei", "all-pairs", false, 2, 4, NULL, two_three);
    expect_counts("kary-tree:k=2,n=3", "channels", "ft2ei", "all-pairs", true, 2, 3, NULL, two_three);
    expect_counts("kary-tree:k=4,n=2", "channels", "ft2ei", "all-pairs", false, 2, 3, NULL, four_two);
    expect_counts("kary-tree:k=2,n=3", "channels", "ft2ei:intervals=unlimited", "all-pairs", false, 2, 4, NULL, none);
    expect_counts("kary-tree:k=2,n=3", "channels", "updown", "all-pairs", true, 2, 3, NULL, none);
}

/* Not tolerated at f = k: channels 2W + W(W-1)(2^k - 2), links W + C(W,2)(2^k - 2), W = k^(n-1). */
static void not_tolerated_at_k_faults(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t k, n, width;
    } tree[] = {{"kary-tree:k=2,n=2", 2, 2, 2}, {"kary-tree:k=2,n=3", 2, 3, 4}, {"kary-tree:k=2,n=4", 2, 4, 8},
                {"kary-tree:k=3,n=2", 3, 2, 3}, {"kary-tree:k=3,n=3", 3, 3, 9}, {"kary-tree:k=4,n=2", 4, 2, 4}};
    static const char *const rules[] = {"updown", "ft2ei", "ft2ei:intervals=2"};
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) {
        const uint32_t w = tree[i].width, k = tree[i].k;
        const uint64_t links = (uint64_t)w * k * (tree[i].n - 1);
        const uint64_t ways = (1u << k) - 2;
        uint64_t all_channels, all_links;
        assert_true(hf_binomial(2 * links, k, &all_channels));
        assert_true(hf_binomial(links, k, &all_links));
        all_channels -= 2 * w + (uint64_t)w * (w - 1) * ways;
        all_links -= w + (uint64_t)w * (w - 1) / 2 * ways;
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            expect_counts(tree[i].topo, "channels", rules[r], "all-pairs", false, k, k, &all_channels, NULL);
            expect_counts(tree[i].topo, "links", rules[r], "all-pairs", false, k, k, &all_links, NULL);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerated_in_the_2_ary_3_tree),
        cmocka_unit_test(tolerated_in_the_3_ary_2_tree),
        cmocka_unit_test(tolerated_links_of_the_4_ary_2_tree),
        cmocka_unit_test(order_within_links_does_not_matter_there),
        cmocka_unit_test(victims_of_one_register),
        cmocka_unit_test(not_tolerated_at_k_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
