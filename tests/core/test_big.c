/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Big integers against 128-bit arithmetic, against schoolbook arithmetic on decimal texts, and against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/big.h>
#include <holdfast/random.h>

enum { N = 4, DIGITS_MAX = 400 };

/** A context and some numbers. */
typedef struct bench {
    hf_context *cx;
    hf_big *big[N];
} bench;

static bench open_bench(void) {
    bench b = {.cx = hf_context_new(NULL)};
    assert_non_null(b.cx);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(hf_big_new(b.cx, &b.big[i]), HF_OK);
        assert_true(hf_big_is_zero(b.big[i]));
    }
    return b;
}

static void close_bench(bench *b) {
    for (size_t i = 0; i < N; i++) {
        hf_big_free(b->big[i]);
    }
    hf_context_free(b->cx);
}

static void expect_text(const bench *b, const hf_big *a, const char *want) {
    char *got = NULL;
    assert_int_equal(hf_big_text(b->cx, a, &got), HF_OK);
    assert_string_equal(got, want);
    hf_release(hf_context_allocator(b->cx), got);
}

static hf_u128 random_u128(hf_random *r) {
    const uint64_t high = hf_random_u64(r), low = hf_random_u64(r);
    return ((hf_u128)high << 64 | low) >> hf_random_below(r, 128); /* of all lengths */
}

static void expect_u128(const hf_big *a, hf_u128 want) {
    hf_u128 got = 4711;
    assert_true(hf_big_get_u128(a, &got));
    assert_true(got == want);
    uint64_t low = 4711;
    const bool is_short = want <= UINT64_MAX;
    assert_int_equal(hf_big_get_u64(a, &low), is_short);
    assert_true(low == (is_short ? (uint64_t)want : 4711)); /* unchanged if it does not fit */
    assert_int_equal(hf_big_is_zero(a), want == 0);
}

static void small_arithmetic(void **state) {
    (void)state;
    bench b = open_bench();
    hf_random r;
    hf_random_init(&r, 1, HF_PURPOSE_TEST, 0);
    for (int i = 0; i < 5000; i++) {
        const hf_u128 x = random_u128(&r) >> 1, y = random_u128(&r) >> 1; /* so that the sum fits */
        hf_big_set(b.big[0], x);
        expect_u128(b.big[0], x);
        hf_big_set(b.big[1], y);
        assert_int_equal(hf_big_compare(b.big[0], b.big[1]) > 0, x > y);
        assert_int_equal(hf_big_compare(b.big[0], b.big[1]) < 0, x < y);
        hf_big_copy(b.big[2], b.big[0]);
        assert_int_equal(hf_big_compare(b.big[2], b.big[0]), 0);
        hf_big_add(b.big[2], b.big[1]);
        expect_u128(b.big[2], x + y);
        expect_u128(b.big[1], y); /* the argument stays */
        hf_big_sub(b.big[2], b.big[0]);
        expect_u128(b.big[2], y);
        hf_big_add_u128(b.big[2], x);
        expect_u128(b.big[2], x + y);
        const uint64_t p = (uint64_t)x, q = (uint64_t)y;
        hf_big_set(b.big[2], p);
        hf_big_mul_u64(b.big[2], q);
        expect_u128(b.big[2], (hf_u128)p * q);
        hf_big_set(b.big[2], p);
        hf_big_set(b.big[3], q);
        hf_big_mul(b.big[2], b.big[3]);
        expect_u128(b.big[2], (hf_u128)p * q);
    }
    close_bench(&b);
}

static void edges_of_words(void **state) {
    (void)state;
    bench b = open_bench();
    hf_u128 out = 4711;
    expect_u128(b.big[0], 0);
    expect_text(&b, b.big[0], "0");
    hf_big_set(b.big[0], UINT64_MAX);
    expect_u128(b.big[0], UINT64_MAX);
    hf_big_add_u128(b.big[0], 1);
    expect_u128(b.big[0], (hf_u128)1 << 64);
    hf_big_set(b.big[0], ~(hf_u128)0);
    expect_u128(b.big[0], ~(hf_u128)0);
    expect_text(&b, b.big[0], "340282366920938463463374607431768211455");
    hf_big_add_u128(b.big[0], 1);
    assert_false(hf_big_get_u128(b.big[0], &out));
    assert_true(out == 4711);
    expect_text(&b, b.big[0], "340282366920938463463374607431768211456"); /* 2^128 */
    assert_true(hf_big_double(b.big[0]) == 0x1p128);
    hf_big_sub(b.big[0], b.big[0]);
    expect_u128(b.big[0], 0);
    close_bench(&b);
}

