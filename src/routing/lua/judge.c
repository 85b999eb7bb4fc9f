/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Verdicts of a rule in Lua that looks at faults, without planning each set: of the graph of states without faults, only those
 *  are looked at again whose calls asked about a component that has failed, or whose hops have failed; what they say then is
 *  mostly known (answers.h).
 *
 *  A set is tolerated if no packet gets to a state that is stuck or offers a failed hop, and each is delivered on some way.
 * States that have changed lead to others, which are followed. A bad one counts if packets still get there: by the way that they
 * took without faults if all on it say the same, else by a search backwards. A state has a way if a hop leads to one that was
 * nearer to the destination without faults; those that have none follow the ways of those that they lead to, until nothing
 * changes. Where a way is not found so, or the rule fails in a state that packets may not get to, the relation is asked. */
#include "src/core/grow.h"
#include "src/routing/lua/graph.h"
#include "src/routing/lua/lua.h"

/* What is known of a vertex under the present set: each holds if its stamp is that of the set. */
typedef struct view {
    uint32_t known, noted, searched, turned;
    uint32_t met, served; /* the pass that met it, and found a way for it */
    uint32_t list;        /* known: its hops now */
    uint32_t way;         /* turned: where it goes on to; NO_WAY */
    uint32_t edge;        /* turned: the last new edge that leads here, + 1 */
} view;
#define NO_WAY (HF_NONE - 1)

/* A hop that there is not without faults. */
typedef struct edge {
    uint32_t tail, before; /* before: the next in the list of those to the same head, + 1 */
} edge;

typedef struct heap {
    uint32_t *item;
    size_t n, room;
} heap;

typedef struct lua_judge {
    hf_judge base;
    hf_allocator allocator;
    hf_context *cx; /* its arena holds what is known without faults */
    const hf_universe *universe;
    const hf_rule *rule;
    hf_fault_stack failed;
    hf_lua_memory *memory;
    hf_lua_asking asking;
    hf_lua_rule asked;
    hf_lua_asker asker;
    hf_lua_net net;
    hf_lua_graph graph;
    size_t n_base;   /* vertices that there are without faults */
    uint32_t *first; /* by destination: its first vertex, an injection, and so are those of all other terminals behind it */
    view *view;
    size_t view_room;
    /* of the present set */
    uint32_t stamp, pass; /* pass: over one destination */
    const hf_fault_set *faults;
    heap changed, bad, stack;
    edge *edge;
    size_t n_edge, edge_room;
    bool is_lost;
} lua_judge;

static hf_status push(hf_context *cx, hf_judge *base, uint32_t component) {
    return hf_fault_stack_push(cx, &((lua_judge *)base)->failed, component);
}

static void pop(hf_judge *base) { (void)hf_fault_stack_pop(&((lua_judge *)base)->failed); }

static hf_status append(hf_context *cx, heap *l, uint32_t item) {
    HF_GROW(cx, l->item, l->n, l->room);
    l->item[l->n++] = item;
    return HF_OK;
}

static const hf_lua_hop *hops_of(const lua_judge *j, uint32_t list) { return j->memory->answers.list + list; }

/* ---- one state ---- */

/* What it says now. */
static hf_status find_list(hf_context *cx, lua_judge *j, uint32_t v, uint32_t *out) {
    hf_lua_vertex *x = &j->graph.vertex[v];
    view *w = &j->view[v];
    if (w->known == j->stamp) {
        *out = w->list;
        return HF_OK;
    }
    *out = hf_answers_follow(&j->memory->answers, x->root, &j->net);
    HF_TRY(j->net.failure);
    if (!*out) {
        uint32_t asked;
        const uint64_t key = hf_lua_graph_key(&j->graph, &j->asker, v, &asked);
        j->asker.cx = cx;
        HF_TRY(hf_lua_ask(&j->asker, x->state, asked, out));
        x->root = hf_answers_root(&j->memory->answers, key);
    }
    w->known = j->stamp;
    w->list = *out;
    return HF_OK;
}

