/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What is left of a multipath network under faults. */
#include "src/routing/multipath/live.h"

#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/topology/multistage/stages.h"

const char *const hf_live_extras[] = {"lost_nodes",      "lost_nodes_tolerated", "lost_nodes_or_all", "blocked_routers",
                                      "weak_nodes",      "sets_with_loss",       "lost_channels_1",   "lost_channels_2",
                                      "lost_channels_3", "lost_channels_4",      "isolated_by_2",     NULL};

const hf_extra_note hf_live_extra_notes[] = {
    {"terminals that are not in service", NULL, 0, hf_most_terminals},
    {"the same, 0 where the set is not tolerated", "lost_nodes_of_tolerated", HF_OVER_TOLERATED, hf_most_terminals},
    {"the same, all terminals where the set is not tolerated", NULL, 0, hf_most_terminals},
    {"routers that the policy blocks", NULL, 0, hf_most_switches},
    {"terminals in service that have lost a link to the network, or one from it", NULL, 0, hf_most_terminals},
    {"1 where a terminal is not in service", NULL, 0, hf_most_one},
    {"terminals that have lost one of their channels to and from the network", NULL, 0, hf_most_terminals},
    {"terminals that have lost two of them", NULL, 0, hf_most_terminals},
    {"terminals that have lost three of them", NULL, 0, hf_most_terminals},
    {"terminals that have lost four of them or more", NULL, 0, hf_most_terminals},
    {"terminals without a way in or without one out that have lost two channels at most", NULL, 0, hf_most_terminals}};

static uint32_t n_slot(const hf_remains *r) { return r->first_end + r->topo->n_terminal; }

/** Outputs are in order of ports: of each direction in turn. The last stage has dilation 1. */
static void fill_slots(hf_remains *r) {
    const hf_topology *topo = r->topo;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        const bool is_switch = !hf_topology_is_terminal(topo, v);
        const uint32_t dilation = hf_multipath_dilation(&r->net, hf_multipath_stage(&r->net, v));
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t direction = (i - topo->out_begin[v]) / dilation, c = topo->out_list[i];
            r->slot[c] = is_switch ? v * r->stride + direction : r->first_end + v - topo->n_switch;
            r->intact[r->slot[c]]++;
        }
    }
}

hf_status hf_remains_init(hf_context *cx, const hf_topology *topo, const hf_args *args,
                          hf_status (*take)(hf_context *cx, size_t count, size_t size, void **out), hf_remains *out) {
    *out = (hf_remains){.topo = topo, .words = (uint32_t)hf_words(topo->n_terminal)};
    hf_multipath_of(topo, &out->net);
    out->policy = (hf_live)hf_args_get(args, "live")->number;
    out->rule = (hf_blocked_rule)hf_args_get(args, "blocked")->number;
    out->spread = (hf_spread)hf_args_get(args, "spread")->number;
    out->relays = out->policy == HF_LIVE_MULTI_HOP || hf_args_get(args, "relays")->number == 1;
    out->stride = out->net.radix <= 8 ? 8 : HF_MULTIPATH_RADIX_MAX;
    out->first_end = topo->n_switch * out->stride;
    for (uint32_t stage = 0; stage < out->net.n_stage; stage++) {
        out->unit[stage] = hf_power(out->net.radix, out->net.n_stage - 1 - stage);
    }
    HF_TRY(take(cx, hf_words(topo->n_channel), sizeof *out->failed, (void **)&out->failed));
    HF_TRY(take(cx, topo->n_channel, sizeof *out->slot, (void **)&out->slot));
    HF_TRY(take(cx, n_slot(out), sizeof *out->intact, (void **)&out->intact));
    HF_TRY(take(cx, n_slot(out), sizeof *out->healthy, (void **)&out->healthy));
    HF_TRY(take(cx, n_slot(out), sizeof *out->working, (void **)&out->working));
    HF_TRY(take(cx, topo->n_node, sizeof *out->ways_in, (void **)&out->ways_in));
    HF_TRY(take(cx, 2 * (size_t)topo->n_terminal, sizeof *out->needed, (void **)&out->needed));
    HF_TRY(take(cx, out->words, sizeof *out->live, (void **)&out->live));
    HF_TRY(take(cx, topo->n_switch, sizeof *out->blocked, (void **)&out->blocked));
    HF_TRY(take(cx, (size_t)topo->n_switch * out->words, sizeof *out->reach, (void **)&out->reach));
    HF_TRY(take(cx, (size_t)topo->n_terminal * out->words, sizeof *out->row, (void **)&out->row));
    HF_TRY(take(cx, out->words, sizeof *out->seen, (void **)&out->seen));
    fill_slots(out);
    hf_remains_mend_all(out);
    return HF_OK;
}

void hf_remains_blocks(const hf_remains *r, void **block) {
    void *const taken[HF_REMAINS_BLOCKS] = {r->failed, r->slot, r->intact,  r->healthy, r->working, r->ways_in,
                                            r->needed, r->live, r->blocked, r->reach,   r->row,     r->seen};
    memcpy(block, taken, sizeof taken);
}

