/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Ways that close no cycle: what is reached from where along dependencies is kept as bits, a search from the source goes on by
 *  dependencies that lead back to nothing before them, and who is stuck pushes others away. */
#include "src/analysis/deadlock/reroute.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/heap.h"

enum { ROUNDS_MOST = 1000 };

static bool is_before(const void *user, const hf_route_bud *a, const hf_route_bud *b) {
    (void)user;
    return a->cost != b->cost ? a->cost < b->cost : a->resource < b->resource;
}
HF_HEAP_DEFINE(heap, hf_route_bud, const void *, is_before);

static uint64_t *reach_of(const hf_rerouter *m, uint32_t r) { return m->reach + (size_t)r * m->words; }
static bool reaches(const hf_rerouter *m, uint32_t from, uint32_t to) { return from == to || hf_bit_test(reach_of(m, from), to); }

void hf_reroute_load(hf_rerouter *m) {
    const hf_topology *topo = m->r.plan->topo;
    memset(m->load, 0, topo->n_channel * sizeof *m->load);
    m->busiest = 0;
    for (uint32_t p = 0; p < m->r.routes->n; p++) {
        for (uint32_t i = 0; i < m->r.routes->of[p].n; i++) {
            const uint32_t c = m->r.routes->of[p].resource[i] / m->r.plan->n_vc;
            m->load[c]++;
            m->busiest = topo->link[c] < topo->n_switch_link && m->load[c] > m->busiest ? m->load[c] : m->busiest;
        }
    }
}

/* ---- what is reached from where ---- */

static void lay(hf_rerouter *m, uint32_t from, uint32_t to) {
    uint64_t *const ahead = reach_of(m, to);
    if (hf_bit_test(reach_of(m, from), to)) {
        return;
    }
    for (uint32_t r = 0; r < m->r.n_resource; r++) {
        if (reaches(m, r, from)) {
            (void)hf_bits_or(reach_of(m, r), ahead, m->words);
            hf_bit_set(reach_of(m, r), to);
        }
    }
}

static void lay_route(hf_rerouter *m, const hf_route *route) {
    for (uint32_t i = 0; i + 1 < route->n; i++) {
        lay(m, route->resource[i], route->resource[i + 1]);
    }
}

/* Could a way be laid without closing a cycle? None of it leads back to what comes before. */
bool hf_reroute_fits(const hf_rerouter *m, const hf_route *route) {
    for (uint32_t i = 0; i < route->n; i++) {
        for (uint32_t j = i + 1; j < route->n; j++) {
            if (reaches(m, route->resource[j], route->resource[i])) {
                return false;
            }
        }
    }
    return true;
}

/* All edges of a graph without a cycle, sinks first. */
hf_status hf_reroute_lay(hf_rerouter *m, const hf_digraph *g) {
    const uint32_t n = m->r.n_resource;
    const hf_mark mark = hf_scratch_mark(m->r.cx);
    uint32_t *level, levelled;
    hf_rows by_level;
    HF_TRY(hf_scratch(m->r.cx, n, sizeof *level, (void **)&level));
    HF_TRY(hf_digraph_levels(m->r.cx, g, level, &levelled));
    HF_TRY(hf_rows_of(m->r.cx, n, NULL, n, level, &by_level));
    memset(m->reach, 0, (size_t)n * m->words * sizeof *m->reach);
    for (uint32_t i = 0; i < levelled; i++) {
        const uint32_t r = by_level.item[i];
        for (uint32_t e = g->out.begin[r]; e < g->out.begin[r + 1]; e++) {
            (void)hf_bits_or(reach_of(m, r), reach_of(m, g->out.item[e]), m->words);
            hf_bit_set(reach_of(m, r), g->out.item[e]);
        }
    }
    hf_scratch_reset(m->r.cx, mark);
    return HF_OK;
}

/* ---- a way ---- */

/* While pairs are still without a way, dependencies that leave others as many as can be. */
static const uint64_t new_dependency = UINT64_C(1) << 34;

