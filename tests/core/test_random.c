/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Random numbers: Philox4x32-10 written out anew from Salmon et al. (SC 2011, 3.3), held to the published known answers; the
 *  streams against it; the draws by counting. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

typedef struct block {
    uint32_t word[4];
} block;

/** Ten rounds of two multiplications, the key raised by the Weyl constants before each round but the first. */
static block philox(block counter, uint32_t key0, uint32_t key1) {
    uint32_t *c = counter.word;
    for (int round = 0; round < 10; round++) {
        const uint64_t a = UINT64_C(0xD2511F53) * c[0], b = UINT64_C(0xCD9E8D57) * c[2];
        counter = (block){{(uint32_t)(b >> 32) ^ c[1] ^ key0, (uint32_t)b, (uint32_t)(a >> 32) ^ c[3] ^ key1, (uint32_t)a}};
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
    return counter;
}

/** The vectors of "philox4x32 10" in Random123's tests/kat_vectors. */
static void known_answers(void **state) {
    (void)state;
    static const struct {
        block counter;
        uint32_t key[2];
        block want;
    } row[] = {
        {{{0, 0, 0, 0}}, {0, 0}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
        {{{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
         {UINT32_MAX, UINT32_MAX},
         {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         {0xa4093822, 0x299f31d0},
         {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const block got = philox(row[i].counter, row[i].key[0], row[i].key[1]);
        assert_memory_equal(got.word, row[i].want.word, sizeof got.word);
    }
}

/** Draw j of a stream: word j mod 4 of block j / 4, the block's number first in the counter. */
static uint32_t draw_of(uint64_t seed, hf_purpose purpose, uint64_t index, uint32_t j) {
    const block counter = {{j / 4, (uint32_t)purpose, (uint32_t)index, (uint32_t)(index >> 32)}};
    return philox(counter, (uint32_t)seed, (uint32_t)(seed >> 32)).word[j % 4];
}

static const struct {
    uint64_t seed;
    hf_purpose purpose;
    uint64_t index;
} streams[] = {
    {0, HF_PURPOSE_SAMPLE, 0},
    {0, HF_PURPOSE_ORDER, 0},
    {1, HF_PURPOSE_TEST, 0},
    {0, HF_PURPOSE_SAMPLE, 1},
    {UINT64_MAX, HF_PURPOSE_TOPOLOGY, UINT64_MAX},
    {UINT64_C(1) << 32, HF_PURPOSE_SAMPLE, 0},
    {0, HF_PURPOSE_SAMPLE, UINT64_C(1) << 32},
    {4711, HF_PURPOSE_TRAFFIC, 123456789012345},
};

static void streams_are_philox(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        hf_random r;
        hf_random_init(&r, streams[i].seed, streams[i].purpose, streams[i].index);
        for (uint32_t j = 0; j < 200; j++) {
            assert_int_equal(hf_random_u32(&r), draw_of(streams[i].seed, streams[i].purpose, streams[i].index, j));
        }
    }
}

/** However draws are made, they come in the order of the stream: copies go on alike, a u64 is two draws, high half first. */
static void draws_in_order(void **state) {
    (void)state;
    hf_random r, copy;
    hf_random_init(&r, 5, HF_PURPOSE_TEST, 9);
    uint32_t j = 0, set[7];
    for (int i = 0; i < 100; i++) {
        const uint64_t high = draw_of(5, HF_PURPOSE_TEST, 9, j), low = draw_of(5, HF_PURPOSE_TEST, 9, j + 1);
        assert_true(hf_random_u64(&r) == (high << 32 | low));
        assert_int_equal(hf_random_u32(&r), draw_of(5, HF_PURPOSE_TEST, 9, j + 2));
        copy = r;
        assert_int_equal(hf_random_u32(&copy), draw_of(5, HF_PURPOSE_TEST, 9, j + 3));
        j += 3;
    }
    hf_random_subset(&r, 1U << 30, 7, set); /* seven draws: near a power of two hardly any is rejected */
    assert_int_equal(hf_random_u32(&r), draw_of(5, HF_PURPOSE_TEST, 9, j + 7));
}

/* ---- draws below a bound ---- */

/** Lemire, ACM TOMACS 29(1), 2019: the product's high half, unless its low half lies below 2^L mod bound. */
static uint32_t lemire(uint64_t seed, uint32_t bound, uint32_t *j) {
    for (;;) {
        const uint64_t product = (uint64_t)draw_of(seed, HF_PURPOSE_TEST, 0, (*j)++) * bound;
        if ((uint32_t)product >= (UINT64_C(1) << 32) % bound) {
            return (uint32_t)(product >> 32);
        }
    }
}

static void below_is_lemire(void **state) {
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 7, 10, 1U << 16, (1U << 31) + 1, 3U << 30, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        hf_random r;
        hf_random_init(&r, i, HF_PURPOSE_TEST, 0);
        for (uint32_t n = 0, j = 0; n < 300; n++) {
            assert_int_equal(hf_random_below(&r, bounds[i]), lemire(i, bounds[i], &j));
        }
    }
}

/** With a bound of 3 * 2^62, a quarter of all draws is rejected; without that, every third value would come twice as often. */
static void below_is_exact_in_64_bits(void **state) {
    (void)state;
    enum { N = 30000 };
    const uint64_t bound = UINT64_C(3) << 62;
    unsigned third[3] = {0};
    hf_random r;
    hf_random_init(&r, 3, HF_PURPOSE_TEST, 0);
    for (int i = 0; i < N; i++) {
        const uint64_t x = hf_random_below(&r, bound);
        assert_true(x < bound);
        third[x % 3]++;
    }
    for (int i = 0; i < 3; i++) { /* five standard deviations of a binomial(N, 1/3) are 408 */
        assert_in_range(third[i], N / 3 - 408, N / 3 + 408);
    }
    for (uint64_t b = UINT64_C(1) << 32; b; b <<= 1) {
        assert_true(hf_random_below(&r, b) < b && hf_random_below(&r, b + 1) <= b && hf_random_below(&r, b - 1) < b - 1);
    }
    assert_true(hf_random_below(&r, 1) == 0);
}

/* ---- uniform choice ---- */

/** Pearson's statistic of counts that should be equal. */
static double chi_square(const unsigned *count, unsigned n, unsigned total) {
    double sum = 0;
    const double mean = (double)total / n;
    for (unsigned i = 0; i < n; i++) {
        sum += (count[i] - mean) * (count[i] - mean) / mean;
    }
    return sum;
}

/** The statistic has mean d and variance 2d with d = n - 1; beyond five standard deviations something is wrong. */
static void expect_uniform(const unsigned *count, unsigned n, unsigned total) {
    const double d = n - 1.0, excess = chi_square(count, n, total) - d;
    if (excess * excess > 25 * 2 * d) {
        fail_msg("chi-square of %u cells is %.1f", n, excess + d);
    }
}

static void below_is_uniform(void **state) {
    (void)state;
    static const unsigned bounds[] = {2, 3, 6, 10, 17, 100, 1000};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        unsigned count[1000] = {0};
        hf_random r;
        hf_random_init(&r, 1, HF_PURPOSE_TEST, i);
        for (int n = 0; n < 100000; n++) {
            count[hf_random_below(&r, bounds[i])]++;
        }
        expect_uniform(count, bounds[i], 100000);
    }
}

static void expect_subset(uint32_t m, uint32_t f, const uint32_t *set) {
    for (uint32_t i = 0; i < f; i++) {
        if (set[i] >= m || (i && set[i - 1] >= set[i])) {
            fail_msg("element %u of %u out of %u is %u", i, f, m, set[i]);
        }
    }
}

static void subsets_are_uniform(void **state) {
    (void)state;
    for (uint32_t f = 1; f < 6; f++) {
        unsigned count[20] = {0}; /* C(6, 3) */
        uint64_t n_set;
        assert_true(hf_binomial(6, f, &n_set));
        for (uint32_t n = 0; n < 40000; n++) {
            hf_random r;
            uint32_t set[6];
            hf_random_init(&r, 2, HF_PURPOSE_TEST, n); /* a stream a sample, as campaigns have it */
            hf_random_subset(&r, 6, f, set);
            expect_subset(6, f, set);
            count[hf_lex_rank(6, f, set)]++;
        }
        expect_uniform(count, (unsigned)n_set, 40000);
    }
}

/** Floyd's algorithm as it is written down: the three ways of the library give the same set. */
static void slow_subset(uint64_t seed, uint32_t m, uint32_t f, uint32_t *set) {
    uint32_t size = 0, draw = 0;
    for (uint32_t j = m - f; size < f; j++, size++) {
        uint32_t pick = lemire(seed, j + 1, &draw);
        for (uint32_t i = 0; i < size; i++) {
            pick = set[i] == pick ? j : pick;
        }
        uint32_t at = size;
        for (; at > 0 && set[at - 1] > pick; at--) {
            set[at] = set[at - 1];
        }
        set[at] = pick;
    }
}

static void subsets_of_all_sizes(void **state) {
    (void)state;
    static const struct {
        uint32_t m, f, n_seed; /* so many that some element is drawn twice */
    } row[] = {
        {1, 0, 1},
        {1, 1, 1},
        {64, 64, 3},
        {65, 5, 100},
        {200, 32, 50},
        {4097, 9, 1000},
        {4097, 12, 100},
        {20000, 32, 200},
        {36000, 33, 300},
        {36000, 200, 20},
        {1U << 18, 500, 10},
        {(1U << 18) + 1, 500, 20},
        {(1U << 18) + 1, 2000, 5},
        {UINT32_MAX, 32, 50},
        {UINT32_MAX, 33, 50},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const uint32_t m = row[i].m, f = row[i].f;
        for (uint64_t seed = 0; seed < row[i].n_seed; seed++) {
            uint32_t got[2000], want[2000];
            hf_random r;
            hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
            hf_random_subset(&r, m, f, got);
            slow_subset(seed, m, f, want);
            expect_subset(m, f, got);
            if (memcmp(got, want, f * sizeof *got) != 0) {
                fail_msg("%u out of %u, seed %" PRIu64, f, m, seed);
            }
        }
    }
}

static void shuffles_are_uniform(void **state) {
    (void)state;
    unsigned count[256] = {0}, used[24], n_used = 0;
    hf_random r;
    hf_random_init(&r, 8, HF_PURPOSE_TEST, 0);
    for (int n = 0; n < 48000; n++) {
        uint32_t item[4] = {0, 1, 2, 3};
        hf_random_shuffle(&r, item, 4);
        count[item[0] << 6 | item[1] << 4 | item[2] << 2 | item[3]]++;
    }
    for (unsigned code = 0; code < 256; code++) { /* only the 24 permutations occur, all of them */
        if (count[code]) {
            assert_int_equal(1U << (code >> 6) | 1U << (code >> 4 & 3) | 1U << (code >> 2 & 3) | 1U << (code & 3), 15);
            assert_true(n_used < 24);
            used[n_used++] = count[code];
        }
    }
    assert_int_equal(n_used, 24);
    expect_uniform(used, 24, 48000);
}

static void shuffle_keeps_the_items(void **state) {
    (void)state;
    for (uint32_t n = 0; n <= 100; n++) {
        uint32_t item[101], seen[101] = {0};
        hf_random r;
        for (uint32_t i = 0; i < n; i++) {
            item[i] = i;
        }
        item[n] = 4711; /* behind the end */
        hf_random_init(&r, n, HF_PURPOSE_TEST, 0);
        hf_random_shuffle(&r, item, n);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(item[i] < n);
            assert_int_equal(seen[item[i]]++, 0);
        }
        assert_int_equal(item[n], 4711);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(streams_are_philox),
        cmocka_unit_test(draws_in_order),
        cmocka_unit_test(below_is_lemire),
        cmocka_unit_test(below_is_exact_in_64_bits),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(subsets_are_uniform),
        cmocka_unit_test(subsets_of_all_sizes),
        cmocka_unit_test(shuffles_are_uniform),
        cmocka_unit_test(shuffle_keeps_the_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
