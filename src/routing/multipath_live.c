/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of a multipath network under faults. */
#include "src/routing/multipath_live.h"

#include <holdfast/bitset.h>

#include <assert.h>
#include <string.h>

#include "src/topology/fly.h"

const char *const hf_live_extras[] = {"lost_nodes",      "lost_nodes_tolerated", "lost_nodes_or_all",
                                      "blocked_routers", "weak_nodes",           NULL};

hf_status hf_remains_init(hf_context *cx, const hf_topology *topo, const hf_args *args,
                          hf_status (*take)(hf_context *cx, size_t count, size_t size, void **out), hf_remains *out) {
    *out = (hf_remains){.topo = topo, .words = (uint32_t)hf_words(topo->n_terminal)};
    hf_multipath_of(topo, &out->net);
    out->policy = (hf_live)hf_args_get(args, "live")->number;
    out->rule = (hf_blocked_rule)hf_args_get(args, "blocked")->number;
    HF_TRY(take(cx, out->words, sizeof *out->live, (void **)&out->live));
    HF_TRY(take(cx, (size_t)topo->n_terminal + 1, sizeof *out->live_below, (void **)&out->live_below));
    HF_TRY(take(cx, topo->n_switch, sizeof *out->blocked, (void **)&out->blocked));
    HF_TRY(take(cx, (size_t)topo->n_switch * out->words, sizeof *out->reach, (void **)&out->reach));
    HF_TRY(take(cx, (size_t)topo->n_terminal * out->words, sizeof *out->row, (void **)&out->row));
    return take(cx, out->words, sizeof *out->seen, (void **)&out->seen);
}

static bool is_failed(const hf_remains *r, uint32_t channel) { return hf_bit_test(r->failed, channel); }

/* ---- live endpoints ---- */

/** Healthy channels out of, or into, a node. */
static uint32_t healthy(const hf_remains *r, const uint32_t *begin, const uint32_t *list, uint32_t node) {
    uint32_t n = 0;
    for (uint32_t i = begin[node]; i < begin[node + 1]; i++) {
        n += !is_failed(r, list[i]);
    }
    return n;
}
static uint32_t ways_in(const hf_remains *r, uint32_t t) {
    return healthy(r, r->topo->out_begin, r->topo->out_list, r->topo->n_switch + t);
}
static uint32_t ways_out(const hf_remains *r, uint32_t t) {
    return healthy(r, r->topo->in_begin, r->topo->in_list, r->topo->n_switch + t);
}

static void keep(hf_remains *r, uint32_t t, bool is_kept) {
    r->live[t >> 6] = is_kept ? r->live[t >> 6] | UINT64_C(1) << (t & 63) : r->live[t >> 6] & ~(UINT64_C(1) << (t & 63));
}

static void drop_isolated(hf_remains *r) {
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        const bool is_kept = r->policy == HF_LIVE_NONE || (ways_in(r, t) > 0 && ways_out(r, t) > 0);
        keep(r, t, is_kept);
        r->live_below[t + 1] = r->live_below[t] + is_kept;
    }
}

/** Does some output of direction j work: healthy, and to a router that is not blocked? */
static bool works(const hf_remains *r, uint32_t sw, uint32_t first, uint32_t n) {
    const hf_topology *topo = r->topo;
    for (uint32_t i = first; i < first + n; i++) {
        const uint32_t c = topo->out_list[topo->out_begin[sw] + i], to = topo->to[c];
        if (!is_failed(r, c) && (hf_topology_is_terminal(topo, to) || !r->blocked[to])) {
            return true;
        }
    }
    return false;
}

/** Directions in which no endpoint is live need not work. A router with nothing but such is not blocked. */
static bool is_blocked(const hf_remains *r, uint32_t sw, uint32_t class, uint32_t span, uint32_t dilation) {
    assert(r->net.radix > 0);
    const uint32_t part = span / r->net.radix;
    uint32_t n_needed = 0, n_broken = 0;
    for (uint32_t j = 0; j < r->net.radix; j++) {
        const uint32_t lo = class * span + j * part;
        if (r->live_below[lo + part] == r->live_below[lo]) {
            continue;
        }
        n_needed++;
        n_broken += !works(r, sw, j * dilation, dilation);
    }
    return r->rule == HF_BLOCKED_ANY ? n_broken > 0 : n_needed > 0 && n_broken == n_needed;
}

/** From the last stage to the first, so that one pass is enough. */
static void find_blocked(hf_remains *r) {
    const hf_multipath *net = &r->net;
    uint32_t span = net->radix;
    assert(span > 0);
    for (uint32_t stage = net->n_stage; stage-- > 0; span *= net->radix) {
        const bool is_last = stage + 1 == net->n_stage;
        const uint32_t n = is_last ? net->width * net->dilation : net->width, dilation = is_last ? 1 : net->dilation;
        const uint32_t n_class = r->topo->n_terminal / span;
        assert(n_class > 0);
        const uint32_t size = n / n_class;
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t sw = stage * net->width + i;
            r->blocked[sw] = is_blocked(r, sw, i / size, span, dilation);
        }
    }
}

