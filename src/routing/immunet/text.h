/** \file
 *  The tables of Immunet in words, trees and rings in a drawing. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_TEXT_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_TEXT_H

#include <holdfast/format.h>

#include "src/routing/immunet/immunet.h"

/** hf_routing_drawing.describe_plan and mark */
hf_status hf_immunet_describe(hf_context *cx, const hf_plan *plan, uint32_t only_switch, hf_text *out);
hf_status hf_immunet_mark(hf_context *cx, const hf_plan *plan, hf_marks *marks);

#endif
