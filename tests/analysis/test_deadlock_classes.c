/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Message classes against explicit search, on random relations in small networks; and what they say of rules in the registry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/deadlock/decide.h"
#include "src/analysis/paths/walk.h"
#include "src/routing/lanes.h"
#include "tests/oracle/consumers.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

static const struct network {
    const char *topo;
    uint32_t n_vc, hops_max, cases;
    bool one_way;
    const char *vcs; /* "": those of the relation; or lanes of them */
} networks[] = {
    {"ring:n=3", 1, 1, 1700, false, ""},     {"ring:n=3", 1, 2, 300, false, ""}, {"ring:n=4", 1, 1, 700, true, ""},
    {"mesh:dims=2x2", 1, 1, 500, false, ""}, {"ring:n=3", 2, 1, 500, true, ""},  {"ring:n=3", 2, 2, 100, false, ""},
    {"complete:n=4", 1, 1, 100, false, ""},  {"ring:n=6", 1, 1, 200, true, ""},  {"ring:n=3", 1, 1, 200, true, "vcs=2"},
};
static const char *const chains[] = {"a>b",         "a=0>b=0",    "a=0>>b=0",      "a=0>b=0>c=0",
                                     "a=0>b=0,c=0", "a=0>>b>c=0", "a=0>b=0,a=0>c", "a=0>>b=0>c"};
enum { LIMIT = 8000, N_CHAIN = sizeof chains / sizeof *chains };

/* Few pairs, so that configurations are few. */
static hf_flow_list *draw_flows(fixture *fx, hf_random *random) {
    return fixture_flows(fx, random, 1 + (uint32_t)hf_random_below(random, 4));
}

typedef struct tally {
    uint32_t compared, deadlocks, apart, consumers, with_lanes, on_lanes; /* compared; and deadlocks */
} tally;

/* All that the packets wait for is held by one of them, each is where it can be, and none is held twice. */
static bool is_deadlock(const hf_plan *plan, const hf_deadlock *found, tally *all) {
    uint64_t held[8] = {0};
    bool is_right = found->n_blocked > 0;
    for (uint32_t i = 0; i < found->n_blocked; i++) {
        is_right &= !hf_bit_test(held, found->blocked[i].hold[0]);
        hf_bit_set(held, found->blocked[i].hold[0]);
    }
    for (uint32_t i = 0; i < found->n_blocked && is_right; i++) {
        const hf_blocked *b = &found->blocked[i];
        is_right = consumers_is_blocked(plan, b);
        for (uint32_t k = 0; k < b->n_wait; k++) {
            is_right &= hf_bit_test(held, b->wait[k]);
        }
        all->consumers += b->answer != HF_NONE;
    }
    return is_right;
}

static void judge(const struct network *net, const char *chain, uint64_t seed, fixture *fx, const hf_plan *plan, tally *all) {
    const packets_answer expected = consumers_search(plan, LIMIT);
    const hf_deadlock_options options = {.switching = HF_SWITCHING_SAF, .threads = 1, .want_witness = true};
    hf_deadlock found;
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, &found));
    const bool is_found = found.answer == HF_DEADLOCK_FOUND;
    bool is_right = found.answer != HF_DEADLOCK_UNKNOWN && (!is_found || is_deadlock(plan, &found, all));
    if (expected != PACKETS_TOO_MANY) {
        all->compared++;
        all->deadlocks += expected == PACKETS_DEADLOCK;
        all->with_lanes += *net->vcs != '\0';
        all->on_lanes += *net->vcs != '\0' && expected == PACKETS_DEADLOCK;
        all->apart += is_found && expected == PACKETS_FREE;
        is_right &= is_found || expected == PACKETS_FREE;
    }
    if (!is_right) {
        print_error("%s, %s, %s, seed %llu: %s, but the search says otherwise\n", net->topo, chain, plan->classes->spec,
                    (unsigned long long)seed, hf_deadlock_answer_name(found.answer));
        fail();
    }
}

static void compare(const struct network *net, uint32_t number, tally *all) {
    fixture fx;
    hf_args args;
    fixture_open(&fx, net->topo, NULL, NULL);
    fixture_ok(&fx, hf_args_parse(fx.cx, "routing", "random", hf_lanes_params, net->vcs, &args));
    for (uint64_t seed = 1; seed <= net->cases; seed += net->vcs[0] ? 1 : share_step()) {
        packets_relation relation;
        hf_fault_set faults;
        hf_random random;
        hf_classes *classes;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        const char *chain = chains[seed % N_CHAIN];
        hf_random_init(&random, seed + 1000 * number, HF_PURPOSE_TEST, 9);
        packets_relation_make(fx.topo, net->n_vc, seed + 1000 * number, net->hops_max, net->one_way, &relation);
        relation.spreads = true;
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &faults));
        hf_flow_list *flows = draw_flows(&fx, &random);
        hf_plan plan = packets_plan(&relation, &faults);
        plan.args = &args;
        fixture_ok(&fx, hf_lanes_plan(fx.cx, &plan));
        fixture_ok(&fx, hf_classes_new(fx.cx, chain, flows, &classes));
        fixture_ok(&fx, hf_classes_plan(fx.cx, classes, &plan));
        judge(net, chain, seed, &fx, &plan, all);
        packets_relation_free(&relation);
        hf_flow_list_free(flows);
        hf_classes_free(classes);
        hf_scratch_reset(fx.cx, mark);
    }
    hf_args_free(&args);
    fixture_close(&fx);
}

