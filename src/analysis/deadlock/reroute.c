/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Other ways for some routes, so that no cycle of dependencies is left.
 *
 *  First the fewest routes are chosen without which the others close no cycle (src/analysis/deadlock/reroute_choose.c). Each of
 *  them takes a way along which no dependency closes a cycle: what can be reached from where along dependencies is kept as bits.
 *  Of such ways one is taken that makes no channel busier than the busiest is, and then the shortest and least loaded. Where a
 *  route has none left, all are held to up and down ways from a root of which most are kept; that always does on a connected
 *  network whose links have both directions. Then each route whose old way closes no cycle any more gets it back. Longest routes
 *  come first. Source: none; the growing of ways under dependencies is as in [domke2016]. */
#include <string.h>

#include "src/analysis/deadlock/reroute.h"
#include "src/core/acyclic.h"
#include "src/core/grow.h"
#include "src/core/layers.h"

enum { RESOURCES_MOST = 8192, ROOTS_MOST = 512 };

/* ---- what the plan has ---- */

static hf_status add_route(hf_rerouter *m, hf_layer_set *numbers, uint32_t source, uint32_t destination, const uint32_t *path,
                           uint32_t length) {
    hf_routes *routes = m->r.routes;
    hf_route *route = &routes->of[routes->n++];
    *route = (hf_route){.source = source, .destination = destination, .n = length, .is_new = length == 0};
    HF_TRY(hf_scratch(m->r.cx, length, sizeof *route->resource, (void **)&route->resource));
    for (uint32_t i = 0; i < length; i++) {
        uint32_t edge;
        route->resource[i] = path[i];
        HF_TRY(i + 1 < length ? hf_layers_edge(m->r.cx, numbers, path[i], path[i + 1], &edge) : HF_OK);
    }
    return HF_OK;
}

static hf_status read_routes(hf_rerouter *m, hf_layer_set *numbers, bool *is_single) {
    const hf_plan *plan = m->r.plan;
    const uint32_t n = plan->topo->n_terminal;
    hf_hop *hops;
    uint32_t *path, length, count = 0;
    HF_TRY(hf_scratch(m->r.cx, hf_plan_room(plan), sizeof *hops, (void **)&hops));
    HF_TRY(hf_scratch(m->r.cx, HF_ROUTE_HOPS, sizeof *path, (void **)&path));
    for (uint32_t i = 0; i < n * n; i++) {
        count += hf_plan_sends(plan, i / n, i % n);
    }
    HF_TRY(hf_scratch(m->r.cx, count, sizeof *m->r.routes->of, (void **)&m->r.routes->of));
    for (uint32_t i = 0; i < n * n && *is_single; i++) {
        if (hf_plan_sends(plan, i / n, i % n)) {
            HF_TRY(hf_route_follow(m->r.cx, plan, i / n, i % n, hops, path, &length, is_single));
            HF_TRY(add_route(m, numbers, i / n, i % n, path, length));
        }
    }
    return HF_OK;
}

/* Dependencies by route, and routes by dependency. */
static hf_status index_routes(hf_rerouter *m, hf_layer_set *numbers) {
    hf_rerouting *r = &m->r;
    r->n_dependency = numbers->n_edge;
    HF_TRY(hf_scratch(r->cx, r->n_dependency, sizeof *r->from, (void **)&r->from));
    HF_TRY(hf_scratch(r->cx, r->n_dependency, sizeof *r->to, (void **)&r->to));
    for (uint32_t e = 0; e < r->n_dependency; e++) {
        r->from[e] = numbers->edge[e].from;
        r->to[e] = numbers->edge[e].to;
    }
    HF_TRY(hf_rows_start(r->cx, r->routes->n, &r->of_route));
    for (uint32_t p = 0; p < r->routes->n; p++) {
        for (uint32_t i = 0; i + 1 < r->routes->of[p].n; i++) {
            hf_rows_count(&r->of_route, p);
        }
    }
    HF_TRY(hf_rows_lay(r->cx, &r->of_route));
    for (uint32_t p = 0; p < r->routes->n; p++) {
        const hf_route *route = &r->routes->of[p];
        for (uint32_t i = 0; i + 1 < route->n; i++) {
            uint32_t edge;
            HF_TRY(hf_layers_edge(r->cx, numbers, route->resource[i], route->resource[i + 1], &edge));
            hf_rows_put(&r->of_route, p, edge);
        }
    }
    return hf_rows_turn(r->cx, &r->of_route, r->n_dependency, &r->users);
}

