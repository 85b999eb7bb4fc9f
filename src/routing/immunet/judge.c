/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of Immunet: trees, rings and distances of the present set, without tables. */
#include <string.h>

#include "src/routing/immunet/immunet.h"

typedef struct immunet_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_context *own; /* whose arena holds everything below */
    const hf_universe *universe;
    hf_emergency_rule rule;
    bool is_grid;
    hf_ways ways;
    hf_emergency emergency;
    hf_ring ring;
    uint32_t *component, depth; /* the stack */
    uint32_t *failed;           /* n_channel: components of the stack that take it down */
    uint32_t *lost;             /* n_switch: components that take it down */
    uint32_t n_cut;             /* terminal channels that have failed */
    bool is_grown;              /* the emergency is that of the present set */
    uint64_t *dead, *gone;
    uint64_t *goal, *seen; /* n_switch bits: switches with terminals; scratch */
    uint64_t *reach, *reach_next;
    uint32_t *queue;
} immunet_judge;

static hf_status make_room(hf_context *cx, immunet_judge *judge) {
    const hf_topology *topo = judge->universe->topo;
    const size_t rows = topo->n_switch * hf_words(topo->n_switch);
    HF_TRY(hf_immunet_measure_fits(cx, topo));
    HF_TRY(hf_ways_make(cx, topo, &judge->ways));
    HF_TRY(hf_emergency_room(cx, &judge->ways, &judge->emergency));
    HF_TRY(hf_ring_room(cx, &judge->ways, &judge->ring));
    HF_TRY(hf_scratch(cx, judge->universe->n_component, sizeof *judge->component, (void **)&judge->component));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *judge->failed, (void **)&judge->failed));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *judge->lost, (void **)&judge->lost));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_link), sizeof *judge->dead, (void **)&judge->dead));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *judge->gone, (void **)&judge->gone));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *judge->seen, (void **)&judge->seen));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *judge->goal, (void **)&judge->goal));
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_bit_set(judge->goal, topo->terminal_switch[t]);
    }
    HF_TRY(hf_scratch(cx, rows, sizeof *judge->reach, (void **)&judge->reach));
    HF_TRY(hf_scratch(cx, rows, sizeof *judge->reach_next, (void **)&judge->reach_next));
    return hf_scratch(cx, 2 * (size_t)topo->n_switch, sizeof *judge->queue, (void **)&judge->queue);
}

/* ---- the stack ---- */

static bool is_terminal_channel(const hf_topology *topo, uint32_t channel) { return topo->link[channel] >= topo->n_switch_link; }

static void fail_channel(immunet_judge *judge, uint32_t channel) {
    const hf_topology *topo = judge->universe->topo;
    if (judge->failed[channel]++ > 0) {
        return;
    }
    if (is_terminal_channel(topo, channel)) {
        judge->n_cut++;
    } else {
        hf_bit_set(judge->dead, topo->link[channel]);
    }
}

static void mend_channel(immunet_judge *judge, uint32_t channel) {
    const hf_topology *topo = judge->universe->topo;
    if (--judge->failed[channel] > 0) {
        return;
    }
    if (is_terminal_channel(topo, channel)) {
        judge->n_cut--;
    } else if (judge->failed[topo->reverse[channel]] == 0) {
        hf_bit_clear(judge->dead, topo->link[channel]);
    }
}

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    (void)cx;
    immunet_judge *judge = (immunet_judge *)base;
    const hf_universe *u = judge->universe;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        fail_channel(judge, u->channel[i]);
    }
    for (uint32_t i = u->switch_begin[component]; i < u->switch_begin[component + 1]; i++) {
        judge->lost[u->switch_list[i]]++;
        hf_bit_set(judge->gone, u->switch_list[i]);
    }
    judge->component[judge->depth++] = component;
    judge->is_grown = false;
    return HF_OK;
}

static void pop(hf_judge *base) {
    immunet_judge *judge = (immunet_judge *)base;
    const hf_universe *u = judge->universe;
    const uint32_t component = judge->component[--judge->depth];
    judge->is_grown = false;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        mend_channel(judge, u->channel[i]);
    }
    for (uint32_t i = u->switch_begin[component]; i < u->switch_begin[component + 1]; i++) {
        if (--judge->lost[u->switch_list[i]] == 0) {
            hf_bit_clear(judge->gone, u->switch_list[i]);
        }
    }
}

