/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The k-ary n-tree against its closed forms and against the adjacency rule of [gomez2010, 2.1.3], read from the digits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/oracle/fixture.h"

static void open_tree(fixture *fx, uint32_t k, uint32_t n) {
    char spec[64];
    (void)snprintf(spec, sizeof spec, "kary-tree:k=%u,n=%u", k, n);
    fixture_open(fx, spec, NULL, NULL);
    assert_string_equal(fx->topo->spec, spec);
}

/* ---- closed forms ---- */

/** Worked out by hand; k not a power of two included. */
static const struct {
    uint32_t k, n, n_terminal, n_switch, n_switch_link, degree_min, degree_max, diameter;
} forms[] = {
    {2, 1, 2, 1, 0, 2, 2, 2},
    {7, 1, 7, 1, 0, 7, 7, 2},
    {64, 1, 64, 1, 0, 64, 64, 2},
    {2, 2, 4, 4, 4, 2, 4, 4},
    {3, 2, 9, 6, 9, 3, 6, 4},
    {4, 2, 16, 8, 16, 4, 8, 4},
    {2, 3, 8, 12, 16, 2, 4, 6},
    {3, 3, 27, 27, 54, 3, 6, 6},
    {4, 3, 64, 48, 128, 4, 8, 6},
    {5, 3, 125, 75, 250, 5, 10, 6},
    {6, 3, 216, 108, 432, 6, 12, 6},
    {8, 3, 512, 192, 1024, 8, 16, 6},
    {2, 4, 16, 32, 48, 2, 4, 8},
    {3, 4, 81, 108, 243, 3, 6, 8},
    {4, 4, 256, 256, 768, 4, 8, 8},
    {2, 6, 64, 192, 320, 2, 4, 12},
    {12, 2, 144, 24, 144, 12, 24, 4},
    {2, 10, 1024, 5120, 9216, 2, 4, 20},
    {64, 2, 4096, 128, 4096, 64, 128, 4},
    {8, 5, 32768, 20480, 131072, 8, 16, 10},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        fixture fx;
        open_tree(&fx, forms[i].k, forms[i].n);
        const hf_topology *topo = fx.topo;
        assert_int_equal(topo->n_terminal, forms[i].n_terminal);
        assert_int_equal(topo->n_switch, forms[i].n_switch);
        assert_int_equal(topo->n_node, forms[i].n_switch + forms[i].n_terminal);
        assert_int_equal(topo->n_switch_link, forms[i].n_switch_link);
        assert_int_equal(topo->n_link, forms[i].n_switch_link + forms[i].n_terminal);
        assert_int_equal(topo->n_channel, 2 * topo->n_link);
        assert_int_equal(topo->n_port_max, forms[i].n == 1 ? forms[i].k : 2 * forms[i].k);
        assert_int_equal(topo->n_coord, forms[i].n - 1);
        hf_topology_figures figures;
        fixture_ok(&fx, hf_topology_measure(fx.cx, topo, &figures));
        assert_int_equal(figures.degree_min, forms[i].degree_min);
        assert_int_equal(figures.degree_max, forms[i].degree_max);
        assert_int_equal(figures.diameter, forms[i].diameter);
        assert_int_equal(topo->kind->diameter(topo), forms[i].diameter);
        assert_true(fabs(figures.mean_distance - topo->kind->mean_distance(topo)) < 1e-12);
        assert_true(figures.is_bidirectional && figures.is_strongly_connected);
        fixture_close(&fx);
    }
}

/** Where the search would take hours the closed forms answer: 2^17 terminals, 65,536 sources. */
static void figures_of_a_huge_tree(void **state) {
    (void)state;
    fixture fx;
    open_tree(&fx, 2, 17);
    hf_topology_figures figures;
    fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &figures));
    assert_int_equal(figures.diameter, 34);
    assert_true(fabs(figures.mean_distance - 32.00025940139314) < 1e-9); /* sum of 2^t 2 (t+1), over 2^17 - 1 */
    assert_int_equal(figures.degree_max, 4);
    assert_true(figures.is_strongly_connected);
    fixture_close(&fx);
}

/* ---- the adjacency rule ---- */

static uint32_t digit(const hf_topology *topo, uint32_t sw, uint32_t i) {
    return topo->coord[sw * topo->n_coord + topo->n_coord - 1 - i];
}

/** <s, o> and <s', o'> are joined if s' = s+1 and o_i = o'_i for all i but s. */
static bool is_joined(const hf_topology *topo, uint32_t a, uint32_t b) {
    const uint32_t *stage = hf_topology_attribute(topo, "stage")->of_switch;
    if (stage[b] != stage[a] + 1) {
        return false;
    }
    for (uint32_t i = 0; i < topo->n_coord; i++) {
        if (i != stage[a] && digit(topo, a, i) != digit(topo, b, i)) {
            return false;
        }
    }
    return true;
}

