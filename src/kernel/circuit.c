/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks without buffers: a header that finds no free hop gives up, and its source tries again. What a packet holds is known
 *  beforehand, so there are events for headers alone, and none for flits.
 *
 *  Drop: the flits follow the header; where it is blocked they vanish, and each channel is free when the last has passed.
 *  Circuit: the header goes ahead and reserves; from the destination, or from where it is blocked, an answer goes back over the
 *  same channels, and frees them if it is a refusal; then the data follow, without routing.
 *  The answer to a blocked packet takes the delays of the channels back, under both. Then the source waits by its backoff, and a
 *  random time below it. Who comes first in a cycle is first served.
 *  Faults: what a failed channel breaks is known when the header comes somewhere, as faults are scheduled beforehand: flits that
 *  are on it or have yet to cross it are lost with their packet. A circuit that breaks before its answer has passed is refused.
 *  Source: [chong1992, 5; brown2002, 2]. Departures: answers are never lost; data of a circuit are one packet. */
#include "src/core/grow.h"
#include "src/kernel/agenda.h"
#include "src/kernel/kernel.h"

#include <string.h>

#include <holdfast/core/bitset.h>

enum { HEADER, RELEASE, DELIVERED, NEXT };
enum { WAYS = 64 }; /* resources of a terminal of which it is kept who waits for them */

/* A packet on its way; outstanding places of terminal t: trip t * n, ... */
typedef struct trip {
    uint32_t packet;                /* HF_NONE: the place is free */
    uint32_t terminal, destination; /* destination: of this leg */
    uint32_t n, attempt;
    size_t room;
    uint32_t *path;  /* resources */
    uint64_t *leave; /* cycle at which the header left on each */
    hf_hop in;       /* how it came to where it is */
    uint64_t ways;   /* of the resources that leave its terminal, in order, those it waits for; all beyond the 64th */
} trip;

/* A header at its source that looks every cycle whether a resource has come free. Most headers of a busy network do, so they are
 * no events; but they come in between the events of a cycle as if each were noted anew in every cycle. */
typedef struct waiting {
    uint64_t number; /* as of an event */
    uint32_t trip;
} waiting;

struct hf_circuits {
    hf_agenda agenda;
    trip *trip;
    waiting *waiting, *again; /* by number: of this cycle, of the next */
    uint32_t n_waiting, n_again, n_looked;
    hf_random *random; /* by terminal */
    uint8_t *waits;    /* by terminal: the packet at the head of its queue has no place */
    /* forwarding */
    uint32_t *passed, *passed_last; /* by terminal: packets that it has to pass on and that have no place; HF_NONE */
    uint32_t *live, n_live;         /* terminals in service */
};

static hf_status at(hf_kernel *k, uint64_t cycle, uint32_t kind, uint32_t who) {
    return hf_agenda_add(k->cx, &k->circuits->agenda, cycle, kind, who);
}

void hf_kernel_circuit_seed(hf_kernel *k, uint64_t seed) {
    for (uint32_t t = 0; t < k->topo->n_terminal; t++) {
        hf_random_init(&k->circuits->random[t], seed, HF_PURPOSE_RETRY, t);
    }
}

static hf_status new_forwards(hf_kernel *k) {
    hf_circuits *c = k->circuits;
    const uint32_t n = k->topo->n_terminal;
    HF_TRY(hf_scratch(k->cx, n, sizeof *c->passed, (void **)&c->passed));
    HF_TRY(hf_scratch(k->cx, n, sizeof *c->passed_last, (void **)&c->passed_last));
    HF_TRY(hf_scratch(k->cx, n, sizeof *c->live, (void **)&c->live));
    for (uint32_t t = 0; t < n; t++) {
        c->passed[t] = HF_NONE;
        if (hf_plan_is_live(k->plan, t)) {
            c->live[c->n_live++] = t;
        }
    }
    return HF_OK;
}

