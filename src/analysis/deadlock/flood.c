/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What packets for a block of destinations are offered is known as bits, so what comes to the switches flows on word by word
 *  until nothing is new. One channel waits for another where some destination that packets bring to the one is offered the
 *  other. Threads share the blocks; what they find is united. */
#include "src/analysis/deadlock/flood.h"

#include <stdatomic.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/core/jobs.h"
#include "src/core/simd.h"

enum { WORDS = HF_OFFERED_WORDS };

bool hf_flood_applies(const hf_plan *plan, const hf_destinations *to) {
    const hf_topology *topo = plan->topo;
    const hf_likeness *like = hf_likeness_of(plan);
    /* Packets that commit themselves may be lost at a failed channel where others go on: lanes tell. */
    const bool may_lose = (hf_plan_traits(plan) & HF_ROUTING_COMMITS) && plan->faults->n_channel > 0;
    if (!like->offered || plan->n_vc > 1 || plan->flows || to->place || may_lose ||
        (uint64_t)like->arrivals * topo->n_switch >= HF_NONE) {
        return false;
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t in = topo->in_begin[topo->n_switch + t];
        const bool is_single = topo->in_begin[topo->n_switch + t + 1] - in == 1;
        if (to->group[t] != like->row(plan, t) || (is_single && hf_bit_test(plan->faults->channel_set, topo->in_list[in]))) {
            return false;
        }
    }
    return true;
}

/* What one thread has found, and rows of the block's groups. */
typedef struct flood {
    const hf_dependency *d;
    const hf_destinations *to;
    const hf_likeness *like;
    const uint32_t *arrival; /* by channel to a switch */
    uint32_t block;
    uint64_t *got;   /* by channel: groups for which packets take it */
    uint64_t *fresh; /* by arrival and switch: groups that are still to go on from there */
    uint64_t *here;  /* by switch: groups that are delivered there */
    bool *waits;     /* by arrival and switch */
    uint32_t *queue, head, tail, room;
    uint64_t *all, *used;
    hf_stuck stuck;
} flood;

static uint32_t first_group(const flood *f) { return f->block * HF_OFFERED_ROWS; }

static void note_stuck_rows(flood *f, uint32_t source, const uint64_t *rows) {
    const size_t first = hf_bits_next(rows, HF_OFFERED_ROWS, 0);
    if (first < HF_OFFERED_ROWS) {
        hf_stuck_note(&f->stuck, source, hf_destinations_lowest(f->to, first_group(f) + (uint32_t)first));
    }
}

/* The groups of the block that a healthy channel to a switch is offered to. */
HF_SIMD_BODY bool read_offer(const flood *f, uint32_t channel, uint32_t arrival, uint64_t *rows) {
    const hf_plan *plan = f->d->plan;
    if (hf_topology_is_terminal(plan->topo, plan->topo->to[channel]) || hf_bit_test(plan->faults->channel_set, channel)) {
        return false;
    }
    f->like->offered(plan, channel, arrival, f->block, rows);
    return true;
}

/* Packets take a channel for `rows`, of which some may be known. */
HF_SIMD_BODY void take(flood *f, uint32_t channel, const uint64_t *rows) {
    const uint32_t at = f->arrival[channel] * f->d->plan->topo->n_switch + f->d->plan->topo->to[channel];
    uint64_t *got = f->got + (size_t)channel * WORDS, *fresh = f->fresh + (size_t)at * WORDS, any = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        const uint64_t more = rows[w] & ~got[w];
        got[w] |= more;
        fresh[w] |= more;
        any |= more;
    }
    if (any && !f->waits[at]) {
        f->waits[at] = true;
        f->queue[f->tail] = at;
        f->tail = f->tail + 1 == f->room ? 0 : f->tail + 1;
    }
}

/* The bit of a terminal's group. */
static bool has_group(const flood *f, const uint64_t *rows, uint32_t group) { return hf_bit_test(rows, group - first_group(f)); }
static bool is_in_block(const flood *f, uint32_t group) { return group / HF_OFFERED_ROWS == f->block; }

static uint32_t other_member(const flood *f, uint32_t group, uint32_t t) {
    const uint32_t begin = f->to->terminals.begin[group], end = f->to->terminals.begin[group + 1];
    const uint32_t *member = f->to->terminals.item + begin;
    return member[0] != t ? member[0] : end - begin > 1 ? member[1] : HF_NONE;
}

/* From a terminal for all groups but its own, and for the others of that. */
HF_SIMD_BODY void inject(flood *f, uint32_t source, const uint64_t *block) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t v = topo->n_switch + source, group = f->to->group[source], other = other_member(f, group, source);
    uint64_t lack[WORDS], rows[WORDS];
    memcpy(lack, block, sizeof lack);
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        if (!read_offer(f, topo->out_list[i], 0, rows)) {
            continue;
        }
        for (uint32_t w = 0; w < WORDS; w++) {
            lack[w] &= ~rows[w];
            rows[w] &= block[w];
        }
        if (is_in_block(f, group)) {
            hf_bit_clear(rows, group - first_group(f));
        }
        take(f, topo->out_list[i], rows);
    }
    if (is_in_block(f, group)) {
        if (other != HF_NONE && has_group(f, lack, group)) {
            hf_stuck_note(&f->stuck, source, other);
        }
        hf_bit_clear(lack, group - first_group(f));
    }
    note_stuck_rows(f, source, lack);
}

