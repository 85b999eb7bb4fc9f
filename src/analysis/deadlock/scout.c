/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A block of destinations is followed in three steps. First all states that packets reach, breadth first, a bit for each lane:
 *  what comes by several ways comes on once. Then what each state may go on by, with the lowest destination. Groups with several
 *  terminals are followed from all sources outside up to their switch so; what is left is followed for each terminal apart: the
 *  last hop, and packets from terminals of the group. */
#include "src/analysis/deadlock/scout.h"

#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/scout_read.h"

static uint64_t wide_bit(const hf_scout *s, uint32_t node) {
    return s->lane_at[node] ? UINT64_C(1) << (s->lane_at[node] - 1) : 0;
}

/* ---- where packets get ---- */

static void reach(hf_scout *s, hf_hop hop, uint64_t lanes) {
    const uint32_t state = hf_scout_state(s, hop);
    if (state == HF_NONE || !(lanes &= ~s->brought[state].lanes)) {
        return;
    }
    if (!s->brought[state].lanes) {
        s->reached[s->n_reached++] = state;
    }
    if (!s->todo[state]) {
        s->then[s->n_then++] = state;
    }
    s->brought[state].lanes |= lanes;
    s->todo[state] |= lanes;
}

static void go_on(hf_scout *s, const hf_row_of_lanes *row, uint64_t lanes) {
    for (uint32_t i = row->part; i && !s->failed; i = s->part[i - 1].next) {
        const uint64_t some = s->part[i - 1].lanes & lanes;
        const hf_offer o = s->offer[s->part[i - 1].offer];
        for (uint32_t h = 0; h < o.n && some; h++) {
            reach(s, s->pool[o.begin + h], some);
        }
    }
}

/* What has newly come to a state goes on, but for what its row has sent on from another. */
static void spread(hf_scout *s, uint32_t state) {
    const hf_hop in = hf_scout_hop(s, state);
    const uint32_t node = s->d->plan->topo->to[in.channel];
    uint64_t lanes = s->todo[state];
    s->todo[state] = 0;
    if (hf_topology_is_terminal(s->d->plan->topo, node) || !(lanes &= ~wide_bit(s, node))) {
        return;
    }
    if (s->row_of[state] == HF_NONE && (s->row_of[state] = hf_scout_row(s, node, in)) == HF_NONE) {
        return;
    }
    hf_row_of_lanes *row = &s->row[s->row_of[state]];
    if (lanes & ~row->known) {
        hf_scout_read(s, row, in, lanes & ~row->known);
    }
    lanes &= ~row->spread;
    row->spread |= lanes;
    go_on(s, row, lanes);
}

static void inject(hf_scout *s, uint32_t source) {
    const uint32_t parts = s->n_part;
    hf_row_of_lanes row = {.node = s->d->plan->topo->n_switch + source};
    const uint64_t lanes = hf_destinations_from(s->to, s->block, s->d->plan, source);
    hf_scout_read(s, &row, HF_HOP_INJECTION, lanes);
    for (uint32_t i = row.part; i && !s->failed; i = s->part[i - 1].next) {
        if (s->offer[s->part[i - 1].offer].n == 0) {
            hf_scout_note_stuck_lanes(s, source, s->part[i - 1].lanes);
        }
    }
    go_on(s, &row, lanes);
    s->n_part = parts;
}

static bool is_over(const hf_scout *s) { return s->failed || s->is_wrong; }

static void follow_all(hf_scout *s) {
    for (uint32_t source = 0; source < s->d->plan->topo->n_terminal && !is_over(s); source++) {
        if (hf_plan_is_live(s->d->plan, source)) {
            inject(s, source);
        }
    }
    while (!is_over(s) && hf_scout_turn(s)) {
        for (uint32_t i = 0; i < s->n_now && !is_over(s); i++) {
            spread(s, s->now[i]);
        }
    }
}

/* ---- situations ---- */

