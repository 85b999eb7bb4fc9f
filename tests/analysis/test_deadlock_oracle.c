/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fixpoint against explicit search, on random relations in small networks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/packets.h"

static const struct network {
    const char *topo;
    uint32_t n_vc, hops_max, cases;
    bool one_way;
} networks[] = {
    {"ring:n=3", 1, 1, 60, false}, {"ring:n=3", 1, 2, 60, false},      {"ring:n=4", 1, 1, 40, true},
    {"ring:n=5", 1, 1, 20, true},  {"mesh:dims=2x2", 1, 1, 60, false}, {"mesh:dims=2x2", 1, 2, 60, false},
    {"ring:n=3", 2, 2, 40, true},  {"complete:n=3", 1, 2, 40, false},  {"ring:n=6", 1, 1, 6, true},
};
enum { LIMIT = 250000 };

static void compare(const struct network *net, uint32_t number, uint32_t *compared, uint32_t *deadlocks) {
    fixture fx;
    fixture_open(&fx, net->topo, NULL, NULL);
    for (uint64_t seed = 1; seed <= net->cases; seed++) {
        packets_relation relation;
        hf_fault_set faults;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        packets_relation_make(fx.topo, net->n_vc, seed + 1000 * number, net->hops_max, net->one_way, &relation);
        fixture_ok(&fx, hf_no_faults(fx.cx, fx.topo, &faults));
        const hf_plan plan = packets_plan(&relation, &faults);
        const packets_answer expected = packets_search(&plan, LIMIT);
        const hf_deadlock_options options = {.switching = HF_SWITCHING_SAF, .threads = 1, .want_witness = true};
        hf_deadlock found;
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &found));
        if (expected != PACKETS_TOO_MANY) {
            ++*compared;
            *deadlocks += expected == PACKETS_DEADLOCK;
            const hf_deadlock_answer right = expected == PACKETS_DEADLOCK ? HF_DEADLOCK_FOUND : HF_DEADLOCK_FREE;
            if (found.answer != right) {
                print_error("%s, case %llu of %u: %s, but the search says otherwise\n", net->topo, (unsigned long long)seed,
                            number, hf_deadlock_answer_name(found.answer));
                fail();
            }
        }
        packets_relation_free(&relation);
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

static void fixpoint_equals_search(void **state) {
    (void)state;
    uint32_t compared = 0, deadlocks = 0;
    for (uint32_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        compare(&networks[i], i, &compared, &deadlocks);
    }
    print_message("%u relations compared, %u of them deadlock\n", compared, deadlocks);
    assert_true(compared > 200);
    assert_true(deadlocks > 50 && deadlocks < compared - 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixpoint_equals_search)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
