/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Victims and lost paths of the exclusion state of a k-ary n-tree, from the ports that exclude something and nothing else. */
#include "src/core/simd.h"
#include "src/routing/tree/state.h"
#include "src/topology/search.h"

/* Ordered pairs of terminals with the sender at `leaf` and the receiver in a unit of `mask`. */
static uint64_t pairs_of(const hf_tree_exclusion *t, uint32_t leaf, const uint64_t *mask) {
    if (t->n_dead_end == 0) {
        return hf_bits_count(mask, t->words) * t->shape.k * t->shape.k;
    }
    uint64_t sum = 0;
    for (size_t b = hf_bits_next(mask, t->shape.n_unit, 0); b < t->shape.n_unit; b = hf_bits_next(mask, t->shape.n_unit, b + 1)) {
        sum += t->receivers[b];
    }
    return sum * t->senders[leaf];
}

/* to = a & ~b. \return whether anything is left. */
static bool without(uint64_t *to, const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t any = 0;
    for (size_t i = 0; i < words; i++) {
        to[i] = a[i] & ~b[i];
        any |= to[i];
    }
    return any != 0;
}

/* Paths of the plan that come up from terminals below <s, o> to this switch, over the receivers in `mask`. */
static uint64_t arrivals(const hf_tree_exclusion *t, uint32_t s, uint32_t o, const uint64_t *mask) {
    if (s == 0) {
        return pairs_of(t, o, mask);
    }
    uint64_t *left = t->mask_stack + (size_t)s * t->words;
    uint64_t sum = 0;
    for (uint32_t x = 0; x < t->shape.k; x++) {
        const uint32_t port = hf_tree_port_below(t, s, o, x);
        if (without(left, mask, hf_tree_held_of(t, port), t->words)) {
            sum += arrivals(t, s - 1, hf_tree_switch_of(t, port), left);
        }
    }
    return sum;
}

/* Paths that get to this port and are turned away, each standing for the k^(level-s-1) ways on to a unit whose nearest common
 * ancestors are in stage `level`. Summed over all ports this counts each lost path once, at its first excluded port. */
HF_SIMD_BODY hf_u128 paths_lost_at(const hf_tree_exclusion *t, uint32_t port) {
    const uint32_t s = hf_tree_stage_of(t, port), o = hf_tree_switch_of(t, port), k = t->shape.k;
    const uint64_t *held = hf_tree_held_of(t, port);
    hf_u128 lost = 0, weight = t->ways[s + 1];
    for (uint32_t level = s + 1; level < t->shape.n; level++, weight *= (hf_u128)k * t->pair_ways) {
        const uint32_t outer = hf_tree_subtree_base(t, level, o), inner = hf_tree_subtree_base(t, level - 1, o);
        uint64_t *mask = t->mask_stack;
        if (s == 0 && t->n_dead_end == 0) {
            const uint64_t units =
                hf_tree_count_range(t, held, outer, t->power[level]) - hf_tree_count_range(t, held, inner, t->power[level - 1]);
            lost += weight * units * k * k;
            continue;
        }
        hf_tree_fill_interval(t, (hf_interval){outer, outer + t->power[level] - 1}, mask);
        hf_tree_clear_range(t, mask, inner, t->power[level - 1]);
        uint64_t any = 0;
        for (size_t i = 0; i < t->words; i++) {
            mask[i] &= held[i];
            any |= mask[i];
        }
        if (any) {
            lost += weight * arrivals(t, s, o, mask);
        }
    }
    return lost;
}

/* Destinations that the registers of a port exclude although a healthy minimal path leads through it: not below the switch, not
 * in the exact exclusion, and no failed down channel on the only way down from above. */
HF_SIMD_BODY uint64_t victims_at(const hf_tree_exclusion *t, uint32_t port) {
    const uint32_t s = hf_tree_stage_of(t, port), o = hf_tree_switch_of(t, port);
    uint64_t *mask = t->mask_stack;
    if (!without(mask, hf_tree_held_of(t, port), hf_tree_lost_of(t, port), t->words)) {
        return 0;
    }
    hf_tree_clear_range(t, mask, hf_tree_subtree_base(t, s, o), t->power[s]);
    for (uint32_t e = 1; e <= s; e++) {
        without(mask, mask, t->below + (size_t)(t->below_base[e] + o % t->power[e]) * t->words, t->words);
    }
    if (t->n_dead_end == 0) {
        return hf_bits_count(mask, t->words) * t->shape.k;
    }
    uint64_t sum = 0;
    for (size_t b = hf_bits_next(mask, t->shape.n_unit, 0); b < t->shape.n_unit; b = hf_bits_next(mask, t->shape.n_unit, b + 1)) {
        sum += t->receivers[b];
    }
    return sum;
}

