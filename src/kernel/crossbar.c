/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The crossbar: every input names the flits that it can send, or one of them, and every output takes one of those that ask,
 *  round-robin. What is decided here is as good as random, so it is decided without branches where that can be. */
#include "src/kernel/trains.h"

/* ---- a flit leaves ---- */

/* What a router has, known where the functions below are put together: so the usual one does not ask in every step. */
typedef struct router {
    bool outputs_first;
    bool is_plain; /* no output queues, no trains, no faults to come, no rates, no priority of transit */
} router;

static inline void send_credit(hf_kernel *k, const hf_port *p, uint32_t lane) {
    hf_slot *s = &k->wheel[p->back][hf_kernel_slot_in(k, k->o.credit_delay)];
    s->credits[s->n_credit++] = lane;
}

/* Take the next flit out of a lane. */
static inline uint32_t take(hf_kernel *k, const hf_port *p, uint32_t lane, hf_lane *l) {
    uint32_t flit;
    if (lane < k->n_resource) {
        flit = hf_lane_flit(k, lane);
        send_credit(k, p, lane);
    } else {
        flit = l->packet << HF_FLIT_SHIFT | (l->first == 0 ? HF_FLIT_HEAD : 0u) | (l->count == 1 ? HF_FLIT_TAIL : 0u);
    }
    l->first++;
    l->count--;
    return flit;
}

/* Under store and forward a packet is routed when it is there whole. */
static bool has_header(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    return l->count > 0 && (k->o.switching != HF_SWITCHING_SAF || l->count >= k->packet[hf_lane_packet(k, lane)].length);
}

static void tail_left(hf_kernel *k, hf_port *p, uint32_t lane, hf_lane *l) {
    if (l->out < HF_LANE_DROP) {
        k->owner[l->out] = HF_NONE;
        if (k->trains) {
            hf_kernel_wake(k, l->out);
        }
    }
    l->out = l->packet = HF_NONE;
    p->starved &= ~(UINT64_C(1) << l->bit);
    p->moving &= ~(UINT64_C(1) << l->bit);
    if (lane >= k->n_resource) {
        hf_kernel_source_done(k, lane - k->n_resource);
    } else if (has_header(k, lane)) {
        hf_kernel_header(k, lane);
        l->ready += k->packet[l->packet].early_lane != lane; /* what came in behind others may have been routed by now */
    }
}

static inline void after_flit(hf_kernel *k, hf_port *p, uint32_t lane, hf_lane *l, uint32_t flit) {
    p->moving &= ~((uint64_t)(l->count == 0) << l->bit);
    if (flit & HF_FLIT_TAIL) {
        tail_left(k, p, lane, l);
    }
}

static void drop(hf_kernel *k, hf_port *p, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    const uint32_t flit = take(k, p, lane, l);
    if (flit & HF_FLIT_TAIL) {
        if (lane < k->n_resource) {
            hf_kernel_end_packet(k, flit >> HF_FLIT_SHIFT, true);
        } else {
            k->counts.refused++;
            k->packet[flit >> HF_FLIT_SHIFT].is_lost = true;
            hf_kernel_packet_free(k, flit >> HF_FLIT_SHIFT);
        }
    }
    after_flit(k, p, lane, l, flit);
}

static inline void send(hf_kernel *k, router shape, hf_port *p, uint32_t lane, hf_lane *l, const hf_kernel_output *to) {
    if (!shape.is_plain && k->trains && hf_kernel_train_from_lane(k, lane)) {
        return;
    }
    const uint32_t q = l->out, flit = take(k, p, lane, l);
    if (!shape.is_plain && k->trains) {
        hf_train_note(k, flit, &k->trains[lane].left);
    }
    if (!shape.is_plain && hf_kernel_has_queue(k, q)) {
        hf_kernel_queue_put(k, q, flit, k->counts.cycle + k->o.crossbar_delay);
    } else {
        hf_kernel_onto_channel(k, to, q, flit, to->delay);
    }
    if (lane >= k->n_resource && flit & HF_FLIT_HEAD) {
        k->packet[flit >> HF_FLIT_SHIFT].entered = k->counts.cycle;
        k->counts.injected++;
    }
    after_flit(k, p, lane, l, flit);
}

/* ---- who asks ---- */

/* Is there a place for a flit of a lane? A lane without credit is not looked at again until one comes, one with a train not until
 * that is over. */
static inline bool can_send(const hf_kernel *k, router shape, hf_port *p, uint32_t lane, const hf_lane *l) {
    if (!shape.is_plain && k->trains && k->trains[lane].out > k->counts.cycle) {
        p->moving &= ~(UINT64_C(1) << l->bit);
        return false;
    }
    if (!shape.is_plain && (k->queue || k->layers || k->due)) {
        return hf_kernel_can_send(k, l->out);
    }
    if (k->credit[l->out] == 0) {
        p->starved |= UINT64_C(1) << l->bit;
        return false;
    }
    return true;
}

/* The lane asks for its output: the smallest distance from the output's pointer wins, of one port the first. */
static inline void ask(hf_kernel *k, router shape, const hf_port *p, uint32_t lane, const hf_lane *l) {
    hf_kernel_output *o = &k->output[l->way];
    const uint32_t later = !shape.is_plain && k->o.transit_first && l->place == HF_LANE_INJECTION ? HF_LATER : 0;
    const uint32_t key = hf_distance(p->place, o->pointer) | later;
    const bool is_first = o->by == HF_NONE, is_better = is_first | (key < o->key);
    k->asked_outputs.item[k->asked_outputs.n] = l->way;
    k->asked_outputs.n += is_first;
    o->by = is_better ? lane : o->by;
    o->key = is_better ? key : o->key;
}

