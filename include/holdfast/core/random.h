/** \file
 *  Counter-based random numbers (Philox4x32-10 of Random123): draw j of stream (seed, purpose, index) is a pure function,
 *  so sample i of seed s is the same whatever the schedule. Source: Salmon et al., SC 2011. */
#ifndef HOLDFAST_RANDOM_H
#define HOLDFAST_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a stream is for; keeps streams of one seed apart. */
typedef enum hf_purpose {
    HF_PURPOSE_SAMPLE = 1,
    HF_PURPOSE_ORDER = 2,
    HF_PURPOSE_TEST = 3,
    HF_PURPOSE_TOPOLOGY = 4,
    HF_PURPOSE_TRAFFIC = 5,
    HF_PURPOSE_RETRY = 6,
    HF_PURPOSE_SELECTION = 7,
    HF_PURPOSE_FORECAST = 8,
    HF_PURPOSE_PLACE = 9
} hf_purpose;

/** An iterator by value. Fields are private. */
typedef struct hf_random {
    uint32_t key[2], counter[4];
    uint32_t buffer[32], next, filled; /**< draws made ahead: buffer[next .. filled - 1] */
} hf_random;

/** Stream `index` of (seed, purpose); it has 2^34 numbers of 32 bits. */
void hf_random_init(hf_random *r, uint64_t seed, hf_purpose purpose, uint64_t index);
uint32_t hf_random_u32(hf_random *r);
uint64_t hf_random_u64(hf_random *r);
/** Uniform in [0, bound), exactly (Lemire's rejection); bound >= 1. */
uint64_t hf_random_below(hf_random *r, uint64_t bound);
/** f distinct elements of [0, m), ascending, every set equally likely (Floyd's algorithm). \param[out] set f entries; f <= m.
 *  Time O(f + m/64) for m up to 2^18, else O(f^2) copied words. */
void hf_random_subset(hf_random *r, uint32_t m, uint32_t f, uint32_t *set);
/** Where element i of [0, n) goes in a random order of them, without the others: a bijection, four rounds of a Feistel network
 *  whose functions are streams of (seed, purpose). Source: Luby and Rackoff, SIAM J. Computing 17(2), 1988. */
uint64_t hf_random_place(uint64_t seed, hf_purpose purpose, uint64_t n, uint64_t i);
/** Fisher-Yates in place. */
void hf_random_shuffle(hf_random *r, uint32_t *item, uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
