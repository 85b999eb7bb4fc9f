/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Load of channels: closed forms of trees, rings and cubes; the sums over subtrees against the relation; loads of single
 *  paths against packets that are walked one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/analysis/load.h>
#include <holdfast/question.h>

#include "tests/oracle/fixture.h"

static hf_load *find(fixture *fx, const char *faults, const char *pattern, hf_split split, bool by_walk) {
    hf_fault_set set;
    hf_plan plan;
    hf_traffic *traffic = NULL;
    hf_load *load = NULL;
    fixture_plan(fx, faults, &set, &plan);
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, pattern, &traffic));
    fixture_ok(fx, (by_walk ? hf_load_walk : hf_load_find)(fx->cx, &plan, traffic, split, &load));
    hf_traffic_free(traffic);
    return load;
}

static void expect(const char *topology, const char *rule, const char *pattern, hf_split split, const char *exact) {
    fixture fx;
    char text[80];
    fixture_open(&fx, topology, NULL, rule);
    hf_load *load = find(&fx, "", pattern, split, false);
    hf_fraction_print(load->max_exact, text);
    if (strcmp(text, exact) != 0) {
        fail_msg("%s %s %s: maximum %s, expected %s", topology, rule, pattern, text, exact);
    }
    hf_load_free(load);
    fixture_close(&fx);
}

/* Uniform on a k-ary n-tree: (N - k) / (N - 1), as k^(s+1) channels leave a subtree of k^(s+1) terminals. */
static void uniform_on_trees(void **state) {
    (void)state;
    expect("kary-tree:k=4,n=2", "updown", "uniform", HF_SPLIT_EVEN, "4/5");
    expect("kary-tree:k=2,n=3", "updown", "uniform", HF_SPLIT_EVEN, "6/7");
    expect("kary-tree:k=4,n=3", "updown", "uniform", HF_SPLIT_EVEN, "20/21");
    expect("kary-tree:k=4,n=2", "updown", "complement", HF_SPLIT_EVEN, "1/1");
    expect("kary-tree:k=4,n=2", "updown", "digit-reversal", HF_SPLIT_EVEN, "3/4");
}

/* All take the first up port: a leaf switch of k terminals sends k of N - 1 shares of each of its terminals by one channel. */
static void first_port_of_trees(void **state) {
    (void)state;
    expect("kary-tree:k=4,n=2", "updown", "uniform", HF_SPLIT_FIRST, "16/5");
    expect("kary-tree:k=4,n=2", "updown", "complement", HF_SPLIT_FIRST, "4/1");
}

/* Dimension order on rings of k even: k/8 including oneself, hence k/8 N/(N - 1) when ties are split; where plus takes them the
 * sum 1 + 2 + ... + k/2 of N - 1. By the parity of the destination they are split where k is a multiple of four, and in all
 * dimensions but the last where the others are even. Tornado on a ring goes ceil(k/2) - 1 one way. */
static void tori(void **state) {
    (void)state;
    expect("torus:dims=8", "dor:ties=plus", "uniform", HF_SPLIT_EVEN, "10/7");
    expect("torus:dims=8", "dor", "uniform", HF_SPLIT_EVEN, "8/7");
    expect("torus:dims=8", "dor:ties=both", "uniform", HF_SPLIT_EVEN, "8/7");
    expect("torus:dims=4x8", "dor", "uniform", HF_SPLIT_EVEN, "32/31");
    expect("torus:dims=8x6", "dor", "uniform", HF_SPLIT_EVEN, "48/47");
    expect("torus:dims=6", "dor", "uniform", HF_SPLIT_EVEN, "1/1");
    expect("torus:dims=8", "dor", "tornado", HF_SPLIT_EVEN, "3/1");
    expect("torus:dims=5", "dor", "uniform", HF_SPLIT_EVEN, "3/4");
    expect("torus:dims=4x4", "dor", "uniform", HF_SPLIT_EVEN, "8/15");
    expect("torus:dims=4x4", "dor", "neighbour", HF_SPLIT_EVEN, "1/1");
    expect("hypercube:n=4", "dor", "uniform", HF_SPLIT_EVEN, "8/15");
    expect("mesh:dims=4", "dor", "uniform", HF_SPLIT_EVEN, "4/3");
    expect("mesh:dims=4x4", "dor", "transpose", HF_SPLIT_EVEN, "3/1");
}

