/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates of freedom from deadlock. */
#include <string.h>

#include "src/check/check.h"

static void name_of(const check *c, hf_hop hop, char *text, size_t size) {
    hf_resource_name(c->topo, c->plan.n_vc, check_resource(c, hop), text, size);
}

static void refute_step(check *c, hf_hop a, hf_hop b, uint32_t destination, const char *rule) {
    char from[96], to[96];
    name_of(c, a, from, sizeof from);
    name_of(c, b, to, sizeof to);
    check_refute(c, "a packet for t%u in %s (number %lld) may ask for %s (number %lld): %s", destination, from,
                 (long long)c->number[check_resource(c, a)], to, (long long)c->number[check_resource(c, b)], rule);
}

/* ---- numbers that rise along every dependency ---- */

static uint32_t ring_of(const check *c, hf_hop hop) {
    return strncmp(c->method, "bubble", 6) == 0 && c->plan.routing->ring ? c->plan.routing->ring(&c->plan, hop.channel, hop.vc)
                                                                         : HF_NONE;
}

/* Inside a ring packets only follow it: one successor, the same number. */
static void check_ring_step(check *c, const place *p, hf_hop hop, uint32_t destination, uint32_t *next) {
    const uint32_t r = check_resource(c, p->in), q = check_resource(c, hop);
    if (next[r] != HF_NONE && next[r] != q) {
        refute_step(c, p->in, hop, destination, "the ring forks");
    } else if (c->number[r] != c->number[q]) {
        refute_step(c, p->in, hop, destination, "the numbers of a ring must be one");
    }
    next[r] = q;
}

static void check_rising(check *c, const place *p, uint32_t destination, uint32_t *next) {
    for (size_t h = 0; h < p->n_hop; h++) {
        const int64_t to = c->number[check_resource(c, p->hop[h])];
        if (to < 0) {
            refute_step(c, p->hop[h], p->hop[h], destination, "it has no number");
        }
        if (p->in.channel == HF_NONE) {
            continue;
        }
        const uint32_t ring = ring_of(c, p->in);
        if (ring != HF_NONE && ring == ring_of(c, p->hop[h])) {
            check_ring_step(c, p, p->hop[h], destination, next);
        } else if (c->number[check_resource(c, p->in)] >= to) {
            refute_step(c, p->in, p->hop[h], destination, "numbers must rise");
        }
    }
}

/* ---- numbers of which each packet may lower its own ---- */

static void check_sinking(check *c, const place *p, uint32_t destination) {
    bool ok = p->n_hop == 0 || p->in.channel == HF_NONE;
    for (size_t h = 0; h < p->n_hop && !ok; h++) {
        const int64_t to = c->number[check_resource(c, p->hop[h])];
        ok = to >= 0 && to < c->number[check_resource(c, p->in)];
    }
    if (!ok) {
        refute_step(c, p->in, p->hop[0], destination, "and no hop of it has a lower number");
    }
}

/* ---- escapes ---- */

typedef struct escapes {
    place *place;
    size_t count;
    hf_hop *own;
    size_t n_own;
    uint32_t *stamp, *queue; /* by place */
} escapes;

static bool is_escape(const check *c, const escapes *e, hf_hop hop) {
    if (c->topo->link[hop.channel] >= c->topo->n_switch_link) {
        return true; /* to and from terminals */
    }
    for (size_t i = 0; c->escape_declared && i < e->n_own; i++) {
        if (e->own[i].channel == hop.channel && e->own[i].vc == hop.vc && e->own[i].tag == hop.tag) {
            return true;
        }
    }
    return !c->escape_declared && hop.vc < 64 && (c->escape_vcs >> hop.vc & 1);
}

static void load_own(const check *c, escapes *e, const place *p, uint32_t destination) {
    e->n_own = c->escape_declared ? c->plan.routing->escape(&c->plan, p->at, p->in, destination, e->own) : 0;
}

static size_t find_place(const check *c, const escapes *e, hf_hop in) {
    for (size_t i = 0; i < e->count; i++) {
        const hf_hop x = e->place[i].in;
        if (x.channel == in.channel && x.vc == in.vc && x.tag == in.tag) {
            return i;
        }
    }
    (void)c;
    return e->count;
}

/* Numbers rise along extended dependencies; those of one ring with bubbles are one, and a packet on it has one way on. */
static void check_extended_step(check *c, hf_hop held, hf_hop hop, bool is_direct, uint32_t destination, uint32_t *next) {
    const uint32_t ring = ring_of(c, held), r = check_resource(c, held), q = check_resource(c, hop);
    if (ring != HF_NONE && ring == ring_of(c, hop)) {
        if (is_direct && next[r] != HF_NONE && next[r] != q) {
            refute_step(c, held, hop, destination, "the ring forks");
        } else if (c->number[r] != c->number[q]) {
            refute_step(c, held, hop, destination, "the numbers of a ring must be one");
        }
        next[r] = is_direct ? q : next[r];
    } else if (c->number[q] <= c->number[r]) {
        refute_step(c, held, hop, destination, "numbers must rise along extended dependencies");
    }
}

