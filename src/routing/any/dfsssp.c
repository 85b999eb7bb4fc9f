/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DFSSSP: one shortest way to each terminal, which keeps away from channels that many ways take, on any topology; and layers by
 *  breaking cycles. Destinations come one after the other by number; of the shortest ways of the healthy network each takes those
 *  with the least sum of what ways to terminals before it have put on their channels, and adds its own. The layers are made in
 *  layered_cycles.c. Everything is computed anew after faults. Source: [domke2011]; differs: ways are shortest in hops first,
 *  layers that are left over are not filled up, and where all layers that there are do not do, each switch that is a goal has
 * one. */
#include <string.h>

#include "src/core/layers.h"
#include "src/core/machine.h"
#include "src/routing/any/layered.h"
#include "src/routing/connects_judge.h"
#include "src/routing/lanes.h"

static const double memory_limit = 4294967296.0;

typedef struct balance {
    hf_layered *ways;
    uint64_t *load; /* by channel: ways over it */
    uint64_t *sum;  /* by switch: loads along its way */
    uint32_t *from; /* by switch: terminals whose ways to the destination come through it */
} balance;

/* A row for each terminal, as each has ways of its own. */
static hf_status lay_out(hf_context *cx, const hf_plan *plan, hf_layered *out) {
    const size_t per_row = sizeof *out->next + sizeof *out->distance + sizeof *out->vc;
    const double bytes = (double)plan->topo->n_terminal * plan->topo->n_switch * (double)per_row;
    HF_TRY(
        hf_machine_fits(cx, bytes, memory_limit, "the table of routing \"%s\" on \"%s\"", plan->routing->name, plan->topo->spec));
    HF_TRY(hf_goals_init(cx, plan, per_row, &out->goals));
    for (uint32_t t = out->goals.topo->n_terminal; t-- > 0;) {
        /* a terminal's row is not above its number, so what is read is still there */
        out->goals.goal[t] = out->goals.goal[out->goals.row[t]];
        out->goals.row[t] = t;
    }
    out->goals.n_row = plan->topo->n_terminal;
    const size_t size = (size_t)out->goals.n_row * plan->topo->n_switch;
    HF_TRY(hf_scratch(cx, size, sizeof *out->next, (void **)&out->next));
    HF_TRY(hf_scratch(cx, size, sizeof *out->distance, (void **)&out->distance));
    return hf_scratch(cx, size, sizeof *out->vc, (void **)&out->vc);
}

/* Of the channels of `v` that lead nearer the one with the least sum of loads behind it, the lowest of several. */
static void choose(const balance *b, const uint16_t *distance, uint32_t v, uint32_t *next) {
    const hf_topology *topo = b->ways->goals.topo;
    *next = HF_NONE;
    b->sum[v] = 0;
    for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1] && distance[v] > 0; i++) {
        const uint32_t c = topo->out_list[i], to = topo->to[c];
        if (to >= topo->n_switch || distance[to] >= distance[v] || hf_goals_is_failed(&b->ways->goals, c)) {
            continue;
        }
        const uint64_t sum = b->sum[to] + b->load[c];
        if (*next == HF_NONE || sum < b->sum[v]) {
            *next = c;
            b->sum[v] = sum;
        }
    }
}

/* What the terminals put on the ways to one of them. \param[in] order switches, nearest first */
static void add_loads(balance *b, uint32_t destination, const uint32_t *order, uint32_t n) {
    const hf_topology *topo = b->ways->goals.topo;
    const uint32_t *next = b->ways->next + (size_t)destination * topo->n_switch;
    memset(b->from, 0, topo->n_switch * sizeof *b->from);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        const uint32_t first = s == destination ? HF_NONE : hf_layered_first(b->ways, topo->n_switch + s, destination);
        if (first != HF_NONE && topo->to[first] < topo->n_switch) {
            b->from[topo->to[first]]++;
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        if (next[order[i]] != HF_NONE) {
            b->load[next[order[i]]] += b->from[order[i]];
            b->from[topo->to[next[order[i]]]] += b->from[order[i]];
        }
    }
}

static hf_status find_ways(hf_context *cx, hf_layered *ways) {
    const hf_topology *topo = ways->goals.topo;
    balance b = {.ways = ways};
    HF_TRY(hf_scratch(cx, topo->n_channel, sizeof *b.load, (void **)&b.load));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *b.sum, (void **)&b.sum));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *b.from, (void **)&b.from));
    memset(ways->next, 0xff, (size_t)ways->goals.n_row * topo->n_switch * sizeof *ways->next);
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const size_t first = (size_t)t * topo->n_switch;
        uint32_t n = 0;
        HF_TRY(hf_goals_search(cx, &ways->goals, t, ways->distance + first));
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            n += ways->distance[first + v] != HF_FAR;
        }
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t v = ways->goals.queue[i]; /* in the order of the search */
            choose(&b, ways->distance + first, v, &ways->next[first + v]);
        }
        add_loads(&b, t, ways->goals.queue, n);
    }
    return HF_OK;
}

/* With fewer layers than goals it is said how many there would have to be. */
static hf_status make(hf_context *cx, hf_plan *plan) {
    const bool is_enough = hf_layered_is_enough(plan->topo, plan->args);
    hf_layered *ways;
    HF_TRY(hf_scratch(cx, 1, sizeof *ways, (void **)&ways));
    ways->n_vc = 1;
    HF_TRY(lay_out(cx, plan, ways));
    HF_TRY(find_ways(cx, ways));
    HF_TRY(hf_layered_break_cycles(cx, ways, is_enough ? hf_layered_most(plan->args) : HF_LAYERS_MAX));
    return hf_layered_take(cx, ways, plan);
}

/* ---- measures ---- */

static hf_status measure(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    (void)cx;
    const hf_layered *ways = plan->state;
    out->extra[0] = ways->n_vc;
    for (size_t i = 0; i < (size_t)ways->goals.n_row * plan->topo->n_switch; i++) {
        const uint32_t hops = ways->distance[i] == HF_FAR ? 0 : ways->distance[i];
        out->extra[1] = hops > out->extra[1] ? hops : out->extra[1];
    }
    return HF_OK;
}

static const char *const extras[] = {"layers", "longest_hops", NULL};
static double most_layers(const hf_topology *topo) {
    (void)topo;
    return HF_LAYERS_MAX;
}
static const hf_extra_note extra_notes[] = {{"virtual channels that keep the paths free of cycles", NULL, 0, most_layers},
                                            {"hops between switches, of the farthest pair", NULL, 0, hf_most_hops}};
static const hf_routing_measures measures = {NULL, extras, extra_notes, measure, NULL};

static const hf_likeness likeness = {.arrival = hf_layered_vc_before};

static hf_status judge(hf_context *cx, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    if (!hf_layered_is_enough(universe->topo, &rule->args)) {
        HF_FAIL(cx, HF_ENOTSUP, "more goals than layers");
    }
    return hf_connects_judge_new(cx, out);
}

const hf_routing hf_routing_dfsssp = {
    .name = "dfsssp",
    .summary = "shortest ways to each terminal, balanced by what the channels carry, layered by breaking cycles; any topology",
    .source = "domke2011",
    .traits = HF_ROUTING_ORDER_FREE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE | HF_ROUTING_UNEVEN,
    .params = hf_lanes_params,
    .claims = hf_layered_claims,
    .plan = make,
    .route = hf_layered_route,
    .likeness = &likeness,
    .measures = &measures,
    .judge = judge,
};
