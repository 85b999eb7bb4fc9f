/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/escapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <holdfast/core/bitset.h>

/* Places of packets for one destination. */
typedef struct spot {
    hf_hop in;
    uint32_t at;
    size_t n;
    hf_hop *hop; /* healthy ones; those that end at a wrong terminal have the channel HF_NONE */
    bool *is_escape;
} spot;

typedef struct ground {
    const hf_plan *plan;
    const hf_escape *escape;
    uint32_t n_resource, destination;
    spot *spot;
    size_t n;
    bool *is_used; /* by resource, as an escape */
    bool *edge;    /* n_resource x n_resource */
} ground;

static uint32_t resource(const ground *g, hf_hop hop) { return hop.channel * g->plan->n_vc + hop.vc; }

static size_t find(const ground *g, hf_hop in) {
    size_t i = 0;
    while (i < g->n && !hf_hop_is(g->spot[i].in, in)) {
        i++;
    }
    return i;
}

static bool is_escape(const ground *g, const spot *s, hf_hop hop) {
    const hf_topology *topo = g->plan->topo;
    hf_hop own[256];
    if (topo->link[hop.channel] >= topo->n_switch_link) {
        return true;
    }
    if (!g->escape->is_declared) {
        return hop.vc < 64 && (g->escape->vcs >> hop.vc & 1);
    }
    const size_t n = g->plan->routing->escape(g->plan, s->at, s->in, g->destination, own);
    return hf_hops_hold(own, n, hop);
}

static void look_round(ground *g, spot *s) {
    const hf_topology *topo = g->plan->topo;
    hf_hop *hops = calloc(hf_plan_room(g->plan), sizeof *hops);
    s->hop = calloc(hf_plan_room(g->plan), sizeof *s->hop);
    s->is_escape = calloc(hf_plan_room(g->plan), 1);
    assert_true(hops && s->hop && s->is_escape);
    const size_t n = hf_plan_route(g->plan, s->at, s->in, g->destination, hops);
    for (size_t i = 0; i < n; i++) {
        const uint32_t to = topo->to[hops[i].channel];
        const bool is_lost = hf_topology_is_terminal(topo, to) && to != topo->n_switch + g->destination;
        if (!hf_bit_test(g->plan->faults->channel_set, hops[i].channel) && !is_lost) {
            s->is_escape[s->n] = is_escape(g, s, hops[i]);
            s->hop[s->n++] = hops[i];
        }
    }
    free(hops);
}

static void add(ground *g, hf_hop in, uint32_t at) {
    if (in.channel != HF_NONE && find(g, in) < g->n) {
        return;
    }
    g->spot = realloc(g->spot, (g->n + 1) * sizeof *g->spot);
    assert_non_null(g->spot);
    spot s = {.in = in, .at = at};
    look_round(g, &s);
    g->spot[g->n++] = s;
}

static void gather(ground *g) {
    const hf_topology *topo = g->plan->topo;
    g->n = 0;
    for (uint32_t source = 0; source < topo->n_terminal; source++) {
        if (hf_plan_sends(g->plan, source, g->destination)) {
            add(g, HF_HOP_INJECTION, topo->n_switch + source);
        }
    }
    for (size_t i = 0; i < g->n; i++) {
        for (size_t h = 0; h < g->spot[i].n; h++) {
            const hf_hop hop = g->spot[i].hop[h];
            if (!hf_topology_is_terminal(topo, topo->to[hop.channel])) {
                add(g, hop, topo->to[hop.channel]);
            }
        }
    }
}

/* All escape hops in sight of a place, over hops that are none. */
static void see(ground *g, size_t from, uint32_t held, bool *seen) {
    const spot *s = &g->spot[from];
    seen[from] = true;
    for (size_t h = 0; h < s->n; h++) {
        if (s->is_escape[h]) {
            g->edge[(size_t)held * g->n_resource + resource(g, s->hop[h])] = true;
            continue;
        }
        const size_t to = find(g, s->hop[h]);
        if (to < g->n && !seen[to]) {
            see(g, to, held, seen);
        }
    }
}

static void release(ground *g) {
    for (size_t i = 0; i < g->n; i++) {
        free(g->spot[i].hop);
        free(g->spot[i].is_escape);
    }
    free(g->spot);
    g->spot = NULL;
}

/* One destination. \return whether each packet is offered an escape wherever it can be */
static bool check_destination(ground *g) {
    bool ok = true;
    gather(g);
    for (size_t i = 0; i < g->n; i++) {
        const spot *s = &g->spot[i];
        bool any = s->in.channel == HF_NONE && s->n == 0; /* never sent */
        bool *seen = calloc(g->n + 1, 1);
        assert_non_null(seen);
        for (size_t h = 0; h < s->n; h++) {
            any |= s->is_escape[h];
            g->is_used[resource(g, s->hop[h])] |= s->is_escape[h];
        }
        ok &= any;
        if (s->in.channel != HF_NONE) {
            see(g, i, resource(g, s->in), seen);
        }
        free(seen);
    }
    release(g);
    return ok;
}

/* Longest ways to an end, by as many rounds as there can be levels. */
static bool number_all(const ground *g, uint32_t *number) {
    const uint32_t n = g->n_resource;
    uint32_t highest = 0, *level = calloc(n, sizeof *level);
    bool grew = true;
    assert_non_null(level);
    for (uint32_t round = 0; round <= n + 1 && grew; round++) {
        grew = false;
        for (uint32_t a = 0; a < n; a++) {
            for (uint32_t b = 0; b < n && g->is_used[a]; b++) {
                if (g->edge[(size_t)a * n + b] && level[a] <= level[b]) {
                    level[a] = level[b] + 1;
                    grew = true;
                }
            }
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        highest = level[r] > highest ? level[r] : highest;
    }
    for (uint32_t r = 0; r < n; r++) {
        number[r] = g->is_used[r] ? highest - level[r] : HF_NONE;
    }
    free(level);
    return !grew;
}

bool escapes_check(const hf_plan *plan, const hf_escape *escape, uint32_t *number) {
    ground g = {.plan = plan, .escape = escape, .n_resource = plan->topo->n_channel * plan->n_vc};
    g.is_used = calloc(g.n_resource, 1);
    g.edge = calloc((size_t)g.n_resource * g.n_resource, 1);
    assert_true(g.is_used && g.edge);
    bool ok = true;
    for (uint32_t d = 0; d < plan->topo->n_terminal; d++) {
        if (hf_plan_is_live(plan, d)) {
            g.destination = d;
            ok &= check_destination(&g);
        }
    }
    ok = ok && number_all(&g, number);
    free(g.is_used);
    free(g.edge);
    return ok;
}
