/** \file
 *  What rules of all kinds share: the two ends of every way, from a terminal into the network and out of it, on topologies whose
 *  terminals have one link; and virtual channels that are all alike. */
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

/** Parameter `vcs` of rules all of whose virtual channels are alike. Of such a rule what waits for what is that of one virtual
 *  channel, over and over: it is free of deadlock with any number of them if it is with one. */
#define HF_PARAM_VCS                                                                                                             \
    {                                                                                                                            \
        .name = "vcs", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = 64,                                             \
        .help = "virtual channels of each channel; any of them may be taken between switches"                                    \
    }
/** Set n_vc and max_hops from it, for a rule that offers up to `max_hops` channels. */
static inline void hf_route_take_vcs(hf_plan *plan, uint32_t max_hops) {
    plan->n_vc = (uint32_t)hf_args_get(plan->args, "vcs")->number;
    plan->max_hops = max_hops * plan->n_vc;
}
/** Offer hops on VC 0 between switches on all virtual channels, channel by channel. \return hops written, count * n_vc
 *  between switches; else as they are */
static inline size_t hf_route_on_all_vcs(const hf_plan *plan, hf_hop *hops, size_t count) {
    if (plan->n_vc == 1 || count == 0 || plan->topo->link[hops[0].channel] >= plan->topo->n_switch_link) {
        return count;
    }
    hf_hop *to = hops + count * plan->n_vc; /* from the end: a hop is read before its place is taken */
    for (size_t i = count; i-- > 0;) {
        const hf_hop hop = hops[i];
        for (uint32_t vc = plan->n_vc; vc-- > 0;) {
            *--to = (hf_hop){hop.channel, vc, hop.tag};
        }
    }
    return count * plan->n_vc;
}

#endif
