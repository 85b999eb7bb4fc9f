/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One design: its size, its cost, its ideal throughput and the faults it tolerates. */
#include <math.h>
#include <string.h>

#include "src/study/explore.h"

/* ---- tolerance ---- */

typedef struct looking {
    hf_context *cx;
    const hf_exploration *e;
    const hf_rule *rule;
    const hf_universe *universe;
} looking;

/* Only the verdict, from the relation. */
static hf_status is_tolerated(const looking *l, const uint32_t *component, uint32_t f, bool *out) {
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    const hf_mark mark = hf_scratch_mark(l->cx);
    hf_status status = hf_context_stopped(l->cx) ? hf_context_fail(l->cx, HF_ESTOP, __FILE__, __LINE__, "stopped") : HF_OK;
    status = status == HF_OK ? hf_fault_set_make(l->cx, l->universe, component, f, &faults) : status;
    status = status == HF_OK ? hf_plan_make(l->cx, l->rule, &faults, &plan) : status;
    status = status == HF_OK ? hf_tolerance_judge(l->cx, &plan, &l->e->criterion, false, &verdict) : status;
    *out = status == HF_OK && verdict.tolerated;
    hf_scratch_reset(l->cx, mark);
    return status;
}

/* The class bound, where there is one: as many faults as that are proved, and its witness is not tolerated. */
static hf_status try_certificate(const looking *l, hf_design *out) {
    hf_bound *bound;
    bool ok = false;
    if (l->e->criterion.flags != 0) {
        return HF_OK;
    }
    const hf_status made = hf_bound_make(l->cx, l->universe, l->rule, &bound);
    if (made == HF_ENOTSUP) {
        hf_context_clear(l->cx);
        return HF_OK;
    }
    HF_TRY(made);
    const hf_status status = hf_bound_check(l->cx, l->universe, l->rule, bound, &ok);
    if (status == HF_OK && ok) {
        out->least = out->most = bound->n_class - 1;
    }
    hf_bound_free(bound);
    return status;
}

static bool touches(const looking *l, uint32_t component, uint32_t sw) {
    const hf_topology *topo = l->universe->topo;
    const hf_universe *u = l->universe;
    for (uint32_t i = u->channel_begin[component]; i < u->channel_begin[component + 1]; i++) {
        if (topo->from[u->channel[i]] == sw || topo->to[u->channel[i]] == sw) {
            return u->component[component].type != HF_COMPONENT_SWITCH;
        }
    }
    return false;
}

/* The switch with terminals at which fewest components end: what is left when all of them fail. */
static hf_status try_cut(const looking *l, hf_design *out) {
    const hf_topology *topo = l->universe->topo;
    const uint32_t m = l->universe->n_component;
    uint32_t *ends, *set, fewest = HF_NONE, f = 0;
    bool tolerated;
    HF_TRY(hf_scratch(l->cx, topo->n_node, sizeof *ends, (void **)&ends));
    HF_TRY(hf_scratch(l->cx, m, sizeof *set, (void **)&set));
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t c = l->universe->channel_begin[i]; c < l->universe->channel_begin[i + 1]; c++) {
            const uint32_t channel = l->universe->channel[c];
            ends[topo->from[channel]]++;
            ends[topo->to[channel]]++;
        }
    }
    for (uint32_t t = topo->n_switch; t < topo->n_node; t++) {
        const uint32_t c = topo->out_list[topo->out_begin[t]], sw = topo->to[c];
        fewest = ends[sw] && (fewest == HF_NONE || ends[sw] < ends[fewest]) ? sw : fewest;
    }
    for (uint32_t i = 0; i < m && fewest != HF_NONE; i++) {
        if (touches(l, i, fewest)) {
            set[f++] = i;
        }
    }
    if (f == 0 || f - 1 >= out->most) {
        return HF_OK;
    }
    HF_TRY(is_tolerated(l, set, f, &tolerated));
    out->most = tolerated ? out->most : f - 1;
    return HF_OK;
}

