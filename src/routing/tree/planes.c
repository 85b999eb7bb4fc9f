/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Subsets of the components of each plane, measured once. A plane is a class of channels (hf_tree_class()): registers of a port
 *  see failures of its class only [gomez2010, 3.2]. */
#include "src/routing/tree/planes.h"

#include "src/routing/tree/plan.h"
#include "src/routing/tree/state.h"

enum { BITS = 16, PLANES = 8 }; /* components of a plane; n_unit^2 bits say what the leaf switches exclude, so k <= 8 */

/* One subset. */
typedef struct entry {
    uint64_t excluded; /* by leaf switch: units that its up port excludes */
    uint64_t victims, lost_paths;
    bool is_known;
} entry;

struct hf_tree_planes {
    hf_allocator allocator;
    hf_tree_exclusion *tree; /* empty between calls but out of order */
    uint32_t n_plane, n_component;
    uint32_t *plane, *bit; /* by component */
    uint32_t *member;      /* n_plane rows of BITS: components, ascending */
    entry *entry;          /* n_plane tables of 2^BITS, or as many as there are subsets */
    size_t table;          /* entries of a table */
    uint32_t subset[PLANES];
    uint32_t *stack, depth;
    uint32_t n_ordered; /* of the stack; the rest is out of order, and all of it in `tree` */
};

/* ---- planes ---- */

/* The plane in which all channels of a component lie; HF_NONE: there is none. */
static uint32_t plane_of(const hf_universe *u, const hf_tree *tree, uint32_t component) {
    const uint32_t begin = u->channel_begin[component], end = u->channel_begin[component + 1];
    const uint32_t plane = begin < end ? hf_tree_class(tree, u->channel[begin]) : HF_NONE;
    for (uint32_t i = begin; i < end; i++) {
        if (hf_tree_class(tree, u->channel[i]) != plane) {
            return HF_NONE;
        }
    }
    return plane;
}

/* \param[out] most components of a plane \return whether tables can do it */
static bool find_planes(const hf_tree_exclusion *t, hf_tree_planes *p, uint32_t *most) {
    uint32_t count[PLANES] = {0};
    hf_tree tree;
    *most = 0;
    if (!hf_tree_of(t->universe->topo, &tree)) {
        return false;
    }
    for (uint32_t c = 0; c < p->n_component; c++) {
        const uint32_t plane = plane_of(t->universe, &tree, c);
        if (plane == HF_NONE || count[plane] == BITS) {
            return false;
        }
        p->plane[c] = plane;
        p->bit[c] = count[plane]++;
        p->member[plane * BITS + p->bit[c]] = c;
        *most = count[plane] > *most ? count[plane] : *most;
    }
    return true;
}

static hf_status fill(hf_context *cx, hf_tree_planes *p, uint32_t plane, uint32_t subset, entry *e) {
    hf_tree_exclusion *t = p->tree;
    hf_measure measure;
    hf_status status = HF_OK;
    uint32_t n = 0;
    for (uint32_t bits = subset; bits && status == HF_OK; bits &= bits - 1) {
        status = hf_tree_exclusion_push(cx, t, p->member[plane * BITS + (uint32_t)__builtin_ctz(bits)]);
        n += status == HF_OK;
    }
    if (status == HF_OK) {
        hf_tree_exclusion_read(t, &measure);
        *e = (entry){.victims = measure.victims, .lost_paths = measure.lost_paths, .is_known = true};
        for (uint32_t o = 0; o < t->shape.n_unit; o++) {
            const uint64_t held = *hf_tree_held_of(t, o * t->shape.k + plane) & hf_tree_levels_of(t, 0, o)[0];
            e->excluded |= held << o * t->shape.n_unit;
        }
    }
    while (n-- > 0) {
        hf_tree_exclusion_pop(t);
    }
    return status;
}