static bool add_situation(hf_scout *s, uint32_t r, uint32_t mask, uint32_t destination, uint32_t tag) {
    uint32_t **const array[] = {&s->resource, &s->destination, &s->tag, &s->mask_of};
    uint32_t room = s->room;
    for (size_t i = 0; i < 4; i++) {
        room = s->room;
        if (!hf_scout_room(s, (void **)array[i], s->count + 1, &room, sizeof **array[i])) {
            return false;
        }
    }
    s->room = room;
    s->resource[s->count] = r;
    s->destination[s->count] = destination;
    s->tag[s->count] = tag;
    s->mask_of[s->count++] = mask;
    return true;
}

/* Of situations the union alone. */
static void unite(hf_scout *s, uint32_t r, uint32_t mask) {
    const uint32_t words = s->d->words;
    hf_bit_set(s->used, r);
    (void)hf_bits_or(s->all + (size_t)r * words, s->mask + (size_t)mask * words, words);
}

/* Keep the situation (r, mask), unless it is known: then with the lower pair. \return its number */
static uint32_t keep(hf_scout *s, uint32_t r, uint32_t mask, uint32_t destination, uint32_t tag) {
    const uint32_t hash = hf_index_hash((uint64_t)r << 32 | mask);
    uint32_t at = hash, i;
    while ((i = hf_index_next(&s->situations, hash, &at)) != HF_NONE) {
        if (s->resource[i] == r && s->mask_of[i] == mask) {
            if (destination < s->destination[i] || (destination == s->destination[i] && tag < s->tag[i])) {
                s->destination[i] = destination;
                s->tag[i] = tag;
            }
            return i;
        }
    }
    if (!add_situation(s, r, mask, destination, tag) || !hf_index_add(s->allocator, &s->situations, hash, s->count - 1)) {
        s->failed = true;
    }
    return s->count - 1;
}

/* Where the number of a situation + 1 is at hand; NULL: nowhere. */
static uint32_t *near_of(const hf_scout *s, uint32_t r, uint32_t mask) {
    const uint32_t place = s->mask_place[mask];
    return s->near && place < HF_NEAR ? &s->near[(size_t)r * HF_NEAR + place] : NULL;
}

void hf_scout_keep(hf_scout *s, uint32_t r, uint32_t mask, uint32_t destination, uint32_t tag) {
    uint32_t *near = near_of(s, r, mask);
    if (s->all) {
        unite(s, r, mask);
    } else if (!near || !*near || destination < s->destination[*near - 1] + (tag < s->tag[*near - 1])) {
        const uint32_t i = keep(s, r, mask, destination, tag);
        if (near && !s->failed) {
            *near = i + 1;
        }
    }
}

