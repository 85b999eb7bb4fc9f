/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Universal globally adaptive load-balanced routing: the first switch sends a packet directly or over another place, for good.
 *  The relation leaves open which; in the kernel queue lengths decide, times the channels that are left (`--selection ugal`).
 *  Over groups the global channels passed order three virtual channels; over any switch two local channels of one group can
 *  follow each other, and these close cycles: hops have to be counted. Source: [kim2008]; on HyperX [ahn2009]. */
#include "src/routing/any/misroute.h"

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_misroute_plan(cx, plan, false); }

const hf_routing hf_routing_ugal = {
    .name = "ugal",
    .summary = "directly or over another group or switch, chosen at the first switch, on dragonflies and HyperX",
    .source = "kim2008; ahn2009",
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
