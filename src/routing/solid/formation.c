/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Formation of f-rings. The shape-finding message keeps the fault to its right: at each node it takes the first good link from
 *  the right round to the one that it came by, which it knows of itself. What it goes round is a face of the plane graph of good
 *  links. */
#include "src/routing/solid/formation.h"

#include <string.h>

static bool is_good(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass) {
    return hf_solid_is_good(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass));
}

static bool is_faulty(const hf_solid *s, uint32_t plane, uint32_t node, unsigned compass) {
    return hf_solid_has(s, node, hf_solid_dim(s, plane, compass), hf_solid_is_plus(compass)) && !is_good(s, plane, node, compass);
}

static uint32_t count_facts(const hf_solid *s, uint32_t plane, uint32_t node) {
    uint32_t sent = 0;
    for (unsigned compass = 0; compass < HF_COMPASS && !s->bad[node]; compass++) {
        if (is_faulty(s, plane, node, compass)) {
            sent += is_good(s, plane, node, (compass + 1) % HF_COMPASS) + is_good(s, plane, node, (compass + 3) % HF_COMPASS);
        }
    }
    return sent;
}

/* ---- walks ---- */

/* A hop: node and compass of one plane. */
typedef struct walks {
    const hf_solid *s;
    uint32_t plane;
    uint8_t *seen, *follows; /* n_switch x HF_COMPASS: walked; behind another of its walk */
    uint32_t *crossed[2];    /* by the walk, of the lines between columns and between rows */
} walks;

static uint32_t region_of(const walks *w, uint32_t node, unsigned compass) {
    return is_good(w->s, w->plane, node, compass) ? hf_solid_beside(w->s, w->plane, node, compass, true) : HF_NONE;
}

/* The hop behind one, with the same region to its right. \return whether there is one */
static bool go_on(const walks *w, uint32_t *node, unsigned *compass) {
    const uint32_t region = region_of(w, *node, *compass), there = hf_solid_step(w->s, w->plane, *node, *compass);
    unsigned next = (*compass + 1) % HF_COMPASS;
    while (!is_good(w->s, w->plane, there, next)) { /* at the latest the way back */
        next = (next + 3) % HF_COMPASS;
    }
    *node = there;
    *compass = next;
    return region_of(w, there, next) == region;
}

static bool cross(const walks *w, uint32_t node, unsigned compass) {
    const bool is_row = compass == HF_EAST || compass == HF_WEST, is_plus = hf_solid_is_plus(compass);
    const uint32_t d = hf_solid_dim(w->s, w->plane, compass), from = is_plus ? node : hf_solid_next(w->s, node, d, false);
    return ++w->crossed[!is_row][hf_solid_digit(w->s, from, d)] > 2;
}

static void walk(const walks *w, uint32_t node, unsigned compass, hf_solid_formation *out) {
    uint32_t steps = 0;
    memset(w->crossed[0], 0, w->s->grid.size[w->s->u[w->plane]] * sizeof *w->crossed[0]);
    memset(w->crossed[1], 0, w->s->grid.size[w->s->v[w->plane]] * sizeof *w->crossed[1]);
    for (bool goes = true; goes && !w->seen[node * HF_COMPASS + compass];) {
        w->seen[node * HF_COMPASS + compass] = 1;
        out->finds_solid &= !cross(w, node, compass);
        steps++;
        goes = go_on(w, &node, &compass);
    }
    out->n_ring++;
    out->shape_messages += steps;
    out->shape_steps = steps > out->shape_steps ? steps : out->shape_steps;
}

static void mark_followers(const walks *w, uint32_t n_hop) {
    memset(w->seen, 0, n_hop);
    memset(w->follows, 0, n_hop);
    for (uint32_t i = 0; i < n_hop; i++) {
        uint32_t node = i / HF_COMPASS;
        unsigned compass = i % HF_COMPASS;
        if (region_of(w, node, compass) != HF_NONE && go_on(w, &node, &compass)) {
            w->follows[node * HF_COMPASS + compass] = 1;
        }
    }
}

/* First along the chains, from their beginnings; what is left are rings. */
static void walk_plane(const walks *w, hf_solid_formation *out) {
    const uint32_t n_hop = w->s->topo->n_switch * HF_COMPASS;
    mark_followers(w, n_hop);
    for (int closed = 0; closed <= 1; closed++) {
        for (uint32_t i = 0; i < n_hop; i++) {
            const bool starts = closed || !w->follows[i];
            if (starts && !w->seen[i] && region_of(w, i / HF_COMPASS, i % HF_COMPASS) != HF_NONE) {
                walk(w, i / HF_COMPASS, i % HF_COMPASS, out);
            }
        }
    }
}

hf_status hf_solid_form(hf_context *cx, const hf_solid *s, hf_solid_formation *out) {
    walks w = {.s = s};
    const size_t n_hop = (size_t)s->topo->n_switch * HF_COMPASS;
    *out = (hf_solid_formation){.finds_solid = true};
    HF_TRY(hf_scratch(cx, n_hop, 1, (void **)&w.seen));
    HF_TRY(hf_scratch(cx, n_hop, 1, (void **)&w.follows));
    for (size_t k = 0; k < 2; k++) {
        HF_TRY(hf_scratch(cx, s->topo->n_switch, sizeof *w.crossed[k], (void **)&w.crossed[k]));
    }
    for (w.plane = 0; w.plane < s->n_plane; w.plane++) {
        for (uint32_t node = 0; node < s->topo->n_switch; node++) {
            out->messages += count_facts(s, w.plane, node);
        }
        walk_plane(&w, out);
    }
    return HF_OK;
}
