/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under traffic, loads and costs is made to fail in turn: each time the call says so, and nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <holdfast/analysis/cost.h>

#include "tests/support/failing.h"

typedef struct scene {
    hf_topology *topo;
    hf_rule rule;
    bool has_rule;
    hf_traffic *traffic;
    hf_load *load[3];
    hf_topology *reference;
} scene;

static hf_status find_loads(hf_context *cx, scene *s, const hf_fault_set *none, const hf_plan *plan) {
    hf_worst worst;
    double best;
    HF_TRY(hf_load_find(cx, plan, s->traffic, HF_SPLIT_EVEN, &s->load[0]));
    HF_TRY(hf_load_walk(cx, plan, s->traffic, HF_SPLIT_FIRST, &s->load[1]));
    HF_TRY(hf_load_walk(cx, plan, s->traffic, HF_SPLIT_OPTIMAL, &s->load[2]));
    HF_TRY(hf_load_worst(cx, plan, HF_SPLIT_EVEN, &worst));
    return hf_load_best(cx, s->topo, none, s->traffic, &best);
}

static hf_status play(hf_context *cx, scene *s, const char *pattern) {
    hf_fault_set none;
    hf_plan plan;
    hf_cost_table table;
    hf_cost cost;
    HF_TRY(hf_topology_new(cx, "kary-tree:k=2,n=2", &s->topo));
    HF_TRY(hf_rule_init(cx, "updown", s->topo, &s->rule));
    s->has_rule = true;
    HF_TRY(hf_traffic_new(cx, s->topo, pattern, &s->traffic));
    HF_TRY(hf_fault_set_parse(cx, s->topo, NULL, "", &none));
    HF_TRY(hf_plan_make(cx, &s->rule, &none, &plan));
    HF_TRY(find_loads(cx, s, &none, &plan));
    hf_cost_defaults(&table);
    HF_TRY(hf_cost_reference(cx, s->topo, &s->reference));
    return hf_cost_find(cx, &table, HF_COST_ADAPTIVE, s->topo, s->reference, &cost);
}

static hf_status play_and_clear(hf_context *cx, void *user) {
    scene s = {0};
    const hf_status status = play(cx, &s, user);
    for (size_t i = 0; i < 3; i++) {
        hf_load_free(s.load[i]);
    }
    hf_topology_free(s.reference);
    hf_traffic_free(s.traffic);
    if (s.has_rule) {
        hf_rule_free(&s.rule);
    }
    hf_topology_free(s.topo);
    return status;
}

static void every_allocation(void **state) {
    (void)state;
    static char uniform[] = "uniform", shuffle[] = "shuffle";
    (void)failing_sweep("uniform", play_and_clear, uniform);
    (void)failing_sweep("shuffle", play_and_clear, shuffle);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
