/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation under plans, judges, path counts and bounds is made to fail in turn: each time the call says so, and nothing
 *  leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <holdfast/analysis/tolerance.h>

#include "tests/support/failing.h"

typedef struct scene {
    hf_context *cx;
    hf_topology *topo;
    hf_universe *universe;
    hf_rule rule;
    hf_judge *judge[2];
    hf_criterion criterion[2];
    hf_bound *bound;
    hf_big *big;
} scene;

static hf_status use_plan(scene *s, const uint32_t *component) {
    hf_criterion criterion;
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    hf_measure measure;
    bool connected;
    HF_TRY(hf_criterion_init(s->cx, "surviving", &criterion));
    HF_TRY(hf_fault_set_make(s->cx, s->universe, component, 6, &set));
    HF_TRY(hf_plan_make(s->cx, &s->rule, &set, &plan));
    HF_TRY(hf_tolerance_judge(s->cx, &plan, &criterion, true, &verdict));
    HF_TRY(hf_tolerance_measure(s->cx, &s->rule, &plan, &criterion, &measure));
    HF_TRY(hf_connectivity_all(s->cx, &set, &connected));
    return hf_paths_count(s->cx, &plan, s->big);
}

static hf_status use_judges(scene *s, const uint32_t *component) {
    static const char *const names[] = {"connected", "surviving"};
    for (size_t i = 0; i < 2; i++) {
        hf_measure measure;
        HF_TRY(hf_criterion_init(s->cx, names[i], &s->criterion[i]));
        HF_TRY(hf_judge_new(s->cx, s->universe, &s->rule, &s->criterion[i], &s->judge[i]));
        for (uint32_t c = 0; c < 6; c++) {
            HF_TRY(s->judge[i]->ops->push(s->cx, s->judge[i], component[c]));
        }
        HF_TRY(s->judge[i]->ops->read(s->cx, s->judge[i], &measure));
    }
    return HF_OK;
}

static hf_status play(scene *s, const char *rule) {
    static const uint32_t component[6] = {0, 3, 5, 17, 21, 30};
    bool ok;
    HF_TRY(hf_topology_new(s->cx, "kary-tree:k=2,n=3", &s->topo));
    HF_TRY(hf_universe_new(s->cx, s->topo, "channels", NULL, &s->universe));
    HF_TRY(hf_rule_init(s->cx, rule, s->topo, &s->rule));
    HF_TRY(use_plan(s, component));
    HF_TRY(use_judges(s, component));
    if (s->rule.routing->traits & HF_ROUTING_ALL_MINIMAL) {
        HF_TRY(hf_paths_lost_sum(s->cx, s->universe, &s->rule, 3, 11, 4711, s->big));
    }
    HF_TRY(hf_bound_make(s->cx, s->universe, &s->rule, &s->bound));
    HF_TRY(hf_bound_check(s->cx, s->universe, &s->rule, s->bound, &ok));
    assert_true(ok);
    return HF_OK;
}

static void clear(scene *s) {
    hf_bound_free(s->bound);
    hf_judge_free(s->judge[0]);
    hf_judge_free(s->judge[1]);
    hf_rule_free(&s->rule);
    hf_universe_free(s->universe);
    hf_topology_free(s->topo);
}

/* The big number is of a context without failures. */
static hf_status play_and_clear(hf_context *cx, void *user) {
    hf_context *plain = hf_context_new(NULL);
    assert_non_null(plain);
    scene s = {.cx = cx};
    assert_int_equal(hf_big_new(plain, &s.big), HF_OK);
    const hf_status status = play(&s, user);
    clear(&s);
    hf_big_free(s.big);
    hf_context_free(plain);
    return status;
}

static void sweep(const char *rule) {
    char spec[32];
    snprintf(spec, sizeof spec, "%s", rule);
    assert_true(failing_sweep(rule, play_and_clear, spec) > 50);
}

static void nothing_leaks(void **state) {
    (void)state;
    sweep("updown");
    sweep("ft2ei:intervals=2");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_leaks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
