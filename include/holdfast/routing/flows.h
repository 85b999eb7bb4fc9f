/** \file
 *  Flows: which terminals send to which, where it is not all to all. */
#ifndef HOLDFAST_ROUTING_FLOWS_H
#define HOLDFAST_ROUTING_FLOWS_H

#include <holdfast/topology.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of rates: this many are a flit per cycle. */
#define HF_FLOW_RATE_UNIT UINT64_C(1000000)

/** Flows of a file, by destination. */
typedef struct hf_flow_list {
    hf_allocator allocator;
    char *named; /**< "PATH#hash" */
    uint32_t n_terminal, n;
    uint32_t *begin;   /**< n_terminal + 1: the flows of each destination */
    uint32_t *source;  /**< n: terminals, ascending for each destination */
    uint64_t *rate;    /**< n: millionths of a flit per cycle; NULL: the file has none */
    uint32_t n_class;  /**< 0: the file has no classes of messages; else the flows above are those of all classes together */
    char **class_name; /**< n_class, as they come in the file */
    struct hf_flow_list **of_class; /**< n_class: the flows of each */
} hf_flow_list;

/** Read a file of flows: lines "SOURCE DESTINATION", or a CSV file with the header source,destination, behind which class and
 *  rate may stand. Nodes have their names, as t5; rates are flits per cycle, of the classes of a pair together their sum. Free
 *  with hf_flow_list_free().
 *  \return HF_EINVAL with file and line for what is wrong, as a pair that a class has twice; as hf_source_load() */
hf_status hf_flow_list_new(hf_context *cx, const hf_topology *topo, const char *path, hf_flow_list **out);
/** Of pairs; some may be there twice. */
hf_status hf_flow_list_of(hf_context *cx, uint32_t n_terminal, const uint32_t *source, const uint32_t *destination, uint32_t n,
                          hf_flow_list **out);
void hf_flow_list_free(hf_flow_list *flows);
/** The place of a flow; HF_NONE: source sends nothing to destination. Time O(log of the flows of a destination). */
uint32_t hf_flow_list_find(const hf_flow_list *flows, uint32_t source, uint32_t destination);

#ifdef __cplusplus
}
#endif
#endif
