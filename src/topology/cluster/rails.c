/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rail-optimised clusters: hosts of `accelerators` each, whose accelerator i has a port to the leaf of rail i; `unit` hosts
 *  share the leaves, one for each rail, and all leaves of a plane are joined to its spines by `bundle` links. With several
 *  planes every accelerator has a port to each, and each has leaves and spines of its own. An inner switch joins the
 *  accelerators of a host. Without spines the rails of a unit are apart, as in rail-only networks.
 *
 *  With relay=yes an accelerator is a switch with one terminal, and a packet may cross it: out over another rail, or from one
 *  rail into the host. With relay=no it is a terminal with several links that packets do not cross. Criterion "connected" asks,
 *  with relay=yes, whether what is left serves everybody by relaying; "all-pairs" whether the rule does.
 *
 *  Switches: accelerators (relay=yes) by host, inner switches by host, leaves by plane, unit and rail, spines by plane. Ports
 *  of an accelerator: 0 to the inner switch, then a plane each, then the terminal; of an inner switch by accelerator; of a leaf
 *  by host of the unit, then spines; of a spine by unit and rail. Source: [wang2023]. */
#include <inttypes.h>

#include "src/topology/uniform.h"

enum { ACCELERATOR, INNER, LEAF, SPINE };

typedef struct rails {
    uint32_t g, hosts, unit, units, planes, spines, bundle;
    bool has_relay;
    uint64_t first[4], end; /* switches of each layer */
    uint32_t rate[3];       /* inner, NIC, leaf to spine */
} rails;

static uint32_t number(const hf_args *args, const char *name) { return (uint32_t)hf_args_get(args, name)->number; }

static rails shape_of(const hf_args *args) {
    rails r = {.g = number(args, "accelerators"),
               .hosts = number(args, "hosts"),
               .unit = number(args, "unit"),
               .planes = number(args, "planes"),
               .spines = number(args, "spines"),
               .bundle = number(args, "bundle"),
               .has_relay = number(args, "relay") == 1};
    r.unit = r.unit && r.unit < r.hosts ? r.unit : r.hosts;
    r.units = (r.hosts + r.unit - 1) / r.unit;
    r.first[INNER] = r.has_relay ? (uint64_t)r.hosts * r.g : 0;
    r.first[LEAF] = r.first[INNER] + r.hosts;
    r.first[SPINE] = r.first[LEAF] + (uint64_t)r.planes * r.units * r.g;
    r.end = r.first[SPINE] + (uint64_t)r.planes * r.spines;
    for (uint32_t i = 0; i < 3; i++) {
        r.rate[i] = hf_rate_of(args, i);
    }
    return r;
}

static uint32_t layer_of(const rails *r, uint32_t sw) {
    uint32_t layer = SPINE;
    while (sw < r->first[layer]) {
        layer--;
    }
    return layer;
}

static uint32_t leaf_of(const rails *r, uint32_t plane, uint32_t host, uint32_t rail) {
    return (uint32_t)r->first[LEAF] + (plane * r->units + host / r->unit) * r->g + rail;
}

/* ---- building ---- */

/* The links of accelerator `i` of a host: switch or terminal `node`. */
static void add_accelerator(hf_topology *topo, const rails *r, uint32_t host, uint32_t i, uint32_t node) {
    hf_topology_add_link(topo, node, 0, (uint32_t)r->first[INNER] + host, i, true);
    for (uint32_t plane = 0; plane < r->planes; plane++) {
        hf_topology_add_link(topo, node, 1 + plane, leaf_of(r, plane, host, i), host % r->unit, true);
    }
}

static void add_accelerators(hf_topology *topo, const rails *r, uint32_t first) {
    for (uint32_t a = 0; a < r->hosts * r->g; a++) {
        add_accelerator(topo, r, a / r->g, a % r->g, first + a);
    }
}

static void add_spines(hf_topology *topo, const rails *r) {
    const uint32_t each = r->units * r->g;
    for (uint32_t leaf = 0; leaf < r->planes * each; leaf++) {
        for (uint32_t i = 0; i < r->spines * r->bundle; i++) {
            hf_topology_add_link(topo, (uint32_t)r->first[LEAF] + leaf, r->unit + i,
                                 (uint32_t)r->first[SPINE] + leaf / each * r->spines + i / r->bundle,
                                 leaf % each * r->bundle + i % r->bundle, true);
        }
    }
}

