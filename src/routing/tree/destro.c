/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DESTRO: deterministic routing on k-ary n-trees. At stage s a packet goes up at port k + p_s of its destination, until it is
 *  above it; then down. With minimal=no all packets go up to the last stage, as in the comparison with RUFT.
 *  Source: [gomez2010, 4.2; 5.2 for minimal=no]. */
#include "src/routing/tree/fir.h"
#include "src/routing/tree/route.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "destro");
}

static bool is_minimal(const hf_plan *plan) { return hf_args_get(plan->args, "minimal")->number != 0; }

/** Is this the switch where the packet turns, or is it on its way down? */
static bool goes_down(const hf_plan *plan, uint32_t sw, hf_hop in, uint32_t destination) {
    const hf_tree *tree = plan->state;
    if (is_minimal(plan)) {
        return hf_tree_is_below(tree, sw, destination);
    }
    return !hf_tree_came_up(tree, in) || hf_tree_stage(tree, sw) + 1 == tree->n;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_tree *tree = plan->state;
    if (at >= tree->n_switch) {
        hops[0] = hf_tree_hop_in(tree, at - tree->n_switch);
    } else if (goes_down(plan, at, in, destination)) {
        hops[0] = hf_tree_hop_down(tree, at, destination);
    } else {
        hops[0] = hf_tree_hop_up(tree, at, hf_tree_digit(tree, destination, hf_tree_stage(tree, at)));
    }
    return hf_route_on_all_vcs(plan, hops, 1);
}

static size_t registers(const hf_plan *plan, uint32_t sw, uint32_t port, hf_register *out, size_t max) {
    hf_fir fir;
    return is_minimal(plan) && hf_fir_destro(plan->state, sw, port, &fir) ? hf_fir_list(&fir, out, max) : 0;
}

static hf_switch_memory memory(const hf_args *args) {
    (void)args;
    return (hf_switch_memory){HF_SWITCH_FIR, 0};
}

static const hf_param params[] = {
    {.name = "minimal",
     .type = HF_PARAM_BOOL,
     .fallback = "yes",
     .help = "turn at the first switch above the destination; no: at the last stage always"},
    HF_PARAM_VCS,
    {0},
};

static uint32_t arrival(const hf_plan *plan, hf_hop in) { return hf_tree_came_up(plan->state, in); }

static const hf_likeness likeness = {.arrival = arrival};

const hf_routing hf_routing_destro = {
    .name = "destro",
    .summary = "DESTRO: deterministic routing on k-ary n-trees, up by the digit of the destination and the stage",
    .source = "gomez2010, 4.2",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .chooses = hf_routing_never_chooses,
    .plan = hf_tree_plan_plain,
    .route = route,
    .likeness = &likeness,
    .registers = registers,
    .memory = memory,
};
