/** \file
 *  Cross sections that regions on the boundary of a mesh of three or more dimensions part. A message of DIM_i, but of the last
 *  dimension, stays in its cross section of type A_i until it is as far in DIM_i as its goal, which may lie in another one: so
 *  each part of a cross section has to have a node in service as far as that, whatever the goal. One of the last dimension has
 *  its goal in its own line, so the nodes of a line have to be in one part. With two dimensions that is to be connected. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_SECTIONS_H
#define HOLDFAST_SRC_ROUTING_SOLID_SECTIONS_H

#include "src/routing/solid/regions.h"

/** How a message of DIM_0 leaves a part of its cross section: straight along one dimension, the lowest that leads to where it
 * need not, by a way in + direction (1), in - direction (2), or either; 0: it need not, or cannot. */
typedef struct hf_solid_exit {
    uint8_t dim, ways;
} hf_solid_exit;

/** Are cross sections parted so that some message cannot be routed? \param[in] s of a set that is connected and covered else
 *  \param[in] sidesteps messages of DIM_0 may leave theirs  \param[out] exits NULL: nobody has to; else at switch * size of DIM_0
 *  + digit of the goal, in the arena  \return time O(dimensions nodes size of a dimension) */
hf_status hf_solid_part(hf_context *cx, const hf_solid *s, bool sidesteps, hf_solid_exit **exits, bool *is_parted);

#endif
