/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Does the kernel keep its books? Flits, credits, packets and masks are counted anew and compared. */
#include "tests/support/kernel_books.h"

#include <holdfast/core/bitset.h>

#include "src/kernel/reconfigure.h"
#include "src/kernel/trains.h"

/* What arrives in one cycle, from one part at another. */
static const hf_slot *on_way_at(const hf_kernel *k, uint32_t i) {
    const uint32_t pair = i / k->n_slot;
    return &k->part[pair / k->n_part]->wheel[pair % k->n_part][i % k->n_slot];
}

/* Places of each buffer that are free, taken, or on their way back: all of them together. */
static bool places_add_up(const hf_kernel *k, uint32_t *taken) {
    const hf_topology *topo = k->topo;
    for (uint32_t i = 0; i < k->n_part * k->n_part * k->n_slot; i++) {
        const hf_slot *w = on_way_at(k, i);
        for (uint32_t j = 0; j < w->n_flit; j++) {
            taken[w->flits[j].lane]++;
        }
        for (uint32_t j = 0; j < w->n_credit; j++) {
            taken[w->credits[j]]++;
        }
    }
    for (uint32_t r = 0; r < k->n_resource; r++) {
        const bool is_sink = hf_topology_is_terminal(topo, topo->to[r / k->n_vc]);
        if (k->queue && k->queue[r].count > k->queue[r].room) {
            return false;
        }
        const uint32_t held = k->layers && k->layers->controls.held ? k->layers->controls.held[r] : 0;
        if (!is_sink && k->credit[r] + k->lane[r].count + taken[r] + held != k->o.buffer) {
            return false;
        }
    }
    return true;
}

static bool owners_match(const hf_kernel *k) {
    for (uint32_t r = 0; r < k->n_resource; r++) {
        if (k->owner[r] < HF_LANE_CONTROL && k->lane[k->owner[r]].out != r) {
            return false;
        }
    }
    for (uint32_t i = 0; i < k->n_lane; i++) {
        if (k->lane[i].out < HF_LANE_DROP && k->owner[k->lane[i].out] != i) {
            return false;
        }
    }
    return true;
}

/* ---- flits of each packet ---- */

typedef struct pieces {
    uint32_t flits, heads, tails;
    bool is_free, is_waiting; /* waiting: for its turn, at its destination */
} pieces;

static void add_flit(pieces *of, uint32_t flit) {
    pieces *p = &of[flit >> HF_FLIT_SHIFT];
    p->flits++;
    p->heads += (flit & HF_FLIT_HEAD) != 0;
    p->tails += (flit & HF_FLIT_TAIL) != 0;
}

static void gather_flits(const hf_kernel *k, pieces *of) {
    for (uint32_t i = 0; i < k->n_part * k->n_part * k->n_slot; i++) {
        const hf_slot *w = on_way_at(k, i);
        for (uint32_t j = 0; j < w->n_flit; j++) {
            add_flit(of, w->flits[j].flit);
        }
    }
    for (uint32_t r = 0; r < k->n_resource; r++) {
        for (uint32_t i = 0; i < k->lane[r].count; i++) {
            add_flit(of, hf_kernel_flit_in(k, r, i));
        }
        for (uint32_t i = 0; k->queue && i < k->queue[r].n_run; i++) {
            const hf_queued *run = hf_kernel_queue_at(k, r, i);
            for (uint32_t j = 0; j < run->n; j++) {
                add_flit(of, run->flit);
            }
        }
    }
    for (uint32_t r = k->n_resource; r < k->n_lane; r++) {
        const hf_lane *l = &k->lane[r];
        if (l->packet != HF_NONE) {
            of[l->packet].flits += l->count;
            of[l->packet].heads += l->first == 0;
            of[l->packet].tails++;
        }
    }
}

