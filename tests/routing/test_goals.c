/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Distances of sixty-four rows at once against those of one row after the other, on every family, with failed links. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/routing/any/goals.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

static void compare(fixture *fx, uint32_t failed, uint64_t seed) {
    const hf_topology *topo = fx->topo;
    const hf_mark mark = hf_scratch_mark(fx->cx);
    uint64_t *set;
    hf_random random;
    hf_goals goals;
    uint16_t *all, *one;
    fixture_ok(fx, hf_scratch(fx->cx, hf_words(topo->n_channel), sizeof *set, (void **)&set));
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 3);
    for (uint32_t i = 0; i < failed; i++) {
        hf_bit_set(set, hf_random_below(&random, topo->n_channel));
    }
    const hf_fault_set faults = {.topo = topo, .channel_set = set};
    const hf_plan plan = {.topo = topo, .faults = &faults, .routing = hf_routing_find("ecmp", 4)};
    fixture_ok(fx, hf_goals_init(fx->cx, &plan, sizeof *all, &goals));
    fixture_ok(fx, hf_scratch(fx->cx, (size_t)goals.n_row * topo->n_switch, sizeof *all, (void **)&all));
    fixture_ok(fx, hf_scratch(fx->cx, topo->n_switch, sizeof *one, (void **)&one));
    fixture_ok(fx, hf_goals_search_all(fx->cx, &goals, all));
    for (uint32_t row = 0; row < goals.n_row; row++) {
        fixture_ok(fx, hf_goals_search(fx->cx, &goals, row, one));
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            if (all[(size_t)v * goals.n_row + row] != one[v]) {
                fail_msg("%s, seed %llu: row %u at switch %u: %u, not %u", topo->spec, (unsigned long long)seed, row, v,
                         all[(size_t)v * goals.n_row + row], one[v]);
            }
        }
    }
    hf_scratch_reset(fx->cx, mark);
}

static void rows_at_once(void **state) {
    (void)state;
    static const char *const larger[] = {"torus:dims=9x11", "random-regular:n=150,degree=3",
                                         "rails:hosts=20,accelerators=4,relay=no", "clos:tiers=2,radix=20"};
    const size_t n = sizeof larger / sizeof *larger;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC + n; i++) {
        fixture fx;
        fixture_open(&fx, i < n ? larger[i] : topology_specs[i - n], NULL, NULL);
        for (uint64_t seed = 0; seed < 6; seed += share_step()) {
            compare(&fx, (uint32_t)seed * fx.topo->n_channel / 12, seed);
        }
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
