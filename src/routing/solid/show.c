/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  f-regions and f-rings of a plan as text and as marks of a drawing; nodes are written as in the paper: (3,2) is row 3, column
 *  2. */
#include <inttypes.h>
#include <string.h>

#include <holdfast/core/bitset.h>
#include <holdfast/format.h>

#include "src/core/print.h"
#include "src/routing/solid/formation.h"
#include "src/routing/solid/route.h"

static const char *const meaning[] = {"covered: every f-region is solid",
                                      "not covered: an f-region is not solid",
                                      "not covered: an f-region touches the boundary of the mesh",
                                      "not covered: f-rings overlap",
                                      "not covered: what is left is not connected",
                                      "not covered: from a part of a cross section some goal cannot be reached"};

static void print_node(const hf_solid *s, uint32_t node, hf_text *out) {
    for (uint32_t d = s->grid.n; d-- > 0;) {
        hf_text_print(out, "%s%u", d + 1 == s->grid.n ? "(" : ",", hf_solid_digit(s, node, d));
    }
    hf_text_print(out, ")");
}

static bool is_node_of(const hf_solid *s, uint32_t plane, uint32_t node, uint32_t region) {
    bool any = false;
    for (unsigned compass = 0; compass < HF_COMPASS; compass++) {
        any |= hf_solid_beside(s, plane, node, compass, true) == region;
    }
    return any;
}

/* A faulty link of the region with both ends in service. */
static bool is_own_link(const hf_solid *s, uint32_t plane, uint32_t i, uint32_t region) {
    const uint32_t node = s->cut_node[i], d = s->cut_dim[i];
    if ((d != s->u[plane] && d != s->v[plane]) || s->bad[node] || s->bad[hf_solid_next(s, node, d, true)]) {
        return false;
    }
    const unsigned compass = d == s->u[plane] ? HF_EAST : HF_SOUTH;
    return hf_solid_beside(s, plane, node, compass, true) == region || hf_solid_beside(s, plane, node, compass, false) == region;
}

static void print_members(const hf_solid *s, uint32_t plane, uint32_t region, hf_text *out) {
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        if (s->bad[node] && is_node_of(s, plane, node, region)) {
            hf_text_print(out, " ");
            print_node(s, node, out);
        }
    }
    for (uint32_t i = 0; i < s->n_cut; i++) {
        if (is_own_link(s, plane, i, region)) {
            hf_text_print(out, " ");
            print_node(s, s->cut_node[i], out);
            hf_text_print(out, "-");
            print_node(s, hf_solid_next(s, s->cut_node[i], s->cut_dim[i], true), out);
        }
    }
    hf_text_print(out, "\n");
}

/* The first node of a chain, some node of a ring; n_switch if there is none. */
static uint32_t start_of_ring(const hf_solid *s, uint32_t plane, uint32_t region) {
    uint32_t start = 0;
    while (start < s->topo->n_switch && hf_solid_turn(s, plane, start, region, true) == HF_COMPASS) {
        start++;
    }
    uint32_t node = start;
    for (uint32_t steps = 0; start < s->topo->n_switch && steps <= 4 * s->topo->n_switch; steps++) {
        const unsigned back = hf_solid_turn(s, plane, node, region, false);
        if (back == HF_COMPASS) {
            return node;
        }
        node = hf_solid_step(s, plane, node, back);
        if (node == start) {
            return start;
        }
    }
    return start;
}

/* Nodes of the ring clockwise, if it closes. */
static void print_ring(const hf_solid *s, uint32_t plane, uint32_t region, hf_text *out) {
    uint32_t steps = 0;
    const uint32_t start = start_of_ring(s, plane, region);
    hf_text_print(out, "  f-ring, clockwise:");
    for (uint32_t node = start; start < s->topo->n_switch && steps <= 4 * s->topo->n_switch; steps++) {
        const unsigned compass = hf_solid_turn(s, plane, node, region, true);
        hf_text_print(out, " ");
        print_node(s, node, out);
        if (compass == HF_COMPASS) {
            hf_text_print(out, ", an f-chain\n");
            return;
        }
        node = hf_solid_step(s, plane, node, compass);
        if (node == start) {
            hf_text_print(out, "\n");
            return;
        }
    }
    hf_text_print(out, " it does not close\n");
}

static void print_region(const hf_solid *s, uint32_t plane, uint32_t node, uint32_t number, hf_text *out) {
    const uint32_t region = plane * s->topo->n_switch + node;
    hf_text_print(out, "f-region %u", number);
    if (s->n_plane > 1) {
        hf_text_print(out, ", in the plane of DIM%u and DIM%u through ", s->u[plane], s->v[plane]);
        print_node(s, node, out);
    }
    hf_text_print(out, ":");
    print_members(s, plane, region, out);
    print_ring(s, plane, region, out);
}

