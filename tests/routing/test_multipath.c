/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reconfiguration of the 16-endpoint machine of [chong1992, figure 2], all sets of few chips or routers, and the fast judge
 *  against the relation on the random wirings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/routing/multipath/live.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/multipath_oracle.h"

static const char *const small = "maximal-fanout:radix=2,dilation=2,stages=4,wiring=deterministic";

typedef struct sums {
    uint64_t sets, tolerated, lost;
} sums;

/** Walk all sets of f components above `from`. */
static void walk(fixture *fx, hf_judge *judge, uint32_t from, uint32_t f, sums *out) {
    hf_measure measure;
    if (f == 0) {
        fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
        out->sets++;
        out->tolerated += measure.tolerated;
        out->lost += measure.extra[HF_LIVE_LOST];
        return;
    }
    for (uint32_t c = from; c < fx->universe->n_component; c++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, c));
        walk(fx, judge, c + 1, f - 1, out);
        judge->ops->pop(judge);
    }
}

static sums sums_of(const char *universe, const char *rule, uint32_t f) {
    fixture fx;
    hf_judge *judge;
    sums out = {0};
    fixture_open(&fx, small, universe, rule);
    fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
    walk(&fx, judge, 0, f, &out);
    hf_judge_free(judge);
    fixture_close(&fx);
    print_message("%s, %s, f=%u: %llu of %llu tolerated, %llu endpoints lost\n", universe, rule, f,
                  (unsigned long long)out.tolerated, (unsigned long long)out.sets, (unsigned long long)out.lost);
    return out;
}

static void chips_of_the_small_machine(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        uint64_t tolerated[3], lost[3];
    } want[] = {{"multipath", {32, 484, 4584}, {0, 0, 0}},
                {"multipath:live=io-isolation", {32, 492, 4824}, {0, 32, 960}},
                {"multipath:live=multi-hop", {32, 492, 4840}, {0, 32, 960}},
                {"multipath:live=fault-propagation", {32, 492, 4840}, {0, 96, 2944}},
                {"multipath:live=fault-propagation,blocked=all", {32, 492, 4824}, {0, 32, 960}}};
    static const uint64_t sets[] = {32, 496, 4960};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        for (uint32_t f = 1; f <= 3; f++) {
            const sums have = sums_of("chips", want[i].rule, f);
            assert_int_equal(have.sets, sets[f - 1]);
            assert_int_equal(have.tolerated, want[i].tolerated[f - 1]);
            assert_int_equal(have.lost, want[i].lost[f - 1]);
        }
    }
}

static void routers_of_the_small_machine(void **state) {
    (void)state;
    const sums none = sums_of("switches", "multipath", 2), io = sums_of("switches", "multipath:live=io-isolation", 2);
    assert_int_equal(none.sets, 780);
    assert_int_equal(none.tolerated, 764);
    assert_int_equal(io.tolerated, 776);
}

/** Verdict of the relation itself: a set is tolerated without reconfiguration if every pair is served. */
static void judge_is_the_relation(void **state) {
    (void)state;
    static const char *const topo[] = {"multibutterfly:radix=2,stages=4", "maximal-fanout:radix=2,stages=4,wiring=random",
                                       "multibutterfly:radix=4,stages=2,inputs=clustered",
                                       "multibutterfly:radix=3,dilation=3,stages=2"};
    static const char *const universe[] = {"switches", "chips", "channels", "links+terminal-links"};
    uint64_t seen[2] = {0};
    for (size_t i = 0; i < 16; i++) {
        fixture fx;
        hf_judge *judge;
        fixture_open(&fx, topo[i / 4], universe[i % 4], "multipath");
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
        for (uint32_t trial = 0; trial < 60; trial++) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_random random;
            hf_fault_set set;
            hf_plan plan;
            hf_verdict verdict;
            hf_measure measure;
            uint32_t c[6];
            hf_random_init(&random, trial, HF_PURPOSE_TEST, i);
            const uint32_t f = (uint32_t)hf_random_below(&random, 7);
            hf_random_subset(&random, fx.universe->n_component, f, c);
            for (uint32_t j = 0; j < f; j++) {
                fixture_ok(&fx, judge->ops->push(fx.cx, judge, c[j]));
            }
            fixture_ok(&fx, judge->ops->read(fx.cx, judge, &measure));
            for (uint32_t j = 0; j < f; j++) {
                judge->ops->pop(judge);
            }
            fixture_plan_set(&fx, c, f, &set, &plan);
            fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, fixture_criterion(&fx, "all-pairs"), false, &verdict));
            assert_int_equal(measure.tolerated, verdict.unserved == 0);
            assert_int_equal(verdict.unsafe, 0);
            seen[measure.tolerated]++;
            hf_scratch_reset(fx.cx, mark);
        }
        hf_judge_free(judge);
        fixture_close(&fx);
    }
    assert_true(seen[0] > 50 && seen[1] > 50);
}

