/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The judge of Immunet against the relation and against closures of the network, and counts of campaigns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/campaign.h>
#include <holdfast/core/random.h>

#include "src/routing/immunet/immunet.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/immunet_oracle.h"
#include "tests/support/folder.h"

static void ask(fixture *fx, hf_judge *judge, const uint32_t *component, uint32_t f, hf_measure *out) {
    for (uint32_t k = 0; k < f; k++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, component[k]));
    }
    hf_measure verdict;
    fixture_ok(fx, judge->ops->verdict(fx->cx, judge, &verdict));
    fixture_ok(fx, judge->ops->read(fx->cx, judge, out));
    assert_int_equal(verdict.tolerated, out->tolerated);
    fixture_ok(fx, judge->ops->verdict(fx->cx, judge, &verdict));
    assert_int_equal(verdict.tolerated, out->tolerated);
    for (uint32_t k = 0; k < f; k++) {
        judge->ops->pop(judge);
    }
}

static void judge_measures_as_the_plan(void **state) {
    (void)state;
    static const char *const topologies[] = {"torus:dims=3x4", "mesh:dims=3x3,terminals=2", "kary-tree:k=2,n=3"};
    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        fixture fx;
        hf_judge *fast, *slow;
        fixture_open(&fx, topologies[i], "links+switches", "immunet:epl=printed,ties=high-id");
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &fast));
        fixture_ok(&fx, hf_judge_new_relation(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &slow));
        for (uint64_t seed = 0; seed < 40; seed++) {
            uint32_t component[8];
            hf_random random;
            hf_measure a, b;
            hf_random_init(&random, seed, HF_PURPOSE_TEST, i);
            const uint32_t f = (uint32_t)hf_random_below(&random, 9);
            hf_random_subset(&random, fx.universe->n_component, f, component);
            ask(&fx, fast, component, f, &a);
            ask(&fx, slow, component, f, &b);
            assert_int_equal(a.tolerated, b.tolerated);
            assert_int_equal(a.outcome, b.outcome);
            assert_memory_equal(a.extra, b.extra, sizeof a.extra);
        }
        hf_judge_free(fast);
        hf_judge_free(slow);
        fixture_close(&fx);
    }
}

typedef struct surviving_case {
    const char *topology, *universe, *rule;
} surviving_case;

/* What is served of one set, if the judges and the oracle agree. */
enum { ALL, SURVIVING, NOT_EVEN, DIFFER, N_SEEN };

static int compare_set(fixture *fx, hf_judge *const judge[3], const uint32_t *component, uint32_t f, bool is_safe) {
    hf_fault_set set;
    hf_measure fast, slow, all;
    const hf_mark mark = hf_scratch_mark(fx->cx);
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, component, f, &set));
    ask(fx, judge[0], component, f, &fast);
    ask(fx, judge[1], component, f, &slow);
    ask(fx, judge[2], component, f, &all);
    const bool agree = fast.tolerated == slow.tolerated && (!is_safe || fast.tolerated == immunet_oracle_survives(&set));
    hf_scratch_reset(fx->cx, mark);
    return !agree ? DIFFER : all.tolerated ? ALL : fast.tolerated ? SURVIVING : NOT_EVEN;
}

static void compare_surviving(const surviving_case *c, uint64_t seeds, uint32_t seen[N_SEEN]) {
    fixture fx;
    hf_judge *judge[3];
    fixture_open(&fx, c->topology, c->universe, c->rule);
    fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "surviving"), &judge[0]));
    fixture_ok(&fx, hf_judge_new_relation(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "surviving"), &judge[1]));
    fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, "all-pairs"), &judge[2]));
    for (uint64_t seed = 0; seed < seeds; seed++) {
        uint32_t component[16];
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 9);
        const uint32_t f = (uint32_t)hf_random_below(&random, fx.universe->n_component < 16 ? fx.universe->n_component + 1 : 17);
        hf_random_subset(&random, fx.universe->n_component, f, component);
        const int served = compare_set(&fx, judge, component, f, strstr(c->rule, "printed") == NULL);
        if (served == DIFFER) {
            fail_msg("%s, %s, %s: the judges differ at seed %u", c->topology, c->universe, c->rule, (unsigned)seed);
        }
        seen[served]++;
    }
    for (size_t i = 0; i < 3; i++) {
        hf_judge_free(judge[i]);
    }
    fixture_close(&fx);
}

/* Half of a link that counts as dead may be all that joins two parts; the switches of a tree's top have no terminals. */
static void surviving_pairs_as_the_relation(void **state) {
    (void)state;
    static const surviving_case cases[] = {
        {"torus:dims=3x4", "links+switches", "immunet"},
        {"mesh:dims=3x3,terminals=2", "channels+switches+terminal-links", "immunet"},
        {"mesh:dims=2x4", "channels", "immunet:ties=low-id"},
        {"kary-tree:k=2,n=3", "channels", "immunet"},
        {"ring:n=6", "channels+terminal-links", "immunet:safe=provisional"},
        {"mesh:dims=2x4,terminals=2", "links+switches", "immunet:epl=printed"},
        {"ring:n=6", "channels+switches+terminal-links", "immunet:epl=printed"},
    };
    uint32_t seen[N_SEEN] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        compare_surviving(&cases[i], 150, seen);
    }
    assert_true(seen[ALL] > 50 && seen[SURVIVING] > 50 && seen[NOT_EVEN] > 50);
}

/* Switch 0 alone detects, and as printed nobody hears it; what is left may be one terminal, which is a pair with none. */
static void surviving_pairs_where_nobody_hears(void **state) {
    (void)state;
    static const char links[] = "0 1\n0 2\n2 3\n";
    char folder[256], path[320], spec[400];
    uint32_t seen[N_SEEN] = {0};
    folder_open(folder, sizeof folder);
    folder_write(folder_file(folder, "links", path, sizeof path), links, sizeof links - 1);
    snprintf(spec, sizeof spec, "file:%s,format=edges", path);
    const surviving_case c = {spec, "channels+switches+terminal-links", "immunet:epl=printed"};
    compare_surviving(&c, 300, seen);
    assert_true(seen[SURVIVING] > 10 && seen[NOT_EVEN] > 10);
    folder_close(folder);
}

static void count_disconnected(const char *topo, const char *universe, uint32_t f, uint64_t want_not_tolerated, uint64_t want) {
    fixture fx;
    hf_result *result;
    fixture_open(&fx, topo, universe, "immunet");
    const hf_campaign campaign = {
        .universe = fx.universe, .rule = &fx.rule, .criterion = fixture_criterion(&fx, "all-pairs"), .f = &f, .n_f = 1};
    fixture_ok(&fx, hf_campaign_run(fx.cx, &campaign, &result));
    assert_int_equal(result->row[0].tally.outcome[HF_IMMUNET_DISCONNECTED], want);
    assert_int_equal(result->row[0].tally.not_tolerated, want_not_tolerated);
    hf_result_free(result);
    fixture_close(&fx);
}

static void disconnecting_sets(void **state) {
    (void)state;
    count_disconnected("torus:dims=8x8", "links", 2, 0, 0);
    count_disconnected("torus:dims=4x4", "links", 4, 16, 16);       /* all links of one switch */
    count_disconnected("torus:dims=5x5", "switches", 4, 12650, 25); /* all neighbours of one switch */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judge_measures_as_the_plan),
        cmocka_unit_test(surviving_pairs_as_the_relation),
        cmocka_unit_test(surviving_pairs_where_nobody_hears),
        cmocka_unit_test(disconnecting_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
