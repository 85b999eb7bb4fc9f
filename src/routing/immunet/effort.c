/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Messages and cycles of a reconfiguration [puente2004, 4 and 6.1], for every part of the network: messages add up, the slowest
 *  part counts. */
#include "src/routing/immunet/effort.h"

#include <string.h>

#include "src/routing/immunet/flood.h"

enum {
    NOTICES_LOW,
    NOTICES,
    NOTICES_HIGH,
    EMERGENCY_CYCLES,
    SAFE_LOW,
    SAFE_HIGH,
    SAFE_HOPS,
    SAFE_CYCLES,
    SAFE_CYCLES_HIGH,
    ADAPTIVE_LOW,
    ADAPTIVE,
    ADAPTIVE_SERIAL,
    ADAPTIVE_EQUAL,
    ADAPTIVE_HIGH,
    ADAPTIVE_CYCLES,
    PARALLEL_UPDATED,
    PARALLEL_ARRIVED,
    IN_TURN_UPDATED,
    IN_TURN_ARRIVED,
    SERIAL_ARRIVED,
    N_EFFORT
};

#define EMERGENCY "emergency"
#define SAFE "safe tables"
#define ADAPTIVE_TABLES "adaptive tables"
#define LOW "lower bound"
#define MODEL "model"
#define HIGH "upper bound"
static const hf_effort quantities[] = {
    [NOTICES_LOW] = {EMERGENCY, "messages", LOW, "notices of the root alone", false, false},
    [NOTICES] = {EMERGENCY, "messages", MODEL, "notices of all that detect the fault", false, true},
    [NOTICES_HIGH] = {EMERGENCY, "messages", HIGH, "every switch passes on every priority", false, false},
    [EMERGENCY_CYCLES] = {EMERGENCY, "cycles", LOW, "until the farthest switch has a parent", false, true},
    [SAFE_LOW] = {SAFE, "messages", LOW, "one of every switch but the root", false, false},
    [SAFE_HIGH] = {SAFE, "messages", HIGH, "one of every switch", false, false},
    [SAFE_HOPS] = {SAFE, "hops", MODEL, "each travels to the root", false, true},
    [SAFE_CYCLES] = {SAFE, "cycles", LOW, "packets side by side", false, true},
    [SAFE_CYCLES_HIGH] = {SAFE, "cycles", HIGH, "a switch takes in one packet at a time", false, true},
    [ADAPTIVE_LOW] = {ADAPTIVE_TABLES, "messages", LOW, "every switch passes on each flood once", false, false},
    [ADAPTIVE] = {ADAPTIVE_TABLES, "messages", MODEL, "passed on when nearer; packets side by side", true, false},
    [ADAPTIVE_SERIAL] = {ADAPTIVE_TABLES, "messages", MODEL, "passed on when nearer; a switch takes in one packet at a time",
                         true, true},
    [ADAPTIVE_EQUAL] = {ADAPTIVE_TABLES, "messages", LOW, "passed on when as near, too", false, false},
    [ADAPTIVE_HIGH] = {ADAPTIVE_TABLES, "messages", HIGH, "passed on when nearer; any delays", false, false},
    [ADAPTIVE_CYCLES] = {ADAPTIVE_TABLES, "cycles", LOW, "until the last change", false, false},
    [PARALLEL_UPDATED] = {"all", "cycles", LOW, "both tables at once, until the last change", false, true},
    [PARALLEL_ARRIVED] = {"all", "cycles", MODEL, "both tables at once, until the last discarded copy", false, true},
    [IN_TURN_UPDATED] = {"all", "cycles", MODEL, "safe tables first, until the last change", false, true},
    [IN_TURN_ARRIVED] = {"all", "cycles", MODEL, "safe tables first, until the last discarded copy", false, true},
    [SERIAL_ARRIVED] = {"all", "cycles", MODEL, "a switch takes in one packet at a time", true, true},
    {0},
};

typedef struct tree_figures {
    uint64_t height, depth_sum, detecting;
} tree_figures;

static tree_figures measure_tree(const hf_immunet *s, uint32_t root) {
    tree_figures t = {0};
    for (uint32_t v = 0; v < s->ways.n; v++) {
        if (s->emergency.root[v] != root) {
            continue;
        }
        bool detects = false;
        for (uint32_t w = s->ways.begin[v]; w < s->ways.begin[v + 1]; w++) {
            detects |= hf_bit_test(s->dead, s->ways.topo->link[s->ways.channel[w]]);
        }
        t.detecting += detects;
        t.depth_sum += s->emergency.level[v];
        t.height = s->emergency.level[v] > t.height ? s->emergency.level[v] : t.height;
    }
    return t;
}

static hf_status count_notices(hf_context *cx, const hf_plan *plan, const hf_immunet *s, uint64_t *out) {
    hf_emergency walk;
    HF_TRY(hf_emergency_room(cx, &s->ways, &walk));
    HF_TRY(hf_emergency_walk(cx, &s->ways, &s->options.rule, plan->faults, &walk));
    *out = walk.sent;
    return HF_OK;
}