static hf_status open_maker(hf_rerouter *m) {
    hf_context *cx = m->r.cx;
    m->words = (uint32_t)hf_words(m->r.n_resource);
    HF_TRY(hf_scratch(cx, (size_t)m->r.n_resource * m->words, sizeof *m->reach, (void **)&m->reach));
    HF_TRY(hf_scratch(cx, m->r.plan->topo->n_channel, sizeof *m->load, (void **)&m->load));
    HF_TRY(hf_scratch(cx, m->r.n_resource, sizeof *m->cost, (void **)&m->cost));
    HF_TRY(hf_scratch(cx, m->r.n_resource, sizeof *m->before, (void **)&m->before));
    HF_TRY(hf_scratch(cx, m->r.routes->n, sizeof *m->old, (void **)&m->old));
    HF_TRY(hf_scratch(cx, m->r.routes->n, sizeof *m->is_cut_off, (void **)&m->is_cut_off));
    if (m->r.routes->n) {
        memcpy(m->old, m->r.routes->of, m->r.routes->n * sizeof *m->old);
    }
    return HF_OK;
}

/* ---- up and down ---- */

static bool has_both_ways(const hf_rerouter *m, uint32_t c) {
    const hf_topology *topo = m->r.plan->topo;
    const uint32_t back = topo->reverse[c];
    return topo->link[c] < topo->n_switch_link && back != HF_NONE && hf_reroute_is_healthy(m, c) &&
           hf_reroute_is_healthy(m, back);
}

/* Places of switches, breadth first from a root; parts that it does not reach have roots of their own. */
static void rank_from(hf_rerouter *m, uint32_t root, uint32_t *queue) {
    const hf_topology *topo = m->r.plan->topo;
    uint32_t tail = 0;
    memset(m->rank, 0xff, topo->n_switch * sizeof *m->rank);
    for (uint32_t k = 0, head = 0; k < topo->n_switch; k++) {
        const uint32_t start = (root + k) % topo->n_switch;
        if (m->rank[start] != HF_NONE) {
            continue;
        }
        m->rank[start] = tail;
        queue[tail++] = start;
        for (; head < tail; head++) {
            const uint32_t v = queue[head];
            for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
                const uint32_t c = topo->out_list[i], to = topo->to[c];
                if (has_both_ways(m, c) && m->rank[to] == HF_NONE) {
                    m->rank[to] = tail;
                    queue[tail++] = to;
                }
            }
        }
    }
}

static bool goes_up(const hf_rerouter *m, uint32_t channel) {
    const hf_topology *topo = m->r.plan->topo;
    const uint32_t a = topo->from[channel], b = topo->to[channel];
    return a >= topo->n_switch || (b < topo->n_switch && m->rank[b] < m->rank[a]);
}

/* Down and up again is no such way. */
static bool is_up_and_down(const hf_rerouter *m, const hf_route *route) {
    bool is_down = false;
    for (uint32_t i = 0; i < route->n; i++) {
        const bool up = goes_up(m, route->resource[i] / m->r.plan->n_vc);
        if (is_down && up) {
            return false;
        }
        is_down |= !up;
    }
    return route->n > 0;
}

static uint32_t count_turned(const hf_rerouter *m) {
    uint32_t n = 0;
    for (uint32_t p = 0; p < m->r.routes->n; p++) {
        n += !is_up_and_down(m, &m->old[p]);
    }
    return n;
}

/* The root that leaves most ways as they are. */
static hf_status rank_switches(hf_rerouter *m) {
    const uint32_t n = m->r.plan->topo->n_switch, step = n / ROOTS_MOST + 1;
    uint32_t *queue, best = 0, fewest = HF_NONE;
    HF_TRY(hf_scratch(m->r.cx, n, sizeof *m->rank, (void **)&m->rank));
    HF_TRY(hf_scratch(m->r.cx, n, sizeof *queue, (void **)&queue));
    for (uint32_t root = 0; root < n; root += step) {
        rank_from(m, root, queue);
        const uint32_t turned = count_turned(m);
        best = turned < fewest ? root : best;
        fewest = turned < fewest ? turned : fewest;
    }
    rank_from(m, best, queue);
    return HF_OK;
}

