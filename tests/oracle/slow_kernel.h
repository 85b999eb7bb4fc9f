/** \file
 *  The kernel of docs/kernel.md once more, slow and obvious: every flit is a thing in a list, every free place is counted anew,
 *  all lanes are looked at in every cycle, and round-robin walks from the pointer on. For networks with buffers and no faults,
 *  and headers that choose always; no selection of trees, no escape, and a routing unit for each buffer. */
#ifndef HOLDFAST_TESTS_ORACLE_SLOW_KERNEL_H
#define HOLDFAST_TESTS_ORACLE_SLOW_KERNEL_H

#include <holdfast/kernel.h>

typedef struct slow_kernel slow_kernel;

/** \param[in] messages each at most a packet; borrowed, as is the plan \param[in] seed of what is drawn */
slow_kernel *slow_kernel_new(const hf_plan *plan, const hf_kernel_options *options, const hf_messages *messages, uint64_t seed);
void slow_kernel_free(slow_kernel *k);
/** One cycle. */
void slow_kernel_step(slow_kernel *k);
/** Cycle, injected, delivered, delivered_flits, reordered, flit_hops and the sums and maxima of latencies; the rest is 0. */
hf_kernel_counts slow_kernel_read(const slow_kernel *k);

#endif
