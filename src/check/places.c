/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Where packets can be. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/check/check.h"

void check_refute(check *c, const char *format, ...) {
    if (!check_is_refuted(c)) {
        va_list list;
        va_start(list, format);
        vsnprintf(c->why, sizeof c->why, format, list);
        va_end(list);
        c->outcome = CHECK_REFUTED;
    }
}

void check_leave_open(check *c, const char *format, ...) {
    if (c->outcome == CHECK_CONFIRMED) {
        va_list list;
        va_start(list, format);
        vsnprintf(c->why, sizeof c->why, format, list);
        va_end(list);
        c->outcome = CHECK_OPEN;
    }
}

void check_class(check *c, uint32_t class) { c->net.plan = c->whole.classes ? c->whole.of_class[class] : c->whole; }

uint32_t check_ring(const check *c, uint32_t resource) {
    const hf_plan *plan = &c->net.plan;
    const uint32_t ring = c->net.control.bubble ? hf_plan_ring(plan, resource / plan->n_vc, resource % plan->n_vc) : HF_NONE;
    return ring != HF_NONE && c->is_open && c->is_open[ring] ? HF_NONE : ring;
}

bool check_has_rings(const check *c) {
    for (uint32_t r = 0; r < c->n_resource; r++) {
        if (check_ring(c, r) != HF_NONE) {
            return true;
        }
    }
    return false;
}

hf_status check_hops(const check *c, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops, size_t *n) {
    *n = 0;
    if (hf_topology_is_terminal(c->net.topo, at) && in.channel != HF_NONE) {
        return HF_OK; /* terminals do not forward */
    }
    size_t count;
    HF_TRY(hf_plan_read(c->cx, &c->net.plan, at, in, destination, c->offered, &count));
    for (size_t i = 0; i < count; i++) {
        if (!hf_bit_test(c->net.faults.channel_set, c->offered[i].channel)) {
            hops[(*n)++] = c->offered[i];
        }
    }
    return HF_OK;
}

/* The places so far, with a chain per resource to find one again. */
typedef struct gathering {
    place *place;
    size_t count, room;
    uint32_t *newest; /* by resource: place + 1 */
    uint32_t *older;  /* by place */
} gathering;

static bool is_known(const check *c, const gathering *g, hf_hop in) {
    for (uint32_t i = g->newest[check_resource(c, in)]; i; i = g->older[i - 1]) {
        if (g->place[i - 1].in.tag == in.tag) {
            return true;
        }
    }
    return false;
}

static hf_status grow(check *c, gathering *g) {
    place *places;
    uint32_t *older;
    const size_t room = 2 * g->room + 256;
    HF_TRY(hf_scratch(c->cx, room, sizeof *places, (void **)&places));
    HF_TRY(hf_scratch(c->cx, room, sizeof *older, (void **)&older));
    if (g->count) {
        memcpy(places, g->place, g->count * sizeof *places);
        memcpy(older, g->older, g->count * sizeof *older);
    }
    g->place = places;
    g->older = older;
    g->room = room;
    return HF_OK;
}

static hf_status add(check *c, gathering *g, hf_hop in, uint32_t destination) {
    const bool is_injection = in.channel == HF_NONE;
    if (!is_injection && is_known(c, g, in)) {
        return HF_OK;
    }
    if (g->count == g->room) {
        HF_TRY(grow(c, g));
    }
    place *p = &g->place[g->count];
    if (!is_injection) {
        const uint32_t r = check_resource(c, in);
        *p = (place){.in = in, .at = c->net.topo->to[in.channel]};
        g->older[g->count] = g->newest[r];
        g->newest[r] = (uint32_t)g->count + 1;
    }
    g->count++;
    hf_hop *hops;
    HF_TRY(hf_scratch(c->cx, c->net.plan.max_hops, sizeof *hops, (void **)&hops));
    p->hop = hops;
    const bool has_arrived = p->at == c->net.topo->n_switch + destination;
    const bool can_go_on = !has_arrived && (is_injection || !hf_topology_is_terminal(c->net.topo, p->at));
    return can_go_on ? check_hops(c, p->at, in, destination, hops, &p->n_hop) : HF_OK;
}

static hf_status inject(check *c, gathering *g, uint32_t source, uint32_t destination) {
    if (g->count == g->room) {
        HF_TRY(grow(c, g));
    }
    g->place[g->count] = (place){.in = HF_HOP_INJECTION, .at = c->net.topo->n_switch + source};
    return add(c, g, HF_HOP_INJECTION, destination);
}

hf_status check_places(check *c, uint32_t destination, place **places, size_t *count) {
    gathering g = {0};
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *g.newest, (void **)&g.newest));
    for (uint32_t source = 0; source < c->net.topo->n_terminal; source++) {
        if (hf_plan_sends(&c->net.plan, source, destination) && (!c->only || c->only[source])) {
            HF_TRY(inject(c, &g, source, destination));
        }
    }
    for (size_t i = 0; i < g.count; i++) {
        for (size_t h = 0; h < g.place[i].n_hop; h++) {
            HF_TRY(add(c, &g, g.place[i].hop[h], destination));
        }
    }
    *places = g.place;
    *count = g.count;
    return HF_OK;
}
