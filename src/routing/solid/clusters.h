/** \file
 *  Verdicts about solid faults by clusters: components whose faults touch common switches. What a cluster does to messages is
 *  found once, whatever else has failed. */
#ifndef HOLDFAST_SRC_ROUTING_SOLID_CLUSTERS_H
#define HOLDFAST_SRC_ROUTING_SOLID_CLUSTERS_H

#include "src/routing/solid/plain.h"

typedef struct hf_solid_clusters hf_solid_clusters;
/** \param[in] rule plans without faults have one; `options` without sacrifices  \param[out] out NULL: the tables would take too
 * much memory, or plain states are not what they are to be; freed by hf_solid_clusters_free() */
hf_status hf_solid_clusters_new(hf_context *cx, const hf_routing *routing, const hf_universe *universe, const hf_args *args,
                                hf_solid_clusters **out);
void hf_solid_clusters_free(hf_solid_clusters *clusters);
/** The verdict on a set of components, most of which are those of the call before. \param[out] knows false: it is to be found
 *  otherwise */
hf_status hf_solid_clusters_decide(hf_context *cx, hf_solid_clusters *clusters, const hf_fault_stack *failed, bool *knows,
                                   hf_measure *out);

#endif
