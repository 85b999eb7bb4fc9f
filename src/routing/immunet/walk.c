/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The emergency step by step, for faults that come one after the other or while an emergency lasts [puente2004, 4.1, figure
 *  6]. */
#include <holdfast/core/spec.h>

#include "src/routing/immunet/tree.h"

typedef struct crowd {
    const hf_ways *ways;
    const hf_emergency_rule *rule;
    const hf_fault_set *faults;
    hf_emergency *out;
    uint64_t *dead, *gone, *detects; /* links, switches, switches */
    uint64_t *note;                  /* n: priority sent in the step before, if has_note */
    uint64_t *has_note, *next_has_note;
    uint64_t *next_note;
    uint32_t *skip; /* n: way that the note was not sent over */
    uint32_t *next_skip;
    uint32_t n_event, failed;
    uint64_t step, last_fault, last_change;
} crowd;

static hf_status allocate(hf_context *cx, crowd *c) {
    const size_t n = c->ways->n, words = hf_words(n);
    HF_TRY(hf_scratch(cx, hf_words(c->ways->topo->n_link), sizeof *c->dead, (void **)&c->dead));
    uint64_t **const bits[] = {&c->gone, &c->detects, &c->has_note, &c->next_has_note};
    for (size_t i = 0; i < 4; i++) {
        HF_TRY(hf_scratch(cx, words, sizeof **bits[i], (void **)bits[i]));
    }
    HF_TRY(hf_scratch(cx, n, sizeof *c->note, (void **)&c->note));
    HF_TRY(hf_scratch(cx, n, sizeof *c->next_note, (void **)&c->next_note));
    HF_TRY(hf_scratch(cx, n, sizeof *c->skip, (void **)&c->skip));
    return hf_scratch(cx, n, sizeof *c->next_skip, (void **)&c->next_skip);
}

/* ---- faults ---- */

static void fail_channel(crowd *c, uint32_t channel) {
    const hf_topology *topo = c->ways->topo;
    const uint32_t link = topo->link[channel];
    if (link < topo->n_switch_link && !hf_bit_test(c->dead, link)) {
        hf_bit_set(c->dead, link);
        hf_bit_set(c->detects, topo->from[channel]);
        hf_bit_set(c->detects, topo->to[channel]);
    }
}

/* The faults of event i: one component; all of them where the set has no order. */
static void fail_event(crowd *c, uint32_t i) {
    const hf_universe *u = c->faults->universe;
    if (!u || c->n_event == 1) {
        for (uint32_t k = 0; k < c->faults->n_channel; k++) {
            fail_channel(c, c->faults->channel[k]);
        }
        for (uint32_t v = 0; v < c->ways->n; v++) {
            if (hf_bit_test(c->faults->switch_set, v)) {
                hf_bit_set(c->gone, v);
            }
        }
        return;
    }
    const uint32_t component = c->faults->component[i];
    for (uint32_t k = u->channel_begin[component]; k < u->channel_begin[component + 1]; k++) {
        fail_channel(c, u->channel[k]);
    }
    for (uint32_t k = u->switch_begin[component]; k < u->switch_begin[component + 1]; k++) {
        hf_bit_set(c->gone, u->switch_list[k]);
    }
}

static bool is_due(const crowd *c, bool is_quiet) {
    if (c->failed == c->n_event) {
        return false;
    }
    return c->failed == 0 || (c->rule->gap == HF_UNLIMITED ? is_quiet : c->step >= c->last_fault + c->rule->gap);
}

/* ---- notices ---- */

static void announce(crowd *c, uint32_t v) {
    hf_bit_set(c->next_has_note, v);
    c->next_note[v] = c->out->priority[v];
    c->next_skip[v] = c->out->parent[v];
}

static void detect(crowd *c, uint32_t v) {
    hf_emergency *e = c->out;
    const uint64_t n = c->ways->n;
    const uint64_t times = c->rule->is_printed ? e->times[v] : e->priority[v] / n + 1;
    e->priority[v] = times * n + v;
    e->times[v]++;
    e->parent[v] = HF_NONE;
    e->level[v] = 0;
    announce(c, v);
}

