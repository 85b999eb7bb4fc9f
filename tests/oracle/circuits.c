/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/circuits.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/core/random.h>
#include <holdfast/protocol.h>

enum { HOPS = 64 };
typedef enum event { HEADER, FREE, ARRIVED, NEXT } event;

typedef struct noted {
    uint64_t cycle;
    event what;
    uint32_t who; /* place, or resource */
} noted;

/* One of the packets of a terminal on their way. */
typedef struct place {
    bool is_taken;
    uint32_t terminal, destination, attempt, n;
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
    uint32_t *head; /* by terminal: destination of the packet at the head of its queue; HF_NONE */
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
    return o;
}

void oracle_circuits_free(oracle_circuits *o) {
    free(o->list);
    free(o->place);
    free(o->is_held);
    free(o->random);
    free(o->head);
    free(o);
}

bool oracle_circuits_is_idle(const oracle_circuits *o, uint32_t terminal) { return o->head[terminal] == HF_NONE; }
const oracle_circuit_counts *oracle_circuits_read(const oracle_circuits *o) { return &o->counts; }

static void note(oracle_circuits *o, uint64_t cycle, event what, uint32_t who) {
    if (o->n_list == o->room) {
        o->room = 2 * o->room + 16;
        o->list = realloc(o->list, o->room * sizeof *o->list);
        if (!o->list) {
            abort();
        }
    }
    o->list[o->n_list++] = (noted){cycle, what, who};
}

static void leave_queue(oracle_circuits *o, uint32_t t) {
    for (uint32_t i = t * o->o.outstanding; i < (t + 1) * o->o.outstanding; i++) {
        if (!o->place[i].is_taken) {
            o->place[i] = (place){.is_taken = true, .terminal = t, .destination = o->head[t]};
            o->head[t] = HF_NONE;
            note(o, o->now, HEADER, i);
            return;
        }
    }
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

static void try_later(oracle_circuits *o, uint32_t i) {
    place *p = &o->place[i];
    uint64_t back = o->now + way(o, p, 0);
    if (o->o.contention == HF_CONTENTION_DROP) {
        free_behind(o, p);
        const uint64_t tail = p->left[0] + o->o.packet_length;
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
}

static void arrive(oracle_circuits *o, uint32_t i) {
    place *p = &o->place[i];
    const uint64_t there = way(o, p, 0), length = o->o.packet_length;
    if (o->o.contention == HF_CONTENTION_DROP) {
        free_behind(o, p);
        note(o, o->now + length - 1, ARRIVED, i);
        note(o, o->now + length - 1, NEXT, i);
    } else { /* the answer takes the way back, the data the way there */
        for (uint32_t j = 0; j < p->n; j++) {
            o->counts.flit_hops += length;
            note(o, o->now + there + there - way(o, p, j) + length, FREE, p->path[j]);
        }
        note(o, o->now + 2 * there + length - 1, ARRIVED, i);
        note(o, o->now + there + length, NEXT, i);
    }
    p->n = 0;
}

static void give_away(oracle_circuits *o, uint32_t i) {
    o->counts.refused++;
    note(o, o->now + o->o.packet_length, NEXT, i);
}

static void go_onto(oracle_circuits *o, uint32_t i, hf_hop hop) {
    place *p = &o->place[i];
    const hf_topology *topo = o->plan->topo;
    o->counts.injected += p->n == 0 && p->attempt == 0;
    o->is_held[hop.channel * o->n_vc + hop.vc] = true;
    p->path[p->n] = hop.channel * o->n_vc + hop.vc;
    p->left[p->n++] = o->now;
    p->in = hop;
    const uint64_t routing = hf_topology_is_terminal(topo, topo->to[hop.channel]) ? 0 : o->o.routing_delay;
    note(o, o->now + delay_of(o, hop.channel) + routing, HEADER, i);
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
    const size_t n = hf_plan_route(o->plan, node, p->n ? p->in : HF_HOP_INJECTION, p->destination, hops);
    const uint32_t h = pick(o, p->terminal, hops, n);
    if (n == 0) {
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
    const uint32_t t = e.what == NEXT ? o->place[e.who].terminal : 0;
    switch (e.what) {
    case HEADER:
        header(o, e.who);
        break;
    case FREE:
        o->is_held[e.who] = false;
        break;
    case ARRIVED:
        o->counts.delivered++;
        break;
    default:
        o->place[e.who].is_taken = false;
        if (o->head[t] != HF_NONE) {
            leave_queue(o, t);
        }
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
