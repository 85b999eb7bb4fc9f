/** \file
 *  Explicit search over the flits of wormhole switching, one flit a buffer, from the empty network: which deadlocks can really
 * come about? For deterministic relations without tags on one virtual channel, in tiny networks. */
#ifndef HOLDFAST_TESTS_ORACLE_FLITS_H
#define HOLDFAST_TESTS_ORACLE_FLITS_H

#include <holdfast/deadlock.h>

typedef enum flits_answer { FLITS_FREE, FLITS_DEADLOCK, FLITS_TOO_MANY } flits_answer;

/** Packets of any length are sent at any time from every terminal to every other. In each step a packet whose next channel is
 * free goes on by one channel, its flits following; of several that want a channel any one gets it. \param[in] may_pause a packet
 * that could go on may also stay for a step, for whatever reason; otherwise nothing waits but for a channel \param[out] states
 * looked at */
flits_answer flits_search(const hf_plan *plan, bool may_pause, size_t limit, size_t *states);

#endif