/* All turns of up and down ways, so that they stay open to everybody. */
static hf_status lay_turns(hf_rerouter *m) {
    const hf_topology *topo = m->r.plan->topo;
    const uint32_t n_vc = m->r.plan->n_vc;
    uint32_t *from = NULL, *to = NULL, n = 0;
    size_t from_room = 0, to_room = 0;
    hf_digraph g;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t v = topo->to[c];
        for (uint32_t i = topo->out_begin[v]; v < topo->n_switch && i < topo->out_begin[v + 1]; i++) {
            const uint32_t next = topo->out_list[i];
            for (uint32_t k = 0; k < n_vc * n_vc && (goes_up(m, c) || !goes_up(m, next)); k++) {
                HF_GROW_SCRATCH(m->r.cx, from, n, from_room);
                HF_GROW_SCRATCH(m->r.cx, to, n, to_room);
                from[n] = c * n_vc + k / n_vc;
                to[n++] = next * n_vc + k % n_vc;
            }
        }
    }
    HF_TRY(hf_digraph_of_edges(m->r.cx, m->r.n_resource, n, from, to, &g));
    return hf_reroute_lay(m, &g);
}

static hf_status go_up_and_down(hf_rerouter *m, bool *ok) {
    hf_routes *routes = m->r.routes;
    uint32_t stuck;
    HF_TRY(rank_switches(m));
    for (uint32_t p = 0; p < routes->n; p++) {
        routes->of[p] = m->old[p];
        routes->of[p].is_new = !is_up_and_down(m, &m->old[p]);
    }
    hf_reroute_forget(m);
    HF_TRY(lay_turns(m));
    HF_TRY(hf_reroute_ways(m, &stuck));
    *ok = stuck == HF_NONE;
    return HF_OK;
}

/* ---- back to the old way ---- */

/* What the routes have now, but one. */
static hf_status lay_all_but(hf_rerouter *m, uint32_t but) {
    const hf_routes *routes = m->r.routes;
    const hf_mark mark = hf_scratch_mark(m->r.cx);
    uint32_t *from, *to, n = 0, most = 0;
    hf_digraph g;
    for (uint32_t p = 0; p < routes->n; p++) {
        most += routes->of[p].n;
    }
    HF_TRY(hf_scratch(m->r.cx, most, sizeof *from, (void **)&from));
    HF_TRY(hf_scratch(m->r.cx, most, sizeof *to, (void **)&to));
    for (uint32_t p = 0; p < routes->n; p++) {
        for (uint32_t i = 0; p != but && i + 1 < routes->of[p].n; i++) {
            from[n] = routes->of[p].resource[i];
            to[n++] = routes->of[p].resource[i + 1];
        }
    }
    HF_TRY(hf_digraph_of_edges(m->r.cx, m->r.n_resource, n, from, to, &g));
    HF_TRY(hf_reroute_lay(m, &g));
    hf_scratch_reset(m->r.cx, mark);
    return HF_OK;
}

static hf_status go_back(hf_rerouter *m) {
    hf_routes *routes = m->r.routes;
    for (uint32_t p = 0; p < routes->n && hf_clock_s() < m->r.end_s; p++) {
        if (routes->of[p].is_new && m->old[p].n > 0) {
            HF_TRY(hf_context_go_on(m->r.cx, "giving routes other ways"));
            HF_TRY(lay_all_but(m, p));
            routes->of[p] = hf_reroute_fits(m, &m->old[p]) ? m->old[p] : routes->of[p];
        }
    }
    return HF_OK;
}

/* Each in turn takes the best way beside those of all others. */
static hf_status balance(hf_rerouter *m) {
    hf_routes *routes = m->r.routes;
    m->balances = true;
    for (uint32_t p = 0; p < routes->n && hf_clock_s() < m->r.end_s; p++) {
        if (routes->of[p].is_new && routes->of[p].n > 0) {
            const hf_route present = routes->of[p];
            bool found;
            HF_TRY(hf_context_go_on(m->r.cx, "giving routes other ways"));
            HF_TRY(lay_all_but(m, p));
            routes->of[p].n = 0;
            hf_reroute_load(m);
            HF_TRY(hf_reroute_way(m, &routes->of[p], &found));
            routes->of[p] = found ? routes->of[p] : present;
        }
    }
    return HF_OK;
}

/* ---- what came of it ---- */

