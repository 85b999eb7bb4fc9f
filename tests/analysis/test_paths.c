/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Path counts: from the relation, in closed form, and the sums of lost paths by linearity against set by set.
 *  Source: [gomez2010, table 3.5]. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"

static uint64_t small(const hf_big *big) {
    hf_u128 value = 0;
    assert_true(hf_big_get_u128(big, &value) && value <= UINT64_MAX);
    return (uint64_t)value;
}

static uint64_t power(uint32_t k, uint32_t exponent) { return exponent ? k * power(k, exponent - 1) : 1; }

/* Paths of the fault-free k-ary n-tree: N * sum over t of (k-1) k^(2t), t = 0..n-1. Source: reading of [gomez2010, 3.4.4]. */
static uint64_t paths_of_tree(uint32_t k, uint32_t n) {
    uint64_t sum = 0;
    for (uint32_t t = 0; t < n; t++) {
        sum += (k - 1) * power(k, n + 2 * t);
    }
    return sum;
}

/* Of these the ones over one channel between stages s and s+1: k^(s+1) * sum over t > s of (k-1) k^t k^(t-s-1). */
static uint64_t lost_of_tree(uint32_t k, uint32_t n, uint32_t s) {
    uint64_t sum = 0;
    for (uint32_t t = s + 1; t < n; t++) {
        sum += (k - 1) * power(k, 2 * t);
    }
    return sum;
}

/* 168 and 52,416 paths; 20, 16 and 816, 768 lost by one channel above the first and the second stage. */
static void paths_of_table_3_5(void **state) {
    (void)state;
    static const struct {
        uint32_t k, n, s;
        uint64_t paths, lost;
    } row[] = {{2, 3, 0, 168, 20}, {2, 3, 1, 168, 16}, {4, 3, 0, 52416, 816}, {4, 3, 1, 52416, 768}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(paths_of_tree(row[i].k, row[i].n), row[i].paths);
        assert_int_equal(lost_of_tree(row[i].k, row[i].n, row[i].s), row[i].lost);
    }
}

static void closed_forms_equal_counting(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        uint32_t k, n;
    } tree[] = {
        {"kary-tree:k=2,n=1", 2, 1}, {"kary-tree:k=3,n=2", 3, 2}, {"kary-tree:k=2,n=4", 2, 4}, {"kary-tree:k=4,n=3", 4, 3}};
    static const char *const rules[] = {"updown", "ft2ei", "interval"};
    for (size_t i = 0; i < sizeof tree / sizeof *tree; i++) {
        fixture fx;
        hf_big *counted;
        fixture_open(&fx, tree[i].topo, NULL, "updown");
        fixture_ok(&fx, hf_big_new(fx.cx, &counted));
        const uint64_t all = paths_of_tree(tree[i].k, tree[i].n);
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            hf_fault_set set;
            hf_plan plan;
            fixture_rule(&fx, rules[r]);
            fixture_plan(&fx, "", &set, &plan);
            fixture_ok(&fx, hf_paths_count(fx.cx, &plan, counted));
            assert_int_equal(small(counted), all);
            /* every channel between switches, both directions */
            for (uint32_t link = 0; link < fx.topo->n_switch_link; link += 1 + fx.topo->n_switch_link / 16) {
                char name[64];
                const uint32_t s = link / (fx.topo->n_switch_link / (tree[i].n - 1));
                hf_topology_channel_name(fx.topo, link % 2 ? fx.topo->forward[link] : fx.topo->backward[link], name, sizeof name);
                fixture_plan(&fx, name, &set, &plan);
                fixture_ok(&fx, hf_paths_count(fx.cx, &plan, counted));
                assert_int_equal(small(counted), all - lost_of_tree(tree[i].k, tree[i].n, s));
            }
        }
        hf_big_free(counted);
        fixture_close(&fx);
    }
}