/* ---- reading ---- */

/* Every pair of terminals is served: no terminal is cut off, and all their switches are on one ring. */
static bool serves_all(const immunet_judge *judge) {
    const hf_topology *topo = judge->universe->topo;
    if (topo->n_terminal < 2) {
        return true;
    }
    const uint32_t root = judge->emergency.root[topo->terminal_switch[0]];
    bool all = judge->n_cut == 0 && root != HF_NONE;
    for (uint32_t t = 1; t < topo->n_terminal && all; t++) {
        all = judge->emergency.root[topo->terminal_switch[t]] == root;
    }
    return all;
}

static bool sends(const immunet_judge *judge, uint32_t t) {
    const hf_topology *topo = judge->universe->topo;
    return judge->failed[topo->out_list[topo->out_begin[topo->n_switch + t]]] == 0;
}

static bool receives(const immunet_judge *judge, uint32_t t) {
    const hf_topology *topo = judge->universe->topo;
    return judge->failed[topo->in_list[topo->in_begin[topo->n_switch + t]]] == 0;
}

static uint32_t count_live(const immunet_judge *judge) {
    const uint32_t n = judge->universe->topo->n_terminal;
    uint32_t live = judge->n_cut == 0 ? n : 0;
    for (uint32_t t = 0; judge->n_cut > 0 && t < n; t++) {
        live += sends(judge, t) || receives(judge, t);
    }
    return live;
}

static void grow(immunet_judge *judge) {
    if (!judge->is_grown) {
        hf_emergency_at_once(&judge->ways, &judge->rule, judge->dead, judge->gone, judge->queue, &judge->emergency);
        judge->is_grown = true;
    }
}

static hf_status read(hf_context *cx, hf_judge *base, hf_measure *out) {
    immunet_judge *judge = (immunet_judge *)base;
    *out = (hf_measure){.live = count_live(judge)};
    grow(judge);
    hf_ring_tour(&judge->ways, &judge->emergency, &judge->ring);
    HF_TRY(hf_immunet_measure(cx, &judge->ways, judge->dead, judge->gone, judge->emergency.is_boot && judge->is_grid,
                              &judge->ring, judge->queue, judge->reach, judge->reach_next, out));
    out->tolerated = serves_all(judge);
    return HF_OK;
}

typedef struct trail {
    const immunet_judge *judge;
    uint64_t *seen;
} trail;

static hf_step follow(void *user, uint32_t from, uint32_t way, uint32_t to) {
    (void)from;
    const trail *s = user;
    if (hf_bit_test(s->seen, to) || !hf_ways_is_alive(&s->judge->ways, s->judge->dead, way)) {
        return HF_STEP_PASS;
    }
    hf_bit_set(s->seen, to);
    return HF_STEP_ENTER;
}

/* Whoever becomes root, its tree is all that live links lead to: every pair is served exactly if they lead from one switch with
 * terminals to all others, and no terminal is cut off. */
static bool are_together(immunet_judge *judge) {
    const hf_topology *topo = judge->universe->topo;
    trail s = {judge, judge->seen};
    bool all = true;
    memset(judge->seen, 0, hf_words(topo->n_switch) * sizeof *judge->seen);
    judge->queue[0] = topo->terminal_switch[0];
    hf_bit_set(judge->seen, judge->queue[0]);
    (void)hf_breadth_first(hf_ways_arcs(&judge->ways), judge->queue, 1, follow, &s);
    for (size_t w = 0; w < hf_words(topo->n_switch) && all; w++) {
        all = (judge->goal[w] & ~judge->seen[w]) == 0;
    }
    return all;
}

/* With priorities as printed a tree of switch 0 reaches nobody. */
static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    (void)cx;
    immunet_judge *judge = (immunet_judge *)base;
    *out = (hf_measure){.live = count_live(judge)};
    if (judge->rule.is_printed) {
        grow(judge);
        out->tolerated = serves_all(judge);
    } else {
        out->tolerated = judge->universe->topo->n_terminal < 2 || (judge->n_cut == 0 && are_together(judge));
    }
    return HF_OK;
}

/* ---- criterion surviving ---- */

static bool serves(const immunet_judge *judge, uint32_t from, uint32_t to) {
    const uint32_t *root = judge->emergency.root;
    return root[from] != HF_NONE && root[from] == root[to];
}

