/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Terminals by what their packets have in common. */
#include "src/analysis/deadlock/destinations.h"

#include <string.h>

#include <holdfast/core/bitset.h>

/* The switch that terminal t shares with others, HF_NONE: it counts by itself. */
static uint32_t shared_switch(const hf_plan *plan, uint32_t t) {
    const hf_topology *topo = plan->topo;
    const uint32_t node = topo->n_switch + t, in = topo->in_begin[node];
    const bool is_simple = topo->in_begin[node + 1] - in == 1 && !hf_bit_test(plan->faults->channel_set, topo->in_list[in]) &&
                           !hf_topology_is_terminal(topo, topo->from[topo->in_list[in]]);
    return is_simple ? topo->from[topo->in_list[in]] : HF_NONE;
}

/* \param[in] order terminals in the order of their groups; NULL: by number */
static hf_status number_groups(hf_context *cx, const hf_plan *plan, bool by_switch, const uint32_t *order, hf_destinations *to) {
    const hf_topology *topo = plan->topo;
    uint32_t *known;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *known, (void **)&known));
    memset(known, 0xff, topo->n_switch * sizeof *known); /* HF_NONE */
    for (uint32_t i = 0; i < topo->n_terminal; i++) {
        const uint32_t t = order ? order[i] : i;
        const uint32_t sw = by_switch ? shared_switch(plan, t) : HF_NONE;
        to->group[t] = HF_NONE;
        if (!hf_plan_is_live(plan, t)) {
            continue;
        }
        if (sw != HF_NONE && known[sw] != HF_NONE) {
            to->group[t] = known[sw];
            to->goal[known[sw]] = sw;
            continue;
        }
        to->goal[to->n_group] = HF_NONE;
        if (order) {
            to->place[to->n_group] = i;
        }
        to->group[t] = to->n_group++;
        if (sw != HF_NONE) {
            known[sw] = to->group[t];
        }
    }
    return HF_OK;
}

static hf_status take_order(hf_context *cx, const hf_plan *plan, uint32_t **order, hf_destinations *to) {
    const uint32_t n = plan->topo->n_terminal;
    HF_TRY(hf_scratch(cx, n, sizeof **order, (void **)order));
    HF_TRY(hf_scratch(cx, n, sizeof *to->place, (void **)&to->place));
    hf_likeness_of(plan)->order(plan, *order);
    return HF_OK;
}

hf_status hf_destinations_make(hf_context *cx, const hf_plan *plan, bool by_likeness, hf_destinations *out) {
    const uint32_t n = plan->topo->n_terminal;
    uint32_t *order = NULL;
    *out = (hf_destinations){0};
    if (by_likeness && hf_likeness_of(plan)->order) {
        HF_TRY(take_order(cx, plan, &order, out));
    }
    HF_TRY(hf_scratch(cx, n, sizeof *out->group, (void **)&out->group));
    HF_TRY(hf_scratch(cx, n, sizeof *out->goal, (void **)&out->goal));
    HF_TRY(number_groups(cx, plan, by_likeness && !plan->flows && hf_likeness_of(plan)->by_switch, order, out));
    out->n_block = (out->n_group + HF_LANES - 1) / HF_LANES;
    return hf_rows_of(cx, out->n_group, NULL, n, out->group, &out->terminals);
}

uint64_t hf_destinations_from(const hf_destinations *to, uint32_t block, const hf_plan *plan, uint32_t source) {
    uint64_t lanes = hf_destinations_all(to, block) & ~hf_destinations_bit(to, block, source);
    for (uint64_t left = plan->flows ? lanes : 0; left; left &= left - 1) {
        const uint64_t bit = left & (~left + 1);
        const uint32_t destination = hf_destinations_lowest(to, block * HF_LANES + (uint32_t)__builtin_ctzll(bit));
        lanes &= hf_plan_has_flow(plan, source, destination) ? lanes : ~bit;
    }
    return lanes;
}
