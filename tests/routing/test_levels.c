/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  DESTRO on trees whose levels differ and on the bidirectional MIN: that of a k-ary n-tree where the network is one, renumbered
 * or not; one switch of a level brings a destination down; ways up are dealt out evenly; all ways are shortest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/routing/tree/levels.h"
#include "src/topology/search.h"
#include "tests/oracle/fixture.h"

/* A k-ary n-tree as levels has the ports of the digits. */
static void a_kary_tree_is_its_levels(void **state) {
    (void)state;
    static const char *const specs[] = {"kary-tree:k=2,n=1", "kary-tree:k=2,n=4", "kary-tree:k=3,n=3", "kary-tree:k=4,n=2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fixture fx;
        hf_tree tree;
        hf_levels levels;
        fixture_open(&fx, specs[i], NULL, "destro");
        assert_true(hf_tree_of(fx.topo, &tree) && hf_levels_of(fx.topo, &levels));
        for (uint32_t sw = 0; sw < tree.n_switch; sw++) {
            const uint32_t s = hf_tree_stage(&tree, sw);
            assert_int_equal(hf_levels_at(&levels, sw), s);
            for (uint32_t d = 0; d < tree.n_terminal; d++) {
                assert_int_equal(hf_levels_is_below(&levels, s, sw, d), hf_tree_is_below(&tree, sw, d));
                assert_int_equal(hf_levels_down_port(&levels, s, d), hf_tree_down_port(&tree, s, d));
                if (s + 1 < tree.n) {
                    assert_int_equal(hf_levels_up_port(&levels, s, d), tree.k + hf_tree_digit(&tree, d, s));
                }
            }
        }
        fixture_close(&fx);
    }
}

/* ---- ways ---- */

typedef struct net {
    fixture fx;
    hf_fault_set faults;
    hf_plan plan;
    const uint32_t *stage; /* by switch */
    uint32_t *carried;     /* by channel: pairs that cross it */
    uint32_t *into;        /* by destination and stage: the switch that brings it down there, HF_NONE */
    uint32_t n_stage;
} net;

static void open_net(net *x, const char *topo, const char *rule) {
    fixture_open(&x->fx, topo, NULL, rule);
    fixture_plan(&x->fx, "", &x->faults, &x->plan);
    const hf_topology *t = x->fx.topo;
    x->stage = hf_topology_attribute(t, "stage")->of_switch;
    x->n_stage = 0;
    for (uint32_t v = 0; v < t->n_switch; v++) {
        x->n_stage = x->stage[v] + 1 > x->n_stage ? x->stage[v] + 1 : x->n_stage;
    }
    assert_true(x->n_stage > 0);
    x->carried = calloc(t->n_channel, sizeof *x->carried);
    x->into = calloc((size_t)t->n_terminal * x->n_stage + 1, sizeof *x->into);
    assert_true(x->carried && x->into);
    memset(x->into, 0xff, (size_t)t->n_terminal * x->n_stage * sizeof *x->into);
}

static void close_net(net *x) {
    free(x->carried);
    free(x->into);
    fixture_close(&x->fx);
}

/* Follow the one way; note what it crosses. \return its channels */
static uint32_t follow(net *x, uint32_t source, uint32_t destination) {
    const hf_topology *t = x->fx.topo;
    uint32_t at = t->n_switch + source, n = 0;
    hf_hop in = HF_HOP_INJECTION;
    bool is_down = false;
    while (at != t->n_switch + destination) {
        hf_hop hops[4];
        assert_int_equal(hf_plan_route(&x->plan, at, in, destination, hops), 1);
        in = hops[0];
        assert_int_equal(t->from[in.channel], at);
        x->carried[in.channel]++;
        const uint32_t next = t->to[in.channel];
        if (at < t->n_switch && (next >= t->n_switch || x->stage[next] < x->stage[at])) {
            uint32_t *by = &x->into[(size_t)destination * x->n_stage + x->stage[at]];
            assert_true(*by == HF_NONE || *by == at);
            *by = at;
            is_down = true;
        } else {
            assert_false(is_down); /* never up again */
        }
        at = next;
        assert_true(++n <= 2 * x->n_stage);
    }
    return n;
}

