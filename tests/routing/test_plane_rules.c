/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Odd-even, planar-adaptive and freely chosen turns: the turns and virtual channels that occur are those of the papers, and
 *  cycles of dependencies are where Glass and Ni say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "src/topology/grid/grid.h"
#include "tests/oracle/dependencies.h"

/** A hop from one channel between switches to the next, wherever packets can be. */
typedef void visit(const hf_topology *topo, const hf_grid *grid, hf_hop in, hf_hop out, uint32_t goal);

static void visit_all(const char *topo, const char *rule, visit *see) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_walk walk;
    hf_grid grid;
    hf_hop hops[64];
    fixture_open(&fx, topo, NULL, rule);
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_walk_init(fx.cx, fx.topo, &walk));
    assert_true(hf_grid_of(fx.topo, &grid));
    for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
        fixture_ok(&fx, hf_walk_explore(fx.cx, &walk, &plan, d));
        for (uint32_t s = fx.topo->n_terminal; s < walk.n_state; s++) {
            const size_t n = hf_plan_route(&plan, walk.at[s], walk.in[s], d, hops);
            for (size_t i = 0; i < n; i++) {
                const bool is_inside = fx.topo->link[hops[i].channel] < fx.topo->n_switch_link &&
                                       fx.topo->link[walk.in[s].channel] < fx.topo->n_switch_link;
                if (is_inside) {
                    see(fx.topo, &grid, walk.in[s], hops[i], fx.topo->terminal_switch[d]);
                }
            }
        }
    }
    fixture_close(&fx);
}

/* ---- odd-even ---- */

/** Ports of a mesh: 0 east, 1 west, 2 north, 3 south. */
static void no_forbidden_turn(const hf_topology *topo, const hf_grid *grid, hf_hop in, hf_hop out, uint32_t goal) {
    (void)goal;
    const uint32_t from = topo->from_port[in.channel], to = topo->from_port[out.channel];
    const bool is_odd = hf_grid_digit(grid, topo->to[in.channel], 0) % 2 == 1;
    assert_false(!is_odd && from == 0 && to >= 2); /* EN, ES */
    assert_false(is_odd && from >= 2 && to == 1);  /* NW, SW */
}

static void odd_even(void **state) {
    (void)state;
    static const char *const meshes[] = {"mesh:dims=4x5", "mesh:dims=5x4", "mesh:dims=2x2", "mesh:dims=1x6", "mesh:dims=6x1"};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        visit_all(meshes[i], "odd-even", no_forbidden_turn);
        dependencies_check(meshes[i], "odd-even", false);
    }
    dependencies found;
    dependencies_find("mesh:dims=5x5", "odd-even", &found);
    assert_int_equal(found.n_hops_max, 2);
    assert_int_equal(found.longest, 10);
}

/* ---- planar-adaptive ---- */

/** A channel of dimension i+1 with VC 0 or 1 is one of plane A_i, one of dimension i with VC 2 too. */
static void plane_by_plane(const hf_topology *topo, const hf_grid *grid, hf_hop in, hf_hop out, uint32_t goal) {
    const uint32_t last = grid->n - 2, at = topo->to[in.channel];
    uint32_t plane[2];
    const hf_hop hop[2] = {in, out};
    for (int i = 0; i < 2; i++) {
        const uint32_t d = topo->from_port[hop[i].channel] / 2;
        plane[i] = hop[i].vc == 2 ? d : d - 1;
        plane[i] = plane[i] > last ? last : plane[i];
        assert_true(hop[i].vc == 2 ? d <= last : d >= 1);
    }
    assert_true(plane[0] <= plane[1]);
    const uint32_t i = plane[1];
    for (uint32_t d = 0; d < i; d++) {
        assert_int_equal(hf_grid_digit(grid, at, d), hf_grid_digit(grid, goal, d));
    }
    if (out.vc < 2) {
        assert_int_equal(out.vc, hf_grid_digit(grid, goal, i) < hf_grid_digit(grid, at, i));
    }
}

