/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every allocation of the decision about deadlock is made to fail in turn: each decider, in one thread and in several, and the
 *  judge of campaigns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <holdfast/holdfast.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"
#include "tests/support/failing.h"

typedef struct scene {
    fixture fx;
    hf_fault_set faults;
    hf_plan plan;
    hf_routing secret; /* the routing without its escape */
    hf_deadlock_options options;
    hf_deadlock_method method; /* that an undisturbed run comes to */
} scene;

static hf_status decide(hf_context *cx, void *user) {
    const scene *s = user;
    hf_deadlock found;
    HF_TRY(hf_deadlock_decide(cx, &s->plan, &s->options, &found));
    assert_int_equal(found.method, s->method);
    return HF_OK;
}

static const struct row {
    const char *topo, *rule;
    bool bubble, hides_escape;
    hf_deadlock_method method;
    uint32_t threads;
    hf_timing timing;
} rows[] = {
    {"torus:dims=3x4", "dor:vcs=2,dateline=yes", false, false, HF_METHOD_ACYCLIC, 1, HF_TIMING_ANY},
    {"torus:dims=4x4", "dor:vcs=2,dateline=yes", false, false, HF_METHOD_ACYCLIC, 3, HF_TIMING_ANY},
    {"torus:dims=3x4", "dor", true, false, HF_METHOD_BUBBLE, 1, HF_TIMING_ANY},
    {"torus:dims=3x4", "dor", false, false, HF_METHOD_FIXPOINT, 1, HF_TIMING_ANY},
    {"mesh:dims=3x3", "minimal", false, false, HF_METHOD_FIXPOINT, 2, HF_TIMING_ANY},
    {"mesh:dims=3x3", "duato", false, false, HF_METHOD_ESCAPE, 1, HF_TIMING_ANY},
    {"torus:dims=3x4", "duato", false, true, HF_METHOD_ESCAPE, 2, HF_TIMING_ANY},
    {"mesh:dims=2x2", "dor with a=0>>b=0", false, false, HF_METHOD_FIXPOINT, 1, HF_TIMING_ANY},
    {"mesh:dims=2x2", "duato with a>b", false, false, HF_METHOD_ESCAPE, 1, HF_TIMING_ANY},
    {"dragonfly:p=1,a=3,h=1", "dragonfly-valiant:vcs=2", false, false, HF_METHOD_FIXPOINT, 1, HF_TIMING_ANY}, /* with tags */
    {"ring:n=4", "dor:ties=plus", false, false, HF_METHOD_LOCKSTEP, 1, HF_TIMING_LOCKSTEP},
    {"file:studies/examples/oblivious-cycle.anynet", "lua:studies/examples/oblivious-cycle.lua", false, false, HF_METHOD_LOCKSTEP,
     1, HF_TIMING_LOCKSTEP},
};

static void every_decider(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene s = {.options = {.switching = rows[i].bubble ? HF_SWITCHING_VCT : HF_SWITCHING_WORMHOLE,
                               .want_witness = true,
                               .bubble = rows[i].bubble,
                               .threads = rows[i].threads,
                               .timing = rows[i].timing}};
        char name[128];
        s.method = rows[i].method;
        snprintf(name, sizeof name, "%s, %s, %u threads", rows[i].topo, rows[i].rule, rows[i].threads);
        fixture_open(&s.fx, rows[i].topo, "links", rows[i].rule);
        fixture_plan(&s.fx, "", &s.faults, &s.plan);
        if (rows[i].hides_escape) {
            s.secret = *s.plan.routing;
            s.secret.escape = NULL;
            s.plan.routing = &s.secret;
        }
        failing_sweep_pieces(name, rows[i].threads > 1 ? 4096 : 256, decide, &s);
        fixture_close(&s.fx);
    }
}

