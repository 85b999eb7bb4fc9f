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
    uint64_t victims;  /* UNKNOWN: not measured yet */
    uint64_t lost_paths;
} entry;

static const uint64_t UNKNOWN = UINT64_MAX;

struct hf_tree_planes {
    hf_allocator allocator;
    hf_tree_exclusion *tree; /* in order, the subset that was measured last */
    uint32_t n_plane, n_component;
    uint32_t *plane, *bit; /* by component; the last of a plane has bit 0, so that subsets that follow one another lie together */
    uint32_t *member;      /* n_plane rows of BITS: components, descending */
    uint32_t *kept, n_kept;                             /* components of that subset, ascending; none out of order */
    entry *entry;                                       /* n_plane tables of 2^BITS, or as many as there are subsets */
    size_t table;                                       /* entries of a table */
    uint32_t choose[HF_TREE_PLANES_SUM][BITS * PLANES]; /* C(x, r) at [r][x] */
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
    for (uint32_t c = p->n_component; c-- > 0;) {
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

static void keep(hf_tree_planes *p, uint32_t n) {
    for (; p->n_kept > n; p->n_kept--) {
        hf_tree_exclusion_pop(p->tree);
    }
}

/* Bring `tree` to a subset, from the components that it has in common with the last one on. */
static hf_status keep_subset(hf_context *cx, hf_tree_planes *p, uint32_t plane, uint32_t subset) {
    uint32_t n = 0;
    for (uint32_t rest = subset, b; rest; rest ^= UINT32_C(1) << b) {
        b = 31 - (uint32_t)__builtin_clz(rest);
        const uint32_t component = p->member[plane * BITS + b];
        if (n == p->n_kept || p->kept[n] != component) {
            keep(p, n);
            HF_TRY(hf_tree_exclusion_push(cx, p->tree, component));
            p->kept[p->n_kept++] = component;
        }
        n++;
    }
    keep(p, n);
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_tree_planes *p, uint32_t plane, uint32_t subset, entry *e) {
    hf_tree_exclusion *t = p->tree;
    hf_measure measure;
    HF_TRY(keep_subset(cx, p, plane, subset));
    hf_tree_exclusion_read(t, &measure);
    *e = (entry){.victims = measure.victims, .lost_paths = measure.lost_paths};
    for (uint32_t o = 0; o < t->shape.n_unit; o++) {
        const uint64_t held = *hf_tree_held_of(t, o * t->shape.k + plane) & hf_tree_levels_of(t, 0, o)[0];
        e->excluded |= held << o * t->shape.n_unit;
    }
    return HF_OK;
}

static inline hf_status look_up(hf_context *cx, hf_tree_planes *p, uint32_t plane, uint32_t subset, const entry **out) {
    entry *e = &p->entry[plane * p->table + subset];
    *out = e;
    return e->victims != UNKNOWN ? HF_OK : fill(cx, p, plane, subset, e);
}

void hf_tree_planes_free(hf_tree_planes *p) {
    if (p) {
        const hf_allocator allocator = p->allocator;
        hf_tree_exclusion_free(p->tree);
        hf_release(&allocator, p->plane);
        hf_release(&allocator, p->bit);
        hf_release(&allocator, p->member);
        hf_release(&allocator, p->entry);
        hf_release(&allocator, p->kept);
        hf_release(&allocator, p->stack);
        hf_release(&allocator, p);
    }
}

static void fill_choose(hf_tree_planes *p) {
    for (uint32_t x = 0; x < BITS * PLANES; x++) {
        p->choose[0][x] = 1;
        for (uint32_t r = 1; r < HF_TREE_PLANES_SUM; r++) {
            p->choose[r][x] = x == 0 ? 0 : p->choose[r][x - 1] + p->choose[r - 1][x - 1];
        }
    }
}

static hf_status make_tables(hf_context *cx, hf_tree_planes *p, bool *can) {
    uint32_t most;
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->plane, (void **)&p->plane));
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->bit, (void **)&p->bit));
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->kept, (void **)&p->kept));
    HF_TRY(hf_allocate(cx, p->n_component, sizeof *p->stack, (void **)&p->stack));
    HF_TRY(hf_allocate(cx, (size_t)p->n_plane * BITS, sizeof *p->member, (void **)&p->member));
    *can = find_planes(p->tree, p, &most);
    if (!*can) {
        return HF_OK;
    }
    p->table = (size_t)1 << most;
    HF_TRY(hf_allocate(cx, p->n_plane * p->table, sizeof *p->entry, (void **)&p->entry));
    for (size_t i = 0; i < p->n_plane * p->table; i++) {
        p->entry[i].victims = UNKNOWN;
    }
    return HF_OK;
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
    fill_choose(p);
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
    keep(p, 0);
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

