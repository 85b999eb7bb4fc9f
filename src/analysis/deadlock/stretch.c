/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a state brings is a list of spans of places, ascending and apart, however many destinations they hold: dimension order
 *  on a torus brings two or three to a channel, where lanes are looked at in every block. Where the spans get many, the blocks
 *  are followed by lanes; so they are where the rule breaks its contract, to find where it is seen first. */
#include "src/analysis/deadlock/stretch.h"

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/scout_read.h"

enum { STRETCH = 64 }; /* blocks */

/* ---- places ---- */

static hf_status find_ranks(hf_context *cx, const hf_plan *plan, hf_stretches *x, bool *ascend) {
    const uint32_t n = plan->topo->n_terminal, n_place = x->to->terminals.begin[x->to->n_group];
    uint32_t *order, *rank_of;
    HF_TRY(hf_scratch(cx, n, sizeof *order, (void **)&order));
    HF_TRY(hf_scratch(cx, n, sizeof *rank_of, (void **)&rank_of));
    HF_TRY(hf_scratch(cx, n_place, sizeof *x->rank, (void **)&x->rank));
    HF_TRY(hf_scratch(cx, n, sizeof *x->place, (void **)&x->place));
    HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof *x->below, (void **)&x->below));
    hf_likeness_of(plan)->order(plan, order);
    for (uint32_t i = 0; i < n; i++) {
        rank_of[order[i]] = i;
        x->place[i] = HF_NONE;
    }
    for (uint32_t p = 0; p < n_place; p++) {
        const uint32_t t = x->to->terminals.item[p];
        x->place[t] = p;
        x->rank[p] = rank_of[t];
        x->below[rank_of[t] + 1] = 1;
        *ascend &= p == 0 || x->rank[p - 1] < x->rank[p];
    }
    for (uint32_t i = 0; i < n; i++) {
        x->below[i + 1] += x->below[i];
    }
    return HF_OK;
}

static hf_status find_lowest(hf_context *cx, hf_stretches *x, uint32_t n_place) {
    uint32_t levels = 1;
    while (n_place >> levels) {
        levels++;
    }
    HF_TRY(hf_scratch(cx, levels, sizeof *x->lowest, (void **)&x->lowest));
    x->lowest[0] = x->to->terminals.item;
    for (uint32_t k = 1; k < levels; k++) {
        const uint32_t half = 1u << (k - 1), *before = x->lowest[k - 1];
        HF_TRY(hf_scratch(cx, n_place, sizeof **x->lowest, (void **)&x->lowest[k]));
        for (uint32_t p = 0; p + 2 * half <= n_place; p++) {
            x->lowest[k][p] = before[p] < before[p + half] ? before[p] : before[p + half];
        }
    }
    return HF_OK;
}

hf_status hf_stretches_make(hf_context *cx, const hf_plan *plan, const hf_destinations *to, hf_stretches *out) {
    bool ascend = true;
    *out = (hf_stretches){.to = to, .n_block = 1};
    /* Of packets that commit themselves each hop is a situation, and some are lost where others go on: lanes tell. */
    if (!to->place || plan->flows || (hf_plan_traits(plan) & HF_ROUTING_COMMITS)) {
        return HF_OK;
    }
    HF_TRY(find_ranks(cx, plan, out, &ascend));
    out->n_block = ascend ? STRETCH : 1;
    return find_lowest(cx, out, to->terminals.begin[to->n_group]);
}

/* Of the places lo .. hi - 1. */
static uint32_t lowest_of(const hf_stretches *x, uint32_t lo, uint32_t hi) {
    const uint32_t k = 31 - (uint32_t)__builtin_clz(hi - lo), *of = x->lowest[k];
    const uint32_t a = of[lo], b = of[hi - (1u << k)];
    return a < b ? a : b;
}

/* ---- spans ---- */

/* A list is the number of its first span + 1, and so is the rest of one. The spans of a row have what is offered. */
typedef struct course {
    hf_scout *s;
    const hf_stretches *x;
    uint32_t lo, hi; /* places of the stretch */
    uint32_t limit;  /* spans */
    bool is_crowded;
} course;

static bool is_over(const course *c) { return c->s->failed || c->s->is_wrong || c->is_crowded; }

/* A span behind another, 0: before all. \return the list that begins with it; 0: it cannot be had */
static uint32_t insert(course *c, uint32_t before, hf_span span) {
    hf_scout *s = c->s;
    c->is_crowded |= s->n_span == c->limit;
    if (is_over(c) || !hf_scout_room(s, (void **)&s->span, s->n_span + 1, &s->span_room, sizeof *s->span)) {
        return 0;
    }
    s->span[s->n_span++] = span;
    if (before) {
        s->span[before - 1].next = s->n_span;
    }
    return s->n_span;
}