/** Endpoints all of whose first routers are blocked. */
static void drop_blocked(hf_remains *r) {
    const hf_topology *topo = r->topo;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t first = topo->out_begin[topo->n_switch + t];
        bool is_kept = false;
        for (uint32_t i = first; i < topo->out_begin[topo->n_switch + t + 1]; i++) {
            is_kept |= !is_failed(r, topo->out_list[i]) && !r->blocked[topo->to[topo->out_list[i]]];
        }
        if (!is_kept) {
            keep(r, t, false);
        }
    }
}

void hf_remains_find_live(hf_remains *r) {
    drop_isolated(r);
    memset(r->blocked, 0, r->topo->n_switch);
    if (r->policy == HF_LIVE_FAULT_PROPAGATION) {
        find_blocked(r);
        drop_blocked(r);
    }
}

/* ---- who reaches whom ---- */

static void unite(uint64_t *to, const uint64_t *from, uint32_t words) {
    for (uint32_t w = 0; w < words; w++) {
        to[w] |= from[w];
    }
}

/** What a node's healthy channels lead to. */
static void gather(const hf_remains *r, uint32_t node, uint64_t *set) {
    const hf_topology *topo = r->topo;
    memset(set, 0, r->words * sizeof *set);
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (is_failed(r, c)) {
            continue;
        }
        if (hf_topology_is_terminal(topo, to)) {
            hf_bit_set(set, to - topo->n_switch);
        } else {
            unite(set, r->reach + (size_t)to * r->words, r->words);
        }
    }
}

void hf_remains_find_reach(hf_remains *r) {
    for (uint32_t v = r->topo->n_switch; v-- > 0;) { /* later stages have higher numbers */
        gather(r, v, r->reach + (size_t)v * r->words);
    }
}

static bool is_live(const hf_remains *r, uint32_t t) { return hf_bit_test(r->live, t); }

static bool covers(const hf_remains *r, const uint64_t *set) {
    for (uint32_t w = 0; w < r->words; w++) {
        if (r->live[w] & ~set[w]) {
            return false;
        }
    }
    return true;
}

/** Rows of all live endpoints. \return whether each reaches all others directly */
static bool find_rows(hf_remains *r) {
    bool all = true;
    hf_remains_find_reach(r);
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        uint64_t *row = r->row + (size_t)t * r->words;
        if (is_live(r, t)) {
            gather(r, r->topo->n_switch + t, row);
            hf_bit_set(row, t);
            all = all && covers(r, row);
        }
    }
    return all;
}

/** Grow `seen` from endpoint `start` by live endpoints: forth, those that are reached, or back, those that reach it. */
static bool grow(hf_remains *r, uint32_t start, bool is_forth) {
    uint64_t *met = r->reach; /* its rows are not needed any more */
    memset(r->seen, 0, r->words * sizeof *r->seen);
    memset(met, 0, r->words * sizeof *met);
    hf_bit_set(r->seen, start);
    for (bool changed = true; changed && !covers(r, r->seen);) {
        changed = false;
        for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
            const uint64_t *row = r->row + (size_t)t * r->words;
            if (!is_live(r, t) || hf_bit_test(met, t)) {
                continue;
            }
            bool takes = is_forth && hf_bit_test(r->seen, t);
            for (uint32_t w = 0; w < r->words && !takes; w++) {
                takes = !is_forth && (row[w] & r->seen[w]);
            }
            if (takes) {
                changed = true;
                hf_bit_set(met, t);
                if (is_forth) {
                    for (uint32_t w = 0; w < r->words; w++) {
                        r->seen[w] |= row[w] & r->live[w];
                    }
                }
                hf_bit_set(r->seen, t);
            }
        }
    }
    return covers(r, r->seen);
}

static bool is_tolerated(hf_remains *r, uint32_t n_live) {
    if (r->policy == HF_LIVE_FAULT_PROPAGATION && r->rule == HF_BLOCKED_ANY) {
        return true; /* a router that is not blocked leads to every live endpoint of its class */
    }
    if (n_live < 2 || find_rows(r)) {
        return true;
    }
    uint32_t start = 0;
    while (!is_live(r, start)) {
        start++;
    }
    return r->policy == HF_LIVE_MULTI_HOP && grow(r, start, true) && grow(r, start, false);
}

void hf_remains_measure(hf_remains *r, hf_measure *out) {
    const uint32_t n = r->topo->n_terminal, full = r->net.dilation;
    uint32_t n_live = 0;
    uint64_t *extra = out->extra;
    for (uint32_t t = 0; t < n; t++) {
        n_live += is_live(r, t);
        extra[HF_LIVE_WEAK] += is_live(r, t) && (ways_in(r, t) < full || ways_out(r, t) < full);
    }
    for (uint32_t v = 0; v < r->topo->n_switch; v++) {
        extra[HF_LIVE_BLOCKED] += r->blocked[v];
    }
    out->tolerated = is_tolerated(r, n_live);
    extra[HF_LIVE_LOST] = n - n_live;
    extra[HF_LIVE_LOST_TOLERATED] = out->tolerated ? n - n_live : 0;
    extra[HF_LIVE_LOST_OR_ALL] = out->tolerated ? n - n_live : n;
}