static bool is_bad(const lua_judge *j, uint32_t list) {
    const hf_lua_hop *hops = hops_of(j, list);
    bool fails = hops->channel == 0;
    for (uint32_t i = 1; i <= hops->channel; i++) {
        fails |= hf_bit_test(j->faults->channel_set, hops[i].channel);
    }
    return fails;
}

static bool is_same_hop(const hf_lua_hop *a, const hf_lua_hop *b) {
    return a->channel == b->channel && a->vc == b->vc && a->header == b->header;
}

/* Does `from`, a vertex without faults, still lead to `to`, another? */
static hf_status leads_to(hf_context *cx, lua_judge *j, uint32_t from, uint32_t to, bool *out) {
    const hf_lua_vertex *x = &j->graph.vertex[from];
    uint32_t now;
    HF_TRY(find_list(cx, j, from, &now));
    *out = now == x->list;
    const hf_lua_hop *then = hops_of(j, x->list), *hops = hops_of(j, now);
    for (uint32_t i = 1; i <= then->channel && !*out; i++) {
        for (uint32_t k = 1; k <= hops->channel && j->graph.next[x->edge + i - 1] == to && !*out; k++) {
            *out = is_same_hop(&then[i], &hops[k]);
        }
    }
    return HF_OK;
}

/* Do packets still come by the way that they are known to take without faults? A failed hop on it is bad itself. */
static hf_status comes_as_before(hf_context *cx, lua_judge *j, uint32_t v, bool *out) {
    *out = v < j->n_base;
    for (uint32_t u = *out ? j->graph.vertex[v].parent : HF_NONE; u != HF_NONE && *out; v = u, u = j->graph.vertex[u].parent) {
        HF_TRY(leads_to(cx, j, u, v, out));
    }
    return HF_OK;
}

/* Look at a state that may have changed. */
static hf_status note(hf_context *cx, lua_judge *j, uint32_t v) {
    uint32_t now;
    if (j->view[v].noted == j->stamp) {
        return HF_OK;
    }
    j->view[v].noted = j->stamp;
    HF_TRY(find_list(cx, j, v, &now));
    if (is_bad(j, now)) {
        HF_TRY(comes_as_before(cx, j, v, &j->is_lost));
        return append(cx, &j->bad, v);
    }
    return now != j->graph.vertex[v].list ? append(cx, &j->changed, v) : HF_OK;
}

/* ---- where changed states lead ---- */

static hf_status add_edge(hf_context *cx, lua_judge *j, uint32_t tail, uint32_t head) {
    view *w = &j->view[head];
    if (w->turned != j->stamp) {
        w->turned = j->stamp;
        w->edge = 0;
        w->way = head < j->n_base ? j->graph.vertex[head].down : NO_WAY;
    }
    HF_GROW(cx, j->edge, j->n_edge, j->edge_room);
    j->edge[j->n_edge++] = (edge){tail, w->edge};
    w->edge = (uint32_t)j->n_edge;
    return HF_OK;
}

/* Room for what is known of the vertices that there are. */
static hf_status make_views(hf_context *cx, lua_judge *j) {
    if (j->graph.vertex_room > j->view_room) {
        HF_TRY(hf_resize(cx, j->graph.vertex_room, sizeof *j->view, (void **)&j->view));
        for (size_t v = j->view_room; v < j->graph.vertex_room; v++) {
            j->view[v] = (view){.known = 0};
        }
        j->view_room = j->graph.vertex_room;
    }
    return HF_OK;
}

