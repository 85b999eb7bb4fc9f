/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Certificates of escapes: offered wherever a packet can be, and numbers that rise along extended dependencies, one destination
 *  after the other. */
#include <string.h>

#include "src/check/check.h"

typedef struct escapes {
    place *place;
    size_t count;
    hf_hop *own;
    size_t n_own;
    uint32_t *stamp, *queue;  /* by place */
    uint32_t *newest, *older; /* by resource and by place: places of a resource + 1 */
    uint32_t *begin, *to;     /* by place; by hop: where it leads, `count`: it is delivered, or lost */
    bool *is_own;             /* by hop: it is an escape hop */
    int64_t *lowest;          /* by place: of escape hops in sight */
} escapes;

static uint32_t ring_of(const check *c, hf_hop hop) { return check_ring(c, check_resource(c, hop)); }

static bool is_bubble_escape(const check *c) { return c->is.method == HF_METHOD_BUBBLE_ESCAPE; }

static bool is_escape(const check *c, const escapes *e, hf_hop hop) {
    if (c->net.topo->link[hop.channel] >= c->net.topo->n_switch_link) {
        return true; /* to and from terminals */
    }
    return c->is.is_declared ? hf_hops_hold(e->own, e->n_own, hop) : hop.vc < 64 && (c->is.escape_vcs >> hop.vc & 1);
}

static hf_status load_own(const check *c, escapes *e, const place *p, uint32_t destination) {
    e->n_own = 0;
    return c->is.is_declared ? hf_plan_read_escape(c->cx, &c->net.plan, p->at, p->in, destination, e->own, &e->n_own) : HF_OK;
}

static uint32_t find_place(const check *c, const escapes *e, hf_hop in) {
    uint32_t i = e->newest[check_resource(c, in)];
    while (i && e->place[i - 1].in.tag != in.tag) {
        i = e->older[i - 1];
    }
    return i ? i - 1 : (uint32_t)e->count;
}

/* Where the hops of all places lead. */
static hf_status index_hops(check *c, escapes *e) {
    uint32_t n = 0;
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *e->newest, (void **)&e->newest));
    HF_TRY(hf_scratch(c->cx, e->count, sizeof *e->older, (void **)&e->older));
    HF_TRY(hf_scratch(c->cx, e->count + 1, sizeof *e->begin, (void **)&e->begin));
    for (uint32_t i = 0; i < e->count; i++) {
        e->begin[i] = n;
        n += (uint32_t)e->place[i].n_hop;
        if (e->place[i].in.channel != HF_NONE) {
            uint32_t *newest = &e->newest[check_resource(c, e->place[i].in)];
            e->older[i] = *newest;
            *newest = i + 1;
        }
    }
    e->begin[e->count] = n;
    HF_TRY(hf_scratch(c->cx, n, sizeof *e->to, (void **)&e->to));
    HF_TRY(hf_scratch(c->cx, n, sizeof *e->is_own, (void **)&e->is_own));
    for (uint32_t i = 0; i < e->count; i++) {
        for (size_t h = 0; h < e->place[i].n_hop; h++) {
            e->to[e->begin[i] + h] = find_place(c, e, e->place[i].hop[h]);
        }
    }
    return HF_OK;
}

/* Numbers rise along extended dependencies; those of one ring with bubbles are one, and a packet on it has one way on. */
static void check_extended_step(check *c, hf_hop held, hf_hop hop, bool is_direct, uint32_t destination, books *b) {
    const uint32_t ring = ring_of(c, held), r = check_resource(c, held), q = check_resource(c, hop);
    if (ring != HF_NONE && ring == ring_of(c, hop)) {
        if (is_direct && b->next[r] != HF_NONE && b->next[r] != q) {
            check_refute_step(c, held, hop, destination, "the ring forks");
        } else if (c->number[r] != c->number[q]) {
            check_refute_step(c, held, hop, destination, "the numbers of a ring must be one");
        }
        b->next[r] = is_direct ? q : b->next[r];
    } else if (c->number[q] <= c->number[r]) {
        check_refute_step(c, held, hop, destination, "numbers must rise along extended dependencies");
    } else {
        check_note_rise(c, b, held, hop);
    }
}