/* Lanes of the block whose lowest terminal is below `end`, where groups go in the rule's order. */
static uint64_t lanes_of_lower(const hf_scout *s, uint32_t end) {
    uint32_t lo = 0, hi = hf_destinations_lanes(s->to, s->block);
    while (lo < hi) {
        const uint32_t middle = (lo + hi) / 2;
        if (s->ascending[middle] < end) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return s->first_lanes[lo];
}

/* The lowest terminal of all of some lanes, in any order. */
static uint32_t lowest_of(const hf_scout *s, uint64_t lanes) {
    uint32_t i = 0;
    while (!(s->first_lanes[i + 1] & lanes)) {
        i++;
    }
    return s->ascending[i];
}

/* The same where groups go in the rule's order: a known situation only learns of lower pairs. */
static void keep_in_order(hf_scout *s, uint32_t r, uint32_t mask, uint64_t lanes, uint32_t tag) {
    const uint32_t *near = near_of(s, r, mask);
    if (near && *near) {
        lanes &= lanes_of_lower(s, s->destination[*near - 1] + (tag < s->tag[*near - 1]));
    }
    if (lanes) {
        hf_scout_keep(s, r, mask, lowest_of(s, lanes), tag);
    }
}

/* The same for lanes of one state. Blocks that ascend bring the lowest pair first, so what was `seen` by earlier lanes without a
 * tag has it. */
static void keep_lanes(hf_scout *s, hf_hop in, uint32_t mask, uint64_t lanes, uint64_t seen) {
    const uint32_t r = hf_dependency_resource(s->d, in), place = s->mask_place[mask];
    const uint64_t bit = in.tag == 0 && place < 64 ? UINT64_C(1) << place : 0;
    if (s->near) {
        keep_in_order(s, r, mask, lanes, in.tag);
        return;
    }
    if (seen & bit) {
        return;
    }
    s->seen[r] |= bit;
    hf_scout_keep(s, r, mask, s->all ? 0 : hf_scout_lowest(s, lanes), in.tag);
}

/* Lanes that are offered the same hops: a situation; where packets commit themselves to a hop, one for each. */
static void keep_offer(hf_scout *s, hf_hop in, uint32_t node, const hf_offer *o, uint64_t lanes, uint64_t seen) {
    if (!s->commits || o->n < 2 || s->all) {
        keep_lanes(s, in, o->mask, lanes, seen);
        return;
    }
    for (uint32_t h = 0; h < o->n && !s->failed; h++) {
        keep_lanes(s, in, hf_scout_mask_of_hop(s, node, s->pool[o->begin + h]), lanes, seen);
    }
}

/* The same for the hops that were read last. */
static void keep_hops(hf_scout *s, hf_hop in, uint32_t node, uint32_t n, uint32_t destination) {
    const uint32_t r = hf_dependency_resource(s->d, in);
    if (s->all) {
        hf_bit_set(s->used, r);
        for (uint32_t h = 0; h < n; h++) {
            hf_bit_set(s->all + (size_t)r * s->d->words, hf_dependency_slot(s->d, s->hops[h]));
        }
        return;
    }
    if (!s->commits || n < 2) {
        (void)keep(s, r, hf_scout_mask_of_hops(s, node, n), destination, in.tag);
        return;
    }
    for (uint32_t h = 0; h < n && !s->failed; h++) {
        (void)keep(s, r, hf_scout_mask_of_hop(s, node, s->hops[h]), destination, in.tag);
    }
}

/* Lanes that end at a terminal: there they are delivered, elsewhere they are stuck. */
static void end_at(hf_scout *s, hf_hop in, uint32_t node, uint64_t lanes) {
    lanes &= ~hf_destinations_bit(s->to, s->block, node - s->d->plan->topo->n_switch);
    if (lanes) {
        hf_scout_note_stuck_lanes(s, HF_NONE, lanes);
        keep_lanes(s, in, hf_scout_mask_of_hops(s, node, 0), lanes, 0);
    }
}

static void visit(hf_scout *s, uint32_t state, uint64_t lane) {
    uint32_t room = s->visit_room, again = room;
    const uint32_t l = (uint32_t)__builtin_ctzll(lane);
    if (!hf_scout_room(s, (void **)&s->visit_state, s->n_visit + 1, &room, sizeof *s->visit_state) ||
        !hf_scout_room(s, (void **)&s->visit_next, s->n_visit + 1, &again, sizeof *s->visit_next)) {
        return;
    }
    s->visit_room = room;
    s->visit_state[s->n_visit] = state;
    s->visit_next[s->n_visit] = s->visit_of[l];
    s->visit_of[l] = ++s->n_visit;
}

static void note_state(hf_scout *s, uint32_t state) {
    const hf_hop in = hf_scout_hop(s, state);
    const uint32_t node = s->d->plan->topo->to[in.channel];
    const uint64_t wide = wide_bit(s, node) & s->brought[state].lanes, lanes = s->brought[state].lanes & ~wide;
    const uint64_t seen = s->seen[hf_dependency_resource(s->d, in)];
    if (hf_topology_is_terminal(s->d->plan->topo, node)) {
        end_at(s, in, node, lanes);
        return;
    }
    if (wide) {
        visit(s, state, wide);
    }
    for (uint32_t i = lanes ? s->row[s->row_of[state]].part : 0; i && !s->failed; i = s->part[i - 1].next) {
        const uint64_t some = s->part[i - 1].lanes & lanes;
        const hf_offer o = s->offer[s->part[i - 1].offer];
        if (some && o.n == 0) {
            hf_scout_note_stuck_lanes(s, HF_NONE, some);
        }
        if (some) {
            keep_offer(s, in, node, &o, some, seen);
        }
    }
}

/* ---- one destination, hop by hop ---- */

static void add_to_trail(hf_scout *s, uint32_t state) {
    if (s->stamp[state] == s->walk || !hf_scout_room(s, (void **)&s->trail, s->n_trail + 1, &s->trail_room, sizeof *s->trail)) {
        return;
    }
    s->stamp[state] = s->walk;
    s->trail[s->n_trail++] = state;
}

/* The hops that were read last, but to where lanes with `bit` have been. */
static void add_hops(hf_scout *s, uint32_t n, uint64_t bit) {
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t state = hf_scout_state(s, s->hops[i]);
        if (state != HF_NONE && !(s->brought[state].lanes & bit)) {
            add_to_trail(s, state);
        }
    }
}

