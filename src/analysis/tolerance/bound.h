/** \file
 *  What the making and the checking of the class bound share. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_BOUND_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_BOUND_H

#include <holdfast/analysis.h>

#include "src/routing/tree/plan.h"

/** What the class argument has to know of a rule. */
typedef struct hf_bound_rule {
    bool has_registers; /**< a fault acts through registers (ft2ei), not only through the paths it breaks (updown) */
    bool own;           /**< ft2ei's own=yes */
} hf_bound_rule;
/** \return false if the class argument does not hold for the rule. */
bool hf_bound_rule_of(const hf_rule *rule, hf_bound_rule *out);

#endif
