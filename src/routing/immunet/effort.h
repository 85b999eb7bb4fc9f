/** \file
 *  What a reconfiguration of Immunet takes: messages and cycles of the emergency and of both kinds of tables. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_EFFORT_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_EFFORT_H

#include <holdfast/routing.h>

/** hf_routing.efforts, efforts_published, effort */
extern const hf_effort hf_immunet_efforts[];
extern const hf_effort_published hf_immunet_published[];
hf_status hf_immunet_effort(hf_context *cx, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value);

#endif
