/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of campaigns over solid faults against the relation and against the whole survey of every set: verdicts of clusters,
 *  and of messages that are followed only where faults may hold them up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/routing/solid/route.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

/* The judge of campaigns says what the relation says. */
static void judges_agree(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"mesh:dims=5x5", "solid-fault"},
        {"mesh:dims=5x5", "solid-fault:rule4=sticky"},
        {"mesh:dims=5x5", "solid-fault-adaptive"},
        {"mesh:dims=5x5", "block-fault"},
        {"mesh:dims=5x5", "solid-fault:rings=overlapping"},
        {"torus:dims=5x5", "solid-fault"},
        {"torus:dims=5x5", "solid-fault:rule4=sticky"},
        {"torus:dims=5x5", "solid-fault-adaptive"},
        {"torus:dims=5x5", "block-fault"},
        {"torus:dims=5x5", "solid-fault:rings=overlapping"},
        {"mesh:dims=3x3x3", "solid-fault:rings=any"},
        {"mesh:dims=3x3x3", "solid-fault:rings=any,sidesteps=yes"},
        {"mesh:dims=5x3x3", "solid-fault-adaptive:rings=any,sidesteps=yes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_judge *fast, *slow;
        fixture_open(&fx, cases[i][0], "switches", cases[i][1]);
        const uint32_t n = fx.universe->n_component;
        const hf_criterion *criterion = fixture_criterion(&fx, "all-pairs");
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, criterion, &fast));
        fixture_ok(&fx, hf_judge_new_relation(fx.cx, fx.universe, &fx.rule, criterion, &slow));
        for (uint32_t a = 0; a < n; a++) {
            for (uint32_t b = a + 1; b < n; b += (n > 25 ? 7 : 1) * share_step()) {
                hf_measure one = {0}, other = {0}, alone = {0};
                for (int k = 0; k < 2; k++) {
                    hf_judge *judge = k ? slow : fast;
                    fixture_ok(&fx, judge->ops->push(fx.cx, judge, a));
                    fixture_ok(&fx, judge->ops->push(fx.cx, judge, b));
                    fixture_ok(&fx, k ? HF_OK : judge->ops->verdict(fx.cx, judge, &alone));
                    fixture_ok(&fx, judge->ops->read(fx.cx, judge, k ? &other : &one));
                    judge->ops->pop(judge);
                    judge->ops->pop(judge);
                }
                assert_int_equal(one.tolerated, other.tolerated);
                assert_int_equal(alone.tolerated, other.tolerated);
                assert_int_equal(one.outcome, other.outcome);
                assert_memory_equal(one.extra, other.extra, sizeof one.extra);
                assert_true(!one.has_victims && !one.has_lost_paths && other.has_victims);
            }
        }
        hf_judge_free(fast);
        hf_judge_free(slow);
        fixture_close(&fx);
    }
}

/* Clusters that have been seen, there or elsewhere in a torus, are told from memory: sets in the order of a campaign, where most
 * are made of clusters that other sets have, too, and rings that share links or switches, close in a torus of two rows, or end at
 * the boundary; in rings of even size, which have ties, of odd size, which have none, and of both. */
static void clusters_are_kept(void **state) {
    (void)state;
    static const char *const rules[] = {"solid-fault",
                                        "solid-fault-adaptive",
                                        "block-fault",
                                        "block-fault:rings=any,sidesteps=yes",
                                        "solid-fault-adaptive:rule4=no-u-turn",
                                        "solid-fault-adaptive:rings=any",
                                        "solid-fault:rings=any,sidesteps=yes",
                                        "solid-fault:rings=chains,rule4=sticky",
                                        "solid-fault-adaptive:rings=overlapping,reset=yes"};
    enum { NETS = 8 };
    static const char *const nets[NETS][2] = {{"mesh:dims=5x4", "links"},     {"mesh:dims=3x4x4", "links"},
                                              {"torus:dims=4x5", "links"},    {"torus:dims=2x6", "links"},
                                              {"torus:dims=4x4", "channels"}, {"torus:dims=3x5", "links+switches+terminal-links"},
                                              {"torus:dims=4x6", "links"},    {"torus:dims=2x5,double=yes", "links+switches"}};
    uint32_t n_served = 0;
    for (uint32_t i = 0; i < NETS * sizeof rules / sizeof *rules; i++) {
        fixture fx;
        hf_judge *judge;
        const char *rule = rules[i / NETS], *topo = nets[i % NETS][0];
        if (i % NETS > 1 && (strstr(rule, "chains") || strstr(rule, "any"))) {
            continue; /* for meshes */
        }
        fixture_open(&fx, topo, nets[i % NETS][1], rule);
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
        const uint32_t n = fx.universe->n_component;
        for (uint32_t set = 0; set < n * n * n; set += (i % NETS == 0 ? 11 : 499) * share_step()) {
            const uint32_t c[] = {set / n / n, set / n % n, set % n};
            hf_measure alone, whole;
            if (c[0] >= c[1] || c[1] >= c[2]) {
                continue;
            }
            for (uint32_t k = 0; k < 3; k++) {
                fixture_ok(&fx, judge->ops->push(fx.cx, judge, c[k]));
            }
            fixture_ok(&fx, judge->ops->verdict(fx.cx, judge, &alone));
            fixture_ok(&fx, judge->ops->read(fx.cx, judge, &whole));
            if (alone.tolerated != whole.tolerated || alone.live != whole.live) {
                print_error("%s on %s, components %u, %u, %u\n", rule, topo, c[0], c[1], c[2]);
            }
            assert_int_equal(alone.tolerated, whole.tolerated);
            assert_int_equal(alone.live, whole.live);
            n_served += whole.tolerated;
            for (uint32_t k = 0; k < 3; k++) {
                judge->ops->pop(judge);
            }
        }
        hf_judge_free(judge);
        fixture_close(&fx);
    }
    assert_true(n_served >= 100);
}

