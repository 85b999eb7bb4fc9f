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

/* A judge of all pairs. \return false: the network is a torus, and the rule is for meshes */
static bool open_judge(fixture *fx, const char *topo, const char *universe, const char *rule, hf_judge **judge) {
    fixture_open(fx, topo, universe, NULL);
    if (hf_rule_init(fx->cx, rule, fx->topo, &fx->rule) != HF_OK) {
        assert_non_null(strstr(hf_context_message(fx->cx), "is for meshes"));
        fixture_close(fx);
        return false;
    }
    fixture_ok(fx, hf_judge_new(fx->cx, fx->universe, &fx->rule, fixture_criterion(fx, "all-pairs"), judge));
    return true;
}

static void close_judge(fixture *fx, hf_judge *judge) {
    hf_judge_free(judge);
    fixture_close(fx);
}

/* The verdict alone says of f components what the whole survey does. \return that */
static hf_measure survey(fixture *fx, hf_judge *judge, const uint32_t *c, uint32_t f) {
    hf_measure alone, whole;
    for (uint32_t k = 0; k < f; k++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, c[k]));
    }
    fixture_ok(fx, judge->ops->verdict(fx->cx, judge, &alone));
    fixture_ok(fx, judge->ops->read(fx->cx, judge, &whole));
    if (alone.tolerated != whole.tolerated || alone.live != whole.live) {
        print_error("%s on %s, %s:", fx->rule.spec, fx->topo->spec, fx->universe->spec);
        for (uint32_t k = 0; k < f; k++) {
            print_error(" %u", c[k]);
        }
        fail();
    }
    for (uint32_t k = 0; k < f; k++) {
        judge->ops->pop(judge);
    }
    return whole;
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
    static const struct {
        const char *topo, *universe;
        uint32_t step;
    } nets[] = {{"mesh:dims=5x4", "links", 11},      {"mesh:dims=3x4x4", "links", 499},
                {"torus:dims=4x5", "links", 499},    {"torus:dims=2x6", "links", 499},
                {"torus:dims=4x4", "channels", 499}, {"torus:dims=3x5", "links+switches+terminal-links", 499},
                {"torus:dims=4x6", "links", 499},    {"torus:dims=2x5,double=yes", "links+switches", 499}};
    enum { NETS = sizeof nets / sizeof *nets };
    uint32_t n_served = 0, n_refused = 0;
    for (uint32_t i = 0; i < NETS * sizeof rules / sizeof *rules; i++) {
        fixture fx;
        hf_judge *judge;
        if (!open_judge(&fx, nets[i % NETS].topo, nets[i % NETS].universe, rules[i / NETS], &judge)) {
            n_refused++;
            continue;
        }
        const uint32_t n = fx.universe->n_component;
        for (uint32_t set = 0; set < n * n * n; set += nets[i % NETS].step * share_step()) {
            const uint32_t c[] = {set / n / n, set / n % n, set % n};
            n_served += c[0] < c[1] && c[1] < c[2] && survey(&fx, judge, c, 3).tolerated;
        }
        close_judge(&fx, judge);
    }
    assert_true(n_served >= 100);
    assert_int_equal(n_refused, 6 * 4); /* tori; rings=any and rings=chains */
}

/* Verdicts alone follow messages only where faults may hold them up: on random sets, also such on which rule 4 as it is sticky,
 * or turns, let messages go round or get stuck. */
static void verdicts_alone(void **state) {
    (void)state;
    static const char *const universes[] = {"links+switches+terminal-links", "links", "channels"};
    static const struct {
        const char *topo;
        uint32_t sets, n_universe;
    } nets[] = {{"mesh:dims=7x7", 50, 3},  {"mesh:dims=6x5", 50, 3},  {"mesh:dims=5x5x5", 3, 3}, {"mesh:dims=4x5x4x4", 1, 3},
                {"torus:dims=6x6", 30, 1}, {"torus:dims=2x7", 30, 1}, {"torus:dims=4x5", 30, 1}, {"torus:dims=3x2x4", 30, 1}};
    static const struct {
        const char *spec;
        uint32_t most; /* switches, where a set takes milliseconds; 0: any number */
    } rules[] = {{"solid-fault", 0},
                 {"solid-fault:rule4=sticky", 0},
                 {"solid-fault:rule4=no-u-turn", 0},
                 {"solid-fault:rule4=sticky,reset=no", 0},
                 {"solid-fault:repair=completed", 49},
                 {"solid-fault:rings=overlapping", 49},
                 {"solid-fault-adaptive:rings=any,reset=yes", 49},
                 {"solid-fault:rings=any", 49},
                 {"solid-fault:rings=any,sidesteps=yes", 125},
                 {"solid-fault-adaptive", 0},
                 {"solid-fault-adaptive:rule4=sticky", 0},
                 {"solid-fault-adaptive:rule4=no-u-turn,reset=no", 0},
                 {"block-fault", 0}};
    enum { NETS = sizeof nets / sizeof *nets };
    uint32_t served = 0, covered = 0, n_refused = 0;
    for (uint32_t i = 0; i < NETS * 3 * sizeof rules / sizeof *rules; i++) {
        const uint32_t t = i % NETS, u = i / NETS % 3, r = i / NETS / 3;
        fixture fx;
        hf_judge *judge;
        hf_random random;
        if (u >= nets[t].n_universe) {
            continue;
        }
        if (!open_judge(&fx, nets[t].topo, universes[u], rules[r].spec, &judge)) {
            n_refused++;
            continue;
        }
        const uint32_t sets = rules[r].most && fx.topo->n_switch > rules[r].most ? 0 : nets[t].sets;
        hf_random_init(&random, i, HF_PURPOSE_TEST, 5);
        for (uint32_t set = 0; set < sets; set += share_step()) {
            uint32_t c[5];
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 5);
            hf_random_subset(&random, fx.universe->n_component, f, c);
            const hf_measure whole = survey(&fx, judge, c, f);
            covered += whole.outcome == HF_SOLID_COVERED;
            served += whole.tolerated;
        }
        close_judge(&fx, judge);
    }
    print_message("%u sets covered, %u served\n", covered, served);
    assert_true(served > 500 / share_step() && covered > served + 10 / share_step());
    assert_int_equal(n_refused, 4 * 4); /* tori; repair=completed and rings=any */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_agree),
        cmocka_unit_test(clusters_are_kept),
        cmocka_unit_test(verdicts_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
