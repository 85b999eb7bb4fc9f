/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The relation of a rule in Lua: per destination, states are followed from the injections on; each is asked about once. A state
 * is the terminal of an injection, or the channel, VC and header of an arrival. The header holds the packet's tag and, where the
 * rule depends on it, its source: it is the tag of our hops. Packets are not followed over failed channels. */
#include "src/routing/lua/relation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/index.h"
#include "src/core/machine.h"
#include "src/routing/lua/places.h"

/* A hop, or before the hops of a state their number. */
typedef struct entry {
    uint32_t channel; /* of the number: how many */
    uint16_t vc, is_escape;
    uint32_t header;
} entry;

/* How states are numbered, and what the rule sees of them. */
typedef struct shape {
    const hf_topology *topo;
    uint32_t n_vc, n_tag, n_header;
    uint64_t n_state; /* of one destination: terminals, then channels times VCs times headers */
    bool sees_source, sees_tag;
    /* where the rule depends on the switch of a destination; else NULL */
    uint32_t *goal;   /* by terminal: the switch that alone leads to it, over one channel; HF_NONE: there is none */
    uint32_t *lowest; /* by switch: the lowest such terminal */
} shape;

/* The table of a plan. */
typedef struct relation {
    shape shape;
    hf_places places; /* of destination * n_state + state; none: no packet gets here */
    const entry *list;
    bool has_escape; /* the rule marks some hops */
    bool looks;      /* at faults */
} relation;

/* While it is made. */
typedef struct maker {
    hf_context *cx;
    const hf_lua_rule *rule;
    const char *file;
    hf_lua_order order;
    const hf_plan *plan;
    const hf_topology *topo;
    shape shape;
    bool has_escape;
    uint32_t max_hops;
    hf_places places;
    entry *list;
    size_t n_entry, entry_capacity;
    /* states of one destination, in the order in which packets get there */
    uint64_t *queue;
    uint32_t n_queue;
    size_t queue_capacity;
    hf_index seen;
} maker;

static const double memory_limit = 4294967296.0;

/* ---- states ---- */

/* A state, taken apart. */
typedef struct arrival {
    uint32_t at, source; /* node; terminal, HF_NONE: the rule does not see it */
    hf_hop in;           /* the tag is that of the rule */
} arrival;

static arrival arrival_of(const shape *s, uint64_t state) {
    if (state < s->topo->n_terminal) {
        return (arrival){s->topo->n_switch + (uint32_t)state, (uint32_t)state, HF_HOP_INJECTION};
    }
    const uint64_t rest = state - s->topo->n_terminal;
    const uint32_t header = (uint32_t)(rest % s->n_header), r = (uint32_t)(rest / s->n_header);
    return (arrival){s->topo->to[r / s->n_vc], s->sees_source ? header / s->n_tag : HF_NONE,
                     (hf_hop){r / s->n_vc, r % s->n_vc, header % s->n_tag}};
}

static uint64_t state_of(const shape *s, uint32_t at, hf_hop in) {
    return in.channel == HF_NONE ? at - s->topo->n_switch
                                 : s->topo->n_terminal + ((uint64_t)in.channel * s->n_vc + in.vc) * s->n_header + in.tag;
}

static uint32_t header_of(const shape *s, uint32_t source, uint32_t tag) {
    return (s->sees_source ? source * s->n_tag : 0) + tag;
}

/* For which destination the rule is asked at a node: where it depends on the switch alone, the lowest terminal there. */
static uint32_t asked_for(const shape *s, uint32_t at, uint32_t destination) {
    const uint32_t sw = s->goal ? s->goal[destination] : HF_NONE;
    const bool is_there = at == sw || (at >= s->topo->n_switch && s->topo->terminal_switch[at - s->topo->n_switch] == sw);
    return sw == HF_NONE || is_there ? destination : s->lowest[sw];
}

static uint64_t key_of(const shape *s, uint32_t at, uint64_t state, uint32_t destination) {
    return asked_for(s, at, destination) * s->n_state + state;
}

/* ---- one call ---- */

/* "route(at = s3, in_channel = 7 (s2:1>s3:0), in_vc = 0, destination = t5)" */
static hf_status about_call(const maker *m, uint64_t state, uint32_t destination, char **out) {
    const hf_topology *topo = m->topo;
    const arrival a = arrival_of(&m->shape, state);
    char name[HF_NAME_SIZE], tag[32] = "", source[32] = "";
    if (a.in.channel == HF_NONE) {
        return hf_scratch_print(m->cx, out, "inject(terminal = t%" PRIu32 ", destination = t%" PRIu32 ")", a.source, destination);
    }
    hf_topology_channel_name(topo, a.in.channel, name, sizeof name);
    if (m->shape.sees_tag) {
        (void)snprintf(tag, sizeof tag, ", tag = %" PRIu32, a.in.tag);
    }
    if (m->shape.sees_source) {
        (void)snprintf(source, sizeof source, ", source = %" PRIu32, a.source);
    }
    return hf_scratch_print(
        m->cx, out, "route(at = %" PRIu32 ", in_channel = %" PRIu32 " (%s), in_vc = %" PRIu32 ", destination = %" PRIu32 "%s%s)",
        a.at, a.in.channel, name, a.in.vc, destination, tag, source);
}

