/** \file
 *  The shortest legal ways of up* / down* to all goals, in bits. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_UPDOWN_SWEEP_H
#define HOLDFAST_SRC_ROUTING_ANY_UPDOWN_SWEEP_H

#include "src/routing/any/goals.h"
#include "src/routing/any/updown.h"

enum { HF_NO_WAY = HF_DOWN + 1 /**< failed, or to a terminal */ };

/** What is offered, by blocks of 64 * width goals. A place is one of topo->out_list, so channels of a node stand together. */
typedef struct hf_updown_offers {
    uint8_t *way;    /**< of a place: HF_UP, HF_DOWN or HF_NO_WAY */
    uint32_t width;  /**< words of a block of goals: 1 or HF_OFFERED_WORDS */
    uint64_t *offer; /**< by block and place: goals to which it is a shortest way of those that go on that way */
    uint64_t *falls; /**< by block and switch: goals to which no legal way is shorter than one that goes down only */
} hf_updown_offers;

/** In the arena. \param[in] level n_switch. Time O(channels * goals / 64), each time for 253 channels of the longest way */
hf_status hf_updown_find_offers(hf_context *cx, const hf_goals *goals, const uint32_t *level, hf_updown_offers *out);

/** Where a block's words of a place begin, and of a switch. */
static inline size_t hf_updown_offer_at(const hf_updown_offers *o, const hf_topology *topo, uint32_t block, uint32_t place) {
    return ((size_t)block * topo->n_channel + place) * o->width;
}
static inline size_t hf_updown_falls_at(const hf_updown_offers *o, const hf_topology *topo, uint32_t block, uint32_t sw) {
    return ((size_t)block * topo->n_switch + sw) * o->width;
}

#endif
