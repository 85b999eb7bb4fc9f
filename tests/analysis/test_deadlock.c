/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Deadlock: known answers of the literature, and what real fabrics are known to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "tests/oracle/fixture.h"

#define FREE HF_DEADLOCK_FREE
#define FOUND HF_DEADLOCK_FOUND
enum { ANY = 255 };

typedef struct answer {
    const char *topo, *rule;
    hf_switching switching;
    hf_deadlock_answer answer;
    unsigned method;
    uint32_t blocked; /* packets of the smallest deadlock, 0: do not ask */
} answer;

static const answer answers[] = {
    /* dimension order [dally1987] */
    {"mesh:dims=4x4", "dor", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=3x4x2", "dor", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"hypercube:n=4", "dor", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"hyperx:dims=3x4", "dor", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"hyperx:dims=3x4", "dor:order=yx", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"ring:n=4", "dor:ties=plus", HF_SWITCHING_WORMHOLE, FOUND, HF_METHOD_FIXPOINT, 4},
    {"ring:n=7", "dor", HF_SWITCHING_SAF, FOUND, HF_METHOD_FIXPOINT, 7},
    {"ring:n=3", "dor", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"torus:dims=4x5", "dor", HF_SWITCHING_WORMHOLE, FOUND, HF_METHOD_FIXPOINT, 5},
    {"torus:dims=4x5", "dor:vcs=2,dateline=yes", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"torus:dims=5x4x3", "dor:vcs=2,dateline=yes", HF_SWITCHING_SAF, FREE, HF_METHOD_ACYCLIC, 0},
    /* turn models [glass1994], odd-even [chiu2000], planar-adaptive [chien1995] */
    {"mesh:dims=5x4", "west-first", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=5x4", "north-last", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=5x4", "negative-first", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=3x4x3", "negative-first", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=5x4", "odd-even", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=4x3x3", "planar-adaptive", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    /* x first and y first: on lanes of their own, and mixed on one [seo2005] */
    {"mesh:dims=5x5", "o1turn", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=5x5", "o1turn:vcs=1", HF_SWITCHING_WORMHOLE, FOUND, HF_METHOD_FIXPOINT, 4},
    {"mesh:dims=5x5", "o1turn:vcs=1", HF_SWITCHING_SAF, FOUND, HF_METHOD_FIXPOINT, 4},
    /* fully adaptive without and with an escape [duato1995] */
    {"mesh:dims=3x3", "minimal", HF_SWITCHING_WORMHOLE, FOUND, HF_METHOD_FIXPOINT, 4},
    {"torus:dims=12x12", "minimal", HF_SWITCHING_WORMHOLE, FOUND, HF_METHOD_FIXPOINT, 4},
    {"mesh:dims=4x4", "duato", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ESCAPE, 0},
    {"torus:dims=5x5", "duato", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ESCAPE, 0},
    {"torus:dims=5x5", "duato", HF_SWITCHING_VCT, FREE, HF_METHOD_FIXPOINT, 0},
    /* any graph, trees, dragonflies */
    {"mesh:dims=4x4", "updown-graph", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"random-regular:n=12,degree=3", "updown-graph", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"kary-tree:k=2,n=3", "updown", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"kary-tree:k=2,n=3", "ft2ei", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"mesh:dims=4x4", "valiant", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"dragonfly:p=1,a=3,h=1", "dragonfly-min", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"dragonfly:p=2,a=4,h=2", "dragonfly-min:vcs=1", HF_SWITCHING_WORMHOLE, FOUND, ANY, 0},
    {"dragonfly:p=2,a=4,h=2", "dragonfly-valiant", HF_SWITCHING_WORMHOLE, FREE, HF_METHOD_ACYCLIC, 0},
    {"dragonfly:p=2,a=4,h=2", "dragonfly-valiant:vcs=2", HF_SWITCHING_WORMHOLE, FOUND, ANY, 0},
};

static void decide(fixture *fx, hf_switching switching, bool bubble, uint32_t threads, hf_deadlock *out) {
    hf_fault_set *set;
    hf_plan *plan;
    fixture_ok(fx, hf_scratch(fx->cx, 1, sizeof *set, (void **)&set));
    fixture_ok(fx, hf_scratch(fx->cx, 1, sizeof *plan, (void **)&plan));
    fixture_plan(fx, "", set, plan);
    const hf_deadlock_options options = {.switching = switching, .bubble = bubble, .threads = threads, .want_witness = true};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, out));
}

static void known_answers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const answer *a = &answers[i];
        fixture fx;
        hf_deadlock d;
        fixture_open(&fx, a->topo, NULL, a->rule);
        decide(&fx, a->switching, false, 1, &d);
        if (d.answer != a->answer || (a->method != ANY && d.method != a->method) || !d.is_connected ||
            (a->blocked && (d.n_blocked != a->blocked || !d.is_smallest))) {
            print_error("%s, %s: %s by %s, %u packets%s%s\n", a->topo, a->rule, hf_deadlock_answer_name(d.answer),
                        hf_deadlock_method_name(d.method), d.n_blocked, d.is_smallest ? ", smallest" : "",
                        d.is_connected ? "" : ", not connected");
            fail();
        }
        fixture_close(&fx);
    }
}

