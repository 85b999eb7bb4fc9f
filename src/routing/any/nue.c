/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Destination-based routing without cycles of dependencies on any network and any number of virtual channels. Destinations are
 *  dealt out over the virtual channels. On each, the turns of a spanning tree are laid first: they have no cycle and can always
 *  bring everybody everywhere. Then way after way to each destination grows from it, shortest and least loaded first, as long
 *  as the turn onto it closes no cycle with those laid so far. A destination that some switch cannot be brought to so goes
 *  along the tree. Faults: everything is computed anew; a part that is cut off has a tree of its own. Source: [domke2016];
 *  differs: an impasse sends all of a destination's ways along the tree. */
#include <string.h>

#include "src/core/acyclic.h"
#include "src/core/grow.h"
#include "src/core/heap.h"
#include "src/routing/any/goals.h"
#include "src/routing/connects_judge.h"

typedef struct nue {
    hf_goals goals;
    uint32_t n_vc;
    uint32_t *next; /* n_row rows of n_switch: channel to the next switch; HF_NONE: there is none, or it is there */
} nue;

/* A channel by which a way may grow: towards the goal. */
typedef struct bud {
    uint32_t distance, channel;
    uint64_t load;
} bud;

/* While ways are found. */
typedef struct maker {
    hf_context *cx;
    const hf_topology *topo;
    const nue *state;
    hf_acyclic *turns;      /* by virtual channel; vertices are channels */
    uint32_t *parent;       /* by switch: the channel to its parent in the tree; HF_NONE: a root */
    uint32_t *depth, *tree; /* by switch: depth; its root */
    uint64_t *load;         /* by channel: terminals whose ways it carries */
    uint64_t *way_load;     /* by switch, scratch */
    bud *heap;
    size_t n_heap, heap_room;
    uint32_t *grown; /* switches in the order in which they were reached */
    uint32_t n_grown;
    uint64_t *is_grown;
} maker;

static bool is_before(const void *user, const bud *a, const bud *b) {
    (void)user;
    return a->distance != b->distance ? a->distance < b->distance
           : a->load != b->load       ? a->load < b->load
                                      : a->channel < b->channel;
}
HF_HEAP_DEFINE(heap, bud, const void *, is_before);

/* ---- the tree ---- */

static bool is_inside(const maker *m, uint32_t c) {
    return m->topo->from[c] < m->topo->n_switch && m->topo->to[c] < m->topo->n_switch && !hf_goals_is_failed(&m->state->goals, c);
}

/* A link of the tree needs both directions. */
static bool is_two_way(const maker *m, uint32_t c) {
    const uint32_t back = m->topo->reverse[c];
    return is_inside(m, c) && back != HF_NONE && is_inside(m, back);
}

/* Breadth first from a root. */
static void grow_tree(maker *m, uint32_t root, uint32_t *queue) {
    uint32_t n = 0;
    m->tree[root] = root;
    m->parent[root] = HF_NONE;
    queue[n++] = root;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t v = queue[i];
        for (uint32_t k = m->topo->in_begin[v]; k < m->topo->in_begin[v + 1]; k++) {
            const uint32_t c = m->topo->in_list[k], u = m->topo->from[c];
            if (is_two_way(m, c) && m->tree[u] == HF_NONE) {
                m->tree[u] = root;
                m->parent[u] = c;
                m->depth[u] = m->depth[v] + 1;
                queue[n++] = u;
            }
        }
    }
}

/* The turns of a switch in the tree: from every tree channel into it to every one out of it, but back. */
static hf_status lay_turns(maker *m, hf_acyclic *turns, uint32_t v) {
    const hf_topology *topo = m->topo;
    for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
        const uint32_t in = topo->in_list[i];
        for (uint32_t k = topo->out_begin[v]; k < topo->out_begin[v + 1]; k++) {
            const uint32_t out = topo->out_list[k];
            const bool from_tree = is_two_way(m, in) && (m->parent[topo->from[in]] == in || m->parent[v] == topo->reverse[in]);
            const bool to_tree = is_two_way(m, out) && (m->parent[v] == out || m->parent[topo->to[out]] == topo->reverse[out]);
            bool ok;
            if (from_tree && to_tree && topo->reverse[in] != out) {
                HF_TRY(hf_acyclic_add(m->cx, turns, in, out, &ok));
            }
        }
    }
    return HF_OK;
}

