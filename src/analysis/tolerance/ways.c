/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The ways of a relation that looks at no faults: walks to all destinations, states with the same ways merged from the
 *  destination on, as automata are that accept finitely many words [revuz1992]; here with fates for letters. */
#include "src/analysis/tolerance/ways.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/paths/walk.h"
#include "src/analysis/tolerance/way_flows.h"
#include "src/analysis/tolerance/way_sets.h"
#include "src/analysis/tolerance/way_trees.h"
#include "src/core/machine.h"

static const uint32_t no_way = HF_NONE; /* of a state: none of its ways leads to the destination */

/* An edge that a vertex is going to have. */
typedef struct step {
    uint32_t fate, head, times;
} step;

typedef struct builder {
    hf_context *cx;
    hf_way_graphs *ways;
    const hf_topology *topo;
    hf_plan plan;
    hf_walk walk;
    uint32_t *fate_of;             /* n_channel */
    uint64_t *hopped;              /* n_channel bits: over which hops lead */
    uint32_t *begin_at;            /* n_terminal * n_terminal: vertices where packets begin, HF_NONE: nowhere */
    size_t vertex_room, edge_room; /* of the growing lists */
    uint64_t *served, *unsafe;     /* states */
    uint32_t *vertex;              /* of each state */
    uint32_t state_room;
    uint32_t *slot, slot_room; /* of vertices by their edges, 0: free, else vertex + 1 */
    step *step;
    size_t step_room;
    double bytes_most;
} builder;

/* ---- fates ---- */

/* Components one after the other part the channels: those of fate f that component k takes down have a fate of their own. */
static hf_status find_fates(builder *b) {
    hf_way_graphs *ways = b->ways;
    const hf_universe *universe = ways->universe;
    const uint32_t n_member = universe->channel_begin[universe->n_component];
    uint32_t *newest;
    HF_TRY(hf_scratch(ways->cx, (size_t)n_member + 1, sizeof *ways->fate, (void **)&ways->fate));
    HF_TRY(hf_scratch(b->cx, (size_t)n_member + 1, sizeof *newest, (void **)&newest));
    HF_TRY(hf_scratch(b->cx, b->topo->n_channel, sizeof *b->fate_of, (void **)&b->fate_of));
    ways->n_fate = 1;
    ways->fate[0] = (hf_fate){HF_NONE, 0};
    for (uint32_t k = 0; k < universe->n_component; k++) {
        for (uint32_t i = universe->channel_begin[k]; i < universe->channel_begin[k + 1]; i++) {
            uint32_t *fate = &b->fate_of[universe->channel[i]], old = *fate;
            const uint32_t known = newest[old];
            if (!known || ways->fate[known].component != k) {
                ways->fate[ways->n_fate] = (hf_fate){k, old};
                newest[old] = ways->n_fate++;
            }
            *fate = newest[old];
        }
    }
    return HF_OK;
}

/* ---- lists that grow ---- */

static hf_status reserve(hf_context *cx, void **list, size_t *room, size_t need, size_t size) {
    if (need <= *room) {
        return HF_OK;
    }
    const size_t wanted = need + need / 2 + 256;
    HF_TRY(hf_resize(cx, wanted, size, list));
    *room = wanted;
    return HF_OK;
}

static hf_status reserve_vertices(builder *b, size_t more) {
    hf_way_graphs *ways = b->ways;
    size_t room = b->vertex_room;
    HF_TRY(reserve(ways->cx, (void **)&ways->goal, &room, (size_t)ways->n_vertex + more + 1, sizeof *ways->goal));
    return reserve(ways->cx, (void **)&ways->out, &b->vertex_room, (size_t)ways->n_vertex + more + 1, sizeof *ways->out);
}

static hf_status reserve_edges(builder *b, size_t more) {
    hf_way_graphs *ways = b->ways;
    return reserve(ways->cx, (void **)&ways->edge, &b->edge_room, (size_t)ways->n_edge + more, sizeof *ways->edge);
}

static hf_status check_memory(const builder *b) {
    const hf_way_graphs *ways = b->ways;
    const double n = b->topo->n_terminal;
    const double vertex_bytes = 2 * sizeof(hf_u128) + 6 * sizeof(uint32_t),
                 edge_bytes = 2 * sizeof(hf_way_edge) + sizeof(uint32_t), pair_bytes = 2 * sizeof(uint32_t) + 0.125;
    const double bytes = vertex_bytes * ways->n_vertex + edge_bytes * ways->n_edge + pair_bytes * n * n;
    if (bytes > b->bytes_most || ways->n_vertex >= HF_NONE / 2 || ways->n_edge >= HF_NONE / 2) {
        HF_FAIL(b->cx, HF_ENOTSUP, "the ways of \"%s\" take more than %d MiB", b->topo->spec, HF_WAYS_MIB);
    }
    return HF_OK;
}

