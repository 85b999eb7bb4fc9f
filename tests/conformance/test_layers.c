/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules on layers, and fault sets whose ways need more of them than there are, `vcs` or 64: the relation, the judges and the
 *  measures say that nobody is served. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "tests/oracle/fixture.h"
#include "tests/oracle/wheel.h"
#include "tests/support/folder.h"
#include "tests/support/share.h"

static hf_measure judged(const fixture *fx, hf_judge *judge, const uint32_t *component, uint32_t f) {
    hf_measure m = {0};
    for (uint32_t k = 0; k < f; k++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, component[k]));
    }
    fixture_ok(fx, judge->ops->read(fx->cx, judge, &m));
    for (uint32_t k = 0; k < f; k++) {
        judge->ops->pop(judge);
    }
    return m;
}

static void offers_nothing(const fixture *fx, const hf_plan *plan) {
    hf_hop *hops;
    assert_true(hf_plan_is_empty(plan) && plan->refusal);
    fixture_ok(fx, hf_scratch(fx->cx, hf_plan_room(plan), sizeof *hops, (void **)&hops));
    for (uint32_t d = 0; d < fx->topo->n_terminal; d++) {
        for (uint32_t t = 0; t < fx->topo->n_terminal; t++) {
            size_t n;
            fixture_ok(fx, hf_plan_read(fx->cx, plan, fx->topo->n_switch + t, HF_HOP_INJECTION, d, hops, &n));
            assert_int_equal(n, 0);
        }
    }
}

/* What is asked of one fault set, by the rule as it is and with a bound. */
typedef struct bounded {
    fixture fx[2];
    hf_judge *deadlock[2], *tolerance[2][2]; /* by the rule's judge and by the relation */
    uint32_t vcs, n_refused, n_kept;
    bool lays_anew;
} bounded;

static void compare_set(bounded *b, const uint32_t *component, uint32_t f) {
    hf_fault_set set[2];
    hf_plan plan[2];
    hf_measure m[2], t[2][2];
    const hf_mark marks[] = {hf_scratch_mark(b->fx[0].cx), hf_scratch_mark(b->fx[1].cx)};
    for (int i = 0; i < 2; i++) {
        fixture_plan_set(&b->fx[i], component, f, &set[i], &plan[i]);
        m[i] = judged(&b->fx[i], b->deadlock[i], component, f);
        for (int k = 0; k < 2; k++) {
            t[i][k] = judged(&b->fx[i], b->tolerance[i][k], component, f);
        }
    }
    /* `layered-shortest` then lays its ways in another manner before it gives up */
    const bool is_refused = hf_plan_is_empty(&plan[1]);
    assert_true(b->lays_anew ? plan[0].n_vc > b->vcs || !is_refused : is_refused == (plan[0].n_vc > b->vcs));
    assert_true(is_refused || plan[1].n_vc <= b->vcs);
    assert_int_equal(m[1].outcome, is_refused ? HF_OUTCOME_NOT_COVERED : m[0].outcome);
    assert_true(is_refused ? m[1].noted != 0 : m[1].noted == m[0].noted); /* which bit: analysis/deadlock_lost */
    for (int k = 0; k < 2; k++) {
        assert_int_equal(t[1][k].tolerated, !is_refused && t[0][k].tolerated);
    }
    if (t[1][0].has_victims) { /* a fast path has measured it */
        assert_int_equal(t[1][0].victims, t[1][1].victims);
        assert_int_equal(t[1][0].lost_paths, t[1][1].lost_paths);
        assert_int_equal(t[1][0].live, t[1][1].live);
        assert_memory_equal(t[1][0].extra, t[1][1].extra, sizeof t[1][0].extra);
    }
    if (is_refused) {
        offers_nothing(&b->fx[1], &plan[1]);
    } else {
        assert_int_equal(plan[1].n_vc, b->vcs);
        assert_int_equal(plan[1].max_hops, b->vcs); /* of all sets, for who changes from one to the next */
    }
    b->n_refused += is_refused;
    b->n_kept += !is_refused;
    for (int i = 0; i < 2; i++) {
        hf_scratch_reset(b->fx[i].cx, marks[i]);
    }
}

static void open_bounded(bounded *b, const char *topo, const char *rule, uint32_t vcs) {
    const hf_deadlock_options how = {.threads = 1};
    char spec[128];
    *b = (bounded){.vcs = vcs, .lays_anew = strcmp(rule, "layered-shortest") == 0};
    (void)snprintf(spec, sizeof spec, "%s:vcs=%u", rule, vcs);
    for (int i = 0; i < 2; i++) {
        fixture *fx = &b->fx[i];
        fixture_open(fx, topo, "channels+terminal-links", i ? spec : rule);
        const hf_criterion *all = fixture_criterion(fx, "all-pairs");
        fixture_ok(fx, hf_deadlock_judge_new(fx->cx, fx->universe, &fx->rule, &how, &b->deadlock[i]));
        fixture_ok(fx, hf_judge_new(fx->cx, fx->universe, &fx->rule, all, &b->tolerance[i][0]));
        fixture_ok(fx, hf_judge_new_relation(fx->cx, fx->universe, &fx->rule, all, &b->tolerance[i][1]));
    }
}

static void close_bounded(bounded *b) {
    for (int i = 0; i < 2; i++) {
        hf_judge_free(b->deadlock[i]);
        hf_judge_free(b->tolerance[i][0]);
        hf_judge_free(b->tolerance[i][1]);
        fixture_close(&b->fx[i]);
    }
}

