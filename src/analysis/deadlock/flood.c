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

/* Bits of a block's groups. Those in the arena are aligned. */
typedef uint64_t flood_row __attribute__((vector_size(sizeof(uint64_t) * WORDS), may_alias));

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

/* What threads share. A stop is where packets are when they have come to a switch by arrivals of one number, a place one of
 * topo->out_list. */
typedef struct flood_map {
    uint32_t *stop; /* by place: where the channel leads to, HF_NONE: to a terminal, or it has failed */
    hf_rows come;   /* by stop: places */
} flood_map;

/* What one thread has found, and rows of the block's groups. */
typedef struct flood {
    const hf_dependency *d;
    const hf_destinations *to;
    const hf_likeness *like;
    const flood_map *map;
    uint32_t block;
    flood_row *got;  /* by place: groups for which packets take the channel */
    flood_row *here; /* by switch: groups that are delivered there */
    flood_row *rows; /* what is offered at one place, by channel */
    uint64_t *some;  /* slots of one place by which something goes on */
    uint64_t *waits; /* stops: something has come that is still to go on */
    uint64_t *all, *used;
    hf_stuck stuck;
} flood;

static uint32_t first_group(const flood *f) { return f->block * HF_OFFERED_ROWS; }

HF_SIMD_BODY bool meet(const flood_row *a, const flood_row *b) {
    const flood_row both = *a & *b;
    uint64_t any = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        any |= both[w];
    }
    return any != 0;
}

static void note_stuck_row(flood *f, uint32_t source, const flood_row *row) {
    const size_t first = hf_bits_next((const uint64_t *)row, HF_OFFERED_ROWS, 0);
    if (first < HF_OFFERED_ROWS) {
        hf_stuck_note(&f->stuck, source, hf_destinations_lowest(f->to, first_group(f) + (uint32_t)first));
    }
}

/* The bit of a group of the block. */
static bool has_group(const flood *f, const flood_row *row, uint32_t group) {
    return hf_bit_test((const uint64_t *)row, group - first_group(f));
}
static bool is_in_block(const flood *f, uint32_t group) { return group / HF_OFFERED_ROWS == f->block; }
static void add_group(const flood *f, flood_row *row, uint32_t group) { hf_bit_set((uint64_t *)row, group - first_group(f)); }

static void read_offer(const flood *f, uint32_t node, uint32_t arrival) {
    f->like->offered(f->d->plan, node, arrival, f->block, (uint64_t *)f->rows);
}

/* What is there goes on by a place as far as it is offered. \param[in,out] offer then what goes on \return does anything? */
HF_SIMD_BODY bool take(flood *f, uint32_t place, const flood_row *there, flood_row *offer) {
    flood_row *got = &f->got[place];
    const flood_row more = *offer & ~*got;
    *offer &= *there;
    if (meet(there, &more)) {
        *got |= *offer;
        hf_bit_set(f->waits, f->map->stop[place]);
        hf_bit_set(f->used, f->d->plan->topo->out_list[place]);
        return true;
    }
    return meet(offer, offer);
}

static uint32_t other_member(const flood *f, uint32_t group, uint32_t t) {
    const uint32_t begin = f->to->terminals.begin[group], end = f->to->terminals.begin[group + 1];
    const uint32_t *member = f->to->terminals.item + begin;
    return member[0] != t ? member[0] : end - begin > 1 ? member[1] : HF_NONE;
}

/* From a terminal for all groups but its own, and for the others of that. */
HF_SIMD_BODY void inject(flood *f, uint32_t source, const flood_row *block) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t node = topo->n_switch + source, group = f->to->group[source], other = other_member(f, group, source);
    flood_row own = {0}, lack = *block, *rows = f->rows;
    if (is_in_block(f, group)) {
        add_group(f, &own, group);
    }
    const flood_row there = *block & ~own;
    read_offer(f, node, 0);
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++, rows++) {
        if (f->map->stop[i] != HF_NONE) {
            lack &= ~*rows;
            (void)take(f, i, &there, rows);
        }
    }
    if (other != HF_NONE && meet(&lack, &own)) {
        hf_stuck_note(&f->stuck, source, other);
    }
    lack &= ~own;
    note_stuck_row(f, source, &lack);
}

/* What has come to a stop, but for what is delivered there. */
HF_SIMD_BODY void gather(const flood *f, uint32_t stop, flood_row *out) {
    const hf_rows *come = &f->map->come;
    flood_row row = {0};
    for (uint32_t k = come->begin[stop]; k < come->begin[stop + 1]; k++) {
        row |= f->got[come->item[k]];
    }
    *out = row & ~f->here[stop % f->d->plan->topo->n_switch];
}

/* The slots for which packets in the channel of a place may wait, of those by which something goes on. */
HF_SIMD_BODY void depend_on(const flood *f, uint32_t place) {
    uint64_t *all = f->all + (size_t)f->d->plan->topo->out_list[place] * f->d->words;
    for (uint32_t s = 0; s < f->d->words; s++) {
        for (uint64_t left = f->some[s] & ~all[s]; left; left &= left - 1) {
            const bool waits = meet(&f->got[place], &f->rows[s * 64 + (uint32_t)__builtin_ctzll(left)]);
            all[s] |= waits ? left & (~left + 1) : 0;
        }
    }
}

