/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lanes: more virtual channels for a rule that needs a certain number of them. Each of its own becomes a class of several that
 *  are alike, as those of dateline classes are [dally1990]. A packet waits for all lanes of a class, so it waits for ever only
 *  where all are held: what waits for what is the rule's own relation, over and over, and so are cycles, escapes and fixpoints
 *  of it. docs/deadlock.md has the proof. */
#include "src/routing/lanes.h"

#include <string.h>

#include <holdfast/core/bitset.h>

const hf_param hf_lanes_params[] = {HF_PARAM_LANES, {0}};

/* ---- which lanes ---- */

typedef struct span {
    uint32_t first, n;
} span;

static span of_class(const hf_lanes *l, uint32_t class) {
    const uint32_t wider = class < l->n_wider ? class : l->n_wider;
    return (span){class * l->n_each + wider, l->n_each + (class < l->n_wider)};
}

static uint32_t class_of(const hf_lanes *l, uint32_t vc) {
    const uint32_t in_wider = l->n_wider * (l->n_each + 1);
    return vc < in_wider ? vc / (l->n_each + 1) : l->n_wider + (vc - in_wider) / l->n_each;
}

static uint32_t ring_of(const hf_lanes *l, hf_hop own) {
    return l->has_rings && own.channel != HF_NONE ? l->own.routing->ring(&l->own, own.channel, own.vc) : HF_NONE;
}

/* Those that a packet may take which came by `in`, on ring `ring`. */
static span lanes_of(const hf_lanes *l, hf_hop in, uint32_t ring, hf_hop hop) {
    const hf_topology *topo = l->own.topo;
    const span all = of_class(l, hop.vc);
    if (topo->link[hop.channel] >= topo->n_switch_link) {
        return (span){all.first, 1};
    }
    if (ring != HF_NONE && ring_of(l, hop) == ring) {
        return (span){all.first + (in.vc - of_class(l, class_of(l, in.vc)).first), 1};
    }
    return all;
}

/* ---- the relation ---- */

hf_hop hf_lanes_own_hop(const hf_plan *plan, hf_hop in) {
    return !plan->lanes || in.channel == HF_NONE ? in : (hf_hop){in.channel, class_of(plan->lanes, in.vc), in.tag};
}

size_t hf_lanes_spread(const hf_plan *plan, hf_hop in, hf_hop *hops, size_t n) {
    const hf_lanes *l = plan->lanes;
    if (!l) {
        return n;
    }
    const uint32_t ring = ring_of(l, hf_lanes_own_hop(plan, in));
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += lanes_of(l, in, ring, hops[i]).n;
    }
    for (size_t i = n, end = count; i-- > 0;) { /* from the end: a hop is read before its place is taken */
        const hf_hop hop = hops[i];
        const span s = lanes_of(l, in, ring, hop);
        for (uint32_t k = s.n; k-- > 0;) {
            hops[--end] = (hf_hop){hop.channel, s.first + k, hop.tag};
        }
    }
    return count;
}

/* ---- what a rule says of a hop ---- */

/* On a ring it matters which one it is and which lane a packet has. */
uint32_t hf_plan_arrival(const hf_plan *plan, hf_hop in) {
    const hf_plan *own = hf_plan_own(plan);
    const hf_hop came = hf_lanes_own_hop(plan, in);
    const uint32_t arrival = hf_likeness_of(own)->arrival(own, came);
    if (!plan->lanes || !plan->lanes->has_rings || arrival == HF_NONE) {
        return arrival;
    }
    const bool is_on_ring = ring_of(plan->lanes, came) != HF_NONE;
    const uint64_t n = 1 + (uint64_t)plan->topo->n_port_max * plan->n_vc;
    const uint64_t number = arrival * n + (is_on_ring ? 1 + (uint64_t)plan->topo->to_port[in.channel] * plan->n_vc + in.vc : 0);
    return number < HF_NONE ? (uint32_t)number : HF_NONE;
}

uint32_t hf_plan_run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_plan *own = hf_plan_own(plan);
    return hf_likeness_of(own)->run(own, at, hf_lanes_own_hop(plan, in), destination);
}

uint32_t hf_plan_along(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_plan *own = hf_plan_own(plan);
    return hf_likeness_of(own)->along(own, at, hf_lanes_own_hop(plan, in), destination);
}

uint32_t hf_plan_length(const hf_plan *plan, hf_hop hop, uint32_t destination) {
    return plan->routing->length(hf_plan_own(plan), hf_lanes_own_hop(plan, hop), destination);
}

/* The ring of a lane is called as a resource, as that of the rule is. */
uint32_t hf_plan_ring(const hf_plan *plan, uint32_t channel, uint32_t vc) {
    const hf_lanes *l = plan->lanes;
    if (!l) {
        return plan->routing->ring(plan, channel, vc);
    }
    const uint32_t class = class_of(l, vc), ring = l->own.routing->ring(&l->own, channel, class);
    const uint32_t lane = vc - of_class(l, class).first;
    return ring == HF_NONE ? ring : ring / l->own.n_vc * plan->n_vc + of_class(l, ring % l->own.n_vc).first + lane;
}

/* ---- made ---- */

const hf_param *hf_lanes_parameter(const hf_args *args, uint32_t *vcs) {
    *vcs = 0;
    for (size_t i = 0; args && i < args->count; i++) {
        if (strcmp(args->params[i].name, "vcs") == 0) {
            *vcs = (uint32_t)args->value[i].number;
            return &args->params[i];
        }
    }
    return NULL;
}

hf_status hf_lanes_check(hf_context *cx, const char *rule, unsigned traits, uint32_t vcs, uint32_t own) {
    if (vcs < own) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\": vcs=%u is too few; it has %u virtual channels here", rule, vcs, own);
    }
    if (vcs % own != 0 && !(traits & HF_ROUTING_UNEVEN)) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\": vcs=%u is no multiple of the %u virtual channels that it has here", rule, vcs,
                own);
    }
    return HF_OK;
}

hf_status hf_lanes_fit(hf_context *cx, hf_plan *plan) {
    uint32_t vcs;
    (void)hf_lanes_parameter(plan->args, &vcs);
    const hf_status status = vcs == 0 ? HF_OK : hf_lanes_check(cx, plan->routing->name, plan->routing->traits, vcs, plan->n_vc);
    if (status == HF_OK || plan->faults->n_channel == 0) {
        return status;
    }
    char *why;
    HF_TRY(hf_scratch_print(cx, &why, "%s", hf_context_message(cx)));
    hf_context_clear(cx);
    plan->refusal = why;
    return HF_OK;
}

hf_status hf_lanes_plan(hf_context *cx, hf_plan *plan) {
    uint32_t vcs;
    hf_lanes *l;
    (void)hf_lanes_parameter(plan->args, &vcs);
    if (vcs == 0) {
        return HF_OK;
    }
    plan->max_hops *= plan->routing->traits & HF_ROUTING_UNEVEN ? vcs : vcs / plan->n_vc; /* the same under all faults */
    if (vcs == plan->n_vc) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(cx, 1, sizeof *l, (void **)&l));
    *l = (hf_lanes){.own = *plan, .n_each = vcs / plan->n_vc, .n_wider = vcs % plan->n_vc};
    l->has_rings = hf_plan_has_rings(plan);
    plan->lanes = l;
    plan->runs = NULL;
    plan->distance = NULL;
    plan->traits |= HF_ROUTING_ADAPTIVE;
    plan->n_vc = vcs;
    return HF_OK;
}