/* ---- one destination ---- */

/* A vertex; its edges follow. */
static uint32_t add_vertex(builder *b) {
    hf_way_graphs *ways = b->ways;
    ways->goal[ways->n_vertex] = b->walk.destination;
    ways->out[ways->n_vertex] = ways->n_edge;
    return ways->n_vertex++;
}

static void add_edges(builder *b, uint32_t tail, const step *s, size_t n) {
    hf_way_graphs *ways = b->ways;
    for (size_t i = 0; i < n; i++) {
        ways->edge[ways->n_edge++] = (hf_way_edge){tail, s[i].head, s[i].times, s[i].fate, 0};
    }
}

static int compare_steps(const void *x, const void *y) {
    const step *a = x, *b = y;
    if (a->fate != b->fate) {
        return a->fate < b->fate ? -1 : 1;
    }
    return (a->head > b->head) - (a->head < b->head);
}

/* Ascending, the same ones as one. \return how many are left */
static size_t merge_steps(step *s, size_t n) {
    size_t kept = 0;
    if (n > 1) {
        qsort(s, n, sizeof *s, compare_steps);
    }
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && compare_steps(&s[kept - 1], &s[i]) == 0) {
            s[kept - 1].times += s[i].times;
        } else {
            s[kept++] = s[i];
        }
    }
    return kept;
}

/* The edges of a state that lead on to the destination. */
static hf_status list_steps(builder *b, uint32_t state, size_t *out) {
    const hf_walk *w = &b->walk;
    size_t n = 0;
    HF_TRY(reserve(b->cx, (void **)&b->step, &b->step_room, w->edge_begin[state + 1] - w->edge_begin[state], sizeof *b->step));
    for (uint32_t e = w->edge_begin[state]; e < w->edge_begin[state + 1]; e++) {
        const uint32_t to = w->edge[e];
        const uint32_t head = to == HF_WALK_DELIVERED ? b->ways->begin[w->destination]
                              : to == HF_WALK_FAULT   ? no_way
                                                      : b->vertex[to];
        if (head != no_way) {
            b->step[n++] = (step){b->fate_of[w->hops[e].channel], head, 1};
        }
    }
    *out = merge_steps(b->step, n);
    return HF_OK;
}

static uint64_t mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static bool has_steps(const hf_way_graphs *ways, uint32_t vertex, const step *s, size_t n) {
    const uint32_t end = vertex + 1 < ways->n_vertex ? ways->out[vertex + 1] : ways->n_edge;
    const hf_way_edge *edge = ways->edge + ways->out[vertex];
    if (end - ways->out[vertex] != n) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (edge[i].fate != s[i].fate || edge[i].head != s[i].head || edge[i].times != s[i].times) {
            return false;
        }
    }
    return true;
}

/* The vertex with these edges, a new one if there is none. */
static hf_status vertex_with(builder *b, const step *s, size_t n, uint32_t *out) {
    uint64_t hash = n;
    for (size_t i = 0; i < n; i++) {
        hash = mix(mix(hash, (uint64_t)s[i].fate << 32 | s[i].head), s[i].times);
    }
    uint32_t i = (uint32_t)hash & (b->slot_room - 1);
    for (; b->slot[i]; i = (i + 1) & (b->slot_room - 1)) {
        if (has_steps(b->ways, b->slot[i] - 1, s, n)) {
            *out = b->slot[i] - 1;
            return HF_OK;
        }
    }
    HF_TRY(reserve_vertices(b, 1));
    HF_TRY(reserve_edges(b, n));
    *out = add_vertex(b);
    b->slot[i] = *out + 1;
    add_edges(b, *out, s, n);
    return HF_OK;
}

/* States behind those that they lead to, in the order of the walk's queue. */
static hf_status merge_states(builder *b) {
    const hf_walk *w = &b->walk;
    memset(b->slot, 0, b->slot_room * sizeof *b->slot);
    for (uint32_t i = 0; i < w->n_state; i++) {
        const uint32_t state = w->queue[i];
        size_t n;
        HF_TRY(list_steps(b, state, &n));
        const step *s = b->step;
        if (n == 0) {
            b->vertex[state] = no_way;
        } else if (n == 1 && s->fate == 0 && s->times == 1) {
            b->vertex[state] = s->head;
        } else {
            HF_TRY(vertex_with(b, s, n, &b->vertex[state]));
        }
    }
    return HF_OK;
}