/* ---- decimal texts ---- */

/** to += from, digit by digit. */
static void add_text(char *to, const char *from) {
    const size_t a = strlen(to), c = strlen(from), size = (a > c ? a : c) + 1;
    char sum[DIGITS_MAX] = "";
    int carry = 0;
    assert_true(size < DIGITS_MAX);
    for (size_t i = 0; i < size; i++) {
        carry += (i < a ? to[a - 1 - i] - '0' : 0) + (i < c ? from[c - 1 - i] - '0' : 0);
        sum[size - 1 - i] = (char)('0' + carry % 10);
        carry /= 10;
    }
    strcpy(to, sum[0] == '0' ? sum + 1 : sum);
}

/** Pascal's triangle in decimal texts; C(300, 150) has 89 digits. */
static void binomials(void **state) {
    (void)state;
    enum { TOP = 300 };
    static char row[TOP + 1][DIGITS_MAX];
    bench b = open_bench();
    for (uint64_t n = 0; n <= TOP; n++) {
        strcpy(row[n], "1");
        for (uint64_t k = n ? n - 1 : 0; k > 0; k--) {
            add_text(row[k], row[k - 1]);
        }
        for (uint64_t k = 0; k <= n && (n < 30 || n == TOP); k++) {
            hf_big_binomial(b.big[0], n, k);
            expect_text(&b, b.big[0], row[k]);
        }
        hf_big_binomial(b.big[0], n, n + 1);
        assert_true(hf_big_is_zero(b.big[0]));
    }
    hf_big_binomial(b.big[0], UINT64_MAX, 1);
    expect_u128(b.big[0], UINT64_MAX);
    hf_big_binomial(b.big[0], UINT64_MAX, UINT64_MAX - 2);
    expect_u128(b.big[0], (hf_u128)UINT64_MAX * (UINT64_MAX / 2)); /* 2^64 - 2 is twice that */
    close_bench(&b);
}

/** 2^1000 by doubling texts; powers of ten by their digits. */
static void texts(void **state) {
    (void)state;
    bench b = open_bench();
    char power[DIGITS_MAX] = "1", ten[DIGITS_MAX] = "1";
    hf_big_set(b.big[0], 1);
    hf_big_set(b.big[1], 1);
    for (int i = 0; i < 1000; i++) {
        char copy[DIGITS_MAX];
        strcpy(copy, power);
        add_text(power, copy);
        hf_big_mul_u64(b.big[0], 2);
        expect_text(&b, b.big[0], power);
    }
    for (int i = 1; i < 300; i++) {
        ten[i] = '0';
        hf_big_mul_u64(b.big[1], 10);
        expect_text(&b, b.big[1], ten);
        assert_int_equal(hf_big_parse(b.cx, ten, b.big[2]), HF_OK);
        assert_int_equal(hf_big_compare(b.big[1], b.big[2]), 0);
    }
    assert_int_equal(hf_big_parse(b.cx, "0000000000000000000000000000000000000000017", b.big[2]), HF_OK);
    expect_u128(b.big[2], 17);
    close_bench(&b);
}

static void texts_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"", " ", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "12a", "a", "1\n", "\xd9\xa1"};
    static const char shown_end_of_line = ' '; /* a message stays on one line */
    bench b = open_bench();
    hf_big_set(b.big[0], 42);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char message[64];
        assert_int_equal(hf_big_parse(b.cx, bad[i], b.big[0]), HF_EINVAL);
        snprintf(message, sizeof message, "\"%s\" is not a number of decimal digits", bad[i]);
        message[strcspn(message, "\n")] = strchr(message, '\n') ? shown_end_of_line : 0;
        assert_string_equal(hf_context_message(b.cx), message);
        expect_u128(b.big[0], 42);
    }
    close_bench(&b);
}