static void check_switch_pair(const hf_topology *topo, uint32_t k, uint32_t a, uint32_t b) {
    const uint32_t s = hf_topology_attribute(topo, "stage")->of_switch[a];
    uint32_t found = 0;
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        const uint32_t c = topo->forward[l];
        if (topo->from[c] != a || topo->to[c] != b) {
            continue;
        }
        found++;
        assert_int_equal(topo->from_port[c], k + digit(topo, b, s));
        assert_int_equal(topo->to_port[c], digit(topo, a, s));
        assert_int_equal(hf_topology_attribute(topo, "stage")->of_link[l], s);
    }
    assert_int_equal(found, is_joined(topo, a, b));
}

static void adjacency(void **state) {
    (void)state;
    static const uint32_t trees[][2] = {{2, 1}, {2, 2}, {3, 2}, {2, 3}, {4, 2}, {3, 3}, {2, 4}, {5, 2}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        fixture fx;
        open_tree(&fx, trees[i][0], trees[i][1]);
        for (uint32_t a = 0; a < fx.topo->n_switch; a++) {
            for (uint32_t b = 0; b < fx.topo->n_switch; b++) {
                check_switch_pair(fx.topo, trees[i][0], a, b);
            }
        }
        fixture_close(&fx);
    }
}

/** Switch <0, o> serves the terminals whose digits but the last are o; the last is the port. */
static void terminals(void **state) {
    (void)state;
    fixture fx;
    open_tree(&fx, 3, 3);
    const hf_topology *topo = fx.topo;
    for (uint32_t t = 0; t < topo->n_terminal; t++) {
        const uint32_t sw = topo->terminal_switch[t], l = topo->n_switch_link + t;
        uint32_t rest = t / 3;
        for (uint32_t i = 0; i < 2; i++, rest /= 3) {
            assert_int_equal(digit(topo, sw, i), rest % 3);
        }
        assert_int_equal(hf_topology_attribute(topo, "stage")->of_switch[sw], 0);
        assert_int_equal(hf_topology_attribute(topo, "stage")->of_link[l], HF_NONE);
        assert_int_equal(topo->from[topo->forward[l]], topo->n_switch + t);
        assert_int_equal(topo->from_port[topo->forward[l]], 0);
        assert_int_equal(topo->to[topo->forward[l]], sw);
        assert_int_equal(topo->to_port[topo->forward[l]], t % 3);
    }
    fixture_close(&fx);
}

/** Figure 3.7: link 1 of switch 18 leads to switch 10; 18 sends up to 26 and 30; port 3 of 8 and of 10 leads to 18. */
static void example_of_the_paper(void **state) {
    (void)state;
    fixture fx;
    open_tree(&fx, 2, 4);
    const hf_topology *topo = fx.topo;
    static const uint32_t hops[][3] = {{18, 1, 10}, {18, 0, 8}, {18, 2, 26}, {18, 3, 30}, {8, 3, 18}, {10, 3, 18}, {22, 2, 26}};
    for (size_t i = 0; i < sizeof hops / sizeof *hops; i++) {
        assert_int_equal(topo->to[hf_topology_channel_at(topo, hops[i][0], hops[i][1])], hops[i][2]);
    }
    assert_int_equal(hf_topology_attribute(topo, "stage")->of_switch[18], 2);
    assert_memory_equal(topo->coord + 18 * 3, ((uint32_t[]){0, 1, 0}), 12);
    assert_string_equal(topo->coord_name[0], "o2");
    assert_string_equal(topo->coord_name[2], "o0");
    fixture_close(&fx);
}

/* ---- numbers ---- */

/** Links by (stage, switch, port), terminal links last; forward channels first. */
static void order_of_links_and_channels(void **state) {
    (void)state;
    fixture fx;
    open_tree(&fx, 3, 3);
    const hf_topology *topo = fx.topo;
    for (uint32_t l = 0; l < topo->n_link; l++) {
        assert_int_equal(topo->forward[l], l);
        assert_int_equal(topo->backward[l], topo->n_link + l);
        if (l < topo->n_switch_link) {
            assert_int_equal(topo->from[l], l / 3);
            assert_int_equal(topo->from_port[l], 3 + l % 3);
        }
    }
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        const uint32_t r = topo->reverse[c];
        assert_int_equal(topo->reverse[r], c);
        assert_int_equal(topo->link[r], topo->link[c]);
        assert_int_equal(topo->from[r], topo->to[c]);
        assert_int_equal(topo->to_port[r], topo->from_port[c]);
    }
    fixture_close(&fx);
}

