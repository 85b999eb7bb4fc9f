/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Packets that can never move again. A lane is alive if the packet in its front can get on, perhaps after others that can; what
 *  is not alive in the least such set stays for ever. Of that a smallest set that waits for nobody else is shown. */
#include <string.h>

#include "src/kernel/kernel.h"

typedef struct stall {
    hf_kernel *k;
    uint32_t *space; /* by resource: credits, with those on their way, and room in the output queue */
    uint8_t *alive;  /* by lane */
    uint32_t *mark;  /* by lane: number of the search that met it */
    uint32_t search;
    uint32_t *list, *other; /* lanes of waiting headers */
} stall;

static bool is_sink(const hf_kernel *k, uint32_t q) { return hf_topology_is_terminal(k->topo, k->topo->to[q / k->n_vc]); }

/* Those on their way from one part to another. */
static void add_credits(stall *s, const hf_slot *wheel) {
    for (uint32_t i = 0; i < s->k->n_slot; i++) {
        for (uint32_t c = 0; c < wheel[i].n_credit; c++) {
            s->space[wheel[i].credits[c]]++;
        }
    }
}

static void count_space(stall *s) {
    const hf_kernel *k = s->k;
    memcpy(s->space, k->credit, k->n_resource * sizeof *s->space);
    for (uint32_t i = 0; i < k->n_part * k->n_part; i++) {
        add_credits(s, k->part[i / k->n_part]->wheel[i % k->n_part]);
    }
    for (uint32_t q = 0; k->queue && q < k->n_resource; q++) {
        s->space[q] += k->queue[q].room - k->queue[q].count;
    }
}

static bool can_get(const stall *s, uint32_t lane, uint32_t q) {
    const hf_kernel *k = s->k;
    const bool is_owner_alive = k->owner[q] == HF_LANE_CONTROL || (k->owner[q] != HF_NONE && s->alive[k->owner[q]]);
    if (is_sink(k, q) || s->alive[q] || is_owner_alive) {
        return true;
    }
    return k->owner[q] == HF_NONE && hf_kernel_has_room(k, lane, q, s->space[q]);
}

/* Of the i-th hop that a header waits for. */
static uint32_t resource_of(const hf_kernel *k, uint32_t lane, uint32_t i) {
    const hf_hop hop = hf_lane_hop(k, lane, i);
    return hop.channel * k->n_vc + hop.vc;
}

static bool can_go_on(const stall *s, uint32_t lane) {
    const hf_kernel *k = s->k;
    const hf_lane *l = &k->lane[lane];
    if (hf_kernel_may_drain(k, lane)) {
        return true;
    }
    if (l->out != HF_NONE) {
        return l->out == HF_LANE_DROP || is_sink(k, l->out) || s->space[l->out] > 0 || s->alive[l->out];
    }
    if (l->count == 0 || l->slot == HF_NONE) {
        return true;
    }
    for (uint32_t i = 0; i < l->n_hop; i++) {
        if (can_get(s, lane, resource_of(k, lane, i))) {
            return true;
        }
    }
    return l->n_hop == 0;
}

static void find_alive(stall *s) {
    const uint32_t n = s->k->n_lane;
    bool is_new = true;
    for (uint32_t pass = 0; is_new; pass++) {
        is_new = false;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t lane = pass % 2 ? n - 1 - i : i;
            if (!s->alive[lane] && can_go_on(s, lane)) {
                s->alive[lane] = 1;
                is_new = true;
            }
        }
    }
}

/* ---- what is shown ---- */

/* The lane of the waiting header of the packet that holds q. */
static uint32_t holder(const hf_kernel *k, uint32_t q) {
    while (k->lane[q].out != HF_NONE) {
        q = k->lane[q].out;
    }
    return q;
}

/* All headers that the one in `lane` waits for, at once or by others; itself first. */
static uint32_t follow(stall *s, uint32_t lane, uint32_t *list) {
    const hf_kernel *k = s->k;
    uint32_t n = 0;
    s->search++;
    s->mark[lane] = s->search;
    list[n++] = lane;
    for (uint32_t at = 0; at < n; at++) {
        for (uint32_t i = 0; i < k->lane[list[at]].n_hop; i++) {
            const uint32_t h = holder(k, resource_of(k, list[at], i));
            if (s->mark[h] != s->search) {
                s->mark[h] = s->search;
                list[n++] = h;
            }
        }
    }
    return n;
}

