/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  FT2EI, fault-tolerant adaptive routing on k-ary n-trees by exclusion intervals, static fault model. This is the plan that
 *  can be read against the paper: registers in terminals, one fault after the other in the order of the fault set, each change
 *  propagated at once. Memory goes only to switches that exclude something.
 *  Source: [gomez2010, 3.2]. Departures: the printed digit v_(n-e) is v_e; propagation is restricted to the inclusion interval
 *  of the up ports, since a switch's own subtree is not reached through them; the switch below a failed down channel itself is
 *  not updated unless own=yes. */
#include <holdfast/core/bitset.h>

#include <string.h>

#include "src/routing/tree/control.h"
#include "src/routing/tree/effort.h"
#include "src/routing/tree/exclusion.h"
#include "src/routing/tree/plan.h"

typedef struct builder {
    hf_context *cx;
    hf_ft2ei *state;
    uint32_t limit; /* registers a port, HF_NONE: unlimited */
    bool propagate, own;
    hf_tree_spread *spread;  /* NULL, or: count the control packets */
    uint64_t depth, deepest; /* of the present propagation, of the present fault's: control packets one after the other */
    hf_interval_list spans;  /* of one port */
    hf_interval_list run[HF_TREE_STAGES_MAX][2]; /* by stage, as propagation goes down */
} builder;

static const hf_param params[] = {
    {.name = "intervals",
     .type = HF_PARAM_COUNT,
     .fallback = "1",
     .low = 1,
     .high = 65536,
     .flags = HF_PARAM_SHOWN,
     .help = "exclusion intervals that an up port can store"},
    {.name = "propagate",
     .type = HF_PARAM_BOOL,
     .fallback = "yes",
     .help = "exclude at the previous stage what all up ports of a switch exclude"},
    {.name = "own",
     .type = HF_PARAM_BOOL,
     .fallback = "no",
     .help = "update also the switch below a failed down channel, which never sends those destinations up"},
    HF_PARAM_VCS,
    {0},
};

static hf_status accepts(hf_context *cx, const hf_topology *topo, const hf_args *args) {
    (void)args;
    return hf_tree_accepts(cx, topo, "ft2ei");
}

static hf_status registers_of(const builder *b, uint32_t sw, hf_interval_list **out) {
    if (!b->state->port[sw]) {
        void *memory;
        HF_TRY(hf_scratch(b->cx, b->state->tree.k, sizeof(hf_interval_list), &memory));
        b->state->port[sw] = memory;
    }
    *out = b->state->port[sw];
    return HF_OK;
}

static bool all_ports_exclude(const builder *b, uint32_t sw) {
    const hf_interval_list *port = b->state->port[sw];
    for (uint32_t j = 0; port && j < b->state->tree.k; j++) {
        if (port[j].count == 0) {
            return false;
        }
    }
    return port != NULL;
}

/* Spans that end at n - 1 and begin at 0 are one cyclic run; its lower bound is the highest. */
static void join_over_zero(hf_interval_list *spans, uint32_t n) {
    const uint32_t last = spans->count - 1;
    if (spans->count < 2 || spans->item[0].lo != 0 || spans->item[last].hi != n - 1) {
        return;
    }
    const hf_interval joined = {spans->item[last].lo, spans->item[0].hi};
    memmove(spans->item, spans->item + 1, last * sizeof *spans->item);
    spans->item[last - 1] = joined;
    spans->count = last;
}

/* The destinations that all up ports of `sw` exclude, within the inclusion interval of these ports: maximal cyclic runs in
 * ascending order of their lower bounds. */
static hf_status find_common_runs(builder *b, uint32_t sw, hf_interval_list **out) {
    const hf_tree *tree = &b->state->tree;
    const uint32_t n = tree->n_terminal;
    hf_interval_list *run = b->run[hf_tree_stage(tree, sw)];
    hf_interval inclusion = hf_tree_inclusion(tree, sw, tree->k);
    HF_TRY(hf_spans_cut(b->cx, &(hf_interval_list){&inclusion, 1, 1}, n, &run[0]));
    uint32_t now = 0;
    for (uint32_t j = 0; j < tree->k && run[now].count > 0; j++, now ^= 1) {
        HF_TRY(hf_spans_cut(b->cx, &b->state->port[sw][j], n, &b->spans));
        HF_TRY(hf_spans_intersect(b->cx, &run[now], &b->spans, &run[now ^ 1]));
    }
    hf_interval_list *common = &run[now];
    join_over_zero(common, n);
    *out = common;
    return HF_OK;
}

static void note_change(const builder *b, uint32_t sw) {
    if (b->spread) {
        hf_bit_set(b->spread->changed, sw);
    }
}

