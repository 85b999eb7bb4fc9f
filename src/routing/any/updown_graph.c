/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  up* / down* on any topology: the switches are put in an order by a breadth-first search of the healthy network from a root,
 *  by level and then by number; a hop to an earlier switch goes up. A legal way goes up as long as it likes, then down only.
 *  All shortest legal ways are offered. A part of the network that faults cut off from the root is ordered from its lowest
 *  switch, and so is all of it if the root has failed. Source: [schroeder1991]. */
#include <string.h>

#include "src/core/simd.h"
#include "src/routing/any/goals.h"
#include "src/routing/any/updown.h"
#include "src/routing/ends.h"

enum { UP = HF_UP, DOWN = HF_DOWN, NO_WAY };

typedef struct updown {
    hf_goals goals;
    uint32_t *level; /**< of a switch */
    uint8_t *way;    /**< of a channel: UP, DOWN, or NO_WAY: failed, or to a terminal */
    uint32_t width;  /**< words of a block of goals: 1 or HF_OFFERED_WORDS */
    uint64_t *offer; /**< by block and channel: goals to which it is a shortest way of those that go on that way */
    uint64_t *falls; /**< by block and switch: goals to which no legal way is shorter than one that goes down only */
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

static uint32_t goals_of_block(const updown *state) { return 64 * state->width; }
static size_t offer_at(const updown *state, uint32_t block, uint32_t channel) {
    return ((size_t)block * state->goals.topo->n_channel + channel) * state->width;
}
static size_t falls_at(const updown *state, uint32_t block, uint32_t sw) {
    return ((size_t)block * state->goals.topo->n_switch + sw) * state->width;
}

/* ---- shortest legal ways to a block of goals at once, a bit for each ---- */

/* Rows of goals by node, for each way that packets may still take: UP, and DOWN alone. Terminals begin ways and pass none on. */
typedef struct front {
    uint64_t *seen[2], *now[2], *next[2];
    uint8_t *is_on[2]; /**< by switch: now has goals */
} front;

/* The goals that have just been found behind the channels of a node. \return were there any? */
HF_SIMD_BODY bool step_from(updown *state, const front *f, uint32_t block, uint32_t v, uint32_t width) {
    const hf_topology *topo = state->goals.topo;
    const bool is_source = hf_topology_is_terminal(topo, v);
    uint64_t found[2][HF_OFFERED_WORDS] = {{0}}, any = 0;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i], way = state->way[c], to = topo->to[c];
        if (way == NO_WAY || !f->is_on[way][to]) {
            continue;
        }
        const uint64_t *now = f->now[way] + (size_t)to * width, *seen = f->seen[way] + (size_t)v * width;
        uint64_t *offer = state->offer + offer_at(state, block, c), fresh[HF_OFFERED_WORDS], some = 0;
        for (uint32_t w = 0; w < width; w++) {
            fresh[w] = now[w] & ~seen[w];
            some |= fresh[w];
        }
        for (uint32_t w = 0; w < width && some; w++) {
            offer[w] |= fresh[w];
            found[way][w] |= fresh[w];
        }
    }
    for (uint32_t w = 0; w < width; w++) {
        const size_t at = (size_t)v * width + w;
        const uint64_t falls = found[DOWN][w] & ~f->seen[UP][at];
        found[UP][w] |= falls;
        any |= found[UP][w] | found[DOWN][w];
        if (is_source) {
            f->seen[UP][at] |= found[UP][w];
        } else {
            state->falls[falls_at(state, block, v) + w] |= falls;
            f->next[UP][at] = found[UP][w];
            f->next[DOWN][at] = found[DOWN][w];
        }
    }
    return any;
}

HF_SIMD_BODY bool step(updown *state, front *f, uint32_t block, uint32_t width) {
    const hf_topology *topo = state->goals.topo;
    bool any = false;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        any |= step_from(state, f, block, v, width);
    }
    for (uint32_t phase = UP; phase <= DOWN; phase++) {
        uint64_t *const last = f->now[phase];
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            uint64_t on = 0;
            for (uint32_t w = 0; w < width; w++) {
                const size_t at = (size_t)v * width + w;
                f->seen[phase][at] |= f->next[phase][at];
                on |= f->next[phase][at];
            }
            f->is_on[phase][v] = on != 0;
        }
        f->now[phase] = f->next[phase];
        f->next[phase] = last;
    }
    return any;
}

HF_SIMD_BODY bool step_on_any(updown *state, front *f, uint32_t block) {
    return state->width == 1 ? step(state, f, block, 1) : step(state, f, block, HF_OFFERED_WORDS);
}
HF_SIMD_CHOICE(bool, step_on, (updown * state, front *f, uint32_t block), (state, f, block))

static hf_status open_front(hf_context *cx, const updown *state, front *f) {
    const hf_topology *topo = state->goals.topo;
    for (uint32_t phase = UP; phase <= DOWN; phase++) {
        HF_TRY(hf_scratch(cx, (size_t)topo->n_node * state->width, sizeof **f->seen, (void **)&f->seen[phase]));
        HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * state->width, sizeof **f->now, (void **)&f->now[phase]));
        HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * state->width, sizeof **f->next, (void **)&f->next[phase]));
        HF_TRY(hf_scratch(cx, topo->n_switch, sizeof **f->is_on, (void **)&f->is_on[phase]));
    }
    return HF_OK;
}

