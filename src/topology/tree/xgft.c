/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The generalised fat-tree XGFT(h; m_1, ..., m_h; w_1, ..., w_h) of [ohring1995]: h levels of switches above the terminals.
 *  m=AxB.. and w=AxB.. are written from level 1 up, as in the paper. A node of level l has m_l children and w_(l+1) parents.
 *
 *  The nodes of level 0 are the terminals, m_1 of them on each switch of level 1; `terminals` takes the place of m_1.
 *  A terminal has one port: w_1 = 1. A node of level l is called by digits a_h ... a_1, a_i below m_i for i > l and below w_i
 *  for i <= l; two nodes of levels l and l + 1 are joined if all digits but a_(l+1) agree. The digits in mixed radix, a_1 least,
 *  are its number in its level; stage l - 1 of attributes is level l. Ports 0 .. m_l - 1 lead down, by a_l of the child, the next
 *  w_(l+1) up, by a_(l+1) of the parent. Hence kary-tree:k=K,n=N is xgft:h=N,m=KxKx..,w=1xKx.., number by number.
 *  With p=AxB.. a node of level l and each parent are joined by p_(l+1) links side by side, which take ports side by side, as in
 *  the PGFT of [zahavi2012]. The fat-tree of [leiserson1985] has one parent everywhere, and a p that grows. */
#include "src/topology/tree/tree.h"
#include "src/topology/uniform.h"

typedef hf_xgft tree;

static tree shape_of(const hf_args *args) {
    tree t = {.h = (uint32_t)hf_args_get(args, "h")->number};
    const hf_value *parallel = hf_args_get(args, "p");
    for (uint32_t i = 0; i < t.h; i++) {
        t.m[i + 1] = hf_args_get(args, "m")->dims[i];
        t.w[i + 1] = hf_args_get(args, "w")->dims[i];
        t.p[i + 1] = i < parallel->number ? parallel->dims[i] : 1;
    }
    const uint64_t terminals = hf_args_get(args, "terminals")->number;
    t.m[1] = terminals ? terminals : t.m[1];
    return t;
}

static void shape_as_tree(const hf_args *args, hf_xgft *out) { *out = shape_of(args); }

bool hf_xgft_shape(const hf_topology *topo, hf_xgft *shape) {
    if (topo->kind->tree) {
        topo->kind->tree(&topo->args, shape);
    }
    return topo->kind->tree != NULL;
}

/** Values of digit a_i in a node of level l. */
static uint64_t radix(const tree *t, uint32_t level, uint32_t i) { return i > level ? t->m[i] : t->w[i]; }

/** Nodes of a level; UINT64_MAX if too many. */
static uint64_t width(const tree *t, uint32_t level) {
    uint64_t n = 1;
    for (uint32_t i = 1; i <= t->h; i++) {
        n = hf_times(n, radix(t, level, i));
    }
    return n;
}

/** Number of the first switch of a level, 1 .. h. */
static uint32_t first_of(const tree *t, uint32_t level) {
    uint64_t n = 0;
    for (uint32_t l = 1; l < level; l++) {
        n += width(t, l);
    }
    return (uint32_t)n;
}

/** Level of a switch. \param[in,out] sw becomes its number in the level */
static uint32_t level_of(const tree *t, uint32_t *sw) {
    uint32_t level = 1;
    for (; *sw >= width(t, level); level++) {
        *sw -= (uint32_t)width(t, level);
    }
    return level;
}

/* ---- building ---- */

/** Links from a level to the next: below and above agree in the digits below a_(l+1), `low` in number of values, and above. */
static void add_level(hf_topology *topo, const tree *t, uint32_t level) {
    uint64_t low = 1;
    for (uint32_t i = 1; i <= level; i++) {
        low *= t->w[i];
    }
    const uint64_t m = t->m[level + 1], w = t->w[level + 1], p = t->p[level + 1], n = width(t, level);
    const uint64_t first_up = t->m[level] * t->p[level];
    const uint32_t here = first_of(t, level), above = first_of(t, level + 1);
    for (uint64_t o = 0; o < n; o++) {
        const uint64_t digit = o / low % m, high = o / low / m;
        for (uint64_t j = 0; j < w * p; j++) {
            hf_topology_add_link(topo, here + (uint32_t)o, (uint32_t)(first_up + j),
                                 above + (uint32_t)((high * w + j / p) * low + o % low), (uint32_t)(digit * p + j % p), true);
        }
    }
}

