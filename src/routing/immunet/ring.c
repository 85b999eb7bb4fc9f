/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The tour and its lengths. */
#include "src/routing/immunet/ring.h"

hf_status hf_ring_room(hf_context *cx, const hf_ways *ways, hf_ring *out) {
    *out = (hf_ring){0};
    uint32_t **const of_switch[] = {&out->rank, &out->sw, &out->size, &out->first, &out->begin, &out->end, &out->up};
    for (size_t i = 0; i < sizeof of_switch / sizeof *of_switch; i++) {
        HF_TRY(hf_scratch(cx, ways->n, sizeof **of_switch[i], (void **)of_switch[i]));
    }
    HF_TRY(hf_scratch(cx, 2 * (size_t)ways->n, sizeof *out->hop, (void **)&out->hop));
    return hf_scratch(cx, ways->n_way, sizeof *out->next, (void **)&out->next);
}

/* ---- the tour ---- */

static bool is_tree_way(const hf_ways *ways, const hf_emergency *e, uint32_t w) {
    const uint32_t v = ways->from[w], to = ways->to[w];
    return e->root[v] != HF_NONE && e->root[to] == e->root[v] && (e->parent[v] == w || e->parent[to] == ways->back[w]);
}

/** The tree way of `v` below place `w` of its list, cyclically; w itself if it is the only one. HF_NONE: no way of `v` is. */
static uint32_t next_lower(const hf_ways *ways, const hf_emergency *e, uint32_t v, uint32_t w) {
    const uint32_t begin = ways->begin[v], end = ways->begin[v + 1];
    for (uint32_t i = begin; i < end; i++) {
        w = w == begin ? end - 1 : w - 1;
        if (is_tree_way(ways, e, w)) {
            return w;
        }
    }
    return HF_NONE;
}

/** The root begins with its lowest tree port, whatever comes after it. */
static uint32_t first_way(const hf_ways *ways, const hf_emergency *e, uint32_t root) {
    for (uint32_t w = ways->begin[root]; w < ways->begin[root + 1]; w++) {
        if (is_tree_way(ways, e, w)) {
            return w;
        }
    }
    return HF_NONE;
}

static void meet(hf_ring *ring, uint32_t v, uint32_t first) {
    ring->rank[v] = ring->n_rank;
    ring->sw[ring->n_rank] = v;
    ring->size[ring->n_rank] = 1;
    ring->first[ring->n_rank++] = first;
}

/** One tour from place `begin` of ring->hop. \return the place after it */
static uint32_t tour(const hf_ways *ways, const hf_emergency *e, uint32_t root, uint32_t begin, hf_ring *ring) {
    const uint32_t start = first_way(ways, e, root), low = ring->n_rank;
    uint32_t end = begin, w = start;
    meet(ring, root, HF_NONE);
    while (w != HF_NONE) {
        const uint32_t v = ways->from[w], to = ways->to[w];
        ring->hop[end] = w;
        if (e->parent[v] == w) { /* done with the subtree of v */
            ring->up[ring->rank[v]] = end;
            ring->size[ring->rank[v]] = ring->n_rank - ring->rank[v];
        } else {
            meet(ring, to, end - begin);
        }
        end++;
        ring->next[w] = next_lower(ways, e, to, ways->back[w]);
        w = ring->next[w] == start ? HF_NONE : ring->next[w];
    }
    ring->size[low] = ring->n_rank - low;
    ring->up[low] = start == HF_NONE ? HF_NONE : begin;
    for (uint32_t r = low; r < ring->n_rank; r++) {
        ring->begin[r] = begin;
        ring->end[r] = end;
    }
    return end;
}

void hf_ring_tour(const hf_ways *ways, const hf_emergency *emergency, hf_ring *out) {
    uint32_t end = 0;
    out->n_rank = 0;
    for (uint32_t w = 0; w < ways->n_way; w++) {
        out->next[w] = HF_NONE;
    }
    for (uint32_t v = 0; v < ways->n; v++) {
        out->rank[v] = HF_NONE;
    }
    for (uint32_t v = 0; v < ways->n; v++) {
        if (emergency->root[v] == v) {
            end = tour(ways, emergency, v, end, out);
        }
    }
}

