/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Exact minima by programs against walks over all sets of 0, 1, 2, ... components, judged by the words of the paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/tolerance.h>

#include "tests/oracle/fixture.h"
#include "tests/oracle/multipath_oracle.h"

enum { F_MAX = 4 };

typedef struct walk {
    fixture *fx;
    multipath_policy policy;
    multipath_answer answer;
    uint32_t component[F_MAX];
    bool isolates, breaks;
} walk;

static void look(walk *w, uint32_t f) {
    const hf_mark mark = hf_scratch_mark(w->fx->cx);
    hf_fault_set set;
    fixture_ok(w->fx, hf_fault_set_make(w->fx->cx, w->fx->universe, w->component, f, &set));
    multipath_oracle(&set, POLICY_IO_ISOLATION, false, false, &w->answer);
    w->isolates |= w->answer.lost > 0;
    multipath_oracle(&set, w->policy, false, false, &w->answer);
    w->breaks |= !w->answer.tolerated || w->fx->topo->n_terminal - w->answer.lost < 2;
    hf_scratch_reset(w->fx->cx, mark);
}

static void all_sets(walk *w, uint32_t from, uint32_t at, uint32_t f) {
    if (at == f) {
        look(w, f);
        return;
    }
    for (uint32_t c = from; c < w->fx->universe->n_component; c++) {
        w->component[at] = c;
        all_sets(w, c + 1, at + 1, f);
    }
}

static void expect(const hf_fewest *have, uint32_t f, bool does) {
    if (have->is_possible) {
        assert_true(does == (f >= have->n));
    } else {
        assert_false(does);
    }
}

static uint32_t compare(const char *topo, const char *universe, const char *rule, multipath_policy policy) {
    fixture fx;
    hf_fewest isolate, broken;
    fixture_open(&fx, topo, universe, rule);
    fixture_ok(&fx, hf_fewest_isolate(fx.cx, fx.universe, &isolate));
    fixture_ok(&fx, hf_fewest_break(fx.cx, fx.universe, &fx.rule, 12, &broken));
    assert_true(isolate.is_exact && (broken.is_exact || broken.source == HF_NONE));
    walk w = {.fx = &fx, .policy = policy};
    w.answer.live = malloc(fx.topo->n_terminal);
    w.answer.blocked = malloc(fx.topo->n_switch);
    const uint32_t most = fx.universe->n_component <= 12 ? F_MAX : fx.universe->n_component <= 20 ? 3 : 2;
    for (uint32_t f = 0; f <= most;
         f++) { /* supersets of a set that isolates do so too; of one that is not tolerated perhaps not */
        w.isolates = w.breaks = false;
        all_sets(&w, 0, 0, f);
        expect(&isolate, f, w.isolates);
        if (broken.is_exact && (!broken.is_possible || f <= broken.n)) {
            expect(&broken, f, w.breaks);
        }
    }
    if (broken.is_possible) {
        hf_fault_set set;
        fixture_ok(&fx, hf_fault_set_make(fx.cx, fx.universe, broken.component, broken.n, &set));
        multipath_oracle(&set, policy, false, false, &w.answer);
        assert_true(!w.answer.tolerated || fx.topo->n_terminal - w.answer.lost < 2);
    }
    const uint32_t n = broken.is_possible ? broken.n : 0;
    free(w.answer.live);
    free(w.answer.blocked);
    fixture_close(&fx);
    return n;
}

static void like_all_sets(void **state) {
    (void)state;
    static const char *const topo[] = {"multibutterfly:radix=2,stages=2", "maximal-fanout:radix=2,stages=3",
                                       "multibutterfly:radix=3,dilation=3,stages=2",
                                       "multibutterfly:radix=2,dilation=1,stages=3"};
    static const char *const universe[] = {"routers", "chips", "links", "terminal-links"};
    static const struct {
        const char *rule;
        multipath_policy policy;
    } rule[] = {{"multipath", POLICY_NONE},
                {"multipath:live=io-isolation", POLICY_IO_ISOLATION},
                {"multipath:live=multi-hop", POLICY_MULTI_HOP},
                {"multipath:live=fault-propagation", POLICY_FAULT_PROPAGATION}};
    uint32_t seen[16] = {0};
    for (size_t i = 0; i < 64; i++) {
        const uint32_t n = compare(topo[i / 16], universe[i / 4 % 4], rule[i % 4].rule, rule[i % 4].policy);
        seen[n < 16 ? n : 15]++;
    }
    print_message("%u never, %u by 1, %u by 2, %u by 3, %u by 4\n", seen[0], seen[1], seen[2], seen[3], seen[4]);
    assert_true(seen[1] > 5 && seen[2] > 5 && seen[3] > 2);
}

static void refusals(void **state) {
    (void)state;
    static const char *const rule[] = {"minimal", "multipath:live=fault-propagation,blocked=all", "multipath"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        hf_fewest out;
        fixture_open(&fx, i < 2 ? "maximal-fanout:radix=2,stages=4" : "multibutterfly:radix=4,stages=4",
                     i < 2 ? "routers" : "chips", rule[i]);
        assert_int_equal(hf_fewest_break(fx.cx, fx.universe, &fx.rule, 1, &out), HF_ENOTSUP);
        fixture_close(&fx);
    }
}

/** The machine of [chong1992, figure 2]: two routers isolate an endpoint, and two break every policy but fault propagation. */
static void figure_2(void **state) {
    (void)state;
    static const char *const rule[] = {"multipath", "multipath:live=io-isolation"};
    for (size_t i = 0; i < 4; i++) {
        fixture fx;
        hf_fewest out;
        fixture_open(&fx, "maximal-fanout:radix=2,dilation=2,stages=4", i / 2 ? "chips" : "routers", rule[i % 2]);
        fixture_ok(&fx, hf_fewest_break(fx.cx, fx.universe, &fx.rule, 100, &out));
        assert_true(out.is_exact && out.is_possible && out.n == 2);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_all_sets), cmocka_unit_test(refusals), cmocka_unit_test(figure_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
