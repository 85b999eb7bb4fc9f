/** \file
 *  What Immunet serves with the safe priority, from closures of the network alone: no trees, no rings, no tables. Memory by
 *  malloc. */
#ifndef HOLDFAST_TESTS_ORACLE_IMMUNET_ORACLE_H
#define HOLDFAST_TESTS_ORACLE_IMMUNET_ORACLE_H

#include <holdfast/fault.h>

/** Is every ordered pair of terminals that a path of healthy channels connects also connected by links both of whose channels
 * are healthy? Terminals do not forward. */
bool immunet_oracle_survives(const hf_fault_set *faults);

#endif
