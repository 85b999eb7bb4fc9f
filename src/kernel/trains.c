/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Trains: bodies of packets that are moved at once. Where a channel has one virtual channel, and a packet is let go on only when
 *  there is room for all of it, nobody but the packet itself uses what it has been given until its tail has left. So of its
 *  flits those that are there, or come in one a cycle, leave one a cycle; over the channel as many of them as there are credits
 *  for, or as come in one a cycle too. Such a train is noted when it begins, with the number of its flits. Counts have what it
 *  moves at once, and who asks meanwhile takes off what is still to come. Heads and tails go alone: all that is decided is
 *  decided when one of them moves, so a packet costs as much as a few flits, however long it is.
 *
 *  Of what lies in buffers only heads are written down: the rest of a packet follows from its length and from how much of it
 *  has left, and a queue holds runs of flits, so a packet touches a few lines of a cache, however long it is.
 *
 *  No train leaves anything beyond the end of hf_kernel_run(), and what of it is on its way then goes on flit by flit: nobody
 *  outside knows of trains. A run that fails ends before its trains do, and nobody reads the kernel after that. There are none
 * while faults are to come. */
#include <string.h>

#include "src/kernel/trains.h"

enum {
    SHORTEST = 4, /* packets with trains */
    FEWEST = 16,  /* cycles that are worth it */
};

hf_status hf_kernel_trains_new(hf_kernel *k) {
    const bool has_room = k->o.contention == HF_CONTENTION_WAIT && k->o.switching != HF_SWITCHING_WORMHOLE;
    if (!has_room || k->n_vc != 1 || k->o.speedup > 1 || k->o.packet_length < SHORTEST || k->due || k->o.drain_after) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(k->cx, k->n_lane, sizeof *k->trains, (void **)&k->trains));
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *k->asleep, (void **)&k->asleep));
    memset(k->asleep, 0xff, k->n_resource * sizeof *k->asleep);
    return hf_scratch(k->cx, 2 * (size_t)k->n_lane, sizeof *k->next_asleep, (void **)&k->next_asleep);
}

