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
/** A numeric or boolean attribute of an edge. \return false if it is not there, or not a number */
bool hf_igraph_edge_number(const hf_igraph *graph, const char *name, uint32_t edge, double *out);

/** A small set of edges without which a directed graph has no cycle, by the heuristic of Eades, Lin and Smyth.
 *  \param[out] is_back n_edge bytes: 1 for the edges of the set */
hf_status hf_igraph_feedback(hf_context *cx, uint32_t n_node, uint32_t n_edge, const uint32_t *from, const uint32_t *to,
                             uint8_t *is_back);

#endif
