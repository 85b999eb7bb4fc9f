/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Breadth-first walks over compressed rows: of a topology (src/topology/search.h) or of any other graph. */
#ifndef HOLDFAST_SRC_CORE_BREADTH_H
#define HOLDFAST_SRC_CORE_BREADTH_H

#include <stdbool.h>
#include <stdint.h>

#include "src/core/rows.h"

/** Arcs: those of node v are list[begin[v]] .. list[begin[v + 1] - 1], or these numbers themselves if list is NULL; arc a leads
 *  to to[a]. Borrowed. */
typedef struct hf_arcs {
    const uint32_t *begin, *list, *to;
} hf_arcs;

/** Each item of a row is an arc from its row. */
static inline hf_arcs hf_rows_arcs(const hf_rows *rows) { return (hf_arcs){.begin = rows->begin, .to = rows->item}; }

/** What a walk does with an arc; false and true do as well as the first two. */
typedef enum hf_step { HF_STEP_PASS = 0, HF_STEP_ENTER = 1, HF_STEP_HALT = 2 } hf_step;

/** An arc from `from`, which the walk has come to. HF_STEP_ENTER puts `to` behind the queue: the function marks what it entered,
 *  so as not to do so again, and notes what its caller wants to know, be it distances, parents or a count of arcs. It passes
 *  over what does not count: an arc that has failed, a `to` that is no node. HF_STEP_HALT ends the walk. */
typedef hf_step hf_enter(void *user, uint32_t from, uint32_t arc, uint32_t to);

/** Walk from the first `tail` nodes of the queue. Inlined with its `enter`, it is as fast as a loop by hand. \return nodes in
 *  the queue, in the order in which they were entered */
__attribute__((always_inline)) static inline uint32_t hf_breadth_first(hf_arcs arcs, uint32_t *queue, uint32_t tail,
                                                                       hf_enter *enter, void *user) {
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t from = queue[head], end = arcs.begin[from + 1];
        for (uint32_t i = arcs.begin[from]; i < end; i++) {
            const uint32_t arc = arcs.list ? arcs.list[i] : i, to = arcs.to[arc];
            const hf_step step = enter(user, from, arc, to);
            if (step == HF_STEP_HALT) {
                return tail;
            }
            if (step == HF_STEP_ENTER) {
                queue[tail++] = to;
            }
        }
    }
    return tail;
}

#endif
