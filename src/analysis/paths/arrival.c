/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where packets come from and whether they arrive: walks over the states of one destination. */
#include <string.h>

#include <holdfast/bitset.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"

/* ---- how a packet gets to a resource ---- */

/* Breadth-first over the walk's states from all injections. \return the state, HF_NONE if it cannot be reached */
static uint32_t find_state(const hf_walk *w, const hf_plan *plan, uint32_t r, uint32_t tag, uint32_t *parent, uint32_t *queue) {
    const uint32_t n_terminal = plan->topo->n_terminal;
    uint32_t tail = 0;
    memset(parent, 0xff, w->n_state * sizeof *parent);
    for (uint32_t t = 0; t < n_terminal; t++) {
        if (t != w->destination && hf_plan_is_live(plan, t)) {
            parent[t] = t;
            queue[tail++] = t;
        }
    }
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t s = queue[head];
        if (s >= n_terminal && w->in[s].channel * plan->n_vc + w->in[s].vc == r && w->in[s].tag == tag) {
            return s;
        }
        for (uint32_t e = w->edge_begin[s]; e < w->edge_begin[s + 1]; e++) {
            const uint32_t to = w->edge[e];
            if (to != HF_WALK_DELIVERED && to != HF_WALK_FAULT && parent[to] == HF_NONE) {
                parent[to] = s;
                queue[tail++] = to;
            }
        }
    }
    return HF_NONE;
}

hf_status hf_find_path(hf_context *cx, const hf_plan *plan, uint32_t r, uint32_t tag, hf_blocked *blocked) {
    hf_walk w;
    uint32_t *parent, *queue, length = 0;
    HF_TRY(hf_walk_init(cx, plan->topo, &w));
    HF_TRY(hf_walk_explore(cx, &w, plan, NULL, blocked->destination));
    HF_TRY(hf_scratch(cx, w.n_state, sizeof *parent, (void **)&parent));
    HF_TRY(hf_scratch(cx, w.n_state, sizeof *queue, (void **)&queue));
    uint32_t s = find_state(&w, plan, r, tag, parent, queue);
    if (s == HF_NONE) {
        HF_FAIL(cx, HF_EINVAL, "no packet for t%u gets to resource %u", blocked->destination, r);
    }
    for (uint32_t u = s; parent[u] != u; u = parent[u]) {
        length++;
    }
    HF_TRY(hf_scratch(cx, length, sizeof *blocked->path, (void **)&blocked->path));
    blocked->n_path = length;
    for (; parent[s] != s; s = parent[s]) {
        blocked->path[--length] = w.in[s];
    }
    blocked->source = s;
    return HF_OK;
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
    HF_TRY(hf_walk_explore(cx, w, a->plan, NULL, d));
    HF_TRY(hf_walk_turn(cx, w));
    if (a->room < w->n_state) {
        a->room = w->state_room;
        HF_TRY(hf_scratch(cx, hf_words(a->room), sizeof *a->served, (void **)&a->served));
    }
    memset(a->served, 0, hf_words(w->n_state) * sizeof *a->served);
    hf_walk_served(w, a->served);
    for (uint32_t s = 0; s < w->n_state && !a->lost; s++) {
        const bool is_source = s < a->plan->topo->n_terminal;
        const bool counts = !is_source || (s != d && hf_plan_is_live(a->plan, s));
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
    *lost_source = *lost_destination = HF_NONE;
    const hf_status status = check_all(cx, plan, lost_source, lost_destination);
    hf_scratch_reset(cx, mark);
    return status;
}
