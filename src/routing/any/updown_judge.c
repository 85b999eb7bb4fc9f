/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fast path of campaigns with up* / down*.
 *
 *  A fault set that leaves every switch a parent leaves the order as it is. Then, with links that fail in both directions, who
 *  hung together still does; legal ways only get longer, so a fault-free way is lost exactly with a channel of it; and a switch
 *  gives up a healthy hop only if the switch behind it has lost all of its own. Another set has an order and ways of its own,
 *  which a search over all goals at once finds. */
#include <string.h>

#include "src/routing/any/updown_judge.h"
#include "src/routing/connects_judge.h"

/* ---- the stack ---- */

static bool is_inside(const hf_topology *topo, uint32_t channel) { return topo->link[channel] < topo->n_switch_link; }

static bool takes_root(const hf_updown_judge *j, uint32_t component) {
    for (uint32_t i = j->universe->switch_begin[component]; i < j->universe->switch_begin[component + 1]; i++) {
        if (j->universe->switch_list[i] == j->table->root) {
            return true;
        }
    }
    return false;
}

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    hf_updown_judge *j = (hf_updown_judge *)base;
    const hf_universe *u = j->universe;
    HF_TRY(hf_fault_stack_push(cx, &j->failed, component));
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        const uint32_t c = u->channel[i];
        if (j->down[c]++ > 0) {
            continue;
        }
        hf_bit_set(j->failed_set, c);
        if (is_inside(u->topo, c)) {
            j->failed_list[j->n_failed++] = c;
        } else {
            j->n_cut++;
        }
    }
    j->root_gone += takes_root(j, component);
    return HF_OK;
}

static void pop(hf_judge *base) {
    hf_updown_judge *j = (hf_updown_judge *)base;
    const hf_universe *u = j->universe;
    const uint32_t component = hf_fault_stack_pop(&j->failed);
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        const uint32_t c = u->channel[i];
        if (--j->down[c] > 0) {
            continue;
        }
        hf_bit_clear(j->failed_set, c);
        if (is_inside(u->topo, c)) {
            j->n_failed--;
        } else {
            j->n_cut--;
        }
    }
    j->root_gone -= takes_root(j, component);
}

/* ---- terminals ---- */

/* \return terminals with a healthy channel */
static uint32_t count_ends(hf_updown_judge *j) {
    const hf_updown_table *t = j->table;
    const hf_topology *topo = t->topo;
    uint32_t live = 0;
    memset(j->sources, 0, t->n_goal * sizeof *j->sources);
    memset(j->sinks, 0, t->n_goal * sizeof *j->sinks);
    memset(j->selves, 0, t->n_goal * sizeof *j->selves);
    for (uint32_t i = 0; i < topo->n_terminal; i++) {
        const uint32_t node = topo->n_switch + i, g = t->goal_at[topo->terminal_switch[i]];
        const bool sends = !hf_updown_has_failed(j, topo->out_list[topo->out_begin[node]]);
        const bool takes = !hf_updown_has_failed(j, topo->in_list[topo->in_begin[node]]);
        j->sources[g] += sends;
        j->sinks[g] += takes;
        j->selves[g] += sends && takes;
        live += sends || takes;
    }
    return live;
}

/* Does every terminal reach every other? */
static bool serves_all(const hf_updown_judge *j, const hf_updown_ways *ways) {
    const hf_updown_table *t = j->table;
    bool serves = t->topo->n_terminal < 2 || j->n_cut == 0;
    for (uint32_t g = 0; g < t->n_goal && serves; g++) {
        serves = memcmp(hf_updown_row(j, ways->seen[HF_UP], t->goal[g]), t->all, t->words * sizeof *t->all) == 0;
    }
    return serves;
}

/* ---- the order as it was ---- */

/* Has every switch that had a parent still one? */
static bool keeps_order(const hf_updown_judge *j) {
    const hf_updown_table *t = j->table;
    bool keeps = j->is_two_way && !j->root_gone;
    for (uint32_t i = 0; i < j->n_failed; i++) {
        const uint32_t c = j->failed_list[i], to = t->topo->to[c];
        const bool is_parent = t->level[t->topo->from[c]] < t->level[to];
        keeps &= !is_parent || ++j->lost_parents[to] < t->parents[to];
    }
    for (uint32_t i = 0; i < j->n_failed; i++) {
        j->lost_parents[t->topo->to[j->failed_list[i]]] = 0;
    }
    return keeps;
}

static uint64_t lost_as_before(hf_updown_judge *j) {
    const hf_updown_table *t = j->table;
    j->come = j->come_free;
    memset(j->is_lost, 0, t->topo->n_channel * sizeof *j->is_lost);
    for (uint32_t i = 0; i < j->n_failed; i++) {
        const size_t c = j->failed_list[i];
        j->is_lost[c] = true;
        memcpy(j->lost + c * t->words, hf_updown_row(j, t->reached, c), t->words * sizeof *j->lost);
    }
    return hf_updown_count_lost(j, &t->free);
}

