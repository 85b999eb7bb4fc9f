/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The relation of a rule in Lua: per destination, states are followed from the injections on; each is asked about once. Packets
 *  are not followed over failed channels. */
#include "src/routing/lua/relation.h"

#include <inttypes.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/index.h"
#include "src/core/machine.h"
#include "src/routing/lua/places.h"

/* The table of a plan. */
typedef struct relation {
    hf_lua_states states;
    hf_places places; /* of destination * n_state + state: its list; none: no packet gets here */
    const hf_lua_hop *list;
    bool has_escape; /* the rule marks some hops */
    bool looks;      /* at faults */
} relation;

/* While it is made. */
typedef struct maker {
    hf_context *cx;
    const char *file;
    hf_lua_order order;
    const hf_plan *plan;
    const hf_topology *topo;
    hf_lua_asker asker;
    bool has_escape;
    uint32_t max_hops;
    hf_places places;
    /* states of one destination, in the order in which packets get there */
    uint64_t *queue;
    uint32_t n_queue;
    size_t queue_capacity;
    hf_index seen;
} maker;

static const double memory_limit = 4294967296.0;

/* ---- all states ---- */

/* The hops of a state, unless they are there. \param[in] destination the one that the rule is asked for */
static hf_status tabulate(maker *m, uint64_t state, uint32_t destination, uint32_t *list) {
    const uint64_t key = destination * m->asker.states.n_state + state;
    *list = hf_places_get(&m->places, key);
    if (*list) {
        return HF_OK;
    }
    HF_TRY(hf_lua_ask(&m->asker, state, destination, list));
    const hf_lua_hop *hops = m->asker.answers->list + *list;
    for (uint32_t i = 1; i <= hops->channel; i++) {
        m->has_escape |= hops[i].is_escape;
    }
    m->max_hops = hops->channel > m->max_hops ? hops->channel : m->max_hops;
    return hf_places_put(m->cx, &m->places, key, *list);
}

static bool is_queued(const maker *m, uint64_t state) {
    const uint32_t hash = hf_index_hash(state);
    uint32_t at = hash, i;
    while ((i = hf_index_next(&m->seen, hash, &at)) != HF_NONE) {
        if (m->queue[i] == state) {
            return true;
        }
    }
    return false;
}

static hf_status enqueue(maker *m, uint64_t state) {
    if (is_queued(m, state)) {
        return HF_OK;
    }
    HF_GROW(m->cx, m->queue, m->n_queue, m->queue_capacity);
    m->queue[m->n_queue] = state;
    if (!hf_index_add(hf_context_allocator(m->cx), &m->seen, hf_index_hash(state), m->n_queue)) {
        HF_FAIL(m->cx, HF_ENOMEM, "%s: out of memory for %" PRIu32 " states", m->file, m->n_queue);
    }
    m->n_queue++;
    return HF_OK;
}

/* Queue the states behind the hops of a state. */
static hf_status follow(maker *m, uint32_t list) {
    const uint32_t n = m->asker.answers->list[list].channel;
    for (uint32_t i = 1; i <= n; i++) {
        const hf_lua_hop h = m->asker.answers->list[list + i];
        if (!hf_bit_test(m->plan->faults->channel_set, h.channel) && !hf_topology_is_terminal(m->topo, m->topo->to[h.channel])) {
            HF_TRY(enqueue(m, hf_lua_state_of(&m->asker.states, HF_NONE, (hf_hop){h.channel, h.vc, h.header})));
        }
    }
    return HF_OK;
}

/* The terminal that comes at place i. */
static uint32_t in_order(const maker *m, uint32_t i) { return m->order == HF_LUA_FORWARDS ? i : m->topo->n_terminal - 1 - i; }

static hf_status explore(maker *m, uint32_t destination) {
    const hf_lua_states *states = &m->asker.states;
    hf_index_clear(&m->seen);
    m->n_queue = 0;
    for (uint32_t i = 0; i < m->topo->n_terminal; i++) {
        HF_TRY(in_order(m, i) != destination ? enqueue(m, in_order(m, i)) : HF_OK);
    }
    for (uint32_t head = 0; head < m->n_queue; head++) {
        const uint64_t state = m->queue[head];
        const uint32_t asked = hf_lua_asked_for(states, hf_lua_arrival_of(states, state).at, destination);
        uint32_t list;
        if (hf_context_stopped(m->cx)) {
            HF_FAIL(m->cx, HF_ESTOP, "%s: stopped", m->file);
        }
        HF_TRY(tabulate(m, state, asked, &list));
        HF_TRY(follow(m, list));
    }
    return HF_OK;
}

/* An array over all states, where they have no header. */
static hf_status open_places(maker *m) {
    const double n = (double)m->topo->n_terminal * (double)m->asker.states.n_state;
    const bool is_dense = m->asker.states.n_header == 1;
    HF_TRY(hf_machine_fits(m->cx, is_dense ? 4.0 * n : 0, memory_limit,
                           "%s: the table of the rule on \"%s\" with %" PRIu32 " VCs", m->file, m->topo->spec, m->plan->n_vc));
    return hf_places_open(m->cx, is_dense ? (size_t)n : 0, is_dense, &m->places);
}