/* The vertex behind a hop. \param[out] is_new there is no such hop without faults */
static hf_status behind(hf_context *cx, lua_judge *j, uint32_t v, const hf_lua_hop *hop, uint32_t *out, bool *is_new) {
    const hf_lua_vertex *x = &j->graph.vertex[v];
    const hf_lua_hop *then = hops_of(j, x->list);
    const hf_lua_hop copy = *hop;
    for (uint32_t i = 1; x->list && i <= then->channel; i++) {
        if (is_same_hop(&then[i], hop)) {
            *out = j->graph.next[x->edge + i - 1];
            *is_new = false;
            return HF_OK;
        }
    }
    *is_new = true;
    HF_TRY(hf_lua_graph_behind(cx, &j->graph, &j->asker, x->destination, &copy, out));
    return make_views(cx, j);
}

/* Follow a state that has changed. Its way goes on to one that is nearer without faults, if there is such. */
static hf_status expand(hf_context *cx, lua_judge *j, uint32_t v) {
    const uint32_t now = j->view[v].list, n = hops_of(j, now)->channel;
    uint32_t way = NO_WAY;
    for (uint32_t i = 1; i <= n && !j->is_lost; i++) {
        uint32_t to;
        bool is_new;
        HF_TRY(behind(cx, j, v, hops_of(j, now) + i, &to, &is_new));
        const bool is_near = to == HF_LUA_GOAL || j->graph.vertex[to].rank < j->graph.vertex[v].rank;
        way = is_near && way == NO_WAY ? to : way;
        if (is_new && to != HF_LUA_GOAL) {
            HF_TRY(add_edge(cx, j, v, to));
            HF_TRY(to >= j->n_base ? note(cx, j, to) : HF_OK);
        }
    }
    view *w = &j->view[v];
    w->edge = w->turned == j->stamp ? w->edge : 0;
    w->turned = j->stamp;
    w->way = way;
    return HF_OK;
}

/* ---- do packets get to a state? ---- */

static hf_status search_from(hf_context *cx, lua_judge *j, uint32_t v) {
    if (j->view[v].searched != j->stamp) {
        j->view[v].searched = j->stamp;
        HF_TRY(append(cx, &j->stack, v));
    }
    return HF_OK;
}

static hf_status search_before(hf_context *cx, lua_judge *j, uint32_t v) {
    const hf_rows *before = &j->graph.before;
    bool leads = false;
    for (uint32_t i = v < j->n_base ? before->begin[v] : 0; v < j->n_base && i < before->begin[v + 1]; i++) {
        HF_TRY(leads_to(cx, j, before->item[i], v, &leads));
        HF_TRY(leads ? search_from(cx, j, before->item[i]) : HF_OK);
    }
    for (uint32_t e = j->view[v].turned == j->stamp ? j->view[v].edge : 0; e; e = j->edge[e - 1].before) {
        HF_TRY(search_from(cx, j, j->edge[e - 1].tail));
    }
    return HF_OK;
}

/* Backwards over all hops that there are now. What an earlier search of the set has seen, no packet gets to. */
static hf_status is_reached(hf_context *cx, lua_judge *j, uint32_t v, bool *out) {
    *out = false;
    j->stack.n = 0;
    HF_TRY(search_from(cx, j, v));
    while (j->stack.n > 0 && !*out) {
        const uint32_t u = j->stack.item[--j->stack.n];
        HF_TRY(comes_as_before(cx, j, u, out));
        HF_TRY(*out ? HF_OK : search_before(cx, j, u));
    }
    return HF_OK;
}

/* ---- is every packet delivered on some way? ---- */

/* Follow the ways from a vertex. */
static bool arrives(const lua_judge *j, uint32_t v) {
    while (v != HF_LUA_GOAL && v != NO_WAY) {
        v = j->view[v].turned == j->stamp ? j->view[v].way : j->graph.vertex[v].down;
    }
    return v == HF_LUA_GOAL;
}

static hf_status find_way(hf_context *cx, lua_judge *j, uint32_t v, bool *finds) {
    const uint32_t now = j->view[v].list, n = hops_of(j, now)->channel;
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t to;
        bool is_new;
        HF_TRY(behind(cx, j, v, hops_of(j, now) + i, &to, &is_new));
        if (arrives(j, to)) {
            j->view[v].way = to;
            *finds = true;
            return HF_OK;
        }
    }
    return HF_OK;
}

