/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The greatest set of resources that waits for itself, exact for packets that hold one buffer each; small closed subsets of it.
 *
 *  Rings with bubbles keep a free buffer, as nobody comes onto them but where two are free. What waits for ever in such a ring
 *  can wait in all of it only if some packet there waits for others alone, and not for the next buffer of the ring: the free one
 *  may be that then, and a half full buffer keeps those out who would come onto the ring. Where all packets of a ring would also
 *  go on along it, one of them can, and so all of them leave together. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/decide.h"

/* ---- the fixpoint ---- */

typedef struct removal {
    const hf_dependency *d;
    uint32_t *number;
    uint32_t *blocked; /* situations of a resource whose hops are all inside */
    uint64_t *is_free; /* n_situation bits */
    const uint32_t *ring_of;
    hf_rows members; /* of a ring */
    uint32_t *apart; /* by ring: situations that are not free and do not go on along it */
    uint64_t *along; /* n_situation bits: goes on along its ring */
    hf_rows users;   /* situations that name a resource among their hops */
    uint32_t *queue, tail;
} removal;

static bool is_empty(const uint64_t *mask, uint32_t words) {
    for (uint32_t i = 0; i < words; i++) {
        if (mask[i]) {
            return false;
        }
    }
    return true;
}

static hf_status index_users(hf_context *cx, removal *m) {
    const hf_dependency *d = m->d;
    uint32_t slot, q;
    HF_TRY(hf_rows_start(cx, d->n_resource, &m->users));
    for (uint32_t i = 0; i < d->n_situation; i++) {
        slot = 0;
        while ((q = hf_dependency_next(d, d->resource[i], hf_dependency_mask(d, i), &slot)) != HF_NONE) {
            hf_rows_count(&m->users, q);
        }
    }
    HF_TRY(hf_rows_lay(cx, &m->users));
    for (uint32_t i = 0; i < d->n_situation; i++) {
        slot = 0;
        while ((q = hf_dependency_next(d, d->resource[i], hf_dependency_mask(d, i), &slot)) != HF_NONE) {
            hf_rows_put(&m->users, q, i);
        }
    }
    return HF_OK;
}

/* ---- rings with bubbles ---- */

bool hf_goes_along_ring(const hf_dependency *d, const uint32_t *ring_of, uint32_t i) {
    const uint32_t r = d->resource[i];
    uint32_t slot = 0, q;
    while (ring_of && ring_of[r] != HF_NONE && (q = hf_dependency_next(d, r, hf_dependency_mask(d, i), &slot)) != HF_NONE) {
        if (ring_of[q] == ring_of[r]) {
            return true;
        }
    }
    return false;
}

static hf_status index_rings(hf_context *cx, removal *m) {
    const hf_dependency *d = m->d;
    HF_TRY(hf_rows_of(cx, d->n_resource, NULL, d->n_resource, m->ring_of, &m->members));
    HF_TRY(hf_scratch(cx, d->n_resource, sizeof *m->apart, (void **)&m->apart));
    HF_TRY(hf_scratch(cx, hf_words(d->n_situation), sizeof *m->along, (void **)&m->along));
    for (uint32_t i = 0; i < d->n_situation; i++) {
        const uint32_t ring = m->ring_of[d->resource[i]];
        if (hf_goes_along_ring(d, m->ring_of, i)) {
            hf_bit_set(m->along, i);
        } else if (ring != HF_NONE && !is_empty(hf_dependency_mask(d, i), d->words)) {
            m->apart[ring]++;
        }
    }
    return HF_OK;
}

/* ---- one after the other ---- */

static void enter(removal *m, uint32_t r, uint32_t number) {
    if (m->number[r] == HF_NONE) {
        m->number[r] = number;
        m->queue[m->tail++] = r;
    }
}

static void enter_ring(removal *m, uint32_t ring, uint32_t number) {
    for (uint32_t i = m->members.begin[ring]; i < m->members.begin[ring + 1]; i++) {
        enter(m, m->members.item[i], number);
    }
}

/* Resource q is left: whoever may go there is free. Numbers ascend along the queue. */
static void leave(removal *m, uint32_t q) {
    for (uint32_t k = m->users.begin[q]; k < m->users.begin[q + 1]; k++) {
        const uint32_t i = m->users.item[k], r = m->d->resource[i], ring = m->ring_of ? m->ring_of[r] : HF_NONE;
        if (hf_bit_test(m->is_free, i)) {
            continue;
        }
        hf_bit_set(m->is_free, i);
        if (--m->blocked[r] == 0) {
            enter(m, r, m->number[q] + 1);
        }
        if (ring != HF_NONE && !hf_bit_test(m->along, i) && --m->apart[ring] == 0) {
            enter_ring(m, ring, m->number[q] + 1);
        }
    }
}

