/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A translation moves every switch by as much in each dimension that is a ring. */
#include "src/routing/solid/shifts.h"

#include <string.h>

#include "src/core/sort.h"
#include "src/routing/grid/route.h"

/* While they are looked for: who is component of what. */
typedef struct search {
    const hf_universe *universe;
    hf_grid grid;
    uint32_t *of_channel, *of_link, *of_switch; /* component, HF_NONE: none */
    uint32_t *shift_to;                         /* by switch: the shift that takes switch 0 to it, HF_NONE: none does */
} search;

/* ---- one translation ---- */

static uint32_t moved_switch(const hf_grid *grid, uint32_t sw, uint32_t to) {
    for (uint32_t d = 0; d < grid->n; d++) {
        const uint32_t digit = hf_grid_digit(grid, sw, d) + hf_grid_digit(grid, to, d);
        sw = hf_grid_move(grid, sw, d, digit < grid->size[d] ? digit : digit - grid->size[d]);
    }
    return sw;
}

/* The translation that takes switch 0 to `to` moves along rings only, and leaves ties as they are. */
static bool is_translation(const hf_grid *grid, uint32_t to) {
    uint32_t by[HF_GRID_DIMS_MAX];
    bool is_one = true;
    for (uint32_t d = 0; d < grid->n; d++) {
        by[d] = hf_grid_digit(grid, to, d);
        is_one &= by[d] == 0 || grid->wraps[d];
    }
    return is_one && hf_grid_keeps_ties(grid, by);
}

/* A terminal comes to the terminal at the same port. */
static void move_nodes(const search *s, uint32_t to, uint32_t *node) {
    const hf_topology *topo = s->universe->topo;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        node[v] = moved_switch(&s->grid, v, to);
    }
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        const uint32_t out = topo->out_list[topo->out_begin[v]];
        node[v] = topo->to[hf_topology_channel_at(topo, node[topo->to[out]], topo->to_port[out])];
    }
}

static uint32_t move_channel(const hf_topology *topo, const uint32_t *node, uint32_t c) {
    return hf_topology_channel_at(topo, node[topo->from[c]], topo->from_port[c]);
}

static uint32_t move_component(const search *s, const uint32_t *node, hf_component c) {
    const hf_topology *topo = s->universe->topo;
    switch (c.type) {
    case HF_COMPONENT_CHANNEL:
        return s->of_channel[move_channel(topo, node, c.id)];
    case HF_COMPONENT_LINK:
        return s->of_link[topo->link[move_channel(topo, node, topo->forward[c.id])]];
    case HF_COMPONENT_SWITCH:
        return s->of_switch[node[c.id]];
    case HF_COMPONENT_GROUP:
        break;
    }
    return HF_NONE;
}

/* \return whether it takes every component to one */
static bool move_components(const search *s, const uint32_t *node, uint32_t *component) {
    bool has_all = true;
    for (uint32_t i = 0; i < s->universe->n_component && has_all; i++) {
        component[i] = move_component(s, node, s->universe->component[i]);
        has_all = component[i] != HF_NONE;
    }
    return has_all;
}

/* ---- all of them ---- */

static hf_status make_map(hf_context *cx, uint32_t n, uint32_t **map) {
    HF_TRY(hf_scratch(cx, n, sizeof **map, (void **)map));
    memset(*map, 0xff, n * sizeof **map);
    return HF_OK;
}

static hf_status start(hf_context *cx, search *s) {
    const hf_universe *u = s->universe;
    HF_TRY(make_map(cx, u->topo->n_channel, &s->of_channel));
    HF_TRY(make_map(cx, u->topo->n_link, &s->of_link));
    HF_TRY(make_map(cx, u->topo->n_switch, &s->of_switch));
    HF_TRY(make_map(cx, u->topo->n_switch, &s->shift_to));
    for (uint32_t i = 0; i < u->n_component; i++) {
        const hf_component c = u->component[i];
        uint32_t *const map = c.type == HF_COMPONENT_CHANNEL  ? s->of_channel
                              : c.type == HF_COMPONENT_LINK   ? s->of_link
                              : c.type == HF_COMPONENT_SWITCH ? s->of_switch
                                                              : NULL;
        if (map) {
            map[c.id] = i;
        }
    }
    return HF_OK;
}