/* Verdicts alone follow messages only where faults may hold them up: on random sets, also such on which rule 4 as it is sticky,
 * or turns, let messages go round or get stuck. */
static void verdicts_alone(void **state) {
    (void)state;
    static const char *const topos[] = {"mesh:dims=7x7",  "mesh:dims=6x5",  "mesh:dims=5x5x5", "mesh:dims=4x5x4x4",
                                        "torus:dims=6x6", "torus:dims=2x7", "torus:dims=4x5",  "torus:dims=3x2x4"};
    enum { TOPOS = sizeof topos / sizeof *topos };
    static const bool is_small[TOPOS] = {true, true};
    static const char *const universes[] = {"links", "links+switches+terminal-links", "channels"};
    static const char *const rules[] = {"solid-fault",
                                        "solid-fault:rule4=sticky",
                                        "solid-fault:rule4=no-u-turn",
                                        "solid-fault:rule4=sticky,reset=no",
                                        "solid-fault:repair=completed",
                                        "solid-fault:rings=overlapping",
                                        "solid-fault-adaptive:rings=any,reset=yes",
                                        "solid-fault:rings=any",
                                        "solid-fault:rings=any,sidesteps=yes",
                                        "solid-fault-adaptive",
                                        "solid-fault-adaptive:rule4=sticky",
                                        "solid-fault-adaptive:rule4=no-u-turn,reset=no",
                                        "block-fault"};
    uint32_t served = 0, covered = 0;
    for (uint32_t i = 0; i < TOPOS * 3 * sizeof rules / sizeof *rules; i++) {
        fixture fx;
        hf_judge *judge;
        hf_random random;
        const uint32_t t = i % TOPOS;
        const bool is_torus = t >= 4;
        const uint32_t sets = is_torus ? 30 : is_small[t] ? 50 : t == 2 ? 3 : 1;
        const char *universe = universes[i / TOPOS % 3], *rule = rules[i / TOPOS / 3];
        if ((t >= 2 && strstr(rule, "repair")) || (strstr(rule, "rings=over") && !is_small[t] && !is_torus) ||
            (t > 1 && strstr(rule, "any") && !(t == 2 && strstr(rule, "sidesteps"))) || (is_torus && i / TOPOS % 3 != 1)) {
            continue; /* not for tori, or slow; one universe of tori is enough */
        }
        fixture_open(&fx, topos[t], universe, rule);
        hf_random_init(&random, i, HF_PURPOSE_TEST, 5);
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge));
        for (uint32_t set = 0; set < sets; set += share_step()) {
            uint32_t c[5];
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 5);
            hf_measure alone, whole;
            hf_random_subset(&random, fx.universe->n_component, f, c);
            for (uint32_t k = 0; k < f; k++) {
                fixture_ok(&fx, judge->ops->push(fx.cx, judge, c[k]));
            }
            fixture_ok(&fx, judge->ops->verdict(fx.cx, judge, &alone));
            fixture_ok(&fx, judge->ops->read(fx.cx, judge, &whole));
            if (alone.tolerated != whole.tolerated) {
                print_error("%s on %s, %s, seed %u, set %u\n", rule, topos[t], universe, i, set);
            }
            assert_int_equal(alone.tolerated, whole.tolerated);
            assert_int_equal(alone.live, whole.live);
            covered += whole.outcome == HF_SOLID_COVERED;
            served += whole.tolerated;
            for (uint32_t k = 0; k < f; k++) {
                judge->ops->pop(judge);
            }
        }
        hf_judge_free(judge);
        fixture_close(&fx);
    }
    print_message("%u sets covered, %u served\n", covered, served);
    assert_true(served > 500 / share_step() && covered > served + 10 / share_step());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_agree),
        cmocka_unit_test(clusters_are_kept),
        cmocka_unit_test(verdicts_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
