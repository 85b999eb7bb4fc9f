/** \file
 *  The order of terminals that a rule gives, with what it says is alike along it (hf_likeness), held to its contract. */
#ifndef HOLDFAST_TESTS_ORACLE_ORDER_H
#define HOLDFAST_TESTS_ORACLE_ORDER_H

#include "tests/oracle/fixture.h"

/** Places of terminals in the order, in the arena; NULL: the rule gives none. Fails unless each has one place, and those of a
 *  switch stand one behind the other. */
uint32_t *order_places(fixture *fx, const hf_plan *plan);
/** Does the rule say that packets for two destinations, and for all that stand between them, are treated alike here? */
bool order_joins(const hf_plan *plan, const uint32_t *place, uint32_t at, hf_hop in, uint32_t d, uint32_t other);

#endif
