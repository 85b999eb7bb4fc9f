/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Flows: verdicts, dependencies and traffic of some pairs are those of all pairs, restricted. Explicit paths: what is written is
 *  what is offered. Refusals with file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>
#include <holdfast/analysis/load.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/analysis/paths/walk.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/situations.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

typedef struct files {
    char folder[256], path[512], spec[700];
} files;

/* A file of flows, or of paths. \param[in] format of the spec, with the path */
static void write_file(files *f, const char *text, const char *before) {
    folder_open(f->folder, sizeof f->folder);
    folder_write(folder_file(f->folder, "flows.txt", f->path, sizeof f->path), text, strlen(text));
    (void)snprintf(f->spec, sizeof f->spec, "%s%s", before, f->path);
}

/* Half of all pairs, at random; at least one. */
static void draw_flows(const hf_topology *topo, uint64_t seed, char *text, size_t size) {
    hf_random random;
    int used = snprintf(text, size, "# seed %llu\nt1 t0\n", (unsigned long long)seed);
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 3);
    for (uint32_t s = 0; s < topo->n_terminal; s++) {
        for (uint32_t d = 0; d < topo->n_terminal; d++) {
            if (s != d && (s != 1 || d != 0) && hf_random_below(&random, 2)) {
                used += snprintf(text + used, size - (size_t)used, "t%u,t%u\n", s, d);
                assert_true((size_t)used < size);
            }
        }
    }
}

/* ---- against all pairs ---- */

static const struct scene {
    const char *topo, *rule, *universe;
} scenes[] = {
    {"mesh:dims=3x3", "minimal", "links"},
    {"mesh:dims=3x3", "dor", "switches"},
    {"torus:dims=3x3", "valiant", "channels"},
    {"kary-tree:k=2,n=3", "updown", "links"},
    {"kary-tree:k=2,n=3", "ft2ei", "channels"},
    {"ring:n=6,terminals=2", "updown-graph", "links"},
    {"dragonfly:p=2,a=3,h=1,wiring=palmtree", "dragonfly-valiant", "links"},
};
enum { N_SCENE = sizeof scenes / sizeof *scenes, SETS = 12, TEXT_SIZE = 4096 };

/* Pairs of flows that some criterion of the plan of all pairs finds bad. */
static uint64_t count_bad(const hf_verdict *all, const hf_flow_list *flows, uint32_t n) {
    uint64_t bad = 0;
    for (uint32_t s = 0; s < n; s++) {
        for (uint32_t d = 0; d < n; d++) {
            bad += s != d && hf_flow_list_find(flows, s, d) != HF_NONE && hf_bit_test(all->bad_pair, (size_t)s * n + d);
        }
    }
    return bad;
}

static void compare_verdicts(fixture *fx, const hf_rule *with, uint64_t seed, uint32_t *bad_sets) {
    const uint32_t n = fx->topo->n_terminal, f = (uint32_t)(seed % 4);
    uint32_t component[4];
    hf_fault_set set;
    hf_plan all_pairs, some;
    hf_verdict all, of_flows;
    hf_random random;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 4);
    hf_random_subset(&random, fx->universe->n_component, f, component);
    fixture_plan_set(fx, component, f, &set, &all_pairs);
    fixture_ok(fx, hf_plan_make(fx->cx, with, &set, &some));
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &all_pairs, fixture_criterion(fx, "all-pairs"), true, &all));
    fixture_ok(fx, hf_tolerance_judge(fx->cx, &some, fixture_criterion(fx, "all-pairs"), true, &of_flows));
    const uint64_t bad = count_bad(&all, with->flows, n);
    const bool is_right = (bad > 0) == (of_flows.unserved + of_flows.unsafe > 0) && of_flows.pairs <= with->flows->n &&
                          bad == hf_bits_count(of_flows.bad_pair, hf_words((size_t)n * n));
    if (!is_right) {
        fail_msg("%s on %s, seed %llu: flows and all pairs differ", with->spec, fx->topo->spec, (unsigned long long)seed);
    }
    situations slow;
    hf_dependency d;
    situations_find(&some, &slow);
    fixture_ok(fx, hf_dependency_make(fx->cx, &some, 1, &d));
    situations_compare(&slow, &d, with->spec);
    free(slow.item);
    *bad_sets += bad > 0;
}

