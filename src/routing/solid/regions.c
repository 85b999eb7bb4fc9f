/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fault regions by faces of the planes. A set of faces is a union-find forest whose roots are the lowest faces; region = root.
 *  */
#include "src/routing/solid/regions.h"

#include <holdfast/core/bitset.h>

#include "src/core/joined.h"
#include "src/topology/search.h"

hf_status hf_solid_accepts(hf_context *cx, const hf_topology *topo, const char *rule) {
    hf_grid grid;
    const bool is_grid = topo->kind == &hf_topology_mesh || topo->kind == &hf_topology_torus;
    if (!is_grid || !hf_grid_of(topo, &grid) || grid.n < 2) {
        HF_FAIL(
            cx, HF_EINVAL,
            "routing \"%s\" is for meshes and tori of two or more dimensions, not for \"%s\": fault rings are formed in the 2D "
            "cross sections of a (k, n)-mesh",
            rule, topo->spec);
    }
    return HF_OK;
}

/* ---- nodes and links out of service ---- */

/* In the network, whatever is in service. */
static bool has_link(const hf_solid *s, uint32_t node, uint32_t d, bool is_plus) {
    const uint32_t digit = hf_solid_digit(s, node, d);
    return s->grid.wraps[d] || (is_plus ? digit + 1 < s->grid.size[d] : digit > 0);
}

static void cut_link(hf_solid *s, uint32_t node, uint32_t d) {
    uint8_t *cut = &s->cut[(size_t)d * s->topo->n_switch + node];
    if (!*cut) {
        *cut = 1;
        s->cut_node[s->n_cut] = node;
        s->cut_dim[s->n_cut++] = d;
    }
}

static void mark_node(hf_solid *s, uint32_t node) {
    s->bad[node] = 1;
    for (uint32_t d = 0; d < s->grid.n; d++) {
        if (has_link(s, node, d, true)) {
            cut_link(s, node, d);
        }
        if (has_link(s, node, d, false)) {
            cut_link(s, hf_solid_next(s, node, d, false), d);
        }
    }
}

void hf_solid_disable(hf_solid *s, uint32_t node) {
    if (!s->bad[node]) {
        s->n_sacrificed++;
        mark_node(s, node);
    }
}

static void take_faults(hf_solid *s, const hf_fault_set *faults) {
    const hf_topology *topo = s->topo;
    for (uint32_t i = 0; i < faults->n_channel; i++) {
        const uint32_t c = faults->channel[i], from = topo->from[c], to = topo->to[c];
        if (from < topo->n_switch && to < topo->n_switch) {
            cut_link(s, topo->from_port[c] % 2 == 0 ? from : to, topo->from_port[c] / 2);
        }
    }
    for (uint32_t node = 0; node < topo->n_switch; node++) {
        if (faults->switch_set[node >> 6] == 0) {
            node |= 63;
        } else if ((faults->switch_set[node >> 6] >> (node & 63)) & 1) {
            mark_node(s, node);
        }
    }
}

static void choose_planes(hf_solid *s) {
    const uint32_t n = s->grid.n;
    s->n_plane = n == 2 ? 1 : n;
    for (uint32_t p = 0; p < s->n_plane; p++) {
        s->u[p] = p + 1 < n ? p : 0;
        s->v[p] = p + 1 < n ? p + 1 : n - 1;
    }
    for (uint32_t d = 0; d < n; d++) {
        s->high[d] = s->grid.size[d] - 1;
    }
}

hf_status hf_solid_init(hf_context *cx, const hf_fault_set *faults, hf_solid *out) {
    const size_t n_switch = faults->topo->n_switch;
    *out = (hf_solid){.topo = faults->topo};
    (void)hf_grid_of(faults->topo, &out->grid);
    choose_planes(out);
    const size_t n_link = faults->topo->n_switch_link;
    HF_TRY(hf_scratch(cx, n_switch, sizeof *out->bad, (void **)&out->bad));
    HF_TRY(hf_scratch(cx, out->grid.n * n_switch, sizeof *out->cut, (void **)&out->cut));
    HF_TRY(hf_scratch(cx, n_link, sizeof *out->cut_node, (void **)&out->cut_node));
    HF_TRY(hf_scratch(cx, n_link, sizeof *out->cut_dim, (void **)&out->cut_dim));
    HF_TRY(hf_scratch(cx, out->n_plane * n_switch, sizeof *out->face, (void **)&out->face));
    take_faults(out, faults);
    return HF_OK;
}

