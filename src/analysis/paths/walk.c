/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Walks over the states of a routing relation, one destination at a time.
 *  A packet that has arrived at its destination's node is delivered; one that arrives at another terminal has met a fault. */
#include "src/analysis/paths/walk.h"

#include <holdfast/core/bitset.h>
#include <string.h>

#include "src/core/index.h"

static hf_status grow(hf_context *cx, void **block, size_t used, size_t room, size_t size) {
    void *bigger;
    HF_TRY(hf_scratch(cx, room, size, &bigger));
    if (used > 0) {
        memcpy(bigger, *block, used * size);
    }
    *block = bigger;
    return HF_OK;
}

/* Spread, as virtual channels whose slots lie in a row would run into each other's. */
static uint32_t hash(hf_hop hop, uint32_t room) { return hf_index_hash(hf_hop_key(hop)) & (room - 1); }

static inline uint32_t *find_slot(const hf_walk *walk, hf_hop hop) {
    uint32_t i = hash(hop, walk->slot_room);
    while (walk->slot[i] && !hf_hop_is(walk->in[walk->slot[i] - 1], hop)) {
        i = (i + 1) & (walk->slot_room - 1);
    }
    return &walk->slot[i];
}

bool hf_walk_has(const hf_walk *walk, hf_hop in) { return *find_slot(walk, in) != 0; }

static hf_status make_room_for_states(hf_context *cx, hf_walk *walk, uint32_t room) {
    uint32_t slots = 64;
    while (slots < 2 * (uint64_t)room) {
        slots *= 2;
    }
    HF_TRY(grow(cx, (void **)&walk->in, walk->n_state, room, sizeof *walk->in));
    HF_TRY(grow(cx, (void **)&walk->at, walk->n_state, room, sizeof *walk->at));
    HF_TRY(grow(cx, (void **)&walk->edge_begin, walk->n_state ? walk->n_state + 1 : 0, (size_t)room + 1, sizeof(uint32_t)));
    HF_TRY(grow(cx, (void **)&walk->queue, 0, room, sizeof(uint32_t)));
    HF_TRY(grow(cx, (void **)&walk->slot, 0, slots, sizeof(uint32_t)));
    walk->state_room = room;
    walk->slot_room = slots;
    for (uint32_t i = walk->topo->n_terminal; i < walk->n_state; i++) {
        *find_slot(walk, walk->in[i]) = i + 1;
    }
    return HF_OK;
}

hf_status hf_walk_init(hf_context *cx, const hf_topology *topo, hf_walk *walk) {
    *walk = (hf_walk){.topo = topo};
    return make_room_for_states(cx, walk, topo->n_terminal + topo->n_channel / 2 + 1);
}

static hf_status add_state(hf_context *cx, hf_walk *walk, hf_hop hop, uint32_t *state) {
    uint32_t *slot = find_slot(walk, hop);
    if (*slot) {
        *state = *slot - 1;
        return HF_OK;
    }
    if (walk->n_state == walk->state_room) {
        HF_TRY(make_room_for_states(cx, walk, 2 * walk->state_room));
        slot = find_slot(walk, hop);
    }
    *state = walk->n_state++;
    walk->in[*state] = hop;
    walk->at[*state] = walk->topo->to[hop.channel];
    *slot = *state + 1;
    return HF_OK;
}

static hf_status make_room_for_edges(hf_context *cx, hf_walk *walk, size_t count) {
    const uint64_t room = 2 * (walk->n_edge + (uint64_t)count) + 64;
    if (room > UINT32_MAX) {
        HF_FAIL(cx, HF_ERANGE, "terminal %u has more than 2^31 hops that lead to it", walk->destination);
    }
    HF_TRY(grow(cx, (void **)&walk->edge, walk->n_edge, room, sizeof *walk->edge));
    HF_TRY(grow(cx, (void **)&walk->hops, walk->n_edge, room, sizeof *walk->hops));
    walk->edge_room = (uint32_t)room;
    return HF_OK;
}

