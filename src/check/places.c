/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where packets can be. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/bitset.h>

#include "src/check/check.h"

void check_refute(check *c, const char *format, ...) {
    if (!c->refuted) {
        va_list list;
        va_start(list, format);
        vsnprintf(c->why, sizeof c->why, format, list);
        va_end(list);
        c->refuted = true;
    }
}

size_t check_hops(const check *c, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    if (hf_topology_is_terminal(c->topo, at) && in.channel != HF_NONE) {
        return 0; /* terminals do not forward */
    }
    const size_t count = hf_plan_route(&c->plan, at, in, destination, hops);
    size_t healthy = 0;
    for (size_t i = 0; i < count; i++) {
        if (!hf_bit_test(c->faults.channel_set, hops[i].channel)) {
            hops[healthy++] = hops[i];
        }
    }
    return healthy;
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
        *p = (place){.in = in, .at = c->topo->to[in.channel]};
        g->older[g->count] = g->newest[r];
        g->newest[r] = (uint32_t)g->count + 1;
    }
    g->count++;
    hf_hop *hops;
    HF_TRY(hf_scratch(c->cx, c->plan.max_hops, sizeof *hops, (void **)&hops));
    p->hop = hops;
    const bool has_arrived = p->at == c->topo->n_switch + destination;
    const bool can_go_on = !has_arrived && (is_injection || !hf_topology_is_terminal(c->topo, p->at));
    p->n_hop = can_go_on ? check_hops(c, p->at, in, destination, hops) : 0;
    return HF_OK;
}

static hf_status inject(check *c, gathering *g, uint32_t source, uint32_t destination) {
    if (g->count == g->room) {
        HF_TRY(grow(c, g));
    }
    g->place[g->count] = (place){.in = HF_HOP_INJECTION, .at = c->topo->n_switch + source};
    return add(c, g, HF_HOP_INJECTION, destination);
}

hf_status check_places(check *c, uint32_t destination, place **places, size_t *count) {
    gathering g = {0};
    HF_TRY(hf_scratch(c->cx, c->n_resource, sizeof *g.newest, (void **)&g.newest));
    for (uint32_t source = 0; source < c->topo->n_terminal; source++) {
        if (source != destination && hf_plan_is_live(&c->plan, source)) {
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
