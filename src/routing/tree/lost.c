/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What each switch of a k-ary n-tree has lost under faults. */
#include "src/routing/tree/lost.h"

#include <holdfast/core/bitset.h>

typedef struct builder {
    hf_context *cx;
    const hf_plan *plan;
    const hf_tree *tree;
    hf_interval_list *lost;
    hf_interval_list everything, run[2];
} builder;

static bool is_failed(const hf_plan *plan, uint32_t channel) { return hf_bit_test(plan->faults->channel_set, channel); }

/* The units below `sw` (stage >= 1) whose way down from it is broken. */
static hf_status find_broken(const builder *b, uint32_t sw) {
    const hf_tree *tree = b->tree;
    hf_interval_list *broken = &b->lost[sw];
    for (uint32_t l = 0; l < tree->k; l++) {
        if (is_failed(b->plan, hf_tree_down_channel(tree, sw, l))) {
            hf_interval in = hf_tree_inclusion(tree, sw, l);
            HF_TRY(hf_spans_append(b->cx, broken, (hf_interval){in.lo / tree->k, in.hi / tree->k}));
            continue;
        }
        const hf_interval_list *under = &b->lost[hf_tree_under(tree, sw, l)];
        for (uint32_t i = 0; i < under->count; i++) {
            HF_TRY(hf_spans_append(b->cx, broken, under->item[i]));
        }
    }
    return HF_OK;
}

/* What up port k + j of `sw` has lost. */
static const hf_interval_list *lost_by_port(const builder *b, uint32_t sw, uint32_t j) {
    const hf_tree *tree = b->tree;
    if (is_failed(b->plan, hf_tree_up_channel(tree, sw, j))) {
        return &b->everything;
    }
    return &b->lost[hf_tree_above(tree, sw, j)];
}

static bool some_port_lost_nothing(const builder *b, uint32_t sw) {
    for (uint32_t j = 0; j < b->tree->k; j++) {
        if (lost_by_port(b, sw, j)->count == 0) {
            return true;
        }
    }
    return false;
}

/* The units that are not below `sw`. */
static hf_status outside(const builder *b, uint32_t sw, hf_interval_list *out) {
    const hf_tree *tree = b->tree;
    uint32_t block = tree->power[hf_tree_stage(tree, sw)];
    uint32_t lo = sw % tree->width / block * block;
    out->count = 0;
    if (lo > 0) {
        HF_TRY(hf_spans_append(b->cx, out, (hf_interval){0, lo - 1}));
    }
    if (lo + block < tree->width) {
        HF_TRY(hf_spans_append(b->cx, out, (hf_interval){lo + block, tree->width - 1}));
    }
    return HF_OK;
}

/* Add to lost[sw] the units that all its up ports have lost. */
static hf_status find_lost_above(builder *b, uint32_t sw) {
    if (some_port_lost_nothing(b, sw)) {
        return HF_OK;
    }
    HF_TRY(outside(b, sw, &b->run[0]));
    uint32_t now = 0;
    for (uint32_t j = 0; j < b->tree->k && b->run[now].count > 0; j++, now ^= 1) {
        HF_TRY(hf_spans_intersect(b->cx, &b->run[now], lost_by_port(b, sw, j), &b->run[now ^ 1]));
    }
    if (b->run[now].count == 0) {
        return HF_OK;
    }
    hf_interval_list below = b->lost[sw];
    b->lost[sw] = (hf_interval_list){0};
    return hf_spans_unite(b->cx, &below, &b->run[now], &b->lost[sw]);
}

static hf_status find_all(builder *b) {
    const hf_tree *tree = b->tree;
    for (uint32_t sw = tree->width; sw < tree->n_switch; sw++) {
        HF_TRY(find_broken(b, sw));
    }
    for (uint32_t stage = tree->n - 1; stage-- > 0;) {
        for (uint32_t o = 0; o < tree->width; o++) {
            HF_TRY(find_lost_above(b, stage * tree->width + o));
        }
    }
    return HF_OK;
}

hf_status hf_tree_find_lost(hf_context *cx, const hf_plan *plan, const hf_tree *tree, hf_interval_list **lost) {
    builder b = {.cx = cx, .plan = plan, .tree = tree};
    HF_TRY(hf_scratch(cx, tree->n_switch, sizeof *b.lost, (void **)&b.lost));
    *lost = b.lost;
    if (plan->faults->n_channel == 0) {
        return HF_OK;
    }
    HF_TRY(hf_spans_append(cx, &b.everything, (hf_interval){0, tree->width - 1}));
    return find_all(&b);
}
