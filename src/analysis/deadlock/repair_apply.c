/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A proposal applied: a routing that offers what is left, which is decided about like any other. What the proposal was found
 *  with has no part in that, but for which hops lead nowhere where packets look ahead. */
#include <stdlib.h>
#include <string.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/deadlock/repair_states.h"

typedef struct repaired {
    hf_repair_work *r;
    uint32_t *sorted; /* by destination: its arrivals, ascending */
} repaired;

static int compare_hops(hf_hop a, hf_hop b) {
    if (a.channel != b.channel) {
        return a.channel < b.channel ? -1 : 1;
    }
    if (a.vc != b.vc) {
        return a.vc < b.vc ? -1 : 1;
    }
    return (a.tag > b.tag) - (a.tag < b.tag);
}

typedef struct arrival {
    hf_hop in;
    uint32_t state;
} arrival;

static int compare_arrivals(const void *a, const void *b) {
    return compare_hops(((const arrival *)a)->in, ((const arrival *)b)->in);
}

/* States of each destination by how packets came. */
static hf_status sort_states(hf_repair_work *r, uint32_t **out) {
    const uint32_t n_terminal = r->plan->topo->n_terminal;
    arrival *list;
    HF_TRY(hf_scratch(r->cx, r->s.n, sizeof **out, (void **)out));
    HF_TRY(hf_scratch(r->cx, r->s.n, sizeof *list, (void **)&list));
    for (uint32_t v = 0; v < r->s.n; v++) {
        list[v] = (arrival){r->s.in[v], v};
    }
    for (uint32_t d = 0; d < n_terminal; d++) { /* its injections stand in front */
        const uint32_t first = r->s.first[d] + n_terminal, end = r->s.first[d + 1];
        if (end > first) {
            qsort(list + first, end - first, sizeof *list, compare_arrivals);
        }
    }
    for (uint32_t v = 0; v < r->s.n; v++) {
        (*out)[v] = list[v].state;
    }
    return HF_OK;
}

static uint32_t find_state(const repaired *p, hf_hop in, uint32_t destination) {
    const hf_repair_states *s = &p->r->s;
    uint32_t lo = s->first[destination] + p->r->plan->topo->n_terminal, hi = s->first[destination + 1];
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2, v = p->sorted[middle];
        const int order = compare_hops(s->in[v], in);
        if (order == 0) {
            return v;
        }
        if (order < 0) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return HF_NONE;
}

/* Does a hop lead to where no way is left? */
static bool leads_nowhere(const repaired *p, hf_hop hop, uint32_t destination) {
    const hf_topology *topo = p->r->plan->topo;
    if (!p->r->looks_ahead || topo->to[hop.channel] == topo->n_switch + destination) {
        return false;
    }
    const uint32_t state = find_state(p, hop, destination);
    return state == HF_NONE || !hf_bit_test(p->r->is_good, state);
}

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    const repaired *p = plan->state;
    const size_t n = hf_plan_route(p->r->plan, at, in, destination, hops); /* read when the states were gathered */
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!hf_repair_is_forbidden(p->r, hf_repair_edge(p->r, in, hops[i])) && !leads_nowhere(p, hops[i], destination)) {
            hops[kept++] = hops[i];
        }
    }
    return kept;
}

static const hf_routing repaired_routing = {.name = "repaired", .summary = "what a repair leaves", .route = route};

/* Hops that packets would be offered but for the look ahead. */
static hf_status list_withheld(hf_repair_work *r, hf_repair *out) {
    const hf_repair_states *s = &r->s;
    const hf_topology *topo = r->plan->topo;
    uint32_t most = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t d = 0; d < topo->n_terminal; d++) {
            for (uint32_t v = s->first[d]; v < s->first[d + 1]; v++) {
                for (uint32_t h = s->begin[v]; h < s->begin[v + 1] && r->by[v] != HF_NONE; h++) {
                    if (hf_repair_is_forbidden(r, s->edge[h]) || hf_repair_is_offered(r, h)) {
                        continue;
                    }
                    const hf_hop in = s->in[v], to = s->to[h] ? s->in[s->to[h]] : in;
                    const hf_withheld w = {in.channel == HF_NONE ? HF_NONE : hf_dependency_resource(&r->d, in),
                                           hf_dependency_resource(&r->d, to), d};
                    if (pass == 0) {
                        most++;
                    } else if (s->to[h]) {
                        out->withheld[out->n_withheld++] = w;
                    }
                }
            }
        }
        HF_TRY(pass == 0 ? hf_scratch(r->cx, most, sizeof *out->withheld, (void **)&out->withheld) : HF_OK);
    }
    return HF_OK;
}

hf_status hf_repair_apply(hf_repair_work *r, bool *is_right, hf_repair *out) {
    repaired p = {.r = r};
    hf_plan plan = *r->plan;
    hf_deadlock found;
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    hf_repair_look(r);
    HF_TRY(sort_states(r, &p.sorted));
    plan.routing = &repaired_routing;
    plan.lanes = NULL;
    plan.state = &p;
    HF_TRY(hf_deadlock_decide(r->cx, &plan, &options, &found));
    *is_right = found.method == HF_METHOD_ACYCLIC && found.is_connected;
    return *is_right && r->looks_ahead ? list_withheld(r, out) : HF_OK;
}