/* Rule 5: what has become unreachable upwards from `sw` is excluded where the previous stage leads to it, and so on down. */
static hf_status propagate(builder *b, uint32_t sw) {
    const hf_tree *tree = &b->state->tree;
    const uint32_t stage = hf_tree_stage(tree, sw);
    if (stage == 0 || !all_ports_exclude(b, sw)) {
        return HF_OK;
    }
    hf_interval_list *common, *under;
    HF_TRY(find_common_runs(b, sw, &common));
    const uint32_t port = hf_tree_digit(tree, sw % tree->width, stage - 1);
    if (b->spread && common->count > 0) {
        b->spread->cascade += common->count * hf_tree_spread_tell(b->spread, sw);
        b->deepest = ++b->depth > b->deepest ? b->depth : b->deepest;
    }
    const bool tells = b->spread && common->count > 0;
    for (uint32_t i = 0; i < common->count; i++) {
        for (uint32_t x = 0; x < tree->k; x++) {
            const uint32_t lower = hf_tree_under(tree, sw, x);
            bool changed;
            HF_TRY(registers_of(b, lower, &under));
            HF_TRY(hf_interval_list_insert(b->cx, &under[port], tree->n_terminal, b->limit, common->item[i], &changed));
            if (changed) {
                note_change(b, lower);
                HF_TRY(propagate(b, lower));
            }
        }
    }
    b->depth -= tells;
    return HF_OK;
}

static hf_status exclude(builder *b, uint32_t sw, uint32_t port, hf_interval add) {
    hf_interval_list *list;
    bool changed;
    HF_TRY(registers_of(b, sw, &list));
    HF_TRY(hf_interval_list_insert(b->cx, &list[port], b->state->tree.n_terminal, b->limit, add, &changed));
    if (changed) {
        note_change(b, sw);
    }
    return changed && b->propagate ? propagate(b, sw) : HF_OK;
}

static hf_status insert_fault(builder *b, uint32_t channel) {
    const hf_tree_touch touch = hf_tree_fault(&b->state->tree, channel, b->own);
    for (uint32_t i = 0; i < touch.count; i++) {
        const uint32_t sw = touch.first + i * touch.step;
        if (sw != touch.skip) {
            HF_TRY(exclude(b, sw, touch.port, touch.excluded));
        }
    }
    return HF_OK;
}

static void read_args(builder *b, const hf_args *args) {
    const uint64_t intervals = hf_args_get(args, "intervals")->number;
    b->limit = intervals == HF_UNLIMITED ? HF_NONE : (uint32_t)intervals;
    b->propagate = hf_args_get(args, "propagate")->number != 0;
    b->own = hf_args_get(args, "own")->number != 0;
}

/* A builder without any fault, and the state that it fills. */
static hf_status new_builder(hf_context *cx, const hf_plan *plan, builder **out) {
    void *memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(hf_ft2ei), &memory));
    hf_ft2ei *state = memory;
    HF_TRY(hf_tree_of(plan->topo, &state->tree) ? HF_OK : hf_tree_accepts(cx, plan->topo, "ft2ei"));
    HF_TRY(hf_scratch(cx, state->tree.n_switch, sizeof *state->port, &memory));
    state->port = memory;
    HF_TRY(hf_scratch(cx, 1, sizeof(builder), &memory));
    builder *b = memory;
    b->cx = cx;
    b->state = state;
    read_args(b, plan->args);
    *out = b;
    return HF_OK;
}

static hf_status make(hf_context *cx, hf_plan *plan) {
    builder *b;
    HF_TRY(new_builder(cx, plan, &b));
    for (uint32_t i = 0; i < plan->faults->n_channel; i++) {
        HF_TRY(insert_fault(b, plan->faults->channel[i]));
    }
    hf_route_take_vcs(plan, b->state->tree.k);
    plan->uses_order = true;
    plan->state = b->state;
    return HF_OK;
}

/* The registers once more, fault by fault, with the packets that each takes. */
static hf_status effort(hf_context *cx, const hf_plan *plan, const hf_effort_costs *costs, uint64_t *value) {
    builder *b;
    hf_tree_spread spread;
    HF_TRY(new_builder(cx, plan, &b));
    HF_TRY(hf_tree_spread_init(cx, &b->state->tree, plan->topo->n_channel, b->state->port, &spread));
    b->spread = &spread;
    for (uint32_t i = 0; i < plan->faults->n_channel; i++) {
        b->deepest = 0;
        hf_tree_spread_fail(&spread, plan->faults->channel[i]);
        HF_TRY(insert_fault(b, plan->faults->channel[i]));
        spread.cascade_hops += b->deepest;
        hf_tree_spread_compare(&spread, plan->faults->channel[i]);
    }
    hf_tree_effort(&spread, plan, costs, value);
    return HF_OK;
}

static bool is_healthy(const hf_plan *plan, uint32_t channel) { return !hf_bit_test(plan->faults->channel_set, channel); }