static void adjacency_lists(void **state) {
    (void)state;
    fixture fx;
    open_tree(&fx, 3, 3);
    const hf_topology *topo = fx.topo;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        for (uint32_t i = topo->out_begin[v]; i < topo->out_begin[v + 1]; i++) {
            const uint32_t c = topo->out_list[i];
            assert_int_equal(topo->from[c], v);
            assert_true(i == topo->out_begin[v] || topo->from_port[topo->out_list[i - 1]] < topo->from_port[c]);
            assert_int_equal(hf_topology_channel_at(topo, v, topo->from_port[c]), c);
        }
        for (uint32_t i = topo->in_begin[v]; i < topo->in_begin[v + 1]; i++) {
            const uint32_t c = topo->in_list[i];
            assert_int_equal(topo->to[c], v);
            assert_true(i == topo->in_begin[v] || topo->to_port[topo->in_list[i - 1]] < topo->to_port[c]);
        }
        assert_int_equal(hf_topology_channel_at(topo, v, 6), HF_NONE);
    }
    assert_int_equal(topo->out_begin[topo->n_node], topo->n_channel);
    assert_int_equal(topo->in_begin[topo->n_node], topo->n_channel);
    assert_int_equal(hf_topology_channel_at(topo, topo->n_switch - 1, 3), HF_NONE); /* top stage: no up ports */
    fixture_close(&fx);
}

/** Rows by stage, switches over the middle of what they serve. */
static void places(void **state) {
    (void)state;
    fixture fx;
    open_tree(&fx, 4, 3);
    const hf_topology *topo = fx.topo;
    hf_position p = topo->kind->place(topo, topo->n_switch + 63);
    assert_true(p.x == 63 && p.y == 0);
    p = topo->kind->place(topo, 0);
    assert_true(p.x == 1.5 && p.y == 1);
    p = topo->kind->place(topo, 47);
    assert_true(p.x == 61.5 && p.y == 3);
    fixture_close(&fx);
}

/* ---- specs ---- */

static void bad_specs(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        hf_status status;
        const char *message;
    } bad[] = {
        {"kary-tree:k=1,n=3", HF_ERANGE, "k=1 is out of range; need 2 <= k <= 64"},
        {"kary-tree:k=65,n=3", HF_ERANGE, "k=65 is out of range; need 2 <= k <= 64"},
        {"kary-tree:k=4,n=0", HF_ERANGE, "n=0 is out of range"},
        {"kary-tree:k=4", HF_EINVAL, "parameter n is missing"},
        {"kary-tree", HF_EINVAL, "parameter k is missing"},
        {"kary-tree:k=4,n=3,m=1", HF_EINVAL, "\"m\""},
        {"kary-tree:k=four,n=3", HF_EINVAL, "four"},
        {"kary-tre:k=4,n=3", HF_ENOENT, "did you mean \"kary-tree\"?"},
        {"", HF_ENOENT, "topology"},
        {"kary-tree:k=8,n=9", HF_ERANGE, "GiB of memory; the limit is 4 GiB"},
        {"kary-tree:k=64,n=5", HF_ERANGE, "about 394.5 GiB"},
        {"kary-tree:k=64,n=32", HF_ERANGE, "with 2^64 nodes or links at least"},
        {"kary-tree:k=2,n=64", HF_ERANGE, "with 2^64 nodes or links at least"},
        {"kary-tree:k=2,n=18446744073709551614", HF_ERANGE, "GiB"},
    };
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hf_topology *topo = NULL;
        const hf_status status = hf_topology_new(cx, bad[i].spec, &topo);
        if (status != bad[i].status || !strstr(hf_context_message(cx), bad[i].message)) {
            fail_msg("%s: %s: %s", bad[i].spec, hf_status_text(status), hf_context_message(cx));
        }
        assert_null(topo);
    }
    hf_context_free(cx);
}

static void registry(void **state) {
    (void)state;
    const hf_topology_kind *kind = hf_topology_kind_find("kary-tree", 9);
    assert_non_null(kind);
    assert_null(hf_topology_kind_find("kary-tree", 8));
    assert_null(hf_topology_kind_at(hf_topology_count()));
    bool is_listed = false;
    for (size_t i = 0; i < hf_topology_count(); i++) {
        is_listed |= hf_topology_kind_at(i) == kind;
    }
    assert_true(is_listed);
    fixture fx;
    fixture_open(&fx, "kary-tree:n=3,k=04", NULL, NULL);
    assert_string_equal(fx.topo->spec, "kary-tree:k=4,n=3");
    hf_kary_tree shape;
    assert_true(hf_kary_tree_shape(fx.topo, &shape));
    assert_true(shape.k == 4 && shape.n == 3 && shape.width == 16 && shape.n_unit == 16);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(figures_of_a_huge_tree),
        cmocka_unit_test(adjacency),
        cmocka_unit_test(terminals),
        cmocka_unit_test(example_of_the_paper),
        cmocka_unit_test(order_of_links_and_channels),
        cmocka_unit_test(adjacency_lists),
        cmocka_unit_test(places),
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(registry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
