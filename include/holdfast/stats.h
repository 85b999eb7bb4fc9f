/** \file
 *  Intervals for estimated proportions (quantiles from GSL by src/bridge/gsl.c). */
#ifndef HOLDFAST_STATS_H
#define HOLDFAST_STATS_H

#include <stdint.h>

#include <holdfast/big.h>
#include <holdfast/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How an interval came about. */
typedef enum hf_interval_method { HF_INTERVAL_EXACT, HF_INTERVAL_WILSON, HF_INTERVAL_CLOPPER_PEARSON } hf_interval_method;
/** "exact", "wilson", "clopper-pearson". */
const char *hf_interval_method_name(hf_interval_method method);

/** A proportion with its interval. */
typedef struct hf_estimate {
    double value, low, high; /**< fractions in [0, 1]; all equal when exact */
    hf_interval_method method;
} hf_estimate;

/** Two-sided interval for a proportion: count of trials, at `confidence` (0.95). Wilson; Clopper-Pearson when count < 30.
 *  trials >= 1, count <= trials. */
hf_estimate hf_estimate_proportion(uint64_t count, uint64_t trials, double confidence);
/** A mean of n values >= 0 with sum `sum` and sum of squares `squares`, and its two-sided normal interval; low >= 0. n >= 1. */
typedef struct hf_mean_estimate {
    double value, low, high;
} hf_mean_estimate;
hf_mean_estimate hf_estimate_mean(hf_u128 sum, hf_u128 squares, uint64_t n, double confidence);
hf_estimate hf_estimate_wilson(uint64_t count, uint64_t trials, double confidence);
hf_estimate hf_estimate_clopper_pearson(uint64_t count, uint64_t trials, double confidence);

#ifdef __cplusplus
}
#endif
#endif
