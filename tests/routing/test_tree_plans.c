/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The registers of interval routing and FT2EI against the figures and examples of [gomez2010, 3.1 and 3.2]. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/routing/tree/plan.h"
#include "tests/oracle/fixture.h"

/* The registers of a port as text: "[4..7] [12..15]", inclusion first. */
static const char *registers_text(const hf_plan *plan, uint32_t sw, uint32_t port, char *text, size_t size) {
    hf_register reg[16];
    const size_t count = plan->routing->registers(plan, sw, port, reg, 16);
    assert_true(count <= 16);
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const char kind = strcmp(reg[i].name, "inclusion") == 0 ? '+' : '-';
        const int more = snprintf(text + used, size - used, "%s%c[%u..%u]", i ? " " : "", kind, reg[i].value.lo, reg[i].value.hi);
        assert_true(more > 0);
        used += (size_t)more;
    }
    return text;
}

static void expect(const hf_plan *plan, uint32_t sw, uint32_t port, const char *wanted) {
    char text[256];
    if (strcmp(registers_text(plan, sw, port, text, sizeof text), wanted) != 0) {
        print_error("switch %u, port %u: have %s, want %s\n", sw, port, text, wanted);
        fail();
    }
}

/* Exactly these (switch, port) pairs exclude anything. */
static void expect_excluding(const hf_plan *plan, const uint32_t (*wanted)[2], size_t n_wanted) {
    size_t found = 0;
    for (uint32_t sw = 0; sw < plan->topo->n_switch; sw++) {
        for (uint32_t port = 0; port < plan->topo->n_port_max; port++) {
            if (plan->routing->registers(plan, sw, port, NULL, 0) < 2) {
                continue;
            }
            if (found >= n_wanted || wanted[found][0] != sw || wanted[found][1] != port) {
                print_error("switch %u, port %u excludes something, but should not\n", sw, port);
                fail();
            }
            found++;
        }
    }
    assert_int_equal(found, n_wanted);
}

/* [gomez2010, 3.1]: switch 4 of the 2-ary 3-tree is <1, 00>; figure 3.2's packet comes down by switch 1 to node 2. */
static void inclusion_of_the_2_ary_3_tree(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, "interval");
    fixture_plan(&fx, "", &set, &plan);
    expect(&plan, 4, 0, "+[0..1]");
    expect(&plan, 4, 1, "+[2..3]");
    expect(&plan, 4, 2, "+[4..7]");
    expect(&plan, 4, 3, "+[4..7]");
    expect(&plan, 1, 0, "+[2..2]");
    expect(&plan, 1, 1, "+[3..3]");
    expect(&plan, 1, 2, "+[4..1]");
    expect(&plan, 8, 0, "+[0..3]");
    expect(&plan, 8, 1, "+[4..7]");
    expect(&plan, 8, 2, "");
    expect(&plan, 6, 2, "+[0..3]");
    fixture_close(&fx);
}

/* Figure 3.3: LIB_up = UIB_(k-1) + 1, UIB_up = LIB_0 - 1, modulo k^n, for every switch of trees with k not a power of two too. */
static void inclusion_follows_figure_3_3(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=4", "kary-tree:k=3,n=3", "kary-tree:k=5,n=2", "kary-tree:k=4,n=3"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        fixture fx;
        hf_tree tree;
        fixture_open(&fx, trees[i], NULL, NULL);
        assert_true(hf_tree_of(fx.topo, &tree));
        for (uint32_t sw = 0; sw < tree.n_switch - tree.width; sw++) {
            const hf_interval low = hf_tree_inclusion(&tree, sw, 0), high = hf_tree_inclusion(&tree, sw, tree.k - 1);
            for (uint32_t j = tree.k; j < 2 * tree.k; j++) {
                const hf_interval up = hf_tree_inclusion(&tree, sw, j);
                assert_int_equal(up.lo, (high.hi + 1) % tree.n_terminal);
                assert_int_equal(up.hi, (low.lo + tree.n_terminal - 1) % tree.n_terminal);
            }
        }
        fixture_close(&fx);
    }
}

