/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Legal shortest ways for all goals at once, and what is known of them without faults. */
#include <string.h>

#include "src/core/machine.h"
#include "src/routing/any/updown.h"
#include "src/topology/search.h"

static const double memory_limit = 1073741824.0;

/* ---- the search ---- */

/* Goals that become known at a switch for one phase, by the channels that lead to where they have just become known. */
__attribute__((always_inline)) static inline uint64_t take_step(const hf_updown_table *t, const uint64_t *failed,
                                                                const hf_updown_ways *ways, uint32_t v, uint32_t phase,
                                                                size_t words, uint32_t *fill) {
    uint64_t any = 0;
    uint64_t *fresh = t->next[phase] + v * words;
    const uint64_t *seen = ways->seen[phase] + v * words;
    for (uint32_t i = t->arc_begin[v]; i < t->arc_begin[v + 1]; i++) {
        const uint32_t c = t->arc[i].channel, on = ways->phase[c];
        if (phase > on || hf_bit_test(failed, c)) {
            continue; /* no longer up, once down */
        }
        const uint64_t *now = t->now[on] + t->arc[i].to * words;
        uint64_t *offer = ways->offer[phase] + c * words;
        for (size_t w = 0; w < words; w++) {
            const uint64_t m = now[w] & ~seen[w];
            offer[w] |= m;
            fresh[w] |= m;
            any |= m;
            for (uint64_t rest = fill ? m : 0; rest; rest &= rest - 1) {
                t->hop[fill[w * 64 + (size_t)__builtin_ctzll(rest)]++] = (hf_updown_hop){c, 2 * v + phase, 2 * t->arc[i].to + on};
            }
        }
    }
    return any;
}

__attribute__((always_inline)) static inline bool take_steps(hf_updown_table *t, const uint64_t *failed, hf_updown_ways *ways,
                                                             size_t words, uint32_t *fill) {
    const size_t n = t->topo->n_switch * words;
    uint64_t any = 0;
    for (uint32_t p = HF_UP; p <= HF_DOWN; p++) {
        memset(t->next[p], 0, n * sizeof **t->next);
        for (uint32_t v = 0; v < t->topo->n_switch; v++) {
            any |= take_step(t, failed, ways, v, p, words, fill);
        }
    }
    for (uint32_t p = HF_UP; p <= HF_DOWN; p++) {
        uint64_t *const last = t->now[p];
        for (size_t i = 0; i < n; i++) {
            ways->seen[p][i] |= t->next[p][i];
        }
        t->now[p] = t->next[p];
        t->next[p] = last;
    }
    return any != 0;
}

void hf_updown_search(hf_updown_table *t, const uint64_t *failed, hf_updown_ways *ways, uint32_t *fill) {
    const size_t row = t->words * sizeof(uint64_t);
    for (uint32_t p = HF_UP; p <= HF_DOWN; p++) {
        memset(t->now[p], 0, t->topo->n_switch * row);
        memset(ways->offer[p], 0, t->topo->n_channel * row);
        for (uint32_t g = 0; g < t->n_goal; g++) {
            hf_bit_set(t->now[p] + t->goal[g] * t->words, g);
        }
        memcpy(ways->seen[p], t->now[p], t->topo->n_switch * row);
    }
    if (t->words == 1) {
        while (take_steps(t, failed, ways, 1, fill)) {
        }
        return;
    }
    while (take_steps(t, failed, ways, t->words, fill)) {
    }
}

void hf_updown_find_phases(const hf_updown_table *t, const uint32_t *level, hf_updown_ways *ways) {
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        const uint32_t c = t->arc[i].channel;
        ways->phase[c] = hf_updown_is_up(t->topo, level, c) ? HF_UP : HF_DOWN;
    }
}

/* ---- goals and arcs ---- */

static hf_status check(hf_context *cx, const hf_topology *topo) {
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        const bool is_single = topo->out_begin[v + 1] - out == 1 && topo->in_begin[v + 1] - in == 1 &&
                               topo->reverse[topo->out_list[out]] == topo->in_list[in] &&
                               !hf_topology_is_terminal(topo, topo->to[topo->out_list[out]]);
        if (!is_single) {
            HF_FAIL(cx, HF_ENOTSUP, "\"%s\" has terminals with other than one two-way link", topo->spec);
        }
    }
    return HF_OK;
}

