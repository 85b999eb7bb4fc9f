/** \file
 *  The frontier method as a list of operations, made once for an order of vertices. */
#ifndef HOLDFAST_SRC_CAMPAIGN_COUNTED_STEPS_H
#define HOLDFAST_SRC_CAMPAIGN_COUNTED_STEPS_H

#include "src/campaign/counted.h"

enum { HF_COUNTED_OPEN_MOST = 120 };

/** What is done with a state. A place holds the label of an open vertex, or whether an open component has failed. */
typedef enum hf_counted_kind {
    HF_COUNTED_OPEN,   /**< a component: has it failed? */
    HF_COUNTED_VERTEX, /**< is met */
    HF_COUNTED_ITEM,   /**< is met */
    HF_COUNTED_JOIN,   /**< an edge */
    HF_COUNTED_LEAVE   /**< a vertex has no further edge */
} hf_counted_kind;
typedef struct hf_counted_op {
    hf_counted_kind kind;
    uint8_t at, other;    /**< places */
    bool is_goal;         /**< of a vertex */
    uint32_t goals_after; /**< when a vertex leaves: goals to come that cannot fail */
    uint32_t n_asked;     /**< places of components: all of them have to be there */
    const uint8_t *asked;
} hf_counted_op;
/** A layer: the operations from one decision about a component to the next, and the places that are in use after them. */
typedef struct hf_counted_step {
    uint32_t begin, end;
    uint32_t n_vertex, n_component;
    uint8_t *place; /**< first those of vertices, then those of components */
} hf_counted_step;
typedef struct hf_counted_steps {
    hf_counted_op *op;
    hf_counted_step *step;
    uint32_t n_op, n_step; /**< the first step decides nothing: it comes before the first component */
} hf_counted_steps;
/** \return HF_ENOTSUP if more than HF_COUNTED_OPEN_MOST places are needed at once; all in the arena */
hf_status hf_counted_steps_make(hf_context *cx, const hf_counted_net *net, const uint32_t *order, hf_counted_steps *out);

#endif
