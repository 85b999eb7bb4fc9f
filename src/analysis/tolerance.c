/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Tolerance, victims and lost paths from the routing relation alone, one destination after the other. Slow and obvious: the
 *  twin that every fast judge is compared with. */
#include <holdfast/analysis.h>
#include <holdfast/bitset.h>
#include <string.h>

#include "src/analysis/parting.h"
#include "src/analysis/walk.h"

static const unsigned asks_network = HF_CRITERION_CONNECTED | HF_CRITERION_SWITCHES;

/* What the judging of one plan carries from destination to destination. */
typedef struct court {
    const hf_plan *plan;
    const hf_criterion *criterion;
    hf_walk walk;
    uint64_t *served, *unsafe; /* marks of the walk's states */
    uint32_t mark_room;
    uint32_t *distance, *queue; /* n_node: healthy channels to the destination */
    uint64_t *bad_pair;         /* or NULL */
    hf_verdict *verdict;
} court;

static hf_status open_court(hf_context *cx, court *c) {
    const hf_topology *topo = c->plan->topo;
    void *distance, *queue;
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &distance));
    HF_TRY(hf_scratch(cx, topo->n_node, sizeof(uint32_t), &queue));
    c->distance = distance;
    c->queue = queue;
    return hf_walk_init(cx, topo, &c->walk);
}

static hf_status clear_marks(hf_context *cx, court *c) {
    if (c->mark_room < c->walk.state_room) {
        void *served, *unsafe;
        HF_TRY(hf_scratch(cx, hf_words(c->walk.state_room), sizeof(uint64_t), &served));
        HF_TRY(hf_scratch(cx, hf_words(c->walk.state_room), sizeof(uint64_t), &unsafe));
        c->served = served;
        c->unsafe = unsafe;
        c->mark_room = c->walk.state_room;
        return HF_OK;
    }
    memset(c->served, 0, hf_words(c->walk.n_state) * sizeof *c->served);
    memset(c->unsafe, 0, hf_words(c->walk.n_state) * sizeof *c->unsafe);
    return HF_OK;
}

static hf_status walk_relation(hf_context *cx, court *c, uint32_t destination) {
    HF_TRY(hf_walk_explore(cx, &c->walk, c->plan, NULL, destination));
    HF_TRY(hf_walk_turn(cx, &c->walk));
    HF_TRY(clear_marks(cx, c));
    hf_walk_served(&c->walk, c->served);
    hf_walk_unsafe(&c->walk, c->unsafe);
    return HF_OK;
}

static void note_pair(court *c, uint32_t source, uint32_t destination, bool is_served, bool is_unsafe) {
    c->verdict->pairs++;
    c->verdict->unserved += !is_served;
    c->verdict->unsafe += is_unsafe;
    if (c->bad_pair && (!is_served || is_unsafe)) {
        hf_bit_set(c->bad_pair, (size_t)source * c->plan->topo->n_terminal + destination);
    }
}

static hf_status judge_destination(hf_context *cx, court *c, uint32_t destination) {
    const hf_topology *topo = c->plan->topo;
    const bool is_connected = c->criterion->flags & asks_network;
    const bool is_surviving = c->criterion->flags & HF_CRITERION_SURVIVING;
    if (is_connected || is_surviving) {
        hf_distances(topo, c->plan->faults->channel_set, topo->n_switch + destination, true, c->queue, c->distance);
    }
    if (!is_connected) {
        HF_TRY(walk_relation(cx, c, destination));
    }
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (source == destination || (!is_connected && !hf_plan_is_live(c->plan, source))) {
            continue;
        }
        if (is_connected) {
            note_pair(c, source, destination, c->distance[topo->n_switch + source] != HF_NONE, false);
        } else if (!is_surviving || c->distance[topo->n_switch + source] != HF_NONE) {
            note_pair(c, source, destination, hf_bit_test(c->served, source), hf_bit_test(c->unsafe, source));
        }
    }
    return HF_OK;
}

static hf_status judge_all(hf_context *cx, court *c) {
    HF_TRY(open_court(cx, c));
    for (uint32_t destination = 0; destination < c->plan->topo->n_terminal; destination++) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while judging a plan, at destination t%u", destination);
        }
        if ((c->criterion->flags & asks_network) || hf_plan_is_live(c->plan, destination)) {
            HF_TRY(judge_destination(cx, c, destination));
        }
    }
    return HF_OK;
}

hf_status hf_tolerance_judge(hf_context *cx, const hf_plan *plan, const hf_criterion *criterion, bool want_pairs,
                             hf_verdict *out) {
    const size_t n = plan->topo->n_terminal;
    hf_verdict verdict = {0};
    court c = {.plan = plan, .criterion = criterion, .verdict = &verdict};
    if (want_pairs) {
        void *bits;
        HF_TRY(hf_scratch(cx, hf_words(n * n), sizeof(uint64_t), &bits));
        c.bad_pair = bits;
    }
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = judge_all(cx, &c);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    const bool is_covered = (criterion->flags & asks_network) || !hf_plan_is_empty(plan);
    verdict.tolerated = is_covered && verdict.unserved == 0 && verdict.unsafe == 0;
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        HF_TRY(hf_parting_is_whole(cx, plan->faults, &verdict.tolerated));
    }
    verdict.bad_pair = c.bad_pair;
    *out = verdict;
    return HF_OK;
}

/* What the comparison of a plan with the plan without faults carries from destination to destination. */
typedef struct comparison {
    const hf_plan *plan;
    hf_plan free_plan; /* without faults */
    hf_fault_set no_faults;
    hf_walk walk;
    hf_hop *hops;
    uint32_t *distance, *healthy_distance, *queue; /* n_node */
    uint64_t *offered, *still_offered;             /* n_channel bits */
} comparison;

