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

static hf_status check_shape(hf_context *cx, uint32_t k, uint32_t n) {
    if (k < 2 || n < 1 || n > 1000) {
        HF_FAIL(cx, HF_ERANGE, "k-ary n-tree with k=%u, n=%u: need k >= 2 and 1 <= n <= 1000", k, n);
    }
    return HF_OK;
}

/* to += factor * k^exponent, with `term` as scratch. */
static void add_power(hf_big *to, hf_big *term, uint64_t factor, uint32_t k, uint32_t exponent) {
    hf_big_set(term, factor);
    for (uint32_t i = 0; i < exponent; i++) {
        hf_big_mul_u64(term, k);
    }
    hf_big_add(to, term);
}

hf_status hf_kary_tree_paths(hf_context *cx, uint32_t k, uint32_t n, hf_big *out) {
    HF_TRY(check_shape(cx, k, n));
    hf_big *term;
    HF_TRY(hf_big_new(cx, &term));
    hf_big_set(out, 0);
    for (uint32_t t = 0; t < n; t++) {
        add_power(out, term, k - 1, k, n + 2 * t);
    }
    hf_big_free(term);
    return HF_OK;
}

hf_status hf_kary_tree_lost_paths(hf_context *cx, uint32_t k, uint32_t n, uint32_t s, hf_big *out) {
    HF_TRY(check_shape(cx, k, n));
    if (s + 1 >= n) {
        HF_FAIL(cx, HF_ERANGE, "stage %u: a %u-ary %u-tree has channels between stages s and s + 1 for s < %u only", s, k, n,
                n - 1);
    }
    hf_big *term;
    HF_TRY(hf_big_new(cx, &term));
    hf_big_set(out, 0);
    for (uint32_t t = s + 1; t < n; t++) {
        add_power(out, term, k - 1, k, s + 1 + t + (t - s - 1));
    }
    hf_big_free(term);
    return HF_OK;
}
