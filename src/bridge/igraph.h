/** \file
 *  Graphs by igraph. Only src/bridge/igraph.c sees its headers. */
#ifndef HOLDFAST_SRC_BRIDGE_IGRAPH_H
#define HOLDFAST_SRC_BRIDGE_IGRAPH_H

#include <holdfast/core/context.h>

/** A graph with its attributes. */
typedef struct hf_igraph hf_igraph;

/** Read GraphML. \param[in] file for messages. \param[out] out free with hf_igraph_free().
 *  \return HF_EINVAL if it is malformed, with what igraph says; HF_ERANGE if it is too large; HF_ENOMEM */
hf_status hf_igraph_read_graphml(hf_context *cx, const char *file, const char *data, size_t size, hf_igraph **out);
void hf_igraph_free(hf_igraph *graph);

uint32_t hf_igraph_n_node(const hf_igraph *graph);
uint32_t hf_igraph_n_edge(const hf_igraph *graph);
bool hf_igraph_is_directed(const hf_igraph *graph);
void hf_igraph_edge(const hf_igraph *graph, uint32_t edge, uint32_t *from, uint32_t *to);
/** A text attribute of a node: borrowed from the graph; NULL if the attribute is not there. */
const char *hf_igraph_node_text(const hf_igraph *graph, const char *name, uint32_t node);
/** The same of an edge. */
const char *hf_igraph_edge_text(const hf_igraph *graph, const char *name, uint32_t edge);
/** A numeric or boolean attribute of an edge. \return false if it is not there, or not a number */
bool hf_igraph_edge_number(const hf_igraph *graph, const char *name, uint32_t edge, double *out);

/** A small set of edges without which a directed graph has no cycle, by the heuristic of Eades, Lin and Smyth.
 *  \param[out] is_back n_edge bytes: 1 for the edges of the set */
hf_status hf_igraph_feedback(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                             uint8_t *is_back);

/** An undirected graph without multiple edges. \param[in] ends 2 n_edge nodes. \param[out] out free with hf_igraph_free() */
hf_status hf_igraph_new(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *ends, hf_igraph **out);
/** Generators of the automorphisms that keep the colours of nodes, by BLISS.
 *  \param[out] generator n of them, the images of all nodes one after the other; in the arena
 *  \param[out] order NULL, or the number of automorphisms, decimal; free with hf_release() of the context's allocator */
hf_status hf_igraph_automorphisms(hf_context *cx, const hf_igraph *graph, const uint32_t *colour, uint32_t **generator, size_t *n,
                                  char **order);
/** Canonical labels by BLISS: of two graphs with colours that an isomorphism takes to one another, labels lead to the same
 *  relabelled graph. \param[out] label of each node, below n_node, no two the same */
hf_status hf_igraph_canonical(hf_context *cx, const hf_igraph *graph, const uint32_t *colour, uint32_t *label);

#endif