hf_status hf_kernel_circuits_new(hf_kernel *k) {
    hf_circuits *c;
    if (k->o.contention == HF_CONTENTION_WAIT) {
        return HF_OK;
    }
    if (k->o.outstanding == 0 || k->o.outstanding > 1000) {
        HF_FAIL(k->cx, HF_EINVAL, "%u packets outstanding are out of range; need 1 to 1000", k->o.outstanding);
    }
    const bool is_blind = k->o.selection <= HF_SELECT_FIRST || k->o.selection == HF_SELECT_UNBLOCKED;
    const bool has_selection = !is_blind || k->o.choose_once;
    if (k->o.bubble || k->o.reorder || k->o.terminal_vcs || k->o.vc_stage || k->o.one_routing_unit || has_selection) {
        HF_FAIL(k->cx, HF_EINVAL,
                "where packets give up there is no bubble, no reorder buffer, no router of another simulator, no routing unit of "
                "a switch, and no selection but cyclic, first and unblocked, which choose always");
    }
    HF_TRY(hf_scratch(k->cx, 1, sizeof *c, (void **)&c));
    HF_TRY(hf_agenda_init(k->cx, &c->agenda));
    const size_t n_trip = (size_t)k->topo->n_terminal * k->o.outstanding;
    HF_TRY(hf_scratch(k->cx, n_trip, sizeof *c->trip, (void **)&c->trip));
    HF_TRY(hf_scratch(k->cx, k->topo->n_terminal, sizeof *c->random, (void **)&c->random));
    HF_TRY(hf_scratch(k->cx, k->topo->n_terminal, sizeof *c->waits, (void **)&c->waits));
    HF_TRY(hf_scratch(k->cx, n_trip, sizeof *c->waiting, (void **)&c->waiting));
    HF_TRY(hf_scratch(k->cx, n_trip, sizeof *c->again, (void **)&c->again));
    for (size_t i = 0; i < n_trip; i++) {
        c->trip[i] = (trip){.packet = HF_NONE, .terminal = (uint32_t)(i / k->o.outstanding)};
    }
    k->circuits = c;
    hf_kernel_circuit_seed(k, 0);
    HF_TRY(hf_kernel_blockages_new(k));
    return k->o.forward_after ? new_forwards(k) : HF_OK;
}

static uint32_t find_place(const hf_kernel *k, uint32_t t) {
    const uint32_t end = (t + 1) * k->o.outstanding;
    uint32_t i = t * k->o.outstanding;
    while (i < end && k->circuits->trip[i].packet != HF_NONE) {
        i++;
    }
    return i < end ? i : HF_NONE;
}

static hf_status take_place(hf_kernel *k, uint32_t i, uint32_t packet) {
    trip *x = &k->circuits->trip[i];
    x->packet = packet;
    x->destination = k->packet[packet].destination;
    x->attempt = 0;
    return at(k, k->counts.cycle, HEADER, i);
}

/* The packet at the head of the queue of t takes a free place; if there is none it waits. */
hf_status hf_kernel_circuit_start(hf_kernel *k, uint32_t t) {
    const uint32_t i = find_place(k, t);
    k->circuits->waits[t] = i == HF_NONE;
    if (i == HF_NONE) {
        return HF_OK;
    }
    HF_TRY(take_place(k, i, k->lane[k->n_resource + t].packet));
    hf_kernel_source_done(k, t);
    return k->failed;
}

/* Terminal t has a packet to pass on: after those that came before it, before its own. */
static hf_status pass_on(hf_kernel *k, uint32_t t, uint32_t packet) {
    hf_circuits *c = k->circuits;
    const uint32_t i = find_place(k, t);
    k->packet[packet].is_forwarded = true;
    if (i != HF_NONE) {
        return take_place(k, i, packet);
    }
    *(c->passed[t] == HF_NONE ? &c->passed[t] : &k->packet[c->passed_last[t]].behind) = packet;
    k->packet[packet].behind = HF_NONE;
    c->passed_last[t] = packet;
    return HF_OK;
}

static hf_status free_place(hf_kernel *k, uint32_t i) {
    hf_circuits *c = k->circuits;
    const uint32_t t = c->trip[i].terminal;
    c->trip[i].packet = HF_NONE;
    if (c->passed && c->passed[t] != HF_NONE) {
        const uint32_t packet = c->passed[t];
        c->passed[t] = k->packet[packet].behind;
        return take_place(k, i, packet);
    }
    return c->waits[t] ? hf_kernel_circuit_start(k, t) : HF_OK;
}

/* ---- how an attempt ends ---- */

/* Delays from the channel `first` of the path to its end. */
static uint64_t way_from(const hf_kernel *k, const trip *x, uint32_t first) {
    uint64_t sum = 0;
    for (uint32_t j = first; j < x->n; j++) {
        sum += k->output[x->path[j] / k->n_vc].delay;
    }
    return sum;
}

