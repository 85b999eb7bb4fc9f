/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates of freedom from deadlock: numbers on resources. They are the only ones that do. Where they must rise, each is as
 * high as those that follow it allow, the highest one is the last and the lowest is 0; where they must sink, each is as low as it
 * can be. So a number that was changed is seen, also where it would still rise or sink. */
#include <string.h>

#include "src/check/check.h"

/* What has been seen so far of all destinations. */
typedef struct books {
    uint32_t *next;  /* by resource: what follows it on its ring */
    bool *is_used;   /* packets hold it, or ask for it as an escape */
    bool *is_tight;  /* its number could not be nearer to that of what follows */
    bool *has_tight; /* the same, by ring */
} books;

static void name_of(const check *c, hf_hop hop, char *text, size_t size) {
    hf_resource_name(c->net.topo, c->net.plan.n_vc, check_resource(c, hop), text, size);
}

static void refute_step(check *c, hf_hop a, hf_hop b, uint32_t destination, const char *rule) {
    char from[96], to[96];
    name_of(c, a, from, sizeof from);
    name_of(c, b, to, sizeof to);
    check_refute(c, "a packet for t%u in %s (number %lld) may ask for %s (number %lld): %s", destination, from,
                 (long long)c->number[check_resource(c, a)], to, (long long)c->number[check_resource(c, b)], rule);
}

/* ---- numbers that rise along every dependency ---- */

static uint32_t ring_of(const check *c, hf_hop hop) { return check_ring(c, check_resource(c, hop)); }

static bool is_bubble_escape(const check *c) { return c->is.method == HF_METHOD_BUBBLE_ESCAPE; }

/* The number of `to` is one more: that of `from` cannot be higher. */
static void note_rise(const check *c, books *b, hf_hop from, hf_hop to) {
    const uint32_t r = check_resource(c, from), ring = check_ring(c, r);
    if (c->number[check_resource(c, to)] == c->number[r] + 1) {
        *(ring == HF_NONE ? &b->is_tight[r] : &b->has_tight[ring]) = true;
    }
}

/* Inside a ring packets only follow it: one successor, the same number. */
static void check_ring_step(check *c, const place *p, hf_hop hop, uint32_t destination, books *b) {
    const uint32_t r = check_resource(c, p->in), q = check_resource(c, hop);
    if (b->next[r] != HF_NONE && b->next[r] != q) {
        refute_step(c, p->in, hop, destination, "the ring forks");
    } else if (c->number[r] != c->number[q]) {
        refute_step(c, p->in, hop, destination, "the numbers of a ring must be one");
    }
    b->next[r] = q;
}

static void check_rising(check *c, const place *p, uint32_t destination, books *b) {
    for (size_t h = 0; h < p->n_hop; h++) {
        const int64_t to = c->number[check_resource(c, p->hop[h])];
        b->is_used[check_resource(c, p->hop[h])] = true;
        if (to < 0) {
            refute_step(c, p->hop[h], p->hop[h], destination, "it has no number");
        }
        if (p->in.channel == HF_NONE) {
            continue;
        }
        const uint32_t ring = ring_of(c, p->in);
        if (ring != HF_NONE && ring == ring_of(c, p->hop[h])) {
            check_ring_step(c, p, p->hop[h], destination, b);
        } else if (c->number[check_resource(c, p->in)] >= to) {
            refute_step(c, p->in, p->hop[h], destination, "numbers must rise");
        } else {
            note_rise(c, b, p->in, p->hop[h]);
        }
    }
}

/* ---- numbers of which each packet may lower its own ---- */

static void check_sinking(check *c, const place *p, uint32_t destination, books *b) {
    const bool is_injected = p->in.channel == HF_NONE;
    const int64_t from = is_injected ? -1 : c->number[check_resource(c, p->in)];
    int64_t lowest = INT64_MAX;
    for (size_t h = 0; h < p->n_hop; h++) {
        const uint32_t q = check_resource(c, p->hop[h]);
        b->is_used[q] = true;
        if (c->number[q] < 0) {
            refute_step(c, p->hop[h], p->hop[h], destination, "it has no number");
        }
        lowest = c->number[q] < lowest ? c->number[q] : lowest;
    }
    if (is_injected || p->n_hop == 0) {
        return;
    }
    if (lowest >= from) {
        refute_step(c, p->in, p->hop[0], destination, "and no hop of it has a lower number");
    }
    b->is_tight[check_resource(c, p->in)] |= lowest == from - 1;
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
    if (c->net.topo->link[hop.channel] >= c->net.topo->n_switch_link) {
        return true; /* to and from terminals */
    }
    for (size_t i = 0; c->is.is_declared && i < e->n_own; i++) {
        if (e->own[i].channel == hop.channel && e->own[i].vc == hop.vc && e->own[i].tag == hop.tag) {
            return true;
        }
    }
    return !c->is.is_declared && hop.vc < 64 && (c->is.escape_vcs >> hop.vc & 1);
}

