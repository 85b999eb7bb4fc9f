/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Arithmetic and span lists for the plans of k-ary n-trees. */
#include "src/routing/tree/plan.h"
#include "src/routing/tree/route.h"

#include <stdlib.h>
#include <string.h>

bool hf_tree_of(const hf_topology *topo, hf_tree *tree) {
    hf_kary_tree shape;
    if (!hf_kary_tree_shape(topo, &shape) || shape.n > HF_TREE_STAGES_MAX) {
        return false;
    }
    *tree = (hf_tree){.k = shape.k,
                      .n = shape.n,
                      .width = shape.width,
                      .n_terminal = topo->n_terminal,
                      .n_switch = topo->n_switch,
                      .n_switch_link = topo->n_switch_link,
                      .n_link = topo->n_link};
    tree->power[0] = 1;
    for (uint32_t i = 0; i < shape.n; i++) {
        tree->power[i + 1] = tree->power[i] * shape.k;
    }
    return true;
}

hf_status hf_tree_accepts(hf_context *cx, const hf_topology *topo, const char *rule) {
    hf_tree tree;
    if (!hf_tree_of(topo, &tree)) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" needs a k-ary n-tree such as \"kary-tree:k=4,n=3\"; \"%s\" is none", rule,
                topo->spec);
    }
    return HF_OK;
}

bool hf_tree_chooses(const hf_topology *topo, const hf_args *args) {
    hf_kary_tree shape;
    (void)args;
    return hf_kary_tree_shape(topo, &shape) && shape.n > 1;
}

hf_status hf_tree_plan_plain(hf_context *cx, hf_plan *plan) {
    hf_tree *tree;
    HF_TRY(hf_scratch(cx, 1, sizeof *tree, (void **)&tree));
    if (!hf_tree_of(plan->topo, tree)) {
        return hf_tree_accepts(cx, plan->topo, plan->routing->name);
    }
    plan->state = tree;
    hf_route_take_vcs(plan, 1);
    return HF_OK;
}

uint32_t hf_tree_run(const hf_plan *plan, const hf_tree *tree, uint32_t at, uint32_t destination) {
    if (plan->faults->n_channel > 0) {
        return destination + 1;
    }
    if (at >= tree->n_switch) {
        return HF_NONE;
    }
    const uint32_t s = hf_tree_stage(tree, at), child = tree->power[s], below = tree->power[s + 1];
    if (hf_tree_is_below(tree, at, destination)) {
        return destination - destination % child + child;
    }
    const uint32_t first = (at - s * tree->width) / tree->power[s] * below;
    return destination < first ? first : HF_NONE;
}

hf_interval hf_tree_inclusion(const hf_tree *tree, uint32_t sw, uint32_t port) {
    uint32_t s = hf_tree_stage(tree, sw);
    uint32_t below = (sw - s * tree->width) / tree->power[s] * tree->power[s + 1];
    if (port < tree->k) {
        uint32_t lo = below + port * tree->power[s];
        return (hf_interval){lo, lo + tree->power[s] - 1};
    }
    uint32_t n = tree->n_terminal;
    return (hf_interval){(below + tree->power[s + 1]) % n, (below + n - 1) % n};
}

hf_tree_touch hf_tree_fault(const hf_tree *tree, uint32_t channel, bool own) {
    bool is_up = channel < tree->n_link;
    uint32_t link = is_up ? channel : channel - tree->n_link;
    if (link >= tree->n_switch_link) {
        return (hf_tree_touch){.skip = HF_NONE};
    }
    uint32_t lower = link / tree->k;
    uint32_t port = link % tree->k;
    if (is_up) {
        return (hf_tree_touch){lower, 1, 1, HF_NONE, port, {0, tree->n_terminal - 1}};
    }
    /* link l of <e, v>, where <e - 1, v_(n-2) .. v_e, l, v_(e-2) .. v_0> is `lower`: all <e - 1, X .. X, v_(e-2) .. v_0> */
    uint32_t s = hf_tree_stage(tree, lower);
    uint32_t step = tree->power[s];
    uint32_t first = s * tree->width + (lower - s * tree->width) % step;
    uint32_t l = hf_tree_digit(tree, lower - s * tree->width, s);
    hf_interval excluded = hf_tree_inclusion(tree, hf_tree_above(tree, lower, port), l);
    return (hf_tree_touch){first, step, tree->width / step, own ? HF_NONE : lower, port, excluded};
}