/* Relations that go as far as the search of worms. */
static void search_of_worms(void **state) {
    (void)state;
    uint32_t swept[3] = {0};
    scene s = {.options = {.want_witness = true, .threads = 1}, .method = HF_METHOD_WORMS};
    fixture_open(&s.fx, "ring:n=3", NULL, NULL);
    fixture_ok(&s.fx, hf_no_faults(s.fx.cx, s.fx.topo, &s.faults));
    for (uint64_t seed = 1; seed < 2000 && swept[HF_DEADLOCK_FREE] + swept[HF_DEADLOCK_FOUND] < 2; seed++) {
        packets_relation relation;
        hf_deadlock found;
        packets_relation_make(s.fx.topo, 1, seed, 2, false, &relation);
        s.plan = packets_plan(&relation, &s.faults);
        fixture_ok(&s.fx, hf_deadlock_decide(s.fx.cx, &s.plan, &s.options, &found));
        if (found.method == HF_METHOD_WORMS && !swept[found.answer]) {
            swept[found.answer] = 1;
            failing_sweep_pieces("search of worms", 256, decide, &s);
        }
        packets_relation_free(&relation);
    }
    assert_true(swept[HF_DEADLOCK_FREE] && swept[HF_DEADLOCK_FOUND]);
    fixture_close(&s.fx);
}

/* ---- repairs ---- */

static hf_status repair(hf_context *cx, void *user) {
    const scene *s = user;
    hf_repair found;
    HF_TRY(hf_deadlock_repair(cx, &s->plan, false, s->options.time_limit_s, &found));
    assert_true(found.is_found || found.ahead->is_found);
    return HF_OK;
}

static void repairs(void **state) {
    (void)state;
    scene s = {.options = {.time_limit_s = 60}};
    fixture_open(&s.fx, "mesh:dims=2x3", NULL, "minimal");
    fixture_plan(&s.fx, "", &s.faults, &s.plan);
    failing_sweep_pieces("repair", 256, repair, &s);
    fixture_close(&s.fx);
}

/* ---- the judge ---- */

static hf_status judge_sets(hf_context *cx, void *user) {
    const scene *s = user;
    hf_judge *judge = NULL;
    hf_measure measure;
    hf_status status;
    HF_TRY_DONE(hf_deadlock_judge_new(cx, s->fx.universe, &s->fx.rule, &s->options, &judge));
    for (uint32_t component = 0; component < 3; component++) {
        HF_TRY_DONE(judge->ops->push(cx, judge, 2 * component));
        HF_TRY_DONE(judge->ops->read(cx, judge, &measure));
        assert_true(measure.outcome == HF_OUTCOME_FREE || measure.outcome == HF_OUTCOME_DISCONNECTED ||
                    measure.outcome == HF_OUTCOME_LOST);
    }
    judge->ops->pop(judge);
    HF_TRY_DONE(judge->ops->read(cx, judge, &measure));
done:
    hf_judge_free(judge);
    return status;
}

static hf_status inquiry_judge(hf_context *cx, void *user, const hf_universe *universe, const hf_rule *rule, hf_judge **out) {
    return hf_deadlock_judge_new(cx, universe, rule, user, out);
}

static hf_status run_campaign(hf_context *cx, void *user) {
    scene *s = user;
    static const uint32_t f[] = {0, 1, 2};
    const hf_inquiry inquiry = {.key = "verify", .user = &s->options, .judge = inquiry_judge};
    const hf_campaign campaign = {.universe = s->fx.universe,
                                  .rule = &s->fx.rule,
                                  .inquiry = &inquiry,
                                  .f = f,
                                  .n_f = 3,
                                  .method = HF_METHOD_EXHAUSTIVE,
                                  .threads = 1};
    hf_result *result = NULL;
    const hf_status status = hf_campaign_run(cx, &campaign, &result);
    assert_true(status == HF_OK || result == NULL);
    hf_result_free(result);
    return status;
}

static void judges(void **state) {
    (void)state;
    scene s = {.options = {.threads = 1}};
    fixture_open(&s.fx, "mesh:dims=3x3", "links", "updown-graph");
    failing_sweep_pieces("judge", 256, judge_sets, &s);
    fixture_close(&s.fx);
    fixture_open(&s.fx, "ring:n=4", "links", "updown-graph");
    assert_true(failing_sweep("campaign", run_campaign, &s) > 10);
    fixture_close(&s.fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_decider),
        cmocka_unit_test(search_of_worms),
        cmocka_unit_test(repairs),
        cmocka_unit_test(judges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
