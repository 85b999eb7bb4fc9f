/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Mirrored faults, mirrored verdicts: [chalasani1996] treats west and east alike, and north and south, so one set decides for
 *  its mirror images, of which there are two for each dimension of a mesh. With a network, a universe, a rule and two numbers of
 *  faults the program counts all sets so, a row each: `test_solid_mirrors mesh:dims=5x5 switches solid-fault:rings=any 8 14`.
 * That is how the counts of docs/findings.md are made where `holdfast verify` would take four or eight times as long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/core/sort.h"
#include "src/topology/grid/grid.h"
#include "tests/oracle/fixture.h"
#include "tests/support/share.h"

enum { COMPONENTS_MAX = 256, IMAGES_MAX = 16, FAULTS_MAX = 32 };

/* By image: what becomes of a component; image i turns dimension d about if bit d of i is set. */
typedef struct mirrors {
    uint32_t n_image, n_component, of[IMAGES_MAX][COMPONENTS_MAX];
} mirrors;

static uint32_t mirrored_node(const hf_grid *grid, uint32_t node, uint32_t image) {
    for (uint32_t d = 0; d < grid->n; d++) {
        node = image >> d & 1 ? hf_grid_move(grid, node, d, grid->size[d] - 1 - hf_grid_digit(grid, node, d)) : node;
    }
    return node;
}

/* The component that takes down the mirrored node, or a channel between the mirrored ends. */
static uint32_t mirrored_component(const hf_universe *u, const hf_grid *grid, uint32_t c, uint32_t image) {
    const hf_topology *topo = u->topo;
    const bool is_node = u->switch_begin[c + 1] > u->switch_begin[c];
    const uint32_t channel = u->channel[u->channel_begin[c]];
    const uint32_t from = mirrored_node(grid, is_node ? u->switch_list[u->switch_begin[c]] : topo->from[channel], image);
    const uint32_t to = is_node ? from : mirrored_node(grid, topo->to[channel], image);
    for (uint32_t other = 0; other < u->n_component; other++) {
        const bool is_other_node = u->switch_begin[other + 1] > u->switch_begin[other];
        if (is_node && is_other_node && u->switch_list[u->switch_begin[other]] == from) {
            return other;
        }
        for (uint32_t k = u->channel_begin[other]; k < u->channel_begin[other + 1] && !is_node && !is_other_node; k++) {
            if (topo->from[u->channel[k]] == from && topo->to[u->channel[k]] == to) {
                return other;
            }
        }
    }
    fail_msg("%s: component %u has no image %u", topo->spec, c, image);
    return HF_NONE;
}

static void find_mirrors(const hf_universe *u, mirrors *out) {
    hf_grid grid;
    assert_true(hf_grid_of(u->topo, &grid));
    out->n_image = 1u << grid.n;
    out->n_component = u->n_component;
    assert_true(out->n_image <= IMAGES_MAX && out->n_component <= COMPONENTS_MAX);
    for (uint32_t image = 0; image < out->n_image; image++) {
        for (uint32_t c = 0; c < u->n_component; c++) {
            out->of[image][c] = mirrored_component(u, &grid, c, image);
        }
    }
}

static void mirror(const mirrors *x, const uint32_t *set, uint32_t f, uint32_t image, uint32_t *out) {
    for (uint32_t i = 0; i < f; i++) {
        out[i] = x->of[image][set[i]];
    }
    hf_sort_numbers(out, f);
}

/* The outcome of a set as `holdfast verify` counts it. */
static uint8_t outcome_of(fixture *fx, const uint32_t *set, uint32_t f) {
    static const hf_deadlock_options options = {.threads = 1};
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set faults;
    hf_plan plan;
    hf_deadlock found;
    uint8_t outcome = HF_OUTCOME_NOT_COVERED;
    fixture_plan_set(fx, set, f, &faults, &plan);
    if (!hf_plan_is_empty(&plan)) {
        fixture_ok(fx, hf_deadlock_decide(fx->cx, &plan, &options, &found));
        outcome = hf_deadlock_outcome(&found);
    }
    hf_scratch_reset(fx->cx, mark);
    return outcome;
}

/* One random set and its images. \return is it covered? */
static bool are_alike(fixture *fx, const mirrors *x, const uint32_t *set, uint32_t f) {
    const uint8_t outcome = outcome_of(fx, set, f);
    for (uint32_t image = 1; image < x->n_image; image++) {
        uint32_t other[FAULTS_MAX];
        mirror(x, set, f, image, other);
        if (outcome_of(fx, other, f) != outcome) {
            fail_msg("%s, %s: %u faults, the first %u, image %u", fx->topo->spec, fx->rule.spec, f, set[0], image);
        }
    }
    return outcome != HF_OUTCOME_NOT_COVERED;
}

