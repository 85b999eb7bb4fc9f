/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rank, unrank and successor of f-subsets in lexicographic and in
 * revolving-door order. */
#include <holdfast/combination.h>

__extension__ typedef unsigned __int128 u128;

bool hf_binomial(uint64_t m, uint64_t f, uint64_t *out) {
    if (f > m) {
        *out = 0;
        return true;
    }
    f = f < m - f ? f : m - f;
    u128 value = 1;
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

/* Revolving door: A(m, f) = A(m-1, f) then the reverse of A(m-1, f-1), each
 * with m-1 added. */
uint64_t hf_door_rank(uint32_t m, uint32_t f, const uint32_t *c) {
    (void)m;
    uint64_t rank = 0;
    for (uint32_t i = 0; i < f; i++) {
        rank = choose(c[i] + UINT64_C(1), i + UINT64_C(1)) - 1 - rank;
    }
    return rank;
}

void hf_door_unrank(uint32_t m, uint32_t f, uint64_t rank, uint32_t *c) {
    uint32_t x = m;
    for (uint32_t i = f; i > 0; i--) {
        while (choose(x, i) > rank) {
            x--;
        }
        c[i - 1] = x;
        rank = choose(x + UINT64_C(1), i) - 1 - rank;
    }
}

/* Knuth's algorithm R: an easy case at the low end, else try to lower one
 * element or to raise the next, in turn. */
bool hf_door_next(uint32_t m, uint32_t f, uint32_t *c, uint32_t *out, uint32_t *in) {
    if (f == 0 || f == m) {
        return false;
    }
    const bool is_odd = f & 1;
    uint32_t i;
    if (is_odd) {
        if (c[0] + 1 < (f > 1 ? c[1] : m)) {
            *out = c[0]++;
            *in = c[0];
            return true;
        }
        i = 1;
    } else {
        if (c[0] > 0) {
            *out = c[0]--;
            *in = c[0];
            return true;
        }
        i = 1;
        goto raise;
    }
lower:
    /* Here c[i-1] = c[i] - 1 and cannot rise: lower c[i] to c[i-1] and c[i-1] to
     * i-1. */
    if (i >= f) {
        return false;
    }
    if (c[i] > i) {
        *out = c[i];
        c[i] = c[i - 1];
        c[i - 1] = i - 1;
        *in = i - 1;
        return true;
    }
    i++;
raise:
    if (i >= f) {
        return false;
    }
    if (c[i] + 1 < (i + 1 < f ? c[i + 1] : m)) {
        *out = c[i - 1];
        c[i - 1] = c[i];
        c[i]++;
        *in = c[i];
        return true;
    }
    i++;
    goto lower;
}
