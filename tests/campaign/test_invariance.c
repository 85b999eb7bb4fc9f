/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What must not change the rows of a campaign: threads, parts, the judge, a sample that is no smaller than the population. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rows.h"

static void expect_same_with_threads(fixture *fx, hf_campaign c) {
    static const uint32_t threads[] = {2, 7, 0};
    c.threads = 1;
    hf_result *one = rows_run(fx, &c);
    char *text = rows_text(one);
    assert_non_null(strstr(text, "witness "));
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        c.threads = threads[i];
        rows_expect(fx, &c, text);
    }
    free(text);
    hf_result_free(one);
}

static void threads_do_not_show(void **state) {
    (void)state;
    static const uint32_t f[] = {0, 1, 2, 3, 5};
    static const char *const rules[] = {"updown", "ft2ei:intervals=1", "interval"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, "kary-tree:k=2,n=3", "channels", rules[i]);
        hf_campaign c = rows_campaign(&fx, "all-pairs", f, 5);
        expect_same_with_threads(&fx, c);
        c.seed = 5;
        c.order = HF_ORDER_RANDOM;
        c.n_f = 4;
        expect_same_with_threads(&fx, c);
        c.method = HF_METHOD_SAMPLED;
        c.samples = 3001;
        c.n_f = 5;
        expect_same_with_threads(&fx, c);
        c.order = HF_ORDER_COMPONENT;
        c.criterion = fixture_criterion(&fx, "surviving");
        c.samples = 1201;
        expect_same_with_threads(&fx, c);
        fixture_close(&fx);
    }
}

/* Add the rows of all parts up. */
static void add_parts(fixture *fx, hf_campaign c, uint32_t n_part, hf_tally *sum) {
    const uint32_t f = c.f[0];
    for (uint32_t part = 1; part <= n_part; part++) {
        c.part = part;
        c.n_part = n_part;
        hf_result *result = rows_run(fx, &c);
        assert_true(result->row[0].is_complete);
        assert_int_equal(result->row[0].is_whole, n_part == 1);
        hf_tally_merge(sum, &result->row[0].tally, f);
        hf_result_free(result);
    }
}

static void expect_parts(fixture *fx, hf_campaign c) {
    const uint32_t f = c.f[0];
    static const uint32_t n_parts[] = {1, 2, 3, 7, 64};
    hf_result *whole = rows_run(fx, &c);
    const hf_tally *t = &whole->row[0].tally;
    for (size_t i = 0; i < sizeof n_parts / sizeof *n_parts; i++) {
        uint32_t witness[32];
        hf_tally sum = {.witness = witness};
        add_parts(fx, c, n_parts[i], &sum);
        assert_int_equal(sum.sets, t->sets);
        assert_int_equal(sum.not_tolerated, t->not_tolerated);
        assert_true(sum.victims_sum == t->victims_sum);
        assert_true(sum.lost_paths_sum == t->lost_paths_sum);
        assert_int_equal(sum.victims_max, t->victims_max);
        assert_memory_equal(sum.victims_histogram, t->victims_histogram, sizeof sum.victims_histogram);
        assert_int_equal(sum.has_witness, t->has_witness);
        if (t->has_witness) {
            assert_memory_equal(witness, t->witness, f * sizeof *witness);
        }
    }
    hf_result_free(whole);
}

static void parts_add_up(void **state) {
    (void)state;
    static const uint32_t f[] = {2, 4};
    static const char *const rules[] = {"updown", "ft2ei:intervals=1", "destro"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, "kary-tree:k=2,n=3", "channels", rules[i]);
        for (size_t j = 0; j < 2; j++) {
            hf_campaign c = rows_campaign(&fx, "all-pairs", f + j, 1);
            expect_parts(&fx, c);
            c.method = HF_METHOD_SAMPLED;
            c.samples = 400;
            expect_parts(&fx, c);
        }
        fixture_close(&fx);
    }
}

/* As many samples as there are sets: each is looked at once. */
static void large_samples_are_exact(void **state) {
    (void)state;
    static const uint32_t f[] = {0, 2, 3, 32};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "ft2ei:intervals=1");
    hf_campaign c = rows_campaign(&fx, "all-pairs", f, 4);
    hf_result *exact = rows_run(&fx, &c);
    char *text = rows_text(exact);
    c.method = HF_METHOD_SAMPLED;
    c.samples = 4960;
    rows_expect(&fx, &c, text);
    c.samples = 4959;
    hf_result *sampled = rows_run(&fx, &c);
    assert_true(sampled->row[1].is_exact && sampled->row[1].method == HF_METHOD_EXHAUSTIVE);
    assert_false(sampled->row[2].is_exact);
    assert_int_equal(sampled->row[2].method, HF_METHOD_SAMPLED);
    assert_int_equal(sampled->row[2].tally.sets, 4959);
    assert_true(sampled->row[2].fraction.low < sampled->row[2].fraction.high);
    assert_true(sampled->row[2].fraction.low < 932.0 / 4960 && sampled->row[2].fraction.high > 932.0 / 4960);
    hf_result_free(sampled);
    free(text);
    hf_result_free(exact);
    fixture_close(&fx);
}

static void no_faults_and_all_faults(void **state) {
    (void)state;
    static const uint32_t f[] = {0, 16};
    static const char *const rules[] = {"updown", "ft2ei:intervals=1", "interval"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, "kary-tree:k=2,n=3", "links", rules[i]);
        const hf_campaign c = rows_campaign(&fx, "all-pairs", f, 2);
        hf_result *result = rows_run(&fx, &c);
        assert_int_equal(result->row[0].tally.sets, 1);
        assert_int_equal(result->row[0].tally.not_tolerated, 0);
        assert_true(result->row[0].tally.lost_paths_sum == 0);
        assert_int_equal(result->row[1].tally.sets, 1);
        assert_int_equal(result->row[1].tally.not_tolerated, 1);
        for (uint32_t j = 0; j < 16; j++) {
            assert_int_equal(result->row[1].tally.witness[j], j);
        }
        assert_string_equal(result->row[1].population, "1");
        hf_result_free(result);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_show), cmocka_unit_test(parts_add_up),
                                       cmocka_unit_test(large_samples_are_exact), cmocka_unit_test(no_faults_and_all_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
