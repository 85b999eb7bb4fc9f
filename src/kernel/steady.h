/** \file
 *  What a series of windows says: a mean, an interval that knows that windows hang together, and whether the series is steady. */
#ifndef HOLDFAST_SRC_KERNEL_STEADY_H
#define HOLDFAST_SRC_KERNEL_STEADY_H

#include <holdfast/kernel.h>

/** A figure window by window. */
typedef struct hf_series {
    const double *sum;   /**< n */
    const double *count; /**< n: what the sum goes over, such as packets; NULL: the sums are the figure */
    uint32_t n;
} hf_series;

/** Batches that an interval needs: fewer do not show whether they hang together. */
enum { HF_STEADY_BATCHES = 20 };

/** Mean of a series: all sums over all counts. Windows are joined to batches, at first of `least` windows, then of more and
 *  more until von Neumann's ratio no longer tells the batches from independent ones; what is left of correlation widens the
 *  interval. `steady` is the least of the probabilities that a series without trend gives such batches, times the number of
 *  tests; 0 where fewer than HF_STEADY_BATCHES batches are left. \param[out] out half NaN where fewer than two windows count
 *  anything \return HF_ENOMEM Time O(n log n). Source: [fishman1978], [tafazzoli2011]; trends: see steady.c */
hf_status hf_series_mean(hf_context *cx, hf_series series, uint32_t least, hf_batch_mean *out);
/** How far an interval goes from its middle. */
typedef struct hf_sides {
    double down, up;
} hf_sides;
/** Two figures that were taken in the same windows: the 95% interval of the mean of `a` less `r` times that of `b`, from what
 * each window does to that difference. What it does to both alike is no part of it. Batches as of hf_series_mean(); where they
 * are skewed, as differences are that come of rare events, the interval goes further to that side. \param[in] b n as `a`
 *  \param[out] out NaN where fewer than two windows of one of them count anything \return HF_ENOMEM Source: common random numbers
 *  [law2015, 11.2]; skewness [willink2005], as in [tafazzoli2011] */
hf_status hf_series_apart(hf_context *cx, hf_series a, hf_series b, double r, uint32_t least, hf_sides *out);
/** A state that has to hold still besides: `out->steady` becomes twice the lesser of the two, as they share a level. */
hf_status hf_series_hold(hf_context *cx, hf_series state, uint32_t least, hf_batch_mean *out);

#endif
