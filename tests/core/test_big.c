/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Big integers against 128-bit arithmetic, against schoolbook arithmetic on decimal texts, and against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/big.h>
#include <holdfast/core/random.h>

enum { N = 4, DIGITS_MAX = 400 };

/** A context and some numbers. */
typedef struct bench {
    hf_context *cx;
    hf_big *big[N];
} bench;

static void expect_u128(const hf_big *a, hf_u128 want) {
    hf_u128 got = 4711;
    assert_true(hf_big_get_u128(a, &got));
    assert_true(got == want);
}

static bench open_bench(void) {
    bench b = {.cx = hf_context_new(NULL)};
    assert_non_null(b.cx);
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(hf_big_new(b.cx, &b.big[i]), HF_OK);
        expect_u128(b.big[i], 0);
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
        expect_u128(b.big[0], 0);
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
    }
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_arithmetic),
        cmocka_unit_test(edges_of_words),
        cmocka_unit_test(binomials),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
