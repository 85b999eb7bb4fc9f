/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The paths of a pair against an enumeration that follows them one by one, under random faults and several rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "tests/oracle/fixture.h"

enum { LENGTH_MAX = 40, HOPS_MAX = 64 };

/** The slow twin: every path as a list of channels, one after the other. */
typedef struct listing {
    const hf_plan *plan;
    uint32_t destination;
    uint32_t path[LENGTH_MAX];
    uint64_t n_path;
    uint8_t *channel, *node; /**< on some path */
} listing;

static void take_path(listing *l, uint32_t length) {
    const hf_topology *topo = l->plan->topo;
    l->n_path++;
    for (uint32_t i = 0; i < length; i++) {
        l->channel[l->path[i]] = 1;
        l->node[topo->from[l->path[i]]] = l->node[topo->to[l->path[i]]] = 1;
    }
}

static void list_paths(listing *l, uint32_t at, hf_hop in, uint32_t length) {
    const hf_topology *topo = l->plan->topo;
    hf_hop hops[HOPS_MAX];
    assert_true(length < LENGTH_MAX && l->plan->max_hops <= HOPS_MAX);
    if (at == topo->n_switch + l->destination) {
        take_path(l, length);
        return;
    }
    if (hf_topology_is_terminal(topo, at) && length > 0) {
        return;
    }
    const size_t n = hf_plan_route(l->plan, at, in, l->destination, hops);
    for (size_t i = 0; i < n; i++) {
        if (!hf_bit_test(l->plan->faults->channel_set, hops[i].channel)) {
            l->path[length] = hops[i].channel;
            list_paths(l, topo->to[hops[i].channel], hops[i], length + 1);
        }
    }
}

static void compare(fixture *fx, const hf_plan *plan, uint32_t a, uint32_t b, uint64_t *n_path) {
    const hf_topology *topo = fx->topo;
    listing l = {.plan = plan, .destination = b};
    hf_pair_paths have;
    l.channel = calloc(topo->n_channel, 1);
    l.node = calloc(topo->n_node, 1);
    list_paths(&l, topo->n_switch + a, HF_HOP_INJECTION, 0);
    fixture_ok(fx, hf_paths_of_pair(fx->cx, plan, a, b, &have));
    assert_true(have.is_counted);
    assert_int_equal((uint64_t)have.n_path, l.n_path);
    uint32_t n_channel = 0, n_switch = 0;
    for (uint32_t c = 0; c < topo->n_channel; c++) {
        assert_int_equal(hf_bit_test(have.channel_set, c), l.channel[c]);
        n_channel += l.channel[c];
    }
    for (uint32_t v = 0; v < topo->n_node; v++) {
        assert_int_equal(hf_bit_test(have.node_set, v), l.node[v]);
        n_switch += v < topo->n_switch && l.node[v];
    }
    assert_int_equal(have.n_channel, n_channel);
    assert_int_equal(have.n_switch, n_switch);
    *n_path += l.n_path;
    free(l.channel);
    free(l.node);
}

static void like_one_by_one(void **state) {
    (void)state;
    static const char *const net[][3] = {
        {"multibutterfly:radix=2,stages=4", "switches", "multipath"},
        {"maximal-fanout:radix=2,stages=4", "links+terminal-links", "minimal"},
        {"kary-tree:k=2,n=3", "channels", "updown"},
        {"kary-tree:k=2,n=3", "channels", "interval"},
        {"benes:k=2,n=3", "links", "minimal"},
        {"bmin:k=2,n=3", "links", "minimal"},
        {"torus:dims=4x3", "links", "dor:vcs=2,dateline=yes"},
    };
    for (size_t i = 0; i < sizeof net / sizeof *net; i++) {
        fixture fx;
        uint64_t n_path = 0;
        fixture_open(&fx, net[i][0], net[i][1], net[i][2]);
        for (uint32_t trial = 0; trial < 40; trial++) {
            const hf_mark mark = hf_scratch_mark(fx.cx);
            hf_random random;
            hf_fault_set set;
            hf_plan plan;
            uint32_t c[4];
            hf_random_init(&random, trial, HF_PURPOSE_TEST, i);
            const uint32_t f = trial % 5, a = (uint32_t)hf_random_below(&random, fx.topo->n_terminal);
            const uint32_t b = (a + 1 + (uint32_t)hf_random_below(&random, fx.topo->n_terminal - 1)) % fx.topo->n_terminal;
            hf_random_subset(&random, fx.universe->n_component, f, c);
            fixture_plan_set(&fx, c, f, &set, &plan);
            compare(&fx, &plan, a, b, &n_path);
            hf_scratch_reset(fx.cx, mark);
        }
        assert_true(n_path > 30);
        fixture_close(&fx);
    }
}

/** [chong1992, 2]: in figure 2 the paths of the pair reach 4 routers of the second stage. */
static void figure_2(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_pair_paths paths;
    fixture_open(&fx, "maximal-fanout:radix=2,dilation=2,stages=4", NULL, "multipath");
    fixture_plan(&fx, "", &set, &plan);
    for (uint32_t pair = 0; pair < 256; pair++) {
        uint32_t second = 0;
        if (pair / 16 == pair % 16) {
            assert_int_equal(hf_paths_of_pair(fx.cx, &plan, pair / 16, pair % 16, &paths), HF_EINVAL);
            hf_context_clear(fx.cx);
            continue;
        }
        fixture_ok(&fx, hf_paths_of_pair(fx.cx, &plan, pair / 16, pair % 16, &paths));
        for (uint32_t v = 8; v < 16; v++) {
            second += hf_bit_test(paths.node_set, v);
        }
        assert_int_equal(second, 4);
        assert_int_equal((uint64_t)paths.n_path, 16);
    }
    fixture_close(&fx);
}

/** A relation that lets a packet go round has no count, but its channels are there. */
static void going_round(void **state) {
    (void)state;
    fixture fx;
    hf_fault_set set;
    hf_plan plan;
    hf_pair_paths paths;
    fixture_open(&fx, "ring:n=4", NULL, "valiant");
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_paths_of_pair(fx.cx, &plan, 0, 1, &paths));
    assert_true(paths.n_channel > 3);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(like_one_by_one), cmocka_unit_test(figure_2),
                                       cmocka_unit_test(going_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
