/** \file
 *  Ranges of ranks: what is done, what is left, and who takes what next. */
#ifndef HOLDFAST_SRC_CAMPAIGN_RANGES_H
#define HOLDFAST_SRC_CAMPAIGN_RANGES_H

#include <holdfast/core/context.h>

typedef struct hf_range {
    uint64_t lo, hi;
} hf_range;

typedef struct hf_range_list {
    hf_range *item;
    size_t count, capacity;
} hf_range_list;

hf_status hf_range_add(hf_context *cx, hf_range_list *list, uint64_t lo, uint64_t hi);
/** What `done` leaves open of [lo, hi), ascending. Sorts `done`. \return HF_ESTORE if `done` overlaps itself. */
hf_status hf_range_gaps(hf_context *cx, hf_range_list *done, uint64_t lo, uint64_t hi, hf_range_list *out);
/** Sets in all ranges. */
uint64_t hf_range_total(const hf_range_list *list);

/** Hands out a list of ranges to `threads` takers: a share of what is left each time, so that all end at about the same time
 *  and there are few batches however many sets there are. Cuts lie on multiples of `unit`. */
typedef struct hf_range_queue {
    const hf_range_list *list;
    size_t at;     /**< range that the next batch comes from */
    uint64_t from; /**< its first rank that nobody has taken */
    uint64_t left, unit;
    uint32_t threads;
} hf_range_queue;

void hf_range_queue_init(hf_range_queue *queue, const hf_range_list *list, uint64_t unit, uint32_t threads);
/** \return false when all is taken */
bool hf_range_take(hf_range_queue *queue, hf_range *out);

#endif
