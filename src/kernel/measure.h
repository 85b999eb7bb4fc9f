/** \file
 *  One point of a simulation. */
#ifndef HOLDFAST_SRC_KERNEL_MEASURE_H
#define HOLDFAST_SRC_KERNEL_MEASURE_H

#include <holdfast/kernel.h>

/** Warm up, then measure batch by batch, at out->load. The kernel and what out->blocked shows live in the arena of `cx`. */
hf_status hf_measure_point(hf_context *cx, const hf_simulation *simulation, hf_point *out);

#endif
