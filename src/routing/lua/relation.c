/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The relation of a rule in Lua: per destination, states are followed from the injections on; each is asked about once. A state
 * is the terminal of an injection, or the channel and VC of an arrival. Packets are not followed over failed channels. */
#include "src/routing/lua/relation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/machine.h"

/* A hop, or before the hops of a state their number. */
typedef struct entry {
    uint32_t channel; /* of the number: how many */
    uint16_t vc, is_escape;
} entry;

/* The table of a plan. */
typedef struct relation {
    uint32_t n_state; /* of one destination: terminals, then channels times VCs */
    uint32_t *start;  /* n_terminal rows of n_state: place of the number + 1; 0: no packet gets here */
    const entry *list;
    bool has_escape; /* the rule marks some hops */
    bool looks;      /* at faults */
} relation;

/* While it is made. */
typedef struct maker {
    hf_context *cx;
    hf_lua *lua;
    const char *file;
    hf_lua_order order;
    const hf_plan *plan;
    const hf_topology *topo;
    bool has_inject, has_escape;
    uint32_t n_state, *start, *queue, max_hops;
    entry *list;
    size_t n_entry, entry_capacity;
} maker;

static const double memory_limit = 4294967296.0;

/* ---- one call ---- */

/* "route(at = s3, in_channel = 7 (s2:1>s3:0), in_vc = 0, destination = t5)" */
static hf_status about_call(const maker *m, uint32_t state, uint32_t destination, char **out) {
    const hf_topology *topo = m->topo;
    if (state < topo->n_terminal) {
        return hf_scratch_print(m->cx, out, "inject(terminal = t%" PRIu32 ", destination = t%" PRIu32 ")", state, destination);
    }
    const uint32_t c = (state - topo->n_terminal) / m->plan->n_vc, vc = (state - topo->n_terminal) % m->plan->n_vc;
    char name[64];
    hf_topology_channel_name(topo, c, name, sizeof name);
    return hf_scratch_print(
        m->cx, out, "route(at = %" PRIu32 ", in_channel = %" PRIu32 " (%s), in_vc = %" PRIu32 ", destination = %" PRIu32 ")",
        topo->to[c], c, name, vc, destination);
}

/* Say in which call something failed. */
static hf_status in_call(const maker *m, uint32_t state, uint32_t destination, hf_status status) {
    char *call, *why;
    if (status == HF_ESTOP || status == HF_ENOMEM) {
        return status;
    }
    HF_TRY(hf_scratch_print(m->cx, &why, "%s", hf_context_message(m->cx)));
    HF_TRY(about_call(m, state, destination, &call));
    HF_FAIL(m->cx, status, "%s, in %s", why, call);
}

static hf_status refuse_hop(const maker *m, uint32_t state, uint32_t destination, const hf_lua_hop *hop, const char *why) {
    char *call;
    HF_TRY(about_call(m, state, destination, &call));
    HF_FAIL(m->cx, HF_EINVAL, "%s: the hop {channel = %" PRIu32 ", vc = %" PRIu32 "} %s, in %s", m->file, hop->channel, hop->vc,
            why, call);
}

static hf_status check_hop(const maker *m, uint32_t state, uint32_t at, uint32_t destination, const hf_lua_hop *hop) {
    const hf_topology *topo = m->topo;
    char why[160], name[64];
    if (hop->channel >= topo->n_channel) {
        (void)snprintf(why, sizeof why, "does not exist; channels are 0 to %" PRIu32, topo->n_channel - 1);
        return refuse_hop(m, state, destination, hop, why);
    }
    if (topo->from[hop->channel] != at) {
        hf_topology_channel_name(topo, hop->channel, name, sizeof name);
        (void)snprintf(why, sizeof why, "does not leave from here, it is %s", name);
        return refuse_hop(m, state, destination, hop, why);
    }
    if (hop->vc >= m->plan->n_vc) {
        (void)snprintf(why, sizeof why, "has a virtual channel that does not exist; vcs = %" PRIu32, m->plan->n_vc);
        return refuse_hop(m, state, destination, hop, why);
    }
    const uint32_t to = topo->to[hop->channel];
    if (hf_topology_is_terminal(topo, to) && to != topo->n_switch + destination) {
        (void)snprintf(why, sizeof why, "leads to terminal t%" PRIu32 ", which does not forward", to - topo->n_switch);
        return refuse_hop(m, state, destination, hop, why);
    }
    return HF_OK;
}

/* ---- the hops of a state ---- */

static hf_status reserve(maker *m, size_t more) {
    if (m->n_entry + more > m->entry_capacity) {
        const size_t capacity = 2 * (m->n_entry + more) + 256;
        HF_TRY(hf_resize(m->cx, capacity, sizeof *m->list, (void **)&m->list));
        m->entry_capacity = capacity;
    }
    return HF_OK;
}

