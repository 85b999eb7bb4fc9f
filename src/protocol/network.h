/** \file
 *  Inside of a network that programs run on. */
#ifndef HOLDFAST_SRC_PROTOCOL_NETWORK_H
#define HOLDFAST_SRC_PROTOCOL_NETWORK_H

#include <holdfast/protocol.h>

struct hf_network {
    hf_topology *topo;
    hf_universe *links; /**< NULL: none has failed */
    hf_fault_set failed, none;
    hf_rule rule[2];        /**< of the network that drops packets, and of the perfect one */
    hf_plan lossy, perfect; /**< perfect: without failures */
    hf_channel_run *run;    /**< scratch */
    hf_hop *hops;           /**< scratch */
};

/** Channels on the way by which the network that drops packets first sends from one node to another, but for the last one; 0
 * where there is no way. \return HF_EINVAL where the rule breaks its contract */
hf_status hf_network_distance(hf_context *cx, const hf_network *n, uint32_t from, uint32_t to, uint32_t *out);

/** The longest way between two nodes, in channels, or up to twice as much: of rules that take shortest ways. Time O(channels).
 * \return HF_EINVAL for other rules */
hf_status hf_network_longest(hf_context *cx, const hf_network *n, uint64_t *out);

#endif
