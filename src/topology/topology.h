/** \file
 *  The descriptors of list.def. */
#ifndef HOLDFAST_SRC_TOPOLOGY_TOPOLOGY_H
#define HOLDFAST_SRC_TOPOLOGY_TOPOLOGY_H

#include <holdfast/topology.h>

#define X(name) extern const hf_topology_kind hf_topology_##name;
#include "src/topology/list.def"
#undef X

#endif
