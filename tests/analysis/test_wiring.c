/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Checks of multipath wirings against the paths of every pair and against sets of routers taken one by one; and the promise of
 *  maximal-fanout networks [chong1992, 2]. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>

#include "tests/oracle/fixture.h"

static uint32_t stage_of(const hf_topology *topo, uint32_t sw) { return hf_topology_attribute(topo, "stage")->of_switch[sw]; }
static uint32_t class_of(const hf_topology *topo, uint32_t sw) { return topo->coord[2 * (size_t)sw]; }

/** Routers of each stage on the paths of every pair, the least and the most. */
static void fanout_by_pairs(fixture *fx, const hf_wiring *have) {
    uint32_t least[8], most[8] = {0};
    hf_fault_set set;
    hf_plan plan;
    for (uint32_t s = 0; s < 8; s++) {
        least[s] = UINT32_MAX;
    }
    fixture_rule(fx, "multipath");
    fixture_plan(fx, "", &set, &plan);
    for (uint32_t pair = 0; pair < fx->topo->n_terminal * fx->topo->n_terminal; pair++) {
        const uint32_t a = pair / fx->topo->n_terminal, b = pair % fx->topo->n_terminal;
        const hf_mark mark = hf_scratch_mark(fx->cx);
        hf_pair_paths paths;
        uint32_t count[8] = {0};
        if (a == b) {
            continue;
        }
        fixture_ok(fx, hf_paths_of_pair(fx->cx, &plan, a, b, &paths));
        for (uint32_t v = 0; v < fx->topo->n_switch; v++) {
            count[stage_of(fx->topo, v)] += hf_bit_test(paths.node_set, v);
        }
        for (uint32_t s = 0; s < have->n_stage; s++) {
            least[s] = count[s] < least[s] ? count[s] : least[s];
            most[s] = count[s] > most[s] ? count[s] : most[s];
        }
        hf_scratch_reset(fx->cx, mark);
    }
    for (uint32_t s = 0; s < have->n_stage; s++) {
        assert_int_equal(have->stage[s].fanout_least, least[s]);
        assert_int_equal(have->stage[s].fanout_most, most[s]);
        assert_true(most[s] <= have->stage[s].most);
    }
}

/** Routers of class `to` that some of the routers in `set` lead to. */
static uint32_t led_to(const hf_topology *topo, const uint32_t *set, uint32_t k, uint32_t stage, uint32_t to) {
    uint32_t n = 0;
    for (uint32_t v = 0; v < topo->n_switch; v++) {
        bool is_met = false;
        for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
            for (uint32_t m = 0; m < k; m++) {
                is_met |= topo->from[topo->in_list[i]] == set[m];
            }
        }
        n += is_met && stage_of(topo, v) == stage + 1 && class_of(topo, v) == to;
    }
    return n;
}

static void expansion_one_by_one(const hf_topology *topo, const hf_wiring *have, uint32_t radix) {
    uint32_t least[8][3] = {{0}};
    for (uint32_t code = 0; code < topo->n_switch * topo->n_switch * topo->n_switch; code++) {
        const uint32_t set[3] = {code % topo->n_switch, code / topo->n_switch % topo->n_switch,
                                 code / topo->n_switch / topo->n_switch};
        const uint32_t s = stage_of(topo, set[0]), c = class_of(topo, set[0]);
        bool same = set[0] <= set[1] && set[1] <= set[2] && s + 1 < have->n_stage;
        for (size_t i = 1; i < 3; i++) {
            same = same && stage_of(topo, set[i]) == s && class_of(topo, set[i]) == c;
        }
        const uint32_t k = 1 + (set[1] != set[0]) + (set[2] != set[1]);
        const uint32_t distinct[3] = {set[0], set[1] != set[0] ? set[1] : set[2], set[2]};
        for (uint32_t j = 0; same && j < radix; j++) {
            const uint32_t n = led_to(topo, distinct, k, s, c * radix + j);
            uint32_t *slot = &least[s][k - 1];
            *slot = *slot == 0 || n < *slot ? n : *slot;
        }
    }
    for (uint32_t s = 0; s < have->n_stage; s++) {
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(have->stage[s].expansion[k], least[s][k]);
        }
    }
}

static void like_one_by_one(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint32_t radix;
    } net[] = {{"multibutterfly:radix=2,stages=4,seed=1", 2},
               {"multibutterfly:radix=2,stages=4,seed=2,inputs=clustered", 2},
               {"maximal-fanout:radix=2,stages=4", 2},
               {"maximal-fanout:radix=2,stages=4,wiring=random,inputs=random", 2},
               {"multibutterfly:radix=3,dilation=3,stages=3", 3},
               {"multibutterfly:radix=3,dilation=1,stages=3", 3}};
    for (size_t i = 0; i < sizeof net / sizeof *net; i++) {
        fixture fx;
        hf_wiring have;
        fixture_open(&fx, net[i].spec, NULL, NULL);
        fixture_ok(&fx, hf_wiring_check(fx.cx, fx.topo, &have));
        assert_true(have.is_connected);
        fanout_by_pairs(&fx, &have);
        expansion_one_by_one(fx.topo, &have, net[i].radix);
        fixture_close(&fx);
    }
}

/** Maximal fanout as far as it can extend: to the middle where radix equals dilation, two thirds where radix is its square. */
static void fanout_is_maximal(void **state) {
    (void)state;
    static const struct {
        const char *shape;
        uint32_t to;
    } net[] = {{"radix=2,dilation=2,stages=4", 1}, {"radix=2,dilation=2,stages=6", 2}, {"radix=4,dilation=2,stages=5", 2},
               {"radix=4,dilation=4,stages=4", 1}, {"radix=9,dilation=3,stages=3", 1}, {"radix=6,dilation=2,stages=4", 1}};
    static const char *const wiring[] = {"", ",inputs=random", ",wiring=random", ",wiring=random,inputs=random,seed=7"};
    for (size_t i = 0; i < 4 * sizeof net / sizeof *net; i++) {
        fixture fx;
        hf_wiring have;
        char spec[128];
        (void)snprintf(spec, sizeof spec, "maximal-fanout:%s%s", net[i / 4].shape, wiring[i % 4]);
        fixture_open(&fx, spec, NULL, NULL);
        fixture_ok(&fx, hf_wiring_check(fx.cx, fx.topo, &have));
        assert_true(have.is_connected);
        assert_int_equal(have.can_to, net[i / 4].to);
        if (have.full_to != have.can_to) {
            fail_msg("%s: fanout is maximal up to stage %u", spec, have.full_to);
        }
        fixture_close(&fx);
    }
}

static void other_networks(void **state) {
    (void)state;
    fixture fx;
    hf_wiring have;
    fixture_open(&fx, "butterfly:k=2,n=3", NULL, NULL);
    fixture_ok(&fx, hf_wiring_check(fx.cx, fx.topo, &have));
    assert_true(have.is_connected && have.n_stage == 0);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_one_by_one), cmocka_unit_test(fanout_is_maximal),
                                       cmocka_unit_test(other_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