static void planar_adaptive(void **state) {
    (void)state;
    static const char *const meshes[] = {"mesh:dims=4x5", "mesh:dims=3x4x3", "mesh:dims=2x3x2x3"};
    for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) {
        visit_all(meshes[i], "planar-adaptive", plane_by_plane);
        dependencies_check(meshes[i], "planar-adaptive", false);
    }
    dependencies_check("mesh:dims=7", "planar-adaptive", false);
    dependencies_check("hypercube:n=4", "planar-adaptive", false);
    dependencies found;
    dependencies_find("mesh:dims=4x4", "planar-adaptive", &found);
    assert_int_equal(found.n_vc_used, 3);
    assert_int_equal(found.n_hops_max, 2);
}

/* ---- chosen turns ---- */

/** One turn of each cycle forbidden: of 16 pairs, the four of a turn and its reverse leave a cycle, the other 12 none. */
static void pairs_of_turns(void **state) {
    (void)state;
    static const char *const left[] = {"en", "nw", "ws", "se"}, *const right[] = {"es", "sw", "wn", "ne"};
    uint32_t n_free = 0;
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            char rule[64];
            dependencies found;
            (void)snprintf(rule, sizeof rule, "turns:forbid=%s.%s", left[a], right[b]);
            dependencies_find("mesh:dims=4x4", rule, &found);
            const bool is_reverse = left[a][0] == right[b][1] && left[a][1] == right[b][0];
            assert_int_equal(found.is_cyclic, is_reverse);
            assert_int_equal(found.is_connected, !is_reverse);
            n_free += !found.is_cyclic;
        }
    }
    assert_int_equal(n_free, 12);
    dependencies_check("mesh:dims=3x3", "turns", true);
    dependencies_check("mesh:dims=4x4", "turns:forbid=nw", true);           /* one cycle is left */
    dependencies_check("mesh:dims=4x4", "turns:forbid=ne.nw.se.sw", false); /* XY */
}

/** West-first is the turn model without turns to the west, and so on. */
static void same_as_named(void **state) {
    (void)state;
    static const char *const pair[][2] = {{"west-first", "turns:forbid=nw.sw"},
                                          {"north-last", "turns:forbid=ne.nw"},
                                          {"negative-first", "turns:forbid=es.nw"},
                                          {"dor", "turns:forbid=ne.nw.se.sw"},
                                          {"dor:order=yx", "turns:forbid=en.es.wn.ws"}};
    for (size_t p = 0; p < sizeof pair / sizeof *pair; p++) {
        fixture a, b;
        hf_fault_set set;
        hf_plan one, two;
        hf_walk walk;
        fixture_open(&a, "mesh:dims=4x3", NULL, pair[p][0]);
        fixture_open(&b, "mesh:dims=4x3", NULL, pair[p][1]);
        fixture_plan(&a, "", &set, &one);
        fixture_plan(&b, "", &set, &two);
        fixture_ok(&a, hf_walk_init(a.cx, a.topo, &walk));
        for (uint32_t d = 0; d < a.topo->n_terminal; d++) {
            fixture_ok(&a, hf_walk_explore(a.cx, &walk, &one, d));
            for (uint32_t s = 0; s < walk.n_state; s++) {
                hf_hop x[8], y[8];
                const size_t n = s == d ? 0 : hf_plan_route(&one, walk.at[s], walk.in[s], d, x);
                assert_int_equal(n, s == d ? 0 : hf_plan_route(&two, walk.at[s], walk.in[s], d, y));
                for (size_t i = 0; i < n; i++) {
                    assert_int_equal(x[i].channel, y[i].channel);
                }
            }
        }
        fixture_close(&a);
        fixture_close(&b);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule, *message;
    } bad[] = {
        {"mesh:dims=4x4", "turns:forbid=ew", "turns of 90 degrees"},
        {"mesh:dims=4x4", "turns:forbid=ne.", "forbid=ne."},
        {"mesh:dims=4x4", "turns:forbid=n", "forbid=n"},
        {"mesh:dims=4x4", "turns:forbid=ne,nw", "nw"},
        {"mesh:dims=4x4x4", "turns", "meshes of two dimensions"},
        {"mesh:dims=4", "odd-even", "meshes of two dimensions"},
        {"torus:dims=4x4", "planar-adaptive", "meshes and hypercubes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fixture_refuses(bad[i].topo, bad[i].rule, bad[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_even),      cmocka_unit_test(planar_adaptive), cmocka_unit_test(pairs_of_turns),
        cmocka_unit_test(same_as_named), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
