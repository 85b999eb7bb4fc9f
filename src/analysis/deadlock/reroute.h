/** \file
 *  Ways that close no cycle of dependencies beside those that are laid. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_REROUTE_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_REROUTE_H

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/routes.h"

/** A resource that a way has come to. */
typedef struct hf_route_bud {
    uint64_t cost;
    uint32_t resource;
} hf_route_bud;

/** Routes on their way to others. All in the arena. */
typedef struct hf_rerouter {
    hf_rerouting r;
    uint32_t words;
    uint64_t *reach;  /**< by resource: which can be reached along dependencies */
    uint32_t *load;   /**< by channel: routes */
    uint32_t busiest; /**< of channels between switches */
    hf_route *old;    /**< the ways of the plan */
    bool balances;    /**< all have a way; now it is about load */
    bool *is_cut_off; /**< by route: nothing healthy leads there */
    uint64_t *cost;   /**< of a search, by resource */
    uint32_t *before;
    hf_route_bud *heap;
    size_t n_heap, heap_room;
    uint32_t *rank; /**< by switch, its place from a root of up and down ways; NULL: none */
} hf_rerouter;

/** Lay all dependencies of a graph without a cycle, and nothing else: what is reached from where. Time O(edges * resources / 64)
 */
hf_status hf_reroute_lay(hf_rerouter *m, const hf_digraph *g);
/** Could a way be laid without closing a cycle? */
bool hf_reroute_fits(const hf_rerouter *m, const hf_route *route);
static inline bool hf_reroute_is_healthy(const hf_rerouter *m, uint32_t channel) {
    return !hf_bit_test(m->r.plan->faults->channel_set, channel);
}
/** Count routes over channels. */
void hf_reroute_load(hf_rerouter *m);
/** \param[out] found there is a way; the route has it, and it is laid */
hf_status hf_reroute_way(hf_rerouter *m, hf_route *route, bool *found);
/** Ways for all that are to have new ones and have none yet. \param[out] stuck one that finds none, HF_NONE: none */
hf_status hf_reroute_ways(hf_rerouter *m, uint32_t *stuck);
/** Take new ways back. */
void hf_reroute_forget(const hf_rerouter *m);
/** Ways for all; each that is stuck pushes others away, which find ways in their turn. \param[out] ok all have one */
hf_status hf_reroute_settle(hf_rerouter *m, bool *ok);
/** Find routes that no healthy way is left for. */
hf_status hf_reroute_cut_off(hf_rerouter *m);

#endif
