/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DESTRO-FT: one path a pair on k-ary n-trees, around faults. On its way up a packet for p takes port k + p_s as in DESTRO,
 *  unless that port has failed or excludes p; then the first of the others that does not, in turn from the port d places on,
 *  where d = (p_(s+1) - o_s) mod k of switch <s, o>, and k - 1 for 0. So the destinations that a switch can no longer send
 *  through a port, and the switches that can no longer reach a destination through theirs, are spread over all others. The
 *  exclusions of a port are exact: what the switch above it has lost. Registers: those of DESTRO, and exclusion intervals as in
 *  FT2EI. See docs/destro-ft.md. Source: none; [gomez2010, 6] names the problem. */
#include <holdfast/core/bitset.h>

#include "src/routing/tree/destro_ft.h"
#include "src/routing/tree/fir.h"
#include "src/routing/tree/lost.h"
#include "src/routing/tree/route.h"

typedef struct destro_ft {
    hf_tree tree;
    hf_interval_list *lost; /**< per switch, see lost.h */
} destro_ft;

static const char *const extras[] = {"max_paths_per_channel", NULL};
static const hf_extra_note extra_notes[] = {
    {"paths over the channel between switches that has most of them", NULL, 0, hf_most_terminal_pairs}};

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "destro-ft");
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    destro_ft *state;
    HF_TRY(hf_scratch(cx, 1, sizeof *state, (void **)&state));
    if (!hf_tree_of(plan->topo, &state->tree)) {
        return hf_tree_accepts(cx, plan->topo, "destro-ft");
    }
    plan->state = state;
    hf_route_take_vcs(plan, 1);
    return hf_tree_find_lost(cx, plan, &state->tree, &state->lost);
}

static bool is_failed(const hf_plan *plan, uint32_t channel) { return hf_bit_test(plan->faults->channel_set, channel); }

/** Does up port k + j lead to the unit? */
static bool is_open(const hf_plan *plan, uint32_t sw, uint32_t j, uint32_t unit) {
    const destro_ft *state = plan->state;
    return !is_failed(plan, hf_tree_up_channel(&state->tree, sw, j)) &&
           !hf_spans_has(&state->lost[hf_tree_above(&state->tree, sw, j)], unit);
}

/** The up port, less k; HF_NONE if none is left. */
static uint32_t choose(const hf_plan *plan, uint32_t sw, uint32_t destination) {
    const hf_tree *tree = &((const destro_ft *)plan->state)->tree;
    const uint32_t k = tree->k, s = hf_tree_stage(tree, sw), unit = destination / k;
    const uint32_t own = hf_tree_digit(tree, destination, s), next = hf_tree_digit(tree, destination, s + 1);
    const uint32_t away = (next + k - hf_tree_digit(tree, sw - s * tree->width, s)) % k;
    if (is_open(plan, sw, own, unit)) {
        return own;
    }
    for (uint32_t i = 0; i + 1 < k; i++) {
        const uint32_t j = (own + 1 + (away + k - 2 + i) % (k - 1)) % k;
        if (is_open(plan, sw, j, unit)) {
            return j;
        }
    }
    return HF_NONE;
}

static size_t step(const hf_plan *plan, uint32_t at, uint32_t destination, hf_hop *hops) {
    const destro_ft *state = plan->state;
    const hf_tree *tree = &state->tree;
    const uint32_t unit = destination / tree->k;
    if (is_failed(plan, hf_tree_ejection(tree, destination))) {
        return 0;
    }
    if (at >= tree->n_switch) {
        const uint32_t terminal = at - tree->n_switch;
        hops[0] = hf_tree_hop_in(tree, terminal);
        return !is_failed(plan, hops[0].channel) && !hf_spans_has(&state->lost[terminal / tree->k], unit);
    }
    if (hf_tree_is_below(tree, at, destination)) {
        hops[0] = hf_tree_hop_down(tree, at, destination);
        return !hf_spans_has(&state->lost[at], unit);
    }
    const uint32_t j = choose(plan, at, destination);
    if (j != HF_NONE) {
        hops[0] = hf_tree_hop_up(tree, at, j);
    }
    return j != HF_NONE;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    return hf_route_on_all_vcs(plan, hops, step(plan, at, destination, hops));
}

/* ---- registers ---- */

/** Exclusions of an up port, as terminals. */
static size_t exclusions(const hf_plan *plan, uint32_t sw, uint32_t j, hf_register *out, size_t max) {
    const destro_ft *state = plan->state;
    const hf_tree *tree = &state->tree;
    if (is_failed(plan, hf_tree_up_channel(tree, sw, j))) {
        if (max > 0) {
            out[0] = (hf_register){"exclusion", 0, {0, tree->n_terminal - 1}};
        }
        return 1;
    }
    const hf_interval_list *lost = &state->lost[hf_tree_above(tree, sw, j)];
    for (uint32_t i = 0; i < lost->count && i < max; i++) {
        const hf_interval units = lost->item[i];
        out[i] = (hf_register){"exclusion", i, {units.lo * tree->k, units.hi * tree->k + tree->k - 1}};
    }
    return lost->count;
}

static size_t registers(const hf_plan *plan, uint32_t sw, uint32_t port, hf_register *out, size_t max) {
    const hf_tree *tree = &((const destro_ft *)plan->state)->tree;
    if (hf_topology_channel_at(plan->topo, sw, port) == HF_NONE) {
        return 0;
    }
    hf_fir fir;
    const size_t n = hf_fir_destro(tree, sw, port, &fir) ? hf_fir_list(&fir, out, max) : 0;
    return port < tree->k ? n : n + exclusions(plan, sw, port - tree->k, max > n ? out + n : NULL, max > n ? max - n : 0);
}

/* ---- measures ---- */

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    const hf_topology *topo = plan->topo;
    uint64_t *paths;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *paths, (void **)&paths));
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        for (uint32_t s = 0; s < topo->n_terminal; s++) {
            if (s != d) {
                hf_destro_ft_follow(plan, step, s, d, 1, paths);
            }
        }
    }
    out->extra[0] = hf_destro_ft_most(topo, paths);
    return HF_OK;
}

static const hf_routing_measures measures = {NULL, extras, extra_notes, measure, NULL};

static const hf_param params[] = {HF_PARAM_VCS, {0}};

static const hf_likeness likeness = {.arrival = hf_arrival_any};

const hf_routing hf_routing_destro_ft = {
    .name = "destro-ft",
    .summary = "DESTRO around faults: one path a pair, balanced, wherever a healthy minimal path is left",
    .source = "none; gomez2010, 4.2 and 3.2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_FAULT_AWARE,
    .params = params,
    .accepts = accepts,
    .chooses = hf_routing_never_chooses,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .registers = registers,
    .measures = &measures,
    .judge = hf_destro_ft_judge_new,
};
