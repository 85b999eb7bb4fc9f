/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DESTRO-FT tolerates exactly the sets that FT2EI does with unlimited intervals, one path a pair; its registers are the rule;
 *  how balanced it stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/combination.h>

#include "src/routing/tree/fir.h"
#include "tests/oracle/fixture.h"

/* ---- all sets ---- */

typedef struct span {
    const char *topo, *universe;
    uint32_t f_max;
} span;

/** The 2-ary 3-tree has 32 channels, hence 41,449 sets; the 4-ary 2-tree 16 links, hence all 65,536. */
static const span spans[] = {
    {"kary-tree:k=2,n=3", "channels", 4}, {"kary-tree:k=3,n=2", "channels", 4}, {"kary-tree:k=3,n=2", "links", 9},
    {"kary-tree:k=4,n=2", "links", 16},   {"kary-tree:k=2,n=3", "links", 5},
};

static bool verdict_of(const fixture *fx, hf_judge *judge, const uint32_t *component, uint32_t f) {
    hf_measure measure;
    for (uint32_t i = 0; i < f; i++) {
        fixture_ok(fx, judge->ops->push(fx->cx, judge, component[i]));
    }
    fixture_ok(fx, judge->ops->read(fx->cx, judge, &measure));
    for (uint32_t i = 0; i < f; i++) {
        judge->ops->pop(judge);
    }
    return measure.tolerated;
}

static bool tolerates(fixture *fx, const uint32_t *component, uint32_t f) {
    const hf_mark mark = hf_scratch_mark(fx->cx);
    hf_fault_set set;
    hf_plan plan;
    hf_verdict verdict;
    fixture_plan_set(fx, component, f, &set, &plan);
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &plan, fixture_criterion(fx, "all-pairs"), false, &verdict));
    hf_scratch_reset(fx->cx, mark);
    return verdict.tolerated;
}

/** Next ascending subset of size f of [0, m). */
static bool advance(uint32_t *c, uint32_t f, uint32_t m) {
    uint32_t i = f;
    while (i > 0 && c[i - 1] == m - f + i - 1) {
        i--;
    }
    if (i == 0) {
        return false;
    }
    c[i - 1]++;
    for (; i < f; i++) {
        c[i] = c[i - 1] + 1;
    }
    return true;
}

static uint64_t compare_sets(fixture *fx, hf_judge *judge, uint32_t f, uint64_t *n_tolerated) {
    uint32_t c[16];
    uint64_t n = 0;
    for (uint32_t i = 0; i < f; i++) {
        c[i] = i;
    }
    do {
        const bool want = verdict_of(fx, judge, c, f);
        assert_int_equal(tolerates(fx, c, f), want);
        *n_tolerated += want;
        n++;
    } while (advance(c, f, fx->universe->n_component));
    return n;
}

static void tolerates_what_ft2ei_does(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        fixture fx;
        hf_rule ft2ei;
        hf_judge *judge;
        uint64_t n = 0, n_tolerated = 0;
        fixture_open(&fx, spans[i].topo, spans[i].universe, "destro-ft");
        fixture_ok(&fx, hf_rule_init(fx.cx, "ft2ei:intervals=unlimited", fx.topo, &ft2ei));
        fixture_ok(&fx, hf_judge_new(fx.cx, fx.universe, &ft2ei, fixture_criterion(&fx, "all-pairs"), &judge));
        for (uint32_t f = 0; f <= spans[i].f_max; f++) {
            n += compare_sets(&fx, judge, f, &n_tolerated);
        }
        print_message("%s, %s: %llu sets, %llu tolerated by both\n", spans[i].topo, spans[i].universe, (unsigned long long)n,
                      (unsigned long long)n_tolerated);
        hf_judge_free(judge);
        hf_rule_free(&ft2ei);
        fixture_close(&fx);
    }
}

/* ---- without faults, and registers ---- */

static void is_destro_without_faults(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan, other;
    fixture_open(&fx, "kary-tree:k=3,n=3", NULL, "destro-ft");
    fixture_plan(&fx, "", &set, &plan);
    hf_rule destro;
    fixture_ok(&fx, hf_rule_init(fx.cx, "destro", fx.topo, &destro));
    fixture_ok(&fx, hf_plan_make(fx.cx, &destro, &set, &other));
    for (uint32_t v = 0; v < fx.topo->n_node; v++) {
        for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
            hf_hop a, b;
            assert_int_equal(hf_plan_route(&plan, v, HF_HOP_INJECTION, d, &a), 1);
            assert_int_equal(hf_plan_route(&other, v, HF_HOP_INJECTION, d, &b), 1);
            assert_int_equal(a.channel, b.channel);
        }
    }
    hf_rule_free(&destro);
    fixture_close(&fx);
}

