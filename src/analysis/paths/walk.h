/** \file
 *  The walk that every analysis of a relation shares: for one destination, all (node, arrival) states that packets can reach
 *  from any source, and the hops between them. */
#ifndef HOLDFAST_SRC_ANALYSIS_PATHS_WALK_H
#define HOLDFAST_SRC_ANALYSIS_PATHS_WALK_H

#include <holdfast/core/big.h>
#include <holdfast/routing.h>

#include "src/core/breadth.h"

/** Where an edge of the walk leads, if not to a state. */
#define HF_WALK_DELIVERED UINT32_MAX
#define HF_WALK_FAULT (UINT32_MAX - 1)

/** The states of one destination. States 0..n_terminal-1 are the injections (that of the destination itself has no edges, nor
 * has one without a flow); the others are arrivals at switches. Sources share states. All arrays live in the arena and are used
 * again by the next walk. */
typedef struct hf_walk {
    const hf_topology *topo;
    uint32_t destination;
    uint32_t n_state, n_edge;
    hf_hop *in;           /**< n_state: the hop of arrival */
    uint32_t *at;         /**< n_state: the node */
    uint32_t *edge_begin; /**< n_state + 1 */
    uint32_t *edge;       /**< state, HF_WALK_DELIVERED or HF_WALK_FAULT */
    hf_hop *hops;         /**< n_edge: the hop of each edge */
    hf_rows back;         /**< edges between states, backwards */
    /* how much there is room for, and scratch */
    uint32_t state_room, edge_room, back_room, back_state_room;
    uint32_t *slot; /* hash table of states, 0: free, else state + 1 */
    uint32_t slot_room;
    uint32_t *queue; /* state_room */
    hf_u128 *ways;   /* ways_room, and so is pending */
    uint32_t *pending, ways_room;
} hf_walk;

/** An empty walk for plans of `topo`. */
hf_status hf_walk_init(hf_context *cx, const hf_topology *topo, hf_walk *walk);
/** Explore the relation of `plan` towards `destination`. Time O(states * hops). */
hf_status hf_walk_explore(hf_context *cx, hf_walk *walk, const hf_plan *plan, uint32_t destination);
/** The same as far as the first state from which a hop is `goal`; those behind it have no edges. \param[in] goal NULL: all */
hf_status hf_walk_explore_to(hf_context *cx, hf_walk *walk, const hf_plan *plan, uint32_t destination, const hf_hop *goal);
/** Does the walk have the state of this arrival? */
bool hf_walk_has(const hf_walk *walk, hf_hop in);
/** Index the edges backwards; the functions below need it. */
hf_status hf_walk_turn(hf_context *cx, hf_walk *walk);
/** Mark the states from which some way of the plan leads to the destination.
 *  \param[out] mark n_state bits, zeroed by the caller */
void hf_walk_served(hf_walk *walk, uint64_t *mark);
/** Mark the states from which some way meets a failed channel or a switch where the packet is stuck. An injection that the plan
 *  refuses is not stuck: the packet was never sent. */
void hf_walk_unsafe(hf_walk *walk, uint64_t *mark);
/** Number of complete ways from all injections together. \return HF_ENOTSUP if the relation lets a packet go round; HF_ERANGE
 *  if the number exceeds 128 bits. */
hf_status hf_walk_count(hf_context *cx, hf_walk *walk, hf_u128 *out);
/** The same once more, after hf_walk_count() and after the caller has made edges HF_WALK_FAULT: the ways that are left. */
hf_status hf_walk_count_left(hf_context *cx, hf_walk *walk, hf_u128 *out);

#endif
