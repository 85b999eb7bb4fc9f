/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Slim fly: the graphs of McKay, Miller and Siran, of diameter 2 and close to the Moore bound. q = 4w + d is a prime power,
 *  d = -1, 0 or 1. Switch (s,x,y), s = 0 or 1 and x, y in GF(q), is s q^2 + x q + y.
 *
 *  With a primitive element xi: (0,x,y) and (0,x,y') are joined if y - y' is in X, (1,m,c) and (1,m,c') if c - c' is in X',
 *  (0,x,y) and (1,m,c) if y = m x + c. X are the even powers of xi and X' the odd ones; for d = -1 even exponents go up to 2w-2
 *  and odd ones follow from 2w-1 on, and the other way round for X'.
 *  Ports: first those inside of a column, in ascending order of switches, then by m (by x on side 1), then terminals.
 *  Links: those inside of columns by (lower, higher switch), then those between the sides by (x, y, m).
 *  Source: [besta2014; hafner2004; mckay1998]. */
#include "src/topology/field.h"
#include "src/topology/uniform.h"

typedef struct slim {
    hf_field field;
    uint32_t q, width; /**< width: |X| = |X'| */
    uint8_t *joins[2]; /**< q flags: is a difference in X, in X'? */
} slim;

static int delta_of(uint32_t q) { return q % 4 == 3 ? -1 : (int)(q % 4); }

static uint32_t width_of(uint32_t q) { return (uint32_t)((int)q - delta_of(q)) / 2; }

/** Mark the `width` powers that make up X (side 0) or X' (side 1). */
static void mark_generators(slim *s, uint32_t side) {
    const uint32_t w = (s->q + 1) / 4;
    for (uint32_t i = 0; i < s->width; i++) {
        const bool is_second_half = delta_of(s->q) == -1 && i >= w; /* the even powers end at 2w - 2, the odd ones go on */
        const uint32_t exponent = side + 2 * i - is_second_half;
        s->joins[side][s->field.power[exponent % (s->q - 1)]] = 1;
    }
}

static hf_status prepare(hf_context *cx, uint32_t q, slim *s) {
    *s = (slim){.q = q, .width = width_of(q)};
    HF_TRY(hf_field_init(cx, q, &s->field));
    for (uint32_t side = 0; side < 2; side++) {
        HF_TRY(hf_scratch(cx, q, 1, (void **)&s->joins[side]));
        mark_generators(s, side);
    }
    return HF_OK;
}

/** The port inside of a column with which `y` reaches `other`: so many neighbours come before. */
static uint32_t column_port(const slim *s, uint32_t side, uint32_t y, uint32_t other) {
    uint32_t port = 0;
    for (uint32_t i = 0; i < other; i++) {
        port += s->joins[side][hf_field_subtract(&s->field, y, i)];
    }
    return port;
}

/** The links inside of one column are the same in all columns of a side. */
static void add_column(hf_topology *topo, const slim *s, uint32_t side, uint32_t first) {
    for (uint32_t y = 0; y < s->q; y++) {
        for (uint32_t other = y + 1; other < s->q; other++) {
            if (s->joins[side][hf_field_subtract(&s->field, y, other)]) {
                hf_topology_add_link(topo, first + y, column_port(s, side, y, other), first + other,
                                     column_port(s, side, other, y), true);
            }
        }
    }
}

/** From (0,x,y) to its q neighbours (1,m,c). */
static void add_cross_links(hf_topology *topo, const slim *s, uint32_t x, uint32_t y) {
    for (uint32_t m = 0; m < s->q; m++) {
        const uint32_t c = hf_field_subtract(&s->field, y, hf_field_multiply(&s->field, m, x));
        hf_topology_add_link(topo, x * s->q + y, s->width + m, (s->q + m) * s->q + c, s->width + x, true);
    }
}

static void set_coordinates(hf_topology *topo, uint32_t q) {
    uint32_t *coord = topo->coord;
    for (uint32_t column = 0; column < 2 * q; column++) {
        for (uint32_t row = 0; row < q; row++, coord += 3) {
            coord[0] = column >= q;
            coord[1] = column >= q ? column - q : column;
            coord[2] = row;
        }
    }
}

static hf_status fill(hf_context *cx, hf_topology *topo) {
    slim s;
    HF_TRY(prepare(cx, (uint32_t)hf_args_get(&topo->args, "q")->number, &s));
    for (uint32_t column = 0; column < 2 * s.q; column++) {
        add_column(topo, &s, column >= s.q, column * s.q);
    }
    for (uint32_t x = 0; x < s.q; x++) {
        for (uint32_t y = 0; y < s.q; y++) {
            add_cross_links(topo, &s, x, y);
        }
    }
    hf_uniform_add_terminals(topo, s.width + s.q);
    set_coordinates(topo, s.q);
    uint32_t *of_switch, *of_link;
    HF_TRY(hf_topology_add_attribute(cx, topo, "kind", "0: link inside of a column, 1: link between the sides", &of_switch,
                                     &of_link));
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        of_link[l] = topo->coord[3 * (size_t)topo->from[l]] != topo->coord[3 * (size_t)topo->to[l]];
    }
    return hf_topology_finish(cx, topo);
}

static hf_status build(hf_context *cx, const hf_args *args, hf_topology **out) {
    static const char *const coord_name[] = {"side", "column", "row"};
    const uint64_t q = hf_args_get(args, "q")->number, n = 2 * q * q;
    const uint64_t n_terminal = n * hf_args_get(args, "terminals")->number;
    if (q % 4 == 2 || !hf_field_prime((uint32_t)q, NULL)) {
        HF_FAIL(cx, HF_EINVAL, "topology \"slimfly\": q=%u is not right; need a prime power that is 4w - 1, 4w or 4w + 1",
                (uint32_t)q);
    }
    hf_topology *topo;
    HF_TRY(hf_topology_start(cx, &hf_topology_slimfly, args, n, n_terminal, n / 2 * (q + width_of((uint32_t)q)), n_terminal, 3,
                             coord_name, &topo));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = fill(cx, topo);
    hf_scratch_reset(cx, mark);
    return hf_topology_give(status, topo, out);
}

static uint32_t diameter(const hf_topology *topo) { return hf_uniform_diameter(topo, 2); }

/** Each switch has (3q - d) / 2 neighbours; all others are two hops away. */
static double mean_distance(const hf_topology *topo) {
    const uint32_t q = (uint32_t)hf_args_get(&topo->args, "q")->number;
    const double n = topo->n_switch, near = q + width_of(q);
    return hf_uniform_mean(topo, n * (near + 2 * (n - 1 - near)));
}

/** Two squares side by side, a column of switches for each x and m. */
static hf_position place(const hf_topology *topo, uint32_t node) {
    const uint32_t q = (uint32_t)hf_args_get(&topo->args, "q")->number;
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    const uint32_t t = node - topo->n_switch, sw = is_terminal ? t / hf_uniform_terminals(topo) : node;
    const uint32_t column = sw / q;
    const double right = column >= q ? 1.5 : 0;
    const hf_position at = {.x = column * hf_uniform_width(topo) + right, .y = sw % q * 1.3};
    return is_terminal ? hf_uniform_below(topo, t, at) : at;
}

static const hf_param params[] = {
    {.name = "q", .type = HF_PARAM_UINT, .low = 3, .high = 8192, .help = "a prime power that is 4w - 1, 4w or 4w + 1"},
    HF_PARAM_TERMINALS,
    {0},
};

const hf_topology_kind hf_topology_slimfly = {
    .name = "slimfly",
    .summary = "slim fly: McKay-Miller-Siran graphs, any two switches at most two hops apart",
    .source = "besta2014; mckay1998",
    .claims = "q = 4w + d: 2 q^2 switches of degree (3q - d) / 2 + terminals; diameter 4 channels",
    .params = params,
    .build = build,
    .place = place,
    .diameter = diameter,
    .mean_distance = mean_distance,
};
