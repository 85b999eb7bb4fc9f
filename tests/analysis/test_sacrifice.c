/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The fewest nodes to be taken out of service: against trying all choices on a small mesh, and against appendix A. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "src/analysis/tolerance/sacrifice.h"
#include "src/routing/solid/sacrifice.h"
#include "tests/oracle/fixture.h"

/* Is the choice valid in some rectangle outside of which everything is out, without pendant nodes? */
static bool is_valid_somewhere(fixture *fx, const hf_fault_set *set, uint64_t choice) {
    const uint32_t n = fx->topo->n_switch;
    hf_solid s;
    fixture_ok(fx, hf_solid_init(fx->cx, set, &s));
    for (uint32_t v = 0; v < n; v++) {
        if (choice >> v & 1) {
            hf_solid_disable(&s, v);
        }
    }
    const uint32_t taken = s.n_sacrificed;
    hf_solid_close_pendants(&s);
    if (s.n_sacrificed > taken) {
        return false;
    }
    for (uint32_t d = 0; d < 2; d++) { /* the rectangle that the nodes in service span */
        s.low[d] = UINT32_MAX;
        s.high[d] = 0;
    }
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t d = 0; d < 2 && !s.bad[v]; d++) {
            const uint32_t digit = hf_solid_digit(&s, v, d);
            s.low[d] = digit < s.low[d] ? digit : s.low[d];
            s.high[d] = digit > s.high[d] ? digit : s.high[d];
        }
    }
    hf_solid_class class;
    hf_solid_find_regions(&s);
    fixture_ok(fx, hf_solid_classify(fx->cx, &s, &class));
    return class == HF_SOLID_COVERED;
}

/* The first valid choice, the small ones first; UINT32_MAX if there is none of at most `most` nodes. */
static uint32_t fewest_by_trying(fixture *fx, const hf_fault_set *set, uint32_t most) {
    const uint32_t n = fx->topo->n_switch;
    for (uint32_t size = 0; size <= most && size <= n; size++) {
        uint32_t node[32];
        hf_lex_unrank(n, size, 0, node);
        for (bool more = true; more; more = hf_lex_next(n, size, node, NULL)) {
            uint64_t choice = 0;
            for (uint32_t i = 0; i < size; i++) {
                choice |= UINT64_C(1) << node[i];
            }
            const hf_mark mark = hf_scratch_mark(fx->cx);
            const bool is_valid = (choice & set->switch_set[0]) == 0 && is_valid_somewhere(fx, set, choice);
            hf_scratch_reset(fx->cx, mark);
            if (is_valid) {
                return size;
            }
        }
    }
    return UINT32_MAX;
}

static void check_set(fixture *fx, const hf_fault_set *set, uint32_t expected) {
    hf_sacrifice found;
    fixture_ok(fx, hf_sacrifice_find(fx->cx, set, 60, &found));
    assert_true(found.is_exact);
    assert_int_equal(found.is_possible, expected != UINT32_MAX);
    if (found.is_possible) {
        assert_int_equal(found.nodes, expected);
        assert_int_equal(hf_bits_count(found.node, 1), expected);
        assert_true(is_valid_somewhere(fx, set, found.node[0]));
    }
}

static void agrees_with_trying(void **state) {
    (void)state;
    static const char *const universes[] = {"switches", "links"};
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t f = 1; f <= 2; f++) {
            fixture fx;
            uint32_t component[2] = {0, 1};
            fixture_open(&fx, "mesh:dims=3x4", universes[i], NULL);
            for (bool more = true; more; more = hf_lex_next(fx.universe->n_component, f, component, NULL)) {
                hf_fault_set set;
                const hf_mark mark = hf_scratch_mark(fx.cx);
                fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, f, &set));
                check_set(&fx, &set, fewest_by_trying(&fx, &set, 12));
                hf_scratch_reset(fx.cx, mark);
            }
            fixture_close(&fx);
        }
    }
}

static void agrees_on_random_sets(void **state) {
    (void)state;
    fixture fx;
    hf_random random;
    fixture_open(&fx, "mesh:dims=4x5", "links+switches", NULL);
    hf_random_init(&random, 3, HF_PURPOSE_TEST, 0);
    for (int trial = 0; trial < 60; trial++) {
        uint32_t component[4];
        const uint32_t f = 1 + (uint32_t)hf_random_below(&random, 4), most = 5;
        hf_fault_set set;
        hf_sacrifice found;
        const hf_mark mark = hf_scratch_mark(fx.cx);
        hf_random_subset(&random, fx.universe->n_component, f, component);
        fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, f, &set));
        fixture_ok(&fx, hf_sacrifice_find(fx.cx, &set, 60, &found));
        const uint32_t tried = fewest_by_trying(&fx, &set, most);
        if (!found.is_exact || (found.is_possible && found.nodes <= most ? tried != found.nodes : tried != UINT32_MAX)) {
            print_error("trial %d of seed 3: %u by the program, %u by trying\n", trial, found.nodes, tried);
            fail();
        }
        hf_scratch_reset(fx.cx, mark);
    }
    fixture_close(&fx);
}

/* Single sets: from the inside of a U, stacked links, a corner. */
static void known_sets(void **state) {
    (void)state;
    static const struct {
        const char *topo, *faults;
        uint32_t fewest;
    } sets[] = {
        {"mesh:dims=6x6", "s14,s21", 0},     {"mesh:dims=6x6", "s13,s16,s19,s20,s21,s22", 2}, {"mesh:dims=5x5", "s6:0,s16:0", 1},
        {"mesh:dims=5x5", "s0", 4},          {"mesh:dims=6x6", "s20,s28,s25,s14:0", 2},       {"mesh:dims=5x5", "", 0},
        {"mesh:dims=5x5", "s12:0,s12:1", 1},
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        fixture fx;
        hf_fault_set set;
        fixture_open(&fx, sets[i].topo, NULL, NULL);
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, sets[i].faults, &set));
        check_set(&fx, &set, sets[i].fewest);
        fixture_close(&fx);
    }
}

/* Appendix A sacrifices more: sums over all sets of the 5x5 mesh. */
static void against_appendix_a(void **state) {
    (void)state;
    static const struct {
        const char *universe;
        uint32_t f;
        uint64_t fewest;
    } rows[] = {{"switches", 1, 64}, {"switches", 2, 1448}, {"links", 1, 80}, {"links", 2, 3026}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture fx;
        uint32_t component[2] = {0, 1};
        uint64_t sum = 0;
        fixture_open(&fx, "mesh:dims=5x5", rows[i].universe, NULL);
        for (bool more = true; more; more = hf_lex_next(fx.universe->n_component, rows[i].f, component, NULL)) {
            hf_fault_set set;
            hf_sacrifice found;
            const hf_mark mark = hf_scratch_mark(fx.cx);
            fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, component, rows[i].f, &set));
            fixture_ok(&fx, hf_sacrifice_find(fx.cx, &set, 60, &found));
            assert_true(found.is_exact && found.is_possible);
            sum += found.nodes;
            hf_scratch_reset(fx.cx, mark);
        }
        assert_int_equal(sum, rows[i].fewest);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_sets),
        cmocka_unit_test(agrees_with_trying),
        cmocka_unit_test(agrees_on_random_sets),
        cmocka_unit_test(against_appendix_a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
