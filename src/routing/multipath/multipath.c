/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Routing on multipath networks: every healthy output of the direction that the destination's digit names and that leads
 *  there, those to routers that are not blocked first. `live` says which endpoints stay in service when something fails, and
 *  thereby what is tolerated: all live endpoints reach each other, with multi-hop or `relays` by way of other live ones.
 *  Source: [chong1992, 3; 6; figure 7]. The text leaves open whether a router is blocked when any of its directions is or when
 *  all are (`blocked`), and how far blockages go (`spread`); directions without live endpoints do not count. */
#include <holdfast/core/bitset.h>

#include "src/routing/lanes.h"
#include "src/routing/multipath/judge.h"

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    hf_multipath net;
    if (!hf_multipath_of(topo, &net)) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"multipath\" takes multibutterfly, maximal-fanout and multipath-wiring; \"%s\" is none of them",
                topo->spec);
    }
    return HF_OK;
}

/** What is left under the faults of a plan, with the live endpoints and blocked routers. */
static hf_status find_remains(hf_context *cx, const hf_plan *plan, hf_remains *r) {
    HF_TRY(hf_remains_init(cx, plan->topo, plan->args, hf_scratch, r));
    for (uint32_t i = 0; i < plan->faults->n_channel; i++) {
        const hf_output output = hf_remains_output(r, plan->faults->channel[i]);
        hf_remains_fail(r, &output, 1);
    }
    hf_remains_find_live(r);
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    hf_remains *r;
    HF_TRY(hf_scratch(cx, 1, sizeof *r, (void **)&r));
    HF_TRY(find_remains(cx, plan, r));
    hf_remains_find_reach(r);
    plan->max_hops = r->net.dilation;
    plan->live = r->live;
    plan->relays = r->relays;
    plan->state = r;
    return HF_OK;
}

/** Does the channel lead to the destination? */
static bool leads(const hf_plan *plan, uint32_t channel, uint32_t destination) {
    const uint32_t to = plan->topo->to[channel];
    if (hf_bit_test(plan->faults->channel_set, channel)) {
        return false;
    }
    if (hf_topology_is_terminal(plan->topo, to)) {
        return to == plan->topo->n_switch + destination;
    }
    return hf_remains_leads_to(plan->state, to, destination);
}

static bool is_blocked(const hf_plan *plan, uint32_t channel) {
    const hf_remains *r = plan->state;
    const uint32_t to = plan->topo->to[channel];
    return !hf_topology_is_terminal(plan->topo, to) && r->blocked[to];
}

/** Outputs of the direction that the destination's digit names; all of an endpoint's. */
static const uint32_t *outputs(const hf_plan *plan, uint32_t at, uint32_t destination, uint32_t *n) {
    const hf_topology *topo = plan->topo;
    const hf_remains *r = plan->state;
    const uint32_t *out = topo->out_list + topo->out_begin[at];
    if (hf_topology_is_terminal(topo, at)) {
        *n = topo->out_begin[at + 1] - topo->out_begin[at];
        return out;
    }
    const uint32_t stage = hf_multipath_stage(&r->net, at);
    *n = hf_multipath_dilation(&r->net, stage);
    return out + destination / r->unit[stage] % r->net.radix * *n;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    uint32_t n;
    const uint32_t *out = outputs(plan, at, destination, &n);
    size_t count = 0, others = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (leads(plan, out[i], destination)) {
            hops[count] = (hf_hop){out[i], 0, 0};
            *(is_blocked(plan, out[i]) ? &others : &count) += 1;
        }
    }
    for (uint32_t i = 0; others > 0; i++) {
        if (leads(plan, out[i], destination) && is_blocked(plan, out[i])) {
            hops[count++] = (hf_hop){out[i], 0, 0};
            others--;
        }
    }
    return count;
}

/** Directions without live endpoints need no output. */
static uint32_t direction(const hf_plan *plan, uint32_t channel) {
    const hf_remains *r = plan->state;
    const uint32_t sw = plan->topo->from[channel], stage = hf_multipath_stage(&r->net, sw);
    const uint32_t class = (sw - stage * r->net.width) / hf_multipath_class_size(&r->net, stage);
    const uint32_t d = r->slot[channel] - sw * r->stride, first = (class * r->net.radix + d) * r->unit[stage];
    for (uint32_t t = first; t < first + r->unit[stage]; t++) {
        if (hf_bit_test(r->live, t)) {
            return d;
        }
    }
    return HF_NONE;
}

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    hf_remains r; /* of its own, as a plan is read only */
    HF_TRY(find_remains(cx, plan, &r));
    hf_remains_measure(&r, out);
    return HF_OK;
}

static const char *const policies[] = {"none", "io-isolation", "multi-hop", "fault-propagation", NULL};
static const char *const rules[] = {"any", "all", NULL};
static const char *const spreads[] = {"full", "once", NULL};

static const hf_param params[] = {
    {.name = "live",
     .type = HF_PARAM_WORD,
     .fallback = "none",
     .words = policies,
     .flags = HF_PARAM_SHOWN,
     .help = "endpoints kept: all, those with a way in and out, the same joined by relays, those whose first routers lead on"},
    {.name = "blocked",
     .type = HF_PARAM_WORD,
     .fallback = "any",
     .words = rules,
     .help = "a router is blocked if any, or if all, of its directions are"},
    {.name = "spread",
     .type = HF_PARAM_WORD,
     .fallback = "full",
     .words = spreads,
     .help = "a router is blocked by those behind it that are blocked (full) or that have failed (once)"},
    {.name = "relays",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "live endpoints pass on what has no direct way, as they always do with multi-hop"},
    HF_PARAM_LANES,
    {0},
};

static hf_status isolation(hf_context *cx, const hf_rule *rule, hf_isolation *out) {
    enum { NONE, IO_ISOLATION, MULTI_HOP, FAULT_PROPAGATION }; /* the words of `live`, in their order */
    const uint64_t live = hf_args_get(&rule->args, "live")->number;
    const bool is_plain = hf_args_get(&rule->args, "blocked")->number == 0 && hf_args_get(&rule->args, "spread")->number == 0;
    if (live == FAULT_PROPAGATION && !is_plain) {
        HF_FAIL(cx, HF_ENOTSUP, "the fewest components are not known for \"%s\"; need blocked=any and spread=full", rule->spec);
    }
    if (live != MULTI_HOP && hf_args_get(&rule->args, "relays")->number == 1) {
        HF_FAIL(cx, HF_ENOTSUP, "the fewest components are not known for \"%s\"; need relays=no", rule->spec);
    }
    *out = (hf_isolation){.is_safe = live == FAULT_PROPAGATION, .drops = live != NONE, .relays = live == MULTI_HOP};
    return HF_OK;
}

static const hf_routing_measures measures = {NULL, hf_live_extras, hf_live_extra_notes, measure, hf_remains_settle};

static const hf_likeness likeness = {.arrival = hf_arrival_any};

const hf_routing hf_routing_multipath = {
    .name = "multipath",
    .summary = "all healthy outputs of the right direction on multipath networks, with policies of reconfiguration",
    .source = "chong1992, 6",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE,
    .params = params,
    .accepts = accepts,
    .plan = make,
    .route = route,
    .direction = direction,
    .likeness = &likeness,
    .measures = &measures,
    .isolation = isolation,
    .judge = hf_multipath_judge_new,
};
