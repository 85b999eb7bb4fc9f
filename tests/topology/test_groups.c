/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The complete graph and the dragonfly: counts worked out by hand, and every link by the rules of its family. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/wiring.h"

static const counts forms[] = {
    /* spec, switches, terminals, links between switches, degrees, diameter */
    {"complete:n=1", 1, 1, 0, 1, 1, 0},
    {"complete:n=2,terminals=2", 2, 4, 1, 3, 3, 3},
    {"complete:n=9", 9, 9, 36, 9, 9, 3},
    {"complete:n=16,terminals=4", 16, 64, 120, 19, 19, 3},
    {"dragonfly:p=1,a=2,h=1", 6, 6, 3 + 3, 3, 3, 5},
    {"dragonfly:p=2,a=4,h=2", 36, 72, 54 + 36, 7, 7, 5},
    {"dragonfly:p=1,a=4,h=2,terminals=3", 36, 108, 54 + 36, 8, 8, 5},
    {"dragonfly:p=2,a=4,h=2,wiring=palmtree", 36, 72, 54 + 36, 7, 7, 5},
    {"dragonfly:p=1,a=4,h=2,groups=5", 20, 20, 30 + 20, 6, 6, 5},
    {"dragonfly:p=1,a=4,h=2,groups=4,wiring=palmtree", 16, 16, 24 + 12, 4, 6, 5},
    {"dragonfly:p=1,a=1,h=5", 6, 6, 15, 6, 6, 3},
    {"dragonfly:p=3,a=4,h=2,groups=1", 4, 12, 6, 6, 6, 3},
    {"dragonfly:p=4,a=8,h=4", 264, 1056, 33 * 28 + 33 * 16, 15, 15, 5},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        counts_check(&forms[i]);
    }
}

static wire complete_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    const uint32_t n = topo->n_switch, each = topo->n_terminal / n;
    if (port >= n - 1) {
        return port - (n - 1) < each ? (wire){n + sw * each + port - (n - 1), 0} : NO_WIRE;
    }
    return port < sw ? (wire){port, sw - 1} : (wire){port + 1, sw};
}

static void complete_graphs(void **state) {
    (void)state;
    static const char *const list[] = {"complete:n=1,terminals=2", "complete:n=2", "complete:n=7,terminals=3"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, list[i], NULL, NULL);
        wiring_check(fx.topo, complete_wire);
        fixture_close(&fx);
    }
}

/* ---- dragonflies of full size: every two groups have one link ---- */

static uint32_t arg(const hf_topology *topo, const char *name) { return (uint32_t)hf_args_get(&topo->args, name)->number; }

/* What dragonflies share; q is the global port of the group. */
static wire dragonfly_wire(const hf_topology *topo, uint32_t sw, uint32_t port, wire (*global)(uint32_t, uint32_t, uint32_t)) {
    const uint32_t p = arg(topo, "p"), a = arg(topo, "a"), h = arg(topo, "h"), group = sw / a, i = sw % a;
    if (port < a - 1) {
        return port < i ? (wire){group * a + port, i - 1} : (wire){group * a + port + 1, i};
    }
    if (port >= a - 1 + h) {
        return port - (a - 1 + h) < p ? (wire){topo->n_switch + sw * p + port - (a - 1 + h), 0} : NO_WIRE;
    }
    const wire to = global(a * h, group, i * h + port - (a - 1)); /* group and global port there */
    return (wire){to.node * a + to.port / h, a - 1 + to.port % h};
}

static wire canonical(uint32_t ah, uint32_t group, uint32_t q) {
    (void)ah;
    return q < group ? (wire){q, group - 1} : (wire){q + 1, group};
}

static wire palmtree(uint32_t ah, uint32_t group, uint32_t q) { return (wire){(group + q + 1) % (ah + 1), ah - 1 - q}; }

static wire canonical_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    return dragonfly_wire(topo, sw, port, canonical);
}

static wire palmtree_wire(const hf_topology *topo, uint32_t sw, uint32_t port) {
    return dragonfly_wire(topo, sw, port, palmtree);
}

static void dragonflies(void **state) {
    (void)state;
    static const uint32_t sizes[][3] = {{1, 2, 1}, {2, 4, 2}, {1, 3, 2}, {3, 1, 4}, {1, 5, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int palm = 0; palm < 2; palm++) {
            char spec[80];
            fixture fx;
            (void)snprintf(spec, sizeof spec, "dragonfly:p=%u,a=%u,h=%u%s", sizes[i][0], sizes[i][1], sizes[i][2],
                           palm ? ",wiring=palmtree" : "");
            fixture_open(&fx, spec, NULL, NULL);
            wiring_check(fx.topo, palm ? palmtree_wire : canonical_wire);
            fixture_close(&fx);
        }
    }
}

/** With fewer groups, every two have the same number of links; "kind" tells them from local ones. */
static void fewer_groups(void **state) {
    (void)state;
    static const char *const list[] = {"dragonfly:p=1,a=4,h=2,groups=4", "dragonfly:p=1,a=4,h=2,groups=4,wiring=palmtree",
                                       "dragonfly:p=1,a=3,h=4,groups=7"};
    for (size_t i = 0; i < 3; i++) {
        fixture fx;
        fixture_open(&fx, list[i], NULL, NULL);
        const hf_topology *topo = fx.topo;
        const uint32_t g = arg(topo, "groups"), a = arg(topo, "a");
        uint32_t between[8][8] = {0};
        for (uint32_t l = 0; l < topo->n_switch_link; l++) {
            const uint32_t from = topo->from[l] / a, to = topo->to[l] / a;
            between[from][to]++;
            assert_true(from <= to);
            assert_int_equal(hf_topology_attribute(topo, "kind")->of_link[l], from != to);
        }
        for (uint32_t from = 0; from < g; from++) {
            for (uint32_t to = from + 1; to < g; to++) {
                assert_int_equal(between[from][to], 2);
            }
        }
        fixture_close(&fx);
    }
}

static void refused(void **state) {
    (void)state;
    static const refusal bad[] = {
        {"complete:n=0", HF_ERANGE, "1 <= n"},
        {"complete:n=65536", HF_ERANGE, "GiB of memory; the limit is 4 GiB"},
        {"dragonfly:p=1,a=2", HF_EINVAL, "parameter h is missing"},
        {"dragonfly:p=1,a=2,h=1,groups=4", HF_ERANGE, "a h + 1 = 3 groups"},
        {"dragonfly:p=1,a=2,h=1,wiring=random", HF_EINVAL, "canonical, palmtree"},
        {"dragonfly:p=1,a=16384,h=16384", HF_ERANGE, "GiB"},
    };
    refusals_check(bad, sizeof bad / sizeof *bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms), cmocka_unit_test(complete_graphs), cmocka_unit_test(dragonflies),
        cmocka_unit_test(fewer_groups), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
