/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What holdfast-check says of deadlocks in lockstep, against explicit search over flits from the empty network: it confirms none
 *  that packets do not get into, and nearly all that the program finds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "src/check/check.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/flits.h"
#include "tests/oracle/packets.h"

enum { LIMIT = 100000 };

typedef struct counts {
    uint32_t confirmed, open, forged; /* of lockstep: confirmed, left open; claims that are none: left open */
} counts;

static check_outcome check_packets(fixture *fx, const hf_plan *plan, const hf_fault_set *faults, const hf_blocked *b,
                                   uint32_t n) {
    check c = {.cx = fx->cx, .file = "random", .n_resource = plan->topo->n_channel * plan->n_vc};
    c.net.topo = fx->topo;
    c.net.plan = *plan;
    c.net.faults = *faults;
    fixture_ok(fx, hf_scratch(fx->cx, hf_plan_room(plan), sizeof *c.offered, (void **)&c.offered));
    fixture_ok(fx, check_lockstep(&c, b, n));
    assert_int_not_equal(c.outcome, CHECK_REFUTED);
    return c.outcome;
}

static bool deadlocks(const hf_plan *plan, bool *is_known) {
    bool any = false;
    *is_known = true;
    for (int timing = FLITS_NEXT_STEP; timing <= FLITS_SAME_STEP; timing++) {
        size_t states;
        const flits_answer answer = flits_search(plan, (flits_timing)timing, LIMIT, &states);
        any |= answer == FLITS_DEADLOCK;
        *is_known &= answer != FLITS_TOO_MANY;
    }
    return any;
}

/* Packets that could wait for each other under any timing, as a claim about lockstep. */
static void compare_any(fixture *fx, const hf_plan *plan, const hf_fault_set *none, uint64_t seed, counts *sum) {
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1, .want_witness = true};
    hf_deadlock d;
    bool is_known;
    fixture_ok(fx, hf_deadlock_decide(fx->cx, plan, &options, &d));
    if (d.answer != HF_DEADLOCK_FOUND) {
        return;
    }
    const bool is_confirmed = check_packets(fx, plan, none, d.blocked, d.n_blocked) == CHECK_CONFIRMED;
    if (is_confirmed && !deadlocks(plan, &is_known) && is_known) {
        print_error("seed %llu: a deadlock in lockstep is confirmed that packets do not get into\n", (unsigned long long)seed);
        fail();
    }
    sum->forged += !is_confirmed;
}

static void compare_lockstep(fixture *fx, const hf_plan *plan, const hf_fault_set *none, counts *sum) {
    for (int same_step = 0; same_step < 2; same_step++) {
        const hf_lockstep_options options = {.same_step = same_step, .state_limit = 100000, .time_limit_s = 600};
        hf_lockstep l;
        fixture_ok(fx, hf_lockstep_search(fx->cx, plan, &options, &l));
        if (l.answer == HF_DEADLOCK_FOUND) {
            const check_outcome outcome = check_packets(fx, plan, none, l.blocked, l.n_blocked);
            sum->confirmed += outcome == CHECK_CONFIRMED;
            sum->open += outcome == CHECK_OPEN;
        }
    }
}

static void random_relations(void **state) {
    (void)state;
    static const char *const networks[] = {"ring:n=3", "ring:n=4", "mesh:dims=2x2", "complete:n=4"};
    counts sum = {0};
    for (uint32_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        fixture fx;
        hf_fault_set none;
        fixture_open(&fx, networks[i], NULL, NULL);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &none));
        for (uint64_t seed = 1; seed <= 60; seed++) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            packets_relation relation;
            packets_relation_make(fx.topo, 1, seed + 1000 * i, 1, seed % 2 == 0, &relation);
            const hf_plan plan = packets_plan(&relation, &none);
            compare_any(&fx, &plan, &none, seed + 1000 * i, &sum);
            compare_lockstep(&fx, &plan, &none, &sum);
            packets_relation_free(&relation);
            hf_scratch_reset(fx.cx, mark);
        }
        fixture_close(&fx);
    }
    print_message("%u deadlocks in lockstep confirmed, %u left open; %u that wait under any timing left open\n", sum.confirmed,
                  sum.open, sum.forged);
    assert_true(sum.confirmed > 50 && sum.confirmed > 10 * sum.open);
}

/* Nothing gets into these although they could wait: the packets of --timing any, as if they were in lockstep. */
static void forged_claims(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_deadlock d;
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1, .want_witness = true};
    fixture_open(&fx, "file:studies/examples/four-messages.anynet", NULL, "lua:studies/examples/four-messages.lua");
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
    assert_int_equal(d.answer, HF_DEADLOCK_FOUND);
    assert_int_equal(check_packets(&fx, &plan, &none, d.blocked, d.n_blocked), CHECK_OPEN);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_relations), cmocka_unit_test(forged_claims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
