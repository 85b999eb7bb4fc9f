/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fault sets of a campaign, one by one. */
#include <holdfast/campaign.h>
#include <holdfast/core/combination.h>

hf_sets hf_sets_of(uint32_t m, uint32_t f, uint64_t samples, uint64_t seed) {
    uint64_t all;
    const bool is_all = hf_binomial(m, f, &all) && all <= samples;
    return (hf_sets){.m = m, .f = f, .seed = seed, .is_all = is_all, .n = is_all ? all : samples};
}

void hf_sets_get(const hf_sets *sets, uint64_t i, uint32_t *set) {
    if (sets->is_all) {
        hf_lex_unrank(sets->m, sets->f, i, set);
    } else {
        hf_fault_sample(sets->seed, sets->m, sets->f, i, set);
    }
}
