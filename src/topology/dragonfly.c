/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The dragonfly: groups of a switches, each group a complete graph, h global links a switch. Switch i of group G is G a + i.
 *
 *  The global ports of a group are q = i h + j. With g = a h + 1 groups every port is used and every two groups are joined
 *  once. Canonical: port q of group G leads to group q, or q + 1 from G on [kim2008]. Palm tree: port q leads to group G + q +
 *  1 modulo g, where it arrives at port a h - 1 - q [camarero2014]; counting groups downwards gives the same network. With
 *  fewer groups the pattern of g - 1 ports is repeated as often as a h ports hold it, so that all pairs of groups have as many
 *  links; the ports left over are not used.
 *
 *  Links: the local ones by (group, lower, higher switch), then the global ones by (lower group, q of its port). Forward leads
 *  to the higher number. */
#include "src/topology/dragonfly.h"

#include <math.h>

static hf_dragonfly shape_of(const hf_args *args) {
    const uint64_t terminals = hf_args_get(args, "terminals")->number, p = terminals ? terminals : hf_args_get(args, "p")->number;
    const uint64_t a = hf_args_get(args, "a")->number, h = hf_args_get(args, "h")->number;
    const uint64_t given = hf_args_get(args, "groups")->number, groups = given ? given : a * h + 1;
    return (hf_dragonfly){.p = (uint32_t)p,
                          .a = (uint32_t)a,
                          .h = (uint32_t)h,
                          .groups = (uint32_t)groups,
                          .rounds = groups > 1 ? (uint32_t)(a * h / (groups - 1)) : 0,
                          .is_palmtree = hf_args_get(args, "wiring")->number == 1};
}

bool hf_dragonfly_of(const hf_topology *topo, hf_dragonfly *shape) {
    if (topo->kind != &hf_topology_dragonfly) {
        return false;
    }
    *shape = shape_of(&topo->args);
    return true;
}

uint32_t hf_dragonfly_port_to(const hf_dragonfly *shape, uint32_t group, uint32_t other, uint32_t round) {
    const uint32_t ahead = (other + shape->groups - group) % shape->groups;
    return round * (shape->groups - 1) + (shape->is_palmtree ? ahead - 1 : other < group ? other : other - 1);
}

hf_dragonfly_end hf_dragonfly_across(const hf_dragonfly *shape, hf_dragonfly_end end) {
    const uint32_t n = shape->groups - 1, round = n ? end.q / n : 0, k = n ? end.q % n : 0;
    if (round >= shape->rounds) {
        return (hf_dragonfly_end){HF_NONE, HF_NONE};
    }
    const uint32_t other = shape->is_palmtree ? (end.group + k + 1) % shape->groups : k < end.group ? k : k + 1;
    return (hf_dragonfly_end){other, hf_dragonfly_port_to(shape, other, end.group, round)};
}

/* ---- building ---- */

static void add_local_links(hf_topology *topo, const hf_dragonfly *shape) {
    for (uint32_t first = 0; first < topo->n_switch; first += shape->a) {
        for (uint32_t i = 0; i < shape->a; i++) {
            for (uint32_t j = i + 1; j < shape->a; j++) {
                hf_topology_add_link(topo, first + i, hf_dragonfly_local_port(i, j), first + j, hf_dragonfly_local_port(j, i),
                                     true);
            }
        }
    }
}

static void add_global_links(hf_topology *topo, const hf_dragonfly *shape) {
    for (uint32_t group = 0; group < shape->groups; group++) {
        for (uint32_t q = 0; q < shape->a * shape->h; q++) {
            const hf_dragonfly_end to = hf_dragonfly_across(shape, (hf_dragonfly_end){group, q});
            if (to.group != HF_NONE && to.group > group) {
                hf_topology_add_link(topo, group * shape->a + q / shape->h, hf_dragonfly_global_port(shape, q),
                                     to.group * shape->a + to.q / shape->h, hf_dragonfly_global_port(shape, to.q), true);
            }
        }
    }
}