hf_status hf_design_look(hf_context *cx, const hf_exploration *e, const hf_rule *rule, const hf_universe *universe, uint32_t f,
                         bool *all_tolerated, bool *is_whole) {
    const looking l = {.cx = cx, .e = e, .rule = rule, .universe = universe};
    const hf_sets sets = hf_sets_of(universe->n_component, f, e->sets, e->seed);
    uint32_t *set;
    *is_whole = sets.is_all;
    *all_tolerated = true;
    HF_TRY(hf_scratch(cx, f, sizeof *set, (void **)&set));
    for (uint64_t i = 0; i < sets.n && *all_tolerated; i++) {
        hf_sets_get(&sets, i, set);
        HF_TRY(is_tolerated(&l, set, f, all_tolerated));
    }
    return HF_OK;
}

static hf_status look(const looking *l, hf_design *out) {
    bool is_proved = true;
    for (uint32_t f = out->least + 1; f <= out->most && f <= l->e->faults_most && f <= l->universe->n_component; f++) {
        bool all_tolerated, is_whole;
        HF_TRY(hf_design_look(l->cx, l->e, l->rule, l->universe, f, &all_tolerated, &is_whole));
        if (!all_tolerated) {
            out->most = f - 1;
            break;
        }
        out->tolerance = f;
        is_proved &= is_whole;
        out->least = is_proved ? f : out->least;
    }
    return HF_OK;
}

hf_status hf_design_tolerance(hf_context *cx, const hf_exploration *e, const hf_rule *rule, const hf_universe *universe,
                              hf_design *out) {
    const looking l = {.cx = cx, .e = e, .rule = rule, .universe = universe};
    bool tolerated;
    out->least = 0;
    out->most = universe->n_component;
    HF_TRY(is_tolerated(&l, NULL, 0, &tolerated));
    if (!tolerated) {
        HF_FAIL(cx, HF_EINVAL, "routing \"%s\" does not serve all pairs of \"%s\" even without faults", rule->spec,
                universe->topo->spec);
    }
    HF_TRY(try_certificate(&l, out));
    out->tolerance = out->least;
    if (out->least < out->most) {
        HF_TRY(try_cut(&l, out));
        HF_TRY(look(&l, out));
    }
    out->proof = out->least == out->most        ? HF_TOLERANCE_EXACT
                 : out->tolerance == out->least ? HF_TOLERANCE_PROVED
                                                : HF_TOLERANCE_SAMPLED;
    return HF_OK;
}

/* ---- the other figures ---- */

static hf_status find_throughput(hf_context *cx, const hf_exploration *e, const hf_topology *topo, const hf_rule *rule,
                                 hf_design *out) {
    hf_traffic *traffic = NULL;
    hf_load *load = NULL;
    hf_fault_set none;
    hf_plan plan;
    hf_status status;
    HF_TRY(hf_traffic_new(cx, topo, e->traffic, &traffic));
    HF_TRY_DONE(hf_fault_set_parse(cx, topo, NULL, "", &none));
    HF_TRY_DONE(hf_plan_make(cx, rule, &none, &plan));
    HF_TRY_DONE(hf_load_find(cx, &plan, traffic, HF_SPLIT_EVEN, &load));
    out->throughput = load->saturation;
done:
    hf_load_free(load);
    hf_traffic_free(traffic);
    return status;
}

