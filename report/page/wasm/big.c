/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Big integers without GMP: sign and magnitude in words of 32 bits, the lowest first, by the methods of school. What the page
 *  asks has some hundred digits at most. Without memory it traps, as GMP aborts; the page then starts the module anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/big.h>

struct hf_big {
    uint32_t *word;
    size_t n, capacity; /* word[n - 1] is not 0 */
    bool is_negative;   /* not of 0 */
    hf_allocator allocator;
};

hf_status hf_big_new(hf_context *cx, hf_big **out) {
    HF_TRY(hf_allocate(cx, 1, sizeof **out, (void **)out));
    (*out)->allocator = *hf_context_allocator(cx);
    return HF_OK;
}

void hf_big_free(hf_big *a) {
    if (a) {
        const hf_allocator allocator = a->allocator;
        free(a->word);
        hf_release(&allocator, a);
    }
}

static void reserve(hf_big *a, size_t n) {
    if (n > a->capacity) {
        a->capacity = 2 * n;
        a->word = realloc(a->word, a->capacity * sizeof *a->word);
        if (!a->word) {
            abort();
        }
    }
}

static void trim(hf_big *a, size_t n) {
    while (n > 0 && a->word[n - 1] == 0) {
        n--;
    }
    a->n = n;
    a->is_negative = a->is_negative && n > 0;
}

void hf_big_set_words(hf_big *a, const uint64_t *word, size_t n) {
    reserve(a, 2 * n);
    for (size_t i = 0; i < n; i++) {
        a->word[2 * i] = (uint32_t)word[i];
        a->word[2 * i + 1] = (uint32_t)(word[i] >> 32);
    }
    a->is_negative = false;
    trim(a, 2 * n);
}

void hf_big_set(hf_big *a, hf_u128 value) {
    const uint64_t words[2] = {(uint64_t)value, (uint64_t)(value >> 64)};
    hf_big_set_words(a, words, 2);
}

void hf_big_copy(hf_big *to, const hf_big *from) {
    reserve(to, from->n);
    if (to != from && from->n > 0) {
        memcpy(to->word, from->word, from->n * sizeof *to->word);
    }
    to->is_negative = from->is_negative;
    to->n = from->n;
}

