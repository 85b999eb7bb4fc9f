/** \file
 *  Solid faults of a 2D mesh or torus, slow and obvious, from the words of the paper: links as pairs of nodes, rules 1 to 3 of
 * adjacency as they stand, rings as sets of links. For meshes of at most 8x8 nodes. */
#ifndef HOLDFAST_TESTS_ORACLE_SOLID_ORACLE_H
#define HOLDFAST_TESTS_ORACLE_SOLID_ORACLE_H

#include <holdfast/fault.h>

/** Is the set valid: after the pendant closure every connected set of faults is solid and does not go round a torus, none touches
 *  the boundary (but where f-chains are taken), and no two f-rings share a link (but where overlaps are)? */
bool solid_oracle_is_valid(const hf_fault_set *faults, bool takes_chains, bool takes_overlaps);

#endif