static void classes_equal_search(void **state) {
    (void)state;
    tally all = {0};
    for (uint32_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        compare(&networks[i], i, &all);
    }
    print_message(
        "%u relations compared, %u of them deadlock; %u deadlocks do not come about from the empty network; %u consumers "
        "wait; %u with lanes, %u of them deadlock\n",
        all.compared, all.deadlocks, all.apart, all.consumers, all.with_lanes, all.on_lanes);
    const uint32_t some = 100 / share_step();
    assert_true(all.compared > 20 * some);
    assert_true(all.deadlocks > some && all.deadlocks < all.compared - some);
    assert_true(all.on_lanes > 3 && all.with_lanes > all.on_lanes + 20);
    assert_true(all.consumers > some && all.apart < all.compared / 20);
}

/* ---- rules of the registry ---- */

static const struct row {
    const char *topo, *rule;
    hf_switching switching;
    hf_deadlock_answer answer;
    hf_deadlock_method method;
} rows[] = {
    {"mesh:dims=3x3", "dor with request>reply", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FREE, HF_METHOD_ACYCLIC},
    {"mesh:dims=3x3", "dor with request=0>reply=0", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FOUND, HF_METHOD_FIXPOINT},
    {"mesh:dims=3x3", "dor with request=0,reply=0", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FREE, HF_METHOD_ACYCLIC},
    {"mesh:dims=3x3", "duato with a>>b>c", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FREE, HF_METHOD_ESCAPE},
    {"mesh:dims=3x3", "duato with a>>b>c", HF_SWITCHING_SAF, HF_DEADLOCK_FREE, HF_METHOD_FIXPOINT},
    {"mesh:dims=3x3", "duato with a=0>>b=0>c", HF_SWITCHING_SAF, HF_DEADLOCK_FOUND, HF_METHOD_FIXPOINT},
    {"torus:dims=4", "dor:ties=plus with a>b", HF_SWITCHING_SAF, HF_DEADLOCK_FOUND, HF_METHOD_FIXPOINT},
    {"kary-tree:k=2,n=3", "ecmp with a>b", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FREE, HF_METHOD_ACYCLIC},
    {"kary-tree:k=2,n=3", "ecmp with a=0>b=0", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FOUND, HF_METHOD_FIXPOINT},
    {"dragonfly:p=1,a=3,h=1", "dragonfly-valiant with a>b", HF_SWITCHING_WORMHOLE, HF_DEADLOCK_FREE, HF_METHOD_ACYCLIC},
};

static void rules_with_classes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture fx;
        hf_fault_set faults;
        hf_plan plan;
        hf_deadlock found;
        const hf_deadlock_options options = {.switching = rows[i].switching, .threads = 1, .want_witness = true};
        fixture_open(&fx, rows[i].topo, NULL, rows[i].rule);
        fixture_plan(&fx, "", &faults, &plan);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &found));
        if (found.answer != rows[i].answer || found.method != rows[i].method) {
            print_error("%s, %s: %s by %s\n", rows[i].topo, rows[i].rule, hf_deadlock_answer_name(found.answer),
                        hf_deadlock_method_name(found.method));
        }
        assert_int_equal(found.answer, rows[i].answer);
        assert_int_equal(found.method, rows[i].method);
        assert_true(found.is_connected);
        fixture_close(&fx);
    }
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *classes, *message;
    } cases[] = {{"", "need the name of a class at \"\""},
                 {"a>", "need the name of a class at \"\""},
                 {"a,,b", "need the name of a class at \",b\""},
                 {"a>>>b", "need the name of a class at \">b\""},
                 {"a=16>b", "no number below 16"},
                 {"a=>b", "no number below 16"},
                 {"a=0>b,a=1", "class a has two sets of virtual channels, 0 and 1"},
                 {"a>b,a>>b", "b answers a twice"},
                 {"a>b>c>a", "would be answered for ever"},
                 {"a>a", "a would be answered for ever"},
                 {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "more than 16 classes"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rule[128];
        (void)snprintf(rule, sizeof rule, "dor with %s", cases[i].classes);
        fixture_refuses("ring:n=3", rule, cases[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(classes_equal_search), cmocka_unit_test(rules_with_classes),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