/* DESTRO: uniform (N - k) / (N - 1); reversed digits k - 1 where n is 2, as palindromes stay local, and 15 = 4^2 - 1 on the
 * 4-ary 4-tree; reversed bits spread otherwise. */
static void destro_on_trees(void **state) {
    (void)state;
    expect("kary-tree:k=4,n=2", "destro", "uniform", HF_SPLIT_EVEN, "4/5");
    expect("kary-tree:k=4,n=2", "destro", "complement", HF_SPLIT_EVEN, "1/1");
    expect("kary-tree:k=4,n=2", "destro", "digit-reversal", HF_SPLIT_EVEN, "3/1");
    expect("kary-tree:k=4,n=3", "destro", "uniform", HF_SPLIT_EVEN, "20/21");
    expect("kary-tree:k=4,n=4", "destro", "digit-reversal", HF_SPLIT_EVEN, "15/1");
    expect("kary-tree:k=4,n=3", "destro", "bit-reversal", HF_SPLIT_EVEN, "4/1");
    expect("kary-tree:k=8,n=3", "destro", "bit-reversal", HF_SPLIT_EVEN, "8/1");
}

static void subtrees_against_the_relation(void **state) {
    (void)state;
    static const char *const pattern[] = {"uniform", "complement", "hot-spot:percent=30,node=5", "shuffle", "bit-reversal"};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=4,n=3", NULL, "updown");
    for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++) {
        hf_load *fast = find(&fx, "", pattern[i], HF_SPLIT_EVEN, false), *slow = find(&fx, "", pattern[i], HF_SPLIT_EVEN, true);
        for (uint32_t c = 0; c < fx.topo->n_channel; c++) {
            const hf_fraction a = hf_load_exact(fast, c), b = hf_load_exact(slow, c);
            assert_true(a.q > 0 && a.p == b.p && a.q == b.q);
        }
        assert_true(fast->lost == 0 && slow->lost == 0);
        assert_true(fast->saturation == slow->saturation);
        hf_load_free(fast);
        hf_load_free(slow);
    }
    fixture_close(&fx);
}

/* What comes into a terminal bounds the throughput too: the hot spot gets 15 times 5% and 95% of its share. */
static void saturation_counts_terminals(void **state) {
    (void)state;
    fixture fx;
    char text[80];
    fixture_open(&fx, "kary-tree:k=4,n=2", NULL, "updown");
    hf_load *load = find(&fx, "", "hot-spot", HF_SPLIT_EVEN, false);
    hf_fraction_print(load->saturation_exact, text);
    assert_string_equal(text, "10/17");
    hf_load_free(load);
    fixture_close(&fx);
}

/* One up channel fails: k - 1 are left to the switch, and 3 of 4 ways share what the failed one had. */
static void under_faults(void **state) {
    (void)state;
    fixture fx;
    char text[80];
    fixture_open(&fx, "kary-tree:k=4,n=2", "channels", "updown");
    hf_load *load = find(&fx, "s0:4>s4:0", "uniform", HF_SPLIT_EVEN, false);
    hf_fraction_print(load->max_exact, text);
    assert_string_equal(text, "16/15");
    assert_true(load->lost == 0);
    hf_load_free(load);
    fixture_close(&fx);
}

/* A rule that does not know of faults loses what it sends into them: on a ring of 4 in dimension order, what crosses 0>1. */
static void losses(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "mesh:dims=4", NULL, "dor");
    hf_load *load = find(&fx, "s0:0>s1:1", "uniform", HF_SPLIT_EVEN, false);
    assert_true(load->lost == 0.25);
    hf_load_free(load);
    fixture_close(&fx);
}

static void expect_best(const char *topology, const char *rule, const char *pattern, const char *faults, double best) {
    fixture fx;
    fixture_open(&fx, topology, NULL, rule);
    hf_load *load = find(&fx, faults, pattern, HF_SPLIT_OPTIMAL, false);
    if (load->max_load < best - 1e-6 || load->max_load > best + 1e-6) {
        fail_msg("%s %s %s: optimal %.9g, expected %.9g", topology, rule, pattern, load->max_load, best);
    }
    assert_true(load->max_exact.q == 0 && load->lost == 0);
    hf_load_free(load);
    fixture_close(&fx);
}

