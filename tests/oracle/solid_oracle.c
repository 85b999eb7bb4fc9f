/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/solid_oracle.h"

#include <stdlib.h>
#include <string.h>

#include "src/topology/grid/grid.h"
#include <holdfast/core/bitset.h>

enum { SIDE = 8, NODES = SIDE * SIDE, LINKS = 2 * NODES };

/* A link by its ends, the one that it leaves in + direction first; a mesh of rows x columns, or a torus. */
typedef struct end_pair {
    int r1, c1, r2, c2;
} end_pair;

typedef struct mesh {
    int rows, columns;
    bool wraps[2]; /* columns, rows: does a line along that dimension close? */
    bool node_bad[SIDE][SIDE];
    int n_link;
    end_pair link[LINKS];
    bool link_bad[LINKS];
    int part[LINKS]; /* connected set of a faulty link */
} mesh;

static void add_links(mesh *m) {
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->columns; c++) {
            if (c + 1 < m->columns || m->wraps[0]) {
                m->link[m->n_link++] = (end_pair){r, c, r, (c + 1) % m->columns};
            }
            if (r + 1 < m->rows || m->wraps[1]) {
                m->link[m->n_link++] = (end_pair){r, c, (r + 1) % m->rows, c};
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

static bool are_next(int a, int b, int size, bool wraps) {
    const int apart = abs(a - b);
    return apart == 1 || (wraps && apart == size - 1);
}

static bool one_hop(const mesh *m, int r1, int c1, int r2, int c2) {
    return (r1 == r2 && are_next(c1, c2, m->columns, m->wraps[0])) || (c1 == c2 && are_next(r1, r2, m->rows, m->wraps[1]));
}

/* Rules 2 and 3 speak of parallel links; as they stand they join consecutive links of one line, too, and on a ring of four
 * opposite ones. The former are not solid if joined and have overlapping rings if not, as 2.2 says of them. */
static bool is_one_line(end_pair a, end_pair b) {
    return (a.r1 == a.r2 && b.r1 == b.r2 && a.r1 == b.r1) || (a.c1 == a.c2 && b.c1 == b.c2 && a.c1 == b.c1);
}

static bool is_adjacent(const mesh *m, end_pair a, end_pair b) {
    const bool other_dimension = (a.r1 == a.r2) != (b.r1 == b.r2);
    const bool common_node = touches(b, a.r1, a.c1) || touches(b, a.r2, a.c2);
    if (is_one_line(a, b)) {
        return false;
    }
    return (other_dimension && common_node) || (one_hop(m, a.r1, a.c1, b.r1, b.c1) && one_hop(m, a.r2, a.c2, b.r2, b.c2)) ||
           (one_hop(m, a.r1, a.c1, b.r2, b.c2) && one_hop(m, a.r2, a.c2, b.r1, b.c1));
}

static void find_parts(mesh *m) {
    for (int k = 0; k < m->n_link; k++) {
        m->part[k] = k;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < m->n_link; i++) {
            for (int j = 0; j < m->n_link; j++) {
                if (m->link_bad[i] && m->link_bad[j] && m->part[j] > m->part[i] && is_adjacent(m, m->link[i], m->link[j])) {
                    m->part[j] = m->part[i];
                    changed = true;
                }
            }
        }
    }
}

/* Going on from the far end of one link to the next: are all nodes faulty up to the other link? */
static bool is_faulty_up_to(const mesh *m, end_pair a, end_pair b) {
    const bool is_row = a.r1 == a.r2;
    int r = a.r2, c = a.c2;
    while (r < m->rows && c < m->columns && m->node_bad[r][c]) {
        if (r == b.r1 && c == b.c1) {
            return true;
        }
        r += !is_row;
        c += is_row;
        r = m->wraps[1] ? r % m->rows : r;
        c = m->wraps[0] ? c % m->columns : c;
        if (r == a.r1 && c == a.c1) {
            return false; /* once round */
        }
    }
    return false;
}

/* Are all nodes between two links of one row (or column) faulty? On a ring, those on one side of them. */
static bool is_filled(const mesh *m, end_pair a, end_pair b) {
    return !is_one_line(a, b) || is_faulty_up_to(m, a, b) || is_faulty_up_to(m, b, a);
}

/* Is the link one of the four of the square whose first node is that? */
static bool is_of_square(const mesh *m, end_pair l, int r, int c) {
    const bool is_row = l.r1 == l.r2;
    return is_row ? l.c1 == c && (l.r1 == r || l.r1 == (r + 1) % m->rows)
                  : l.r1 == r && (l.c1 == c || l.c1 == (c + 1) % m->columns);
}

static bool is_square(const mesh *m, int r, int c) {
    return (r + 1 < m->rows || m->wraps[1]) && (c + 1 < m->columns || m->wraps[0]);
}

/* Is a link of the part on the border of the square? */
static bool is_square_of(const mesh *m, int r, int c, int part) {
    for (int k = 0; k < m->n_link && is_square(m, r, c); k++) {
        if (m->link_bad[k] && m->part[k] == part && is_of_square(m, m->link[k], r, c)) {
            return true;
        }
    }
    return false;
}

/* Has the part squares in every column, or in every row, of a torus? */
static bool goes_round(const mesh *m, int part) {
    bool row[SIDE] = {false}, column[SIDE] = {false};
    int rows = 0, columns = 0;
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->columns; c++) {
            if (is_square_of(m, r, c, part)) {
                rows += !row[r];
                columns += !column[c];
                row[r] = column[c] = true;
            }
        }
    }
    return (m->wraps[0] && columns == m->columns) || (m->wraps[1] && rows == m->rows);
}

