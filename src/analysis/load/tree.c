/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Load of k-ary n-trees whose plan offers every minimal path, split evenly: the k^(s+1) up channels that leave a subtree of
 *  stage s share what the subtree sends out, and the down channels into it what comes in. So sums of the traffic between
 *  subtrees are enough, and no path is walked. */
#include "src/analysis/load/load.h"
#include "src/routing/tree/plan.h"

/** What crosses the border of each subtree, by stage and number of the subtree. */
typedef struct borders {
    hf_tree tree;
    uint64_t *out[HF_TREE_STAGES_MAX], *in[HF_TREE_STAGES_MAX];
} borders;

static bool is_even_tree(const hf_plan *plan, hf_split split, hf_tree *tree) {
    return split == HF_SPLIT_EVEN && (hf_plan_traits(plan) & HF_ROUTING_ALL_MINIMAL) && plan->faults->n_channel == 0 &&
           plan->n_vc == 1 && hf_tree_of(plan->topo, tree) && tree->n <= HF_TREE_STAGES_MAX;
}

static hf_status start(hf_context *cx, borders *b) {
    uint32_t n_subtree = b->tree.width;
    for (uint32_t s = 0; s < b->tree.n; s++, n_subtree /= b->tree.k) {
        HF_TRY(hf_scratch(cx, n_subtree, sizeof(uint64_t), (void **)&b->out[s]));
        HF_TRY(hf_scratch(cx, n_subtree, sizeof(uint64_t), (void **)&b->in[s]));
    }
    return HF_OK;
}

/* Weights fit: those of a terminal sum up to at most the denominator, and 2^40 times 2^24 terminals is the most there is. */
static void add_pair(borders *b, uint32_t from, uint32_t to, uint64_t weight) {
    uint32_t x = from / b->tree.k, y = to / b->tree.k;
    for (uint32_t s = 0; x != y; s++) {
        b->out[s][x] += weight;
        b->in[s][y] += weight;
        x /= b->tree.k;
        y /= b->tree.k;
    }
}

static void add_pairs(borders *b, const hf_traffic *traffic, hf_load *load, uint64_t scale) {
    for (uint32_t s = 0; s < traffic->n_terminal; s++) {
        for (uint32_t d = 0; d < traffic->n_terminal; d++) {
            const uint64_t weight = hf_traffic_weight(traffic, s, d);
            if (weight) {
                add_pair(b, s, d, weight);
                load->part[hf_tree_injection(&b->tree, s)] += (hf_u128)weight * scale;
                load->part[hf_tree_ejection(&b->tree, d)] += (hf_u128)weight * scale;
            }
        }
    }
}

static void spread(const borders *b, hf_load *load, uint64_t scale) {
    const hf_tree *tree = &b->tree;
    uint32_t n_share = tree->k, units = 1;
    for (uint32_t s = 0; s + 1 < tree->n; s++, n_share *= tree->k, units *= tree->k) {
        for (uint32_t o = 0; o < tree->width; o++) {
            for (uint32_t j = 0; j < tree->k; j++) {
                const uint32_t up = hf_tree_up_channel(tree, s * tree->width + o, j);
                load->part[up] = (hf_u128)b->out[s][o / units] * (scale / n_share);
                load->part[load->topo->reverse[up]] = (hf_u128)b->in[s][o / units] * (scale / n_share);
            }
        }
    }
}

static hf_status sum_up(hf_context *cx, borders *b, const hf_traffic *traffic, hf_load *load) {
    const uint64_t scale = b->tree.width; /* k^(n-1), the most channels that share */
    HF_TRY(start(cx, b));
    add_pairs(b, traffic, load, scale);
    spread(b, load, scale);
    load->denominator = (hf_u128)traffic->denominator * scale;
    hf_load_conclude(load);
    return HF_OK;
}

static hf_status find_tree(hf_context *cx, borders *b, const hf_traffic *traffic, const hf_topology *topo, hf_load **out) {
    hf_load *load;
    HF_TRY(hf_load_start(cx, topo, &load));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = sum_up(cx, b, traffic, load);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_load_free(load);
        return status;
    }
    *out = load;
    return HF_OK;
}

hf_status hf_load_find(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load **out) {
    borders b = {0};
    return is_even_tree(plan, split, &b.tree) ? find_tree(cx, &b, traffic, plan->topo, out)
                                              : hf_load_walk(cx, plan, traffic, split, out);
}