static int compare_magnitudes(const hf_big *a, const hf_big *b) {
    if (a->n != b->n) {
        return a->n < b->n ? -1 : 1;
    }
    for (size_t i = a->n; i-- > 0;) {
        if (a->word[i] != b->word[i]) {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

int hf_big_compare(const hf_big *a, const hf_big *b) {
    if (a->is_negative != b->is_negative) {
        return a->is_negative ? -1 : 1;
    }
    return a->is_negative ? -compare_magnitudes(a, b) : compare_magnitudes(a, b);
}

static uint32_t word_at(const hf_big *a, size_t i) { return i < a->n ? a->word[i] : 0; }

static void add_magnitude(hf_big *to, const hf_big *b) {
    const size_t n = (to->n > b->n ? to->n : b->n) + 1;
    uint64_t carry = 0;
    reserve(to, n);
    for (size_t i = 0; i < n; i++) {
        carry += (uint64_t)word_at(to, i) + word_at(b, i);
        to->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    trim(to, n);
}

/* to = |to - b|, where neither is negative. \return is b the larger one? */
static bool take_magnitude(hf_big *to, const hf_big *b) {
    const bool is_larger = compare_magnitudes(to, b) < 0;
    const size_t n = to->n > b->n ? to->n : b->n;
    int64_t borrow = 0;
    reserve(to, n);
    for (size_t i = 0; i < n; i++) {
        const int64_t x = word_at(to, i), y = word_at(b, i);
        borrow += is_larger ? y - x : x - y;
        to->word[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    trim(to, n);
    return is_larger;
}

static void add_signed(hf_big *to, const hf_big *b, bool is_negative) {
    if (to->is_negative == is_negative) {
        add_magnitude(to, b);
    } else if (take_magnitude(to, b)) {
        to->is_negative = is_negative;
    }
    to->is_negative = to->is_negative && to->n > 0;
}

void hf_big_add(hf_big *to, const hf_big *b) { add_signed(to, b, b->is_negative); }
void hf_big_sub(hf_big *to, const hf_big *b) { add_signed(to, b, !b->is_negative); }

void hf_big_add_u128(hf_big *to, hf_u128 b) {
    hf_big term = {0};
    hf_big_set(&term, b);
    hf_big_add(to, &term);
    free(term.word);
}

static void multiply(uint32_t *to, const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b) {
    for (size_t i = 0; i < n_b; i++) {
        to[i] = 0;
    }
    for (size_t i = 0; i < n_a; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < n_b; j++) {
            carry += (uint64_t)a[i] * b[j] + to[i + j];
            to[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        to[i + n_b] = (uint32_t)carry;
    }
}

void hf_words_multiply(uint64_t *to, const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b) {
    memset(to, 0, (n_a + n_b) * sizeof *to);
    for (size_t i = 0; i < n_a; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < n_b; j++) {
            const hf_u128 sum = (hf_u128)a[i] * b[j] + to[i + j] + carry;
            to[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        to[i + n_b] = carry;
    }
}

void hf_big_mul_u64(hf_big *to, uint64_t b) {
    const uint32_t factor[2] = {(uint32_t)b, (uint32_t)(b >> 32)};
    hf_big product = {0};
    reserve(&product, to->n + 2);
    multiply(product.word, to->word, to->n, factor, 2);
    reserve(to, to->n + 2);
    memcpy(to->word, product.word, (to->n + 2) * sizeof *to->word);
    trim(to, to->n + 2);
    free(product.word);
}

void hf_big_mul(hf_big *to, const hf_big *b) {
    hf_big product = {.is_negative = to->is_negative != b->is_negative};
    reserve(&product, to->n + b->n + 1);
    multiply(product.word, to->word, to->n, b->word, b->n);
    trim(&product, to->n + b->n);
    hf_big_copy(to, &product);
    free(product.word);
}

/* The magnitude of a becomes twice itself and a bit. */
static void push_bit(hf_big *a, uint32_t bit) {
    reserve(a, a->n + 1);
    a->word[a->n] = 0;
    for (size_t i = 0; i <= a->n; i++) {
        const uint32_t top = a->word[i] >> 31;
        a->word[i] = a->word[i] << 1 | bit;
        bit = top;
    }
    trim(a, a->n + 1);
}

/* Bit by bit. */
void hf_big_divide(hf_big *quotient, hf_big *rest, const hf_big *b) {
    hf_big left = {0}, of = {0};
    hf_big_copy(&of, rest);
    hf_big_set(quotient, 0);
    for (size_t i = 32 * of.n; i-- > 0;) {
        push_bit(&left, of.word[i / 32] >> i % 32 & 1);
        const bool fits = compare_magnitudes(&left, b) >= 0;
        if (fits) {
            (void)take_magnitude(&left, b);
        }
        push_bit(quotient, fits);
    }
    quotient->is_negative = quotient->n > 0 && of.is_negative != b->is_negative;
    left.is_negative = left.n > 0 && of.is_negative;
    hf_big_copy(rest, &left);
    free(left.word);
    free(of.word);
}

/* \return the remainder */
static uint64_t divide(hf_big *a, uint64_t by) {
    hf_u128 rest = 0;
    for (size_t i = a->n; i-- > 0;) {
        rest = rest << 32 | a->word[i];
        a->word[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    trim(a, a->n);
    return (uint64_t)rest;
}

void hf_big_binomial(hf_big *to, uint64_t n, uint64_t k) {
    hf_big_set(to, k <= n);
    k = k <= n && n - k < k ? n - k : k;
    for (uint64_t i = 1; to->n > 0 && i <= k; i++) {
        hf_big_mul_u64(to, n - k + i);
        (void)divide(to, i);
    }
}

bool hf_big_get_u128(const hf_big *a, hf_u128 *out) {
    if (a->is_negative || a->n > 4) {
        return false;
    }
    *out = 0;
    for (size_t i = a->n; i-- > 0;) {
        *out = *out << 32 | a->word[i];
    }
    return true;
}

/* The highest words as a number that is cut to 53 bits, as GMP cuts it. \param[out] by which power of two it is to be multiplied
 */
static double top_of(const hf_big *a, int *by) {
    uint64_t top = 0;
    for (size_t i = 0; i < 2; i++) {
        top = top << 32 | (i < a->n ? a->word[a->n - 1 - i] : 0);
    }
    int shift = top ? __builtin_clzll(top) : 0;
    top <<= shift;
    if (shift > 0 && a->n > 2) {
        top |= a->word[a->n - 3] >> (32 - shift);
    }
    *by = 32 * ((int)a->n - 2) - shift;
    return (double)(top >> 11 << 11);
}

double hf_big_share(const hf_big *a, const hf_big *b) {
    int by_a, by_b;
    const double x = top_of(a, &by_a), y = top_of(b, &by_b);
    return ldexp((a->is_negative == b->is_negative ? x : -x) / y, by_a - by_b);
}

hf_status hf_big_text(hf_context *cx, const hf_big *a, char **out) {
    const size_t room = a->n * 10 + 3;
    HF_TRY(hf_allocate(cx, room, 1, (void **)out));
    hf_big rest = {0};
    char *at = *out + room - 1;
    hf_big_copy(&rest, a);
    do {
        *--at = (char)('0' + divide(&rest, 10));
    } while (rest.n > 0);
    if (a->is_negative) {
        *--at = '-';
    }
    memmove(*out, at, (size_t)(*out + room - at));
    free(rest.word);
    return HF_OK;
}