/* A channel that would become busier than any is counts most, then hops, then what it carries. */
static uint64_t cost_of(const hf_rerouter *m, uint32_t channel) {
    const hf_topology *topo = m->r.plan->topo;
    const bool is_inside = topo->link[channel] < topo->n_switch_link;
    const uint64_t over = is_inside && m->load[channel] >= m->busiest ? m->load[channel] + 1 - m->busiest : 0;
    return (m->balances ? over << 40 : 0) + (UINT64_C(1) << 24) + (is_inside ? m->load[channel] : 0);
}

/* Does the way to `at` have nothing that q leads back to? */
static bool leads_on(const hf_rerouter *m, uint32_t at, uint32_t q) {
    for (; at != HF_NONE; at = m->before[at]) {
        if (reaches(m, q, at)) {
            return false;
        }
    }
    return true;
}

static hf_status offer(hf_rerouter *m, uint32_t q, uint64_t cost, uint32_t before) {
    if (cost < m->cost[q]) {
        m->cost[q] = cost;
        m->before[q] = before;
        HF_GROW_SCRATCH(m->r.cx, m->heap, m->n_heap, m->heap_room);
        heap_push(NULL, m->heap, m->n_heap++, (hf_route_bud){cost, q});
    }
    return HF_OK;
}

/* On from a node, by all healthy channels but those to other terminals. */
static hf_status spread(hf_rerouter *m, uint32_t node, uint32_t goal, uint64_t cost, uint32_t before) {
    const hf_topology *topo = m->r.plan->topo;
    const uint32_t n_vc = m->r.plan->n_vc;
    for (uint32_t i = topo->out_begin[node]; i < topo->out_begin[node + 1]; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (!hf_reroute_is_healthy(m, c) || (to >= topo->n_switch && to != goal)) {
            continue;
        }
        for (uint32_t vc = 0; vc < n_vc; vc++) {
            const uint32_t q = c * n_vc + vc;
            if (before == HF_NONE || leads_on(m, before, q)) {
                const bool is_laid = before == HF_NONE || hf_bit_test(reach_of(m, before), q);
                HF_TRY(offer(m, q, cost + cost_of(m, c) + (is_laid || m->balances ? 0 : new_dependency), before));
            }
        }
    }
    return HF_OK;
}

static hf_status take_way(const hf_rerouter *m, uint32_t last, hf_route *route) {
    route->n = 0;
    for (uint32_t r = last; r != HF_NONE; r = m->before[r]) {
        route->n++;
    }
    HF_TRY(hf_scratch(m->r.cx, route->n, sizeof *route->resource, (void **)&route->resource));
    uint32_t i = route->n;
    for (uint32_t r = last; r != HF_NONE; r = m->before[r]) {
        route->resource[--i] = r;
    }
    return HF_OK;
}

/* \param[out] found there is a way; the route has it, and it is laid */
hf_status hf_reroute_way(hf_rerouter *m, hf_route *route, bool *found) {
    const hf_topology *topo = m->r.plan->topo;
    const uint32_t goal = topo->n_switch + route->destination;
    m->n_heap = 0;
    memset(m->cost, 0xff, m->r.n_resource * sizeof *m->cost);
    *found = false;
    HF_TRY(spread(m, topo->n_switch + route->source, goal, 0, HF_NONE));
    while (m->n_heap > 0 && !*found) {
        const hf_route_bud b = heap_pop(NULL, m->heap, m->n_heap--);
        const uint32_t at = topo->to[b.resource / m->r.plan->n_vc];
        if (b.cost > m->cost[b.resource]) {
            continue;
        }
        if (at == goal) {
            HF_TRY(take_way(m, b.resource, route));
            *found = hf_reroute_fits(m, route);
        } else {
            HF_TRY(spread(m, at, goal, b.cost, b.resource));
        }
    }
    if (*found) {
        lay_route(m, route);
    }
    return HF_OK;
}

/* ---- all routes that are to have another ---- */

typedef struct job {
    uint32_t length, route;
} job;

static int longest_first(const void *a, const void *b) {
    const job *x = a, *y = b;
    return x->length != y->length ? (x->length > y->length ? -1 : 1) : (x->route > y->route) - (x->route < y->route);
}

