/** \file
 *  Packets of a deadlock as JSON. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_BLOCKED_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_BLOCKED_H

#include <holdfast/analysis/deadlock.h>

#include "src/bridge/json.h"

/** {channel, from, to, vc}. */
hf_json *hf_resource_json(const hf_topology *topo, uint32_t n_vc, uint32_t resource);
/** "t5". */
hf_json *hf_terminal_json(const hf_topology *topo, uint32_t terminal);
/** Array of {source, destination, holds, waits_for, path}. */
hf_json *hf_blocked_json(const hf_topology *topo, uint32_t n_vc, const hf_classes *classes, const hf_blocked *blocked,
                         uint32_t count);

#endif
