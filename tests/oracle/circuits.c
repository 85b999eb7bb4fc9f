/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/circuits.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/core/random.h>
#include <holdfast/protocol.h>

#include "src/topology/multistage/multipath.h"

enum { HOPS = 64 };
typedef enum event { HEADER, FREE, ARRIVED, NEXT } event;

typedef struct noted {
    uint64_t cycle;
    event what;
    uint32_t who; /* place, resource, or of what has arrived the terminal */
    uint32_t final;
} noted;

/* One of the packets of a terminal on their way. */
typedef struct place {
    bool is_taken, is_forwarded;
    uint32_t terminal, destination, attempt, n; /* destination: of the leg */
    uint32_t final;
    uint32_t path[HOPS];
    uint64_t left[HOPS]; /* cycle in which the header went onto each */
    hf_hop in;
} place;

struct oracle_circuits {
    const hf_plan *plan;
    hf_kernel_options o;
    uint32_t n_vc, n_place;
    uint64_t now;
    noted *list;
    size_t n_list, room;
    place *place;
    bool *is_held; /* by resource */
    hf_random *random;
    uint32_t *head;               /* by terminal: destination of the packet at the head of its queue; HF_NONE */
    uint32_t **passed, *n_passed; /* by terminal: destinations of what it has to pass on and has no place for */
    oracle_circuit_counts counts;
};

static void *zeros(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    return block ? block : (abort(), NULL);
}

oracle_circuits *oracle_circuits_new(const hf_plan *plan, const hf_kernel_options *options) {
    const hf_topology *topo = plan->topo;
    oracle_circuits *o = zeros(1, sizeof *o);
    *o = (oracle_circuits){.plan = plan, .o = *options, .n_vc = plan->n_vc};
    o->n_place = topo->n_terminal * options->outstanding;
    o->place = zeros(o->n_place, sizeof *o->place);
    o->is_held = zeros((size_t)topo->n_channel * o->n_vc, sizeof *o->is_held);
    o->random = zeros(topo->n_terminal, sizeof *o->random);
    o->head = zeros(topo->n_terminal, sizeof *o->head);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        hf_random_init(&o->random[t], 0, HF_PURPOSE_RETRY, t);
        o->head[t] = HF_NONE;
    }
    o->passed = zeros(topo->n_terminal, sizeof *o->passed);
    o->n_passed = zeros(topo->n_terminal, sizeof *o->n_passed);
    return o;
}

void oracle_circuits_free(oracle_circuits *o) {
    for (uint32_t t = 0; t < o->plan->topo->n_terminal; t++) {
        free(o->passed[t]);
    }
    free(o->passed);
    free(o->n_passed);
    free(o->list);
    free(o->place);
    free(o->is_held);
    free(o->random);
    free(o->head);
    free(o);
}

bool oracle_circuits_is_idle(const oracle_circuits *o, uint32_t terminal) { return o->head[terminal] == HF_NONE; }
const oracle_circuit_counts *oracle_circuits_read(const oracle_circuits *o) { return &o->counts; }

static void note_packet(oracle_circuits *o, uint64_t cycle, event what, uint32_t who, uint32_t final) {
    if (o->n_list == o->room) {
        o->room = 2 * o->room + 16;
        o->list = realloc(o->list, o->room * sizeof *o->list);
        if (!o->list) {
            abort();
        }
    }
    o->list[o->n_list++] = (noted){cycle, what, who, final};
}

static void note(oracle_circuits *o, uint64_t cycle, event what, uint32_t who) { note_packet(o, cycle, what, who, HF_NONE); }

static bool enter(oracle_circuits *o, uint32_t t, uint32_t final, bool is_forwarded) {
    for (uint32_t i = t * o->o.outstanding; i < (t + 1) * o->o.outstanding; i++) {
        if (!o->place[i].is_taken) {
            o->place[i] =
                (place){.is_taken = true, .is_forwarded = is_forwarded, .terminal = t, .destination = final, .final = final};
            note(o, o->now, HEADER, i);
            return true;
        }
    }
    return false;
}

