/** \file
 *  The unions of dependencies of a rule that gives its relation in bits (hf_likeness.offered). */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_FLOOD_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_FLOOD_H

#include "src/analysis/deadlock/dependency.h"
#include "src/analysis/deadlock/destinations.h"

/** Does the plan give its relation so, for all terminals? Groups are then its rows. */
bool hf_flood_applies(const hf_plan *plan, const hf_destinations *to);
/** hf_dependency_unions() of such a plan, by HF_OFFERED_ROWS groups at once. Time O(G / 512 * channels * channels of a switch)
 *  \param[in,out] d its shape is known; all, used and the lost pair are filled in */
hf_status hf_flood_unions(hf_context *cx, const hf_destinations *to, uint32_t threads, hf_dependency *d);

#endif
