/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Equal-cost multipath: every packet is hashed onto one of the shortest ways that its switch knows, and waits for that alone.
 *  What switches know under faults is the parameter `tables`: the shortest ways of what is left, once all have converged; those
 *  without faults, less the switch's own failed channels, in between; besides, where none of them is left, neighbours as near,
 *  which are loop-free alternates on links of one length; or those without faults. Source: [rfc2992; rfc5286]. */
#include <string.h>

#include "src/core/simd.h"
#include "src/routing/any/goals.h"

enum { CONVERGED, LOCAL, ALTERNATES, STALE };
static const char *const tables[] = {"converged", "local", "alternates", "stale", NULL};

typedef struct ecmp {
    hf_goals goals;
    uint16_t *distance; /* n_switch x n_row: channels to a switch with a channel to the goal, or HF_FAR */
    unsigned knows;
    /* without faults, if the terminals stand in the order of rows; else NULL */
    uint64_t *changes;       /* n_switch x n_word: does what is offered differ from that of the next row? */
    uint32_t *first, n_word; /* the first terminal of a row */
    bool is_whole;           /* every goal is reached from everywhere */
} ecmp;

/* ---- what is alike ---- */

/* Over this neighbour: is it nearer by one in one row and not in the next? The last row has no next. \return rows compared */
HF_SIMD_BODY uint32_t add_changes_any(const uint16_t *here, const uint16_t *there, uint32_t n_row, uint16_t *changes) {
    for (uint32_t row = 0; row + 1 < n_row; row++) {
        const bool is_nearer = here[row] == (uint16_t)(there[row] + 1);
        const bool is_nearer_next = here[row + 1] == (uint16_t)(there[row + 1] + 1);
        changes[row] |= (uint16_t)(is_nearer ^ is_nearer_next);
    }
    return n_row;
}
HF_SIMD_CHOICE(uint32_t, add_changes, (const uint16_t *here, const uint16_t *there, uint32_t n_row, uint16_t *changes),
               (here, there, n_row, changes))

/* Rows that end at the switch itself are like no other. */
static void find_changes(ecmp *state, uint32_t sw, uint16_t *changes) {
    const hf_topology *topo = state->goals.topo;
    const uint32_t n_row = state->goals.n_row;
    const uint16_t *here = state->distance + (size_t)sw * n_row;
    memset(changes, 0, n_row * sizeof *changes);
    for (uint32_t i = topo->out_begin[sw]; i < topo->out_begin[sw + 1]; i++) {
        const uint32_t to = topo->to[topo->out_list[i]];
        if (to < topo->n_switch) {
            (void)add_changes(here, state->distance + (size_t)to * n_row, n_row, changes);
        }
    }
    for (uint32_t row = 0; row < n_row; row++) {
        state->is_whole &= here[row] != HF_FAR;
        if (changes[row] || here[row] == 0 || row + 1 == n_row || here[row + 1] == 0) {
            hf_bit_set(state->changes + (size_t)sw * state->n_word, row);
        }
    }
}

static bool is_in_order(const hf_goals *goals) {
    for (uint32_t t = 1; t < goals->topo->n_terminal; t++) {
        if (goals->row[t] < goals->row[t - 1]) {
            return false;
        }
    }
    return true;
}

static hf_status find_alike(hf_context *cx, const hf_plan *plan, ecmp *state) {
    const hf_topology *topo = plan->topo;
    const uint32_t n_row = state->goals.n_row;
    uint16_t *changes;
    if (plan->faults->n_channel > 0 || !is_in_order(&state->goals)) {
        return HF_OK;
    }
    state->n_word = (uint32_t)hf_words(n_row);
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * state->n_word, sizeof *state->changes, (void **)&state->changes));
    HF_TRY(hf_scratch(cx, n_row, sizeof *state->first, (void **)&state->first));
    HF_TRY(hf_scratch(cx, n_row, sizeof *changes, (void **)&changes));
    for (uint32_t t = topo->n_terminal; t-- > 0;) {
        state->first[state->goals.row[t]] = t;
    }
    state->is_whole = true;
    for (uint32_t sw = 0; sw < topo->n_switch; sw++) {
        HF_TRY(hf_context_go_on(cx, hf_goals_doing));
        find_changes(state, sw, changes);
    }
    return HF_OK;
}

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_topology *topo = plan->topo;
    const ecmp *state = plan->state;
    (void)in;
    if (!state->changes) {
        return destination + 1;
    }
    if (hf_topology_is_terminal(topo, at)) {
        return state->is_whole && topo->out_begin[at + 1] - topo->out_begin[at] == 1 ? HF_NONE : destination + 1;
    }
    const uint32_t n_row = state->goals.n_row, row = state->goals.row[destination];
    if (state->distance[(size_t)at * n_row + row] == 0) {
        return destination + 1;
    }
    const size_t last = hf_bits_next(state->changes + (size_t)at * state->n_word, n_row, row);
    return last + 1 < n_row ? state->first[last + 1] : HF_NONE;
}