static void send(hf_scout *s, uint32_t source, uint32_t destination, uint64_t bit) {
    if (!hf_plan_sends(s->d->plan, source, destination)) {
        return;
    }
    const uint32_t n = hf_scout_hops(s, s->d->plan->topo->n_switch + source, HF_HOP_INJECTION, destination);
    if (n == 0 || s->loses) {
        hf_stuck_note(&s->stuck, source, destination);
    }
    add_hops(s, n, bit);
}

/* The hops that were read last, for one destination. */
typedef struct last_read {
    uint32_t node, arrival, n;
    bool loses;
} last_read;

/* Nothing is read again for an arrival that the rule routes as the one before. */
static uint32_t hops_after(hf_scout *s, uint32_t node, hf_hop in, uint32_t destination, last_read *last) {
    const uint32_t arrival = s->like->arrival ? hf_plan_arrival(s->d->plan, in) : HF_NONE;
    if (arrival == HF_NONE || last->node != node || last->arrival != arrival) {
        *last = (last_read){.node = node, .arrival = arrival, .n = hf_scout_hops(s, node, in, destination)};
        last->loses = s->loses;
    }
    return last->n;
}

static void follow_one(hf_scout *s, uint32_t state, uint32_t destination, uint64_t bit, last_read *last) {
    const hf_topology *topo = s->d->plan->topo;
    const hf_hop in = hf_scout_hop(s, state);
    const uint32_t node = topo->to[in.channel];
    if (node == topo->n_switch + destination) {
        return;
    }
    const uint32_t n = hf_topology_is_terminal(topo, node) ? 0 : hops_after(s, node, in, destination, last);
    if (is_over(s)) {
        return;
    }
    if (n == 0 || last->loses) {
        hf_stuck_note(&s->stuck, HF_NONE, destination);
    }
    keep_hops(s, in, node, n, destination);
    add_hops(s, n, bit);
}

static void follow_trail(hf_scout *s, uint32_t destination, uint64_t bit) {
    last_read last = {.node = HF_NONE};
    for (uint32_t i = 0; i < s->n_trail && !is_over(s); i++) {
        follow_one(s, s->trail[i], destination, bit, &last);
    }
}

/* A terminal of a group: from where lanes have come to its switch, and from the others of the group. */
static void follow_member(hf_scout *s, uint32_t lane, uint32_t destination) {
    const hf_rows *terminals = &s->to->terminals;
    const uint32_t group = s->block * HF_LANES + lane;
    s->walk++;
    s->n_trail = 0;
    for (uint32_t i = s->visit_of[lane]; i; i = s->visit_next[i - 1]) {
        add_to_trail(s, s->visit_state[i - 1]);
    }
    for (uint32_t i = terminals->begin[group]; i < terminals->begin[group + 1] && !is_over(s); i++) {
        send(s, terminals->item[i], destination, UINT64_C(1) << lane);
    }
    follow_trail(s, destination, UINT64_C(1) << lane);
}

