/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks of which only heads need be moved, as a packet's flits follow its head without a gap.
 *
 *  Lose: a head that finds none of its channels free is lost with its packet; its channels are free at once, and nobody tells
 *  the source. Source: [brown2002, 4.2]. Store: a channel has room for a packet at its end; a head waits there, and the channel
 *  is free when the tail has left that room. So it is under wormhole and virtual cut-through with buffers of a packet; but the
 *  oldest packet goes first. Sinks take what comes. Source: [brown2002, 4.5]. With `hold_cycles` a head that is blocked for
 *  longer is lost as above; then no packet waits for ever, and any rule will do. Source: [brown2002, 2.3; 6].
 *
 *  Heads move in the order in which they left their sources, those of one cycle by terminal. A channel is taken as a whole,
 *  whatever the virtual channel; of several free ones the first that the plan offers. Of a rule that commits packets to a hop
 *  that may be one that has failed. */
#include "src/core/grow.h"
#include "src/kernel/agenda.h"
#include "src/kernel/kernel.h"

#include <string.h>

#include <holdfast/core/bitset.h>

enum { ARRIVED, IDLE, FREE };
enum { AHEAD = 4 }; /* heads that are asked for before their turn, as they are seldom in the cache */

typedef struct head {
    uint32_t at, destination, length;
    uint32_t n;          /* channels taken */
    uint64_t ready;      /* cycle from which it may go on */
    hf_channel_run next; /* the channels that it waits for, where they are one run; none: the plan is asked */
    hf_hop in, want;     /* how it came to where it is; the hop onto the first of `next` */
} head;

/* A channel that a packet has taken. */
typedef struct held {
    uint32_t channel, until; /* until: the first cycle in which it is free again, its low bits */
} held;

typedef struct channel {
    uint64_t free_at; /* UINT64_MAX: it has failed and nobody chooses it, or a packet is stored in it */
    uint32_t to, hop; /* hop: cycles until a head may go on from there */
} channel;

struct hf_heads {
    hf_agenda agenda;
    channel *channel;
    uint64_t last; /* the latest cycle at which a stored packet has left its channel */
    head *head;    /* by packet */
    held *held;    /* rows of `room`, by packet: the channels taken last, a ring; not used where packets are stored */
    uint32_t n_head, room;
    uint32_t *active; /* packets whose head is on its way, oldest first */
    size_t n_active, active_room;
    uint32_t *fresh, n_fresh; /* packets that left their source in this cycle */
    uint32_t *freed, n_freed; /* terminals whose packet was lost in the last cycle before it had left */
    uint32_t *sends;          /* by terminal: the packet whose flits leave it */
    uint64_t *idle_at;        /* by terminal: when they have left */
    bool *waits;              /* by terminal: the packet at the head of its queue waits for a channel */
    hf_channel_run *run;      /* scratch: what the plan offers */
    bool stores;              /* else it loses */
    bool commits;             /* packets choose failed channels, too */
    bool is_still;            /* all heads were blocked in the last cycle or are gone, and none set out */
};

static hf_status at(hf_kernel *k, uint64_t cycle, uint32_t kind, uint32_t who) {
    return hf_agenda_add(k->cx, &k->heads->agenda, cycle, kind, who);
}

/* ---- what the plan offers ---- */

static inline uint32_t first_free(const hf_heads *h, hf_channel_run run, uint64_t now) {
    for (uint32_t c = run.first; c < run.first + run.n; c++) {
        if (h->channel[c].free_at <= now) {
            return c;
        }
    }
    return HF_NONE;
}

/* The hops of a rule that tells no runs, each as one; those that nobody chooses are left out. */
static hf_status ask_hops(const hf_kernel *k, const head *x, size_t *n) {
    const hf_heads *h = k->heads;
    size_t count = 0;
    HF_TRY(hf_kernel_route(k, x->at, x->in, x->destination, n));
    for (size_t i = 0; i < *n; i++) {
        const hf_hop hop = k->route_hops[i];
        if (hf_kernel_is_chosen_from(k, x->at, hop.channel)) {
            h->run[count] = (hf_channel_run){hop.channel, 1};
            k->route_hops[count++] = hop;
        }
    }
    *n = count;
    return HF_OK;
}

