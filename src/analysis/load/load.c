/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Load of channels: destination by destination from the relation, and the figures that follow from it. */
#include "src/analysis/load/load.h"

#include <stdio.h>

#include "src/analysis/load/best.h"
#include "src/analysis/load/flow.h"

/* ---- names and fractions ---- */

static const char *const splits[] = {"even", "first", "optimal", NULL};
static const hf_param params[] = {{.name = "split",
                                   .type = HF_PARAM_WORD,
                                   .fallback = "even",
                                   .words = splits,
                                   .unit = "how",
                                   .help = "how packets choose among hops: even (default), first (preferred) or optimal",
                                   .with = "traffic",
                                   .size = sizeof(hf_split)},
                                  {0}};
const hf_group hf_split_group = {.name = "split", .params = params};

const char *hf_split_name(hf_split split) { return splits[split]; }

hf_fraction hf_fraction_of(hf_u128 p, hf_u128 q) {
    hf_u128 a = p, b = q;
    while (b) {
        const hf_u128 rest = a % b;
        a = b;
        b = rest;
    }
    return a ? (hf_fraction){p / a, q / a} : (hf_fraction){0, 0};
}

static char *digits(hf_u128 value, char *end) {
    do {
        *--end = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    return end;
}

void hf_fraction_print(hf_fraction a, char *text) {
    char p[40] = "", q[40] = "";
    text[0] = 0;
    if (a.q) {
        const char *above = digits(a.p, p + sizeof p - 1), *below = digits(a.q, q + sizeof q - 1);
        snprintf(text, 80, "%s/%s", above, below);
    }
}

/* ---- objects ---- */

hf_status hf_load_start(hf_context *cx, const hf_topology *topo, hf_load **out) {
    hf_load *load;
    HF_TRY(hf_allocate(cx, 1, sizeof *load, (void **)&load));
    *load = (hf_load){.topo = topo, .allocator = *hf_context_allocator(cx), .busiest = HF_NONE};
    hf_status status = hf_allocate(cx, topo->n_channel, sizeof *load->load, (void **)&load->load);
    if (status == HF_OK) {
        status = hf_allocate(cx, topo->n_channel, sizeof *load->part, (void **)&load->part);
    }
    if (status != HF_OK) {
        hf_load_free(load);
        return status;
    }
    *out = load;
    return HF_OK;
}

void hf_load_free(hf_load *load) {
    if (load) {
        const hf_allocator allocator = load->allocator;
        hf_release(&allocator, load->load);
        hf_release(&allocator, load->part);
        hf_release(&allocator, load);
    }
}

/* The loads are not known exactly. */
static void drop_parts(hf_load *load) {
    hf_release(&load->allocator, load->part);
    load->part = NULL;
}

hf_fraction hf_load_exact(const hf_load *load, uint32_t channel) {
    return load->part ? hf_fraction_of(load->part[channel], load->denominator) : (hf_fraction){0, 0};
}

/* ---- figures ---- */

/** Loads that are not exact differ by the rounding of sums; the first of them is the busiest. */
static const double noise = 1e-9;

static bool is_between_switches(const hf_topology *topo, uint32_t channel) { return topo->link[channel] < topo->n_switch_link; }

static void read_parts(hf_load *load) {
    for (uint32_t c = 0; load->part && c < load->topo->n_channel; c++) {
        load->load[c] = (double)load->part[c] / (double)load->denominator;
    }
}

/* \return false: they do not fit */
static bool weigh_parts(hf_load *load, const hf_tempo *tempo) {
    bool is_over = !tempo->common || __builtin_mul_overflow(load->denominator, (hf_u128)tempo->unit, &load->denominator);
    for (uint32_t c = 0; c < load->topo->n_channel && !is_over; c++) {
        is_over = __builtin_mul_overflow(load->part[c], (hf_u128)hf_tempo_weight(tempo, c), &load->part[c]);
    }
    return !is_over;
}

/* Flits to cycles that they take. */
static void weigh(hf_load *load) {
    const hf_tempo tempo = hf_topology_tempo(load->topo);
    if (!tempo.rate) {
        return;
    }
    if (load->part && weigh_parts(load, &tempo)) {
        read_parts(load);
        return;
    }
    drop_parts(load);
    for (uint32_t c = 0; c < load->topo->n_channel; c++) {
        load->load[c] *= hf_tempo_cycles(&tempo, c);
    }
}

void hf_load_conclude(hf_load *load) {
    uint32_t fullest = HF_NONE;
    read_parts(load);
    weigh(load);
    for (uint32_t c = 0; c < load->topo->n_channel; c++) {
        if (load->load[c] > 0 && (fullest == HF_NONE || load->load[c] > load->load[fullest])) {
            fullest = c;
        }
        if (!is_between_switches(load->topo, c)) {
            load->terminal_load = load->load[c] > load->terminal_load ? load->load[c] : load->terminal_load;
        } else if (load->load[c] > load->max_load * (load->part ? 1 : 1 + noise)) {
            load->max_load = load->load[c];
            load->busiest = c;
        }
    }
    load->max_exact = load->busiest == HF_NONE ? (hf_fraction){0, load->part ? 1 : 0} : hf_load_exact(load, load->busiest);
    if (fullest != HF_NONE) {
        const hf_fraction full = hf_load_exact(load, fullest);
        load->saturation = 1 / load->load[fullest];
        load->saturation_exact = (hf_fraction){full.q, full.q ? full.p : 0};
    }
}

/* ---- from the relation ---- */

static void scale_parts(hf_load *load, uint64_t factor) {
    for (uint32_t c = 0; factor != 1 && c < load->topo->n_channel; c++) {
        load->part[c] *= factor;
    }
}

/* Add the flow of one destination; amounts are weights, whole parts carry the scale. */
static void add_flow(hf_flow *flow, hf_load *load, double *lost) {
    const hf_walk *w = &flow->walk;
    for (uint32_t i = 0; i < flow->n_order; i++) {
        const uint32_t s = flow->order[i], n = hf_flow_used(flow, s);
        *lost += n ? 0 : flow->amount[s];
        for (uint32_t e = 0; e < n; e++) {
            const uint32_t edge = w->edge_begin[s] + e, channel = w->hops[edge].channel;
            if (w->edge[edge] == HF_WALK_FAULT) {
                *lost += flow->amount[s] / n;
                continue;
            }
            load->load[channel] += flow->amount[s] / n;
            load->part[channel] += flow->is_exact ? flow->part[s] / n : 0;
        }
    }
}

static hf_status walk_destination(hf_context *cx, hf_flow *flow, const hf_traffic *traffic, uint32_t destination,
                                  uint64_t *weight, double *lost, hf_load *load) {
    uint64_t any = 0, grown;
    for (uint32_t s = 0; s < traffic->n_terminal; s++) {
        weight[s] = hf_traffic_weight(traffic, s, destination);
        any |= weight[s];
    }
    if (!any) {
        return HF_OK;
    }
    if (hf_context_stopped(cx)) {
        HF_FAIL(cx, HF_ESTOP, "stopped while finding the load, at destination t%u", destination);
    }
    HF_TRY(hf_flow_start(cx, flow, destination, weight));
    hf_flow_run(flow, weight, &grown);
    if (flow->is_exact) {
        scale_parts(load, grown);
    }
    add_flow(flow, load, lost);
    return HF_OK;
}

static hf_status walk_all(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load *load) {
    hf_flow flow;
    uint64_t *weight;
    double lost = 0;
    HF_TRY(hf_flow_init(cx, plan, split, &flow));
    HF_TRY(hf_scratch(cx, traffic->n_terminal, sizeof *weight, (void **)&weight));
    for (uint32_t d = 0; d < traffic->n_terminal; d++) {
        HF_TRY(walk_destination(cx, &flow, traffic, d, weight, &lost, load));
    }
    const double total = hf_traffic_total(traffic);
    load->lost = total > 0 ? lost / total : 0;
    load->denominator = (hf_u128)traffic->denominator * flow.scale;
    if (!flow.is_exact) {
        drop_parts(load);
        for (uint32_t c = 0; c < load->topo->n_channel; c++) {
            load->load[c] /= (double)traffic->denominator;
        }
    }
    return HF_OK;
}

static hf_status find_loads(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load *load) {
    if (split != HF_SPLIT_OPTIMAL) {
        return walk_all(cx, plan, traffic, split, load);
    }
    drop_parts(load);
    return hf_load_optimal(cx, plan, traffic, load->load, &load->lost);
}

hf_status hf_load_walk(hf_context *cx, const hf_plan *plan, const hf_traffic *traffic, hf_split split, hf_load **out) {
    hf_load *load;
    HF_TRY(hf_load_start(cx, plan->topo, &load));
    const hf_mark mark = hf_scratch_mark(cx);
    const hf_status status = find_loads(cx, plan, traffic, split, load);
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_load_free(load);
        return status;
    }
    hf_load_conclude(load);
    *out = load;
    return HF_OK;
}