static void follow_members(hf_scout *s) {
    const hf_rows *terminals = &s->to->terminals;
    for (uint32_t lane = 0; lane < hf_destinations_lanes(s->to, s->block); lane++) {
        const uint32_t group = s->block * HF_LANES + lane;
        for (uint32_t i = terminals->begin[group]; s->to->goal[group] != HF_NONE && i < terminals->begin[group + 1]; i++) {
            if (!is_over(s)) {
                follow_member(s, lane, terminals->item[i]);
            }
        }
    }
}

/* The rule broke its contract somewhere in the block: once more, a destination after the other, to where it is seen first. */
static void find_breach(hf_scout *s) {
    const uint32_t n = s->d->plan->topo->n_terminal;
    const hf_breach before = s->breach;
    s->is_wrong = false;
    s->breach.destination = HF_NONE;
    for (uint32_t t = 0; t < n && t <= before.destination && !is_over(s); t++) {
        if (hf_destinations_bit(s->to, s->block, t)) {
            s->walk++;
            s->n_trail = 0;
            for (uint32_t source = 0; source < n && !is_over(s); source++) {
                send(s, source, t, 0);
            }
            follow_trail(s, t, 0);
        }
    }
    s->breach = s->is_wrong ? s->breach : before;
}

/* ---- a block ---- */

static void mark_goals(hf_scout *s, bool is_on) {
    for (uint32_t lane = 0; lane < hf_destinations_lanes(s->to, s->block); lane++) {
        const uint32_t goal = s->to->goal[s->block * HF_LANES + lane];
        if (goal != HF_NONE) {
            s->lane_at[goal] = is_on ? (uint8_t)(lane + 1) : 0;
        }
    }
}

void hf_scout_leave(hf_scout *s) {
    for (uint32_t i = 0; i < s->n_reached; i++) {
        s->brought[s->reached[i]].lanes = s->todo[s->reached[i]] = 0;
        s->row_of[s->reached[i]] = HF_NONE;
    }
    mark_goals(s, false);
    memset(s->visit_of, 0, sizeof s->visit_of);
    s->n_reached = s->n_then = s->n_visit = 0;
    hf_scout_forget(s);
}

void hf_scout_follow(hf_scout *s, uint32_t block) {
    s->block = block;
    s->is_wrong = false;
    mark_goals(s, true);
    follow_all(s);
}

/* Which terminals the lanes of the block are for, lowest first. */
static void sort_lanes(hf_scout *s, uint32_t block) {
    const uint32_t n = hf_destinations_lanes(s->to, block);
    uint8_t lane[HF_LANES];
    for (uint32_t l = 0; l < n; l++) {
        const uint32_t t = hf_destinations_lowest(s->to, block * HF_LANES + l);
        uint32_t i = l;
        for (; i > 0 && s->ascending[i - 1] > t; i--) {
            s->ascending[i] = s->ascending[i - 1];
            lane[i] = lane[i - 1];
        }
        s->ascending[i] = t;
        lane[i] = (uint8_t)l;
    }
    for (uint32_t i = 0; i < n; i++) {
        s->first_lanes[i + 1] = s->first_lanes[i] | UINT64_C(1) << lane[i];
    }
}

void hf_scout_block(hf_scout *s, uint32_t block) {
    hf_scout_follow(s, block);
    if (s->near) {
        sort_lanes(s, block);
    }
    for (uint32_t i = 0; i < s->n_reached && !is_over(s); i++) {
        note_state(s, s->reached[i]);
    }
    follow_members(s);
    if (s->is_wrong && !s->failed) {
        find_breach(s);
    }
    hf_scout_leave(s);
}

