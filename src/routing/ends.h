/** \file
 *  The two ends of every way: from a terminal into the network, and out of it. For rules on topologies whose terminals have one
 *  link. */
#ifndef HOLDFAST_SRC_ROUTING_ENDS_H
#define HOLDFAST_SRC_ROUTING_ENDS_H

#include <holdfast/routing.h>

/** The switch of a terminal. */
static inline uint32_t hf_route_goal(const hf_topology *topo, uint32_t destination) { return topo->terminal_switch[destination]; }

/** The hop from the terminal `at` to its switch, or from the switch of `destination` to it. \return 0 in between */
static inline size_t hf_route_ends(const hf_topology *topo, uint32_t at, uint32_t destination, hf_hop *hops) {
    if (hf_topology_is_terminal(topo, at)) {
        hops[0] = (hf_hop){topo->out_list[topo->out_begin[at]], 0, 0};
        return 1;
    }
    if (at == hf_route_goal(topo, destination)) {
        hops[0] = (hf_hop){topo->in_list[topo->in_begin[topo->n_switch + destination]], 0, 0};
        return 1;
    }
    return 0;
}

/** Into the network from the terminal `at`, for rules that let packets choose there: `n` hops whose tags 1 .. n say what was
 *  chosen. */
static inline size_t hf_route_choose(const hf_topology *topo, uint32_t at, uint32_t n, hf_hop *hops) {
    for (uint32_t i = 0; i < n; i++) {
        hops[i] = (hf_hop){topo->out_list[topo->out_begin[at]], 0, 1 + i};
    }
    return n;
}

#endif
