/** \file
 *  What the ways of finding a load share. */
#ifndef HOLDFAST_SRC_ANALYSIS_LOAD_LOAD_H
#define HOLDFAST_SRC_ANALYSIS_LOAD_LOAD_H

#include <holdfast/analysis/load.h>

#include "src/analysis/traffic/traffic.h"

/** No load yet. */
hf_status hf_load_start(hf_context *cx, const hf_topology *topo, hf_load **out);
/** Find the figures from the flits of each channel, which become cycles; where parts are there the loads come from them. */
void hf_load_conclude(hf_load *load);
hf_fraction hf_fraction_of(hf_u128 p, hf_u128 q);

#endif
