/** \file
 *  What ugal and par share: direct ways on dragonflies and HyperX, ways over an intermediate place, and their virtual
 *  channels. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_MISROUTE_H
#define HOLDFAST_SRC_ROUTING_ANY_MISROUTE_H

#include "src/routing/dragonfly/route.h"
#include "src/routing/grid/route.h"

/** Over what a packet may be sent. */
typedef enum hf_misroute_via { HF_VIA_GROUPS, HF_VIA_SWITCHES } hf_misroute_via;
/** What the virtual channel of a hop counts. */
typedef enum hf_misroute_order {
    HF_ORDER_CLASSES, /**< global channels passed on a dragonfly; on HyperX 0 before the intermediate switch, 1 from there on */
    HF_ORDER_HOPS     /**< channels between switches passed */
} hf_misroute_order;

/** State of a plan. The tag of a packet: 0 goes directly, 1 .. n_via over a place (first 1, then 0), n_via + 1 may still
 * choose. */
typedef struct hf_misroute {
    const hf_topology *topo;
    bool is_dragonfly;
    hf_dragonfly shape;
    hf_grid grid;
    hf_misroute_via via;
    hf_misroute_order order;
    uint32_t n_via, n_vc;
    bool is_progressive; /**< may choose again on the first local channels of a direct way */
} hf_misroute;

/** The parameters: via, order, vcs. */
extern const hf_param hf_misroute_params[];
hf_status hf_misroute_accepts(hf_context *cx, const hf_topology *topo, const hf_args *args);
/** \param[in] is_progressive par, else ugal */
hf_status hf_misroute_plan(hf_context *cx, hf_plan *plan, bool is_progressive);
/** hf_routing.route of both. */
size_t hf_misroute_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);
/** hf_routing.length of both. */
uint32_t hf_misroute_length(const hf_plan *plan, hf_hop hop, uint32_t destination);
/** Claims of both: acyclic where virtual channels count hops and there are enough. */
unsigned hf_misroute_claims(const hf_topology *topo, const hf_args *args);
extern const hf_likeness hf_misroute_likeness;

#endif