/* The lowest number of the escape hops in sight of each place, over hops that are none; until it stays. */
static void find_lowest(const check *c, escapes *e) {
    for (size_t i = 0; i < e->count; i++) {
        e->lowest[i] = INT64_MAX;
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t i = e->count; i-- > 0;) {
            int64_t lowest = INT64_MAX;
            for (size_t h = 0; h < e->place[i].n_hop; h++) {
                const uint32_t k = e->begin[i] + (uint32_t)h;
                const int64_t far = e->to[k] < e->count ? e->lowest[e->to[k]] : INT64_MAX;
                const int64_t seen = e->is_own[k] ? c->number[check_resource(c, e->place[i].hop[h])] : far;
                lowest = seen < lowest ? seen : lowest;
            }
            grew |= lowest < e->lowest[i];
            e->lowest[i] = lowest;
        }
    }
}

/* Whatever a packet holds from `start` on without having taken an escape hop, the escape hops that it asks for rank higher. */
static void check_extended(check *c, escapes *e, size_t start, uint32_t destination, books *b) {
    const hf_hop held = e->place[start].in;
    const bool is_bubble = is_bubble_escape(c); /* packets hold one buffer: direct dependencies only */
    size_t tail = 0;
    e->queue[tail++] = (uint32_t)start;
    e->stamp[start] = (uint32_t)start + 1;
    for (size_t head = 0; head < tail && !check_is_refuted(c); head++) {
        const place *p = &e->place[e->queue[head]];
        for (size_t h = 0; h < p->n_hop; h++) {
            const uint32_t k = e->begin[e->queue[head]] + (uint32_t)h, to = is_bubble ? (uint32_t)e->count : e->to[k];
            if (e->is_own[k]) {
                check_extended_step(c, held, p->hop[h], head == 0, destination, b);
            } else if (to < e->count && e->stamp[to] != start + 1) {
                e->stamp[to] = (uint32_t)start + 1;
                e->queue[tail++] = to;
            }
        }
    }
}

/* The same, step by step only where something is wrong or rings count. */
static void check_held(check *c, escapes *e, size_t i, uint32_t destination, books *b) {
    const uint32_t r = check_resource(c, e->place[i].in);
    if (is_bubble_escape(c) || e->lowest[i] <= c->number[r]) {
        check_extended(c, e, i, destination, b);
    } else if (e->lowest[i] == c->number[r] + 1) {
        b->is_tight[r] = true;
    }
}

static hf_status check_offered(check *c, escapes *e, size_t i, uint32_t destination, books *b) {
    const place *p = &e->place[i];
    bool any = p->n_hop == 0;
    HF_TRY(load_own(c, e, p, destination));
    for (size_t h = 0; h < p->n_hop; h++) {
        if (is_escape(c, e, p->hop[h])) {
            any = e->is_own[e->begin[i] + h] = true;
            b->is_used[check_resource(c, p->hop[h])] = true;
            if (c->number[check_resource(c, p->hop[h])] < 0) {
                check_refute_step(c, p->hop[h], p->hop[h], destination, "an escape hop has no number");
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
        for (size_t i = e->count; i-- > 0;) {
            bool ok = !done[i];
            for (size_t h = 0; h < e->place[i].n_hop && ok; h++) {
                const uint32_t to = e->to[e->begin[i] + h];
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
    HF_TRY(hf_scratch(c->cx, count, sizeof *e.lowest, (void **)&e.lowest));
    HF_TRY(index_hops(c, &e));
    for (size_t i = 0; i < count && !check_is_refuted(c); i++) {
        HF_TRY(check_offered(c, &e, i, destination, b));
    }
    find_lowest(c, &e);
    for (size_t i = 0; i < count && !check_is_refuted(c); i++) {
        if (places[i].in.channel != HF_NONE && c->number[check_resource(c, places[i].in)] >= 0) {
            check_held(c, &e, i, destination, b);
        }
    }
    return is_bubble_escape(c) ? check_bounded(c, &e, destination) : HF_OK;
}

hf_status check_escapes(check *c, books *b) {
    for (uint32_t d = 0; d < c->net.topo->n_terminal && !check_is_refuted(c); d++) {
        const hf_mark mark = hf_scratch_mark(c->cx);
        place *places;
        size_t count;
        if (hf_plan_is_live(&c->net.plan, d)) {
            HF_TRY(check_places(c, d, &places, &count));
            HF_TRY(check_escape(c, places, count, d, b));
        }
        hf_scratch_reset(c->cx, mark);
    }
    return HF_OK;
}
