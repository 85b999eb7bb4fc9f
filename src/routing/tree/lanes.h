/** \file
 *  Bit lanes for `updown` on k-ary n-trees with at most 64 leaf switches: many fault sets that share a prefix are judged at
 *  once, one set a bit. Holds which minimal up and down paths every component cuts. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_LANES_H
#define HOLDFAST_SRC_ROUTING_TREE_LANES_H

#include <holdfast/routing.h>

typedef struct hf_tree_lanes hf_tree_lanes;

/** \return HF_OK; HF_ENOTSUP when the tree has more than 64 leaf switches or its tables would need more than 64 MiB; HF_ENOMEM.
 *  Free with hf_tree_lanes_free(). */
hf_status hf_tree_lanes_new(hf_context *cx, const hf_universe *universe, hf_tree_lanes **out);
void hf_tree_lanes_free(hf_tree_lanes *lanes);
hf_status hf_tree_lanes_push(hf_context *cx, hf_tree_lanes *lanes, uint32_t component);
void hf_tree_lanes_pop(hf_tree_lanes *lanes);
/** See hf_judge_ops.count. */
hf_status hf_tree_lanes_count(hf_context *cx, hf_tree_lanes *lanes, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                              uint64_t *first);

#endif
