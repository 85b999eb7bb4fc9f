/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/heads.h"

#include <stdlib.h>

enum { HOPS = 64, OFFERED = 256 };

typedef struct parcel {
    uint32_t source, destination, length, n;
    uint32_t path[HOPS];
    uint64_t taken[HOPS]; /* cycle */
    hf_hop in;
    oracle_fate fate;
    uint64_t end; /* cycle of its fate, where it is known */
} parcel;

struct oracle_heads {
    const hf_plan *plan;
    hf_kernel_options o;
    uint64_t now;
    parcel *parcel;
    uint32_t n_parcel, room;
    uint32_t *order, n_order; /* those that have set out, oldest first */
    uint32_t *last;           /* by terminal: its last packet; HF_NONE */
};

static void *zeros(size_t n, size_t size) {
    void *block = calloc(n ? n : 1, size);
    return block ? block : (abort(), NULL);
}

oracle_heads *oracle_heads_new(const hf_plan *plan, const hf_kernel_options *options) {
    oracle_heads *o = zeros(1, sizeof *o);
    *o = (oracle_heads){.plan = plan, .o = *options};
    o->last = zeros(plan->topo->n_terminal, sizeof *o->last);
    for (uint32_t t = 0; t < plan->topo->n_terminal; t++) {
        o->last[t] = HF_NONE;
    }
    return o;
}

void oracle_heads_free(oracle_heads *o) {
    free(o->parcel);
    free(o->order);
    free(o->last);
    free(o);
}

static bool is_over(const oracle_heads *o, const parcel *p) { return p->fate > ORACLE_THERE && p->end < o->now; }

bool oracle_heads_is_idle(const oracle_heads *o, uint32_t terminal) {
    const parcel *p = o->last[terminal] == HF_NONE ? NULL : &o->parcel[o->last[terminal]];
    return !p || is_over(o, p) || (p->n && p->fate != ORACLE_LOST && p->taken[0] + p->length <= o->now) ||
           (p->n && p->fate == ORACLE_LOST && p->taken[0] + p->length <= o->now);
}

void oracle_heads_send(oracle_heads *o, uint32_t terminal, uint32_t destination, uint32_t length) {
    if (o->n_parcel == o->room) {
        o->room = 2 * o->room + 16;
        o->parcel = realloc(o->parcel, o->room * sizeof *o->parcel);
        o->order = realloc(o->order, o->room * sizeof *o->order);
        if (!o->parcel || !o->order) {
            abort();
        }
    }
    o->last[terminal] = o->n_parcel;
    o->parcel[o->n_parcel++] =
        (parcel){.source = terminal, .destination = destination, .length = length, .in = HF_HOP_INJECTION, .end = UINT64_MAX};
}

/* Does the packet keep others off channel i of its way in this cycle? */
static bool holds(const oracle_heads *o, const parcel *p, uint32_t i) {
    const bool stores = o->o.contention == HF_CONTENTION_STORE;
    const bool is_sink = p->path[i] != HF_NONE && o->plan->topo->to[p->path[i]] >= o->plan->topo->n_switch;
    if (!stores || is_sink) {
        return p->fate != ORACLE_LOST && o->now < p->taken[i] + p->length;
    }
    if (p->fate == ORACLE_LOST && i == p->n - 1) {
        return o->now <= p->end;
    }
    return i == p->n - 1 || o->now < p->taken[i + 1] + p->length;
}

static bool is_free(const oracle_heads *o, uint32_t channel) {
    for (uint32_t j = 0; j < o->n_parcel; j++) {
        for (uint32_t i = 0; i < o->parcel[j].n; i++) {
            if (o->parcel[j].path[i] == channel && holds(o, &o->parcel[j], i)) {
                return false;
            }
        }
    }
    return true;
}

static bool has_failed(const oracle_heads *o, uint32_t channel) {
    return (o->plan->faults->channel_set[channel / 64] >> channel % 64) & 1;
}

static uint32_t place_of(const oracle_heads *o, const parcel *p) {
    return p->n ? o->plan->topo->to[p->path[p->n - 1]] : o->plan->topo->n_switch + p->source;
}

/* The first free hop, of packets that commit themselves to one perhaps a failed one; channel HF_NONE: none. \param[out] n those
 * that are chosen from */