/* The edges of one state, the newest: what the rule says goes behind the hops that are there. \param[in] most hf_plan_room() */
static hf_status explore_state(hf_context *cx, hf_walk *walk, const hf_plan *plan, size_t most, uint32_t state) {
    const hf_topology *topo = walk->topo;
    const uint32_t n_switch = topo->n_switch, goal = n_switch + walk->destination;
    const uint64_t *failed = plan->faults->channel_set;
    size_t count;
    HF_TRY(walk->n_edge + most > walk->edge_room ? make_room_for_edges(cx, walk, most) : HF_OK);
    const hf_hop *hop = walk->hops + walk->n_edge;
    HF_TRY(hf_plan_read(cx, plan, walk->at[state], walk->in[state], walk->destination, walk->hops + walk->n_edge, &count));
    uint32_t *edge = walk->edge + walk->n_edge;
    walk->n_edge += (uint32_t)count;
    for (const hf_hop *end = hop + count; hop < end; hop++, edge++) {
        const uint32_t to = topo->to[hop->channel];
        if (hf_bit_test(failed, hop->channel)) {
            *edge = HF_WALK_FAULT;
        } else if (to >= n_switch) {
            *edge = to == goal ? HF_WALK_DELIVERED : HF_WALK_FAULT;
        } else {
            HF_TRY(add_state(cx, walk, *hop, edge));
        }
    }
    return HF_OK;
}

static bool has_edge(const hf_walk *walk, uint32_t state, hf_hop goal) {
    bool found = false;
    for (uint32_t e = walk->edge_begin[state]; e < walk->n_edge && !found; e++) {
        found = hf_hop_is(walk->hops[e], goal);
    }
    return found;
}

hf_status hf_walk_explore_to(hf_context *cx, hf_walk *walk, const hf_plan *plan, uint32_t destination, const hf_hop *goal) {
    const hf_topology *topo = walk->topo;
    const size_t most = hf_plan_room(plan);
    uint32_t state = 0;
    bool found = false;
    memset(walk->slot, 0, walk->slot_room * sizeof *walk->slot);
    walk->destination = destination;
    walk->n_edge = 0;
    walk->n_state = topo->n_terminal;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        walk->in[t] = HF_HOP_INJECTION;
        walk->at[t] = topo->n_switch + t;
    }
    for (; state < walk->n_state && !found; state++) {
        walk->edge_begin[state] = walk->n_edge;
        const bool is_none = state == destination || (state < topo->n_terminal && !hf_plan_has_flow(plan, state, destination));
        HF_TRY(is_none ? HF_OK : explore_state(cx, walk, plan, most, state));
        found = goal && has_edge(walk, state, *goal);
    }
    for (; state <= walk->n_state; state++) {
        walk->edge_begin[state] = walk->n_edge;
    }
    return HF_OK;
}

hf_status hf_walk_explore(hf_context *cx, hf_walk *walk, const hf_plan *plan, uint32_t destination) {
    return hf_walk_explore_to(cx, walk, plan, destination, NULL);
}

static bool is_state(uint32_t target) { return target != HF_WALK_DELIVERED && target != HF_WALK_FAULT; }

hf_status hf_walk_turn(hf_context *cx, hf_walk *walk) {
    if (walk->back_state_room < walk->state_room) {
        HF_TRY(grow(cx, (void **)&walk->back.begin, 0, (size_t)walk->state_room + 2, sizeof(uint32_t)));
        walk->back_state_room = walk->state_room;
    }
    if (walk->back_room < walk->n_edge) {
        HF_TRY(grow(cx, (void **)&walk->back.item, 0, walk->edge_room, sizeof(uint32_t)));
        walk->back_room = walk->edge_room;
    }
    const hf_rows edges = {.n = walk->n_state, .begin = walk->edge_begin, .item = walk->edge};
    walk->back.n = walk->n_state;
    hf_rows_fill_turned(&edges, &walk->back);
    return HF_OK;
}

static hf_step mark_state(void *user, uint32_t from, uint32_t edge, uint32_t to) {
    (void)from;
    (void)edge;
    uint64_t *mark = user;
    const bool is_new = !hf_bit_test(mark, to);
    hf_bit_set(mark, to);
    return is_new;
}

/* Extend the marked states in the queue by everything that leads to them. */
static void spread_back(hf_walk *walk, uint32_t tail, uint64_t *mark) {
    (void)hf_breadth_first(hf_rows_arcs(&walk->back), walk->queue, tail, mark_state, mark);
}

