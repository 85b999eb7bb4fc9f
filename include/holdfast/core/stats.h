/** \file
 *  Intervals for estimated proportions (quantiles from GSL by src/bridge/gsl.c). */
#ifndef HOLDFAST_STATS_H
#define HOLDFAST_STATS_H

#include <stdint.h>

#include <holdfast/core/big.h>
#include <holdfast/core/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How an interval came about. */
typedef enum hf_interval_method {
    HF_INTERVAL_EXACT,
    HF_INTERVAL_WILSON,
    HF_INTERVAL_CLOPPER_PEARSON,
    HF_INTERVAL_BERNSTEIN,      /**< empirical Bernstein and Hoeffding, for means of values in a known range */
    HF_INTERVAL_BERNSTEIN_SEEN, /**< the same with the largest value seen in the place of the range, which is not known */
    HF_INTERVAL_BATCHES,        /**< Student's t over means of batches of one run; see docs/kernel.md, "Steadiness" */
    HF_INTERVAL_RUNS,           /**< Student's t over runs that know nothing of each other */
    HF_INTERVAL_PART,           /**< exact, but of a part of all sets */
    HF_INTERVAL_KORN_GRAUBARD   /**< Clopper-Pearson for as many plain samples as a stratified one is worth */
} hf_interval_method;
/** "exact", "wilson", "clopper-pearson", "bernstein-hoeffding", "bernstein-hoeffding-range-seen", "batch-means", "student-t",
 *  "exact-of-a-part", "korn-graubard". */
const char *hf_interval_method_name(hf_interval_method method);

/** A proportion with its interval. */
typedef struct hf_estimate {
    double value, low, high; /**< fractions in [0, 1]; all equal when exact */
    hf_interval_method method;
} hf_estimate;

/** Two-sided interval for a proportion: count of trials, at `confidence` (0.95). Wilson; Clopper-Pearson where fewer than 30 are,
 *  or are not. trials >= 1, count <= trials. */
hf_estimate hf_estimate_proportion(uint64_t count, uint64_t trials, double confidence);
/** The same where trials are independent but not alike, as in a stratified sample: of the mean of their probabilities, which the
 *  count is on average. Clopper-Pearson's interval, at most as wide as that of as many trials that are alike, and of
 *  trials plain / variance of them: Korn and Graubard. Where fewer than 30 are, or are not, of `trials` itself: that it holds
 *  then, too, for 95% and what is above, follows from Hoeffding. \param[in] variance sum of p (1 - p) over all trials, as far as
 *  it is known; less than 1 counts as 1
 *  Source: Korn and Graubard, Survey Methodology 24(2), 1998; Hoeffding, Annals of Mathematical Statistics 27(3), 1956,
 * theorem 4. */
hf_estimate hf_estimate_unlike(uint64_t count, uint64_t trials, double variance, double confidence);
/** A mean with its two-sided interval. */
typedef struct hf_mean_estimate {
    double value, low, high;
    hf_interval_method method;
} hf_mean_estimate;
/** What is known of n values >= 0 by their sums. */
typedef struct hf_sample {
    uint64_t n;
    double sum, squares; /**< of the values, and of their squares or more; INFINITY: not known */
    double largest;      /**< seen */
    double most;         /**< no value can be larger; INFINITY: nothing bounds them */
} hf_sample;
/** Mean of independent values in [0, most], at `confidence`, whatever their distribution: what the empirical Bernstein
 *  inequality and that of Hoeffding and Chernoff leave, each at half of the risk; exact where the values are 0 or 1. Where
 *  `most` is infinite the largest value seen, at least 1, stands for it: wide where the sample says little, but nothing is
 *  proved. Without values the interval is the whole range. Source: Maurer and Pontil, Empirical Bernstein bounds and sample
 *  variance penalization, COLT 2009, theorem 4; Hoeffding, JASA 1963, theorem 1. */
hf_mean_estimate hf_estimate_mean(const hf_sample *sample, double confidence);
hf_estimate hf_estimate_wilson(uint64_t count, uint64_t trials, double confidence);
hf_estimate hf_estimate_clopper_pearson(uint64_t count, uint64_t trials, double confidence);

#ifdef __cplusplus
}
#endif
#endif
