/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Augmenting paths [ford1956]. Nodes are split where switches fail. The channels of a link carry a unit each while paths are
 *  looked for: two that go both ways are exchanged against each other afterwards, and the cut crosses one of them only. */
#include "src/analysis/weakest/menger.h"

#include <string.h>

/* Which of its channels can stand for the component? It is one channel, or both of a link. */
static bool is_one_link(const hf_universe *u, uint32_t component) {
    const uint32_t begin = u->channel_begin[component], n = u->channel_begin[component + 1] - begin;
    return n == 1 || (n == 2 && u->topo->reverse[u->channel[begin]] == u->channel[begin + 1]);
}

static hf_status enter(hf_context *cx, hf_menger *f, const hf_universe *u, uint32_t i) {
    const hf_component *c = &u->component[i];
    if (c->type == HF_COMPONENT_SWITCH) {
        f->of_switch[c->id] = i;
        return HF_OK;
    }
    if (!is_one_link(u, i) || u->switch_begin[i + 1] > u->switch_begin[i]) {
        HF_FAIL(cx, HF_ENOTSUP, "component %u is more than one channel, link or switch", i);
    }
    const uint32_t begin = u->channel_begin[i], end = u->channel_begin[i + 1];
    for (uint32_t k = begin; k < end; k++) {
        const uint32_t channel = u->channel[k];
        f->of_channel[channel] = f->of_channel[channel] == HF_NONE ? i : f->of_channel[channel];
        f->is_link[channel] |= end - begin == 2;
    }
    return HF_OK;
}

static hf_status allocate(hf_context *cx, const hf_topology *topo, hf_menger *f) {
    struct {
        void **at;
        size_t n, size;
    } const array[] = {{(void **)&f->of_channel, topo->n_channel, sizeof *f->of_channel},
                       {(void **)&f->of_switch, topo->n_node, sizeof *f->of_switch},
                       {(void **)&f->is_link, topo->n_channel, sizeof *f->is_link},
                       {(void **)&f->on_channel, topo->n_channel, sizeof *f->on_channel},
                       {(void **)&f->on_switch, topo->n_node, sizeof *f->on_switch},
                       {(void **)&f->touched, topo->n_channel, sizeof *f->touched},
                       {(void **)&f->seen, 2 * (size_t)topo->n_node, sizeof *f->seen},
                       {(void **)&f->before, 2 * (size_t)topo->n_node, sizeof *f->before},
                       {(void **)&f->by, 2 * (size_t)topo->n_node, sizeof *f->by},
                       {(void **)&f->queue, 2 * (size_t)topo->n_node, sizeof *f->queue}};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        HF_TRY(hf_scratch(cx, array[i].n, array[i].size, array[i].at));
    }
    return HF_OK;
}

hf_status hf_menger_init(hf_context *cx, const hf_universe *universe, hf_menger *flow) {
    const hf_topology *topo = universe->topo;
    *flow = (hf_menger){.topo = topo};
    HF_TRY(allocate(cx, topo, flow));
    memset(flow->of_channel, 0xff, topo->n_channel * sizeof *flow->of_channel);
    memset(flow->of_switch, 0xff, topo->n_node * sizeof *flow->of_switch);
    for (uint32_t i = 0; i < universe->n_component; i++) {
        HF_TRY(enter(cx, flow, universe, i));
    }
    return HF_OK;
}

/* ---- the search ---- */

static void clear(hf_menger *f) {
    for (uint32_t i = 0; i < f->n_touched; i++) {
        const uint32_t c = f->touched[i];
        f->on_channel[c] = f->on_switch[f->topo->from[c]] = f->on_switch[f->topo->to[c]] = 0;
    }
    f->n_touched = 0;
}

static uint32_t reach(hf_menger *f, uint32_t tail, uint32_t state, uint32_t before, uint32_t by) {
    if (f->seen[state] == f->turn) {
        return tail;
    }
    f->seen[state] = f->turn;
    f->before[state] = before;
    f->by[state] = by;
    f->queue[tail] = state;
    return tail + 1;
}

/* Where a way comes into a switch: on through it, or units that came in are taken back. */
static uint32_t go_through(hf_menger *f, uint32_t v, uint32_t tail) {
    const hf_topology *topo = f->topo;
    if (hf_topology_is_terminal(topo, v) && !f->relays) {
        return tail; /* terminals do not forward */
    }
    if (f->of_switch[v] == HF_NONE || (f->on_switch[v] == 0 && !f->is_safe)) {
        tail = reach(f, tail, 2 * v + 1, 2 * v, HF_NONE);
    }
    for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
        const uint32_t c = topo->in_list[i];
        if (f->on_channel[c] > 0) {
            tail = reach(f, tail, 2 * topo->from[c] + 1, 2 * v, c);
        }
    }
    return tail;
}