/* The even split is the best on a tree without faults: the cut around a subtree is full. With one up channel less, 48/15 flits
 * leave the leaf switch by the three that are left. On a mesh the cut in the middle; transpose on 4x4 has two ways at a
 * corner. */
static void optimal_split(void **state) {
    (void)state;
    expect_best("kary-tree:k=4,n=2", "updown", "uniform", "", 0.8);
    expect_best("kary-tree:k=4,n=2", "updown", "uniform", "s0:4>s4:0", 16.0 / 15);
    expect_best("mesh:dims=2x2", "minimal", "transpose", "", 0.5);
    expect_best("torus:dims=4", "minimal", "uniform", "", 2.0 / 3);
    expect_best("mesh:dims=3x3", "dor", "uniform", "", 0.75);
}

/* Where nothing is left in service there is nothing to split: all is lost, and no channel carries any. Terminals of one switch
 * load no channel between switches, whoever routes. */
static void optimal_split_of_nothing(void **state) {
    (void)state;
    static const char *const faults[] = {"s0,s1,s2,s3", "t0:0,t1:0,t2:0,t3:0"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        fixture fx;
        fixture_open(&fx, "mesh:dims=2x2", NULL, "dor");
        hf_load *load = find(&fx, faults[i], "uniform", HF_SPLIT_OPTIMAL, false);
        assert_true(load->max_load == 0 && load->lost == 1);
        hf_load_free(load);
        fixture_close(&fx);
    }
    expect_best("complete:n=1,terminals=3", "minimal", "uniform", "", 0);
}

/* ---- worst permutations, and what no routing beats ---- */

static void expect_worst(const char *topology, const char *rule, hf_split split, const char *exact) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_worst worst;
    char text[80];
    uint64_t seen = 0;
    fixture_open(&fx, topology, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_load_worst(fx.cx, &plan, split, &worst));
    hf_fraction_print(worst.exact, text);
    if (strcmp(text, exact) != 0) {
        fail_msg("%s %s: worst %s, expected %s", topology, rule, text, exact);
    }
    for (uint32_t t = 0; t < fx.topo->n_terminal; t++) {
        seen |= UINT64_C(1) << worst.to[t];
    }
    assert_true(seen == (UINT64_C(2) << (fx.topo->n_terminal - 1)) - 1);
    fixture_close(&fx);
}

/* DESTRO loads at most max over s of min(k^(s+1), k^(n-s-1) - 1). A tree with an even split carries every permutation; by the
 * first up port a leaf switch sends all by one channel. On a ring of 8 the four channels up to one carry distances 4, 3, 2 and 1;
 * on a line of 4 both terminals of a half cross the middle. */
static void worst_permutations(void **state) {
    (void)state;
    expect_worst("kary-tree:k=4,n=2", "updown", HF_SPLIT_EVEN, "1/1");
    expect_worst("kary-tree:k=4,n=2", "updown", HF_SPLIT_FIRST, "4/1");
    expect_worst("kary-tree:k=2,n=3", "updown", HF_SPLIT_EVEN, "1/1");
    expect_worst("kary-tree:k=4,n=2", "destro", HF_SPLIT_EVEN, "3/1");
    expect_worst("kary-tree:k=2,n=3", "destro", HF_SPLIT_EVEN, "2/1");
    expect_worst("kary-tree:k=2,n=4", "destro", HF_SPLIT_EVEN, "3/1");
    expect_worst("torus:dims=8", "dor", HF_SPLIT_EVEN, "3/1");
    expect_worst("torus:dims=8", "dor:ties=plus", HF_SPLIT_EVEN, "4/1");
    expect_worst("torus:dims=4x4", "valiant", HF_SPLIT_EVEN, "1/1"); /* all pairs use all channels */
    expect_worst("torus:dims=4x4", "valiant", HF_SPLIT_FIRST, "8/1");
    expect_worst("mesh:dims=4", "dor", HF_SPLIT_EVEN, "2/1");
    expect_worst("mesh:dims=4x4", "dor", HF_SPLIT_EVEN, "3/1");
}

