/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Where packets can be, for up to 64 destinations at once, each with a bit of its own: a lane. What the rule says it treats
 *  alike is asked for once: arrivals of one number share a desk, where each lane is served one offer of hops. A lane may stand
 *  for several terminals of a switch, if the rule routes by switches. It is followed as packets for the lowest of them from all
 *  other terminals, up to that switch. Packets for each terminal are looked at from there on, and from the others of the lane:
 *  they have to be delivered in one step. If not, the terminals are followed apart. */
#include <string.h>

#include "src/check/check.h"

/* The places so far, with a chain per resource to find one again, and desks with a chain per node. */
typedef struct gathering {
    check *c;
    const lane *lane;
    uint32_t n_lane;
    uint32_t *newest, *newest_desk; /* by resource: place + 1; by node: desk + 1 */
    crowd *out;
    hf_hop *hops; /* those that were asked for last */
    size_t room, desk_room;
    uint32_t *queue; /* places with something to do */
    size_t n_queue, queue_room;
} gathering;

static hf_status more(check *c, size_t n, size_t size, void **array, size_t *room) {
    void *bigger;
    if (n < *room) {
        return HF_OK;
    }
    HF_TRY(hf_scratch(c->cx, 2 * *room + 256, size, &bigger));
    if (n) {
        memcpy(bigger, *array, n * size);
    }
    *room = 2 * *room + 256;
    *array = bigger;
    return HF_OK;
}

/* Which lanes stand for several terminals of a switch, by node; and for a terminal, by its node. */
static hf_status mark_lanes(gathering *g) {
    const hf_topology *topo = g->c->net.topo;
    HF_TRY(hf_scratch(g->c->cx, topo->n_node, sizeof *g->out->goal_lanes, (void **)&g->out->goal_lanes));
    for (uint32_t l = 0; l < g->n_lane; l++) {
        if (g->lane[l].n > 1) {
            g->out->goal_lanes[g->lane[l].goal] |= UINT64_C(1) << l;
        }
        for (uint32_t i = 0; i < g->lane[l].n; i++) {
            g->out->goal_lanes[topo->n_switch + g->lane[l].terminal[i]] |= UINT64_C(1) << l;
        }
    }
    return HF_OK;
}

/* ---- desks ---- */

static hf_status find_desk(gathering *g, uint32_t node, hf_hop in, uint32_t *found) {
    const hf_plan *plan = &g->c->net.plan;
    const hf_likeness *like = hf_likeness_of(plan);
    const uint32_t arrival = in.channel != HF_NONE && like->arrival ? hf_plan_arrival(plan, in) : HF_NONE;
    for (uint32_t i = arrival != HF_NONE ? g->newest_desk[node] : 0; i; i = g->out->desk[i - 1].older) {
        if (g->out->desk[i - 1].arrival == arrival) {
            *found = i - 1;
            return HF_OK;
        }
    }
    HF_TRY(more(g->c, g->out->n_desk, sizeof *g->out->desk, (void **)&g->out->desk, &g->desk_room));
    g->out->desk[g->out->n_desk] = (desk){.arrival = arrival, .older = g->newest_desk[node]};
    *found = (uint32_t)g->out->n_desk++;
    g->newest_desk[node] = *found + 1;
    return HF_OK;
}

/* Those of the lanes that the rule treats as the lowest of them. */
static uint64_t run_of(const gathering *g, uint32_t node, hf_hop in, uint64_t lanes) {
    const hf_plan *plan = &g->c->net.plan;
    const hf_likeness *like = hf_likeness_of(plan);
    const uint32_t first = (uint32_t)__builtin_ctzll(lanes);
    const uint32_t end = like->run ? hf_plan_run(plan, node, in, *g->lane[first].terminal) : 0;
    uint64_t run = UINT64_C(1) << first;
    for (uint32_t l = first + 1; l < g->n_lane && *g->lane[l].terminal < end; l++) {
        run |= UINT64_C(1) << l;
    }
    return run & lanes;
}

/* Lanes are offered the hops that were asked for last: one offer for all that get the same. */
static hf_status add_lanes(gathering *g, desk *d, size_t n, uint64_t lanes) {
    const size_t size = n * sizeof *g->hops;
    service *o = d->first;
    while (o && (o->n != n || memcmp(o->hop, g->hops, size) != 0)) {
        o = o->next;
    }
    if (!o) {
        HF_TRY(hf_scratch(g->c->cx, 1, sizeof *o, (void **)&o));
        HF_TRY(hf_scratch(g->c->cx, n, sizeof *o->hop, (void **)&o->hop));
        memcpy(o->hop, g->hops, size);
        o->n = n;
        o->next = d->first;
        d->first = o;
    }
    o->lanes |= lanes;
    d->served |= lanes;
    return HF_OK;
}

