/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  clos, rails, dragonfly-plus, polarfly, chiplets: closed forms, structure counted from the links, rates, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

static const struct {
    const char *spec;
    uint32_t n_switch, n_terminal, n_switch_link, degree_min, degree_max, diameter;
} cases[] = {
    /* k-port fat-trees: k^3 / 4 hosts and 5 k^2 / 4 switches [alfares2008] */
    {"clos:tiers=3,radix=4", 20, 16, 32, 4, 4, 6},
    {"clos:tiers=3,radix=8", 80, 128, 256, 8, 8, 6},
    {"clos:tiers=2,radix=8", 12, 32, 32, 8, 8, 4},
    {"clos:tiers=1,radix=5", 1, 5, 0, 5, 5, 2},
    {"clos:tiers=2,radix=8,oversubscription=3", 10, 48, 16, 8, 8, 4},
    {"clos:tiers=2,radix=8,bundle=2", 6, 16, 16, 8, 8, 4},
    {"clos:tiers=3,radix=8,pods=2", 32, 32, 64, 2, 8, 6},
    {"clos:tiers=2,radix=52,oversubscription=3,rates=25x100", 56, 2496, 208, 52, 52, 4},
    {"clos:tiers=3,radix=12,oversubscription=2x1,bundle=1x2", 72, 288, 288, 12, 12, 6},
    {"rails:hosts=4,accelerators=2,unit=2,spines=2", 18, 8, 24, 2, 4, 6},
    {"rails:hosts=4,accelerators=2,unit=2,spines=2,planes=2,relay=no", 16, 8, 16, 2, 4, 4},
    {"rails:hosts=3,accelerators=4", 19, 12, 24, 3, 4, 6},
    {"dragonfly-plus:p=2,leaves=2,spines=2,h=2", 20, 20, 30, 4, 4, 5},
    {"dragonfly-plus:p=1,leaves=4,spines=4,h=4", 136, 68, 408, 5, 8, 5},
    {"polarfly:q=2", 7, 7, 9, 3, 4, 4},
    {"polarfly:q=3,terminals=2", 13, 26, 24, 5, 6, 4},
    {"polarfly:q=4", 21, 21, 50, 5, 6, 4},
    {"polarfly:q=11", 133, 133, 792, 12, 13, 4},
    {"polarfly:q=16", 273, 273, 2312, 17, 18, 4},
    {"polarfly:q=27", 757, 757, 10584, 28, 29, 4},
    {"chiplets:chiplets=2x2,dims=4x4", 80, 64, 136, 3, 6, 12},
    {"chiplets:chiplets=1x1,dims=3x2,below=1x1,terminals=2", 7, 12, 8, 1, 6, 5},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_topology_figures f;
        fixture_open(&fx, cases[i].spec, NULL, NULL);
        fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &f));
        if (fx.topo->n_switch != cases[i].n_switch || fx.topo->n_terminal != cases[i].n_terminal ||
            fx.topo->n_switch_link != cases[i].n_switch_link || f.degree_min != cases[i].degree_min ||
            f.degree_max != cases[i].degree_max || f.diameter != cases[i].diameter) {
            fail_msg("%s: %u %u %u %u %u %u", cases[i].spec, fx.topo->n_switch, fx.topo->n_terminal, fx.topo->n_switch_link,
                     f.degree_min, f.degree_max, f.diameter);
        }
        assert_int_equal(f.n_part, 1);
        assert_true(f.is_strongly_connected);
        fixture_close(&fx);
    }
}

/* Below tier `tier` and above it: what its switches can take, Gbit/s. */
static void expect_oversubscription(const hf_topology *topo, uint32_t tier, double wanted) {
    const hf_attribute *rate = hf_topology_attribute(topo, "rate"), *stage = hf_topology_attribute(topo, "stage");
    double down = 0, up = 0;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        const uint32_t a = topo->from[l], b = topo->to[l];
        down += stage->of_switch[b] == tier ? rate->of_link[l] : 0;
        up += a < topo->n_switch && stage->of_switch[a] == tier ? rate->of_link[l] : 0;
    }
    assert_true(up > 0 && down / up == wanted);
}

static uint32_t links_between(const hf_topology *topo, uint32_t a, uint32_t b) {
    uint32_t n = 0;
    for (uint32_t i = topo->out_begin[a]; i < topo->out_begin[a + 1]; i++) {
        n += topo->to[topo->out_list[i]] == b;
    }
    return n;
}

