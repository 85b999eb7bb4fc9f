/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Counts of paths: from the relation of any plan, and in closed form for k-ary n-trees.
 *  Source: [gomez2010, 3.4.4, table 3.5]. */
#include <holdfast/analysis/tolerance.h>

#include "src/analysis/paths/walk.h"

static hf_status count_all(hf_context *cx, const hf_plan *plan, hf_big *out) {
    hf_walk walk;
    HF_TRY(hf_walk_init(cx, plan->topo, &walk));
    for (uint32_t destination = 0; destination < plan->topo->n_terminal; destination++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while counting paths, at destination t%u", destination);
        }
        hf_u128 ways;
        HF_TRY(hf_walk_explore(cx, &walk, plan, destination));
        HF_TRY(hf_walk_turn(cx, &walk));
        HF_TRY(hf_walk_count(cx, &walk, &ways));
        hf_big_add_u128(out, ways);
    }
    return HF_OK;
}

hf_status hf_paths_count(hf_context *cx, const hf_plan *plan, hf_big *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_big_set(out, 0);
    const hf_status status = count_all(cx, plan, out);
    hf_scratch_reset(cx, mark);
    return status;
}
