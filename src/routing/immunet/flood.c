/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Counting the floods by breadth-first searches, and playing them through an event queue. */
#include <math.h>
#include <string.h>

#include "src/routing/immunet/flood.h"

#include "src/core/grow.h"
#include "src/core/heap.h"
#include "src/core/machine.h"

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static uint64_t multiply(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint32_t degree_of(const hf_immunet *s, uint32_t v) {
    uint32_t degree = 0;
    for (uint32_t w = s->ways.begin[v]; w < s->ways.begin[v + 1]; w++) {
        degree += hf_ways_is_alive(&s->ways, s->dead, w);
    }
    return degree;
}

/* ---- counting ---- */

typedef struct search {
    const hf_immunet *s;
    uint32_t *distance, *queue;
    uint64_t *paths; /* shortest ways from the origin; saturates */
} search;

static hf_step enter(void *user, uint32_t from, uint32_t way, uint32_t to) {
    search *f = user;
    if (!hf_ways_is_alive(&f->s->ways, f->s->dead, way)) {
        return HF_STEP_PASS;
    }
    const bool is_new = f->distance[to] == HF_NONE;
    if (is_new) {
        f->distance[to] = f->distance[from] + 1;
    }
    if (f->distance[to] == f->distance[from] + 1) {
        f->paths[to] = add(f->paths[to], f->paths[from]);
    }
    return is_new;
}

/* Distances and numbers of shortest ways from `origin`. \return switches reached, in search->queue */
static uint32_t look_from(search *f, uint32_t origin) {
    const hf_ways *ways = &f->s->ways;
    memset(f->distance, 0xff, ways->n * sizeof *f->distance);
    memset(f->paths, 0, ways->n * sizeof *f->paths);
    f->distance[origin] = 0;
    f->paths[origin] = 1;
    f->queue[0] = origin;
    return hf_breadth_first(hf_ways_arcs(ways), f->queue, 1, enter, f);
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void count_origin(uint32_t count, const search *f, const uint32_t *degree, uint64_t start, uint64_t packet_cycles,
                         hf_flood_effort *out) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t v = f->queue[i];
        const uint64_t on = i == 0 ? degree[v] : degree[v] - 1; /* links that a copy is passed on over */
        out->once = add(out->once, on);
        out->equal_too = add(out->equal_too, multiply(i == 0 ? 1 : f->paths[v], on));
        out->improving = add(out->improving, multiply(i == 0 ? 1 : count - f->distance[v], on));
        out->diameter = larger(out->diameter, f->distance[v]);
        out->updated_cycles = larger(out->updated_cycles, start + f->distance[v] * packet_cycles);
        out->arrived_cycles = larger(out->arrived_cycles, start + (f->distance[v] + (on > 0)) * packet_cycles);
    }
}

hf_status hf_flood_count(hf_context *cx, const hf_immunet *s, uint32_t root, const hf_effort_costs *costs, hf_flood_effort *out) {
    search f = {.s = s};
    uint32_t *degree;
    uint64_t ends = 0;
    *out = (hf_flood_effort){0};
    HF_TRY(hf_scratch(cx, s->ways.n, sizeof *f.distance, (void **)&f.distance));
    HF_TRY(hf_scratch(cx, s->ways.n, sizeof *f.queue, (void **)&f.queue));
    HF_TRY(hf_scratch(cx, s->ways.n, sizeof *f.paths, (void **)&f.paths));
    HF_TRY(hf_scratch(cx, s->ways.n, sizeof *degree, (void **)&degree));
    for (uint32_t v = 0; v < s->ways.n; v++) {
        degree[v] = degree_of(s, v);
    }
    for (uint32_t v = 0; v < s->ways.n; v++) {
        if (s->emergency.root[v] == root) {
            HF_TRY(hf_context_go_on(cx, "counting floods"));
            out->switches++;
            ends += degree[v];
            const uint32_t count = look_from(&f, v);
            count_origin(count, &f, degree, s->emergency.level[v] * costs->hop_cycles, costs->packet_cycles, out);
        }
    }
    out->links = ends / 2;
    return HF_OK;
}

/* ---- playing ---- */

typedef struct event {
    uint64_t at, number; /* cycles; events of one time in the order in which they were made */
    uint32_t way;        /* that it comes by; HF_NONE: the origin starts */
    uint32_t origin, distance;
    uint32_t v; /* where */
    bool takes; /* the switch takes in one of the packets that wait there: after all that come at that time */
} event;

/* Packets that wait at a switch: a heap. */
typedef struct inbox {
    event *heap;
    size_t count, room;
    uint64_t free_at; /* cycle from which the switch takes in the next */
} inbox;

typedef struct player {
    hf_context *cx;
    const hf_immunet *s;
    const hf_flood_service *service;
    uint64_t packet_cycles;
    event *heap;
    size_t count, room;
    uint64_t made;
    inbox *inbox;    /* n */
    uint16_t *known; /* n rows of n: distance to an origin */
    hf_flood_run *out;
} player;

