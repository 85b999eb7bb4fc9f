/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Victims and lost paths from the routing relation alone: a plan against the plan without faults, one destination after the
 *  other. The slow twin of what judges measure. */
#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <string.h>

#include "src/analysis/paths/walk.h"
#include "src/topology/search.h"

/* What the comparison of a plan with the plan without faults carries from destination to destination. */
typedef struct comparison {
    const hf_plan *plan;
    hf_plan free_plan; /* without faults */
    hf_fault_set no_faults;
    hf_walk walk, met; /* over the plan without faults; with HF_ROUTING_REACHED, over the plan */
    hf_hop *hops;
    uint32_t *distance, *healthy_distance, *queue; /* n_node */
    uint64_t *offered, *still_offered;             /* n_channel bits */
} comparison;

static hf_status open_comparison(hf_context *cx, const hf_rule *rule, const hf_plan *plan, comparison *c) {
    const hf_topology *topo = plan->topo;
    c->plan = plan;
    HF_TRY(hf_no_faults(cx, topo, &c->no_faults));
    HF_TRY(hf_plan_make_plain(cx, rule, &c->no_faults, &c->free_plan));
    HF_TRY(hf_walk_init(cx, topo, &c->walk));
    HF_TRY(hf_walk_init(cx, topo, &c->met));
    void *hops, *memory[3], *bits[2];
    HF_TRY(hf_scratch(cx, hf_plan_room(plan), sizeof(hf_hop), &hops));
    for (size_t i = 0; i < 3; i++) {
        HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &memory[i]));
    }
    for (size_t i = 0; i < 2; i++) {
        HF_TRY(hf_scratch(cx, hf_words(topo->n_channel), sizeof(uint64_t), &bits[i]));
    }
    c->hops = hops;
    c->distance = memory[0];
    c->healthy_distance = memory[1];
    c->queue = memory[2];
    c->offered = bits[0];
    c->still_offered = bits[1];
    return HF_OK;
}

/* Walk towards a destination without faults. */
static hf_status walk_freely(hf_context *cx, comparison *c, uint32_t destination) {
    if (hf_plan_traits(c->plan) & HF_ROUTING_REACHED) {
        HF_TRY(hf_walk_explore(cx, &c->met, c->plan, destination));
    }
    return hf_walk_explore(cx, &c->walk, &c->free_plan, destination);
}

/* What is offered at a state of the walk and what the plan still offers there. Edges that the plan does not offer, or not
 * healthy, end in a fault. */
static hf_status compare_state(hf_context *cx, comparison *c, uint32_t state) {
    hf_walk *w = &c->walk;
    const bool is_switch = state >= w->topo->n_terminal;
    const uint64_t *failed = c->plan->faults->channel_set;
    size_t count;
    HF_TRY(hf_plan_read(cx, c->plan, w->at[state], w->in[state], w->destination, c->hops, &count));
    for (size_t i = 0; i < count && is_switch; i++) {
        hf_bit_set(c->still_offered, c->hops[i].channel);
    }
    for (uint32_t e = w->edge_begin[state]; e < w->edge_begin[state + 1]; e++) {
        if (is_switch) {
            hf_bit_set(c->offered, w->hops[e].channel);
        }
        if (hf_bit_test(failed, w->hops[e].channel) || !hf_hops_hold(c->hops, count, w->hops[e])) {
            w->edge[e] = HF_WALK_FAULT;
        }
    }
    return HF_OK;
}

/* The plan beside the walk. Of a rule that knows only states that its packets reach, those under both plans count; no way that
 * both offer leads to another. */
static hf_status compare_plans(hf_context *cx, comparison *c) {
    const bool is_partial = hf_plan_traits(c->plan) & HF_ROUTING_REACHED;
    const uint32_t n_terminal = c->plan->topo->n_terminal;
    for (uint32_t s = 0; s < c->walk.n_state; s++) {
        if (s == c->walk.destination || (is_partial && s >= n_terminal && !hf_walk_has(&c->met, c->walk.in[s]))) {
            continue;
        }
        HF_TRY(compare_state(cx, c, s));
    }
    return HF_OK;
}

/* Victims of the walk's destination: channels out of switches that the fault-free plan offers at some arrival, the plan at none,
 * and that lie on a healthy way that is as short as the shortest without faults. */
static hf_status find_victims(hf_context *cx, comparison *c) {
    const hf_topology *topo = c->plan->topo;
    const size_t words = hf_words(topo->n_channel);
    const uint64_t *failed = c->plan->faults->channel_set;
    const uint32_t goal = topo->n_switch + c->walk.destination;
    memset(c->offered, 0, words * sizeof(uint64_t));
    memset(c->still_offered, 0, words * sizeof(uint64_t));
    HF_TRY(compare_plans(cx, c));
    hf_distances(topo, NULL, goal, true, c->queue, c->distance);
    hf_distances(topo, failed, goal, true, c->queue, c->healthy_distance);
    for (size_t w = 0; w < words; w++) {
        c->offered[w] &= ~c->still_offered[w] & ~failed[w];
    }
    return HF_OK;
}

