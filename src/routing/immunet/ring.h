/** \file
 *  The safe ring of Immunet: the Euler tour of the emergency tree, its Small Safe tables, and how far a packet goes on it.
 *  Source: [puente2004, 4.1 and 4.2]. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_RING_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_RING_H

#include "src/routing/immunet/tree.h"

/** One ring for every tree. A switch is known by its rank: ranks count the switches in the order in which the tours first meet
 *  them, so a subtree is a range of ranks. Hop i of a tour leads to a switch; it is the i-th of the ring. */
typedef struct hf_ring {
    uint32_t n_rank; /**< switches on rings */
    uint32_t *rank;  /**< n: of a switch, HF_NONE: on no ring */
    uint32_t *sw;    /**< n: switch of a rank */
    uint32_t *size;  /**< n: ranks in the subtree of a rank */
    uint32_t *first; /**< n: by rank, hops of its own tour before the one that first leads there; HF_NONE: a root */
    uint32_t *begin; /**< n: by rank, the place in `hop` where its tour begins */
    uint32_t *end;   /**< n: by rank, where it ends */
    uint32_t *up;    /**< n: by rank, place in `hop` of the hop to its parent; of the root, of its first hop; HF_NONE: alone */
    uint32_t *hop;   /**< 2 n: ways, one tour after the other */
    uint32_t *next;  /**< n_way: the Small Safe tables: after coming by this way, go on by that; HF_NONE: not on a ring */
} hf_ring;

hf_status hf_ring_room(hf_context *cx, const hf_ways *ways, hf_ring *out);
/** Tour every tree; at a switch the tour leaves by the next lower port of the tree after the one it came in by, cyclically.
 *  \param[in] stack n entries. Time O(switches * degree). */
void hf_ring_tour(const hf_ways *ways, const hf_emergency *emergency, hf_ring *out);

/** The way by which a packet enters the ring at `v` for `goal`, both on the same ring, v != goal. \param[in] is_provisional
 *  towards the parent whatever the goal; the root then takes the first hop of the tour */
uint32_t hf_ring_entry(const hf_ways *ways, const hf_ring *ring, uint32_t v, uint32_t goal, bool is_provisional);

/** Sums and maxima over ordered pairs of different switches on the same ring, in hops. */
typedef struct hf_ring_measure {
    uint64_t hops;  /**< of all rings together */
    uint64_t pairs; /**< ordered */
    uint64_t provisional_sum, provisional_longest;
    uint64_t optimised_sum, optimised_longest;
} hf_ring_measure;
/** \param[in] next scratch of n entries \return HF_ESTOP. Time O(pairs). */
hf_status hf_ring_measure_all(hf_context *cx, const hf_ways *ways, const hf_ring *ring, uint32_t *next, hf_ring_measure *out);

#endif
