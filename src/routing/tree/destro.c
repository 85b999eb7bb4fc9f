/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DESTRO: deterministic routing on k-ary n-trees. At stage s a packet goes up at port k + p_s of its destination, until it is
 *  above it; then down. With minimal=no all packets go up to the last stage, as in the comparison with RUFT. Other trees and the
 *  bidirectional MIN, which [gomez2010, 6.2] leaves to the future, have the same by levels.h.
 *  Source: [gomez2010, 4.2; 5.2 for minimal=no]. */
#include "src/routing/tree/fir.h"
#include "src/routing/tree/levels.h"

/** Of a k-ary n-tree; else of levels. */
typedef struct destro_state {
    hf_tree tree; /**< k = 0: it is none */
    hf_levels levels;
} destro_state;

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    hf_tree tree;
    hf_levels levels;
    (void)args;
    if (!hf_tree_of(topo, &tree) && !hf_levels_of(topo, &levels)) {
        HF_FAIL(
            cx, HF_ENOTSUP,
            "routing \"destro\" needs a tree such as \"kary-tree:k=4,n=3\", an xgft or clos with one parent at the terminals, or "
            "a bmin; \"%s\" is none",
            topo->spec);
    }
    return HF_OK;
}

static hf_status make_plan(hf_context *cx, hf_plan *plan) {
    destro_state *s;
    HF_TRY(accepts(cx, plan->topo, plan->args));
    HF_TRY(hf_scratch(cx, 1, sizeof *s, (void **)&s));
    if (!hf_tree_of(plan->topo, &s->tree)) {
        (void)hf_levels_of(plan->topo, &s->levels);
    }
    plan->state = s;
    hf_route_take_vcs(plan, 1);
    return HF_OK;
}

static bool is_minimal(const hf_plan *plan) { return hf_args_get(plan->args, "minimal")->number != 0; }

/** Is this the switch where the packet turns, or is it on its way down? */
static bool goes_down(const hf_plan *plan, uint32_t sw, hf_hop in, uint32_t destination) {
    const hf_tree *tree = &((const destro_state *)plan->state)->tree;
    if (is_minimal(plan)) {
        return hf_tree_is_below(tree, sw, destination);
    }
    return !hf_tree_came_up(tree, in) || hf_tree_stage(tree, sw) + 1 == tree->n;
}

static bool came_up(const hf_plan *plan, const hf_levels *t, uint32_t l, hf_hop in) {
    return in.channel != HF_NONE && plan->topo->to_port[in.channel] < t->level[l].n_down;
}

static size_t route_by_levels(const hf_plan *plan, const hf_levels *t, uint32_t at, hf_hop in, uint32_t destination,
                              hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    if (hf_topology_is_terminal(topo, at)) {
        hops[0] = (hf_hop){topo->out_list[topo->out_begin[at]], 0, 0};
        return hf_route_on_all_vcs(plan, hops, 1);
    }
    const uint32_t l = hf_levels_at(t, at);
    const bool is_down = is_minimal(plan) ? hf_levels_is_below(t, l, at, destination) : l + 1 == t->n || !came_up(plan, t, l, in);
    const uint32_t port = is_down ? hf_levels_down_port(t, l, destination) : hf_levels_up_port(t, l, destination);
    hops[0] = (hf_hop){hf_topology_channel_at(topo, at, port), 0, 0};
    return hf_route_on_all_vcs(plan, hops, 1);
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const destro_state *state = plan->state;
    const hf_tree *tree = &state->tree;
    if (tree->k == 0) {
        return route_by_levels(plan, &state->levels, at, in, destination, hops);
    }
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
    const hf_tree *tree = &((const destro_state *)plan->state)->tree;
    hf_fir fir;
    return tree->k && is_minimal(plan) && hf_fir_destro(tree, sw, port, &fir) ? hf_fir_list(&fir, out, max) : 0;
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

static uint32_t arrival(const hf_plan *plan, hf_hop in) {
    const destro_state *s = plan->state;
    const uint32_t at = in.channel == HF_NONE ? HF_NONE : plan->topo->to[in.channel];
    if (s->tree.k) {
        return hf_tree_came_up(&s->tree, in);
    }
    return at < plan->topo->n_switch && came_up(plan, &s->levels, hf_levels_at(&s->levels, at), in);
}

static const hf_likeness likeness = {.arrival = arrival};

const hf_routing hf_routing_destro = {
    .name = "destro",
    .summary = "DESTRO: deterministic routing on trees and bmin, up by the digit of the destination and the stage",
    .source = "gomez2010, 4.2",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_MONOTONE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_BLIND,
    .params = params,
    .accepts = accepts,
    .chooses = hf_routing_never_chooses,
    .plan = make_plan,
    .route = route,
    .likeness = &likeness,
    .registers = registers,
    .memory = memory,
};
