/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Chiplets on an active interposer: a grid of chiplets, each a mesh of switches with terminals, above one mesh of switches
 *  without. Every switch of the interposer has a vertical link to the chiplet above it, spread evenly over the chiplet: with
 *  `below` = i x j switches under a chiplet of a x b, number x of i leads to column (2x + 1) a / 2i, rounded down, and rows
 *  alike.
 *
 *  Switches: those of chiplets by chiplet (rows of chiplets from the bottom), row and column, then the interposer by row and
 *  column. Ports: 0 east, 1 west, 2 north, 3 south, 4 vertical, then terminals. Links: those inside of each chiplet, of the
 *  interposer, and the vertical ones, by (lower switch, port). Source: [yin2018]. */
#include <assert.h>

#include "src/topology/uniform.h"

enum { EAST, WEST, NORTH, SOUTH, VERTICAL, TERMINAL };

typedef struct chiplets {
    uint32_t n[2], dims[2], below[2]; /* chiplets, switches of one, of the interposer under it: columns, rows */
    uint32_t each, first, wide[2];    /* switches of a chiplet; first of the interposer, and its columns and rows */
} chiplets;

static chiplets shape_of(const hf_args *args) {
    chiplets c;
    for (uint32_t i = 0; i < 2; i++) {
        c.n[i] = (uint32_t)hf_args_get(args, "chiplets")->dims[i];
        c.dims[i] = (uint32_t)hf_args_get(args, "dims")->dims[i];
        c.below[i] = (uint32_t)hf_args_get(args, "below")->dims[i];
        c.wide[i] = c.n[i] * c.below[i];
    }
    c.each = c.dims[0] * c.dims[1];
    c.first = c.n[0] * c.n[1] * c.each;
    return c;
}

/* ---- building ---- */

static void add_mesh(hf_topology *topo, uint32_t first, const uint32_t *dims) {
    for (uint32_t y = 0, v = first; y < dims[1]; y++) {
        for (uint32_t x = 0; x < dims[0]; x++, v++) {
            if (x + 1 < dims[0]) {
                hf_topology_add_link(topo, v, EAST, v + 1, WEST, true);
            }
            if (y + 1 < dims[1]) {
                hf_topology_add_link(topo, v, NORTH, v + dims[0], SOUTH, true);
            }
        }
    }
}

static uint32_t chiplet_of(const chiplets *c, uint32_t v) { return c->each ? v / c->each : 0; }

/* The switch of a chiplet above switch i of the interposer. */
static uint32_t above(const chiplets *c, uint32_t i) {
    assert(c->wide[0] > 0 && c->below[0] > 0 && c->below[1] > 0);
    const uint32_t at[] = {i % c->wide[0], i / c->wide[0]};
    uint32_t in[2], chiplet[2];
    for (uint32_t d = 0; d < 2; d++) {
        chiplet[d] = at[d] / c->below[d];
        in[d] = (2 * (at[d] % c->below[d]) + 1) * c->dims[d] / (2 * c->below[d]);
    }
    return (chiplet[1] * c->n[0] + chiplet[0]) * c->each + in[1] * c->dims[0] + in[0];
}

/* Layer, then column and row in the layer. */
static void locate(const chiplets *c, uint32_t v, uint32_t *coord) {
    const uint32_t chiplet = chiplet_of(c, v), i = v - chiplet * c->each;
    assert(c->wide[0] > 0 && c->n[0] > 0 && c->dims[0] > 0);
    coord[0] = v < c->first;
    if (v >= c->first) {
        coord[1] = (v - c->first) % c->wide[0];
        coord[2] = (v - c->first) / c->wide[0];
        return;
    }
    coord[1] = chiplet % c->n[0] * c->dims[0] + i % c->dims[0];
    coord[2] = chiplet / c->n[0] * c->dims[1] + i / c->dims[0];
}

static hf_status describe(hf_context *cx, hf_topology *topo, const chiplets *c) {
    uint32_t *chiplet, *kind, *rate;
    HF_TRY(hf_topology_add_attribute(cx, topo, "chiplet", "number of the chiplet of a switch", &chiplet, &kind));
    HF_TRY(hf_topology_add_attribute(cx, topo, "kind", "link of a chiplet 0, of the interposer 1, between them 2", &rate, &kind));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        locate(c, v, topo->coord + 3 * (size_t)v);
        chiplet[v] = v < c->first ? chiplet_of(c, v) : HF_NONE;
    }
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        kind[l] = topo->from[l] >= c->first ? 1 : topo->to[l] >= c->first ? 2 : 0;
    }
    if (hf_rate_of(&topo->args, 0) == 0) {
        return HF_OK;
    }
    HF_TRY(hf_topology_add_rates(cx, topo, &rate));
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t i = l < topo->n_switch_link ? kind[l] : 0;
        rate[l] = hf_rate_of(&topo->args, i);
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo, const chiplets *c, uint32_t terminals) {
    for (uint32_t first = 0; first < c->first; first += c->each) {
        add_mesh(topo, first, c->dims);
    }
    add_mesh(topo, c->first, c->wide);
    for (uint32_t i = 0; i < c->wide[0] * c->wide[1]; i++) {
        hf_topology_add_link(topo, above(c, i), VERTICAL, c->first + i, VERTICAL, true);
    }
    hf_uniform_hang(topo, terminals, TERMINAL);
    HF_TRY(describe(cx, topo, c));
    return hf_topology_finish(cx, topo);
}

