/** \file
 *  A graph that stays without a cycle: an edge that would close one is refused. The vertices are kept in a topological order; an
 *  edge against it reorders what lies between its ends. Source: [pearce2006]. */
#ifndef HOLDFAST_SRC_CORE_ACYCLIC_H
#define HOLDFAST_SRC_CORE_ACYCLIC_H

#include <holdfast/core/context.h>

/** An edge in two lists. */
typedef struct hf_acyclic_edge {
    uint32_t from, to;
    uint32_t next_out, next_in; /**< number + 1 of the next; 0: none */
} hf_acyclic_edge;

typedef struct hf_acyclic {
    uint32_t n, n_edge;
    uint32_t *order;    /**< n: place of a vertex; edges lead to later places */
    uint32_t *out, *in; /**< n: number + 1 of the first edge from it, to it */
    hf_acyclic_edge *edge;
    size_t room;
    uint32_t *ahead, *back, *place; /**< scratch: vertices met, places to be given anew */
    uint32_t n_ahead, n_back;
    uint8_t *met;
} hf_acyclic;

/** n vertices without edges, in the arena. */
hf_status hf_acyclic_init(hf_context *cx, uint32_t n, hf_acyclic *out);
/** Add an edge unless it closes a cycle; one that is there is taken. \param[out] ok it is in the graph
 *  Time O(edges) at worst, of those between the places of its ends */
hf_status hf_acyclic_add(hf_context *cx, hf_acyclic *g, uint32_t from, uint32_t to, bool *ok);

#endif
