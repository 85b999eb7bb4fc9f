/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Which flows the edges of the graphs have: one step of making them. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAY_FLOWS_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_WAY_FLOWS_H

#include "src/analysis/tolerance/ways.h"

/** Give each edge its flow, and list the flows and components that are needed again. \param[in,out] ways has_counts; edges, fates
 *  and sources are known; `again` and `flow_of` go into its arena
 *  \return HF_ENOMEM; HF_ESTOP. Time in proportion to the edges times the words of a set of components. */
hf_status hf_way_flows_find(hf_context *cx, hf_way_graphs *ways);

#endif