static bool has_edge_to(const hf_walk *walk, uint32_t state, uint32_t target) {
    for (uint32_t e = walk->edge_begin[state]; e < walk->edge_begin[state + 1]; e++) {
        if (walk->edge[e] == target) {
            return true;
        }
    }
    return false;
}

void hf_walk_served(hf_walk *walk, uint64_t *mark) {
    uint32_t tail = 0;
    for (uint32_t s = 0; s < walk->n_state; s++) {
        if (has_edge_to(walk, s, HF_WALK_DELIVERED)) {
            hf_bit_set(mark, s);
            walk->queue[tail++] = s;
        }
    }
    spread_back(walk, tail, mark);
}

void hf_walk_unsafe(hf_walk *walk, uint64_t *mark) {
    uint32_t tail = 0;
    for (uint32_t s = 0; s < walk->n_state; s++) {
        const bool is_stuck = s >= walk->topo->n_terminal && walk->edge_begin[s] == walk->edge_begin[s + 1];
        if (is_stuck || has_edge_to(walk, s, HF_WALK_FAULT)) {
            hf_bit_set(mark, s);
            walk->queue[tail++] = s;
        }
    }
    spread_back(walk, tail, mark);
}

/* Ways from a state all of whose successors are counted. */
static hf_status ways_from(hf_context *cx, const hf_walk *walk, uint32_t state) {
    hf_u128 sum = 0;
    for (uint32_t e = walk->edge_begin[state]; e < walk->edge_begin[state + 1]; e++) {
        const uint32_t target = walk->edge[e];
        const hf_u128 more = target == HF_WALK_DELIVERED ? 1 : is_state(target) ? walk->ways[target] : 0;
        if (__builtin_add_overflow(sum, more, &sum)) {
            HF_FAIL(cx, HF_ERANGE, "the paths to terminal %u are more than 128 bits can count", walk->destination);
        }
    }
    walk->ways[state] = sum;
    return HF_OK;
}

static uint32_t queue_ends(hf_walk *walk) {
    uint32_t tail = 0, *pending = walk->pending;
    for (uint32_t s = 0; s < walk->n_state; s++) {
        pending[s] = 0;
        for (uint32_t e = walk->edge_begin[s]; e < walk->edge_begin[s + 1]; e++) {
            pending[s] += is_state(walk->edge[e]);
        }
        if (pending[s] == 0) {
            walk->queue[tail++] = s;
        }
    }
    return tail;
}

static hf_step count_down(void *user, uint32_t from, uint32_t edge, uint32_t to) {
    (void)from;
    (void)edge;
    uint32_t *pending = user;
    return --pending[to] == 0;
}

hf_status hf_walk_count(hf_context *cx, hf_walk *walk, hf_u128 *out) {
    if (walk->ways_room < walk->state_room) {
        HF_TRY(grow(cx, (void **)&walk->ways, 0, walk->state_room, sizeof *walk->ways));
        HF_TRY(grow(cx, (void **)&walk->pending, 0, walk->state_room, sizeof *walk->pending));
        walk->ways_room = walk->state_room;
    }
    const uint32_t tail = hf_breadth_first(hf_rows_arcs(&walk->back), walk->queue, queue_ends(walk), count_down, walk->pending);
    if (tail < walk->n_state) {
        HF_FAIL(cx, HF_ENOTSUP, "the paths to terminal %u cannot be counted: the relation lets a packet go round",
                walk->destination);
    }
    return hf_walk_count_left(cx, walk, out);
}

hf_status hf_walk_count_left(hf_context *cx, hf_walk *walk, hf_u128 *out) {
    for (uint32_t i = 0; i < walk->n_state; i++) { /* the queue holds them all, successors first */
        HF_TRY(ways_from(cx, walk, walk->queue[i]));
    }
    *out = 0;
    for (uint32_t t = 0; t < walk->topo->n_terminal; t++) {
        if (__builtin_add_overflow(*out, walk->ways[t], out)) {
            HF_FAIL(cx, HF_ERANGE, "the paths to terminal %u are more than 128 bits can count", walk->destination);
        }
    }
    return HF_OK;
}
