/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Dimension-order routing: ways written out by hand, datelines, and which networks it can deadlock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/analysis/deadlock.h>

#include "tests/oracle/dependencies.h"

/** Follow the first hop from terminal to terminal, written as switches with the VC before each. */
static void way(const char *topo, const char *rule, uint32_t from, uint32_t to, const char *want) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop hops[64], in = HF_HOP_INJECTION;
    char text[256] = "";
    size_t used = 0;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    uint32_t at = fx.topo->n_switch + from;
    while (at != fx.topo->n_switch + to) {
        assert_true(hf_plan_route(&plan, at, in, to, hops) > 0);
        in = hops[0];
        at = fx.topo->to[in.channel];
        if (at < fx.topo->n_switch) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %u:%u", in.vc, at);
        }
    }
    assert_string_equal(text, want);
    fixture_close(&fx);
}

static void ways(void **state) {
    (void)state;
    way("mesh:dims=4x4", "dor", 0, 10, " 0:0 0:1 0:2 0:6 0:10");
    way("mesh:dims=4x4", "dor:order=yx", 0, 10, " 0:0 0:4 0:8 0:9 0:10");
    way("mesh:dims=2x3x4", "dor:order=zxy", 23, 0, " 0:23 0:11 0:10 0:9 0:8 0:4 0:0");
    way("hypercube:n=3", "dor", 5, 2, " 0:5 0:4 0:6 0:2");
    way("ring:n=6", "dor", 5, 2, " 0:5 0:0 0:1 0:2");
    way("ring:n=6", "dor", 1, 4, " 0:1 0:2 0:3 0:4"); /* as long either way: + */
    way("ring:n=6", "dor:vcs=2,dateline=yes,ties=plus", 4, 1, " 0:4 0:5 0:0 1:1");
    way("ring:n=6", "dor:vcs=2,dateline=yes", 1, 5, " 0:1 0:0 0:5");
    way("ring:n=7", "dor:vcs=2,dateline=yes", 1, 5, " 0:1 0:0 0:6 1:5");
    way("torus:dims=5x5", "dor:vcs=2,dateline=yes", 24, 6, " 0:24 0:20 1:21 0:1 1:6");
    way("torus:dims=2x2", "dor", 0, 3, " 0:0 0:1 0:3");
}

/** Half-way round a ring, and the classes of who closes it and who does not. */
static void rings_by_parameters(void **state) {
    (void)state;
    way("ring:n=6", "dor", 0, 3, " 0:0 0:5 0:4 0:3"); /* an odd destination: - */
    way("ring:n=6", "dor:ties=plus", 0, 3, " 0:0 0:1 0:2 0:3");
    way("ring:n=6", "dor:ties=both", 0, 3, " 0:0 0:1 0:2 0:3");
    way("torus:dims=4x4", "dor", 0, 10, " 0:0 0:1 0:2 0:6 0:10"); /* 2 + 2 is even */
    way("torus:dims=4x4", "dor", 0, 14, " 0:0 0:3 0:2 0:14");     /* 2 + 3 is odd; y goes the shorter way */
    way("torus:dims=4x3", "dor", 0, 7, " 0:0 0:1 0:10 0:7");      /* 1 + 2 is odd: - in y */
    way("torus:dims=4x4", "dor:ties=plus", 0, 14, " 0:0 0:1 0:2 0:14");
    way("ring:n=7", "dor:vcs=2,dateline=yes,classes=crossing", 5, 1, " 0:5 1:6 1:0 1:1");
    way("ring:n=7", "dor:vcs=2,dateline=yes,classes=crossing", 1, 4, " 0:1 0:2 0:3 0:4");
    way("ring:n=7", "dor:vcs=2,dateline=yes,classes=plain", 5, 1, " 0:5 0:6 0:0 1:1");
}