static void let_go(hf_kernel *k, uint32_t q) {
    k->owner[q] = HF_NONE;
    if (k->blockages) {
        hf_kernel_blockage(k, q, true);
    }
}

/* The flits follow the header: each channel is free when they have passed. */
static hf_status release_behind(hf_kernel *k, const trip *x, uint32_t length) {
    for (uint32_t j = 0; j < x->n; j++) {
        const uint64_t passed = x->leave[j] + length;
        k->counts.flit_hops += length;
        if (passed < k->counts.cycle) {
            let_go(k, x->path[j]);
        } else {
            HF_TRY(at(k, passed, RELEASE, x->path[j]));
        }
    }
    return HF_OK;
}

/* The refusal goes back, and each channel is free when it has passed. \return the cycle at which the source has it, in `back` */
static hf_status release_ahead(hf_kernel *k, const trip *x, uint64_t *back) {
    *back = k->counts.cycle;
    for (uint32_t j = x->n; j-- > 0;) {
        *back += k->output[x->path[j] / k->n_vc].delay;
        HF_TRY(k->o.contention == HF_CONTENTION_CIRCUIT ? at(k, *back, RELEASE, x->path[j]) : HF_OK);
    }
    return HF_OK;
}

/* Any live terminal but the one that has the packet, the destination among them. */
static uint32_t draw_leg(const hf_kernel *k, const trip *x) {
    const hf_circuits *c = k->circuits;
    if (c->n_live < 2) {
        return x->destination;
    }
    const uint64_t i = hf_random_below(&c->random[x->terminal], c->n_live - 1);
    return c->live[c->live[i] < x->terminal ? i : i + 1];
}

static hf_status give_up(hf_kernel *k, uint32_t i) {
    trip *x = &k->circuits->trip[i];
    uint64_t back;
    HF_TRY(release_ahead(k, x, &back));
    if (k->o.contention == HF_CONTENTION_DROP) {
        const uint32_t length = k->packet[x->packet].length;
        HF_TRY(release_behind(k, x, length));
        back = x->n && back < x->leave[0] + length ? x->leave[0] + length : back;
    }
    x->n = 0;
    const uint64_t wait = hf_backoff_cycles(k->o.backoff, k->o.backoff_cycles, ++x->attempt);
    k->counts.retries++;
    const uint64_t random = hf_random_below(&k->circuits->random[x->terminal], wait + 1);
    if (k->o.forward_after && x->attempt % k->o.forward_after == 0) {
        x->destination = draw_leg(k, x);
    }
    return at(k, back + wait + random, HEADER, i);
}

static hf_status drop(hf_kernel *k, uint32_t i) {
    trip *x = &k->circuits->trip[i];
    const uint32_t packet = x->packet;
    const uint64_t free = k->counts.cycle + k->packet[packet].length;
    HF_TRY(release_behind(k, x, k->packet[packet].length));
    if (x->n || k->packet[packet].is_forwarded) {
        hf_kernel_end_packet(k, packet, true);
    } else {
        k->counts.refused++;
        k->packet[packet].is_lost = true;
        hf_kernel_packet_free(k, packet);
    }
    x->n = 0;
    return at(k, free, NEXT, i);
}

/* ---- faults ---- */

/* Does the channel of hop j fail after cycle `from`, before cycle `to`? */
static bool fails_between(const hf_kernel *k, const trip *x, uint32_t j, uint64_t from, uint64_t to, uint32_t *fault) {
    const uint64_t cycle = hf_kernel_fails_at(k, x->path[j] / k->n_vc, fault);
    return cycle > from && cycle < to;
}

/* Flits that follow the header: is one of them on a channel, or still before it, when it fails before cycle `end`? */
static bool is_cut(const hf_kernel *k, const trip *x, uint32_t length, uint64_t end, uint32_t *fault) {
    for (uint32_t j = 0; k->layers && j < x->n; j++) {
        const uint64_t passed = x->leave[j] + length - 1 + k->output[x->path[j] / k->n_vc].delay;
        if (fails_between(k, x, j, x->leave[j], passed < end ? passed : end, fault)) {
            return true;
        }
    }
    return false;
}

