/** \file
 *  The readers of flows and paths, for the tests. */
#ifndef HOLDFAST_SRC_ROUTING_FLOWS_H
#define HOLDFAST_SRC_ROUTING_FLOWS_H

#include <holdfast/routing.h>

#include "src/core/lines.h"

/** Flows in lines. \return as hf_flow_list_new() */
hf_status hf_flow_list_read(hf_lines *lines, const hf_topology *topo, hf_flow_list **out);
/** What the routing "paths" keeps, of lines. \param[out] data for its `flows` and `close` */
hf_status hf_paths_read(hf_lines *lines, const hf_topology *topo, void **data);

#endif
