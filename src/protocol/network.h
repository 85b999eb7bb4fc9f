/** \file
 *  The networks of the simulation [brown2002, 4.2]: grids of switches with one node each, and a tree of four children with
 * bundles that widen towards the root. A channel carries one flit a cycle. */
#ifndef HOLDFAST_SRC_PROTOCOL_NETWORK_H
#define HOLDFAST_SRC_PROTOCOL_NETWORK_H

#include <holdfast/protocol.h>

/** Equal channels side by side, from `first`. */
typedef struct hf_bundle {
    uint32_t first, width;
} hf_bundle;

enum { HF_NETWORK_DIMENSIONS = 3, HF_NETWORK_LEVELS = 16 };

typedef struct hf_network {
    hf_network_kind kind;
    uint32_t n_node, n_channel; /**< injection of node i: channel i; ejection: n_node + i; then the network's */
    uint32_t n_dimension, size[HF_NETWORK_DIMENSIONS];                   /**< powers of 2 */
    uint32_t shift[HF_NETWORK_DIMENSIONS];                               /**< bits of a node's number below its coordinate */
    uint32_t n_level, width[HF_NETWORK_LEVELS], base[HF_NETWORK_LEVELS]; /**< of the tree: bundles between level l and l + 1 */
} hf_network;

/** A packet's place: a switch; of the tree, `level` above node `at`. */
typedef struct hf_place {
    uint32_t at, level;
    bool is_down;
} hf_place;

hf_status hf_network_make(hf_context *cx, const hf_network_spec *spec, uint32_t n_node, hf_network *out);
/** Channels on the way between two nodes, injection and ejection aside. */
uint32_t hf_network_distance(const hf_network *n, uint32_t from, uint32_t to);
/** Where a packet at `place` may go on to `to`: bundles in order of preference, with the place behind each. Without `adaptive`,
 * the first one only. \return how many; 0: it is there. */
uint32_t hf_network_hops(const hf_network *n, hf_place place, uint32_t to, bool adaptive, hf_bundle *bundle, hf_place *next);

#endif
