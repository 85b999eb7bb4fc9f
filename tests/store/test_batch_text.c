/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tallies as text: read back as they were; damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/core/print.h"
#include "src/store/batch_text.h"

enum { F = 3, N = 5 };

static hf_u128 any(hf_random *random) {
    const uint64_t high = hf_random_below(random, 4) ? 0 : hf_random_below(random, UINT64_C(1) << 60);
    return (hf_u128)high << 64 | hf_random_below(random, UINT64_C(1) << 62);
}

static void fill(hf_random *random, hf_tally *t) {
    t->sets = t->lost_paths_sets = 1 + hf_random_below(random, 1000);
    t->not_tolerated = hf_random_below(random, t->sets);
    t->victims_sum = any(random);
    t->lost_paths_sum = any(random);
    for (size_t i = 0; i < HF_EXTRAS; i += 1 + hf_random_below(random, 4)) {
        t->extra_sum[i] = 1 + any(random);
        t->extra_squares[i] = any(random);
        t->extra_max[i] = (uint64_t)any(random);
    }
    for (size_t i = 0; i < N; i += 1 + hf_random_below(random, 3)) {
        t->quantity[i] = (hf_quantity){1 + hf_random_below(random, 9), hf_random_below(random, 9), UINT64_MAX - i, any(random)};
    }
    t->has_witness = hf_random_below(random, 2);
    for (uint32_t i = 0; i < F; i++) {
        t->witness[i] = (uint32_t)hf_random_below(random, 99);
    }
    t->has_noted = (uint8_t)hf_random_below(random, 1u << HF_NOTES);
    for (uint32_t i = 0; i < HF_NOTES * F; i++) {
        t->noted[i] = (uint32_t)hf_random_below(random, 99);
    }
}

static void same(const hf_tally *a, const hf_tally *b) {
    assert_int_equal(a->sets, b->sets);
    assert_int_equal(a->not_tolerated, b->not_tolerated);
    assert_true(a->victims_sum == b->victims_sum && a->lost_paths_sum == b->lost_paths_sum);
    assert_memory_equal(a->extra_sum, b->extra_sum, sizeof a->extra_sum);
    assert_memory_equal(a->extra_squares, b->extra_squares, sizeof a->extra_squares);
    assert_memory_equal(a->extra_max, b->extra_max, sizeof a->extra_max);
    assert_int_equal(a->has_witness, b->has_witness);
    if (a->has_witness) {
        assert_memory_equal(a->witness, b->witness, F * sizeof *a->witness);
    }
    assert_int_equal(a->has_noted, b->has_noted);
    for (uint32_t n = 0; n < HF_NOTES; n++) {
        if (a->has_noted >> n & 1) {
            assert_memory_equal(a->noted + n * F, b->noted + n * F, F * sizeof *a->noted);
        }
    }
}

static void back_as_it_was(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    for (uint32_t trial = 0; trial < 200; trial++) {
        uint32_t here[(1 + HF_NOTES) * F] = {0}, there[(1 + HF_NOTES) * F] = {0};
        hf_quantity of_a[N] = {{0}}, of_b[N];
        hf_tally a = {.witness = here, .noted = here + F, .quantity = of_a, .n_quantity = N},
                 b = {.witness = there, .noted = there + F, .quantity = of_b, .n_quantity = N}, over = {.witness = there};
        memset(of_b, 0xa5, sizeof of_b);
        hf_random random;
        hf_text text;
        hf_random_init(&random, trial, HF_PURPOSE_TEST, 0);
        fill(&random, &a);
        hf_text_init(cx, &text);
        hf_batch_print(&a, F, &text);
        assert_int_equal(hf_batch_parse(cx, text.data, F, &b), HF_OK);
        same(&a, &b);
        for (size_t i = 0; i < N; i++) {
            const hf_quantity *x = &of_a[i], *y = &of_b[i];
            assert_true(x->sets == y->sets && x->sum == y->sum && x->lowest == y->lowest && x->highest == y->highest);
        }
        assert_int_equal(hf_batch_parse(cx, text.data, F, &over), HF_OK); /* nobody keeps them */
        hf_text_free(&text);
    }
    hf_context_free(cx);
}

static void damaged_lines(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    static const char *const damaged[] = {"4 0 0 0 0 0 4 | q12:3 |", "4 0 0 0 0 0 4 | q2 |",
                                          "4 0 0 0 0 0 4 | x2:3 |",  "4 0 0 0 0 0 |",
                                          "4 0 0 0 0 0 4 | n:3 |",   "4 0 0 0 0 0 4 | l0:99999999999999999999 |",
                                          "4 0 0 0 0 0 5 |"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        hf_tally other = {0};
        assert_int_equal(hf_batch_parse(cx, damaged[i], 0, &other), HF_ESTORE);
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(back_as_it_was), cmocka_unit_test(damaged_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