/* All permutations of five terminals, one by one. */
static double try_all(fixture *fx, hf_load **single, uint32_t *to, uint32_t n) {
    double most = 0;
    if (n == 0) {
        for (uint32_t c = 0; c < fx->topo->n_channel; c++) {
            double sum = 0;
            for (uint32_t s = 0; s < 5 && fx->topo->link[c] < fx->topo->n_switch_link; s++) {
                sum += s == to[s] ? 0 : single[s * 5 + to[s]]->load[c];
            }
            most = sum > most ? sum : most;
        }
        return most;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t last = to[n - 1];
        to[n - 1] = to[i];
        to[i] = last;
        const double found = try_all(fx, single, to, n - 1);
        most = found > most ? found : most;
        to[i] = to[n - 1];
        to[n - 1] = last;
    }
    return most;
}

static void worst_against_all(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_worst worst;
    hf_load *single[25] = {NULL};
    uint32_t to[5] = {0, 1, 2, 3, 4};
    fixture_open(&fx, "ring:n=5", NULL, "minimal");
    fixture_plan(&fx, "", &set, &plan);
    for (uint32_t s = 0; s < 5; s++) {
        for (uint32_t d = 0; d < 5; d++) {
            hf_traffic traffic = {.n_terminal = 5, .denominator = 1, .hot = HF_NONE, .to = (uint32_t[5]){9, 9, 9, 9, 9}};
            traffic.to[s] = d;
            traffic.to_weight = 1;
            fixture_ok(&fx, hf_load_walk(fx.cx, &plan, &traffic, HF_SPLIT_EVEN, &single[s * 5 + d]));
        }
    }
    fixture_ok(&fx, hf_load_worst(fx.cx, &plan, HF_SPLIT_EVEN, &worst));
    assert_true(worst.load == try_all(&fx, single, to, 5));
    for (uint32_t i = 0; i < 25; i++) {
        hf_load_free(single[i]);
    }
    fixture_close(&fx);
}

static void expect_least(const char *topology, const char *pattern, const char *faults, double best) {
    fixture fx;
    hf_fault_set set;
    hf_traffic *traffic = NULL;
    double found;
    fixture_open(&fx, topology, NULL, NULL);
    fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, faults, &set));
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, pattern, &traffic));
    fixture_ok(&fx, hf_load_best(fx.cx, fx.topo, &set, traffic, &found));
    if (found < best - 1e-6 || found > best + 1e-6) {
        fail_msg("%s %s: best %.9g, expected %.9g", topology, pattern, found, best);
    }
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

/* Cuts that are full: the leaf switch, the ring of 8 in the middle (16 pairs a way of N - 1 = 7 by 2 channels), the mesh in the
 * middle; two hops for each of 8 flits of a tornado on 16 channels: (3 of 8 + 5 of 8 both ways round) 15/8. */
static void best_of_all(void **state) {
    (void)state;
    expect_least("kary-tree:k=4,n=2", "uniform", "", 0.8);
    expect_least("kary-tree:k=4,n=2", "uniform", "s0:4>s4:0", 16.0 / 15);
    expect_least("torus:dims=8", "uniform", "", 8.0 / 7);
    expect_least("torus:dims=8", "tornado", "", 15.0 / 8);
    expect_least("mesh:dims=4", "uniform", "", 4.0 / 3);
    expect_least("ruft:k=2,n=2", "uniform", "", 1);
    expect_least("complete:n=3", "uniform", "", 0.5);
    expect_least("complete:n=1,terminals=3", "uniform", "", 0);
}

/* One direction of a terminal's link is enough. */
static void best_needs_a_way(void **state) {
    (void)state;
    static const char *const cut[] = {"s0:2>", "t0:0>", "s0:2", "s0"};
    fixture fx;
    hf_fault_set set;
    hf_traffic *traffic = NULL;
    double found;
    fixture_open(&fx, "complete:n=3", NULL, NULL);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
        fixture_ok(&fx, hf_fault_set_parse(fx.cx, fx.topo, NULL, cut[i], &set));
        assert_int_equal(hf_load_best(fx.cx, fx.topo, &set, traffic, &found), HF_ENOTSUP);
    }
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

/* ---- rates ---- */

