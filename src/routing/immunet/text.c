/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The tables of Immunet in words and as marks of a drawing: who is whose parent, the ring, and for each switch the Small Safe,
 *  safe and adaptive tables. */
#include <inttypes.h>

#include "src/routing/immunet/text.h"

static uint32_t port_of(const hf_ways *ways, uint32_t way) { return ways->topo->from_port[ways->channel[way]]; }

static bool is_shown(uint32_t v, uint32_t only) { return only == HF_NONE || only == v; }

/* ---- tree and ring ---- */

static void print_children(const hf_immunet *s, uint32_t v, hf_text *out) {
    const hf_ways *ways = &s->ways;
    const char *separator = ", children ";
    for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
        const uint32_t to = ways->to[w];
        if (s->emergency.root[to] != HF_NONE && s->emergency.parent[to] == ways->back[w]) {
            hf_text_print(out, "%ss%" PRIu32 " at port %" PRIu32, separator, to, port_of(ways, w));
            separator = ", ";
        }
    }
}

static void print_tree(const hf_immunet *s, uint32_t only, hf_text *out) {
    const hf_emergency *e = &s->emergency;
    hf_text_print(out, "emergency tree: %s\n", e->is_boot ? "none met; that of the start" : "after the faults");
    for (uint32_t v = 0; v < s->ways.n; v++) {
        if (!is_shown(v, only)) {
            continue;
        }
        if (e->root[v] == HF_NONE) {
            hf_text_print(out, "  s%" PRIu32 "  in no tree\n", v);
            continue;
        }
        hf_text_print(out, "  s%" PRIu32 "  priority %" PRIu64 ", ", v, e->priority[v]);
        if (e->parent[v] == HF_NONE) {
            hf_text_print(out, "root");
        } else {
            hf_text_print(out, "parent s%" PRIu32 " at port %" PRIu32, s->ways.to[e->parent[v]], port_of(&s->ways, e->parent[v]));
        }
        print_children(s, v, out);
        hf_text_print(out, "\n");
    }
}

static void print_rings(const hf_immunet *s, hf_text *out) {
    const hf_ring *r = &s->ring;
    for (uint32_t root = 0; root < r->n_rank; root += r->size[root]) {
        hf_text_print(out, "ring: %" PRIu32 " hops: s%" PRIu32, r->end[root] - r->begin[root], r->sw[root]);
        for (uint32_t i = r->begin[root]; i < r->end[root]; i++) {
            hf_text_print(out, " s%" PRIu32, s->ways.to[r->hop[i]]);
        }
        hf_text_print(out, "\n");
    }
}

/* ---- the tables of a switch ---- */

/* Where a packet that came in at the port of way `w` goes on in the safe network; HF_NONE: not part of it. */
static uint32_t transit(const hf_immunet *s, uint32_t w) {
    const hf_ways *ways = &s->ways;
    if (!s->is_grid) {
        return s->ring.next[ways->back[w]];
    }
    const uint32_t d = hf_grid_dimension(ways->topo, &s->grid, ways->channel[w]);
    const uint32_t on =
        s->grid.is_cube ? HF_NONE
                        : hf_topology_channel_at(ways->topo, ways->from[w], 2 * d + !(port_of(ways, w) % 2)); /* straight on */
    return on == HF_NONE ? HF_NONE : ways->of[on];
}

static void print_small_safe(const hf_immunet *s, uint32_t v, hf_text *out) {
    hf_text_print(out, "  small safe table:");
    for (uint32_t w = s->ways.begin[v]; w < s->ways.begin[v + 1]; w++) {
        const uint32_t on = transit(s, w);
        if (on != HF_NONE) {
            hf_text_print(out, " from port %" PRIu32 " to %" PRIu32 ";", port_of(&s->ways, w), port_of(&s->ways, on));
        }
    }
    hf_text_print(out, "\n");
}

