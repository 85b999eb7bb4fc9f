/** \file
 *  The parameter `vcs` of rules whose virtual channels are classes: how many lanes they are to have. */
#ifndef HOLDFAST_SRC_ROUTING_LANES_H
#define HOLDFAST_SRC_ROUTING_LANES_H

#include <holdfast/routing.h>

/** Parameter `vcs` of rules that say themselves how many virtual channels they need. */
#define HF_PARAM_LANES                                                                                                           \
    {                                                                                                                            \
        .name = "vcs", .type = HF_PARAM_UINT, .fallback = "0", .low = 0, .high = 64,                                             \
        .help = "virtual channels of each channel, as many lanes for each that the rule has; 0: one lane"                        \
    }
/** All the parameters of a rule that has no other. */
extern const hf_param hf_lanes_params[];

/** Refuse so many virtual channels for a rule that has `own`, of `traits`. \return HF_EINVAL */
hf_status hf_lanes_check(hf_context *cx, const char *rule, unsigned traits, uint32_t vcs, uint32_t own);
/** Compare a plan with the virtual channels that the rule's arguments ask for. One for faults that needs more of them is refused.
 *  \return as hf_lanes_check() without faults */
hf_status hf_lanes_fit(hf_context *cx, hf_plan *plan);
/** Make a plan that fits that of as many virtual channels as the rule's arguments ask for. In the arena. */
hf_status hf_lanes_plan(hf_context *cx, hf_plan *plan);
/** That parameter of any rule, and its value. \return NULL, and 0: it has none */
const hf_param *hf_lanes_parameter(const hf_args *args, uint32_t *vcs);

#endif
