/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The helpers that families build with, on networks that no family makes: unidirectional links, gaps between port numbers,
 *  uneven numbers of terminals, parts that cannot reach each other. Figures are compared with a search per terminal. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

#include "src/topology/search.h"

static hf_position nowhere(const hf_topology *topo, uint32_t node) {
    (void)topo;
    return (hf_position){node, 0};
}
static const hf_topology_kind kind = {
    .name = "test", .summary = "", .source = "", .claims = "", .params = hf_no_params, .place = nowhere};

/** A network as text: one link an item, {a, port, b, port, both ways}; terminals are numbered behind the switches. */
typedef struct wire {
    uint32_t a, a_port, b, b_port;
    bool both_ways;
} wire;

static hf_topology *build(hf_context *cx, uint32_t n_switch, uint32_t n_terminal, const wire *wires, uint32_t n_wire) {
    const hf_args args = {.params = hf_no_params, .allocator = *hf_context_allocator(cx)};
    hf_topology *topo;
    assert_int_equal(hf_topology_start(cx, &kind, &args, n_switch, n_terminal, n_wire - n_terminal, n_terminal, 0, NULL, &topo),
                     HF_OK);
    for (uint32_t i = 0; i < n_wire; i++) {
        hf_topology_add_link(topo, wires[i].a, wires[i].a_port, wires[i].b, wires[i].b_port, wires[i].both_ways);
    }
    assert_int_equal(hf_topology_finish(cx, topo), HF_OK);
    assert_string_equal(topo->spec, "test");
    return topo;
}

/* ---- the slow, obvious figures ---- */

enum { NODES_MAX = 256 };

/** Over channels that are not in `failed` (NULL: all), among the first `n` nodes. */
static void distances_from(const hf_topology *topo, const uint64_t *failed, bool backwards, uint32_t n, uint32_t source,
                           uint32_t *distance) {
    const uint32_t *from = backwards ? topo->to : topo->from, *to = backwards ? topo->from : topo->to;
    uint32_t queue[NODES_MAX], head = 0, tail = 0;
    for (uint32_t v = 0; v < n; v++) {
        distance[v] = HF_NONE;
    }
    distance[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const uint32_t v = queue[head++];
        if (hf_topology_is_terminal(topo, v) && v != source) {
            continue; /* terminals do not forward */
        }
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            if (from[c] == v && to[c] < n && !(failed && hf_bit_test(failed, c)) && distance[to[c]] == HF_NONE) {
                distance[to[c]] = distance[v] + 1;
                queue[tail++] = to[c];
            }
        }
    }
}

/** Every start, with and against the channels, healthy and with every third channel failed. */
static void compare_searches(const hf_topology *topo, const char *what) {
    uint64_t thirds[NODES_MAX * 4 / 64] = {0};
    uint32_t queue[NODES_MAX], got[NODES_MAX + 1], want[NODES_MAX];
    assert_true(topo->n_channel <= NODES_MAX * 4);
    for (uint32_t c = 0; c < topo->n_channel; c += 3) {
        hf_bit_set(thirds, c);
    }
    for (uint32_t i = 0; i < 8; i++) {
        const bool backwards = i & 1, only_switches = i & 2;
        const uint64_t *failed = i & 4 ? thirds : NULL;
        const uint32_t n = only_switches ? topo->n_switch : topo->n_node;
        for (uint32_t v = 0; v < n; v++) {
            distances_from(topo, failed, backwards, n, v, want);
            got[n] = 4711; /* nothing is written behind the end */
            (only_switches ? hf_switch_distances : hf_distances)(topo, failed, v, backwards, queue, got);
            if (memcmp(got, want, n * sizeof *want) != 0 || got[n] != 4711) {
                fail_msg("%s: distances %u from node %u are wrong", what, i, v);
            }
        }
    }
}