/* A set that needs more virtual channels than there are is not covered: it is an answer of that set. */
static void sets_that_need_more(void **state) {
    (void)state;
    static const char *const rules[] = {"dfsssp", "layered-shortest"}, *const topologies[] = {"ring:n=8", "torus:dims=4x4",
                                                                                              "kary-tree:k=2,n=3"};
    for (size_t r = 0; r < 2; r++) {
        uint32_t n_refused = 0, n_kept = 0;
        for (size_t t = 0; t < 3; t++) {
            bounded b;
            open_bounded(&b, topologies[t], rules[r], t < 2 ? 2 : 1);
            for (uint64_t seed = 0; seed < 200; seed += share_step()) {
                uint32_t component[4];
                hf_random random;
                hf_random_init(&random, seed, HF_PURPOSE_TEST, 2);
                const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 4);
                hf_random_subset(&random, b.fx[0].universe->n_component, f, component);
                compare_set(&b, component, f);
            }
            n_refused += b.n_refused;
            n_kept += b.n_kept;
            close_bounded(&b);
        }
        print_message("%s: %u sets need more, %u do not\n", rules[r], n_refused, n_kept);
        assert_true(share_step() > 1 || (n_refused > 5 && n_kept > 50)); /* the first are rare */
    }
}

/* Without faults there has to be a plan: else the rule is refused. */
static void refuses_ring(const char *spec, const char *rule) {
    fixture fx;
    hf_rule made;
    fixture_open(&fx, spec, NULL, NULL);
    hf_fault_set none;
    hf_plan plan;
    fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
    fixture_ok(&fx, hf_rule_init(fx.cx, rule, fx.topo, &made));
    assert_int_equal(hf_plan_make(fx.cx, &made, &none, &plan), HF_ERANGE);
    assert_non_null(strstr(hf_context_message(fx.cx), rule));
    assert_non_null(strstr(hf_context_message(fx.cx), "need more than 64 layers"));
    hf_rule_free(&made);
    fixture_close(&fx);
}

/* On a wheel, by the rule as it is: without its hub the ring needs 65 layers or more. */
static void check_wheel(const char *spec, const char *groups, const char *rule) {
    const hf_deadlock_options how = {.threads = 1};
    const uint32_t hub = 0;
    hf_fault_set none, set;
    hf_plan healthy, plan;
    hf_judge *deadlock, *fast, *relation;
    fixture fx;
    fixture_open(&fx, spec, groups, rule);
    fixture_plan(&fx, "", &none, &healthy);
    fixture_plan_set(&fx, &hub, 1, &set, &plan);
    const hf_criterion *all = fixture_criterion(&fx, "all-pairs"), *surviving = fixture_criterion(&fx, "surviving");
    fixture_ok(&fx, hf_deadlock_judge_new(fx.cx, fx.universe, &fx.rule, &how, &deadlock));
    fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, all, &fast));
    fixture_ok(&fx, hf_judge_new_relation(fx.cx, fx.universe, &fx.rule, all, &relation));

    assert_true(!hf_plan_is_empty(&healthy) && healthy.n_vc < 64);
    assert_non_null(plan.refusal);
    assert_non_null(strstr(plan.refusal, "need more than 64 layers"));
    offers_nothing(&fx, &plan);
    assert_int_equal(judged(&fx, deadlock, NULL, 0).outcome, HF_OUTCOME_FREE);
    assert_int_equal(judged(&fx, deadlock, &hub, 1).outcome, HF_OUTCOME_NOT_COVERED);
    for (uint32_t f = 0; f < 2; f++) {
        const hf_measure a = judged(&fx, fast, &hub, f), b = judged(&fx, relation, &hub, f);
        assert_true(a.tolerated == (f == 0) && b.tolerated == (f == 0));
        assert_int_equal(a.lost_paths, b.lost_paths);
        assert_int_equal(a.victims, b.victims);
        assert_int_equal(a.live, b.live);
        assert_memory_equal(a.extra, b.extra, sizeof a.extra);
        assert_int_equal(b.lost_paths, f ? (uint64_t)fx.topo->n_terminal * (fx.topo->n_terminal - 1) : 0);
    }
    hf_judge_free(fast);
    fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, surviving, &fast));
    assert_false(judged(&fx, fast, &hub, 1).tolerated);
    hf_judge_free(fast);
    hf_judge_free(relation);
    hf_judge_free(deadlock);
    fixture_close(&fx);
}

static void ways_that_need_more_than_all(void **state) {
    (void)state;
    static const char *const rules[] = {"dfsssp", "layered-shortest"};
    char folder[128], wheel[256], ring[256], groups[256], spec[3][288];
    folder_open(folder, sizeof folder);
    wheel_write(folder_file(folder, "wheel.json", wheel, sizeof wheel), 130, true);
    wheel_write(folder_file(folder, "ring.json", ring, sizeof ring), 130, false);
    folder_write(folder_file(folder, "groups.txt", groups, sizeof groups), "hub: hub\n", 9);
    (void)snprintf(spec[0], sizeof spec[0], "file:%s", wheel);
    (void)snprintf(spec[1], sizeof spec[1], "file:%s", ring);
    (void)snprintf(spec[2], sizeof spec[2], "groups:%s", groups);
    for (size_t r = 0; r < 2; r++) {
        check_wheel(spec[0], spec[2], rules[r]);
        refuses_ring(spec[1], rules[r]);
    }
    folder_close(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_that_need_more), cmocka_unit_test(ways_that_need_more_than_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
