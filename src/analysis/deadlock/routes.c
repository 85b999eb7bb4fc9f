/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Explicit paths: followed along a plan, and written for `paths:` and `table:`. */
#include "src/analysis/deadlock/routes.h"

#include <inttypes.h>

#include <holdfast/core/bitset.h>

hf_status hf_route_follow(hf_context *cx, const hf_plan *plan, uint32_t source, uint32_t destination, hf_hop *hops,
                          uint32_t *path, uint32_t *length, bool *is_single) {
    const hf_topology *topo = plan->topo;
    hf_hop in = HF_HOP_INJECTION;
    uint32_t at = topo->n_switch + source, n = 0;
    *length = 0;
    while (at != topo->n_switch + destination && n < HF_ROUTE_HOPS) {
        size_t count, healthy = 0;
        HF_TRY(hf_plan_read(cx, plan, at, in, destination, hops, &count));
        for (size_t i = 0; i < count; i++) {
            if (!hf_bit_test(plan->faults->channel_set, hops[i].channel)) {
                in = healthy++ ? in : hops[i];
            }
        }
        if (healthy == 0) {
            return HF_OK;
        }
        if (is_single) {
            *is_single &= healthy == 1;
        }
        at = topo->to[in.channel];
        path[n++] = in.channel * plan->n_vc + in.vc;
    }
    *length = at == topo->n_switch + destination ? n : 0;
    return HF_OK;
}

/* "s4:1@2": come to on a virtual channel, left by a port. */
static void print_place(const hf_topology *topo, const hf_routes *routes, const hf_route *route, uint32_t i, hf_text *out) {
    char name[HF_NAME_SIZE];
    const uint32_t node = i < route->n ? topo->from[route->resource[i] / routes->n_vc] : topo->n_switch + route->destination;
    hf_topology_node_name(topo, node, name, sizeof name);
    hf_text_print(out, "%s%s", i ? " " : "", name);
    if (i < route->n) {
        hf_text_print(out, ":%" PRIu32, topo->from_port[route->resource[i] / routes->n_vc]);
    }
    if (i > 0 && route->resource[i - 1] % routes->n_vc > 0) {
        hf_text_print(out, "@%" PRIu32, route->resource[i - 1] % routes->n_vc);
    }
}

void hf_routes_print_paths(const hf_topology *topo, const hf_routes *routes, hf_text *out) {
    for (uint32_t p = 0; p < routes->n; p++) {
        for (uint32_t i = 0; i <= routes->of[p].n && routes->of[p].n > 0; i++) {
            print_place(topo, routes, &routes->of[p], i, out);
        }
        hf_text_print(out, "%s", routes->of[p].n > 0 ? "\n" : "");
    }
}

hf_status hf_routes_spec(hf_context *cx, const char *path, char **spec) { return hf_scratch_print(cx, spec, "paths:%s", path); }

/* A row for a hop, of packets of this source alone: "s0,3,1,t1,2,1,t0". */
static void print_hop(const hf_topology *topo, const hf_routes *routes, const hf_route *route, uint32_t i, hf_text *out) {
    char at[HF_NAME_SIZE], source[HF_NAME_SIZE], destination[HF_NAME_SIZE];
    const uint32_t r = route->resource[i], channel = r / routes->n_vc;
    hf_topology_node_name(topo, topo->from[channel], at, sizeof at);
    hf_topology_terminal_name(topo, route->source, source, sizeof source);
    hf_topology_terminal_name(topo, route->destination, destination, sizeof destination);
    hf_text_print(out, "%s,", at);
    if (i == 0) {
        hf_text_print(out, "*,*");
    } else {
        const uint32_t in = route->resource[i - 1];
        hf_text_print(out, "%" PRIu32 ",%" PRIu32, topo->to_port[in / routes->n_vc], in % routes->n_vc);
    }
    hf_text_print(out, ",%s,%" PRIu32 ",%" PRIu32 ",%s\n", destination, topo->from_port[channel], r % routes->n_vc, source);
}

void hf_routes_print_table(const hf_topology *topo, const hf_routes *routes, hf_text *out) {
    hf_text_print(out, "switch,in-port,in-vc,destination,out-port,out-vc,source\n");
    for (uint32_t p = 0; p < routes->n; p++) {
        for (uint32_t i = 0; i < routes->of[p].n; i++) {
            print_hop(topo, routes, &routes->of[p], i, out);
        }
    }
}