static hf_status load_own(const check *c, escapes *e, const place *p, uint32_t destination) {
    e->n_own = 0;
    return c->is.is_declared ? hf_plan_read_escape(c->cx, &c->net.plan, p->at, p->in, destination, e->own, &e->n_own) : HF_OK;
}

static size_t find_place(const escapes *e, hf_hop in) {
    for (size_t i = 0; i < e->count; i++) {
        const hf_hop x = e->place[i].in;
        if (x.channel == in.channel && x.vc == in.vc && x.tag == in.tag) {
            return i;
        }
    }
    return e->count;
}

/* Numbers rise along extended dependencies; those of one ring with bubbles are one, and a packet on it has one way on. */
static void check_extended_step(check *c, hf_hop held, hf_hop hop, bool is_direct, uint32_t destination, books *b) {
    const uint32_t ring = ring_of(c, held), r = check_resource(c, held), q = check_resource(c, hop);
    if (ring != HF_NONE && ring == ring_of(c, hop)) {
        if (is_direct && b->next[r] != HF_NONE && b->next[r] != q) {
            refute_step(c, held, hop, destination, "the ring forks");
        } else if (c->number[r] != c->number[q]) {
            refute_step(c, held, hop, destination, "the numbers of a ring must be one");
        }
        b->next[r] = is_direct ? q : b->next[r];
    } else if (c->number[q] <= c->number[r]) {
        refute_step(c, held, hop, destination, "numbers must rise along extended dependencies");
    } else {
        note_rise(c, b, held, hop);
    }
}

/* Whatever a packet holds from `start` on without having taken an escape hop, the escape hops that it asks for rank higher. */
static hf_status check_extended(check *c, escapes *e, size_t start, uint32_t destination, books *b) {
    const hf_hop held = e->place[start].in;
    const bool is_bubble = is_bubble_escape(c); /* packets hold one buffer: direct dependencies only */
    size_t tail = 0;
    e->queue[tail++] = (uint32_t)start;
    e->stamp[start] = (uint32_t)start + 1;
    for (size_t head = 0; head < tail && !check_is_refuted(c); head++) {
        const place *p = &e->place[e->queue[head]];
        HF_TRY(load_own(c, e, p, destination));
        for (size_t h = 0; h < p->n_hop; h++) {
            if (is_escape(c, e, p->hop[h])) {
                check_extended_step(c, held, p->hop[h], head == 0, destination, b);
                continue;
            }
            const size_t to = is_bubble ? e->count : find_place(e, p->hop[h]);
            if (to < e->count && e->stamp[to] != start + 1) {
                e->stamp[to] = (uint32_t)start + 1;
                e->queue[tail++] = (uint32_t)to;
            }
        }
    }
    return HF_OK;
}

static hf_status check_offered(check *c, escapes *e, const place *p, uint32_t destination, books *b) {
    bool any = p->n_hop == 0;
    HF_TRY(load_own(c, e, p, destination));
    for (size_t h = 0; h < p->n_hop; h++) {
        if (is_escape(c, e, p->hop[h])) {
            any = true;
            b->is_used[check_resource(c, p->hop[h])] = true;
            if (c->number[check_resource(c, p->hop[h])] < 0) {
                refute_step(c, p->hop[h], p->hop[h], destination, "an escape hop has no number");
            }
        }
    }
    if (!any) {
        check_refute(c, "a packet for t%u finds no escape hop at node %u", destination, p->at);
    }
    return HF_OK;
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
                const size_t to = find_place(e, e->place[i].hop[h]);
                ok = to == e->count || done[to];
            }
            done[i] |= ok;
            left -= ok;
            grew |= ok;
        }
    }
    if (left > 0) {
        check_refute(c, "a packet for t%u can go round for ever", destination);
    }
    return HF_OK;
}

