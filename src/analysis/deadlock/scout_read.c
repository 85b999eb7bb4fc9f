/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a rule says, read under its contract, and each different answer kept once. */
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/scout_read.h"

uint32_t hf_scout_lowest(const hf_scout *s, uint64_t lanes) {
    return hf_destinations_lowest(s->to, s->block * HF_LANES + (uint32_t)__builtin_ctzll(lanes));
}

bool hf_scout_room(hf_scout *s, void **block, uint32_t need, uint32_t *room, size_t size) {
    if (need <= *room) {
        return true;
    }
    const uint32_t more = need > 2 * *room ? need + 64 : 2 * *room;
    void *bigger = s->allocator->resize(s->allocator->user, *block, more * size);
    if (!bigger) {
        s->failed = true;
        return false;
    }
    *block = bigger;
    *room = more;
    return true;
}

/* ---- masks ---- */

static uint32_t hash_words(uint32_t node, const uint64_t *bits, uint32_t words) {
    uint64_t x = node;
    for (uint32_t w = 0; w < words; w++) {
        x = (x ^ bits[w]) * UINT64_C(0xff51afd7ed558ccd);
        x ^= x >> 32;
    }
    return hf_index_hash(x);
}

static bool add_mask(hf_scout *s, uint32_t node, const uint64_t *bits) {
    const uint32_t words = s->d->words;
    uint32_t room = s->mask_room, again = room, more = room;
    if (!hf_scout_room(s, (void **)&s->mask_node, s->n_mask + 1, &room, sizeof *s->mask_node) ||
        !hf_scout_room(s, (void **)&s->mask_place, s->n_mask + 1, &again, sizeof *s->mask_place) ||
        !hf_scout_room(s, (void **)&s->mask, s->n_mask + 1, &more, words * sizeof *s->mask)) {
        return false;
    }
    s->mask_room = room;
    s->mask_node[s->n_mask] = node;
    s->mask_place[s->n_mask] = s->masks_at[node]++;
    memcpy(s->mask + (size_t)s->n_mask * words, bits, words * sizeof *bits);
    s->n_mask++;
    return true;
}

/* Where the number of a mask of one bit + 1 is at hand: its resource has no other; NULL: it has more bits, or none. */
static uint32_t *lone_mask(const hf_scout *s, uint32_t node, const uint64_t *bits) {
    const hf_topology *topo = s->d->plan->topo;
    const uint32_t n_vc = s->d->n_vc, slots = s->d->words * 64;
    const uint32_t slot = (uint32_t)hf_bits_next(bits, slots, 0);
    if (slot == slots || hf_bits_next(bits, slots, slot + 1) < slots) {
        return NULL;
    }
    return &s->lone_mask[topo->out_list[topo->out_begin[node] + slot / n_vc] * n_vc + slot % n_vc];
}

uint32_t hf_scout_mask(hf_scout *s, uint32_t node, const uint64_t *bits) {
    uint32_t *lone = lone_mask(s, node, bits);
    if (lone) {
        *lone = *lone || !add_mask(s, node, bits) ? *lone : s->n_mask;
        return *lone ? *lone - 1 : 0;
    }
    const uint32_t words = s->d->words, hash = hash_words(node, bits, words);
    uint32_t at = hash, i;
    while ((i = hf_index_next(&s->masks, hash, &at)) != HF_NONE) {
        if (s->mask_node[i] == node && memcmp(s->mask + (size_t)i * words, bits, words * sizeof *bits) == 0) {
            return i;
        }
    }
    if (!add_mask(s, node, bits) || !hf_index_add(s->allocator, &s->masks, hash, s->n_mask - 1)) {
        s->failed = true;
        return 0;
    }
    return s->n_mask - 1;
}

/* ---- hops ---- */

void hf_scout_note_stuck_lanes(hf_scout *s, uint32_t source, uint64_t lanes) {
    for (; lanes; lanes &= lanes - 1) {
        hf_stuck_note(&s->stuck, source, hf_scout_lowest(s, lanes));
    }
}

static void note_wrong(hf_scout *s, uint32_t at, hf_hop in, uint32_t destination) {
    s->is_wrong = true;
    if (destination < s->breach.destination) {
        s->breach = (hf_breach){at, destination, in};
    }
}