/* What is to be passed on goes before what is at the head of the queue. */
static void leave_queue(oracle_circuits *o, uint32_t t) {
    if (o->n_passed[t] > 0) {
        if (enter(o, t, o->passed[t][0], true)) {
            o->n_passed[t]--;
            memmove(o->passed[t], o->passed[t] + 1, o->n_passed[t] * sizeof **o->passed);
        }
    } else if (o->head[t] != HF_NONE && enter(o, t, o->head[t], false)) {
        o->head[t] = HF_NONE;
    }
}

static void come_to_be_passed(oracle_circuits *o, uint32_t t, uint32_t final) {
    o->passed[t] = realloc(o->passed[t], (o->n_passed[t] + 1) * sizeof **o->passed);
    if (!o->passed[t]) {
        abort();
    }
    o->passed[t][o->n_passed[t]++] = final;
    leave_queue(o, t);
}

void oracle_circuits_send(oracle_circuits *o, uint32_t terminal, uint32_t destination) {
    o->head[terminal] = destination;
    leave_queue(o, terminal);
}

/* ---- times ---- */

static uint64_t delay_of(const oracle_circuits *o, uint32_t channel) {
    const hf_topology *topo = o->plan->topo;
    const uint64_t crossbar = hf_topology_is_terminal(topo, topo->from[channel]) ? 0 : o->o.crossbar_delay;
    return crossbar + (topo->link[channel] < topo->n_switch_link ? o->o.link_delay : o->o.fly_delay);
}

/* Delays of the hops from number `first` on. */
static uint64_t way(const oracle_circuits *o, const place *p, uint32_t first) {
    uint64_t sum = 0;
    for (uint32_t j = first; j < p->n; j++) {
        sum += delay_of(o, p->path[j] / o->n_vc);
    }
    return sum;
}

static bool has_failed(const oracle_circuits *o, uint32_t channel) {
    const hf_fault_set *faults = o->plan->faults;
    return faults && (faults->channel_set[channel / 64] >> channel % 64 & 1);
}

/* ---- what becomes of a header ---- */

static void free_behind(oracle_circuits *o, const place *p) {
    for (uint32_t j = 0; j < p->n; j++) {
        const uint64_t passed = p->left[j] + o->o.packet_length;
        o->counts.flit_hops += o->o.packet_length;
        if (passed < o->now) {
            o->is_held[p->path[j]] = false;
        } else {
            note(o, passed, FREE, p->path[j]);
        }
    }
}

/* The number drawn counts the other live terminals. */
static void go_by_way_of_another(oracle_circuits *o, place *p) {
    const hf_plan *plan = o->plan;
    uint32_t others = 0;
    for (uint32_t t = 0; t < plan->topo->n_terminal; t++) {
        others += t != p->terminal && hf_plan_is_live(plan, t);
    }
    uint64_t left = others ? hf_random_below(&o->random[p->terminal], others) + 1 : 0;
    for (uint32_t t = 0; left > 0; t++) {
        left -= t != p->terminal && hf_plan_is_live(plan, t);
        p->destination = t;
    }
}

static bool is_direct(const oracle_circuits *o, uint32_t from, uint32_t to) {
    hf_hop hops[HOPS];
    return from != to && hf_plan_is_live(o->plan, to) &&
           hf_plan_route(o->plan, o->plan->topo->n_switch + from, HF_HOP_INJECTION, to, hops) > 0;
}

/* Do live terminals reach one another in a chain to the end? */
static bool is_chained(const oracle_circuits *o, uint32_t from, uint32_t to) {
    const uint32_t n = o->plan->topo->n_terminal;
    bool *met = zeros(n, sizeof *met);
    met[from] = true;
    for (bool is_more = true; is_more && !met[to];) {
        is_more = false;
        for (uint32_t s = 0; s < n; s++) {
            for (uint32_t t = 0; t < n && met[s]; t++) {
                if (!met[t] && is_direct(o, s, t)) {
                    met[t] = is_more = true;
                }
            }
        }
    }
    const bool is_met = met[to];
    free(met);
    return is_met;
}