hf_output hf_remains_output(const hf_remains *r, uint32_t channel) {
    return (hf_output){.channel = channel, .slot = r->slot[channel], .to = r->topo->to[channel]};
}

void hf_remains_fail(hf_remains *r, const hf_output *output, uint32_t n) {
    uint64_t *failed = r->failed; /* of their own, as a store to bytes might change all that is reached through r */
    uint8_t *healthy = r->healthy;
    uint16_t *ways_in = r->ways_in;
    for (uint32_t i = 0; i < n; i++) {
        const hf_output o = output[i];
        const bool is_new = !hf_bit_test(failed, o.channel);
        hf_bit_set(failed, o.channel);
        healthy[o.slot] = (uint8_t)(healthy[o.slot] - is_new);
        ways_in[o.to] = (uint16_t)(ways_in[o.to] - is_new);
    }
}

void hf_remains_mend_all(hf_remains *r) {
    const hf_topology *topo = r->topo;
    memset(r->failed, 0, hf_words(topo->n_channel) * sizeof *r->failed);
    memcpy(r->healthy, r->intact, n_slot(r));
    for (uint32_t v = 0; v < topo->n_node; v++) {
        r->ways_in[v] = (uint16_t)(topo->in_begin[v + 1] - topo->in_begin[v]);
    }
}

static bool is_failed(const hf_remains *r, uint32_t channel) { return hf_bit_test(r->failed, channel); }

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

static uint32_t count_live(const hf_remains *r) { return (uint32_t)hf_bits_count(r->live, r->words); }

bool hf_remains_serves(hf_remains *r) {
    if (r->policy == HF_LIVE_FAULT_PROPAGATION && r->rule == HF_BLOCKED_ANY && r->spread == HF_SPREAD_FULL) {
        return true; /* a router that is not blocked leads to every live endpoint of its class */
    }
    if (count_live(r) < 2 || find_rows(r)) {
        return true;
    }
    uint32_t start = 0;
    while (!is_live(r, start)) {
        start++;
    }
    return r->relays && grow(r, start, true) && grow(r, start, false);
}

uint32_t hf_remains_live(const hf_remains *r) {
    const uint8_t *first = r->healthy + r->first_end;
    const uint16_t *last = r->ways_in + r->topo->n_switch;
    uint32_t n = 0;
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        n += (r->needed[t] != 0) & ((first[t] | last[t]) != 0);
    }
    return n;
}

/** Live endpoints that have lost a connection. */
static uint32_t count_weak(const hf_remains *r) {
    const uint8_t *live = r->needed, *first = r->healthy + r->first_end;
    const uint16_t *last = r->ways_in + r->topo->n_switch;
    const uint8_t full = (uint8_t)r->net.dilation;
    uint32_t n = 0;
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        n += (live[t] != 0) & ((first[t] < full) | (last[t] < full));
    }
    return n;
}

/** Terminals by the channels that they have lost, in service or not. Source: [chong1992, 7], which lets a terminal give away what
 * it holds once 2 or 3 of its 4 channels have failed. */
static void count_lost_channels(const hf_remains *r, uint64_t *by_losses, uint64_t *unwarned) {
    const uint8_t *first = r->healthy + r->first_end;
    const uint16_t *last = r->ways_in + r->topo->n_switch;
    const uint32_t all = 2 * r->net.dilation;
    uint32_t count[HF_LIVE_LOSSES + 1] = {0}, n = 0;
    for (uint32_t t = 0; t < r->topo->n_terminal; t++) {
        const uint32_t lost = all - first[t] - last[t];
        count[lost < HF_LIVE_LOSSES ? lost : HF_LIVE_LOSSES]++;
        n += ((first[t] == 0) | (last[t] == 0)) & (lost <= 2);
    }
    for (uint32_t i = 0; i < HF_LIVE_LOSSES; i++) {
        by_losses[i] = count[i + 1];
    }
    *unwarned = n;
}

void hf_remains_measure(hf_remains *r, hf_measure *out) {
    const uint32_t n = r->topo->n_terminal, n_live = count_live(r);
    uint64_t *extra = out->extra;
    uint32_t n_blocked = 0;
    for (uint32_t v = 0; v < r->topo->n_switch; v++) {
        n_blocked += r->blocked[v];
    }
    extra[HF_LIVE_WEAK] = count_weak(r);
    extra[HF_LIVE_BLOCKED] = n_blocked;
    extra[HF_LIVE_LOST] = n - n_live;
    extra[HF_LIVE_ANY] = n_live < n;
    count_lost_channels(r, &extra[HF_LIVE_LOST_CHANNELS], &extra[HF_LIVE_UNWARNED]);
}

void hf_remains_settle(const hf_topology *topo, hf_measure *out) {
    const uint64_t lost = out->extra[HF_LIVE_LOST];
    out->extra[HF_LIVE_LOST_TOLERATED] = out->tolerated ? lost : 0;
    out->extra[HF_LIVE_LOST_OR_ALL] = out->tolerated ? lost : topo->n_terminal;
}