static const char *const trees[] = {"bmin:k=2,n=4",
                                    "bmin:k=3,n=3",
                                    "bmin:k=2,n=1",
                                    "xgft:h=3,m=4x4x4,w=1x2x2",
                                    "xgft:h=3,m=2x3x4,w=1x2x3",
                                    "xgft:h=2,m=4x4,w=1x2,p=1x2",
                                    "xgft:h=1,m=3,w=1",
                                    "clos:tiers=2,radix=8,bundle=2",
                                    "clos:tiers=3,radix=4,pods=2"};
enum { TREES = sizeof trees / sizeof *trees };

/* Down, each destination comes from one switch of a level; without a turn above that, ways are as short as any. */
static void ways_are_shortest_and_meet(void **state) {
    (void)state;
    for (size_t i = 0; i < TREES; i++) {
        for (int minimal = 0; minimal < 2; minimal++) {
            net x;
            open_net(&x, trees[i], minimal ? "destro" : "destro:minimal=no");
            const hf_topology *t = x.fx.topo;
            uint32_t *distance = calloc(2 * (size_t)t->n_node, sizeof *distance);
            assert_non_null(distance);
            for (uint32_t s = 0; s < t->n_terminal; s++) {
                hf_distances(t, NULL, t->n_switch + s, false, distance + t->n_node, distance);
                for (uint32_t d = 0; d < t->n_terminal; d++) {
                    const uint32_t n = s == d ? 0 : follow(&x, s, d);
                    assert_int_equal(n, s == d ? 0 : minimal ? distance[t->n_switch + d] : 2 * x.n_stage);
                }
            }
            free(distance);
            close_net(&x);
        }
    }
}

/* Where the children of a level are a multiple of its ways up, every channel up between two levels carries as many pairs, and
 * every channel down; also with links side by side. */
static void ways_are_dealt_out(void **state) {
    (void)state;
    static const char *const even[] = {"bmin:k=2,n=4", "bmin:k=3,n=3", "xgft:h=3,m=4x4x4,w=1x2x2", "xgft:h=2,m=4x4,w=1x2,p=1x2",
                                       "clos:tiers=2,radix=8,bundle=2"};
    for (size_t i = 0; i < sizeof even / sizeof *even; i++) {
        net x;
        open_net(&x, even[i], "destro:minimal=no");
        const hf_topology *t = x.fx.topo;
        for (uint32_t s = 0; s < t->n_terminal; s++) {
            for (uint32_t d = 0; d < t->n_terminal; d++) {
                if (s != d) {
                    follow(&x, s, d);
                }
            }
        }
        for (uint32_t l = 0; l + 1 < x.n_stage; l++) {
            uint32_t least[2] = {UINT32_MAX, UINT32_MAX}, most[2] = {0, 0};
            for (uint32_t c = 0; c < t->n_channel; c++) {
                const uint32_t a = t->from[c], b = t->to[c];
                if (a < t->n_switch && b < t->n_switch && (x.stage[a] == l || x.stage[b] == l) &&
                    x.stage[a] + x.stage[b] == 2 * l + 1) {
                    const int up = x.stage[b] > x.stage[a];
                    least[up] = x.carried[c] < least[up] ? x.carried[c] : least[up];
                    most[up] = x.carried[c] > most[up] ? x.carried[c] : most[up];
                }
            }
            /* what a terminal does not send to itself makes a difference of as many as lie below */
            if (most[0] - least[0] > 0 || most[1] - least[1] > t->n_terminal / 2) {
                fail_msg("%s, level %u: down %u to %u pairs, up %u to %u", even[i], l, least[0], most[0], least[1], most[1]);
            }
        }
        close_net(&x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_kary_tree_is_its_levels), cmocka_unit_test(ways_are_shortest_and_meet),
                                       cmocka_unit_test(ways_are_dealt_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