void hf_kernel_trains_begin(hf_kernel *k, uint64_t cycles) {
    k->train_end = k->trains && !k->layers && cycles >= FEWEST ? k->counts.cycle + cycles : 0;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Longest train of n flits that may begin now. */
static uint32_t fit(const hf_kernel *k, uint32_t n) {
    const uint64_t cycles = k->train_end > k->counts.cycle ? k->train_end - k->counts.cycle : 0;
    return least(n, cycles < HF_ALARMS ? (uint32_t)cycles : HF_ALARMS - 1);
}

static void onto_channel(hf_kernel *k, uint32_t q, uint32_t packet, uint32_t n, uint32_t delay) {
    const hf_kernel_output *to = &k->output[q];
    hf_slot *s = &k->wheel[to->part][hf_kernel_slot_in(k, delay)];
    s->trains[s->n_train++] = (hf_train){q, packet, n};
    k->counts.flit_hops += n;
    k->credit[q] -= to->is_exit ? 0 : n;
}

/* ---- out of lanes ---- */

bool hf_kernel_train_from_lane(hf_kernel *k, uint32_t lane) {
    hf_lane *l = &k->lane[lane];
    hf_port *p = &k->port[l->port];
    hf_trains *t = &k->trains[lane];
    const bool is_source = lane >= k->n_resource;
    const bool is_head = is_source ? l->first == 0 : t->left == 0;
    const uint32_t left = is_source ? l->count : t->left, n = is_head ? 0 : fit(k, least(l->count, left - 1));
    if (n < 2) {
        return false;
    }
    if (!is_source) {
        hf_slot *s = &k->wheel[p->back][hf_kernel_slot_in(k, k->o.credit_delay)];
        s->returns[s->n_return++] = (hf_train){.lane = lane, .n = n};
    }
    if (hf_kernel_has_queue(k, l->out)) {
        hf_kernel_queue_put(k, l->out, l->packet << HF_FLIT_SHIFT, n, k->counts.cycle + k->o.crossbar_delay);
    } else {
        onto_channel(k, l->out, l->packet, n, k->output[l->out].delay);
    }
    l->first += n;
    l->count -= n;
    p->moving &= ~(UINT64_C(1) << l->bit);
    t->left -= n;
    t->out = k->counts.cycle + n;
    hf_kernel_alarm(k, 2 * lane, t->out);
    return true;
}

/* ---- out of queues ---- */

/* Of the n flits in front of the queue of q: those that can leave one a cycle from now on. */
static uint32_t ready_in_a_row(const hf_kernel *k, uint32_t q, uint32_t n) {
    uint32_t there = 0;
    for (uint32_t i = 0; there < n; i++) {
        const hf_queued *run = hf_kernel_queue_at(k, q, i);
        if ((int32_t)((uint32_t)k->counts.cycle + there - run->ready) < 0) {
            return there;
        }
        there += run->n;
    }
    return n;
}

bool hf_kernel_train_from_queue(hf_kernel *k, uint32_t q) {
    hf_trains *t = &k->trains[q];
    const hf_output_queue *queue = &k->queue[q];
    const uint32_t flit = hf_kernel_queue_at(k, q, 0)->flit;
    uint32_t n = flit & HF_FLIT_HEAD ? 0 : fit(k, least(queue->count, t->queue_left - 1));
    n = ready_in_a_row(k, q, k->output[q].is_exit ? n : least(n, k->credit[q]));
    if (n < 2) {
        return false;
    }
    onto_channel(k, q, flit >> HF_FLIT_SHIFT, n, k->output[q].delay - k->o.crossbar_delay);
    hf_kernel_more_room(k, q, queue->room - queue->count, k->counts.cycle + 1, n);
    for (uint32_t left = n; left > 0;) {
        const uint32_t taken = least(left, hf_kernel_queue_at(k, q, 0)->n);
        hf_kernel_queue_take(k, q, taken);
        left -= taken;
    }
    hf_busy_clear(&k->busy_queues, q);
    t->queue_left -= n;
    t->queue = k->counts.cycle + n;
    hf_kernel_alarm(k, 2 * q + 1, t->queue);
    return true;
}

/* ---- in ---- */

static bool is_there(const hf_kernel *k, uint32_t lane, uint32_t packet) {
    return k->lane[lane].node == k->topo->n_switch + k->packet[packet].destination;
}

static void come_in(hf_kernel *k, const hf_train *x) {
    hf_lane *l = &k->lane[x->lane];
    hf_trains *t = &k->trains[x->lane];
    t->in = k->counts.cycle + x->n;
    t->packet = x->packet;
    if (l->place == HF_LANE_SINK) {
        k->counts.delivered_flits += is_there(k, x->lane, x->packet) ? x->n : 0;
        return;
    }
    l->count += x->n;
    if (l->out != HF_NONE) {
        k->port[l->port].moving |= UINT64_C(1) << l->bit;
        hf_busy_mark(&k->busy_moving, l->port);
    }
}

void hf_kernel_credits_came(hf_kernel *k, uint32_t q, uint32_t n) {
    if (hf_kernel_has_queue(k, q)) {
        hf_kernel_queue_wake(k, q);
    } else {
        hf_kernel_more_room(k, q, k->credit[q] - n, k->counts.cycle, n);
    }
}

void hf_kernel_trains_come_in(hf_kernel *k, hf_slot *s) {
    for (uint32_t i = 0; i < s->n_train; i++) {
        come_in(k, &s->trains[i]);
    }
    for (uint32_t i = 0; i < s->n_return; i++) {
        const hf_train *x = &s->returns[i];
        hf_kernel_add_credit(k, x->lane);
        k->credit[x->lane] += x->n - 1;
        k->trains[x->lane].credit = k->counts.cycle + x->n;
        hf_kernel_credits_came(k, x->lane, x->n);
    }
    s->n_train = s->n_return = 0;
}

/* ---- taken apart ---- */

/* Of what moves over the channel of `lane`, n flits or credits are there in as many cycles, from one after `later` cycles on. */
static void go_alone(hf_kernel *k, uint32_t lane, uint32_t packet, uint32_t later, uint32_t n, bool is_credit) {
    const hf_kernel *near = hf_kernel_part(k, k->topo->from[lane]), *far = hf_kernel_part(k, k->topo->to[lane]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = hf_kernel_slot_in(k, later + i);
        if (is_credit) {
            hf_slot *s = &far->wheel[near->number][at];
            s->credits[s->n_credit++] = lane;
        } else {
            hf_slot *s = &near->wheel[far->number][at];
            s->flits[s->n_flit++] = (hf_event){lane, packet << HF_FLIT_SHIFT};
        }
    }
}

static void take_apart_slot(hf_kernel *k, hf_slot *s, uint32_t later) {
    for (uint32_t i = 0; i < s->n_train; i++) {
        go_alone(k, s->trains[i].lane, s->trains[i].packet, later, s->trains[i].n, false);
    }
    for (uint32_t i = 0; i < s->n_return; i++) {
        go_alone(k, s->returns[i].lane, HF_NONE, later, s->returns[i].n, true);
    }
    s->n_train = s->n_return = 0;
}

static void take_apart_lane(hf_kernel *k, uint32_t r) {
    hf_trains *t = &k->trains[r];
    hf_lane *l = &k->lane[r];
    const uint64_t now = k->counts.cycle;
    const uint32_t flits = hf_train_rest(t->in, now), credits = hf_train_rest(t->credit, now);
    if (l->place != HF_LANE_SINK) {
        l->count -= flits;
        k->port[l->port].moving &= ~((uint64_t)(l->count == 0) << l->bit);
    } else if (flits && is_there(k, r, t->packet)) {
        hf_kernel_part(k, l->node)->counts.delivered_flits -= flits;
    }
    k->credit[r] -= credits;
    go_alone(k, r, t->packet, 0, flits, false);
    go_alone(k, r, HF_NONE, 0, credits, true);
    t->in = t->credit = 0;
    if (k->queue) {
        hf_kernel_queue_wake(hf_kernel_part(k, k->topo->from[r]), r);
    }
}

void hf_kernel_trains_end(hf_kernel *k) {
    if (!k->train_end) {
        return;
    }
    for (uint32_t i = 0; i < k->n_part * k->n_part * k->n_slot; i++) {
        const uint32_t pair = i / k->n_slot, later = i % k->n_slot;
        take_apart_slot(k, &k->part[pair / k->n_part]->wheel[pair % k->n_part][hf_kernel_slot_in(k, later)], later);
    }
    for (uint32_t r = 0; r < k->n_resource; r++) {
        take_apart_lane(k, r);
    }
    for (uint32_t i = 0; i < k->n_part; i++) {
        hf_kernel_ring(k->part[i]);
    }
    hf_kernel_wake_all(k);
    k->train_end = 0;
}

/* ---- given up ---- */

uint32_t hf_kernel_flit_in(const hf_kernel *k, uint32_t lane, uint32_t i) {
    if (!k->trains) {
        return *hf_lane_place(k, lane, i);
    }
    uint32_t packet = k->lane[lane].packet, end = k->trains[lane].left;
    while (i >= end) {
        const uint32_t head = *hf_lane_place(k, lane, end);
        if (i == end) {
            return head;
        }
        packet = head >> HF_FLIT_SHIFT;
        end += k->packet[packet].length;
    }
    return packet << HF_FLIT_SHIFT | (i + 1 == end ? HF_FLIT_TAIL : 0u);
}

void hf_kernel_trains_give_up(hf_kernel *k) {
    for (uint32_t r = 0; k->trains && r < k->n_resource; r++) {
        for (uint32_t i = 0; i < k->lane[r].count; i++) {
            *hf_lane_place(k, r, i) = hf_kernel_flit_in(k, r, i);
        }
    }
    for (uint32_t i = 0; i < k->n_part; i++) {
        k->part[i]->trains = NULL;
    }
}
