/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ranks of sets against lists of all sets, made by the definition of the order; binomials by Pascal's triangle. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

enum { M_MAX = 9, SETS_MAX = 126 };

/** Every f-subset of [0, m), as masks. */
typedef struct listing {
    uint32_t set[SETS_MAX], count;
} listing;

static void elements_of(uint32_t set, uint32_t *c) {
    for (uint32_t x = 0; x < M_MAX; x++) {
        if (set >> x & 1) {
            *c++ = x;
        }
    }
}

static uint32_t mask_of(const uint32_t *c, uint32_t f) {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < f; i++) {
        mask |= 1U << c[i];
    }
    return mask;
}

/** Does the tuple of `a` come before that of `b`? The first difference decides, and the smaller element is not in the other. */
static bool is_before(uint32_t a, uint32_t b) {
    const uint32_t different = a ^ b;
    return (a & different & -different) != 0;
}

/** Lexicographic order: the place of a set is the number of sets before it. */
static void list_lexicographic(uint32_t m, uint32_t f, listing *out) {
    out->count = 0;
    for (uint32_t set = 0; set < 1U << m; set++) {
        if (__builtin_popcount(set) == (int)f) {
            uint32_t place = 0;
            for (uint32_t other = 0; other < 1U << m; other++) {
                place += __builtin_popcount(other) == (int)f && other != set && is_before(other, set);
            }
            out->set[place] = set;
            out->count++;
        }
    }
}

static void expect_set(const uint32_t *c, uint32_t m, uint32_t f, uint32_t set, uint32_t rank) {
    uint32_t want[M_MAX];
    elements_of(set, want);
    if (memcmp(c, want, f * sizeof *c) != 0) {
        fail_msg("m=%u, f=%u, rank %u: the set is %x, not %x", m, f, rank, mask_of(c, f), set);
    }
}

static void lexicographic_order(void **state) {
    (void)state;
    for (uint32_t m = 0; m <= M_MAX; m++) {
        for (uint32_t f = 0; f <= m; f++) {
            listing all = {0};
            uint32_t walk[M_MAX] = {0}, c[M_MAX], keep = 99;
            list_lexicographic(m, f, &all);
            hf_lex_unrank(m, f, 0, walk);
            for (uint32_t i = 0; i < all.count; i++) {
                expect_set(walk, m, f, all.set[i], i);
                assert_int_equal(hf_lex_rank(m, f, walk), i);
                hf_lex_unrank(m, f, i, c);
                expect_set(c, m, f, all.set[i], i);
                assert_int_equal(hf_lex_next(m, f, walk, i % 2 ? NULL : &keep), i + 1 < all.count);
                if (i % 2 == 0 && i + 1 < all.count) {
                    uint32_t same = 0; /* c still holds the set before */
                    while (same < f && c[same] == walk[same]) {
                        same++;
                    }
                    assert_int_equal(keep, same);
                }
            }
        }
    }
}

/** By hand for 3 of 5, beside the definition in code. */
static void order_by_hand(void **state) {
    (void)state;
    static const uint32_t lexicographic[10][3] = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 2, 3}, {0, 2, 4},
                                                  {0, 3, 4}, {1, 2, 3}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}};
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(hf_lex_rank(5, 3, lexicographic[i]), i);
    }
}

/* ---- binomials and large ranks ---- */

/** Pascal's triangle in 128 bits, for m <= 130: C(130, 65) < 2^128. */
static void binomials(void **state) {
    (void)state;
    __extension__ static unsigned __int128 row[131];
    for (uint64_t m = 0; m <= 130; m++) {
        row[m] = 1;
        for (uint64_t f = m ? m - 1 : 0; f > 0; f--) {
            row[f] += row[f - 1];
        }
        for (uint64_t f = 0; f <= m; f++) {
            uint64_t got = 4711;
            const bool fits = row[f] <= UINT64_MAX;
            assert_int_equal(hf_binomial(m, f, &got), fits);
            assert_true(got == (fits ? (uint64_t)row[f] : UINT64_MAX));
        }
    }
}

static void binomials_at_the_edge(void **state) {
    (void)state;
    static const uint64_t big = UINT64_MAX;
    static const struct {
        uint64_t m, f;
        bool fits;
        uint64_t want;
    } row[] = {
        {0, 0, true, 1},
        {0, 1, true, 0},
        {5, 6, true, 0},
        {5, big, true, 0},
        {big, 0, true, 1},
        {big, 1, true, big},
        {big, big - 1, true, big},
        {big, big, true, 1},
        {big, 2, false, big},
        {UINT64_C(1) << 32, 2, true, (UINT64_C(1) << 31) * ((UINT64_C(1) << 32) - 1)},
        {6074001000, 2, true, UINT64_C(3037000500) * 6074000999}, /* m (m-1) / 2 just below 2^64 = 1.8446744073709551616e19 */
        {6074001001, 2, false, big},
        {big, big / 2, false, big}, /* ends at once, not after 2^63 steps */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t got = 4711;
        assert_int_equal(hf_binomial(row[i].m, row[i].f, &got), row[i].fits);
        if (got != row[i].want) {
            fail_msg("C(%" PRIu64 ", %" PRIu64 ") = %" PRIu64, row[i].m, row[i].f, got);
        }
    }
}

/** Sets as large campaigns have them: the rank leads back, and the next set has the next rank. */
static void large_ranks(void **state) {
    (void)state;
    static const struct { uint32_t m, f; } row[] = {{64, 32}, {67, 33}, {160, 8}, {1000, 6}, {12288, 4}, {1U << 18, 3}, {70, 66}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const uint32_t m = row[i].m, f = row[i].f;
        uint64_t total;
        assert_true(hf_binomial(m, f, &total));
        hf_random r;
        hf_random_init(&r, 1, HF_PURPOSE_TEST, i);
        for (int n = 0; n < 10; n++) {
            const uint64_t rank = n == 0 ? 0 : n == 1 ? total - 1 : hf_random_below(&r, total);
            uint32_t lex[66];
            hf_lex_unrank(m, f, rank, lex);
            assert_true(hf_lex_rank(m, f, lex) == rank);
            assert_int_equal(hf_lex_next(m, f, lex, NULL), rank + 1 < total);
            assert_true(rank + 1 == total || hf_lex_rank(m, f, lex) == rank + 1);
        }
    }
    assert_true(hf_lex_rank(UINT32_MAX, 1, &(uint32_t){UINT32_MAX - 1}) == UINT32_MAX - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lexicographic_order),   cmocka_unit_test(order_by_hand), cmocka_unit_test(binomials),
        cmocka_unit_test(binomials_at_the_edge), cmocka_unit_test(large_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
