/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The decision about deadlock, cheapest test first.
 *
 *  1. A dependency graph without a cycle [dally1987], or without one but for rings with bubbles; or an escape of such rings
 *     [puente2004]. A ring that somebody comes onto without bubbles is none.
 *  2. The greatest fixpoint. For packets that hold one buffer it decides, with rings and without. Short worms hold one channel,
 *  so a fixpoint that is not empty is a deadlock of wormhole switching too. 3. Wormhole with an empty fixpoint: an escape,
 *  declared or made of some virtual channels [duato1995]. 4. Wormhole without one: a configuration of long worms by integer
 *  programming, or the proof that there is none. 5. If time is said to go in lockstep: a deadlock that packets get into from the
 *  empty network, or that there is none. */
#include "src/analysis/deadlock/decide.h"

#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

static const double usual_limit_s = 60;
enum { LOCKSTEP_STATES = 1 << 25 };
enum { VCS_TRIED = 8 }; /* all subsets of so many virtual channels are tried as escape */

const char *hf_switching_name(hf_switching switching) {
    static const char *const names[] = {"wormhole", "vct", "saf"};
    return names[switching];
}

hf_status hf_switching_check(hf_context *cx, hf_switching switching, bool bubble) {
    if (bubble && switching == HF_SWITCHING_WORMHOLE) {
        HF_FAIL(cx, HF_EINVAL, "bubble flow control needs packets that fit a buffer; need switching vct or saf");
    }
    return HF_OK;
}

const char *hf_deadlock_answer_name(hf_deadlock_answer answer) {
    static const char *const names[] = {"deadlock-free", "deadlock", "unknown"};
    return names[answer];
}

const char *hf_deadlock_method_name(hf_deadlock_method method) {
    static const char *const names[] = {"acyclic dependency graph", "bubble rings",    "escape", "bubble escape", "fixpoint",
                                        "search of worms",          "lockstep search", "none"};
    return names[method];
}

const char *hf_serves_name(bool serves) { return serves ? "some" : "nobody"; }

const char *hf_timing_name(hf_timing timing) {
    static const char *const names[] = {"any", "lockstep"};
    return names[timing];
}

void hf_resource_name(const hf_topology *topo, uint32_t n_vc, uint32_t resource, char *text, size_t size) {
    char name[HF_NAME_SIZE - 16]; /* room for the virtual channel behind it */
    hf_topology_channel_name(topo, resource / n_vc, name, sizeof name);
    if (n_vc > 1) {
        snprintf(text, size, "%s vc %u", name, resource % n_vc);
    } else {
        snprintf(text, size, "%s", name);
    }
}

/* What the steps share. */
typedef struct trial {
    hf_context *cx;
    const hf_plan *plan;
    const hf_deadlock_options *options;
    hf_dependency d;
    hf_digraph graph;
    uint32_t *level;         /* in the graph; HF_NONE: a cycle can be reached */
    uint32_t levelled;       /* resources with a level */
    const uint32_t *ring_of; /* by resource; NULL: no bubbles, or no rings in this plan that they keep from filling up */
    uint64_t *inside;
    uint32_t n_inside;
    double limit_s;
    hf_deadlock *out;
} trial;

/* ---- acyclic, or rings ---- */

static bool has_ring(const uint32_t *ring_of, uint32_t n) {
    for (uint32_t r = 0; r < n; r++) {
        if (ring_of[r] != HF_NONE) {
            return true;
        }
    }
    return false;
}

/* Where packets come onto a ring over a channel without bubbles; the lowest from where. \param[out] from n_resource */
static uint32_t find_gaps(const trial *t, const uint32_t *ring_of, uint32_t *from) {
    const hf_dependency *d = &t->d;
    uint32_t n = 0;
    memset(from, 0xff, d->n_resource * sizeof *from); /* HF_NONE */
    for (uint32_t r = 0; r < d->n_resource; r++) {
        uint32_t slot = 0, q;
        while ((q = hf_dependency_next(d, r, d->all + (size_t)r * d->words, &slot)) != HF_NONE) {
            const bool enters = ring_of[q] != HF_NONE && ring_of[q] != ring_of[r];
            if (enters && !hf_flow_control_keeps(t->options->plain, q / d->n_vc) && from[q] == HF_NONE) {
                from[q] = r;
                n++;
            }
        }
    }
    return n;
}

