/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  up* / down* on any topology: the switches are put in an order by a breadth-first search of the healthy network from a root,
 *  by level and then by number; a hop to an earlier switch goes up. A legal way goes up as long as it likes, then down only.
 *  All shortest legal ways are offered. A part of the network that faults cut off from the root is ordered from its lowest
 *  switch, and so is all of it if the root has failed. Source: [schroeder1991]. */
#include <string.h>

#include "src/routing/any/goals.h"
#include "src/routing/any/updown.h"
#include "src/routing/any/updown_sweep.h"
#include "src/routing/ends.h"

typedef struct updown {
    hf_goals goals;
    uint32_t *level; /**< of a switch */
    hf_updown_offers offers;
} updown;

hf_status hf_updown_accepts(hf_context *cx, const hf_topology *topo, const char *rule) {
    for (uint32_t l = topo->n_switch_link; l < topo->n_link; l++) {
        if (topo->backward[l] == HF_NONE) {
            HF_FAIL(cx, HF_EINVAL, "routing \"%s\" needs links of two directions; the terminals of \"%s\" have others", rule,
                    topo->spec);
        }
    }
    return HF_OK;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    const uint64_t root = hf_args_get(args, "root")->number;
    if (root >= topo->n_switch) {
        HF_FAIL(cx, HF_ERANGE, "routing \"updown-graph\": root=%u is out of range; \"%s\" has the switches s0..s%u",
                (unsigned)root, topo->spec, topo->n_switch - 1);
    }
    return hf_updown_accepts(cx, topo, "updown-graph");
}

static bool is_up(const updown *state, uint32_t channel) { return hf_updown_is_up(state->goals.topo, state->level, channel); }

hf_status hf_updown_plan(hf_context *cx, hf_plan *plan, hf_updown_levels_of *find_levels) {
    const hf_topology *topo = plan->topo;
    const size_t bits = (size_t)topo->n_channel + topo->n_switch;
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(updown), &memory));
    updown *state = memory;
    HF_TRY(hf_goals_init(cx, plan, bits / 8 / (topo->n_switch + (topo->n_switch == 0)) + 1, &state->goals));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *state->level, (void **)&state->level));
    HF_TRY(find_levels(cx, plan, state->goals.queue, state->level));
    HF_TRY(hf_updown_find_offers(cx, &state->goals, state->level, &state->offers));
    hf_route_take_vcs(plan, hf_goals_degree(topo));
    plan->state = state;
    return HF_OK;
}

/* From the root, in the network that is left. */
static hf_status levels_from_root(hf_context *cx, hf_plan *plan, uint32_t *queue, uint32_t *level) {
    const uint32_t root = (uint32_t)hf_args_get(plan->args, "root")->number;
    const bool has_root = !hf_bit_test(plan->faults->switch_set, root);
    (void)cx;
    hf_updown_levels(plan->topo, plan->faults->channel_set, has_root ? root : HF_NONE, queue, level);
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_updown_plan(cx, plan, levels_from_root); }

/* ---- the relation ---- */

/* May a packet that came by `in` still go up? */
static uint32_t phase_after(const hf_plan *plan, hf_hop in) {
    const bool is_first = in.channel == HF_NONE || hf_topology_is_terminal(plan->topo, plan->topo->from[in.channel]);
    return is_first || is_up(plan->state, in.channel) ? HF_UP : HF_DOWN;
}

/* Goals of word w of a block for which a packet in that phase takes the channel of a place. */
static uint64_t offered_word(const updown *state, uint32_t place, uint32_t phase, uint32_t block, uint32_t w) {
    const hf_topology *topo = state->goals.topo;
    const hf_updown_offers *o = &state->offers;
    if (o->way[place] == HF_NO_WAY || o->way[place] < phase) {
        return 0;
    }
    const uint64_t offer = o->offer[hf_updown_offer_at(o, topo, block, place) + w];
    return o->way[place] == phase ? offer
                                  : offer & o->falls[hf_updown_falls_at(o, topo, block, topo->from[topo->out_list[place]]) + w];
}

static size_t straight_there(const updown *state, uint32_t at, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = state->goals.topo;
    size_t count = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (topo->to[c] == topo->n_switch + destination && !hf_goals_is_failed(&state->goals, c)) {
            hops[count++] = (hf_hop){c, 0, 0};
        }
    }
    return count;
}

size_t hf_updown_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const updown *state = plan->state;
    const uint32_t phase = phase_after(plan, in), goal = state->goals.row[destination], width = state->offers.width;
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    size_t count = straight_there(state, at, destination, hops);
    const bool is_there = count > 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1] && !is_there; i++) {
        if (offered_word(state, i, phase, goal / 64 / width, goal / 64 % width) >> goal % 64 & 1) {
            hops[count++] = (hf_hop){topo->out_list[i], 0, 0};
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

static uint32_t row_of(const hf_plan *plan, uint32_t destination) {
    const updown *state = plan->state;
    return state->goals.row[destination];
}

/* The channel of a place, by which packets may go. */
static void offered_there(const updown *state, uint32_t node, uint32_t place, uint32_t arrival, uint32_t block, uint64_t *rows) {
    const hf_topology *topo = state->goals.topo;
    const hf_updown_offers *o = &state->offers;
    const uint64_t *offer = o->offer + hf_updown_offer_at(o, topo, block, place);
    const uint64_t *falls = o->way[place] > arrival ? o->falls + hf_updown_falls_at(o, topo, block, node) : offer;
    if (o->width == 1) {
        rows[0] = *offer & *falls;
        return;
    }
    for (uint32_t w = 0; w < HF_OFFERED_WORDS; w++) {
        rows[w] = offer[w] & falls[w];
    }
}

static void offered(const hf_plan *plan, uint32_t node, uint32_t arrival, uint32_t block, uint64_t *rows) {
    const updown *state = plan->state;
    const hf_topology *topo = plan->topo;
    memset(rows, 0, (size_t)(topo->out_begin[node + 1] - topo->out_begin[node]) * HF_OFFERED_WORDS * sizeof *rows);
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++, rows += HF_OFFERED_WORDS) {
        if (state->offers.way[i] != HF_NO_WAY && state->offers.way[i] >= arrival) {
            offered_there(state, node, i, arrival, block, rows);
        }
    }
}

static const hf_param params[] = {
    {.name = "root",
     .type = HF_PARAM_UINT,
     .fallback = "0",
     .high = UINT32_MAX,
     .flags = HF_PARAM_SHOWN,
     .help = "number of the switch that the order begins with"},
    HF_PARAM_VCS,
    {0},
};

static uint32_t arrival(const hf_plan *plan, hf_hop in) { return phase_after(plan, in); }

const hf_likeness hf_updown_likeness = {
    .by_switch = true, .arrival = arrival, .arrivals = HF_DOWN + 1, .row = row_of, .offered = offered};

const hf_routing hf_routing_updown_graph = {
    .name = "updown-graph",
    .summary = "up*/down* on any topology: all shortest legal ways of the healthy network, one VC or more",
    .source = "schroeder1991",
    .traits =
        HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE | HF_ROUTING_COMPLETE_BY_LINKS,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = hf_updown_route,
    .likeness = &hf_updown_likeness,
    .judge = hf_updown_graph_judge_new,
};
