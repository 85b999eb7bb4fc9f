/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Grids of switches; the convention is in grid.h. */
#include "src/topology/grid/grid.h"

/** Most significant first: entry HF_GRID_DIMS_MAX - n is the first of n. */
static const char *const letter[HF_GRID_DIMS_MAX] = {"c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n",
                                                     "o", "p", "q", "r", "s", "t", "u", "v", "w", "z", "y", "x"};

char hf_grid_letter(uint32_t d) { return letter[HF_GRID_DIMS_MAX - 1 - d][0]; }

/* ---- shape ---- */

/** Links in + direction of a line of dimension d. */
static uint64_t links_of_line(const hf_grid *grid, uint32_t d) {
    const uint64_t k = grid->size[d];
    return grid->is_complete ? k * (k - 1) / 2 : k - 1 + grid->wraps[d];
}

static void finish_shape(hf_grid *grid) {
    grid->n_switch = 1;
    for (uint32_t d = 0; d < grid->n; d++) {
        grid->stride[d] = (uint32_t)grid->n_switch; /* exact for whatever fits in memory */
        grid->n_switch = hf_times(grid->n_switch, grid->size[d]);
        grid->inverse[d] = grid->n_switch > 0 ? UINT64_MAX / grid->n_switch + 1 : 0;
    }
    for (uint32_t d = 0; d < grid->n; d++) {
        grid->n_link = hf_plus(grid->n_link, hf_times(grid->n_switch / grid->size[d], links_of_line(grid, d)));
    }
}

void hf_grid_take_dims(const hf_args *args, hf_grid *grid) {
    const hf_value *dims = hf_args_get(args, "dims");
    grid->n = (uint32_t)dims->number;
    for (uint32_t d = 0; d < grid->n; d++) {
        grid->size[d] = (uint32_t)dims->dims[grid->n - 1 - d];
    }
}

void hf_grid_wrap(hf_grid *grid, bool is_doubled) {
    for (uint32_t d = 0; d < grid->n; d++) {
        grid->wraps[d] = grid->size[d] > 2 || (grid->size[d] == 2 && is_doubled);
        grid->has_ring |= grid->wraps[d];
    }
}

bool hf_grid_shape(const hf_topology_kind *kind, const hf_args *args, hf_grid *grid) {
    *grid = (hf_grid){0};
    if (!kind->grid) {
        return false;
    }
    kind->grid(args, grid);
    grid->terminals = hf_args_get(args, "terminals")->number;
    finish_shape(grid);
    return true;
}

uint32_t hf_grid_neighbour(const hf_grid *grid, uint32_t sw, uint32_t d, bool is_plus) {
    const uint32_t digit = hf_grid_digit(grid, sw, d), last = grid->size[d] - 1, end = is_plus ? last : 0;
    if (digit == end) {
        return grid->wraps[d] ? hf_grid_move(grid, sw, d, last - end) : HF_NONE;
    }
    return is_plus ? sw + grid->stride[d] : sw - grid->stride[d];
}

uint32_t hf_grid_line_port(const hf_grid *grid, uint32_t sw, uint32_t d, uint32_t digit) {
    uint32_t port = digit < hf_grid_digit(grid, sw, d) ? digit : digit - 1;
    for (uint32_t e = 0; e < d; e++) {
        port += grid->size[e] - 1;
    }
    return port;
}

uint32_t hf_grid_terminal_port(const hf_grid *grid) {
    if (!grid->is_complete) {
        return grid->is_cube ? grid->n : 2 * grid->n;
    }
    uint32_t port = 0;
    for (uint32_t d = 0; d < grid->n; d++) {
        port += grid->size[d] - 1;
    }
    return port;
}

/* ---- building ---- */

static void add_line_links(hf_topology *topo, const hf_grid *grid, uint32_t d) {
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        const uint32_t next = hf_grid_neighbour(grid, sw, d, true);
        if (next != HF_NONE) {
            hf_topology_add_link(topo, sw, hf_grid_port(grid, d, true), next, hf_grid_port(grid, d, false), true);
        }
    }
}

static void add_complete_links(hf_topology *topo, const hf_grid *grid, uint32_t d) {
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        const uint32_t digit = hf_grid_digit(grid, sw, d);
        for (uint32_t to = digit + 1; to < grid->size[d]; to++) {
            const uint32_t other = hf_grid_move(grid, sw, d, to);
            hf_topology_add_link(topo, sw, hf_grid_line_port(grid, sw, d, to), other, hf_grid_line_port(grid, other, d, digit),
                                 true);
        }
    }
}

