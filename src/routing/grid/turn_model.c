/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Turn models in n dimensions. A packet that has left the first phase has no productive direction of it any more, as minimal
 *  ways never lose ground; so place and goal tell the phase. */
#include "src/routing/grid/turn_model.h"

typedef struct turn_model {
    hf_grid grid;
    hf_turn_first *is_first;
} turn_model;

hf_status hf_turn_plan(hf_context *cx, hf_plan *plan, hf_turn_first *is_first) {
    hf_grid *grid;
    HF_TRY(hf_grid_plan(cx, plan, sizeof(turn_model), &grid));
    ((turn_model *)grid)->is_first = is_first;
    hf_route_take_vcs(plan, grid->n);
    return HF_OK;
}

const hf_likeness hf_turn_likeness = {.by_switch = true, .arrival = hf_arrival_any, .run = hf_grid_run};

size_t hf_turn_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_topology *topo = plan->topo;
    const turn_model *model = plan->state;
    const hf_grid *grid = &model->grid;
    if (hf_route_ends(topo, at, destination, hops)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(topo, destination);
    size_t count = 0;
    for (int phase = 1; phase >= 0 && count == 0; phase--) {
        for (uint32_t d = 0; d < grid->n; d++) {
            const int way = hf_grid_way(grid, at, goal, d);
            if (way != 0 && model->is_first(grid->n, d, way > 0) == phase) {
                hops[count++] = (hf_hop){hf_grid_channel(topo, grid, at, d, way), 0, 0};
            }
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

const hf_param hf_turn_params[] = {HF_PARAM_VCS, {0}};
