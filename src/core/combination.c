/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rank, unrank and successor of f-subsets in lexicographic order. */
#include <holdfast/core/big.h>
#include <holdfast/core/combination.h>

bool hf_binomial(uint64_t m, uint64_t f, uint64_t *out) {
    if (f > m) {
        *out = 0;
        return true;
    }
    f = f < m - f ? f : m - f;
    hf_u128 value = 1;
    for (uint64_t i = 1; i <= f; i++) {
        /* value = C(m-f+i-1, i-1) < 2^64, so the product fits in 128 bits and
         * divides exactly. */
        value = value * (m - f + i) / i;
        if (value > UINT64_MAX) {
            *out = UINT64_MAX;
            return false;
        }
    }
    *out = (uint64_t)value;
    return true;
}

static uint64_t choose(uint64_t m, uint64_t f) {
    uint64_t value;
    (void)hf_binomial(m, f, &value);
    return value;
}

uint64_t hf_lex_rank(uint32_t m, uint32_t f, const uint32_t *c) {
    /* Sets before c: at each place i, those with a smaller element there. Counted
     * from the end: C(m-1-c[i], f-i) come after. */
    uint64_t after = 0;
    for (uint32_t i = 0; i < f; i++) {
        after += choose(m - 1 - c[i], f - i);
    }
    return choose(m, f) - 1 - after;
}

void hf_lex_unrank(uint32_t m, uint32_t f, uint64_t rank, uint32_t *c) {
    uint32_t x = 0;
    for (uint32_t i = 0; i < f; i++) {
        for (uint64_t with = choose(m - 1 - x, f - 1 - i); rank >= with; with = choose(m - 1 - x, f - 1 - i)) {
            rank -= with;
            x++;
        }
        c[i] = x++;
    }
}

bool hf_lex_next(uint32_t m, uint32_t f, uint32_t *c, uint32_t *keep) {
    uint32_t i = f;
    while (i > 0 && c[i - 1] == m - f + i - 1) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    c[i - 1]++;
    for (uint32_t j = i; j < f; j++) {
        c[j] = c[j - 1] + 1;
    }
    if (keep) {
        *keep = i - 1;
    }
    return true;
}