static hf_status fill(hf_context *cx, hf_topology *topo, const hf_dragonfly *shape) {
    add_local_links(topo, shape);
    add_global_links(topo, shape);
    hf_uniform_add_terminals(topo, shape->a - 1 + shape->h);
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        topo->coord[2 * (size_t)v] = v / shape->a;
        topo->coord[2 * (size_t)v + 1] = v % shape->a;
    }
    uint32_t *of_switch, *of_link;
    HF_TRY(
        hf_topology_add_attribute(cx, topo, "kind", "0: link inside of a group, 1: link between groups", &of_switch, &of_link));
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        of_link[l] = topo->from[l] / shape->a != topo->to[l] / shape->a;
    }
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    static const char *const coord_name[] = {"group", "index"};
    const hf_dragonfly shape = shape_of(args);
    const uint64_t g = shape.groups, n_switch = g * shape.a;
    if (g > (uint64_t)shape.a * shape.h + 1) {
        HF_FAIL(cx, HF_ERANGE, "topology \"dragonfly\": groups=%u is out of range; a h + 1 = %u groups have a link to each other",
                shape.groups, shape.a * shape.h + 1);
    }
    const uint64_t n_link = hf_plus(hf_times(n_switch, shape.a - 1) / 2, hf_times(g, g - 1) / 2 * shape.rounds);
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_dragonfly, args, n_switch, hf_times(n_switch, shape.p), n_link,
                             hf_times(n_switch, shape.p), 2, coord_name, &topo));
    return hf_topology_give(fill(cx, topo, &shape), topo, out);
}

/* ---- figures and places ---- */

/** Local, global, local always suffices. It is needed if fewer switches than there are lie within two hops of one; in the few
 * small networks where they may all be, only a search tells. */
static uint32_t diameter(const hf_topology *topo) {
    const hf_dragonfly s = shape_of(&topo->args);
    const uint64_t a = s.a, h = s.h, near = a + h + 2 * (a - 1) * h + h * (h - 1);
    if (s.groups == 1 || a == 1) {
        return hf_uniform_diameter(topo, topo->n_switch > 1);
    }
    return near < topo->n_switch ? hf_uniform_diameter(topo, 3) : HF_NONE;
}

/** Groups on a circle, the switches of a group on a small circle, their terminals outside of it. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const hf_dragonfly s = shape_of(&topo->args);
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    const uint32_t t = node - topo->n_switch, sw = is_terminal ? t / s.p : node, group = sw / s.a;
    const double step = fmax(1.0, 0.4 * s.p), pi = acos(-1.0), radius = s.a > 1 ? step / (2 * sin(pi / s.a)) : 0;
    const hf_position centre = hf_circle_place(group, s.groups, 2 * radius + 2.6);
    const double share = is_terminal ? (t % s.p + 0.5) / s.p - 0.5 : 0, out = is_terminal ? radius + 0.8 : radius;
    const double turn = 2 * pi * ((sw % s.a + share * 0.9) / s.a + (double)group / s.groups);
    return (hf_position){.x = centre.x + out * sin(turn), .y = centre.y + out * cos(turn)};
}

static const char *const wirings[] = {"canonical", "palmtree", NULL};

static const hf_param params[] = {
    {.name = "p", .type = HF_PARAM_UINT, .low = 1, .high = HF_TERMINALS_MAX, .help = "terminals on each switch"},
    {.name = "a", .type = HF_PARAM_UINT, .low = 1, .high = 16384, .help = "switches in each group"},
    {.name = "h", .type = HF_PARAM_UINT, .low = 1, .high = 16384, .help = "global links of each switch"},
    {.name = "groups",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = UINT32_MAX,
     .help = "groups; 0 stands for all that fit, a h + 1"},
    {.name = "wiring",
     .type = HF_PARAM_WORD,
     .fallback = "canonical",
     .words = wirings,
     .help = "where the global links lead: to the groups in ascending order, or as in a palm tree"},
    {.name = "terminals",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .low = 0,
     .high = HF_TERMINALS_MAX,
     .help = "terminals on each switch; 0 stands for p"},
    {0},
};

const hf_topology_kind hf_topology_dragonfly = {
    .name = "dragonfly",
    .summary = "dragonfly: complete graphs as groups, every two groups joined by global links",
    .source = "kim2008; camarero2014",
    .claims = "g = a h + 1 groups; a g switches; g a (a-1) / 2 local and g (g-1) / 2 global links; degree a - 1 + h + p; "
              "diameter 5 channels",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
};
