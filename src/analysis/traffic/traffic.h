/** \file
 *  The traffic patterns, for their registry. */
#ifndef HOLDFAST_SRC_ANALYSIS_TRAFFIC_TRAFFIC_H
#define HOLDFAST_SRC_ANALYSIS_TRAFFIC_TRAFFIC_H

#include <holdfast/analysis/load.h>

#define X(name) extern const hf_traffic_kind hf_traffic_##name;
#include "src/analysis/traffic/traffic.def"
#undef X

/** Room for the destinations, HF_NONE at first; each terminal sends all it has to one. */
hf_status hf_traffic_map(hf_context *cx, hf_traffic *traffic);
/** Read a permutation held in memory: lines "SOURCE DESTINATION", numbers of terminals; # starts a comment. */
hf_status hf_traffic_parse_permutation(hf_context *cx, const char *file, const char *data, size_t size, hf_traffic *traffic);
/** Read a matrix held in memory: a line a source, a weight a destination; the terminal with the largest sum sends one flit per
 *  cycle. What stands on the diagonal counts in the sum only. */
hf_status hf_traffic_parse_matrix(hf_context *cx, const char *file, const char *data, size_t size, hf_traffic *traffic);

/** Sum of all weights. */
double hf_traffic_total(const hf_traffic *traffic);

#endif
