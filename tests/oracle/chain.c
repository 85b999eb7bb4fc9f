/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The Markov chain of bursts, stepped cycle by cycle. */
#include "tests/oracle/chain.h"

#include <math.h>
#include <stdbool.h>

#include <holdfast/core/random.h>

static bool happens(hf_random *r, double probability) { return (double)(hf_random_u64(r) >> 11) * 0x1p-53 < probability; }

void oracle_chain_gaps(double load, double length, double peak, uint64_t seed, uint64_t *gap, size_t n) {
    const double end = 1 / length, start = end * load / (peak - load);
    hf_random r;
    bool is_on = true;
    hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
    for (size_t i = 0; i < n; i++) {
        gap[i] = 0;
        do {
            is_on = is_on ? !happens(&r, end) : happens(&r, start);
            gap[i]++;
        } while (!is_on || !happens(&r, peak));
    }
}

/* Packets are peak X(t) in the mean; the covariance of X over k cycles is share (1 - share) (1 - start - end)^k. */
double oracle_chain_variance(double load, double length, double peak, uint64_t window) {
    const double share = load / peak, end = 1 / length, keep = 1 - end - end * share / (1 - share);
    double sum = (double)window * load * (1 - load), power = 1;
    for (uint64_t k = 1; k < window; k++) {
        power *= keep;
        sum += 2 * peak * peak * share * (1 - share) * (double)(window - k) * power;
    }
    return sum;
}
