/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Valley-free ways on Clos networks and trees: up the tiers as long as a packet likes, then down only, never up again. All
 *  shortest ones of what the faults leave are offered, so a way may turn at a higher tier than without faults. The tier of a
 *  switch is its distance from the nearest one with terminals in the network without faults; between switches of one tier the
 *  number decides. That is up* / down* with tiers for levels. Source: [gao2001; rfc7938]. */
#include "src/routing/any/goals.h"
#include "src/routing/any/updown.h"
#include "src/routing/ends.h"
#include "src/topology/search.h"

typedef struct climb {
    const hf_topology *topo;
    uint32_t *tier;
} climb;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    const climb *c = user;
    (void)arc;
    if (to >= c->topo->n_switch || c->tier[to] != HF_NONE) {
        return HF_STEP_PASS;
    }
    c->tier[to] = c->tier[from] + 1;
    return HF_STEP_ENTER;
}

/* The tier of each switch; HF_NONE: it has no way to a terminal. */
static void find_tiers(const hf_topology *topo, uint32_t *queue, uint32_t *tier) {
    climb c = {topo, tier};
    uint32_t n = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        tier[v] = HF_NONE;
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t v = topo->terminal_switch[t];
        if (tier[v] == HF_NONE) {
            tier[v] = 0;
            queue[n++] = v;
        }
    }
    (void)hf_breadth_first(hf_channels(topo, false), queue, n, enter, &c);
}

static hf_status check_tiers(hf_context *cx, const hf_topology *topo) {
    uint32_t *tier, *queue;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *tier, (void **)&tier));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof *queue, (void **)&queue));
    find_tiers(topo, queue, tier);
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t u = topo->from[c], v = topo->to[c];
        if (u < topo->n_switch && v < topo->n_switch && tier[u] == tier[v]) {
            char a[64], b[64];
            hf_topology_node_name(topo, u, a, sizeof a);
            hf_topology_node_name(topo, v, b, sizeof b);
            HF_FAIL(cx, HF_EINVAL,
                    "routing \"valley-free\" needs tiers; in \"%s\" %s and %s are as far from terminals, and linked", topo->spec,
                    a, b);
        }
    }
    return HF_OK;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_updown_accepts(cx, topo, "valley-free"));
    const hf_status status = check_tiers(cx, topo);
    hf_scratch_reset(cx, mark);
    return status;
}

/* Levels of an order that begins at the top: the number of switches less the tier. */
static hf_status find_levels(hf_context *cx, hf_plan *plan, uint32_t *queue, uint32_t *level) {
    const uint32_t n = plan->topo->n_switch;
    (void)cx;
    find_tiers(plan->topo, queue, level);
    for (uint32_t v = 0; v < n; v++) {
        level[v] = level[v] == HF_NONE ? 0 : n - level[v];
    }
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) { return hf_updown_plan(cx, plan, find_levels); }

static hf_status judge(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)rule;
    return hf_updown_fixed_judge_new(cx, universe, find_levels, out);
}

static const hf_param params[] = {HF_PARAM_VCS, {0}};

const hf_routing hf_routing_valley_free = {
    .name = "valley-free",
    .summary = "up the tiers, then down, never up again: all shortest such ways of the healthy network; Clos and trees",
    .source = "gao2001; rfc7938",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE | HF_ROUTING_MONOTONE,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = hf_updown_route,
    .likeness = &hf_updown_likeness,
    .judge = judge,
};