static uint64_t mesh_links(uint64_t x, uint64_t y) { return (x - 1) * y + x * (y - 1); }

static hf_status check(hf_context *cx, const hf_args *args) {
    static const char *const names[] = {"chiplets", "dims", "below"};
    for (size_t i = 0; i < 3; i++) {
        if (hf_args_get(args, names[i])->number != 2) {
            HF_FAIL(cx, HF_EINVAL, "topology \"chiplets\": %s has %u numbers; need columns and rows, such as 2x2", names[i],
                    (unsigned)hf_args_get(args, names[i])->number);
        }
    }
    const hf_value *dims = hf_args_get(args, "dims"), *below = hf_args_get(args, "below");
    if (below->dims[0] > dims->dims[0] || below->dims[1] > dims->dims[1]) {
        HF_FAIL(cx, HF_EINVAL,
                "topology \"chiplets\": below=%ux%u is larger than a chiplet of %ux%u; each needs a switch of its own above it",
                (unsigned)below->dims[0], (unsigned)below->dims[1], (unsigned)dims->dims[0], (unsigned)dims->dims[1]);
    }
    return HF_OK;
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    static const char *const coord_name[] = {"layer", "x", "y"};
    HF_TRY(check(cx, args));
    const chiplets c = shape_of(args);
    const uint64_t terminals = hf_args_get(args, "terminals")->number, n_below = (uint64_t)c.wide[0] * c.wide[1];
    const uint64_t n = (uint64_t)c.n[0] * c.n[1], n_chip = n * c.each;
    const uint64_t n_link = n * mesh_links(c.dims[0], c.dims[1]) + mesh_links(c.wide[0], c.wide[1]) + n_below;
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_chiplets, args, n_chip + n_below, n_chip * terminals, n_link, n_chip * terminals, 3,
                             coord_name, &topo));
    return hf_topology_give(fill(cx, topo, &c, (uint32_t)terminals), topo, out);
}

static uint32_t diameter(const hf_topology *topo) {
    (void)topo;
    return HF_NONE;
}

/** Chiplets with a gap between them, the interposer as a plane behind, shifted. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const chiplets c = shape_of(&topo->args);
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    const uint32_t terminals = (uint32_t)hf_args_get(&topo->args, "terminals")->number;
    uint32_t at[3];
    locate(&c, is_terminal ? (node - topo->n_switch) / terminals : node, at);
    const uint32_t gap[] = {at[0] ? at[1] / c.dims[0] : 0, at[0] ? at[2] / c.dims[1] : 0};
    const double step = 1.5;
    const double x = at[1] * (at[0] ? 1.0 : (double)(c.dims[0] + 1) / c.below[0]) + gap[0];
    const double y = at[2] * (at[0] ? 1.0 : (double)(c.dims[1] + 1) / c.below[1]) + gap[1];
    const double right = at[0] ? 0 : 0.6, up = at[0] ? 0 : 0.4; /* between the switches above and what hangs on them */
    const double hang = is_terminal ? 0.4 + 0.25 * ((node - topo->n_switch) % terminals) : 0;
    return (hf_position){.x = (x + right) * step + hang, .y = (y + up) * step - (is_terminal ? 0.4 : 0)};
}

static const hf_param params[] = {
    {.name = "chiplets",
     .type = HF_PARAM_DIMS,
     .low = 1,
     .high = 256,
     .flags = HF_PARAM_SHOWN,
     .help = "columns x rows of chiplets"},
    {.name = "dims",
     .type = HF_PARAM_DIMS,
     .low = 1,
     .high = 256,
     .flags = HF_PARAM_SHOWN,
     .help = "columns x rows of switches of a chiplet"},
    {.name = "below",
     .type = HF_PARAM_DIMS,
     .fallback = "2x2",
     .low = 1,
     .high = 256,
     .help = "columns x rows of switches of the interposer, each with a vertical link, under a chiplet"},
    HF_PARAM_TERMINALS,
    HF_PARAM_RATES("rates of links of chiplets, of the interposer, and between them; 0: none is said"),
    {0},
};

const hf_topology_kind hf_topology_chiplets = {
    .name = "chiplets",
    .summary = "chiplets: meshes side by side above the mesh of an interposer, joined to it by vertical links",
    .source = "yin2018",
    .claims = "one vertical link a switch of the interposer; terminals on the switches of chiplets",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
};