bool hf_solid_is_inside(const hf_solid *s, uint32_t node) {
    for (uint32_t d = 0; d < s->grid.n; d++) {
        const uint32_t digit = hf_solid_digit(s, node, d);
        if (digit < s->low[d] || digit > s->high[d]) {
            return false;
        }
    }
    return true;
}

bool hf_solid_is_good(const hf_solid *s, uint32_t node, uint32_t d, bool is_plus) {
    return has_link(s, node, d, is_plus) &&
           !s->cut[(size_t)d * s->topo->n_switch + (is_plus ? node : hf_solid_next(s, node, d, false))];
}

/* ---- pendant closure ---- */

static bool is_pendant(const hf_solid *s, uint32_t node, uint32_t plane) {
    uint32_t good = 0;
    for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
        good += hf_solid_is_good(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass));
    }
    return good <= 1;
}

static void close_end(hf_solid *s, uint32_t node, uint32_t d) {
    for (uint32_t p = 0; p < s->n_plane && !s->bad[node]; p++) {
        if ((s->u[p] == d || s->v[p] == d) && is_pendant(s, node, p)) {
            hf_solid_disable(s, node);
        }
    }
}

/* The list grows while nodes are marked; whoever loses a link is at the end of a listed one. */
void hf_solid_close_pendants(hf_solid *s) {
    for (uint32_t i = 0; i < s->n_cut; i++) {
        close_end(s, s->cut_node[i], s->cut_dim[i]);
        close_end(s, hf_solid_next(s, s->cut_node[i], s->cut_dim[i], true), s->cut_dim[i]);
    }
}

/* ---- regions ---- */

/* The two faces of a link in a plane, as places in `face`: HF_NONE outside the mesh in service. */
static void faces_of_link(const hf_solid *s, uint32_t plane, uint32_t node, uint32_t d, uint32_t face[2]) {
    const uint32_t o = d == s->u[plane] ? s->v[plane] : s->u[plane], first = plane * s->topo->n_switch;
    face[0] = hf_solid_has(s, node, o, true) ? first + node : HF_NONE;
    face[1] = hf_solid_has(s, node, o, false) ? first + hf_solid_next(s, node, o, false) : HF_NONE;
}

static bool is_link_inside(const hf_solid *s, uint32_t i) {
    return hf_solid_is_inside(s, s->cut_node[i]) && hf_solid_has(s, s->cut_node[i], s->cut_dim[i], true);
}

static bool is_in_plane(const hf_solid *s, uint32_t i, uint32_t plane) {
    return s->cut_dim[i] == s->u[plane] || s->cut_dim[i] == s->v[plane];
}

static uint32_t find(hf_solid *s, uint32_t face) {
    if (s->face[face] == HF_NONE) {
        s->face[face] = face;
    }
    return hf_joined_find(s->face, face);
}

static void join(hf_solid *s, const uint32_t face[2]) {
    uint32_t root[2];
    for (size_t k = 0; k < 2; k++) {
        root[k] = face[k] == HF_NONE ? HF_NONE : find(s, face[k]);
    }
    if (root[0] != HF_NONE && root[1] != HF_NONE) {
        hf_joined_join(s->face, root[0], root[1]);
    }
}

