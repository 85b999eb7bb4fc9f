/** \file
 *  Flows between two nodes of a network in which every component carries one unit: paths that have no component in common, and
 *  the components that part the two. */
#ifndef HOLDFAST_SRC_ANALYSIS_WEAKEST_MENGER_H
#define HOLDFAST_SRC_ANALYSIS_WEAKEST_MENGER_H

#include <holdfast/analysis/weakest.h>

/** Arrays live in the arena. */
typedef struct hf_menger {
    const hf_topology *topo;
    uint32_t *of_channel;             /**< n_channel: a channel's or link's component that takes it down, HF_NONE: none */
    uint32_t *of_switch;              /**< n_switch: the component of a switch, HF_NONE: it does not fail */
    bool *is_link;                    /**< n_channel: the component takes its reverse, too */
    uint32_t *on_channel, *on_switch; /**< units */
    uint32_t *touched, n_touched;     /**< channels that have had units */
    bool relays;                      /**< terminals pass on what reaches them */
    bool is_safe;                     /**< search without any component */
    /* the search; a state is 2 v where a way comes into node v, 2 v + 1 where it leaves */
    uint32_t *seen, turn; /**< 2 n_node: the turn in which it was reached */
    uint32_t *before;     /**< 2 n_node: the state before */
    uint32_t *by;         /**< 2 n_node: the channel of the step, HF_NONE: within a switch */
    uint32_t *queue;      /**< 2 n_node */
} hf_menger;

/** \return HF_ENOTSUP where some component is more than one channel, link or switch */
hf_status hf_menger_init(hf_context *cx, const hf_universe *universe, hf_menger *flow);
/** Units from one node to another, up to `limit`; that many where a path has no component that can fail, which is then alone. */
uint32_t hf_menger_find(hf_menger *flow, uint32_t from, uint32_t to, uint32_t limit);
/** Of a flow that is as large as can be: the components that part the two nodes, as many as there are units, ascending. */
void hf_menger_cut(const hf_menger *flow, const hf_universe *universe, uint32_t *component, uint32_t *n);
/** The paths of the flow, which is used up.
 *  \param[in,out] path see hf_weakest.path */
hf_status hf_menger_paths(hf_context *cx, hf_menger *flow, uint32_t from, uint32_t to, hf_weakest_lists *path);

#endif