static uint32_t go_out(hf_menger *f, uint32_t v, uint32_t tail) {
    const hf_topology *topo = f->topo;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (f->of_channel[c] == HF_NONE || (f->on_channel[c] == 0 && !f->is_safe)) {
            tail = reach(f, tail, 2 * topo->to[c], 2 * v + 1, c);
        }
    }
    return f->on_switch[v] > 0 ? reach(f, tail, 2 * v, 2 * v + 1, HF_NONE) : tail;
}

static bool search(hf_menger *f, uint32_t from, uint32_t to) {
    uint32_t head = 0, tail = 0;
    f->turn++;
    tail = reach(f, tail, 2 * from + 1, HF_NONE, HF_NONE);
    while (head < tail && f->seen[2 * to] != f->turn) {
        const uint32_t state = f->queue[head++];
        tail = state % 2 ? go_out(f, state / 2, tail) : go_through(f, state / 2, tail);
    }
    return f->seen[2 * to] == f->turn;
}

/* One unit along the way that was found. */
static void add_unit(hf_menger *f, uint32_t from, uint32_t to) {
    for (uint32_t state = 2 * to; state != 2 * from + 1; state = f->before[state]) {
        const uint32_t c = f->by[state];
        if (c == HF_NONE) {
            f->on_switch[state / 2] += state % 2 ? 1 : UINT32_MAX;
        } else if (state % 2 == 0) {
            f->touched[f->n_touched] = c;
            f->n_touched += f->on_channel[c]++ == 0;
        } else {
            f->on_channel[c]--;
        }
    }
}

/* A channel whose units were taken back may get some again: it stands in the list once. */
static void forget_empty(hf_menger *f) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_touched; i++) {
        const uint32_t c = f->touched[i];
        f->touched[n] = c;
        n += f->on_channel[c] > 0;
    }
    f->n_touched = n;
}

uint32_t hf_menger_find(hf_menger *flow, uint32_t from, uint32_t to, uint32_t limit) {
    uint32_t units = 0;
    clear(flow);
    flow->is_safe = true;
    const bool is_unbreakable = search(flow, from, to);
    flow->is_safe = false;
    if (is_unbreakable) {
        add_unit(flow, from, to);
        return limit;
    }
    while (units < limit && search(flow, from, to)) {
        add_unit(flow, from, to);
        forget_empty(flow);
        units++;
    }
    return units;
}

/* ---- cut and paths ---- */

static void put(uint32_t *component, uint32_t *n, uint32_t c) {
    uint32_t at = (*n)++;
    for (; at > 0 && component[at - 1] > c; at--) {
        component[at] = component[at - 1];
    }
    component[at] = c;
}

void hf_menger_cut(const hf_menger *flow, const hf_universe *universe, uint32_t *component, uint32_t *n) {
    const hf_topology *topo = universe->topo;
    *n = 0;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        if (flow->seen[2 * v] == flow->turn && flow->seen[2 * v + 1] != flow->turn && flow->of_switch[v] != HF_NONE) {
            put(component, n, flow->of_switch[v]);
        }
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (flow->seen[2 * topo->from[c] + 1] == flow->turn && flow->seen[2 * topo->to[c]] != flow->turn) {
            put(component, n, flow->of_channel[c]);
        }
    }
}

/* Units that go both ways over a link are exchanged: each goes on as the other. */
static void exchange(hf_menger *f) {
    for (uint32_t i = 0; i < f->n_touched; i++) {
        const uint32_t c = f->touched[i], back = f->topo->reverse[c];
        if (f->is_link[c] && f->on_channel[c] > 0 && f->on_channel[back] > 0) {
            f->on_channel[c]--;
            f->on_channel[back]--;
        }
    }
}

static uint32_t next_channel(const hf_menger *f, uint32_t v) {
    const hf_topology *topo = f->topo;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        if (f->on_channel[topo->out_list[i]] > 0) {
            return topo->out_list[i];
        }
    }
    return HF_NONE;
}

hf_status hf_menger_paths(hf_context *cx, hf_menger *flow, uint32_t from, uint32_t to, hf_weakest_lists *path) {
    exchange(flow);
    while (next_channel(flow, from) != HF_NONE) {
        HF_TRY(hf_weakest_list_item(cx, path, from));
        HF_TRY(hf_weakest_list_item(cx, path, to));
        for (uint32_t v = from; v != to;) {
            const uint32_t c = next_channel(flow, v);
            flow->on_channel[c]--;
            HF_TRY(hf_weakest_list_item(cx, path, c));
            v = flow->topo->to[c];
        }
        HF_TRY(hf_weakest_list_end(cx, path));
    }
    return HF_OK;
}
