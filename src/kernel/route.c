/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Where the kernel's packets go: at each node by the latest layer that it has heard of, on the emergency paths that a routing
 *  has while a fault is being worked on, and by the plan of the start before any fault. */
#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"
#include "src/kernel/reconfigure.h"

/* Hops of a reconfiguration, under the contract of the plan after it, and on its lanes. */
static hf_status take_between(const hf_kernel *k, const hf_kernel_layer *y, const char *function, uint32_t at, hf_hop in,
                              uint32_t destination, size_t *n) {
    hf_plan after = *y->transition.after;
    after.max_hops = k->plan->lanes ? hf_plan_own(k->plan)->max_hops : k->max_hops;
    if (!hf_plan_hops_are_right(&after, at, k->route_hops, *n)) {
        return hf_plan_refuse(k->cx, &after, function, at, hf_lanes_own_hop(y->fault->plan, in), destination, k->route_hops, *n);
    }
    *n = hf_lanes_spread(y->fault->plan, in, k->route_hops, *n);
    return HF_OK;
}

static hf_status route_by(const hf_kernel *k, uint32_t i, uint32_t at, hf_hop in, uint32_t destination, size_t *n) {
    const hf_kernel_layer *y = &k->layers->layer[i];
    const hf_reconfiguration *protocol = y->transition.after->routing->reconfiguration;
    hf_hop *hops = k->route_hops;
    if (protocol && protocol->route && y->stage[at] < protocol->final_stage) {
        *n = protocol->route(&y->transition, y->stage[at], at, hf_lanes_own_hop(y->fault->plan, in), destination, hops);
        return *n == HF_ROUTE_WAIT ? HF_OK : take_between(k, y, "reconfiguration.route", at, in, destination, n);
    }
    return hf_plan_read(k->cx, y->fault->plan, at, in, destination, hops, n);
}

/* A packet that went down a link of an emergency path does not come back by it, to meet the fault again: two hops is all that it
 * loses [gomez2010, 3.4.3]. Nowhere else does a routing with emergency paths offer the way back. */
static size_t leave_out_return(const hf_kernel *k, hf_hop in, size_t n) {
    hf_hop *hops = k->route_hops;
    const uint32_t back = in.channel == HF_NONE ? HF_NONE : k->topo->reverse[in.channel];
    size_t kept = 0, healthy = 0;
    for (size_t i = 0; i < n; i++) {
        healthy += hops[i].channel != back && !hf_bit_test(k->down, hops[i].channel);
    }
    for (size_t i = 0; i < n && healthy; i++) {
        if (hops[i].channel != back) {
            hops[kept++] = hops[i];
        }
    }
    return healthy ? kept : n;
}

/* Emergency paths where no healthy hop is offered. */
static hf_status deviate(const hf_kernel *k, const hf_kernel_layer *y, uint32_t at, hf_hop in, uint32_t destination, size_t *n) {
    const hf_reconfiguration *protocol = y->transition.after->routing->reconfiguration;
    hf_hop *hops = k->route_hops;
    if (!protocol || !protocol->deviate || hf_topology_is_terminal(k->topo, at)) {
        return HF_OK;
    }
    *n = leave_out_return(k, in, *n);
    for (size_t i = 0; i < *n; i++) {
        if (!hf_bit_test(k->down, hops[i].channel)) {
            return HF_OK;
        }
    }
    *n = protocol->deviate(&y->transition, at, hf_lanes_own_hop(y->fault->plan, in), destination, hops);
    HF_TRY(take_between(k, y, "reconfiguration.deviate", at, in, destination, n));
    for (size_t i = 0; i < *n; i++) {
        hops[i].tag |= HF_TAG_DEVIATED;
    }
    return HF_OK;
}

/* The latest layer that a node has heard of, from 1 on; 0: none. */
static uint32_t layer_at(const hf_kernel_layers *r, uint32_t at) {
    uint32_t i = r ? r->n_open : 0;
    while (i > 0 && r->layer[i - 1].stage[at] == 0) {
        i--;
    }
    return i;
}

hf_status hf_kernel_route(const hf_kernel *k, uint32_t at, hf_hop in, uint32_t destination, size_t *n) {
    const hf_kernel_layers *r = k->layers;
    const uint32_t i = layer_at(r, at);
    HF_TRY(i ? route_by(k, i - 1, at, in, destination, n) : hf_plan_read(k->cx, k->plan, at, in, destination, k->route_hops, n));
    const bool may_deviate = r && r->n_open && r->o.has_emergency_paths && *n != HF_ROUTE_WAIT;
    return may_deviate ? deviate(k, &r->layer[r->n_open - 1], at, in, destination, n) : HF_OK;
}

bool hf_kernel_is_chosen_from(const hf_kernel *k, uint32_t at, uint32_t channel) {
    if (!hf_bit_test(k->down, channel)) {
        return true;
    }
    const uint32_t i = layer_at(k->layers, at);
    const hf_plan *plan = i ? k->layers->layer[i - 1].fault->plan : k->plan;
    return (hf_plan_traits(k->plan) & HF_ROUTING_COMMITS) && hf_bit_test(plan->faults->channel_set, channel);
}

hf_status hf_kernel_escape(const hf_kernel *k, uint32_t at, hf_hop in, uint32_t destination, size_t *n) {
    const hf_kernel_layers *r = k->layers;
    const uint32_t i = layer_at(r, at);
    const hf_plan *plan = i ? r->layer[i - 1].fault->plan : k->plan;
    return hf_plan_read_escape(k->cx, plan, at, in, destination, k->escape_hops, n);
}

hf_status hf_kernel_find_path(const hf_kernel *k, uint32_t r, uint32_t tag, hf_blocked *b) {
    hf_status status = HF_EINVAL;
    for (uint32_t i = k->layers ? k->layers->n_open + 1 : 1; i > 0 && status == HF_EINVAL; i--) {
        status = hf_find_path(k->cx, i > 1 ? k->layers->layer[i - 2].fault->plan : k->plan, HF_NONE, r, tag, b);
    }
    return k->layers && status == HF_EINVAL ? HF_OK : status;
}