/* Ask for lanes that were not served yet. */
static hf_status serve(gathering *g, desk *d, uint32_t node, hf_hop in, uint64_t lanes) {
    for (lanes &= ~d->served; lanes;) {
        const uint64_t run = run_of(g, node, in, lanes);
        size_t n;
        HF_TRY(check_hops(g->c, node, in, *g->lane[__builtin_ctzll(lanes)].terminal, g->hops, &n));
        HF_TRY(add_lanes(g, d, n, run));
        lanes &= ~run;
    }
    return HF_OK;
}

/* ---- places ---- */

static hf_status come(gathering *g, hf_hop in, uint64_t lanes) {
    const uint32_t r = check_resource(g->c, in);
    uint32_t i = g->newest[r];
    while (i && g->out->spot[i - 1].in.tag != in.tag) {
        i = g->out->spot[i - 1].older;
    }
    if (!i) {
        HF_TRY(more(g->c, g->out->n_spot, sizeof *g->out->spot, (void **)&g->out->spot, &g->room));
        g->out->spot[g->out->n_spot] =
            (spot){.in = in, .at = g->c->net.topo->to[in.channel], .older = g->newest[r], .desk = HF_NONE};
        i = g->newest[r] = (uint32_t)++g->out->n_spot;
    }
    spot *s = &g->out->spot[i - 1];
    lanes &= ~s->lanes;
    if (lanes && !s->todo) {
        HF_TRY(more(g->c, g->n_queue, sizeof *g->queue, (void **)&g->queue, &g->queue_room));
        g->queue[g->n_queue++] = i - 1;
    }
    s->lanes |= lanes;
    s->todo |= lanes;
    return HF_OK;
}

static hf_status go_on(gathering *g, const desk *d, uint64_t lanes) {
    for (const service *o = d->first; o; o = o->next) {
        for (size_t h = 0; h < o->n && (o->lanes & lanes); h++) {
            HF_TRY(come(g, o->hop[h], o->lanes & lanes));
        }
    }
    return HF_OK;
}

static hf_status leave(gathering *g, uint32_t i) {
    const hf_topology *topo = g->c->net.topo;
    const spot s = g->out->spot[i];
    uint32_t k = s.desk; /* lanes may come at different times */
    g->out->spot[i].todo = 0;
    const uint64_t lanes = s.todo & ~g->out->goal_lanes[s.at];
    if (hf_topology_is_terminal(topo, s.at) || !lanes) {
        return HF_OK;
    }
    HF_TRY(k == HF_NONE ? find_desk(g, s.at, s.in, &k) : HF_OK);
    g->out->spot[i].desk = k;
    HF_TRY(serve(g, &g->out->desk[k], s.at, s.in, lanes));
    const uint64_t fresh = lanes & ~g->out->desk[k].left;
    g->out->desk[k].left |= lanes;
    const desk d = g->out->desk[k];
    return go_on(g, &d, fresh);
}

static hf_status inject(gathering *g, uint32_t source) {
    const hf_topology *topo = g->c->net.topo;
    desk d = {.arrival = HF_NONE};
    const uint64_t all = g->n_lane < 64 ? (UINT64_C(1) << g->n_lane) - 1 : ~UINT64_C(0);
    uint64_t lanes = all & ~g->out->goal_lanes[topo->n_switch + source];
    for (uint32_t l = 0; l < g->n_lane && g->c->net.plan.flows; l++) { /* each is one terminal */
        lanes &= hf_plan_has_flow(&g->c->net.plan, source, g->lane[l].terminal[0]) ? lanes : ~(UINT64_C(1) << l);
    }
    HF_TRY(serve(g, &d, topo->n_switch + source, HF_HOP_INJECTION, lanes));
    for (const service *o = d.first; o; o = o->next) {
        for (size_t h = 0; h < o->n; h++) {
            g->out->is_asked[check_resource(g->c, o->hop[h])] = true;
        }
    }
    return go_on(g, &d, lanes);
}

hf_status check_crowd(check *c, const lane *lanes, uint32_t n, crowd *out) {
    gathering g = {.c = c, .lane = lanes, .n_lane = n, .out = out};
    *out = (crowd){.is_asked = out->is_asked};
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *g.newest, (void **)&g.newest));
    HF_TRY(hf_scratch(c->cx, c->net.topo->n_node, sizeof *g.newest_desk, (void **)&g.newest_desk));
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *g.hops, (void **)&g.hops));
    HF_TRY(mark_lanes(&g));
    for (uint32_t source = 0; source < c->net.topo->n_terminal; source++) {
        HF_TRY(hf_plan_is_live(&c->net.plan, source) ? inject(&g, source) : HF_OK);
    }
    for (size_t i = 0; i < g.n_queue; i++) {
        HF_TRY(leave(&g, g.queue[i]));
    }
    return HF_OK;
}
