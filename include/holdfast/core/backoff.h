/** \file
 *  How long one waits after an attempt that failed, before the next. */
#ifndef HOLDFAST_BACKOFF_H
#define HOLDFAST_BACKOFF_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Growth of the wait with the number n of attempts, n from 1: C, C n, C n^2, C 2^n [brown2002, 4.3]. */
typedef enum hf_backoff {
    HF_BACKOFF_CONSTANT,
    HF_BACKOFF_LINEAR,
    HF_BACKOFF_QUADRATIC,
    HF_BACKOFF_EXPONENTIAL,
    HF_BACKOFF_TABLE,     /**< of a protocol alone: what its table says */
    HF_BACKOFF_CONGESTION /**< of a protocol alone: linear, and by what its node had to send again of late */
} hf_backoff;
/** "constant", "linear", "quadratic", "exponential". */
const char *hf_backoff_name(hf_backoff backoff);
/** The names of all, in the order of hf_backoff; ends with NULL. */
extern const char *const hf_backoff_names[];
/** Those that are formulas of the attempts, the first of them; ends with NULL. */
extern const char *const hf_backoff_formulas[];
/** Cycles to wait after attempt n >= 1; stays at 2^62 where it would be more. */
uint64_t hf_backoff_cycles(hf_backoff backoff, uint32_t constant, uint32_t n);

#ifdef __cplusplus
}
#endif
#endif
