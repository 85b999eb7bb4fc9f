/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways compared. */
#include "src/routing/any/layered_compare.h"

#include <string.h>

/* ---- one row ---- */

static const uint32_t *next_of(const hf_layered *ways, uint32_t row) {
    return ways->next + (size_t)row * ways->goals.topo->n_switch;
}

/* Is the rest of the fault-free way from `v` the same now? */
static bool is_same(const hf_layered_compare *k, const hf_layered_reading *r, uint32_t row, uint32_t v) {
    enum { UNKNOWN, SAME, OTHER };
    const uint32_t *then = next_of(k->whole, row), *now = next_of(r->now, row);
    uint32_t n = 0;
    while (k->mark[v] == UNKNOWN && then[v] != HF_NONE && then[v] == now[v]) {
        k->way[n++] = v;
        v = k->topo->to[then[v]];
    }
    if (k->mark[v] == UNKNOWN) {
        k->mark[v] = then[v] == now[v] ? SAME : OTHER;
    }
    while (n > 0) {
        k->mark[k->way[--n]] = k->mark[v];
    }
    return k->mark[v] == SAME;
}

static uint32_t end_of(const hf_layered_compare *k, uint32_t row, uint32_t v) {
    const uint32_t *then = next_of(k->whole, row);
    while (then[v] != HF_NONE) {
        v = k->topo->to[then[v]];
    }
    return v;
}

/* Is the whole way of a source as it was, but for the channel to the destination? \param[in] c its first channel without
 * faults */
static bool is_kept(const hf_layered_compare *k, const hf_layered_reading *r, uint32_t row, uint32_t c) {
    const uint32_t v = k->topo->to[c];
    const size_t place = (size_t)row * k->topo->n_switch + v;
    return is_same(k, r, row, v) && (k->whole->next[place] == HF_NONE || k->whole->vc[place] == r->now->vc[place]);
}

/* ---- victims ---- */

/* Does the way of the destination itself, as a source, go on from `v`? */
static bool passes(const hf_layered_compare *k, uint32_t row, uint32_t terminal, uint32_t v) {
    const uint32_t *then = next_of(k->whole, row), c = hf_layered_first(k->whole, k->topo->n_switch + terminal, row);
    uint32_t at = c == HF_NONE ? HF_NONE : k->topo->to[c];
    while (at != HF_NONE && at != v && then[at] != HF_NONE) {
        at = k->topo->to[then[at]];
    }
    return at == v;
}

static void add_victims(const hf_layered_compare *k, hf_layered_reading *r, uint32_t row, uint32_t v) {
    for (uint32_t i = k->members.begin[row]; i < k->members.begin[row + 1]; i++) {
        const uint32_t own = passes(k, row, k->members.item[i], v);
        const bool is_reached = k->passing[(size_t)row * k->topo->n_switch + v] > own;
        r->victims += is_reached && !hf_goals_is_cut_off(&r->now->goals, k->members.item[i]);
    }
}

/* Where no way is offered any more, not even the last channel of one. */
static void add_last_victims(const hf_layered_compare *k, hf_layered_reading *r, uint32_t row, uint32_t v) {
    for (uint32_t i = k->members.begin[row]; i < k->members.begin[row + 1]; i++) {
        const uint32_t own = passes(k, row, k->members.item[i], v), last = hf_layered_last(k->whole, v, k->members.item[i]);
        const bool is_reached = k->passing[(size_t)row * k->topo->n_switch + v] > own;
        r->victims += is_reached && last != HF_NONE && !hf_goals_is_failed(&r->now->goals, last);
    }
}

/* Channels that were taken, are healthy, lead on as short as before, and are not taken now. The last one of a way is taken
 * wherever it is healthy and ways are offered. */
static void find_victims(const hf_layered_compare *k, hf_layered_reading *r, uint32_t row) {
    const uint32_t n = k->topo->n_switch, *then = next_of(k->whole, row), *now = next_of(r->now, row);
    const uint16_t *was = k->whole->distance + (size_t)row * n, *is = r->now->distance + (size_t)row * n;
    for (uint32_t v = 0; v < n; v++) {
        const uint32_t c = then[v];
        const bool is_taken = now[v] == c && !r->is_closed;
        if (c != HF_NONE && !is_taken && !hf_goals_is_failed(&r->now->goals, c) && is[k->topo->to[c]] + 1 == was[v]) {
            add_victims(k, r, row, v);
        }
        if (c == HF_NONE && was[v] == 0 && r->is_closed) {
            add_last_victims(k, r, row, v);
        }
    }
}

