/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/criteria.h"

#include <stdlib.h>

static bool bit(const uint64_t *set, uint32_t i) { return (set[i / 64] >> (i % 64)) & 1; }

static bool works(const hf_plan *plan, uint32_t channel) { return !bit(plan->faults->channel_set, channel); }

static bool is_end(const hf_topology *topo, uint32_t node) { return node >= topo->n_switch; }

/* ---- the healthy network ---- */

/** Nodes that healthy channels lead to from `start`, which counts. Terminals do not forward. Free it. */
static bool *reached_from(const hf_plan *plan, uint32_t start) {
    const hf_topology *topo = plan->topo;
    bool *seen = calloc(topo->n_node, sizeof *seen), changed = true;
    seen[start] = true;
    while (changed) {
        changed = false;
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            const uint32_t from = topo->from[c], to = topo->to[c];
            if (works(plan, c) && seen[from] && !seen[to] && (from == start || !is_end(topo, from))) {
                seen[to] = changed = true;
            }
        }
    }
    return seen;
}

static bool hangs_together(const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    bool all = true;
    for (uint32_t a = 0; a < topo->n_switch; a++) {
        bool *seen = reached_from(plan, a);
        for (uint32_t b = 0; b < topo->n_switch; b++) {
            all &= bit(plan->faults->switch_set, a) || bit(plan->faults->switch_set, b) || seen[b];
        }
        free(seen);
    }
    return all;
}

static bool has_channel(const hf_plan *plan, uint32_t terminal) {
    const hf_topology *topo = plan->topo;
    const uint32_t node = topo->n_switch + terminal;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (works(plan, c) && (topo->from[c] == node || topo->to[c] == node)) {
            return true;
        }
    }
    return false;
}

static uint32_t in_service(const hf_plan *plan, criteria_name name) {
    const hf_topology *topo = plan->topo;
    uint32_t n = 0;
    if (name == CRITERIA_SWITCHES && topo->n_terminal < 2) {
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            n += !bit(plan->faults->switch_set, v);
        }
        return n;
    }
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const bool is_kept = name == CRITERIA_SWITCHES || name == CRITERIA_CONNECTED || !plan->live || bit(plan->live, t);
        n += is_kept && has_channel(plan, t);
    }
    return n;
}

/* ---- the relation ---- */

/** A step of packets to one destination: from a state to another. */
typedef struct step {
    size_t from, to;
} step;

/** The states that packets to one destination get into: injections, then arrivals. Two more states: the end, and a fault. */
typedef struct states {
    hf_hop *in;
    step *edge;
    size_t n, n_edge, room, edge_room;
} states;
enum { END = 0, FAULT = 1, FIRST = 2 };

static size_t state_of(states *s, size_t first_arrival, hf_hop hop) {
    for (size_t i = first_arrival; i < s->n; i++) {
        if (hf_hop_is(s->in[i], hop)) {
            return i;
        }
    }
    if (s->n == s->room) {
        s->room = 2 * s->room + 64;
        s->in = realloc(s->in, s->room * sizeof *s->in);
    }
    s->in[s->n] = hop;
    return s->n++;
}

static void add_edge(states *s, size_t from, size_t to) {
    if (s->n_edge == s->edge_room) {
        s->edge_room = 2 * s->edge_room + 64;
        s->edge = realloc(s->edge, s->edge_room * sizeof *s->edge);
    }
    s->edge[s->n_edge++] = (step){from, to};
}

static void follow(const hf_plan *plan, uint32_t destination, states *s) {
    const hf_topology *topo = plan->topo;
    const size_t first_arrival = FIRST + topo->n_terminal;
    hf_hop *hops = calloc(plan->max_hops + 1, sizeof *hops);
    for (size_t i = 0; i < first_arrival; i++) {
        (void)state_of(s, s->n, HF_HOP_INJECTION);
    }
    for (size_t i = FIRST; i < s->n; i++) {
        const bool is_source = i < first_arrival;
        const uint32_t at = is_source ? topo->n_switch + (uint32_t)(i - FIRST) : topo->to[s->in[i].channel];
        if (at == topo->n_switch + destination) {
            continue;
        }
        const size_t n = hf_plan_route(plan, at, s->in[i], destination, hops);
        for (size_t k = 0; k < n; k++) {
            const uint32_t to = topo->to[hops[k].channel];
            const bool is_fault = !works(plan, hops[k].channel) || (is_end(topo, to) && to != topo->n_switch + destination);
            add_edge(s, i, is_fault ? FAULT : is_end(topo, to) ? END : state_of(s, first_arrival, hops[k]));
        }
        if (n == 0 && !is_source) {
            add_edge(s, i, FAULT); /* the packet is stuck where the plan sent it */
        }
    }
    free(hops);
}

