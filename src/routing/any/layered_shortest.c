/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One shortest way of the healthy network for every pair, on any topology, and as many virtual channels as it takes to keep
 * their dependencies without a cycle: pair by pair, the way goes on the lowest VC where it closes none. A baseline for rules that
 * react to faults: everything is computed anew. Source: the layers of [skeie2002], with ways that go by the destination alone. */
#include <string.h>

#include "src/core/layers.h"
#include "src/routing/any/goals.h"

typedef struct layered {
    hf_goals goals;
    uint32_t *next; /**< n_row rows of n_switch: the channel to take, HF_NONE: no way or arrived */
    uint16_t *distance;
    uint8_t *vc; /**< n_row rows of n_switch: of packets that start there */
    uint32_t n_vc;
} layered;

/* ---- ways ---- */

/** Number of channels of `v` that lead nearer, and the one of them with number `pick`. */
static uint32_t nearer(const layered *state, uint32_t row, uint32_t v, uint32_t pick, uint32_t *channel) {
    const hf_topology *topo = state->goals.topo;
    const uint16_t *distance = state->distance + (size_t)row * topo->n_switch;
    uint32_t count = 0;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (to < topo->n_switch && distance[to] < distance[v] && !hf_goals_is_failed(&state->goals, c)) {
            *channel = count++ == pick ? c : *channel;
        }
    }
    return count;
}

/* Ways that are as short are shared among the destinations in turn. */
static void choose_ways(const layered *state, uint32_t row) {
    const hf_topology *topo = state->goals.topo;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t *next = &state->next[(size_t)row * topo->n_switch + v];
        *next = HF_NONE;
        const uint32_t count = nearer(state, row, v, HF_NONE, next);
        if (count > 0) {
            (void)nearer(state, row, v, row % count, next);
        }
    }
}

/* ---- layers ---- */

/* Number the dependencies of a row. \param[out] after n_switch: that of the way's channel from a switch on the one behind it;
 * HF_NONE: there is none behind it */
static hf_status number_row(hf_context *cx, const layered *state, uint32_t row, hf_layer_set *layers, uint32_t *after) {
    const hf_topology *topo = state->goals.topo;
    const uint32_t *next = state->next + (size_t)row * topo->n_switch;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        const uint32_t behind = next[v] == HF_NONE ? HF_NONE : next[topo->to[next[v]]];
        after[v] = HF_NONE;
        if (behind != HF_NONE) {
            HF_TRY(hf_layers_edge(cx, layers, next[v], behind, &after[v]));
        }
    }
    return HF_OK;
}

static hf_status lay_row(hf_context *cx, layered *state, uint32_t row, hf_layer_set *layers, const uint32_t *after,
                         uint32_t *way) {
    const hf_topology *topo = state->goals.topo;
    const size_t first = (size_t)row * topo->n_switch;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        uint32_t n = 0, layer;
        for (uint32_t u = v; after[u] != HF_NONE; u = topo->to[state->next[first + u]]) {
            way[n++] = after[u];
        }
        HF_TRY(hf_layers_put(cx, layers, way, n, &layer));
        if (layer == HF_NONE) {
            HF_FAIL(cx, HF_ERANGE, "the ways on \"%s\" need more than %d layers", topo->spec, HF_LAYERS_MAX);
        }
        state->vc[first + v] = (uint8_t)layer;
    }
    return HF_OK;
}

static hf_status lay(hf_context *cx, layered *state) {
    const hf_topology *topo = state->goals.topo;
    hf_layer_set layers;
    uint32_t *way, *after;
    HF_TRY(hf_layers_init(cx, topo->n_channel, &layers));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *way, (void **)&way));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *after, (void **)&after));
    for (uint32_t row = 0; row < state->goals.n_row; row++) {
        HF_TRY(hf_context_go_on(cx, "putting ways on layers"));
        HF_TRY(number_row(cx, state, row, &layers, after));
        HF_TRY(lay_row(cx, state, row, &layers, after, way));
    }
    state->n_vc = layers.n_layer > 0 ? layers.n_layer : 1;
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(layered), &memory));
    layered *state = memory;
    HF_TRY(hf_goals_init(cx, plan, sizeof *state->next + sizeof *state->distance + sizeof *state->vc, &state->goals));
    const size_t size = (size_t)state->goals.n_row * plan->topo->n_switch;
    HF_TRY(hf_scratch(cx, size, sizeof *state->next, (void **)&state->next));
    HF_TRY(hf_scratch(cx, size, sizeof *state->distance, (void **)&state->distance));
    HF_TRY(hf_scratch(cx, size, sizeof *state->vc, (void **)&state->vc));
    for (uint32_t row = 0; row < state->goals.n_row; row++) {
        HF_TRY(hf_goals_search(cx, &state->goals, row, state->distance + (size_t)row * plan->topo->n_switch));
        choose_ways(state, row);
    }
    HF_TRY(lay(cx, state));
    plan->n_vc = state->n_vc;
    plan->state = state;
    return HF_OK;
}