static hf_status check_escape(check *c, place *places, size_t count, uint32_t destination, books *b) {
    escapes e = {.place = places, .count = count};
    HF_TRY(hf_scratch(c->cx, hf_plan_room(&c->net.plan), sizeof *e.own, (void **)&e.own));
    HF_TRY(hf_scratch(c->cx, count, sizeof *e.stamp, (void **)&e.stamp));
    HF_TRY(hf_scratch(c->cx, count, sizeof *e.queue, (void **)&e.queue));
    for (size_t i = 0; i < count && !check_is_refuted(c); i++) {
        HF_TRY(check_offered(c, &e, &places[i], destination, b));
        if (places[i].in.channel != HF_NONE && c->number[check_resource(c, places[i].in)] >= 0) {
            HF_TRY(check_extended(c, &e, i, destination, b));
        }
    }
    return is_bubble_escape(c) ? check_bounded(c, &e, destination) : HF_OK;
}

/* ---- all destinations ---- */

static hf_status check_destination(check *c, uint32_t destination, books *b) {
    place *places;
    size_t count;
    HF_TRY(check_places(c, destination, &places, &count));
    if (c->is.method == HF_METHOD_ESCAPE || is_bubble_escape(c)) {
        return check_escape(c, places, count, destination, b);
    }
    for (size_t i = 0; i < count && !check_is_refuted(c); i++) {
        if (c->is.method == HF_METHOD_FIXPOINT) {
            check_sinking(c, &places[i], destination, b);
        } else {
            check_rising(c, &places[i], destination, b);
        }
    }
    return HF_OK;
}

/* Could the number of r be another one? */
static bool is_loose(const check *c, const books *b, uint32_t r, int64_t highest) {
    const uint32_t ring = check_ring(c, r);
    const bool is_tight = ring == HF_NONE ? b->is_tight[r] : b->has_tight[ring];
    return !is_tight && c->number[r] != (c->is.method == HF_METHOD_FIXPOINT ? 0 : highest);
}

/* Numbers on what is used and nothing else, and none that could be another one. */
static void check_numbers(check *c, const books *b) {
    int64_t lowest = INT64_MAX, highest = -1;
    for (uint32_t r = 0; r < c->n_resource; r++) {
        highest = c->number[r] > highest ? c->number[r] : highest;
        lowest = c->number[r] >= 0 && c->number[r] < lowest ? c->number[r] : lowest;
    }
    for (uint32_t r = 0; r < c->n_resource; r++) {
        char name[96];
        hf_resource_name(c->net.topo, c->net.plan.n_vc, r, name, sizeof name);
        if (b->is_used[r] != (c->number[r] >= 0)) {
            check_refute(c, "%s has the number %lld, and packets %s", name, (long long)c->number[r],
                         b->is_used[r] ? "use it" : "have no use for it");
        } else if (b->is_used[r] && is_loose(c, b, r, highest)) {
            check_refute(c, "%s has the number %lld, which is not the one next to what follows it", name,
                         (long long)c->number[r]);
        }
    }
    if (highest >= 0 && lowest > 0) {
        check_refute(c, "the lowest number is %lld and not 0", (long long)lowest);
    }
}

static hf_status open_books(check *c, books *b) {
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *b->next, (void **)&b->next));
    memset(b->next, 0xff, c->n_resource * sizeof *b->next); /* HF_NONE */
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *b->is_used, (void **)&b->is_used));
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *b->is_tight, (void **)&b->is_tight));
    return hf_scratch(c->cx, c->n_resource, sizeof *b->has_tight, (void **)&b->has_tight);
}

hf_status check_free(check *c) {
    books b;
    HF_TRY(open_books(c, &b));
    for (uint32_t d = 0; d < c->net.topo->n_terminal && !check_is_refuted(c); d++) {
        const hf_mark mark = hf_scratch_mark(c->cx);
        if (hf_plan_is_live(&c->net.plan, d)) {
            HF_TRY(check_destination(c, d, &b));
        }
        hf_scratch_reset(c->cx, mark);
    }
    check_numbers(c, &b);
    return HF_OK;
}