/* A circuit whose header is at the end of its way now: does a channel fail before the answer has passed it back? */
static bool is_refused(const hf_kernel *k, const trip *x) {
    uint32_t fault;
    for (uint32_t j = 0; k->layers && j < x->n; j++) {
        if (fails_between(k, x, j, x->leave[j], k->counts.cycle + way_from(k, x, j), &fault)) {
            return true;
        }
    }
    return false;
}

/* The answer has passed: does a channel fail before the tail has? The data start in cycle `start`. */
static bool is_data_cut(const hf_kernel *k, const trip *x, uint64_t start, uint32_t length, uint32_t *fault) {
    const uint64_t way = way_from(k, x, 0);
    for (uint32_t j = 0; k->layers && j < x->n; j++) {
        if (fails_between(k, x, j, x->leave[j], start + way - way_from(k, x, j + 1) + length - 1, fault)) {
            return true;
        }
    }
    return false;
}

static hf_status break_packet(hf_kernel *k, uint32_t i, uint32_t fault) {
    hf_kernel_count_hit(k, fault);
    return drop(k, i);
}

/* A header that has come to a node: has the way behind it, or the switch, failed? \return HF_OK and `is_broken` */
static hf_status look_back(hf_kernel *k, uint32_t i, uint32_t node, bool *is_broken) {
    const trip *x = &k->circuits->trip[i];
    const hf_packet *p = &k->packet[x->packet];
    const bool is_circuit = k->o.contention == HF_CONTENTION_CIRCUIT;
    uint32_t fault = HF_NONE;
    *is_broken = x->n && k->layers && hf_kernel_switch_failed(k, node, &fault);
    for (uint32_t j = 0; !*is_broken && is_circuit && k->layers && j < x->n; j++) {
        *is_broken = fails_between(k, x, j, x->leave[j], k->counts.cycle + 1, &fault);
    }
    *is_broken = *is_broken || (!is_circuit && is_cut(k, x, p->length, k->counts.cycle + 1, &fault));
    if (!*is_broken) {
        return HF_OK;
    }
    return is_circuit ? give_up(k, i) : break_packet(k, i, fault);
}

static hf_status succeed(hf_kernel *k, uint32_t i) {
    trip *x = &k->circuits->trip[i];
    uint32_t fault;
    const uint32_t packet = x->packet;
    const bool is_circuit = k->o.contention == HF_CONTENTION_CIRCUIT;
    const uint64_t now = k->counts.cycle, way = way_from(k, x, 0), length = k->packet[packet].length;
    uint64_t arrived = now + length - 1, left = arrived; /* of the tail, at the destination and as the source knows it */
    if (is_circuit && is_refused(k, x)) {
        return give_up(k, i);
    }
    if (is_circuit ? is_data_cut(k, x, now + way, (uint32_t)length, &fault)
                   : is_cut(k, x, (uint32_t)length, UINT64_MAX, &fault)) {
        hf_kernel_count_hit(k, fault);
        k->packet[packet].is_lost = true;
    }
    if (!is_circuit) {
        HF_TRY(release_behind(k, x, (uint32_t)length));
    } else {
        const uint64_t start = now + way; /* the answer is at the source */
        arrived = start + way + length - 1;
        left = start + length;
        for (uint32_t j = 0; j < x->n; j++) {
            k->counts.flit_hops += length;
            HF_TRY(at(k, start + way - way_from(k, x, j) + length, RELEASE, x->path[j]));
        }
    }
    x->n = 0;
    k->packet[packet].leg = x->destination;
    HF_TRY(at(k, arrived, DELIVERED, packet));
    return at(k, left, NEXT, i);
}

/* ---- a header ---- */

/* Hops to choose from, in k->route_hops. \param[out] out how many; HF_ROUTE_WAIT: none now, perhaps later: the switch waits for
 * its tables, or they may yet change */
static hf_status find_hops(const hf_kernel *k, uint32_t node, const trip *x, size_t *out) {
    const bool is_gone = x->n == 0 && k->gone && hf_bit_test(k->gone, x->destination);
    const bool is_end = x->n && hf_topology_is_terminal(k->topo, node); /* terminals do not forward */
    hf_hop *hops = k->route_hops;
    size_t n = 0, count = 0;
    HF_TRY(is_gone || is_end ? HF_OK : hf_kernel_route(k, node, x->n ? x->in : HF_HOP_INJECTION, x->destination, &n));
    for (size_t i = 0; i < n && n != HF_ROUTE_WAIT; i++) {
        if (hf_kernel_is_chosen_from(k, node, hops[i].channel)) {
            hops[count++] = hops[i];
        }
    }
    const bool may_come = n > 0 && count == 0 && x->n && hf_kernel_is_changing(k);
    *out = n == HF_ROUTE_WAIT || may_come ? HF_ROUTE_WAIT : count;
    return HF_OK;
}

