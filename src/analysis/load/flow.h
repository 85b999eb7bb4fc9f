/** \file
 *  Flows of a pattern through the relation of a plan, with a split that is fixed beforehand. */
#ifndef HOLDFAST_SRC_ANALYSIS_LOAD_FLOW_H
#define HOLDFAST_SRC_ANALYSIS_LOAD_FLOW_H

#include <holdfast/analysis/load.h>

#include "src/analysis/paths/walk.h"

/** The flow towards one destination. Arrays of the walk's states live in the arena and grow with it. */
typedef struct hf_flow {
    const hf_plan *plan;
    hf_split split;
    hf_walk walk;
    uint64_t scale;    /**< flows are whole multiples of 1 / (denominator * scale) */
    bool is_exact;     /**< false: the denominators have outgrown 64 bits, only amounts count */
    uint64_t *part;    /**< by state, exact */
    double *amount;    /**< by state, in weights */
    uint32_t *pending; /**< by state: hops into it that are still to come */
    uint32_t *order;   /**< the states that the flow reaches, in the order of the flow */
    uint32_t n_order;
    uint32_t room;
} hf_flow;

/** \param[in] plan borrowed */
hf_status hf_flow_init(hf_context *cx, const hf_plan *plan, hf_split split, hf_flow *flow);
/** Explore the relation towards `destination` and put the states that sources with weight reach in the order of the flow.
 *  \param[in] weight of the sources \return HF_ENOTSUP if a packet can go round */
hf_status hf_flow_start(hf_context *cx, hf_flow *flow, uint32_t destination, const uint64_t *weight);
/** Edges of a state that carry flow: all of them, or the first. */
static inline uint32_t hf_flow_used(const hf_flow *flow, uint32_t state) {
    const uint32_t n = flow->walk.edge_begin[state + 1] - flow->walk.edge_begin[state];
    return flow->split == HF_SPLIT_FIRST && n > 1 ? 1 : n;
}
/** Let the weights flow. \param[in] weight of the sources. Where a part is not whole, the scale grows: *grown says by which
 *  factor, 1 if it did not. */
void hf_flow_run(hf_flow *flow, const uint64_t *weight, uint64_t *grown);

#endif
