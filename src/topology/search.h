/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Breadth-first searches over a topology. What is not served here walks by hf_breadth_first() over hf_channels(). */
#ifndef HOLDFAST_SRC_TOPOLOGY_SEARCH_H
#define HOLDFAST_SRC_TOPOLOGY_SEARCH_H

#include <holdfast/topology.h>

#include "src/core/breadth.h"

/** The channels as arcs; `backwards` against their direction. */
static inline hf_arcs hf_channels(const hf_topology *topo, bool backwards) {
    return backwards ? (hf_arcs){topo->in_begin, topo->in_list, topo->from}
                     : (hf_arcs){topo->out_begin, topo->out_list, topo->to};
}

/** Channels from `start` to every node (backwards: from every node to it) over those not in `failed` (NULL: all); terminals do
 *  not forward. \param[out] distance n_node entries, HF_NONE: no way \param[in] queue scratch of n_node entries
 *  Time O(channels). */
void hf_distances(const hf_topology *topo, const uint64_t *failed, uint32_t start, bool backwards, uint32_t *queue,
                  uint32_t *distance);
/** The same between switches alone: queue and distance of n_switch entries. */
void hf_switch_distances(const hf_topology *topo, const uint64_t *failed, uint32_t start, bool backwards, uint32_t *queue,
                         uint32_t *distance);

#endif