static hf_status find_goals(hf_updown_table *t) {
    const hf_topology *topo = t->topo;
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *t->goal_at, (void **)&t->goal_at));
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *t->goal, (void **)&t->goal));
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *t->member, (void **)&t->member));
    memset(t->goal_at, 0xff, topo->n_switch * sizeof *t->goal_at); /* HF_NONE */
    for (uint32_t i = 0; i < topo->n_terminal; i++) {
        const uint32_t sw = topo->terminal_switch[i];
        if (t->goal_at[sw] == HF_NONE) {
            t->goal_at[sw] = t->n_goal;
            t->goal[t->n_goal++] = sw;
        }
        t->member[t->goal_at[sw]]++;
    }
    t->words = hf_words(t->n_goal > 0 ? t->n_goal : 1);
    HF_TRY(hf_scratch(t->cx, t->words, sizeof *t->all, (void **)&t->all));
    hf_bits_fill(t->all, 0, t->n_goal);
    return HF_OK;
}

static hf_status list_arcs(hf_updown_table *t, bool is_back, uint32_t **begin, hf_updown_arc **list) {
    const hf_topology *topo = t->topo;
    const hf_arcs arcs = hf_channels(topo, is_back);
    uint32_t n = 0;
    HF_TRY(hf_scratch(t->cx, topo->n_switch + (size_t)1, sizeof **begin, (void **)begin));
    HF_TRY(hf_scratch(t->cx, topo->n_channel + (size_t)1, sizeof **list, (void **)list));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        for (uint32_t i = arcs.begin[v]; i < arcs.begin[v + 1]; i++) {
            if (!hf_topology_is_terminal(topo, arcs.to[arcs.list[i]])) {
                (*list)[n++] = (hf_updown_arc){arcs.list[i], arcs.to[arcs.list[i]]};
            }
        }
        (*begin)[v + 1] = n;
    }
    return HF_OK;
}

/* ---- without faults ---- */

static hf_status rows(const hf_updown_table *t, size_t n, uint64_t **out) {
    return hf_scratch(t->cx, n * t->words, sizeof **out, (void **)out);
}

hf_status hf_updown_ways_init(const hf_updown_table *t, hf_updown_ways *ways) {
    HF_TRY(hf_scratch(t->cx, t->topo->n_channel, sizeof *ways->phase, (void **)&ways->phase));
    for (uint32_t p = HF_UP; p <= HF_DOWN; p++) {
        HF_TRY(rows(t, t->topo->n_switch, &ways->seen[p]));
        HF_TRY(rows(t, t->topo->n_channel, &ways->offer[p]));
    }
    return HF_OK;
}

static hf_status find_order(hf_updown_table *t) {
    const hf_topology *topo = t->topo;
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *t->level, (void **)&t->level));
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *t->parents, (void **)&t->parents));
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *t->queue, (void **)&t->queue));
    hf_updown_levels(topo, NULL, t->root, t->queue, t->level);
    for (uint32_t i = 0; i < t->arc_begin[topo->n_switch]; i++) {
        t->parents[t->arc[i].to] += t->level[topo->from[t->arc[i].channel]] < t->level[t->arc[i].to];
    }
    return HF_OK;
}

/* Hops of every goal in their order, by a second search. */
static hf_status list_hops(hf_updown_table *t, const uint64_t *none) {
    uint32_t *fill;
    HF_TRY(hf_scratch(t->cx, t->n_goal + (size_t)1, sizeof *t->hop_begin, (void **)&t->hop_begin));
    HF_TRY(hf_scratch(t->cx, t->words * 64, sizeof *fill, (void **)&fill));
    for (size_t c = 0; c < 2 * (size_t)t->topo->n_channel; c++) {
        const uint64_t *row = t->free.offer[c % 2] + c / 2 * t->words;
        for (size_t g = hf_bits_next(row, t->n_goal, 0); g < t->n_goal; g = hf_bits_next(row, t->n_goal, g + 1)) {
            t->hop_begin[g + 1]++;
        }
    }
    for (uint32_t g = 0; g < t->n_goal; g++) {
        t->hop_begin[g + 1] += t->hop_begin[g];
        fill[g] = t->hop_begin[g];
    }
    HF_TRY(hf_scratch(t->cx, t->hop_begin[t->n_goal] + (size_t)1, sizeof *t->hop, (void **)&t->hop));
    hf_updown_search(t, none, &t->free, fill);
    return HF_OK;
}

