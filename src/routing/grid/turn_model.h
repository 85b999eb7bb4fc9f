/** \file
 *  Turn models in n dimensions: directions in two phases, minimal and fully adaptive inside each. */
#ifndef HOLDFAST_SRC_ROUTING_GRID_TURN_MODEL_H
#define HOLDFAST_SRC_ROUTING_GRID_TURN_MODEL_H

#include "src/routing/grid/route.h"

/** Does direction (d, is_plus) belong to the first phase of a grid of n dimensions? */
typedef bool hf_turn_first(uint32_t n, uint32_t d, bool is_plus);

hf_status hf_turn_plan(hf_context *cx, hf_plan *plan, hf_turn_first *is_first);
/** Offer the productive directions of the first phase, and those of the second once there are none. */
extern const hf_likeness hf_turn_likeness;
extern const hf_param hf_turn_params[];
size_t hf_turn_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

/** What the descriptors of these rules share. */
#define HF_TURN_MODEL                                                                                                            \
    .source = "glass1992",                                                                                                       \
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |      \
              HF_ROUTING_BLIND,                                                                                                  \
    .params = hf_turn_params, .route = hf_turn_route, .likeness = &hf_turn_likeness

#endif