static void set_coordinates(hf_topology *topo, const tree *t) {
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t rest = v;
        const uint32_t level = level_of(t, &rest);
        for (uint32_t i = 2; i <= t->h; i++) { /* a_1 is 0 in all switches */
            topo->coord[(size_t)v * (t->h - 1) + t->h - i] = rest % (uint32_t)radix(t, level, i);
            rest /= (uint32_t)radix(t, level, i);
        }
    }
}

static hf_status add_stages(hf_context *cx, hf_topology *topo, const tree *t) {
    uint32_t *of_switch, *of_link;
    HF_TRY(hf_topology_add_attribute(cx, topo, "stage", "stage of a switch, 0 at the terminals; of a link: of its lower switch",
                                     &of_switch, &of_link));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t rest = v;
        of_switch[v] = level_of(t, &rest) - 1;
    }
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        of_link[l] = of_switch[topo->from[l]];
    }
    return HF_OK;
}

/** rate[l] is that of the links between levels l and l + 1. */
static hf_status add_rates(hf_context *cx, hf_topology *topo, const tree *t, const uint32_t *rate) {
    uint32_t *of_link;
    HF_TRY(hf_topology_add_rates(cx, topo, &of_link));
    for (uint32_t l = 0; l < topo->n_link; l++) {
        uint32_t lower = topo->from[l];
        of_link[l] = rate[hf_topology_is_terminal(topo, lower) ? 0 : level_of(t, &lower)];
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo, const tree *t, const uint32_t *rate) {
    for (uint32_t level = 1; level < t->h; level++) {
        add_level(topo, t, level);
    }
    hf_uniform_hang(topo, (uint32_t)t->m[1], 0);
    set_coordinates(topo, t);
    HF_TRY(add_stages(cx, topo, t));
    HF_TRY(rate ? add_rates(cx, topo, t, rate) : HF_OK);
    return hf_topology_finish(cx, topo);
}

static hf_status check(hf_context *cx, const hf_args *args) {
    const uint64_t h = hf_args_get(args, "h")->number;
    const hf_value *m = hf_args_get(args, "m"), *w = hf_args_get(args, "w"), *p = hf_args_get(args, "p");
    if (m->number != h || w->number != h) {
        HF_FAIL(cx, HF_EINVAL, "topology \"xgft\": h=%u, but m has %u numbers and w has %u; need one for each level", (unsigned)h,
                (unsigned)m->number, (unsigned)w->number);
    }
    if (w->dims[0] != 1) {
        HF_FAIL(cx, HF_EINVAL, "topology \"xgft\": the first number of w is %u; need 1, as a terminal has one port",
                (unsigned)w->dims[0]);
    }
    if (p->dims[0] != 1 || (p->number != 1 && p->number != h)) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"xgft\": h=%u, but p has %u numbers, the first of them %u; need one for each level, the first 1",
                (unsigned)h, (unsigned)p->number, (unsigned)p->dims[0]);
    }
    return HF_OK;
}

hf_status hf_xgft_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, const hf_xgft *t, const uint32_t *rate,
                        hf_topology **out) {
    static const char *const digit_name[] = {"a16", "a15", "a14", "a13", "a12", "a11", "a10", "a9",
                                             "a8",  "a7",  "a6",  "a5",  "a4",  "a3",  "a2"};
    uint64_t n_switch = 0, n_link = 0;
    for (uint32_t level = 1; level <= t->h; level++) {
        n_switch = hf_plus(n_switch, width(t, level));
        n_link = hf_plus(n_link, level < t->h ? hf_times(width(t, level), hf_times(t->w[level + 1], t->p[level + 1])) : 0);
    }
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, kind, args, n_switch, width(t, 0), n_link, width(t, 0), t->h - 1,
                             digit_name + (HF_DIMS_MAX - t->h), &topo));
    return hf_topology_give(fill(cx, topo, t, rate), topo, out);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    HF_TRY(check(cx, args));
    const tree t = shape_of(args);
    return hf_xgft_build(cx, &hf_topology_xgft, args, &t, NULL, out);
}

