/** \file
 *  Control packets of FT2EI after a fault. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_EFFORT_H
#define HOLDFAST_SRC_ROUTING_TREE_EFFORT_H

#include <holdfast/routing.h>

/** hf_routing.efforts and effort */
extern const hf_effort hf_tree_efforts[];
hf_status hf_tree_effort(hf_context *cx, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value);

#endif
