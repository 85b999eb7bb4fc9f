/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Counter-based random numbers: Philox4x32-10 of Random123 (Salmon et al., SC 2011). Several blocks are made at a time, so
 *  that their multiplications overlap. */
#include <holdfast/core/random.h>

#include <stdbool.h>
#include <string.h>

#include <holdfast/core/big.h>
#include <holdfast/core/bitset.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

enum {
    ROUNDS = 10,
    BLOCK = 4,        /* numbers a block */
    BITMAP = 1 << 18, /* largest m whose bitmap stands on the stack, 32 KiB */
    FEW = 32          /* so few elements are sorted by counting */
};

void hf_random_init(hf_random *r, uint64_t seed, hf_purpose purpose, uint64_t index) {
    r->key[0] = (uint32_t)seed;
    r->key[1] = (uint32_t)(seed >> 32);
    r->counter[0] = 0;
    r->counter[1] = (uint32_t)purpose;
    r->counter[2] = (uint32_t)index;
    r->counter[3] = (uint32_t)(index >> 32);
    r->next = r->filled = 0;
}

/* Make about `want` numbers: whole blocks, at least one, at most what the buffer holds. */
static void refill(hf_random *r, uint32_t want) {
    const uint32_t room = sizeof r->buffer / sizeof *r->buffer;
    const uint32_t end = want >= room ? room : want ? (want + BLOCK - 1) / BLOCK * BLOCK : BLOCK;
    philox4x32_ctr_t counter;
    philox4x32_key_t key;
    memcpy(counter.v, r->counter, sizeof r->counter);
    memcpy(key.v, r->key, sizeof r->key);
    for (uint32_t at = 0; at < end; at += BLOCK) {
        const philox4x32_ctr_t block = philox4x32_R(ROUNDS, counter, key);
        memcpy(r->buffer + at, block.v, sizeof block.v);
        counter.v[0]++;
    }
    r->counter[0] = counter.v[0];
    r->next = 0;
    r->filled = end;
}

/* Who draws on gets more at a time. */
static inline uint32_t draw(hf_random *r) {
    if (r->next == r->filled) {
        refill(r, 2 * r->filled);
    }
    return r->buffer[r->next++];
}

uint32_t hf_random_u32(hf_random *r) { return draw(r); }

uint64_t hf_random_u64(hf_random *r) {
    const uint64_t high = draw(r);
    return high << 32 | draw(r);
}

/* Lemire: the high half of draw * bound; the low half tells the few draws that would favour a value. */
static inline uint32_t below_u32(hf_random *r, uint32_t bound) {
    uint64_t product = (uint64_t)draw(r) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t floor = -bound % bound;
        while ((uint32_t)product < floor) {
            product = (uint64_t)draw(r) * bound;
        }
    }
    return (uint32_t)(product >> 32);
}

uint64_t hf_random_below(hf_random *r, uint64_t bound) {
    if (bound <= UINT32_MAX) {
        return below_u32(r, (uint32_t)bound);
    }
    hf_u128 product = (hf_u128)hf_random_u64(r) * bound;
    if ((uint64_t)product < bound) {
        const uint64_t floor = -bound % bound;
        while ((uint64_t)product < floor) {
            product = (hf_u128)hf_random_u64(r) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

/* ---- subsets ----
 * Floyd: for j = m-f .. m-1 take a random element of [0, j], or j itself if that is taken. The three ways below differ in how
 * they look up what is taken; they draw the same numbers and give the same set. */

static inline uint32_t pick_upto(hf_random *r, uint32_t j) { return j == UINT32_MAX ? draw(r) : below_u32(r, j + 1); }

static void subset_by_bitmap(hf_random *r, uint32_t m, uint32_t f, uint32_t *set) {
    uint64_t taken[BITMAP / 64];
    const size_t words = hf_words(m);
    memset(taken, 0, words * sizeof *taken);
    for (uint32_t j = m - f; j < m; j++) {
        const uint32_t pick = pick_upto(r, j);
        hf_bit_set(taken, hf_bit_test(taken, pick) ? j : pick);
    }
    for (size_t w = 0; w < words; w++) {
        for (uint64_t rest = taken[w]; rest; rest &= rest - 1) {
            *set++ = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(rest);
        }
    }
}

/* Compares all with all: no branches that depend on the numbers. */
static void subset_by_counting(hf_random *r, uint32_t m, uint32_t f, uint32_t *set) {
    uint32_t item[FEW];
    for (uint32_t i = 0; i < f; i++) {
        const uint32_t j = m - f + i, pick = pick_upto(r, j);
        uint32_t same = 0;
        for (uint32_t other = 0; other < i; other++) {
            same |= item[other] == pick;
        }
        item[i] = same ? j : pick;
    }
    for (uint32_t i = 0; i < f; i++) {
        uint32_t below = 0;
        for (uint32_t other = 0; other < f; other++) {
            below += item[other] < item[i];
        }
        set[below] = item[i];
    }
}

/* First place in set[0..size-1] that does not stand below `x`. */
static uint32_t lower_bound(const uint32_t *set, uint32_t size, uint32_t x) {
    uint32_t lo = 0, hi = size;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (set[middle] < x) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo;
}

static void subset_by_insertion(hf_random *r, uint32_t m, uint32_t f, uint32_t *set) {
    for (uint32_t i = 0; i < f; i++) {
        const uint32_t j = m - f + i, pick = pick_upto(r, j), at = lower_bound(set, i, pick);
        if (at < i && set[at] == pick) {
            set[i] = j; /* larger than all before */
            continue;
        }
        memmove(set + at + 1, set + at, (i - at) * sizeof *set);
        set[at] = pick;
    }
}

/* Is clearing and reading a bitmap of m bits cheaper than comparing f elements with each other? */
static bool bitmap_pays(uint32_t m, uint32_t f) { return m <= BITMAP && hf_words(m) <= (uint64_t)f * f / 2 + 8; }

void hf_random_subset(hf_random *r, uint32_t m, uint32_t f, uint32_t *set) {
    if (r->next == r->filled) {
        refill(r, f);
    }
    if (bitmap_pays(m, f)) {
        subset_by_bitmap(r, m, f, set);
    } else if (f <= FEW) {
        subset_by_counting(r, m, f, set);
    } else {
        subset_by_insertion(r, m, f, set);
    }
}

void hf_random_shuffle(hf_random *r, uint32_t *item, uint32_t n) {
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = below_u32(r, i), keep = item[i - 1];
        item[i - 1] = item[j];
        item[j] = keep;
    }
}

enum { FEISTEL_ROUNDS = 4 };

/* Numbers of 2 `half` bits; what falls outside of [0, n) goes round again, until it is inside. */
uint64_t hf_random_place(uint64_t seed, hf_purpose purpose, uint64_t n, uint64_t i) {
    const unsigned bits = n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 1, half = (bits + 1) / 2;
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint64_t round = 0; round < FEISTEL_ROUNDS; round++) {
            hf_random random;
            hf_random_init(&random, seed, purpose, round << 32 | right);
            const uint64_t mixed = left ^ (hf_random_u32(&random) & mask);
            left = right;
            right = mixed;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}