/* Runs of channels, into h->run. \param[out] n how many */
static inline hf_status ask(const hf_kernel *k, const head *x, size_t *n) {
    if (k->plan->runs) {
        *n = k->plan->runs(k->plan, x->at, x->destination, k->heads->run);
        return HF_OK;
    }
    return ask_hops(k, x, n);
}

static hf_hop hop_of(const hf_kernel *k, size_t run, uint32_t c) {
    return k->plan->runs ? (hf_hop){c, 0, 0} : k->route_hops[run];
}

/* Of a rule that commits packets to a hop: has the one that is chosen failed? */
static inline bool is_lost_by(const hf_kernel *k, hf_hop hop) { return k->heads->commits && hf_bit_test(k->down, hop.channel); }

/* The hop that a head takes; channel HF_NONE: none is free. */
static inline hf_status choose(const hf_kernel *k, const head *x, hf_hop *hop) {
    const hf_heads *h = k->heads;
    const uint64_t now = k->counts.cycle;
    size_t n;
    if (x->next.n) {
        *hop = x->want;
        hop->channel = first_free(h, x->next, now);
        return HF_OK;
    }
    HF_TRY(ask(k, x, &n));
    hop->channel = HF_NONE;
    for (size_t i = 0; i < n; i++) {
        const uint32_t c = first_free(h, h->run[i], now);
        if (c != HF_NONE) {
            *hop = hop_of(k, i, c);
            return HF_OK;
        }
    }
    return HF_OK;
}

/* Has all that is offered failed? If not, a head can wait for it, and need not ask again where it is one run. */
static hf_status is_stuck(const hf_kernel *k, head *x, bool *out) {
    const hf_heads *h = k->heads;
    size_t n;
    HF_TRY(ask(k, x, &n));
    *out = true;
    for (size_t i = 0; i < n; i++) {
        for (uint32_t c = h->run[i].first; c < h->run[i].first + h->run[i].n; c++) {
            *out &= hf_bit_test(k->down, c);
        }
    }
    if (n == 1) {
        x->next = h->run[0];
        x->want = hop_of(k, 0, HF_NONE);
    }
    return HF_OK;
}

/* ---- channels come free ---- */

/* A stored packet goes on: the channel is free from that cycle on, after the present one, and who waits for it at its terminal
 * looks again then. */
static hf_status leave(hf_kernel *k, uint32_t c, uint64_t cycle) {
    hf_heads *h = k->heads;
    const uint32_t from = k->topo->from[c];
    const bool is_awaited = from >= k->topo->n_switch && h->waits[from - k->topo->n_switch];
    h->channel[c].free_at = cycle;
    h->last = cycle > h->last ? cycle : h->last;
    return is_awaited ? at(k, cycle, FREE, from - k->topo->n_switch) : HF_OK;
}

static held *held_at(const hf_heads *h, uint32_t packet, uint32_t i) {
    return &h->held[(size_t)packet * h->room + (i & (h->room - 1))];
}

static inline hf_status take(hf_kernel *k, hf_heads *h, head *x, uint32_t packet, hf_hop hop) {
    channel *c = &h->channel[hop.channel];
    const uint64_t now = k->counts.cycle;
    c->free_at = h->stores && c->to < k->topo->n_switch ? UINT64_MAX : now + x->length;
    if (!h->stores) {
        *held_at(h, packet, x->n) = (held){hop.channel, (uint32_t)(now + x->length)};
    } else if (x->n) {
        HF_TRY(leave(k, x->in.channel, now + x->length));
    }
    k->counts.flit_hops += x->length;
    x->at = c->to;
    x->in = hop;
    x->next.n = 0;
    x->n++;
    x->ready = now + c->hop;
    return HF_OK;
}

/* ---- sources ---- */