/* Goals at the switches that have a channel to them. */
static void seed(updown *state, front *f, uint32_t block) {
    const hf_topology *topo = state->goals.topo;
    const uint32_t first = block * goals_of_block(state);
    for (uint32_t phase = UP; phase <= DOWN; phase++) {
        memset(f->seen[phase], 0, (size_t)topo->n_node * state->width * sizeof **f->seen);
        memset(f->now[phase], 0, (size_t)topo->n_switch * state->width * sizeof **f->now);
        memset(f->is_on[phase], 0, topo->n_switch * sizeof **f->is_on);
    }
    for (uint32_t g = first; g < state->goals.n_row && g < first + goals_of_block(state); g++) {
        const uint32_t n = hf_goals_seeds(&state->goals, g);
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t v = state->goals.queue[i];
            for (uint32_t phase = UP; phase <= DOWN; phase++) {
                hf_bit_set(f->seen[phase] + (size_t)v * state->width, g - first);
                hf_bit_set(f->now[phase] + (size_t)v * state->width, g - first);
                f->is_on[phase][v] = true;
            }
        }
    }
}

static hf_status find_ways(hf_context *cx, updown *state, uint32_t n_block) {
    const hf_topology *topo = state->goals.topo;
    front f;
    HF_TRY(hf_scratch(cx, offer_at(state, n_block, 0), sizeof *state->offer, (void **)&state->offer));
    HF_TRY(hf_scratch(cx, falls_at(state, n_block, 0), sizeof *state->falls, (void **)&state->falls));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *state->way, (void **)&state->way));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool is_on = !hf_topology_is_terminal(topo, topo->to[c]) && !hf_goals_is_failed(&state->goals, c);
        const bool up = hf_topology_is_terminal(topo, topo->from[c]) || (is_on && is_up(state, c));
        state->way[c] = is_on ? (up ? UP : DOWN) : NO_WAY;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(open_front(cx, state, &f));
    for (uint32_t block = 0; block < n_block; block++) {
        HF_TRY(hf_context_go_on(cx, hf_goals_doing));
        seed(state, &f, block);
        while (step_on(state, &f, block)) {
        }
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

hf_status hf_updown_plan(hf_context *cx, hf_plan *plan, hf_updown_levels_of *find_levels) {
    const hf_topology *topo = plan->topo;
    const size_t bits = (size_t)topo->n_channel + topo->n_switch;
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(updown), &memory));
    updown *state = memory;
    HF_TRY(hf_goals_init(cx, plan, bits / 8 / (topo->n_switch + (topo->n_switch == 0)) + 1, &state->goals));
    state->width = state->goals.n_row > 64 ? HF_OFFERED_WORDS : 1;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *state->level, (void **)&state->level));
    HF_TRY(find_levels(cx, plan, state->goals.queue, state->level));
    HF_TRY(find_ways(cx, state, (state->goals.n_row + goals_of_block(state) - 1) / goals_of_block(state)));
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
    return is_first || is_up(plan->state, in.channel) ? UP : DOWN;
}

/* Goals of word w of a block for which a packet in that phase takes a channel. */
static uint64_t offered_word(const updown *state, uint32_t channel, uint32_t phase, uint32_t block, uint32_t w) {
    const uint32_t way = state->way[channel];
    if (way == NO_WAY || way < phase) {
        return 0;
    }
    const uint64_t offer = state->offer[offer_at(state, block, channel) + w];
    return way == phase ? offer : offer & state->falls[falls_at(state, block, state->goals.topo->from[channel]) + w];
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
    const uint32_t phase = phase_after(plan, in), goal = state->goals.row[destination];
    const uint32_t block = goal / goals_of_block(state), w = goal % goals_of_block(state) / 64;
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    size_t count = straight_there(state, at, destination, hops);
    const bool is_there = count > 0;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1] && !is_there; i++) {
        if (offered_word(state, topo->out_list[i], phase, block, w) >> goal % 64 & 1) {
            hops[count++] = (hf_hop){topo->out_list[i], 0, 0};
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

static uint32_t row_of(const hf_plan *plan, uint32_t destination) {
    const updown *state = plan->state;
    return state->goals.row[destination];
}

static void offered(const hf_plan *plan, uint32_t channel, uint32_t arrival, uint32_t block, uint64_t *rows) {
    const updown *state = plan->state;
    const uint32_t way = state->way[channel], width = state->width;
    if (way == NO_WAY || way < arrival || width < HF_OFFERED_WORDS) {
        memset(rows, 0, HF_OFFERED_WORDS * sizeof *rows);
        rows[0] = width < HF_OFFERED_WORDS ? offered_word(state, channel, arrival, block, 0) : 0;
        return;
    }
    memcpy(rows, state->offer + offer_at(state, block, channel), HF_OFFERED_WORDS * sizeof *rows);
    if (way > arrival) {
        const uint64_t *falls = state->falls + falls_at(state, block, state->goals.topo->from[channel]);
        for (uint32_t w = 0; w < HF_OFFERED_WORDS; w++) {
            rows[w] &= falls[w];
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
    .by_switch = true, .arrival = arrival, .arrivals = DOWN + 1, .row = row_of, .offered = offered};

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