/* ---- figures and places ---- */

/** Up to the highest level that some pair needs, and down again. */
uint32_t hf_xgft_diameter(const hf_topology *topo) {
    tree t = {.h = 0};
    (void)hf_xgft_shape(topo, &t);
    uint32_t level = t.h;
    while (level > 0 && t.m[level] == 1) {
        level--;
    }
    return 2 * level;
}

/** Of each terminal, (m_l - 1) m_(l-1) ... m_1 others meet it first in level l. */
double hf_xgft_mean_distance(const hf_topology *topo) {
    tree t = {.h = 0};
    (void)hf_xgft_shape(topo, &t);
    double sum = 0, below = 1;
    for (uint32_t level = 1; level <= t.h; level++) {
        sum += ((double)t.m[level] - 1) * below * 2 * level;
        below *= (double)t.m[level];
    }
    return topo->n_terminal > 1 ? sum / (topo->n_terminal - 1.0) : 0;
}

/** Terminals side by side in the bottom row, the switches of a stage spread over the same width, at least one unit apart. */
hf_position hf_xgft_place(const hf_topology *topo, uint32_t node) {
    tree t = {.h = 0};
    (void)hf_xgft_shape(topo, &t);
    uint64_t widest = topo->n_terminal;
    for (uint32_t level = 1; level <= t.h; level++) {
        widest = width(&t, level) > widest ? width(&t, level) : widest;
    }
    uint32_t rest = hf_topology_is_terminal(topo, node) ? node - topo->n_switch : node;
    const uint32_t level = hf_topology_is_terminal(topo, node) ? 0 : level_of(&t, &rest);
    return (hf_position){.x = (rest + 0.5) * (double)widest / (double)width(&t, level) - 0.5, .y = level};
}

static const hf_param params[] = {
    {.name = "h", .type = HF_PARAM_UINT, .low = 1, .high = HF_DIMS_MAX, .flags = HF_PARAM_SHOWN, .help = "levels of switches"},
    {.name = "m",
     .type = HF_PARAM_DIMS,
     .low = 1,
     .high = HF_TERMINALS_MAX,
     .help = "children of a node of level 1, 2, ..., h; the first are the terminals on a switch"},
    {.name = "w",
     .type = HF_PARAM_DIMS,
     .low = 1,
     .high = HF_TERMINALS_MAX,
     .help = "parents of a node of level 0, 1, ..., h-1; the first must be 1"},
    {.name = "p",
     .type = HF_PARAM_DIMS,
     .fallback = "1",
     .low = 1,
     .high = HF_TERMINALS_MAX,
     .help =
         "parallel links from a node of level 0, 1, ..., h-1 to each parent; the first must be 1, and 1 alone is all of them"},
    {.name = "terminals",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = HF_TERMINALS_MAX,
     .help = "terminals on each switch of level 1; 0 stands for the first number of m"},
    {0},
};

const hf_topology_kind hf_topology_xgft = {
    .name = "xgft",
    .summary = "generalised fat-tree XGFT(h; m; w): any number of children, parents and links to each at a level",
    .source = "ohring1995",
    .claims = "m_1 ... m_h terminals; m_(l+1) ... m_h w_1 ... w_l switches in level l, each with m_l p_l + w_(l+1) p_(l+1) "
              "ports; diameter 2h channels if m_h > 1",
    .params = params,
    .tree = shape_as_tree,
    .build = build,
    .place = hf_xgft_place,
    .diameter = hf_xgft_diameter,
    .mean_distance = hf_xgft_mean_distance,
};