/* ---- plans ---- */

static hf_status make(hf_context *cx, hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    ecmp *state;
    HF_TRY(hf_scratch(cx, 1, sizeof *state, (void **)&state));
    HF_TRY(hf_goals_init(cx, plan, sizeof *state->distance, &state->goals));
    HF_TRY(hf_scratch(cx, (size_t)state->goals.n_row * topo->n_switch, sizeof *state->distance, (void **)&state->distance));
    state->knows = (unsigned)hf_args_get(plan->args, "tables")->number;
    const uint64_t *failed = state->goals.failed;
    state->goals.failed = state->knows == CONVERGED ? failed : NULL;
    HF_TRY(hf_goals_search_all(cx, &state->goals, state->distance));
    HF_TRY(find_alike(cx, plan, state));
    state->goals.failed = state->knows == STALE ? NULL : failed;
    plan->n_vc = (uint32_t)hf_args_get(plan->args, "vcs")->number;
    plan->max_hops = hf_goals_degree(topo) * plan->n_vc;
    plan->state = state;
    return HF_OK;
}

/* Channels to the destination by the tables, HF_FAR if there is no way. */
static uint32_t distance_from(const ecmp *state, uint32_t node, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    if (hf_topology_is_terminal(topo, node)) {
        return node == topo->n_switch + destination ? 0 : HF_FAR;
    }
    const uint32_t d = state->distance[(size_t)node * state->goals.n_row + state->goals.row[destination]];
    return d == HF_FAR ? HF_FAR : d + 1;
}

/* A packet takes a virtual channel at its first switch and stays on it. */
static size_t add_hops(const hf_plan *plan, hf_hop in, uint32_t channel, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const bool is_end = topo->link[channel] >= topo->n_switch_link;
    const bool is_first = !is_end && topo->link[in.channel] >= topo->n_switch_link;
    const uint32_t begin = is_first || is_end ? 0 : in.vc, end = is_first ? plan->n_vc : begin + 1;
    for (uint32_t vc = begin; vc < end; vc++) {
        hops[vc - begin] = (hf_hop){channel, vc, 0};
    }
    return end - begin;
}

/* Hops over channels that the switch takes for healthy, to nodes at a distance. */
static size_t add_all(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, uint32_t distance, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const ecmp *state = plan->state;
    size_t n = 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (!hf_goals_is_failed(&state->goals, c) && distance_from(state, topo->to[c], destination) == distance) {
            n += add_hops(plan, in, c, hops + n);
        }
    }
    return n;
}

/* A terminal has no table: of its channels those to the nearest switch. */
static uint32_t distance_of(const ecmp *state, uint32_t at, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    uint32_t least = HF_FAR;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1] && hf_topology_is_terminal(topo, at); i++) {
        const uint32_t c = topo->out_list[i], d = distance_from(state, topo->to[c], destination);
        least = d < least && !hf_goals_is_failed(&state->goals, c) ? d : least;
    }
    return hf_topology_is_terminal(topo, at) ? least + 1 : distance_from(state, at, destination);
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const ecmp *state = plan->state;
    const uint32_t d = distance_of(state, at, destination);
    if (d >= HF_FAR || (state->knows == CONVERGED && hf_goals_is_cut_off(&state->goals, destination))) {
        return 0;
    }
    const size_t n = add_all(plan, at, in, destination, d - 1, hops);
    return n == 0 && state->knows == ALTERNATES ? add_all(plan, at, in, destination, d, hops) : n;
}

static unsigned claims(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    switch (hf_args_get(args, "tables")->number) {
    case CONVERGED:
        return HF_ROUTING_SHORTEST | HF_ROUTING_FAULT_AWARE | HF_ROUTING_MONOTONE;
    case STALE:
        return HF_ROUTING_BLIND | HF_ROUTING_MONOTONE;
    default:
        return HF_ROUTING_FAULT_AWARE;
    }
}

static const hf_param params[] = {
    {.name = "tables",
     .type = HF_PARAM_WORD,
     .fallback = "converged",
     .words = tables,
     .flags = HF_PARAM_SHOWN,
     .help = "made for the faults; or without them, less own failed channels (local), or with loop-free alternates; or stale"},
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .help = "virtual channels of each channel; a packet stays on one"},
    {0},
};

/* On what virtual channel a packet has to stay. */
static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    return plan->topo->link[in.channel] >= plan->topo->n_switch_link ? plan->n_vc : in.vc;
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = run};

const hf_routing hf_routing_ecmp = {
    .name = "ecmp",
    .summary = "equal-cost multipath on any topology: hashed onto a shortest way; tables converged, repaired locally, or stale",
    .source = "rfc2992; rfc5286",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_COMMITS | HF_ROUTING_ORDER_FREE,
    .params = params,
    .claims = claims,
    .plan = make,
    .route = route,
    .symmetric = hf_always_symmetric,
    .likeness = &likeness,
};