static int compare(const void *x, const void *y) {
    const entry *a = x, *b = y;
    if (a->channel != b->channel) {
        return a->channel < b->channel ? -1 : 1;
    }
    return (int)a->vc - (int)b->vc;
}

/* Where the rule leaves it to us: every injection channel, or delivery, on VC 0. */
static hf_status add_plain(maker *m, uint32_t at, uint32_t destination) {
    const hf_topology *topo = m->topo;
    HF_TRY(reserve(m, topo->out_begin[at + 1] - topo->out_begin[at]));
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (hf_topology_is_terminal(topo, at) || topo->to[c] == topo->n_switch + destination) {
            m->list[m->n_entry++] = (entry){c, 0, 0};
        }
    }
    return HF_OK;
}

static hf_status add_hops(maker *m, uint32_t state, uint32_t at, uint32_t destination, const hf_lua_hop *hops, size_t n) {
    HF_TRY(reserve(m, n));
    entry *list = m->list + m->n_entry;
    for (size_t i = 0; i < n; i++) {
        HF_TRY(check_hop(m, state, at, destination, &hops[i]));
        m->has_escape |= hops[i].is_escape;
        list[i] = (entry){hops[i].channel, (uint16_t)hops[i].vc, hops[i].is_escape};
    }
    qsort(list, n, sizeof *list, compare); /* the order in which the rule names them says nothing */
    for (size_t i = 1; i < n; i++) {
        if (compare(&list[i - 1], &list[i]) == 0) {
            const hf_lua_hop twice = {list[i].channel, list[i].vc, false};
            return refuse_hop(m, state, destination, &twice, "is there twice");
        }
    }
    m->n_entry += n;
    return HF_OK;
}

static hf_status call_rule(const maker *m, uint32_t state, uint32_t at, uint32_t destination, const hf_lua_hop **hops,
                           size_t *n) {
    if (state < m->topo->n_terminal) {
        return hf_lua_hops(m->cx, m->lua, "inject", (const uint32_t[]){state, destination}, 2, hops, n);
    }
    const uint32_t arrival = state - m->topo->n_terminal;
    const uint32_t arguments[] = {at, arrival / m->plan->n_vc, arrival % m->plan->n_vc, destination};
    return hf_lua_hops(m->cx, m->lua, "route", arguments, 4, hops, n);
}

static hf_status ask(maker *m, uint32_t state, uint32_t at, uint32_t destination) {
    const hf_lua_hop *hops = NULL;
    size_t n = 0;
    if (state >= m->topo->n_terminal || m->has_inject) {
        const hf_status status = call_rule(m, state, at, destination, &hops, &n);
        if (status != HF_OK) {
            return in_call(m, state, destination, status);
        }
    }
    return hops ? add_hops(m, state, at, destination, hops, n) : add_plain(m, at, destination);
}

static hf_status tabulate(maker *m, uint32_t state, uint32_t destination) {
    const hf_topology *topo = m->topo;
    const uint32_t at = state < topo->n_terminal ? topo->n_switch + state : topo->to[(state - topo->n_terminal) / m->plan->n_vc];
    HF_TRY(reserve(m, 1));
    const size_t head = m->n_entry++;
    HF_TRY(ask(m, state, at, destination));
    const uint32_t n = (uint32_t)(m->n_entry - head - 1);
    m->list[head] = (entry){n, 0, 0};
    m->max_hops = n > m->max_hops ? n : m->max_hops;
    m->start[(size_t)destination * m->n_state + state] = (uint32_t)head + 1;
    if (m->n_entry >= HF_NONE) {
        HF_FAIL(m->cx, HF_ERANGE, "%s: the relation has more than 2^32 hops", m->file);
    }
    return HF_OK;
}

/* ---- all states ---- */

/* Queue the states behind the hops of a state. `start` is 1 for a state in the queue until it is tabulated. */
static void follow(maker *m, uint32_t state, uint32_t destination, uint32_t *tail) {
    uint32_t *start = m->start + (size_t)destination * m->n_state;
    const entry *e = m->list + start[state] - 1;
    for (uint32_t i = 1; i <= e->channel; i++) {
        const uint32_t c = e[i].channel, next = m->topo->n_terminal + c * m->plan->n_vc + e[i].vc;
        if (!start[next] && !hf_bit_test(m->plan->faults->channel_set, c) && !hf_topology_is_terminal(m->topo, m->topo->to[c])) {
            start[next] = 1;
            m->queue[(*tail)++] = next;
        }
    }
}

/* The terminal that comes at place i. */
static uint32_t in_order(const maker *m, uint32_t i) { return m->order == HF_LUA_FORWARDS ? i : m->topo->n_terminal - 1 - i; }

