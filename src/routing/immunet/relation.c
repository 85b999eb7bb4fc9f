/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The plan of Immunet and its relation: a tree and a ring for each part, distances for the adaptive network. */
#include <math.h>
#include <string.h>

#include "src/core/machine.h"
#include "src/routing/immunet/immunet.h"

/* ---- the plan ---- */

hf_immunet_options hf_immunet_options_of(const hf_args *args) {
    return (hf_immunet_options){.rule = {.ties = (hf_ties)hf_args_get(args, "ties")->number,
                                         .is_printed = hf_args_get(args, "epl")->number == 1,
                                         .gap = hf_args_get(args, "gap")->number},
                                .has_bubble = hf_args_get(args, "bubble")->number != 0,
                                .is_provisional = hf_args_get(args, "safe")->number == 1,
                                .has_spare = hf_args_get(args, "spare")->number != 0,
                                .transfers = (uint32_t)hf_args_get(args, "transfers")->number};
}

static hf_status grow_trees(hf_context *cx, const hf_plan *plan, hf_immunet *s) {
    uint32_t *queue;
    HF_TRY(hf_scratch(cx, hf_words(plan->topo->n_link), sizeof *s->dead, (void **)&s->dead));
    HF_TRY(hf_scratch(cx, 2 * (size_t)plan->topo->n_switch, sizeof *queue, (void **)&queue));
    HF_TRY(hf_emergency_room(cx, &s->ways, &s->emergency));
    hf_emergency_dead(plan->faults, s->dead);
    if (s->options.rule.gap == 0 || hf_bits_count(s->dead, hf_words(plan->topo->n_link)) == 0) {
        hf_emergency_at_once(&s->ways, &s->options.rule, s->dead, plan->faults->switch_set, queue, &s->emergency);
        return HF_OK;
    }
    return hf_emergency_walk(cx, &s->ways, &s->options.rule, plan->faults, &s->emergency);
}

static hf_status make_adaptive(hf_context *cx, const hf_plan *plan, hf_immunet *s) {
    const hf_topology *topo = plan->topo;
    uint32_t *queue, n_row = 0;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->row, (void **)&s->row));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *queue, (void **)&queue));
    memset(s->row, 0xff, topo->n_switch * sizeof *s->row); /* HF_NONE */
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        uint32_t *row = &s->row[topo->terminal_switch[t]];
        *row = *row == HF_NONE ? n_row++ : *row;
    }
    const double bytes = (double)n_row * topo->n_switch * sizeof *s->distance;
    HF_TRY(hf_machine_fits(cx, bytes, HUGE_VAL, "the table of routing \"immunet\" on \"%s\"", topo->spec));
    HF_TRY(hf_scratch(cx, (size_t)n_row * topo->n_switch, sizeof *s->distance, (void **)&s->distance));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (s->row[v] != HF_NONE) {
            HF_TRY(hf_context_go_on(cx, "making the table of distances"));
            uint16_t *row = s->distance + (size_t)s->row[v] * topo->n_switch;
            memset(row, 0xff, topo->n_switch * sizeof *row);
            row[v] = 0;
            queue[0] = v;
            hf_ways_spread(&s->ways, s->dead, queue, 1, row);
        }
    }
    return HF_OK;
}

hf_status hf_immunet_plan(hf_context *cx, hf_plan *plan) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(hf_immunet), &memory));
    hf_immunet *s = memory;
    s->options = hf_immunet_options_of(plan->args);
    HF_TRY(hf_ways_make(cx, plan->topo, &s->ways));
    HF_TRY(grow_trees(cx, plan, s));
    HF_TRY(hf_ring_room(cx, &s->ways, &s->ring));
    hf_ring_tour(&s->ways, &s->emergency, &s->ring);
    HF_TRY(make_adaptive(cx, plan, s));
    s->is_grid = s->emergency.is_boot && hf_immunet_is_grid(plan->topo);
    (void)hf_grid_of(plan->topo, &s->grid);
    plan->n_vc = HF_IMMUNET_VCS;
    plan->max_hops = HF_IMMUNET_VCS * plan->topo->n_port_max + 1;
    plan->uses_order = s->options.rule.gap != 0;
    plan->state = s;
    return HF_OK;
}

/* ---- the relation ---- */

const hf_grid_line hf_immunet_line = {HF_GRID_TIES_PLUS, HF_GRID_CLASSES_NONE, 1};

/* A packet that came by a safe VC which is no longer on the ring has to enter it anew. */
static bool is_on_ring(const hf_immunet *s, hf_hop in) {
    const uint32_t way = in.channel == HF_NONE || in.vc != HF_IMMUNET_SAFE ? HF_NONE : s->ways.of[in.channel];
    return !s->is_grid && way != HF_NONE && s->ring.next[way] != HF_NONE;
}

