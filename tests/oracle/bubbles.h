/** \file
 *  Explicit search over configurations of packets where some channels keep bubbles on rings and others do not: the slow, obvious
 *  twin of the fixpoint with rings. A virtual channel of a ring is a queue of two packets, any other holds one. */
#ifndef HOLDFAST_TESTS_ORACLE_BUBBLES_H
#define HOLDFAST_TESTS_ORACLE_BUBBLES_H

#include "tests/oracle/packets.h"

/** As packets_search(). \param[in] ring by resource, HF_NONE: on none \param[in] plain n_channel bits: channels that keep no
 *  bubbles: a packet comes onto a ring over them where one fits, over others where two do */
packets_answer bubbles_search(const hf_plan *plan, const uint32_t *ring, const uint64_t *plain, size_t limit);

#endif