/* Cycles from one control packet that a switch takes in to the next, where it takes one at a time. */
static uint64_t service_of(const hf_effort_costs *costs) {
    return costs->control_every ? costs->control_every : costs->packet_cycles;
}

static void fill(const tree_figures *t, const hf_flood_effort *f, const hf_effort_costs *costs, uint64_t *value) {
    const uint64_t once = f->once / f->switches, packet = costs->packet_cycles;
    value[NOTICES_LOW] = once;
    value[NOTICES_HIGH] = t->detecting * once;
    value[EMERGENCY_CYCLES] = t->height * costs->hop_cycles;
    value[SAFE_LOW] = f->switches - 1;
    value[SAFE_HIGH] = f->switches;
    value[SAFE_HOPS] = t->depth_sum;
    value[SAFE_CYCLES] = t->height * packet;
    value[SAFE_CYCLES_HIGH] = (f->switches - 1) * service_of(costs) + t->height * packet;
    value[ADAPTIVE_LOW] = f->once;
    value[ADAPTIVE_EQUAL] = f->equal_too;
    value[ADAPTIVE_HIGH] = f->improving;
    value[ADAPTIVE_CYCLES] = f->diameter * packet;
    value[PARALLEL_UPDATED] = f->updated_cycles;
    value[PARALLEL_ARRIVED] = f->arrived_cycles;
    value[IN_TURN_UPDATED] = value[EMERGENCY_CYCLES] + value[SAFE_CYCLES] + value[ADAPTIVE_CYCLES];
    value[IN_TURN_ARRIVED] = value[IN_TURN_UPDATED] + packet;
}

static hf_status simulate(hf_context *cx, const hf_immunet *s, uint32_t root, const hf_effort_costs *costs, uint64_t *value) {
    const hf_flood_service at_once = {0}, in_turn = {service_of(costs), costs->newest_first};
    hf_flood_run run;
    HF_TRY(hf_flood_simulate(cx, s, root, costs, &at_once, &run));
    value[ADAPTIVE] = run.messages;
    HF_TRY(hf_flood_simulate(cx, s, root, costs, &in_turn, &run));
    value[ADAPTIVE_SERIAL] = run.messages;
    value[SERIAL_ARRIVED] = run.arrived_cycles;
    return HF_OK;
}

/* What one part of the network takes. */
static hf_status part_effort(hf_context *cx, const hf_immunet *s, uint32_t root, const hf_effort_costs *costs, uint64_t *value) {
    hf_flood_effort flood;
    for (size_t i = 0; i < N_EFFORT; i++) {
        value[i] = HF_UNKNOWN;
    }
    const tree_figures tree = measure_tree(s, root);
    HF_TRY(hf_flood_count(cx, s, root, costs, &flood));
    fill(&tree, &flood, costs, value);
    return costs->simulates ? simulate(cx, s, root, costs, value) : HF_OK;
}

/* Messages and hops of the parts add up; cycles are those of the slowest. What is unknown, or too large, stays so. */
static void add_part(const uint64_t *part, uint64_t *value) {
    for (size_t i = 0; i < N_EFFORT; i++) {
        if (strcmp(quantities[i].quantity, "cycles") == 0) {
            value[i] = part[i] > value[i] ? part[i] : value[i];
        } else if (__builtin_add_overflow(value[i], part[i], &value[i])) {
            value[i] = HF_UNKNOWN;
        }
    }
}

static hf_status effort(hf_context *cx, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value) {
    const hf_immunet *s = plan->state;
    const hf_ring *ring = &s->ring;
    const bool is_known = s->emergency.is_boot || ring->n_rank > 0;
    for (size_t i = 0; i < N_EFFORT; i++) {
        value[i] = is_known ? 0 : HF_UNKNOWN;
    }
    if (s->emergency.is_boot || !is_known) {
        return HF_OK; /* nothing to do, or nobody to do it */
    }
    for (uint32_t r = 0; r < ring->n_rank; r += ring->size[r]) {
        uint64_t part[N_EFFORT];
        const hf_mark mark = hf_scratch_mark(cx);
        HF_TRY(part_effort(cx, s, ring->sw[r], costs, part));
        hf_scratch_reset(cx, mark);
        add_part(part, value);
    }
    return count_notices(cx, plan, s, &value[NOTICES]);
}

bool hf_immunet_goes_by_parts(const hf_args *args) {
    return hf_args_get(args, "epl")->number == 0 && hf_args_get(args, "gap")->number == 0;
}

/* Trees, and so what their heights and depths say, hang on which of the switches at the faults has the lowest number. Numbers of
 * switches and links of a part, distances and numbers of shortest ways do not. */
static hf_symmetric symmetric(const hf_topology *topo, const hf_args *args) {
    (void)topo;
    return (hf_symmetric){.of = hf_immunet_goes_by_parts(args) ? HF_SYMMETRIC_EFFORT : 0, .f_most = UINT32_MAX};
}

const hf_routing_efforts hf_immunet_efforts = {quantities, effort, symmetric};
