/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Immunet: minimal adaptive routing over what survives, and as a safe network one ring, the Euler tour of a tree that grows
 *  from the switches that detect faults. Without faults on a grid the safe network is dimension order, on a torus over rings
 *  with bubble flow control. VC 0 is adaptive, VC 1 safe, and adaptive where it is not on the ring; the tag counts how often a
 *  packet has left the ring for the adaptive network. Where the network falls apart, every part has its ring. Source:
 *  [puente2004]; departures in docs/findings.md. */
#include <math.h>
#include <string.h>

#include "src/core/machine.h"
#include "src/routing/immunet/control.h"
#include "src/routing/immunet/effort.h"
#include "src/routing/immunet/text.h"

/* Immunet tolerates faults "as long as the network remains connected"; without any it has to be. */
static hf_status check_connected(hf_context *cx, const hf_topology *topo) {
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *queue, *distance, far = HF_NONE;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *distance, (void **)&distance));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *queue, (void **)&queue));
    hf_switch_distances(topo, NULL, 0, false, queue, distance);
    for (uint32_t v = topo->n_switch; v-- > 0;) {
        far = distance[v] == HF_NONE ? v : far;
    }
    hf_scratch_reset(cx, mark);
    if (far != HF_NONE) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"immunet\" needs a network that is connected; in \"%s\" no path leads from s0 to s%u without any fault",
                topo->spec, far);
    }
    return HF_OK;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->reverse[c] == HF_NONE) {
            HF_FAIL(cx, HF_EINVAL, "routing \"immunet\" considers bidirectional links only; \"%s\" has others", topo->spec);
        }
    }
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        if (topo->out_begin[v + 1] - topo->out_begin[v] != 1) {
            HF_FAIL(cx, HF_EINVAL, "routing \"immunet\" attaches a computing node to one router; t%u of \"%s\" has %u links",
                    v - topo->n_switch, topo->spec, topo->out_begin[v + 1] - topo->out_begin[v]);
        }
    }
    return check_connected(cx, topo);
}

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

static hf_status make(hf_context *cx, hf_plan *plan) {
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

static size_t escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
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

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_immunet *s = plan->state;
    return hf_immunet_hops(plan, plan, s->options.is_provisional, at, in, destination, hops);
}

/* On a grid without faults the rings are the lines that are closed, one a direction; else the tour, one a tree. */
static uint32_t ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
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

static hf_status measures(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    const hf_immunet *s = plan->state;
    const hf_ways *ways = &s->ways;
    const size_t words = hf_words(ways->n);
    uint64_t *reach;
    uint32_t *next;
    HF_TRY(hf_immunet_measure_fits(cx, plan->topo));
    HF_TRY(hf_scratch(cx, 2 * ways->n * words, sizeof *reach, (void **)&reach));
    HF_TRY(hf_scratch(cx, ways->n, sizeof *next, (void **)&next));
    return hf_immunet_measure(cx, ways, s->dead, plan->faults->switch_set, s->is_grid, &s->ring, next, reach,
                              reach + ways->n * words, out);
}

static const char *const epl_names[] = {"safe", "printed", NULL};
static const char *const safe_names[] = {"optimised", "provisional", NULL};
/* Along the emergency tree: wherever switches are linked, on a grid after a fault that leaves a link. */
static bool has_rings(const hf_topology *topo, const hf_args *args) {
    return hf_args_get(args, "bubble")->number != 0 && topo->n_switch_link > (hf_immunet_is_grid(topo) ? 1 : 0);
}

static const hf_param params[] = {
    {.name = "bubble", .type = HF_PARAM_BOOL, .fallback = "yes", .help = "bubble flow control on the safe network"},
    {.name = "safe",
     .type = HF_PARAM_WORD,
     .fallback = "optimised",
     .words = safe_names,
     .help = "safe tables: optimised into subtrees, or provisional, always towards the parent"},
    {.name = "ties",
     .type = HF_PARAM_WORD,
     .fallback = "port",
     .words = hf_ties_names,
     .help = "which of several neighbours with the same priority becomes the parent"},
    {.name = "spare", .type = HF_PARAM_BOOL, .fallback = "yes", .help = "safe channels that are not on the ring are adaptive"},
    {.name = "transfers",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = 64,
     .help = "times that a packet may leave the ring for the adaptive network"},
    {.name = "epl",
     .type = HF_PARAM_WORD,
     .fallback = "safe",
     .words = epl_names,
     .help = "emergency priority t N + x: safe, t above all that was heard, or printed, t emergencies met"},
    {.name = "gap",
     .type = HF_PARAM_COUNT,
     .fallback = "0",
     .high = 1000000,
     .help = "hops of a notice between one fault and the next; 0: all at once, unlimited: one after the other"},
    {0},
};

/* Trees and rings go by numbers, but who is served goes by connectivity, and with bubbles no packet waits for ever:
 * docs/methods.md. Not so where the priorities are those printed, or notices are under way. */
static hf_symmetric symmetric(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    const bool is_safe = hf_args_get(args, "epl")->number == 0 && hf_args_get(args, "gap")->number == 0;
    const unsigned bubbles = hf_args_get(args, "bubble")->number != 0 ? HF_SYMMETRIC_BUBBLES : 0;
    return (hf_symmetric){.of = is_safe ? HF_SYMMETRIC_TOLERANCE | bubbles : 0, .f_most = UINT32_MAX};
}

static const hf_routing_drawing drawing = {.describe_plan = hf_immunet_describe, .mark = hf_immunet_mark};
static const hf_routing_measures all_measures = {hf_immunet_outcomes, hf_immunet_extras, hf_immunet_extra_notes, measures, NULL};

const hf_routing hf_routing_immunet = {
    .name = "immunet",
    .summary = "Immunet: minimal adaptive over what survives, and a safe ring along the emergency tree; VCs adaptive, safe",
    .source = "puente2004",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_FAULT_AWARE | HF_ROUTING_COMPLETE_BY_LINKS,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .escape = escape,
    .ring = ring,
    .has_rings = has_rings,
    .drawing = &drawing,
    .measures = &all_measures,
    .efforts = &hf_immunet_efforts,
    .reconfiguration = &hf_immunet_reconfiguration,
    .symmetric = symmetric,
    .judge = hf_immunet_judge_new,
};