static hf_status make_all(maker *m, relation *out) {
    const hf_answers *answers = m->asker.answers;
    hf_lua_hop *kept;
    HF_TRY(open_places(m));
    for (uint32_t d = 0; d < m->topo->n_terminal; d++) {
        HF_TRY(explore(m, in_order(m, d)));
    }
    HF_TRY(hf_scratch(m->cx, answers->n_list + 1, sizeof *kept, (void **)&kept));
    if (answers->n_list > 0) {
        memcpy(kept, answers->list, answers->n_list * sizeof *kept);
    }
    HF_TRY(hf_places_settle(m->cx, &m->places));
    *out = (relation){.states = m->asker.states, .places = m->places, .list = kept, .has_escape = m->has_escape};
    return HF_OK;
}

static const hf_likeness of_one_switch = {.by_switch = true};

hf_status hf_lua_relation_make(hf_context *cx, const hf_lua_rule *rule, hf_lua_order order, hf_plan *plan, bool *differs) {
    const hf_allocator *a = hf_context_allocator(cx);
    maker m = {.cx = cx, .file = rule->file, .order = order, .plan = plan, .topo = plan->topo, .max_hops = 1};
    relation *r;
    plan->n_vc = rule->n_vc;
    HF_TRY(hf_scratch(cx, 1, sizeof *r, (void **)&r));
    hf_status status = hf_lua_asker_open(cx, plan->topo, rule, &m.asker);
    status = status == HF_OK ? make_all(&m, r) : status;
    hf_lua_asker_close(&m.asker);
    hf_release(a, m.queue);
    hf_index_close(a, &m.seen);
    if (status != HF_OK) {
        hf_places_drop(cx, &m.places);
        return status;
    }
    if (differs) {
        *differs = m.asker.differs;
    }
    r->looks = rule->looks(rule->user) || (rule->known && hf_answers_has_questions(rule->known));
    plan->state = r;
    plan->max_hops = m.max_hops;
    plan->traits = rule->commits ? HF_ROUTING_COMMITS : 0;
    plan->likeness = r->states.goal ? &of_one_switch : NULL;
    return HF_OK;
}

/* ---- the table ---- */

static const hf_lua_hop *entries_at(const relation *r, uint64_t key) {
    const uint32_t list = hf_places_get(&r->places, key);
    return list ? r->list + list : NULL;
}

/* The entries of a state, the first of them their number; NULL where no packet gets. */
static const hf_lua_hop *entries_of(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const relation *r = plan->state;
    const uint64_t state = hf_lua_state_of(&r->states, at, in);
    const uint64_t key = hf_lua_asked_for(&r->states, at, destination) * r->states.n_state + state;
    return in.tag < r->states.n_header ? entries_at(r, key) : NULL;
}

size_t hf_lua_relation_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const hf_lua_hop *e = entries_of(plan, at, in, destination);
    const uint32_t n = e ? e->channel : 0;
    for (uint32_t i = 0; i < n; i++) {
        hops[i] = (hf_hop){e[i + 1].channel, e[i + 1].vc, e[i + 1].header};
    }
    return n;
}

size_t hf_lua_relation_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const relation *r = plan->state;
    const hf_lua_hop *e = entries_of(plan, at, in, destination);
    size_t n = 0;
    for (uint32_t i = 1; e && i <= e->channel; i++) {
        /* injection and delivery, which are holdfast's where the rule says nothing, belong to every escape */
        const bool is_plain = in.channel == HF_NONE || hf_topology_is_terminal(plan->topo, plan->topo->to[e[i].channel]);
        if (!r->has_escape || e[i].is_escape || is_plain) {
            hops[n++] = (hf_hop){e[i].channel, e[i].vc, e[i].header};
        }
    }
    return n;
}

static bool is_same_list(const hf_lua_hop *a, const hf_lua_hop *b) {
    if (!a || !b || a->channel != b->channel) {
        return !a && !b;
    }
    for (uint32_t i = 1; i <= a->channel; i++) {
        if (memcmp(&a[i], &b[i], sizeof *a) != 0) {
            return false;
        }
    }
    return true;
}

static bool is_same_relation(const hf_plan *a, const hf_plan *b) {
    const relation *x = a->state, *y = b->state;
    const hf_places *p = &x->places;
    bool is_same = x->states.n_state == y->states.n_state && p->used == y->places.used;
    for (size_t i = 0; i < p->room && is_same; i++) {
        const uint64_t key = p->state ? p->state[i] - 1 : i;
        is_same = (p->state && !p->state[i]) || is_same_list(entries_at(x, key), entries_at(y, key));
    }
    return is_same;
}

hf_status hf_lua_relation_is_blind(hf_context *cx, const hf_plan *plan, hf_lua_make *make, bool *out) {
    hf_plan again = *plan;
    *out = plan->faults->n_channel == 0 && !((const relation *)plan->state)->looks;
    if (*out) {
        HF_TRY(make(cx, HF_LUA_BACKWARDS, &again));
        *out = is_same_relation(plan, &again);
    }
    return HF_OK;
}