static uint64_t lost_anew(hf_updown_judge *j, const hf_updown_ways *ways) {
    hf_updown_find_lost_hops(j, ways);
    return hf_updown_count_lost(j, ways);
}

/* ---- victims ---- */

static uint64_t weigh(const hf_updown_judge *j, uint64_t goals, size_t w) {
    uint64_t sum = 0;
    for (; goals; goals &= goals - 1) {
        sum += j->sinks[w * 64 + (size_t)__builtin_ctzll(goals)];
    }
    return sum;
}

/* Of a healthy channel: goals that it was a hop to and is a shortest one to still, legal or not. */
static uint64_t candidates(const hf_updown_judge *j, const hf_updown_arc *arc, size_t w) {
    const hf_updown_table *t = j->table;
    const size_t at = arc->channel * t->words + w;
    return t->reached[at] & t->near[at] & ~j->farther.at[HF_UP][arc->to * t->words + w];
}

/* Those of them to which it is offered no more where packets come. */
static uint64_t count_victims(const hf_updown_judge *j, const hf_updown_ways *ways) {
    const hf_updown_table *t = j->table;
    uint64_t victims = 0;
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        const uint32_t c = t->arc[i].channel;
        const uint64_t *come = hf_updown_row(j, j->come, hf_updown_place(t->topo->from[c], 0, 0));
        for (size_t w = 0; w < t->words && !hf_updown_has_failed(j, c); w++) {
            const uint64_t up = come[w] | come[2 * t->words + w], down = come[t->words + w] | come[3 * t->words + w];
            const uint64_t offered =
                (up & ways->offer[HF_UP][c * t->words + w]) | (down & ways->offer[HF_DOWN][c * t->words + w]);
            victims += weigh(j, candidates(j, &t->arc[i], w) & ~offered, w);
        }
    }
    return victims;
}

/* May a hop have been given up? Then the switch behind it has lost all its hops. */
static bool may_have_victims(const hf_updown_judge *j) {
    const hf_updown_table *t = j->table;
    uint64_t any = 0;
    for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
        const uint32_t c = t->arc[i].channel;
        const uint64_t *longer = hf_updown_row(j, j->longer.at[t->free.phase[c]], t->arc[i].to);
        for (size_t w = 0; w < t->words && !hf_updown_has_failed(j, c); w++) {
            any |= longer[w] ? longer[w] & candidates(j, &t->arc[i], w) : 0;
        }
    }
    return any != 0;
}

static uint64_t victims_as_before(hf_updown_judge *j) {
    hf_updown_table *t = j->table;
    const uint64_t *const legal[2] = {t->free.offer[HF_UP], t->free.offer[HF_DOWN]};
    hf_updown_find_longer(j, legal, &j->longer);
    if (!may_have_victims(j)) {
        return 0;
    }
    memcpy(j->ways.phase, t->free.phase, t->topo->n_channel * sizeof *t->free.phase);
    hf_updown_search(t, j->failed_set, &j->ways, NULL);
    return count_victims(j, &j->ways);
}

/* ---- reading ---- */

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    hf_updown_judge *j = (hf_updown_judge *)base;
    hf_updown_table *t = j->table;
    const uint64_t *const any[2] = {t->near, NULL};
    *out = (hf_measure){.has_victims = true, .has_lost_paths = true, .live = t->topo->n_terminal, .tolerated = t->serves_all};
    if (j->n_cut > 0 || j->had_cut) {
        out->live = count_ends(j);
        j->had_cut = j->n_cut > 0;
    }
    j->keeps_order = j->n_cut == 0 && keeps_order(j);
    if (j->n_cut + j->n_failed == 0) {
        return HF_OK;
    }
    hf_updown_find_longer(j, any, &j->farther);
    memset(j->rest, j->n_cut > 0 ? 0xff : 0, t->words * sizeof *j->rest); /* what terminals lose is counted anew */
    if (j->keeps_order) {
        out->lost_paths = lost_as_before(j);
        out->victims = victims_as_before(j);
        return HF_OK;
    }
    hf_updown_levels(t->topo, j->failed_set, j->root_gone ? HF_NONE : t->root, t->queue, j->level);
    hf_updown_find_phases(t, j->level, &j->ways);
    hf_updown_search(t, j->failed_set, &j->ways, NULL);
    hf_updown_find_come(j, &j->ways, j->come_now);
    j->come = j->come_now;
    out->tolerated = serves_all(j, &j->ways);
    out->lost_paths = lost_anew(j, &j->ways);
    out->victims = count_victims(j, &j->ways);
    return HF_OK;
}

/* ---- pairs that a healthy path connects ---- */

