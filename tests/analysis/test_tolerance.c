/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The relation, the judges and the registers against explicit enumeration of paths (tests/oracle): all fault sets of small
 *  trees and random ones of larger ones, for every rule and kind of universe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/combination.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"
#include "tests/oracle/tree_oracle.h"
#include "tests/support/share.h"

enum { F_MAX = 20, N_CRITERION = 3 };
static const char *const criterion_name[N_CRITERION] = {"all-pairs", "connected", "surviving"};

/* One rule on one universe, with its slow and fast answers. */
typedef struct trial {
    fixture fx;
    oracle *twin;
    const oracle_rule *rule;
    const hf_criterion *criterion[N_CRITERION];
    hf_judge *judge[N_CRITERION];
    const uint32_t *component;
    uint32_t f;
    uint32_t k, n;
    uint64_t seed;
} trial;

static void blame(const trial *t, const char *what, uint64_t have, uint64_t want) {
    if (have == want) {
        return;
    }
    print_error("%s on %s, %s, seed %llu: %s is %llu, want %llu; components", t->rule->spec, t->fx.topo->spec,
                t->fx.universe->spec, (unsigned long long)t->seed, what, (unsigned long long)have, (unsigned long long)want);
    for (uint32_t i = 0; i < t->f; i++) {
        char name[64];
        hf_universe_name(t->fx.universe, t->component[i], name, sizeof name);
        print_error(" %s", name);
    }
    print_error("\n");
    fail();
}

static void open_trial(trial *t, const char *topo, uint32_t k, uint32_t n, const char *universe, const oracle_rule *rule) {
    memset(t, 0, sizeof *t);
    fixture_open(&t->fx, topo, universe, rule->spec);
    t->twin = oracle_new(t->fx.topo, k, n);
    t->rule = rule;
    t->k = k;
    t->n = n;
    for (size_t i = 0; i < N_CRITERION; i++) {
        t->criterion[i] = fixture_criterion(&t->fx, criterion_name[i]);
        fixture_ok(&t->fx, hf_judge_new(t->fx.cx, t->fx.universe, &t->fx.rule, t->criterion[i], &t->judge[i]));
    }
}

static void close_trial(trial *t) {
    for (size_t i = 0; i < N_CRITERION; i++) {
        hf_judge_free(t->judge[i]);
    }
    oracle_free(t->twin);
    fixture_close(&t->fx);
}

static bool twin_tolerates(const oracle_measure *m, size_t criterion) {
    return criterion == 0 ? m->all_pairs : criterion == 1 ? m->connected : m->surviving;
}

static void compare_judges(trial *t, const oracle_measure *want, bool all_criteria) {
    for (size_t i = 0; i < (all_criteria ? N_CRITERION : 1); i++) {
        hf_judge *judge = t->judge[i];
        hf_measure have;
        for (uint32_t c = 0; c < t->f; c++) {
            fixture_ok(&t->fx, judge->ops->push(t->fx.cx, judge, t->component[c]));
        }
        fixture_ok(&t->fx, judge->ops->read(t->fx.cx, judge, &have));
        for (uint32_t c = 0; c < t->f; c++) {
            judge->ops->pop(judge);
        }
        blame(t, criterion_name[i], have.tolerated, twin_tolerates(want, i));
        blame(t, "judge's victims", have.victims, want->victims);
        blame(t, "judge's lost paths", have.lost_paths, want->lost_paths);
    }
}

static void compare_registers(const trial *t, const hf_plan *plan) {
    const hf_topology *topo = t->fx.topo;
    const uint32_t k = t->k, n_lower = topo->n_switch - topo->n_switch / t->n;
    for (uint32_t sw = 0; sw < n_lower && t->rule->kind == ORACLE_FT2EI; sw++) {
        for (uint32_t j = 0; j < k; j++) {
            hf_register reg[1 + 64];
            const size_t count = plan->routing->registers(plan, sw, k + j, reg, 65);
            blame(t, "registers", count == 0 ? 0 : count - 1, count == 0 ? 0 : oracle_register_count(t->twin, sw, j));
            for (size_t i = 1; i < count; i++) {
                uint64_t mask = 0;
                for (uint32_t x = 0; x < topo->n_terminal; x++) {
                    mask |= (uint64_t)hf_interval_has(reg[i].value, x) << x;
                }
                blame(t, "a register's destinations", mask, oracle_register(t->twin, sw, j, (uint32_t)i - 1));
            }
        }
    }
}

