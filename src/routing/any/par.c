/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Progressive adaptive routing: as ugal, but a packet that goes directly may choose again until it leaves the group of its
 *  source, on HyperX at every switch of its way. On a dragonfly over any switch the longest way has seven channels between
 *  switches, and so many virtual channels it takes. Source: [jiang2009]. */
#include "src/routing/any/misroute.h"

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_misroute_plan(cx, plan, true); }

const hf_routing hf_routing_par = {
    .name = "par",
    .summary = "as ugal, but who goes directly may choose again while in the first group, on dragonflies and HyperX",
    .source = "jiang2009",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_COMMITS | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_BLIND |
              HF_ROUTING_UNEVEN,
    .params = hf_misroute_params,
    .claims = hf_misroute_claims,
    .accepts = hf_misroute_accepts,
    .plan = make,
    .route = hf_misroute_route,
    .length = hf_misroute_length,
    .likeness = &hf_misroute_likeness,
};
