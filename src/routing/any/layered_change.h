/** \file
 *  The ways of `layered-shortest` as faults change them.
 *
 *  A way is touched if one of its channels fails. Only those at and behind such channels are: switches whose way to a goal is as
 *  it was keep their distance, their channel and their layer. What is touched is searched anew among them, and put on layers that
 *  hold all ways of the whole network. A cycle of what is held then would need a touched way, and those are put where they close
 *  none, so that packets on ways as they were before do not block the new ones either. */
#ifndef HOLDFAST_SRC_ROUTING_ANY_LAYERED_CHANGE_H
#define HOLDFAST_SRC_ROUTING_ANY_LAYERED_CHANGE_H

#include "src/routing/any/layered.h"

typedef struct hf_layered_change {
    const hf_layered *whole;
    hf_layered now;       /**< as the whole but for what is touched */
    uint64_t *touched;    /**< n_row rows of switches whose way is touched */
    uint32_t *row, n_row; /**< those that have any */
    bool *is_farther;     /**< n_row: of these, whether a distance has changed */
    bool is_laid_anew;    /**< layers of all ways may have changed */
    hf_laying *laying;    /**< layers of the whole */
    uint32_t most;        /**< how many there may be */
    const hf_fault_set *faults;
    uint64_t hops, *n_at;                    /**< what is measured: sum of distances; by distance: switches of all rows */
    uint32_t farthest;                       /**< no distance is larger */
    uint32_t *list, *sorted, *queue, *begin; /**< work: switches; numbers of them by distance */
} hf_layered_change;

/** Nothing is changed yet. \param[in] laying as it laid the whole; it is used from now on \param[in] args of the rule */
hf_status hf_layered_change_init(hf_context *cx, const hf_layered *whole, hf_laying *laying, const hf_args *args,
                                 hf_layered_change *out);
/** From now on these have failed. */
void hf_layered_change_begin(hf_layered_change *change, const hf_fault_set *faults);
/** Find the ways of a row that faults may touch; rows in ascending order. Time O(channels at what is touched, faults) */
void hf_layered_change_row(hf_layered_change *change, uint32_t row);
/** Put touched ways on layers, row by row; all ways anew if they then need more layers than there may be. \param[in] keeper whose
 * arena holds the layers of the whole; its failures are the caller's to copy */
hf_status hf_layered_change_lay(hf_context *cx, hf_context *keeper, hf_layered_change *change);
/** What hf_layered_measure() does, where hf_layered_change_lay() was called. */
void hf_layered_change_measure(const hf_layered_change *change, hf_measure *out);
/** Back to the whole. */
void hf_layered_change_undo(hf_layered_change *change);

#endif
