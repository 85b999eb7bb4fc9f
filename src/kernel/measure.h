/** \file
 *  One point of a simulation. */
#ifndef HOLDFAST_SRC_KERNEL_MEASURE_H
#define HOLDFAST_SRC_KERNEL_MEASURE_H

#include <holdfast/kernel.h>

/** Warm up, then measure batch by batch, at out->load. The kernel and what out->blocked shows live in the arena of `cx`. */
hf_status hf_measure_point(hf_context *cx, const hf_simulation *simulation, hf_point *out);
/** Mean and 95% interval of `n` values times `unit`; those that are NaN are left out. */
hf_batch_mean hf_batch_summarize(const double *value, uint32_t n, double unit);

/** Only make the kernel and warm it up. */
hf_status hf_measure_warm(hf_context *cx, const hf_simulation *s, hf_point *out, hf_kernel **k);
/** Mean and half of the 95% interval of the values that are no NaN, times `unit`. */
hf_batch_mean hf_batch_summarize(const double *value, uint32_t n, double unit);

#endif
