/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The sets that do most harm, against all sets measured from the relation: the most and how many do it, where all are looked
 *  at; what a search finds and its bound, where it looks at few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>
#include <holdfast/question.h>

#include "tests/oracle/fixture.h"

/** The slow twin: what one set does. \return HF_UNKNOWN: not measured */
static uint64_t harm_of(fixture *fx, const hf_criterion *criterion, hf_harm_kind kind, const uint32_t *set, uint32_t f) {
    const hf_mark mark = hf_scratch_mark(fx->cx);
    const size_t n = fx->topo->n_terminal;
    hf_fault_set faults;
    hf_plan plan;
    hf_verdict verdict;
    hf_measure measure;
    fixture_plan_set(fx, set, f, &faults, &plan);
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, criterion, true, &verdict));
    uint64_t harm = 0;
    for (size_t i = 0; i < n * n; i++) {
        harm += hf_bit_test(verdict.bad_pair, i);
    }
    if (kind != HF_HARM_PAIRS) {
        fixture_ok(fx, hf_tolerance_measure(fx->cx, &fx->rule, &plan, criterion, &measure));
        harm = kind == HF_HARM_VICTIMS ? (measure.has_victims ? measure.victims : HF_UNKNOWN)
                                       : (measure.has_lost_paths ? measure.lost_paths : HF_UNKNOWN);
    }
    hf_scratch_reset(fx->cx, mark);
    return harm;
}

static uint64_t slow(fixture *fx, const hf_criterion *criterion, hf_harm_kind kind, uint32_t f, uint64_t *sets) {
    uint32_t set[8], keep;
    uint64_t most = 0;
    hf_lex_unrank(fx->universe->n_component, f, 0, set);
    *sets = 0;
    do {
        const uint64_t harm = harm_of(fx, criterion, kind, set, f);
        *sets = harm > most ? 0 : *sets;
        most = harm > most ? harm : most;
        *sets += harm == most;
    } while (hf_lex_next(fx->universe->n_component, f, set, &keep));
    return most;
}

static hf_harm find(fixture *fx, const hf_criterion *criterion, hf_harm_kind kind, uint32_t f, uint64_t sets_most) {
    const uint32_t seed = 0;
    const hf_harm_request request = {.universe = fx->universe,
                                     .rule = &fx->rule,
                                     .criterion = criterion,
                                     .kind = kind,
                                     .f = f,
                                     .sets_most = sets_most,
                                     .seed = &seed,
                                     .n_seed = 1,
                                     .threads = 1};
    hf_harm out;
    fixture_ok(fx, hf_harm_find(fx->cx, &request, &out));
    return out;
}

static const struct {
    const char *topo, *rule, *universe, *criterion;
} cases[] = {
    {"kary-tree:k=2,n=3", "updown", "links", "all-pairs"}, {"kary-tree:k=2,n=2", "ft2ei", "channels", "all-pairs"},
    {"kary-tree:k=2,n=2", "destro", "links", "all-pairs"}, {"torus:dims=3x3", "dor", "links", "all-pairs"},
    {"mesh:dims=3x3", "minimal", "links", "all-pairs"},    {"mesh:dims=3x3", "minimal", "links+switches", "surviving"},
    {"mesh:dims=2x4", "dor", "links", "all-pairs"},        {"ring:n=6", "immunet", "links", "all-pairs"},
    {"ring:n=5", "updown-graph", "channels", "connected"}, {"mesh:dims=3x3", "solid-fault", "links", "all-pairs"},
    {"omega:k=2,n=3", "minimal", "links", "all-pairs"},    {"mesh:dims=3x3", "o1turn", "channels", "all-pairs"},
    {"torus:dims=3x3", "dor", "switches", "all-pairs"},    {"mesh:dims=2x3", "dor", "links+terminal-links", "all-pairs"}};

static void like_all_sets(void **state) {
    (void)state;
    uint32_t exact = 0, bounded = 0;
    for (size_t i = 0; i < 3 * 3 * (sizeof cases / sizeof *cases); i++) {
        const hf_harm_kind kind = (hf_harm_kind)(i % 3);
        const uint32_t f = 1 + (uint32_t)(i / 3 % 3), c = (uint32_t)(i / 9);
        fixture fx;
        uint64_t sets;
        hf_rule rule;
        fixture_open(&fx, cases[c].topo, cases[c].universe, NULL);
        if (hf_rule_init(fx.cx, cases[c].rule, fx.topo, &rule) != HF_OK) {
            fixture_close(&fx);
            continue;
        }
        fx.rule = rule;
        const hf_criterion *criterion = fixture_criterion(&fx, cases[c].criterion);
        const uint64_t most = slow(&fx, criterion, kind, f, &sets);
        const hf_harm all = find(&fx, criterion, kind, f, 100000);
        const hf_harm few = find(&fx, criterion, kind, f, (uint64_t)fx.universe->n_component * 3);
        if (all.is_known && (!all.is_exact || all.most != most || all.sets != sets)) {
            fail_msg("%s, %s, %s, f=%u: %llu by %llu sets, want %llu by %llu", cases[c].topo, cases[c].rule, hf_harm_name(kind),
                     f, (unsigned long long)all.most, (unsigned long long)all.sets, (unsigned long long)most,
                     (unsigned long long)sets);
        }
        assert_true(all.is_known || most == HF_UNKNOWN || all.looked > 0);
        if (all.is_known && few.is_known) {
            assert_true(!few.has_set || few.most == harm_of(&fx, criterion, kind, few.component, f));
            assert_true(few.most <= most && (few.bound == HF_UNKNOWN || few.bound >= most) &&
                        (!few.is_exact || few.most == most));
            exact += few.is_exact && few.looked <= 3 * fx.universe->n_component;
            bounded += !few.is_exact && few.bound != HF_UNKNOWN;
        }
        fixture_close(&fx);
    }
    assert_true(exact > 5 && bounded > 5);
}

/** A region of a torus is what so many links cut off best. */
static void regions(void **state) {
    (void)state;
    static const struct {
        uint32_t f;
        uint64_t most; /**< 2 * region * rest */
    } want[] = {{4, 2 * 1 * 35}, {6, 2 * 2 * 34}, {8, 2 * 4 * 32}, {12, 2 * 9 * 27}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        fixture fx;
        fixture_open(&fx, "torus:dims=6x6", "links", "minimal");
        const hf_harm h = find(&fx, fixture_criterion(&fx, "all-pairs"), HF_HARM_PAIRS, want[i].f, 1000);
        assert_true(h.is_known && h.has_set && h.most >= want[i].most && h.bound == 36 * 35);
        fixture_close(&fx);
    }
}

static void refusals(void **state) {
    (void)state;
    fixture fx;
    hf_harm out;
    fixture_open(&fx, "ring:n=5", "links", "minimal");
    const hf_harm_request request = {
        .universe = fx.universe, .rule = &fx.rule, .criterion = fixture_criterion(&fx, "all-pairs"), .f = 6, .sets_most = 10};
    assert_int_equal(hf_harm_find(fx.cx, &request, &out), HF_EINVAL);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_all_sets), cmocka_unit_test(regions), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
