/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/control_oracle.h"

#include <stdlib.h>
#include <string.h>

static void *room(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p) {
        abort();
    }
    return p;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static bool is_open(const hf_immunet *s, uint32_t way) { return hf_ways_is_alive(&s->ways, s->dead, way); }

/* ---- floods ---- */

typedef struct copy {
    uint64_t at, number;
    uint32_t v, way, origin, distance;
    bool waits; /* at v, until it is taken in */
    bool is_gone;
} copy;

typedef struct floods {
    const hf_immunet *s;
    copy *copy;
    size_t n, room;
    uint64_t number;  /* of the next copy, or call of a switch */
    uint64_t *called; /* by switch: when it takes in the next one; UINT64_MAX: nothing waits */
    uint64_t *call_number, *free_at;
    uint32_t *known; /* n x n */
} floods;

static void add_copy(floods *f, copy c) {
    if (f->n == f->room) {
        f->room = 2 * f->room + 64;
        f->copy = realloc(f->copy, f->room * sizeof *f->copy);
        if (!f->copy) {
            abort();
        }
    }
    c.number = f->number++;
    f->copy[f->n++] = c;
}

static void call_switch(floods *f, uint32_t v, uint64_t now) {
    f->called[v] = larger(now, f->free_at[v]);
    f->call_number[v] = f->number++;
}

/* What comes next: a copy on its way, or else, in the same cycle, a switch that takes in. */
static size_t next_copy(const floods *f) {
    size_t best = f->n;
    for (size_t i = 0; i < f->n; i++) {
        const copy *c = &f->copy[i], *b = best < f->n ? &f->copy[best] : NULL;
        if (!c->is_gone && !c->waits && (!b || c->at < b->at || (c->at == b->at && c->number < b->number))) {
            best = i;
        }
    }
    return best;
}

static uint32_t next_switch(const floods *f) {
    uint32_t best = HF_NONE;
    for (uint32_t v = 0; v < f->s->ways.n; v++) {
        const bool is_before = best == HF_NONE || f->called[v] < f->called[best] ||
                               (f->called[v] == f->called[best] && f->call_number[v] < f->call_number[best]);
        best = f->called[v] != UINT64_MAX && is_before ? v : best;
    }
    return best;
}

static size_t chosen_at(const floods *f, uint32_t v, bool newest) {
    size_t best = f->n;
    for (size_t i = 0; i < f->n; i++) {
        const copy *c = &f->copy[i], *b = best < f->n ? &f->copy[best] : NULL;
        const bool is_older = b && (c->at < b->at || (c->at == b->at && c->number < b->number));
        if (c->waits && !c->is_gone && c->v == v && (!b || is_older != newest)) {
            best = i;
        }
    }
    return best;
}

static void look_at(floods *f, const copy *c, uint64_t now, uint64_t packet_cycles, hf_flood_run *out) {
    const hf_ways *ways = &f->s->ways;
    uint32_t *known = &f->known[(size_t)c->v * ways->n + c->origin];
    out->arrived_cycles = larger(out->arrived_cycles, now);
    if (c->distance >= *known) {
        return;
    }
    *known = c->distance;
    out->updated_cycles = larger(out->updated_cycles, now);
    for (uint32_t w = ways->begin[c->v]; w < ways->begin[c->v + 1]; w++) {
        if (is_open(f->s, w) && (c->way == HF_NONE || ways->back[c->way] != w)) {
            out->messages++;
            add_copy(
                f,
                (copy){.at = now + packet_cycles, .v = ways->to[w], .way = w, .origin = c->origin, .distance = c->distance + 1});
        }
    }
}

static bool any_waits(const floods *f, uint32_t v) { return chosen_at(f, v, false) < f->n; }

/* One step. \return false: there is none left */
static bool step(floods *f, const hf_effort_costs *costs, const hf_flood_service *service, hf_flood_run *out) {
    const size_t i = next_copy(f);
    const uint32_t v = next_switch(f);
    if (i == f->n && v == HF_NONE) {
        return false;
    }
    if (i < f->n && (v == HF_NONE || f->copy[i].at <= f->called[v])) {
        const copy c = f->copy[i];
        const bool is_alone = !any_waits(f, c.v);
        f->copy[i].waits = service->every > 0;
        f->copy[i].is_gone = service->every == 0;
        if (service->every == 0) {
            look_at(f, &c, c.at, costs->packet_cycles, out);
        } else if (is_alone) {
            call_switch(f, c.v, c.at);
        }
        return true;
    }
    const size_t j = chosen_at(f, v, service->newest_first);
    const uint64_t now = f->called[v];
    const copy c = f->copy[j];
    f->copy[j].is_gone = true;
    f->free_at[v] = now + service->every;
    f->called[v] = UINT64_MAX;
    look_at(f, &c, now, costs->packet_cycles, out);
    if (any_waits(f, v)) {
        call_switch(f, v, now);
    }
    return true;
}

