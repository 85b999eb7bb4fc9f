/** \file
 *  Deterministic rules on k-ary n-trees that know no faults: up by a digit, then down; the two ends of a way. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_ROUTE_H
#define HOLDFAST_SRC_ROUTING_TREE_ROUTE_H

#include "src/routing/tree/plan.h"

/** The hop from a terminal into the tree, or from a switch down to a destination below it. */
static inline hf_hop hf_tree_hop_in(const hf_tree *tree, uint32_t terminal) {
    return (hf_hop){hf_tree_injection(tree, terminal), 0, 0};
}
static inline hf_hop hf_tree_hop_down(const hf_tree *tree, uint32_t sw, uint32_t destination) {
    return (hf_hop){hf_tree_down_channel(tree, sw, hf_tree_down_port(tree, hf_tree_stage(tree, sw), destination)), 0, 0};
}
static inline hf_hop hf_tree_hop_up(const hf_tree *tree, uint32_t sw, uint32_t j) {
    return (hf_hop){hf_tree_up_channel(tree, sw, j), 0, 0};
}
/** Did the packet come up over this channel? */
static inline bool hf_tree_came_up(const hf_tree *tree, hf_hop in) { return in.channel < tree->n_link; }
/** A plan whose state is the hf_tree alone, of a rule with the parameter vcs that offers one channel. */
hf_status hf_tree_plan_plain(hf_context *cx, hf_plan *plan);

#endif