/* ---- doubles ---- */

/** In double, the quotient of two integers below 2^53 is the correctly rounded one. */
static void ratios_of_doubles(void **state) {
    (void)state;
    bench b = open_bench();
    hf_random r;
    hf_random_init(&r, 2, HF_PURPOSE_TEST, 0);
    for (int i = 0; i < 20000; i++) {
        const uint64_t x = hf_random_u64(&r) >> (11 + hf_random_below(&r, 50)), y = 1 + (hf_random_u64(&r) >> (12 + i % 50));
        hf_big_set(b.big[0], x);
        hf_big_set(b.big[1], y);
        assert_true(hf_big_ratio(b.big[0], b.big[1]) == (double)x / (double)y);
        hf_big_set(b.big[2], random_u128(&r) >> 64 | 1);
        hf_big_mul(b.big[0], b.big[2]); /* the same fraction, not in lowest terms */
        hf_big_mul(b.big[1], b.big[2]);
        assert_true(hf_big_ratio(b.big[0], b.big[1]) == (double)x / (double)y);
    }
    close_bench(&b);
}

/** Halfway cases go to even; the least bit beyond, however far down, goes up. */
static void ratios_round_to_even(void **state) {
    (void)state;
    static const struct {
        uint64_t whole; /* the fraction is whole / 2, of 54 bits */
        double half, above;
    } row[] = {
        {(UINT64_C(1) << 53) + 1, 0x1p52, 0x1.0000000000001p52},               /* down to even */
        {(UINT64_C(1) << 53) + 3, 0x1.0000000000002p52, 0x1.0000000000002p52}, /* up to even */
        {(UINT64_C(1) << 54) - 1, 0x1p53, 0x1p53},                             /* up into the next power */
        {(UINT64_C(1) << 53) + 2, 0x1.0000000000001p52, 0x1.0000000000001p52}, /* fits */
    };
    bench b = open_bench();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (unsigned shift = 1; shift <= 200; shift++) { /* whole * 2^shift / 2^(shift + 1), then one more above */
            hf_big_set(b.big[0], row[i].whole);
            hf_big_set(b.big[1], 2);
            for (unsigned s = 0; s < shift; s++) {
                hf_big_mul_u64(b.big[0], 2);
                hf_big_mul_u64(b.big[1], 2);
            }
            assert_true(hf_big_ratio(b.big[0], b.big[1]) == row[i].half);
            hf_big_add_u128(b.big[0], 1);
            assert_true(hf_big_ratio(b.big[0], b.big[1]) == row[i].above);
        }
    }
    hf_big_set(b.big[0], 0);
    assert_true(hf_big_ratio(b.big[0], b.big[1]) == 0);
    close_bench(&b);
}

/** Ratios of what does not fit in a double: C(n, n/2) / C(n, n/2 - 1) = (n/2 + 1) / (n/2), whatever n. */
static void ratios_of_large(void **state) {
    (void)state;
    bench b = open_bench();
    for (uint64_t half = 1; half < 3000; half = half * 3 / 2 + 1) {
        hf_big_binomial(b.big[0], 2 * half, half);
        hf_big_binomial(b.big[1], 2 * half, half - 1);
        assert_true(hf_big_ratio(b.big[0], b.big[1]) == (double)(half + 1) / (double)half);
        assert_true(hf_big_ratio(b.big[1], b.big[0]) == (double)half / (double)(half + 1));
        assert_true(hf_big_ratio(b.big[0], b.big[0]) == 1);
    }
    hf_big_set(b.big[0], (hf_u128)12345 << 64);
    assert_true(hf_big_double(b.big[0]) == 12345 * 0x1p64);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_arithmetic),
        cmocka_unit_test(edges_of_words),
        cmocka_unit_test(binomials),
        cmocka_unit_test(texts),
        cmocka_unit_test(texts_refused),
        cmocka_unit_test(ratios_of_doubles),
        cmocka_unit_test(ratios_round_to_even),
        cmocka_unit_test(ratios_of_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