hf_flood_run control_oracle_floods(const hf_immunet *s, uint32_t root, const hf_effort_costs *costs,
                                   const hf_flood_service *service) {
    const uint32_t n = s->ways.n;
    hf_flood_run out = {0};
    floods f = {.s = s,
                .called = room(n, sizeof *f.called),
                .call_number = room(n, sizeof *f.call_number),
                .free_at = room(n, sizeof *f.free_at),
                .known = room((size_t)n * n, sizeof *f.known)};
    memset(f.called, 0xff, n * sizeof *f.called);
    memset(f.known, 0xff, (size_t)n * n * sizeof *f.known);
    for (uint32_t v = 0; v < n; v++) {
        if (s->emergency.root[v] == root) {
            add_copy(&f, (copy){.at = s->emergency.level[v] * costs->hop_cycles, .v = v, .way = HF_NONE, .origin = v});
        }
    }
    while (step(&f, costs, service, &out)) {
    }
    free(f.copy);
    free(f.called);
    free(f.call_number);
    free(f.free_at);
    free(f.known);
    return out;
}

/* ---- reconfiguration ---- */

enum { FREE, WAITS, SENT, ARRIVES, BOXED, WORKED };

typedef struct note {
    int stage;
    uint64_t number, at; /* at: until when, or since when, by its stage */
    uint32_t way, origin, distance;
    bool is_flood;
} note;

typedef struct changes {
    const hf_immunet *s;
    const hf_reconfiguration_options *o;
    note *note;
    size_t n, room;
    uint64_t now, delay, *free_at, messages, finished;
    uint32_t *known, *final; /* n x n */
    uint32_t *missing, *unknown;
    bool *goes_on;
} changes;

static void send_note(changes *c, uint32_t way, uint32_t origin, uint32_t distance, bool is_flood) {
    if (c->n == c->room) {
        c->room = 2 * c->room + 64;
        c->note = realloc(c->note, c->room * sizeof *c->note);
        if (!c->note) {
            abort();
        }
    }
    c->note[c->n] = (note){WAITS, c->n, 0, way, origin, distance, is_flood};
    c->n++;
    c->messages++;
}

static void tell_parent(changes *c, uint32_t v, uint32_t origin) {
    if (c->s->emergency.parent[v] != HF_NONE) {
        send_note(c, c->s->emergency.parent[v], origin, 0, false);
    }
}

static void hear(changes *c, uint32_t v, uint32_t in, uint32_t origin, uint32_t distance) {
    const hf_ways *ways = &c->s->ways;
    const size_t i = (size_t)v * ways->n + origin;
    if (distance >= c->known[i]) {
        return;
    }
    c->known[i] = distance;
    if (distance == c->final[i] && --c->unknown[v] == 0) {
        c->finished = c->now;
    }
    for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
        if (is_open(c->s, w) && (in == HF_NONE || ways->back[in] != w)) {
            send_note(c, w, origin, distance + 1, true);
        }
    }
}

static void work_on(changes *c, size_t i) {
    const note x = c->note[i];
    const uint32_t v = c->s->ways.to[x.way];
    c->note[i].stage = FREE;
    if (x.is_flood) {
        hear(c, v, x.way, x.origin, x.distance);
        return;
    }
    if (--c->missing[v] == 0) {
        c->finished = c->now;
    }
    tell_parent(c, v, x.origin);
}

static void start_switches(changes *c) {
    for (uint32_t v = 0; v < c->s->ways.n; v++) {
        if (c->s->emergency.root[v] != HF_NONE && !c->goes_on[v] && (c->s->emergency.level[v] + 2) * c->o->hop_cycles <= c->now) {
            c->goes_on[v] = true;
            c->finished = c->now;
            tell_parent(c, v, v);
            hear(c, v, HF_NONE, v, 0);
        }
    }
}

static void finish_work(changes *c) {
    for (size_t i = 0, n = c->n; i < n; i++) {
        if (c->note[i].stage == WORKED && c->note[i].at <= c->now) {
            work_on(c, i);
        }
    }
}

