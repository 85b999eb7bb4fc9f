/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Where packets come from and whether they arrive: walks over the states of one destination. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"
#include "src/topology/search.h"

/* ---- how a packet gets to a resource ---- */

typedef struct search {
    const hf_walk *walk;
    const hf_plan *plan;
    uint32_t resource, tag, *parent;
    uint32_t found; /* state; HF_NONE: it cannot be reached */
    uint32_t last;  /* the last hop's edge from there; HF_NONE: it is the state itself */
} search;

static bool is_goal(const search *s, hf_hop hop) {
    return hop.channel * s->plan->n_vc + hop.vc == s->resource && hop.tag == s->tag;
}

static hf_step enter(void *user, uint32_t from, uint32_t edge, uint32_t to) {
    search *s = user;
    if (to == HF_WALK_DELIVERED && is_goal(s, s->walk->hops[edge])) {
        s->found = from;
        s->last = edge;
        return HF_STEP_HALT;
    }
    if (to == HF_WALK_DELIVERED || to == HF_WALK_FAULT || s->parent[to] != HF_NONE) {
        return HF_STEP_PASS;
    }
    s->parent[to] = from;
    s->found = is_goal(s, s->walk->in[to]) ? to : HF_NONE;
    return s->found == HF_NONE ? HF_STEP_ENTER : HF_STEP_HALT;
}

/* From all injections, or that of one source. */
static void find_state(search *s, uint32_t source, uint32_t *queue) {
    uint32_t tail = 0;
    memset(s->parent, 0xff, s->walk->n_state * sizeof *s->parent);
    for (uint32_t t = 0; t < s->plan->topo->n_terminal; t++) {
        if (hf_plan_sends(s->plan, t, s->walk->destination) && (source == HF_NONE || t == source)) {
            s->parent[t] = t;
            queue[tail++] = t;
        }
    }
    const hf_arcs edges = {.begin = s->walk->edge_begin, .to = s->walk->edge};
    (void)hf_breadth_first(edges, queue, tail, enter, s);
}

/* The hops of the way that was found, from its source on. \param[out] path on the heap */
static hf_status trace(hf_context *cx, const search *f, hf_hop **path, uint32_t *n, uint32_t *source) {
    uint32_t length = f->last != HF_NONE, s = f->found;
    for (uint32_t u = s; f->parent[u] != u; u = f->parent[u]) {
        length++;
    }
    HF_TRY(hf_allocate(cx, length, sizeof **path, (void **)path));
    *n = length;
    if (f->last != HF_NONE) {
        (*path)[--length] = f->walk->hops[f->last];
    }
    for (; f->parent[s] != s; s = f->parent[s]) {
        (*path)[--length] = f->walk->in[s];
    }
    *source = s;
    return HF_OK;
}

/* Then states are explored in the order in which they are looked at. */
static bool all_send(const hf_plan *plan, uint32_t destination) {
    bool all = true;
    for (uint32_t t = 0; t < plan->topo->n_terminal && all; t++) {
        all = t == destination || hf_plan_sends(plan, t, destination);
    }
    return all;
}

static hf_status search_path(hf_context *cx, const hf_plan *plan, uint32_t from, uint32_t r, uint32_t tag, hf_blocked *blocked,
                             hf_hop **path) {
    hf_walk w;
    search f = {.walk = &w, .plan = plan, .resource = r, .tag = tag, .found = HF_NONE, .last = HF_NONE};
    const hf_hop goal = {r / plan->n_vc, r % plan->n_vc, tag};
    const bool stops = from == HF_NONE && all_send(plan, blocked->destination);
    uint32_t *queue;
    HF_TRY(hf_walk_init(cx, plan->topo, &w));
    HF_TRY(hf_walk_explore_to(cx, &w, plan, blocked->destination, stops ? &goal : NULL));
    HF_TRY(hf_scratch(cx, w.n_state, sizeof *f.parent, (void **)&f.parent));
    HF_TRY(hf_scratch(cx, w.n_state, sizeof *queue, (void **)&queue));
    find_state(&f, from, queue);
    if (f.found == HF_NONE) {
        HF_FAIL(cx, HF_EINVAL, "no packet for t%u gets to resource %u", blocked->destination, r);
    }
    return trace(cx, &f, path, &blocked->n_path, &blocked->source);
}

/* All states of a destination are much to keep for each of many packets. */
hf_status hf_find_path(hf_context *cx, const hf_plan *plan, uint32_t from, uint32_t r, uint32_t tag, hf_blocked *blocked) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_hop *path = NULL;
    hf_status status = search_path(cx, plan, from, r, tag, blocked, &path);
    hf_scratch_reset(cx, mark);
    if (status == HF_OK) {
        status = hf_scratch(cx, blocked->n_path, sizeof *path, (void **)&blocked->path);
    }
    if (status == HF_OK && blocked->n_path > 0) {
        memcpy(blocked->path, path, blocked->n_path * sizeof *path);
    }
    hf_release(hf_context_allocator(cx), path);
    return status;
}

/* ---- whether packets arrive ---- */

typedef struct arrival {
    const hf_plan *plan;
    hf_walk walk;
    uint64_t *served;
    uint32_t room; /* bits of served */
    bool lost;
    uint32_t source;
} arrival;

