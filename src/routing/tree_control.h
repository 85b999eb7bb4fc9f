/** \file
 *  FT2EI at run time: control packets and emergency paths. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_CONTROL_H
#define HOLDFAST_SRC_ROUTING_TREE_CONTROL_H

#include "src/routing/tree_plan.h"

extern const hf_reconfiguration hf_tree_reconfiguration;

#endif
