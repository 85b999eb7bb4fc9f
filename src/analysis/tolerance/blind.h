/** \file
 *  The judge of every rule that looks at no faults. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_BLIND_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_BLIND_H

#include <holdfast/routing.h>

/** It reads the relation once. A set with one component more than one that was read before takes the sum of a few numbers; a
 *  component that stays takes time in proportion to the states before and behind its hops. Memory: src/analysis/tolerance/ways.h.
 *  \return HF_ENOTSUP as hf_ways_new() */
hf_status hf_blind_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
