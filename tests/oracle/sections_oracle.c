/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/sections_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "src/topology/grid/grid.h"
#include <holdfast/core/bitset.h>

enum { NODES = 128, DIMS = 4 };

typedef struct mesh {
    hf_grid grid;
    uint32_t n;
    bool node_bad[NODES], link_bad[NODES][DIMS]; /* the link in + direction */
} mesh;

static bool is_link_good(const mesh *m, uint32_t node, uint32_t d, bool is_plus) {
    const uint32_t next = hf_grid_neighbour(&m->grid, node, d, is_plus);
    return next != HF_NONE && !m->node_bad[node] && !m->node_bad[next] && !m->link_bad[is_plus ? node : next][d];
}

static bool is_pendant(const mesh *m, uint32_t node, uint32_t d, uint32_t e) {
    return is_link_good(m, node, d, true) + is_link_good(m, node, d, false) + is_link_good(m, node, e, true) +
               is_link_good(m, node, e, false) <=
           1;
}

static bool close_once(mesh *m) {
    bool changed = false;
    for (uint32_t node = 0; node < m->n; node++) {
        for (uint32_t d = 0; d < m->grid.n; d++) {
            if (!m->node_bad[node] && is_pendant(m, node, d, (d + 1) % m->grid.n)) {
                m->node_bad[node] = changed = true;
            }
        }
    }
    return changed;
}

static void take(mesh *m, const hf_fault_set *faults) {
    const hf_topology *topo = faults->topo;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t a = topo->from[faults->channel[i]], b = topo->to[faults->channel[i]];
        for (uint32_t d = 0; d < m->grid.n && a < m->n && b < m->n; d++) {
            m->link_bad[a][d] |= hf_grid_neighbour(&m->grid, a, d, true) == b;
            m->link_bad[b][d] |= hf_grid_neighbour(&m->grid, b, d, true) == a;
        }
    }
    for (uint32_t node = 0; node < m->n; node++) {
        m->node_bad[node] = hf_bit_test(faults->switch_set, node);
    }
}

static bool is_done(const mesh *m, uint32_t d, uint32_t node, uint32_t goal) {
    return hf_grid_digit(&m->grid, node, d) == hf_grid_digit(&m->grid, goal, d);
}

/* Over healthy links of dimensions d and e; not on from where the goal is in dimension d, but in the last one. */
static void flood(const mesh *m, uint32_t d, uint32_t e, uint32_t goal, bool *reached) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < m->n * 4; i++) {
            const uint32_t node = i / 4, along = i % 4 < 2 ? d : e;
            const bool goes_on = d + 1 == m->grid.n || !is_done(m, d, node, goal);
            if (reached[node] && goes_on && is_link_good(m, node, along, i % 2)) {
                bool *next = &reached[hf_grid_neighbour(&m->grid, node, along, i % 2)];
                changed |= !*next;
                *next = true;
            }
        }
    }
}

static bool is_served(const mesh *m, uint32_t from, uint32_t goal) {
    bool reached[NODES] = {false};
    reached[from] = true;
    for (uint32_t d = 0; d < m->grid.n; d++) {
        flood(m, d, (d + 1) % m->grid.n, goal, reached);
        for (uint32_t node = 0; node < m->n; node++) {
            reached[node] &= is_done(m, d, node, goal);
        }
    }
    return reached[goal];
}

static bool is_served_aside(const mesh *m, uint32_t from, uint32_t goal) {
    bool served = false;
    for (uint32_t i = 4; i < 2 * m->grid.n; i++) {
        for (uint32_t node = from; is_link_good(m, node, i / 2, i % 2) && !served;) {
            node = hf_grid_neighbour(&m->grid, node, i / 2, i % 2);
            served = is_served(m, node, goal);
        }
    }
    return served;
}

bool sections_oracle_serves(const hf_fault_set *faults, bool sidesteps) {
    mesh m = {.n = faults->topo->n_switch};
    if (!hf_grid_of(faults->topo, &m.grid) || m.n > NODES || m.grid.n > DIMS) {
        abort();
    }
    take(&m, faults);
    while (close_once(&m)) {
    }
    for (uint32_t from = 0; from < m.n; from++) {
        for (uint32_t goal = 0; goal < m.n; goal++) {
            if (!m.node_bad[from] && !m.node_bad[goal] && !is_served(&m, from, goal) &&
                !(sidesteps && is_served_aside(&m, from, goal))) {
                return false;
            }
        }
    }
    return true;
}
