/** \file
 *  Making a fault set valid by taking nodes out of service, in meshes. Source: [chalasani1996, appendix A], which has two
 * dimensions. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_SACRIFICE_H
#define HOLDFAST_SRC_ROUTING_SOLID_SACRIFICE_H

#include "src/routing/solid/regions.h"

/** Run the distributed procedures in the order pendant nodes, boundaries, fault-marker messages, overlapping rings, until none
 * marks a node. A fault of a corner node alone disables its row; a disabled row or column leaves the mesh. With more dimensions
 * the procedures run in all planes, and what is disabled is all that lies at one end of a dimension. The rule for overlapping
 * rings looks at links of a node and its neighbours only, and misses stacked parallel faults. \param[in] is_completed then mend
 * what these rules leave: both ends of a link of two rings, and nodes between faulty links of one region, are disabled, until the
 * set is valid \param[out] rounds in which some node was disabled  \param[out] messages of markers, one for every link that one
 * crosses */
hf_status hf_solid_sacrifice_all(hf_context *cx, hf_solid *s, bool is_completed, uint32_t *rounds, uint64_t *messages);

#endif
