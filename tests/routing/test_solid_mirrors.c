/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Mirrored faults, mirrored verdicts: [chalasani1996] treats west and east alike, and north and south, so one set decides for
 * its mirror images. With two numbers of failed nodes the program counts all sets of the 5x5 mesh with f-chains so, a row each:
 *  `test_solid_mirrors 8 14`. That is how the counts of docs/findings.md are made where `holdfast verify` would take four times
 * as long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

enum { SIDE_MAX = 5, NODES_MAX = SIDE_MAX * SIDE_MAX, IMAGES = 4 };

/* The set with its columns turned about (image 1), its rows (2) or both (3). */
static uint32_t mirrored(uint32_t set, uint32_t side, unsigned image) {
    uint32_t out = 0;
    for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
        const uint32_t v = (uint32_t)__builtin_ctz(rest), row = v / side, column = v % side;
        const uint32_t at = (image & 2 ? side - 1 - row : row) * side + (image & 1 ? side - 1 - column : column);
        out |= 1u << at;
    }
    return out;
}

/* The outcome of a set of nodes, bit v for node v, as `holdfast verify` counts it. */
static uint8_t outcome_of(fixture *fx, uint32_t set) {
    static const hf_deadlock_options options = {.threads = 1};
    uint32_t component[NODES_MAX], f = 0;
    for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
        component[f++] = (uint32_t)__builtin_ctz(rest);
    }
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set faults;
    hf_plan plan;
    hf_deadlock found;
    uint8_t outcome = HF_OUTCOME_NOT_COVERED;
    fixture_plan_set(fx, component, f, &faults, &plan);
    if (!hf_plan_is_empty(&plan)) {
        fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, &found));
        outcome = hf_deadlock_outcome(&found);
    }
    hf_scratch_reset(fx->cx, mark);
    return outcome;
}

/* Random sets of the 4x4 and the 5x5 mesh; not under rule4=sticky, which keeps the orientation on the ring to the right where two
 * rings share a link. */
static void mirror_images_are_alike(void **state) {
    (void)state;
    static const char *const rules[] = {"solid-fault:rings=any", "solid-fault", "solid-fault-adaptive:rings=any",
                                        "solid-fault:rings=any,turned-vcs=no"};
    enum { RULES = sizeof rules / sizeof *rules, SETS = 120 };
    uint32_t covered = 0;
    for (uint32_t i = 0; i < 2 * RULES; i++) {
        const uint32_t side = i % 2 ? 5 : 4, n = side * side;
        fixture fx;
        hf_random random;
        hf_random_init(&random, 7, HF_PURPOSE_TEST, i);
        fixture_open(&fx, side == 5 ? "mesh:dims=5x5" : "mesh:dims=4x4", "switches", rules[i / 2]);
        for (uint32_t k = 0; k < SETS; k += share_step()) {
            uint32_t set = 0;
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, n - 3);
            for (uint32_t j = 0; j < f; j++) {
                set |= 1u << hf_random_below(&random, n);
            }
            const uint8_t outcome = outcome_of(&fx, set);
            covered += outcome != HF_OUTCOME_NOT_COVERED;
            for (unsigned image = 1; image < IMAGES; image++) {
                const uint32_t other = mirrored(set, side, image);
                if (outcome_of(&fx, other) != outcome) {
                    print_error("%s, sets %#x and %#x\n", rules[i / 2], set, other);
                }
                assert_int_equal(outcome_of(&fx, other), outcome);
            }
        }
        fixture_close(&fx);
    }
    print_message("%u sets covered\n", covered);
    assert_true(covered > 300 / share_step());
}

/* Count the sets of f nodes of the 5x5 mesh by outcome, one decision for a set and its images. */
static void count(fixture *fx, uint32_t f) {
    uint64_t sets[HF_OUTCOME_COUNT] = {0}, decided = 0;
    const uint32_t end = 1u << NODES_MAX;
    for (uint32_t set = (1u << f) - 1; set < end;) {
        uint32_t image[IMAGES], alike = 0;
        bool is_lowest = true;
        for (unsigned k = 0; k < IMAGES; k++) {
            image[k] = mirrored(set, SIDE_MAX, k);
            is_lowest = is_lowest && image[k] >= set;
            bool is_new = true;
            for (unsigned before = 0; before < k; before++) {
                is_new = is_new && image[before] != image[k];
            }
            alike += is_new;
        }
        if (is_lowest) {
            sets[outcome_of(fx, set)] += alike;
            decided++;
        }
        const uint32_t low = set & -set, up = set + low; /* the next number with as many bits */
        set = up | (((set ^ up) >> 2) / low);
    }
    printf("%u: free %llu, deadlock %llu, disconnected %llu, lost %llu, not covered %llu; %llu decided\n", f,
           (unsigned long long)sets[HF_OUTCOME_FREE], (unsigned long long)sets[HF_OUTCOME_DEADLOCK],
           (unsigned long long)sets[HF_OUTCOME_DISCONNECTED], (unsigned long long)sets[HF_OUTCOME_LOST],
           (unsigned long long)sets[HF_OUTCOME_NOT_COVERED], (unsigned long long)decided);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc == 3) {
        fixture fx;
        fixture_open(&fx, "mesh:dims=5x5", "switches", "solid-fault:rings=any");
        for (uint32_t f = (uint32_t)atoi(argv[1]); f > 0 && f <= (uint32_t)atoi(argv[2]) && f < NODES_MAX; f++) {
            count(&fx, f);
        }
        fixture_close(&fx);
        return EXIT_SUCCESS;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(mirror_images_are_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
