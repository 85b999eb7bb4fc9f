/** \file
 *  What the rules on dragonflies share: the direct ways between two groups. */
#ifndef HOLDFAST_SRC_ROUTING_DRAGONFLY_ROUTE_H
#define HOLDFAST_SRC_ROUTING_DRAGONFLY_ROUTE_H

#include "src/routing/ends.h"
#include "src/routing/lanes.h"
#include "src/topology/dragonfly.h"

/** Is it a dragonfly, and the parameter "vcs" right for a rule that takes `most` virtual channels? */
hf_status hf_dragonfly_accepts(hf_context *cx, const hf_topology *topo, const char *rule, const hf_args *args, uint32_t most);
/** The shape of plan->topo in the arena as the plan's state; n_vc from the parameter "vcs", `most` of them. */
hf_status hf_dragonfly_plan(hf_context *cx, hf_plan *plan, uint32_t most, uint32_t max_hops);

/** The hop to another switch of the same group. */
hf_hop hf_dragonfly_local(const hf_topology *topo, const hf_dragonfly *shape, uint32_t at, uint32_t to, hf_hop like);
/** Towards another group: the global links there of `at` itself; if it has none, the hops to the switches that have one.
 *  \param[in] like VC and tag of the hops \return hops written, at most shape->rounds */
size_t hf_dragonfly_to_group(const hf_topology *topo, const hf_dragonfly *shape, uint32_t at, uint32_t group, hf_hop like,
                             hf_hop *hops);
/** VC and tag of the hops of a packet that came by `in`: the VC is the number of global channels that it has passed, or the
 * last. */
hf_hop hf_dragonfly_like(const hf_plan *plan, hf_hop in, uint32_t tag);
/** For hf_likeness.run of packets on a direct way: groups are alike from outside, switches inside. */
uint32_t hf_dragonfly_run(const hf_topology *topo, const hf_dragonfly *shape, uint32_t at, uint32_t destination);
/** The minimal way on from `at`: local, global, local, with tag 0. \return hops written, at most shape->rounds */
size_t hf_dragonfly_direct(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

#endif