/** What is offered at the first switch. */
static void offers(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        uint32_t from, to, n;
    } list[] = {
        {"dor:vcs=4,dateline=yes", 1, 3, 4},
        {"dor:vcs=4,dateline=yes", 6, 1, 2},
        {"dor:vcs=4,dateline=yes,classes=plain", 1, 3, 2},
        {"dor:vcs=4,dateline=yes,classes=crossing", 1, 3, 2},
        {"dor:vcs=4,dateline=yes", 1, 5, 2},
        {"dor:vcs=4,dateline=yes", 6, 2, 2},
        {"dor:vcs=4,dateline=yes,ties=both", 1, 5, 4 + 2},
        {"dor:vcs=4,dateline=yes,ties=both", 1, 6, 2},
        {"dor:vcs=4,ties=both", 1, 5, 8},
        {"duato:adaptive-vcs=1", 1, 5, 3},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_hop hops[64];
        fixture_open(&fx, "ring:n=8", NULL, list[i].rule);
        fixture_plan(&fx, "", &set, &plan);
        (void)hf_plan_route(&plan, fx.topo->n_switch + list[i].from, HF_HOP_INJECTION, list[i].to, hops);
        assert_int_equal(hf_plan_route(&plan, list[i].from, hops[0], list[i].to, hops), list[i].n);
        fixture_close(&fx);
    }
}

/* ---- freedom from deadlock ---- */

static void expect_free(const char *topo, const char *rule) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_deadlock d;
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    const hf_deadlock_options options = {.switching = HF_SWITCHING_WORMHOLE, .threads = 1};
    fixture_ok(&fx, hf_deadlock_decide(fx.cx, &plan, &options, &d));
    if (d.answer != HF_DEADLOCK_FREE || !d.is_connected) {
        fail_msg("%s, %s: %s%s", topo, rule, hf_deadlock_answer_name(d.answer), d.is_connected ? "" : ", not connected");
    }
    fixture_close(&fx);
}

/* One rule on rings and tori of radix k, 2 to 9: wherever classes of two rings could meet, and both parities of the others. */
static void expect_free_tori(const char *rule, uint32_t k_max) {
    char topo[64];
    for (uint32_t k = 2; k <= k_max; k++) {
        (void)snprintf(topo, sizeof topo, "torus:dims=%u,double=yes", k);
        expect_free(topo, rule);
        (void)snprintf(topo, sizeof topo, "torus:dims=%ux%u,double=yes", k, k);
        expect_free(topo, rule);
        (void)snprintf(topo, sizeof topo, "torus:dims=%ux3x%u,double=yes", k < 5 ? k : 2, k);
        expect_free(topo, rule);
    }
}

static void datelines_are_free(void **state) {
    (void)state;
    static const char *const classes[] = {"balanced", "plain", "crossing"}, *const ties[] = {"balanced", "plus", "both"};
    char rule[96];
    for (size_t i = 0; i < 9; i++) {
        (void)snprintf(rule, sizeof rule, "dor:vcs=%d,dateline=yes,classes=%s,ties=%s", i % 2 ? 4 : 2, classes[i / 3],
                       ties[i % 3]);
        expect_free_tori(rule, 9);
        (void)snprintf(rule, sizeof rule, "valiant:classes=%s,ties=%s", classes[i / 3], ties[i % 3]);
        expect_free_tori(rule, 4);
    }
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(rule, sizeof rule, "duato:classes=%s,ties=%s", classes[i / 2], ties[i % 2]);
        expect_free_tori(rule, 6);
    }
}