/* Where packets go round every state is a vertex. */
static hf_status keep_states(builder *b) {
    const hf_walk *w = &b->walk;
    const uint32_t first = b->ways->n_vertex;
    HF_TRY(reserve_vertices(b, w->n_state));
    for (uint32_t state = 0; state < w->n_state; state++) {
        b->vertex[state] = first + state;
    }
    for (uint32_t state = 0; state < w->n_state; state++) {
        size_t n;
        HF_TRY(list_steps(b, state, &n));
        HF_TRY(reserve_edges(b, n));
        add_edges(b, add_vertex(b), b->step, n);
    }
    return HF_OK;
}

static hf_status make_room(builder *b) {
    if (b->state_room >= b->walk.state_room) {
        return HF_OK;
    }
    b->state_room = b->walk.state_room;
    b->slot_room = 64;
    while (b->slot_room < 2 * (uint64_t)b->state_room) {
        b->slot_room *= 2;
    }
    HF_TRY(hf_scratch(b->cx, hf_words(b->state_room), sizeof *b->served, (void **)&b->served));
    HF_TRY(hf_scratch(b->cx, hf_words(b->state_room), sizeof *b->unsafe, (void **)&b->unsafe));
    HF_TRY(hf_scratch(b->cx, b->state_room, sizeof *b->vertex, (void **)&b->vertex));
    return hf_scratch(b->cx, b->slot_room, sizeof *b->slot, (void **)&b->slot);
}

/* Who is served without faults, and over which channels hops lead. */
static void note_sources(builder *b) {
    hf_walk *w = &b->walk;
    const uint32_t n = b->topo->n_terminal;
    uint64_t *bad = b->ways->bad + w->destination * b->ways->words;
    memset(b->served, 0, hf_words(w->n_state) * sizeof *b->served);
    memset(b->unsafe, 0, hf_words(w->n_state) * sizeof *b->unsafe);
    hf_walk_served(w, b->served);
    hf_walk_unsafe(w, b->unsafe);
    for (uint32_t s = 0; s < n; s++) {
        if (s != w->destination && (!hf_bit_test(b->served, s) || hf_bit_test(b->unsafe, s))) {
            hf_bit_set(bad, s);
            b->ways->serves_all = false;
        }
    }
    for (uint32_t e = 0; e < w->n_edge; e++) {
        hf_bit_set(b->hopped, w->hops[e].channel);
    }
}

/* \param[out] goes_round the relation lets a packet go round; else the walk's queue has its order */
static hf_status count_walk(builder *b, bool *goes_round) {
    hf_u128 ways;
    const hf_status status = hf_walk_count(b->cx, &b->walk, &ways);
    *goes_round = status == HF_ENOTSUP;
    if (status != HF_OK && status != HF_ENOTSUP && status != HF_ERANGE) {
        return status;
    }
    if (status != HF_OK) {
        hf_context_clear(b->cx);
        b->ways->has_counts = false;
    } else if (b->ways->has_counts && __builtin_add_overflow(b->ways->n_way, ways, &b->ways->n_way)) {
        HF_FAIL(b->cx, HF_ENOTSUP, "the paths of \"%s\" are more than 128 bits can count", b->topo->spec);
    }
    return HF_OK;
}

static hf_status add_destination(builder *b, uint32_t destination) {
    hf_way_graphs *ways = b->ways;
    bool goes_round;
    HF_TRY(hf_walk_explore(b->cx, &b->walk, &b->plan, destination));
    HF_TRY(hf_walk_turn(b->cx, &b->walk));
    HF_TRY(make_room(b));
    note_sources(b);
    HF_TRY(count_walk(b, &goes_round));
    HF_TRY(reserve_vertices(b, 1));
    ways->begin[destination] = add_vertex(b);
    HF_TRY(goes_round ? keep_states(b) : merge_states(b));
    ways->out[ways->n_vertex] = ways->n_edge;
    const uint32_t n = ways->n_vertex - ways->begin[destination];
    ways->vertex_most = n > ways->vertex_most ? n : ways->vertex_most;
    for (uint32_t s = 0; s < b->topo->n_terminal; s++) {
        b->begin_at[(size_t)destination * b->topo->n_terminal + s] = s == destination ? HF_NONE : b->vertex[s];
    }
    return check_memory(b);
}