/* The products of plan.h name the channels that the topology has there. */
static void arithmetic_agrees_with_the_topology(void **state) {
    (void)state;
    static const char *const trees[] = {"kary-tree:k=2,n=1", "kary-tree:k=2,n=4", "kary-tree:k=3,n=3", "kary-tree:k=6,n=2"};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        fixture fx;
        hf_tree tree;
        fixture_open(&fx, trees[i], NULL, NULL);
        assert_true(hf_tree_of(fx.topo, &tree));
        for (uint32_t sw = 0; sw < tree.n_switch; sw++) {
            const uint32_t stage = hf_tree_stage(&tree, sw);
            for (uint32_t p = 0; p < tree.k; p++) {
                assert_int_equal(hf_tree_down_channel(&tree, sw, p), hf_topology_channel_at(fx.topo, sw, p));
                const uint32_t up = hf_topology_channel_at(fx.topo, sw, tree.k + p);
                assert_int_equal(stage + 1 < tree.n ? hf_tree_up_channel(&tree, sw, p) : HF_NONE, up);
                if (stage + 1 < tree.n) {
                    assert_int_equal(hf_tree_above(&tree, sw, p), fx.topo->to[up]);
                }
                if (stage > 0) {
                    assert_int_equal(hf_tree_under(&tree, sw, p), fx.topo->to[hf_topology_channel_at(fx.topo, sw, p)]);
                }
            }
        }
        for (uint32_t t = 0; t < tree.n_terminal; t++) {
            assert_int_equal(hf_tree_injection(&tree, t), hf_topology_channel_at(fx.topo, tree.n_switch + t, 0));
        }
        fixture_close(&fx);
    }
}

/* Figure 3.6: switch 4 of the 2-ary 3-tree excludes everything on its failed up link and nothing else changes. */
static void up_fault_of_figure_3_6(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, "ft2ei");
    fixture_plan(&fx, "s4:3>", &set, &plan);
    expect(&plan, 4, 3, "+[4..7] -[0..7]");
    expect_excluding(&plan, (const uint32_t[][2]){{4, 3}}, 1);
    fixture_close(&fx);
}

/* Figure 3.7: link 1 of switch 18 of the 2-ary 4-tree. */
static void down_fault_of_figure_3_7(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "kary-tree:k=2,n=4", NULL, "ft2ei");
    fixture_plan(&fx, "s18:1>s10:3", &set, &plan);
    expect(&plan, 8, 3, "+[4..15] -[4..7]");
    expect(&plan, 12, 3, "+[12..7] -[4..7]");
    expect(&plan, 14, 3, "+[0..11] -[4..7]");
    expect_excluding(&plan, (const uint32_t[][2]){{8, 3}, {12, 3}, {14, 3}}, 3);
    fixture_rule(&fx, "ft2ei:own=yes");
    fixture_plan(&fx, "s18:1>s10:3", &set, &plan);
    expect_excluding(&plan, (const uint32_t[][2]){{8, 3}, {10, 3}, {12, 3}, {14, 3}}, 4);
    fixture_close(&fx);
}

/* [gomez2010, 3.2.2]: then link 1 of switch 22. The paper says that port 3 of switches 8, 10 and 12 already excludes [4..7]; by
 * its own rule switch 10 does not, unless own=yes. */
static void merging_after_figure_3_7(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    fixture_open(&fx, "kary-tree:k=2,n=4", NULL, "ft2ei");
    fixture_plan(&fx, "s18:1>s10:3, s22:1>s14:3", &set, &plan);
    expect(&plan, 8, 3, "+[4..15] -[4..15]");
    expect(&plan, 10, 3, "+[8..3] -[12..15]");
    expect(&plan, 12, 3, "+[12..7] -[4..15]");
    expect(&plan, 14, 3, "+[0..11] -[4..7]");
    expect_excluding(&plan, (const uint32_t[][2]){{8, 3}, {10, 3}, {12, 3}, {14, 3}}, 4);
    fixture_rule(&fx, "ft2ei:own=yes");
    fixture_plan(&fx, "s18:1>s10:3, s22:1>s14:3", &set, &plan);
    expect(&plan, 10, 3, "+[8..3] -[4..15]");
    fixture_rule(&fx, "ft2ei:intervals=2");
    fixture_plan(&fx, "s18:1>s10:3, s22:1>s14:3", &set, &plan);
    expect(&plan, 8, 3, "+[4..15] -[4..7] -[12..15]");
    fixture_close(&fx);
}

/* [gomez2010, 3.2.2]: figure 3.7 and then link 1 of switch 16: switches 8, 12 and 14 lose [4..7] altogether, and so do the ports
 * 2 of switches 0, 1, 4, 5, 6 and 7 that lead to them. */