bool hf_spans_has(const hf_interval_list *spans, uint32_t x) {
    uint32_t lo = 0, hi = spans->count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (spans->item[middle].hi < x) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < spans->count && spans->item[lo].lo <= x;
}

static hf_status reserve(hf_context *cx, hf_interval_list *spans, uint32_t need) {
    if (need <= spans->capacity) {
        return HF_OK;
    }
    size_t capacity = spans->capacity * 2 > need ? spans->capacity * 2 : need;
    capacity = capacity < 4 ? 4 : capacity;
    void *item;
    HF_TRY(hf_scratch(cx, capacity, sizeof *spans->item, &item));
    if (spans->count > 0) {
        memcpy(item, spans->item, spans->count * sizeof *spans->item);
    }
    spans->item = item;
    spans->capacity = capacity;
    return HF_OK;
}

hf_status hf_spans_append(hf_context *cx, hf_interval_list *spans, hf_interval add) {
    if (spans->count > 0) {
        hf_interval *last = &spans->item[spans->count - 1];
        if (add.lo <= last->hi || add.lo == last->hi + 1) {
            last->hi = add.hi > last->hi ? add.hi : last->hi;
            return HF_OK;
        }
    }
    HF_TRY(reserve(cx, spans, spans->count + 1));
    spans->item[spans->count++] = add;
    return HF_OK;
}

static int by_lower_bound(const void *a, const void *b) {
    uint32_t x = ((const hf_interval *)a)->lo, y = ((const hf_interval *)b)->lo;
    return (x > y) - (x < y);
}

hf_status hf_spans_cut(hf_context *cx, const hf_interval_list *cyclic, uint32_t n, hf_interval_list *out) {
    HF_TRY(reserve(cx, out, 2 * cyclic->count));
    uint32_t count = 0;
    for (uint32_t i = 0; i < cyclic->count; i++) {
        hf_interval a = cyclic->item[i];
        if (a.lo <= a.hi) {
            out->item[count++] = a;
        } else {
            out->item[count++] = (hf_interval){0, a.hi};
            out->item[count++] = (hf_interval){a.lo, n - 1};
        }
    }
    if (count > 1) {
        qsort(out->item, count, sizeof *out->item, by_lower_bound);
    }
    /* joining neighbours only shrinks the list, so appending to itself is safe */
    out->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        HF_TRY(hf_spans_append(cx, out, out->item[i]));
    }
    return HF_OK;
}

hf_status hf_spans_intersect(hf_context *cx, const hf_interval_list *a, const hf_interval_list *b, hf_interval_list *out) {
    out->count = 0;
    for (uint32_t i = 0, j = 0; i < a->count && j < b->count;) {
        hf_interval x = a->item[i], y = b->item[j];
        hf_interval both = {x.lo > y.lo ? x.lo : y.lo, x.hi < y.hi ? x.hi : y.hi};
        if (both.lo <= both.hi) {
            HF_TRY(hf_spans_append(cx, out, both));
        }
        if (x.hi < y.hi) {
            i++;
        } else {
            j++;
        }
    }
    return HF_OK;
}

hf_status hf_spans_unite(hf_context *cx, const hf_interval_list *a, const hf_interval_list *b, hf_interval_list *out) {
    out->count = 0;
    HF_TRY(reserve(cx, out, a->count + b->count));
    for (uint32_t i = 0, j = 0; i < a->count || j < b->count;) {
        bool take_a = j == b->count || (i < a->count && a->item[i].lo < b->item[j].lo);
        HF_TRY(hf_spans_append(cx, out, take_a ? a->item[i++] : b->item[j++]));
    }
    return HF_OK;
}