static void oversubscribed(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "clos:tiers=3,radix=52,oversubscription=3x12,rates=25x100x100,bundle=2,pods=2", NULL, NULL);
    expect_oversubscription(fx.topo, 0, 3);
    expect_oversubscription(fx.topo, 1, 12);
    for (uint32_t l = 0; l < fx.topo->n_switch_link; l++) {
        assert_int_equal(links_between(fx.topo, fx.topo->from[l], fx.topo->to[l]), 2);
    }
    fixture_close(&fx);
}

/* The same numbers as the xgft that it is. */
static void is_an_xgft(void **state) {
    (void)state;
    fixture a, b;
    fixture_open(&a, "clos:tiers=3,radix=12,oversubscription=2x1,bundle=1x2", NULL, NULL);
    fixture_open(&b, "xgft:h=3,m=8x6x6,w=1x4x3,p=1x1x2", NULL, NULL);
    assert_int_equal(a.topo->n_channel, b.topo->n_channel);
    assert_memory_equal(a.topo->from, b.topo->from, a.topo->n_channel * sizeof *a.topo->from);
    assert_memory_equal(a.topo->to, b.topo->to, a.topo->n_channel * sizeof *a.topo->to);
    fixture_close(&a);
    fixture_close(&b);
}

/* What is a k-ary n-tree is taken for one, and nothing else is. */
static void is_a_kary_tree(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint32_t k, n; /* 0: none */
    } list[] = {{"clos:tiers=3,radix=6,pods=3", 3, 3},
                {"clos:tiers=2,radix=10,pods=8,rates=100x400", 0, 0},
                {"clos:tiers=1,radix=5", 5, 1},
                {"xgft:h=3,m=2x2x2,w=1x2x2", 2, 3},
                {"clos:tiers=3,radix=6", 0, 0},
                {"clos:tiers=2,radix=8,pods=2,bundle=2", 0, 0},
                {"xgft:h=2,m=3x3,w=1x3,p=1x2", 0, 0},
                {"xgft:h=2,m=3x2,w=1x3", 0, 0},
                {"mesh:dims=3x3", 0, 0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture fx, same;
        hf_kary_tree tree;
        char spec[64];
        fixture_open(&fx, list[i].spec, NULL, NULL);
        if (hf_kary_tree_shape(fx.topo, &tree) != (list[i].k > 0)) {
            fail_msg("%s: is %sone", list[i].spec, list[i].k > 0 ? "n" : "");
        }
        if (list[i].k) {
            assert_true(tree.k == list[i].k && tree.n == list[i].n && tree.width == tree.n_unit);
            (void)snprintf(spec, sizeof spec, "kary-tree:k=%u,n=%u", tree.k, tree.n);
            fixture_open(&same, spec, NULL, NULL);
            assert_int_equal(fx.topo->n_channel, same.topo->n_channel);
            assert_memory_equal(fx.topo->from, same.topo->from, same.topo->n_channel * sizeof *same.topo->from);
            assert_memory_equal(fx.topo->to, same.topo->to, same.topo->n_channel * sizeof *same.topo->to);
            assert_memory_equal(fx.topo->coord, same.topo->coord, tree.n * tree.width * (tree.n - 1) * sizeof *same.topo->coord);
            fixture_close(&same);
        }
        fixture_close(&fx);
    }
}

/* Joined where the dot product is 0 modulo a prime. */
static void polarity(void **state) {
    (void)state;
    static const uint32_t primes[] = {2, 3, 5, 7, 13};
    for (size_t k = 0; k < sizeof primes / sizeof *primes; k++) {
        const uint32_t q = primes[k];
        char spec[32];
        fixture fx;
        (void)snprintf(spec, sizeof spec, "polarfly:q=%u", q);
        fixture_open(&fx, spec, NULL, NULL);
        for (uint32_t v = 0; v < fx.topo->n_switch; v++) {
            for (uint32_t w = 0; w < fx.topo->n_switch; w++) {
                const uint32_t *x = fx.topo->coord + 3 * (size_t)v, *y = fx.topo->coord + 3 * (size_t)w;
                const bool joined = v != w && (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) % q == 0;
                assert_int_equal(links_between(fx.topo, v, w), joined);
            }
        }
        fixture_close(&fx);
    }
}