static hf_status make_trees(maker *m) {
    const uint32_t n = m->topo->n_switch;
    uint32_t *queue;
    HF_TRY(hf_scratch(m->cx, n, sizeof *queue, (void **)&queue));
    memset(m->tree, 0xff, n * sizeof *m->tree); /* HF_NONE */
    for (uint32_t v = 0; v < n; v++) {
        if (m->tree[v] == HF_NONE) {
            grow_tree(m, v, queue);
        }
    }
    for (uint32_t vc = 0; vc < m->state->n_vc; vc++) {
        HF_TRY(hf_acyclic_init(m->cx, m->topo->n_channel, &m->turns[vc]));
        for (uint32_t v = 0; v < n; v++) {
            HF_TRY(lay_turns(m, &m->turns[vc], v));
        }
    }
    return HF_OK;
}

/* The channel of the tree from one switch towards another of the same tree. */
static uint32_t tree_channel(const maker *m, uint32_t at, uint32_t goal) {
    uint32_t v = goal;
    while (m->depth[v] > m->depth[at] + 1) {
        v = m->topo->to[m->parent[v]];
    }
    const bool is_below = m->depth[v] == m->depth[at] + 1 && m->topo->to[m->parent[v]] == at;
    return is_below ? m->topo->reverse[m->parent[v]] : m->parent[at];
}

/* ---- the ways to one goal ---- */

static hf_status add_buds(maker *m, uint32_t v, uint32_t distance, uint64_t load) {
    for (uint32_t i = m->topo->in_begin[v]; i < m->topo->in_begin[v + 1]; i++) {
        const uint32_t c = m->topo->in_list[i];
        if (is_inside(m, c) && !hf_bit_test(m->is_grown, m->topo->from[c])) {
            if (m->n_heap == m->heap_room) {
                HF_TRY(hf_grow_scratch(m->cx, m->n_heap, sizeof *m->heap, (void **)&m->heap, &m->heap_room));
            }
            heap_push(NULL, m->heap, m->n_heap++, (bud){distance, c, load + m->load[c]});
        }
    }
    return HF_OK;
}

static void reach(maker *m, uint32_t v) {
    hf_bit_set(m->is_grown, v);
    m->grown[m->n_grown++] = v;
}

/* From the switches that deliver. */
static hf_status grow_ways(maker *m, uint32_t vc, const uint32_t *seed, uint32_t n_seed, uint32_t *next) {
    memset(m->is_grown, 0, hf_words(m->topo->n_switch) * sizeof *m->is_grown);
    m->n_grown = 0;
    m->n_heap = 0;
    for (uint32_t i = 0; i < n_seed; i++) {
        reach(m, seed[i]);
    }
    for (uint32_t i = 0; i < n_seed; i++) {
        HF_TRY(add_buds(m, seed[i], 1, 0));
    }
    while (m->n_heap) {
        const bud b = heap_pop(NULL, m->heap, m->n_heap--);
        const uint32_t u = m->topo->from[b.channel], v = m->topo->to[b.channel];
        bool ok = !hf_bit_test(m->is_grown, u);
        if (ok && next[v] != HF_NONE) {
            HF_TRY(hf_acyclic_add(m->cx, &m->turns[vc], b.channel, next[v], &ok));
        }
        if (ok) {
            next[u] = b.channel;
            reach(m, u);
            HF_TRY(add_buds(m, u, b.distance + 1, b.load));
        }
    }
    return HF_OK;
}