/* One of the free hops: the first, or any; of those that are not blocked, if there are such. HF_NONE: none is free. */
static uint32_t choose(const hf_kernel *k, hf_random *random, const hf_hop *hops, size_t n) {
    uint32_t free = 0, pick = HF_NONE;
    bool is_picky = false;
    for (uint32_t i = 0; i < n && k->blockages; i++) {
        is_picky |= hf_kernel_is_unblocked(k, hops[i].channel);
    }
    for (uint32_t i = 0; i < n; i++) {
        const bool is_free = k->owner[hops[i].channel * k->n_vc + hops[i].vc] == HF_NONE;
        if (is_free && (!is_picky || hf_kernel_is_unblocked(k, hops[i].channel))) {
            free++;
            const bool takes = k->o.selection == HF_SELECT_FIRST ? free == 1 : hf_random_below(random, free) == 0;
            pick = takes ? i : pick;
        }
    }
    return pick;
}

static hf_status lengthen(hf_kernel *k, trip *x) {
    size_t path_room = x->room;
    HF_GROW_SCRATCH(k->cx, x->path, x->n, path_room);
    HF_GROW_SCRATCH(k->cx, x->leave, x->n, x->room);
    return HF_OK;
}

static hf_status take_hop(hf_kernel *k, uint32_t i, hf_hop hop) {
    trip *x = &k->circuits->trip[i];
    const uint32_t q = hop.channel * k->n_vc + hop.vc;
    const bool is_switch = !hf_topology_is_terminal(k->topo, k->topo->to[hop.channel]);
    HF_TRY(x->n == x->room ? lengthen(k, x) : HF_OK);
    if (x->n == 0 && x->attempt == 0 && !k->packet[x->packet].is_forwarded) {
        k->packet[x->packet].entered = k->counts.cycle;
        k->counts.injected++;
    }
    k->counts.deviated += hop.tag >= HF_TAG_DEVIATED;
    hop.tag &= ~HF_TAG_DEVIATED;
    k->owner[q] = k->n_resource + x->terminal;
    if (k->blockages) {
        hf_kernel_blockage(k, q, false);
    }
    x->path[x->n] = q;
    x->leave[x->n++] = k->counts.cycle;
    x->in = hop;
    return at(k, k->counts.cycle + k->output[hop.channel].delay + (is_switch ? k->o.routing_delay : 0), HEADER, i);
}

/* Is none of what it waits for free? Most of the headers of a busy network are of this kind, so it is told without asking the
 * plan. */
static bool is_shut(const hf_kernel *k, const trip *x) {
    const hf_topology *topo = k->topo;
    const uint32_t v = topo->n_switch + x->terminal;
    uint32_t place = 0;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        for (uint32_t vc = 0; vc < k->n_vc; vc++, place++) {
            const bool is_way = place >= WAYS || x->ways >> place & 1;
            if (is_way && k->owner[topo->out_list[i] * k->n_vc + vc] == HF_NONE) {
                return false;
            }
        }
    }
    return true;
}

/* Where tables may change a header waits for whatever comes free, and asks anew. */
static uint64_t find_ways(const hf_kernel *k, uint32_t t, const hf_hop *hops, size_t n) {
    const hf_topology *topo = k->topo;
    const uint32_t *out = topo->out_list + topo->out_begin[topo->n_switch + t];
    uint64_t ways = 0;
    for (size_t h = 0; h < n; h++) {
        uint64_t place = 0;
        while (out[place] != hops[h].channel) {
            place++;
        }
        place = place * k->n_vc + hops[h].vc;
        ways |= place < WAYS ? UINT64_C(1) << place : 0;
    }
    return k->layers ? UINT64_MAX : ways;
}

void hf_kernel_circuit_ask_anew(hf_kernel *k) {
    const size_t n = k->circuits ? (size_t)k->topo->n_terminal * k->o.outstanding : 0;
    for (size_t i = 0; i < n; i++) {
        k->circuits->trip[i].ways = UINT64_MAX;
    }
}

