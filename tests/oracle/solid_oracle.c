/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/solid_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "src/topology/grid/grid.h"
#include <holdfast/core/bitset.h>

enum { SIDE = 8, NODES = SIDE * SIDE, LINKS = 2 * NODES };

/* A link by its ends, the lower one first; a mesh of rows x columns. */
typedef struct end_pair {
    int r1, c1, r2, c2;
} end_pair;

typedef struct mesh {
    int rows, columns;
    bool node_bad[SIDE][SIDE];
    int n_link;
    end_pair link[LINKS];
    bool link_bad[LINKS];
    int part[LINKS]; /* connected set of a faulty link */
} mesh;

static void add_links(mesh *m) {
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->columns; c++) {
            if (c + 1 < m->columns) {
                m->link[m->n_link++] = (end_pair){r, c, r, c + 1};
            }
            if (r + 1 < m->rows) {
                m->link[m->n_link++] = (end_pair){r, c, r + 1, c};
            }
        }
    }
}

static bool touches(end_pair l, int r, int c) { return (l.r1 == r && l.c1 == c) || (l.r2 == r && l.c2 == c); }

static void take(mesh *m, const hf_fault_set *faults) {
    const hf_topology *topo = faults->topo;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t a = topo->from[faults->channel[i]], b = topo->to[faults->channel[i]];
        for (int k = 0; k < m->n_link; k++) {
            const end_pair l = m->link[k];
            const uint32_t x = (uint32_t)(l.r1 * m->columns + l.c1), y = (uint32_t)(l.r2 * m->columns + l.c2);
            m->link_bad[k] |= (x == a && y == b) || (x == b && y == a);
        }
    }
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->columns; c++) {
            m->node_bad[r][c] = hf_bit_test(faults->switch_set, (size_t)r * (size_t)m->columns + (size_t)c);
        }
    }
}

/* One round: whoever has at most one good link marks itself. */
static bool close_once(mesh *m) {
    bool changed = false;
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->columns; c++) {
            int good = 0;
            for (int k = 0; k < m->n_link; k++) {
                good += touches(m->link[k], r, c) && !m->link_bad[k];
            }
            if (good <= 1 && !m->node_bad[r][c]) {
                m->node_bad[r][c] = changed = true;
            }
            for (int k = 0; k < m->n_link; k++) {
                m->link_bad[k] |= m->node_bad[r][c] && touches(m->link[k], r, c);
            }
        }
    }
    return changed;
}

static bool one_hop(int r1, int c1, int r2, int c2) { return abs(r1 - r2) + abs(c1 - c2) == 1; }

static bool is_adjacent(end_pair a, end_pair b) {
    const bool other_dimension = (a.r1 == a.r2) != (b.r1 == b.r2);
    const bool common_node = touches(b, a.r1, a.c1) || touches(b, a.r2, a.c2);
    return (other_dimension && common_node) || (one_hop(a.r1, a.c1, b.r1, b.c1) && one_hop(a.r2, a.c2, b.r2, b.c2)) ||
           (one_hop(a.r1, a.c1, b.r2, b.c2) && one_hop(a.r2, a.c2, b.r1, b.c1));
}

static void find_parts(mesh *m) {
    for (int k = 0; k < m->n_link; k++) {
        m->part[k] = k;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < m->n_link; i++) {
            for (int j = 0; j < m->n_link; j++) {
                if (m->link_bad[i] && m->link_bad[j] && m->part[j] > m->part[i] && is_adjacent(m->link[i], m->link[j])) {
                    m->part[j] = m->part[i];
                    changed = true;
                }
            }
        }
    }
}

/* Are all nodes between two links of one row (or column) faulty? */
static bool is_filled(const mesh *m, end_pair a, end_pair b) {
    if (a.r1 == a.r2 && b.r1 == b.r2 && a.r1 == b.r1) {
        for (int c = (a.c1 < b.c1 ? a : b).c2; c <= (a.c1 < b.c1 ? b : a).c1; c++) {
            if (!m->node_bad[a.r1][c]) {
                return false;
            }
        }
    }
    if (a.c1 == a.c2 && b.c1 == b.c2 && a.c1 == b.c1) {
        for (int r = (a.r1 < b.r1 ? a : b).r2; r <= (a.r1 < b.r1 ? b : a).r1; r++) {
            if (!m->node_bad[r][a.c1]) {
                return false;
            }
        }
    }
    return true;
}

static bool is_on_boundary(const mesh *m, end_pair l) {
    return (l.r1 == l.r2 && (l.r1 == 0 || l.r1 == m->rows - 1)) || (l.c1 == l.c2 && (l.c1 == 0 || l.c1 == m->columns - 1));
}

/* Is the healthy link k on the ring of a part: does it lie beside or next to one of its links, round one square of nodes? */
static bool is_on_ring(const mesh *m, int k, int part) {
    for (int i = 0; i < m->n_link; i++) {
        if (!m->link_bad[i] || m->part[i] != part) {
            continue;
        }
        const end_pair a = m->link[i], b = m->link[k];
        const int top = a.r1 < b.r1 ? a.r1 : b.r1, left = a.c1 < b.c1 ? a.c1 : b.c1;
        const int bottom = a.r2 > b.r2 ? a.r2 : b.r2, right = a.c2 > b.c2 ? a.c2 : b.c2;
        if (bottom - top <= 1 && right - left <= 1) {
            return true;
        }
    }
    return false;
}

static bool do_rings_overlap(const mesh *m) {
    for (int k = 0; k < m->n_link; k++) {
        int rings = 0;
        for (int part = 0; part < m->n_link && !m->link_bad[k]; part++) {
            rings += is_on_ring(m, k, part);
        }
        if (rings > 1) {
            return true;
        }
    }
    return false;
}

bool solid_oracle_is_valid(const hf_fault_set *faults) {
    mesh m = {0};
    hf_grid grid;
    (void)hf_grid_of(faults->topo, &grid);
    m.rows = (int)grid.size[1];
    m.columns = (int)grid.size[0];
    add_links(&m);
    take(&m, faults);
    while (close_once(&m)) {
    }
    find_parts(&m);
    for (int i = 0; i < m.n_link; i++) {
        if (m.link_bad[i] && is_on_boundary(&m, m.link[i])) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            if (m.link_bad[i] && m.link_bad[j] && m.part[i] == m.part[j] && !is_filled(&m, m.link[i], m.link[j])) {
                return false;
            }
        }
    }
    return !do_rings_overlap(&m);
}
