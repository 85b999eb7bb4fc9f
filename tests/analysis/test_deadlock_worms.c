/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Wormhole switching: the deciders against all sets of disjoint worms, on random relations in tiny networks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"
#include "tests/oracle/worms.h"

static const struct network {
    const char *topo;
    uint32_t n_vc, hops_max, cases;
    bool one_way;
} networks[] = {
    {"ring:n=3", 1, 1, 60, false},       {"ring:n=3", 1, 2, 200, false},     {"ring:n=4", 1, 2, 100, false},
    {"mesh:dims=2x2", 1, 2, 200, false}, {"mesh:dims=2x2", 1, 2, 100, true}, {"ring:n=3", 2, 2, 150, true},
    {"ring:n=3", 2, 3, 60, false},       {"complete:n=4", 1, 2, 60, false},  {"complete:n=4", 1, 3, 60, true},
    {"mesh:dims=3x2", 1, 2, 60, false},  {"ring:n=4", 2, 3, 60, true},
};
enum { LIMIT = 300000 };

typedef struct counts {
    uint32_t compared, deadlocks, time_over, method[HF_METHOD_NONE + 1][2];
} counts;

static void complain(const struct network *net, uint64_t seed, const hf_deadlock *found, worms_answer expected, const char *why) {
    print_error("%s, %u VCs, seed %llu: %s by %s; all sets of worms: least %u. %s\n", net->topo, net->n_vc,
                (unsigned long long)seed, hf_deadlock_answer_name(found->answer), hf_deadlock_method_name(found->method),
                expected.least, why ? why : "");
    fail();
}

/* A search that has no time says so, and nothing of the network; a program that falls to presolving needs none. */
static void runs_out_of_time(fixture *fx, const hf_plan *plan, hf_deadlock_answer answer, counts *sum) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1, .time_limit_s = 1e-9};
    hf_deadlock found;
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, &found));
    if (found.is_time_over) {
        assert_int_equal(found.answer, HF_DEADLOCK_UNKNOWN);
        assert_int_equal(hf_deadlock_outcome(&found), HF_OUTCOME_TIME_LIMIT);
    } else {
        assert_int_equal(found.answer, answer);
    }
    sum->time_over += found.is_time_over;
}

static void compare(fixture *fx, const struct network *net, uint64_t seed, counts *sum) {
    packets_relation relation;
    hf_fault_set faults;
    packets_relation_make(fx->topo, net->n_vc, seed, net->hops_max, net->one_way, &relation);
    fixture_ok(fx, hf_no_faults(fx->cx, fx->topo, &faults));
    const hf_plan plan = packets_plan(&relation, &faults);
    const worms_answer expected = worms_search(&plan, LIMIT);
    const hf_deadlock_options options = {
        .switching = HF_SWITCHING_WORMHOLE, .threads = 1, .want_witness = true, .time_limit_s = 20};
    hf_deadlock found;
    fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, &found));
    const bool is_found = found.answer == HF_DEADLOCK_FOUND;
    const char *why = is_found ? worms_refute(&plan, found.blocked, found.n_blocked) : NULL;
    if (why || (expected.is_known && found.answer != (expected.least ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE))) {
        complain(net, seed, &found, expected, why);
    }
    if (is_found && expected.is_known && found.is_smallest && worms_held(found.blocked, found.n_blocked) != expected.least) {
        complain(net, seed, &found, expected, "the deadlock is not the smallest");
    }
    sum->compared += expected.is_known;
    sum->deadlocks += is_found;
    sum->method[found.method][is_found]++;
    if (found.method == HF_METHOD_WORMS) {
        runs_out_of_time(fx, &plan, found.answer, sum);
    }
    packets_relation_free(&relation);
}

static void deciders_equal_search(void **state) {
    (void)state;
    counts sum = {0};
    for (uint32_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        fixture fx;
        fixture_open(&fx, networks[i].topo, NULL, NULL);
        for (uint64_t k = 1; k <= networks[i].cases; k++) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            compare(&fx, &networks[i], k + 1000 * i, &sum);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    print_message("%u relations compared, %u deadlock; by worms %u deadlock, %u are free, by an escape %u; without time %u\n",
                  sum.compared, sum.deadlocks, sum.method[HF_METHOD_WORMS][1], sum.method[HF_METHOD_WORMS][0],
                  sum.method[HF_METHOD_ESCAPE][0], sum.time_over);
    assert_true(sum.compared > 500);
    assert_true(sum.time_over > 0);
    assert_true(sum.method[HF_METHOD_WORMS][0] > 0 && sum.method[HF_METHOD_WORMS][1] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deciders_equal_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