static hf_status open_comparison(hf_context *cx, const hf_rule *rule, const hf_plan *plan, comparison *c) {
    const hf_topology *topo = plan->topo;
    c->plan = plan;
    HF_TRY(hf_no_faults(cx, topo, &c->no_faults));
    HF_TRY(hf_plan_make(cx, rule, &c->no_faults, &c->free_plan));
    HF_TRY(hf_walk_init(cx, topo, &c->walk));
    const uint32_t max_hops = plan->max_hops > c->free_plan.max_hops ? plan->max_hops : c->free_plan.max_hops;
    void *hops, *memory[3], *bits[2];
    HF_TRY(hf_scratch(cx, max_hops, sizeof(hf_hop), &hops));
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

static void mark_hops(comparison *c, const hf_plan *plan, uint32_t state, uint64_t *set) {
    const size_t count = hf_plan_route(plan, c->walk.at[state], c->walk.in[state], c->walk.destination, c->hops);
    for (size_t i = 0; i < count; i++) {
        hf_bit_set(set, c->hops[i].channel);
    }
}

/* Victims of one destination: channels out of switches that the fault-free plan offers at some arrival, the plan at none, and
 * that lie on a healthy way that is as short as the shortest without faults. Leaves the walk at the fault-free plan. */
static hf_status find_victims(hf_context *cx, comparison *c, uint32_t destination) {
    const hf_topology *topo = c->plan->topo;
    const size_t words = hf_words(topo->n_channel);
    const uint64_t *failed = c->plan->faults->channel_set;
    memset(c->offered, 0, words * sizeof(uint64_t));
    memset(c->still_offered, 0, words * sizeof(uint64_t));
    HF_TRY(hf_walk_explore(cx, &c->walk, &c->free_plan, NULL, destination));
    for (uint32_t s = topo->n_terminal; s < c->walk.n_state; s++) {
        mark_hops(c, &c->free_plan, s, c->offered);
        mark_hops(c, c->plan, s, c->still_offered);
    }
    hf_distances(topo, NULL, topo->n_switch + destination, true, c->queue, c->distance);
    hf_distances(topo, failed, topo->n_switch + destination, true, c->queue, c->healthy_distance);
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

static hf_status each_victim(hf_context *cx, comparison *c, uint32_t destination,
                             void (*each)(void *user, uint32_t sw, uint32_t port, uint32_t destination), void *user) {
    const hf_topology *topo = c->plan->topo;
    HF_TRY(find_victims(cx, c, destination));
    for (size_t channel = hf_bits_next(c->offered, topo->n_channel, 0); channel < topo->n_channel;
         channel = hf_bits_next(c->offered, topo->n_channel, channel + 1)) {
        if (is_victim(c, channel)) {
            each(user, topo->from[channel], topo->from_port[channel], destination);
        }
    }
    return HF_OK;
}

static hf_status all_victims(hf_context *cx, const hf_rule *rule, const hf_plan *plan,
                             void (*each)(void *user, uint32_t sw, uint32_t port, uint32_t destination), void *user) {
    comparison c = {0};
    HF_TRY(open_comparison(cx, rule, plan, &c));
    for (uint32_t destination = 0; destination < plan->topo->n_terminal; destination++) {
        HF_TRY(each_victim(cx, &c, destination, each, user));
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

/* Paths to one destination that the fault-free plan offers and this plan does not, whole and healthy. The walk stands at the
 * fault-free plan. */
static hf_status lost_paths(hf_context *cx, comparison *c, uint32_t destination, hf_u128 *lost) {
    hf_u128 all, kept;
    HF_TRY(hf_walk_turn(cx, &c->walk));
    HF_TRY(hf_walk_count(cx, &c->walk, &all));
    HF_TRY(hf_walk_explore(cx, &c->walk, &c->free_plan, c->plan, destination));
    HF_TRY(hf_walk_turn(cx, &c->walk));
    HF_TRY(hf_walk_count(cx, &c->walk, &kept));
    *lost = all - kept;
    return HF_OK;
}

static hf_status measure_all(hf_context *cx, const hf_rule *rule, const hf_plan *plan, hf_measure *measure) {
    comparison c = {0};
    hf_u128 sum = 0;
    HF_TRY(open_comparison(cx, rule, plan, &c));
    for (uint32_t destination = 0; destination < plan->topo->n_terminal; destination++) {
        hf_u128 lost;
        HF_TRY(each_victim(cx, &c, destination, count_victim, &measure->victims));
        HF_TRY(lost_paths(cx, &c, destination, &lost));
        if (__builtin_add_overflow(sum, lost, &sum) || sum > UINT64_MAX) {
            HF_FAIL(cx, HF_ERANGE, "the lost paths of one fault set on \"%s\" exceed 64 bits", plan->topo->spec);
        }
    }
    measure->lost_paths = (uint64_t)sum;
    return HF_OK;
}

hf_status hf_tolerance_measure(hf_context *cx, const hf_rule *rule, const hf_plan *plan, const hf_criterion *criterion,
                               hf_measure *out) {
    hf_verdict verdict;
    HF_TRY(hf_tolerance_judge(cx, plan, criterion, false, &verdict));
    hf_measure measure = {.tolerated = verdict.tolerated};
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status =
        plan->routing->measure ? plan->routing->measure(cx, plan, &measure) : measure_all(cx, rule, plan, &measure);
    hf_scratch_reset(cx, mark);
    HF_TRY(status);
    *out = measure;
    return HF_OK;
}
