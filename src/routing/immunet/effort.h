/** \file
 *  What a reconfiguration of Immunet takes: messages and cycles of the emergency and of both kinds of tables. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_EFFORT_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_EFFORT_H

#include <holdfast/routing.h>

/** What its reconfiguration takes: messages and cycles. */
extern const hf_routing_efforts hf_immunet_efforts;

#endif
