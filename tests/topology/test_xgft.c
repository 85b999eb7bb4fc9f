/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Generalised fat-trees: counts worked out by hand, the k-ary n-tree as a special case, every link by the rule of the digits,
 *  and links side by side. */
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
    {"xgft:h=3,m=1x4x4,w=1x1x1,p=1x2x4", 16 + 4 + 1, 16, 32 + 16, 1 + 2, 4 * 4, 6},
    {"xgft:h=2,m=4x4,w=1x2,p=1x3,terminals=7", 4 + 2, 28, 24, 4 * 3, 7 + 6, 4},
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

/** Links side by side stand where the one link of the tree without them does, and have ports side by side. */
static void parallel_links(void **state) {
    (void)state;
    static const uint32_t m[] = {3, 2, 4}, p[] = {1, 2, 3};
    fixture one, many;
    fixture_open(&one, "xgft:h=3,m=3x2x4,w=1x2x3", NULL, NULL);
    fixture_open(&many, "xgft:h=3,m=3x2x4,w=1x2x3,p=1x2x3", NULL, NULL);
    const hf_topology *a = one.topo, *b = many.topo;
    const uint32_t *stage = hf_topology_attribute(a, "stage")->of_link;
    uint32_t l = 0;
    for (uint32_t i = 0; i < a->n_switch_link; i++) {
        const uint32_t s = stage[i];
        for (uint32_t j = 0; j < p[s + 1]; j++, l++) {
            assert_true(b->from[l] == a->from[i] && b->to[l] == a->to[i]);
            assert_int_equal(b->from_port[l], m[s] * p[s] + (a->from_port[i] - m[s]) * p[s + 1] + j);
            assert_int_equal(b->to_port[l], a->to_port[i] * p[s + 1] + j);
            assert_int_equal(hf_topology_attribute(b, "stage")->of_link[l], s);
        }
    }
    assert_int_equal(l, b->n_switch_link);
    fixture_close(&one);
    fixture_close(&many);
}

static void refused(void **state) {
    (void)state;
    static const refusal bad[] = {
        {"xgft:h=2,m=4,w=1x2", HF_EINVAL, "m has 1 numbers and w has 2"},
        {"xgft:h=2,m=4x4,w=2x2", HF_EINVAL, "need 1, as a terminal has one port"},
        {"xgft:h=2,m=4x4,w=1x2,p=2x2", HF_EINVAL, "p has 2 numbers, the first of them 2; need one for each level, the first 1"},
        {"xgft:h=3,m=4x4x4,w=1x2x2,p=1x2", HF_EINVAL, "h=3, but p has 2 numbers"},
        {"xgft:h=4,m=1x1x1x4096,w=1x1x1x4096,p=1x1x1x4096", HF_ERANGE, "GiB of memory"},
        {"xgft:h=17,m=4,w=1", HF_ERANGE, "1 <= h <= 16"},
        {"xgft:h=4,m=4096x4096x4096x4096,w=1x1x1x1", HF_ERANGE, "GiB of memory"},
        {"xgft:h=6,m=4096x4096x4096x4096x4096x4096,w=1x1x1x1x1x1", HF_ERANGE, "with 2^64 nodes or links at least"},
    };
    refusals_check(bad, sizeof bad / sizeof *bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),   cmocka_unit_test(k_ary_trees), cmocka_unit_test(digits),
        cmocka_unit_test(parallel_links), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
