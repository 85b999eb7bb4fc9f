/** \file
 *  What each switch of a k-ary n-tree has lost under faults: the units (leaf switches) that no healthy minimal path leads to from
 *  there, exact and sparse. First, from the leaves up, those below it whose only way down is broken; then, from the last stage
 *  down, those that all its up ports have lost. What a switch has lost is what [gomez2010, 3.2.2] propagates. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_LOST_H
#define HOLDFAST_SRC_ROUTING_TREE_LOST_H

#include "src/routing/tree/plan.h"

/** \param[out] lost per switch: spans of units; in the arena of cx */
hf_status hf_tree_find_lost(hf_context *cx, const hf_plan *plan, const hf_tree *tree, hf_interval_list **lost);

#endif
