/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Immunet at run time. The emergency spreads by signals that take no channel, `hop_cycles` a hop: a switch stops when the first
 *  signal reaches it, and goes on when its place in the emergency tree is settled, which is when the signal of the root has been
 *  there and its neighbours have answered. Then it works by the provisional safe table and the adaptive table of before, over
 *  the links that are left, and sends two kinds of control packets: one that travels to the root for the safe tables, and a
 *  flood for the adaptive ones, passed on where it is nearer than what was known. A table counts as rebuilt when it says all
 *  that the plan with the fault says.
 *  Source: [puente2004, 4]. Departure: the tree is that of the plan, known when its signals have had the time to make it. */
#include <holdfast/core/bitset.h>

#include <math.h>
#include <string.h>

#include "src/core/machine.h"
#include "src/routing/immunet/control.h"

/* Stages. OPTIMISED and REBUILT: one of both kinds of tables is ready. */
enum { STOPPED = 1, PROVISIONAL, OPTIMISED, REBUILT, DONE };
/* hf_notice.kind. SAFE: switch `about` is in this subtree. FLOOD: `value` hops from switch `about`. */
enum { STOP, GO_ON, SAFE, FLOOD };

typedef struct progress {
    uint32_t *missing;  /* by switch: switches of its subtree that have not told */
    uint32_t *unknown;  /* by switch: switches whose distance is not yet what it will be */
    uint16_t *distance; /* n rows of n: what has been heard; row: switch that has heard it */
    uint16_t *final;    /* n rows of n: hops over the links that are left */
    uint32_t n;
} progress;

static const hf_immunet *plan_of(const hf_transition *t) { return t->after->state; }

static bool is_left(const hf_immunet *s, uint32_t w) { return hf_ways_is_alive(&s->ways, s->dead, w); }

static hf_status find_final(hf_context *cx, const hf_immunet *s, progress *p) {
    const uint32_t n = s->ways.n;
    uint32_t *queue;
    HF_TRY(hf_scratch(cx, n, sizeof *queue, (void **)&queue));
    HF_TRY(hf_machine_fits(cx, 2.0 * n * n * sizeof *p->final, HUGE_VAL, "a reconfiguration of routing \"immunet\" on \"%s\"",
                           s->ways.topo->spec));
    HF_TRY(hf_scratch(cx, (size_t)n * n, sizeof *p->final, (void **)&p->final));
    HF_TRY(hf_scratch(cx, (size_t)n * n, sizeof *p->distance, (void **)&p->distance));
    HF_TRY(hf_scratch(cx, n, sizeof *p->unknown, (void **)&p->unknown));
    memset(p->final, 0xff, (size_t)n * n * sizeof *p->final);
    memset(p->distance, 0xff, (size_t)n * n * sizeof *p->distance);
    for (uint32_t v = 0; v < n; v++) {
        uint16_t *row = p->final + (size_t)v * n;
        row[v] = 0;
        queue[0] = v;
        HF_TRY(hf_context_go_on(cx, "making the table of distances"));
        hf_ways_spread(&s->ways, s->dead, queue, 1, row);
        for (uint32_t u = 0; u < n; u++) {
            p->unknown[v] += row[u] != UINT16_MAX;
        }
    }
    return HF_OK;
}

/* Switches that see the fault: a link of theirs is dead that was not before. \return how many, in `queue` */
static uint32_t detect(const hf_transition *t, uint16_t *distance, uint32_t *queue) {
    const hf_immunet *s = plan_of(t), *old = t->before->state;
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->ways.n; v++) {
        bool sees = false;
        for (uint32_t w = s->ways.begin[v]; w < s->ways.begin[v + 1]; w++) {
            sees |= !is_left(s, w) && is_left(old, w);
        }
        if (sees && s->emergency.root[v] != HF_NONE) {
            distance[v] = 0;
            queue[count++] = v;
        }
    }
    return count;
}

