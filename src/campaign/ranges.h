/** \file
 *  Ranges of ranks: the batch grid and what is left of it. */
#ifndef HOLDFAST_SRC_CAMPAIGN_RANGES_H
#define HOLDFAST_SRC_CAMPAIGN_RANGES_H

#include <holdfast/context.h>

typedef struct hf_range {
    uint64_t lo, hi;
} hf_range;

typedef struct hf_range_list {
    hf_range *item;
    size_t count, capacity;
} hf_range_list;

hf_status hf_range_add(hf_context *cx, hf_range_list *list, uint64_t lo, uint64_t hi);
void hf_range_sort(hf_range_list *list);
/** The cells of a grid of width `step` inside [lo, hi) that `done` (sorted, disjoint) leaves open, cut where needed.
 *  \return HF_OK; HF_ESTORE if `done` overlaps itself. */
hf_status hf_range_gaps(hf_context *cx, const hf_range_list *done, uint64_t lo, uint64_t hi, uint64_t step, hf_range_list *out);

#endif
