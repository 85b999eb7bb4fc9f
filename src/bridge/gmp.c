/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Big integers by GMP. Numbers here have at most some thousand digits, so GMP's
 *  own allocations stay small. */
#include <gmp.h>
#include <math.h>
#include <string.h>

#include <holdfast/core/big.h>

struct hf_big {
    mpz_t value;
    hf_allocator allocator;
};

hf_status hf_big_new(hf_context *cx, hf_big **out) {
    hf_big *a;
    HF_TRY(hf_allocate(cx, 1, sizeof *a, (void **)&a));
    mpz_init(a->value);
    a->allocator = *hf_context_allocator(cx);
    *out = a;
    return HF_OK;
}

void hf_big_free(hf_big *a) {
    if (a) {
        const hf_allocator allocator = a->allocator;
        mpz_clear(a->value);
        hf_release(&allocator, a);
    }
}

static void set_u64(mpz_t to, uint64_t value) { mpz_import(to, 1, -1, sizeof value, 0, 0, &value); }

void hf_big_set(hf_big *a, hf_u128 value) {
    const uint64_t words[2] = {(uint64_t)value, (uint64_t)(value >> 64)};
    mpz_import(a->value, 2, -1, sizeof *words, 0, 0, words);
}

void hf_big_set_words(hf_big *a, const uint64_t *word, size_t n) { mpz_import(a->value, n, -1, sizeof *word, 0, 0, word); }

double hf_big_share(const hf_big *a, const hf_big *b) {
    long by_a, by_b;
    const double x = mpz_get_d_2exp(&by_a, a->value), y = mpz_get_d_2exp(&by_b, b->value);
    return ldexp(x / y, (int)(by_a - by_b));
}

void hf_words_multiply(uint64_t *to, const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b) {
    mpz_t x, y, product;
    mpz_inits(x, y, product, NULL);
    mpz_import(x, n_a, -1, sizeof *a, 0, 0, a);
    mpz_import(y, n_b, -1, sizeof *b, 0, 0, b);
    mpz_mul(product, x, y);
    memset(to, 0, (n_a + n_b) * sizeof *to);
    mpz_export(to, NULL, -1, sizeof *to, 0, 0, product);
    mpz_clears(x, y, product, NULL);
}

void hf_big_copy(hf_big *to, const hf_big *from) { mpz_set(to->value, from->value); }
void hf_big_add(hf_big *to, const hf_big *b) { mpz_add(to->value, to->value, b->value); }
void hf_big_sub(hf_big *to, const hf_big *b) { mpz_sub(to->value, to->value, b->value); }

void hf_big_add_u128(hf_big *to, hf_u128 b) {
    const uint64_t words[2] = {(uint64_t)b, (uint64_t)(b >> 64)};
    mpz_t term;
    mpz_init(term);
    mpz_import(term, 2, -1, sizeof *words, 0, 0, words);
    mpz_add(to->value, to->value, term);
    mpz_clear(term);
}

void hf_big_mul_u64(hf_big *to, uint64_t b) {
    mpz_t factor;
    mpz_init(factor);
    set_u64(factor, b);
    mpz_mul(to->value, to->value, factor);
    mpz_clear(factor);
}

void hf_big_mul(hf_big *to, const hf_big *b) { mpz_mul(to->value, to->value, b->value); }
void hf_big_divide(hf_big *quotient, hf_big *rest, const hf_big *b) {
    mpz_tdiv_qr(quotient->value, rest->value, rest->value, b->value);
}

void hf_big_binomial(hf_big *to, uint64_t n, uint64_t k) {
    if (k > n) {
        mpz_set_ui(to->value, 0);
        return;
    }
    mpz_t top;
    mpz_init(top);
    set_u64(top, n);
    mpz_bin_ui(to->value, top, (unsigned long)(k < n - k ? k : n - k));
    mpz_clear(top);
}

int hf_big_compare(const hf_big *a, const hf_big *b) { return mpz_cmp(a->value, b->value); }
bool hf_big_get_u128(const hf_big *a, hf_u128 *out) {
    if (mpz_sgn(a->value) < 0 || mpz_sizeinbase(a->value, 2) > 128) {
        return false;
    }
    uint64_t words[2] = {0, 0};
    mpz_export(words, NULL, -1, sizeof *words, 0, 0, a->value);
    *out = (hf_u128)words[1] << 64 | words[0];
    return true;
}

hf_status hf_big_text(hf_context *cx, const hf_big *a, char **out) {
    char *text;
    HF_TRY(hf_allocate(cx, mpz_sizeinbase(a->value, 10) + 2, 1, (void **)&text));
    *out = mpz_get_str(text, 10, a->value);
    return HF_OK;
}