static hf_status add_destinations(builder *b) {
    const uint32_t n = b->topo->n_terminal;
    for (uint32_t d = 0; d < n; d++) {
        if (hf_context_stopped(b->cx)) {
            HF_FAIL(b->cx, HF_ESTOP, "stopped while reading the relation, at destination t%u", d);
        }
        HF_TRY(add_destination(b, d));
    }
    b->ways->begin[n] = b->ways->n_vertex;
    return HF_OK;
}

/* ---- indices ---- */

/* Fates of each component, and which components hops need. */
static hf_status index_components(builder *b) {
    hf_way_graphs *ways = b->ways;
    const uint32_t m = ways->universe->n_component;
    HF_TRY(hf_rows_start(ways->cx, m, &ways->fate_of));
    for (uint32_t f = 1; f < ways->n_fate; f++) {
        for (uint32_t i = f; i; i = ways->fate[i].others) {
            hf_rows_count(&ways->fate_of, ways->fate[i].component);
        }
    }
    HF_TRY(hf_rows_lay(ways->cx, &ways->fate_of));
    for (uint32_t f = 1; f < ways->n_fate; f++) {
        for (uint32_t i = f; i; i = ways->fate[i].others) {
            hf_rows_put(&ways->fate_of, ways->fate[i].component, f);
        }
    }
    HF_TRY(hf_scratch(ways->cx, hf_words(m), sizeof *ways->used, (void **)&ways->used));
    for (uint32_t c = 0; c < b->topo->n_channel; c++) {
        for (uint32_t i = hf_bit_test(b->hopped, c) ? b->fate_of[c] : 0; i; i = ways->fate[i].others) {
            hf_bit_set(ways->used, ways->fate[i].component);
        }
    }
    return HF_OK;
}

/* Edges of each component. */
static hf_status index_cut_edges(hf_way_graphs *ways) {
    HF_TRY(hf_rows_start(ways->cx, ways->universe->n_component, &ways->edge_of));
    for (uint32_t e = 0; e < ways->n_edge; e++) {
        for (uint32_t i = ways->edge[e].fate; i; i = ways->fate[i].others) {
            hf_rows_count(&ways->edge_of, ways->fate[i].component);
        }
    }
    HF_TRY(hf_rows_lay(ways->cx, &ways->edge_of));
    for (uint32_t e = 0; e < ways->n_edge; e++) {
        for (uint32_t i = ways->edge[e].fate; i; i = ways->fate[i].others) {
            hf_rows_put(&ways->edge_of, ways->fate[i].component, e);
        }
    }
    return HF_OK;
}

static hf_status index_sources(builder *b) {
    const uint32_t n = b->topo->n_terminal;
    return hf_rows_of(b->ways->cx, b->ways->n_vertex, NULL, n * n, b->begin_at, &b->ways->source);
}

/* The edges by their heads, once their flows are known. */
static hf_status copy_edges(builder *b) {
    hf_way_graphs *ways = b->ways;
    hf_rows in;
    uint32_t *head;
    HF_TRY(hf_scratch(b->cx, (size_t)ways->n_edge + 1, sizeof *head, (void **)&head));
    for (uint32_t e = 0; e < ways->n_edge; e++) {
        head[e] = ways->edge[e].head;
    }
    HF_TRY(hf_rows_of(b->cx, ways->n_vertex, NULL, ways->n_edge, head, &in));
    HF_TRY(hf_scratch(ways->cx, (size_t)ways->n_vertex + 1, sizeof *ways->in_begin, (void **)&ways->in_begin));
    HF_TRY(hf_scratch(ways->cx, (size_t)ways->n_edge + 1, sizeof *ways->in, (void **)&ways->in));
    memcpy(ways->in_begin, in.begin, ((size_t)ways->n_vertex + 1) * sizeof *in.begin);
    for (uint32_t i = 0; i < ways->n_edge; i++) {
        ways->in[i] = ways->edge[in.item[i]];
    }
    return HF_OK;
}

/* ---- all ---- */

