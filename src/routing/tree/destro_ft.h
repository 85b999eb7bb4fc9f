/** \file
 *  DESTRO-FT: the path of a pair, for its measures and its judge. */
#ifndef HOLDFAST_SRC_ROUTING_TREE_DESTRO_FT_H
#define HOLDFAST_SRC_ROUTING_TREE_DESTRO_FT_H

#include "src/routing/tree/plan.h"

/** The only next hop, on virtual channel 0. \return 0: there is none */
typedef size_t hf_destro_ft_step(const hf_plan *plan, uint32_t at, uint32_t destination, hf_hop *hop);

/** Follow the path of a pair, as far as there is one. \param[in,out] paths per channel: `by` is added to those on it */
static inline void hf_destro_ft_follow(const hf_plan *plan, hf_destro_ft_step *step, uint32_t source, uint32_t destination,
                                       uint64_t by, uint64_t *paths) {
    const hf_topology *topo = plan->topo;
    uint32_t at = topo->n_switch + source;
    hf_hop hop;
    while (at != topo->n_switch + destination && step(plan, at, destination, &hop) > 0) {
        paths[hop.channel] += by;
        at = topo->to[hop.channel];
    }
}

/** The most paths over a channel between switches. */
static inline uint64_t hf_destro_ft_most(const hf_topology *topo, const uint64_t *paths) {
    uint64_t most = 0;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool is_more = topo->link[c] < topo->n_switch_link && paths[c] > most;
        most = is_more ? paths[c] : most;
    }
    return most;
}

/** The judge of campaigns. Time to measure a set: about O(n) for each path over a failed channel. \return HF_ENOTSUP: several
 * virtual channels, which make several paths of a pair */
hf_status hf_destro_ft_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