/* ---- open and close ---- */

static bool get_zeroed(hf_scout *s, void **block, size_t size) {
    *block = s->allocator->resize(s->allocator->user, NULL, size ? size : 1);
    if (!*block) {
        return false;
    }
    memset(*block, 0, size);
    return true;
}

static bool open_unions(hf_scout *s) {
    const hf_dependency *d = s->d;
    return get_zeroed(s, (void **)&s->all, (size_t)d->n_resource * d->words * sizeof *s->all) &&
           get_zeroed(s, (void **)&s->used, hf_words(d->n_resource) * sizeof *s->used);
}

bool hf_scout_open(const hf_dependency *d, const hf_destinations *to, bool situations, const hf_allocator *a, hf_scout *s) {
    const hf_topology *topo = d->plan->topo;
    *s = (hf_scout){.d = d,
                    .to = to,
                    .like = hf_likeness_of(d->plan),
                    .allocator = a,
                    .commits = hf_plan_traits(d->plan) & HF_ROUTING_COMMITS,
                    .has_faults = d->plan->faults->n_channel > 0,
                    .stuck = {HF_NONE, HF_NONE},
                    .breach.destination = HF_NONE,
                    .n_state = d->n_resource};
    const bool sorts = situations && to->place;
    return (situations || open_unions(s)) &&
           (!sorts || get_zeroed(s, (void **)&s->near, (size_t)d->n_resource * HF_NEAR * sizeof *s->near)) &&
           get_zeroed(s, (void **)&s->hops, hf_plan_room(d->plan) * sizeof *s->hops) &&
           get_zeroed(s, (void **)&s->scratch, d->words * sizeof *s->scratch) &&
           get_zeroed(s, (void **)&s->seen, d->n_resource * sizeof *s->seen) &&
           get_zeroed(s, (void **)&s->recent, d->n_resource * sizeof *s->recent) &&
           get_zeroed(s, (void **)&s->lone_offer, d->n_resource * sizeof *s->lone_offer) &&
           get_zeroed(s, (void **)&s->lone_mask, d->n_resource * sizeof *s->lone_mask) &&
           get_zeroed(s, (void **)&s->masks_at, topo->n_node * sizeof *s->masks_at) &&
           get_zeroed(s, (void **)&s->lane_at, topo->n_node * sizeof *s->lane_at) && hf_scout_make_states(s, d->n_resource + 1);
}

void hf_scout_drop(hf_scout *s) {
    void **const blocks[] = {(void **)&s->resource, (void **)&s->destination, (void **)&s->tag, (void **)&s->mask_of,
                             (void **)&s->near};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        s->allocator->release(s->allocator->user, *blocks[i]);
        *blocks[i] = NULL;
    }
    s->count = s->room = 0;
    hf_index_close(s->allocator, &s->situations);
}

void hf_scout_close(hf_scout *s) {
    void *const blocks[] = {s->recent,     s->hops,    s->pool,     s->offer,       s->mask,       s->mask_node, s->mask_place,
                            s->masks_at,   s->scratch, s->row,      s->part,        s->brought,    s->todo,      s->row_of,
                            s->stamp,      s->tagged,  s->reached,  s->now,         s->then,       s->lane_at,   s->visit_state,
                            s->visit_next, s->trail,   s->resource, s->destination, s->tag,        s->mask_of,   s->seen,
                            s->all,        s->used,    s->near,     s->span,        s->lone_offer, s->lone_mask};
    hf_index *const index[] = {&s->offers, &s->masks, &s->rows, &s->tags, &s->situations};
    for (size_t i = 0; s->allocator && i < sizeof blocks / sizeof *blocks; i++) {
        s->allocator->release(s->allocator->user, blocks[i]);
    }
    for (size_t i = 0; s->allocator && i < sizeof index / sizeof *index; i++) {
        hf_index_close(s->allocator, index[i]);
    }
}