/* What ibdmchk says of the same tables with one virtual lane. */
static void real_fabrics(void **state) {
    (void)state;
    static const struct {
        const char *folder;
        hf_deadlock_answer answer;
    } fabric[] = {{"kary-2-3.ftree", FREE},    {"kary-4-3.ftree", FREE},  {"mesh-8x8.dor", FREE},    {"mesh-8x8.minhop", FOUND},
                  {"torus-4x4.minhop", FOUND}, {"torus-4x4.lash", FOUND}, {"torus-4x4x4.dor", FOUND}};
    static const char *const tables[] = {"opensm-lfts.dump", "opensm.fdbs"};
    for (size_t i = 0; i < sizeof fabric / sizeof *fabric; i++) {
        for (size_t t = 0; t < 2; t++) {
            char topo[160], rule[160];
            snprintf(topo, sizeof topo, "file:tests/fixtures/opensm/%s/ibnetdiscover.txt", fabric[i].folder);
            snprintf(rule, sizeof rule, "table:tests/fixtures/opensm/%s/%s", fabric[i].folder, tables[t]);
            fixture fx;
            hf_deadlock d;
            fixture_open(&fx, topo, NULL, rule);
            decide(&fx, HF_SWITCHING_WORMHOLE, false, 2, &d);
            if (d.answer != fabric[i].answer || !d.is_connected) {
                print_error("%s: %s%s\n", rule, hf_deadlock_answer_name(d.answer), d.is_connected ? "" : ", not connected");
                fail();
            }
            fixture_close(&fx);
        }
    }
}

/* Of the sixteen ways to forbid one turn of each kind in a plane, twelve leave no deadlock [glass1994]. */
static void pairs_of_turns(void **state) {
    (void)state;
    static const char *const clockwise[] = {"ne", "es", "sw", "wn"}, *const other[] = {"nw", "ws", "se", "en"};
    uint32_t n_free = 0;
    for (size_t a = 0; a < 4; a++) {
        for (size_t b = 0; b < 4; b++) {
            char rule[64];
            fixture fx;
            hf_deadlock d;
            snprintf(rule, sizeof rule, "turns:forbid=%s.%s", clockwise[a], other[b]);
            fixture_open(&fx, "mesh:dims=5x5", NULL, rule);
            decide(&fx, HF_SWITCHING_WORMHOLE, false, 1, &d);
            n_free += d.answer == FREE;
            fixture_close(&fx);
        }
    }
    assert_int_equal(n_free, 12);
}

/* Rings with bubbles: without the bubble they deadlock. */
static void bubbles(void **state) {
    (void)state;
    static const char *const topos[] = {"ring:n=5", "torus:dims=4x4", "torus:dims=3x4x5"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        hf_deadlock d;
        fixture_open(&fx, topos[i], NULL, "dor");
        decide(&fx, HF_SWITCHING_VCT, true, 1, &d);
        assert_int_equal(d.answer, FREE);
        assert_int_equal(d.method, HF_METHOD_BUBBLE);
        decide(&fx, HF_SWITCHING_VCT, false, 1, &d);
        assert_int_equal(d.answer, FOUND);
        fixture_close(&fx);
    }
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_deadlock d;
    fixture_open(&fx, "mesh:dims=3x3", NULL, "minimal");
    fixture_plan(&fx, "", &set, &plan);
    hf_deadlock_options options = {.switching = HF_SWITCHING_VCT, .bubble = true, .threads = 1};
    assert_int_equal(hf_deadlock_decide(fx.cx, &plan, &options, &d), HF_ENOTSUP);
    assert_non_null(strstr(hf_context_message(fx.cx), "\"minimal\" declares no rings"));
    options.switching = HF_SWITCHING_WORMHOLE;
    assert_int_equal(hf_deadlock_decide(fx.cx, &plan, &options, &d), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "need switching vct or saf"));
    fixture_close(&fx);
}

static void threads_do_not_show(void **state) {
    (void)state;
    static const char *const rules[] = {"minimal", "dor", "duato"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        hf_deadlock one, many;
        fixture_open(&fx, "torus:dims=5x6", NULL, rules[i]);
        decide(&fx, HF_SWITCHING_WORMHOLE, false, 1, &one);
        decide(&fx, HF_SWITCHING_WORMHOLE, false, 3, &many);
        assert_int_equal(one.answer, many.answer);
        assert_int_equal(one.n_dependency, many.n_dependency);
        assert_memory_equal(one.number, many.number, one.n_resource * sizeof *one.number);
        assert_int_equal(one.n_blocked, many.n_blocked);
        for (uint32_t b = 0; b < one.n_blocked; b++) {
            assert_int_equal(one.blocked[b].source, many.blocked[b].source);
            assert_int_equal(one.blocked[b].destination, many.blocked[b].destination);
            assert_int_equal(one.blocked[b].hold[0], many.blocked[b].hold[0]);
        }
        fixture_close(&fx);
    }
}