/* Say in which call something failed. */
static hf_status in_call(const maker *m, uint64_t state, uint32_t destination, hf_status status) {
    char *call, *why;
    if (status == HF_ESTOP || status == HF_ENOMEM) {
        return status;
    }
    HF_TRY(hf_scratch_print(m->cx, &why, "%s", hf_context_message(m->cx)));
    HF_TRY(about_call(m, state, destination, &call));
    HF_FAIL(m->cx, status, "%s, in %s", why, call);
}

static hf_status refuse_hop(const maker *m, uint64_t state, uint32_t destination, const hf_call_hop *hop, const char *why) {
    char *call;
    HF_TRY(about_call(m, state, destination, &call));
    HF_FAIL(m->cx, HF_EINVAL, "%s: the hop {channel = %" PRIu32 ", vc = %" PRIu32 "} %s, in %s", m->file, hop->channel, hop->vc,
            why, call);
}

static hf_status check_hop(const maker *m, uint64_t state, uint32_t at, uint32_t destination, const hf_call_hop *hop) {
    const hf_topology *topo = m->topo;
    char why[HF_NAME_SIZE + 48], name[HF_NAME_SIZE];
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
    if (hop->tag != HF_NONE && hop->tag >= m->shape.n_tag) {
        (void)snprintf(why, sizeof why, "has tag = %" PRIu32 ", which is out of range; tags = %" PRIu32, hop->tag,
                       m->shape.n_tag);
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
    if (a->vc != b->vc) {
        return (int)a->vc - (int)b->vc;
    }
    return (a->header > b->header) - (a->header < b->header);
}

/* Where the rule leaves it to us: every injection channel, or delivery without a header, on VC 0. */
static hf_status add_plain(maker *m, const arrival *a, uint32_t destination) {
    const hf_topology *topo = m->topo;
    const bool is_first = a->in.channel == HF_NONE;
    const uint32_t at = a->at, header = is_first ? header_of(&m->shape, a->source, 0) : 0;
    HF_TRY(reserve(m, topo->out_begin[at + 1] - topo->out_begin[at]));
    for (uint32_t i = topo->out_begin[at]; i < topo->out_begin[at + 1]; i++) {
        const uint32_t c = topo->out_list[i];
        if (is_first || topo->to[c] == topo->n_switch + destination) {
            m->list[m->n_entry++] = (entry){c, 0, 0, header};
        }
    }
    return HF_OK;
}

static hf_status add_hops(maker *m, uint64_t state, uint32_t destination, const hf_call_hop *hops, size_t n) {
    const arrival a = arrival_of(&m->shape, state);
    HF_TRY(reserve(m, n));
    entry *list = m->list + m->n_entry;
    for (size_t i = 0; i < n; i++) {
        HF_TRY(check_hop(m, state, a.at, destination, &hops[i]));
        m->has_escape |= hops[i].is_escape;
        const uint32_t tag = hops[i].tag == HF_NONE ? a.in.tag : hops[i].tag;
        list[i] = (entry){hops[i].channel, (uint16_t)hops[i].vc, hops[i].is_escape, header_of(&m->shape, a.source, tag)};
    }
    qsort(list, n, sizeof *list, compare); /* the order in which the rule names them says nothing */
    for (size_t i = 1; i < n; i++) {
        if (compare(&list[i - 1], &list[i]) == 0) {
            const hf_call_hop twice = {list[i].channel, list[i].vc, HF_NONE, false};
            return refuse_hop(m, state, destination, &twice, "is there twice");
        }
    }
    m->n_entry += n;
    return HF_OK;
}

static hf_status call_rule(const maker *m, const arrival *a, uint32_t destination, const hf_call_hop **hops, size_t *n) {
    if (a->in.channel == HF_NONE) {
        return m->rule->hops(m->cx, m->rule->user, "inject", (const uint32_t[]){a->source, destination}, 2, hops, n);
    }
    const uint32_t tag = m->shape.sees_tag ? a->in.tag : HF_NONE;
    const uint32_t arguments[] = {a->at, a->in.channel, a->in.vc, destination, tag, a->source};
    return m->rule->hops(m->cx, m->rule->user, "route", arguments, 6, hops, n);
}

static hf_status ask(maker *m, uint64_t state, uint32_t destination) {
    const arrival a = arrival_of(&m->shape, state);
    const hf_call_hop *hops = NULL;
    size_t n = 0;
    if (a.in.channel != HF_NONE || m->rule->has_inject) {
        const hf_status status = call_rule(m, &a, destination, &hops, &n);
        if (status != HF_OK) {
            return in_call(m, state, destination, status);
        }
    }
    return hops ? add_hops(m, state, destination, hops, n) : add_plain(m, &a, destination);
}

/* The hops of a state, unless they are there. \param[in] destination the one that the rule is asked for */
static hf_status tabulate(maker *m, uint64_t state, uint32_t destination) {
    const uint64_t key = destination * m->shape.n_state + state;
    if (hf_places_get(&m->places, key)) {
        return HF_OK;
    }
    HF_TRY(reserve(m, 1));
    const size_t head = m->n_entry++;
    HF_TRY(ask(m, state, destination));
    const uint32_t n = (uint32_t)(m->n_entry - head - 1);
    m->list[head] = (entry){n, 0, 0, 0};
    m->max_hops = n > m->max_hops ? n : m->max_hops;
    if (m->n_entry >= HF_NONE) {
        HF_FAIL(m->cx, HF_ERANGE, "%s: the relation has more than 2^32 hops", m->file);
    }
    return hf_places_put(m->cx, &m->places, key, (uint32_t)head + 1);
}

/* ---- all states ---- */

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
static hf_status follow(maker *m, uint64_t state, uint32_t destination) {
    const uint32_t start = hf_places_get(&m->places, destination * m->shape.n_state + state);
    for (uint32_t i = 0; i < m->list[start - 1].channel; i++) {
        const entry e = m->list[start + i];
        if (!hf_bit_test(m->plan->faults->channel_set, e.channel) && !hf_topology_is_terminal(m->topo, m->topo->to[e.channel])) {
            HF_TRY(enqueue(m, state_of(&m->shape, HF_NONE, (hf_hop){e.channel, e.vc, e.header})));
        }
    }
    return HF_OK;
}

/* The terminal that comes at place i. */
static uint32_t in_order(const maker *m, uint32_t i) { return m->order == HF_LUA_FORWARDS ? i : m->topo->n_terminal - 1 - i; }

static hf_status explore(maker *m, uint32_t destination) {
    hf_index_clear(&m->seen);
    m->n_queue = 0;
    for (uint32_t i = 0; i < m->topo->n_terminal; i++) {
        HF_TRY(in_order(m, i) != destination ? enqueue(m, in_order(m, i)) : HF_OK);
    }
    for (uint32_t head = 0; head < m->n_queue; head++) {
        const uint64_t state = m->queue[head];
        const uint32_t asked = asked_for(&m->shape, arrival_of(&m->shape, state).at, destination);
        if (hf_context_stopped(m->cx)) {
            HF_FAIL(m->cx, HF_ESTOP, "%s: stopped", m->file);
        }
        HF_TRY(tabulate(m, state, asked));
        HF_TRY(follow(m, state, asked));
    }
    return HF_OK;
}

/* An array over all states, where they have no header. */
static hf_status open_places(maker *m) {
    const double n = (double)m->topo->n_terminal * (double)m->shape.n_state;
    const bool is_dense = m->shape.n_header == 1;
    HF_TRY(hf_machine_fits(m->cx, is_dense ? 4.0 * n : 0, memory_limit,
                           "%s: the table of the rule on \"%s\" with %" PRIu32 " VCs", m->file, m->topo->spec, m->plan->n_vc));
    return hf_places_open(m->cx, is_dense ? (size_t)n : 0, is_dense, &m->places);
}

static hf_status make_all(maker *m, relation *out) {
    entry *kept;
    HF_TRY(open_places(m));
    for (uint32_t d = 0; d < m->topo->n_terminal; d++) {
        HF_TRY(explore(m, in_order(m, d)));
    }
    HF_TRY(hf_scratch(m->cx, m->n_entry + 1, sizeof *kept, (void **)&kept));
    if (m->n_entry > 0) {
        memcpy(kept, m->list, m->n_entry * sizeof *kept);
    }
    HF_TRY(hf_places_settle(m->cx, &m->places));
    *out = (relation){.shape = m->shape, .places = m->places, .list = kept, .has_escape = m->has_escape};
    return HF_OK;
}

/* ---- what the rule depends on ---- */

const char *const hf_lua_dependencies[] = {"switch", "destination", "source", "tag", NULL};

/* The switches of destinations. */
static hf_status find_goals(hf_context *cx, shape *s) {
    const hf_topology *topo = s->topo;
    HF_TRY(hf_scratch(cx, topo->n_terminal, sizeof *s->goal, (void **)&s->goal));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *s->lowest, (void **)&s->lowest));
    for (uint32_t t = topo->n_terminal; t-- > 0;) {
        const uint32_t v = topo->n_switch + t, c = topo->in_begin[v];
        const bool is_one = topo->in_begin[v + 1] - c == 1 && topo->from[topo->in_list[c]] < topo->n_switch;
        s->goal[t] = is_one ? topo->from[topo->in_list[c]] : HF_NONE;
        if (is_one) {
            s->lowest[s->goal[t]] = t;
        }
    }
    return HF_OK;
}

