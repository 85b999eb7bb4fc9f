/** \file
 *  Explicit paths of a rule with one way for each pair: followed, and chosen anew. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_ROUTES_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_ROUTES_H

#include "src/analysis/deadlock/decide.h"

enum { HF_ROUTE_HOPS = 4096 }; /**< of a path, at most */

/** Follow the first healthy hop offered everywhere. \param[in] hops room for hf_plan_room() \param[out] path HF_ROUTE_HOPS
 * resources \param[out] length 0: the packet does not arrive \param[in,out] is_single false where another hop was offered, too;
 * or NULL */
hf_status hf_route_follow(hf_context *cx, const hf_plan *plan, uint32_t source, uint32_t destination, hf_hop *hops,
                          uint32_t *path, uint32_t *length, bool *is_single);

/** The paths of a plan with what follows what, while some are chosen anew. All in the arena. */
typedef struct hf_rerouting {
    hf_context *cx;
    const hf_plan *plan;
    uint32_t n_resource, n_dependency;
    hf_routes *routes;
    uint32_t *from, *to; /**< n_dependency: resources */
    hf_rows of_route;    /**< dependencies of the way that a route has in the plan */
    hf_rows users;       /**< routes of a dependency */
    double end_s;        /**< time limit */
} hf_rerouting;

/** Which routes to give another way so that those of the others close no cycle, as few as can be found in time.
 *  \param[in,out] is_new by route: some are given another way anyhow \param[out] lower_bound of every such choice */
hf_status hf_rerouting_choose(const hf_rerouting *r, uint32_t *lower_bound);
/** The graph of the dependencies that routes with is_new unset have. */
hf_status hf_rerouting_graph(const hf_rerouting *r, hf_digraph *out);

#endif
