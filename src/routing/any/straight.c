/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Shortest ways by arithmetic. */
#include "src/routing/any/straight.h"

#include <holdfast/core/bitset.h>

#include "src/routing/ends.h"

/* Into the network, or out of it. \return 0 in between */
static inline size_t end_runs(const hf_topology *topo, uint32_t at, uint32_t destination, hf_channel_run *run) {
    hf_hop hop;
    if (!hf_route_ends(topo, at, destination, &hop)) {
        return 0;
    }
    *run = (hf_channel_run){hop.channel, 1};
    return 1;
}

/* ---- grids ---- */

static hf_status open_grid(hf_context *cx, hf_straight *s) {
    const hf_topology *topo = s->topo;
    s->n_port = hf_grid_terminal_port(&s->grid);
    HF_TRY(hf_scratch(cx, (size_t)topo->n_switch * s->n_port, sizeof *s->channel, (void **)&s->channel));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        for (uint32_t port = 0; port < s->n_port; port++) {
            s->channel[(size_t)v * s->n_port + port] = hf_topology_channel_at(topo, v, port);
        }
    }
    return HF_OK;
}

/* Where nothing wraps: one direction in every dimension that is open. */
static size_t mesh_runs(const hf_straight *s, uint32_t at, uint32_t destination, hf_channel_run *run) {
    if (end_runs(s->topo, at, destination, run)) {
        return 1;
    }
    const uint32_t n = s->grid.n, *channel = s->channel + (size_t)at * s->n_port;
    const uint32_t *here = s->topo->coord + (size_t)at * n + n; /* most significant first */
    const uint32_t *there = s->topo->coord + (size_t)hf_route_goal(s->topo, destination) * n + n;
    size_t count = 0;
    for (uint32_t d = 0; d < n; d++) {
        const uint32_t from = *--here, to = *--there;
        run[count] = (hf_channel_run){channel[2 * d + (to < from)], 1};
        count += from != to;
    }
    return count;
}

/* In every dimension the nearer way, half-way round a ring both. */
static size_t grid_runs(const hf_straight *s, uint32_t at, uint32_t destination, hf_channel_run *run) {
    const hf_grid *g = &s->grid;
    if (end_runs(s->topo, at, destination, run)) {
        return 1;
    }
    const uint32_t goal = hf_route_goal(s->topo, destination);
    const uint32_t *channel = s->channel + (size_t)at * s->n_port;
    const uint32_t *here = s->topo->coord + (size_t)at * g->n, *there = s->topo->coord + (size_t)goal * g->n;
    size_t count = 0;
    for (uint32_t d = 0; d < g->n; d++) {
        const uint32_t from = here[g->n - 1 - d], to = there[g->n - 1 - d]; /* most significant first */
        if (from == to) {
            continue;
        }
        const uint32_t ahead = to > from ? to - from : to + g->size[d] - from;
        const bool is_plus = g->wraps[d] ? 2 * ahead <= g->size[d] : to > from;
        run[count++] = (hf_channel_run){channel[hf_grid_port(g, d, is_plus)], 1};
        if (g->wraps[d] && 2 * ahead == g->size[d]) {
            run[count++] = (hf_channel_run){channel[hf_grid_port(g, d, false)], 1};
        }
    }
    return count;
}

/* ---- trees ---- */

/* A level: a switch has number (high W_l + low), where high counts the subtrees of M_l terminals. \param[in] links ids of the
 * first link down and of the first one up */
static void place_level(hf_straight *s, const hf_xgft *t, uint32_t l, uint64_t terminals, uint64_t copies, const uint32_t *links,
                        hf_straight_switch *node) {
    const uint64_t before = copies / t->w[l], step = t->w[l] * t->p[l]; /* before: W_(l-1) */
    const uint32_t n = (uint32_t)(s->topo->n_terminal / terminals * copies),
                   up = (uint32_t)(l < t->h ? t->w[l + 1] * t->p[l + 1] : 0);
    s->level[l] = (hf_straight_level){
        .below = (uint32_t)(terminals / t->m[l]), .down = (uint32_t)t->p[l], .up = up, .next_down = (uint32_t)(before * step)};
    for (uint32_t o = 0; o < n; o++) {
        const uint64_t high = o / copies, low = o % copies, child = high * t->m[l] * before + low % before; /* child: the first */
        node[o] = (hf_straight_switch){.level = l,
                                       .first = (uint32_t)(high * terminals),
                                       .n = (uint32_t)terminals,
                                       .down = s->topo->n_link + links[0] + (uint32_t)(child * step + low / before * t->p[l]),
                                       .up = links[1] + o * up};
    }
}

