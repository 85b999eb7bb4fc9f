/** \file
 *  Explicit search over configurations of packets of several classes in a small network with one buffer for each (channel,
 *  virtual channel), the last channels too: a packet that has arrived leaves its buffer when its answer has got one. The slow,
 *  obvious twin of the dependencies of classes. */
#ifndef HOLDFAST_TESTS_ORACLE_CONSUMERS_H
#define HOLDFAST_TESTS_ORACLE_CONSUMERS_H

#include "tests/oracle/packets.h"

/** From the empty network: inject packets of classes that are no answers wherever there is a flow, move, consume, answer, in
 *  every order; is a configuration reached in which some packets can never move again? Gives up after `limit` configurations.
 *  \param[in] plan one with classes whose hops carry no tags */
packets_answer consumers_search(const hf_plan *plan, size_t limit);
/** Is `b` where the relation of its class brings it in an empty network, and is all that it, or its answer, may take what it is
 *  said to wait for? */
bool consumers_is_blocked(const hf_plan *plan, const hf_blocked *b);

#endif