static hf_status add_dimensions(hf_context *cx, hf_topology *topo, const hf_grid *grid) {
    uint32_t *of_switch, *of_link, l = 0;
    HF_TRY(hf_topology_add_attribute(cx, topo, "dimension", "dimension that a link runs in, 0 for x, the one written last",
                                     &of_switch, &of_link));
    for (uint32_t d = 0; d < grid->n; d++) {
        const uint64_t n = topo->n_switch / grid->size[d] * links_of_line(grid, d);
        for (uint64_t i = 0; i < n; i++) {
            of_link[l++] = d;
        }
    }
    return HF_OK;
}

static hf_status fill(hf_context *cx, hf_topology *topo, const hf_grid *grid) {
    for (uint32_t d = 0; d < grid->n; d++) {
        if (grid->is_complete) {
            add_complete_links(topo, grid, d);
        } else {
            add_line_links(topo, grid, d);
        }
    }
    hf_uniform_add_terminals(topo, hf_grid_terminal_port(grid));
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        for (uint32_t d = 0; d < grid->n; d++) {
            topo->coord[(size_t)sw * grid->n + grid->n - 1 - d] = hf_grid_digit(grid, sw, d);
        }
    }
    HF_TRY(add_dimensions(cx, topo, grid));
    return hf_topology_finish(cx, topo);
}

hf_status hf_grid_build(hf_context *cx, const hf_topology_kind *kind, const hf_args *args, hf_topology **out) {
    hf_grid grid;
    hf_topology *topo;
    (void)hf_grid_shape(kind, args, &grid);
    const uint64_t n_terminal = hf_times(grid.n_switch, grid.terminals);
    HF_TRY(hf_topology_start(cx, kind, args, grid.n_switch, n_terminal, grid.n_link, n_terminal, grid.n,
                             letter + HF_GRID_DIMS_MAX - grid.n, &topo));
    return hf_topology_give(fill(cx, topo, &grid), topo, out);
}

/* ---- closed forms ---- */

/** Sum of the distances over ordered pairs of places on a line of dimension d. */
static double sum_of_line(const hf_grid *grid, uint32_t d) {
    const double k = grid->size[d];
    const uint32_t low = grid->size[d] / 2, high = grid->size[d] - low;
    if (grid->is_complete) {
        return k * (k - 1);
    }
    return grid->wraps[d] ? k * low * high : k * (k * k - 1) / 3;
}

static uint32_t longest_of_line(const hf_grid *grid, uint32_t d) {
    return grid->is_complete ? grid->size[d] > 1 : grid->wraps[d] ? grid->size[d] / 2 : grid->size[d] - 1;
}

uint32_t hf_grid_diameter(const hf_topology *topo) {
    hf_grid grid;
    uint32_t sum = 0;
    (void)hf_grid_of(topo, &grid);
    for (uint32_t d = 0; d < grid.n; d++) {
        sum += longest_of_line(&grid, d);
    }
    return hf_uniform_diameter(topo, sum);
}

double hf_grid_mean_distance(const hf_topology *topo) {
    hf_grid grid;
    double sum = 0;
    (void)hf_grid_of(topo, &grid);
    for (uint32_t d = 0; d < grid.n; d++) {
        const double others = (double)topo->n_switch / grid.size[d];
        sum += others * others * sum_of_line(&grid, d);
    }
    return hf_uniform_mean(topo, sum);
}

/* ---- drawing ---- */

hf_position hf_grid_place(const hf_topology *topo, uint32_t node) {
    hf_grid grid;
    (void)hf_grid_of(topo, &grid);
    const bool is_terminal = hf_topology_is_terminal(topo, node);
    const uint32_t t = node - topo->n_switch, sw = is_terminal ? t / hf_uniform_terminals(topo) : node;
    double place[2] = {0, 0}, extent[2] = {hf_uniform_width(topo), 1.2};
    for (uint32_t d = 0; d < grid.n; d++) {
        place[d % 2] += hf_grid_digit(&grid, sw, d) * extent[d % 2];
        extent[d % 2] = extent[d % 2] * grid.size[d] + 0.6;
    }
    const hf_position at = {place[0], place[1]};
    return is_terminal ? hf_uniform_below(topo, t, at) : at;
}
