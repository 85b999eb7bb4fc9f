/** \file
 *  What is to come at later cycles, outside the wheel of flits and credits. */
#ifndef HOLDFAST_SRC_KERNEL_TIMERS_H
#define HOLDFAST_SRC_KERNEL_TIMERS_H

#include <holdfast/routing.h>

typedef struct hf_timer {
    uint64_t at, number; /**< cycle; of one cycle in the order in which they were made */
    uint32_t kind, who;  /**< as its user has it */
    hf_notice notice;
} hf_timer;

/** A heap by (at, number); lives in the arena. Starts as {0}. */
typedef struct hf_timers {
    hf_timer *heap;
    size_t n, room;
    uint64_t made;
} hf_timers;

/** `number` is filled in. \return HF_ENOMEM */
hf_status hf_timers_add(hf_context *cx, hf_timers *t, hf_timer timer);
/** Is one due at `cycle`? */
static inline bool hf_timers_due(const hf_timers *t, uint64_t cycle) { return t->n > 0 && t->heap[0].at <= cycle; }
/** Take the first; there is one. */
hf_timer hf_timers_take(hf_timers *t);

#endif
