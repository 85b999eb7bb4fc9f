/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies: what a range of fault sets adds up to. All operations commute, so the order of merging does not show. */
#include <string.h>

#include "src/campaign/work.h"

const char *hf_method_name(hf_method method) { return method == HF_METHOD_SAMPLED ? "sampled" : "exhaustive"; }
const char *hf_order_name(hf_order order) { return order == HF_ORDER_RANDOM ? "random" : "component"; }

static unsigned bin_of(uint64_t value) { return value ? 64 - (unsigned)__builtin_clzll(value) : 0; }

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

int hf_tally_compare_sets(const uint32_t *a, const uint32_t *b, uint32_t f) {
    for (uint32_t i = 0; i < f; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Keep the lexicographically lowest not tolerated set. */
static void offer_witness(hf_tally *tally, const uint32_t *set, uint32_t f) {
    if (!tally->has_witness || hf_tally_compare_sets(set, tally->witness, f) < 0) {
        memcpy(tally->witness, set, f * sizeof *set);
        tally->has_witness = true;
    }
}

static hf_u128 capped_sum(hf_u128 a, hf_u128 b) { return a > ~b ? ~(hf_u128)0 : a + b; }

void hf_tally_add(hf_tally *tally, const hf_measure *measure, const uint32_t *set, uint32_t f) {
    tally->sets++;
    tally->lost_paths_sets++;
    tally->victims_sum += measure->victims;
    tally->lost_paths_sum += measure->lost_paths;
    tally->victims_max = larger(tally->victims_max, measure->victims);
    tally->lost_paths_max = larger(tally->lost_paths_max, measure->lost_paths);
    tally->victims_histogram[bin_of(measure->victims)]++;
    tally->outcome[measure->outcome % HF_OUTCOMES]++;
    for (size_t i = 0; i < HF_EXTRAS; i++) {
        const hf_u128 value = measure->extra[i];
        tally->extra_sum[i] += value;
        tally->extra_squares[i] = capped_sum(tally->extra_squares[i], value * value);
        tally->extra_max[i] = larger(tally->extra_max[i], measure->extra[i]);
    }
    if (!measure->tolerated) {
        tally->not_tolerated++;
        offer_witness(tally, set, f);
    }
}

void hf_tally_merge(hf_tally *to, const hf_tally *from, uint32_t f) {
    to->sets += from->sets;
    to->not_tolerated += from->not_tolerated;
    to->victims_sum += from->victims_sum;
    to->lost_paths_sum += from->lost_paths_sum;
    to->lost_paths_sets += from->lost_paths_sets;
    to->victims_max = larger(to->victims_max, from->victims_max);
    to->lost_paths_max = larger(to->lost_paths_max, from->lost_paths_max);
    for (size_t i = 0; i < HF_HISTOGRAM_BINS; i++) {
        to->victims_histogram[i] += from->victims_histogram[i];
    }
    for (size_t i = 0; i < HF_OUTCOMES; i++) {
        to->outcome[i] += from->outcome[i];
    }
    for (size_t i = 0; i < HF_EXTRAS; i++) {
        to->extra_sum[i] += from->extra_sum[i];
        to->extra_squares[i] = capped_sum(to->extra_squares[i], from->extra_squares[i]);
        to->extra_max[i] = larger(to->extra_max[i], from->extra_max[i]);
    }
    if (from->has_witness) {
        offer_witness(to, from->witness, f);
    }
}

void hf_tally_clear(hf_tally *tally) {
    uint32_t *const witness = tally->witness;
    *tally = (hf_tally){.witness = witness};
}
