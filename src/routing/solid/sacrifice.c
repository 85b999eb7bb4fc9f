/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Appendix A of [chalasani1996] in rounds: in a round every procedure runs once over the whole mesh, and what it marks is seen
 *  by the next procedure. Markers of one procedure do not see each other's effect. With more than two dimensions, which the
 *  appendix leaves out, the procedures run in every plane, and a boundary is all that lies at one end of a dimension. */
#include "src/routing/solid/sacrifice.h"

#include <string.h>

typedef enum link_state { NO_LINK, GOOD, FAULTY } link_state;

typedef struct sacrifice {
    hf_solid *s;
    uint32_t n_node, plane;
    uint8_t *marked;   /* nodes to be disabled at the end of a procedure */
    uint8_t *sent;     /* directions in which a node has sent its own marker */
    uint8_t *received; /* directions of markers that came by, or that it sent */
    uint64_t messages;
} sacrifice;

/* A link to a node that has left the mesh does not exist any more. */
static link_state state_along(const hf_solid *s, uint32_t node, uint32_t d, bool is_plus) {
    if (!hf_solid_has(s, node, d, is_plus)) {
        return NO_LINK;
    }
    return hf_solid_is_good(s, node, d, is_plus) ? GOOD : FAULTY;
}

static link_state state_of(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass) {
    return state_along(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass));
}

static bool has_faulty(const hf_solid *s, uint32_t plane, uint32_t node) {
    bool any = false;
    for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
        any |= state_of(s, plane, node, compass) == FAULTY;
    }
    return any;
}

static bool is_in_service(const hf_solid *s, uint32_t node) { return !s->bad[node] && hf_solid_is_inside(s, node); }

static void disable_marked(sacrifice *r) {
    for (uint32_t node = 0; node < r->n_node; node++) {
        if (r->marked[node]) {
            hf_solid_disable(r->s, node);
        }
    }
    memset(r->marked, 0, r->n_node);
}

/* ---- boundaries ---- */

static bool is_at(const hf_solid *s, uint32_t node, uint32_t d, bool is_high) {
    return hf_solid_digit(s, node, d) == (is_high ? s->high[d] : s->low[d]);
}

/* At the boundary in more than one dimension: of the two or more boundaries one is enough to take it out. */
static bool is_corner(const hf_solid *s, uint32_t node) {
    uint32_t sides = 0;
    for (uint32_t d = 0; d < s->grid.n; d++) {
        sides += is_at(s, node, d, false) || is_at(s, node, d, true);
    }
    return sides > 1;
}

/* Has the node of a boundary at an end of dimension d a faulty link along it, beside those of faulty corners? */
static bool has_fault_along(const hf_solid *s, uint32_t node, uint32_t d) {
    for (uint32_t e = 0; e < s->grid.n; e++) {
        if (e != d && state_along(s, node, e, true) == FAULTY) {
            const uint32_t next = hf_solid_next(s, node, e, true);
            if (!(s->bad[node] && is_corner(s, node)) && !(s->bad[next] && is_corner(s, next))) {
                return true;
            }
        }
    }
    return false;
}

static bool is_side_faulty(const hf_solid *s, uint32_t d, bool is_high) {
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        if (is_at(s, node, d, is_high) && hf_solid_is_inside(s, node) && has_fault_along(s, node, d)) {
            return true;
        }
    }
    return false;
}

/* Has the boundary a faulty corner? */
static bool has_faulty_corner(const hf_solid *s, uint32_t d, bool is_high) {
    bool any = false;
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        any |= s->bad[node] && hf_solid_is_inside(s, node) && is_at(s, node, d, is_high) && is_corner(s, node);
    }
    return any;
}

/* Every node of the boundary marks itself; it leaves the mesh. */
static void disable_side(sacrifice *r, uint32_t d, bool is_high) {
    hf_solid *s = r->s;
    const uint32_t before = s->n_sacrificed;
    for (uint32_t node = 0; node < r->n_node; node++) {
        if (is_at(s, node, d, is_high) && hf_solid_is_inside(s, node)) {
            hf_solid_disable(s, node);
        }
    }
    r->messages += s->n_sacrificed - before;
    if (s->high[d] > s->low[d]) {
        s->high[d] -= is_high;
        s->low[d] += !is_high;
    }
}