/* A subset of each plane. */
typedef struct scene {
    const entry *of[PLANES];
    uint32_t subset[PLANES];
    uint64_t victims, lost_paths; /* of all planes */
} scene;

static hf_status look_up_all(hf_context *cx, hf_tree_planes *p, scene *s) {
    *s = (scene){.victims = 0};
    for (uint32_t i = 0; i < p->n_plane; i++) {
        s->subset[i] = p->subset[i];
        HF_TRY(look_up(cx, p, i, s->subset[i], &s->of[i]));
        s->victims += s->of[i]->victims;
        s->lost_paths += s->of[i]->lost_paths;
    }
    return HF_OK;
}

/* What all planes exclude. \param[out] others all of them but that */
static inline uint64_t excluded(const hf_tree_planes *p, const scene *s, uint64_t *others) {
    uint64_t before = UINT64_MAX, behind = UINT64_MAX;
    for (uint32_t i = 0; i < p->n_plane; i++) {
        others[i] = before;
        before &= s->of[i]->excluded;
    }
    for (uint32_t i = p->n_plane; i-- > 0;) {
        others[i] &= behind;
        behind &= s->of[i]->excluded;
    }
    return before;
}

hf_status hf_tree_planes_read(hf_context *cx, hf_tree_planes *p, hf_measure *out) {
    uint64_t others[PLANES];
    scene s;
    if (p->n_ordered < p->depth) {
        hf_tree_exclusion_read(p->tree, out);
        return HF_OK;
    }
    HF_TRY(look_up_all(cx, p, &s));
    *out = (hf_measure){.tolerated = excluded(p, &s, others) == 0,
                        .has_victims = true,
                        .has_lost_paths = true,
                        .victims = s.victims,
                        .lost_paths = s.lost_paths,
                        .live = p->tree->universe->topo->n_terminal};
    return HF_OK;
}

/* One more set. */
static inline void take_set(hf_judge_sum *out, uint64_t index, bool is_tolerated, uint64_t victims, uint64_t lost_paths) {
    out->first = !is_tolerated && out->first == UINT64_MAX ? index : out->first;
    out->not_tolerated += !is_tolerated;
    out->victims += victims;
    out->victims_max = victims > out->victims_max ? victims : out->victims_max;
    out->lost_paths += lost_paths;
    out->lost_paths_max = lost_paths > out->lost_paths_max ? lost_paths : out->lost_paths_max;
    if (out->victims_histogram) {
        out->victims_histogram[victims ? 64 - __builtin_clzll(victims) : 0]++;
    }
}

/* Sets to add up: those with index [lo, hi). */
typedef struct summing {
    hf_context *cx;
    hf_tree_planes *p;
    uint64_t lo, hi;
    hf_judge_sum *out;
} summing;

/* Is any of the sets of a subtree asked for? It holds those from index `base` on that add r components of m. */
static inline bool is_asked(const summing *w, uint64_t base, uint64_t size) { return base < w->hi && base + size > w->lo; }