static hf_status explore(maker *m, uint32_t destination) {
    uint32_t tail = 0;
    for (uint32_t i = 0; i < m->topo->n_terminal; i++) {
        if (in_order(m, i) != destination) {
            m->queue[tail++] = in_order(m, i);
        }
    }
    for (uint32_t head = 0; head < tail; head++) {
        if (hf_context_stopped(m->cx)) {
            HF_FAIL(m->cx, HF_ESTOP, "%s: stopped", m->file);
        }
        HF_TRY(tabulate(m, m->queue[head], destination));
        follow(m, m->queue[head], destination, &tail);
    }
    return HF_OK;
}

static hf_status check_size(const maker *m) {
    const double bytes = 4.0 * m->topo->n_terminal * ((double)m->topo->n_terminal + (double)m->topo->n_channel * m->plan->n_vc);
    return hf_machine_fits(m->cx, bytes, memory_limit, "%s: the table of the rule on \"%s\" with %" PRIu32 " VCs", m->file,
                           m->topo->spec, m->plan->n_vc);
}

static hf_status make_all(maker *m, relation *out) {
    const hf_topology *topo = m->topo;
    entry *kept;
    HF_TRY(check_size(m));
    m->n_state = topo->n_terminal + topo->n_channel * m->plan->n_vc;
    HF_TRY(hf_lua_has(m->cx, m->lua, "inject", &m->has_inject));
    HF_TRY(hf_scratch(m->cx, (size_t)topo->n_terminal * m->n_state, sizeof *m->start, (void **)&m->start));
    HF_TRY(hf_scratch(m->cx, m->n_state, sizeof *m->queue, (void **)&m->queue));
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        HF_TRY(explore(m, in_order(m, d)));
    }
    HF_TRY(hf_scratch(m->cx, m->n_entry + 1, sizeof *kept, (void **)&kept));
    if (m->n_entry > 0) {
        memcpy(kept, m->list, m->n_entry * sizeof *kept);
    }
    *out = (relation){.n_state = m->n_state, .start = m->start, .list = kept, .has_escape = m->has_escape};
    return HF_OK;
}

hf_status hf_lua_relation_make(hf_context *cx, hf_lua *lua, const hf_lua_net *net, const char *file, hf_lua_order order,
                               hf_plan *plan) {
    maker m = {.cx = cx, .lua = lua, .file = file, .order = order, .plan = plan, .topo = plan->topo, .max_hops = 1};
    relation *r;
    HF_TRY(hf_scratch(cx, 1, sizeof *r, (void **)&r));
    const hf_status status = make_all(&m, r);
    hf_release(hf_context_allocator(cx), m.list);
    r->looks = net->was_asked || hf_lua_has_read_faults(lua);
    plan->state = r;
    plan->max_hops = m.max_hops;
    return status;
}

/* The entries of a state, the first of them their number; NULL where no packet gets. */
static const entry *entries_of(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const relation *r = plan->state;
    const uint32_t n_terminal = plan->topo->n_terminal;
    const uint32_t state = in.channel == HF_NONE ? at - plan->topo->n_switch : n_terminal + in.channel * plan->n_vc + in.vc;
    const uint32_t start = r->start[(size_t)destination * r->n_state + state];
    return start ? r->list + start - 1 : NULL;
}

size_t hf_lua_relation_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const entry *e = entries_of(plan, at, in, destination);
    const uint32_t n = e ? e->channel : 0;
    for (uint32_t i = 0; i < n; i++) {
        hops[i] = (hf_hop){e[i + 1].channel, e[i + 1].vc, 0};
    }
    return n;
}

size_t hf_lua_relation_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const relation *r = plan->state;
    const entry *e = entries_of(plan, at, in, destination);
    size_t n = 0;
    for (uint32_t i = 1; e && i <= e->channel; i++) {
        /* injection and delivery, which are holdfast's where the rule says nothing, belong to every escape */
        const bool is_plain = in.channel == HF_NONE || hf_topology_is_terminal(plan->topo, plan->topo->to[e[i].channel]);
        if (!r->has_escape || e[i].is_escape || is_plain) {
            hops[n++] = (hf_hop){e[i].channel, e[i].vc, 0};
        }
    }
    return n;
}

bool hf_lua_relation_looks(const hf_plan *plan) { return ((const relation *)plan->state)->looks; }

static bool is_same_list(const entry *a, const entry *b) {
    if (!a || !b || a->channel != b->channel) {
        return !a && !b;
    }
    for (uint32_t i = 1; i <= a->channel; i++) {
        if (compare(&a[i], &b[i]) != 0) {
            return false;
        }
    }
    return true;
}

bool hf_lua_relation_is_same(const hf_plan *a, const hf_plan *b) {
    const relation *x = a->state, *y = b->state;
    bool is_same = x->n_state == y->n_state;
    for (size_t i = 0; i < (size_t)a->topo->n_terminal * x->n_state && is_same; i++) {
        is_same = is_same_list(x->start[i] ? x->list + x->start[i] - 1 : NULL, y->start[i] ? y->list + y->start[i] - 1 : NULL);
    }
    return is_same;
}
