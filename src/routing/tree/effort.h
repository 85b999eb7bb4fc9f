/** \file
 *  Control packets of FT2EI after a fault.
 *
 *  From the switch above a failed down link its packet goes up to the last stage, over the links of hf_tree_news_ports(); then
 *  down over all healthy links to the stage below the fault [gomez2010, 3.3.2 and 3.3.3]. A switch that loses a destination
 *  because of what it was told tells all switches below it, and so on down. Faults come one after the other, as the paper
 *  demands.
 *
 *  Beside it what two schemes would take that the dissertation leaves to the future [6.2]. A manager beside the first leaf switch
 *  hears of every failed channel from the switch that sends into it, and tells each other switch whose registers change; they
 *  come to hold what they do by the packets of the paper. With source routing a terminal chooses the whole way, so every terminal
 *  must know whose ways led over the channel. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_EFFORT_H
#define HOLDFAST_SRC_ROUTING_TREE_EFFORT_H

#include <holdfast/routing.h>

#include "src/routing/tree/plan.h"

extern const hf_effort hf_tree_efforts[]; /**< hf_routing_efforts.quantities */

/** What one fault after the other has taken so far. */
typedef struct hf_tree_spread {
    const hf_tree *tree;
    hf_interval_list *const *port; /**< per switch: exclusion registers of its k up ports before the present fault; NULL: empty */
    uint64_t *failed;              /**< n_channel bits: so far */
    uint32_t *now, *below;         /**< n_switch: switches that hold a packet */
    uint64_t up, down, hops;       /**< packets over links upwards and downwards; hops one after the other */
    uint64_t cascade, cascade_hops; /**< packets of switches that lose destinations; counted by the plan that updates registers */
    uint64_t *changed;              /**< n_switch bits: whose registers the present fault has changed; set by the plan */
    uint64_t told, told_hops;       /**< a manager's messages, and hops with those of its packets that wait for others */
    uint64_t sources, source_hops;  /**< terminals that are told, and hops until the last one is */
} hf_tree_spread;

hf_status hf_tree_spread_init(hf_context *cx, const hf_tree *tree, uint32_t n_channel, hf_interval_list *const *port,
                              hf_tree_spread *out);
/** The next channel fails; the registers are still those from before it. */
void hf_tree_spread_fail(hf_tree_spread *s, uint32_t channel);
/** The registers are now those with it: what a manager and the sources would have taken. Clears `changed`. */
void hf_tree_spread_compare(hf_tree_spread *s, uint32_t channel);
/** Switch `sw` tells the switches below it of one interval. \return packets */
uint64_t hf_tree_spread_tell(const hf_tree_spread *s, uint32_t sw);
/** hf_routing_efforts.effort from the sums. */
void hf_tree_effort(const hf_tree_spread *s, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value);

#endif