/* Ask for the outputs of the lanes of a port that can send, from its pointer on: for all, or for that of the first. */
static inline void ask_for_outputs(hf_kernel *k, router shape, hf_port *p) {
    const uint64_t ready = p->moving & ~p->starved;
    for (uint64_t lanes = ready >> (p->turn & 63) | ready << (-p->turn & 63); lanes; lanes &= lanes - 1) {
        const uint32_t lane = p->first + (((uint32_t)__builtin_ctzll(lanes) + p->turn) & 63);
        const hf_lane *l = &k->lane[lane];
        if (l->out == HF_LANE_DROP) {
            drop(k, p, lane);
            return;
        }
        if (can_send(k, shape, p, lane, l)) {
            ask(k, shape, p, lane, l);
            if (!shape.outputs_first) {
                return;
            }
        }
    }
}

/* ---- who is chosen ---- */

enum { AHEAD = 12 }; /* channels between what is fetched and what is used */

/* Ask for the flit that a lane sends soon, and for where it goes: in a large network they are seldom in the cache. */
static inline void fetch(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    if (lane < k->n_resource) {
        __builtin_prefetch(hf_lane_place(k, lane, 0));
    }
    if (k->queue) {
        __builtin_prefetch(hf_kernel_queue_at(k, l->out, k->queue[l->out].count), 1);
    }
}

static inline void send_chosen(hf_kernel *k, router shape, hf_port *p, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    hf_kernel_output *o = &k->output[l->way];
    o->pointer = p->next;
    p->turn = l->next;
    if (shape.outputs_first) {
        p->pointer = o->next;
    }
    send(k, shape, p, lane, l, o);
}

/* Every input takes one of the outputs that chose it: the first from its pointer on. */
static inline void accept_outputs(hf_kernel *k, router shape) {
    hf_kernel_asked *asked = &k->asked_outputs, *accepting = &k->accepting;
    for (uint32_t i = 0; i < asked->n; i++) {
        hf_kernel_output *o = &k->output[asked->item[i]];
        const uint32_t port = k->lane[o->by].port;
        hf_port *p = &k->port[port];
        const uint32_t key = hf_distance(o->place, p->pointer);
        const bool is_first = p->lane == HF_NONE, is_better = is_first | (key < p->key);
        accepting->item[accepting->n] = port;
        accepting->n += is_first;
        p->lane = is_better ? o->by : p->lane;
        p->key = is_better ? key : p->key;
        o->by = HF_NONE;
    }
    for (uint32_t i = 0; i < accepting->n; i++) {
        hf_port *p = &k->port[accepting->item[i]];
        const uint32_t lane = p->lane;
        if (i + AHEAD < accepting->n) {
            fetch(k, k->port[accepting->item[i + AHEAD]].lane);
        }
        p->lane = HF_NONE;
        send_chosen(k, shape, p, lane);
    }
    asked->n = accepting->n = 0;
}

static inline void send_asked(hf_kernel *k, router shape) {
    hf_kernel_asked *asked = &k->asked_outputs;
    for (uint32_t i = 0; i < asked->n; i++) {
        hf_kernel_output *o = &k->output[asked->item[i]];
        if (i + AHEAD < asked->n) {
            fetch(k, k->output[asked->item[i + AHEAD]].by);
        }
        const uint32_t lane = o->by;
        o->by = HF_NONE;
        send_chosen(k, shape, &k->port[k->lane[lane].port], lane);
    }
    asked->n = 0;
}

/* A flit at most of each input, to each output. Terminals send in the first round alone. */
static inline __attribute__((always_inline)) void send_round(hf_kernel *k, router shape, bool is_first) {
    hf_busy *busy = &k->busy_moving;
    for (size_t w = hf_busy_next(busy, 0); w < busy->n_word; w = hf_busy_next(busy, w + 1)) {
        for (uint64_t ports = busy->word[w]; ports; ports &= ports - 1) {
            const uint32_t port = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports);
            if (!k->port[port].moving) {
                hf_busy_clear(busy, port);
            } else if (is_first || port < k->topo->n_channel) {
                ask_for_outputs(k, shape, &k->port[port]);
            }
        }
    }
    if (shape.outputs_first) {
        accept_outputs(k, shape);
    } else {
        send_asked(k, shape);
    }
}

static void send_round_plain(hf_kernel *k) { send_round(k, (router){false, true}, true); }

static void send_round_plain_outputs_first(hf_kernel *k) { send_round(k, (router){true, true}, true); }

void hf_kernel_send_flits(hf_kernel *k) {
    if (!k->queue && !k->trains && !k->layers && !k->due && !k->o.transit_first) {
        (k->o.outputs_first ? send_round_plain_outputs_first : send_round_plain)(k);
        return;
    }
    for (uint32_t round = 0; round < k->o.speedup || round == 0; round++) {
        send_round(k, (router){k->o.outputs_first, false}, round == 0);
    }
    hf_kernel_send_queued(k);
}