/* Add places to those that a state brings. \return were some of them new? */
static bool join(course *c, uint32_t state, uint32_t lo, uint32_t hi) {
    hf_scout *s = c->s;
    uint32_t before = 0, next = s->brought[state].span;
    while (next && s->span[next - 1].hi < lo) {
        before = next;
        next = s->span[next - 1].next;
    }
    if (!next || s->span[next - 1].lo > hi) {
        const uint32_t fresh = insert(c, before, (hf_span){lo, hi, 0, next});
        if (!s->brought[state].span && fresh) {
            s->reached[s->n_reached++] = state;
        }
        if (!before) {
            s->brought[state].span = fresh;
        }
        return fresh;
    }
    hf_span *span = &s->span[next - 1];
    const bool is_new = lo < span->lo || hi > span->hi;
    span->lo = lo < span->lo ? lo : span->lo;
    span->hi = hi > span->hi ? hi : span->hi;
    while (span->next && s->span[span->next - 1].lo <= span->hi) {
        const hf_span after = s->span[span->next - 1];
        span->hi = after.hi > span->hi ? after.hi : span->hi;
        span->next = after.next;
    }
    return is_new;
}

/* ---- where packets get ---- */

static void reach(course *c, uint32_t offer, uint32_t lo, uint32_t hi) {
    hf_scout *s = c->s;
    const hf_offer o = s->offer[offer];
    for (uint32_t h = 0; h < o.n && !is_over(c); h++) {
        const uint32_t state = hf_scout_state(s, s->pool[o.begin + h]);
        if (state != HF_NONE && join(c, state, lo, hi) && !s->todo[state]) {
            s->todo[state] = 1;
            s->then[s->n_then++] = state;
        }
    }
}

/* What the first of some places is offered, which ends no later than `end`. \return the end of the run that is offered the same;
 * below or at lo: it cannot be had */
static uint32_t read_run(course *c, uint32_t node, hf_hop in, uint32_t lo, uint32_t end, uint32_t *offer) {
    hf_scout *s = c->s;
    const hf_stretches *x = c->x;
    const uint32_t t = x->to->terminals.item[lo], n_terminal = s->d->plan->topo->n_terminal, rank = x->rank[lo];
    *offer = hf_scout_offer(s, node, hf_scout_hops(s, node, in, t));
    if (is_over(c)) {
        return lo;
    }
    const uint32_t count = hf_plan_along(s->d->plan, node, in, t);
    const uint32_t run = count < n_terminal - rank ? x->below[rank + count] : end;
    return run < end ? run : end;
}

/* Read a row where it was not read, and go on from there. */
static void read_row(course *c, uint32_t row, hf_hop in, uint32_t lo, uint32_t hi) {
    hf_scout *s = c->s;
    uint32_t before = 0, next = s->row[row].span;
    while (lo < hi) {
        while (next && s->span[next - 1].hi <= lo) {
            before = next;
            next = s->span[next - 1].next;
        }
        if (next && s->span[next - 1].lo <= lo) {
            lo = s->span[next - 1].hi;
            continue;
        }
        const uint32_t gap = next && s->span[next - 1].lo < hi ? s->span[next - 1].lo : hi;
        uint32_t offer;
        const uint32_t end = read_run(c, s->row[row].node, in, lo, gap, &offer);
        const bool goes_on = before && s->span[before - 1].hi == lo && s->span[before - 1].what == offer;
        if (is_over(c)) {
            return;
        }
        if (goes_on) {
            s->span[before - 1].hi = end;
        } else {
            const uint32_t fresh = insert(c, before, (hf_span){lo, end, offer, next});
            s->row[row].span = before ? s->row[row].span : fresh;
            before = fresh;
        }
        reach(c, offer, lo, end);
        if (is_over(c)) {
            return;
        }
        lo = end;
    }
}

static void spread(course *c, uint32_t state) {
    hf_scout *s = c->s;
    const hf_topology *topo = s->d->plan->topo;
    const hf_hop in = hf_scout_hop(s, state);
    const uint32_t node = topo->to[in.channel];
    s->todo[state] = 0;
    if (hf_topology_is_terminal(topo, node) ||
        (s->row_of[state] == HF_NONE && (s->row_of[state] = hf_scout_row(s, node, in)) == HF_NONE)) {
        return;
    }
    for (uint32_t i = s->brought[state].span; i && !is_over(c); i = s->span[i - 1].next) {
        const hf_span span = s->span[i - 1];
        read_row(c, s->row_of[state], in, span.lo, span.hi);
    }
}

static void inject(course *c, uint32_t source, uint32_t lo, uint32_t hi) {
    hf_scout *s = c->s;
    while (lo < hi) {
        uint32_t offer;
        const uint32_t end = read_run(c, s->d->plan->topo->n_switch + source, HF_HOP_INJECTION, lo, hi, &offer);
        if (is_over(c)) {
            return;
        }
        if (s->offer[offer].n == 0) {
            hf_stuck_note(&s->stuck, source, lowest_of(c->x, lo, end));
        }
        reach(c, offer, lo, end);
        lo = end;
    }
}

