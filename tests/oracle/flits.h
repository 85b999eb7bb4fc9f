/** \file
 *  Explicit search over the flits of wormhole switching, one flit a buffer, from the empty network: which deadlocks can really
 *  come about? For deterministic relations without tags on one virtual channel, in tiny networks. */
#ifndef HOLDFAST_TESTS_ORACLE_FLITS_H
#define HOLDFAST_TESTS_ORACLE_FLITS_H

#include <holdfast/analysis/deadlock.h>

typedef enum flits_answer { FLITS_FREE, FLITS_DEADLOCK, FLITS_TOO_MANY } flits_answer;

/** In lockstep a packet goes on as soon as its next channel is free: when that was empty at the start of the step, or also when
 * the last flit leaves it in this step. With pauses a packet that could go on may also stay for a step, for whatever reason. */
typedef enum flits_timing { FLITS_NEXT_STEP, FLITS_SAME_STEP, FLITS_MAY_PAUSE } flits_timing;

/** Packets of any length are sent at any time from every terminal to every other. Of several that want a channel any one gets it.
 * \param[out] states looked at */
flits_answer flits_search(const hf_plan *plan, flits_timing timing, size_t limit, size_t *states);

#endif