/* Sinks come first: the last channels to destinations, and what nobody reaches. A packet without hops is not counted: it is
 * lost, not in a deadlock. */
static void start(removal *m) {
    const hf_dependency *d = m->d;
    for (uint32_t i = 0; i < d->n_situation; i++) {
        m->blocked[d->resource[i]] += !is_empty(hf_dependency_mask(d, i), d->words);
    }
    memset(m->number, 0xff, d->n_resource * sizeof *m->number); /* HF_NONE */
    for (uint32_t r = 0; r < d->n_resource; r++) {
        if (m->blocked[r] == 0) {
            enter(m, r, 0);
        }
    }
    for (uint32_t ring = 0; m->ring_of && ring < d->n_resource; ring++) {
        if (m->apart[ring] == 0) {
            enter_ring(m, ring, 0);
        }
    }
}

hf_status hf_fixpoint(hf_context *cx, const hf_dependency *d, const uint32_t *ring_of, uint32_t *number, uint64_t *inside,
                      uint32_t *size) {
    removal m = {.d = d, .ring_of = ring_of, .number = number};
    HF_TRY(hf_scratch(cx, d->n_resource, sizeof *m.blocked, (void **)&m.blocked));
    HF_TRY(hf_scratch(cx, hf_words(d->n_situation), sizeof *m.is_free, (void **)&m.is_free));
    HF_TRY(hf_scratch(cx, d->n_resource, sizeof *m.queue, (void **)&m.queue));
    HF_TRY(index_users(cx, &m));
    HF_TRY(ring_of ? index_rings(cx, &m) : HF_OK);
    start(&m);
    for (uint32_t head = 0; head < m.tail; head++) {
        leave(&m, m.queue[head]);
    }
    *size = 0;
    memset(inside, 0, hf_words(d->n_resource) * sizeof *inside);
    for (uint32_t r = 0; r < d->n_resource; r++) {
        if (number[r] == HF_NONE) {
            hf_bit_set(inside, r);
            ++*size;
        }
    }
    return HF_OK;
}

/* ---- small closed subsets ---- */

/* Situations that can take part: hops all inside, none whose hops hold those of another of the resource. */
typedef struct choice {
    const hf_dependency *d;
    const uint32_t *ring_of; /* with bubbles; NULL: none */
    uint32_t *begin, *item;  /* by resource */
    double end_s;
    bool is_late;
    uint32_t steps;
    /* branch and bound */
    uint64_t *taken;       /* resources that must be in */
    uint32_t *list, *pick; /* those in the order of coming, and the situation picked for each */
    uint32_t count, best;
    uint32_t *best_pick;
    uint32_t root; /* no resource below it */
} choice;

static bool holds_mask(const uint64_t *a, const uint64_t *b, uint32_t words) { /* is b part of a? */
    for (uint32_t i = 0; i < words; i++) {
        if (b[i] & ~a[i]) {
            return false;
        }
    }
    return true;
}

static bool all_inside(const hf_dependency *d, uint32_t i, const uint64_t *inside) {
    uint32_t slot = 0, q;
    const uint64_t *mask = hf_dependency_mask(d, i);
    if (is_empty(mask, d->words)) {
        return false;
    }
    while ((q = hf_dependency_next(d, d->resource[i], mask, &slot)) != HF_NONE) {
        if (!hf_bit_test(inside, q)) {
            return false;
        }
    }
    return true;
}

static bool is_needed(const choice *c, uint32_t i, uint32_t r, uint32_t first, uint32_t n) {
    for (uint32_t k = first; k < n; k++) {
        if (holds_mask(hf_dependency_mask(c->d, i), hf_dependency_mask(c->d, c->item[k]), c->d->words)) {
            return false;
        }
    }
    (void)r;
    return true;
}

/* Packets that do not go on along their ring come first, so that the first choices of all are a set that may stand. */
static void put_apart_first(const choice *c, uint32_t r) {
    uint32_t first = c->begin[r];
    for (uint32_t k = first; k < c->begin[r + 1]; k++) {
        const uint32_t i = c->item[k];
        if (!hf_goes_along_ring(c->d, c->ring_of, i)) {
            memmove(c->item + first + 1, c->item + first, (k - first) * sizeof *c->item);
            c->item[first++] = i;
        }
    }
}

