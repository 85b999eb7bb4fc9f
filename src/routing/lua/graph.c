/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The graph without faults, destination by destination from the injections on; then, backwards from deliveries, how far each
 *  state is; and what each hangs on, by the questions that its call asked without faults. */
#include "src/routing/lua/graph.h"

#include "src/core/grow.h"

enum { VERTICES_MOST = 1 << 23, SWITCHES_MOST = 1 << 13 };

uint64_t hf_lua_graph_key(const hf_lua_graph *graph, const hf_lua_asker *asker, uint32_t vertex, uint32_t *asked) {
    const hf_lua_vertex *v = &graph->vertex[vertex];
    const hf_lua_states *s = &asker->states;
    *asked = hf_lua_asked_for(s, hf_lua_arrival_of(s, v->state).at, v->destination);
    return *asked * s->n_state + v->state;
}

/* ---- vertices ---- */

static uint32_t find(const hf_lua_graph *g, uint32_t hash, uint32_t destination, uint64_t state) {
    uint32_t at = hash, i;
    while ((i = hf_index_next(&g->index, hash, &at)) != HF_NONE) {
        if (g->vertex[i].state == state && g->vertex[i].destination == destination) {
            return i;
        }
    }
    return HF_NONE;
}

/* \param[out] out the vertex, which may be new */
static hf_status meet(hf_context *cx, hf_lua_graph *g, uint32_t destination, uint64_t state, uint32_t *out) {
    const uint32_t hash = hf_index_hash(state ^ (uint64_t)destination << 40);
    *out = find(g, hash, destination, state);
    if (*out != HF_NONE) {
        return HF_OK;
    }
    if (g->n_vertex >= VERTICES_MOST) {
        HF_FAIL(cx, HF_ENOTSUP, "the rule has more than %d states", VERTICES_MOST);
    }
    HF_GROW(cx, g->vertex, g->n_vertex, g->vertex_room);
    *out = (uint32_t)g->n_vertex;
    if (!hf_index_add(hf_context_allocator(cx), &g->index, hash, *out)) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for %zu states", g->n_vertex);
    }
    g->vertex[g->n_vertex++] =
        (hf_lua_vertex){.destination = destination, .state = state, .parent = HF_NONE, .down = HF_NONE, .rank = HF_NONE};
    return HF_OK;
}

hf_status hf_lua_graph_behind(hf_context *cx, hf_lua_graph *graph, const hf_lua_asker *asker, uint32_t destination,
                              const hf_lua_hop *hop, uint32_t *out) {
    const hf_topology *topo = asker->states.topo;
    if (hf_topology_is_terminal(topo, topo->to[hop->channel])) {
        *out = HF_LUA_GOAL;
        return HF_OK;
    }
    const hf_hop in = {hop->channel, hop->vc, hop->header};
    return meet(cx, graph, destination, hf_lua_state_of(&asker->states, HF_NONE, in), out);
}

/* ---- all of them ---- */

static hf_status look_at(hf_context *cx, hf_lua_graph *g, hf_lua_asker *asker, uint32_t v) {
    uint32_t asked, list;
    const uint64_t key = hf_lua_graph_key(g, asker, v, &asked);
    HF_TRY(hf_lua_ask(asker, g->vertex[v].state, asked, &list));
    g->vertex[v].list = list;
    g->vertex[v].edge = (uint32_t)g->n_edge;
    g->vertex[v].root = hf_answers_root(asker->answers, key);
    const uint32_t n = asker->answers->list[list].channel;
    if (n == 0 || !g->vertex[v].root) {
        HF_FAIL(cx, HF_ENOTSUP, "packets are stuck without faults, or the answers do not fit into memory");
    }
    for (uint32_t i = 1; i <= n; i++) {
        const hf_lua_hop hop = asker->answers->list[list + i];
        const size_t had = g->n_vertex;
        HF_GROW(cx, g->next, g->n_edge, g->edge_room);
        HF_TRY(hf_lua_graph_behind(cx, g, asker, g->vertex[v].destination, &hop, &g->next[g->n_edge]));
        const uint32_t to = g->next[g->n_edge++];
        if (g->n_vertex > had) {
            g->vertex[to].parent = v;
        }
    }
    return HF_OK;
}

static hf_status explore(hf_context *cx, hf_lua_graph *g, hf_lua_asker *asker, uint32_t destination) {
    size_t head = g->n_vertex;
    uint32_t v;
    for (uint32_t t = 0; t < asker->states.topo->n_terminal; t++) {
        HF_TRY(t != destination ? meet(cx, g, destination, t, &v) : HF_OK);
    }
    for (; head < g->n_vertex; head++) {
        HF_TRY(look_at(cx, g, asker, (uint32_t)head));
    }
    return HF_OK;
}

static hf_status find_before(hf_context *cx, hf_lua_graph *g) {
    hf_rows after = {.n = g->n_vertex, .item = g->next};
    HF_TRY(hf_scratch(cx, g->n_vertex + 2, sizeof *after.begin, (void **)&after.begin));
    for (size_t v = 0; v < g->n_vertex; v++) {
        after.begin[v] = g->vertex[v].edge;
    }
    after.begin[g->n_vertex] = (uint32_t)g->n_edge;
    return hf_rows_turn(cx, &after, g->n_vertex, &g->before);
}