static void find_shifts(search *s, hf_solid_shifts *x, uint32_t most) {
    for (uint32_t to = 0; to < s->universe->topo->n_switch && x->n < most; to++) {
        uint32_t *const node = x->node + (size_t)x->n * x->n_node;
        if (to == 0 || is_translation(&s->grid, to)) {
            move_nodes(s, to, node);
            const bool is_shift = to == 0 || move_components(s, node, x->component + (size_t)x->n * x->n_component);
            s->shift_to[to] = is_shift ? x->n : HF_NONE;
            x->n += is_shift;
        }
    }
}

/* Nothing is moved whatever the components are. */
static void stay(hf_solid_shifts *x) {
    for (uint32_t i = 0; i < x->n_component; i++) {
        x->component[i] = x->home[i] = i;
    }
}

static void find_homes(const search *s, hf_solid_shifts *x) {
    for (uint32_t shift = 0; shift < x->n; shift++) {
        for (uint32_t i = 0; i < x->n_component; i++) {
            const uint32_t to = x->component[(size_t)shift * x->n_component + i];
            if (to < x->home[i]) {
                x->home[i] = to;
                x->homeward[i] = shift;
            }
        }
        for (uint32_t v = 0; v < s->universe->topo->n_switch; v++) {
            if (x->node[(size_t)shift * x->n_node + v] == 0) {
                x->inverse[shift] = s->shift_to[v];
            }
        }
    }
}

hf_status hf_solid_shifts_init(hf_context *cx, const hf_universe *universe, size_t bytes_most, hf_solid_shifts *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    search s = {.universe = universe};
    *out = (hf_solid_shifts){.n_node = universe->topo->n_node, .n_component = universe->n_component};
    const bool is_grid = hf_grid_of(universe->topo, &s.grid);
    const size_t bytes = ((size_t)out->n_node + out->n_component) * sizeof *out->node;
    const uint32_t n_most =
        is_grid && s.grid.has_ring && bytes * universe->topo->n_switch <= bytes_most ? universe->topo->n_switch : 1;
    HF_TRY(hf_allocate(cx, (size_t)n_most * out->n_node, sizeof *out->node, (void **)&out->node));
    HF_TRY(hf_allocate(cx, (size_t)n_most * out->n_component, sizeof *out->component, (void **)&out->component));
    HF_TRY(hf_allocate(cx, n_most, sizeof *out->inverse, (void **)&out->inverse));
    HF_TRY(hf_allocate(cx, out->n_component, sizeof *out->home, (void **)&out->home));
    HF_TRY(hf_allocate(cx, out->n_component, sizeof *out->homeward, (void **)&out->homeward));
    HF_TRY(start(cx, &s));
    find_shifts(&s, out, n_most);
    stay(out);
    find_homes(&s, out);
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

void hf_solid_shifts_free(const hf_allocator *allocator, hf_solid_shifts *shifts) {
    void *const block[] = {shifts->node, shifts->component, shifts->inverse, shifts->home, shifts->homeward};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        hf_release(allocator, block[i]);
    }
}

/* ---- sets ---- */

static void move_set(const hf_solid_shifts *x, uint32_t shift, const uint32_t *member, size_t n, uint32_t *out) {
    for (size_t i = 0; i < n; i++) {
        out[i] = x->component[(size_t)shift * x->n_component + member[i]];
    }
    if (shift != 0) {
        hf_sort_numbers(out, n);
    }
}

static bool is_lower(const uint32_t *a, const uint32_t *b, size_t n) {
    size_t i = 0;
    while (i < n && a[i] == b[i]) {
        i++;
    }
    return i < n && a[i] < b[i];
}

uint32_t hf_solid_shifts_home(const hf_solid_shifts *x, const uint32_t *member, size_t n, uint32_t *out) {
    uint32_t lowest = HF_NONE, *const other = out + n, best = HF_NONE;
    for (size_t i = 0; i < n; i++) {
        lowest = x->home[member[i]] < lowest ? x->home[member[i]] : lowest;
    }
    for (size_t i = 0; i < n; i++) {
        if (x->home[member[i]] == lowest) {
            const uint32_t shift = x->homeward[member[i]];
            move_set(x, shift, member, n, other);
            if (best == HF_NONE || is_lower(other, out, n)) {
                memcpy(out, other, n * sizeof *out);
                best = shift;
            }
        }
    }
    return best;
}
