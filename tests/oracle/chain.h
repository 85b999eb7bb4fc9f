/** \file
 *  The Markov chain of bursts, stepped cycle by cycle. */
#ifndef HOLDFAST_TESTS_ORACLE_CHAIN_H
#define HOLDFAST_TESTS_ORACLE_CHAIN_H

#include <stddef.h>
#include <stdint.h>

/** Cycles between the packets of a terminal, `n` of them, from a cycle with a packet on. `peak` is packets per cycle in a burst
 * of `length` cycles in the mean, `load` packets per cycle over all. */
void oracle_chain_gaps(double load, double length, double peak, uint64_t seed, uint64_t *gap, size_t n);
/** Variance of the packets in `window` cycles, in closed form. */
double oracle_chain_variance(double load, double length, double peak, uint64_t window);

#endif