static size_t route(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    (void)in;
    const hf_ft2ei *state = plan->state;
    const hf_tree *tree = &state->tree;
    if (at >= tree->n_switch) {
        hops[0] = (hf_hop){hf_tree_injection(tree, at - tree->n_switch), 0, 0};
        return is_healthy(plan, hops[0].channel);
    }
    if (hf_tree_is_below(tree, at, destination)) {
        uint32_t port = hf_tree_down_port(tree, hf_tree_stage(tree, at), destination);
        hops[0] = (hf_hop){hf_tree_down_channel(tree, at, port), 0, 0};
        return is_healthy(plan, hops[0].channel) ? hf_route_on_all_vcs(plan, hops, 1) : 0;
    }
    const hf_interval_list *excluded = state->port[at];
    size_t count = 0;
    for (uint32_t j = 0; j < tree->k; j++) {
        const uint32_t channel = hf_tree_up_channel(tree, at, j);
        if (is_healthy(plan, channel) && !(excluded && hf_interval_list_has(&excluded[j], destination))) {
            hops[count++] = (hf_hop){channel, 0, 0};
        }
    }
    return hf_route_on_all_vcs(plan, hops, count);
}

static size_t registers(const hf_plan *plan, uint32_t sw, uint32_t port, hf_register *out, size_t max) {
    const hf_ft2ei *state = plan->state;
    const hf_tree *tree = &state->tree;
    if (hf_topology_channel_at(plan->topo, sw, port) == HF_NONE) {
        return 0;
    }
    if (max > 0) {
        out[0] = (hf_register){"inclusion", 0, hf_tree_inclusion(tree, sw, port)};
    }
    if (port < tree->k || !state->port[sw]) {
        return 1;
    }
    const hf_interval_list *excluded = &state->port[sw][port - tree->k];
    for (uint32_t i = 0; i < excluded->count && i + 1 < max; i++) {
        out[i + 1] = (hf_register){"exclusion", i, excluded->item[i]};
    }
    return 1 + (size_t)excluded->count;
}

static hf_switch_memory memory(const hf_args *args) {
    return (hf_switch_memory){HF_SWITCH_INTERVALS, hf_args_get(args, "intervals")->number};
}

/* Without propagation a packet can be sent to a switch that has lost its destination. */
static bool class_rule(const hf_args *args, hf_class_rule *out) {
    *out = (hf_class_rule){.has_registers = true, .own = hf_args_get(args, "own")->number != 0};
    return hf_args_get(args, "propagate")->number != 0;
}

/* Unlimited registers exclude exactly the destinations that are lost. Few are merged along the order of terminals, and what comes
 * out hangs on the order of faults; docs/methods.md proves what holds of up to 2 k - 1 of them. */
static hf_symmetric symmetric(const hf_topology *topo, const hf_args *args) {
    hf_tree tree;
    if (hf_args_get(args, "propagate")->number == 0 || !hf_tree_of(topo, &tree)) {
        return (hf_symmetric){0};
    }
    if (hf_args_get(args, "intervals")->number == HF_UNLIMITED) {
        return hf_always_symmetric(topo, args);
    }
    return (hf_symmetric){.of = HF_SYMMETRIC_TOLERANCE,
                          .fixes_terminals = true,
                          .by_links = true,
                          .f_most = 2 * tree.k - 1,
                          .beyond = "its registers merge by the order of faults"};
}

/* Of k links every switch has an up port that excludes nothing when the last of them fails, and all such ports are alike. */
static hf_symmetric symmetric_effort(const hf_topology *topo, const hf_args *args) {
    hf_tree tree;
    (void)args;
    if (!hf_tree_of(topo, &tree)) {
        return (hf_symmetric){0};
    }
    return (hf_symmetric){.of = HF_SYMMETRIC_EFFORT,
                          .by_links = true,
                          .f_most = tree.k,
                          .beyond = "up ports that serve all destinations between them are taken in the order of their numbers"};
}

static const hf_routing_efforts efforts = {hf_tree_efforts, effort, symmetric_effort};

static uint32_t run(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination) {
    const hf_ft2ei *state = plan->state;
    (void)in;
    return hf_tree_run(plan, &state->tree, at, destination);
}

static const hf_likeness likeness = {.arrival = hf_arrival_any, .run = run};

const hf_routing hf_routing_ft2ei = {
    .name = "ft2ei",
    .summary = "FT2EI: adaptive interval routing on k-ary n-trees with exclusion intervals that avoid the faults",
    .source = "gomez2010, 3.2",
    .traits = HF_ROUTING_MINIMAL | HF_ROUTING_ADAPTIVE | HF_ROUTING_ACYCLIC | HF_ROUTING_FAULT_AWARE,
    .params = params,
    .accepts = accepts,
    .chooses = hf_tree_chooses,
    .plan = make,
    .efforts = &efforts,
    .reconfiguration = &hf_tree_reconfiguration,
    .route = route,
    .likeness = &likeness,
    .symmetric = symmetric,
    .registers = registers,
    .memory = memory,
    .class_rule = class_rule,
    .judge = hf_ft2ei_judge_new,
};
