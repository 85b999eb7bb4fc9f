/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  up* / down* on any topology: the switches are put in an order by a breadth-first search of the healthy network from a root,
 *  by level and then by number; a hop to an earlier switch goes up. A legal way goes up as long as it likes, then down only.
 *  All shortest legal ways are offered. A part of the network that faults cut off from the root is ordered from its lowest
 *  switch, and so is all of it if the root has failed. Source: [schroeder1991]. */
#include <string.h>

#include "src/core/rows.h"
#include "src/routing/any/goals.h"
#include "src/routing/any/updown.h"
#include "src/routing/ends.h"

enum { UP = HF_UP, DOWN = HF_DOWN };

typedef struct updown {
    hf_goals goals;
    uint32_t *level;       /**< of a switch */
    hf_rows from[2];       /**< UP, DOWN: row v lists the switches with a healthy channel that way into switch v */
    uint16_t *distance[2]; /**< n_row rows of n_switch: to a switch with a channel to the goal; UP: going up is still legal */
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

/* ---- distances ---- */

static hf_status list_neighbours(hf_context *cx, updown *state, uint32_t phase) {
    const hf_topology *topo = state->goals.topo;
    hf_rows *rows = &state->from[phase];
    uint32_t *into;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *into, (void **)&into));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool is_inside = topo->from[c] < topo->n_switch && topo->to[c] < topo->n_switch;
        const bool counts = is_inside && !hf_goals_is_failed(&state->goals, c) && is_up(state, c) == (phase == UP);
        into[c] = counts ? topo->to[c] : HF_NONE;
    }
    HF_TRY(hf_rows_of(cx, topo->n_switch, NULL, topo->n_channel, into, rows));
    for (uint32_t i = 0; i < rows->begin[topo->n_switch]; i++) {
        rows->item[i] = topo->from[rows->item[i]];
    }
    return HF_OK;
}

/** Reach (v, phase) first at `distance`; going up is allowed where going down is. Entries of the queue are 2 v + phase. */
static uint32_t reach(uint16_t *const *row, uint32_t *queue, uint32_t v, uint32_t phase, uint16_t distance, uint32_t tail) {
    for (uint32_t p = UP; p <= phase; p++) {
        if (row[p][v] == HF_FAR) {
            row[p][v] = distance;
            queue[tail++] = 2 * v + p;
        }
    }
    return tail;
}

/** Go back from (v, phase): a channel up into it keeps UP, one down into (v, DOWN) comes from DOWN. */
static void search(const updown *state, uint32_t goal, uint32_t *seeds) {
    const size_t first = (size_t)goal * state->goals.topo->n_switch;
    uint16_t *const row[] = {state->distance[UP] + first, state->distance[DOWN] + first};
    uint32_t *queue = state->goals.queue, tail = 0;
    const uint32_t n_seed = hf_goals_seeds(&state->goals, goal);
    memcpy(seeds, queue, n_seed * sizeof *seeds);
    for (uint32_t i = 0; i < n_seed; i++) {
        tail = reach(row, queue, seeds[i], DOWN, 0, tail);
    }
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t v = queue[head] / 2, phase = queue[head] % 2;
        const hf_rows *from = &state->from[phase];
        const uint16_t next = (uint16_t)(row[phase][v] + 1);
        for (uint32_t i = from->begin[v]; i < from->begin[v + 1]; i++) {
            tail = reach(row, queue, from->item[i], phase, next, tail);
        }
    }
}

static hf_status make_tables(hf_context *cx, updown *state, const hf_topology *topo) {
    uint32_t *seeds;
    const size_t size = (size_t)state->goals.n_row * topo->n_switch;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *seeds, (void **)&seeds));
    for (uint32_t phase = UP; phase <= DOWN; phase++) {
        HF_TRY(list_neighbours(cx, state, phase));
        HF_TRY(hf_scratch(cx, size, sizeof **state->distance, (void **)&state->distance[phase]));
        memset(state->distance[phase], 0xff, size * sizeof **state->distance); /* HF_FAR */
    }
    for (uint32_t row = 0; row < state->goals.n_row; row++) {
        HF_TRY(hf_context_go_on(cx, hf_goals_doing));
        search(state, row, seeds);
    }
    return HF_OK;
}

hf_status hf_updown_plan(hf_context *cx, hf_plan *plan, hf_updown_levels_of *find_levels) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(updown), &memory));
    updown *state = memory;
    HF_TRY(hf_goals_init(cx, plan, 2 * sizeof **state->distance, &state->goals));
    HF_TRY(hf_scratch(cx, plan->topo->n_switch, sizeof *state->level, (void **)&state->level));
    HF_TRY(find_levels(cx, plan, state->goals.queue, state->level));
    HF_TRY(make_tables(cx, state, plan->topo));
    hf_route_take_vcs(plan, hf_goals_degree(plan->topo));
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

/** Channels to the destination over `channel` in that phase; HF_FAR if it is not legal or leads nowhere. */
static uint32_t distance_over(const updown *state, uint32_t channel, uint32_t phase, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    const uint32_t to = topo->to[channel];
    if (hf_goals_is_failed(&state->goals, channel)) {
        return HF_FAR;
    }
    if (hf_topology_is_terminal(topo, to)) {
        return to == topo->n_switch + destination ? 0 : HF_FAR;
    }
    const bool is_inside = !hf_topology_is_terminal(topo, topo->from[channel]), up = !is_inside || is_up(state, channel);
    if (up && phase == DOWN) {
        return HF_FAR;
    }
    const uint32_t d = state->distance[up ? UP : DOWN][(size_t)state->goals.row[destination] * topo->n_switch + to];
    return d == HF_FAR ? HF_FAR : d + 1;
}

/* May a packet that came by `in` still go up? */
static uint32_t phase_after(const hf_plan *plan, hf_hop in) {
    const bool is_first = in.channel == HF_NONE || hf_topology_is_terminal(plan->topo, plan->topo->from[in.channel]);
    return is_first || is_up(plan->state, in.channel) ? UP : DOWN;
}

size_t hf_updown_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const updown *state = plan->state;
    const uint32_t phase = phase_after(plan, in);
    uint32_t best = HF_FAR;
    size_t count = 0;
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t d = distance_over(state, topo->out_list[i], phase, destination);
        if (d < best) {
            best = d;
            count = 0;
        }
        if (d == best && d != HF_FAR) {
            hops[count++] = (hf_hop){topo->out_list[i], 0, 0};
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
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

const hf_likeness hf_updown_likeness = {.by_switch = true, .arrival = arrival};

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
