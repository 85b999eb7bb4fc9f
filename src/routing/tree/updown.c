/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Minimal adaptive up/down routing over every healthy minimal path of a k-ary n-tree: the ideal that no table or register
 *  limits. The plan keeps, per switch, the units (leaf switches) that no healthy minimal path leads to from there, exact and
 *  sparse: first, from the leaves up, those below it whose only way down is broken; then, from the last stage down, those that
 *  all its up ports have lost. The selection functions order the up ports: the preferred one first, the others in turn. The
 *  relation is the same. Source: [gomez2010, 4.3.1] for these; [gomez2010, 3.1] without registers; what a switch has lost is
 *  what [gomez2010, 3.2.2] propagates. */
#include <holdfast/core/bitset.h>

#include "src/routing/tree/exclusion.h"
#include "src/routing/tree/lost.h"
#include "src/routing/tree/plan.h"

typedef struct updown {
    hf_tree tree;
    uint32_t selection;
    hf_interval_list *lost; /* per switch: spans of units without a healthy minimal path from there */
} updown;

/** Selection functions of [gomez2010, 4.3.1]: which of the up ports comes first. k: FF, and CP and MC, which choose by the state
 * of the switch; k + o_s: SSP; k + p_0 of the destination: SDP, of the source: SOP; k + p_s of the destination: SADP, of the
 * source: adap-lin. */
enum { FF, SSP, SDP, SOP, CP, SADP, MC, ADAP_LIN };
static const char *const selections[] = {"FF", "SSP", "SDP", "SOP", "CP", "SADP", "MC", "adap-lin", NULL};

static const hf_param params[] = {
    {.name = "selection",
     .type = HF_PARAM_WORD,
     .fallback = "FF",
     .words = selections,
     .help = "up port that is offered first, by switch, destination or source"},
    HF_PARAM_VCS,
    {0},
};

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "updown");
}

static bool is_failed(const hf_plan *plan, uint32_t channel) { return hf_bit_test(plan->faults->channel_set, channel); }

static hf_status make(hf_context *cx, hf_plan *plan) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(updown), &memory));
    updown *state = memory;
    if (!hf_tree_of(plan->topo, &state->tree)) {
        return hf_tree_accepts(cx, plan->topo, "updown");
    }
    state->selection = (uint32_t)hf_args_get(plan->args, "selection")->number;
    hf_route_take_vcs(plan, state->tree.k);
    plan->state = state;
    return hf_tree_find_lost(cx, plan, &state->tree, &state->lost);
}

/** The up port that comes first, less k. Digit s of the source is the down port of arrival; its digit 0 goes along as tag. */
static uint32_t preferred(const hf_plan *plan, uint32_t sw, hf_hop in, uint32_t destination) {
    const updown *state = plan->state;
    const hf_tree *tree = &state->tree;
    const uint32_t s = hf_tree_stage(tree, sw);
    switch (state->selection) {
    case SSP:
        return hf_tree_digit(tree, sw - s * tree->width, s);
    case SDP:
        return hf_tree_digit(tree, destination, 0);
    case SOP:
        return in.tag;
    case SADP:
        return hf_tree_digit(tree, destination, s);
    case ADAP_LIN:
        return plan->topo->to_port[in.channel];
    default:
        return 0;
    }
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const updown *state = plan->state;
    const hf_tree *tree = &state->tree;
    const uint32_t unit = destination / tree->k;
    if (is_failed(plan, hf_tree_ejection(tree, destination))) {
        return 0;
    }
    if (at >= tree->n_switch) {
        uint32_t terminal = at - tree->n_switch;
        const uint32_t tag = state->selection == SOP ? hf_tree_digit(tree, terminal, 0) : 0;
        hops[0] = (hf_hop){hf_tree_injection(tree, terminal), 0, tag};
        return !is_failed(plan, hops[0].channel) && !hf_spans_has(&state->lost[terminal / tree->k], unit);
    }
    if (hf_tree_is_below(tree, at, destination)) {
        uint32_t port = hf_tree_down_port(tree, hf_tree_stage(tree, at), destination);
        hops[0] = (hf_hop){hf_tree_down_channel(tree, at, port), 0, 0};
        return hf_spans_has(&state->lost[at], unit) ? 0 : hf_route_on_all_vcs(plan, hops, 1);
    }
    const uint32_t first = preferred(plan, at, in, destination);
    const uint32_t above = hf_tree_above(tree, at, 0), step = tree->power[hf_tree_stage(tree, at)];
    size_t count = 0;
    for (uint32_t i = 0; i < tree->k; i++) {
        const uint32_t j = first + i < tree->k ? first + i : first + i - tree->k;
        const uint32_t channel = hf_tree_up_channel(tree, at, j);
        const hf_interval_list *lost = &state->lost[above + j * step];
        if (!is_failed(plan, channel) && (lost->count == 0 || !hf_spans_has(lost, unit))) {
            hops[count++] = (hf_hop){channel, 0, in.tag};
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

/* How a packet came is in its tag, as far as hops and not their order go. */
static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    (void)plan;
    return in.tag;
}

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const updown *state = plan->state;
    (void)in;
    return hf_tree_run(plan, &state->tree, at, destination);
}

static const hf_likeness likeness = {.by_switch = true, .arrival = arrival, .run = run};

const hf_routing hf_routing_updown = {
    .name = "updown",
    .summary = "Minimal adaptive up/down routing over every healthy minimal path of a k-ary n-tree: the ideal",
    .source = "gomez2010, 3.1",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_FAULT_AWARE | HF_ROUTING_ALL_MINIMAL,
    .params = params,
    .accepts = accepts,
    .chooses = hf_tree_chooses,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .symmetric = hf_always_symmetric,
    .judge = hf_updown_judge_new,
};
