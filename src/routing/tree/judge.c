/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judges of `updown` and `ft2ei` on k-ary n-trees. Classes say at once that most sets are tolerated, and with exact
 *  exclusion which are not. What more is asked comes from the exclusion state, for victims, lost paths and registers, and on
 *  small trees from bit lanes, for many sets at once. Each of them is brought up to the present set only when it is asked. */
#include <holdfast/core/bitset.h>

#include "src/routing/tree/classes.h"
#include "src/routing/tree/exclusion.h"
#include "src/routing/tree/lanes.h"
#include "src/routing/tree/planes.h"

enum { SEARCH_STEPS = 1 << 20 /* about what the exclusion state takes */ };

typedef struct tree_judge {
    hf_judge base;
    hf_allocator allocator;
    const hf_universe *universe;
    hf_tree_registers registers;
    bool is_exact, fits; /* the exclusion is exact; its masks fit */
    hf_fault_stack failed;
    uint32_t cut_at; /* so many components cut the tree: whatever fails after them, it stays so; HF_NONE: not known to be cut */
    hf_tree_classes *classes;
    hf_tree_planes *planes;              /* tables of a small tree with registers; NULL: none */
    uint32_t n_planes;                   /* so many components are in them */
    hf_tree_exclusion *tree;             /* NULL: not made yet */
    hf_tree_lanes *lanes;                /* NULL: not made yet, or larger than lanes can be */
    uint32_t n_classes, n_tree, n_lanes; /* so many components are in each of them */
    bool has_tried_lanes;
} tree_judge;

/* ---- the stack ---- */

static hf_status judge_push(hf_context *cx, hf_judge *base, uint32_t component) {
    tree_judge *judge = (tree_judge *)base;
    if (judge->failed.depth == judge->universe->n_component) {
        HF_FAIL(cx, HF_EINVAL, "%u components failed, the universe has no more", judge->failed.depth);
    }
    return hf_fault_stack_push(cx, &judge->failed, component);
}

static void judge_pop(hf_judge *base) {
    tree_judge *judge = (tree_judge *)base;
    const uint32_t depth = judge->failed.depth;
    if (judge->n_classes == depth) {
        hf_tree_classes_pop(judge->classes);
        judge->n_classes--;
    }
    if (judge->n_tree == depth) {
        hf_tree_exclusion_pop(judge->tree);
        judge->n_tree--;
    }
    if (judge->n_lanes == depth) {
        hf_tree_lanes_pop(judge->lanes);
        judge->n_lanes--;
    }
    if (judge->n_planes == depth && depth > 0) {
        hf_tree_planes_pop(judge->planes);
        judge->n_planes--;
    }
    (void)hf_fault_stack_pop(&judge->failed);
    judge->cut_at = judge->cut_at >= depth ? HF_NONE : judge->cut_at;
}

/* Bring one of the states up to the present set. */
static const hf_tree_classes *classes_of(tree_judge *judge) {
    for (; judge->n_classes < judge->failed.depth; judge->n_classes++) {
        hf_tree_classes_push(judge->classes, judge->failed.component[judge->n_classes]);
    }
    return judge->classes;
}

static hf_status follow_tree(hf_context *cx, tree_judge *judge) {
    if (!judge->tree) {
        HF_TRY(hf_tree_exclusion_new(cx, judge->universe, &judge->registers, &judge->tree));
    }
    for (; judge->n_tree < judge->failed.depth; judge->n_tree++) {
        HF_TRY(hf_tree_exclusion_push(cx, judge->tree, judge->failed.component[judge->n_tree]));
    }
    return HF_OK;
}

/* Larger trees do without lanes. */
static hf_status make_lanes(hf_context *cx, tree_judge *judge) {
    const hf_status status = hf_tree_lanes_new(cx, judge->universe, &judge->lanes);
    judge->has_tried_lanes = status == HF_OK || status == HF_ENOTSUP;
    if (status != HF_ENOTSUP) {
        return status;
    }
    hf_context_clear(cx);
    return HF_OK;
}

static hf_status follow_lanes(hf_context *cx, tree_judge *judge) {
    if (!judge->has_tried_lanes) {
        HF_TRY(make_lanes(cx, judge));
    }
    for (; judge->lanes && judge->n_lanes < judge->failed.depth; judge->n_lanes++) {
        HF_TRY(hf_tree_lanes_push(cx, judge->lanes, judge->failed.component[judge->n_lanes]));
    }
    return HF_OK;
}

/* ---- one set ---- */

/* Is some leaf switch cut off from another? */
static hf_status find_cut(hf_context *cx, tree_judge *judge, bool *cut) {
    hf_tree_cut answer = HF_TREE_TOO_LONG;
    *cut = judge->cut_at != HF_NONE;
    if (*cut || hf_tree_classes_clean(classes_of(judge))) {
        return HF_OK;
    }
    if (judge->is_exact) {
        HF_TRY(hf_tree_classes_cut(cx, judge->classes, judge->fits ? SEARCH_STEPS : UINT64_MAX, &answer));
    }
    if (answer == HF_TREE_TOO_LONG) {
        HF_TRY(follow_tree(cx, judge));
    }
    *cut = answer == HF_TREE_TOO_LONG ? hf_tree_exclusion_is_cut(judge->tree) : answer == HF_TREE_CUT;
    judge->cut_at = *cut ? judge->failed.depth : HF_NONE;
    return HF_OK;
}