static hf_status find_choices(hf_context *cx, choice *c, const uint64_t *inside) {
    const hf_dependency *d = c->d;
    HF_TRY(hf_scratch(cx, (size_t)d->n_resource + 1, sizeof *c->begin, (void **)&c->begin));
    HF_TRY(hf_scratch(cx, d->n_situation, sizeof *c->item, (void **)&c->item));
    uint32_t n = 0;
    for (uint32_t r = 0; r < d->n_resource; r++) {
        c->begin[r] = n;
        if (!hf_bit_test(inside, r)) {
            continue;
        }
        for (uint32_t bits = 1; bits <= d->words * 64;
             bits++) { /* small masks first, so that larger ones are seen to hold them */
            bool more = false;
            for (uint32_t i = d->begin[r]; i < d->begin[r + 1]; i++) {
                const uint64_t size = hf_bits_count(hf_dependency_mask(d, i), d->words);
                more |= size > bits;
                if (size == bits && all_inside(d, i, inside) && is_needed(c, i, r, c->begin[r], n)) {
                    c->item[n++] = i;
                }
            }
            if (!more) {
                break;
            }
        }
    }
    c->begin[d->n_resource] = n;
    for (uint32_t r = 0; c->ring_of && r < d->n_resource; r++) {
        put_apart_first(c, r);
    }
    return HF_OK;
}

/* May the set stay as it is: has each ring with bubbles that takes part a packet that does not wait for its next buffer? */
static bool rings_may_stand(const choice *c) {
    for (uint32_t i = 0; c->ring_of && i < c->count; i++) {
        const uint32_t ring = c->ring_of[c->list[i]];
        bool has_apart = ring == HF_NONE;
        for (uint32_t k = 0; k < c->count && !has_apart; k++) {
            has_apart = c->ring_of[c->list[k]] == ring && !hf_goes_along_ring(c->d, c->ring_of, c->pick[k]);
        }
        if (!has_apart) {
            return false;
        }
    }
    return true;
}

