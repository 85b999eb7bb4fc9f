/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What a fault set takes from the ways of up* / down*: a bit for each goal, spread over the switches; ways of goals that lose
 *  several hops on one way are counted anew. */
#include <string.h>

#include "src/routing/any/updown_judge.h"

/* ---- ways that are left to a goal ---- */

/* Of the tail of the hops [lo, hi), with the phase that it has now. */
static void count_left(hf_updown_judge *j, const hf_updown_ways *ways, uint32_t g, const hf_updown_hop *lo,
                       const hf_updown_hop *hi, uint32_t now) {
    const size_t words = j->table->words, w = g >> 6;
    const uint64_t *offer = ways->offer[now];
    uint64_t sum = 0;
    for (const hf_updown_hop *h = lo; h < hi; h++) {
        const uint64_t is_offered = (offer[h->channel * words + w] >> (g & 63)) & !hf_updown_has_failed(j, h->channel);
        sum += j->left[2 * (size_t)h->head + ways->phase[h->channel]] & -is_offered;
    }
    j->left[2 * (size_t)lo->tail + now] = sum;
}

/* Fault-free ways to a goal, from all terminals to all, that are still offered. \param[in] ways those of now */
static uint64_t ways_left(hf_updown_judge *j, const hf_updown_ways *ways, uint32_t g) {
    const hf_updown_table *t = j->table;
    const hf_updown_hop *end = t->hop + t->hop_begin[g + 1];
    for (uint32_t i = 0; i < 4; i++) {
        j->left[4 * (size_t)t->goal[g] + i] = 1;
    }
    for (const hf_updown_hop *lo = t->hop + t->hop_begin[g], *hi; lo < end; lo = hi) {
        for (hi = lo + 1; hi < end && hi->tail == lo->tail; hi++) {
        }
        for (uint32_t now = HF_UP; now <= HF_DOWN; now++) {
            if (hf_bit_test(hf_updown_row(j, j->come, 2 * (size_t)lo->tail + now), g)) {
                count_left(j, ways, g, lo, hi, now);
            }
        }
    }
    uint64_t from_all = 0;
    for (uint32_t s = 0; s < t->n_goal; s++) {
        const bool starts = s == g || hf_bit_test(hf_updown_row(j, t->start, t->goal[s]), g);
        from_all += starts ? j->sources[s] * j->left[hf_updown_place(t->goal[s], HF_UP, HF_UP)] : 0;
    }
    return from_all * j->sinks[g] - j->selves[g];
}

/* What comes to each switch without faults, by its phase then and now. */
void hf_updown_find_come(const hf_updown_judge *j, const hf_updown_ways *ways, uint64_t *all) {
    const hf_updown_table *t = j->table;
    const size_t words = t->words;
    memset(all, 0, 4 * (size_t)t->topo->n_switch * words * sizeof *all);
    for (uint32_t g = 0; g < t->n_goal; g++) {
        memcpy(all + hf_updown_place(t->goal[g], HF_UP, HF_UP) * words, hf_updown_row(j, t->start, t->goal[g]),
               words * sizeof *all);
    }
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        const uint32_t c = t->arc[i].channel;
        uint64_t *come = all + hf_updown_place(t->arc[i].to, t->free.phase[c], ways->phase[c]) * words;
        for (size_t w = 0; w < words; w++) {
            come[w] |= t->reached[c * words + w];
        }
    }
}

/* ---- spreading ---- */

static void wait_for(const hf_updown_judge *j, uint32_t *n, uint32_t sw, uint32_t phase) {
    if (!hf_bit_test(j->waits, 2 * (size_t)sw + phase)) {
        hf_bit_set(j->waits, 2 * (size_t)sw + phase);
        j->list[(*n)++] = 2 * sw + phase;
    }
}

void hf_updown_clear_marks(const hf_updown_judge *j, const hf_updown_marks *m) {
    memset(m->at[HF_UP], 0, j->table->topo->n_switch * j->table->words * sizeof(uint64_t));
    memset(m->at[HF_DOWN], 0, j->table->topo->n_switch * j->table->words * sizeof(uint64_t));
}

/* Goals for which a switch has lost all hops: those of its channels that have not failed and do not lead to where all are
 * lost. */
static bool has_lost_hops(const hf_updown_judge *j, const uint64_t *hop, bool has_phases, uint32_t sw, uint32_t phase,
                          const hf_updown_marks *lost) {
    const hf_updown_table *t = j->table;
    uint64_t any = 0;
    for (size_t w = 0; w < t->words; w++) {
        uint64_t had = 0, has = 0;
        for (uint32_t i = t->arc_begin[sw]; i < t->arc_begin[sw + 1]; i++) {
            const uint32_t c = t->arc[i].channel, on = has_phases ? t->free.phase[c] : HF_UP;
            const uint64_t m = hop[c * t->words + w];
            had |= m;
            has |= hf_updown_has_failed(j, c) ? 0 : m & ~lost->at[on][t->arc[i].to * t->words + w];
        }
        uint64_t *out = &lost->at[phase][sw * t->words + w];
        any |= had & ~has & ~*out;
        *out |= had & ~has;
    }
    return any != 0;
}

/* To which goals ways have got longer than without faults, from every switch. \param[in] hop rows of channels on shortest ways,
 * of both phases, or of the first alone, where there are none */