static hf_status add_layers(hf_context *cx, hf_topology *topo, const rails *r) {
    uint32_t *layer, *rail, *plane, *of_link, *unused;
    HF_TRY(hf_topology_add_attribute(
        cx, topo, "layer",
        "of a switch: accelerator, inner switch, leaf or spine, 0 to 3; of a link: inner, to a leaf, to a "
        "spine, 0 to 2",
        &layer, &of_link));
    HF_TRY(hf_topology_add_attribute(cx, topo, "rail", "rail of an accelerator or a leaf", &rail, &unused));
    HF_TRY(hf_topology_add_attribute(cx, topo, "plane", "plane of a leaf or a spine", &plane, &unused));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        layer[v] = layer_of(r, v);
        const uint32_t i = v - (uint32_t)r->first[layer[v]];
        rail[v] = layer[v] == ACCELERATOR || layer[v] == LEAF ? i % r->g : HF_NONE;
        plane[v] = layer[v] == LEAF ? i / (r->units * r->g) : layer[v] == SPINE ? i / r->spines : HF_NONE;
    }
    for (uint32_t l = 0; l < topo->n_link; l++) { /* the upper end of a terminal is its accelerator, inner switch or leaf */
        of_link[l] = layer[topo->to[l]] == ACCELERATOR ? HF_NONE : layer[topo->to[l]] - 1;
    }
    if (r->rate[0] + r->rate[1] + r->rate[2] > 0) {
        uint32_t *rate;
        HF_TRY(hf_topology_add_rates(cx, topo, &rate));
        for (uint32_t l = 0; l < topo->n_link; l++) {
            rate[l] = r->rate[of_link[l] == HF_NONE ? 0 : of_link[l]]; /* a terminal takes what the inner domain brings */
        }
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo, const rails *r) {
    if (r->has_relay) {
        add_accelerators(topo, r, 0);
    }
    add_spines(topo, r);
    if (r->has_relay) {
        hf_uniform_hang(topo, 1, 1 + r->planes);
    } else {
        add_accelerators(topo, r, topo->n_switch);
    }
    HF_TRY(add_layers(cx, topo, r));
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    const rails r = shape_of(args);
    const uint64_t n = (uint64_t)r.hosts * r.g, n_port = n * (1 + r.planes);
    const uint64_t n_spine_link = (uint64_t)r.planes * r.units * r.g * r.spines * r.bundle;
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_rails, args, r.end, n, n_spine_link + (r.has_relay ? n_port : 0),
                             r.has_relay ? n : n_port, 0, NULL, &topo));
    return hf_topology_give(fill(cx, topo, &r), topo, out);
}

/* ---- places ---- */

/* A row a layer, each spread over the same width. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const rails r = shape_of(&topo->args);
    const double width = (double)topo->n_terminal;
    if (hf_topology_is_terminal(topo, node)) {
        return (hf_position){.x = node - topo->n_switch, .y = 0};
    }
    const uint32_t layer = layer_of(&r, node);
    const uint64_t end = layer == SPINE ? r.end : r.first[layer + 1];
    const double n = (double)(end - r.first[layer]), i = (double)(node - r.first[layer]);
    return (hf_position){.x = (i + 0.5) * width / n - 0.5, .y = layer + (r.has_relay ? 1.0 : 0.0)};
}

static uint32_t diameter(const hf_topology *topo) {
    (void)topo;
    return HF_NONE;
}

static const char *const no_yes[] = {"no", "yes", NULL};

static const hf_param params[] = {
    {.name = "hosts", .type = HF_PARAM_UINT, .low = 1, .high = 1000000, .flags = HF_PARAM_SHOWN, .help = "hosts"},
    {.name = "accelerators",
     .type = HF_PARAM_UINT,
     .fallback = "8",
     .low = 1,
     .high = 256,
     .flags = HF_PARAM_SHOWN,
     .help = "accelerators of a host, and rails"},
    {.name = "unit", .type = HF_PARAM_UINT, .fallback = "0", .low = 0, .high = 4096, .help = "hosts on a leaf; 0: all of them"},
    {.name = "spines", .type = HF_PARAM_UINT, .fallback = "0", .low = 0, .high = 4096, .help = "spines of a plane"},
    {.name = "bundle", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = 256, .help = "links from a leaf to each spine"},
    {.name = "planes", .type = HF_PARAM_UINT, .fallback = "1", .low = 1, .high = 64, .help = "planes of leaves and spines"},
    {.name = "relay", .type = HF_PARAM_WORD, .fallback = "yes", .words = no_yes, .help = "may a packet cross an accelerator"},
    HF_PARAM_RATES("rates of links of the inner domain, to a leaf, and to a spine; 0: none is said"),
    {0},
};

const hf_topology_kind hf_topology_rails = {
    .name = "rails",
    .summary = "rail-optimised cluster: hosts of accelerators, a leaf for each rail, planes, an inner domain that may relay",
    .source = "wang2023",
    .claims =
        "hosts accelerators terminals; one inner switch a host; planes (units accelerators + spines) switches of the fabric",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
};