static hf_status more_heads(hf_kernel *k) {
    hf_heads *h = k->heads;
    const size_t n = k->n_packet;
    head *heads;
    held *rows;
    HF_TRY(hf_scratch(k->cx, n, sizeof *heads, (void **)&heads));
    HF_TRY(hf_scratch(k->cx, n * h->room, sizeof *rows, (void **)&rows));
    if (h->n_head) {
        memcpy(heads, h->head, h->n_head * sizeof *heads);
        memcpy(rows, h->held, (size_t)h->n_head * h->room * sizeof *rows);
    }
    h->head = heads;
    h->held = rows;
    h->n_head = (uint32_t)n;
    return HF_OK;
}

/* Into the fresh ones, by terminal: each terminal has one in a cycle at most. */
static void note_fresh(hf_kernel *k, uint32_t packet) {
    hf_heads *h = k->heads;
    const uint32_t source = k->packet[packet].source;
    uint32_t i = h->n_fresh++;
    for (; i > 0 && k->packet[h->fresh[i - 1]].source > source; i--) {
        h->fresh[i] = h->fresh[i - 1];
    }
    h->fresh[i] = packet;
}

static hf_status set_out(hf_kernel *k, uint32_t t, hf_hop hop) {
    hf_heads *h = k->heads;
    const uint32_t packet = k->lane[k->n_resource + t].packet;
    const uint64_t now = k->counts.cycle;
    h->sends[t] = packet;
    h->idle_at[t] = now + h->head[packet].length;
    k->packet[packet].entered = now;
    k->counts.injected++;
    HF_TRY(take(k, h, &h->head[packet], packet, hop));
    note_fresh(k, packet);
    return at(k, h->idle_at[t], IDLE, t);
}

static hf_status refuse(hf_kernel *k, uint32_t t) {
    const uint32_t packet = k->lane[k->n_resource + t].packet;
    k->counts.refused++;
    k->packet[packet].is_lost = true;
    hf_kernel_packet_free(k, packet);
    k->lane[k->n_resource + t].packet = HF_NONE;
    k->heads->idle_at[t] = k->counts.cycle + 1;
    return at(k, k->counts.cycle + 1, IDLE, t);
}

/* It looks again when one of its channels comes free. */
static hf_status wait_at_source(hf_kernel *k, uint32_t t) {
    hf_heads *h = k->heads;
    const uint32_t v = k->topo->n_switch + t;
    h->waits[t] = true;
    for (uint32_t i = k->topo->out_begin[v]; i < k->topo->out_begin[v + 1]; i++) {
        const uint64_t cycle = h->channel[k->topo->out_list[i]].free_at;
        HF_TRY(cycle > k->counts.cycle && cycle < UINT64_MAX ? at(k, cycle, FREE, t) : HF_OK);
    }
    return HF_OK;
}

static hf_status leave_source(hf_kernel *k, uint32_t t) {
    head *x = &k->heads->head[k->lane[k->n_resource + t].packet];
    hf_hop hop;
    bool is_lost;
    HF_TRY(choose(k, x, &hop));
    if (hop.channel != HF_NONE) {
        return is_lost_by(k, hop) ? refuse(k, t) : set_out(k, t, hop);
    }
    HF_TRY(is_stuck(k, x, &is_lost));
    return is_lost ? refuse(k, t) : wait_at_source(k, t);
}

hf_status hf_kernel_heads_start(hf_kernel *k, uint32_t t) {
    const uint32_t packet = k->lane[k->n_resource + t].packet;
    HF_TRY(packet < k->heads->n_head ? HF_OK : more_heads(k));
    k->heads->head[packet] = (head){.at = k->topo->n_switch + t,
                                    .destination = k->packet[packet].destination,
                                    .length = k->packet[packet].length,
                                    .in = HF_HOP_INJECTION};
    return leave_source(k, t);
}

/* ---- heads ---- */

