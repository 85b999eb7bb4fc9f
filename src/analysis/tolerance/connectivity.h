/** \file
 *  The judge of criterion `connected`: counters of failed channels and reachability over rows of adjacency bits. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_CONNECTIVITY_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_CONNECTIVITY_H

#include <holdfast/routing.h>

typedef struct hf_connectivity hf_connectivity;

/** Make the state for the components of `universe`, without faults. \return HF_ENOTSUP when the rows would need more than
 *  256 MiB: use hf_connectivity_all() then. Free with hf_connectivity_free(). */
hf_status hf_connectivity_new(hf_context *cx, const hf_universe *universe, hf_connectivity **out);
void hf_connectivity_free(hf_connectivity *state);
void hf_connectivity_push(hf_connectivity *state, uint32_t component);
void hf_connectivity_pop(hf_connectivity *state, uint32_t component);
/** Are all terminals mutually reachable? Time O(n_switch^2 / 64). */
bool hf_connectivity_read(hf_connectivity *state);

#endif