static void compare_scene(const struct scene *scene, uint32_t *bad_sets) {
    fixture fx;
    fixture_open(&fx, scene->topo, scene->universe, scene->rule);
    for (uint64_t seed = 1; seed <= SETS; seed++) {
        char text[TEXT_SIZE], before[64];
        files f;
        hf_rule with;
        draw_flows(fx.topo, seed, text, sizeof text);
        (void)snprintf(before, sizeof before, "%s for ", scene->rule);
        write_file(&f, text, before);
        fixture_ok(&fx, hf_rule_init(fx.cx, f.spec, fx.topo, &with));
        compare_verdicts(&fx, &with, seed, bad_sets);
        hf_rule again; /* the canonical spec names the content */
        fixture_ok(&fx, hf_rule_init(fx.cx, with.spec, fx.topo, &again));
        assert_string_equal(again.spec, with.spec);
        hf_rule_free(&again);
        hf_rule_free(&with);
        folder_close(f.folder);
    }
    fixture_close(&fx);
}

static void some_pairs_are_part_of_all(void **state) {
    (void)state;
    uint32_t bad_sets = 0;
    for (size_t i = 0; i < N_SCENE; i++) {
        compare_scene(&scenes[i], &bad_sets);
    }
    assert_in_range(bad_sets, 10, N_SCENE * SETS - 10);
}

/* On a ring with one virtual channel all pairs close a cycle, and so do the four that go two links clockwise; three of them do
 * not. */
static void which_pairs_close_a_cycle(void **state) {
    (void)state;
    static const struct {
        const char *flows;
        hf_deadlock_answer answer;
    } cases[] = {
        {"t0 t2\nt1 t3\nt2 t0\nt3 t1\n", HF_DEADLOCK_FOUND},
        {"t0 t2\nt1 t3\nt2 t0\n", HF_DEADLOCK_FREE},
        {"source,destination\nt0,t1\nt1,t2\nt2,t3\nt3,t0\n", HF_DEADLOCK_FREE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        files f;
        hf_fault_set set;
        hf_plan plan;
        hf_deadlock d;
        const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1, .want_witness = true};
        write_file(&f, cases[i].flows, "dor:ties=plus for ");
        fixture_open(&fx, "torus:dims=4", NULL, f.spec);
        fixture_plan(&fx, "", &set, &plan);
        fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
        assert_int_equal(d.answer, cases[i].answer);
        assert_true(d.is_connected);
        for (uint32_t b = 0; b < d.n_blocked; b++) {
            assert_true(hf_plan_sends(&plan, d.blocked[b].source, d.blocked[b].destination));
        }
        fixture_close(&fx);
        folder_close(f.folder);
    }
}

/* ---- traffic ---- */

static void traffic_along_flows(void **state) {
    (void)state;
    static const struct {
        const char *flows, *traffic;
        uint64_t denominator, of_0_to_1, of_2_to_1;
        hf_status status;
    } cases[] = {
        {"t0 t1\nt0 t3\nt2 t1\n", "uniform", 2, 1, 1, HF_OK},
        {"source,destination,rate\nt0,t1,0.5\nt2,t1,0.000001\n", "uniform", HF_FLOW_RATE_UNIT, 500000, 1, HF_OK},
        {"t0 t1\nt0 t3\nt2 t1\n", "complement", 1, 0, 1, HF_OK}, /* t2 sends to t1, t0 to t3 */
        {"t0 t1\n", "complement", 0, 0, 0, HF_EINVAL},
        {"source,destination,rate\nt0,t1,0.5\n", "complement", 0, 0, 0, HF_EINVAL},
        {"source,destination,rate\nt0,t1,0.5\nt0,t2,0.6\n", "uniform", 0, 0, 0, HF_EINVAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        files f;
        hf_traffic *traffic;
        write_file(&f, cases[i].flows, "minimal for ");
        fixture_open(&fx, "ring:n=4", NULL, f.spec);
        fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, cases[i].traffic, &traffic));
        assert_int_equal(hf_traffic_keep(fx.cx, traffic, fx.rule.flows), cases[i].status);
        if (cases[i].status == HF_OK) {
            assert_int_equal(traffic->denominator, cases[i].denominator);
            assert_int_equal(hf_traffic_weight(traffic, 0, 1), cases[i].of_0_to_1);
            assert_int_equal(hf_traffic_weight(traffic, 2, 1), cases[i].of_2_to_1);
            assert_int_equal(hf_traffic_weight(traffic, 3, 1), 0);
        }
        hf_traffic_free(traffic);
        fixture_close(&fx);
        folder_close(f.folder);
    }
}

/* ---- explicit paths ---- */