static hf_status check_destination(hf_context *cx, arrival *a, uint32_t d) {
    hf_walk *w = &a->walk;
    HF_TRY(hf_walk_explore(cx, w, a->plan, d));
    HF_TRY(hf_walk_turn(cx, w));
    if (a->room < w->n_state) {
        a->room = w->state_room;
        HF_TRY(hf_scratch(cx, hf_words(a->room), sizeof *a->served, (void **)&a->served));
    }
    memset(a->served, 0, hf_words(w->n_state) * sizeof *a->served);
    hf_walk_served(w, a->served);
    for (uint32_t s = 0; s < w->n_state && !a->lost; s++) {
        const bool is_source = s < a->plan->topo->n_terminal;
        const bool counts = !is_source || hf_plan_sends(a->plan, s, d);
        if (counts && !hf_bit_test(a->served, s)) {
            a->lost = true;
            a->source = is_source ? s : HF_NONE;
        }
    }
    return HF_OK;
}

static hf_status check_all(hf_context *cx, const hf_plan *plan, uint32_t *lost_source, uint32_t *lost_destination) {
    arrival a = {.plan = plan};
    HF_TRY(hf_walk_init(cx, plan->topo, &a.walk));
    for (uint32_t d = 0; d < plan->topo->n_terminal && !a.lost; d++) {
        if (!hf_plan_is_live(plan, d)) {
            continue;
        }
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped while following packets to their destinations");
        }
        HF_TRY(check_destination(cx, &a, d));
        *lost_destination = a.lost ? d : HF_NONE;
        *lost_source = a.lost ? a.source : HF_NONE;
    }
    return HF_OK;
}

hf_status hf_arrival_check(hf_context *cx, const hf_plan *plan, uint32_t *lost_source, uint32_t *lost_destination) {
    const hf_mark mark = hf_scratch_mark(cx);
    const uint32_t n = plan->classes ? plan->classes->n : 1;
    hf_status status = HF_OK;
    *lost_source = *lost_destination = HF_NONE;
    for (uint32_t c = 0; c < n && status == HF_OK && *lost_destination == HF_NONE; c++) {
        status = check_all(cx, plan->classes ? &plan->of_class[c] : plan, lost_source, lost_destination);
    }
    hf_scratch_reset(cx, mark);
    return status;
}

/* ---- whether the network parts them, whatever the rule ---- */

typedef struct spread {
    const hf_plan *plan;
    uint64_t *seen; /* by node */
    uint32_t *queue;
    uint32_t from; /* the one switch where it began; HF_NONE: elsewhere */
} spread;

static bool is_healthy(const hf_plan *plan, uint32_t channel) {
    return !plan->faults->channel_set || !hf_bit_test(plan->faults->channel_set, channel);
}

static hf_step see(void *user, uint32_t from, uint32_t channel, uint32_t to) {
    (void)from;
    const spread *s = user;
    if (!is_healthy(s->plan, channel) || hf_bit_test(s->seen, to)) {
        return HF_STEP_PASS;
    }
    hf_bit_set(s->seen, to);
    return hf_topology_is_terminal(s->plan->topo, to) ? HF_STEP_PASS : HF_STEP_ENTER;
}

/* The switch that all healthy channels of a terminal lead to; HF_NONE: several, or none. */
static uint32_t only_switch(const hf_plan *plan, uint32_t terminal) {
    const hf_topology *topo = plan->topo;
    uint32_t found = HF_NONE;
    for (uint32_t i = topo->out_begin[topo->n_switch + terminal]; i < topo->out_begin[topo->n_switch + terminal + 1]; i++) {
        const uint32_t to = topo->to[topo->out_list[i]];
        if (is_healthy(plan, topo->out_list[i])) {
            if (found != HF_NONE && found != to) {
                return HF_NONE;
            }
            found = to;
        }
    }
    return found;
}

/* All that a terminal reaches; the same as the one before it where both begin at one switch. */
static void spread_out(spread *s, uint32_t source) {
    const hf_topology *topo = s->plan->topo;
    const uint32_t from = only_switch(s->plan, source);
    if (from == HF_NONE || from != s->from) {
        memset(s->seen, 0, hf_words(topo->n_node) * sizeof *s->seen);
        s->queue[0] = topo->n_switch + source;
        (void)hf_breadth_first(hf_channels(topo, false), s->queue, 1, see, s);
    }
    s->from = from;
}

static bool is_parted_from(const spread *s, uint32_t source) {
    for (uint32_t d = 0; d < s->plan->topo->n_terminal; d++) {
        if (!hf_bit_test(s->seen, s->plan->topo->n_switch + d) && hf_plan_sends(s->plan, source, d)) {
            return true;
        }
    }
    return false;
}

static hf_status look_for_parted(hf_context *cx, const hf_plan *plan, bool *is_parted) {
    const hf_topology *topo = plan->topo;
    spread s = {.plan = plan, .from = HF_NONE};
    HF_TRY(hf_scratch(cx, hf_words(topo->n_node), sizeof *s.seen, (void **)&s.seen));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_node + 1, sizeof *s.queue, (void **)&s.queue));
    for (uint32_t t = 0; t < topo->n_terminal && !*is_parted; t++) {
        if (hf_plan_is_live(plan, t)) {
            spread_out(&s, t);
            *is_parted = is_parted_from(&s, t);
        }
    }
    return HF_OK;
}

hf_status hf_arrival_parted(hf_context *cx, const hf_plan *plan, bool *is_parted) {
    const hf_mark mark = hf_scratch_mark(cx);
    const uint32_t n = plan->classes ? plan->classes->n : 1;
    hf_status status = HF_OK;
    *is_parted = false;
    for (uint32_t c = 0; c < n && status == HF_OK && !*is_parted; c++) {
        status = look_for_parted(cx, plan->classes ? &plan->of_class[c] : plan, is_parted);
    }
    hf_scratch_reset(cx, mark);
    return status;
}