/* Cycles of packets that have one hop each. */
static hf_status single_cycle(hf_context *cx, const choice *c, double limit_s, uint32_t **cycle, uint32_t *n_cycle) {
    const hf_dependency *d = c->d;
    uint32_t *from, *to, n = 0;
    const uint32_t items = c->begin[d->n_resource];
    HF_TRY(hf_scratch(cx, items, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(cx, items, sizeof *to, (void **)&to));
    for (uint32_t k = 0; k < items; k++) {
        const uint32_t i = c->item[k];
        if (hf_bits_count(hf_dependency_mask(d, i), d->words) == 1) {
            uint32_t slot = 0;
            from[n] = d->resource[i];
            to[n++] = hf_dependency_next(d, d->resource[i], hf_dependency_mask(d, i), &slot);
        }
    }
    hf_digraph g;
    HF_TRY(hf_digraph_of_edges(cx, d->n_resource, n, from, to, &g));
    return hf_digraph_shortest_cycle(cx, &g, NULL, limit_s, cycle, n_cycle);
}

/* Does a cycle run along one ring with bubbles? */
static bool is_within_ring(const choice *c, const uint32_t *cycle, uint32_t n) {
    const uint32_t ring = c->ring_of ? c->ring_of[cycle[0]] : HF_NONE;
    for (uint32_t i = 1; i < n && ring != HF_NONE; i++) {
        if (c->ring_of[cycle[i]] != ring) {
            return false;
        }
    }
    return ring != HF_NONE;
}

/* The situation at r whose only hop is q. */
static uint32_t situation_to(const choice *c, uint32_t r, uint32_t q) {
    for (uint32_t k = c->begin[r]; k < c->begin[r + 1]; k++) {
        uint32_t slot = 0;
        const uint64_t *mask = hf_dependency_mask(c->d, c->item[k]);
        if (hf_bits_count(mask, c->d->words) == 1 && hf_dependency_next(c->d, r, mask, &slot) == q) {
            return c->item[k];
        }
    }
    return HF_NONE;
}

/* Take all hops of a situation in; \return how many are new, HF_NONE if one is below the root */
static uint32_t take_hops(choice *c, uint32_t i) {
    uint32_t slot = 0, q, added = 0;
    while ((q = hf_dependency_next(c->d, c->d->resource[i], hf_dependency_mask(c->d, i), &slot)) != HF_NONE) {
        if (hf_bit_test(c->taken, q)) {
            continue;
        }
        c->list[c->count++] = q;
        hf_bit_set(c->taken, q);
        added++;
    }
    return added;
}

static void give_back(choice *c, uint32_t added) {
    while (added-- > 0) {
        hf_bit_clear(c->taken, c->list[--c->count]);
    }
}

static bool below_root(const choice *c, uint32_t added) {
    for (uint32_t k = 0; k < added; k++) {
        if (c->list[c->count - 1 - k] < c->root) {
            return true;
        }
    }
    return false;
}

/* Pick a situation for the `at`-th resource of the list, and so on; all sets smaller than the best. */
static void branch(hf_context *cx, choice *c, uint32_t at) {
    if (at == c->count && !rings_may_stand(c)) {
        return;
    }
    if (at == c->count) {
        c->best = c->count;
        memcpy(c->best_pick, c->pick, c->count * sizeof *c->pick);
        return;
    }
    if ((++c->steps & 1023) == 0) {
        c->is_late = c->is_late || hf_clock_s() > c->end_s || hf_context_stopped(cx);
    }
    const uint32_t r = c->list[at];
    for (uint32_t k = c->begin[r]; k < c->begin[r + 1] && !c->is_late; k++) {
        const uint32_t added = take_hops(c, c->item[k]);
        if (c->count < c->best && !below_root(c, added)) {
            c->pick[at] = c->item[k];
            branch(cx, c, at + 1);
        }
        give_back(c, added);
    }
}

static void search(hf_context *cx, choice *c, const uint64_t *inside, uint32_t floor) {
    for (uint32_t r = 0; r < c->d->n_resource && !c->is_late && c->best > floor; r++) {
        if (!hf_bit_test(inside, r)) {
            continue;
        }
        c->root = r;
        c->count = 1;
        c->list[0] = r;
        hf_bit_set(c->taken, r);
        branch(cx, c, 0);
        hf_bit_clear(c->taken, r);
    }
}

/* Start from what is reached by taking the first choice of every resource from the lowest on. */
static void first_closure(choice *c, const uint64_t *inside) {
    uint32_t r = (uint32_t)hf_bits_next(inside, c->d->n_resource, 0);
    c->count = 1;
    c->list[0] = r;
    hf_bit_set(c->taken, r);
    for (uint32_t at = 0; at < c->count; at++) {
        c->pick[at] = c->item[c->begin[c->list[at]]];
        (void)take_hops(c, c->pick[at]);
    }
    c->best = c->count;
    memcpy(c->best_pick, c->pick, c->count * sizeof *c->pick);
    give_back(c, c->count);
}

static hf_status open_search(hf_context *cx, choice *c) {
    const uint32_t n = c->d->n_resource;
    HF_TRY(hf_scratch(cx, hf_words(n), sizeof *c->taken, (void **)&c->taken));
    uint32_t **const array[] = {&c->list, &c->pick, &c->best_pick};
    for (size_t i = 0; i < 3; i++) {
        HF_TRY(hf_scratch(cx, (size_t)n + 1, sizeof(uint32_t), (void **)array[i]));
    }
    return HF_OK;
}

hf_status hf_fixpoint_witness(hf_context *cx, const hf_dependency *d, const uint32_t *ring_of, const uint64_t *inside,
                              uint32_t girth, double limit_s, uint32_t **chosen, uint32_t *count, bool *is_smallest) {
    choice c = {.d = d, .ring_of = ring_of, .end_s = hf_clock_s() + limit_s};
    uint32_t *cycle, n_cycle;
    HF_TRY(find_choices(cx, &c, inside));
    HF_TRY(open_search(cx, &c));
    HF_TRY(single_cycle(cx, &c, limit_s, &cycle, &n_cycle));
    const bool has_cycle = n_cycle != 0 && n_cycle != HF_NONE && !is_within_ring(&c, cycle, n_cycle);
    if (has_cycle) {
        for (uint32_t i = 0; i < n_cycle; i++) {
            c.best_pick[i] = situation_to(&c, cycle[i], cycle[(i + 1) % n_cycle]);
        }
        c.best = n_cycle;
    } else {
        first_closure(&c, inside);
    }
    const uint32_t floor = girth == HF_NONE ? 1 : girth;
    if (c.best > floor) {
        search(cx, &c, inside, floor);
    }
    *chosen = c.best_pick;
    *count = c.best;
    *is_smallest = c.best <= floor || !c.is_late;
    return HF_OK;
}