/* ---- entering it ---- */

static uint32_t child_towards(const hf_ways *ways, const hf_ring *ring, uint32_t v, uint32_t goal) {
    const uint32_t rank = ring->rank[v];
    uint32_t child = rank + 1; /* children follow one another, each with its subtree */
    while (child + ring->size[child] <= ring->rank[goal]) {
        child += ring->size[child];
    }
    (void)ways;
    return ring->hop[ring->begin[child] + ring->first[child]];
}

uint32_t hf_ring_entry(const hf_ways *ways, const hf_ring *ring, uint32_t v, uint32_t goal, bool is_provisional) {
    const uint32_t rank = ring->rank[v], to = ring->rank[goal];
    const bool is_below = to > rank && to < rank + ring->size[rank];
    return is_below && !is_provisional ? child_towards(ways, ring, v, goal) : ring->hop[ring->up[rank]];
}

/* ---- its lengths ---- */

/* Looks at the stop now and then, as one place takes time O(switches). */
static hf_status go_on(hf_context *cx, uint32_t place) {
    return place % 256 == 0 ? hf_context_go_on(cx, "measuring a ring") : HF_OK;
}

/* next[r]: the first hop at or after place i that leads to rank r, places counted over two laps. From the end of a lap back. */
static void measure_entry(const hf_ring *ring, uint32_t place, uint32_t low, uint32_t high, const uint32_t *next,
                          uint32_t entering, hf_ring_measure *out) {
    const uint32_t below = entering + ring->size[entering];
    for (uint32_t r = low; r < high; r++) {
        const uint32_t hops = r == entering ? 0 : next[r] - place + 1;
        out->provisional_sum += hops;
        out->provisional_longest = hops > out->provisional_longest ? hops : out->provisional_longest;
        if (r < entering || r >= below) {
            out->optimised_sum += hops;
            out->optimised_longest = hops > out->optimised_longest ? hops : out->optimised_longest;
        }
    }
}

/* Into the subtrees: a goal below `rank` is met first[goal] - first[child] + 1 hops after the packet leaves for the child. */
static void measure_below(const hf_ring *ring, uint32_t rank, hf_ring_measure *out) {
    const uint32_t end = rank + ring->size[rank];
    for (uint32_t child = rank + 1; child < end; child += ring->size[child]) {
        for (uint32_t r = child; r < child + ring->size[child]; r++) {
            const uint32_t hops = ring->first[r] - ring->first[child] + 1;
            out->optimised_sum += hops;
            out->optimised_longest = hops > out->optimised_longest ? hops : out->optimised_longest;
        }
    }
}

static hf_status measure_ring(hf_context *cx, const hf_ways *ways, const hf_ring *ring, uint32_t root, uint32_t *next,
                              hf_ring_measure *out) {
    const uint32_t begin = ring->begin[root], lap = ring->end[root] - begin, high = root + ring->size[root];
    for (uint32_t r = root; r < high; r++) {
        next[r] = ring->first[r] == HF_NONE ? HF_NONE : ring->first[r] + lap;
        HF_TRY(go_on(cx, r - root));
        measure_below(ring, r, out);
    }
    /* the root is met by the last hop of the tour at the latest */
    next[root] = 2 * lap - 1;
    for (uint32_t i = lap; i-- > 0;) {
        const uint32_t w = ring->hop[begin + i], to = ring->rank[ways->to[w]], from = ring->rank[ways->from[w]];
        next[to] = i;
        HF_TRY(go_on(cx, i));
        if (ring->up[from] == begin + i) {
            measure_entry(ring, i, root, high, next, from, out);
        }
    }
    out->hops += lap;
    out->pairs += (uint64_t)(high - root) * (high - root - 1);
    return HF_OK;
}

hf_status hf_ring_measure_all(hf_context *cx, const hf_ways *ways, const hf_ring *ring, uint32_t *next, hf_ring_measure *out) {
    *out = (hf_ring_measure){0};
    for (uint32_t root = 0; root < ring->n_rank; root += ring->size[root]) {
        HF_TRY(measure_ring(cx, ways, ring, root, next, out));
    }
    return HF_OK;
}
