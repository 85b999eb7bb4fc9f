/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  One network on several threads. All that is decided in a cycle is decided at a node, and what one node tells another, flits
 *  and credits, is on its way for some cycles. So the nodes are cut into parts, and each part goes on by itself for as many
 *  cycles as what crosses to another is on its way at least, the lookahead [R. M. Fujimoto, Parallel discrete event simulation,
 *  CACM 33(10), 1990]. Then all meet. What a part gets in a cycle it may take in any order: one flit comes over a channel, and
 *  sums do not tell. So the same happens as with one part, whatever the number of threads.
 *
 *  What is not decided at one node has one part: delivery in order, clients that hear of arrivals, networks without buffers,
 *  the drain of full rings; and routing units of switches, which are first come, first served. */
#include <string.h>

#include "src/core/jobs.h"
#include "src/kernel/trains.h"

/* ---- cutting ---- */

static bool can_be_cut(const hf_kernel *k) {
    const bool shares = !k->client || k->client->share;
    return shares && !k->circuits && !k->heads && !k->order && !k->o.one_routing_unit && !k->drain && !k->early &&
           k->counts.cycle == 0;
}

/* Runs of switches with as many channels into them, and with each terminal the switch of its first channel. */
static hf_status cut_nodes(hf_kernel *k, uint32_t n) {
    const hf_topology *topo = k->topo;
    const uint64_t all = topo->n_switch ? topo->in_begin[topo->n_switch] : 0;
    HF_TRY(hf_scratch(k->cx, topo->n_node, sizeof *k->part_of, (void **)&k->part_of));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        k->part_of[v] = (uint32_t)((uint64_t)topo->in_begin[v] * n / (all ? all : 1));
    }
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const bool has_way = topo->out_begin[v] < topo->out_begin[v + 1];
        const uint32_t to = has_way ? topo->to[topo->out_list[topo->out_begin[v]]] : v;
        k->part_of[v] = to < topo->n_switch ? k->part_of[to] : 0;
    }
    return HF_OK;
}

static void note_ways(hf_kernel *k) {
    const hf_topology *topo = k->topo;
    k->lookahead = k->o.credit_delay;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool has_queue = hf_kernel_has_queue(k, (size_t)c * k->n_vc);
        const uint32_t delay = k->output[c].delay - (has_queue ? k->o.crossbar_delay : 0);
        k->output[c].part = k->part_of[topo->to[c]];
        k->port[c].back = k->part_of[topo->from[c]];
        if (k->output[c].part != k->port[c].back && delay < k->lookahead) {
            k->lookahead = delay;
        }
    }
}

/* Part 0 is the kernel itself; the others take over what there is so far of theirs. */
static hf_status make_parts(hf_kernel *k, uint32_t n) {
    HF_TRY(hf_scratch(k->cx, n, sizeof *k->part, (void **)&k->part));
    k->part[0] = k;
    k->n_part = n;
    for (uint32_t i = 1; i < n; i++) {
        hf_kernel *part;
        HF_TRY(hf_scratch(k->cx, 1, sizeof *part, (void **)&part));
        *part = *k;
        part->number = i;
        part->present = 0;
        part->counts = (hf_kernel_counts){0};
        part->n_free_packet = 0;
        HF_TRY(hf_scratch(k->cx, k->n_packet, sizeof *part->free_packet, (void **)&part->free_packet));
        HF_TRY(hf_kernel_lists_new(part));
        k->part[i] = part;
    }
    k->n_slot *= 2; /* one part may be ahead of another by less than the lookahead */
    return hf_kernel_wheels_new(k);
}

static hf_status move_hops(hf_kernel *k) {
    hf_hop *hops;
    HF_TRY(hf_scratch(k->cx, (size_t)k->n_lane * k->max_hops, sizeof *hops, (void **)&hops));
    for (uint32_t i = 0; i < k->n_lane; i++) {
        if (k->lane[i].slot < HF_SLOT_RUN) {
            memcpy(hops + (size_t)i * k->max_hops, hf_lane_hops(k, i), k->max_hops * sizeof *hops);
            k->lane[i].slot = i;
        }
    }
    for (uint32_t i = 0; i < k->n_part; i++) {
        k->part[i]->hops = hops;
    }
    return HF_OK;
}

