/** \file
 *  The networks of the simulation [brown2002, 4.2]: grids of switches with one node each, and a tree of four children with
 * bundles that widen towards the root. A channel carries one flit a cycle. */
#ifndef HOLDFAST_SRC_PROTOCOL_NETWORK_H
#define HOLDFAST_SRC_PROTOCOL_NETWORK_H

#include <holdfast/protocol.h>

/** Equal channels side by side, from `first`. */
typedef struct hf_network_bundle {
    uint32_t first, width;
} hf_network_bundle;

enum { HF_NETWORK_DIMENSIONS = 3, HF_NETWORK_LEVELS = 16 };

/** Most bundles that a packet may choose from: both directions of each dimension, around failed links. */
enum { HF_NETWORK_HOPS = 2 * HF_NETWORK_DIMENSIONS };

typedef struct hf_network {
    hf_network_kind kind;
    uint32_t n_node, n_channel; /**< injection of node i: channel i; ejection: n_node + i; then the network's */
    uint32_t n_dimension, size[HF_NETWORK_DIMENSIONS];                   /**< powers of 2 */
    uint32_t shift[HF_NETWORK_DIMENSIONS];                               /**< bits of a node's number below its coordinate */
    uint32_t n_level, width[HF_NETWORK_LEVELS], base[HF_NETWORK_LEVELS]; /**< of the tree: bundles between level l and l + 1 */
    const uint16_t *distance; /**< of a grid with failed links: n_node x n_node hops over the others; NULL: no link has failed */
} hf_network;

/** A packet's place: a switch; of the tree, `level` above node `at`. */
typedef struct hf_place {
    uint32_t at, level;
    bool is_down;
} hf_place;

/** A network without failures. */
hf_status hf_network_make(hf_context *cx, const hf_network_spec *spec, uint32_t n_node, hf_network *out);
/** Channels on the way between two nodes, injection and ejection aside. */
uint32_t hf_network_distance(const hf_network *n, uint32_t from, uint32_t to);
/** Where a packet at `place` may go on to `to`: bundles in order of preference, with the place behind each. Without `adaptive`,
 * the first one only. \return how many; 0: it is there. */
uint32_t hf_network_hops(const hf_network *n, hf_place place, uint32_t to, bool adaptive, hf_network_bundle *bundle,
                         hf_place *next);

/** The channel of a grid that leaves `at` by `way` (2 x dimension, + 1 upwards), and where it leads. \return false: the edge. */
bool hf_network_step(const hf_network *n, uint32_t at, uint32_t way, uint32_t *channel, uint32_t *next);
/** Draw spec->n_failed links that fail, one after the other, none of which cuts off a node. Distances and routes of a grid change
 *  accordingly. \param[out] is_failed by channel; zero before. \param[out] distance n_node x n_node for a grid with failures,
 * else NULL; free both with hf_release(), also on failure. \return HF_ERANGE if so many cannot fail, or for too large a grid */
hf_status hf_network_fail_links(hf_context *cx, hf_network *n, const hf_network_spec *spec, uint64_t seed, uint8_t *is_failed,
                                uint16_t **distance);

#endif