/* Out of order: r more components from `from` on. */
static hf_status sum_by_reading(const summing *w, uint32_t r, uint32_t from, uint64_t base) {
    hf_tree_planes *p = w->p;
    hf_measure m;
    if (r == 0) {
        HF_TRY(hf_tree_planes_read(w->cx, p, &m));
        take_set(w->out, base, m.tolerated, m.victims, m.lost_paths);
        return HF_OK;
    }
    HF_TRY(hf_context_go_on(w->cx, "judging fault sets"));
    for (uint32_t c = from; c + r <= p->n_component; c++) {
        const uint64_t size = p->choose[r - 1][p->n_component - 1 - c];
        if (is_asked(w, base, size)) {
            HF_TRY(hf_tree_planes_push(w->cx, p, c));
            const hf_status status = sum_by_reading(w, r - 1, c + 1, base);
            hf_tree_planes_pop(p);
            HF_TRY(status);
        }
        base += size;
    }
    return HF_OK;
}

/* In order: one more component from `from` on. */
static hf_status sum_last(const summing *w, const scene *s, uint32_t from, uint64_t base) {
    hf_tree_planes *p = w->p;
    uint64_t others[PLANES];
    const uint32_t lo = w->lo > base ? from + (uint32_t)(w->lo - base) : from;
    const uint32_t hi = w->hi - base < p->n_component - from ? from + (uint32_t)(w->hi - base) : p->n_component;
    (void)excluded(p, s, others);
    for (uint32_t c = lo; c < hi; c++) {
        const uint32_t plane = p->plane[c];
        const entry *with, *without = s->of[plane];
        HF_TRY(look_up(w->cx, p, plane, s->subset[plane] | UINT32_C(1) << p->bit[c], &with));
        take_set(w->out, base + c - from, (others[plane] & with->excluded) == 0, s->victims - without->victims + with->victims,
                 s->lost_paths - without->lost_paths + with->lost_paths);
    }
    return HF_OK;
}

static inline void change(scene *s, uint32_t plane, uint32_t bit, const entry *to) {
    s->victims += to->victims - s->of[plane]->victims;
    s->lost_paths += to->lost_paths - s->of[plane]->lost_paths;
    s->subset[plane] ^= UINT32_C(1) << bit;
    s->of[plane] = to;
}

/* In order: r > 1 more components from `from` on. The scene is as before afterwards. */
static hf_status sum_more(const summing *w, scene *s, uint32_t r, uint32_t from, uint64_t base) {
    hf_tree_planes *p = w->p;
    HF_TRY(hf_context_go_on(w->cx, "judging fault sets"));
    for (uint32_t c = from; c + r <= p->n_component; c++) {
        const uint64_t size = p->choose[r - 1][p->n_component - 1 - c];
        if (is_asked(w, base, size)) {
            const uint32_t plane = p->plane[c];
            const entry *without = s->of[plane], *with;
            HF_TRY(look_up(w->cx, p, plane, s->subset[plane] | UINT32_C(1) << p->bit[c], &with));
            change(s, plane, p->bit[c], with);
            HF_TRY(r == 2 ? sum_last(w, s, c + 1, base) : sum_more(w, s, r - 1, c + 1, base));
            change(s, plane, p->bit[c], without);
        }
        base += size;
    }
    return HF_OK;
}

hf_status hf_tree_planes_sum(hf_context *cx, hf_tree_planes *p, uint32_t r, uint64_t lo, uint64_t hi, hf_judge_sum *out) {
    const summing w = {cx, p, lo, hi, out};
    const uint32_t from = p->depth > 0 ? p->stack[p->depth - 1] + 1 : 0;
    scene s;
    out->has_victims = true;
    out->lost_paths_sets = hi - lo;
    if (lo == hi) {
        return HF_OK;
    }
    if (p->n_ordered < p->depth) {
        return sum_by_reading(&w, r, from, 0);
    }
    HF_TRY(look_up_all(cx, p, &s));
    return r == 1 ? sum_last(&w, &s, from, 0) : sum_more(&w, &s, r, from, 0);
}
