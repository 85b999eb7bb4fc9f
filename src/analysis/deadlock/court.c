/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  From what a scout finds of a block to arcs. */
#include "src/analysis/deadlock/court.h"

#include <string.h>

#include "src/core/grow.h"

typedef struct clerk {
    hf_scout *s;
    const hf_escape *escape;
    hf_court *out;
    uint64_t *asked; /* by row: lanes whose arcs are there */
    uint32_t *first; /* by row: its newest arc + 1 */
    hf_arc *arc;
    uint32_t *next; /* by arc */
    size_t n_arc, room, room_of_next;
    hf_hop *own; /* the declared escape hops of a state */
    size_t n_own;
} clerk;

static bool is_escape_hop(const clerk *c, hf_hop hop) {
    const hf_topology *topo = c->s->d->plan->topo;
    if (topo->link[hop.channel] >= topo->n_switch_link) {
        return true; /* to and from terminals */
    }
    return c->escape->is_declared ? hf_hops_hold(c->own, c->n_own, hop) : hop.vc < 64 && (c->escape->vcs >> hop.vc & 1);
}

static hf_status add_arc(hf_context *cx, clerk *c, uint32_t row, hf_arc arc) {
    for (uint32_t i = c->first[row]; i; i = c->next[i - 1]) {
        hf_arc *known = &c->arc[i - 1];
        if (known->resource == arc.resource && known->to == arc.to && known->is_escape == arc.is_escape) {
            known->lanes |= arc.lanes;
            return HF_OK;
        }
    }
    HF_GROW_SCRATCH(cx, c->arc, c->n_arc, c->room);
    HF_GROW_SCRATCH(cx, c->next, c->n_arc, c->room_of_next);
    c->next[c->n_arc] = c->first[row];
    c->arc[c->n_arc++] = arc;
    c->first[row] = (uint32_t)c->n_arc;
    return HF_OK;
}

/* A hop that ends at a terminal is one for its own packets. */
static hf_status add_hop(hf_context *cx, clerk *c, uint32_t row, hf_hop hop, uint64_t lanes) {
    const hf_topology *topo = c->s->d->plan->topo;
    const uint32_t node = topo->to[hop.channel];
    hf_arc arc = {lanes, hf_dependency_resource(c->s->d, hop), HF_NONE, is_escape_hop(c, hop)};
    if (hf_topology_is_terminal(topo, node)) {
        arc.lanes &= hf_destinations_bit(c->s->to, c->s->block, node - topo->n_switch);
    } else {
        arc.to = c->s->row_of[hf_scout_state(c->s, hop)];
    }
    return arc.lanes ? add_arc(cx, c, row, arc) : HF_OK;
}

/* The lanes of a part that share what is escape with the lowest of them. */
static hf_status ask(hf_context *cx, clerk *c, uint32_t row, hf_hop in, const hf_offer *offer, uint64_t *lanes) {
    const hf_scout *s = c->s;
    const uint32_t node = c->out->node[row], t = hf_scout_lowest(s, *lanes);
    uint64_t some = *lanes;
    if (c->escape->is_declared) {
        HF_TRY(hf_plan_read_escape(cx, s->d->plan, node, in, t, c->own, &c->n_own));
        some = hf_scout_run(s, node, in, *lanes);
    }
    for (uint32_t h = 0; h < offer->n; h++) {
        HF_TRY(add_hop(cx, c, row, s->pool[offer->begin + h], some));
    }
    *lanes &= ~some;
    return HF_OK;
}

/* What a state adds to its row: lanes that no state before it had. */
static hf_status add_state(hf_context *cx, clerk *c, uint32_t state) {
    const hf_scout *s = c->s;
    const hf_hop in = hf_scout_hop(s, state);
    const uint32_t row = s->row_of[state];
    const uint64_t lanes = s->brought[state].lanes & ~c->asked[row];
    c->asked[row] |= lanes;
    c->out->hold[c->out->n_hold++] = (hf_hold){s->brought[state].lanes, hf_dependency_resource(s->d, in), row};
    for (uint32_t i = s->row[row].part; i; i = s->part[i - 1].next) {
        const hf_offer offer = s->offer[s->part[i - 1].offer];
        for (uint64_t left = s->part[i - 1].lanes & lanes; left;) {
            HF_TRY(ask(cx, c, row, in, &offer, &left));
        }
    }
    return HF_OK;
}

/* Is every packet offered an escape hop wherever it can be? */
static bool is_offered(const hf_court *out) {
    for (uint32_t row = 0; row < out->n_row; row++) {
        uint64_t lanes = 0;
        for (uint32_t i = out->begin[row]; i < out->begin[row + 1]; i++) {
            lanes |= out->arc[i].is_escape ? out->arc[i].lanes : 0;
        }
        if (out->lanes[row] & ~lanes) {
            return false;
        }
    }
    return true;
}

static hf_status lay_down(hf_context *cx, const clerk *c) {
    hf_court *out = c->out;
    uint32_t n = 0;
    HF_TRY(hf_scratch(cx, c->n_arc, sizeof *out->arc, (void **)&out->arc));
    HF_TRY(hf_scratch(cx, (size_t)out->n_row + 1, sizeof *out->begin, (void **)&out->begin));
    for (uint32_t row = 0; row < out->n_row; row++) {
        out->begin[row] = n;
        for (uint32_t i = c->first[row]; i; i = c->next[i - 1]) {
            out->arc[n++] = c->arc[i - 1];
        }
    }
    out->begin[out->n_row] = n;
    return HF_OK;
}

static hf_status gather(hf_context *cx, clerk *c) {
    const hf_scout *s = c->s;
    hf_court *out = c->out;
    out->n_row = s->n_row;
    HF_TRY(hf_scratch(cx, s->n_row, sizeof *out->node, (void **)&out->node));
    HF_TRY(hf_scratch(cx, s->n_row, sizeof *out->lanes, (void **)&out->lanes));
    HF_TRY(hf_scratch(cx, s->n_reached, sizeof *out->hold, (void **)&out->hold));
    HF_TRY(hf_scratch(cx, s->n_row, sizeof *c->asked, (void **)&c->asked));
    HF_TRY(hf_scratch(cx, s->n_row, sizeof *c->first, (void **)&c->first));
    HF_TRY(hf_scratch(cx, hf_plan_room(s->d->plan), sizeof *c->own, (void **)&c->own));
    for (uint32_t row = 0; row < s->n_row; row++) {
        out->node[row] = s->row[row].node;
        out->lanes[row] = s->row[row].spread;
    }
    for (uint32_t i = 0; i < s->n_reached; i++) {
        HF_TRY(s->row_of[s->reached[i]] == HF_NONE ? HF_OK : add_state(cx, c, s->reached[i]));
    }
    return lay_down(cx, c);
}

hf_status hf_court_make(hf_context *cx, hf_scout *s, uint32_t block, const hf_escape *escape, hf_court *out, bool *ok) {
    clerk c = {.s = s, .escape = escape, .out = out};
    *out = (hf_court){0};
    hf_scout_follow(s, block);
    if (s->failed) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory for the states of an escape");
    }
    const hf_status status = gather(cx, &c);
    hf_scout_leave(s);
    HF_TRY(status);
    *ok = is_offered(out);
    return HF_OK;
}