static void move_marks(hf_kernel *k) {
    for (uint32_t i = 0; i < k->n_port; i++) {
        hf_kernel *part = hf_kernel_part(k, k->port[i].node);
        hf_busy_clear(&k->busy_waiting, i);
        hf_busy_clear(&k->busy_moving, i);
        if (k->port[i].waiting) {
            hf_busy_mark(&part->busy_waiting, i);
        }
        if (k->port[i].moving) {
            hf_busy_mark(&part->busy_moving, i);
        }
    }
    for (uint32_t c = 0; k->queue && c < k->topo->n_channel; c++) {
        if (k->queued[c]) {
            hf_busy_clear(&k->busy_queues, c);
            hf_busy_mark(&hf_kernel_part(k, k->topo->from[c])->busy_queues, c);
        }
    }
}

/* All but what is of a part. */
static void tell_parts(const hf_kernel *k) {
    for (uint32_t i = 1; i < k->n_part; i++) {
        memcpy(k->part[i], k, offsetof(hf_kernel, cx));
        k->part[i]->counts.cycle = k->counts.cycle;
        k->part[i]->now = k->now;
    }
}

static hf_status share_out(hf_kernel *k) {
    for (uint32_t i = k->n_part; k->client && i-- > 0;) {
        HF_TRY(k->client->share(k, k->user, i, &k->part[i]->user));
    }
    return HF_OK;
}

hf_status hf_kernel_divide(hf_kernel *k) {
    const uint32_t n = k->threads < k->topo->n_switch ? k->threads : k->topo->n_switch;
    if (n < 2 || !can_be_cut(k)) {
        k->threads = 1;
        return HF_OK;
    }
    HF_TRY(cut_nodes(k, n));
    note_ways(k);
    HF_TRY(make_parts(k, n));
    HF_TRY(move_hops(k));
    move_marks(k);
    tell_parts(k);
    return share_out(k);
}

void hf_kernel_threads(hf_kernel *k, uint32_t threads) { k->threads = threads; }

/* ---- packets ---- */

/* Free packets that a part may need until all meet again: sources begin one a cycle, and one more. */
static uint32_t need_of(const hf_kernel *k) { return (k->lookahead + 1) * k->topo->n_terminal; }

static hf_status grow_packets(hf_kernel *k) {
    const uint32_t old = k->n_packet, new = 2 * old + need_of(k) * k->n_part;
    hf_packet *packet;
    if (new > HF_NONE >> HF_FLIT_SHIFT) {
        HF_FAIL(k->cx, HF_ERANGE, "more than %u packets at once", old);
    }
    HF_TRY(hf_scratch(k->cx, new, sizeof *packet, (void **)&packet));
    if (old) {
        memcpy(packet, k->packet, old * sizeof *packet);
    }
    k->packet = packet;
    k->n_packet = new;
    for (uint32_t i = 0; i < k->n_part; i++) {
        hf_kernel *part = k->part[i];
        uint32_t *free;
        HF_TRY(hf_scratch(k->cx, new, sizeof *free, (void **)&free));
        if (part->n_free_packet) {
            memcpy(free, part->free_packet, part->n_free_packet * sizeof *free);
        }
        part->free_packet = free;
    }
    for (uint32_t i = old; i < new; i++) {
        hf_kernel *part = k->part[i % k->n_part];
        part->free_packet[part->n_free_packet++] = i;
    }
    tell_parts(k);
    return HF_OK;
}

/* Packets are freed where they arrive: even that out. */
static void deal_packets(hf_kernel *k) {
    const uint32_t need = need_of(k);
    hf_kernel **part = k->part;
    for (uint32_t to = 0, from = 0; to < k->n_part; to++) {
        while (part[to]->n_free_packet < need && from < k->n_part) {
            const bool has_more = from != to && part[from]->n_free_packet > need;
            if (has_more) {
                part[to]->free_packet[part[to]->n_free_packet++] = part[from]->free_packet[--part[from]->n_free_packet];
            }
            from += !has_more;
        }
    }
}

hf_status hf_kernel_provide_packets(hf_kernel *k) {
    bool is_short = false, is_still = false;
    for (uint32_t i = 0; i < k->n_part; i++) {
        is_short |= k->part[i]->n_free_packet < need_of(k);
    }
    if (!is_short) {
        return HF_OK;
    }
    deal_packets(k);
    for (uint32_t i = 0; i < k->n_part; i++) {
        is_still |= k->part[i]->n_free_packet < need_of(k);
    }
    return is_still ? grow_packets(k) : HF_OK;
}

/* ---- running ---- */

typedef struct run {
    hf_kernel *k;
    uint64_t end;      /* cycle */
    uint64_t together; /* cycle at which all meet again */
    bool has_come_in;  /* what arrives in the first cycle has been taken */
} run;