static void take_in(changes *c, uint32_t v) {
    size_t best = c->n;
    for (size_t i = 0; i < c->n; i++) {
        const note *x = &c->note[i], *b = best < c->n ? &c->note[best] : NULL;
        if (x->stage != BOXED || c->s->ways.to[x->way] != v) {
            continue;
        }
        const uint32_t in = c->s->ways.channel[x->way];
        const bool is_older = b && (x->at < b->at || (x->at == b->at && in < c->s->ways.channel[b->way]));
        best = !b || is_older != c->o->newest_first ? i : best;
    }
    if (best < c->n) {
        c->note[best].stage = WORKED;
        c->note[best].at = c->now + c->o->manage_cycles;
        c->free_at[v] = c->now + c->o->control_every;
    }
}

static bool is_one_line(const changes *c, const note *a, const note *b) {
    return c->o->is_in_turn ? c->s->ways.from[a->way] == c->s->ways.from[b->way] : a->way == b->way;
}

/* It may be sent if nobody of its line is being sent or has waited longer. */
static bool has_line(const changes *c, const note *x) {
    for (size_t i = 0; i < c->n; i++) {
        const note *y = &c->note[i];
        if (is_one_line(c, x, y) && (y->stage == SENT || (y->stage == WAITS && y->number < x->number))) {
            return false;
        }
    }
    return true;
}

static void move(changes *c) {
    for (size_t i = 0; i < c->n; i++) {
        note *x = &c->note[i];
        if (x->stage == SENT && x->at <= c->now) {
            x->stage = ARRIVES;
            x->at = c->now - 1 + c->delay;
        }
    }
    for (size_t i = 0; i < c->n; i++) {
        note *x = &c->note[i];
        if (x->stage == WAITS && has_line(c, x)) {
            x->stage = SENT;
            x->at = c->now + c->o->message_length;
        }
    }
}

static bool step_cycle(changes *c) {
    bool is_over = true;
    start_switches(c);
    finish_work(c);
    for (size_t i = 0; i < c->n; i++) {
        if (c->note[i].stage == ARRIVES && c->note[i].at <= c->now) {
            c->note[i].stage = BOXED;
            c->note[i].at = c->now;
        }
    }
    for (uint32_t v = 0; v < c->s->ways.n; v++) {
        if (c->free_at[v] <= c->now) {
            take_in(c, v);
        }
    }
    finish_work(c);
    move(c);
    for (size_t i = 0; i < c->n; i++) {
        is_over &= c->note[i].stage == FREE;
    }
    for (uint32_t v = 0; v < c->s->ways.n; v++) {
        is_over &= c->goes_on[v] || c->s->emergency.root[v] == HF_NONE;
    }
    c->now++;
    return !is_over;
}

/* Hops by relaxing every way again and again; switches below v in the tree, by going up from each. */
static void foresee(changes *c) {
    const hf_immunet *s = c->s;
    const uint32_t n = s->ways.n;
    memset(c->known, 0xff, (size_t)n * n * sizeof *c->known);
    memset(c->final, 0xff, (size_t)n * n * sizeof *c->final);
    for (uint32_t v = 0; v < n; v++) {
        c->final[(size_t)v * n + v] = 0;
    }
    for (uint32_t round = 0; round < n; round++) {
        for (uint32_t w = 0; w < s->ways.n_way; w++) {
            for (uint32_t d = 0; d < n && is_open(s, w); d++) {
                const uint32_t there = c->final[(size_t)s->ways.to[w] * n + d];
                uint32_t *here = &c->final[(size_t)s->ways.from[w] * n + d];
                *here = there != HF_NONE && there + 1 < *here ? there + 1 : *here;
            }
        }
    }
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t d = 0; d < n; d++) {
            c->unknown[v] += c->final[(size_t)v * n + d] != HF_NONE;
        }
        for (uint32_t up = v; s->emergency.root[v] != HF_NONE && s->emergency.parent[up] != HF_NONE;) {
            up = s->ways.to[s->emergency.parent[up]];
            c->missing[up]++;
        }
    }
}

control_oracle_run control_oracle_reconfigure(const hf_immunet *s, const hf_reconfiguration_options *o, uint64_t delay) {
    const uint32_t n = s->ways.n;
    changes c = {.s = s,
                 .o = o,
                 .delay = delay,
                 .free_at = room(n, sizeof *c.free_at),
                 .known = room((size_t)n * n, sizeof *c.known),
                 .final = room((size_t)n * n, sizeof *c.final),
                 .missing = room(n, sizeof *c.missing),
                 .unknown = room(n, sizeof *c.unknown),
                 .goes_on = room(n, sizeof *c.goes_on)};
    foresee(&c);
    while (step_cycle(&c)) {
    }
    free(c.note);
    free(c.free_at);
    free(c.known);
    free(c.final);
    free(c.missing);
    free(c.unknown);
    free(c.goes_on);
    return (control_oracle_run){c.messages, c.finished};
}