static hf_status open_tree(hf_context *cx, hf_straight *s, const hf_xgft *t) {
    uint64_t terminals = 1, copies = 1; /* M_l, W_l */
    uint32_t links[2] = {0, 0}, v = 0;
    s->n_level = t->h;
    HF_TRY(hf_scratch(cx, s->topo->n_switch, sizeof *s->node, (void **)&s->node));
    for (uint32_t l = 1; l <= t->h; l++) {
        terminals *= t->m[l];
        copies *= t->w[l];
        place_level(s, t, l, terminals, copies, links, s->node + v);
        const uint32_t n = (uint32_t)(s->topo->n_terminal / terminals * copies);
        v += n;
        links[0] = links[1];
        links[1] += n * s->level[l].up;
    }
    return HF_OK;
}

static size_t tree_runs(const hf_straight *s, uint32_t at, uint32_t destination, hf_channel_run *run) {
    if (end_runs(s->topo, at, destination, run)) {
        return 1;
    }
    const hf_straight_switch *v = &s->node[at];
    const hf_straight_level *l = &s->level[v->level];
    const uint32_t place = destination - v->first; /* wraps where it is not below */
    *run = place < v->n ? (hf_channel_run){v->down + place / l->below * l->next_down, l->down} : (hf_channel_run){v->up, l->up};
    return 1;
}

/* ---- distances ---- */

static uint32_t grid_distance(const hf_straight *s, uint32_t source, uint32_t destination) {
    const hf_grid *g = &s->grid;
    const uint32_t *here = s->topo->coord + (size_t)hf_route_goal(s->topo, source) * g->n;
    const uint32_t *there = s->topo->coord + (size_t)hf_route_goal(s->topo, destination) * g->n;
    uint32_t sum = 2; /* of the terminals */
    for (uint32_t i = 0; i < g->n; i++) {
        const uint32_t d = g->n - 1 - i, apart = here[i] > there[i] ? here[i] - there[i] : there[i] - here[i];
        sum += g->wraps[d] && 2 * apart > g->size[d] ? g->size[d] - apart : apart;
    }
    return sum;
}

/* Up to the first switch that has both below it. */
static uint32_t tree_distance(const hf_straight *s, uint32_t source, uint32_t destination) {
    uint32_t l = 1;
    while (l <= s->n_level && source / s->level[l].below != destination / s->level[l].below) {
        l++;
    }
    return 2 * (l - 1);
}

uint32_t hf_straight_distance(const hf_straight *s, uint32_t source, uint32_t destination) {
    return source == destination ? 0 : (s->node ? tree_distance : grid_distance)(s, source, destination);
}

/* ---- faults ---- */

static bool has_one_parent(const hf_xgft *t) {
    bool has_one = true;
    for (uint32_t l = 1; l <= t->h; l++) {
        has_one &= t->w[l] == 1;
    }
    return has_one;
}

/* Is a link left in both directions between each switch and its parent? */
static bool are_bundles_left(const hf_straight *s, const uint64_t *failed) {
    for (uint32_t v = 0; v < s->topo->n_switch; v++) {
        const hf_straight_switch *n = &s->node[v];
        const uint32_t end = n->up + s->level[n->level].up;
        uint32_t up = 0, down = 0;
        for (uint32_t c = n->up; c < end; c++) {
            up += !hf_bit_test(failed, c);
            down += !hf_bit_test(failed, s->topo->reverse[c]);
        }
        if (n->up < end && (up == 0 || down == 0)) {
            return false;
        }
    }
    return true;
}

static bool are_terminals_left(const hf_topology *topo, const hf_fault_set *faults) {
    bool are_left = true;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        are_left &= topo->link[faults->channel[i]] < topo->n_switch_link;
    }
    return are_left;
}

hf_status hf_straight_new(hf_context *cx, const hf_topology *topo, const hf_fault_set *faults, hf_straight **out) {
    const bool is_whole = !faults || faults->n_channel == 0;
    hf_xgft tree;
    hf_straight *s;
    *out = NULL;
    HF_TRY(hf_scratch(cx, 1, sizeof *s, (void **)&s));
    s->topo = topo;
    const bool is_tree = hf_xgft_shape(topo, &tree);
    const bool is_grid = is_whole && hf_grid_of(topo, &s->grid) && !s->grid.is_complete;
    if (!is_grid && !(is_tree && (is_whole || (has_one_parent(&tree) && are_terminals_left(topo, faults))))) {
        return HF_OK;
    }
    s->runs = is_tree ? tree_runs : s->grid.has_ring || s->grid.is_cube ? grid_runs : mesh_runs;
    HF_TRY(is_tree ? open_tree(cx, s, &tree) : open_grid(cx, s));
    *out = is_whole || are_bundles_left(s, faults->channel_set) ? s : NULL;
    return HF_OK;
}
