/** \file
 *  FT2EI at run time: control packets and emergency paths. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_CONTROL_H
#define HOLDFAST_SRC_ROUTING_TREE_CONTROL_H

#include <holdfast/core/interval.h>

#include "src/routing/tree/plan.h"

extern const hf_reconfiguration hf_tree_reconfiguration;

/** State of a plan of FT2EI. */
typedef struct hf_ft2ei {
    hf_tree tree;
    hf_interval_list **port; /**< per switch: the exclusion registers of its k up ports; NULL: all empty */
} hf_ft2ei;

typedef struct hf_port_range {
    uint32_t begin, end; /**< up ports, from 0 */
} hf_port_range;
/** The up ports over which a switch sends a control packet so that it comes to every destination that is not below the switch:
 *  the healthy ones of the range. One that excludes nothing, or else the first ones that serve all destinations between them,
 *  or else all.
 *  \param[in] failed   bits of the channels that have failed
 *  \param[in] excluded registers of the k up ports of the switch, NULL: all empty
 *  Time O(k) where a port excludes nothing, else O(n_terminal k registers).  Source: [gomez2010, 3.3.3] */
hf_port_range hf_tree_news_ports(const hf_tree *tree, const uint64_t *failed, const hf_interval_list *excluded, uint32_t sw);

#endif