/* ---- all rows ---- */

/* What becomes of the way of one source to one destination. */
typedef struct fate {
    bool was, is_kept;
} fate;

static fate fate_of(const hf_layered_compare *k, const hf_layered_reading *r, uint32_t row, uint32_t destination,
                    uint32_t source) {
    const uint32_t node = k->topo->n_switch + source;
    const uint32_t then = hf_layered_first(k->whole, node, row), now = hf_layered_first(r->now, node, row);
    fate f = {.was = then != HF_NONE};
    f.is_kept = f.was && !r->is_closed && then == now && is_kept(k, r, row, then);
    if (f.is_kept && hf_topology_is_terminal(k->topo, k->whole->goals.goal[row])) {
        const uint32_t end = end_of(k, row, k->topo->to[then]);
        f.is_kept = hf_layered_last(k->whole, end, destination) == hf_layered_last(r->now, end, destination);
    }
    return f;
}

bool hf_layered_compare_serves(const hf_layered_compare *compare, const hf_layered *now, uint32_t row) {
    const uint32_t n = compare->topo->n_terminal, first = compare->topo->n_switch;
    uint32_t unserved = 0;
    bool serves = true;
    for (uint32_t s = 0; s < n; s++) {
        unserved += hf_layered_first(now, first + s, row) == HF_NONE;
    }
    for (uint32_t i = compare->members.begin[row]; i < compare->members.begin[row + 1] && n > 1; i++) {
        const uint32_t d = compare->members.item[i];
        const bool lacks_own = hf_layered_first(now, first + d, row) == HF_NONE;
        serves &= !hf_goals_is_cut_off(&now->goals, d) && unserved == lacks_own;
    }
    return serves;
}

/* All destinations of a row have the same ways; each is left out as its own source. */
void hf_layered_compare_row(const hf_layered_compare *compare, hf_layered_reading *reading, uint32_t row) {
    const uint32_t begin = compare->members.begin[row], end = compare->members.begin[row + 1];
    const uint32_t *member = compare->members.item;
    uint64_t were = 0, kept = 0;
    memset(compare->mark, 0, compare->topo->n_switch);
    for (uint32_t s = 0; s < compare->topo->n_terminal; s++) {
        const fate f = fate_of(compare, reading, row, member[begin], s);
        were += f.was;
        kept += f.is_kept;
    }
    for (uint32_t i = begin; i < end; i++) {
        const fate own = fate_of(compare, reading, row, member[begin], member[i]);
        const bool is_cut = hf_goals_is_cut_off(&reading->now->goals, member[i]);
        reading->lost += were - own.was - (is_cut ? 0 : kept - own.is_kept);
    }
    reading->serves_all = hf_layered_compare_serves(compare, reading->now, row) && reading->serves_all;
    find_victims(compare, reading, row);
}

/* ---- making ---- */

static void count_passing(hf_layered_compare *k, uint32_t row) {
    const uint32_t *next = next_of(k->whole, row);
    for (uint32_t s = 0; s < k->topo->n_terminal; s++) {
        const uint32_t c = hf_layered_first(k->whole, k->topo->n_switch + s, row);
        for (uint32_t v = c == HF_NONE ? HF_NONE : k->topo->to[c]; v != HF_NONE;
             v = next[v] == HF_NONE ? HF_NONE : k->topo->to[next[v]]) {
            k->passing[(size_t)row * k->topo->n_switch + v]++;
        }
    }
}

hf_status hf_layered_compare_init(hf_context *cx, const hf_layered *whole, hf_layered_compare *out) {
    const hf_topology *topo = whole->goals.topo;
    const uint32_t n_row = whole->goals.n_row;
    *out = (hf_layered_compare){.whole = whole, .topo = topo, .serves_all = true};
    HF_TRY(hf_scratch(cx, (size_t)n_row * topo->n_switch, sizeof *out->passing, (void **)&out->passing));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *out->mark, (void **)&out->mark));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *out->way, (void **)&out->way));
    HF_TRY(hf_rows_of(cx, n_row, NULL, topo->n_terminal, whole->goals.row, &out->members));
    for (uint32_t row = 0; row < n_row; row++) {
        count_passing(out, row);
        out->serves_all = hf_layered_compare_serves(out, whole, row) && out->serves_all;
    }
    return HF_OK;
}