/* Terminals with a healthy channel in or out. */
static uint32_t count_live(const hf_tree_exclusion *t) {
    const hf_topology *topo = t->universe->topo;
    uint32_t live = 0;
    for (uint32_t link = topo->n_switch_link; link < topo->n_link; link++) {
        live += t->dead[topo->forward[link]] == 0 || t->dead[topo->backward[link]] == 0;
    }
    return live;
}

static void count_live_terminals(hf_tree_exclusion *t) {
    const hf_topology *topo = t->universe->topo;
    for (uint32_t leaf = 0; leaf < t->shape.n_unit; leaf++) {
        t->senders[leaf] = t->receivers[leaf] = t->both[leaf] = 0;
        for (uint32_t i = 0; i < t->shape.k; i++) {
            const uint32_t link = topo->n_switch_link + leaf * t->shape.k + i;
            const bool sends = t->dead[topo->forward[link]] == 0, receives = t->dead[topo->backward[link]] == 0;
            t->senders[leaf] += sends;
            t->receivers[leaf] += receives;
            t->both[leaf] += sends && receives;
        }
    }
}

/* Sender-receiver pairs inside one block of `size` leaf switches, summed over the blocks. */
static hf_u128 pairs_inside(const hf_tree_exclusion *t, uint32_t size) {
    hf_u128 sum = 0;
    for (uint32_t base = 0; base < t->shape.n_unit; base += size) {
        uint64_t senders = 0, receivers = 0;
        for (uint32_t i = base; i < base + size; i++) {
            senders += t->senders[i];
            receivers += t->receivers[i];
        }
        sum += (hf_u128)senders * receivers;
    }
    return sum;
}

/* Paths that failed terminal channels take from the fault-free network, whatever happens between switches. */
static hf_u128 paths_lost_at_ends(const hf_tree_exclusion *t) {
    const uint64_t k = t->shape.k, all = (uint64_t)t->shape.n_unit * k;
    hf_u128 same = 0;
    for (uint32_t leaf = 0; leaf < t->shape.n_unit; leaf++) {
        same += t->both[leaf];
    }
    hf_u128 inner = pairs_inside(t, 1), lost = (hf_u128)all * (k - 1) - (inner - same), weight = 1;
    for (uint32_t level = 1; level < t->shape.n; level++) {
        weight *= k * t->pair_ways;
        const hf_u128 outer = pairs_inside(t, t->power[level]);
        const hf_u128 whole = (hf_u128)all * k * (t->power[level] - t->power[level - 1]);
        lost += weight * (whole - (outer - inner));
        inner = outer;
    }
    return lost;
}

/* ---- one word a mask: the same sums without loops over words ---- */

typedef struct totals {
    hf_u128 lost;
    uint64_t victims;
} totals;

HF_SIMD_BODY uint64_t arrivals_small(const hf_tree_exclusion *t, const uint64_t *held, uint32_t s, uint32_t o, uint64_t mask) {
    uint64_t sum = 0;
    if (s > 1) {
        return arrivals(t, s, o, &mask);
    }
    const uint32_t first = s ? hf_tree_port_below(t, s, o, 0) : 0;
    for (uint32_t x = 0; s && x < t->shape.k; x++) {
        sum += (uint64_t)__builtin_popcountll(mask & ~held[first + x * t->shape.k]);
    }
    return (s ? sum : (uint64_t)__builtin_popcountll(mask)) * t->shape.k * t->shape.k;
}