/* Does one of its hops lead to delivery, or to a state that has a way? */
static hf_status is_served(hf_context *cx, lua_judge *j, uint32_t v, bool *out) {
    const uint32_t now = j->view[v].list, n = hops_of(j, now)->channel;
    *out = j->view[v].served == j->pass;
    for (uint32_t i = 1; i <= n && !*out; i++) {
        uint32_t to;
        bool is_new;
        HF_TRY(behind(cx, j, v, hops_of(j, now) + i, &to, &is_new));
        *out = to == HF_LUA_GOAL || j->view[to].served == j->pass;
    }
    return HF_OK;
}

static hf_status meet(hf_context *cx, lua_judge *j, uint32_t v) {
    uint32_t now;
    if (v == HF_LUA_GOAL || j->view[v].met == j->pass) {
        return HF_OK;
    }
    j->view[v].met = j->pass;
    HF_TRY(find_list(cx, j, v, &now));
    return append(cx, &j->stack, v);
}

/* All states that packets to a destination get to. */
static hf_status meet_all(hf_context *cx, lua_judge *j, uint32_t first) {
    const uint32_t n_source = j->universe->topo->n_terminal - 1;
    j->stack.n = 0;
    for (uint32_t i = 0; i < n_source; i++) {
        HF_TRY(meet(cx, j, first + i));
    }
    for (size_t head = 0; head < j->stack.n; head++) {
        const uint32_t v = j->stack.item[head], now = j->view[v].list, n = hops_of(j, now)->channel;
        for (uint32_t i = 1; i <= n; i++) {
            uint32_t to;
            bool is_new;
            HF_TRY(behind(cx, j, v, hops_of(j, now) + i, &to, &is_new));
            HF_TRY(meet(cx, j, to));
        }
    }
    return HF_OK;
}

/* Is each source of a destination served, where some state that packets get to may lead nowhere? */
static hf_status serves(hf_context *cx, lua_judge *j, uint32_t destination, bool *out) {
    const uint32_t first = j->first[destination], n_source = j->universe->topo->n_terminal - 1;
    j->pass++;
    HF_TRY(meet_all(cx, j, first));
    for (bool changes = true; changes;) {
        changes = false;
        for (size_t i = j->stack.n; i-- > 0;) {
            const uint32_t v = j->stack.item[i];
            bool is_now = false;
            HF_TRY(j->view[v].served != j->pass ? is_served(cx, j, v, &is_now) : HF_OK);
            j->view[v].served = is_now ? j->pass : j->view[v].served;
            changes |= is_now;
        }
    }
    *out = true;
    for (uint32_t i = 0; i < n_source && *out; i++) {
        *out = j->view[first + i].served == j->pass;
    }
    return HF_OK;
}

/* Where the ways that are known do not say it, destination by destination. */
static hf_status find_ways(hf_context *cx, lua_judge *j) {
    bool finds = true;
    uint32_t done = HF_NONE; /* the destination that was looked at last */
    while (finds) {
        finds = false;
        for (size_t i = 0; i < j->changed.n; i++) {
            const uint32_t v = j->changed.item[i];
            HF_TRY(j->view[v].way == NO_WAY ? find_way(cx, j, v, &finds) : HF_OK);
        }
    }
    for (size_t i = 0; i < j->changed.n && !j->is_lost; i++) {
        const uint32_t v = j->changed.item[i], destination = j->graph.vertex[v].destination;
        if (j->view[v].way == NO_WAY && destination != done) {
            bool is_here, serves_all = true;
            HF_TRY(is_reached(cx, j, v, &is_here));
            HF_TRY(is_here ? serves(cx, j, destination, &serves_all) : HF_OK);
            done = is_here ? destination : done;
            j->is_lost = !serves_all;
        }
    }
    return HF_OK;
}

