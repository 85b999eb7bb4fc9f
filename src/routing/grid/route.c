/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rules on grids share. */
#include "src/routing/grid/route.h"

uint32_t hf_grid_ring(const hf_topology *topo, const hf_grid *grid, uint32_t channel) {
    if (topo->link[channel] >= topo->n_switch_link) {
        return HF_NONE;
    }
    const uint32_t d = hf_grid_dimension(topo, grid, channel), first = hf_grid_move(grid, topo->from[channel], d, 0);
    return grid->wraps[d] ? hf_topology_channel_at(topo, first, topo->from_port[channel]) : HF_NONE;
}

hf_status hf_grid_accepts(hf_context *cx, const hf_topology *topo, const char *rule, unsigned on) {
    hf_grid grid;
    const bool is_grid = hf_grid_of(topo, &grid) && (!grid.is_complete || (on & HF_ON_HYPERX));
    const bool fits = is_grid && ((on & HF_ON_TORUS) || !grid.has_ring) && (!(on & HF_ON_PLANE) || grid.n == 2);
    if (!fits) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" is for %s, not for \"%s\"", rule,
                on & HF_ON_PLANE    ? "meshes of two dimensions"
                : on & HF_ON_HYPERX ? "meshes, tori, rings, hypercubes and HyperX"
                : on & HF_ON_TORUS  ? "meshes, tori, rings and hypercubes"
                                    : "meshes and hypercubes",
                topo->spec);
    }
    return HF_OK;
}

hf_status hf_grid_plan(hf_context *cx, hf_plan *plan, size_t state_size, hf_grid **grid) {
    void *state;
    HF_TRY(hf_scratch(cx, 1, state_size, &state));
    *grid = state;
    (void)hf_grid_of(plan->topo, *grid);
    plan->max_hops = 2 * (*grid)->n;
    plan->state = state;
    return HF_OK;
}

/* Steps in + direction from digit to digit; on a ring modulo its size. */
static uint32_t ahead(const hf_grid *grid, uint32_t from, uint32_t to, uint32_t d) {
    return to >= from ? to - from : to + grid->size[d] - from;
}

static int way_between(const hf_grid *grid, uint32_t from, uint32_t to, uint32_t d) {
    if (from == to) {
        return 0;
    }
    if (grid->wraps[d]) {
        return 2 * ahead(grid, from, to, d) <= grid->size[d] ? 1 : -1;
    }
    return to > from ? 1 : -1;
}

int hf_grid_way(const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t d) {
    return way_between(grid, hf_grid_digit(grid, at, d), hf_grid_digit(grid, goal, d), d);
}

bool hf_grid_is_tie(const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t d) {
    return grid->wraps[d] && 2 * ahead(grid, hf_grid_digit(grid, at, d), hf_grid_digit(grid, goal, d), d) == grid->size[d];
}

static uint32_t class_between(uint32_t from, uint32_t to, int way) { return way > 0 ? to > from : to < from; }

uint32_t hf_grid_class(const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t d) {
    const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    return class_between(from, to, way_between(grid, from, to, d));
}

uint32_t hf_grid_first_open(const hf_grid *grid, uint32_t at, uint32_t goal) {
    uint32_t d = 0;
    while (d < grid->n && hf_grid_digit(grid, at, d) == hf_grid_digit(grid, goal, d)) {
        d++;
    }
    return d;
}

uint32_t hf_grid_dor_vcs(const hf_grid *grid) { return grid->has_ring ? 2 : 1; }

hf_hop hf_grid_dor_hop(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t first) {
    const uint32_t d = hf_grid_first_open(grid, at, goal);
    const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
    const int way = way_between(grid, from, to, d);
    const uint32_t class = grid->has_ring ? class_between(from, to, way) : 0;
    return (hf_hop){hf_grid_channel(topo, grid, at, d, way), first + class, 0};
}

static size_t add_hops(uint32_t channel, uint32_t first, uint32_t n_vc, hf_hop *hops) {
    for (uint32_t i = 0; i < n_vc; i++) {
        hops[i] = (hf_hop){channel, first + i, 0};
    }
    return n_vc;
}

size_t hf_grid_minimal_hops(const hf_topology *topo, const hf_grid *grid, uint32_t at, uint32_t goal, uint32_t first,
                            uint32_t n_vc, hf_hop *hops) {
    size_t count = 0;
    for (uint32_t d = 0; d < grid->n; d++) {
        const uint32_t from = hf_grid_digit(grid, at, d), to = hf_grid_digit(grid, goal, d);
        if (from == to) {
            continue;
        }
        const int way = way_between(grid, from, to, d);
        count += add_hops(hf_grid_channel(topo, grid, at, d, way), first, n_vc, hops + count);
        if (grid->wraps[d] && 2 * ahead(grid, from, to, d) == grid->size[d]) {
            count += add_hops(hf_grid_channel(topo, grid, at, d, -way), first, n_vc, hops + count);
        }
    }
    return count;
}