/* Whatever a packet holds from `start` on without having taken an escape hop, the escape hops that it asks for rank higher. */
static void check_extended(check *c, escapes *e, size_t start, uint32_t destination, uint32_t *next) {
    const hf_hop held = e->place[start].in;
    const bool is_bubble = strcmp(c->method, "bubble escape") == 0; /* packets hold one buffer: direct dependencies only */
    size_t tail = 0;
    e->queue[tail++] = (uint32_t)start;
    e->stamp[start] = (uint32_t)start + 1;
    for (size_t head = 0; head < tail && !c->refuted; head++) {
        const place *p = &e->place[e->queue[head]];
        load_own(c, e, p, destination);
        for (size_t h = 0; h < p->n_hop; h++) {
            if (is_escape(c, e, p->hop[h])) {
                check_extended_step(c, held, p->hop[h], head == 0, destination, next);
                continue;
            }
            const size_t to = is_bubble ? e->count : find_place(c, e, p->hop[h]);
            if (to < e->count && e->stamp[to] != start + 1) {
                e->stamp[to] = (uint32_t)start + 1;
                e->queue[tail++] = (uint32_t)to;
            }
        }
    }
}

static void check_offered(check *c, escapes *e, const place *p, uint32_t destination) {
    bool any = p->n_hop == 0;
    load_own(c, e, p, destination);
    for (size_t h = 0; h < p->n_hop; h++) {
        if (is_escape(c, e, p->hop[h])) {
            any = true;
            if (c->number[check_resource(c, p->hop[h])] < 0) {
                refute_step(c, p->hop[h], p->hop[h], destination, "an escape hop has no number");
            }
        }
    }
    if (!any) {
        check_refute(c, "a packet for t%u finds no escape hop at node %u", destination, p->at);
    }
}

/* No packet goes round: places from which every hop leads on to places that are done are done too, until all are. */
static hf_status check_bounded(check *c, const escapes *e, uint32_t destination) {
    bool *done, grew = true;
    size_t left = e->count;
    HF_TRY(hf_scratch(c->cx, e->count, sizeof *done, (void **)&done));
    while (grew && left > 0) {
        grew = false;
        for (size_t i = 0; i < e->count; i++) {
            bool ok = !done[i];
            for (size_t h = 0; h < e->place[i].n_hop && ok; h++) {
                const size_t to = find_place(c, e, e->place[i].hop[h]);
                ok = to == e->count || done[to];
            }
            done[i] |= ok;
            left -= ok;
            grew |= ok;
        }
    }
    if (left > 0 && !c->refuted) {
        check_refute(c, "a packet for t%u can go round for ever", destination);
    }
    return HF_OK;
}

static hf_status check_escape(check *c, place *places, size_t count, uint32_t destination, uint32_t *next) {
    escapes e = {.place = places, .count = count};
    HF_TRY(hf_scratch(c->cx, c->plan.max_hops, sizeof *e.own, (void **)&e.own));
    HF_TRY(hf_scratch(c->cx, count, sizeof *e.stamp, (void **)&e.stamp));
    HF_TRY(hf_scratch(c->cx, count, sizeof *e.queue, (void **)&e.queue));
    for (size_t i = 0; i < count && !c->refuted; i++) {
        check_offered(c, &e, &places[i], destination);
        if (places[i].in.channel != HF_NONE && c->number[check_resource(c, places[i].in)] >= 0) {
            check_extended(c, &e, i, destination, next);
        }
    }
    return strcmp(c->method, "bubble escape") == 0 ? check_bounded(c, &e, destination) : HF_OK;
}

/* ---- all destinations ---- */

static hf_status check_destination(check *c, uint32_t destination, uint32_t *next) {
    place *places;
    size_t count;
    HF_TRY(check_places(c, destination, &places, &count));
    if (strcmp(c->method, "escape") == 0 || strcmp(c->method, "bubble escape") == 0) {
        return check_escape(c, places, count, destination, next);
    }
    for (size_t i = 0; i < count && !c->refuted; i++) {
        if (strcmp(c->method, "fixpoint") == 0) {
            check_sinking(c, &places[i], destination);
        } else {
            check_rising(c, &places[i], destination, next);
        }
    }
    return HF_OK;
}

hf_status check_free(check *c) {
    uint32_t *next;
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *next, (void **)&next));
    memset(next, 0xff, c->n_resource * sizeof *next); /* HF_NONE */
    for (uint32_t d = 0; d < c->topo->n_terminal && !c->refuted; d++) {
        const hf_mark mark = hf_scratch_mark(c->cx);
        if (hf_plan_is_live(&c->plan, d)) {
            HF_TRY(check_destination(c, d, next));
        }
        hf_scratch_reset(c->cx, mark);
    }
    return HF_OK;
}