void hf_solid_find_regions(hf_solid *s) {
    uint32_t face[2];
    for (size_t f = 0; f < (size_t)s->n_plane * s->topo->n_switch; f++) {
        s->face[f] = HF_NONE;
    }
    for (int pass = 0; pass < 2; pass++) { /* join, then name every face by its root */
        for (uint32_t i = 0; i < s->n_cut; i++) {
            for (uint32_t p = 0; p < s->n_plane; p++) {
                if (!is_in_plane(s, i, p) || !is_link_inside(s, i)) {
                    continue;
                }
                faces_of_link(s, p, s->cut_node[i], s->cut_dim[i], face);
                if (pass == 0) {
                    join(s, face);
                }
                for (size_t k = 0; pass == 1 && k < 2; k++) {
                    if (face[k] != HF_NONE) {
                        s->face[face[k]] = find(s, face[k]);
                    }
                }
            }
        }
    }
}

static uint32_t region_of_link(const hf_solid *s, uint32_t plane, uint32_t i) {
    uint32_t face[2];
    faces_of_link(s, plane, s->cut_node[i], s->cut_dim[i], face);
    const uint32_t f = face[0] != HF_NONE ? face[0] : face[1];
    return f == HF_NONE ? HF_NONE : s->face[f];
}

/* ---- tests ---- */

/* Two faulty links of one region in one line: the near end of the later one must be faulty, and so are then all nodes between.
 * On a ring one of the two must have a faulty node behind it in - direction. */
static bool leave_a_gap(const hf_solid *s, uint32_t plane, uint32_t i, uint32_t j) {
    const uint32_t d = s->cut_dim[i];
    if (d != s->cut_dim[j]) {
        return false;
    }
    const uint32_t a = hf_solid_digit(s, s->cut_node[i], d), b = hf_solid_digit(s, s->cut_node[j], d);
    const bool same_line = s->cut_node[i] - a * s->grid.stride[d] == s->cut_node[j] - b * s->grid.stride[d];
    const uint32_t near_end = a > b ? s->cut_node[i] : s->cut_node[j], far_end = a > b ? s->cut_node[j] : s->cut_node[i];
    return same_line && !s->bad[near_end] && !(s->grid.wraps[d] && s->bad[far_end]) &&
           region_of_link(s, plane, i) == region_of_link(s, plane, j);
}

/* Has the region of link i a face with that digit of dimension d? */
static bool has_face_at(const hf_solid *s, uint32_t plane, uint32_t i, uint32_t d, uint32_t digit) {
    const uint32_t region = region_of_link(s, plane, i);
    for (uint32_t j = 0; j < s->n_cut; j++) {
        uint32_t face[2];
        if (!is_in_plane(s, j, plane)) {
            continue;
        }
        faces_of_link(s, plane, s->cut_node[j], s->cut_dim[j], face);
        for (size_t k = 0; k < 2; k++) {
            if (face[k] != HF_NONE && s->face[face[k]] == region &&
                hf_solid_digit(s, face[k] - plane * s->topo->n_switch, d) == digit) {
                return true;
            }
        }
    }
    return false;
}

/* Does the region of link i leave no line of faces free across a ring of the torus? */
static bool goes_round(const hf_solid *s, uint32_t plane, uint32_t i) {
    const uint32_t dims[2] = {s->u[plane], s->v[plane]};
    for (size_t k = 0; k < 2; k++) {
        uint32_t digit = 0;
        while (s->grid.wraps[dims[k]] && digit < s->grid.size[dims[k]] && has_face_at(s, plane, i, dims[k], digit)) {
            digit++;
        }
        if (s->grid.wraps[dims[k]] && digit == s->grid.size[dims[k]]) {
            return true;
        }
    }
    return false;
}

static bool is_plane_solid(const hf_solid *s, uint32_t plane) {
    for (uint32_t i = 0; i < s->n_cut; i++) {
        if (s->grid.has_ring && is_in_plane(s, i, plane) && is_link_inside(s, i) && goes_round(s, plane, i)) {
            return false;
        }
        for (uint32_t j = 0; j < i && is_in_plane(s, i, plane) && is_link_inside(s, i); j++) {
            if (is_link_inside(s, j) && leave_a_gap(s, plane, i, j)) {
                return false;
            }
        }
    }
    return true;
}

/* Does the region of a face have an edge next to a face outside of it, inside the rectangle that it spans? A solid region is a
 * rectangle if it has no corner that is cut out: no node with three of its faces in the region. */