/** Fault propagation keeps its promise: every live endpoint reaches every other, by the relation. */
static void propagation_guarantees_pairs(void **state) {
    (void)state;
    fixture fx;
    uint64_t pairs = 0;
    fixture_open(&fx, "multibutterfly:radix=2,stages=4,seed=3", "switches", "multipath:live=fault-propagation");
    for (uint32_t trial = 0; trial < 300; trial++) {
        const hf_mark mark = hf_scratch_mark(fx.cx);
        hf_random random;
        hf_fault_set set;
        hf_plan plan;
        hf_verdict verdict;
        uint32_t c[12];
        hf_random_init(&random, trial, HF_PURPOSE_TEST, 0);
        const uint32_t f = (uint32_t)hf_random_below(&random, 13);
        hf_random_subset(&random, fx.universe->n_component, f, c);
        fixture_plan_set(&fx, c, f, &set, &plan);
        fixture_ok(&fx, hf_tolerance_judge(fx.cx, &plan, fixture_criterion(&fx, "all-pairs"), true, &verdict));
        for (uint32_t a = 0; a < 16; a++) {
            for (uint32_t b = 0; b < 16; b++) {
                const bool both = a != b && hf_plan_is_live(&plan, a) && hf_plan_is_live(&plan, b);
                assert_false(both && (verdict.bad_pair[(a * 16 + b) >> 6] >> ((a * 16 + b) & 63) & 1));
                pairs += both;
            }
        }
        hf_scratch_reset(fx.cx, mark);
    }
    assert_true(pairs > 10000);
    fixture_close(&fx);
}

typedef struct compared {
    uint64_t tolerated[2], lost, blocked, weak, by_losses[4], unwarned;
} compared;

/** One random set: what the judge measures against the words of the paper. */
static void compare_set(fixture *fx, hf_judge *judge, uint32_t trial, multipath_policy policy, bool all_block, bool once,
                        bool relays, multipath_answer *want, compared *seen) {
    hf_random random;
    hf_fault_set set;
    hf_measure have;
    uint32_t c[24];
    hf_random_init(&random, trial, HF_PURPOSE_TEST, policy);
    const uint32_t most = trial % 4 ? 8 : 24, n = fx->universe->n_component;
    const uint32_t f = (uint32_t)hf_random_below(&random, most < n ? most : n);
    hf_random_subset(&random, fx->universe->n_component, f, c);
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, c, f, &set));
    multipath_oracle(&set, policy, all_block, once, want);
    for (uint32_t i = 0; i < f; i++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, c[i]));
    }
    fixture_ok(fx, judge->ops->read(fx->cx, judge, &have));
    for (uint32_t i = 0; i < f; i++) {
        judge->ops->pop(judge);
    }
    assert_int_equal(have.tolerated, (relays ? want->joined : want->tolerated) && fx->topo->n_terminal - want->lost > 1);
    assert_int_equal(have.extra[HF_LIVE_LOST], want->lost);
    assert_int_equal(have.extra[HF_LIVE_BLOCKED], want->n_blocked);
    assert_int_equal(have.extra[HF_LIVE_WEAK], want->weak);
    assert_int_equal(have.extra[HF_LIVE_ANY], want->lost > 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(have.extra[HF_LIVE_LOST_CHANNELS + i], want->by_losses[i]);
        seen->by_losses[i] += want->by_losses[i];
    }
    assert_int_equal(have.extra[HF_LIVE_UNWARNED], want->unwarned);
    seen->unwarned += want->unwarned;
    seen->tolerated[have.tolerated]++;
    seen->lost += want->lost;
    seen->blocked += want->n_blocked;
    seen->weak += want->weak;
}

