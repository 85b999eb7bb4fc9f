/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What the verdicts mean for flits: deterministic relations against explicit search from the empty network. A deadlock comes
 * about if packets may be held up for a moment. In lockstep some do not: an oblivious example. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/analysis/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/flits.h"
#include "tests/oracle/packets.h"

enum { LIMIT = 100000, SMALL_LIMIT = 10000 };

static void decide(fixture *fx, const hf_plan *plan, hf_deadlock *out) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1, .want_witness = true};
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, out));
}

/* After L. Schwiebert, IEEE Transactions on Computers 50(9), 2001: a cycle that packets in lockstep cannot close. */
static void oblivious_cycle(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock d;
    size_t states;
    fixture_open(&fx, "file:studies/examples/oblivious-cycle.anynet", NULL, "lua:studies/examples/oblivious-cycle.lua");
    fixture_plan(&fx, "", &none, &plan);
    decide(&fx, &plan, &d);
    assert_int_equal(d.answer, HF_DEADLOCK_FOUND);
    assert_int_equal(d.method, HF_METHOD_FIXPOINT);
    assert_true(d.is_connected);
    assert_int_equal(d.girth, 4);
    assert_int_equal(flits_search(&plan, false, LIMIT, &states), FLITS_FREE);
    assert_int_equal(states, 29280); /* as docs/deadlock.md says */
    assert_int_equal(flits_search(&plan, true, LIMIT, &states), FLITS_DEADLOCK);
    fixture_close(&fx);
}

static void known_rings(void **state) {
    (void)state;
    static const struct {
        const char *topo;
        flits_answer answer;
    } row[] = {{"ring:n=3", FLITS_FREE}, {"ring:n=4", FLITS_DEADLOCK}, {"mesh:dims=3", FLITS_FREE}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        for (int may_pause = 0; may_pause < 2; may_pause++) {
            fixture fx;
            hf_fault_set none;
            hf_plan plan;
            size_t states;
            fixture_open(&fx, row[i].topo, NULL, "dor");
            fixture_plan(&fx, "", &none, &plan);
            const flits_answer answer = flits_search(&plan, may_pause, LIMIT, &states);
            if (answer != row[i].answer && !(row[i].answer == FLITS_FREE && answer == FLITS_TOO_MANY)) {
                print_error("%s, may_pause %d: answer %d after %zu states\n", row[i].topo, may_pause, answer, states);
                fail();
            }
            fixture_close(&fx);
        }
    }
}

static void compare(fixture *fx, const char *topo, uint64_t seed, uint32_t *count) {
    packets_relation relation;
    hf_fault_set none;
    hf_deadlock d;
    size_t states;
    packets_relation_make(fx->topo, 1, seed, 1, false, &relation);
    fixture_ok(fx, hf_no_faults(fx->cx, fx->topo, &none));
    const hf_plan plan = packets_plan(&relation, &none);
    decide(fx, &plan, &d);
    const flits_answer answer = d.is_connected ? flits_search(&plan, true, SMALL_LIMIT, &states) : FLITS_TOO_MANY;
    const flits_answer right = d.answer == HF_DEADLOCK_FOUND ? FLITS_DEADLOCK : FLITS_FREE;
    if (answer != FLITS_TOO_MANY && answer != right) {
        print_error("%s, seed %llu: %s, but the search of flits says otherwise after %zu states\n", topo,
                    (unsigned long long)seed, hf_deadlock_answer_name(d.answer), states);
        fail();
    }
    count[answer]++;
    packets_relation_free(&relation);
}

/* One hop in each place: what is called a deadlock comes about from the empty network, and nothing else does. */
static void verdicts_are_reached(void **state) {
    (void)state;
    static const char *const topos[] = {"mesh:dims=2", "mesh:dims=3", "ring:n=3"};
    uint32_t count[3] = {0};
    for (size_t i = 0; i < sizeof topos / sizeof *topos; i++) {
        fixture fx;
        fixture_open(&fx, topos[i], NULL, NULL);
        for (uint64_t seed = 1; seed <= 400; seed++) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            compare(&fx, topos[i], seed, count);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    print_message("%u free, %u deadlock, %u not compared\n", count[FLITS_FREE], count[FLITS_DEADLOCK], count[FLITS_TOO_MANY]);
    assert_true(count[FLITS_DEADLOCK] > 0 && count[FLITS_FREE] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblivious_cycle),
        cmocka_unit_test(known_rings),
        cmocka_unit_test(verdicts_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
