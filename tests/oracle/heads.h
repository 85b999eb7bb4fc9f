/** \file
 *  Networks of which the kernel moves heads alone, slowly: every packet remembers each channel that it took and when, and
 *  whether a channel is free is asked of all packets there have been. The plan is asked by route(), in every cycle. Same rules
 *  as in src/kernel/heads.c, so that every packet has the same fate in the same cycle. */
#ifndef HOLDFAST_TESTS_ORACLE_HEADS_H
#define HOLDFAST_TESTS_ORACLE_HEADS_H

#include <holdfast/kernel.h>

typedef struct oracle_heads oracle_heads;

typedef enum oracle_fate { ORACLE_UNDER_WAY, ORACLE_THERE, ORACLE_LOST, ORACLE_REFUSED } oracle_fate;

/** \param[in] options contention LOSE or STORE. \return free with oracle_heads_free() */
oracle_heads *oracle_heads_new(const hf_plan *plan, const hf_kernel_options *options);
void oracle_heads_free(oracle_heads *o);
/** Has the last packet of the terminal left it? */
bool oracle_heads_is_idle(const oracle_heads *o, uint32_t terminal);
/** A packet for an idle terminal in this cycle; they are numbered from 0. */
void oracle_heads_send(oracle_heads *o, uint32_t terminal, uint32_t destination, uint32_t length);
/** The rest of this cycle. Time O(heads * packets sent). */
void oracle_heads_step(oracle_heads *o);
/** What became of a packet, and in which cycle. */
oracle_fate oracle_heads_fate(const oracle_heads *o, uint32_t packet, uint64_t *cycle);
/** Flits times channels, those promised to channels that are taken among them. */
uint64_t oracle_heads_flit_hops(const oracle_heads *o);

#endif