static void try_later(oracle_circuits *o, uint32_t i) {
    place *p = &o->place[i];
    uint64_t back = o->now + way(o, p, 0);
    if (o->o.contention == HF_CONTENTION_DROP) {
        free_behind(o, p);
        const uint64_t tail = p->n ? p->left[0] + o->o.packet_length : 0;
        back = back < tail ? tail : back;
    } else {
        for (uint32_t j = 0; j < p->n; j++) {
            note(o, o->now + way(o, p, j), FREE, p->path[j]);
        }
    }
    p->n = 0;
    p->attempt++;
    o->counts.retries++;
    const uint64_t wait = hf_backoff_cycles(o->o.backoff, o->o.backoff_cycles, p->attempt);
    note(o, back + wait + hf_random_below(&o->random[p->terminal], wait + 1), HEADER, i);
    if (o->o.forward_after && p->attempt % o->o.forward_after == 0) {
        go_by_way_of_another(o, p);
    }
}

static void arrive(oracle_circuits *o, uint32_t i) {
    place *p = &o->place[i];
    const uint64_t there = way(o, p, 0), length = o->o.packet_length;
    if (o->o.contention == HF_CONTENTION_DROP) {
        free_behind(o, p);
        note_packet(o, o->now + length - 1, ARRIVED, p->destination, p->final);
        note(o, o->now + length - 1, NEXT, i);
    } else { /* the answer takes the way back, the data the way there */
        for (uint32_t j = 0; j < p->n; j++) {
            o->counts.flit_hops += length;
            note(o, o->now + there + there - way(o, p, j) + length, FREE, p->path[j]);
        }
        note_packet(o, o->now + 2 * there + length - 1, ARRIVED, p->destination, p->final);
        note(o, o->now + there + length, NEXT, i);
    }
    p->n = 0;
}

static void give_away(oracle_circuits *o, uint32_t i) {
    place *p = &o->place[i];
    free_behind(o, p);
    *(p->is_forwarded || p->n ? &o->counts.lost : &o->counts.refused) += 1;
    p->n = 0;
    note(o, o->now + o->o.packet_length, NEXT, i);
}

static void go_onto(oracle_circuits *o, uint32_t i, hf_hop hop) {
    place *p = &o->place[i];
    const hf_topology *topo = o->plan->topo;
    o->counts.injected += p->n == 0 && p->attempt == 0 && !p->is_forwarded;
    o->is_held[hop.channel * o->n_vc + hop.vc] = true;
    p->path[p->n] = hop.channel * o->n_vc + hop.vc;
    p->left[p->n++] = o->now;
    p->in = hop;
    const uint64_t routing = hf_topology_is_terminal(topo, topo->to[hop.channel]) ? 0 : o->o.routing_delay;
    note(o, o->now + delay_of(o, hop.channel) + routing, HEADER, i);
}

/* ---- blocked routers, by their definition ---- */

/* Whatever fails: is a live terminal behind the node? */
static bool is_before_live(const oracle_circuits *o, uint32_t node) { // NOLINT(misc-no-recursion)
    const hf_topology *topo = o->plan->topo;
    if (hf_topology_is_terminal(topo, node)) {
        return hf_plan_is_live(o->plan, node - topo->n_switch);
    }
    bool is_some = false;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1] && !is_some; i++) {
        is_some = is_before_live(o, topo->to[topo->out_list[i]]);
    }
    return is_some;
}

static bool is_blocked(const oracle_circuits *o, uint32_t node);

static bool is_good(const oracle_circuits *o, uint32_t channel) { // NOLINT(misc-no-recursion)
    const hf_plan *plan = o->plan;
    return !has_failed(o, channel) && !o->is_held[channel] && !is_blocked(o, plan->topo->to[channel]);
}