static bool is_tie_won(const crowd *c, uint32_t w, uint32_t best) {
    const hf_ways *ways = c->ways;
    return c->rule->ties == HF_TIES_LAST_PORT || (c->rule->ties == HF_TIES_LOW_ID && ways->to[w] < ways->to[best]) ||
           (c->rule->ties == HF_TIES_HIGH_ID && ways->to[w] > ways->to[best]);
}

/* Take the highest notice that comes in, if it is higher than what the switch knows. */
static void listen(crowd *c, uint32_t v) {
    const hf_ways *ways = c->ways;
    hf_emergency *e = c->out;
    uint32_t best = HF_NONE;
    for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
        const uint32_t from = ways->to[w];
        if (hf_bit_test(c->dead, ways->topo->link[ways->channel[w]]) || !hf_bit_test(c->has_note, from) ||
            c->skip[from] == ways->back[w]) {
            continue;
        }
        e->sent++;
        const bool is_higher = best == HF_NONE || c->note[from] > c->note[ways->to[best]];
        if (is_higher || (c->note[from] == c->note[ways->to[best]] && is_tie_won(c, w, best))) {
            best = w;
        }
    }
    if (best != HF_NONE && c->note[ways->to[best]] > e->priority[v]) {
        e->priority[v] = c->note[ways->to[best]];
        e->times[v]++;
        e->parent[v] = best;
        c->last_change = c->step;
        announce(c, v);
    }
}

static void swap_notes(crowd *c) {
    uint64_t *const bits = c->has_note, *const note = c->note;
    uint32_t *const skip = c->skip;
    c->has_note = c->next_has_note;
    c->note = c->next_note;
    c->skip = c->next_skip;
    c->next_has_note = bits;
    c->next_note = note;
    c->next_skip = skip;
    for (size_t w = 0; w < hf_words(c->ways->n); w++) {
        c->next_has_note[w] = 0;
        c->detects[w] = 0;
    }
}

static bool step(crowd *c) {
    bool is_quiet = hf_bits_count(c->has_note, hf_words(c->ways->n)) == 0;
    while (is_due(c, is_quiet)) {
        fail_event(c, c->failed++);
        c->last_fault = c->step;
        is_quiet = false;
    }
    for (uint32_t v = 0; v < c->ways->n && !is_quiet; v++) {
        if (hf_bit_test(c->gone, v)) {
            continue;
        }
        if (hf_bit_test(c->detects, v)) {
            detect(c, v);
        }
        listen(c, v);
    }
    c->step++;
    swap_notes(c);
    return !is_quiet || c->failed < c->n_event;
}

/* ---- what came of it ---- */

/* Root and level by going up; a parent behind a dead link, or one that follows another priority, is none: HF_NONE. */
static void settle(const crowd *c, uint32_t v) {
    hf_emergency *e = c->out;
    const hf_ways *ways = c->ways;
    uint32_t at = v, level = 0;
    while (e->parent[at] != HF_NONE && level <= ways->n) {
        const uint32_t w = e->parent[at], to = ways->to[w];
        if (hf_bit_test(c->dead, ways->topo->link[ways->channel[w]]) || hf_bit_test(c->gone, to) ||
            e->priority[to] != e->priority[at]) {
            level = ways->n;
            break;
        }
        at = to;
        level++;
    }
    const bool is_lost = level >= ways->n || hf_bit_test(c->gone, v) || e->times[v] == 0;
    e->root[v] = is_lost ? HF_NONE : at;
    e->level[v] = is_lost ? HF_NONE : level;
}

hf_status hf_emergency_walk(hf_context *cx, const hf_ways *ways, const hf_emergency_rule *rule, const hf_fault_set *faults,
                            hf_emergency *out) {
    crowd c = {.ways = ways, .rule = rule, .faults = faults, .out = out};
    c.n_event = faults->universe && rule->gap > 0 ? faults->n_component : 1;
    HF_TRY(allocate(cx, &c));
    for (uint32_t v = 0; v < ways->n; v++) {
        out->parent[v] = HF_NONE;
    }
    while (step(&c)) {
        if (hf_context_stopped(cx)) {
            HF_FAIL(cx, HF_ESTOP, "stopped during an emergency");
        }
    }
    for (uint32_t v = 0; v < ways->n; v++) {
        settle(&c, v);
    }
    out->steps = c.last_change > c.last_fault ? c.last_change - c.last_fault : 0;
    return HF_OK;
}
