/** \file
 *  Ways of a relation with one way a pair: the graph of a destination is a tree, an edge takes the sources behind it, and these
 *  are neighbours in an order of the tree. So the lost ways of any set of components are the union of intervals, which nothing
 *  has to be kept for from one set to the next. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAY_TREES_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAY_TREES_H

#include "src/analysis/tolerance/ways.h"

/** Is there at most one way a pair? */
bool hf_way_trees_fit(const hf_way_graphs *ways);
/** \param[out] span one for each item of ways->edge_of; in the arena of cx. Time and memory O(vertices + edges) */
hf_status hf_way_trees_make(hf_context *cx, const hf_way_graphs *ways, hf_way_span **span);

/** Scratch of a judge. */
typedef struct hf_way_union hf_way_union;
hf_status hf_way_union_new(hf_context *cx, const hf_way_graphs *ways, hf_way_union **out);
void hf_way_union_free(hf_way_union *u);
/** Ways that need some of the components. Time O(edges of the components), and the square of those of one destination
 *  \return HF_ENOMEM */
hf_status hf_way_union_lost(hf_context *cx, hf_way_union *u, const uint32_t *component, uint32_t n, uint64_t *lost);

#endif
