/** \file
 *  What an escape is judged by: the relation for a block of destinations, as arcs between rows of lanes. */
#ifndef HOLDFAST_SRC_ANALYSIS_DEADLOCK_COURT_H
#define HOLDFAST_SRC_ANALYSIS_DEADLOCK_COURT_H

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/deadlock/scout.h"

/** A hop that some lanes of a row are offered. */
typedef struct hf_arc {
    uint64_t lanes;
    uint32_t resource;
    uint32_t to; /**< row; HF_NONE: delivered */
    bool is_escape;
} hf_arc;
/** A resource that packets hold, where they go on by a row. */
typedef struct hf_hold {
    uint64_t lanes;
    uint32_t resource, row;
} hf_hold;

/** A block: rows, the arcs of each, and what packets hold. All in the arena. */
typedef struct hf_court {
    uint32_t n_row, n_hold;
    uint32_t *node, *begin; /**< by row; its arcs are arc[begin[row]] .. */
    uint64_t *lanes;        /**< by row: packets can be there */
    hf_arc *arc;
    hf_hold *hold;
} hf_court;

/** The relation for what `s` is to follow next, with the hops of `escape` marked. \param[out] ok false if a packet is offered no
 *  escape where it can be; `out` is then empty */
hf_status hf_court_make(hf_context *cx, hf_scout *s, uint32_t block, const hf_escape *escape, hf_court *out, bool *ok);

#endif
