/** \file
 *  Parts of the decision about deadlock: the dependency graph as lists, its numbering and shortest cycle, the greatest fixpoint,
 *  the escape, and witnesses. All arrays live in the arena. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_DECIDE_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_DECIDE_H

#include "src/analysis/deadlock/dependency.h"
#include "src/core/breadth.h"
#include "src/core/clock.h"

/** A directed graph over resources, with its edges both ways. */
typedef struct hf_digraph {
    uint32_t n, n_edge;
    hf_rows out, back; /**< successors, ascending by slot; predecessors */
} hf_digraph;

/** The dependency graph. \param[in] ring_of n_resource ring numbers, HF_NONE: none; dependencies inside a ring are left out;
 *  NULL: no rings */
hf_status hf_digraph_of_dependency(hf_context *cx, const hf_dependency *d, const uint32_t *ring_of, hf_digraph *out);
/** From pairs from[i] -> to[i] over n vertices; repeated pairs are kept. */
hf_status hf_digraph_of_edges(hf_context *cx, uint32_t n, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                              hf_digraph *out);
/** Longest way from each vertex to a sink. \param[out] level n entries; HF_NONE: a cycle can be reached from there
 *  \return number of vertices with a level */
hf_status hf_digraph_levels(hf_context *cx, const hf_digraph *g, uint32_t *level, uint32_t *count);
/** A shortest cycle among vertices of `among` (n bits; NULL: all). \param[out] cycle vertices in order, in the arena; n_cycle 0
 *  if there is none, HF_NONE if the search was cut by `limit_s` seconds. The cycle through the lowest vertex of those. */
hf_status hf_digraph_shortest_cycle(hf_context *cx, const hf_digraph *g, const uint64_t *among, double limit_s, uint32_t **cycle,
                                    uint32_t *n_cycle);

/** The greatest set of resources where a packet can sit in each with all its next hops inside. \param[in] ring_of n_resource
 * rings with bubbles, HF_NONE: on none; NULL: no rings. Of a ring some packet in the set does not go on along it: then one of its
 *  buffers may be free. \param[out] number rises by steps from the resources that are left first; HF_NONE for those in the set
 *  \param[out] inside n_resource bits \return HF_OK with *size its size. Time O(n_resource + hops of all situations) */
hf_status hf_fixpoint(hf_context *cx, const hf_dependency *d, const uint32_t *ring_of, uint32_t *number, uint64_t *inside,
                      uint32_t *size);
/** Does a situation go on along its ring? */
bool hf_goes_along_ring(const hf_dependency *d, const uint32_t *ring_of, uint32_t situation);
/** A small closed subset of a fixpoint: one situation for each resource. \param[out] chosen situations; in the order of waiting
 *  where it is a cycle \param[out] is_smallest no closed subset is smaller; proved within limit_s seconds */
hf_status hf_fixpoint_witness(hf_context *cx, const hf_dependency *d, const uint32_t *ring_of, const uint64_t *inside,
                              uint32_t girth, double limit_s, uint32_t **chosen, uint32_t *count, bool *is_smallest);

/** Does `escape` keep wormhole traffic free of deadlock: offered everywhere, extended dependencies without a cycle?
 *  \param[in] ring_of n_resource rings with bubble flow control, HF_NONE: on none; NULL: no rings. With rings: packets hold one
 *  buffer, no direct dependencies but inside a ring have a cycle, rings taken as one; no packet can go round for ever; a ring
 *  does not fork \param[in] d of a plan with classes: packets that wait to be answered keep their last channel; else not read
 *  \param[out] number n_resource; HF_NONE: not used as escape; one number for a ring \param[out] why NULL, or why it does not */
hf_status hf_escape_check(hf_context *cx, const hf_plan *plan, const hf_escape *escape, const uint32_t *ring_of,
                          const hf_dependency *d, bool *ok, uint32_t *number, hf_escape_fault *why);

/** Is the relation such that every packet can arrive from wherever it can get? By walks per destination. */
hf_status hf_arrival_check(hf_context *cx, const hf_plan *plan, uint32_t *lost_source, uint32_t *lost_destination);

/** Do the healthy channels fail to join some terminal to one that it sends to? Terminals do not forward. Time O(channels) for
 * each switch with terminals. */
hf_status hf_arrival_parted(hf_context *cx, const hf_plan *plan, bool *is_parted);

/** How a packet for `destination` can get to resource `r` with `tag`: the source and a shortest way. `r` may be a last channel.
 *  \param[in] from the source, HF_NONE: any  \param[in,out] blocked destination is set; source, path and n_path are filled in */
hf_status hf_find_path(hf_context *cx, const hf_plan *plan, uint32_t from, uint32_t r, uint32_t tag, hf_blocked *blocked);

/** Configurations of worms by integer programming. \param[out] answer FOUND with blocked, FREE, or UNKNOWN when the time is over
 *  or the relation is too large */
hf_status hf_worms_search(hf_context *cx, const hf_dependency *d, const uint32_t *level, double limit_s, hf_deadlock *out);

#endif
