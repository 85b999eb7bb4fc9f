/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The class bound on k-ary n-trees: every k - 1 faults are tolerated, because they leave one of k classes clean and a clean
 *  class serves every pair; k faults around one leaf switch are not. Making of the certificate; bound_check.c checks it.
 *  Source: [gomez2010, 3.4.2], by the class argument instead of the paper's count of ports. */
#include "src/analysis/tolerance/bound.h"

#include <string.h>

bool hf_bound_applies(const hf_rule *rule, hf_class_rule *out) {
    *out = (hf_class_rule){0};
    const hf_routing *routing = rule->routing;
    return (routing->traits & HF_ROUTING_ALL_MINIMAL) || (routing->class_rule && routing->class_rule(&rule->args, out));
}

/* The class that all channels of a component have in common. */
static hf_status classify(hf_context *cx, const hf_universe *universe, const hf_tree *tree, uint32_t component, uint32_t *out) {
    const uint32_t begin = universe->channel_begin[component], end = universe->channel_begin[component + 1];
    const uint32_t part = begin < end ? hf_tree_class(tree, universe->channel[begin]) : HF_NONE;
    bool is_one = part != HF_NONE;
    for (uint32_t i = begin; i < end && is_one; i++) {
        is_one = hf_tree_class(tree, universe->channel[i]) == part;
    }
    if (!is_one) {
        char name[HF_NAME_SIZE];
        hf_universe_name(universe, component, name, sizeof name);
        HF_FAIL(cx, HF_ENOTSUP,
                "class bound: component %s lies in no single class; it needs channels or links between switches, or switches "
                "of stage >= 1",
                name);
    }
    *out = part;
    return HF_OK;
}

/* A component of each class on the links of `leaf`, up or down. \return whether there is one on every link. */
static bool surround(const hf_tree *tree, uint32_t leaf, bool up, const uint32_t *taken_by, uint32_t *witness) {
    for (uint32_t j = 0; j < tree->k; j++) {
        const uint32_t channel = hf_tree_up_channel(tree, leaf, j) + (up ? 0 : tree->n_link);
        witness[j] = taken_by[channel];
        if (witness[j] == HF_NONE) {
            return false;
        }
    }
    return true;
}

static void sort(uint32_t *item, uint32_t n) {
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t x = item[i];
        uint32_t at = i;
        for (; at > 0 && item[at - 1] > x; at--) {
            item[at] = item[at - 1];
        }
        item[at] = x;
    }
}

/* Components that cut a leaf switch off: nothing gets up from it any more, or nothing down to it. */
static hf_status find_witness(hf_context *cx, const hf_universe *universe, const hf_tree *tree, hf_bound *bound) {
    void *memory;
    HF_TRY(hf_scratch(cx, universe->topo->n_channel, sizeof(uint32_t), &memory));
    uint32_t *taken_by = memory;
    memset(taken_by, 0xff, universe->topo->n_channel * sizeof *taken_by);
    for (uint32_t component = universe->n_component; component-- > 0;) {
        for (uint32_t i = universe->channel_begin[component]; i < universe->channel_begin[component + 1]; i++) {
            taken_by[universe->channel[i]] = component;
        }
    }
    for (uint32_t leaf = 0; leaf < tree->width; leaf++) {
        if (surround(tree, leaf, true, taken_by, bound->witness) || surround(tree, leaf, false, taken_by, bound->witness)) {
            sort(bound->witness, tree->k);
            return HF_OK;
        }
    }
    HF_FAIL(cx, HF_ENOTSUP,
            "class bound: no %u components of \"%s\" cut a leaf switch off, so the bound of %u faults may not be sharp", tree->k,
            universe->spec, tree->k - 1);
}

static hf_status fill(hf_context *cx, const hf_universe *universe, const hf_rule *rule, const hf_tree *tree, hf_bound *bound) {
    HF_TRY(hf_duplicate(cx, universe->topo->spec, &bound->topology));
    HF_TRY(hf_duplicate(cx, rule->spec, &bound->routing));
    HF_TRY(hf_duplicate(cx, universe->spec, &bound->universe));
    HF_TRY(hf_allocate(cx, universe->n_component, sizeof *bound->class_of, (void **)&bound->class_of));
    HF_TRY(hf_allocate(cx, tree->k, sizeof *bound->witness, (void **)&bound->witness));
    bound->n_class = tree->k;
    bound->n_component = universe->n_component;
    bound->n_witness = tree->k;
    for (uint32_t i = 0; i < universe->n_component; i++) {
        HF_TRY(classify(cx, universe, tree, i, &bound->class_of[i]));
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = find_witness(cx, universe, tree, bound);
    hf_scratch_reset(cx, mark);
    return status;
}

hf_status hf_bound_make(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_bound **out) {
    hf_class_rule traits;
    hf_tree tree;
    if (!hf_tree_of(universe->topo, &tree) || tree.n < 2 || !hf_bound_applies(rule, &traits)) {
        HF_FAIL(cx, HF_ENOTSUP,
                "class bound: \"%s\" on \"%s\" has no classes; they exist for updown, and for ft2ei with propagate=yes, on "
                "k-ary n-trees with n >= 2",
                rule->spec, universe->topo->spec);
    }
    hf_bound *bound;
    HF_TRY(hf_allocate(cx, 1, sizeof *bound, (void **)&bound));
    bound->allocator = *hf_context_allocator(cx);
    const hf_status status = fill(cx, universe, rule, &tree, bound);
    if (status != HF_OK) {
        hf_bound_free(bound);
        return status;
    }
    *out = bound;
    return HF_OK;
}

void hf_bound_free(hf_bound *bound) {
    if (!bound) {
        return;
    }
    const hf_allocator allocator = bound->allocator;
    void *const block[] = {bound->topology, bound->routing, bound->universe, bound->class_of, bound->witness, bound};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
}