/* Where packets come by, in passes until nothing is new: phases[v] rows gather what comes to a switch. */
static hf_status find_reached(hf_updown_table *t) {
    const size_t words = t->words;
    uint64_t *come[2];
    HF_TRY(rows(t, t->topo->n_switch, &t->start));
    HF_TRY(rows(t, t->topo->n_channel, &t->reached));
    HF_TRY(rows(t, t->topo->n_switch, &come[HF_UP]));
    HF_TRY(rows(t, t->topo->n_switch, &come[HF_DOWN]));
    for (uint32_t g = 0; g < t->n_goal; g++) {
        uint64_t *start = t->start + t->goal[g] * words;
        memcpy(start, t->free.seen[HF_UP] + t->goal[g] * words, words * sizeof *start);
        hf_bit_clear(start, g);
        memcpy(come[HF_UP] + t->goal[g] * words, start, words * sizeof *start);
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
            const size_t c = t->arc[i].channel, at = t->topo->from[c] * words, to = t->arc[i].to * words;
            for (size_t w = 0; w < words; w++) {
                const uint64_t m = (come[HF_UP][at + w] & t->free.offer[HF_UP][c * words + w]) |
                                   (come[HF_DOWN][at + w] & t->free.offer[HF_DOWN][c * words + w]);
                grew |= (m & ~t->reached[c * words + w]) != 0;
                t->reached[c * words + w] |= m;
                come[t->free.phase[c]][to + w] |= m;
            }
        }
    }
    return HF_OK;
}

/* Shortest hops whatever their direction. */
static hf_status find_near(hf_updown_table *t) {
    const hf_topology *topo = t->topo;
    uint32_t *distance;
    HF_TRY(rows(t, topo->n_channel, &t->near));
    HF_TRY(hf_scratch(t->cx, topo->n_switch, sizeof *distance, (void **)&distance));
    for (uint32_t g = 0; g < t->n_goal; g++) {
        hf_switch_distances(topo, NULL, t->goal[g], true, t->queue, distance);
        for (uint32_t i = 0; i < t->arc_begin[topo->n_switch]; i++) {
            const uint32_t c = t->arc[i].channel, to = t->arc[i].to;
            if (distance[to] != HF_NONE && distance[to] + 1 == distance[topo->from[c]]) {
                hf_bit_set(t->near + c * t->words, g);
            }
        }
    }
    return HF_OK;
}

/* ---- counts ---- */

typedef struct counts {
    uint64_t *down, *up; /* 2 n_switch: ways from (switch, phase) to the goal, and from all terminals to it */
    bool overflows;
} counts;

static void add(counts *n, uint64_t a, uint64_t b, uint64_t *sum) {
    uint64_t product;
    n->overflows |= __builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(*sum, product, sum);
}

static void count_goal(hf_updown_table *t, uint32_t g, counts *n) {
    const hf_updown_hop *begin = t->hop + t->hop_begin[g], *end = t->hop + t->hop_begin[g + 1];
    memset(n->down, 0, 2 * (size_t)t->topo->n_switch * sizeof *n->down);
    memset(n->up, 0, 2 * (size_t)t->topo->n_switch * sizeof *n->up);
    n->down[2 * t->goal[g]] = n->down[2 * t->goal[g] + 1] = 1;
    for (const hf_updown_hop *h = begin; h < end; h++) {
        add(n, 1, n->down[h->head], &n->down[h->tail]);
    }
    for (uint32_t s = 0; s < t->n_goal; s++) {
        const uint32_t others = s == g ? t->member[s] - 1 : t->member[s];
        n->up[2 * t->goal[s] + HF_UP] = s == g ? 0 : t->member[s];
        add(n, (uint64_t)t->member[g] * others, n->down[2 * t->goal[s] + HF_UP], &t->n_way[g]);
    }
    for (const hf_updown_hop *h = end; h-- > begin;) {
        uint64_t each = 0;
        add(n, 1, n->up[h->tail], &n->up[h->head]);
        add(n, n->up[h->tail], n->down[h->head], &each);
        add(n, each, t->member[g], &t->through[(size_t)h->channel * t->n_goal + g]);
    }
}