/** Parts: every node takes the lowest number that it hears of over its links. */
static uint32_t count_parts(const hf_topology *topo) {
    uint32_t lowest[NODES_MAX], n = 0;
    bool changes = true;
    for (uint32_t v = 0; v < topo->n_node; v++) {
        lowest[v] = v;
    }
    while (changes) {
        changes = false;
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            uint32_t *a = &lowest[topo->from[c]], *b = &lowest[topo->to[c]];
            changes |= *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    for (uint32_t v = 0; v < topo->n_node; v++) {
        n += lowest[v] == v;
    }
    return n;
}

static void compare_figures(hf_context *cx, const hf_topology *topo, const char *what) {
    uint64_t pairs = 0, sum = 0;
    uint32_t longest = 0, from[NODES_MAX];
    compare_searches(topo, what);
    for (uint32_t a = topo->n_switch; a < topo->n_node; a++) {
        distances_from(topo, NULL, false, topo->n_node, a, from);
        for (uint32_t b = topo->n_switch; b < topo->n_node; b++) {
            if (a != b && from[b] != HF_NONE) {
                pairs++;
                sum += from[b];
                longest = from[b] > longest ? from[b] : longest;
            }
        }
    }
    hf_topology_figures figures;
    assert_int_equal(hf_topology_measure(cx, topo, &figures), HF_OK);
    const bool is_connected = pairs == (uint64_t)topo->n_terminal * (topo->n_terminal - 1);
    const double mean = pairs ? (double)sum / (double)pairs : 0;
    const bool is_right = is_connected ? figures.diameter == longest && fabs(figures.mean_distance - mean) <= 1e-12
                                       : figures.diameter == HF_NONE && isnan(figures.mean_distance);
    if (!is_right || figures.is_strongly_connected != is_connected || figures.n_part != count_parts(topo) ||
        figures.n_pair_apart != (uint64_t)topo->n_terminal * (topo->n_terminal - 1) - pairs) {
        fail_msg("%s: diameter %u, mean %.17g, connected %d, %u parts; need %u, %.17g, %d, %u", what, figures.diameter,
                 figures.mean_distance, figures.is_strongly_connected, figures.n_part, longest, mean, is_connected,
                 count_parts(topo));
    }
}

/* ---- cases ---- */

/** 0 > 1 > 2 > 3 > 0, one terminal each on 0 and 2, two on 1. */
static void unidirectional_ring(void **state) {
    (void)state;
    static const wire ring[] = {{0, 1, 1, 2, false}, {1, 1, 2, 2, false}, {2, 1, 3, 2, false}, {3, 1, 0, 2, false},
                                {4, 0, 0, 0, true},  {5, 0, 1, 0, true},  {6, 0, 1, 5, true},  {7, 0, 2, 0, true}};
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = build(cx, 4, 4, ring, 8);
    assert_int_equal(topo->n_channel, 12);
    assert_int_equal(topo->n_switch_link, 4);
    assert_int_equal(topo->n_port_max, 6);
    assert_int_equal(topo->reverse[0], HF_NONE);
    assert_int_equal(topo->backward[0], HF_NONE);
    assert_int_equal(topo->backward[4], 8); /* the first backward channel */
    assert_int_equal(topo->reverse[8], 4);
    assert_int_equal(hf_topology_channel_at(topo, 1, 5), topo->backward[6]); /* ports 2, 3, 4 of switch 1 send nothing */
    assert_int_equal(hf_topology_channel_at(topo, 1, 2), HF_NONE);
    assert_int_equal(hf_topology_channel_at(topo, 1, 4), HF_NONE);
    hf_topology_figures figures;
    assert_int_equal(hf_topology_measure(cx, topo, &figures), HF_OK);
    assert_int_equal(figures.diameter, 5); /* from 1 or 2 back round to the switch before */
    assert_int_equal(figures.degree_min, 2);
    assert_int_equal(figures.degree_max, 4);
    assert_false(figures.is_bidirectional);
    assert_true(figures.is_strongly_connected);
    compare_figures(cx, topo, "ring");
    hf_topology_free(topo);
    hf_context_free(cx);
}

static void parts(void **state) {
    (void)state;
    static const wire two[] = {{0, 1, 1, 1, true}, {2, 1, 3, 1, false}, {4, 0, 0, 0, true},
                               {5, 0, 1, 0, true}, {6, 0, 2, 0, true},  {7, 0, 3, 0, true}};
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = build(cx, 4, 4, two, 6);
    hf_topology_figures figures;
    assert_int_equal(hf_topology_measure(cx, topo, &figures), HF_OK);
    assert_false(figures.is_strongly_connected);
    assert_int_equal(figures.diameter, HF_NONE);
    assert_int_equal(figures.n_part, 2);
    assert_int_equal(figures.n_pair_apart, 9); /* 4 there, 4 back, and 3 to 2 */
    compare_figures(cx, topo, "parts");
    hf_topology_free(topo);
    hf_context_free(cx);
}

/** One switch, without links and with a terminal. */
static void alone(void **state) {
    (void)state;
    static const wire end[] = {{1, 0, 0, 0, true}};
    hf_context *cx = hf_context_new(NULL);
    hf_topology *bare = build(cx, 1, 0, NULL, 0), *topo = build(cx, 1, 1, end, 1);
    assert_int_equal(bare->n_channel, 0);
    compare_searches(bare, "bare");
    compare_searches(topo, "alone");
    hf_topology_free(bare);
    hf_topology_free(topo);
    hf_context_free(cx);
}

/** Ports are handed out in order, but for a random gap now and then. */
static hf_topology *random_network(hf_context *cx, hf_random *r) {
    wire wires[NODES_MAX];
    uint32_t port[NODES_MAX] = {0}, n = 0;
    const uint32_t n_switch = 1 + (uint32_t)hf_random_below(r, 12), n_terminal = 2 + (uint32_t)hf_random_below(r, 12);
    const uint32_t n_switch_link = (uint32_t)hf_random_below(r, 2 * n_switch);
    for (; n < n_switch_link + n_terminal; n++) {
        const bool is_terminal = n >= n_switch_link;
        const uint32_t a = is_terminal ? n_switch + n - n_switch_link : (uint32_t)hf_random_below(r, n_switch);
        const uint32_t b = (uint32_t)hf_random_below(r, n_switch);
        port[a] += hf_random_below(r, 4) == 0;
        const uint32_t a_port = port[a]++, b_port = port[b]++;
        wires[n] = (wire){a, a_port, b, b_port, is_terminal || hf_random_below(r, 2)};
    }
    return build(cx, n_switch, n_terminal, wires, n);
}

static void random_networks(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        hf_random r;
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        hf_context *cx = hf_context_new(NULL);
        hf_topology *topo = random_network(cx, &r);
        compare_figures(cx, topo, what);
        for (uint32_t c = 0; c < topo->n_channel; c++) {
            assert_int_equal(hf_topology_channel_at(topo, topo->from[c], topo->from_port[c]), c);
        }
        hf_topology_free(topo);
        hf_context_free(cx);
    }
}