static hf_status look_up(hf_context *cx, hf_tree_planes *p, uint32_t plane, uint32_t subset, const entry **out) {
    entry *e = &p->entry[plane * p->table + subset];
    *out = e;
    return e->is_known ? HF_OK : fill(cx, p, plane, subset, e);
}

void hf_tree_planes_free(hf_tree_planes *p) {
    if (p) {
        const hf_allocator allocator = p->allocator;
        hf_tree_exclusion_free(p->tree);
        hf_release(&allocator, p->plane);
        hf_release(&allocator, p->bit);
        hf_release(&allocator, p->member);
        hf_release(&allocator, p->entry);
        hf_release(&allocator, p->stack);
        hf_release(&allocator, p);
    }
}

static hf_status make_tables(hf_context *cx, hf_tree_planes *p, bool *can) {
    uint32_t most;
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->plane, (void **)&p->plane));
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->bit, (void **)&p->bit));
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->stack, (void **)&p->stack));
    HF_TRY(hf_allocate(cx, (size_t)p->n_plane * BITS, sizeof *p->member, (void **)&p->member));
    *can = find_planes(p->tree, p, &most);
    if (!*can) {
        return HF_OK;
    }
    p->table = (size_t)1 << most;
    return hf_allocate(cx, p->n_plane * p->table, sizeof *p->entry, (void **)&p->entry);
}

hf_status hf_tree_planes_new(hf_context *cx, const hf_universe *universe, const hf_tree_registers *registers,
                             hf_tree_planes **out) {
    hf_kary_tree shape;
    hf_tree_planes *p;
    bool can = false;
    *out = NULL;
    if (!hf_kary_tree_shape(universe->topo, &shape) || shape.k > PLANES || shape.n_unit > 8 || shape.n < 2 ||
        universe->n_component > BITS * shape.k) {
        return HF_OK;
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *p, (void **)&p));
    p->allocator = *hf_context_allocator(cx);
    p->n_plane = shape.k;
    p->n_component = universe->n_component;
    hf_status status = hf_tree_exclusion_new(cx, universe, registers, &p->tree);
    status = status == HF_OK ? make_tables(cx, p, &can) : status;
    if (status != HF_OK || !can) {
        hf_tree_planes_free(p);
        return status;
    }
    *out = p;
    return HF_OK;
}

/* ---- the stack ---- */

/* From here on in any order. On failure all is as before. */
static hf_status leave_order(hf_context *cx, hf_tree_planes *p) {
    for (uint32_t i = 0; i < p->depth; i++) {
        const hf_status status = hf_tree_exclusion_push(cx, p->tree, p->stack[i]);
        if (status != HF_OK) {
            while (i-- > 0) {
                hf_tree_exclusion_pop(p->tree);
            }
            return status;
        }
    }
    return HF_OK;
}

hf_status hf_tree_planes_push(hf_context *cx, hf_tree_planes *p, uint32_t component) {
    const bool was_ordered = p->n_ordered == p->depth;
    const bool is_ordered = was_ordered && (p->depth == 0 || component > p->stack[p->depth - 1]);
    if (was_ordered && !is_ordered) {
        HF_TRY(leave_order(cx, p));
    }
    if (!is_ordered) {
        const hf_status status = hf_tree_exclusion_push(cx, p->tree, component);
        for (uint32_t i = 0; status != HF_OK && was_ordered && i < p->depth; i++) {
            hf_tree_exclusion_pop(p->tree);
        }
        HF_TRY(status);
    }
    p->stack[p->depth++] = component;
    p->n_ordered += is_ordered;
    p->subset[p->plane[component]] |= is_ordered ? UINT32_C(1) << p->bit[component] : 0;
    return HF_OK;
}

void hf_tree_planes_pop(hf_tree_planes *p) {
    const uint32_t component = p->stack[--p->depth];
    if (p->depth < p->n_ordered) {
        p->n_ordered--;
        p->subset[p->plane[component]] &= ~(UINT32_C(1) << p->bit[component]);
        return;
    }
    hf_tree_exclusion_pop(p->tree);
    for (uint32_t i = 0; p->depth == p->n_ordered && i < p->depth; i++) {
        hf_tree_exclusion_pop(p->tree);
    }
}

