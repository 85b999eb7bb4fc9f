/** \file
 *  Lost ways of `layered-shortest` where every terminal has one channel each way, to and from a switch: those that are touched,
 *  and those of terminals that are cut off. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_LAYERED_COUNT_H
#define HOLDFAST_SRC_ROUTING_ANY_LAYERED_COUNT_H

#include "src/core/rows.h"
#include "src/routing/any/layered_change.h"

typedef struct hf_layered_count {
    const hf_layered *whole;
    const hf_rows *members;     /**< terminals by the rows of the whole */
    uint32_t *entry;            /**< by terminal: the switch that it sends to */
    uint32_t *n_entry;          /**< by switch: terminals that send to it, in a set those that still can */
    uint32_t *cut, n_cut;       /**< of a set: terminals that cannot be sent to */
    uint32_t *n_sent, *n_taken; /**< by terminal: ways without faults from it, to it */
} hf_layered_count;

/** Is a network of that kind? */
bool hf_layered_count_fits(const hf_topology *topo);
/** In the arena. \return HF_ENOMEM */
hf_status hf_layered_count_init(hf_context *cx, const hf_layered *whole, const hf_rows *members, hf_layered_count *out);
/** Ways of the whole that are lost under a change. Time O(switches that are touched, terminals that
 *  cannot send times those that cannot be sent to)
 *  \param[in,out] serves_all does the whole serve all pairs, and the change? */
uint64_t hf_layered_count_lost(hf_layered_count *count, const hf_layered_change *change, bool *serves_all);

#endif