/* ---- one set ---- */

static hf_status note_row(hf_context *cx, lua_judge *j, const hf_rows *rows, uint32_t row) {
    for (uint32_t i = rows->begin[row]; i < rows->begin[row + 1] && !j->is_lost; i++) {
        HF_TRY(note(cx, j, rows->item[i]));
    }
    return HF_OK;
}

/* Where distances to a switch are others than without faults. */
static hf_status note_distances(hf_context *cx, lua_judge *j, uint32_t b) {
    const uint32_t n = j->graph.n_switch, *begin = j->graph.by_pair.begin + (size_t)b * n, *then = j->net.distance[b];
    const uint32_t *now = begin[n] > begin[0] ? hf_lua_net_row(&j->net, b, true) : then;
    HF_TRY(j->net.failure);
    for (uint32_t a = 0; now != then && a < n && !j->is_lost; a++) {
        HF_TRY(now[a] != then[a] ? note_row(cx, j, &j->graph.by_pair, b * n + a) : HF_OK);
    }
    return HF_OK;
}

/* All states that may have changed. */
static hf_status note_all(hf_context *cx, lua_judge *j) {
    const uint32_t n = j->graph.n_switch;
    const bool asks_switches = j->graph.by_switch.begin[n] > 0, asks_pairs = j->graph.by_pair.n > 0;
    for (uint32_t i = 0; i < j->faults->n_channel && !j->is_lost; i++) {
        HF_TRY(note_row(cx, j, &j->graph.by_channel, j->faults->channel[i]));
    }
    for (uint32_t v = 0; asks_switches && v < n && !j->is_lost; v++) {
        HF_TRY(hf_bit_test(j->faults->switch_set, v) ? note_row(cx, j, &j->graph.by_switch, v) : HF_OK);
    }
    for (uint32_t v = 0; asks_pairs && v < n && !j->is_lost; v++) {
        HF_TRY(note_distances(cx, j, v));
    }
    return HF_OK;
}

static hf_status judge_set(hf_context *cx, lua_judge *j) {
    j->changed.n = j->bad.n = j->n_edge = 0;
    j->is_lost = false;
    HF_TRY(note_all(cx, j));
    for (size_t i = 0; i < j->changed.n && !j->is_lost; i++) {
        HF_TRY(expand(cx, j, j->changed.item[i]));
    }
    for (size_t i = 0; i < j->bad.n && !j->is_lost; i++) {
        HF_TRY(is_reached(cx, j, j->bad.item[i], &j->is_lost));
    }
    return j->is_lost ? HF_OK : find_ways(cx, j);
}

/* A new set: nothing is known. */
static void turn(hf_context *cx, lua_judge *j, const hf_fault_set *faults) {
    if (++j->stamp == 0 || j->pass > UINT32_MAX / 2) {
        for (size_t v = 0; v < j->view_room; v++) {
            j->view[v] = (view){.known = 0};
        }
        j->stamp = 1;
        j->pass = 0;
    }
    j->faults = faults;
    j->asking.faults = faults;
    j->net.cx = cx;
    hf_lua_net_turn(&j->net, faults);
}

static hf_status verdict(hf_context *cx, hf_judge *base, hf_measure *out) {
    lua_judge *j = (lua_judge *)base;
    hf_fault_set faults;
    *out = (hf_measure){0};
    HF_TRY(hf_fault_set_make(cx, j->universe, j->failed.component, j->failed.depth, &faults));
    turn(cx, j, &faults);
    const hf_status status = judge_set(cx, j);
    hf_lua_asking_close(&j->asking);
    j->asker.cx = j->cx;
    out->tolerated = !j->is_lost;
    out->live = hf_plan_live(&(hf_plan){.topo = j->universe->topo, .faults = &faults});
    return status == HF_OK || status == HF_ENOMEM || status == HF_ESTOP ? status : HF_ENOTSUP;
}