static bool is_victim(const comparison *c, size_t channel) {
    const hf_topology *topo = c->plan->topo;
    const uint32_t on = c->healthy_distance[topo->to[channel]];
    return on != HF_NONE && on + 1 == c->distance[topo->from[channel]];
}

static hf_status each_victim(hf_context *cx, comparison *c,
                             void (*each)(void *user, uint32_t sw, uint32_t port, uint32_t destination), void *user) {
    const hf_topology *topo = c->plan->topo;
    HF_TRY(find_victims(cx, c));
    for (size_t channel = hf_bits_next(c->offered, topo->n_channel, 0); channel < topo->n_channel;
         channel = hf_bits_next(c->offered, topo->n_channel, channel + 1)) {
        if (is_victim(c, channel)) {
            each(user, topo->from[channel], topo->from_port[channel], c->walk.destination);
        }
    }
    return HF_OK;
}

static hf_status all_victims(hf_context *cx, const hf_rule *rule, const hf_plan *plan,
                             void (*each)(void *user, uint32_t sw, uint32_t port, uint32_t destination), void *user) {
    comparison c = {0};
    HF_TRY(open_comparison(cx, rule, plan, &c));
    for (uint32_t destination = 0; destination < plan->topo->n_terminal; destination++) {
        HF_TRY(walk_freely(cx, &c, destination));
        HF_TRY(each_victim(cx, &c, each, user));
    }
    return HF_OK;
}

hf_status hf_tolerance_victims(hf_context *cx, const hf_rule *rule, const hf_plan *plan,
                               void (*each)(void *user, uint32_t sw, uint32_t port, uint32_t destination), void *user) {
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = all_victims(cx, rule, plan, each, user);
    hf_scratch_reset(cx, mark);
    return status;
}

static void count_victim(void *user, uint32_t sw, uint32_t port, uint32_t destination) {
    (void)sw;
    (void)port;
    (void)destination;
    (*(uint64_t *)user)++;
}

static hf_status count_ways(hf_context *cx, hf_walk *walk, hf_u128 *all) {
    HF_TRY(hf_walk_turn(cx, walk));
    return hf_walk_count(cx, walk, all);
}

/* All paths of the walk. What the relation, or the size of a number, does not allow to be measured is left out, for good. */
static hf_status count_all(hf_context *cx, comparison *c, hf_measure *measure, hf_u128 *all) {
    if (!measure->has_lost_paths) {
        return HF_OK;
    }
    const hf_status status = count_ways(cx, &c->walk, all);
    if (status != HF_OK && status != HF_ENOTSUP && status != HF_ERANGE) {
        return status;
    }
    measure->has_lost_paths = status == HF_OK;
    if (status != HF_OK) {
        hf_context_clear(cx);
    }
    return HF_OK;
}

/* Paths that the fault-free plan offers and this plan does not, whole and healthy. The plans have been compared. */
static hf_status add_lost(hf_context *cx, comparison *c, hf_u128 all, hf_measure *measure) {
    hf_u128 kept;
    if (!measure->has_lost_paths) {
        return HF_OK;
    }
    HF_TRY(hf_walk_count_left(cx, &c->walk, &kept));
    measure->has_lost_paths = all - kept <= UINT64_MAX - measure->lost_paths;
    measure->lost_paths += measure->has_lost_paths ? (uint64_t)(all - kept) : 0;
    return HF_OK;
}

static hf_status measure_all(hf_context *cx, const hf_rule *rule, const hf_plan *plan, hf_measure *measure) {
    comparison c = {0};
    measure->has_victims = measure->has_lost_paths = true;
    HF_TRY(open_comparison(cx, rule, plan, &c));
    for (uint32_t destination = 0; destination < plan->topo->n_terminal; destination++) {
        hf_u128 all = 0;
        HF_TRY(walk_freely(cx, &c, destination));
        HF_TRY(count_all(cx, &c, measure, &all));
        HF_TRY(each_victim(cx, &c, count_victim, &measure->victims));
        HF_TRY(add_lost(cx, &c, all, measure));
    }
    measure->lost_paths = measure->has_lost_paths ? measure->lost_paths : 0;
    return hf_measures_of(plan->routing)->measure ? hf_measures_of(plan->routing)->measure(cx, hf_plan_own(plan), measure)
                                                  : HF_OK;
}

hf_status hf_tolerance_measure(hf_context *cx, const hf_rule *rule, const hf_plan *plan, const hf_criterion *criterion,
                               hf_measure *out) {
    hf_verdict verdict;
    HF_TRY(hf_tolerance_judge(cx, plan, criterion, false, &verdict));
    hf_measure measure = {.tolerated = verdict.tolerated, .live = verdict.live};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = measure_all(cx, rule, plan, &measure);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    if (hf_measures_of(plan->routing)->settle) {
        hf_measures_of(plan->routing)->settle(plan->topo, &measure);
    }
    *out = measure;
    return HF_OK;
}