/* Whatever it holds is free at once, and its source idle from the next cycle on. */
static hf_status lose(hf_kernel *k, uint32_t packet) {
    hf_heads *h = k->heads;
    const head *x = &h->head[packet];
    const uint32_t now = (uint32_t)k->counts.cycle, t = k->packet[packet].source;
    for (uint32_t i = x->n > h->room ? x->n - h->room : 0; i < x->n && !h->stores; i++) {
        const held *c = held_at(h, packet, i);
        if ((int32_t)(c->until - now) > 0) {
            k->counts.flit_hops -= c->until - now;
            h->channel[c->channel].free_at = k->counts.cycle;
        }
    }
    HF_TRY(h->stores ? leave(k, x->in.channel, k->counts.cycle + 1) : HF_OK);
    if (h->sends[t] == packet && h->idle_at[t] > k->counts.cycle + 1) {
        h->idle_at[t] = UINT64_MAX;
        h->freed[h->n_freed++] = t;
    }
    hf_kernel_end_packet(k, packet, true);
    return HF_OK;
}

/* Where none is free. \param[out] stays it waits */
static hf_status meet(hf_kernel *k, uint32_t packet, bool *stays) {
    head *x = &k->heads->head[packet];
    const bool is_late = k->o.hold_cycles && k->counts.cycle - x->ready >= k->o.hold_cycles;
    bool is_lost = !k->heads->stores || is_late;
    if (!is_lost && !x->next.n) {
        HF_TRY(is_stuck(k, x, &is_lost));
    }
    *stays = !is_lost;
    return is_lost ? lose(k, packet) : HF_OK;
}

/* One channel further, out, or gone. \param[out] stays it is still on its way */
static inline hf_status advance(hf_kernel *k, hf_heads *h, head *x, uint32_t packet, bool *stays) {
    hf_hop hop;
    HF_TRY(choose(k, x, &hop));
    if (hop.channel == HF_NONE) {
        return meet(k, packet, stays);
    }
    h->is_still = false;
    if (is_lost_by(k, hop)) {
        *stays = false;
        return lose(k, packet);
    }
    HF_TRY(take(k, h, x, packet, hop));
    *stays = x->at < k->topo->n_switch;
    return *stays ? HF_OK : at(k, x->ready + x->length - 1, ARRIVED, packet);
}

hf_status hf_kernel_heads_step(hf_kernel *k) {
    hf_heads *h = k->heads;
    uint32_t *active = h->active;
    const size_t n_active = h->n_active;
    size_t n = 0;
    h->is_still = h->n_fresh == 0;
    for (size_t i = 0; i < n_active; i++) {
        const uint32_t packet = active[i];
        head *x = &h->head[packet]; /* it may move when one is lost, as its client may send then */
        bool stays = true;
        __builtin_prefetch(&h->head[active[i + AHEAD < n_active ? i + AHEAD : i]], 1);
        if (x->ready <= k->counts.cycle) {
            HF_TRY(advance(k, h, x, packet, &stays));
        } else {
            h->is_still = false;
        }
        active[n] = packet;
        n += stays;
    }
    h->n_active = n;
    for (uint32_t i = 0; i < h->n_fresh; i++) {
        HF_GROW_SCRATCH(k->cx, h->active, h->n_active, h->active_room);
        h->active[h->n_active++] = h->fresh[i];
    }
    h->n_fresh = 0;
    return HF_OK;
}

/* ---- what has come about by now ---- */

static void arrive(hf_kernel *k, uint32_t packet) {
    const head *x = &k->heads->head[packet];
    const bool is_there = x->at == k->topo->n_switch + x->destination;
    k->counts.delivered_flits += is_there ? x->length : 0;
    hf_kernel_end_packet(k, packet, !is_there);
}

static void be_idle(hf_kernel *k, uint32_t t) {
    k->heads->idle_at[t] = UINT64_MAX;
    k->heads->sends[t] = HF_NONE;
    hf_kernel_source_done(k, t);
}