static void paths_are_followed(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop hops[4];
    hf_walk walk;
    fixture_open(&fx, "ring:n=5", NULL, "paths:tests/fixtures/paths/ring-5.txt");
    fixture_plan(&fx, "", &set, &plan);
    const hf_topology *topo = fx.topo;
    assert_int_equal(plan.n_vc, 2);
    assert_int_equal(plan.max_hops, 2);
    assert_int_equal(plan.flows->n, 6);
    const uint32_t ways[] = {2, 2, 2, 1, 0}; /* to each terminal, over all pairs */
    for (uint32_t d = 0; d < 5; d++) {
        hf_u128 n;
        fixture_ok(&fx, hf_walk_init(fx.cx, topo, &walk));
        fixture_ok(&fx, hf_walk_explore(fx.cx, &walk, &plan, d));
        fixture_ok(&fx, hf_walk_turn(fx.cx, &walk));
        fixture_ok(&fx, hf_walk_count(fx.cx, &walk, &n));
        assert_int_equal((uint64_t)n, ways[d]);
    }
    assert_int_equal(hf_plan_route(&plan, topo->n_switch, HF_HOP_INJECTION, 2, hops), 2);
    hf_hop in = hops[1];
    const uint32_t switches[] = {4, 3, 2}, vcs[] = {1, 1, 1};
    for (size_t i = 0; i < 3; i++) { /* the second way, over s4 and s3 */
        assert_int_equal(hf_plan_route(&plan, topo->to[in.channel], in, 2, &in), 1);
        assert_int_equal(topo->to[in.channel], switches[i]);
        assert_int_equal(in.vc, vcs[i]);
    }
    assert_int_equal(hf_plan_route(&plan, topo->n_switch, HF_HOP_INJECTION, 4, hops), 0);
    fixture_close(&fx);
}

/* ---- refusals ---- */

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *before, *text, *message;
    } cases[] = {
        {"minimal for ", "", "no flow in it"},
        {"minimal for ", "t0\n", "line 1: the line has 1 fields; need source and destination"},
        {"minimal for ", "t0 s1\n", "line 1: \"s1\" is no terminal"},
        {"minimal for ", "t0 t0\n", "line 1: t0 sends to itself"},
        {"minimal for ", "t0 t1\n# again\nt0 t1\n", "line 3: the flow from t0 to t1 is there already, at line 1"},
        {"minimal for ", "source,to\n", "line 1: a header of flows is source,destination"},
        {"minimal for ", "source,destination,kind\n", "line 1: a header of flows is source,destination"},
        {"minimal for ", "source,destination,class\nt0,t1\n",
         "line 2: the line has 2 fields; need source, destination and class"},
        {"minimal for ", "source,destination,class,rate\nt0,t1,a\n", "need source, destination, class and rate"},
        {"minimal for ", "source,destination,class\nt0,t1,a\nt0,t1,b\nt0,t1,a\n",
         "line 4: the flow from t0 to t1 is there already"},
        {"minimal with a>b for ", "source,destination,class\nt0,t1,c\n", "has flows of class c, which is none of them"},
        {"minimal with a>b for ", "source,destination,class\nt0,t1,b\n", "flows of class b follow from what it answers"},
        {"minimal for ", "source,destination,rate\nt0,t1\n", "line 2: the line has 2 fields; need source, destination and rate"},
        {"minimal for ", "source,destination,rate\nt0,t1,2\n", "line 2: \"2\" is not a rate"},
        {"minimal for ", "source,destination,rate\nt0,t1,0.0000001\n", "line 2: \"0.0000001\" is not a rate"},
        {"paths:", "", "no path in it"},
        {"paths:", "t0 s0 s1\n", "line 1: a path of 3 nodes; need one from a terminal to another"},
        {"paths:", "t0 s0 t0\n", "line 1: a path of 3 nodes"},
        {"paths:", "t0 s0 s2 t2\n", "line 1: 0 channels lead from s0 to s2; need one"},
        {"paths:", "t0 s0@x s1 t1\n", "line 1: \"s0@x\": need a virtual channel from 0 to 255 behind \"@\""},
        {"paths:", "t0 s0 t0 s0 t0 s0 s1 t1\n", "line 1: the path passes terminal t0, which does not forward"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        files f;
        write_file(&f, cases[i].text, cases[i].before);
        fixture_refuses("ring:n=4", f.spec, cases[i].message);
        folder_close(f.folder);
    }
}

static hf_status open_and_free(hf_context *cx, void *spec) {
    hf_topology *topo = NULL;
    hf_rule rule = {0};
    hf_status status = hf_topology_new(cx, "ring:n=5", &topo);
    if (status == HF_OK) {
        status = hf_rule_init(cx, spec, topo, &rule);
    }
    hf_rule_free(&rule);
    hf_topology_free(topo);
    return status;
}

static void allocations_fail(void **state) {
    (void)state;
    files f;
    write_file(&f, "t0 t1\nt1 t2\n", "paths:tests/fixtures/paths/ring-5.txt for ");
    assert_true(failing_sweep("flows", open_and_free, f.spec) > 20);
    folder_close(f.folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_pairs_are_part_of_all),
        cmocka_unit_test(which_pairs_close_a_cycle),
        cmocka_unit_test(traffic_along_flows),
        cmocka_unit_test(paths_are_followed),
        cmocka_unit_test(refusals),
        cmocka_unit_test(allocations_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
