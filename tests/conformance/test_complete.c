/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Rules that claim to serve all pairs where all terminals are connected, and nowhere else, against a search of the network:
 *  random sets of every size on every family. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"

enum { SETS = 40 };

static const struct {
    const char *spec;
    bool takes_links; /**< both channels of each link that is taken */
} universes[] = {
    {"links", true}, {"links+terminal-links", true}, {"switches", true}, {"links+switches", true}, {"channels", false}};

static bool is_tolerated(fixture *fx, const uint32_t *component, uint32_t f) {
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    fixture_plan_set(fx, component, f, &set, &plan);
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, fixture_criterion(fx, "all-pairs"), false, &verdict));
    return verdict.tolerated;
}

static bool is_connected(fixture *fx, const uint32_t *component, uint32_t f) {
    hf_fault_set set;
    bool out;
    fixture_ok(fx, hf_fault_set_make(fx->cx, fx->universe, component, f, &set));
    fixture_ok(fx, hf_connectivity_all(fx->cx, &set, &out));
    return out;
}

/** \param[in,out] seen connected sets, parted sets */
static void check_sets(fixture *fx, uint64_t seen[2]) {
    const uint32_t m = fx->universe->n_component;
    for (uint32_t seed = 0; seed < SETS; seed++) {
        const hf_mark mark = hf_scratch_mark(fx->cx);
        hf_random random;
        uint32_t *component;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 2);
        const uint32_t f = (uint32_t)hf_random_below(&random, (seed % 4 == 0 ? m : m < 9 ? m : 9) + 1);
        fixture_ok(fx, hf_scratch(fx->cx, m, sizeof *component, (void **)&component));
        hf_random_subset(&random, m, f, component);
        const bool want = is_connected(fx, component, f);
        seen[want]++;
        if (is_tolerated(fx, component, f) != want) {
            fail_msg("%s, %s, %s, seed %u: not what connectivity says", fx->topo->spec, fx->rule.spec, fx->universe->spec, seed);
        }
        hf_scratch_reset(fx->cx, mark);
    }
}

static void check_rule(const char *topo, const hf_routing *routing, const char *universe, bool takes_links, uint64_t seen[2]) {
    fixture fx;
    fixture_open(&fx, topo, NULL, NULL);
    if (hf_rule_init(fx.cx, routing->name, fx.topo, &fx.rule) == HF_OK) {
        const unsigned traits = hf_rule_traits(&fx.rule);
        const bool claims = (traits & HF_ROUTING_COMPLETE) || ((traits & HF_ROUTING_COMPLETE_BY_LINKS) && takes_links);
        if (claims && hf_universe_new(fx.cx, fx.topo, universe, NULL, &fx.universe) == HF_OK) {
            check_sets(&fx, seen);
        }
    }
    fixture_close(&fx);
}

static void complete_rules_serve_the_connected(void **state) {
    (void)state;
    uint32_t n_complete = 0;
    for (size_t r = 0; r < hf_routing_count(); r++) {
        const hf_routing *routing = hf_routing_at(r);
        uint64_t seen[2] = {0};
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            for (size_t t = 0; t < N_TOPOLOGY_SPEC; t++) {
                check_rule(topology_specs[t], routing, universes[u].spec, universes[u].takes_links, seen);
            }
        }
        n_complete += seen[1] > 0;
        assert_true(seen[1] == 0 || (seen[0] > 100 && seen[1] > 100));
    }
    assert_true(n_complete >= 5); /* minimal, immunet, updown-graph, layered-shortest, dfsssp */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(complete_rules_serve_the_connected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