/* Goals to which healthy ways lead, legal or not, in passes until nothing is new. */
static const uint64_t *find_ways(const hf_updown_judge *j) {
    const hf_updown_table *t = j->table;
    uint64_t *at = j->behind.at[HF_UP];
    hf_updown_clear_marks(j, &j->behind);
    for (uint32_t g = 0; g < t->n_goal; g++) {
        hf_bit_set(at + t->goal[g] * t->words, g);
    }
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i < t->arc_begin[t->topo->n_switch]; i++) {
            const uint32_t c = t->arc[i].channel;
            grew |= !hf_updown_has_failed(j, c) &&
                    hf_bits_or(at + t->topo->from[c] * t->words, hf_updown_row(j, at, t->arc[i].to), t->words);
        }
    }
    return at;
}

static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    const hf_updown_judge *j = (const hf_updown_judge *)base;
    const hf_updown_table *t = j->table;
    *out = true;
    if (base->connects) {
        return HF_OK;
    }
    const uint64_t *ways = find_ways(j);
    for (uint32_t s = 0; s < t->n_goal && *out; s++) {
        const uint64_t *way = hf_updown_row(j, ways, t->goal[s]), *legal = hf_updown_row(j, j->ways.seen[HF_UP], t->goal[s]);
        for (size_t w = 0; w < t->words && j->sources[s] > 0; w++) {
            *out &= weigh(j, way[w] & ~legal[w], w) == 0;
        }
    }
    return HF_OK;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    hf_updown_judge *j = (hf_updown_judge *)base;
    const hf_allocator allocator = j->allocator;
    hf_release(&allocator, j->failed.component);
    hf_updown_table_free(j->table);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .read = read, .surviving = surviving, .free = release};

static hf_status allocate(hf_updown_table *t, hf_updown_judge *j) {
    const hf_topology *topo = t->topo;
    const size_t n = topo->n_switch, row_size = t->words * sizeof(uint64_t);
    const struct {
        void *out;
        size_t n, size;
    } list[] = {
        {&j->down, topo->n_channel, sizeof *j->down},
        {&j->failed_set, hf_words(topo->n_channel), sizeof *j->failed_set},
        {&j->failed_list, topo->n_channel, sizeof *j->failed_list},
        {&j->level, n, sizeof *j->level},
        {&j->lost_parents, n, sizeof *j->lost_parents},
        {&j->sources, t->words * 64, sizeof *j->sources},
        {&j->sinks, t->words * 64, sizeof *j->sinks},
        {&j->selves, t->words * 64, sizeof *j->selves},
        {&j->come_free, 4 * n, row_size},
        {&j->come_now, 4 * n, row_size},
        {&j->lost, topo->n_channel, row_size},
        {&j->is_lost, topo->n_channel, sizeof *j->is_lost},
        {&j->rest, 1, row_size},
        {&j->left, 4 * n, sizeof *j->left},
        {&j->longer.at[HF_UP], n, row_size},
        {&j->longer.at[HF_DOWN], n, row_size},
        {&j->farther.at[HF_UP], n, row_size},
        {&j->farther.at[HF_DOWN], n, row_size},
        {&j->behind.at[HF_UP], n, row_size},
        {&j->behind.at[HF_DOWN], n, row_size},
        {&j->list, 2 * n, sizeof *j->list},
        {&j->waits, hf_words(2 * n), sizeof *j->waits},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        HF_TRY(hf_scratch(t->cx, list[i].n, list[i].size, list[i].out));
    }
    return hf_updown_ways_init(t, &j->ways);
}

hf_status hf_updown_graph_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    hf_updown_table *table;
    hf_updown_judge *j;
    if (hf_args_get(&rule->args, "vcs")->number > 1) {
        HF_FAIL(cx, HF_ENOTSUP, "the judge of updown-graph counts ways of one virtual channel");
    }
    HF_TRY(hf_updown_table_new(cx, universe->topo, (uint32_t)hf_args_get(&rule->args, "root")->number, &table));
    const hf_status status = hf_allocate(cx, 1, sizeof *j, (void **)&j);
    if (status != HF_OK) {
        hf_updown_table_free(table);
        return status;
    }
    *j = (hf_updown_judge){.base = {.ops = &ops},
                           .allocator = *hf_context_allocator(cx),
                           .table = table,
                           .universe = universe,
                           .is_two_way = hf_fails_two_way(universe)};
    if (allocate(table, j) != HF_OK) {
        release(&j->base);
        HF_FAIL(cx, HF_ENOMEM, "out of memory: the ways of a judge cannot be had");
    }
    j->base.connects = j->is_two_way; /* up to the first switch of a part, and down */
    (void)count_ends(j);
    hf_updown_find_come(j, &table->free, j->come_free);
    *out = &j->base;
    return HF_OK;
}