/* What has come to a switch by arrivals of one number goes on. */
HF_SIMD_BODY void go_on(flood *f, uint32_t at) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t arrival = at / topo->n_switch, v = at % topo->n_switch;
    uint64_t now[WORDS], lack[WORDS], rows[WORDS];
    for (uint32_t w = 0; w < WORDS; w++) {
        lack[w] = now[w] = f->fresh[(size_t)at * WORDS + w] & ~f->here[(size_t)v * WORDS + w];
        f->fresh[(size_t)at * WORDS + w] = 0;
    }
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
        if (!read_offer(f, topo->out_list[i], arrival, rows)) {
            continue;
        }
        for (uint32_t w = 0; w < WORDS; w++) {
            lack[w] &= ~rows[w];
            rows[w] &= now[w];
        }
        take(f, topo->out_list[i], rows);
    }
    note_stuck_rows(f, HF_NONE, lack);
}

/* Where the groups of the block are delivered. */
static void mark_ends(flood *f, uint32_t end) {
    const hf_topology *topo = f->d->plan->topo;
    for (uint32_t g = first_group(f); g < end; g++) {
        for (uint32_t k = f->to->terminals.begin[g]; k < f->to->terminals.begin[g + 1]; k++) {
            const uint32_t node = topo->n_switch + f->to->terminals.item[k];
            for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
                const uint32_t c = topo->in_list[i];
                if (!hf_topology_is_terminal(topo, topo->from[c]) && !hf_bit_test(f->d->plan->faults->channel_set, c)) {
                    hf_bit_set(f->here + (size_t)topo->from[c] * WORDS, g - first_group(f));
                }
            }
        }
    }
}

static void depend(flood *f, uint32_t from, uint32_t to) {
    hf_bit_set(f->used, from);
    hf_bit_set(f->all + (size_t)from * f->d->words, f->d->place[to]);
}

/* On the last channel to a terminal, from those that packets for it come by: another terminal of its switch among them. */
HF_SIMD_BODY void deliver(flood *f, uint32_t group, uint32_t t) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t node = topo->n_switch + t;
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        const uint32_t last = topo->in_list[i], v = topo->from[last];
        if (hf_topology_is_terminal(topo, v) || hf_bit_test(f->d->plan->faults->channel_set, last)) {
            continue;
        }
        for (uint32_t k = topo->in_begin[v]; k < topo->in_begin[v + 1]; k++) {
            const uint32_t c = topo->in_list[k], from = topo->from[c];
            const bool is_member = hf_topology_is_terminal(topo, from) && f->to->group[from - topo->n_switch] == group;
            uint64_t rows[WORDS];
            const bool comes = is_member ? from != node && read_offer(f, c, 0, rows) && has_group(f, rows, group)
                                         : has_group(f, f->got + (size_t)c * WORDS, group);
            if (comes) {
                depend(f, c, last);
            }
        }
    }
}

/* What packets in channels to a switch may wait for there. */
HF_SIMD_BODY void note_switch(flood *f, uint32_t v) {
    const hf_topology *topo = f->d->plan->topo;
    for (uint32_t k = topo->in_begin[v]; k < topo->in_begin[v + 1]; k++) {
        const uint32_t in = topo->in_list[k];
        const uint64_t *got = f->got + (size_t)in * WORDS;
        uint64_t rows[WORDS], any = 0;
        for (uint32_t w = 0; w < WORDS; w++) {
            any |= got[w];
        }
        if (!any) {
            continue;
        }
        hf_bit_set(f->used, in);
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t out = topo->out_list[i];
            const bool is_known = hf_bit_test(f->all + (size_t)in * f->d->words, f->d->place[out]);
            if (is_known || !read_offer(f, out, f->arrival[in], rows)) {
                continue;
            }
            any = 0;
            for (uint32_t w = 0; w < WORDS; w++) {
                any |= got[w] & rows[w] & ~f->here[(size_t)v * WORDS + w];
            }
            if (any) {
                depend(f, in, out);
            }
        }
    }
}

