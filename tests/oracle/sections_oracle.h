/** \file
 *  Ways round solid faults in a mesh of three or more dimensions, slow and obvious: for every pair, floods over healthy links.
 * For meshes of at most 128 nodes. */
#ifndef HOLDFAST_TESTS_ORACLE_SECTIONS_ORACLE_H
#define HOLDFAST_TESTS_ORACLE_SECTIONS_ORACLE_H

#include <holdfast/fault.h>

/** After the pendant closure: has every pair of nodes in service a healthy way in the terms of the rule? In the plane of
 *  dimensions 0 and 1 to where the goal is in dimension 0, in that of 1 and 2 to where it is in dimension 1, and so on, in that
 * of the last and 0 to the goal. \param[in] sidesteps a way may begin straight along a dimension above 1, if there is none else
 */
bool sections_oracle_serves(const hf_fault_set *faults, bool sidesteps);

#endif
