/** \file
 *  What families share whose switches stand in stages of equally many, numbered stage by stage. */
#ifndef HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_STAGES_H
#define HOLDFAST_SRC_TOPOLOGY_MULTISTAGE_STAGES_H

#include "src/topology/topology.h"

/** k^e, which must fit. */
uint32_t hf_power(uint32_t k, uint32_t e);
/** k^e for k >= 2; UINT64_MAX if it does not fit. */
uint64_t hf_power64(uint64_t k, uint64_t e);
/** Add the attribute "stage" of stages of `width` switches; a link has that of the switch where its forward channel starts. */
hf_status hf_stages_mark(hf_context *cx, hf_topology *topo, uint32_t width, const char *help);
/** Place of a node where each switch has k terminals, or k lines, below it: terminals side by side in the bottom row, the stages
 *  above them. */
hf_position hf_stages_place(const hf_topology *topo, uint32_t k, uint32_t node);
/** Mean distance of k^n terminals where a way goes up to the first stage that leads to both ends and turns round there: of each
 *  terminal, (k-1) k^t others are reached by way of stage t, over 2 (t+1) channels. */
double hf_stages_mean_turning(uint32_t k, uint32_t n);

#endif
