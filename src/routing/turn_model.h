/** \file
 *  Turn models in n dimensions: directions in two phases, minimal and fully adaptive inside each. */
#ifndef HOLDFAST_SRC_ROUTING_TURN_MODEL_H
#define HOLDFAST_SRC_ROUTING_TURN_MODEL_H

#include "src/routing/grid_route.h"

hf_status hf_turn_plan(hf_context *cx, hf_plan *plan);
/** Offer the productive directions of the first phase, and those of the second once there are none.
 *  \param[in] is_first does direction (d, is_plus) belong to the first phase of a grid of n dimensions? */
size_t hf_turn_route(const hf_plan *plan, uint32_t at, uint32_t destination,
                     bool (*is_first)(uint32_t n, uint32_t d, bool is_plus), hf_hop *hops);

#define HF_TURN_MODEL_TRAITS                                                                                                     \
    (HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC)

#endif