/* Does a switch that the tree brings to the goal lack a way? */
static bool has_impasse(const maker *m, const uint32_t *seed, uint32_t n_seed) {
    for (uint32_t v = 0; v < m->topo->n_switch; v++) {
        for (uint32_t i = 0; i < n_seed && !hf_bit_test(m->is_grown, v); i++) {
            if (m->tree[v] == m->tree[seed[i]]) {
                return true;
            }
        }
    }
    return false;
}

/* All along the tree; to the first switch that delivers there. */
static void take_tree(maker *m, const uint32_t *seed, uint32_t n_seed, uint32_t *next) {
    memset(next, 0xff, m->topo->n_switch * sizeof *next); /* HF_NONE */
    m->n_grown = 0;
    for (uint32_t v = 0; v < m->topo->n_switch; v++) {
        bool is_seed = false;
        for (uint32_t i = 0; i < n_seed; i++) {
            is_seed |= seed[i] == v;
        }
        for (uint32_t i = 0; i < n_seed && next[v] == HF_NONE && !is_seed; i++) {
            next[v] = m->tree[v] == m->tree[seed[i]] ? tree_channel(m, v, seed[i]) : HF_NONE;
        }
    }
}

/* What the ways carry, of those that grew: the last reached first. */
static void add_load(maker *m, const uint32_t *next) {
    const hf_topology *topo = m->topo;
    memset(m->way_load, 0, topo->n_switch * sizeof *m->way_load);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        m->way_load[topo->terminal_switch[t]]++;
    }
    for (uint32_t i = m->n_grown; i-- > 0;) {
        const uint32_t c = next[m->grown[i]];
        if (c != HF_NONE) {
            m->load[c] += m->way_load[m->grown[i]];
            m->way_load[topo->to[c]] += m->way_load[m->grown[i]];
        }
    }
}

static hf_status find_ways(maker *m, uint32_t row, uint32_t *seed) {
    uint32_t *next = m->state->next + (size_t)row * m->topo->n_switch;
    HF_TRY(hf_context_go_on(m->cx, hf_goals_doing));
    const uint32_t n_seed = hf_goals_seeds(&m->state->goals, row);
    memcpy(seed, m->state->goals.queue, n_seed * sizeof *seed);
    memset(next, 0xff, m->topo->n_switch * sizeof *next); /* HF_NONE */
    HF_TRY(grow_ways(m, row % m->state->n_vc, seed, n_seed, next));
    if (has_impasse(m, seed, n_seed)) {
        take_tree(m, seed, n_seed, next);
    }
    add_load(m, next);
    return HF_OK;
}

static hf_status open_maker(hf_context *cx, const hf_topology *topo, const nue *state, maker *m) {
    const uint32_t n = topo->n_switch;
    *m = (maker){.cx = cx, .topo = topo, .state = state};
    uint32_t **const array[] = {&m->parent, &m->depth, &m->tree, &m->grown};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        HF_TRY(hf_scratch(cx, n, sizeof **array[i], (void **)array[i]));
    }
    HF_TRY(hf_scratch(cx, state->n_vc, sizeof *m->turns, (void **)&m->turns));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *m->load, (void **)&m->load));
    HF_TRY(hf_scratch(cx, n, sizeof *m->way_load, (void **)&m->way_load));
    return hf_scratch(cx, hf_words(n), sizeof *m->is_grown, (void **)&m->is_grown);
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    maker m;
    nue *state;
    uint32_t *seed;
    HF_TRY(hf_scratch(cx, 1, sizeof *state, (void **)&state));
    HF_TRY(hf_goals_init(cx, plan, sizeof *state->next, &state->goals));
    HF_TRY(hf_scratch(cx, (size_t)state->goals.n_row * topo->n_switch, sizeof *state->next, (void **)&state->next));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *seed, (void **)&seed));
    plan->n_vc = state->n_vc = (uint32_t)hf_args_get(plan->args, "vcs")->number;
    plan->state = state;
    HF_TRY(open_maker(cx, topo, state, &m));
    HF_TRY(make_trees(&m));
    for (uint32_t row = 0; row < state->goals.n_row; row++) {
        HF_TRY(find_ways(&m, row, seed));
    }
    return HF_OK;
}