static hf_status count_ways(hf_context *cx, hf_updown_table *t) {
    const uint32_t n_channel = t->topo->n_channel;
    counts n = {0};
    uint64_t all = 0;
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)t->topo->n_switch, sizeof *n.down, (void **)&n.down));
    HF_TRY(hf_scratch(t->cx, 2 * (size_t)t->topo->n_switch, sizeof *n.up, (void **)&n.up));
    HF_TRY(hf_scratch(t->cx, t->n_goal, sizeof *t->n_way, (void **)&t->n_way));
    HF_TRY(hf_scratch(t->cx, (size_t)n_channel * t->n_goal, sizeof *t->through, (void **)&t->through));
    HF_TRY(hf_scratch(t->cx, n_channel, sizeof *t->through_all, (void **)&t->through_all));
    for (uint32_t g = 0; g < t->n_goal; g++) {
        HF_TRY(hf_context_go_on(cx, "counting legal ways"));
        count_goal(t, g, &n);
        add(&n, 1, t->n_way[g], &all);
        for (uint32_t c = 0; c < n_channel; c++) {
            add(&n, 1, t->through[(size_t)c * t->n_goal + g], &t->through_all[c]);
        }
    }
    if (n.overflows) {
        HF_FAIL(cx, HF_ENOTSUP, "the legal ways of \"%s\" are more than 64 bits can count", t->topo->spec);
    }
    return HF_OK;
}

/* ---- all ---- */

static hf_status check_memory(hf_context *cx, const hf_updown_table *t) {
    const double n = t->topo->n_channel, per_goal = 8 + 2 * sizeof(hf_updown_hop) + 12.0 / 8, bytes = n * t->n_goal * per_goal;
    return hf_machine_fits(cx, bytes, memory_limit, "the judge of up*/down* on \"%s\"", t->topo->spec);
}

static hf_status fill(hf_context *cx, hf_updown_table *t) {
    uint64_t *none;
    HF_TRY(find_goals(t));
    HF_TRY(check_memory(cx, t));
    HF_TRY(list_arcs(t, false, &t->arc_begin, &t->arc));
    HF_TRY(list_arcs(t, true, &t->back_begin, &t->back));
    HF_TRY(find_order(t));
    HF_TRY(hf_updown_ways_init(t, &t->free));
    for (uint32_t p = HF_UP; p <= HF_DOWN; p++) {
        HF_TRY(rows(t, t->topo->n_switch, &t->now[p]));
        HF_TRY(rows(t, t->topo->n_switch, &t->next[p]));
    }
    HF_TRY(hf_scratch(t->cx, hf_words(t->topo->n_channel), sizeof *none, (void **)&none));
    hf_updown_find_phases(t, t->level, &t->free);
    hf_updown_search(t, none, &t->free, NULL);
    HF_TRY(list_hops(t, none));
    HF_TRY(find_reached(t));
    HF_TRY(find_near(t));
    HF_TRY(count_ways(cx, t));
    t->serves_all = true;
    for (uint32_t g = 0; g < t->n_goal; g++) {
        const uint64_t *seen = t->free.seen[HF_UP] + t->goal[g] * t->words;
        t->serves_all &= memcmp(seen, t->all, t->words * sizeof *seen) == 0;
    }
    return HF_OK;
}

void hf_updown_table_free(hf_updown_table *t) {
    if (!t) {
        return;
    }
    const hf_allocator allocator = t->allocator;
    hf_context_free(t->cx);
    hf_release(&allocator, t);
}

hf_status hf_updown_table_new(hf_context *cx, const hf_topology *topo, uint32_t root, hf_updown_table **out) {
    hf_updown_table *t;
    HF_TRY(check(cx, topo));
    HF_TRY(hf_allocate(cx, 1, sizeof *t, (void **)&t));
    *t = (hf_updown_table){.allocator = *hf_context_allocator(cx), .topo = topo, .root = root};
    t->cx = hf_context_new(&t->allocator);
    const hf_status status = t->cx ? fill(cx, t) : HF_ENOMEM;
    if (status != HF_OK) {
        hf_updown_table_free(t);
    }
    if (status == HF_ENOMEM) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory: the ways of a judge cannot be had");
    }
    HF_TRY(status);
    *out = t;
    return HF_OK;
}