/* What has come to a stop goes on. */
HF_SIMD_BODY void go_on(flood *f, uint32_t stop) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t v = stop % topo->n_switch, first = topo->out_begin[v];
    const hf_rows *come = &f->map->come;
    flood_row there, lack;
    gather(f, stop, &there);
    lack = there;
    memset(f->some, 0, f->d->words * sizeof *f->some);
    read_offer(f, v, stop / topo->n_switch);
    for (uint32_t i = 0; i < topo->out_begin[v + 1] - first; i++) {
        if (f->map->stop[first + i] == HF_NONE) {
            continue;
        }
        lack &= ~f->rows[i];
        if (take(f, first + i, &there, &f->rows[i])) {
            hf_bit_set(f->some, i);
        }
    }
    note_stuck_row(f, HF_NONE, &lack);
    for (uint32_t k = come->begin[stop]; k < come->begin[stop + 1]; k++) {
        depend_on(f, come->item[k]);
    }
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
                    add_group(f, &f->here[topo->from[c]], g);
                }
            }
        }
    }
}

static void depend(flood *f, uint32_t from, uint32_t to) {
    hf_bit_set(f->used, from);
    hf_bit_set(f->all + (size_t)from * f->d->words, f->d->place[to]);
}

/* Does a packet for some other terminal of the group take a channel? */
static bool comes_by(flood *f, uint32_t channel, uint32_t group) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t from = topo->from[channel], place = f->d->place[channel];
    if (!hf_topology_is_terminal(topo, from) || f->to->group[from - topo->n_switch] != group) {
        return has_group(f, &f->got[topo->out_begin[from] + place], group);
    }
    read_offer(f, from, 0);
    return has_group(f, &f->rows[place], group);
}

/* On the last channel to a terminal, from those that packets for it come by: another terminal of its switch among them. */
static void deliver(flood *f, uint32_t group, uint32_t t) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t node = topo->n_switch + t;
    for (uint32_t i = topo->in_begin[node]; i < topo->in_begin[node + 1]; i++) {
        const uint32_t last = topo->in_list[i], v = topo->from[last];
        if (hf_topology_is_terminal(topo, v) || hf_bit_test(f->d->plan->faults->channel_set, last)) {
            continue;
        }
        for (uint32_t k = topo->in_begin[v]; k < topo->in_begin[v + 1]; k++) {
            const uint32_t c = topo->in_list[k];
            if (topo->from[c] != node && comes_by(f, c, group)) {
                depend(f, c, last);
            }
        }
    }
}

/* Round and round in the order of the stops, which few come back to: ways go up through arrivals of one number, say, and down
 * through the next. */
HF_SIMD_BODY void go_on_all(flood *f) {
    const uint32_t n = (uint32_t)f->map->come.n;
    for (size_t stop = 0; (stop = hf_bits_next(f->waits, n, stop)) < n || (stop = hf_bits_next(f->waits, n, 0)) < n;) {
        hf_bit_clear(f->waits, stop);
        go_on(f, (uint32_t)stop);
    }
}

/* \return groups of the block */
HF_SIMD_BODY uint32_t flood_block_any(flood *f, uint32_t block) {
    const hf_topology *topo = f->d->plan->topo;
    const uint32_t left = hf_destinations_groups(f->to) - block * HF_OFFERED_ROWS,
                   end = left < HF_OFFERED_ROWS ? left : HF_OFFERED_ROWS;
    flood_row all = {0};
    f->block = block;
    hf_bits_fill((uint64_t *)&all, 0, end);
    memset(f->got, 0, topo->n_channel * sizeof *f->got);
    memset(f->here, 0, topo->n_switch * sizeof *f->here);
    mark_ends(f, first_group(f) + end);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        inject(f, t, &all);
    }
    go_on_all(f);
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

static hf_status open_flood(hf_context *cx, const hf_dependency *d, const hf_destinations *to, const flood_map *map, flood *f) {
    const hf_topology *topo = d->plan->topo;
    *f = (flood){.d = d, .to = to, .like = hf_likeness_of(d->plan), .map = map, .stuck = {HF_NONE, HF_NONE}};
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *f->got, (void **)&f->got));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *f->here, (void **)&f->here));
    HF_TRY(hf_scratch(cx, (size_t)64 * d->words, sizeof *f->rows, (void **)&f->rows));
    HF_TRY(hf_scratch(cx, d->words, sizeof *f->some, (void **)&f->some));
    HF_TRY(hf_scratch(cx, hf_words(map->come.n), sizeof *f->waits, (void **)&f->waits));
    HF_TRY(hf_scratch(cx, (size_t)d->n_resource * d->words, sizeof *f->all, (void **)&f->all));
    return hf_scratch(cx, hf_words(d->n_resource), sizeof *f->used, (void **)&f->used);
}

static hf_status make_map(hf_context *cx, const hf_plan *plan, flood_map *m) {
    const hf_topology *topo = plan->topo;
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *m->stop, (void **)&m->stop));
    for (uint32_t i = 0; i < topo->n_channel; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        const bool is_on = !hf_topology_is_terminal(topo, to) && !hf_bit_test(plan->faults->channel_set, c);
        m->stop[i] = is_on ? hf_plan_arrival(plan, (hf_hop){c, 0, 0}) * topo->n_switch + to : HF_NONE;
    }
    const size_t n_stop = (size_t)hf_likeness_of(plan)->arrivals * topo->n_switch;
    return hf_rows_of(cx, n_stop, NULL, topo->n_channel, m->stop, &m->come);
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
    flood_map m;
    atomic_uint next = 0;
    HF_TRY(hf_scratch(cx, threads, sizeof *crew, (void **)&crew));
    HF_TRY(make_map(cx, d->plan, &m));
    for (uint32_t i = 0; i < threads; i++) {
        HF_TRY(open_flood(cx, d, to, &m, &crew[i]));
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