/* A ring with a gap may fill up, so it is none. */
static hf_status open_rings(trial *t, uint32_t *ring_of) {
    const uint32_t n = t->d.n_resource;
    hf_deadlock *out = t->out;
    bool *is_open;
    uint32_t *from;
    HF_TRY(hf_scratch(t->cx, n, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(t->cx, n, sizeof *is_open, (void **)&is_open));
    HF_TRY(hf_scratch(t->cx, find_gaps(t, ring_of, from), sizeof *out->gap, (void **)&out->gap));
    for (uint32_t q = 0; q < n; q++) {
        if (from[q] != HF_NONE) {
            is_open[ring_of[q]] = true;
            out->gap[out->n_gap++] = (hf_ring_gap){ring_of[q], from[q], q};
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        ring_of[r] = ring_of[r] != HF_NONE && is_open[ring_of[r]] ? HF_NONE : ring_of[r];
    }
    return HF_OK;
}

static hf_status find_rings(trial *t) {
    uint32_t *ring_of;
    if (!t->options->bubble) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(t->cx, t->d.n_resource, sizeof *ring_of, (void **)&ring_of));
    HF_TRY(hf_plan_read_rings(t->cx, t->plan, ring_of));
    HF_TRY(t->options->plain ? open_rings(t, ring_of) : HF_OK);
    t->out->ring_of = t->ring_of = has_ring(ring_of, t->d.n_resource) ? ring_of : NULL;
    return HF_OK;
}

/* Inside a ring packets follow one cycle: a resource has at most one successor in its ring. */
static hf_status check_rings(trial *t, const uint32_t *ring_of) {
    const hf_dependency *d = &t->d;
    for (uint32_t r = 0; ring_of && r < d->n_resource; r++) {
        uint32_t slot = 0, q, count = 0;
        while (ring_of[r] != HF_NONE && (q = hf_dependency_next(d, r, d->all + (size_t)r * d->words, &slot)) != HF_NONE) {
            count += ring_of[q] == ring_of[r];
        }
        if (count > 1) {
            char name[HF_NAME_SIZE];
            hf_resource_name(d->plan->topo, d->n_vc, r, name, sizeof name);
            HF_FAIL(t->cx, HF_EINVAL, "routing \"%s\": %s has %u successors on its ring; a ring is one cycle",
                    t->plan->routing->name, name, count);
        }
    }
    return HF_OK;
}

/* With rings, what is left must keep its order with every ring taken as one: numbers of a ring must be one number. Dependencies
 * between rings and others are made those of the ring's representative. */
static hf_status contract_rings(trial *t, const uint32_t *ring_of) {
    const hf_dependency *d = &t->d;
    uint32_t *first, *from, *to, n = 0;
    if (!ring_of) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(t->cx, d->n_resource, sizeof *first, (void **)&first));
    HF_TRY(hf_scratch(t->cx, t->graph.n_edge, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(t->cx, t->graph.n_edge, sizeof *to, (void **)&to));
    memset(first, 0xff, d->n_resource * sizeof *first);
    for (uint32_t r = d->n_resource; r-- > 0;) {
        if (ring_of[r] != HF_NONE) {
            first[ring_of[r]] = r;
        }
    }
    for (uint32_t r = 0; r < d->n_resource; r++) {
        for (uint32_t e = t->graph.out.begin[r]; e < t->graph.out.begin[r + 1]; e++) {
            const uint32_t q = t->graph.out.item[e];
            from[n] = ring_of[r] == HF_NONE ? r : first[ring_of[r]];
            to[n++] = ring_of[q] == HF_NONE ? q : first[ring_of[q]];
        }
    }
    HF_TRY(hf_digraph_of_edges(t->cx, d->n_resource, n, from, to, &t->graph));
    HF_TRY(hf_digraph_levels(t->cx, &t->graph, t->level, &t->levelled));
    for (uint32_t r = 0; r < d->n_resource; r++) {
        if (ring_of[r] != HF_NONE) {
            t->level[r] = t->level[first[ring_of[r]]];
        }
    }
    return HF_OK;
}

static void number_by_level(trial *t) {
    uint32_t highest = 0;
    for (uint32_t r = 0; r < t->d.n_resource; r++) {
        highest = t->level[r] != HF_NONE && t->level[r] > highest ? t->level[r] : highest;
    }
    for (uint32_t r = 0; r < t->d.n_resource; r++) {
        t->out->number[r] = hf_bit_test(t->d.used, r) ? highest - t->level[r] : HF_NONE;
    }
}

static hf_status try_acyclic(trial *t) {
    HF_TRY(find_rings(t));
    const uint32_t *ring_of = t->ring_of;
    HF_TRY(check_rings(t, ring_of));
    HF_TRY(hf_digraph_of_dependency(t->cx, &t->d, ring_of, &t->graph));
    t->out->n_dependency = t->graph.n_edge;
    HF_TRY(hf_scratch(t->cx, t->d.n_resource, sizeof *t->level, (void **)&t->level));
    HF_TRY(hf_digraph_levels(t->cx, &t->graph, t->level, &t->levelled));
    HF_TRY(contract_rings(t, ring_of));
    if (t->levelled == t->d.n_resource) {
        t->out->answer = HF_DEADLOCK_FREE;
        t->out->method = ring_of ? HF_METHOD_BUBBLE : HF_METHOD_ACYCLIC;
        number_by_level(t);
    }
    return HF_OK;
}

/* ---- an escape ---- */

static hf_status try_one_escape(trial *t, hf_escape escape) {
    bool ok;
    hf_escape_fault *why = NULL;
    if (escape.is_declared && t->options->want_witness) {
        HF_TRY(hf_scratch(t->cx, 1, sizeof *why, (void **)&why));
    }
    HF_TRY(hf_escape_check(t->cx, t->plan, &escape, t->ring_of, &t->d, &ok, t->out->number, why));
    t->out->escape_fault = ok || !why ? t->out->escape_fault : why;
    if (ok) {
        t->out->answer = HF_DEADLOCK_FREE;
        t->out->method = t->ring_of ? HF_METHOD_BUBBLE_ESCAPE : HF_METHOD_ESCAPE;
        t->out->escape = escape;
    }
    return HF_OK;
}

/* Of a plan that deadlocks: why its declared escape does not help. */
static hf_status ask_escape(trial *t) {
    hf_deadlock *out = t->out;
    bool ok;
    uint32_t *number;
    HF_TRY(hf_scratch(t->cx, out->n_resource, sizeof *number, (void **)&number));
    HF_TRY(hf_scratch(t->cx, 1, sizeof *out->escape_fault, (void **)&out->escape_fault));
    HF_TRY(hf_escape_check(t->cx, t->plan, &(hf_escape){.is_declared = true}, t->ring_of, &t->d, &ok, number, out->escape_fault));
    out->escape_fault = ok ? NULL : out->escape_fault;
    return HF_OK;
}

/* ---- the fixpoint ---- */

static hf_status make_blocked(trial *t, const uint32_t *chosen, uint32_t count) {
    const hf_dependency *d = &t->d;
    hf_deadlock *out = t->out;
    HF_TRY(hf_scratch(t->cx, count, sizeof *out->blocked, (void **)&out->blocked));
    out->n_blocked = count;
    for (uint32_t k = 0; k < count; k++) {
        hf_blocked *b = &out->blocked[k];
        const uint32_t i = chosen[k], r = d->resource[i];
        const uint64_t *mask = hf_dependency_mask(d, i);
        *b = (hf_blocked){
            .source = HF_NONE, .destination = d->destination[i], .answer = HF_NONE, .answer_to = HF_NONE, .n_hold = 1};
        if (d->class_of) {
            b->class = d->class_of[i];
            b->answer = d->answer[i];
            b->answer_to = d->answer_to[i];
        }
        HF_TRY(hf_scratch(t->cx, 1, sizeof *b->hold, (void **)&b->hold));
        HF_TRY(hf_scratch(t->cx, hf_bits_count(mask, d->words), sizeof *b->wait, (void **)&b->wait));
        b->hold[0] = r;
        uint32_t slot = 0, q;
        while ((q = hf_dependency_next(d, r, mask, &slot)) != HF_NONE) {
            b->wait[b->n_wait++] = q;
        }
        HF_TRY(hf_find_path(t->cx, d->class_of ? &t->plan->of_class[b->class] : t->plan, d->class_of ? d->asker[i] : HF_NONE, r,
                            d->tag[i], b));
    }
    return HF_OK;
}

/* The girth is looked for among resources from which a cycle can be reached; with rings, among all, as these were left out. */
static hf_status find_girth(trial *t) {
    uint64_t *among;
    uint32_t *cycle, count;
    hf_digraph whole = t->graph;
    HF_TRY(hf_scratch(t->cx, hf_words(t->d.n_resource), sizeof *among, (void **)&among));
    HF_TRY(t->ring_of ? hf_digraph_of_dependency(t->cx, &t->d, NULL, &whole) : HF_OK);
    for (uint32_t r = 0; r < t->d.n_resource; r++) {
        if (t->ring_of || t->level[r] == HF_NONE) {
            hf_bit_set(among, r);
        }
    }
    HF_TRY(hf_digraph_shortest_cycle(t->cx, &whole, among, t->limit_s, &cycle, &count));
    t->out->girth = count ? count : HF_NONE;
    return HF_OK;
}

static hf_status show_fixpoint(trial *t) {
    uint32_t *chosen, count;
    bool is_smallest;
    HF_TRY(find_girth(t));
    if (t->plan->routing->escape && !t->out->escape_fault) {
        HF_TRY(ask_escape(t));
    }
    HF_TRY(hf_fixpoint_witness(t->cx, &t->d, t->ring_of, t->inside, t->out->girth, t->limit_s, &chosen, &count, &is_smallest));
    /* A worm may hold several channels, so only the girth bounds a deadlock of worms from below. */
    t->out->is_smallest = is_smallest && (t->options->switching != HF_SWITCHING_WORMHOLE || count == t->out->girth);
    return make_blocked(t, chosen, count);
}

static hf_status try_fixpoint(trial *t) {
    hf_deadlock *out = t->out;
    HF_TRY(hf_scratch(t->cx, hf_words(t->d.n_resource), sizeof *t->inside, (void **)&t->inside));
    HF_TRY(hf_fixpoint(t->cx, &t->d, t->ring_of, out->number, t->inside, &t->n_inside));
    if (t->n_inside > 0) {
        out->answer = HF_DEADLOCK_FOUND;
        out->method = HF_METHOD_FIXPOINT;
        return t->options->want_witness ? show_fixpoint(t) : HF_OK;
    }
    if (t->options->switching != HF_SWITCHING_WORMHOLE) {
        out->answer = HF_DEADLOCK_FREE;
        out->method = HF_METHOD_FIXPOINT;
        for (uint32_t r = 0; r < t->d.n_resource; r++) {
            out->number[r] = hf_bit_test(t->d.used, r) ? out->number[r] : HF_NONE;
        }
    }
    return HF_OK;
}

/* ---- escapes ---- */

/* All lanes of some of the rule's virtual channels. */
static uint64_t with_lanes(const hf_plan *plan, uint64_t vcs) {
    uint64_t out = 0;
    for (uint32_t vc = 0; vc < plan->n_vc && vc < 64; vc++) {
        out |= (vcs >> hf_lanes_own_hop(plan, (hf_hop){0, vc, 0}).vc & 1) << vc;
    }
    return out;
}

static hf_status try_escapes(trial *t) {
    const uint32_t n_vc = hf_plan_own(t->plan)->n_vc, n = n_vc < VCS_TRIED ? n_vc : VCS_TRIED;
    if (t->plan->routing->escape) {
        HF_TRY(try_one_escape(t, (hf_escape){.is_declared = true}));
    }
    for (uint32_t size = 1; size <= n; size++) {
        for (uint64_t vcs = 1; vcs < UINT64_C(1) << n && t->out->answer == HF_DEADLOCK_UNKNOWN; vcs++) {
            if ((uint32_t)__builtin_popcountll(vcs) == size) {
                HF_TRY(try_one_escape(t, (hf_escape){.vcs = with_lanes(t->plan, vcs)}));
            }
        }
    }
    return HF_OK;
}

/* ---- all together ---- */

/* Does a packet get to a terminal? As the proof has it where there is one: what has a number is used. */
static bool serves(const trial *t) {
    const hf_topology *topo = t->plan->topo;
    const bool is_numbered = t->out->answer == HF_DEADLOCK_FREE && t->out->method < HF_METHOD_WORMS;
    bool is_some = false;
    for (uint32_t r = 0; r < t->d.n_resource && !is_some; r++) {
        const bool is_used = is_numbered ? t->out->number[r] != HF_NONE : hf_bit_test(t->d.used, r);
        is_some = is_used && hf_topology_is_terminal(topo, topo->to[r / t->d.n_vc]);
    }
    return is_some;
}

static hf_status check_arrival(trial *t) {
    hf_deadlock *out = t->out;
    out->is_connected = !t->d.is_stuck;
    out->lost_source = t->d.stuck.source;
    out->lost_destination = t->d.stuck.destination;
    const bool may_go_round = out->method != HF_METHOD_ACYCLIC && !(hf_plan_traits(t->plan) & HF_ROUTING_MINIMAL);
    if (out->is_connected && may_go_round) {
        HF_TRY(hf_arrival_check(t->cx, t->plan, &out->lost_source, &out->lost_destination));
        out->is_connected = out->lost_destination == HF_NONE;
    }
    return out->is_connected ? HF_OK : hf_arrival_parted(t->cx, t->plan, &out->is_parted);
}

static hf_status look_in_lockstep(trial *t) {
    hf_deadlock *out = t->out;
    HF_TRY(hf_scratch(t->cx, 2, sizeof *out->lockstep, (void **)&out->lockstep));
    out->answer = HF_DEADLOCK_FREE;
    out->method = HF_METHOD_LOCKSTEP;
    for (int same_step = 0; same_step < 2; same_step++) {
        hf_lockstep *l = &out->lockstep[same_step];
        hf_lockstep_options options = {.same_step = same_step, .state_limit = LOCKSTEP_STATES, .time_limit_s = t->limit_s};
        if (out->n_blocked > 0) { /* the packets of the deadlock alone may do */
            options.only = out->blocked;
            options.n_only = out->n_blocked;
            HF_TRY(hf_lockstep_search(t->cx, t->plan, &options, l));
        }
        if (l->answer != HF_DEADLOCK_FOUND) {
            options.only = NULL;
            HF_TRY(hf_lockstep_search(t->cx, t->plan, &options, l));
        }
        if (l->answer == HF_DEADLOCK_FOUND || (l->answer == HF_DEADLOCK_UNKNOWN && out->answer == HF_DEADLOCK_FREE)) {
            out->answer = l->answer;
        }
    }
    return HF_OK;
}

/* Those that packets in lockstep get into take the place of the one that waits for ever. */
static hf_status try_lockstep(trial *t) {
    hf_deadlock *out = t->out;
    if (t->options->switching != HF_SWITCHING_WORMHOLE || t->ring_of) {
        HF_FAIL(t->cx, HF_ENOTSUP, "lockstep timing goes with wormhole switching and credit flow control");
    }
    HF_TRY(look_in_lockstep(t));
    out->n_blocked = 0;
    out->blocked = NULL;
    out->is_smallest = false;
    memset(out->number, 0xff, out->n_resource * sizeof *out->number);
    for (int same_step = 1; same_step >= 0; same_step--) {
        if (out->lockstep[same_step].answer == HF_DEADLOCK_FOUND) {
            out->blocked = out->lockstep[same_step].blocked;
            out->n_blocked = out->lockstep[same_step].n_blocked;
        }
    }
    out->method = out->answer == HF_DEADLOCK_UNKNOWN ? HF_METHOD_NONE : HF_METHOD_LOCKSTEP;
    return HF_OK;
}

/* Do few destinations make a cycle already? Rules that claim to have none are not asked. */
static hf_status look_for_cycle(const trial *t, bool *found) {
    hf_dependency d;
    hf_digraph g;
    uint32_t *level, levelled;
    bool any;
    HF_TRY(hf_dependency_first_unions(t->cx, t->plan, t->options->threads, &d, &any));
    if (any) {
        HF_TRY(hf_digraph_of_dependency(t->cx, &d, NULL, &g));
        HF_TRY(hf_scratch(t->cx, d.n_resource, sizeof *level, (void **)&level));
        HF_TRY(hf_digraph_levels(t->cx, &g, level, &levelled));
        *found = levelled < d.n_resource;
    }
    return HF_OK;
}

/* Situations are looked at where the graph of their unions has a cycle; and at once where a part of it has one already.
 * \param[out] whole they were */
static hf_status find_dependencies(trial *t, bool *whole) {
    const hf_mark mark = hf_scratch_mark(t->cx);
    *whole = false;
    if (t->plan->classes) {
        return hf_dependency_of_classes(t->cx, t->plan, t->options->threads, &t->d);
    }
    if (!t->options->bubble && !(hf_plan_traits(t->plan) & HF_ROUTING_ACYCLIC)) {
        const hf_status status = look_for_cycle(t, whole);
        hf_scratch_reset(t->cx, mark);
        HF_TRY(status);
    }
    return *whole ? hf_dependency_make(t->cx, t->plan, t->options->threads, &t->d)
                  : hf_dependency_unions(t->cx, t->plan, t->options->threads, &t->d);
}

static hf_status decide(trial *t) {
    bool whole;
    HF_TRY(find_dependencies(t, &whole));
    t->out->n_used = hf_bits_count(t->d.used, hf_words(t->d.n_resource));
    HF_TRY(hf_scratch(t->cx, t->d.n_resource, sizeof *t->out->number, (void **)&t->out->number));
    HF_TRY(try_acyclic(t));
    if (t->ring_of && t->out->answer == HF_DEADLOCK_UNKNOWN && t->plan->routing->escape) {
        HF_TRY(try_one_escape(t, (hf_escape){.is_declared = true}));
    }
    if (t->out->answer == HF_DEADLOCK_UNKNOWN) {
        HF_TRY(t->plan->classes || whole ? HF_OK : hf_dependency_make(t->cx, t->plan, t->options->threads, &t->d));
        HF_TRY(try_fixpoint(t));
    }
    if (t->out->answer == HF_DEADLOCK_UNKNOWN) {
        HF_TRY(try_escapes(t));
    }
    if (t->out->answer == HF_DEADLOCK_UNKNOWN && !t->plan->classes) {
        HF_TRY(hf_worms_search(t->cx, &t->d, t->level, t->limit_s, t->out));
    }
    if (t->options->timing == HF_TIMING_LOCKSTEP && t->out->answer != HF_DEADLOCK_FREE) {
        HF_TRY(try_lockstep(t));
    }
    t->out->serves = serves(t);
    return check_arrival(t);
}

hf_status hf_deadlock_decide(hf_context *cx, const hf_plan *plan, const hf_deadlock_options *options, hf_deadlock *out) {
    trial t = {.cx = cx, .plan = plan, .options = options, .out = out};
    t.limit_s = options->time_limit_s > 0 ? options->time_limit_s : usual_limit_s;
    *out = (hf_deadlock){.answer = HF_DEADLOCK_UNKNOWN,
                         .method = HF_METHOD_NONE,
                         .n_vc = plan->n_vc,
                         .n_resource = plan->topo->n_channel * plan->n_vc,
                         .girth = HF_NONE};
    const double start_s = hf_clock_s();
    HF_TRY(hf_switching_check(cx, options->switching, options->bubble));
    if (plan->classes && (options->bubble || options->timing == HF_TIMING_LOCKSTEP)) {
        HF_FAIL(cx, HF_ENOTSUP, "classes of messages go with credit flow control and any timing");
    }
    hf_dependency *d;
    HF_TRY(hf_scratch(cx, 1, sizeof *d, (void **)&d));
    HF_TRY(decide(&t));
    *d = t.d;
    out->dependency = d;
    out->is_time_over = out->answer == HF_DEADLOCK_UNKNOWN && hf_clock_s() - start_s > 0.99 * t.limit_s;
    return HF_OK;
}
