/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Dimension-order routing: ways written out by hand, datelines, and which networks it can deadlock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    way("ring:n=6", "dor:vcs=2,dateline=yes", 4, 1, " 0:4 0:5 0:0 1:1");
    way("ring:n=6", "dor:vcs=2,dateline=yes", 1, 5, " 0:1 0:0 0:5");
    way("ring:n=7", "dor:vcs=2,dateline=yes", 1, 5, " 0:1 0:0 0:6 1:5");
    way("torus:dims=5x5", "dor:vcs=2,dateline=yes", 24, 6, " 0:24 0:20 1:21 0:1 1:6");
    way("torus:dims=2x2", "dor", 0, 3, " 0:0 0:1 0:3");
}

static void cycles(void **state) {
    (void)state;
    dependencies_check("mesh:dims=4x4", "dor", false);
    dependencies_check("mesh:dims=3x3x2", "dor:vcs=2", false);
    dependencies_check("hypercube:n=4", "dor", false);
    dependencies_check("ring:n=4", "dor", true);
    dependencies_check("ring:n=4", "dor:vcs=2", true);
    dependencies_check("ring:n=3", "dor", false); /* no way has two channels one after the other */
    dependencies_check("torus:dims=4x4", "dor", true);
    dependencies_check("torus:dims=4x4", "dor:vcs=2,dateline=yes", false);
    dependencies_check("torus:dims=5x3x2", "dor:vcs=4,dateline=yes", false);
    dependencies_check("torus:dims=2x3,double=yes", "dor:vcs=2,dateline=yes", false);
    dependencies_check("torus:dims=3x3", "dor:order=yx,vcs=2,dateline=yes", false);
}

static void lanes(void **state) {
    (void)state;
    dependencies found;
    dependencies_find("torus:dims=5x4", "dor:vcs=6,dateline=yes", &found);
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
        cmocka_unit_test(ways),  cmocka_unit_test(cycles),  cmocka_unit_test(lanes),
        cmocka_unit_test(rings), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
