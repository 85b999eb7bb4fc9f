/** \file
 *  Networks without buffers, slowly: a plain list of what is noted, searched from its beginning for what happens next, and every
 *  header that waits asks the plan anew in every cycle. Without faults to come. Same rules and random numbers as the kernel's
 *  (docs/kernel.md), so that all counts agree after every cycle. */
#ifndef HOLDFAST_TESTS_ORACLE_CIRCUITS_H
#define HOLDFAST_TESTS_ORACLE_CIRCUITS_H

#include <holdfast/kernel.h>

typedef struct oracle_circuits oracle_circuits;

typedef struct oracle_circuit_counts {
    uint64_t injected, delivered, refused, retries, flit_hops, lost;
    uint64_t forwarded; /**< legs that ended at another terminal */
    uint64_t looks;     /**< of headers at their sources, in vain */
} oracle_circuit_counts;

/** \param[in] options contention DROP or CIRCUIT. \return free with oracle_circuits_free() */
oracle_circuits *oracle_circuits_new(const hf_plan *plan, const hf_kernel_options *options);
void oracle_circuits_free(oracle_circuits *o);
/** Has the packet at the head of the terminal's queue left? */
bool oracle_circuits_is_idle(const oracle_circuits *o, uint32_t terminal);
/** A packet for an idle terminal, before the step of this cycle. */
void oracle_circuits_send(oracle_circuits *o, uint32_t terminal, uint32_t destination);
/** One cycle. Time O(packets on their way ^ 2). */
void oracle_circuits_step(oracle_circuits *o);
const oracle_circuit_counts *oracle_circuits_read(const oracle_circuits *o);

#endif