static bool has_cut_corner(const hf_solid *s, uint32_t plane, uint32_t node) {
    uint32_t face[4], n = 0;
    for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
        face[compass] = hf_solid_beside(s, plane, node, compass, true);
    }
    for (size_t k = 0; k < 4; k++) {
        n += face[k] != HF_NONE && (face[k] == face[(k + 1) % 4] || face[k] == face[(k + 3) % 4]);
    }
    return n == 3;
}

static bool is_plane_convex(const hf_solid *s, uint32_t plane) {
    for (uint32_t i = 0; i < s->n_cut; i++) {
        if (is_in_plane(s, i, plane) && is_link_inside(s, i) &&
            (has_cut_corner(s, plane, s->cut_node[i]) ||
             has_cut_corner(s, plane, hf_solid_next(s, s->cut_node[i], s->cut_dim[i], true)))) {
            return false;
        }
    }
    return true;
}

static bool touches_boundary(const hf_solid *s, uint32_t plane) {
    uint32_t face[2];
    for (uint32_t i = 0; i < s->n_cut; i++) {
        if (is_in_plane(s, i, plane) && is_link_inside(s, i)) {
            faces_of_link(s, plane, s->cut_node[i], s->cut_dim[i], face);
            if (face[0] == HF_NONE || face[1] == HF_NONE) {
                return true;
            }
        }
    }
    return false;
}

/* Is a healthy link of this face one of another region's faces too? `face` is a place in s->face. */
static bool shares_a_link(const hf_solid *s, uint32_t plane, uint32_t face) {
    const uint32_t node = face - plane * s->topo->n_switch, d[2] = {s->u[plane], s->v[plane]};
    for (size_t k = 0; k < 4; k++) {
        const uint32_t along = d[k % 2], across = d[1 - k % 2]; /* the two links in + direction of `along`, near and far */
        const uint32_t from = k < 2 ? node : hf_solid_next(s, node, across, true);
        uint32_t side[2];
        faces_of_link(s, plane, from, along, side);
        if (!s->cut[(size_t)along * s->topo->n_switch + from] && side[0] != HF_NONE && side[1] != HF_NONE &&
            s->face[side[0]] != HF_NONE && s->face[side[1]] != HF_NONE) {
            return true;
        }
    }
    return false;
}

static bool has_overlap(const hf_solid *s, uint32_t plane) {
    uint32_t face[2];
    for (uint32_t i = 0; i < s->n_cut; i++) {
        if (!is_in_plane(s, i, plane) || !is_link_inside(s, i)) {
            continue;
        }
        faces_of_link(s, plane, s->cut_node[i], s->cut_dim[i], face);
        for (size_t k = 0; k < 2; k++) {
            if (face[k] != HF_NONE && shares_a_link(s, plane, face[k])) {
                return true;
            }
        }
    }
    return false;
}

typedef struct reach {
    const hf_solid *s;
    uint8_t *seen;
} reach;

static hf_step enter(void *user, uint32_t from, uint32_t arc, uint32_t to) {
    const reach *r = user;
    const uint32_t port = r->s->topo->from_port[arc];
    if (hf_topology_is_terminal(r->s->topo, to) || r->seen[to] || !hf_solid_is_good(r->s, from, port / 2, port % 2 == 0)) {
        return HF_STEP_PASS;
    }
    r->seen[to] = 1;
    return HF_STEP_ENTER;
}

/* From the first node in service. */
static hf_status is_connected(hf_context *cx, const hf_solid *s, bool *out) {
    reach r = {.s = s};
    uint32_t *queue, live = 0, tail = 0;
    HF_TRY(hf_scratch(cx, s->topo->n_switch, sizeof *queue, (void **)&queue));
    HF_TRY(hf_scratch(cx, s->topo->n_switch, sizeof *r.seen, (void **)&r.seen));
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        live += !s->bad[node];
        if (!s->bad[node] && tail == 0) {
            queue[tail++] = node;
            r.seen[node] = 1;
        }
    }
    *out = hf_breadth_first(hf_channels(s->topo, false), queue, tail, enter, &r) == live;
    return HF_OK;
}

