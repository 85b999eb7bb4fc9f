/** \file
 *  One point of a simulation. */
#ifndef HOLDFAST_SRC_KERNEL_MEASURE_H
#define HOLDFAST_SRC_KERNEL_MEASURE_H

#include <holdfast/kernel.h>

/** Warm up, then measure window by window, at out->load. The kernel and what out->blocked shows live in the arena of `cx`. */
hf_status hf_measure_point(hf_context *cx, const hf_simulation *simulation, hf_point *out);
/** Windows that a batch needs to be long against a latency: four latencies, or in a run too short for twenty of those a
 *  twentieth of its `n` windows that is two latencies at least; `n` if that is all there are, or more. */
uint32_t hf_measure_windows(double latency, double window, uint32_t n);

/** Only make the kernel and warm it up. */
hf_status hf_measure_warm(hf_context *cx, const hf_simulation *s, hf_point *out, hf_kernel **k);
/** What came about in a window since `last`, which lies `begin` to `end`. */
hf_kernel_window hf_measure_window(const hf_kernel *k, const hf_kernel_counts *last, uint64_t begin, uint64_t end);
/** Mean and half of the 95% interval of independent values, such as tasks, that are no NaN, times `unit`. */
hf_batch_mean hf_batch_summarize(const double *value, uint32_t n, double unit);

#endif
