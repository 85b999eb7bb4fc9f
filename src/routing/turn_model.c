/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turn models in n dimensions. A packet that has left the first phase has no productive direction of it any more, as minimal
 * ways never lose ground; so place and goal tell the phase. */
#include "src/routing/turn_model.h"

hf_status hf_turn_plan(hf_context *cx, hf_plan *plan) {
    hf_grid *grid;
    return hf_grid_plan(cx, plan, sizeof *grid, &grid);
}

size_t hf_turn_route(const hf_plan *plan, uint32_t at, uint32_t destination,
                     bool (*is_first)(uint32_t n, uint32_t d, bool is_plus), hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const hf_grid *grid = plan->state;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    size_t count = 0;
    for (int phase = 1; phase >= 0 && count == 0; phase--) {
        for (uint32_t d = 0; d < grid->n; d++) {
            const int way = hf_grid_way(grid, at, goal, d);
            if (way != 0 && is_first(grid->n, d, way > 0) == phase) {
                hops[count++] = (hf_hop){hf_grid_channel(topo, grid, at, d, way), 0, 0};
            }
        }
    }
    return count;
}