/* Random sets; not under rule4=sticky, which keeps the orientation on the ring to the right where two rings share a link. */
static void mirror_images_are_alike(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule;
        uint32_t sets, f_most;
    } rows[] = {
        {"mesh:dims=4x4", "switches", "solid-fault:rings=any", 120, 13},
        {"mesh:dims=5x5", "switches", "solid-fault:rings=any", 120, 22},
        {"mesh:dims=5x5", "links", "solid-fault:rings=any", 60, 12},
        {"mesh:dims=4x4", "switches", "solid-fault", 120, 13},
        {"mesh:dims=5x5", "switches", "solid-fault", 120, 22},
        {"mesh:dims=4x4", "switches", "solid-fault-adaptive:rings=any", 120, 13},
        {"mesh:dims=5x5", "switches", "solid-fault-adaptive:rings=any", 60, 22},
        {"mesh:dims=4x4", "links+switches", "solid-fault:rings=any,turned-vcs=no", 120, 13},
        {"mesh:dims=3x3x3", "links+switches", "solid-fault:rings=any,sidesteps=yes", 40, 5},
        {"mesh:dims=3x4x2", "links", "solid-fault-adaptive:rings=any", 20, 4},
    };
    uint32_t covered = 0;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture fx;
        hf_random random;
        mirrors x;
        hf_random_init(&random, 7, HF_PURPOSE_TEST, i);
        fixture_open(&fx, rows[i].topo, rows[i].universe, rows[i].rule);
        find_mirrors(fx.universe, &x);
        for (uint32_t k = 0; k < rows[i].sets; k += share_step()) {
            uint32_t set[FAULTS_MAX];
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, rows[i].f_most);
            hf_random_subset(&random, x.n_component, f, set);
            covered += are_alike(&fx, &x, set, f);
        }
        fixture_close(&fx);
    }
    print_message("%u sets covered\n", covered);
    assert_true(covered > 300 / share_step());
}

/* How many sets are the images of this one? 0: one of them comes before it. */
static uint32_t count_images(const mirrors *x, const uint32_t *set, uint32_t f) {
    uint32_t same = 1;
    for (uint32_t image = 1; image < x->n_image; image++) {
        uint32_t other[FAULTS_MAX], i = 0;
        mirror(x, set, f, image, other);
        while (i < f && other[i] == set[i]) {
            i++;
        }
        if (i < f && other[i] < set[i]) {
            return 0;
        }
        same += i == f;
    }
    return x->n_image / same;
}

/* Count the sets of f components by outcome, one decision for a set and its images. */
static void count(fixture *fx, const mirrors *x, uint32_t f) {
    uint64_t sets[HF_OUTCOME_COUNT] = {0}, decided = 0, counted = 0, all;
    uint32_t set[FAULTS_MAX];
    hf_lex_unrank(x->n_component, f, 0, set);
    for (bool more = true; more; more = hf_lex_next(x->n_component, f, set, NULL)) {
        const uint32_t alike = count_images(x, set, f);
        if (alike > 0) {
            sets[outcome_of(fx, set, f)] += alike;
            decided++;
        }
    }
    for (int outcome = 0; outcome < HF_OUTCOME_COUNT; outcome++) {
        counted += sets[outcome];
    }
    assert_true(hf_binomial(x->n_component, f, &all) && counted == all);
    const uint64_t open = sets[HF_OUTCOME_UNKNOWN] + sets[HF_OUTCOME_TIME_LIMIT];
    printf("%u: free %llu, deadlock %llu, disconnected %llu, lost %llu, not covered %llu, serve nobody %llu, open %llu; %llu "
           "decided\n",
           f, (unsigned long long)sets[HF_OUTCOME_FREE], (unsigned long long)sets[HF_OUTCOME_DEADLOCK],
           (unsigned long long)sets[HF_OUTCOME_DISCONNECTED], (unsigned long long)sets[HF_OUTCOME_LOST],
           (unsigned long long)sets[HF_OUTCOME_NOT_COVERED], (unsigned long long)sets[HF_OUTCOME_IDLE], (unsigned long long)open,
           (unsigned long long)decided);
    fflush(stdout);
}

int main(int argc, char **argv) {
    if (argc == 6) {
        fixture fx;
        mirrors x;
        fixture_open(&fx, argv[1], argv[2], argv[3]);
        find_mirrors(fx.universe, &x);
        for (uint32_t f = (uint32_t)atoi(argv[4]); f > 0 && f <= (uint32_t)atoi(argv[5]) && f < FAULTS_MAX; f++) {
            count(&fx, &x, f);
        }
        fixture_close(&fx);
        return EXIT_SUCCESS;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(mirror_images_are_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