static bool is_blocked(const oracle_circuits *o, uint32_t node) { // NOLINT(misc-no-recursion)
    const hf_topology *topo = o->plan->topo;
    hf_multipath net;
    if (hf_topology_is_terminal(topo, node) || !hf_multipath_of(topo, &net)) {
        return false;
    }
    const uint32_t *out = topo->out_list + topo->out_begin[node];
    const uint32_t outputs = hf_multipath_dilation(&net, hf_multipath_stage(&net, node));
    for (uint32_t j = 0; j < net.radix; j++) {
        bool has_good = false;
        for (uint32_t x = 0; x < outputs; x++) {
            has_good |= is_good(o, out[j * outputs + x]);
        }
        if (!has_good && is_before_live(o, topo->to[out[j * outputs]])) {
            return true;
        }
    }
    return false;
}

/* Of the free hops those that lead on, if there are such. */
static size_t drop_blocked(const oracle_circuits *o, hf_hop *hops, size_t n) {
    size_t count = 0;
    for (size_t h = 0; h < n; h++) {
        if (o->o.selection == HF_SELECT_UNBLOCKED && is_good(o, hops[h].channel)) {
            hops[count++] = hops[h];
        }
    }
    return count > 0 ? count : n;
}

/* Packets that commit themselves to a hop may choose a failed one. */
static size_t leave_out_failed(const oracle_circuits *o, hf_hop *hops, size_t n) {
    size_t count = 0;
    for (size_t h = 0; h < n; h++) {
        if (!has_failed(o, hops[h].channel) || (hf_plan_traits(o->plan) & HF_ROUTING_COMMITS)) {
            hops[count++] = hops[h];
        }
    }
    return count;
}

/* Any of the hops that are free, or the first; HF_NONE. */
static uint32_t pick(oracle_circuits *o, uint32_t t, const hf_hop *hops, size_t n) {
    uint32_t count = 0, chosen = HF_NONE;
    for (uint32_t h = 0; h < n; h++) {
        if (!o->is_held[hops[h].channel * o->n_vc + hops[h].vc]) {
            count++;
            const bool is_first = o->o.selection == HF_SELECT_FIRST;
            chosen = (is_first ? count == 1 : hf_random_below(&o->random[t], count) == 0) ? h : chosen;
        }
    }
    return chosen;
}

static void header(oracle_circuits *o, uint32_t i) {
    place *p = &o->place[i];
    const hf_topology *topo = o->plan->topo;
    const uint32_t node = p->n ? topo->to[p->in.channel] : topo->n_switch + p->terminal;
    hf_hop hops[HOPS];
    if (node == topo->n_switch + p->destination) {
        arrive(o, i);
        return;
    }
    size_t n = hf_plan_route(o->plan, node, p->n ? p->in : HF_HOP_INJECTION, p->destination, hops);
    n = leave_out_failed(o, hops, n);
    n = drop_blocked(o, hops, n);
    const uint32_t h = pick(o, p->terminal, hops, n);
    const bool may_be_passed = n == 0 && o->o.forward_after && (p->attempt > 0 || is_chained(o, p->terminal, p->final));
    if (may_be_passed) {
        try_later(o, i);
    } else if (n == 0) {
        give_away(o, i);
    } else if (h != HF_NONE && has_failed(o, hops[h].channel)) {
        give_away(o, i);
    } else if (h != HF_NONE) {
        go_onto(o, i, hops[h]);
    } else if (p->n) {
        try_later(o, i);
    } else {
        o->counts.looks++;
        note(o, o->now + 1, HEADER, i);
    }
}

static void happen(oracle_circuits *o, noted e) {
    switch (e.what) {
    case HEADER:
        header(o, e.who);
        break;
    case FREE:
        o->is_held[e.who] = false;
        break;
    case ARRIVED:
        if (e.who == e.final) {
            o->counts.delivered++;
        } else {
            o->counts.forwarded++;
            come_to_be_passed(o, e.who, e.final);
        }
        break;
    default:
        o->place[e.who].is_taken = false;
        leave_queue(o, o->place[e.who].terminal);
    }
}

void oracle_circuits_step(oracle_circuits *o) {
    for (size_t i = 0; i < o->n_list;) {
        const noted e = o->list[i];
        if (e.cycle > o->now) {
            i++;
            continue;
        }
        o->n_list--;
        memmove(&o->list[i], &o->list[i + 1], (o->n_list - i) * sizeof *o->list);
        happen(o, e);
    }
    o->now++;
}