/* Can it deadlock, without faults? Under wormhole switching; if so, with bubbles on the rings that the routing may declare. */
static hf_status find_deadlock(hf_context *cx, const hf_topology *topo, const hf_rule *rule, hf_design *out) {
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock found;
    const hf_mark mark = hf_scratch_mark(cx);
    HF_TRY(hf_fault_set_parse(cx, topo, NULL, "", &none));
    HF_TRY(hf_plan_make(cx, rule, &none, &plan));
    HF_TRY(hf_deadlock_decide(cx, &plan, &(hf_deadlock_options){.threads = 1}, &found));
    out->deadlock = found.answer;
    if (found.answer != HF_DEADLOCK_FREE && hf_plan_has_rings(&plan)) {
        const hf_deadlock_options options = {.switching = HF_SWITCHING_VCT, .bubble = true, .threads = 1};
        HF_TRY(hf_deadlock_decide(cx, &plan, &options, &found));
        out->needs_bubbles = found.answer == HF_DEADLOCK_FREE;
        out->deadlock = out->needs_bubbles ? HF_DEADLOCK_FREE : out->deadlock;
    }
    hf_scratch_reset(cx, mark);
    return HF_OK;
}

static hf_status find_cost(hf_context *cx, const hf_exploration *e, const hf_topology *topo, const hf_rule *rule,
                           hf_design *out) {
    hf_topology *reference;
    hf_cost_column column;
    hf_cost cost;
    HF_TRY(hf_cost_column_of(cx, topo, rule, true, &column));
    HF_TRY(hf_topology_new(cx, e->reference, &reference));
    const hf_status status = hf_cost_find(cx, &e->costs, column, topo, reference, &cost);
    hf_topology_free(reference);
    HF_TRY(status);
    out->cost = (double)cost.total.p / (double)cost.total.q / topo->n_terminal / e->reference_cost;
    return HF_OK;
}

static hf_status evaluate(hf_context *cx, const hf_exploration *e, const hf_topology *topo, const hf_rule *rule, hf_design *out) {
    HF_TRY(hf_duplicate(cx, topo->spec, &out->topology));
    HF_TRY(hf_duplicate(cx, rule->spec, &out->routing));
    out->n_terminal = topo->n_terminal;
    out->n_switch = topo->n_switch;
    out->n_link = topo->n_link;
    out->most = HF_NONE;
    out->proof = HF_TOLERANCE_UNKNOWN;
    out->deadlock = HF_DEADLOCK_UNKNOWN;
    HF_TRY(find_cost(cx, e, topo, rule, out));
    if (topo->n_terminal < e->terminals_least || topo->n_terminal > e->terminals_most) {
        out->verdict = HF_DESIGN_TERMINALS;
        return HF_OK;
    }
    if (out->cost > e->cost_most) {
        out->verdict = HF_DESIGN_COST;
        return HF_OK;
    }
    HF_TRY(find_deadlock(cx, topo, rule, out));
    if (out->deadlock != HF_DEADLOCK_FREE && !e->allows_deadlocks) {
        out->verdict = HF_DESIGN_DEADLOCK;
        return HF_OK;
    }
    HF_TRY(find_throughput(cx, e, topo, rule, out));
    hf_universe *universe;
    HF_TRY(hf_universe_new(cx, topo, e->universe, NULL, &universe));
    const hf_status status = hf_design_tolerance(cx, e, rule, universe, out);
    hf_universe_free(universe);
    out->verdict = out->tolerance < e->tolerance_least ? HF_DESIGN_TOLERANCE : HF_DESIGN_KEPT;
    return status;
}

hf_status hf_design_evaluate(hf_context *cx, const hf_exploration *e, const hf_planned *planned, hf_design *out) {
    hf_topology *topo = NULL;
    hf_rule rule = {0};
    const hf_mark mark = hf_scratch_mark(cx);
    *out = (hf_design){0};
    hf_status status = hf_topology_new(cx, planned->topology, &topo);
    if (status == HF_OK) {
        status = hf_rule_init(cx, planned->routing, topo, &rule);
        if (status == HF_OK) {
            status = evaluate(cx, e, topo, &rule, out);
            hf_rule_free(&rule);
        }
        hf_topology_free(topo);
    }
    hf_scratch_reset(cx, mark);
    if (status != HF_OK) {
        hf_release(hf_context_allocator(cx), out->topology);
        hf_release(hf_context_allocator(cx), out->routing);
        out->topology = out->routing = NULL;
    }
    return status;
}