static void compare_pairs(trial *t, const hf_plan *plan) {
    const uint32_t n = t->fx.topo->n_terminal;
    hf_verdict verdict;
    fixture_ok(&t->fx, hf_tolerance_judge(t->fx.cx, plan, t->criterion[0], true, &verdict));
    uint64_t unserved = 0, unsafe = 0;
    for (uint32_t p = 0; p < n; p++) {
        for (uint32_t q = 0; q < n; q++) {
            const oracle_pair pair = p == q ? (oracle_pair){1, false} : oracle_walk(t->twin, p, q);
            blame(t, "a pair's mark", hf_bit_test(verdict.bad_pair, (size_t)p * n + q), pair.complete == 0 || pair.is_unsafe);
            unserved += pair.complete == 0;
            unsafe += pair.is_unsafe;
        }
    }
    blame(t, "pairs", verdict.pairs, (uint64_t)n * (n - 1));
    blame(t, "unserved pairs", verdict.unserved, unserved);
    blame(t, "unsafe pairs", verdict.unsafe, unsafe);
}

/* Everything that can be said of one fault set, said twice. */
static void compare(trial *t, const uint32_t *component, uint32_t f, bool closely) {
    const hf_mark mark = hf_scratch_mark(t->fx.cx);
    hf_fault_set set;
    hf_plan plan;
    hf_measure have;
    t->component = component;
    t->f = f;
    fixture_plan_set(&t->fx, component, f, &set, &plan);
    oracle_fail(t->twin, t->rule, set.channel, set.n_channel);
    const oracle_measure want = oracle_measure_all(t->twin);
    /* a rule without a fast path is judged from the relation each time, which is slow */
    const bool is_quick = t->rule->kind == ORACLE_UPDOWN || (t->rule->kind == ORACLE_FT2EI && t->rule->propagate);
    compare_judges(t, &want, is_quick || closely);
    compare_registers(t, &plan);
    if (closely) {
        fixture_ok(&t->fx, hf_tolerance_measure(t->fx.cx, &t->fx.rule, &plan, t->criterion[0], &have));
        blame(t, "tolerated by the relation", have.tolerated, want.all_pairs);
        blame(t, "victims by the relation", have.victims, want.victims);
        blame(t, "lost paths by the relation", have.lost_paths, want.lost_paths);
        for (size_t i = 1; i < N_CRITERION; i++) {
            hf_verdict verdict;
            fixture_ok(&t->fx, hf_tolerance_judge(t->fx.cx, &plan, t->criterion[i], false, &verdict));
            blame(t, criterion_name[i], verdict.tolerated, twin_tolerates(&want, i));
        }
        compare_pairs(t, &plan);
    }
    hf_scratch_reset(t->fx.cx, mark);
}

static void compare_all_sets(const char *topo, uint32_t k, uint32_t n, const char *universe, uint32_t f_max, uint32_t closely) {
    for (size_t r = 0; r < oracle_rule_count; r++) {
        trial t;
        open_trial(&t, topo, k, n, universe, &oracle_rules[r]);
        const uint32_t m = t.fx.universe->n_component;
        for (uint32_t f = 0; f <= f_max; f++) {
            uint32_t component[F_MAX], count = 0;
            hf_lex_unrank(m, f, 0, component);
            do {
                if (count % share_step() == 0) {
                    compare(&t, component, f, count % closely == 0);
                }
                count++;
            } while (hf_lex_next(m, f, component, NULL));
        }
        close_trial(&t);
    }
}

static void compare_random_sets(const char *topo, uint32_t k, uint32_t n, const char *universe, uint32_t f_max, uint32_t sets,
                                uint32_t closely) {
    for (size_t r = 0; r < oracle_rule_count; r++) {
        trial t;
        open_trial(&t, topo, k, n, universe, &oracle_rules[r]);
        const uint32_t m = t.fx.universe->n_component;
        for (uint32_t i = 0; i < sets; i++) {
            uint32_t component[F_MAX];
            hf_random random;
            t.seed = 1000 * r + i;
            hf_random_init(&random, t.seed, HF_PURPOSE_TEST, 0);
            const uint32_t f = 1 + (uint32_t)hf_random_below(&random, m < f_max ? m : f_max);
            hf_random_subset(&random, m, f, component);
            if (i % 2) {
                hf_random_shuffle(&random, component, f);
            }
            compare(&t, component, f, i % closely == 0);
        }
        close_trial(&t);
    }
}

static void channels_of_the_2_ary_3_tree(void **state) {
    (void)state;
    compare_all_sets("kary-tree:k=2,n=3", 2, 3, "channels", 3, 11);
}

static void channels_of_the_3_ary_2_tree(void **state) {
    (void)state;
    compare_all_sets("kary-tree:k=3,n=2", 3, 2, "channels", 4, 11);
}

