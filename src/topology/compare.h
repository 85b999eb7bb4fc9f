/** \file
 *  Two networks side by side, by the names of their nodes: as it should be cabled, and as it is. */
#ifndef HOLDFAST_SRC_TOPOLOGY_COMPARE_H
#define HOLDFAST_SRC_TOPOLOGY_COMPARE_H

#include <holdfast/topology.h>

/** Two nodes that the networks join by different numbers of links. */
typedef struct hf_link_difference {
    const char *a, *b; /**< names; in the arena */
    uint32_t one, two; /**< links in the one network and in the other */
} hf_link_difference;

/** Compare the links between each two names, whichever way round a file tells them; ports are not looked at. Terminals that a
 *  file does not name, where it names others, are left out. Differences come in the order in which the first network, then the
 *  second, names the nodes; they live in the arena. Time O(n log n) in links. */
hf_status hf_topology_compare(hf_context *cx, const hf_topology *one, const hf_topology *two, hf_link_difference **out,
                              size_t *n);

#endif
