/** \file
 *  Bit sets sized at run time: arrays of 64-bit words. The short operations are inline;
 *  the long ones (counts, tests over many words) are dispatched at run time to AVX-512, AVX2 or plain words. */
#ifndef HOLDFAST_BITSET_H
#define HOLDFAST_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 64-bit words that hold `n` bits. */
static inline size_t hf_words(size_t n) { return (n + 63) / 64; }
static inline bool hf_bit_test(const uint64_t *set, size_t i) { return (set[i >> 6] >> (i & 63)) & 1; }
static inline void hf_bit_set(uint64_t *set, size_t i) { set[i >> 6] |= UINT64_C(1) << (i & 63); }
static inline void hf_bit_clear(uint64_t *set, size_t i) { set[i >> 6] &= ~(UINT64_C(1) << (i & 63)); }

/** Set bits lo..hi-1. */
void hf_bits_fill(uint64_t *set, size_t lo, size_t hi);
/** Number of bits set in `words` words. */
uint64_t hf_bits_count(const uint64_t *set, size_t words);
/** The same of each of `n_row` rows of `words` words, each joined with the set `with` (NULL: with nothing). */
void hf_bits_count_joined(const uint64_t *row, size_t n_row, const uint64_t *with, size_t words, uint64_t *count);
/** to |= from. \return whether `to` changed. */
bool hf_bits_or(uint64_t *to, const uint64_t *from, size_t words);
/** Index of the first bit at or after `from` that is set; `n` if none among the first n. */
size_t hf_bits_next(const uint64_t *set, size_t n, size_t from);
/** Index of the first bit at or after `from` that is clear; `n` if none. */
size_t hf_bits_next_clear(const uint64_t *set, size_t n, size_t from);

/** The instruction set that the hot operations use on this machine: x86-64 as it is, or its levels v2, v3 and v4. */
typedef enum hf_simd { HF_SIMD_PLAIN, HF_SIMD_POPCNT, HF_SIMD_AVX2, HF_SIMD_AVX512 } hf_simd;
/** What this machine supports, unless the environment variable HOLDFAST_SIMD=plain|popcnt|avx2|avx512 asks for less. */
hf_simd hf_simd_level(void);
const char *hf_simd_name(hf_simd level);

#ifdef __cplusplus
}
#endif
#endif
