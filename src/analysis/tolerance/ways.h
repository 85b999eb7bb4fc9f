/** \file
 *  The ways of a relation that looks at no faults, made once for all fault sets: a fault set only takes edges out.
 *
 *  One graph a destination. Its vertices are states of the relation, those with the same ways merged; its edges are hops, merged
 *  where the same components take them down, contracted where none does. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAYS_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAYS_H

#include <stdatomic.h>

#include <holdfast/core/big.h>
#include <holdfast/routing.h>

#include "src/core/rows.h"

/** Which components take a channel down: one of them, and the fate that says the others. Fate 0: none. */
typedef struct hf_fate {
    uint32_t component, others;
} hf_fate;

/** An edge of a graph: so many hops, which the same components take down. */
typedef struct hf_way_edge {
    uint32_t tail, head; /**< vertices; but for relations that let a packet go round the head has the lower number */
    uint32_t times;
    uint32_t fate;
    uint32_t flow; /**< what counts the ways over this edge */
} hf_way_edge;

/** A bit for each way of every pair: see way_sets.h. */
typedef struct hf_way_sets {
    size_t words;    /**< of a set of ways */
    uint64_t *needs; /**< n_component rows: ways that need each component; NULL: there are too many ways */
} hf_way_sets;

/** Sources behind an edge, of graphs that are trees: see way_trees.h. */
typedef struct hf_way_span {
    uint32_t destination, first, size;
} hf_way_span;

/** All graphs, one after the other. Read-only, shared by judges. */
typedef struct hf_way_graphs {
    hf_context *cx; /**< its arena holds what is not said to be elsewhere */
    const hf_universe *universe;
    _Atomic uint32_t users;
    bool serves_all; /**< without faults every ordered pair is served, and safely */
    bool has_counts; /**< ways can be counted: no packet goes round, and 128 bits hold the ways to any destination */
    size_t words;    /**< of a row of terminals */
    uint64_t *bad;   /**< n_terminal rows, one a destination: sources that are not served, or not safely, without faults */
    uint64_t *used;  /**< n_component bits: hops of the relation need it */
    uint64_t *again; /**< n_component bits: some way may need it twice; no flow counts it */
    hf_u128 n_way;   /**< of all pairs together, where they can be counted */
    uint32_t n_fate, n_flow, n_vertex, n_edge;
    uint32_t vertex_most; /**< of a destination */
    hf_fate *fate;
    uint32_t *begin;    /**< n_terminal + 1: first vertex of each destination, which is where its packets are delivered */
    uint32_t *goal;     /**< n_vertex: the destination; of an allocator, as the next two are */
    uint32_t *out;      /**< n_vertex + 1: first edge of each vertex */
    hf_way_edge *edge;  /**< n_edge */
    uint32_t *in_begin; /**< n_vertex + 1 */
    hf_way_edge *in;    /**< the same edges by their heads: those into vertex v from in_begin[v] on */
    hf_rows source;     /**< of each vertex: destination * n_terminal + source of the packets that begin there */
    hf_rows edge_of;    /**< edges that each component takes down */
    hf_rows fate_of;    /**< fates of each component */
    hf_rows flow_of;    /**< flows that sum up to the ways over each component; of ways that are not in `sets`, as `again` is */
    hf_way_span *span;  /**< of each item of edge_of, where every pair has one way and there are too many for `sets`; else NULL */
    hf_way_sets sets;
} hf_way_graphs;

/** Read the relation. \return HF_ENOTSUP where the rule looks at faults and is no HF_ROUTING_SHORTEST, takes terminals out of
 *  service or breaks its contract, where the graphs would take more than HF_WAYS_MIB, or the ways of all pairs more than 128 bits
 *  to count; HF_ENOMEM; HF_ESTOP.
 *  Time that of walks to all destinations. Release with hf_ways_release(). */
enum { HF_WAYS_MIB = 2048 };
hf_status hf_ways_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_way_graphs **out);
hf_way_graphs *hf_ways_share(hf_way_graphs *ways);
/** The last user frees them. */
void hf_ways_release(hf_way_graphs *ways);

#endif