static uint32_t find_smallest(stall *s, uint32_t lane) {
    uint32_t n = follow(s, lane, s->list);
    const uint32_t members = n;
    uint32_t *member = s->list + s->k->n_lane;
    memcpy(member, s->list, members * sizeof *member);
    for (uint32_t i = 1; i < members; i++) {
        const uint32_t m = follow(s, member[i], s->other);
        if (m < n) {
            memcpy(s->list, s->other, m * sizeof *s->list);
            n = m;
        }
    }
    return n;
}

static bool is_tail_of(uint32_t flit, uint32_t packet) { return flit >> HF_FLIT_SHIFT == packet && (flit & HF_FLIT_TAIL); }

/* Is the tail of a packet in a lane, or in the output queue before it? */
static bool has_tail(const hf_kernel *k, uint32_t lane, uint32_t packet) {
    const hf_lane *l = &k->lane[lane];
    for (uint32_t i = 0; k->queue && i < k->queue[lane].n_run; i++) {
        if (is_tail_of(hf_kernel_queue_at(k, lane, i)->flit, packet)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < l->count; i++) {
        if (is_tail_of(*hf_lane_place(k, lane, i), packet)) {
            return true;
        }
    }
    return false;
}

/* The lane before, in which the packet still lies; HF_NONE if there is none. */
static uint32_t behind(const hf_kernel *k, uint32_t lane, uint32_t packet) {
    const bool is_last = k->o.switching != HF_SWITCHING_WORMHOLE || has_tail(k, lane, packet);
    const uint32_t before = is_last || k->owner[lane] >= k->n_resource ? HF_NONE : k->owner[lane];
    /* the routing does not know all virtual channels of terminals; nobody in a deadlock waits for one */
    const bool is_unknown =
        k->o.terminal_vcs && before != HF_NONE && hf_topology_is_terminal(k->topo, k->topo->from[before / k->n_vc]);
    return is_unknown ? HF_NONE : before;
}

static hf_status describe(stall *s, uint32_t lane, hf_blocked *b) {
    const hf_kernel *k = s->k;
    const uint32_t packet = hf_lane_packet(k, lane);
    const hf_lane *l = &k->lane[lane];
    *b = (hf_blocked){.source = k->packet[packet].source, .destination = k->packet[packet].destination, .n_wait = l->n_hop};
    for (uint32_t r = lane; r != HF_NONE; r = behind(k, r, packet)) {
        b->n_hold++;
    }
    HF_TRY(hf_scratch(k->cx, b->n_hold, sizeof *b->hold, (void **)&b->hold));
    HF_TRY(hf_scratch(k->cx, b->n_wait, sizeof *b->wait, (void **)&b->wait));
    uint32_t i = b->n_hold;
    for (uint32_t r = lane; r != HF_NONE; r = behind(k, r, packet)) {
        b->hold[--i] = r;
    }
    for (i = 0; i < b->n_wait; i++) {
        b->wait[i] = resource_of(k, lane, i);
    }
    return hf_kernel_find_path(k, b->hold[0], k->lane[b->hold[0]].tag, b);
}

static hf_status start(hf_kernel *k, stall *s) {
    *s = (stall){.k = k};
    HF_TRY(hf_scratch(k->cx, k->n_resource, sizeof *s->space, (void **)&s->space));
    HF_TRY(hf_scratch(k->cx, k->n_lane, sizeof *s->alive, (void **)&s->alive));
    HF_TRY(hf_scratch(k->cx, k->n_lane, sizeof *s->mark, (void **)&s->mark));
    HF_TRY(hf_scratch(k->cx, 2 * (size_t)k->n_lane, sizeof *s->list, (void **)&s->list));
    return hf_scratch(k->cx, k->n_lane, sizeof *s->other, (void **)&s->other);
}

hf_status hf_kernel_deadlock(hf_kernel *k, hf_blocked **blocked, uint32_t *count) {
    const hf_mark mark = hf_scratch_mark(k->cx);
    stall s;
    uint32_t lane = 0;
    *count = 0;
    if (k->circuits || k->heads) {
        return HF_OK; /* no flit waits */
    }
    HF_TRY(start(k, &s));
    count_space(&s);
    find_alive(&s);
    while (lane < k->n_resource && s.alive[lane]) {
        lane++;
    }
    if (lane == k->n_resource) {
        hf_scratch_reset(k->cx, mark);
        return HF_OK;
    }
    *count = find_smallest(&s, holder(k, lane));
    HF_TRY(hf_scratch(k->cx, *count, sizeof **blocked, (void **)blocked));
    for (uint32_t i = 0; i < *count; i++) {
        HF_TRY(describe(&s, s.list[i], &(*blocked)[i]));
    }
    return HF_OK;
}
