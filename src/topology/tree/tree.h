/** \file
 *  The shape that generalised fat-trees share, k-ary n-trees among them. */
#ifndef HOLDFAST_SRC_TOPOLOGY_TREE_TREE_H
#define HOLDFAST_SRC_TOPOLOGY_TREE_TREE_H

#include "src/topology/topology.h"

enum { HF_TREE_LEVELS_MAX = 32 };

/** XGFT(h; m_1, ..., m_h; w_1, ..., w_h) with p_l links side by side; numbers, ports and links are as xgft.c says. */
typedef struct hf_xgft {
    uint32_t h;
    uint64_t m[HF_TREE_LEVELS_MAX + 2], w[HF_TREE_LEVELS_MAX + 2], p[HF_TREE_LEVELS_MAX + 2]; /**< from 1 */
} hf_xgft;

/** What families whose networks are such trees share; what only figures need is read from the topology. \param[in] rate NULL, or
 *  h entries: rate[l] of the links between levels l and l + 1, Mbit/s */
hf_status hf_xgft_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, const hf_xgft *shape,
                        const uint32_t *rate, hf_topology **out);
hf_position hf_xgft_place(const hf_topology *topo, uint32_t node);
uint32_t hf_xgft_diameter(const hf_topology *topo);
double hf_xgft_mean_distance(const hf_topology *topo);

/** The shape of an xgft, a clos or a kary-tree, see hf_topology_kind.tree. \return false for any other family */
bool hf_xgft_shape(const hf_topology *topo, hf_xgft *shape);

#endif
