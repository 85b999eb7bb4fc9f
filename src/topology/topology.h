/** \file
 *  The descriptors of list.def. */
#ifndef HOLDFAST_SRC_TOPOLOGY_TOPOLOGY_H
#define HOLDFAST_SRC_TOPOLOGY_TOPOLOGY_H

#include <holdfast/topology.h>

#define X(name) extern const hf_topology_kind hf_topology_##name;
#include "src/topology/list.def"
#undef X

/** A topology with its counts and nothing else. \param[in] n switches, terminals, links between switches, links to terminals */
hf_status hf_topology_begin(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, const uint64_t *n,
                            hf_topology **out);
/** The end of a family's `build`: hand over what is filled in, or free it. \param[in] status of filling it in; passed on */
static inline hf_status hf_topology_give(hf_status status, hf_topology *topo, hf_topology **out) {
    if (status != HF_OK) {
        hf_topology_free(topo);
        return status;
    }
    *out = topo;
    return HF_OK;
}

#endif