/* Routes that are to have another way and have none yet, longest first. */
static hf_status list_jobs(const hf_rerouter *m, job **jobs, uint32_t *n) {
    const hf_routes *routes = m->r.routes;
    *n = 0;
    HF_TRY(hf_scratch(m->r.cx, routes->n, sizeof **jobs, (void **)jobs));
    for (uint32_t p = 0; p < routes->n; p++) {
        if (routes->of[p].is_new && routes->of[p].n == 0 && !m->is_cut_off[p]) {
            (*jobs)[(*n)++] = (job){m->old[p].n, p};
        }
    }
    if (*n) {
        qsort(*jobs, *n, sizeof **jobs, longest_first);
    }
    return HF_OK;
}

/* Ways for all of them. \param[out] stuck one that finds none, HF_NONE: none */
hf_status hf_reroute_ways(hf_rerouter *m, uint32_t *stuck) {
    job *jobs;
    uint32_t n;
    *stuck = HF_NONE;
    HF_TRY(list_jobs(m, &jobs, &n));
    for (uint32_t i = 0; i < n && *stuck == HF_NONE; i++) {
        bool found;
        HF_TRY(hf_context_go_on(m->r.cx, "giving routes other ways"));
        hf_reroute_load(m);
        HF_TRY(hf_reroute_way(m, &m->r.routes->of[jobs[i].route], &found));
        *stuck = found ? HF_NONE : jobs[i].route;
    }
    return HF_OK;
}

void hf_reroute_forget(const hf_rerouter *m) {
    for (uint32_t p = 0; p < m->r.routes->n; p++) {
        m->r.routes->of[p].n = m->r.routes->of[p].is_new ? 0 : m->r.routes->of[p].n;
    }
}

/* Lay the ways that fit, new ones or old ones; others are to have new ones. */
static void lay_fitting(hf_rerouter *m, bool is_new) {
    for (uint32_t p = 0; p < m->r.routes->n; p++) {
        hf_route *route = &m->r.routes->of[p];
        if (route->is_new != is_new || route->n == 0) {
            continue;
        }
        if (hf_reroute_fits(m, route)) {
            lay_route(m, route);
        } else {
            route->is_new = true;
            route->n = 0;
        }
    }
}

static void forget_reach(const hf_rerouter *m) { memset(m->reach, 0, (size_t)m->r.n_resource * m->words * sizeof *m->reach); }

/* A way for one that is stuck, with regard to other new ways alone, or to none; those that no longer fit are to have new ones,
 * too. */
static hf_status make_room(hf_rerouter *m, uint32_t stuck) {
    hf_route *route = &m->r.routes->of[stuck];
    bool found;
    forget_reach(m);
    lay_fitting(m, true);
    HF_TRY(hf_reroute_way(m, route, &found));
    if (!found) {
        forget_reach(m);
        HF_TRY(hf_reroute_way(m, route, &found));
        lay_fitting(m, true);
    }
    lay_fitting(m, false);
    return HF_OK;
}

/* Ways for all; each that is stuck pushes others away, which find ways in their turn. \param[out] ok all have one */
hf_status hf_reroute_settle(hf_rerouter *m, bool *ok) {
    uint32_t stuck;
    *ok = false;
    for (uint32_t round = 0; round <= ROUNDS_MOST && hf_clock_s() < m->r.end_s; round++) {
        HF_TRY(hf_reroute_ways(m, &stuck));
        *ok = stuck == HF_NONE;
        if (*ok) {
            return HF_OK;
        }
        HF_TRY(make_room(m, stuck));
    }
    return HF_OK;
}

/* ---- who has no way at all ---- */

hf_status hf_reroute_cut_off(hf_rerouter *m) {
    hf_routes *routes = m->r.routes;
    for (uint32_t p = 0; p < routes->n; p++) {
        if (m->old[p].n == 0) {
            bool found;
            forget_reach(m);
            HF_TRY(hf_reroute_way(m, &routes->of[p], &found));
            routes->of[p].n = 0;
            m->is_cut_off[p] = !found;
        }
    }
    forget_reach(m);
    return HF_OK;
}
