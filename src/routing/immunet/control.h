/** \file
 *  Immunet at run time: emergency, safe tables, adaptive tables. */
#ifndef HOLDFAST_SRC_ROUTING_IMMUNET_CONTROL_H
#define HOLDFAST_SRC_ROUTING_IMMUNET_CONTROL_H

#include "src/routing/immunet/immunet.h"

extern const hf_reconfiguration hf_immunet_reconfiguration;

#endif