static bool is_at_goal(const hf_lua_graph *g, const hf_answers *answers, uint32_t v) {
    const uint32_t n = answers->list[g->vertex[v].list].channel;
    for (uint32_t i = 0; i < n; i++) {
        if (g->next[g->vertex[v].edge + i] == HF_LUA_GOAL) {
            return true;
        }
    }
    return false;
}

/* How far each state is from delivery. */
static hf_status find_ranks(hf_context *cx, hf_lua_graph *g, const hf_answers *answers) {
    uint32_t *queue, n = 0;
    HF_TRY(hf_scratch(cx, g->n_vertex + 1, sizeof *queue, (void **)&queue));
    for (uint32_t v = 0; v < g->n_vertex; v++) {
        if (is_at_goal(g, answers, v)) {
            g->vertex[v].rank = 1;
            queue[n++] = v;
        }
    }
    for (uint32_t head = 0; head < n; head++) {
        const uint32_t v = queue[head];
        for (uint32_t i = g->before.begin[v]; i < g->before.begin[v + 1]; i++) {
            hf_lua_vertex *u = &g->vertex[g->before.item[i]];
            if (u->rank == HF_NONE) {
                u->rank = g->vertex[v].rank + 1;
                u->down = v;
                queue[n++] = g->before.item[i];
            }
        }
    }
    if (n < g->n_vertex) {
        HF_FAIL(cx, HF_ENOTSUP, "there are states without faults from which no packet is delivered");
    }
    return HF_OK;
}

/* ---- what the hops of a state hang on ---- */

typedef void watcher(hf_rows *rows, uint32_t row, uint32_t vertex);

static void count(hf_rows *rows, uint32_t row, uint32_t vertex) {
    (void)vertex;
    hf_rows_count(rows, row);
}

static void put(hf_rows *rows, uint32_t row, uint32_t vertex) { hf_rows_put(rows, row, vertex); }

static void watch(hf_lua_graph *g, const hf_answers *answers, hf_lua_net *none, uint32_t v, watcher *take) {
    const hf_lua_hop *hops = answers->list + g->vertex[v].list;
    for (uint32_t i = 1; i <= hops->channel; i++) {
        take(&g->by_channel, hops[i].channel, v);
    }
    for (hf_lua_branch b = g->vertex[v].root; !(b & HF_LUA_LEAF);) {
        const hf_lua_node *n = &answers->node[b];
        const uint32_t kind = hf_lua_query_kind(n->query), a = hf_lua_query_a(n->query);
        if (kind == HF_LUA_HEALTHY_DISTANCE) {
            take(&g->by_pair, hf_lua_query_b(n->query) * g->n_switch + a, v);
        } else {
            take(kind == HF_LUA_FAILED ? &g->by_channel : &g->by_switch, a, v);
        }
        b = hf_lua_net_answer(none, n->query) == n->value ? n->same : n->other;
    }
}

static bool asks_distances(const hf_answers *answers) {
    bool asks = false;
    for (size_t i = 1; i < answers->n_node && !asks; i++) {
        asks = hf_lua_query_kind(answers->node[i].query) == HF_LUA_HEALTHY_DISTANCE;
    }
    return asks;
}

static hf_status watch_all(hf_context *cx, hf_lua_graph *g, const hf_lua_asker *asker) {
    const hf_topology *topo = asker->states.topo;
    if (topo->n_switch > SWITCHES_MOST) {
        HF_FAIL(cx, HF_ENOTSUP, "the network has more than %d switches", SWITCHES_MOST);
    }
    HF_TRY(hf_rows_start(cx, topo->n_channel, &g->by_channel));
    HF_TRY(hf_rows_start(cx, topo->n_switch, &g->by_switch));
    g->n_switch = topo->n_switch;
    HF_TRY(hf_rows_start(cx, asks_distances(asker->answers) ? (size_t)topo->n_switch * topo->n_switch : 0, &g->by_pair));
    for (uint32_t v = 0; v < g->n_vertex; v++) {
        watch(g, asker->answers, asker->rule->net, v, count);
    }
    HF_TRY(hf_rows_lay(cx, &g->by_channel));
    HF_TRY(hf_rows_lay(cx, &g->by_switch));
    HF_TRY(hf_rows_lay(cx, &g->by_pair));
    for (uint32_t v = 0; v < g->n_vertex; v++) {
        watch(g, asker->answers, asker->rule->net, v, put);
    }
    return HF_OK;
}

hf_status hf_lua_graph_make(hf_context *cx, hf_lua_asker *asker, hf_lua_graph *out) {
    *out = (hf_lua_graph){.n_vertex = 0};
    for (uint32_t d = 0; d < asker->states.topo->n_terminal; d++) {
        HF_TRY(hf_context_go_on(cx, "asking a rule about all states"));
        HF_TRY(explore(cx, out, asker, d));
    }
    HF_TRY(find_before(cx, out));
    HF_TRY(find_ranks(cx, out, asker->answers));
    return watch_all(cx, out, asker);
}

void hf_lua_graph_free(hf_context *cx, hf_lua_graph *graph) {
    hf_release(hf_context_allocator(cx), graph->vertex);
    hf_release(hf_context_allocator(cx), graph->next);
    hf_index_close(hf_context_allocator(cx), &graph->index);
    *graph = (hf_lua_graph){.n_vertex = 0};
}