/* Does a healthy channel join switches that do not serve each other? Only half of a link that counts as dead does, or one beside
 * a switch that no emergency reached. */
static bool has_crossing(const immunet_judge *judge) {
    const hf_ways *ways = &judge->ways;
    bool found = false;
    for (uint32_t w = 0; w < ways->n_way && !found; w++) {
        found = judge->failed[ways->channel[w]] == 0 && !serves(judge, ways->from[w], ways->to[w]);
    }
    return found;
}

typedef struct spreading {
    const immunet_judge *judge;
    uint64_t *seen;
} spreading;

static hf_step enter(void *user, uint32_t from, uint32_t way, uint32_t to) {
    (void)from;
    const spreading *s = user;
    if (s->judge->failed[s->judge->ways.channel[way]] != 0 || hf_bit_test(s->seen, to)) {
        return HF_STEP_PASS;
    }
    hf_bit_set(s->seen, to);
    return HF_STEP_ENTER;
}

/* Switches that healthy channels lead to from `start`. \param[out] seen n_switch bits */
static void spread(const immunet_judge *judge, uint32_t start, uint64_t *seen) {
    spreading s = {judge, seen};
    memset(seen, 0, hf_words(judge->ways.n) * sizeof *seen);
    hf_bit_set(seen, start);
    judge->queue[0] = start;
    (void)hf_breadth_first(hf_ways_arcs(&judge->ways), judge->queue, 1, enter, &s);
}

/* Every terminal that a healthy path leads to from `source` is served. */
static bool serves_reached(immunet_judge *judge, uint32_t source) {
    const hf_topology *topo = judge->universe->topo;
    const uint32_t start = topo->terminal_switch[source];
    if (!sends(judge, source)) {
        return true;
    }
    spread(judge, start, judge->reach);
    bool all = true;
    for (uint32_t t = 0; t < topo->n_terminal && all; t++) {
        const bool is_reached = t != source && hf_bit_test(judge->reach, topo->terminal_switch[t]) && receives(judge, t);
        all = !is_reached || serves(judge, start, topo->terminal_switch[t]);
    }
    return all;
}

/* Without a crossing healthy paths stay on the switches of one ring, which serves them all. */
static hf_status surviving(hf_context *cx, hf_judge *base, bool *out) {
    (void)cx;
    immunet_judge *judge = (immunet_judge *)base;
    bool all = true;
    grow(judge);
    if (has_crossing(judge)) {
        for (uint32_t t = 0; t < judge->universe->topo->n_terminal && all; t++) {
            all = serves_reached(judge, t);
        }
    }
    *out = all;
    return HF_OK;
}

static void release(hf_judge *base) {
    immunet_judge *judge = (immunet_judge *)base;
    const hf_allocator allocator = judge->allocator;
    if (judge->own) {
        hf_context_free(judge->own);
    }
    hf_release(&allocator, judge);
}

static const hf_judge_ops ops = {
    .push = push, .pop = pop, .read = read, .verdict = verdict, .surviving = surviving, .free = release};

static hf_status fill(hf_context *cx, immunet_judge *judge) {
    judge->own = hf_context_new(&judge->allocator);
    if (!judge->own) {
        HF_FAIL(cx, HF_ENOMEM, "no memory for the judge of \"immunet\"");
    }
    const hf_status status = make_room(judge->own, judge);
    if (status != HF_OK) {
        hf_context_copy_failure(cx, judge->own);
    }
    return status;
}

hf_status hf_immunet_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    const hf_immunet_options options = hf_immunet_options_of(&rule->args);
    if (options.rule.gap != 0) {
        HF_FAIL(cx, HF_ENOTSUP, "faults that come in turn are planned set by set");
    }
    immunet_judge *judge;
    HF_TRY(hf_allocate(cx, 1, sizeof *judge, (void **)&judge));
    judge->base.ops = &ops;
    judge->allocator = *hf_context_allocator(cx);
    judge->universe = universe;
    judge->rule = options.rule;
    judge->is_grid = hf_immunet_is_grid(universe->topo);
    const hf_status status = fill(cx, judge);
    if (status != HF_OK) {
        release(&judge->base);
        return status;
    }
    *out = &judge->base;
    return HF_OK;
}