/** Is there no ring that `at` and the switch of `destination` share, or a dead terminal link? */
static bool is_cut_off(const hf_plan *plan, uint32_t at, uint32_t destination) {
    const hf_immunet *s = plan->state;
    const hf_topology *topo = plan->topo;
    const uint32_t goal = topo->terminal_switch[destination], node = topo->n_switch + destination;
    const uint32_t sw = hf_topology_is_terminal(topo, at) ? topo->terminal_switch[at - topo->n_switch] : at;
    if (hf_bit_test(plan->faults->channel_set, topo->in_list[topo->in_begin[node]]) ||
        (sw != at && hf_bit_test(plan->faults->channel_set, topo->out_list[topo->out_begin[at]]))) {
        return true;
    }
    return s->emergency.root[sw] == HF_NONE || s->emergency.root[sw] != s->emergency.root[goal];
}

static hf_hop safe_hop(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t goal, bool is_provisional) {
    const hf_immunet *s = plan->state;
    if (s->is_grid) {
        hf_hop hop = hf_grid_dor_hop(plan->topo, &s->grid, &hf_immunet_line, at, goal);
        hop.vc = HF_IMMUNET_SAFE;
        return hop;
    }
    const uint32_t way =
        is_on_ring(s, in) ? s->ring.next[s->ways.of[in.channel]] : hf_ring_entry(&s->ways, &s->ring, at, goal, is_provisional);
    return (hf_hop){s->ways.channel[way], HF_IMMUNET_SAFE, in.tag};
}

static size_t escape_by(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, bool is_provisional, hf_hop *hops) {
    if (is_cut_off(plan, at, destination)) {
        return 0;
    }
    if (hf_route_ends(plan->topo, at, destination, hops)) {
        return 1;
    }
    hops[0] = safe_hop(plan, at, in, hf_route_goal(plan->topo, destination), is_provisional);
    return 1;
}

size_t hf_immunet_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_immunet *s = plan->state;
    return escape_by(plan, at, in, destination, s->options.is_provisional, hops);
}

/** Does the safe VC of a way, which is not on the ring, carry adaptive packets? [puente2004, 3] */
static bool is_spare(const hf_immunet *s, uint32_t way) {
    return s->options.has_spare && !s->is_grid && s->ring.next[way] == HF_NONE;
}

size_t hf_immunet_hops(const hf_plan *plan, const hf_plan *adaptive, bool is_provisional, uint32_t at, hf_hop in,
                       uint32_t destination, hf_hop *hops) {
    const hf_immunet *s = plan->state, *old = adaptive->state;
    const hf_ways *ways = &s->ways;
    const uint32_t goal = hf_route_goal(plan->topo, destination);
    size_t count = escape_by(plan, at, in, destination, is_provisional, hops);
    const bool leaves_ring = is_on_ring(s, in);
    if (count == 0 || hf_topology_is_terminal(plan->topo, at) || at == goal || (leaves_ring && in.tag >= s->options.transfers)) {
        return count;
    }
    const uint16_t *distance = old->distance + (size_t)old->row[goal] * ways->n;
    for (uint32_t w = ways->begin[at]; w < ways->begin[at + 1]; w++) {
        if (distance[ways->to[w]] + 1 == distance[at] && !hf_bit_test(s->dead, plan->topo->link[ways->channel[w]])) {
            hops[count++] = (hf_hop){ways->channel[w], HF_IMMUNET_ADAPTIVE, in.tag + leaves_ring};
            if (is_spare(s, w)) {
                hops[count++] = (hf_hop){ways->channel[w], HF_IMMUNET_SAFE, in.tag + leaves_ring};
            }
        }
    }
    return count;
}

size_t hf_immunet_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_immunet *s = plan->state;
    return hf_immunet_hops(plan, plan, s->options.is_provisional, at, in, destination, hops);
}

/* On a grid without faults the rings are the lines that are closed, one a direction; else the tour, one a tree. */
uint32_t hf_immunet_ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const hf_immunet *s = plan->state;
    const hf_topology *topo = plan->topo;
    const uint32_t way = s->ways.of[channel];
    if (!s->options.has_bubble || vc != HF_IMMUNET_SAFE || way == HF_NONE) {
        return HF_NONE;
    }
    if (!s->is_grid) {
        return s->ring.next[way] == HF_NONE ? HF_NONE : s->emergency.root[topo->from[channel]];
    }
    const uint32_t d = hf_grid_dimension(topo, &s->grid, channel);
    const uint32_t first = hf_grid_move(&s->grid, topo->from[channel], d, 0);
    return s->grid.wraps[d] ? hf_topology_channel_at(topo, first, topo->from_port[channel]) : HF_NONE;
}
