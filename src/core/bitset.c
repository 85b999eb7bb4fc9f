/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Bit sets: the operations over many words. Each is written once and compiled for every instruction set that helps. */
#include <holdfast/core/bitset.h>

#include <stdlib.h>
#include <string.h>

#include "src/core/simd.h"

enum {
    SHORT = 4, /* words below which the choice costs more than it gains */
    CHUNK = 64 /* words between two looks at what was found; fewer are not made into vectors */
};

void hf_bits_fill(uint64_t *set, size_t lo, size_t hi) {
    while (lo < hi && (lo & 63)) {
        hf_bit_set(set, lo++);
    }
    for (; lo + 64 <= hi; lo += 64) {
        set[lo >> 6] = UINT64_MAX;
    }
    if (lo < hi) {
        set[lo >> 6] |= (UINT64_C(1) << (hi - lo)) - 1;
    }
}

/* ---- the kernels ---- */

HF_SIMD_BODY uint64_t count_words(const uint64_t *set, size_t words) {
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++) {
        sum += (uint64_t)__builtin_popcountll(set[i]);
    }
    return sum;
}

HF_SIMD_BODY bool or_words(uint64_t *to, const uint64_t *from, size_t words) {
    uint64_t fresh = 0;
    for (size_t i = 0; i < words; i++) {
        fresh |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return fresh != 0;
}

HF_SIMD_BODY void count_joined(const uint64_t *row, size_t n_row, const uint64_t *with, size_t words, uint64_t *count) {
    for (size_t r = 0; r < n_row; r++, row += words) {
        uint64_t sum = 0;
        for (size_t i = 0; i < words; i++) {
            sum += (uint64_t)__builtin_popcountll(row[i] | with[i]);
        }
        count[r] = sum;
    }
}

/* ---- one table of kernels an instruction set ---- */

typedef struct operations {
    uint64_t (*count)(const uint64_t *set, size_t words);
    bool (* or)(uint64_t *to, const uint64_t *from, size_t words);
    void (*joined)(const uint64_t *row, size_t n_row, const uint64_t *with, size_t words, uint64_t *count);
} operations;

#define VARIANT(name, target)                                                                                                    \
    target static uint64_t count_##name(const uint64_t *set, size_t words) { return count_words(set, words); }                   \
    target static bool or_##name(uint64_t *to, const uint64_t *from, size_t words) { return or_words(to, from, words); }         \
    target static void joined_##name(const uint64_t *row, size_t n_row, const uint64_t *with, size_t words, uint64_t *count) {   \
        count_joined(row, n_row, with, words, count);                                                                            \
    }                                                                                                                            \
    static const operations operations_##name = {count_##name, or_##name, joined_##name};

VARIANT(plain, /* any machine */)
#if defined __x86_64__
VARIANT(popcnt, HF_SIMD_V2)
VARIANT(avx2, HF_SIMD_V3)
VARIANT(avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vpopcntdq,popcnt"))))
#endif

static const operations *choose(void) {
#if defined __x86_64__
    const hf_simd level = hf_simd_level();
    if (level == HF_SIMD_AVX512 && __builtin_cpu_supports("avx512vpopcntdq")) {
        return &operations_avx512;
    }
    if (level >= HF_SIMD_POPCNT) {
        return level >= HF_SIMD_AVX2 ? &operations_avx2 : &operations_popcnt;
    }
#endif
    return &operations_plain;
}

uint64_t hf_bits_count(const uint64_t *set, size_t words) { return choose()->count(set, words); }

bool hf_bits_or(uint64_t *to, const uint64_t *from, size_t words) {
    return words < SHORT ? or_plain(to, from, words) : choose()->or (to, from, words);
}

void hf_bits_count_joined(const uint64_t *row, size_t n_row, const uint64_t *with, size_t words, uint64_t *count) {
    if (with) {
        choose()->joined(row, n_row, with, words, count);
        return;
    }
    for (size_t r = 0; r < n_row; r++) {
        count[r] = hf_bits_count(row + r * words, words);
    }
}

/* ---- searching ---- */

/* First bit at or after `from` in set XOR flip. */
static size_t next_bit(const uint64_t *set, size_t n, size_t from, uint64_t flip) {
    if (from >= n) {
        return n;
    }
    uint64_t word = (set[from >> 6] ^ flip) & (UINT64_MAX << (from & 63));
    size_t at = from >> 6;
    while (!word) {
        if (++at >= hf_words(n)) {
            return n;
        }
        word = set[at] ^ flip;
    }
    const size_t bit = at * 64 + (size_t)__builtin_ctzll(word);
    return bit < n ? bit : n;
}

size_t hf_bits_next(const uint64_t *set, size_t n, size_t from) { return next_bit(set, n, from, 0); }
size_t hf_bits_next_clear(const uint64_t *set, size_t n, size_t from) { return next_bit(set, n, from, UINT64_MAX); }

/* ---- instruction sets ---- */

static hf_simd machine_level(void) {
#if defined __x86_64__
    const bool has_v2 = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2");
    const bool has_v3 =
        has_v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (has_v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd")) {
        return HF_SIMD_AVX512;
    }
    if (has_v2) {
        return has_v3 ? HF_SIMD_AVX2 : HF_SIMD_POPCNT;
    }
#endif
    return HF_SIMD_PLAIN;
}

static hf_simd asked_level(void) {
    const char *asked = getenv("HOLDFAST_SIMD");
    for (int level = HF_SIMD_PLAIN; asked && level <= HF_SIMD_AVX512; level++) {
        if (strcmp(asked, hf_simd_name((hf_simd)level)) == 0) {
            return (hf_simd)level;
        }
    }
    return HF_SIMD_AVX512;
}

hf_simd hf_simd_level(void) {
    /* A cache of a constant: 0 = not asked yet. Every thread that fills it writes the same value. */
    static int cached;
    int level = __atomic_load_n(&cached, __ATOMIC_RELAXED);
    if (level == 0) {
        const hf_simd machine = machine_level(), asked = asked_level();
        level = 1 + (int)(asked < machine ? asked : machine);
        __atomic_store_n(&cached, level, __ATOMIC_RELAXED);
    }
    return (hf_simd)(level - 1);
}

const char *hf_simd_name(hf_simd level) {
    static const char *const name[] = {"plain", "popcnt", "avx2", "avx512"};
    return name[level];
}