static uint32_t safe_port(const hf_immunet *s, uint32_t v, uint32_t goal, bool is_provisional) {
    if (s->is_grid) {
        return s->ways.topo->from_port[hf_grid_dor_hop(s->ways.topo, &s->grid, &hf_immunet_line, v, goal).channel];
    }
    return port_of(&s->ways, hf_ring_entry(&s->ways, &s->ring, v, goal, is_provisional));
}

static void print_adaptive(const hf_immunet *s, uint32_t v, uint32_t goal, hf_text *out) {
    const hf_ways *ways = &s->ways;
    const uint16_t *distance = s->distance + (size_t)s->row[goal] * ways->n;
    hf_text_print(out, "; adaptive, distance %u:", distance[v]);
    for (uint32_t w = ways->begin[v]; w < ways->begin[v + 1]; w++) {
        if (distance[ways->to[w]] + 1 == distance[v] && !hf_bit_test(s->dead, ways->topo->link[ways->channel[w]])) {
            hf_text_print(out, " %" PRIu32, port_of(ways, w));
        }
    }
}

static void print_switch(const hf_immunet *s, uint32_t v, hf_text *out) {
    hf_text_print(out, "s%" PRIu32 "\n", v);
    print_small_safe(s, v, out);
    for (uint32_t goal = 0; goal < s->ways.n; goal++) {
        if (goal == v || s->row[goal] == HF_NONE || s->emergency.root[goal] != s->emergency.root[v]) {
            continue;
        }
        hf_text_print(out, "  to s%" PRIu32 ": safe port %" PRIu32, goal, safe_port(s, v, goal, false));
        if (!s->is_grid) {
            hf_text_print(out, ", provisional %" PRIu32, safe_port(s, v, goal, true));
        }
        print_adaptive(s, v, goal, out);
        hf_text_print(out, "\n");
    }
}

hf_status hf_immunet_describe(hf_context *cx, const hf_plan *plan, uint32_t only_switch, hf_text *out) {
    const hf_immunet *s = plan->state;
    if (s->is_grid) {
        hf_text_print(out, "safe network: dimension order\n");
    } else {
        print_tree(s, only_switch, out);
        print_rings(s, out);
    }
    for (uint32_t v = 0; v < s->ways.n; v++) {
        if (is_shown(v, only_switch) && s->emergency.root[v] != HF_NONE) {
            print_switch(s, v, out);
        }
    }
    return hf_text_check(cx, out);
}

/* ---- drawings ---- */

/* Ring by ring, hops numbered from 1 at each root. */
static void number_hops(const hf_immunet *s, uint32_t *tour) {
    const hf_ring *r = &s->ring;
    for (uint32_t root = 0; root < r->n_rank; root += r->size[root]) {
        for (uint32_t i = r->begin[root]; i < r->end[root]; i++) {
            tour[s->ways.channel[r->hop[i]]] = i - r->begin[root] + 1;
        }
    }
}

hf_status hf_immunet_mark(hf_context *cx, const hf_plan *plan, hf_marks *marks) {
    const hf_immunet *s = plan->state;
    const hf_topology *topo = plan->topo;
    uint64_t *tree, *roots;
    uint32_t *tour;
    if (s->is_grid) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(cx, hf_words(topo->n_link), sizeof *tree, (void **)&tree));
    HF_TRY(hf_scratch(cx, hf_words(topo->n_switch), sizeof *roots, (void **)&roots));
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *tour, (void **)&tour));
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        if (s->emergency.root[v] == HF_NONE) {
            continue;
        }
        if (s->emergency.parent[v] == HF_NONE) {
            hf_bit_set(roots, v);
        } else {
            hf_bit_set(tree, topo->link[s->ways.channel[s->emergency.parent[v]]]);
        }
    }
    number_hops(s, tour);
    marks->tree_link = tree;
    marks->root_switch = roots;
    marks->tour = tour;
    return HF_OK;
}