/* ---- the relation ---- */

/** The healthy channel from `at` to the terminal, HF_NONE. */
static uint32_t last_channel(const layered *state, uint32_t at, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    const uint32_t node = topo->n_switch + destination;
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        const uint32_t c = topo->in_list[i];
        if (topo->from[c] == at && !hf_goals_is_failed(&state->goals, c)) {
            return c;
        }
    }
    return HF_NONE;
}

/** The channel of a terminal from whose switch the way is shortest, HF_NONE. */
static uint32_t first_channel(const layered *state, uint32_t at, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    const uint16_t *distance = state->distance + (size_t)state->goals.row[destination] * topo->n_switch;
    uint32_t best = HF_NONE;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        const bool is_way = !hf_goals_is_failed(&state->goals, c) && distance[topo->to[c]] != HF_FAR;
        best = is_way && (best == HF_NONE || distance[topo->to[c]] < distance[topo->to[best]]) ? c : best;
    }
    return best;
}

/* The layer that a packet is on; n_vc: it has none yet. */
static uint32_t vc_before(const hf_plan *plan, hf_hop in) {
    const bool is_first = in.channel == HF_NONE || plan->topo->link[in.channel] >= plan->topo->n_switch_link;
    return is_first || in.vc >= plan->n_vc ? plan->n_vc : in.vc;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const layered *state = plan->state;
    const hf_topology *topo = plan->topo;
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    if (hf_topology_is_terminal(topo, at)) {
        hops[0] = (hf_hop){first_channel(state, at, destination), 0, 0};
        return hops[0].channel != HF_NONE;
    }
    const size_t place = (size_t)state->goals.row[destination] * topo->n_switch + at;
    if (state->next[place] == HF_NONE) {
        hops[0] = (hf_hop){last_channel(state, at, destination), 0, 0};
        return hops[0].channel != HF_NONE;
    }
    const uint32_t vc = vc_before(plan, in);
    hops[0] = (hf_hop){state->next[place], vc < plan->n_vc ? vc : state->vc[place], 0};
    return 1;
}

/* ---- measures ---- */

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    (void)cx;
    const layered *state = plan->state;
    out->extra[0] = plan->n_vc;
    for (size_t i = 0; i < (size_t)state->goals.n_row * plan->topo->n_switch; i++) {
        const uint64_t hops = state->distance[i] == HF_FAR ? 0 : state->distance[i];
        out->extra[1] += hops;
        out->extra[2] = hops > out->extra[2] ? hops : out->extra[2];
    }
    return HF_OK;
}

static const char *const extras[] = {"layers", "distance_hops", "longest_hops", NULL};
static double most_layers(const hf_topology *topo) {
    (void)topo;
    return HF_LAYERS_MAX;
}
static const hf_extra_note extra_notes[] = {
    {"virtual channels that keep the paths free of cycles", NULL, 0, most_layers},
    {"hops between switches, sum over the ordered pairs with a path", NULL, 0, hf_most_hops_sum},
    {"hops between switches, of the farthest pair", NULL, 0, hf_most_hops}};

static const hf_routing_measures measures = {NULL, extras, extra_notes, measure, NULL};

static const hf_likeness likeness = {.by_switch = true, .arrival = vc_before};

const hf_routing hf_routing_layered_shortest = {
    .name = "layered-shortest",
    .summary = "one shortest way a pair of the healthy network, on as many VCs as keep them free of cycles; any topology",
    .source = "skeie2002",
    .traits = HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE,
    .params = hf_no_params,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .measures = &measures,
};