static void cycles(void **state) {
    (void)state;
    dependencies_check("mesh:dims=4x4", "dor", false);
    dependencies_check("mesh:dims=3x3x2", "dor:vcs=2", false);
    dependencies_check("hypercube:n=4", "dor", false);
    dependencies_check("ring:n=4", "dor", false); /* with balanced ties only every other channel is the first of two */
    dependencies_check("ring:n=4", "dor:ties=plus", true);
    dependencies_check("ring:n=4", "dor:vcs=2,ties=both", true);
    dependencies_check("ring:n=6", "dor", true);
    dependencies_check("ring:n=3", "dor", false); /* no way has two channels one after the other */
    dependencies_check("torus:dims=4x4", "dor", true);
    dependencies_check("torus:dims=4x4", "dor:vcs=2,dateline=yes", false);
    dependencies_check("torus:dims=5x3x2", "dor:vcs=4,dateline=yes", false);
    dependencies_check("torus:dims=6x4", "dor:vcs=2,dateline=yes,ties=both", false);
    dependencies_check("torus:dims=6x4", "dor:vcs=2,dateline=yes,classes=crossing,ties=both", false);
    dependencies_check("torus:dims=2x3,double=yes", "dor:vcs=2,dateline=yes", false);
    dependencies_check("torus:dims=3x3", "dor:order=yx,vcs=2,dateline=yes", false);
}

static void lanes(void **state) {
    (void)state;
    dependencies found;
    dependencies_find("torus:dims=5x4", "dor:vcs=6,dateline=yes", &found);
    assert_int_equal(found.n_hops_max, 6);
    assert_int_equal(found.n_vc_used, 6);
    dependencies_find("torus:dims=5x4", "dor:vcs=6,dateline=yes,classes=plain", &found);
    assert_int_equal(found.n_hops_max, 3);
    assert_int_equal(found.n_vc_used, 6);
    assert_int_equal(found.longest, 2 + 2 + 2);
    dependencies_find("mesh:dims=5x4", "dor", &found);
    assert_int_equal(found.n_hops_max, 1);
    assert_int_equal(found.longest, 4 + 3 + 2);
}

/** The rings of bubble flow control: in a 4x3 torus 2 * 4 of three channels and 2 * 3 of four. */
static void rings(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    uint32_t size[256] = {0}, of_size[8] = {0};
    fixture_open(&fx, "torus:dims=4x3", NULL, "dor");
    fixture_plan(&fx, "", &set, &plan);
    for (uint32_t c = 0; c < fx.topo->n_channel; c++) {
        const uint32_t ring = plan.routing->ring(&plan, c, 0);
        const bool has_terminal = fx.topo->link[c] >= fx.topo->n_switch_link;
        assert_int_equal(ring == HF_NONE, has_terminal);
        if (!has_terminal) {
            size[ring]++;
            assert_int_equal(plan.routing->ring(&plan, hf_topology_channel_at(fx.topo, fx.topo->to[c], fx.topo->from_port[c]), 0),
                             ring);
        }
    }
    for (int i = 0; i < 256; i++) {
        of_size[size[i]]++;
    }
    assert_true(of_size[3] == 8 && of_size[4] == 6);
    fixture_rule(&fx, "dor:vcs=2,dateline=yes");
    fixture_plan(&fx, "", &set, &plan);
    assert_int_equal(plan.routing->ring(&plan, 0, 0), HF_NONE);
    fixture_close(&fx);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *message;
    } bad[] = {
        {"mesh:dims=4x4", "dor:order=xyz", "each of its coordinates once"},
        {"mesh:dims=4x4", "dor:order=xx", "order=xx"},
        {"mesh:dims=4x4", "dor:order=xz", "order=xz"},
        {"torus:dims=4x4", "dor:dateline=yes", "need an even number"},
        {"torus:dims=4x4", "dor:dateline=yes,vcs=3", "vcs=3"},
        {"complete:n=4", "dor", "is for meshes, tori, rings, hypercubes and HyperX"},
        {"hyperx:dims=4x4", "dor:vcs=2,dateline=yes", "it has no rings"},
        {"kary-tree:k=2,n=2", "dor", "not for \"kary-tree:k=2,n=2\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_refuses(bad[i].topo, bad[i].rule, bad[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways),    cmocka_unit_test(cycles),
        cmocka_unit_test(lanes),   cmocka_unit_test(rings),
        cmocka_unit_test(refused), cmocka_unit_test(rings_by_parameters),
        cmocka_unit_test(offers),  cmocka_unit_test(datelines_are_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