/** States from which some way leads to `goal`. Free it. */
static bool *can_reach(const states *s, size_t goal) {
    bool *can = calloc(s->n, sizeof *can), changed = true;
    can[goal] = true;
    while (changed) {
        changed = false;
        for (size_t e = s->n_edge; e-- > 0;) {
            if (can[s->edge[e].to] && !can[s->edge[e].from]) {
                can[s->edge[e].from] = changed = true;
            }
        }
    }
    return can;
}

/** For ordered pairs source * n_terminal + destination. */
typedef struct pairs {
    bool *served, *at_risk, *joined;
} pairs;

static bool is_kept(const hf_plan *plan, uint32_t terminal) { return !plan->live || bit(plan->live, terminal); }

static void ask_destination(const hf_plan *plan, uint32_t destination, pairs *p) {
    const uint32_t n = plan->topo->n_terminal;
    states s = {0};
    follow(plan, destination, &s);
    bool *end = can_reach(&s, END), *fault = can_reach(&s, FAULT);
    for (uint32_t t = 0; t < n; t++) {
        p->served[t * n + destination] = t != destination && end[FIRST + t];
        p->at_risk[t * n + destination] = t != destination && fault[FIRST + t];
    }
    free(end);
    free(fault);
    free(s.in);
    free(s.edge);
}

/** Terminals in service pass on: a chain of served pairs serves the two at its ends. */
static void relay(const hf_plan *plan, pairs *p) {
    const uint32_t n = plan->topo->n_terminal;
    for (uint32_t by = 0; by < n; by++) {
        for (uint32_t a = 0; a < n && is_kept(plan, by); a++) {
            for (uint32_t b = 0; b < n; b++) {
                p->served[a * n + b] |= a != b && p->served[a * n + by] && p->served[by * n + b];
            }
        }
    }
}

static pairs ask_all(const hf_plan *plan) {
    const uint32_t n = plan->topo->n_terminal;
    const size_t room = (size_t)n * n + 1;
    pairs p = {calloc(room, sizeof(bool)), calloc(room, sizeof(bool)), calloc(room, sizeof(bool))};
    for (uint32_t a = 0; a < n; a++) {
        bool *seen = reached_from(plan, plan->topo->n_switch + a);
        for (uint32_t b = 0; b < n; b++) {
            p.joined[a * n + b] = seen[plan->topo->n_switch + b];
        }
        free(seen);
        ask_destination(plan, a, &p);
    }
    if (plan->relays) {
        relay(plan, &p);
    }
    return p;
}

static bool is_flow(const hf_plan *plan, uint32_t a, uint32_t b) {
    const hf_flow_list *flows = plan->flows;
    bool is = !flows;
    for (uint32_t i = flows ? flows->begin[b] : 0; flows && i < flows->begin[b + 1]; i++) {
        is |= flows->source[i] == a;
    }
    return is;
}

static bool is_asked(const hf_plan *plan, const pairs *p, criteria_name name, uint32_t a, uint32_t b) {
    const bool is_joined = p->joined[a * plan->topo->n_terminal + b];
    return a != b && is_flow(plan, a, b) && (name == CRITERIA_CONNECTED || (is_kept(plan, a) && is_kept(plan, b))) &&
           (name != CRITERIA_SURVIVING || is_joined);
}

static bool serves(const hf_plan *plan, criteria_name name) {
    const uint32_t n = plan->topo->n_terminal;
    bool all = true;
    pairs p = ask_all(plan);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            const bool is_good = name == CRITERIA_CONNECTED ? p.joined[a * n + b] : p.served[a * n + b] && !p.at_risk[a * n + b];
            all &= !is_asked(plan, &p, name, a, b) || is_good;
        }
    }
    free(p.served);
    free(p.at_risk);
    free(p.joined);
    return all;
}

bool criteria_tolerates(const hf_plan *plan, criteria_name name, uint32_t least) {
    bool any = false;
    if (name == CRITERIA_SWITCHES) {
        return hangs_together(plan) && in_service(plan, name) >= least;
    }
    if (name == CRITERIA_CONNECTED) {
        return in_service(plan, name) >= least && serves(plan, name);
    }
    for (uint32_t t = 0; t < plan->topo->n_terminal; t++) {
        any |= is_kept(plan, t);
    }
    return any && in_service(plan, name) >= least && serves(plan, name);
}

uint32_t criteria_least(const hf_topology *topo, criteria_name name, uint32_t count, uint32_t percent) {
    const uint32_t n = name == CRITERIA_SWITCHES && topo->n_terminal < 2 ? topo->n_switch : topo->n_terminal;
    const uint32_t wanted = percent ? (n * percent + 99) / 100 : count;
    return n < 2 ? 0 : wanted < 2 ? 2 : wanted;
}