/* What it takes to form the rings, and what becomes of messages to nodes out of service. */
static hf_status print_effort(hf_context *cx, const hf_plan *plan, hf_text *out) {
    const hf_solid_plan *p = plan->state;
    hf_solid_formation form;
    hf_solid_removals removals;
    HF_TRY(hf_solid_form(cx, &p->solid, &form));
    HF_TRY(hf_solid_find_removals(cx, plan, &removals));
    if (form.n_ring > 0) {
        hf_text_print(out,
                      "formation: %" PRIu64 " messages between neighbours, at once; to find the shape %" PRIu64
                      " hops, %u of them in turn: %s\n",
                      form.messages, form.shape_messages, form.shape_steps, form.finds_solid ? "solid" : "not solid");
    }
    if (removals.pairs > 0) {
        hf_text_print(out,
                      "messages to nodes out of service: removed for %" PRIu64 " of %" PRIu64 " pairs, after %u hops at most\n",
                      removals.removed, removals.pairs, removals.longest);
    }
    if (removals.wrong > 0) {
        hf_text_print(out, "messages to nodes in service: some are removed, too, for %" PRIu64 " pairs\n", removals.wrong);
    }
    return HF_OK;
}

/* What is said of the class of a plan. */
static const char *meaning_of(const hf_solid_plan *p) {
    return p->options.is_convex_only && p->class == HF_SOLID_NOT_SOLID         ? "not covered: an f-region is not a rectangle"
           : p->class == HF_SOLID_DISCONNECTED && !hf_solid_has_two(&p->solid) ? "not covered: fewer than two nodes are left"
                                                                               : meaning[p->class];
}

static hf_status describe(hf_context *cx, const hf_plan *plan, hf_text *out) {
    const hf_solid_plan *p = plan->state;
    const hf_solid *s = &p->solid;
    uint32_t count = 0;
    hf_text_print(out, "%s%s%s\n", meaning_of(p),
                  p->class == HF_SOLID_COVERED && !s->takes_chains ? ", none touches the boundary" : "",
                  p->class == HF_SOLID_COVERED && !s->takes_overlaps ? ", no two f-rings overlap" : "");
    if (s->n_sacrificed) {
        hf_text_print(out, "taken out of service: %u node%s that ha%s not failed\n", s->n_sacrificed, hf_plural(s->n_sacrificed),
                      s->n_sacrificed == 1 ? "s" : "ve");
    }
    for (uint32_t plane = 0; plane < s->n_plane; plane++) {
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            const uint32_t face = plane * s->topo->n_switch + node;
            if (s->face[face] == face) { /* a region bears the number of its lowest face */
                print_region(s, plane, node, ++count, out);
            }
        }
    }
    HF_TRY(print_effort(cx, plan, out));
    return hf_text_check(cx, out);
}

/* ---- marks ---- */

static void mark_rings(const hf_solid *s, uint64_t *ring) {
    for (uint32_t plane = 0; plane < s->n_plane; plane++) {
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            for (unsigned compass = HF_EAST; compass <= HF_SOUTH; compass++) {
                const uint32_t d = hf_solid_dim(s, plane, compass);
                const bool is_on_ring = hf_solid_beside(s, plane, node, compass, true) != HF_NONE ||
                                        hf_solid_beside(s, plane, node, compass, false) != HF_NONE;
                if (is_on_ring && hf_solid_is_good(s, node, d, true)) {
                    hf_bit_set(ring, s->topo->link[hf_topology_channel_at(s->topo, node, 2 * d)]);
                }
            }
        }
    }
}

/* Is the face drawn as a square, not across the whole drawing? */
static bool is_square(const hf_solid *s, uint32_t plane, uint32_t node) {
    const uint32_t u = s->u[plane], v = s->v[plane];
    return hf_solid_digit(s, node, u) + 1 < s->grid.size[u] && hf_solid_digit(s, node, v) + 1 < s->grid.size[v];
}

/* The faces of all regions, each as its four corners in order; those that close a ring of a torus are left out. */
static size_t list_faces(const hf_solid *s, uint32_t (*area)[4]) {
    size_t n = 0;
    for (uint32_t plane = 0; plane < s->n_plane; plane++) {
        const uint32_t east = s->grid.stride[s->u[plane]], south = s->grid.stride[s->v[plane]];
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            if (s->face[plane * s->topo->n_switch + node] == HF_NONE || !is_square(s, plane, node)) {
                continue;
            }
            if (area) {
                memcpy(area[n], (uint32_t[4]){node, node + east, node + east + south, node + south}, sizeof *area);
            }
            n++;
        }
    }
    return n;
}

static hf_status mark(hf_context *cx, const hf_plan *plan, hf_marks *marks) {
    const hf_solid *s = &((const hf_solid_plan *)plan->state)->solid;
    uint64_t *ring, *off;
    uint32_t(*area)[4];
    HF_TRY(hf_scratch(cx, hf_words(s->topo->n_link), sizeof *ring, (void **)&ring));
    HF_TRY(hf_scratch(cx, hf_words(s->topo->n_switch), sizeof *off, (void **)&off));
    HF_TRY(hf_scratch(cx, list_faces(s, NULL), sizeof *area, (void **)&area));
    mark_rings(s, ring);
    for (uint32_t node = 0; node < s->topo->n_switch; node++) {
        if (s->bad[node] && !hf_bit_test(plan->faults->switch_set, node)) {
            hf_bit_set(off, node);
        }
    }
    marks->n_area = list_faces(s, area);
    marks->area = (const uint32_t(*)[4])area;
    marks->ring_link = ring;
    marks->off_switch = off;
    return HF_OK;
}

const hf_routing_drawing hf_solid_drawing = {.describe_faults = describe, .mark = mark, .is_north_first = true};