static hf_status read_shape(maker *m) {
    shape *s = &m->shape;
    const uint32_t on = m->rule->depends;
    *s = (shape){.topo = m->topo, .n_vc = m->plan->n_vc, .n_tag = m->rule->n_tag};
    if (on && !(on & HF_RULE_ON_SWITCH) == !(on & HF_RULE_ON_DESTINATION)) {
        HF_FAIL(m->cx, HF_EINVAL, "%s: depends names %s; need either \"switch\" (of the destination) or \"destination\"", m->file,
                on & HF_RULE_ON_SWITCH ? "\"switch\" and \"destination\"" : "neither \"switch\" nor \"destination\"");
    }
    if (on && !(on & HF_RULE_ON_TAG) && s->n_tag > 1) {
        HF_FAIL(m->cx, HF_EINVAL, "%s: tags = %" PRIu32 ", but depends does not name \"tag\"", m->file, s->n_tag);
    }
    HF_TRY(on & HF_RULE_ON_SWITCH ? find_goals(m->cx, s) : HF_OK);
    s->sees_source = on & HF_RULE_ON_SOURCE;
    s->sees_tag = on ? on & HF_RULE_ON_TAG : s->n_tag > 1;
    const uint64_t n_header = (s->sees_source ? (uint64_t)m->topo->n_terminal : 1) * s->n_tag;
    if (n_header >= HF_TAG_END) {
        HF_FAIL(m->cx, HF_ERANGE,
                "%s: %" PRIu32 " tags of packets from %" PRIu32 " terminals are too many; need a product below 2^31", m->file,
                s->n_tag, m->topo->n_terminal);
    }
    s->n_header = n_header ? (uint32_t)n_header : 1;
    s->n_state = m->topo->n_terminal + (uint64_t)m->topo->n_channel * s->n_vc * s->n_header;
    return HF_OK;
}