static void mark_packets(const hf_kernel *k, pieces *of) {
    const size_t n_pair = k->order ? (size_t)k->topo->n_terminal * k->topo->n_terminal : 0;
    for (uint32_t i = 0; i < k->n_part; i++) {
        for (uint32_t j = 0; j < k->part[i]->n_free_packet; j++) {
            of[k->part[i]->free_packet[j]].is_free = true;
        }
    }
    for (size_t i = 0, n = hf_kernel_parked(k, 0, &(uint32_t){0}); i < n; i++) {
        uint32_t packet = 0;
        (void)hf_kernel_parked(k, i, &packet);
        of[packet].is_waiting = true;
    }
    for (size_t i = 0; i < n_pair; i++) {
        for (uint32_t p = k->order[i].waiting; p != HF_NONE; p = k->packet[p].behind) {
            of[p].is_waiting = true;
        }
    }
}

/* Of a packet on its way there is the tail, once, and all flits while its head is there. */
static bool packets_are_whole(const hf_kernel *k, const pieces *of) {
    for (uint32_t i = 0; i < k->n_packet; i++) {
        const pieces *p = &of[i];
        const bool is_away = p->is_free || p->is_waiting;
        const uint32_t length = k->packet[i].length;
        if (is_away ? p->flits > 0 : p->tails != 1 || p->heads > 1 || p->flits > length || (p->heads && p->flits != length)) {
            return false;
        }
    }
    return true;
}

static bool busy_matches(const hf_busy *m) {
    for (size_t w = 0; w < m->n_word; w++) {
        if (hf_bit_test(m->some, w) != (m->word[w] != 0)) {
            return false;
        }
    }
    return true;
}

/* The masks of ports and channels say what their lanes and queues hold. */
static bool masks_match(const hf_kernel *k) {
    const bool is_plain = hf_kernel_sends_plainly(k);
    for (uint32_t r = 0; r < k->n_lane; r++) {
        const hf_lane *l = &k->lane[r];
        const uint64_t starved = k->port[l->port].starved >> l->bit & 1;
        if (starved && (l->out >= HF_LANE_DROP || k->credit[l->out] > 0)) {
            return false;
        }
        const bool is_moving = k->port[l->port].moving >> l->bit & 1, is_waiting = k->port[l->port].waiting >> l->bit & 1;
        if (is_plain && is_moving && !starved && l->out < HF_LANE_DROP && k->credit[l->out] == 0) {
            return false; /* nobody will look whether it has a credit */
        }
        if (is_moving != (l->out != HF_NONE && l->count > 0) || (is_waiting && (l->out != HF_NONE || l->count == 0)) ||
            (is_moving && !hf_bit_test(hf_kernel_part(k, l->node)->busy_moving.word, l->port)) ||
            (is_waiting && !hf_bit_test(hf_kernel_part(k, l->node)->busy_waiting.word, l->port))) {
            return false;
        }
    }
    for (uint32_t q = 0; k->queue && q < k->n_resource; q++) {
        const uint32_t channel = k->lane[q].port;
        const bool is_queued = k->queued[channel] >> k->lane[q].bit & 1;
        if (is_queued != (k->queue[q].count > 0) ||
            hf_bit_test(hf_kernel_part(k, k->topo->from[channel])->busy_queues.word, channel) != (k->queued[channel] != 0)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < k->n_part; i++) {
        const hf_kernel *part = k->part[i];
        if (!busy_matches(&part->busy_waiting) || !busy_matches(&part->busy_moving) || !busy_matches(&part->busy_queues)) {
            return false;
        }
    }
    return true;
}

hf_status kernel_is_whole(const hf_kernel *k, bool *out) {
    const hf_kernel_counts *n = &k->counts;
    const hf_mark mark = hf_scratch_mark(k->cx);
    uint32_t *taken;
    pieces *of;
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *taken, (void **)&taken));
    HF_TRY(hf_scratch(k->cx, k->n_packet, sizeof *of, (void **)&of));
    *out = n->generated == n->delivered + n->lost + n->refused + k->present;
    if (!k->circuits) {
        gather_flits(k, of);
        mark_packets(k, of);
        *out = *out && owners_match(k) && places_add_up(k, taken) && packets_are_whole(k, of) && masks_match(k);
    }
    hf_scratch_reset(k->cx, mark);
    return HF_OK;
}