static void look_again(hf_circuits *c, uint32_t i) {
    c->again[c->n_again++] = (waiting){.number = hf_agenda_number(&c->agenda), .trip = i};
}

/* At the source the packets before it are its own: that is no attempt. */
static void wait_at_source(hf_kernel *k, uint32_t i, const hf_hop *hops, size_t n) {
    trip *x = &k->circuits->trip[i];
    x->ways = find_ways(k, x->terminal, hops, n);
    look_again(k->circuits, i);
}

/* A packet that the plan does not let in: can others pass it on? Asked before it is sent anywhere. */
static hf_status can_pass(hf_kernel *k, const trip *x, bool *out) {
    uint32_t leg = HF_NONE;
    *out = x->attempt > 0;
    if (!*out) {
        HF_TRY(hf_kernel_leg(k, x->terminal, x->destination, &leg));
        *out = leg != x->destination;
    }
    return HF_OK;
}

static hf_status go_on(hf_kernel *k, uint32_t i) {
    trip *x = &k->circuits->trip[i];
    const uint32_t node = x->n ? k->topo->to[x->in.channel] : k->topo->n_switch + x->terminal;
    const hf_hop *hops = k->route_hops;
    bool is_broken = false;
    HF_TRY(k->layers ? look_back(k, i, node, &is_broken) : HF_OK);
    if (is_broken) {
        return HF_OK;
    }
    if (node == k->topo->n_switch + x->destination) {
        return succeed(k, i);
    }
    size_t n;
    HF_TRY(find_hops(k, node, x, &n));
    if (n == 0) {
        bool may_pass = false;
        HF_TRY(k->o.forward_after && x->n == 0 ? can_pass(k, x, &may_pass) : HF_OK);
        return may_pass ? give_up(k, i) : drop(k, i);
    }
    const uint32_t h = n == HF_ROUTE_WAIT ? HF_NONE : choose(k, &k->circuits->random[x->terminal], hops, n);
    if (h != HF_NONE) {
        return hf_bit_test(k->down, hops[h].channel) ? drop(k, i) : take_hop(k, i, hops[h]);
    }
    if (x->n) {
        return give_up(k, i);
    }
    wait_at_source(k, i, hops, n == HF_ROUTE_WAIT ? 0 : n);
    return HF_OK;
}

/* Those that wait and whose turn is before that of event `number`. */
static hf_status look_before(hf_kernel *k, uint64_t number) {
    hf_circuits *c = k->circuits;
    while (c->n_looked < c->n_waiting && c->waiting[c->n_looked].number < number) {
        const uint32_t i = c->waiting[c->n_looked++].trip;
        if (is_shut(k, &c->trip[i])) {
            look_again(c, i);
        } else {
            HF_TRY(go_on(k, i));
        }
    }
    return HF_OK;
}

static void end_looking(hf_circuits *c) {
    waiting *done = c->waiting;
    c->waiting = c->again;
    c->again = done;
    c->n_waiting = c->n_again;
    c->n_again = c->n_looked = 0;
}

static hf_status happen(hf_kernel *k, const hf_appointment *e) {
    switch (e->kind) {
    case RELEASE:
        let_go(k, e->who);
        return HF_OK;
    case DELIVERED:
        if (!k->packet[e->who].is_lost && k->packet[e->who].leg != k->packet[e->who].destination) {
            return pass_on(k, k->packet[e->who].leg, e->who);
        }
        k->counts.delivered_flits += k->packet[e->who].is_lost ? 0 : k->packet[e->who].length;
        hf_kernel_end_packet(k, e->who, k->packet[e->who].is_lost);
        return HF_OK;
    case NEXT:
        return free_place(k, e->who);
    default:
        return go_on(k, e->who);
    }
}

hf_status hf_kernel_circuit_step(hf_kernel *k) {
    hf_circuits *c = k->circuits;
    hf_appointment e;
    bool is_some;
    do {
        HF_TRY(hf_agenda_take(k->cx, &c->agenda, k->counts.cycle, &e, &is_some));
        const bool are_left = c->n_looked < c->n_waiting;
        HF_TRY(look_before(k, is_some ? e.number : UINT64_MAX));
        HF_TRY(is_some ? happen(k, &e) : HF_OK);
        is_some |= are_left; /* they may have noted events of this cycle */
    } while (is_some);
    end_looking(c);
    return HF_OK;
}