static const hf_likeness of_one_switch = {.by_switch = true};

hf_status hf_lua_relation_make(hf_context *cx, const hf_lua_rule *rule, hf_lua_order order, hf_plan *plan) {
    const hf_allocator *a = hf_context_allocator(cx);
    maker m = {.cx = cx, .rule = rule, .file = rule->file, .order = order, .plan = plan, .topo = plan->topo, .max_hops = 1};
    relation *r;
    HF_TRY(hf_scratch(cx, 1, sizeof *r, (void **)&r));
    HF_TRY(read_shape(&m));
    const hf_status status = make_all(&m, r);
    hf_release(a, m.list);
    hf_release(a, m.queue);
    hf_index_close(a, &m.seen);
    if (status != HF_OK) {
        hf_places_drop(cx, &m.places);
        return status;
    }
    r->looks = rule->looks(rule->user);
    plan->state = r;
    plan->max_hops = m.max_hops;
    plan->traits = rule->commits ? HF_ROUTING_COMMITS : 0;
    plan->likeness = m.shape.goal ? &of_one_switch : NULL;
    return HF_OK;
}

/* ---- the table ---- */

static const entry *entries_at(const relation *r, uint64_t key) {
    const uint32_t start = hf_places_get(&r->places, key);
    return start ? r->list + start - 1 : NULL;
}

/* The entries of a state, the first of them their number; NULL where no packet gets. */
static const entry *entries_of(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const relation *r = plan->state;
    const uint64_t state = state_of(&r->shape, at, in);
    return in.tag < r->shape.n_header ? entries_at(r, key_of(&r->shape, at, state, destination)) : NULL;
}

size_t hf_lua_relation_route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const entry *e = entries_of(plan, at, in, destination);
    const uint32_t n = e ? e->channel : 0;
    for (uint32_t i = 0; i < n; i++) {
        hops[i] = (hf_hop){e[i + 1].channel, e[i + 1].vc, e[i + 1].header};
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
            hops[n++] = (hf_hop){e[i].channel, e[i].vc, e[i].header};
        }
    }
    return n;
}

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

static bool is_same_relation(const hf_plan *a, const hf_plan *b) {
    const relation *x = a->state, *y = b->state;
    const hf_places *p = &x->places;
    bool is_same = x->shape.n_state == y->shape.n_state && p->used == y->places.used;
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