/* Lost paths of the sets with ranks in [lo, hi), set by set. */
static uint64_t lost_set_by_set(const fixture *fx, hf_judge *judge, uint32_t f, uint64_t lo, uint64_t hi) {
    uint32_t component[16];
    uint64_t sum = 0;
    for (uint64_t rank = lo; rank < hi; rank++) {
        hf_measure measure;
        hf_lex_unrank(fx->universe->n_component, f, rank, component);
        for (uint32_t i = 0; i < f; i++) {
            fixture_ok(fx, judge->ops->push(fx->cx, judge, component[i]));
        }
        fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
        for (uint32_t i = 0; i < f; i++) {
            judge->ops->pop(judge);
        }
        sum += measure.lost_paths;
    }
    return sum;
}

static void lost_paths_by_linearity(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe;
        uint32_t f;
    } row[] = {
        {"kary-tree:k=2,n=3", "channels", 0},
        {"kary-tree:k=2,n=3", "channels", 1},
        {"kary-tree:k=2,n=3", "channels", 3},
        {"kary-tree:k=2,n=3", "links", 4},
        {"kary-tree:k=2,n=3", "switches", 3},
        {"kary-tree:k=2,n=3", "terminal-links", 3},
        {"kary-tree:k=3,n=2", "links+switches+terminal-links", 3},
        {"kary-tree:k=2,n=3", "links:stage=1+switches:stage=0", 2},
        {"kary-tree:k=2,n=4", "channels:stage=1", 3},
        {"kary-tree:k=4,n=2", "channels", 3},
        {"kary-tree:k=4,n=3", "links", 2},
        {"kary-tree:k=2,n=1", "terminal-links", 2},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fixture fx;
        hf_big *big;
        hf_judge *judge;
        fixture_open(&fx, row[i].topo, row[i].universe, "updown");
        fixture_ok(&fx, hf_big_new(fx.cx, &big));
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
        uint64_t all;
        assert_true(hf_binomial(fx.universe->n_component, row[i].f, &all));
        for (uint32_t part = 0; part < 6; part++) {
            hf_random random;
            hf_random_init(&random, 7, HF_PURPOSE_TEST, 6 * i + part);
            uint64_t lo = 0, hi = all;
            if (part > 0) {
                lo = hf_random_below(&random, all + 1);
                hi = lo + hf_random_below(&random, all - lo + 1);
            }
            fixture_ok(&fx, hf_paths_lost_sum(fx.cx, fx.universe, &fx.rule, row[i].f, lo, hi, big));
            const uint64_t want = lost_set_by_set(&fx, judge, row[i].f, lo, hi);
            if (small(big) != want) {
                print_error("%s, %s, f=%u, ranks [%llu, %llu): %llu lost, want %llu\n", row[i].topo, row[i].universe, row[i].f,
                            (unsigned long long)lo, (unsigned long long)hi, (unsigned long long)small(big),
                            (unsigned long long)want);
                fail();
            }
        }
        hf_judge_free(judge);
        hf_big_free(big);
        fixture_close(&fx);
    }
}

static void linearity_refuses_what_it_cannot_do(void **state) {
    (void)state;
    fixture fx;
    hf_big *big;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "ft2ei");
    fixture_ok(&fx, hf_big_new(fx.cx, &big));
    assert_int_equal(hf_paths_lost_sum(fx.cx, fx.universe, &fx.rule, 1, 0, 32, big), HF_ENOTSUP);
    fixture_rule(&fx, "updown");
    assert_int_equal(hf_paths_lost_sum(fx.cx, fx.universe, &fx.rule, 1, 0, 33, big), HF_ERANGE);
    assert_int_equal(hf_paths_lost_sum(fx.cx, fx.universe, &fx.rule, 1, 2, 1, big), HF_ERANGE);
    fixture_close(&fx);
    fixture_open(&fx, "kary-tree:k=8,n=4", "channels", "updown");
    assert_int_equal(hf_paths_lost_sum(fx.cx, fx.universe, &fx.rule, 1, 0, 1, big), HF_ENOTSUP);
    hf_big_free(big);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_table_3_5),
        cmocka_unit_test(closed_forms_equal_counting),
        cmocka_unit_test(lost_paths_by_linearity),
        cmocka_unit_test(linearity_refuses_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
