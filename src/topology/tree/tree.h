/** \file
 *  The shape that generalised fat-trees share, k-ary n-trees among them. */
#ifndef HOLDFAST_SRC_TOPOLOGY_TREE_TREE_H
#define HOLDFAST_SRC_TOPOLOGY_TREE_TREE_H

#include "src/topology/topology.h"

/** XGFT(h; m_1, ..., m_h; w_1, ..., w_h) with p_l links side by side; numbers, ports and links are as xgft.c says. */
typedef struct hf_xgft {
    uint32_t h;
    uint64_t m[HF_DIMS_MAX + 2], w[HF_DIMS_MAX + 2], p[HF_DIMS_MAX + 2]; /**< from 1 */
} hf_xgft;

/** The shape of an xgft or of a kary-tree. \return false for any other family, or more levels than an xgft can have */
bool hf_xgft_shape(const hf_topology *topo, hf_xgft *shape);

#endif
