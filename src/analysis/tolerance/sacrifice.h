/** \file
 *  The fewest nodes that have to be taken out of service so that a fault set of a 2D mesh becomes valid for routing round solid
 *  faults: what the procedures of [chalasani1996, appendix A] can be compared with. */
#ifndef HOLDFAST_SRC_ANALYSIS_TOLERANCE_SACRIFICE_H
#define HOLDFAST_SRC_ANALYSIS_TOLERANCE_SACRIFICE_H

#include <holdfast/fault.h>

typedef struct hf_sacrifice {
    bool is_exact;    /**< else `nodes` is a lower bound, and `node` is empty */
    bool is_possible; /**< false: no choice leaves two nodes in service; proved if is_exact */
    uint32_t nodes;   /**< fewest nodes that have not failed and must be disabled */
    uint64_t *node;   /**< n_switch bits: such a choice; lives in the arena */
} hf_sacrifice;

/** Find them. The mesh may shrink to any rectangle of it: what lies outside is disabled. In a rectangle, validity is local:
 *  with the faces of faulty links called dark, a link between two dark faces is faulty, and no straight piece of an f-ring runs
 *  from a concave corner to a concave corner; an integer program over nodes, links and faces then finds the fewest.
 *  \param[in] limit_s seconds for all programs together
 *  \return HF_ENOTSUP if the network is no mesh of two dimensions */
hf_status hf_sacrifice_find(hf_context *cx, const hf_fault_set *faults, double limit_s, hf_sacrifice *out);

#endif
