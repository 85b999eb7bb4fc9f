/** \file
 *  Failed links as htsim writes them into a connection matrix: "failure switch_type AGG switch_id 2 link_id 3". */
#ifndef HOLDFAST_SRC_FAULT_FAILURE_H
#define HOLDFAST_SRC_FAULT_FAILURE_H

#include <holdfast/topology.h>

#include "src/core/lines.h"

/** Is it such a line? */
static inline bool hf_failure_is(hf_slice name) { return hf_slice_begins(name, "failure "); }

/** The component that a name names, as hf_topology_parse_name(), or such a line. Switches are those of a topology file of htsim.
 * The links of a TOR or AGG count upwards, those of a CORE downwards, from 0 in the order of its ports; links side by side count
 *  once, and the first of them has failed, as in htsim. \return HF_EINVAL, HF_ENOENT */
hf_status hf_failure_parse(hf_context *cx, const hf_topology *topo, hf_slice name, char *type, uint32_t *id);

#endif