/** Is up port k + j open for d, by its exclusion registers? */
static bool is_open(const hf_plan *plan, uint32_t sw, uint32_t port, uint32_t d) {
    hf_register list[16];
    const size_t n = plan->routing->registers(plan, sw, port, list, 16);
    assert_true(n <= 16);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(list[i].name, "exclusion") == 0 && list[i].value.lo <= d && d <= list[i].value.hi) {
            return false;
        }
    }
    return true;
}

/** The up port that the registers give: docs/destro-ft.md. */
static uint32_t by_registers(const hf_plan *plan, const hf_tree *tree, uint32_t sw, uint32_t d) {
    const uint32_t k = tree->k, s = hf_tree_stage(tree, sw);
    const uint32_t away = (hf_tree_digit(tree, d, s + 1) + k - hf_tree_digit(tree, sw % tree->width, s)) % k;
    uint32_t own = HF_NONE;
    for (uint32_t port = k; port < 2 * k; port++) {
        hf_fir fir;
        assert_true(hf_fir_destro(tree, sw, port, &fir));
        own = hf_fir_takes(&fir, d) ? port - k : own;
    }
    for (uint32_t i = 0; i < k; i++) {
        const uint32_t turn = ((away ? away : k - 1) + i + k - 3) % (k - 1);
        const uint32_t j = i == 0 ? own : (own + 1 + turn) % k;
        if (is_open(plan, sw, k + j, d)) {
            return k + j;
        }
    }
    return HF_NONE;
}

static void registers_are_the_rule(void **state) {
    (void)state;
    static const char *const list[][2] = {{"kary-tree:k=4,n=3", "s0:4>, s20:5>, s33:1>, s17:2"},
                                          {"kary-tree:k=2,n=4", "s18:1>, s0:2>, s9:3, s22:0>"},
                                          {"kary-tree:k=4,n=2", "s4:0>, s5:0>, s0:6"}};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_tree tree;
        fixture_open(&fx, list[i][0], NULL, "destro-ft");
        fixture_plan(&fx, list[i][1], &set, &plan);
        assert_true(hf_tree_of(fx.topo, &tree));
        for (uint32_t sw = 0; sw + tree.width < tree.n_switch; sw++) {
            for (uint32_t d = 0; d < tree.n_terminal; d++) {
                hf_hop hop;
                if (hf_tree_is_below(&tree, sw, d)) {
                    continue;
                }
                const size_t n = hf_plan_route(&plan, sw, HF_HOP_INJECTION, d, &hop);
                assert_int_equal(n ? fx.topo->from_port[hop.channel] : HF_NONE, by_registers(&plan, &tree, sw, d));
            }
        }
        fixture_close(&fx);
    }
}

/* ---- balance ---- */

/** Largest number of paths on a channel, over all single links that fail. */
static uint64_t worst_load(const char *topo, bool *has_none) {
    fixture fx;
    uint64_t worst = 0;
    fixture_open(&fx, topo, "links", "destro-ft");
    for (uint32_t c = 0; c < fx.universe->n_component; c++) {
        hf_fault_set set;
        hf_plan plan;
        hf_measure measure = {0};
        fixture_plan_set(&fx, &c, 1, &set, &plan);
        fixture_ok(&fx, hf_tolerance_measure(fx.cx, &fx.rule, &plan, fixture_criterion(&fx, "all-pairs"), &measure));
        worst = measure.extra[0] > worst ? measure.extra[0] : worst;
        *has_none |= measure.lost_paths == 0;
    }
    fixture_close(&fx);
    return worst;
}

/** One dead link of the 4-ary 2-tree: its 12 destinations go over 3 other up ports, 4 each more than 12; down likewise. */
static void displaced_paths_are_spread(void **state) {
    (void)state;
    bool has_none = false;
    const uint64_t four = worst_load("kary-tree:k=4,n=2", &has_none), eight = worst_load("kary-tree:k=8,n=2", &has_none);
    print_message("largest load with a dead link: 4-ary 2-tree %llu of 12, 8-ary 2-tree %llu of 56\n", (unsigned long long)four,
                  (unsigned long long)eight);
    assert_int_equal(four, 12 + 4);
    assert_int_equal(eight, 56 + 8);
    assert_false(has_none);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tolerates_what_ft2ei_does), cmocka_unit_test(is_destro_without_faults),
                                       cmocka_unit_test(registers_are_the_rule), cmocka_unit_test(displaced_paths_are_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