/* The failure of the first cycle in which there was one, and there of the first port: that which one part would have met. */
static hf_status first_failure(const run *r, hf_context *cx, hf_context *const *part_cx) {
    uint32_t first = HF_NONE;
    for (uint32_t i = 0; i < r->k->n_part; i++) {
        const hf_kernel *a = r->k->part[i], *b = first == HF_NONE ? NULL : r->k->part[first];
        const bool is_before =
            !b || a->counts.cycle < b->counts.cycle || (a->counts.cycle == b->counts.cycle && a->failed_at < b->failed_at);
        first = a->failed != HF_OK && is_before ? i : first;
    }
    if (first == HF_NONE) {
        return HF_OK;
    }
    if (part_cx[first] != cx) {
        hf_context_copy_failure(cx, part_cx[first]);
    }
    return r->k->part[first]->failed;
}

/* Faults and what follows from them come to all at once. */
static hf_status change(run *r) {
    hf_kernel *k = r->k;
    const uint64_t next = k->layers ? hf_kernel_next_change(k) : UINT64_MAX;
    r->has_come_in = next <= k->counts.cycle;
    if (!r->has_come_in) {
        r->together = next < r->together ? next : r->together;
        return HF_OK;
    }
    for (uint32_t i = 0; i < k->n_part; i++) {
        hf_kernel_come_in(k->part[i]);
    }
    HF_TRY(hf_kernel_reconfigure(k));
    r->together = k->counts.cycle + 1;
    return HF_OK;
}

static hf_status meet(hf_context *cx, void *user, hf_context *const *part_cx, bool *goes_on) {
    run *r = user;
    hf_kernel *k = r->k;
    *goes_on = false;
    HF_TRY(first_failure(r, cx, part_cx));
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped at cycle %llu", (unsigned long long)k->counts.cycle);
    }
    if (k->counts.cycle >= r->end) {
        return HF_OK;
    }
    HF_TRY(hf_kernel_provide_packets(k));
    for (uint32_t i = 0; i < k->n_part; i++) {
        k->part[i]->cx = part_cx[i];
    }
    r->together = k->counts.cycle + k->lookahead < r->end ? k->counts.cycle + k->lookahead : r->end;
    HF_TRY(change(r));
    *goes_on = true;
    return HF_OK;
}

/* One part, until all meet. */
static void go_on(void *user, uint32_t i) {
    const run *r = user;
    hf_kernel *part = r->k->part[i];
    bool has_come_in = r->has_come_in;
    while (part->counts.cycle < r->together && part->failed == HF_OK) {
        if (!has_come_in) {
            hf_kernel_come_in(part);
        }
        has_come_in = false;
        part->failed_at = HF_NONE;
        const hf_status status = hf_kernel_go_on(part);
        part->failed = part->failed == HF_OK ? status : part->failed;
    }
}

void hf_kernel_add_up(hf_kernel *k) {
    hf_kernel_counts *sum = &k->counts;
    for (uint32_t i = 1; i < k->n_part; i++) {
        hf_kernel *part = k->part[i];
        const hf_kernel_counts *n = &part->counts;
        sum->generated += n->generated;
        sum->injected += n->injected;
        sum->delivered += n->delivered;
        sum->refused += n->refused;
        sum->deviated += n->deviated;
        sum->lost += n->lost;
        sum->delivered_flits += n->delivered_flits;
        sum->flit_hops += n->flit_hops;
        sum->latency_sum += n->latency_sum;
        sum->network_latency_sum += n->network_latency_sum;
        sum->network_latency_max =
            n->network_latency_max > sum->network_latency_max ? n->network_latency_max : sum->network_latency_max;
        for (size_t b = 0; b < sizeof sum->histogram / sizeof *sum->histogram; b++) {
            sum->histogram[b] += n->histogram[b];
        }
        k->present += part->present;
        part->present = 0;
        part->counts = (hf_kernel_counts){.cycle = n->cycle};
    }
}

hf_status hf_kernel_run_parts(hf_kernel *k, uint64_t cycles) {
    run r = {.k = k, .end = k->counts.cycle + cycles};
    hf_context *cx = k->cx;
    hf_kernel_trains_begin(k, cycles);
    tell_parts(k);
    const hf_status status = hf_jobs_rounds(cx, k->n_part, meet, go_on, &r);
    for (uint32_t i = 0; i < k->n_part; i++) {
        k->part[i]->cx = cx;
    }
    if (status == HF_OK) {
        hf_kernel_trains_end(k);
    }
    hf_kernel_add_up(k);
    return status;
}