uint32_t hf_scout_hops(hf_scout *s, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_plan *plan = s->d->plan;
    size_t count, kept = 0;
    s->loses = false;
    if (hf_plan_read(NULL, plan, at, in, destination, s->hops, &count) != HF_OK) {
        note_wrong(s, at, in, destination);
        return 0;
    }
    for (size_t i = 0; i < count && s->has_faults; i++) {
        if (!hf_bit_test(plan->faults->channel_set, s->hops[i].channel)) {
            s->hops[kept++] = s->hops[i];
        }
    }
    s->loses = s->commits && s->has_faults && kept < count;
    return (uint32_t)(s->has_faults ? kept : count);
}

static bool same_hops(const hf_hop *a, const hf_hop *b, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (!hf_hop_is(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

static uint32_t hash_hops(uint32_t at, const hf_hop *hops, uint32_t n) {
    uint64_t x = at;
    for (uint32_t i = 0; i < n; i++) {
        x = (x ^ hf_hop_key(hops[i])) * UINT64_C(0xff51afd7ed558ccd);
        x ^= x >> 32;
    }
    return hf_index_hash(x);
}

uint32_t hf_scout_mask_of_hops(hf_scout *s, uint32_t at, uint32_t n) {
    memset(s->scratch, 0, s->d->words * sizeof *s->scratch);
    for (uint32_t i = 0; i < n; i++) {
        hf_bit_set(s->scratch, hf_dependency_slot(s->d, s->hops[i]));
    }
    return hf_scout_mask(s, at, s->scratch);
}

uint32_t hf_scout_mask_of_hop(hf_scout *s, uint32_t at, hf_hop hop) {
    memset(s->scratch, 0, s->d->words * sizeof *s->scratch);
    hf_bit_set(s->scratch, hf_dependency_slot(s->d, hop));
    return hf_scout_mask(s, at, s->scratch);
}

/* An offer of no hops is one of its node too. */
static hf_hop first_hop(const hf_scout *s, uint32_t at, uint32_t n) { return n ? s->hops[0] : (hf_hop){at, 0, 0}; }

static bool is_offer(const hf_scout *s, uint32_t i, uint32_t at, uint32_t n) {
    const hf_offer *o = &s->offer[i];
    const hf_hop first = first_hop(s, at, n);
    return o->n == n && hf_hop_is(o->first, first) && (n < 2 || same_hops(s->pool + o->begin, s->hops, n));
}

static bool add_offer(hf_scout *s, uint32_t at, uint32_t n) {
    if (!hf_scout_room(s, (void **)&s->offer, s->n_offer + 1, &s->offer_room, sizeof *s->offer) ||
        !hf_scout_room(s, (void **)&s->pool, s->n_pool + n, &s->pool_room, sizeof *s->pool)) {
        return false;
    }
    s->offer[s->n_offer] = (hf_offer){s->n_pool, n, hf_scout_mask_of_hops(s, at, n), first_hop(s, at, n)};
    if (n) {
        memcpy(s->pool + s->n_pool, s->hops, n * sizeof *s->hops);
    }
    s->n_pool += n;
    s->n_offer++;
    return !s->failed;
}

static uint32_t look_up_offer(hf_scout *s, uint32_t at, uint32_t n) {
    const uint32_t hash = hash_hops(at, s->hops, n);
    uint32_t place = hash, i;
    while ((i = hf_index_next(&s->offers, hash, &place)) != HF_NONE) {
        if (is_offer(s, i, at, n)) {
            return i;
        }
    }
    if (!add_offer(s, at, n) || !hf_index_add(s->allocator, &s->offers, hash, s->n_offer - 1)) {
        s->failed = true;
        return HF_NONE;
    }
    return s->n_offer - 1;
}

/* One hop without a tag is an offer of which its resource has no other. */
static uint32_t lone_offer(hf_scout *s, uint32_t at, uint32_t *lone) {
    *lone = *lone || !add_offer(s, at, 1) ? *lone : s->n_offer;
    return *lone ? *lone - 1 : HF_NONE;
}

/* Else mostly the offer that its first resource began before. */
uint32_t hf_scout_offer(hf_scout *s, uint32_t at, uint32_t n) {
    if (n == 1 && s->hops[0].tag == 0) {
        return lone_offer(s, at, &s->lone_offer[hf_dependency_resource(s->d, s->hops[0])]);
    }
    uint32_t *recent = n ? &s->recent[hf_dependency_resource(s->d, s->hops[0])] : NULL;
    if (recent && *recent && *recent <= s->n_offer && is_offer(s, *recent - 1, at, n)) {
        return *recent - 1;
    }
    const uint32_t found = look_up_offer(s, at, n);
    if (recent && found != HF_NONE) {
        *recent = found + 1;
    }
    return found;
}

/* ---- rows ---- */

static void add_part(hf_scout *s, hf_row_of_lanes *row, uint32_t offer, uint64_t lanes) {
    for (uint32_t i = row->part; i; i = s->part[i - 1].next) {
        if (s->part[i - 1].offer == offer) {
            s->part[i - 1].lanes |= lanes;
            return;
        }
    }
    if (hf_scout_room(s, (void **)&s->part, s->n_part + 1, &s->part_room, sizeof *s->part)) {
        s->part[s->n_part++] = (hf_part){lanes, offer, row->part};
        row->part = s->n_part;
    }
}

/* Where the group of a lane stands in the order that groups go in. */
static uint32_t place_of(const hf_scout *s, uint32_t lane) {
    const uint32_t group = s->block * HF_LANES + lane;
    return s->to->place ? s->to->place[group] : hf_destinations_lowest(s->to, group);
}

/* Lanes that stand below `end`. */
static uint64_t lanes_below(const hf_scout *s, uint32_t end) {
    uint32_t lo = 0, hi = hf_destinations_lanes(s->to, s->block);
    if (place_of(s, hi - 1) < end) {
        return ~UINT64_C(0);
    }
    while (lo < hi) {
        const uint32_t middle = (lo + hi) / 2;
        if (place_of(s, middle) < end) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo == 0 ? 0 : ~UINT64_C(0) >> (HF_LANES - lo);
}

/* Lanes up to the end of the run of the lowest, which is terminal t, in the rule's order. */
static uint64_t lanes_along(const hf_scout *s, uint32_t node, hf_hop in, uint64_t lanes, uint32_t t) {
    const uint32_t place = place_of(s, (uint32_t)__builtin_ctzll(lanes)), count = hf_plan_along(s->d->plan, node, in, t);
    return lanes & lanes_below(s, count < HF_NONE - place ? place + count : HF_NONE);
}

uint64_t hf_scout_run(const hf_scout *s, uint32_t node, hf_hop in, uint64_t lanes) {
    const uint32_t t = hf_scout_lowest(s, lanes);
    if (s->to->place) {
        return lanes_along(s, node, in, lanes, t);
    }
    return s->like->run ? lanes & lanes_below(s, hf_plan_run(s->d->plan, node, in, t)) : lanes & (~lanes + 1);
}

void hf_scout_read(hf_scout *s, hf_row_of_lanes *row, hf_hop in, uint64_t lanes) {
    const uint32_t n_switch = s->d->plan->topo->n_switch, source = row->node < n_switch ? HF_NONE : row->node - n_switch;
    uint64_t alike = 0; /* as the ones before */
    uint32_t offer = HF_NONE;
    row->known |= lanes;
    while (lanes && !s->failed && !s->is_wrong) {
        const uint32_t found = hf_scout_offer(s, row->node, hf_scout_hops(s, row->node, in, hf_scout_lowest(s, lanes)));
        const uint64_t run = hf_scout_run(s, row->node, in, lanes);
        hf_scout_note_stuck_lanes(s, source, s->loses ? run : 0);
        if (found != offer && alike) {
            add_part(s, row, offer, alike);
            alike = 0;
        }
        offer = found;
        alike |= run;
        lanes &= ~run;
    }
    if (alike && !s->failed) {
        add_part(s, row, offer, alike);
    }
}

/* The row of an arrival: alone, or with those that the rule says it routes alike. */
uint32_t hf_scout_row(hf_scout *s, uint32_t node, hf_hop in) {
    const uint32_t arrival = s->like->arrival ? hf_plan_arrival(s->d->plan, in) : HF_NONE;
    const uint32_t hash = hf_index_hash((uint64_t)node << 32 | arrival);
    uint32_t at = hash, i;
    while (arrival != HF_NONE && (i = hf_index_next(&s->rows, hash, &at)) != HF_NONE) {
        if (s->row[i].node == node && s->row[i].arrival == arrival) {
            return i;
        }
    }
    if (!hf_scout_room(s, (void **)&s->row, s->n_row + 1, &s->row_room, sizeof *s->row) ||
        (arrival != HF_NONE && !hf_index_add(s->allocator, &s->rows, hash, s->n_row))) {
        s->failed = true;
        return HF_NONE;
    }
    s->row[s->n_row] = (hf_row_of_lanes){.node = node, .arrival = arrival};
    return s->n_row++;
}

/* ---- states ---- */

hf_hop hf_scout_hop(const hf_scout *s, uint32_t state) {
    const uint32_t n = s->d->n_resource, n_vc = s->d->n_vc;
    return state < n ? (hf_hop){state / n_vc, state % n_vc, 0} : s->tagged[state - n];
}

bool hf_scout_turn(hf_scout *s) {
    uint32_t *const now = s->then;
    s->then = s->now;
    s->now = now;
    s->n_now = s->n_then;
    s->n_then = 0;
    return s->n_now > 0;
}

bool hf_scout_make_states(hf_scout *s, uint32_t need) {
    const struct {
        void **array;
        size_t size;
    } all[] = {{(void **)&s->row_of, sizeof *s->row_of},   {(void **)&s->stamp, sizeof *s->stamp},
               {(void **)&s->reached, sizeof *s->reached}, {(void **)&s->now, sizeof *s->now},
               {(void **)&s->then, sizeof *s->then},       {(void **)&s->brought, sizeof *s->brought},
               {(void **)&s->todo, sizeof *s->todo}};
    const uint32_t room = s->state_room;
    uint32_t more = room, tag_room = room ? room - s->d->n_resource : 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        more = room;
        if (!hf_scout_room(s, all[i].array, need, &more, all[i].size)) {
            return false;
        }
    }
    memset(s->brought + room, 0, (more - room) * sizeof *s->brought);
    memset(s->todo + room, 0, (more - room) * sizeof *s->todo);
    memset(s->stamp + room, 0, (more - room) * sizeof *s->stamp);
    memset(s->row_of + room, 0xff, (more - room) * sizeof *s->row_of); /* HF_NONE */
    s->state_room = more;
    return hf_scout_room(s, (void **)&s->tagged, more - s->d->n_resource, &tag_room, sizeof *s->tagged);
}

/* Hops mostly come in the order in which they did before, but for one that is left out. \return it is so; s->next is behind it */
static bool is_next(hf_scout *s, hf_hop hop) {
    const uint32_t end = s->n_state - s->d->n_resource;
    for (uint32_t i = s->next; i < s->next + 2 && i < end; i++) {
        if (hf_hop_is(s->tagged[i], hop)) {
            s->next = i + 1;
            return true;
        }
    }
    return false;
}

/* The state of a hop, as it was or new. */
uint32_t hf_scout_state(hf_scout *s, hf_hop hop) {
    if (hop.tag == 0) {
        return hf_dependency_resource(s->d, hop);
    }
    if (is_next(s, hop)) {
        return s->d->n_resource + s->next - 1;
    }
    const uint32_t hash = hf_index_hash(hf_hop_key(hop));
    uint32_t at = hash, i;
    while ((i = hf_index_next(&s->tags, hash, &at)) != HF_NONE) {
        if (hf_hop_is(s->tagged[i], hop)) {
            s->next = i + 1;
            return s->d->n_resource + i;
        }
    }
    if ((s->n_state == s->state_room && !hf_scout_make_states(s, s->n_state + 1)) ||
        !hf_index_add(s->allocator, &s->tags, hash, s->n_state - s->d->n_resource)) {
        s->failed = true;
        return HF_NONE;
    }
    s->tagged[s->n_state - s->d->n_resource] = hop;
    s->next = s->n_state - s->d->n_resource + 1;
    return s->n_state++;
}

void hf_scout_forget(hf_scout *s) {
    enum { HOPS_KEPT = 1 << 22, STATES_KEPT = 1 << 20 };
    const uint32_t n_tagged = s->n_state - s->d->n_resource;
    s->n_row = s->n_part = 0;
    hf_index_clear(&s->rows);
    if (s->n_pool > HOPS_KEPT) { /* offers with tags are many */
        s->n_pool = s->n_offer = 0;
        hf_index_clear(&s->offers);
        memset(s->lone_offer, 0, s->d->n_resource * sizeof *s->lone_offer);
    }
    if (n_tagged > STATES_KEPT) {
        memset(s->stamp + s->d->n_resource, 0, n_tagged * sizeof *s->stamp);
        s->n_state = s->d->n_resource;
        hf_index_clear(&s->tags);
    }
}