static hf_status begin(hf_context *cx, hf_transition *t, hf_outbox *out) {
    const hf_immunet *s = plan_of(t);
    const uint32_t n = s->ways.n;
    progress *p;
    uint16_t *distance;
    uint32_t *queue;
    HF_TRY(hf_scratch(cx, 1, sizeof *p, (void **)&p));
    HF_TRY(hf_scratch(cx, n, sizeof *p->missing, (void **)&p->missing));
    HF_TRY(hf_scratch(cx, n, sizeof *distance, (void **)&distance));
    HF_TRY(hf_scratch(cx, n, sizeof *queue, (void **)&queue));
    memset(distance, 0xff, n * sizeof *distance);
    p->n = n;
    t->state = p;
    HF_TRY(find_final(cx, s, p));
    hf_ways_spread(&s->ways, s->dead, queue, detect(t, distance, queue), distance);
    for (uint32_t v = 0; v < n; v++) {
        if (distance[v] == UINT16_MAX) {
            continue; /* it hears of nothing */
        }
        p->missing[v] = s->ring.rank[v] == HF_NONE ? 0 : s->ring.size[s->ring.rank[v]] - 1;
        HF_TRY(out->later(out, distance[v] * t->hop_cycles, (hf_notice){.at = v, .kind = STOP}));
        HF_TRY(out->later(out, (s->emergency.level[v] + UINT64_C(2)) * t->hop_cycles, (hf_notice){.at = v, .kind = GO_ON}));
    }
    return HF_OK;
}

static void show_progress(const progress *p, uint32_t v, hf_outbox *out) {
    const bool is_optimised = p->missing[v] == 0, is_rebuilt = p->unknown[v] == 0;
    out->change(out, v, is_optimised && is_rebuilt ? DONE : is_rebuilt ? REBUILT : is_optimised ? OPTIMISED : PROVISIONAL);
}

static hf_status tell_parent(const hf_immunet *s, uint32_t v, uint32_t about, hf_outbox *out) {
    const uint32_t way = s->emergency.parent[v];
    return way == HF_NONE ? HF_OK : out->send(out, s->ways.channel[way], (hf_notice){.kind = SAFE, .about = about});
}

/* Over all links but the one of arrival. */
static hf_status flood(const hf_immunet *s, uint32_t v, uint32_t in, hf_notice n, hf_outbox *out) {
    for (uint32_t w = s->ways.begin[v]; w < s->ways.begin[v + 1]; w++) {
        if (is_left(s, w) && (in == HF_NONE || s->ways.back[s->ways.of[in]] != w)) {
            HF_TRY(out->send(out, s->ways.channel[w], n));
        }
    }
    return HF_OK;
}

static hf_status hear_flood(const hf_immunet *s, progress *p, const hf_notice *n, hf_outbox *out) {
    const size_t entry = (size_t)n->at * p->n + n->about;
    if (n->value >= p->distance[entry]) {
        return HF_OK;
    }
    p->distance[entry] = (uint16_t)n->value;
    if (n->value == p->final[entry] && --p->unknown[n->at] == 0) {
        show_progress(p, n->at, out);
    }
    return flood(s, n->at, n->in, (hf_notice){.kind = FLOOD, .about = n->about, .value = n->value + 1}, out);
}

static hf_status receive(const hf_transition *t, const hf_notice *n, hf_outbox *out) {
    const hf_immunet *s = plan_of(t);
    progress *p = t->state;
    switch (n->kind) {
    case STOP:
        out->change(out, n->at, STOPPED);
        return HF_OK;
    case GO_ON:
        show_progress(p, n->at, out);
        HF_TRY(tell_parent(s, n->at, n->at, out));
        return hear_flood(s, p, &(hf_notice){.at = n->at, .in = HF_NONE, .about = n->at}, out);
    case SAFE:
        if (--p->missing[n->at] == 0) {
            show_progress(p, n->at, out);
        }
        return tell_parent(s, n->at, n->about, out);
    default:
        return hear_flood(s, p, n, out);
    }
}

static size_t route(const hf_transition *t, uint8_t stage, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    if (stage == STOPPED) {
        return HF_ROUTE_WAIT;
    }
    const bool is_rebuilt = stage == REBUILT, is_optimised = stage == OPTIMISED;
    return hf_immunet_hops(t->after, is_rebuilt ? t->after : t->before, !is_optimised, at, in, destination, hops);
}

const hf_reconfiguration hf_immunet_reconfiguration = {
    .final_stage = DONE,
    .newest_only = true, /* its priority is higher [puente2004, 4.2, 4.3] */
    .begin = begin,
    .receive = receive,
    .route = route,
};
