/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Minimal adaptive up/down routing over every healthy minimal path of a k-ary n-tree: the ideal that no table or register
 *  limits. The plan keeps, per switch, the units (leaf switches) that no healthy minimal path leads to from there, exact and
 *  sparse: first, from the leaves up, those below it whose only way down is broken; then, from the last stage down, those that
 *  all its up ports have lost.
 *  The selection functions order the up ports: the preferred one first, the others in turn. The relation is the same.
 *  Source: [gomez2010, 4.3.1] for these; [gomez2010, 3.1] without registers; what a switch has lost is what [gomez2010, 3.2.2]
 * propagates. */
#include <holdfast/bitset.h>

#include "src/routing/tree_exclusion.h"
#include "src/routing/tree_plan.h"

typedef struct updown {
    hf_tree tree;
    uint32_t selection;
    hf_interval_list *lost; /* per switch: spans of units without a healthy minimal path from there */
} updown;

typedef struct builder {
    hf_context *cx;
    const hf_plan *plan;
    updown *state;
    hf_interval_list everything, run[2];
} builder;

/** Selection functions of [gomez2010, 4.3.1]: which of the up ports comes first. */
enum { FF, SSP, SDP, SOP, CP, SADP, MC, ADAP_LIN };
static const char *const selections[] = {"FF", "SSP", "SDP", "SOP", "CP", "SADP", "MC", "adap-lin", NULL};

static const hf_param params[] = {
    {.name = "selection",
     .type = HF_PARAM_WORD,
     .fallback = "FF",
     .words = selections,
     .help =
         "the up port that comes first in the order of the hops, the others following in turn: k (FF; CP and MC, which choose "
         "by the state of the switch), k + o_s (SSP), p_0 (SDP) or p_s (SADP) of the destination, p_0 (SOP) or p_s (adap-lin) "
         "of the source"},
    {0},
};

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "updown");
}

static bool is_failed(const hf_plan *plan, uint32_t channel) { return hf_bit_test(plan->faults->channel_set, channel); }

/* The units below `sw` (stage >= 1) whose way down from it is broken. */
static hf_status find_broken(const builder *b, uint32_t sw) {
    const hf_tree *tree = &b->state->tree;
    hf_interval_list *broken = &b->state->lost[sw];
    for (uint32_t l = 0; l < tree->k; l++) {
        if (is_failed(b->plan, hf_tree_down_channel(tree, sw, l))) {
            hf_interval in = hf_tree_inclusion(tree, sw, l);
            HF_TRY(hf_spans_append(b->cx, broken, (hf_interval){in.lo / tree->k, in.hi / tree->k}));
            continue;
        }
        const hf_interval_list *under = &b->state->lost[hf_tree_under(tree, sw, l)];
        for (uint32_t i = 0; i < under->count; i++) {
            HF_TRY(hf_spans_append(b->cx, broken, under->item[i]));
        }
    }
    return HF_OK;
}

/* What up port k + j of `sw` has lost. */
static const hf_interval_list *lost_by_port(const builder *b, uint32_t sw, uint32_t j) {
    const hf_tree *tree = &b->state->tree;
    if (is_failed(b->plan, hf_tree_up_channel(tree, sw, j))) {
        return &b->everything;
    }
    return &b->state->lost[hf_tree_above(tree, sw, j)];
}

static bool some_port_lost_nothing(const builder *b, uint32_t sw) {
    for (uint32_t j = 0; j < b->state->tree.k; j++) {
        if (lost_by_port(b, sw, j)->count == 0) {
            return true;
        }
    }
    return false;
}

/* The units that are not below `sw`. */
static hf_status outside(const builder *b, uint32_t sw, hf_interval_list *out) {
    const hf_tree *tree = &b->state->tree;
    uint32_t block = tree->power[hf_tree_stage(tree, sw)];
    uint32_t lo = sw % tree->width / block * block;
    out->count = 0;
    if (lo > 0) {
        HF_TRY(hf_spans_append(b->cx, out, (hf_interval){0, lo - 1}));
    }
    if (lo + block < tree->width) {
        HF_TRY(hf_spans_append(b->cx, out, (hf_interval){lo + block, tree->width - 1}));
    }
    return HF_OK;
}

/* Add to lost[sw] the units that all its up ports have lost. */
static hf_status find_lost_above(builder *b, uint32_t sw) {
    if (some_port_lost_nothing(b, sw)) {
        return HF_OK;
    }
    HF_TRY(outside(b, sw, &b->run[0]));
    uint32_t now = 0;
    for (uint32_t j = 0; j < b->state->tree.k && b->run[now].count > 0; j++, now ^= 1) {
        HF_TRY(hf_spans_intersect(b->cx, &b->run[now], lost_by_port(b, sw, j), &b->run[now ^ 1]));
    }
    if (b->run[now].count == 0) {
        return HF_OK;
    }
    hf_interval_list below = b->state->lost[sw];
    b->state->lost[sw] = (hf_interval_list){0};
    return hf_spans_unite(b->cx, &below, &b->run[now], &b->state->lost[sw]);
}

static hf_status find_all(builder *b) {
    const hf_tree *tree = &b->state->tree;
    for (uint32_t sw = tree->width; sw < tree->n_switch; sw++) {
        HF_TRY(find_broken(b, sw));
    }
    for (uint32_t stage = tree->n - 1; stage-- > 0;) {
        for (uint32_t o = 0; o < tree->width; o++) {
            HF_TRY(find_lost_above(b, stage * tree->width + o));
        }
    }
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(updown), &memory));
    updown *state = memory;
    if (!hf_tree_of(plan->topo, &state->tree)) {
        return hf_tree_accepts(cx, plan->topo, "updown");
    }
    HF_TRY(hf_scratch(cx, state->tree.n_switch, sizeof *state->lost, &memory));
    state->lost = memory;
    state->selection = (uint32_t)hf_args_get(plan->args, "selection")->number;
    plan->max_hops = state->tree.k;
    plan->state = state;
    if (plan->faults->n_channel == 0) {
        return HF_OK;
    }
    builder b = {.cx = cx, .plan = plan, .state = state};
    HF_TRY(hf_spans_append(cx, &b.everything, (hf_interval){0, state->tree.width - 1}));
    return find_all(&b);
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
        return !hf_spans_has(&state->lost[at], unit);
    }
    const uint32_t first = preferred(plan, at, in, destination);
    size_t count = 0;
    for (uint32_t i = 0; i < tree->k; i++) {
        const uint32_t j = first + i < tree->k ? first + i : first + i - tree->k;
        const uint32_t channel = hf_tree_up_channel(tree, at, j);
        if (!is_failed(plan, channel) && !hf_spans_has(&state->lost[hf_tree_above(tree, at, j)], unit)) {
            hops[count++] = (hf_hop){channel, 0, in.tag};
        }
    }
    return count;
}

const hf_routing hf_routing_updown = {
    .name = "updown",
    .summary = "Minimal adaptive up/down routing over every healthy minimal path of a k-ary n-tree: the ideal",
    .source = "gomez2010, 3.1",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC |
              HF_ROUTING_FAULT_AWARE | HF_ROUTING_ALL_MINIMAL,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .judge = hf_updown_judge_new,
};
