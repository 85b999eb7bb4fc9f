/** \file
 *  Lines of an edge list, and whether its first one names columns. */
#ifndef HOLDFAST_SRC_TOPOLOGY_READ_EDGES_HEADER_H
#define HOLDFAST_SRC_TOPOLOGY_READ_EDGES_HEADER_H

#include "src/topology/multistage/draft.h"

/** What the first line that says something tells of those below it. */
typedef struct hf_edges_header {
    uint32_t line;    /**< its number, 0: there is no header */
    char separator;   /**< of lines with separators: a comma or a semicolon */
    size_t column[2]; /**< fields with the names of the two switches */
    size_t flow;      /**< field with the flow control, SIZE_MAX: none */
} hf_edges_header;

/** Go to the next line that is neither empty nor a comment. */
bool hf_edges_next(hf_lines *r);
/** The names of the two switches of the present line, and its flow control; of size 0 where there is none.
 *  \return HF_EINVAL where quotes do not end, or a name between separators has a blank and no quotes */
hf_status hf_edges_ends(hf_lines *r, const hf_edges_header *h, hf_slice end[2], hf_slice *flow);
/** Does the first line that says something name columns? As draft->header says. Where that is HF_HEADER_AUTO it does if other
 * lines follow, no end of a link on them is called like its two columns, and either the two say what they are (source and target,
 * from and to, node1 and node2 ...) or all names below are numbers and these are not. The lines are not moved. \param[in,out]
 * draft its header_line is set */
hf_status hf_edges_find_header(const hf_lines *r, hf_draft *draft, hf_edges_header *out);

#endif
