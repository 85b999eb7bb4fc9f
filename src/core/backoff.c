/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Waits between attempts. Source: [brown2002, 4.3]. */
#include <holdfast/core/backoff.h>

#include <stddef.h>

const char *const hf_backoff_names[] = {"constant", "linear", "quadratic", "exponential", "table", "congestion", NULL};
const char *const hf_backoff_formulas[] = {"constant", "linear", "quadratic", "exponential", NULL};
const char *hf_backoff_name(hf_backoff backoff) { return hf_backoff_names[backoff]; }

uint64_t hf_backoff_cycles(hf_backoff backoff, uint32_t constant, uint32_t n) {
    const uint64_t most = UINT64_C(1) << 62, c = constant;
    uint64_t factor = 1;
    if (backoff == HF_BACKOFF_LINEAR) {
        factor = n;
    } else if (backoff == HF_BACKOFF_QUADRATIC) {
        factor = (uint64_t)n * n;
    } else if (backoff == HF_BACKOFF_EXPONENTIAL) {
        factor = n < 62 ? UINT64_C(1) << n : most;
    }
    return c != 0 && factor > most / c ? most : c * factor;
}