/* ---- making ---- */

static void release(hf_judge *base) {
    lua_judge *j = (lua_judge *)base;
    const hf_allocator allocator = j->allocator;
    void *const block[] = {j->failed.component, j->view, j->changed.item, j->bad.item, j->stack.item, j->edge};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(&allocator, block[i]);
    }
    if (j->cx) {
        if (j->asker.cx) {
            hf_lua_asker_close(&j->asker);
        }
        hf_lua_graph_free(j->cx, &j->graph);
    }
    hf_lua_asking_close(&j->asking);
    if (j->memory) {
        hf_lua_give_back(j->rule->data, j->memory);
    }
    hf_context_free(j->cx);
    hf_release(&allocator, j);
}

static const hf_judge_ops ops = {.push = push, .pop = pop, .verdict = verdict, .free = release};

/* Rows of distances that calls without faults asked for: what those under faults are held against. */
static hf_status keep_rows(lua_judge *j) {
    const uint32_t n = j->universe->topo->n_switch;
    for (uint32_t b = 0; b < n; b++) {
        if (j->net.distance[n + b]) {
            (void)hf_lua_net_row(&j->net, b, false);
            HF_TRY(j->net.failure);
        }
    }
    return HF_OK;
}

static hf_status fill(lua_judge *j) {
    hf_fault_set *none;
    HF_TRY(hf_lua_remember(j->cx, j->rule->data, &j->rule->args, &j->memory));
    if (!j->memory || !j->memory->asks) {
        HF_FAIL(j->cx, HF_ENOTSUP, "the rule is not remembered, or asks nothing");
    }
    HF_TRY(hf_scratch(j->cx, 1, sizeof *none, (void **)&none));
    HF_TRY(hf_fault_set_make(j->cx, j->universe, NULL, 0, none));
    HF_TRY(hf_lua_net_init(j->cx, j->universe->topo, none, &j->net));
    j->asking = (hf_lua_asking){.data = j->rule->data, .args = &j->rule->args, .faults = none};
    j->asked = hf_lua_remembered(j->memory, &j->asking, &j->net);
    HF_TRY(hf_lua_asker_open(j->cx, j->universe->topo, &j->asked, &j->asker));
    HF_TRY(hf_lua_graph_make(j->cx, &j->asker, &j->graph));
    HF_TRY(keep_rows(j));
    hf_lua_asking_close(&j->asking);
    j->n_base = j->graph.n_vertex;
    HF_TRY(hf_scratch(j->cx, j->universe->topo->n_terminal + 1, sizeof *j->first, (void **)&j->first));
    for (size_t v = j->n_base; v-- > 0;) {
        j->first[j->graph.vertex[v].destination] = (uint32_t)v;
    }
    return make_views(j->cx, j);
}

hf_status hf_lua_judge_new(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    lua_judge *j;
    if (rule->classes || !rule->data) {
        HF_FAIL(cx, HF_ENOTSUP, "packets of several kinds");
    }
    HF_TRY(hf_allocate(cx, 1, sizeof *j, (void **)&j));
    *j = (lua_judge){.base = {.ops = &ops}, .allocator = *hf_context_allocator(cx), .universe = universe, .rule = rule};
    j->cx = hf_context_new(&j->allocator);
    if (j->cx) {
        hf_context_set_stop(j->cx, hf_context_stop_flag(cx));
    }
    const hf_status status = j->cx ? fill(j) : hf_context_fail(cx, HF_ENOMEM, __FILE__, __LINE__, "out of memory for a judge");
    if (status == HF_OK) {
        *out = &j->base;
        return HF_OK;
    }
    if (j->cx) {
        hf_context_copy_failure(cx, j->cx);
    }
    release(&j->base);
    if (status == HF_ENOMEM || status == HF_ESTOP) {
        return status;
    }
    HF_FAIL(cx, HF_ENOTSUP, "the rule is asked set by set");
}