/* A single cycle of waiting is told in its order: each packet waits for what the next one holds. */
static void cycles_are_in_order(void **state) {
    (void)state;
    fixture fx;
    hf_deadlock d;
    fixture_open(&fx, "ring:n=9", NULL, "dor");
    decide(&fx, HF_SWITCHING_WORMHOLE, false, 1, &d);
    assert_int_equal(d.girth, 9);
    assert_int_equal(d.n_blocked, 9);
    for (uint32_t b = 0; b < d.n_blocked; b++) {
        const hf_blocked *p = &d.blocked[b], *next = &d.blocked[(b + 1) % d.n_blocked];
        assert_int_equal(p->n_hold, 1);
        assert_int_equal(p->n_wait, 1);
        assert_int_equal(p->wait[0], next->hold[0]);
        assert_int_equal(p->path[p->n_path - 1].channel, p->hold[0]);
    }
    fixture_close(&fx);
}

static hf_measure judged(fixture *fx, hf_judge *judge, uint32_t a, uint32_t b) {
    hf_measure measure;
    fixture_ok(fx, judge->ops->push(fx->cx, judge, a));
    fixture_ok(fx, judge->ops->push(fx->cx, judge, b));
    fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
    judge->ops->pop(judge);
    judge->ops->pop(judge);
    return measure;
}

/* Up*-down* on a mesh with any two links failed: never a deadlock, and cut off only where both links of a corner fail. */
static void all_pairs_of_links(void **state) {
    (void)state;
    fixture fx;
    hf_judge *judge;
    uint32_t outcome[HF_OUTCOMES] = {0};
    fixture_open(&fx, "mesh:dims=4x4", "links", "updown-graph");
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    fixture_ok(&fx, hf_deadlock_judge_new(fx.cx, fx.universe, &fx.rule, &options, &judge));
    for (uint32_t a = 0; a < fx.universe->n_component; a++) {
        for (uint32_t b = a + 1; b < fx.universe->n_component; b++) {
            outcome[judged(&fx, judge, a, b).outcome]++;
        }
    }
    hf_judge_free(judge);
    assert_int_equal(outcome[HF_OUTCOME_DEADLOCK], 0);
    assert_int_equal(outcome[HF_OUTCOME_UNKNOWN], 0);
    assert_int_equal(outcome[HF_OUTCOME_DISCONNECTED], 4);
    assert_int_equal(outcome[HF_OUTCOME_FREE], 276 - 4);
    fixture_close(&fx);
}

/* A set on which time runs out is of that class, although its plan also leaves pairs without a path; a deadlock that was found in
 * time comes first. */
static void time_that_runs_out_is_a_class(void **state) {
    (void)state;
    static const struct {
        hf_deadlock_answer answer;
        bool is_time_over, is_connected, is_parted, serves;
        uint8_t outcome;
    } rows[] = {
        {HF_DEADLOCK_UNKNOWN, true, true, false, false, HF_OUTCOME_TIME_LIMIT},
        {HF_DEADLOCK_UNKNOWN, true, false, false, false, HF_OUTCOME_TIME_LIMIT},
        {HF_DEADLOCK_UNKNOWN, false, true, false, false, HF_OUTCOME_UNKNOWN},
        {HF_DEADLOCK_UNKNOWN, false, false, true, false, HF_OUTCOME_DISCONNECTED},
        {HF_DEADLOCK_UNKNOWN, false, false, false, false, HF_OUTCOME_LOST},
        {FOUND, false, false, false, false, HF_OUTCOME_DEADLOCK},
        {FOUND, true, true, false, false, HF_OUTCOME_DEADLOCK},
        {FREE, false, false, true, false, HF_OUTCOME_DISCONNECTED},
        {FREE, false, false, false, false, HF_OUTCOME_LOST},
        {FREE, false, false, false, true, HF_OUTCOME_LOST},
        {FREE, false, true, false, true, HF_OUTCOME_FREE},
        {FREE, false, true, false, false, HF_OUTCOME_IDLE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const hf_deadlock d = {.answer = rows[i].answer,
                               .is_time_over = rows[i].is_time_over,
                               .is_connected = rows[i].is_connected,
                               .is_parted = rows[i].is_parted,
                               .serves = rows[i].serves};
        assert_int_equal(hf_deadlock_outcome(&d), rows[i].outcome);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),       cmocka_unit_test(real_fabrics),
        cmocka_unit_test(pairs_of_turns),      cmocka_unit_test(bubbles),
        cmocka_unit_test(threads_do_not_show), cmocka_unit_test(cycles_are_in_order),
        cmocka_unit_test(all_pairs_of_links),  cmocka_unit_test(time_that_runs_out_is_a_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
