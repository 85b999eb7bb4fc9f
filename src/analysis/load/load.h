/** \file
 *  What the ways of finding a load share. */
#ifndef HOLDFAST_SRC_ANALYSIS_LOAD_LOAD_H
#define HOLDFAST_SRC_ANALYSIS_LOAD_LOAD_H

#include <holdfast/load.h>

/** No load yet. */
hf_status hf_load_start(hf_context *cx, const hf_topology *topo, hf_load **out);
/** The loads are not known exactly. */
void hf_load_drop_parts(hf_load *load);
/** Find the figures from the loads; where parts are there the loads come from them. */
void hf_load_conclude(hf_load *load);
hf_fraction hf_fraction_of(hf_u128 p, hf_u128 q);
/** Loads of HF_SPLIT_OPTIMAL into a load that was just started. */
hf_status hf_load_optimal(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_load *load);
/** Sum of all weights. */
double hf_traffic_total(const hf_traffic *traffic);

#endif
