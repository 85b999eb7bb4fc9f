/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judges of `updown` and `ft2ei` on k-ary n-trees: the exclusion state with, for `updown`, bit lanes beside it. */
#include <string.h>

#include "src/routing/tree/exclusion.h"
#include "src/routing/tree/lanes.h"

typedef struct tree_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_tree_exclusion *tree;
    hf_tree_lanes *lanes; /* NULL: none */
} tree_judge;

static hf_status judge_push(hf_context *cx, hf_judge *base, uint32_t component) {
    tree_judge *judge = (tree_judge *)base;
    HF_TRY(hf_tree_exclusion_push(cx, judge->tree, component));
    if (!judge->lanes) {
        return HF_OK;
    }
    const hf_status status = hf_tree_lanes_push(cx, judge->lanes, component);
    if (status != HF_OK) {
        hf_tree_exclusion_pop(judge->tree);
    }
    return status;
}

static void judge_pop(hf_judge *base) {
    tree_judge *judge = (tree_judge *)base;
    hf_tree_exclusion_pop(judge->tree);
    if (judge->lanes) {
        hf_tree_lanes_pop(judge->lanes);
    }
}

static hf_status judge_read(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    hf_tree_exclusion_read(((tree_judge *)base)->tree, out);
    return HF_OK;
}

static hf_status judge_count(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                             uint64_t *first) {
    return hf_tree_lanes_count(cx, ((tree_judge *)base)->lanes, r, lo, hi, not_tolerated, first);
}

static bool judge_safe(hf_judge *base, uint32_t r) { return hf_tree_lanes_safe(((tree_judge *)base)->lanes, r); }

static void judge_free(hf_judge *base) {
    tree_judge *judge = (tree_judge *)base;
    hf_tree_exclusion_free(judge->tree);
    hf_tree_lanes_free(judge->lanes);
    const hf_allocator allocator = judge->allocator;
    hf_release(&allocator, judge);
}

static const hf_judge_ops plain_ops = {.push = judge_push, .pop = judge_pop, .read = judge_read, .free = judge_free};
static const hf_judge_ops lane_ops = {
    .push = judge_push, .pop = judge_pop, .read = judge_read, .count = judge_count, .safe = judge_safe, .free = judge_free};

static hf_status judge_new(hf_context *cx, const hf_universe *universe, uint64_t intervals, bool own, bool lanes,
                           hf_judge **out) {
    tree_judge *judge;
    HF_TRY(hf_allocate(cx, 1, sizeof *judge, (void **)&judge));
    judge->allocator = *hf_context_allocator(cx);
    hf_status status = hf_tree_exclusion_new(cx, universe, intervals, own, &judge->tree);
    if (status == HF_OK && lanes) {
        status = hf_tree_lanes_new(cx, universe, &judge->lanes);
        if (status == HF_ENOTSUP) {
            /* Larger trees do without lanes. */
            hf_context_clear(cx);
            status = HF_OK;
        }
    }
    if (status != HF_OK) {
        judge_free(&judge->base);
        return status;
    }
    judge->base.ops = judge->lanes ? &lane_ops : &plain_ops;
    *out = &judge->base;
    return HF_OK;
}

/* Ways over different virtual channels are different paths, and these masks know channels alone. */
static hf_status need_one_vc(hf_context *cx, const hf_args *args, const char *rule) {
    if (hf_args_get(args, "vcs")->number > 1) {
        HF_FAIL(cx, HF_ENOTSUP, "%s: the incremental judge needs vcs=1", rule);
    }
    return HF_OK;
}

hf_status hf_updown_judge_new(hf_context *cx, const hf_universe *universe, const hf_args *args, hf_judge **out) {
    HF_TRY(need_one_vc(cx, args, "updown"));
    return judge_new(cx, universe, HF_UNLIMITED, false, true, out);
}

hf_status hf_ft2ei_judge_new(hf_context *cx, const hf_universe *universe, const hf_args *args, hf_judge **out) {
    HF_TRY(need_one_vc(cx, args, "ft2ei"));
    if (!hf_args_get(args, "propagate")->number) {
        /* Without propagation packets get stuck above the leaf switches, which these masks do not see. */
        HF_FAIL(cx, HF_ENOTSUP, "ft2ei: the incremental judge needs propagate=yes");
    }
    return judge_new(cx, universe, hf_args_get(args, "intervals")->number, hf_args_get(args, "own")->number != 0, false, out);
}
