/** \file
 *  Following a relation for a long stretch of destinations in the rule's order, by the ends of the runs that it treats alike. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_STRETCH_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_STRETCH_H

#include "src/analysis/deadlock/scout.h"

/** Destinations in the rule's order, numbered by their places in `to->terminals.item`. In the arena. */
typedef struct hf_stretches {
    const hf_destinations *to;
    uint32_t n_block;  /**< blocks of a stretch; 1: blocks are followed by lanes, and there is nothing else here */
    uint32_t *rank;    /**< by place: among all terminals in the rule's order, ascending */
    uint32_t *below;   /**< n_terminal + 1, by rank: how many places have a lower one */
    uint32_t *place;   /**< by terminal; HF_NONE: out of service */
    uint32_t **lowest; /**< by k and place: the lowest terminal of the 2^k places from there on */
} hf_stretches;

/** By lanes where the rule gives no order, packets commit themselves, or not all pairs send. */
hf_status hf_stretches_make(hf_context *cx, const hf_plan *plan, const hf_destinations *to, hf_stretches *out);
/** How many stretches there are. */
static inline uint32_t hf_stretches_count(const hf_stretches *x) { return (x->to->n_block + x->n_block - 1) / x->n_block; }
/** All destinations of a stretch, from all live sources; what hf_scout_block() finds for each of its blocks. */
void hf_scout_stretch(hf_scout *s, const hf_stretches *x, uint32_t stretch);

#endif