static bool is_on_boundary(const mesh *m, end_pair l) {
    return (!m->wraps[1] && l.r1 == l.r2 && (l.r1 == 0 || l.r1 == m->rows - 1)) ||
           (!m->wraps[0] && l.c1 == l.c2 && (l.c1 == 0 || l.c1 == m->columns - 1));
}

/* Is the healthy link k on the ring of a part: does it lie round one square of nodes with one of its links? */
static bool is_on_ring(const mesh *m, int k, int part) {
    for (int r = 0; r < m->rows; r++) {
        for (int c = 0; c < m->columns; c++) {
            if (is_of_square(m, m->link[k], r, c) && is_square_of(m, r, c, part)) {
                return true;
            }
        }
    }
    return false;
}

static bool do_rings_overlap(const mesh *m) {
    for (int k = 0; k < m->n_link; k++) {
        int rings = 0;
        for (int part = 0; part < m->n_link && !m->link_bad[k]; part++) {
            rings += m->link_bad[part] && m->part[part] == part && is_on_ring(m, k, part);
        }
        if (rings > 1) {
            return true;
        }
    }
    return false;
}

bool solid_oracle_is_valid(const hf_fault_set *faults, bool takes_chains, bool takes_overlaps) {
    mesh m = {0};
    hf_grid grid;
    (void)hf_grid_of(faults->topo, &grid);
    m.rows = (int)grid.size[1];
    m.columns = (int)grid.size[0];
    m.wraps[0] = grid.wraps[0];
    m.wraps[1] = grid.wraps[1];
    add_links(&m);
    take(&m, faults);
    while (close_once(&m)) {
    }
    find_parts(&m);
    for (int i = 0; i < m.n_link; i++) {
        if (m.link_bad[i] && ((!takes_chains && is_on_boundary(&m, m.link[i])) || goes_round(&m, m.part[i]))) {
            return false;
        }
        for (int j = 0; j < i; j++) {
            if (m.link_bad[i] && m.link_bad[j] && m.part[i] == m.part[j] && !is_filled(&m, m.link[i], m.link[j])) {
                return false;
            }
        }
    }
    return takes_overlaps || !do_rings_overlap(&m);
}