HF_SIMD_BODY totals measure_small_any(const hf_tree_exclusion *t) {
    const uint64_t *held = t->held ? t->held : t->lost;
    totals sum = {0, 0};
    for (uint32_t i = 0; i < t->n_touched; i++) {
        const uint32_t port = t->touched[i], s = hf_tree_stage_of(t, port), o = hf_tree_switch_of(t, port);
        const uint64_t *level = hf_tree_levels_of(t, s, o);
        hf_u128 weight = t->ways[s + 1];
        for (uint32_t l = s + 1; l < t->shape.n; l++, weight *= t->shape.k * t->pair_ways) {
            const uint64_t mask = held[port] & level[l];
            sum.lost += mask ? weight * arrivals_small(t, held, s, o, mask) : 0;
        }
        uint64_t victim = held[port] & ~t->lost[port] & level[s];
        for (uint32_t e = 1; e <= s && victim; e++) {
            victim &= ~t->below[t->below_base[e] + o % t->power[e]];
        }
        sum.victims += (uint64_t)__builtin_popcountll(victim);
    }
    sum.victims *= t->shape.k;
    return sum;
}

HF_SIMD_CHOICE(totals, measure_small, (const hf_tree_exclusion *t), (t))

HF_SIMD_BODY totals measure_wide_any(hf_tree_exclusion *t) {
    totals sum = {0, 0};
    if (t->n_dead_end > 0) {
        count_live_terminals(t);
        sum.lost = paths_lost_at_ends(t);
    }
    for (uint32_t i = 0; i < t->n_touched; i++) {
        sum.lost += paths_lost_at(t, t->touched[i]);
        sum.victims += t->held ? victims_at(t, t->touched[i]) : 0;
    }
    return sum;
}

HF_SIMD_CHOICE(totals, measure_wide, (hf_tree_exclusion * t), (t))

bool hf_tree_exclusion_is_cut(const hf_tree_exclusion *t) { return t->is_cut; }

/* ---- criterion surviving ---- */

typedef struct spreading {
    const hf_tree_exclusion *tree;
    uint64_t *seen;
} spreading;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    (void)from;
    const spreading *s = user;
    if (s->tree->dead[arc] || hf_topology_is_terminal(s->tree->universe->topo, to) || hf_bit_test(s->seen, to)) {
        return HF_STEP_PASS;
    }
    hf_bit_set(s->seen, to);
    return HF_STEP_ENTER;
}

/* Does a healthy path lead from `leaf` to a unit of the mask that has receivers? Leaf switches are the first ones. */
static bool reaches(const hf_tree_exclusion *t, uint32_t leaf, const uint64_t *mask, uint32_t *queue, uint64_t *seen) {
    spreading s = {t, seen};
    bool found = false;
    memset(seen, 0, hf_words(t->universe->topo->n_switch) * sizeof *seen);
    hf_bit_set(seen, leaf);
    queue[0] = leaf;
    (void)hf_breadth_first(hf_channels(t->universe->topo, false), queue, 1, enter, &s);
    for (uint32_t w = 0; w < t->words && !found; w++) {
        found = mask[w] & seen[w];
    }
    return found;
}

/* \return whether any is left */
static bool keep_receivers(const hf_tree_exclusion *t, uint64_t *mask) {
    bool any = false;
    for (uint32_t b = 0; b < t->shape.n_unit; b++) {
        if (t->receivers[b] == 0) {
            hf_bit_clear(mask, b);
        }
        any |= hf_bit_test(mask, b);
    }
    return any;
}

bool hf_tree_exclusion_serves_reached(hf_tree_exclusion *t, uint32_t *queue, uint64_t *seen) {
    uint64_t *common = t->mask_stack;
    bool all = true;
    count_live_terminals(t);
    for (uint32_t leaf = 0; leaf < t->shape.n_unit && t->n_touched > 0 && all; leaf++) {
        all = t->senders[leaf] == 0 || !hf_tree_common_exclusion(t, t->held ? t->held : t->lost, 0, leaf, common) ||
              !keep_receivers(t, common) || !reaches(t, leaf, common, queue, seen);
    }
    return all;
}

void hf_tree_exclusion_read(hf_tree_exclusion *t, hf_measure *out) {
    const totals sum = t->words == 1 && t->n_dead_end == 0 ? measure_small(t) : measure_wide(t);
    *out = (hf_measure){.tolerated = !t->is_cut && t->n_dead_end == 0,
                        .has_victims = true,
                        .has_lost_paths = sum.lost <= UINT64_MAX,
                        .victims = sum.victims,
                        .lost_paths = sum.lost <= UINT64_MAX ? (uint64_t)sum.lost : 0,
                        .live = t->n_dead_end == 0 ? t->universe->topo->n_terminal : count_live(t)};
}
