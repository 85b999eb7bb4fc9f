/** \file
 *  The tables of Immunet in words. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_TEXT_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_TEXT_H

#include "src/routing/immunet/immunet.h"

/** hf_routing_drawing.describe_plan */
hf_status hf_immunet_describe(hf_context *cx, const hf_plan *plan, uint32_t only_switch, hf_text *out);

#endif