static void propagation_after_figure_3_7(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    static const uint32_t wanted[][2] = {{0, 2}, {1, 2}, {4, 2},  {5, 2},  {6, 2},  {7, 2},
                                         {8, 2}, {8, 3}, {12, 2}, {12, 3}, {14, 2}, {14, 3}};
    fixture_open(&fx, "kary-tree:k=2,n=4", NULL, "ft2ei");
    fixture_plan(&fx, "s18:1>s10:3, s16:1>s10:2", &set, &plan);
    for (size_t i = 0; i < 6; i++) {
        hf_register reg[3];
        assert_int_equal(plan.routing->registers(&plan, wanted[i][0], 2, reg, 3), 2);
        assert_int_equal(reg[1].value.lo, 4);
        assert_int_equal(reg[1].value.hi, 7);
    }
    expect_excluding(&plan, wanted, 12);
    fixture_rule(&fx, "ft2ei:propagate=no");
    fixture_plan(&fx, "s18:1>s10:3, s16:1>s10:2", &set, &plan);
    expect_excluding(&plan, wanted + 6, 6);
    fixture_close(&fx);
}

static void specs_and_refusals(void **state) {
    (void)state;
    fixture fx;
    hf_rule rule;
    fixture_open(&fx, "kary-tree:k=2,n=3", NULL, NULL);
    fixture_ok(&fx, hf_rule_init(fx.cx, "ft2ei:own=yes,intervals=3", fx.topo, &rule));
    assert_string_equal(rule.spec, "ft2ei:intervals=3,own=yes");
    hf_rule_free(&rule);
    fixture_ok(&fx, hf_rule_init(fx.cx, "ft2ei", NULL, &rule));
    assert_string_equal(rule.spec, "ft2ei:intervals=1");
    hf_rule_free(&rule);
    assert_int_equal(hf_rule_init(fx.cx, "ft2ie", fx.topo, &rule), HF_ENOENT);
    assert_non_null(strstr(hf_context_message(fx.cx), "ft2ei"));
    assert_int_equal(hf_rule_init(fx.cx, "ft2ei:intervals=0", fx.topo, &rule), HF_ERANGE);
    assert_int_equal(hf_rule_init(fx.cx, "ft2ei:interval=2", fx.topo, &rule), HF_EINVAL);
    fixture_close(&fx);
}

/* Every healthy minimal path and nothing else, on a tree where nothing was ever planned by hand. */
static void a_cut_leaf_is_refused_at_injection(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop hops[2];
    fixture_open(&fx, "kary-tree:k=2,n=2", NULL, "updown");
    fixture_plan(&fx, "s0:2>, s0:3>", &set, &plan);
    const uint32_t terminal_0 = fx.topo->n_switch;
    assert_int_equal(hf_plan_route(&plan, terminal_0, HF_HOP_INJECTION, 1, hops), 1);
    assert_int_equal(hf_plan_route(&plan, terminal_0, HF_HOP_INJECTION, 2, hops), 0);
    assert_int_equal(hf_plan_route(&plan, terminal_0 + 2, HF_HOP_INJECTION, 0, hops), 1);
    fixture_close(&fx);
}

/* 32,768 terminals: a plan in under 0.2 s (issue 2); ten times that here, for slow machines and sanitizers. */
static void a_plan_of_the_8_ary_5_tree_is_quick(void **state) {
    (void)state;
    static const char *const rules[] = {"ft2ei", "updown"};
    fixture fx;
    uint32_t component[20];
    hf_random random;
    fixture_open(&fx, "kary-tree:k=8,n=5", "channels", NULL);
    hf_random_init(&random, 5, HF_PURPOSE_TEST, 0);
    hf_random_subset(&random, fx.universe->n_component, 20, component);
    for (size_t i = 0; i < 2; i++) {
        hf_fault_set set;
        hf_plan plan;
        fixture_rule(&fx, rules[i]);
        const clock_t begin = clock();
        fixture_plan_set(&fx, component, 20, &set, &plan);
        const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        print_message("%s on the 8-ary 5-tree, 20 channels: %.4f s\n", rules[i], seconds);
        assert_true(seconds < 2);
    }
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inclusion_of_the_2_ary_3_tree),
        cmocka_unit_test(inclusion_follows_figure_3_3),
        cmocka_unit_test(arithmetic_agrees_with_the_topology),
        cmocka_unit_test(up_fault_of_figure_3_6),
        cmocka_unit_test(down_fault_of_figure_3_7),
        cmocka_unit_test(merging_after_figure_3_7),
        cmocka_unit_test(propagation_after_figure_3_7),
        cmocka_unit_test(specs_and_refusals),
        cmocka_unit_test(a_cut_leaf_is_refused_at_injection),
        cmocka_unit_test(a_plan_of_the_8_ary_5_tree_is_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
