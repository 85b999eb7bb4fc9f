/** \file
 *  Small k-ary n-trees by table. An up port of a leaf switch opens a plane of the tree, all switches and links that packets
 *  sent up by it may come to; the planes share leaf switches alone. What one excludes depends on the failed channels of that
 *  plane, so where a plane has few components every subset of them is measured once, and a fault set is a subset of each
 *  plane. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_PLANES_H
#define HOLDFAST_SRC_ROUTING_TREE_PLANES_H

#include "src/routing/tree/exclusion.h"

typedef struct hf_tree_planes hf_tree_planes;

enum { HF_TREE_PLANES_SUM = 4 /* components that sum() adds at most */ };

/** Make the tables, empty: what is asked for is measured by an exclusion state of its own.
 *  \param[out] out NULL where planes have too many components, or one component lies in several or is a channel of a terminal;
 *  free with hf_tree_planes_free() \return HF_OK, HF_ENOMEM. Memory: 24 bytes a subset of the components of each plane. */
hf_status hf_tree_planes_new(hf_context *cx, const hf_universe *universe, const hf_tree_registers *registers,
                             hf_tree_planes **out);
void hf_tree_planes_free(hf_tree_planes *planes);
/** As those of the exclusion state. Out of ascending order, in which registers may hold something else, `tree` takes over. */
hf_status hf_tree_planes_push(hf_context *cx, hf_tree_planes *planes, uint32_t component);
void hf_tree_planes_pop(hf_tree_planes *planes);
hf_status hf_tree_planes_read(hf_context *cx, hf_tree_planes *planes, hf_measure *out);
/** As hf_judge_ops.sum. */
hf_status hf_tree_planes_sum(hf_context *cx, hf_tree_planes *planes, uint32_t r, uint64_t lo, uint64_t hi, hf_judge_sum *out);

#endif