static void judge_is_the_paper(void **state) {
    (void)state;
    static const char *const topo[] = {"multibutterfly:radix=2,stages=4",
                                       "maximal-fanout:radix=2,stages=4,wiring=random",
                                       "maximal-fanout:radix=4,dilation=2,stages=2",
                                       "multibutterfly:radix=3,dilation=3,stages=2",
                                       "multibutterfly:radix=4,dilation=1,stages=2,inputs=clustered",
                                       "multibutterfly:radix=10,dilation=2,stages=2"};
    static const char *const universe[] = {"switches", "chips", "channels", "links+terminal-links", "switches+links"};
    static const struct {
        const char *rule;
        multipath_policy policy;
        bool all_block, once, relays;
    } rule[] = {{"multipath", POLICY_NONE, false, false, false},
                {"multipath:live=io-isolation", POLICY_IO_ISOLATION, false, false, false},
                {"multipath:live=multi-hop", POLICY_MULTI_HOP, false, false, false},
                {"multipath:live=fault-propagation", POLICY_FAULT_PROPAGATION, false, false, false},
                {"multipath:live=fault-propagation,blocked=all", POLICY_FAULT_PROPAGATION, true, false, false},
                {"multipath:live=fault-propagation,spread=once", POLICY_FAULT_PROPAGATION, false, true, false},
                {"multipath:live=fault-propagation,blocked=all,spread=once", POLICY_FAULT_PROPAGATION, true, true, false},
                {"multipath:relays=yes", POLICY_NONE, false, false, true},
                {"multipath:live=io-isolation,relays=yes", POLICY_IO_ISOLATION, false, false, true},
                {"multipath:live=fault-propagation,spread=once,relays=yes", POLICY_FAULT_PROPAGATION, false, true, true}};
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++) {
        compared seen = {0};
        for (size_t i = 0; i < 30; i++) {
            fixture fx;
            hf_judge *judge;
            multipath_answer want;
            fixture_open(&fx, topo[i / 5], universe[i % 5], rule[k].rule);
            fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
            want.live = malloc(fx.topo->n_terminal);
            want.blocked = malloc(fx.topo->n_switch);
            for (uint32_t trial = 0; trial < 24; trial++) {
                const hf_mark mark = hf_scratch_mark(fx.cx);
                compare_set(&fx, judge, trial, rule[k].policy, rule[k].all_block, rule[k].once, rule[k].relays, &want, &seen);
                hf_scratch_reset(fx.cx, mark);
            }
            free(want.live);
            free(want.blocked);
            hf_judge_free(judge);
            fixture_close(&fx);
        }
        print_message("%s: %llu tolerated, %llu not, %llu lost, %llu blocked, %llu weak\n", rule[k].rule,
                      (unsigned long long)seen.tolerated[1], (unsigned long long)seen.tolerated[0], (unsigned long long)seen.lost,
                      (unsigned long long)seen.blocked, (unsigned long long)seen.weak);
        assert_true(seen.tolerated[1] > 100 && seen.weak > 1000);
        assert_true(seen.by_losses[0] > 0 && seen.by_losses[1] > 0 && seen.by_losses[2] > 0 && seen.by_losses[3] > 0 &&
                    seen.unwarned > 0);
        assert_true(seen.tolerated[0] > 3 || (rule[k].policy == POLICY_FAULT_PROPAGATION && !rule[k].all_block && !rule[k].once));
        assert_true(rule[k].policy == POLICY_NONE || seen.lost > 300);
        assert_true((rule[k].policy == POLICY_FAULT_PROPAGATION) == (seen.blocked > 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chips_of_the_small_machine),
                                       cmocka_unit_test(routers_of_the_small_machine), cmocka_unit_test(judge_is_the_relation),
                                       cmocka_unit_test(propagation_guarantees_pairs), cmocka_unit_test(judge_is_the_paper)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
