/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Dragonfly+, a Megafly: groups of leaves and spines, each a complete bipartite graph; terminals on leaves, global links between
 *  spines. The spines of a group take the place of the switches of a dragonfly with h global links each, and their global ports
 *  lead where those of the canonical dragonfly do.
 *
 *  Leaf i of group G is G (leaves + spines) + i, its spine j comes behind. Ports of a leaf: spines, then terminals; of a spine:
 *  leaves, then global ports. Links: those inside of groups by (group, leaf, spine), then the global ones by (lower group, port).
 *  Source: [shpiner2017]. */
#include <assert.h>
#include <inttypes.h>

#include "src/topology/dragonfly.h"
#include "src/topology/uniform.h"

typedef struct plus {
    hf_dragonfly global; /* its a are the spines */
    uint32_t leaves, each;
} plus;

static uint32_t number(const hf_args *args, const char *name) { return (uint32_t)hf_args_get(args, name)->number; }

static plus shape_of(const hf_args *args) {
    const uint32_t spines = number(args, "spines"), h = number(args, "h"), given = number(args, "groups");
    plus s = {.leaves = number(args, "leaves"),
              .global = {.p = number(args, "p"), .a = spines, .h = h, .groups = given ? given : spines * h + 1}};
    s.global.rounds = s.global.groups > 1 ? spines * h / (s.global.groups - 1) : 0;
    s.each = s.leaves + spines;
    assert(s.leaves > 0 && spines > 0 && h > 0 && s.global.p > 0); /* ranges of the parameters */
    return s;
}

/* The spine of a global port. */
static uint32_t spine_of(const plus *s, hf_dragonfly_end end) { return end.group * s->each + s->leaves + end.q / s->global.h; }

static void add_local_links(hf_topology *topo, const plus *s) {
    for (uint32_t leaf = 0; leaf < s->global.groups * s->leaves; leaf++) {
        const uint32_t first = leaf / s->leaves * s->each, i = leaf % s->leaves;
        for (uint32_t j = 0; j < s->global.a; j++) {
            hf_topology_add_link(topo, first + i, j, first + s->leaves + j, i, true);
        }
    }
}

static void add_global_links(hf_topology *topo, const plus *s) {
    for (uint32_t group = 0; group < s->global.groups; group++) {
        for (uint32_t q = 0; q < s->global.a * s->global.h; q++) {
            const hf_dragonfly_end from = {group, q}, to = hf_dragonfly_across(&s->global, from);
            if (to.group != HF_NONE && to.group > group) {
                hf_topology_add_link(topo, spine_of(s, from), s->leaves + q % s->global.h, spine_of(s, to),
                                     s->leaves + to.q % s->global.h, true);
            }
        }
    }
}

static void hang(hf_topology *topo, const plus *s) {
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t leaf = t / s->global.p;
        hf_topology_add_link(topo, topo->n_switch + t, 0, leaf / s->leaves * s->each + leaf % s->leaves,
                             s->global.a + t % s->global.p, true);
    }
}

static hf_status describe(hf_context *cx, hf_topology *topo, const plus *s) {
    uint32_t *stage, *kind, *unused, *rate;
    assert(s->each > 0);
    HF_TRY(hf_topology_add_attribute(cx, topo, "stage", "0: leaf, 1: spine", &stage, &unused));
    HF_TRY(hf_topology_add_attribute(cx, topo, "kind", "0: link inside of a group, 1: link between groups", &unused, &kind));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        topo->coord[2 * (size_t)v] = v / s->each;
        topo->coord[2 * (size_t)v + 1] = v % s->each;
        stage[v] = v % s->each >= s->leaves;
    }
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        kind[l] = topo->from[l] / s->each != topo->to[l] / s->each;
    }
    if (hf_rate_of(&topo->args, 0) == 0) {
        return HF_OK;
    }
    HF_TRY(hf_topology_add_rates(cx, topo, &rate));
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t i = l >= topo->n_switch_link ? 0 : 1 + kind[l];
        rate[l] = hf_rate_of(&topo->args, i);
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo, const plus *s) {
    add_local_links(topo, s);
    add_global_links(topo, s);
    hang(topo, s);
    HF_TRY(describe(cx, topo, s));
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    static const char *const coord_name[] = {"group", "index"};
    const plus s = shape_of(args);
    const uint64_t g = s.global.groups, n_leaf = g * s.leaves, n_terminal = hf_times(n_leaf, s.global.p);
    if (g > (uint64_t)s.global.a * s.global.h + 1) {
        HF_FAIL(cx, HF_ERANGE,
                "topology \"dragonfly-plus\": groups=%" PRIu32 " is out of range; spines h + 1 = %" PRIu32
                " groups have a link to each other",
                s.global.groups, s.global.a * s.global.h + 1);
    }
    const uint64_t n_link = hf_plus(hf_times(n_leaf, s.global.a), hf_times(g, g - 1) / 2 * s.global.rounds);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_dragonfly_plus, args, g * s.each, n_terminal, n_link, n_terminal, 2, coord_name,
                             &topo));
    return hf_topology_give(fill(cx, topo, &s), topo, out);
}

/** Leaf, spine, spine, leaf; between some groups there is no shorter way as soon as a spine has not a link to each. */
static uint32_t diameter(const hf_topology *topo) {
    (void)topo;
    return HF_NONE;
}

/** Groups side by side, spines above leaves above terminals. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const plus s = shape_of(&topo->args);
    const uint32_t n = s.leaves * s.global.p;
    const double width = (double)(n > s.global.a ? n : s.global.a);
    if (hf_topology_is_terminal(topo, node)) {
        const uint32_t t = node - topo->n_switch;
        const uint32_t group = t / n;
        return (hf_position){.x = group * (width + 1) + (t % n + 0.5) * width / n, .y = 0};
    }
    const uint32_t i = node % s.each, group = node / s.each;
    const bool is_spine = i >= s.leaves;
    const double at = is_spine ? (i - s.leaves + 0.5) / s.global.a : (i + 0.5) / s.leaves;
    return (hf_position){.x = group * (width + 1) + at * width, .y = is_spine ? 2 : 1};
}

static const hf_param params[] = {
    {.name = "p", .type = HF_PARAM_UINT, .low = 1, .high = HF_TERMINALS_MAX, .help = "terminals on each leaf"},
    {.name = "leaves", .type = HF_PARAM_UINT, .low = 1, .high = 4096, .help = "leaves of each group"},
    {.name = "spines", .type = HF_PARAM_UINT, .low = 1, .high = 4096, .help = "spines of each group"},
    {.name = "h", .type = HF_PARAM_UINT, .low = 1, .high = 4096, .help = "global links of each spine"},
    {.name = "groups",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = 16777216,
     .help = "groups; 0 stands for all that fit, spines h + 1"},
    HF_PARAM_RATES("rates of links of terminals, inside of groups, and between them; 0: none is said"),
    {0},
};

const hf_topology_kind hf_topology_dragonfly_plus = {
    .name = "dragonfly-plus",
    .summary = "dragonfly+, megafly: groups of leaves below spines, every two groups joined by links between spines",
    .source = "shpiner2017",
    .claims = "spines h + 1 groups; groups leaves p terminals; groups leaves spines local links",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
};
