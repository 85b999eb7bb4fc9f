/** \file
 *  How many ways are lost with the components of a stack, and with each further one: numbers at the vertices and edges of the
 *  graphs, changed where a component changes them. For relations of any number of ways. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_FLOWS_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_FLOWS_H

#include "src/analysis/tolerance/ways.h"

typedef struct hf_flows hf_flows;

/** \param[in] ways borrowed; has_counts. Free with hf_flows_free(). Time and memory in proportion to the graphs. */
hf_status hf_flows_new(hf_context *cx, const hf_way_graphs *ways, hf_flows **out);
void hf_flows_free(hf_flows *flows);
/** Time in proportion to the vertices before and behind the edges that the component takes down. \return HF_ENOMEM, and the
 *  stack is as it was */
hf_status hf_flows_push(hf_context *cx, hf_flows *flows, uint32_t component);
void hf_flows_pop(hf_flows *flows);
/** Ways that need a component of the stack. */
hf_u128 hf_flows_lost(const hf_flows *flows);
/** The same, were this component on the stack, too. hf_way_graphs.again does not hold. */
static inline hf_u128 hf_flows_lost_with(const hf_flows *flows, uint32_t component);

/* ---- for that function alone ---- */

struct hf_flows {
    const hf_way_graphs *ways;
    hf_allocator allocator;
    bool is_wide; /* numbers have 128 bits, else 64 */
    hf_u128 lost;
    uint32_t *dead; /* n_fate: components of the stack that it names */
    /* numbers, modulo their size, below which they are: ways from sources to a vertex, from it to the destination, over the
     * edges of a flow */
    void *up, *below, *flow;
    /* of a change: what is to be added to the vertices of a destination, and to which */
    void *more_below, *more_up;
    uint64_t *todo_below, *todo_up;
    /* to go back: numbers as they were */
    struct hf_flow_level *level;
    size_t depth, level_room;
    struct hf_flow_entry *entry;
    size_t n_entry, entry_room;
    void *kept; /* n_flow numbers a level */
    size_t kept_room;
};

static inline hf_u128 hf_flows_lost_with(const hf_flows *flows, uint32_t component) {
    const hf_rows *rows = &flows->ways->flow_of;
    hf_u128 sum = flows->lost;
    for (uint32_t i = rows->begin[component]; i < rows->begin[component + 1]; i++) {
        sum += flows->is_wide ? ((const hf_u128 *)flows->flow)[rows->item[i]] : ((const uint64_t *)flows->flow)[rows->item[i]];
    }
    return sum;
}

#endif
