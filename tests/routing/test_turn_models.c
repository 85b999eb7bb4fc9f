/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The turn models: which directions they offer, their degrees of adaptivity against the closed forms of Glass and Ni, and that
 *  none has a cycle of dependencies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/topology/grid/grid.h"
#include "tests/oracle/dependencies.h"

/** Number of ways from `at` to `goal` on a small mesh, by recursion over the hops. */
static uint64_t count_ways(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t goal) {
    hf_hop hops[64];
    uint64_t sum = 0;
    if (at == plan->topo->n_switch + goal) {
        return 1;
    }
    const size_t n = hf_plan_route(plan, at, in, goal, hops);
    for (size_t i = 0; i < n; i++) {
        sum += count_ways(plan, plan->topo->to[hops[i].channel], hops[i], goal);
    }
    return sum;
}

static uint64_t factorial(uint32_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

/** Ways that mix steps[0], steps[1], ... freely. */
static uint64_t mixed(const uint32_t *steps, uint32_t n) {
    uint32_t all = 0;
    uint64_t below = 1;
    for (uint32_t i = 0; i < n; i++) {
        all += steps[i];
        below *= factorial(steps[i]);
    }
    return factorial(all) / below;
}

/** Directions of the two phases by the text of the paper. */
static bool goes_first(const char *rule, uint32_t n, uint32_t d, int way) {
    if (strcmp(rule, "west-first") == 0) {
        return way < 0 && d != n - 1;
    }
    return strcmp(rule, "negative-first") == 0 ? way < 0 : way < 0 || d == 0;
}

static uint64_t expected(const char *rule, const hf_grid *grid, uint32_t from, uint32_t to) {
    uint32_t steps[2][HF_GRID_DIMS_MAX], count[2] = {0, 0};
    for (uint32_t d = 0; d < grid->n; d++) {
        const int e = (int)hf_grid_digit(grid, to, d) - (int)hf_grid_digit(grid, from, d);
        const bool first = goes_first(rule, grid->n, d, e);
        steps[first][count[first]++] = (uint32_t)abs(e);
    }
    return mixed(steps[0], count[0]) * mixed(steps[1], count[1]);
}

static void numbers_of_ways(void **state) {
    (void)state;
    static const char *const rules[] = {"west-first", "north-last", "negative-first"};
    static const char *const meshes[] = {"mesh:dims=4x3", "mesh:dims=2x3x3"};
    for (size_t r = 0; r < 3; r++) {
        for (size_t m = 0; m < 2; m++) {
            fixture fx;
            hf_fault_set set;
            hf_plan plan;
            hf_grid grid;
            fixture_open(&fx, meshes[m], NULL, rules[r]);
            fixture_plan(&fx, "", &set, &plan);
            assert_true(hf_grid_of(fx.topo, &grid));
            for (uint32_t a = 0; a < fx.topo->n_switch; a++) {
                for (uint32_t b = 0; b < fx.topo->n_switch; b++) {
                    if (a != b) {
                        assert_int_equal(count_ways(&plan, fx.topo->n_switch + a, HF_HOP_INJECTION, b),
                                         expected(rules[r], &grid, a, b));
                    }
                }
            }
            fixture_close(&fx);
        }
    }
}

/** In the plane: west-first mixes freely towards the east, not towards the west; and so on. 4x4, switch 5 = <1,1>. */
static void by_hand(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        uint32_t from, to;
        uint64_t n;
    } ways[] = {{"west-first", 0, 15, 20},     {"west-first", 12, 3, 20},    {"west-first", 15, 0, 1},
                {"west-first", 3, 12, 1},      {"north-last", 15, 0, 20},    {"north-last", 12, 3, 20},
                {"north-last", 0, 15, 1},      {"north-last", 3, 12, 1},     {"negative-first", 0, 15, 20},
                {"negative-first", 15, 0, 20}, {"negative-first", 3, 12, 1}, {"negative-first", 12, 3, 1}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        fixture_open(&fx, "mesh:dims=4x4", NULL, ways[i].rule);
        fixture_plan(&fx, "", &set, &plan);
        assert_int_equal(count_ways(&plan, fx.topo->n_switch + ways[i].from, HF_HOP_INJECTION, ways[i].to), ways[i].n);
        fixture_close(&fx);
    }
}

static void no_cycles(void **state) {
    (void)state;
    static const char *const rules[] = {"west-first", "north-last", "negative-first"};
    static const char *const grids[] = {"mesh:dims=5x4", "mesh:dims=3x3x3", "hypercube:n=4", "mesh:dims=6", "mesh:dims=2x1x3x2"};
    for (size_t r = 0; r < 3; r++) {
        for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
            dependencies_check(grids[g], rules[r], false);
        }
        fixture fx;
        fixture_open(&fx, "torus:dims=4x4", NULL, NULL);
        assert_int_equal(hf_rule_init(fx.cx, rules[r], fx.topo, &fx.rule), HF_EINVAL);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_ways),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(no_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