/* First the boundaries with faults of their own; a faulty corner that is left then disables that of its highest dimension: the
 * row, with two dimensions. */
static void mend_boundaries(sacrifice *r) {
    hf_solid *s = r->s;
    bool faulty[HF_GRID_DIMS_MAX][2];
    for (uint32_t side = 0; side < 2 * s->grid.n; side++) {
        faulty[side / 2][side % 2] = is_side_faulty(s, side / 2, side % 2);
    }
    for (uint32_t side = 0; side < 2 * s->grid.n; side++) {
        if (faulty[side / 2][side % 2]) {
            disable_side(r, side / 2, side % 2);
        }
    }
    for (uint32_t d = s->grid.n - 1; d > 0; d--) {
        for (int is_high = 0; is_high <= 1; is_high++) {
            if (has_faulty_corner(s, d, is_high)) {
                disable_side(r, d, is_high);
            }
        }
    }
}

/* ---- fault-marker messages ---- */

static bool is_concave(const hf_solid *s, uint32_t plane, uint32_t node) {
    const bool row = state_of(s, plane, node, HF_EAST) == FAULTY || state_of(s, plane, node, HF_WEST) == FAULTY;
    const bool column = state_of(s, plane, node, HF_SOUTH) == FAULTY || state_of(s, plane, node, HF_NORTH) == FAULTY;
    return row && column;
}

static void send_marker(sacrifice *r, uint32_t node, unsigned compass) {
    const unsigned bit = 1u << compass;
    uint32_t hops = 0;
    if (r->sent[node] & bit) {
        return;
    }
    r->sent[node] |= (uint8_t)bit;
    r->received[node] |= (uint8_t)bit;
    while (state_of(r->s, r->plane, node, compass) == GOOD) {
        node = hf_solid_step(r->s, r->plane, node, compass);
        r->received[node] |= (uint8_t)bit;
        r->messages++;
        hops++;
        if (!has_faulty(r->s, r->plane, node)) {
            r->messages += hops; /* the acknowledgement */
            return;
        }
    }
    if (state_of(r->s, r->plane, node, compass) == FAULTY && hops > 0) {
        send_marker(r, node, (compass + 2) % HF_COMPASS);
    }
}

static void mend_concave(sacrifice *r) {
    memset(r->sent, 0, r->n_node);
    memset(r->received, 0, r->n_node);
    for (uint32_t node = 0; node < r->n_node; node++) {
        for (unsigned compass = 0; compass < HF_COMPASS && is_in_service(r->s, node) && is_concave(r->s, r->plane, node);
             compass++) {
            if (state_of(r->s, r->plane, node, compass) == GOOD) {
                send_marker(r, node, compass);
            }
        }
    }
    for (uint32_t node = 0; node < r->n_node; node++) {
        r->marked[node] = (r->received[node] & 5) == 5 || (r->received[node] & 10) == 10;
    }
    disable_marked(r);
}

/* ---- overlapping rings ---- */

/* The node has a faulty link towards `compass`; has it, or a neighbour across, one the other way? */
static bool overlaps(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass) {
    const unsigned back = (compass + 2) % HF_COMPASS;
    bool any = state_of(s, plane, node, back) == FAULTY;
    for (unsigned across = (compass + 1) % 2; across < HF_COMPASS; across += 2) {
        any |=
            state_of(s, plane, node, across) == GOOD && state_of(s, plane, hf_solid_step(s, plane, node, across), back) == FAULTY;
    }
    return any;
}

static void mend_overlaps(sacrifice *r) {
    for (uint32_t node = 0; node < r->n_node; node++) {
        for (unsigned compass = 0; compass < HF_COMPASS && is_in_service(r->s, node); compass++) {
            r->marked[node] |= state_of(r->s, r->plane, node, compass) == FAULTY && overlaps(r->s, r->plane, node, compass);
        }
    }
    disable_marked(r);
}