/* Made anew from the ways: do they close no cycle? With `only_new` the old ways of those that have others, by themselves. */
static hf_status is_acyclic(const hf_rerouter *m, bool only_new, bool *ok) {
    hf_acyclic g;
    const hf_mark mark = hf_scratch_mark(m->r.cx);
    HF_TRY(hf_acyclic_init(m->r.cx, m->r.n_resource, &g));
    *ok = true;
    for (uint32_t p = 0; p < m->r.routes->n && *ok; p++) {
        const hf_route *route = only_new ? &m->old[p] : &m->r.routes->of[p];
        for (uint32_t i = 0; i + 1 < route->n && *ok && (!only_new || m->r.routes->of[p].is_new); i++) {
            HF_TRY(hf_acyclic_add(m->r.cx, &g, route->resource[i], route->resource[i + 1], ok));
        }
    }
    hf_scratch_reset(m->r.cx, mark);
    return HF_OK;
}

static hf_status report(hf_rerouter *m, hf_reroute *out) {
    HF_TRY(is_acyclic(m, false, &out->is_found));
    HF_TRY(is_acyclic(m, true, &out->one_more_vc));
    for (uint32_t p = 0; p < m->r.routes->n; p++) {
        out->n_changed += m->r.routes->of[p].is_new && m->r.routes->of[p].n > 0;
        out->n_lost += m->r.routes->of[p].n == 0;
    }
    hf_reroute_load(m);
    out->load_after = m->busiest;
    out->old = m->old;
    out->lower_bound -= out->lower_bound < out->n_lost ? out->lower_bound : out->n_lost;
    out->is_fewest = out->is_found && out->n_changed == out->lower_bound;
    return HF_OK;
}

static uint32_t count_changed(const hf_rerouter *m) {
    uint32_t n = 0;
    for (uint32_t p = 0; p < m->r.routes->n; p++) {
        n += m->r.routes->of[p].is_new && m->r.routes->of[p].n > 0;
    }
    return n;
}

/* Up and down ways where the first attempt failed, or more pairs than need to had to change. */
static hf_status try_up_and_down(hf_rerouter *m, bool *ok) {
    const uint32_t first = *ok ? count_changed(m) : HF_NONE;
    hf_route *kept;
    HF_TRY(hf_scratch(m->r.cx, m->r.routes->n, sizeof *kept, (void **)&kept));
    memcpy(kept, m->r.routes->of, m->r.routes->n * sizeof *kept);
    bool is_up;
    HF_TRY(go_up_and_down(m, &is_up));
    HF_TRY(is_up ? go_back(m) : HF_OK);
    if (!is_up || (*ok && first <= count_changed(m))) {
        memcpy(m->r.routes->of, kept, m->r.routes->n * sizeof *kept);
    } else {
        *ok = true;
    }
    return HF_OK;
}

static hf_status reroute(hf_rerouter *m, hf_reroute *out) {
    bool ok;
    hf_digraph kept;
    HF_TRY(hf_reroute_cut_off(m));
    HF_TRY(hf_rerouting_choose(&m->r, &out->lower_bound));
    hf_reroute_forget(m);
    HF_TRY(hf_rerouting_graph(&m->r, &kept));
    HF_TRY(hf_reroute_lay(m, &kept));
    HF_TRY(hf_reroute_settle(m, &ok));
    HF_TRY(ok ? go_back(m) : HF_OK);
    if (m->r.routes->n > 0 && (!ok || count_changed(m) > out->lower_bound)) {
        HF_TRY(try_up_and_down(m, &ok));
    }
    if (!ok) {
        return HF_OK;
    }
    HF_TRY(balance(m));
    return report(m, out);
}

hf_status hf_deadlock_reroute(hf_context *cx, const hf_plan *plan, double limit_s, hf_reroute *out) {
    hf_layer_set numbers;
    bool is_single = true;
    hf_rerouter m = {.r = {.cx = cx,
                           .plan = plan,
                           .n_resource = plan->topo->n_channel * plan->n_vc,
                           .routes = &out->routes,
                           .end_s = hf_clock_s() + limit_s}};
    *out = (hf_reroute){.routes.n_vc = plan->n_vc};
    if (m.r.n_resource > RESOURCES_MOST) {
        HF_FAIL(cx, HF_ERANGE, "%u virtual channels are too many to look for other ways; need at most %d", m.r.n_resource,
                RESOURCES_MOST);
    }
    HF_TRY(hf_layers_init(cx, m.r.n_resource, &numbers));
    HF_TRY(read_routes(&m, &numbers, &is_single));
    if (!is_single) {
        HF_FAIL(cx, HF_ENOTSUP, "routing \"%s\" offers packets several ways; other ways are for rules with one for each pair",
                plan->routing->name);
    }
    HF_TRY(index_routes(&m, &numbers));
    HF_TRY(open_maker(&m));
    hf_reroute_load(&m);
    out->load_before = m.busiest;
    return reroute(&m, out);
}