/* Loads of a topology that has rates against those of the same one without, channel by channel. */
static void rates_weigh_loads(void **state) {
    (void)state;
    static const struct {
        const char *plain, *rated, *rule;
        uint32_t slow[3]; /* fastest rate over that of injection, of links of the first stage, of the second */
    } list[] = {{"clos:tiers=3,radix=12,oversubscription=2x1,pods=2",
                 "clos:tiers=3,radix=12,oversubscription=2x1,pods=2,rates=40",
                 "ecmp",
                 {1, 1, 1}},
                {"xgft:h=2,m=6x2,w=1x3", "clos:tiers=2,radix=9,pods=2,rates=50x100", "ecmp", {2, 1, 1}},
                {"kary-tree:k=2,n=3", "clos:tiers=3,radix=4,pods=2,rates=25x25x25", "updown", {1, 1, 1}}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture a, b;
        fixture_open(&a, list[i].plain, NULL, list[i].rule);
        fixture_open(&b, list[i].rated, NULL, list[i].rule);
        hf_load *plain = find(&a, "", "uniform", HF_SPLIT_EVEN, true), *rated = find(&b, "", "uniform", HF_SPLIT_EVEN, false);
        double least = INFINITY;
        assert_int_equal(a.topo->n_channel, b.topo->n_channel);
        for (uint32_t c = 0; c < a.topo->n_channel; c++) {
            const uint32_t l = a.topo->link[c];
            const hf_attribute *stage = hf_topology_attribute(a.topo, "stage");
            const uint32_t slow = list[i].slow[l < a.topo->n_switch_link ? 1 + stage->of_link[l] : 0];
            const hf_fraction x = hf_load_exact(plain, c), y = hf_load_exact(rated, c);
            assert_true(x.q > 0 && x.p * slow * y.q == y.p * x.q);
            assert_true(fabs(rated->load[c] - plain->load[c] * slow) < 1e-12);
            least = fmin(least, 1 / rated->load[c]);
        }
        assert_true(fabs(rated->saturation - least) < 1e-12);
        hf_load_free(plain);
        hf_load_free(rated);
        fixture_close(&a);
        fixture_close(&b);
    }
}

/* Two links side by side, one three times as fast: half of the flits each, or a quarter and three. */
static void rates_move_flows(void **state) {
    (void)state;
    static const char file[] = "{\"nodes\": [{\"id\": \"a\"}, {\"id\": \"b\"}, {\"id\": \"x\", \"kind\": \"terminal\"}, "
                               "{\"id\": \"y\", \"kind\": \"terminal\"}], \"multigraph\": true, \"links\": ["
                               "{\"source\": \"a\", \"target\": \"b\", \"rate\": 100}, {\"source\": \"a\", \"target\": \"b\", "
                               "\"rate\": 300}, {\"source\": \"x\", \"target\": \"a\"}, {\"source\": \"y\", \"target\": \"b\"}]}";
    char folder[] = "/tmp/holdfast-rates-XXXXXX", path[80], spec[100], text[80];
    fixture fx;
    hf_fault_set none;
    hf_plan plan;
    hf_worst worst;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/net.json", folder);
    (void)snprintf(spec, sizeof spec, "file:%s", path);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(file, out) >= 0);
    assert_int_equal(fclose(out), 0);
    fixture_open(&fx, spec, NULL, "minimal");
    hf_load *even = find(&fx, "", "uniform", HF_SPLIT_EVEN, false), *best = find(&fx, "", "uniform", HF_SPLIT_OPTIMAL, false);
    hf_fraction_print(even->max_exact, text);
    assert_string_equal(text, "3/2");
    hf_fraction_print(even->saturation_exact, text);
    assert_string_equal(text, "2/3");
    assert_true(fabs(best->max_load - 0.75) < 1e-6 && fabs(best->saturation - 1) < 1e-6);
    fixture_plan(&fx, "", &none, &plan);
    fixture_ok(&fx, hf_load_worst(fx.cx, &plan, HF_SPLIT_EVEN, &worst));
    hf_fraction_print(worst.exact, text);
    assert_string_equal(text, "3/2");
    assert_true(worst.load == 1.5);
    expect_least(spec, "uniform", "", 0.75);
    hf_load_free(even);
    hf_load_free(best);
    fixture_close(&fx);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- campaigns ---- */