static void channels_of_the_4_ary_2_tree(void **state) {
    (void)state;
    compare_all_sets("kary-tree:k=4,n=2", 4, 2, "channels", 3, 41);
}

static void other_universes_of_small_trees(void **state) {
    (void)state;
    compare_all_sets("kary-tree:k=2,n=3", 2, 3, "links", 3, 5);
    compare_all_sets("kary-tree:k=2,n=3", 2, 3, "switches", 2, 5);
    compare_all_sets("kary-tree:k=2,n=3", 2, 3, "links:stage=1+switches:stage=2", 2, 5);
    compare_all_sets("kary-tree:k=3,n=2", 3, 2, "links+switches", 2, 5);
    compare_all_sets("kary-tree:k=3,n=2", 3, 2, "terminal-links+links", 2, 5);
    compare_all_sets("kary-tree:k=2,n=1", 2, 1, "terminal-links+switches", 2, 1);
}

static void random_sets_of_larger_trees(void **state) {
    (void)state;
    compare_random_sets("kary-tree:k=2,n=4", 2, 4, "channels", 20, 120, 10);
    compare_random_sets("kary-tree:k=2,n=4", 2, 4, "links+switches+terminal-links", 12, 80, 10);
    compare_random_sets("kary-tree:k=3,n=3", 3, 3, "channels", 20, 60, 10);
    compare_random_sets("kary-tree:k=3,n=3", 3, 3, "switches", 8, 40, 10);
    compare_random_sets("kary-tree:k=2,n=5", 2, 5, "links", 16, 30, 10);
    compare_random_sets("kary-tree:k=5,n=2", 5, 2, "links", 20, 30, 10);
    compare_random_sets("kary-tree:k=8,n=2", 8, 2, "channels", 20, 8, 4);
    compare_random_sets("kary-tree:k=2,n=6", 2, 6, "channels", 16, 4, 4);
    compare_random_sets("kary-tree:k=4,n=3", 4, 3, "channels", 20, 10, 5);
    compare_random_sets("kary-tree:k=4,n=3", 4, 3, "links+terminal-links", 20, 6, 3);
}

/* Boards of two switches, bundles of links, and members that overlap. */
static void groups_of_components(void **state) {
    (void)state;
    static const char text[] = "# what fails as one\n"
                               "board-a: s4 s5\n"
                               "board-b: s5 s6\n"
                               "bundle: s0:2 s1:3>\n"
                               "mixed: s8 s2:2 s7:0>\n"
                               "leaf: s3\n"
                               "plug: s0:0 s2:3>\n";
    char path[] = "/tmp/holdfast-groups-XXXXXX", universe[64];
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    (void)snprintf(universe, sizeof universe, "groups:%s", path);
    compare_all_sets("kary-tree:k=2,n=3", 2, 3, universe, 3, 1);
    unlink(path);
}

typedef struct triples {
    uint32_t count, item[16][3];
} triples;

static void note_triple(void *user, uint32_t sw, uint32_t port, uint32_t destination) {
    triples *list = user;
    assert_true(list->count < 16);
    list->item[list->count][0] = sw;
    list->item[list->count][1] = port;
    list->item[list->count++][2] = destination;
}

/* [gomez2010, 3.2.2]: after faults at link 1 of switches 18 and 22, one register holds [4..15], "which will include victim nodes
 * from 8 to 11". They can be victims at switch 8 only: switch 12 has them below it. */
static void victims_of_the_example(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    triples list = {0};
    fixture_open(&fx, "kary-tree:k=2,n=4", "channels", "ft2ei");
    fixture_plan(&fx, "s18:1>s10:3, s22:1>s14:3", &set, &plan);
    fixture_ok(&fx, hf_tolerance_victims(fx.cx, &fx.rule, &plan, note_triple, &list));
    assert_int_equal(list.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(list.item[i][0], 8);
        assert_int_equal(list.item[i][1], 3);
        assert_int_equal(list.item[i][2], 8 + i);
    }
    fixture_rule(&fx, "ft2ei:intervals=2");
    fixture_plan(&fx, "s18:1>s10:3, s22:1>s14:3", &set, &plan);
    list.count = 0;
    fixture_ok(&fx, hf_tolerance_victims(fx.cx, &fx.rule, &plan, note_triple, &list));
    assert_int_equal(list.count, 0);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_of_the_2_ary_3_tree), cmocka_unit_test(channels_of_the_3_ary_2_tree),
        cmocka_unit_test(channels_of_the_4_ary_2_tree), cmocka_unit_test(other_universes_of_small_trees),
        cmocka_unit_test(random_sets_of_larger_trees),  cmocka_unit_test(groups_of_components),
        cmocka_unit_test(victims_of_the_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