static hf_status is_tolerated(hf_context *cx, tree_judge *judge, bool *out) {
    bool cut = false;
    if (hf_tree_classes_dead_ends(classes_of(judge)) == 0) {
        HF_TRY(find_cut(cx, judge, &cut));
        *out = !cut;
        return HF_OK;
    }
    *out = false;
    return HF_OK;
}

static hf_status judge_verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    tree_judge *judge = (tree_judge *)base;
    *out = (hf_measure){.live = hf_tree_classes_live(classes_of(judge))};
    return is_tolerated(cx, judge, &out->tolerated);
}

/* A tree too large for the exclusion state has verdicts only. */
static hf_status judge_read(hf_context *cx, hf_judge *base, hf_measure *out) {
    tree_judge *judge = (tree_judge *)base;
    if (!judge->fits) {
        return judge_verdict(cx, base, out);
    }
    HF_TRY(follow_tree(cx, judge));
    hf_tree_exclusion_read(judge->tree, out);
    return HF_OK;
}

static hf_status judge_surviving(hf_context *cx, hf_judge *base, bool *out) {
    tree_judge *judge = (tree_judge *)base;
    const hf_topology *topo = judge->universe->topo;
    uint32_t *queue;
    uint64_t *seen;
    if (!judge->fits) {
        HF_FAIL(cx, HF_ENOTSUP, "exclusion masks of \"%s\" are too large", topo->spec);
    }
    HF_TRY(follow_tree(cx, judge));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *queue, (void **)&queue));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *seen, (void **)&seen));
    *out = hf_tree_exclusion_serves_reached(judge->tree, queue, seen);
    return HF_OK;
}

/* ---- many sets ---- */

static bool judge_safe(hf_judge *base, uint32_t r) { return hf_tree_classes_safe(classes_of((tree_judge *)base), r); }

static uint32_t first_above(const tree_judge *judge) {
    return judge->failed.depth > 0 ? judge->failed.component[judge->failed.depth - 1] + 1 : 0;
}

typedef struct tally {
    uint64_t bad, first;
} tally;

static void add_all(tally *sum, uint64_t lo, uint64_t hi) {
    if (lo < hi) {
        sum->bad += hi - lo;
        sum->first = sum->first == UINT64_MAX ? lo : sum->first;
    }
}

/* Is every set that has the present one in it not tolerated? */
static hf_status is_lost(hf_context *cx, tree_judge *judge, bool *out) {
    bool tolerated = false;
    HF_TRY(is_tolerated(cx, judge, &tolerated));
    *out = !tolerated;
    return HF_OK;
}

/* The present set with one of the components from + lo .. from + hi - 1; set i has the index `base` + i. */
static hf_status count_one(hf_context *cx, tree_judge *judge, uint64_t lo, uint64_t hi, uint64_t base, tally *sum) {
    const uint32_t from = first_above(judge), end = from + (uint32_t)hi;
    bool lost, tolerated = false;
    HF_TRY(is_lost(cx, judge, &lost));
    if (lost) {
        add_all(sum, base + lo, base + hi);
        return HF_OK;
    }
    for (uint32_t c = hf_tree_classes_next(classes_of(judge), from + (uint32_t)lo, end, 1); c < end;
         c = hf_tree_classes_next(classes_of(judge), c + 1, end, 1)) {
        HF_TRY(judge_push(cx, &judge->base, c));
        const hf_status status = is_tolerated(cx, judge, &tolerated);
        judge_pop(&judge->base);
        HF_TRY(status);
        if (!tolerated) {
            add_all(sum, base + c - from, base + c - from + 1);
        }
    }
    return HF_OK;
}

/* The present set with two more: those that share the first of them follow one another. */
static hf_status count_two(hf_context *cx, tree_judge *judge, uint64_t lo, uint64_t hi, tally *sum) {
    const uint32_t from = first_above(judge), m = judge->universe->n_component;
    bool lost;
    HF_TRY(is_lost(cx, judge, &lost));
    if (lost) {
        add_all(sum, lo, hi);
        return HF_OK;
    }
    for (uint32_t c = hf_tree_classes_next(classes_of(judge), from, m, 2); c < m;
         c = hf_tree_classes_next(classes_of(judge), c + 1, m, 2)) {
        const uint64_t row = c - from, base = row * (2 * ((uint64_t)m - from) - row - 1) / 2, size = m - 1 - c;
        const uint64_t begin = lo > base ? lo - base : 0, end = hi < base + size ? (hi > base ? hi - base : 0) : size;
        if (base >= hi) {
            break;
        }
        if (begin >= end) {
            continue;
        }
        HF_TRY(hf_context_go_on(cx, "judging fault sets"));
        HF_TRY(judge_push(cx, &judge->base, c));
        const hf_status status = judge_safe(&judge->base, 1) ? HF_OK : count_one(cx, judge, begin, end, base, sum);
        judge_pop(&judge->base);
        HF_TRY(status);
    }
    return HF_OK;
}