/* ---- reading ---- */

/* The present set: what all planes have in common, and add up to. \param[out] others excluded by all planes but that */
static hf_status add_planes(hf_context *cx, hf_tree_planes *p, entry *sum, const entry **of, uint64_t *others) {
    uint64_t before = UINT64_MAX, behind = UINT64_MAX;
    *sum = (entry){0};
    for (uint32_t i = 0; i < p->n_plane; i++) {
        HF_TRY(look_up(cx, p, i, p->subset[i], &of[i]));
        others[i] = before;
        before &= of[i]->excluded;
        sum->victims += of[i]->victims;
        sum->lost_paths += of[i]->lost_paths;
    }
    for (uint32_t i = p->n_plane; i-- > 0;) {
        others[i] &= behind;
        behind &= of[i]->excluded;
    }
    sum->excluded = before;
    return HF_OK;
}

hf_status hf_tree_planes_read(hf_context *cx, hf_tree_planes *p, hf_measure *out) {
    const entry *of[PLANES];
    uint64_t others[PLANES];
    entry sum;
    if (p->n_ordered < p->depth) {
        hf_tree_exclusion_read(p->tree, out);
        return HF_OK;
    }
    HF_TRY(add_planes(cx, p, &sum, of, others));
    *out = (hf_measure){.tolerated = sum.excluded == 0,
                        .has_victims = true,
                        .has_lost_paths = true,
                        .victims = sum.victims,
                        .lost_paths = sum.lost_paths,
                        .live = p->tree->universe->topo->n_terminal};
    return HF_OK;
}

/* One more set, which component c completes. */
static inline void take_set(hf_judge_sum *out, uint32_t c, bool is_tolerated, uint64_t victims, uint64_t lost_paths) {
    out->first = !is_tolerated && out->first == HF_NONE ? c : out->first;
    out->not_tolerated += !is_tolerated;
    out->victims += victims;
    out->victims_max = victims > out->victims_max ? victims : out->victims_max;
    out->lost_paths += lost_paths;
    out->lost_paths_max = lost_paths > out->lost_paths_max ? lost_paths : out->lost_paths_max;
    if (out->victims_histogram) {
        out->victims_histogram[victims ? 64 - __builtin_clzll(victims) : 0]++;
    }
}

static hf_status sum_by_reading(hf_context *cx, hf_tree_planes *p, uint32_t lo, uint32_t hi, hf_judge_sum *out) {
    for (uint32_t c = lo; c < hi; c++) {
        hf_measure m;
        HF_TRY(hf_tree_planes_push(cx, p, c));
        const hf_status status = hf_tree_planes_read(cx, p, &m);
        hf_tree_planes_pop(p);
        HF_TRY(status);
        take_set(out, c, m.tolerated, m.victims, m.lost_paths);
    }
    return HF_OK;
}

hf_status hf_tree_planes_sum(hf_context *cx, hf_tree_planes *p, uint32_t lo, uint32_t hi, hf_judge_sum *out) {
    const entry *of[PLANES], *with;
    uint64_t others[PLANES];
    entry sum;
    out->has_victims = true;
    out->lost_paths_sets = hi - lo;
    if (p->n_ordered < p->depth) {
        return sum_by_reading(cx, p, lo, hi, out);
    }
    HF_TRY(add_planes(cx, p, &sum, of, others));
    for (uint32_t c = lo; c < hi; c++) {
        const uint32_t plane = p->plane[c];
        HF_TRY(look_up(cx, p, plane, p->subset[plane] | UINT32_C(1) << p->bit[c], &with));
        take_set(out, c, (others[plane] & with->excluded) == 0, sum.victims - of[plane]->victims + with->victims,
                 sum.lost_paths - of[plane]->lost_paths + with->lost_paths);
    }
    return HF_OK;
}
