/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  PolarFly: the polarity graphs of Erdos and Renyi, of diameter 2 and as close to the Moore bound as is known. Switches are
 *  the points of the projective plane over GF(q), q a prime power, written with their first coordinate that is not 0 as 1; two
 *  are joined if their dot product is 0. The q + 1 points whose product with themselves is 0 (quadrics) have q neighbours, the
 *  others q + 1.
 *
 *  (1,y,z) is switch y q + z, (0,1,z) is q^2 + z, (0,0,1) is q^2 + q. Ports: neighbours in ascending order, then terminals.
 *  Links by (lower, higher switch). Source: [lakhotia2022; erdos1966]. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/sort.h"
#include "src/topology/field.h"
#include "src/topology/uniform.h"

typedef struct plane {
    hf_field f;
    uint32_t q, n;
    uint32_t *neighbour, *degree; /* n rows of q + 1, ascending, without the point itself */
} plane;

static void point_of(const plane *p, uint32_t v, uint32_t *x) {
    const uint32_t q = p->q;
    assert(q >= 2);
    x[0] = v < q * q;
    x[1] = x[0] ? v / q : v < q * q + q;
    x[2] = x[0] ? v % q : x[1] ? v - q * q : 1;
}

static uint32_t divide(const plane *p, uint32_t a, uint32_t b) {
    assert(p->q >= 2);
    return a ? p->f.power[(p->f.log[a] + p->q - 1 - p->f.log[b]) % (p->q - 1)] : 0;
}

static void add(plane *p, uint32_t v, uint32_t other) {
    if (other != v) {
        p->neighbour[(size_t)v * (p->q + 1) + p->degree[v]++] = other;
    }
}

/** The points (1,y,z), (0,1,z), (0,0,1) on the line a x + b y + c z = 0. */
static void list_line(plane *p, uint32_t v) {
    uint32_t a[3];
    const uint32_t q = p->q;
    point_of(p, v, a);
    const uint32_t minus_a = hf_field_subtract(&p->f, 0, a[0]), minus_b = hf_field_subtract(&p->f, 0, a[1]);
    for (uint32_t y = 0; a[2] && y < q; y++) {
        const uint32_t rest = hf_field_subtract(&p->f, minus_a, hf_field_multiply(&p->f, a[1], y));
        add(p, v, y * q + divide(p, rest, a[2]));
    }
    for (uint32_t z = 0; !a[2] && z < q; z++) { /* y is fixed, or there is none on the line and x must be 0 */
        add(p, v, a[1] ? divide(p, minus_a, a[1]) * q + z : q * q + z);
    }
    add(p, v, a[2] ? q * q + divide(p, minus_b, a[2]) : q * q + q);
    hf_sort_numbers(p->neighbour + (size_t)v * (q + 1), p->degree[v]);
}

static uint32_t port_to(const plane *p, uint32_t v, uint32_t other) {
    const uint32_t *row = p->neighbour + (size_t)v * (p->q + 1);
    return (uint32_t)((const uint32_t *)bsearch(&other, row, p->degree[v], sizeof *row, hf_compare_numbers) - row);
}

static void add_links(hf_topology *topo, const plane *p) {
    for (uint32_t v = 0; v < p->n; v++) {
        for (uint32_t i = 0; i < p->degree[v]; i++) {
            const uint32_t other = p->neighbour[(size_t)v * (p->q + 1) + i];
            if (other > v) {
                hf_topology_add_link(topo, v, i, other, port_to(p, other, v), true);
            }
        }
    }
}

static hf_status describe(hf_context *cx, hf_topology *topo, const plane *p) {
    uint32_t *of_switch, *of_link;
    HF_TRY(hf_topology_add_attribute(cx, topo, "class", "0: a quadric, 1: another switch", &of_switch, &of_link));
    for (uint32_t v = 0; v < p->n; v++) {
        point_of(p, v, topo->coord + 3 * (size_t)v);
        of_switch[v] = p->degree[v] > p->q;
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo) {
    plane p = {.q = (uint32_t)hf_args_get(&topo->args, "q")->number, .n = topo->n_switch};
    HF_TRY(hf_field_init(cx, p.q, &p.f));
    HF_TRY(hf_scratch(cx, (size_t)p.n * (p.q + 1), sizeof *p.neighbour, (void **)&p.neighbour));
    HF_TRY(hf_scratch(cx, p.n, sizeof *p.degree, (void **)&p.degree));
    for (uint32_t v = 0; v < p.n; v++) {
        list_line(&p, v);
    }
    add_links(topo, &p);
    hf_uniform_add_terminals(topo, p.q + 1);
    HF_TRY(describe(cx, topo, &p));
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    static const char *const coord_name[] = {"x", "y", "z"};
    const uint64_t q = hf_args_get(args, "q")->number, n = q * q + q + 1;
    const uint64_t n_terminal = n * hf_args_get(args, "terminals")->number;
    if (!hf_field_prime((uint32_t)q, NULL)) {
        HF_FAIL(cx, HF_EINVAL, "topology \"polarfly\": q=%u is not right; need a prime power", (uint32_t)q);
    }
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_polarfly, args, n, n_terminal, q * (q + 1) * (q + 1) / 2, n_terminal, 3, coord_name,
                             &topo));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = fill(cx, topo);
    hf_scratch_reset(cx, mark);
    return hf_topology_give(status, topo, out);
}

static uint32_t diameter(const hf_topology *topo) { return hf_uniform_diameter(topo, 2); }

/** Twice the links are one hop apart, all other pairs two. */
static double mean_distance(const hf_topology *topo) {
    const double n = topo->n_switch, near = 2.0 * topo->n_switch_link;
    return hf_uniform_mean(topo, near + 2 * (n * (n - 1) - near));
}

static const hf_param params[] = {
    {.name = "q", .type = HF_PARAM_UINT, .low = 2, .high = 2048, .help = "a prime power; q + 1 links of a switch"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_polarfly = {
    .name = "polarfly",
    .summary = "PolarFly: polarity graphs of projective planes, any two switches at most two hops apart",
    .source = "lakhotia2022; erdos1966",
    .claims = "q^2 + q + 1 switches, q + 1 of them of degree q + terminals, the others of q + 1; q (q+1)^2 / 2 links; diameter 4 "
              "channels",
    .params = params,
    .build = build,
    .place = hf_uniform_on_circle,
    .diameter = diameter,
    .mean_distance = mean_distance,
};
