/** \file
 *  The distributed formation of f-rings, and the message that finds out their shape. Source: [chalasani1996, 2.3]. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_FORMATION_H
#define HOLDFAST_SRC_ROUTING_SOLID_FORMATION_H

#include "src/routing/solid/regions.h"

/** What it takes. Step 1 is one exchange between neighbours: who has a faulty link of one dimension of a plane tells its
 * neighbours in the other. Step 2 is table 1, without messages. */
typedef struct hf_solid_formation {
    uint64_t messages;       /**< of step 1: a fact to a neighbour each */
    uint64_t shape_messages; /**< links that the shape-finding messages cross; one goes round each ring, or along each f-chain */
    uint32_t shape_steps;    /**< links that the longest of them crosses; all go at once */
    uint32_t n_ring;         /**< such messages */
    bool finds_solid;        /**< none of them crosses the line between two rows, or columns, more than twice */
} hf_solid_formation;

/** \param[in] s after hf_solid_find_regions() \param[out] out counts over all planes. Time O(planes nodes), scratch the same */
hf_status hf_solid_form(hf_context *cx, const hf_solid *s, hf_solid_formation *out);

#endif
