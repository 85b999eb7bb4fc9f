/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The crossbar: every input names the flits that it can send, or one of them, and every output takes one of those that ask,
 *  round-robin. What is decided here is as good as random, so it is decided without branches where that can be. */
#include "src/kernel/trains.h"

/* ---- a flit leaves ---- */

/* What a router has, known where the functions below are put together: so the usual one does not ask in every step. */
typedef struct router {
    bool outputs_first;
    bool is_plain; /* hf_kernel_sends_plainly() */
} router;

/* Take the next flit out of a lane; its credit counts in a slot of the wheel. */
static inline uint32_t take(hf_kernel *k, const hf_port *p, uint32_t lane, hf_lane *l, bool has_trains, uint32_t credit_slot) {
    uint32_t flit;
    if (lane < k->n_resource) {
        hf_slot *s = &k->wheel[p->back][credit_slot];
        s->credits[s->n_credit++] = lane;
        flit = has_trains ? hf_train_front(k, lane) : hf_lane_flit(k, lane);
    } else {
        flit = l->packet << HF_FLIT_SHIFT | (l->first == 0 ? HF_FLIT_HEAD : 0u) | (l->count == 1 ? HF_FLIT_TAIL : 0u);
    }
    l->first++;
    l->count--;
    if (has_trains) {
        hf_train_note(k, flit, &k->trains[lane].left);
    }
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
    const uint32_t flit = take(k, p, lane, l, k->trains != NULL, hf_kernel_slot_in(k, k->o.credit_delay));
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

static inline __attribute__((always_inline)) void send(hf_kernel *k, router shape, hf_port *p, uint32_t lane,
                                                       const hf_kernel_output *to, uint32_t credit_slot) {
    hf_lane *l = &k->lane[lane];
    const bool has_trains = !shape.is_plain && k->trains;
    if (has_trains && hf_kernel_train_from_lane(k, lane)) {
        return;
    }
    const uint32_t q = l->out, flit = take(k, p, lane, l, has_trains, credit_slot);
    if (!shape.is_plain && hf_kernel_has_queue(k, q)) {
        hf_kernel_queue_put(k, q, flit, 1, k->counts.cycle + k->o.crossbar_delay);
    } else if (!shape.is_plain) {
        hf_kernel_onto_channel(k, to, q, flit, to->delay);
    } else {
        const uint32_t credits = k->credit[q] - !to->is_exit;
        hf_kernel_set_out(k, to, q, flit, to->delay);
        k->credit[q] = credits;
        p->starved |= (uint64_t)(credits == 0) << l->bit;
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
static inline bool can_send(const hf_kernel *k, hf_port *p, uint32_t lane, const hf_lane *l) {
    if (k->trains && k->trains[lane].out > k->counts.cycle) {
        p->moving &= ~(UINT64_C(1) << l->bit);
        return false;
    }
    if (k->queue || k->layers || k->due) {
        return hf_kernel_can_send(k, l->out);
    }
    if (k->credit[l->out] == 0) {
        p->starved |= UINT64_C(1) << l->bit;
        return false;
    }
    return true;
}

/* The lane asks for its output: the smallest distance from the output's pointer wins, of one port the first. \return how many
 * outputs have been asked for, n before */
static inline uint32_t ask(hf_kernel *k, router shape, uint32_t lane, uint32_t n) {
    const hf_aim aim = k->aim[lane];
    hf_kernel_output *o = &k->output[aim.channel];
    const uint32_t later = !shape.is_plain && k->o.transit_first && k->lane[lane].place == HF_LANE_INJECTION ? HF_LATER : 0;
    const uint32_t key = hf_distance(k->port[aim.port].place, o->pointer) | later;
    const uint64_t best = o->best, mine = (uint64_t)key << 32 | lane;
    k->asked_outputs.item[n] = aim.channel;
    const bool is_first = best == UINT64_MAX, is_better = is_first | (key < best >> 32);
    o->best = best ^ ((best ^ mine) & -(uint64_t)is_better);
    return n + is_first;
}

/* Ask for the outputs of the lanes of a port that can send, from its turn on: for all, or for that of the first. */
static inline void ask_for_outputs(hf_kernel *k, router shape, hf_port *p) {
    const uint64_t ready = p->moving & ~p->starved;
    for (uint64_t lanes = ready >> (p->turn & 63) | ready << (-p->turn & 63); lanes; lanes &= lanes - 1) {
        const uint32_t lane = p->first + (((uint32_t)__builtin_ctzll(lanes) + p->turn) & 63);
        const hf_lane *l = &k->lane[lane];
        if (l->out == HF_LANE_DROP) {
            drop(k, p, lane);
            return;
        }
        if (shape.is_plain || can_send(k, p, lane, l)) {
            k->asked_outputs.n = ask(k, shape, lane, k->asked_outputs.n);
            if (!shape.outputs_first) {
                return;
            }
        }
    }
}

/* The same of a plain router, for all ports, in two steps without branches that nobody can foretell: who can send, then each of
 * them asks. */

/* The first of some lanes of a port, counted from its turn on; any, if there are none. */
static inline uint32_t first_lane(const hf_port *p, uint64_t lanes) {
    return p->first + (((uint32_t)__builtin_ctzll(lanes | UINT64_C(1) << 63) + p->turn) & 63);
}

/* Those of a port that can send, or the first of them, behind n others; there are seldom more than two. \return how many in all
 */
static inline uint32_t note_who_can_send(hf_kernel *k, router shape, const hf_port *p, uint32_t n) {
    const uint64_t ready = p->moving & ~p->starved;
    uint64_t lanes = ready >> (p->turn & 63) | ready << (-p->turn & 63);
    k->can_send[n] = first_lane(p, lanes);
    n += lanes != 0;
    if (shape.outputs_first) {
        lanes &= lanes - 1;
        k->can_send[n] = first_lane(p, lanes);
        n += lanes != 0;
        for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
            k->can_send[n++] = first_lane(p, lanes);
        }
    }
    return n;
}

static inline void ask_for_noted(hf_kernel *k, router shape, uint32_t n) {
    uint32_t n_asked = k->asked_outputs.n;
    for (uint32_t i = 0; i < n; i++) {
        n_asked = ask(k, shape, k->can_send[i], n_asked);
    }
    k->asked_outputs.n = n_asked;
}

static inline void ask_for_outputs_of_all_plain(hf_kernel *k, router shape) {
    hf_busy *busy = &k->busy_moving;
    uint32_t n = 0;
    for (size_t w = hf_busy_next(busy, 0); w < busy->n_word; w = hf_busy_next(busy, w + 1)) {
        for (uint64_t ports = busy->word[w]; ports; ports &= ports - 1) {
            const uint32_t port = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(ports);
            hf_port *p = &k->port[port];
            if (p->drops) {
                ask_for_noted(k, shape, n);
                n = 0;
                ask_for_outputs(k, shape, p);
                hf_busy_clear_if(busy, port, !p->moving);
            } else {
                n = note_who_can_send(k, shape, p, n);
            }
        }
    }
    ask_for_noted(k, shape, n);
}

/* ---- who is chosen ---- */

enum { AHEAD = 12 }; /* channels between what is fetched and what is used */

/* Ask for the flit that a lane sends soon, and for where it goes: in a large network they are seldom in the cache. Always inline,
 * as in cycle.c. */
static inline __attribute__((always_inline)) void fetch(const hf_kernel *k, uint32_t lane) {
    const hf_lane *l = &k->lane[lane];
    if (k->trains) {
        __builtin_prefetch(&k->trains[lane], 1);
    } else if (lane < k->n_resource) {
        __builtin_prefetch(hf_lane_place(k, lane, 0));
    }
    if (k->queue) {
        __builtin_prefetch(hf_kernel_queue_at(k, l->out, k->queue[l->out].n_run), 1);
    }
}

/* Of n in a row the first so many see to it that one AHEAD is fetched. */
static inline uint32_t fetched(const hf_kernel *k, uint32_t n) { return k->n_lane >= HF_MANY_LANES && n > AHEAD ? n - AHEAD : 0; }

static inline __attribute__((always_inline)) void send_chosen(hf_kernel *k, router shape, hf_port *p, uint32_t lane,
                                                              hf_kernel_output *o, uint32_t credit_slot) {
    o->pointer = p->next;
    p->turn = k->lane[lane].next;
    if (shape.outputs_first) {
        p->pointer = o->next;
    }
    send(k, shape, p, lane, o, credit_slot);
}

/* Every input takes one of the outputs that chose it: the first from its pointer on. */
static inline void accept_outputs(hf_kernel *k, router shape) {
    hf_kernel_asked *asked = &k->asked_outputs;
    const uint32_t credit_slot = hf_kernel_slot_in(k, k->o.credit_delay);
    uint32_t *accepting = k->accepting, n = 0;
    for (uint32_t i = 0; i < asked->n; i++) {
        hf_kernel_output *o = &k->output[asked->item[i]];
        const uint32_t lane = (uint32_t)o->best, port = k->aim[lane].port;
        hf_port *p = &k->port[port];
        const uint32_t key = hf_distance(o->place, p->pointer);
        const bool is_first = p->lane == HF_NONE, is_better = is_first | (key < p->key);
        accepting[n] = port;
        n += is_first;
        p->lane = is_better ? lane : p->lane;
        p->key = is_better ? key : p->key;
        o->best = UINT64_MAX;
    }
    const uint32_t n_fetch = fetched(k, n);
    for (uint32_t i = 0; i < n; i++) {
        hf_port *p = &k->port[accepting[i]];
        const uint32_t lane = p->lane;
        if (i < n_fetch) {
            fetch(k, k->port[accepting[i + AHEAD]].lane);
        }
        p->lane = HF_NONE;
        send_chosen(k, shape, p, lane, &k->output[k->aim[lane].channel], credit_slot);
        if (shape.is_plain) {
            hf_busy_clear_if(&k->busy_moving, accepting[i], !p->moving);
        }
    }
    k->counts.flit_hops += shape.is_plain ? n : 0;
    asked->n = 0;
}

static inline void send_asked(hf_kernel *k, router shape) {
    hf_kernel_asked *asked = &k->asked_outputs;
    const uint32_t credit_slot = hf_kernel_slot_in(k, k->o.credit_delay), n = asked->n, n_fetch = fetched(k, n);
    for (uint32_t i = 0; i < n; i++) {
        hf_kernel_output *o = &k->output[asked->item[i]];
        if (i < n_fetch) {
            fetch(k, (uint32_t)k->output[asked->item[i + AHEAD]].best);
        }
        const uint32_t lane = (uint32_t)o->best, port = k->aim[lane].port;
        hf_port *p = &k->port[port];
        o->best = UINT64_MAX;
        send_chosen(k, shape, p, lane, o, credit_slot);
        if (shape.is_plain) {
            hf_busy_clear_if(&k->busy_moving, port, !p->moving);
        }
    }
    k->counts.flit_hops += shape.is_plain ? n : 0;
    asked->n = 0;
}

static inline void ask_for_outputs_of_all(hf_kernel *k, router shape, bool is_first) {
    uint32_t *port = k->can_send, n = hf_busy_list(&k->busy_moving, port);
    for (uint32_t i = 0; k->trains && k->n_lane >= HF_MANY_LANES && i < n; i++) { /* a port has one lane there */
        __builtin_prefetch(&k->port[port[i]], 1);
        __builtin_prefetch(&k->lane[port[i]], 1);
        __builtin_prefetch(&k->trains[port[i]], 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!k->port[port[i]].moving) {
            hf_busy_clear(&k->busy_moving, port[i]);
        } else if (is_first || port[i] < k->topo->n_channel) {
            ask_for_outputs(k, shape, &k->port[port[i]]);
        }
    }
}

/* A flit at most of each input, to each output. Terminals send in the first round alone. */
static inline __attribute__((always_inline)) void send_round(hf_kernel *k, router shape, bool is_first) {
    if (shape.is_plain) {
        ask_for_outputs_of_all_plain(k, shape);
    } else {
        ask_for_outputs_of_all(k, shape, is_first);
    }
    if (shape.outputs_first) {
        accept_outputs(k, shape);
    } else {
        send_asked(k, shape);
    }
}

static void send_round_plain(hf_kernel *k) { send_round(k, (router){false, true}, true); }

static void send_round_plain_outputs_first(hf_kernel *k) { send_round(k, (router){true, true}, true); }

/* No output queues, trains, faults to come, rates or priority of transit. */
bool hf_kernel_sends_plainly(const hf_kernel *k) {
    return !k->queue && !k->trains && !k->layers && !k->due && !k->o.transit_first;
}

void hf_kernel_send_flits(hf_kernel *k) {
    if (hf_kernel_sends_plainly(k)) {
        (k->o.outputs_first ? send_round_plain_outputs_first : send_round_plain)(k);
        return;
    }
    for (uint32_t round = 0; round < k->o.speedup || round == 0; round++) {
        send_round(k, (router){k->o.outputs_first, false}, round == 0);
    }
    hf_kernel_send_queued(k);
}