typedef bool (*plane_test)(const hf_solid *s, uint32_t plane);

static bool any_plane(const hf_solid *s, plane_test test, bool answer) {
    for (uint32_t p = 0; p < s->n_plane; p++) {
        if (test(s, p) == answer) {
            return true;
        }
    }
    return false;
}

bool hf_solid_has_two(const hf_solid *s) {
    uint32_t live = 0;
    for (uint32_t node = 0; node < s->topo->n_switch && live < 2; node++) {
        live += !s->bad[node];
    }
    return live == 2;
}

hf_status hf_solid_classify(hf_context *cx, hf_solid *s, hf_solid_class *out) {
    bool connected = true;
    if (!hf_solid_has_two(s)) {
        *out = HF_SOLID_DISCONNECTED;
    } else if (any_plane(s, is_plane_solid, false) || (s->is_convex_only && any_plane(s, is_plane_convex, false))) {
        *out = HF_SOLID_NOT_SOLID;
    } else if (!s->takes_chains && any_plane(s, touches_boundary, true)) {
        *out = HF_SOLID_BOUNDARY;
    } else if (!s->takes_overlaps && any_plane(s, has_overlap, true)) {
        *out = HF_SOLID_OVERLAP;
    } else {
        HF_TRY(is_connected(cx, s, &connected));
        *out = connected ? HF_SOLID_COVERED : HF_SOLID_DISCONNECTED;
    }
    return HF_OK;
}

/* ---- what is touched ---- */

static void touch_face(const hf_solid *s, uint32_t plane, uint32_t face, uint64_t *switches) {
    const uint32_t node = face - plane * s->topo->n_switch, beside = hf_solid_next(s, node, s->u[plane], true);
    hf_bit_set(switches, node);
    hf_bit_set(switches, beside);
    hf_bit_set(switches, hf_solid_next(s, node, s->v[plane], true));
    hf_bit_set(switches, hf_solid_next(s, beside, s->v[plane], true));
}

bool hf_solid_touch(const hf_solid *s, uint64_t *switches) {
    bool at_boundary = false;
    uint32_t face[2];
    for (uint32_t i = 0; i < s->n_cut; i++) {
        hf_bit_set(switches, s->cut_node[i]);
        hf_bit_set(switches, hf_solid_next(s, s->cut_node[i], s->cut_dim[i], true));
        for (uint32_t p = 0; p < s->n_plane; p++) {
            if (!is_in_plane(s, i, p) || !is_link_inside(s, i)) {
                continue;
            }
            faces_of_link(s, p, s->cut_node[i], s->cut_dim[i], face);
            for (size_t k = 0; k < 2; k++) {
                at_boundary |= face[k] == HF_NONE;
                if (face[k] != HF_NONE) {
                    touch_face(s, p, face[k], switches);
                }
            }
        }
    }
    return at_boundary;
}

/* ---- rings ---- */

uint32_t hf_solid_beside(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass, bool is_right) {
    static const bool is_east[] = {true, false, false, true}, is_south[] = {true, true, false, false}; /* of the face there */
    const unsigned k = is_right ? compass : (compass + 3) % 4;
    const uint32_t u = s->u[plane], v = s->v[plane];
    if (!hf_solid_has(s, node, u, is_east[k]) || !hf_solid_has(s, node, v, is_south[k])) {
        return HF_NONE;
    }
    const uint32_t west = is_east[k] ? node : hf_solid_next(s, node, u, false);
    return s->face[plane * s->topo->n_switch + (is_south[k] ? west : hf_solid_next(s, west, v, false))];
}

unsigned hf_solid_turn(const hf_solid *s, uint32_t plane, uint32_t node, uint32_t r, bool is_clockwise) {
    for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
        if (hf_solid_beside(s, plane, node, compass, is_clockwise) == r &&
            hf_solid_is_good(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass))) {
            return compass;
        }
    }
    return HF_COMPASS;
}
