/** \file
 *  Ways on layers, of `layered-shortest` and `dfsssp`: what a plan knows of them, made by the rules and by a judge. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_LAYERED_H
#define HOLDFAST_SRC_ROUTING_ANY_LAYERED_H

#include "src/core/layers.h"
#include "src/routing/any/goals.h"

typedef struct hf_layered {
    hf_goals goals;
    uint32_t *next;     /**< n_row rows of n_switch: the channel to take, HF_NONE: no way or arrived */
    uint16_t *distance; /**< as next: channels to a switch with a channel to the goal, or HF_FAR */
    uint8_t *vc;        /**< as next: of packets that start there */
    uint32_t n_vc;
    bool needs_more; /**< the ways need more than HF_LAYERS_MAX layers: `vc` says nothing */
} hf_layered;

/** The ways of the healthy network, balanced; no layers. \param[in,out] ways tables that are to be filled \param[in] rounds 1: by
 * sums of loads; 2: then by sums of their cubes */
hf_status hf_layered_balance(hf_context *cx, hf_layered *ways, uint32_t rounds);
/** The healthy channel from switch `at` to the terminal, HF_NONE. */
uint32_t hf_layered_last(const hf_layered *ways, uint32_t at, uint32_t destination);
/** The channel of terminal node `at` from whose switch the way of a row is shortest, HF_NONE. */
uint32_t hf_layered_first(const hf_layered *ways, uint32_t at, uint32_t row);
void hf_layered_measure(const hf_layered *ways, hf_measure *out);

/** Layers while ways are put on them row by row. */
typedef struct hf_laying {
    hf_layer_set layers;
    uint32_t n_layer;      /**< that have taken a way; more than HF_LAYERS_MAX: they did not do */
    uint32_t *way, *after; /**< work */
} hf_laying;

enum { HF_LAYER_NOT_YET = 0xff };

hf_status hf_laying_init(hf_context *cx, const hf_topology *topo, hf_laying *out);
/** Put the ways of a row whose `vc` is HF_LAYER_NOT_YET, by the number of the switch where they begin, each on the lowest layer
 * where it closes no cycle. Those that have a layer lie there already. \return HF_ENOMEM */
hf_status hf_laying_row(hf_context *cx, hf_laying *laying, hf_layered *ways, uint32_t row);
/** Put all ways, row by row, on layers that are empty. \return HF_ENOMEM, or that of hf_context_go_on() */
hf_status hf_laying_all(hf_context *cx, hf_laying *laying, hf_layered *ways);

/** The ways of `layered-shortest` without faults. \param[in] n_table how many such tables there are to be in all, which memory is
 * asked for \param[out] laying what their layers hold \return HF_ENOMEM, HF_ERANGE, or that of hf_context_go_on() */
hf_status hf_layered_whole(hf_context *cx, const hf_plan *plan, uint32_t n_table, hf_layered *out, hf_laying *laying);
/** The same as faults change them. */
hf_status hf_layered_make(hf_context *cx, const hf_plan *plan, hf_layered *out);

/** Put all ways on layers by breaking cycles. \param[in] most layers; where they do not do, the ways to each goal have one of
 * their own, as they close no cycle. \param[in,out] ways all on layer 0; vc and n_vc are set, or needs_more where goals are more
 * than HF_LAYERS_MAX then. Time O(hops of all ways) for each layer and, at worst, each dependency that breaks a cycle. */
hf_status hf_layered_break_cycles(hf_context *cx, hf_layered *ways, uint32_t most);
/** Give a plan its ways, or refuse where they need more layers than there are. */
hf_status hf_layered_take(hf_context *cx, hf_layered *ways, hf_plan *plan);
/** The layer that a packet is on; n_vc: it has none yet. */
uint32_t hf_layered_vc_before(const hf_plan *plan, hf_hop in);
/** The relation of a plan whose state is an hf_layered. */
size_t hf_layered_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops);

/** The layers that there may be: as many as the argument `vcs`, or HF_LAYERS_MAX. */
uint32_t hf_layered_most(const hf_args *args);
/** Is there one for the ways to each goal, which close no cycle? Then every fault set has a plan. */
bool hf_layered_is_enough(const hf_topology *topo, const hf_args *args);
/** What holds where that is so. */
unsigned hf_layered_claims(const hf_topology *topo, const hf_args *args);

/** The judges of campaigns. \return HF_ENOTSUP: without faults, there is no plan */
hf_status hf_layered_shortest_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);
hf_status hf_dfsssp_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out);

#endif
