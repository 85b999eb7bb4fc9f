/** \file
 *  What the making and the checking of the class bound share. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_BOUND_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_BOUND_H

#include <holdfast/analysis/tolerance.h>

#include "src/routing/tree/plan.h"

/** \return false if the class argument does not hold for the rule. */
bool hf_bound_applies(const hf_rule *rule, hf_class_rule *out);

#endif