static hf_status open_builder(builder *b, const hf_universe *universe, const hf_rule *rule, hf_fault_set *none) {
    hf_way_graphs *ways = b->ways;
    const uint32_t n = b->topo->n_terminal;
    const double most = (double)HF_WAYS_MIB * (1 << 20), there = hf_machine_memory() / 4;
    b->bytes_most = most < there ? most : there;
    HF_TRY(hf_no_faults(b->cx, b->topo, none));
    HF_TRY(hf_plan_make_plain(b->cx, rule, none, &b->plan));
    bool is_blind;
    HF_TRY(hf_plan_is_blind(b->cx, &b->plan, &is_blind));
    const bool is_plain = is_blind || (hf_rule_traits(rule) & HF_ROUTING_SHORTEST);
    if (!is_plain || b->plan.live || b->plan.relays || hf_measures_of(rule->routing)->measure) {
        HF_FAIL(b->cx, HF_ENOTSUP, "routing \"%s\" looks at faults", rule->spec);
    }
    ways->universe = universe;
    ways->serves_all = ways->has_counts = true;
    ways->words = hf_words(n);
    HF_TRY(check_memory(b));
    HF_TRY(hf_walk_init(b->cx, b->topo, &b->walk));
    HF_TRY(hf_scratch(b->cx, hf_words(b->topo->n_channel), sizeof *b->hopped, (void **)&b->hopped));
    HF_TRY(hf_scratch(b->cx, (size_t)n * n, sizeof *b->begin_at, (void **)&b->begin_at));
    HF_TRY(hf_scratch(ways->cx, n * ways->words, sizeof *ways->bad, (void **)&ways->bad));
    return hf_scratch(ways->cx, (size_t)n + 1, sizeof *ways->begin, (void **)&ways->begin);
}

static hf_status build(builder *b, const hf_universe *universe, const hf_rule *rule) {
    hf_fault_set none;
    HF_TRY(open_builder(b, universe, rule, &none));
    HF_TRY(find_fates(b));
    HF_TRY(reserve_vertices(b, 1));
    HF_TRY(reserve_edges(b, 1));
    HF_TRY(add_destinations(b));
    HF_TRY(index_components(b));
    HF_TRY(index_cut_edges(b->ways));
    HF_TRY(index_sources(b));
    HF_TRY(b->ways->has_counts ? hf_way_flows_find(b->cx, b->ways) : HF_OK);
    HF_TRY(copy_edges(b));
    if (hf_way_sets_pay(b->ways)) {
        return hf_way_sets_make(b->ways->cx, b->ways, &b->ways->sets);
    }
    return hf_way_trees_fit(b->ways) ? hf_way_trees_make(b->cx, b->ways, &b->ways->span) : HF_OK;
}

/* What the rule does wrong, and what does not fit, is for those to say who plan set by set. */
static hf_status judge_failure(hf_context *cx, hf_status status) {
    if (status == HF_OK || status == HF_ENOMEM || status == HF_ESTOP || status == HF_ENOTSUP) {
        return status;
    }
    return hf_context_fail(cx, HF_ENOTSUP, __FILE__, __LINE__, "the relation without faults cannot be read");
}

static hf_status new_ways(hf_context *cx, hf_way_graphs **out) {
    hf_way_graphs *ways;
    HF_TRY(hf_allocate(cx, 1, sizeof *ways, (void **)&ways));
    ways->cx = hf_context_new(hf_context_allocator(cx));
    if (!ways->cx) {
        hf_release(hf_context_allocator(cx), ways);
        HF_FAIL(cx, HF_ENOMEM, "out of memory: the ways of a relation cannot be had");
    }
    atomic_init(&ways->users, 1);
    *out = ways;
    return HF_OK;
}

hf_status hf_ways_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_way_graphs **out) {
    hf_way_graphs *ways;
    HF_TRY(new_ways(cx, &ways));
    builder b = {.cx = cx, .ways = ways, .topo = universe->topo};
    const hf_mark mark = hf_scratch_mark(cx);
    hf_status status = build(&b, universe, rule);
    if (status == HF_ENOMEM) {
        hf_context_clear(cx);
        status = hf_context_fail(cx, HF_ENOMEM, __FILE__, __LINE__, "out of memory: the ways of a relation cannot be had");
    }
    hf_scratch_reset(cx, mark);
    hf_release(hf_context_allocator(cx), b.step);
    status = judge_failure(cx, status);
    if (status != HF_OK) {
        hf_ways_release(ways);
        return status;
    }
    *out = ways;
    return HF_OK;
}

hf_way_graphs *hf_ways_share(hf_way_graphs *ways) {
    atomic_fetch_add(&ways->users, 1);
    return ways;
}

void hf_ways_release(hf_way_graphs *ways) {
    if (!ways || atomic_fetch_sub(&ways->users, 1) > 1) {
        return;
    }
    const hf_allocator allocator = *hf_context_allocator(ways->cx);
    hf_release(&allocator, ways->goal);
    hf_release(&allocator, ways->out);
    hf_release(&allocator, ways->edge);
    hf_context_free(ways->cx);
    hf_release(&allocator, ways);
}
