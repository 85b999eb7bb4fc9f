/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Duato's protocol and Valiant's routing: what they offer, their escapes, their classes of virtual channels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/analysis/paths/walk.h"
#include "src/topology/search.h"
#include "tests/oracle/dependencies.h"

static const char *const grids[] = {"mesh:dims=4x3", "mesh:dims=2x3x3", "torus:dims=4x5", "torus:dims=2x4",
                                    "hypercube:n=3", "ring:n=6",        "ring:n=5",       "torus:dims=2x2,double=yes"};
enum { N_GRID = sizeof grids / sizeof *grids };

/** The adaptive hops are exactly the minimal ones, the escape one of route's hops; of that alone no cycle is made. */
static void duato_offers(const char *grid) {
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop hops[256], escape[256];
    fixture_open(&fx, grid, NULL, "duato:adaptive-vcs=2");
    fixture_plan(&fx, "", &set, &plan);
    const hf_topology *topo = fx.topo;
    const uint32_t n_escape = plan.n_vc - 2;
    uint32_t *distance = calloc(topo->n_node, sizeof *distance), *queue = calloc(topo->n_node, sizeof *queue);
    assert_int_equal(
        n_escape, strncmp(grid, "mesh", 4) == 0 || strncmp(grid, "hyper", 5) == 0 || strcmp(grid, "torus:dims=2x2") == 0 ? 1 : 2);
    for (uint32_t d = 0; d < topo->n_terminal; d++) {
        hf_distances(topo, NULL, topo->n_switch + d, true, queue, distance);
        for (uint32_t v = 0; v < topo->n_switch; v++) {
            const size_t n = hf_plan_route(&plan, v, HF_HOP_INJECTION, d, hops);
            const size_t n_own = plan.routing->escape(&plan, v, HF_HOP_INJECTION, d, escape);
            uint32_t n_minimal = 0;
            for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
                n_minimal += distance[topo->to[topo->out_list[i]]] + 1 == distance[v];
            }
            assert_int_equal(n_own, 1);
            assert_true(escape[0].channel == hops[0].channel && escape[0].vc == hops[0].vc && hops[0].vc < n_escape);
            if (v != topo->terminal_switch[d]) {
                assert_int_equal(n, 1 + 2 * n_minimal);
            }
            for (size_t i = 1; i < n; i++) {
                assert_true(hops[i].vc >= n_escape);
            }
        }
    }
    free(distance);
    free(queue);
    fixture_close(&fx);
}

static void duato(void **state) {
    (void)state;
    for (size_t i = 0; i < N_GRID; i++) {
        duato_offers(grids[i]);
    }
    dependencies_check("mesh:dims=3x3", "duato", true); /* the adaptive VC makes cycles; the escape breaks them */
}

/** The escape alone: the same rule with its hops only. */
static size_t only_escape(const hf_plan *plan, uint32_t at, hf_hop in, uint32_t destination, hf_hop *hops) {
    return hf_routing_find("duato", 5)->escape(plan, at, in, destination, hops);
}

static void escape_is_acyclic(void **state) {
    (void)state;
    for (size_t g = 0; g < N_GRID; g++) {
        fixture fx;
        hf_fault_set set;
        hf_plan plan;
        hf_walk walk;
        fixture_open(&fx, grids[g], NULL, "duato");
        fixture_plan(&fx, "", &set, &plan);
        hf_routing routing = *plan.routing;
        routing.route = only_escape;
        plan.routing = &routing;
        fixture_ok(&fx, hf_walk_init(fx.cx, fx.topo, &walk));
        /* numbers that rise along every dependency: repeated relaxation, more rounds than resources mean a cycle */
        const uint32_t n = fx.topo->n_channel * plan.n_vc;
        uint32_t *number = calloc(n, sizeof *number);
        bool changed = true;
        for (uint32_t round = 0; changed; round++) {
            assert_true(round <= n);
            changed = false;
            for (uint32_t d = 0; d < fx.topo->n_terminal; d++) {
                hf_hop hop;
                fixture_ok(&fx, hf_walk_explore(fx.cx, &walk, &plan, d));
                for (uint32_t s = fx.topo->n_terminal; s < walk.n_state; s++) {
                    (void)hf_plan_route(&plan, walk.at[s], walk.in[s], d, &hop);
                    const uint32_t a = walk.in[s].channel * plan.n_vc + walk.in[s].vc, b = hop.channel * plan.n_vc + hop.vc;
                    if (number[b] <= number[a]) {
                        number[b] = number[a] + 1;
                        changed = true;
                    }
                }
            }
        }
        free(number);
        fixture_close(&fx);
    }
}

/* ---- valiant ---- */

static void valiant(void **state) {
    (void)state;
    /* the longest way goes as far as can be and nearly as far back, as no terminal sends to itself; all the way back where two
     * switches are as far from the intermediate one */
    static const struct {
        const char *grid;
        uint32_t n_vc, longest;
    } list[] = {{"mesh:dims=4x3", 2, 5 + 4 + 2},
                {"torus:dims=4x3", 4, 2 * 3 + 2},
                {"hypercube:n=3", 2, 3 + 2 + 2},
                {"ring:n=5", 4, 2 * 2 + 2},
                {"torus:dims=2x2", 2, 2 + 1 + 2}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dependencies found;
        dependencies_find(list[i].grid, "valiant", &found);
        assert_true(!found.is_cyclic && found.is_connected);
        assert_int_equal(found.longest, list[i].longest);
        assert_int_equal(found.n_vc_used, list[i].n_vc);
    }
}

/** At injection every switch can be the intermediate one; the way over it is the two ways of dor. */
static void intermediate_switches(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop hops[16], in;
    fixture_open(&fx, "mesh:dims=4x4", NULL, "valiant");
    fixture_plan(&fx, "", &set, &plan);
    assert_int_equal(hf_plan_route(&plan, 16, HF_HOP_INJECTION, 5, hops), 16);
    for (uint32_t via = 0; via < 16; via++) {
        assert_int_equal(hf_plan_route(&plan, 16, HF_HOP_INJECTION, 5, hops), 16);
        in = hops[via];
        uint32_t at = 0, length = 0;
        bool was_there = at == via;
        while (at != 5 || !was_there) {
            assert_int_equal(hf_plan_route(&plan, at, in, 5, hops), 1);
            in = hops[0];
            assert_int_equal(in.vc, was_there);
            assert_int_equal(in.tag, was_there ? 0 : 1 + via);
            at = fx.topo->to[in.channel];
            was_there |= at == via;
            length++;
        }
        const uint32_t x = via % 4, y = via / 4;
        assert_int_equal(length, x + y + (x > 1 ? x - 1 : 1 - x) + (y > 1 ? y - 1 : 1 - y));
    }
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duato),
        cmocka_unit_test(escape_is_acyclic),
        cmocka_unit_test(valiant),
        cmocka_unit_test(intermediate_switches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