static void in_all_planes(sacrifice *r, void (*procedure)(sacrifice *r)) {
    for (r->plane = 0; r->plane < r->s->n_plane; r->plane++) {
        procedure(r);
    }
}

static void run_rules(sacrifice *r, uint32_t *rounds) {
    uint32_t before;
    do {
        before = r->s->n_sacrificed;
        hf_solid_close_pendants(r->s);
        mend_boundaries(r);
        in_all_planes(r, mend_concave);
        in_all_planes(r, mend_overlaps);
        *rounds += r->s->n_sacrificed > before;
    } while (r->s->n_sacrificed > before);
}

/* ---- what the rules leave ---- */

/* Both sides of a good link belong to regions: of two rings, or inside of one region. */
static void mark_shared(sacrifice *r) {
    const hf_solid *s = r->s;
    for (uint32_t node = 0; node < r->n_node; node++) {
        for (unsigned compass = HF_EAST; compass <= HF_SOUTH; compass++) {
            if (is_in_service(s, node) && state_of(s, r->plane, node, compass) == GOOD &&
                hf_solid_beside(s, r->plane, node, compass, false) != HF_NONE &&
                hf_solid_beside(s, r->plane, node, compass, true) != HF_NONE) {
                r->marked[node] = r->marked[hf_solid_step(s, r->plane, node, compass)] = 1;
            }
        }
    }
}

static uint32_t region_of_hop(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass) {
    const uint32_t right = hf_solid_beside(s, plane, node, compass, true);
    return right != HF_NONE ? right : hf_solid_beside(s, plane, node, compass, false);
}

/* From a faulty link of region g behind `node`: nodes up to the next faulty link of g in the line. */
static void mark_between(sacrifice *r, uint32_t start, unsigned compass) {
    const hf_solid *s = r->s;
    const uint32_t g = region_of_hop(s, r->plane, start, compass);
    uint32_t first = hf_solid_step(s, r->plane, start, compass);
    for (uint32_t node = first; state_of(s, r->plane, node, compass) != NO_LINK;
         node = hf_solid_step(s, r->plane, node, compass)) {
        if (state_of(s, r->plane, node, compass) == FAULTY && region_of_hop(s, r->plane, node, compass) == g) {
            for (uint32_t k = first; k != hf_solid_step(s, r->plane, node, compass); k = hf_solid_step(s, r->plane, k, compass)) {
                r->marked[k] = 1;
            }
            first = hf_solid_step(s, r->plane, node, compass);
        }
    }
}

static void mark_gaps(sacrifice *r) {
    for (uint32_t node = 0; node < r->n_node; node++) {
        for (unsigned compass = HF_EAST; compass <= HF_SOUTH && hf_solid_is_inside(r->s, node); compass++) {
            if (state_of(r->s, r->plane, node, compass) == FAULTY) {
                mark_between(r, node, compass);
            }
        }
    }
}

static void complete(sacrifice *r, uint32_t *rounds) {
    uint32_t before;
    do {
        before = r->s->n_sacrificed;
        hf_solid_find_regions(r->s);
        in_all_planes(r, mark_gaps);
        in_all_planes(r, mark_shared);
        disable_marked(r);
        if (r->s->n_sacrificed > before) {
            ++*rounds;
            run_rules(r, rounds);
        }
    } while (r->s->n_sacrificed > before);
}

hf_status hf_solid_sacrifice_all(hf_context *cx, hf_solid *s, bool is_completed, uint32_t *rounds, uint64_t *messages) {
    sacrifice r = {.s = s, .n_node = s->topo->n_switch};
    HF_TRY(hf_scratch(cx, r.n_node, 1, (void **)&r.marked));
    HF_TRY(hf_scratch(cx, r.n_node, 1, (void **)&r.sent));
    HF_TRY(hf_scratch(cx, r.n_node, 1, (void **)&r.received));
    *rounds = 0;
    run_rules(&r, rounds);
    if (is_completed) {
        complete(&r, rounds);
    }
    *messages = r.messages;
    return HF_OK;
}