static hf_status happen(hf_kernel *k, const hf_appointment *e) {
    hf_heads *h = k->heads;
    if (e->kind == ARRIVED) {
        arrive(k, e->who);
    } else if (e->kind == FREE && h->waits[e->who]) {
        h->waits[e->who] = false;
        return leave_source(k, e->who);
    } else if (e->kind == IDLE && h->idle_at[e->who] == k->counts.cycle) {
        be_idle(k, e->who);
    }
    return k->failed;
}

hf_status hf_kernel_heads_come_in(hf_kernel *k) {
    hf_appointment e;
    bool is_some = true;
    for (uint32_t i = 0; i < k->heads->n_freed; i++) {
        be_idle(k, k->heads->freed[i]);
    }
    k->heads->n_freed = 0;
    while (is_some) {
        HF_TRY(hf_agenda_take(k->cx, &k->heads->agenda, k->counts.cycle, &e, &is_some));
        HF_TRY(is_some ? happen(k, &e) : HF_OK);
    }
    return HF_OK;
}

uint64_t hf_kernel_heads_next(const hf_kernel *k) {
    const hf_heads *h = k->heads;
    const bool is_stopped = h->is_still && k->counts.cycle > h->last && !k->o.hold_cycles;
    const bool may_move = h->n_active > 0 && !is_stopped;
    return may_move || h->n_freed > 0 ? k->counts.cycle : hf_agenda_next(&h->agenda);
}

/* ---- making them ---- */

hf_status hf_kernel_heads_check(const hf_kernel *k) {
    const hf_kernel_options *o = &k->o;
    if (o->bubble || o->reorder || o->terminal_vcs || o->vc_stage || o->one_routing_unit || o->choose_once ||
        o->selection != HF_SELECT_FIRST) {
        HF_FAIL(
            k->cx, HF_EINVAL,
            "where heads alone are moved there is no bubble, no reorder buffer, no router of another simulator, no routing unit "
            "of a switch, and no selection but first, which chooses always");
    }
    return HF_OK;
}

hf_status hf_kernel_heads_new(hf_kernel *k) {
    const size_t n_terminal = k->topo->n_terminal, hops = hf_plan_room(k->plan);
    hf_heads *h;
    HF_TRY(hf_scratch(k->cx, 1, sizeof *h, (void **)&h));
    k->heads = h;
    h->stores = k->o.contention == HF_CONTENTION_STORE;
    h->commits = hf_plan_traits(k->plan) & HF_ROUTING_COMMITS;
    for (h->room = 1; !h->stores && h->room < k->o.packet_length; h->room *= 2) {
    }
    HF_TRY(hf_agenda_init(k->cx, &h->agenda));
    HF_TRY(hf_scratch(k->cx, k->topo->n_channel, sizeof *h->channel, (void **)&h->channel));
    HF_TRY(hf_scratch(k->cx, n_terminal, sizeof *h->fresh, (void **)&h->fresh));
    HF_TRY(hf_scratch(k->cx, n_terminal, sizeof *h->freed, (void **)&h->freed));
    HF_TRY(hf_scratch(k->cx, n_terminal, sizeof *h->sends, (void **)&h->sends));
    HF_TRY(hf_scratch(k->cx, n_terminal, sizeof *h->idle_at, (void **)&h->idle_at));
    HF_TRY(hf_scratch(k->cx, n_terminal, sizeof *h->waits, (void **)&h->waits));
    HF_TRY(hf_scratch(k->cx, hops > k->plan->max_runs ? hops : k->plan->max_runs, sizeof *h->run, (void **)&h->run));
    memset(h->sends, 0xff, n_terminal * sizeof *h->sends);     /* HF_NONE */
    memset(h->idle_at, 0xff, n_terminal * sizeof *h->idle_at); /* UINT64_MAX */
    for (uint32_t c = 0; c < k->topo->n_channel; c++) {
        const bool is_inside = k->topo->to[c] < k->topo->n_switch;
        h->channel[c] = (channel){.free_at = hf_bit_test(k->down, c) && !h->commits ? UINT64_MAX : 0,
                                  .to = k->topo->to[c],
                                  .hop = k->output[c].delay + (is_inside ? k->o.routing_delay : 0)};
    }
    return HF_OK;
}