/** Many switches with one terminal each: more than one batch of searches, with a rest. */
static void many_sources(void **state) {
    (void)state;
    enum { N = 100 };
    wire wires[2 * N + 1];
    for (uint32_t i = 0; i < N; i++) {
        wires[i] = (wire){i, 1, (i + 1) % N, 2, i % 7 != 0};
        wires[N + i] = (wire){N + i, 0, i, 0, true};
    }
    wires[N].b = 1; /* uneven: two terminals on switch 1, none on 0 */
    wires[N].b_port = 3;
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo = build(cx, N, N, wires, 2 * N);
    compare_figures(cx, topo, "many sources");
    hf_topology_free(topo);
    hf_context_free(cx);
}

static void stopped(void **state) {
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    hf_context *cx = hf_context_new(NULL);
    hf_topology *topo;
    hf_topology_figures figures;
    assert_int_equal(hf_topology_new(cx, "kary-tree:k=2,n=3", &topo), HF_OK);
    hf_context_set_stop(cx, &stop);
    assert_int_equal(hf_topology_measure(cx, topo, &figures), HF_ESTOP);
    hf_topology_free(topo);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unidirectional_ring), cmocka_unit_test(parts),        cmocka_unit_test(alone),
        cmocka_unit_test(random_networks),     cmocka_unit_test(many_sources), cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