/* ---- the relation ---- */

static bool delivers(const nue *state, uint32_t channel, uint32_t destination) {
    return state->goals.topo->to[channel] == state->goals.topo->n_switch + destination &&
           !hf_goals_is_failed(&state->goals, channel);
}

/* The healthy channel from a switch to the destination; HF_NONE: there is none. */
static uint32_t last_channel(const nue *state, uint32_t at, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    uint32_t i = topo->out_begin[at];
    while (i < topo->out_begin[at + 1] && !delivers(state, topo->out_list[i], destination)) {
        i++;
    }
    return i < topo->out_begin[at + 1] ? topo->out_list[i] : HF_NONE;
}

/* Into the network by the first healthy channel to a switch that knows a way. */
static uint32_t first_channel(const nue *state, uint32_t at, uint32_t destination) {
    const hf_topology *topo = state->goals.topo;
    const uint32_t *next = state->next + (size_t)state->goals.row[destination] * topo->n_switch;
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i], v = topo->to[c];
        const bool is_way = v >= topo->n_switch ? delivers(state, c, destination)
                                                : next[v] != HF_NONE || last_channel(state, v, destination) != HF_NONE;
        if (!hf_goals_is_failed(&state->goals, c) && is_way) {
            return c;
        }
    }
    return HF_NONE;
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_topology *topo = plan->topo;
    const nue *state = plan->state;
    const uint32_t row = state->goals.row[destination];
    (void)in;
    if (hf_goals_is_cut_off(&state->goals, destination)) {
        return 0;
    }
    if (hf_topology_is_terminal(topo, at)) {
        hops[0] = (hf_hop){first_channel(state, at, destination), 0, 0};
        return hops[0].channel != HF_NONE;
    }
    hops[0] = (hf_hop){state->next[(size_t)row * topo->n_switch + at], row % plan->n_vc, 0};
    if (hops[0].channel == HF_NONE) {
        hops[0] = (hf_hop){last_channel(state, at, destination), 0, 0};
    }
    return hops[0].channel != HF_NONE;
}

static const hf_param params[] = {
    {.name = "vcs",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .low = 1,
     .high = 64,
     .flags = HF_PARAM_SHOWN,
     .help = "virtual channels of each channel; destinations are dealt out over them"},
    {0},
};

static const hf_likeness likeness = {.by_switch = true, .arrival = hf_arrival_any};

/* Does some way lead from a switch back to it? If none does, no turn is ever refused. */
static hf_status leads_back(hf_context *cx, const hf_topology *topo, bool *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_acyclic graph;
    bool ok = true;
    hf_status status = hf_acyclic_init(cx, topo->n_switch, &graph);
    for (uint32_t c = 0; c < topo->n_channel && ok && status == HF_OK; c++) {
        if (topo->from[c] < topo->n_switch && topo->to[c] < topo->n_switch) {
            status = hf_acyclic_add(cx, &graph, topo->from[c], topo->to[c], &ok);
        }
    }
    hf_scratch_reset(cx, mark);
    *out = !ok;
    return status;
}

/* A part whose links have two channels has one tree, which brings everybody everywhere. */
static hf_status judge(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    (void)rule;
    bool has_way_back;
    HF_TRY(leads_back(cx, universe->topo, &has_way_back));
    if (has_way_back && !hf_fails_two_way(universe)) {
        HF_FAIL(cx, HF_ENOTSUP, "what fails is not two-way");
    }
    return hf_connects_judge_new(cx, out);
}

const hf_routing hf_routing_nue = {
    .name = "nue",
    .summary =
        "one way a pair by destination, free of cycles on any network with any number of VCs; a spanning tree is its escape",
    .source = "domke2016",
    .traits = HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE,
    .params = params,
    .plan = make,
    .route = route,
    .likeness = &likeness,
    .judge = judge,
};
