/** \file
 *  Who reaches whom in any network, all terminals at once: a bit for each at every switch. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_REACH_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_REACH_H

#include <holdfast/topology.h>

typedef struct hf_reach hf_reach;

/** \return HF_ENOTSUP when the bits would need more than 256 MiB. Free with hf_reach_free(). */
hf_status hf_reach_new(hf_context *cx, const hf_topology *topo, hf_reach **out);
void hf_reach_free(hf_reach *reach);
/** Does every terminal reach every other over the channels whose `failed` is 0? Terminals do not forward. Time O(channels *
 *  n_terminal / 64) where channels between switches form no cycle; else that for each pass until nothing changes. */
bool hf_reach_all(hf_reach *reach, const uint16_t *failed);

#endif