static void judge_reads_loads(void **state) {
    (void)state;
    fixture fx;
    hf_traffic *traffic = NULL;
    hf_judge *judge = NULL;
    hf_measure measure;
    fixture_open(&fx, "kary-tree:k=2,n=3", "channels", "updown");
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "uniform", &traffic));
    fixture_ok(&fx, hf_load_judge_new(fx.cx, fx.universe, &fx.rule, traffic, HF_SPLIT_EVEN, 0, &judge));
    for (uint32_t i = 0; i < fx.universe->n_component; i++) {
        char name[80];
        hf_universe_name(fx.universe, i, name, sizeof name);
        hf_load *load = find(&fx, name, "uniform", HF_SPLIT_EVEN, true);
        fixture_ok(&fx, judge->ops->push(fx.cx, judge, i));
        fixture_ok(&fx, judge->ops->read(fx.cx, judge, &measure));
        judge->ops->pop(judge);
        assert_true(measure.tolerated == (load->lost == 0));
        assert_true(measure.extra[HF_LOAD_MAX] == (uint64_t)(load->max_load / HF_LOAD_EXTRA_UNIT + 0.5));
        assert_true(measure.extra[HF_LOAD_SATURATION] == (uint64_t)(load->saturation / HF_LOAD_EXTRA_UNIT + 0.5));
        hf_load_free(load);
    }
    judge->ops->free(judge);
    hf_traffic_free(traffic);
    fixture_close(&fx);
}

/* The lowest pair of components with the largest load, pair by pair. \param[out] largest in units of HF_LOAD_EXTRA_UNIT */
static void find_largest_pair(fixture *fx, char *names, size_t size, uint64_t *largest) {
    *largest = 0;
    for (uint32_t i = 0; i < fx->universe->n_component; i++) {
        for (uint32_t j = i + 1; j < fx->universe->n_component; j++) {
            char one[80], other[80], both[164];
            hf_universe_name(fx->universe, i, one, sizeof one);
            hf_universe_name(fx->universe, j, other, sizeof other);
            (void)snprintf(both, sizeof both, "%s,%s", one, other);
            hf_load *load = find(fx, both, "uniform", HF_SPLIT_EVEN, true);
            const uint64_t reached = (uint64_t)(load->max_load / HF_LOAD_EXTRA_UNIT + 0.5);
            if (reached > *largest) {
                *largest = reached;
                (void)snprintf(names, size, "%s %s", one, other);
            }
            hf_load_free(load);
        }
    }
}

static void the_largest_load_comes_with_its_set(void **state) {
    (void)state;
    static const char *const cases[][3] = {{"mesh:dims=3x3", "updown-graph", "links"},
                                           {"torus:dims=3x3", "minimal", "links"},
                                           {"torus:dims=2x2,double=yes", "ecmp", "channels"},
                                           {"kary-tree:k=2,n=2", "updown", "links+switches"},
                                           {"ring:n=4", "dor", "channels"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_report answer;
        uint64_t largest;
        char names[164] = "";
        const hf_argument arguments[] = {{"topology", cases[i][0]},
                                         {"routing", cases[i][1]},
                                         {"universe", cases[i][2]},
                                         {"faults", "0,2"},
                                         {"largest-set", "yes"}};
        fixture_open(&fx, cases[i][0], cases[i][2], cases[i][1]);
        find_largest_pair(&fx, names, sizeof names, &largest);
        fixture_ok(&fx, hf_ask(fx.cx, "load", arguments, sizeof arguments / sizeof *arguments, &answer));
        const hf_cell *none = hf_report_value(&answer, NULL, 0, "max_load_witness"),
                      *found = hf_report_value(&answer, NULL, 1, "max_load_witness"),
                      *load = hf_report_value(&answer, NULL, 1, "max_load_largest");
        assert_true(none && !none->is_known && found && found->is_known && load);
        assert_string_equal(found->word, names);
        assert_true((uint64_t)(load->value / HF_LOAD_EXTRA_UNIT + 0.5) == largest);
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_on_trees),
        cmocka_unit_test(first_port_of_trees),
        cmocka_unit_test(tori),
        cmocka_unit_test(destro_on_trees),
        cmocka_unit_test(subtrees_against_the_relation),
        cmocka_unit_test(under_faults),
        cmocka_unit_test(saturation_counts_terminals),
        cmocka_unit_test(losses),
        cmocka_unit_test(optimal_split),
        cmocka_unit_test(optimal_split_of_nothing),
        cmocka_unit_test(worst_permutations),
        cmocka_unit_test(worst_against_all),
        cmocka_unit_test(rates_weigh_loads),
        cmocka_unit_test(rates_move_flows),
        cmocka_unit_test(judge_reads_loads),
        cmocka_unit_test(the_largest_load_comes_with_its_set),
        cmocka_unit_test(best_of_all),
        cmocka_unit_test(best_needs_a_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