static hf_hop choose(const oracle_heads *o, const parcel *p, uint32_t *n) {
    hf_hop hops[OFFERED], found = HF_HOP_INJECTION;
    const size_t count = hf_plan_route(o->plan, place_of(o, p), p->in, p->destination, hops);
    const bool commits = hf_plan_traits(o->plan) & HF_ROUTING_COMMITS;
    *n = 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_chosen_from = commits || !has_failed(o, hops[i].channel);
        *n += is_chosen_from;
        if (found.channel == HF_NONE && is_chosen_from && is_free(o, hops[i].channel)) {
            found = hops[i];
        }
    }
    return found;
}

static uint64_t delay_of(const oracle_heads *o, uint32_t channel) {
    const hf_topology *topo = o->plan->topo;
    return (topo->from[channel] < topo->n_switch ? o->o.crossbar_delay : 0) +
           (topo->link[channel] < topo->n_switch_link ? o->o.link_delay : o->o.fly_delay);
}

static void take(oracle_heads *o, parcel *p, hf_hop hop) {
    if (p->n == HOPS) {
        abort();
    }
    p->path[p->n] = hop.channel;
    p->taken[p->n++] = o->now;
    p->in = hop;
    if (o->plan->topo->to[hop.channel] >= o->plan->topo->n_switch) {
        p->end = o->now + delay_of(o, hop.channel) + p->length - 1;
    }
}

static void lose(const oracle_heads *o, parcel *p, oracle_fate fate) {
    p->fate = fate;
    p->end = o->now;
}

static void set_out(oracle_heads *o, uint32_t packet) {
    parcel *p = &o->parcel[packet];
    uint32_t n;
    const hf_hop hop = choose(o, p, &n);
    if (hop.channel != HF_NONE && has_failed(o, hop.channel)) {
        lose(o, p, ORACLE_REFUSED);
    } else if (hop.channel != HF_NONE) {
        take(o, p, hop);
        o->order[o->n_order++] = packet;
    } else if (n == 0) {
        lose(o, p, ORACLE_REFUSED);
    }
}

/* It could have gone on in `hold_cycles` cycles before this one. */
static bool is_late(const oracle_heads *o, const parcel *p) {
    const uint64_t here = p->taken[p->n - 1] + delay_of(o, p->path[p->n - 1]) + o->o.routing_delay;
    return o->o.hold_cycles && o->now >= here + o->o.hold_cycles;
}

static void move(oracle_heads *o, parcel *p) {
    uint32_t n;
    const uint32_t c = p->path[p->n - 1];
    const bool is_inside = o->plan->topo->to[c] < o->plan->topo->n_switch;
    if (p->fate != ORACLE_UNDER_WAY || !is_inside || o->now < p->taken[p->n - 1] + delay_of(o, c) + o->o.routing_delay) {
        return;
    }
    const hf_hop hop = choose(o, p, &n);
    if (hop.channel != HF_NONE && has_failed(o, hop.channel)) {
        lose(o, p, ORACLE_LOST);
    } else if (hop.channel != HF_NONE) {
        take(o, p, hop);
    } else if (n == 0 || o->o.contention == HF_CONTENTION_LOSE || is_late(o, p)) {
        lose(o, p, ORACLE_LOST);
    }
}

void oracle_heads_step(oracle_heads *o) {
    const uint32_t n_before = o->n_order;
    for (uint32_t t = 0; t < o->plan->topo->n_terminal; t++) {
        const parcel *p = o->last[t] == HF_NONE ? NULL : &o->parcel[o->last[t]];
        if (p && p->n == 0 && p->fate == ORACLE_UNDER_WAY) {
            set_out(o, o->last[t]);
        }
    }
    for (uint32_t i = 0; i < n_before; i++) {
        move(o, &o->parcel[o->order[i]]);
    }
    o->now++;
    for (uint32_t i = 0; i < o->n_parcel; i++) {
        parcel *p = &o->parcel[i];
        p->fate = p->fate == ORACLE_UNDER_WAY && p->end < o->now ? ORACLE_THERE : p->fate;
    }
}

oracle_fate oracle_heads_fate(const oracle_heads *o, uint32_t packet, uint64_t *cycle) {
    *cycle = o->parcel[packet].end;
    return o->parcel[packet].fate;
}

uint64_t oracle_heads_flit_hops(const oracle_heads *o) {
    uint64_t sum = 0;
    for (uint32_t j = 0; j < o->n_parcel; j++) {
        const parcel *p = &o->parcel[j];
        for (uint32_t i = 0; i < p->n; i++) {
            const bool is_cut = p->fate == ORACLE_LOST && o->o.contention == HF_CONTENTION_LOSE;
            const uint64_t passed = is_cut ? p->end - p->taken[i] : p->length;
            sum += passed < p->length ? passed : p->length;
        }
    }
    return sum;
}