void hf_updown_find_longer(const hf_updown_judge *j, const uint64_t *const hop[2], const hf_updown_marks *lost) {
    const hf_updown_table *t = j->table;
    const bool has_phases = hop[HF_DOWN] != NULL;
    uint32_t n = 0;
    hf_updown_clear_marks(j, lost);
    for (uint32_t i = 0; i < j->n_failed; i++) {
        for (uint32_t p = HF_UP; p <= (has_phases ? HF_DOWN : HF_UP); p++) {
            wait_for(j, &n, t->topo->from[j->failed_list[i]], p);
        }
    }
    while (n > 0) {
        const uint32_t sw = j->list[--n] / 2, phase = j->list[n] % 2;
        hf_bit_clear(j->waits, 2 * (size_t)sw + phase);
        if (!has_lost_hops(j, hop[phase], has_phases, sw, phase, lost)) {
            continue;
        }
        for (uint32_t i = t->back_begin[sw]; i < t->back_begin[sw + 1]; i++) {
            const uint32_t on = has_phases ? t->free.phase[t->back[i].channel] : HF_UP;
            for (uint32_t p = HF_UP; p <= on && on == phase; p++) {
                wait_for(j, &n, t->back[i].to, p);
            }
        }
    }
}

/* ---- lost ways ---- */

/* Ways come by behind a channel: those to `goals`. */
static void come_behind(const hf_updown_judge *j, const hf_updown_arc *arc, const uint64_t *goals, uint32_t *n) {
    const hf_updown_table *t = j->table;
    const uint32_t phase = t->free.phase[arc->channel];
    uint64_t *at = j->behind.at[phase] + arc->to * t->words, any = 0;
    for (size_t w = 0; w < t->words; w++) {
        any |= goals[w] & ~at[w];
        at[w] |= goals[w];
    }
    if (any) {
        wait_for(j, n, arc->to, phase);
    }
}

/* What comes with `phase` goes on over a channel; goals whose ways lose a second hop there are counted anew. */
static void go_on(const hf_updown_judge *j, const hf_updown_arc *arc, uint32_t sw, uint32_t phase, uint32_t *n) {
    const hf_updown_table *t = j->table;
    const size_t at = arc->channel * t->words;
    const uint64_t *behind = hf_updown_row(j, j->behind.at[phase], sw);
    uint64_t *next = j->behind.at[t->free.phase[arc->channel]] + arc->to * t->words, any = 0;
    const bool is_lost = j->is_lost[arc->channel];
    for (size_t w = 0; w < t->words; w++) {
        const uint64_t m = behind[w] & t->free.offer[phase][at + w];
        j->rest[w] |= is_lost ? m & j->lost[at + w] : 0;
        any |= m & ~next[w];
        next[w] |= m;
    }
    if (any) {
        wait_for(j, n, arc->to, t->free.phase[arc->channel]);
    }
}

/* Goals that some ways lead to over more than one lost hop. */
static void find_chains(const hf_updown_judge *j) {
    const hf_updown_table *t = j->table;
    uint32_t n = 0;
    hf_updown_clear_marks(j, &j->behind);
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        if (j->is_lost[t->arc[i].channel]) {
            come_behind(j, &t->arc[i], hf_updown_row(j, j->lost, t->arc[i].channel), &n);
        }
    }
    while (n > 0) {
        const uint32_t sw = j->list[--n] / 2, phase = j->list[n] % 2;
        hf_bit_clear(j->waits, 2 * (size_t)sw + phase);
        for (uint32_t i = t->arc_begin[sw]; i < t->arc_begin[sw + 1]; i++) {
            go_on(j, &t->arc[i], sw, phase, &n);
        }
    }
}

static uint64_t through(const hf_updown_judge *j, uint32_t channel, uint64_t goals, size_t w) {
    const uint64_t *ways = j->table->through + (size_t)channel * j->table->n_goal + w * 64;
    uint64_t sum = 0;
    for (; goals; goals &= goals - 1) {
        sum += ways[__builtin_ctzll(goals)];
    }
    return sum;
}

/* Lost ways, where the lost hops are known and some goals are to be counted anew in any case. Ways over one lost hop are
 * counted by it. */
uint64_t hf_updown_count_lost(hf_updown_judge *j, const hf_updown_ways *ways) {
    const hf_updown_table *t = j->table;
    uint64_t lost = 0;
    find_chains(j);
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        const uint32_t c = t->arc[i].channel;
        for (size_t w = 0; w < t->words && j->is_lost[c]; w++) {
            lost += through(j, c, j->lost[c * t->words + w] & ~j->rest[w], w);
        }
    }
    for (size_t g = hf_bits_next(j->rest, t->n_goal, 0); g < t->n_goal; g = hf_bits_next(j->rest, t->n_goal, g + 1)) {
        lost += t->n_way[g] - ways_left(j, ways, (uint32_t)g);
    }
    return lost;
}

/* Fault-free hops that are offered no more to any packet that comes; goals for which some packets keep a hop are the rest. */
void hf_updown_find_lost_hops(hf_updown_judge *j, const hf_updown_ways *ways) {
    const hf_updown_table *t = j->table;
    const size_t words = t->words;
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        const size_t c = t->arc[i].channel;
        const uint64_t *come = hf_updown_row(j, j->come, hf_updown_place(t->topo->from[c], 0, 0));
        uint64_t any = 0;
        for (size_t w = 0; w < words; w++) {
            const uint64_t up = ways->offer[HF_UP][c * words + w], down = ways->offer[HF_DOWN][c * words + w];
            const uint64_t was_up = t->free.offer[HF_UP][c * words + w], was_down = t->free.offer[HF_DOWN][c * words + w];
            const uint64_t now_up = (was_up & come[w]) | (was_down & come[2 * words + w]);
            const uint64_t now_down = (was_up & come[words + w]) | (was_down & come[3 * words + w]);
            const uint64_t lost = (now_up & ~up) | (now_down & ~down), kept = (now_up & up) | (now_down & down);
            j->lost[c * words + w] = lost;
            j->rest[w] |= lost & kept;
            any |= lost;
        }
        j->is_lost[c] = any != 0;
    }
}