static uint32_t bounded(const course *c, uint32_t place) { return place < c->lo ? c->lo : place < c->hi ? place : c->hi; }

static void inject_all(course *c) {
    const hf_plan *plan = c->s->d->plan;
    for (uint32_t t = 0; t < plan->topo->n_terminal && !is_over(c); t++) {
        if (hf_plan_is_live(plan, t)) {
            inject(c, t, c->lo, bounded(c, c->x->place[t]));
            inject(c, t, bounded(c, c->x->place[t] + 1), c->hi);
        }
    }
}

static void follow(course *c) {
    hf_scout *s = c->s;
    inject_all(c);
    while (!is_over(c) && hf_scout_turn(s)) {
        for (uint32_t i = 0; i < s->n_now && !is_over(c); i++) {
            spread(c, s->now[i]);
        }
    }
}

/* ---- situations ---- */

static void keep(course *c, hf_hop in, uint32_t mask, uint32_t lo, uint32_t hi) {
    const uint32_t lowest = c->s->all ? 0 : lowest_of(c->x, lo, hi);
    hf_scout_keep(c->s, hf_dependency_resource(c->s->d, in), mask, lowest, in.tag);
}

/* Places that end at a terminal which is not theirs. */
static void end_at(course *c, hf_hop in, uint32_t node, uint32_t lo, uint32_t hi) {
    if (lo < hi) {
        hf_stuck_note(&c->s->stuck, HF_NONE, lowest_of(c->x, lo, hi));
        keep(c, in, hf_scout_mask_of_hops(c->s, node, 0), lo, hi);
    }
}

static void note_end(course *c, uint32_t state, hf_hop in, uint32_t node) {
    const uint32_t place = c->x->place[node - c->s->d->plan->topo->n_switch];
    for (uint32_t i = c->s->brought[state].span; i; i = c->s->span[i - 1].next) {
        const hf_span span = c->s->span[i - 1];
        const bool is_here = place >= span.lo && place < span.hi;
        end_at(c, in, node, span.lo, is_here ? place : span.hi);
        end_at(c, in, node, is_here ? place + 1 : span.hi, span.hi);
    }
}

/* Both lists ascend: what the state brings, and what its row offers. */
static void note_state(course *c, uint32_t state) {
    hf_scout *s = c->s;
    const hf_hop in = hf_scout_hop(s, state);
    const uint32_t node = s->d->plan->topo->to[in.channel];
    if (hf_topology_is_terminal(s->d->plan->topo, node)) {
        note_end(c, state, in, node);
        return;
    }
    uint32_t i = s->brought[state].span, j = s->row[s->row_of[state]].span;
    while (i && j && !s->failed) {
        const hf_span a = s->span[i - 1], b = s->span[j - 1];
        const uint32_t lo = a.lo > b.lo ? a.lo : b.lo, hi = a.hi < b.hi ? a.hi : b.hi;
        const hf_offer *o = &s->offer[b.what];
        if (lo < hi && o->n == 0) {
            hf_stuck_note(&s->stuck, HF_NONE, lowest_of(c->x, lo, hi));
        }
        if (lo < hi) {
            keep(c, in, o->mask, lo, hi);
        }
        i = a.hi <= b.hi ? a.next : i;
        j = b.hi <= a.hi ? b.next : j;
    }
}

/* ---- a stretch ---- */

/* \return false: it is to be followed by lanes */
static bool is_followed(hf_scout *s, const hf_stretches *x, uint32_t first, uint32_t end) {
    const uint32_t *begin = x->to->terminals.begin, groups = end * HF_LANES;
    const uint64_t limit = (uint64_t)(end - first + 3) * s->d->n_resource;
    const hf_stuck stuck = s->stuck;
    const hf_breach breach = s->breach;
    course c = {.s = s,
                .x = x,
                .lo = begin[first * HF_LANES],
                .hi = begin[groups < x->to->n_group ? groups : x->to->n_group],
                .limit = limit < HF_NONE ? (uint32_t)limit : HF_NONE - 1};
    s->is_wrong = false;
    s->n_span = 0;
    follow(&c);
    for (uint32_t i = 0; i < s->n_reached && !is_over(&c); i++) {
        note_state(&c, s->reached[i]);
    }
    const bool ok = !s->is_wrong && !c.is_crowded;
    s->breach = breach;
    if (!ok) { /* lanes find again who is stuck, in the order that holds */
        s->stuck = stuck;
    }
    hf_scout_leave(s);
    return ok;
}

void hf_scout_stretch(hf_scout *s, const hf_stretches *x, uint32_t stretch) {
    const uint32_t first = stretch * x->n_block, left = x->to->n_block - first;
    const uint32_t end = first + (left < x->n_block ? left : x->n_block);
    if (x->n_block > 1 && is_followed(s, x, first, end)) {
        return;
    }
    for (uint32_t block = first; block < end && !s->failed; block++) {
        hf_scout_block(s, block);
    }
}