static hf_status judge_count(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, uint64_t *not_tolerated,
                             uint64_t *first) {
    tree_judge *judge = (tree_judge *)base;
    tally sum = {0, UINT64_MAX};
    hf_status status = HF_OK;
    if (!judge_safe(base, r)) {
        status = judge->is_exact ? follow_lanes(cx, judge) : HF_OK;
        if (status == HF_OK && judge->lanes) {
            return hf_tree_lanes_count(cx, judge->lanes, r, lo, hi, not_tolerated, first);
        }
        if (status == HF_OK) {
            status = r == 1 ? count_one(cx, judge, lo, hi, 0, &sum) : count_two(cx, judge, lo, hi, &sum);
        }
    }
    *not_tolerated = sum.bad;
    *first = sum.first;
    return status;
}

static hf_status judge_sum(hf_context *cx, hf_judge *base, uint32_t r, uint64_t lo, uint64_t hi, hf_judge_sum *out) {
    tree_judge *judge = (tree_judge *)base;
    for (; judge->n_planes < judge->failed.depth; judge->n_planes++) {
        HF_TRY(hf_tree_planes_push(cx, judge->planes, judge->failed.component[judge->n_planes]));
    }
    return hf_tree_planes_sum(cx, judge->planes, r, lo, hi, out);
}

static void judge_free(hf_judge *base) {
    tree_judge *judge = (tree_judge *)base;
    hf_tree_planes_free(judge->planes);
    const hf_allocator allocator = judge->allocator;
    hf_tree_exclusion_free(judge->tree);
    hf_tree_lanes_free(judge->lanes);
    hf_tree_classes_free(judge->classes);
    hf_release(&allocator, judge->failed.component);
    hf_release(&allocator, judge);
}

static const hf_judge_ops ops = {.push = judge_push,
                                 .pop = judge_pop,
                                 .read = judge_read,
                                 .verdict = judge_verdict,
                                 .count = judge_count,
                                 .safe = judge_safe,
                                 .surviving = judge_surviving,
                                 .free = judge_free};

static const hf_judge_ops summing_ops = {.push = judge_push,
                                         .pop = judge_pop,
                                         .read = judge_read,
                                         .verdict = judge_verdict,
                                         .count = judge_count,
                                         .safe = judge_safe,
                                         .surviving = judge_surviving,
                                         .sum = judge_sum,
                                         .sum_most = HF_TREE_PLANES_SUM,
                                         .free = judge_free};

static hf_status judge_new(hf_context *cx, const hf_universe *universe, const hf_tree_registers *registers, hf_judge **out) {
    tree_judge *judge;
    HF_TRY(hf_allocate(cx, 1, sizeof *judge, (void **)&judge));
    *judge = (tree_judge){.base = {.ops = &ops},
                          .allocator = *hf_context_allocator(cx),
                          .universe = universe,
                          .registers = *registers,
                          .cut_at = HF_NONE};
    hf_status status = hf_tree_classes_new(cx, universe, &judge->classes);
    if (status == HF_OK && registers->limit != HF_UNLIMITED) {
        status = hf_tree_planes_new(cx, universe, registers, &judge->planes);
    }
    if (status != HF_OK) {
        judge_free(&judge->base);
        return status;
    }
    judge->is_exact = hf_tree_exclusion_is_exact(universe->topo, registers);
    judge->fits = hf_tree_exclusion_fits(universe->topo, registers);
    judge->base.ops = judge->planes ? &summing_ops : &ops;
    *out = &judge->base;
    return HF_OK;
}

hf_status hf_minimal_tree_judge_new(hf_context *cx, const hf_universe *universe, uint32_t n_vc, hf_judge **out) {
    const hf_tree_registers registers = {.limit = HF_UNLIMITED, .n_vc = n_vc};
    return judge_new(cx, universe, &registers, out);
}

hf_status hf_updown_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_minimal_tree_judge_new(cx, universe, (uint32_t)hf_args_get(&rule->args, "vcs")->number, out);
}

hf_status hf_ft2ei_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const hf_tree_registers registers = {.limit = hf_args_get(&rule->args, "intervals")->number,
                                         .own = hf_args_get(&rule->args, "own")->number != 0,
                                         .n_vc = (uint32_t)hf_args_get(&rule->args, "vcs")->number};
    if (!hf_args_get(&rule->args, "propagate")->number) {
        /* Without propagation packets get stuck above the leaf switches, which neither classes nor masks see. */
        HF_FAIL(cx, HF_ENOTSUP, "ft2ei: the incremental judge needs propagate=yes");
    }
    if (!hf_tree_exclusion_is_exact(universe->topo, &registers) && !hf_tree_exclusion_fits(universe->topo, &registers)) {
        HF_FAIL(cx, HF_ENOTSUP, "exclusion masks of \"%s\" are too large", universe->topo->spec);
    }
    return judge_new(cx, universe, &registers, out);
}
