/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the ways to the fewest components have in common: their lists, and which question they are asked. */
#include <holdfast/analysis/weakest.h>

#include "src/core/grow.h"

const char *hf_weakest_proof_name(hf_weakest_proof proof) {
    static const char *const names[] = {"none", "classes", "paths", "supports", "sets", "orbits", "program"};
    return names[proof];
}

hf_status hf_weakest_list_item(hf_context *cx, hf_weakest_lists *lists, uint32_t item) {
    HF_GROW_SCRATCH(cx, lists->item, lists->n_item, lists->item_room);
    lists->item[lists->n_item++] = item;
    return HF_OK;
}

hf_status hf_weakest_list_end(hf_context *cx, hf_weakest_lists *lists) {
    if (lists->n == 0) { /* room for the first place too */
        HF_GROW_SCRATCH(cx, lists->begin, lists->n, lists->begin_room);
        lists->begin[0] = 0;
    }
    HF_GROW_SCRATCH(cx, lists->begin, lists->n + 1, lists->begin_room);
    lists->begin[++lists->n] = lists->n_item;
    return HF_OK;
}

void hf_weakest_free(hf_weakest *weakest) {
    hf_big_free(weakest->sets);
    hf_big_free(weakest->looked);
    hf_bound_free(weakest->bound);
    weakest->sets = weakest->looked = NULL;
    weakest->bound = NULL;
}

/* ---- which question it is ---- */

static bool takes_switches(const hf_universe *u) { return u->switch_begin[u->n_component] > 0; }

static bool takes_terminals(const hf_universe *u) {
    for (uint32_t i = 0; i < u->channel_begin[u->n_component]; i++) {
        const uint32_t c = u->channel[i];
        if (hf_topology_is_terminal(u->topo, u->topo->from[c]) || hf_topology_is_terminal(u->topo, u->topo->to[c])) {
            return true;
        }
    }
    return false;
}

bool hf_weakest_is_monotone(const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion) {
    if (criterion->flags & HF_CRITERION_CONNECTED) {
        return true;
    }
    if (criterion->flags & HF_CRITERION_SWITCHES) { /* a switch that fails itself need not be reached any more */
        return !takes_switches(universe);
    }
    const unsigned traits = hf_rule_traits(rule);
    return traits & (criterion->flags & HF_CRITERION_SURVIVING ? HF_ROUTING_SHORTEST : HF_ROUTING_MONOTONE);
}

/* Does each component take both channels of each link that it takes? */
static bool takes_links(const hf_universe *u) {
    for (uint32_t i = 0; i < u->n_component; i++) {
        const uint32_t *begin = u->channel + u->channel_begin[i], *end = u->channel + u->channel_begin[i + 1];
        for (const uint32_t *c = begin; c < end; c++) {
            const uint32_t *back = begin;
            while (back < end && *back != u->topo->reverse[*c]) {
                back++;
            }
            if (back == end) {
                return false;
            }
        }
    }
    return true;
}

/* Is what the rule serves connectivity? */
static bool is_complete(const hf_universe *universe, const hf_rule *rule) {
    const unsigned traits = hf_rule_traits(rule);
    return (traits & HF_ROUTING_COMPLETE) || (traits & HF_ROUTING_COMPLETE_BY_LINKS && takes_links(universe));
}

bool hf_weakest_asks_cut(const hf_universe *universe, const hf_rule *rule, const hf_criterion *criterion) {
    if (criterion->flags & HF_CRITERION_SWITCHES) {
        return !takes_switches(universe) && !takes_terminals(universe);
    }
    return (criterion->flags & HF_CRITERION_CONNECTED) || (criterion->flags == 0 && is_complete(universe, rule));
}

void hf_weakest_ends(const hf_topology *topo, const hf_criterion *criterion, uint32_t *first, uint32_t *n) {
    const bool is_switches = criterion->flags & HF_CRITERION_SWITCHES;
    *first = is_switches ? 0 : topo->n_switch;
    *n = is_switches ? topo->n_switch : topo->n_terminal;
}

bool hf_weakest_is_ring(const hf_topology *topo, const hf_criterion *criterion) {
    const bool is_switches = criterion->flags & HF_CRITERION_SWITCHES;
    for (uint32_t v = topo->n_switch; v < topo->n_node && !is_switches; v++) {
        const uint32_t out = topo->out_begin[v], in = topo->in_begin[v];
        if (topo->out_begin[v + 1] - out != 1 || topo->in_begin[v + 1] - in != 1 ||
            topo->to[topo->out_list[out]] != topo->from[topo->in_list[in]]) {
            return false;
        }
    }
    return true;
}
