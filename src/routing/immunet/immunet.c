/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Immunet: minimal adaptive routing over what survives, and as a safe network one ring, the Euler tour of a tree that grows
 *  from the switches that detect faults. Without faults on a grid the safe network is dimension order, on a torus over rings
 *  with bubble flow control. VC 0 is adaptive, VC 1 safe, and adaptive where it is not on the ring; the tag counts how often a
 *  packet has left the ring for the adaptive network. Where the network falls apart, every part has its ring. Source:
 *  [puente2004]; departures in docs/findings.md. */
#include "src/routing/immunet/control.h"
#include "src/routing/immunet/effort.h"
#include "src/routing/immunet/text.h"
#include "src/routing/lanes.h"

/* Immunet tolerates faults "as long as the network remains connected"; without any it has to be. */
static hf_status check_connected(hf_context *cx, const hf_topology *topo) {
    const hf_mark mark = hf_scratch_mark(cx);
    uint32_t *queue, *distance, far = HF_NONE;
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *distance, (void **)&distance));
    HF_TRY(hf_scratch(cx, topo->n_switch, sizeof *queue, (void **)&queue));
    hf_switch_distances(topo, NULL, 0, false, queue, distance);
    for (uint32_t v = topo->n_switch; v-- > 0;) {
        far = distance[v] == HF_NONE ? v : far;
    }
    hf_scratch_reset(cx, mark);
    if (far != HF_NONE) {
        HF_FAIL(cx, HF_EINVAL,
                "routing \"immunet\" needs a network that is connected; in \"%s\" no path leads from s0 to s%u without any fault",
                topo->spec, far);
    }
    return HF_OK;
}

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        if (topo->reverse[c] == HF_NONE) {
            HF_FAIL(cx, HF_EINVAL, "routing \"immunet\" considers bidirectional links only; \"%s\" has others", topo->spec);
        }
    }
    for (uint32_t v = topo->n_switch; v < topo->n_node; v++) {
        if (topo->out_begin[v + 1] - topo->out_begin[v] != 1) {
            HF_FAIL(cx, HF_EINVAL, "routing \"immunet\" attaches a computing node to one router; t%u of \"%s\" has %u links",
                    v - topo->n_switch, topo->spec, topo->out_begin[v + 1] - topo->out_begin[v]);
        }
    }
    return check_connected(cx, topo);
}

static hf_status measures(hf_context *cx, const hf_plan *plan, hf_measure *out) {
    const hf_immunet *s = plan->state;
    const hf_ways *ways = &s->ways;
    const size_t words = hf_words(ways->n);
    uint64_t *reach;
    uint32_t *next;
    HF_TRY(hf_immunet_measure_fits(cx, plan->topo));
    HF_TRY(hf_scratch(cx, 2 * ways->n * words, sizeof *reach, (void **)&reach));
    HF_TRY(hf_scratch(cx, ways->n, sizeof *next, (void **)&next));
    return hf_immunet_measure(cx, ways, s->dead, plan->faults->switch_set, s->is_grid, &s->ring, next, reach,
                              reach + ways->n * words, out);
}

static const char *const epl_names[] = {"safe", "printed", NULL};
static const char *const safe_names[] = {"optimised", "provisional", NULL};
/* Along the emergency tree: wherever switches are linked, on a grid after a fault that leaves a link. */
static bool has_rings(const hf_plan *plan) {
    const hf_topology *topo = plan->topo;
    return hf_args_get(plan->args, "bubble")->number != 0 && topo->n_switch_link > (hf_immunet_is_grid(topo) ? 1 : 0);
}

static const hf_param params[] = {
    {.name = "bubble", .type = HF_PARAM_BOOL, .fallback = "yes", .help = "bubble flow control on the safe network"},
    {.name = "safe",
     .type = HF_PARAM_WORD,
     .fallback = "optimised",
     .words = safe_names,
     .help = "safe tables: optimised into subtrees, or provisional, always towards the parent"},
    {.name = "ties",
     .type = HF_PARAM_WORD,
     .fallback = "port",
     .words = hf_ties_names,
     .help = "which of several neighbours with the same priority becomes the parent"},
    {.name = "spare", .type = HF_PARAM_BOOL, .fallback = "yes", .help = "safe channels that are not on the ring are adaptive"},
    {.name = "transfers",
     .type = HF_PARAM_UINT,
     .fallback = "1",
     .high = 64,
     .help = "times that a packet may leave the ring for the adaptive network"},
    {.name = "epl",
     .type = HF_PARAM_WORD,
     .fallback = "safe",
     .words = epl_names,
     .help = "emergency priority t N + x: safe, t above all that was heard, or printed, t emergencies met"},
    {.name = "gap",
     .type = HF_PARAM_COUNT,
     .fallback = "0",
     .high = 1000000,
     .help = "hops of a notice between one fault and the next; 0: all at once, unlimited: one after the other"},
    HF_PARAM_LANES,
    {0},
};

/* Trees and rings go by numbers, but who is served goes by connectivity, and with bubbles no packet waits for ever:
 * docs/methods.md. Not so where the priorities are those printed, or notices are under way. */
static hf_symmetric symmetric(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    const unsigned bubbles = hf_args_get(args, "bubble")->number != 0 ? HF_SYMMETRIC_BUBBLES : 0;
    return (hf_symmetric){.of = hf_immunet_goes_by_parts(args) ? HF_SYMMETRIC_TOLERANCE | bubbles : 0, .f_most = UINT32_MAX};
}

static const hf_routing_drawing drawing = {.describe_plan = hf_immunet_describe, .mark = hf_immunet_mark};
static const hf_routing_measures all_measures = {hf_immunet_outcomes, hf_immunet_extras, hf_immunet_extra_notes, measures, NULL};

const hf_routing hf_routing_immunet = {
    .name = "immunet",
    .summary = "Immunet: minimal adaptive over what survives, and a safe ring along the emergency tree; VCs adaptive, safe",
    .source = "puente2004",
    .traits = HF_ROUTING_ADAPTIVE | HF_ROUTING_FAULT_AWARE | HF_ROUTING_COMPLETE_BY_LINKS,
    .params = params,
    .accepts = accepts,
    .plan = hf_immunet_plan,
    .route = hf_immunet_route,
    .escape = hf_immunet_escape,
    .ring = hf_immunet_ring,
    .has_rings = has_rings,
    .drawing = &drawing,
    .measures = &all_measures,
    .efforts = &hf_immunet_efforts,
    .reconfiguration = &hf_immunet_reconfiguration,
    .symmetric = symmetric,
    .judge = hf_immunet_judge_new,
};
