/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counter-based random numbers: Philox4x32-10 of Random123. */
#include <holdfast/random.h>

#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

void hf_random_init(hf_random *r, uint64_t seed, hf_purpose purpose, uint64_t index) {
    *r = (hf_random){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                     .counter = {0, (uint32_t)purpose, (uint32_t)index, (uint32_t)(index >> 32)}};
}

static void refill(hf_random *r) {
    philox4x32_ctr_t counter;
    philox4x32_key_t key;
    memcpy(counter.v, r->counter, sizeof r->counter);
    memcpy(key.v, r->key, sizeof r->key);
    const philox4x32_ctr_t block = philox4x32_R(10, counter, key);
    memcpy(r->buffer, block.v, sizeof r->buffer);
    r->counter[0]++;
    r->left = 4;
}

uint32_t hf_random_u32(hf_random *r) {
    if (r->left == 0) {
        refill(r);
    }
    return r->buffer[4 - r->left--];
}

uint64_t hf_random_u64(hf_random *r) {
    const uint64_t high = hf_random_u32(r);
    return high << 32 | hf_random_u32(r);
}

static uint32_t below_u32(hf_random *r, uint32_t bound) {
    uint64_t product = (uint64_t)hf_random_u32(r) * bound;
    if ((uint32_t)product < bound) {
        const uint32_t floor = (uint32_t)-bound % bound;
        while ((uint32_t)product < floor) {
            product = (uint64_t)hf_random_u32(r) * bound;
        }
    }
    return (uint32_t)(product >> 32);
}

uint64_t hf_random_below(hf_random *r, uint64_t bound) {
    __extension__ typedef unsigned __int128 u128;
    if (bound <= UINT32_MAX) {
        return below_u32(r, (uint32_t)bound);
    }
    u128 product = (u128)hf_random_u64(r) * bound;
    if ((uint64_t)product < bound) {
        const uint64_t floor = (uint64_t)-bound % bound;
        while ((uint64_t)product < floor) {
            product = (u128)hf_random_u64(r) * bound;
        }
    }
    return (uint64_t)(product >> 64);
}

/* Floyd: for j = m-f .. m-1 take a random element of [0, j], or j itself if
 * that is taken. The set is kept sorted. */
void hf_random_subset(hf_random *r, uint32_t m, uint32_t f, uint32_t *set) {
    for (uint32_t i = 0; i < f; i++) {
        const uint32_t j = m - f + i;
        const uint32_t pick = j == UINT32_MAX ? hf_random_u32(r) : below_u32(r, j + 1);
        uint32_t lo = 0, hi = i;
        while (lo < hi) {
            const uint32_t mid = (lo + hi) / 2;
            if (set[mid] < pick) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        if (lo < i && set[lo] == pick) {
            set[i] = j; /* larger than all before */
            continue;
        }
        memmove(set + lo + 1, set + lo, (i - lo) * sizeof *set);
        set[lo] = pick;
    }
}

void hf_random_shuffle(hf_random *r, uint32_t *item, uint32_t n) {
    for (uint32_t i = n; i > 1; i--) {
        const uint32_t j = below_u32(r, i), keep = item[i - 1];
        item[i - 1] = item[j];
        item[j] = keep;
    }
}