/* \return groups of the block */
HF_SIMD_BODY uint32_t flood_block_any(flood *f, uint32_t block) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t left = hf_destinations_groups(f->to) - block * HF_OFFERED_ROWS,
                   end = left < HF_OFFERED_ROWS ? left : HF_OFFERED_ROWS;
    uint64_t all[WORDS] = {0};
    f->block = block;
    hf_bits_fill(all, 0, end);
    memset(f->got, 0, (size_t)topo->n_channel * WORDS * sizeof *f->got);
    memset(f->here, 0, (size_t)topo->n_switch * WORDS * sizeof *f->here);
    mark_ends(f, first_group(f) + end);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        inject(f, t, all);
    }
    while (f->head != f->tail) {
        const uint32_t at = f->queue[f->head];
        f->head = f->head + 1 == f->room ? 0 : f->head + 1;
        f->waits[at] = false;
        go_on(f, at);
    }
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        note_switch(f, v);
    }
    for (uint32_t g = first_group(f); g < first_group(f) + end; g++) {
        for (uint32_t k = f->to->terminals.begin[g]; k < f->to->terminals.begin[g + 1]; k++) {
            deliver(f, g, f->to->terminals.item[k]);
        }
    }
    return end;
}
HF_SIMD_CHOICE(uint32_t, flood_block, (flood * f, uint32_t block), (f, block))

static void flood_all(flood *f, hf_context *cx, atomic_uint *next) {
    uint32_t block;
    while ((block = atomic_fetch_add(next, 1)) * (uint64_t)HF_OFFERED_ROWS < hf_destinations_groups(f->to) &&
           !hf_context_stopped(cx)) {
        (void)flood_block(f, block);
    }
}

static hf_status open_flood(hf_context *cx, const hf_dependency *d, const hf_destinations *to, const uint32_t *arrival,
                            flood *f) {
    const hf_topology *topo = d->plan->topo;
    *f = (flood){.d = d, .to = to, .like = hf_likeness_of(d->plan), .arrival = arrival, .stuck = {HF_NONE, HF_NONE}};
    const size_t places = (size_t)f->like->arrivals * topo->n_switch;
    f->room = (uint32_t)places + 1;
    HF_TRY(hf_scratch(cx, (size_t)topo->n_channel * WORDS, sizeof *f->got, (void **)&f->got));
    HF_TRY(hf_scratch(cx, places * WORDS, sizeof *f->fresh, (void **)&f->fresh));
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * WORDS, sizeof *f->here, (void **)&f->here));
    HF_TRY(hf_scratch(cx, places, sizeof *f->waits, (void **)&f->waits));
    HF_TRY(hf_scratch(cx, f->room, sizeof *f->queue, (void **)&f->queue));
    HF_TRY(hf_scratch(cx, (size_t)d->n_resource * d->words, sizeof *f->all, (void **)&f->all));
    return hf_scratch(cx, hf_words(d->n_resource), sizeof *f->used, (void **)&f->used);
}

static hf_status number_arrivals(hf_context *cx, const hf_plan *plan, uint32_t **arrival) {
    const hf_topology *topo = plan->topo;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof **arrival, (void **)arrival));
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const bool is_inward = !hf_topology_is_terminal(topo, topo->to[c]);
        (*arrival)[c] = is_inward ? hf_plan_arrival(plan, (hf_hop){c, 0, 0}) : 0;
    }
    return HF_OK;
}

static void unite(const flood *crew, uint32_t threads, hf_dependency *d) {
    d->stuck = (hf_stuck){HF_NONE, HF_NONE};
    for (uint32_t i = 0; i < threads; i++) {
        (void)hf_bits_or(d->all, crew[i].all, (size_t)d->n_resource * d->words);
        (void)hf_bits_or(d->used, crew[i].used, hf_words(d->n_resource));
        hf_stuck_note(&d->stuck, crew[i].stuck.source, crew[i].stuck.destination);
    }
    d->is_stuck = d->stuck.destination != HF_NONE;
}

static hf_status flood_with(hf_context *cx, const hf_destinations *to, uint32_t threads, hf_dependency *d) {
    flood *crew;
    uint32_t *arrival;
    atomic_uint next = 0;
    HF_TRY(hf_scratch(cx, threads, sizeof *crew, (void **)&crew));
    HF_TRY(number_arrivals(cx, d->plan, &arrival));
    for (uint32_t i = 0; i < threads; i++) {
        HF_TRY(open_flood(cx, d, to, arrival, &crew[i]));
    }
#pragma omp parallel num_threads((int)threads)
    flood_all(&crew[hf_jobs_thread()], cx, &next);
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped while following the relation");
    }
    unite(crew, threads, d);
    return HF_OK;
}

hf_status hf_flood_unions(hf_context *cx, const hf_destinations *to, uint32_t threads, hf_dependency *d) {
    const uint32_t n_block = (hf_destinations_groups(to) + HF_OFFERED_ROWS - 1) / HF_OFFERED_ROWS;
    HF_TRY(hf_scratch(cx, (size_t)d->n_resource * d->words, sizeof *d->all, (void **)&d->all));
    HF_TRY(hf_scratch(cx, hf_words(d->n_resource), sizeof *d->used, (void **)&d->used));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = flood_with(cx, to, threads < n_block ? threads : n_block + (n_block == 0), d);
    hf_scratch_reset(cx, mark);
    return status;
}