static bool is_before(const void *user, const event *a, const event *b) {
    (void)user;
    return a->at != b->at ? a->at < b->at : a->takes != b->takes ? b->takes : a->number < b->number;
}
HF_HEAP_DEFINE(heap, event, const void *, is_before);

/* By arrival, of one time by the way, the switch's own start behind them. */
static bool is_first(const hf_flood_service *service, const event *a, const event *b) {
    const bool is_older = a->at != b->at ? a->at < b->at : a->number < b->number;
    return service->newest_first ? !is_older : is_older;
}
HF_HEAP_DEFINE(inbox, event, const hf_flood_service *, is_first);

static hf_status insert(player *p, event e) {
    HF_GROW(p->cx, p->heap, p->count, p->room);
    e.number = p->made++;
    heap_push(NULL, p->heap, p->count++, e);
    return HF_OK;
}

static event take(player *p) { return heap_pop(NULL, p->heap, p->count--); }

/* The switch sends a copy over every link but that of arrival; it is there after the time of a packet. */
static hf_status pass_on(player *p, const event *e, uint64_t ready) {
    const hf_ways *ways = &p->s->ways;
    for (uint32_t w = ways->begin[e->v]; w < ways->begin[e->v + 1]; w++) {
        if (!hf_ways_is_alive(ways, p->s->dead, w) || (e->way != HF_NONE && w == ways->back[e->way])) {
            continue;
        }
        p->out->messages++;
        HF_TRY(insert(p, (event){ready, 0, w, e->origin, e->distance + 1, ways->to[w], false}));
    }
    return HF_OK;
}

/* The switch looks at a packet. */
static hf_status look_at(player *p, const event *e, uint64_t now) {
    uint16_t *known = &p->known[(size_t)e->v * p->s->ways.n + e->origin];
    p->out->arrived_cycles = now > p->out->arrived_cycles ? now : p->out->arrived_cycles;
    if (e->distance >= *known) {
        return HF_OK;
    }
    *known = (uint16_t)e->distance;
    p->out->updated_cycles = now > p->out->updated_cycles ? now : p->out->updated_cycles;
    return pass_on(p, e, now + p->packet_cycles);
}

static hf_status call(player *p, uint32_t v, uint64_t now) {
    const inbox *box = &p->inbox[v];
    return insert(p, (event){.at = now > box->free_at ? now : box->free_at, .v = v, .takes = true});
}

static hf_status play(player *p, const event *e) {
    inbox *box = &p->inbox[e->v];
    if (p->service->every == 0) {
        return look_at(p, e, e->at);
    }
    if (e->takes) {
        const event first = inbox_pop(p->service, box->heap, box->count--);
        box->free_at = e->at + p->service->every;
        HF_TRY(look_at(p, &first, e->at));
        return box->count > 0 ? call(p, e->v, e->at) : HF_OK;
    }
    HF_GROW(p->cx, box->heap, box->count, box->room);
    inbox_push(p->service, box->heap, box->count++, *e);
    return box->count == 1 ? call(p, e->v, e->at) : HF_OK;
}

static hf_status play_all(player *p, uint32_t root, uint64_t hop_cycles) {
    const hf_immunet *s = p->s;
    for (uint32_t v = 0; v < s->ways.n; v++) {
        if (s->emergency.root[v] == root) {
            HF_TRY(insert(p, (event){s->emergency.level[v] * hop_cycles, 0, HF_NONE, v, 0, v, false}));
        }
    }
    while (p->count > 0) {
        const event e = take(p);
        HF_TRY(play(p, &e));
        if (p->made % 65536 == 0 && hf_context_stopped(p->cx)) {
            HF_FAIL(p->cx, HF_ESTOP, "stopped while simulating floods");
        }
    }
    return HF_OK;
}

hf_status hf_flood_simulate(hf_context *cx, const hf_immunet *s, uint32_t root, const hf_effort_costs *costs,
                            const hf_flood_service *service, hf_flood_run *out) {
    player p = {.cx = cx, .s = s, .packet_cycles = costs->packet_cycles, .service = service, .out = out};
    const size_t n = s->ways.n;
    *out = (hf_flood_run){0};
    HF_TRY(hf_scratch(cx, n, sizeof *p.inbox, (void **)&p.inbox));
    memset(p.inbox, 0, n * sizeof *p.inbox);
    HF_TRY(hf_machine_fits(cx, (double)(n * n) * sizeof *p.known, HUGE_VAL, "floods of routing \"immunet\" on \"%s\"",
                           s->ways.topo->spec));
    HF_TRY(hf_scratch(cx, n * n, sizeof *p.known, (void **)&p.known));
    memset(p.known, 0xff, n * n * sizeof *p.known);
    const hf_status status = play_all(&p, root, costs->hop_cycles);
    for (size_t v = 0; v < n; v++) {
        hf_release(hf_context_allocator(cx), p.inbox[v].heap);
    }
    hf_release(hf_context_allocator(cx), p.heap);
    return status;
}