/* Every two groups are joined alike, by spines alone; in a group every leaf has every spine. */
static void groups(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        uint32_t between;
    } list[] = {{"dragonfly-plus:p=1,leaves=3,spines=2,h=2", 1}, {"dragonfly-plus:p=1,leaves=2,spines=3,h=2,groups=4", 2}};
    for (size_t k = 0; k < 2; k++) {
        fixture fx;
        fixture_open(&fx, list[k].spec, NULL, NULL);
        const hf_topology *topo = fx.topo;
        const uint32_t *stage = hf_topology_attribute(topo, "stage")->of_switch, n = topo->coord[2 * (topo->n_switch - 1)] + 1;
        uint32_t *count = calloc((size_t)n * n, sizeof *count);
        assert_non_null(count);
        for (uint32_t l = 0; l < topo->n_switch_link; l++) {
            const uint32_t a = topo->from[l], b = topo->to[l], g = topo->coord[2 * a], h = topo->coord[2 * b];
            assert_true(g == h ? stage[a] == 0 && stage[b] == 1 : stage[a] == 1 && stage[b] == 1);
            count[g < h ? g * n + h : h * n + g] += g != h;
        }
        for (uint32_t g = 0; g < n; g++) {
            for (uint32_t h = g + 1; h < n; h++) {
                assert_int_equal(count[g * n + h], list[k].between);
            }
        }
        free(count);
        fixture_close(&fx);
    }
}

/* Rails apart are joined inside of hosts only: with a relay every pair has a path. */
static void relays(void **state) {
    (void)state;
    fixture fx;
    hf_topology_figures f;
    fixture_open(&fx, "rails:hosts=3,accelerators=2,relay=no,rates=900x400", NULL, NULL);
    fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &f));
    assert_int_equal(f.n_pair_apart, 12); /* each to the other rail of two other hosts */
    const hf_attribute *rate = hf_topology_attribute(fx.topo, "rate");
    assert_int_equal(rate->of_link[0], 900000);
    assert_int_equal(rate->of_link[1], 400000);
    fixture_close(&fx);
    fixture_open(&fx, "rails:hosts=3,accelerators=2", NULL, NULL);
    fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &f));
    assert_int_equal(f.n_pair_apart, 0);
    assert_null(hf_topology_attribute(fx.topo, "rate"));
    fixture_close(&fx);
}

/* Every switch of the interposer has one vertical link, into the chiplet above it, and no two the same. */
static void vertical(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "chiplets:chiplets=3x2,dims=5x4,below=2x3,rates=100x50x25", NULL, NULL);
    const hf_topology *topo = fx.topo;
    const hf_attribute *kind = hf_topology_attribute(topo, "kind"), *chiplet = hf_topology_attribute(topo, "chiplet");
    bool is_taken[200] = {false};
    uint32_t n = 0;
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        if (kind->of_link[l] == 2) {
            const uint32_t *below = topo->coord + 3 * (size_t)topo->to[l];
            assert_int_equal(chiplet->of_switch[topo->from[l]], below[2] / 3 * 3 + below[1] / 2);
            assert_false(is_taken[topo->from[l]]);
            is_taken[topo->from[l]] = true;
            n++;
        }
        assert_int_equal(hf_topology_attribute(topo, "rate")->of_link[l], 100000 >> kind->of_link[l]);
    }
    assert_int_equal(n, 36);
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *spec, *message;
    } bad[] = {
        {"clos:tiers=2,radix=30,oversubscription=3", "cannot be parted 3:1 into those down and up; need a radix that 4 divides"},
        {"clos:tiers=2,radix=8,bundle=3", "bundle=3 does not divide the 4 ports up of tier 1"},
        {"clos:tiers=3,radix=8,oversubscription=1x1x1", "oversubscription has 3 numbers; need 1, or 2"},
        {"clos:tiers=2,radix=8,pods=9", "pods=9 is out of range; a switch of the top has room for 8"},
        {"dragonfly-plus:p=1,leaves=2,spines=2,h=2,groups=6", "groups=6 is out of range"},
        {"polarfly:q=6", "q=6 is not right; need a prime power"},
        {"chiplets:chiplets=2,dims=4x4", "chiplets has 1 numbers; need columns and rows"},
        {"chiplets:chiplets=2x2,dims=2x2,below=3x1", "below=3x1 is larger than a chiplet of 2x2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hf_context *cx = hf_context_new(NULL);
        hf_topology *topo = NULL;
        const hf_status status = hf_topology_new(cx, bad[i].spec, &topo);
        if (status == HF_OK || !strstr(hf_context_message(cx), bad[i].message)) {
            fail_msg("%s: %s: %s", bad[i].spec, hf_status_text(status), hf_context_message(cx));
        }
        hf_context_free(cx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),   cmocka_unit_test(oversubscribed), cmocka_unit_test(is_an_xgft),
        cmocka_unit_test(is_a_kary_tree), cmocka_unit_test(polarity),       cmocka_unit_test(groups),
        cmocka_unit_test(relays),         cmocka_unit_test(vertical),       cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
