/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Minimal and Valiant's routing on dragonflies: lengths, virtual channels, and what one VC too few does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/dependencies.h"

static void virtual_channels(void **state) {
    (void)state;
    static const struct {
        const char *topo, *rule;
        uint32_t longest, n_vc;
        bool is_cyclic;
    } list[] = {
        {"dragonfly:p=1,a=2,h=1", "dragonfly-min", 5, 2, false},
        {"dragonfly:p=1,a=4,h=2", "dragonfly-min", 5, 2, false},
        {"dragonfly:p=1,a=4,h=2,wiring=palmtree", "dragonfly-min", 5, 2, false},
        {"dragonfly:p=1,a=4,h=2,groups=4", "dragonfly-min", 5, 2, false},
        {"dragonfly:p=1,a=4,h=2", "dragonfly-min:vcs=1", 5, 1, true},
        {"dragonfly:p=1,a=4,h=2,wiring=palmtree", "dragonfly-min:vcs=1", 5, 1, true},
        {"dragonfly:p=2,a=4,h=2,groups=1", "dragonfly-min:vcs=1", 3, 1, false},
        {"dragonfly:p=1,a=1,h=4", "dragonfly-min:vcs=1", 3, 1, false},
        {"dragonfly:p=1,a=2,h=1", "dragonfly-valiant", 7, 3, false},
        {"dragonfly:p=1,a=3,h=1", "dragonfly-valiant", 7, 3, false},
        {"dragonfly:p=1,a=3,h=1,wiring=palmtree", "dragonfly-valiant", 7, 3, false},
        {"dragonfly:p=1,a=3,h=2,groups=4", "dragonfly-valiant", 7, 3, false},
        {"dragonfly:p=1,a=3,h=1", "dragonfly-valiant:vcs=2", 7, 2, true},
        {"dragonfly:p=1,a=3,h=2,groups=4", "dragonfly-valiant:vcs=2", 7, 2, true},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dependencies found;
        dependencies_find(list[i].topo, list[i].rule, &found);
        if (found.is_cyclic != list[i].is_cyclic || !found.is_connected || found.longest != list[i].longest ||
            found.n_vc_used != list[i].n_vc) {
            fail_msg("%s on %s: %s, %s, longest %u, %u VCs", list[i].rule, list[i].topo, found.is_cyclic ? "cyclic" : "acyclic",
                     found.is_connected ? "connected" : "stuck", found.longest, found.n_vc_used);
        }
    }
}

/** Full size: one way between any two switches, without a local hop where the gate is the source or the goal. */
static void one_way(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_hop hops[16] = {{0}}, in;
    fixture_open(&fx, "dragonfly:p=1,a=3,h=2", NULL, "dragonfly-min");
    fixture_plan(&fx, "", &set, &plan);
    const hf_topology *topo = fx.topo;
    for (uint32_t a = 0; a < topo->n_terminal; a++) {
        for (uint32_t b = 0; b < topo->n_terminal; b++) {
            uint32_t at = topo->n_switch + a, n_local[2] = {0, 0}, n_global = 0;
            in = HF_HOP_INJECTION;
            while (a != b && at != topo->n_switch + b) {
                assert_int_equal(hf_plan_route(&plan, at, in, b, hops), 1);
                in = hops[0];
                at = topo->to[in.channel];
                if (topo->link[in.channel] < topo->n_switch_link) {
                    const bool is_global = hf_topology_attribute(topo, "kind")->of_link[topo->link[in.channel]];
                    assert_int_equal(in.vc, is_global ? 0 : n_global);
                    n_local[n_global > 0] += !is_global;
                    n_global += is_global;
                }
            }
            assert_int_equal(n_global, a / 3 != b / 3);
            assert_true(n_local[0] <= 1 && n_local[1] <= 1);
        }
    }
    fixture_close(&fx);
    fixture_open(&fx, "mesh:dims=4x4", NULL, NULL);
    assert_int_equal(hf_rule_init(fx.cx, "dragonfly-min", fx.topo, &fx.rule), HF_EINVAL);
    assert_int_equal(hf_rule_init(fx.cx, "dragonfly-valiant", fx.topo, &fx.rule), HF_EINVAL);
    assert_non_null(strstr(hf_context_message(fx.cx), "is for dragonflies"));
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(virtual_channels),
        cmocka_unit_test(one_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
