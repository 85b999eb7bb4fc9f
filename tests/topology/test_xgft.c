/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Generalised fat-trees: counts worked out by hand, the k-ary n-tree as a special case, and every link by the rule of the
 *  digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/wiring.h"

static const counts forms[] = {
    /* spec, switches, terminals, links between switches, degrees, diameter */
    {"xgft:h=1,m=4,w=1", 1, 4, 0, 4, 4, 2},
    {"xgft:h=1,m=1,w=1", 1, 1, 0, 1, 1, 0},
    {"xgft:h=2,m=4x4,w=1x2", 4 + 2, 16, 8, 4, 6, 4},
    {"xgft:h=2,m=4x4,w=1x2,terminals=7", 4 + 2, 28, 8, 4, 9, 4},
    {"xgft:h=3,m=4x4x3,w=1x4x2,terminals=1", 12 + 12 + 8, 12, 48 + 24, 3, 6, 6},
    {"xgft:h=2,m=2x3,w=1x5", 3 + 5, 6, 15, 3, 7, 4},
    {"xgft:h=2,m=3x1,w=1x2", 1 + 2, 3, 2, 1, 5, 2},
    {"xgft:h=3,m=4x4x3,w=1x4x2", 12 + 12 + 8, 48, 48 + 24, 3, 8, 6},
    {"xgft:h=3,m=2x2x4,w=1x2x2", 8 + 8 + 4, 16, 16 + 16, 4, 4, 6},
    {"xgft:h=4,m=2x2x2x2,w=1x1x1x1", 8 + 4 + 2 + 1, 16, 14, 2, 3, 8},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        counts_check(&forms[i]);
    }
}

/** XGFT(n; k, ..., k; 1, k, ..., k) is the k-ary n-tree, switch by switch and port by port. */
static void k_ary_trees(void **state) {
    (void)state;
    static const char *const pair[][2] = {{"xgft:h=3,m=4x4x4,w=1x4x4", "kary-tree:k=4,n=3"},
                                          {"xgft:h=4,m=2x2x2x2,w=1x2x2x2", "kary-tree:k=2,n=4"},
                                          {"xgft:h=2,m=3x3,w=1x3", "kary-tree:k=3,n=2"}};
    for (size_t i = 0; i < 3; i++) {
        fixture a, b;
        fixture_open(&a, pair[i][0], NULL, NULL);
        fixture_open(&b, pair[i][1], NULL, NULL);
        const size_t bytes = b.topo->n_channel * sizeof(uint32_t);
        assert_int_equal(a.topo->n_switch, b.topo->n_switch);
        assert_int_equal(a.topo->n_channel, b.topo->n_channel);
        assert_memory_equal(a.topo->from, b.topo->from, bytes);
        assert_memory_equal(a.topo->to, b.topo->to, bytes);
        assert_memory_equal(a.topo->from_port, b.topo->from_port, bytes);
        assert_memory_equal(a.topo->to_port, b.topo->to_port, bytes);
        assert_memory_equal(a.topo->coord, b.topo->coord, (size_t)b.topo->n_switch * b.topo->n_coord * sizeof(uint32_t));
        assert_memory_equal(a.topo->attribute[0].of_link, b.topo->attribute[0].of_link, b.topo->n_link * sizeof(uint32_t));
        for (uint32_t v = 0; v < b.topo->n_node; v++) {
            const hf_position p = a.topo->kind->place(a.topo, v), q = b.topo->kind->place(b.topo, v);
            assert_true(p.x == q.x && p.y == q.y);
        }
        fixture_close(&a);
        fixture_close(&b);
    }
}

/** Digits of lower and upper switch agree but for that of the upper one's level. */
static void digits(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "xgft:h=4,m=3x2x4x3,w=1x2x3x2", NULL, NULL);
    const hf_topology *topo = fx.topo;
    const uint32_t *stage = hf_topology_attribute(topo, "stage")->of_switch;
    static const uint32_t m[] = {3, 2, 4, 3};
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        const uint32_t *below = topo->coord + 3 * topo->from[l], *above = topo->coord + 3 * topo->to[l];
        const uint32_t s = stage[topo->from[l]], free = 2 - s; /* place of a_(s+2) among a4 a3 a2 */
        assert_int_equal(stage[topo->to[l]], s + 1);
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(i == free || below[i] == above[i]);
        }
        assert_int_equal(topo->from_port[l], m[s] + above[free]);
        assert_int_equal(topo->to_port[l], below[free]);
    }
    assert_string_equal(topo->coord_name[0], "a4");
    assert_string_equal(topo->coord_name[2], "a2");
    fixture_close(&fx);
}

static void refused(void **state) {
    (void)state;
    static const refusal bad[] = {
        {"xgft:h=2,m=4,w=1x2", HF_EINVAL, "m has 1 numbers and w has 2"},
        {"xgft:h=2,m=4x4,w=2x2", HF_EINVAL, "need 1, as a terminal has one port"},
        {"xgft:h=17,m=4,w=1", HF_ERANGE, "1 <= h <= 16"},
        {"xgft:h=4,m=4096x4096x4096x4096,w=1x1x1x1", HF_ERANGE, "GiB of memory"},
        {"xgft:h=6,m=4096x4096x4096x4096x4096x4096,w=1x1x1x1x1x1", HF_ERANGE, "with 2^64 nodes or links at least"},
    };
    refusals_check(bad, sizeof bad / sizeof *bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(k_ary_trees),
        cmocka_unit_test(digits),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
