/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Multistage networks: counts, self-routing by digits, one path a pair where there is one, and what the wirings of multipath
 *  networks promise: every pair connected, maximal fanout, outputs of a router apart, expansion of small sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>

#include "src/topology/multistage/fly.h"
#include "src/topology/multistage/multipath.h"
#include "tests/oracle/fixture.h"
#include "tests/oracle/wiring.h"

/* ---- counts ---- */

typedef struct form {
    const char *spec;
    uint32_t n_switch, n_terminal, n_link, n_channel, degree, diameter;
} form;

static const form forms[] = {
    {"ruft:k=2,n=4", 4 * 8, 16, 5 * 16, 5 * 16, 4, 5},
    {"ruft:k=4,n=3", 3 * 16, 64, 4 * 64, 4 * 64, 8, 4},
    {"butterfly:k=2,n=3", 3 * 4, 8, 4 * 8, 4 * 8, 4, 4},
    {"omega:k=3,n=2", 2 * 3, 9, 3 * 9, 3 * 9, 6, 3},
    {"baseline:k=2,n=4", 4 * 8, 16, 5 * 16, 5 * 16, 4, 5},
    {"benes:k=2,n=3", 5 * 4, 8, 6 * 8, 6 * 8, 4, 6},
    {"benes:k=4,n=2", 3 * 4, 16, 4 * 16, 4 * 16, 8, 4},
    {"benes:k=3,n=1", 1, 3, 6, 6, 6, 2},
    {"multibutterfly:radix=4,dilation=2,stages=5", 4 * 256 + 512, 1024, 6 * 2048, 6 * 2048, 16, 6},
    {"maximal-fanout:radix=2,dilation=2,stages=4", 3 * 8 + 16, 16, 5 * 32, 5 * 32, 8, 5},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        fixture fx;
        hf_topology_figures figures;
        fixture_open(&fx, forms[i].spec, NULL, NULL);
        fixture_ok(&fx, hf_topology_measure(fx.cx, fx.topo, &figures));
        assert_int_equal(fx.topo->n_switch, forms[i].n_switch);
        assert_int_equal(fx.topo->n_terminal, forms[i].n_terminal);
        assert_int_equal(fx.topo->n_link, forms[i].n_link);
        assert_int_equal(fx.topo->n_channel, forms[i].n_channel);
        assert_int_equal(figures.degree_max, forms[i].degree);
        assert_int_equal(figures.diameter, forms[i].diameter);
        assert_int_equal(fx.topo->kind->diameter(fx.topo), forms[i].diameter);
        assert_true(figures.mean_distance == forms[i].diameter);
        assert_true(figures.is_strongly_connected && !figures.is_bidirectional);
        fixture_close(&fx);
    }
}

static void bidirectional_min(void **state) {
    (void)state;
    static const counts want[] = {{"bmin:k=2,n=3", 12, 8, 16, 2, 4, 6},
                                  {"bmin:k=4,n=2", 8, 16, 16, 4, 8, 4},
                                  {"bmin:k=3,n=3", 27, 27, 54, 3, 6, 6},
                                  {"bmin:k=5,n=1", 1, 5, 0, 5, 5, 2}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        counts_check(&want[i]);
    }
}

static void refusals(void **state) {
    (void)state;
    static const refusal list[] = {
        {"multibutterfly:radix=4,dilation=3", HF_EINVAL, "does not divide"},
        {"maximal-fanout:radix=2,dilation=4", HF_EINVAL, "does not divide"},
        {"ruft:k=64,n=31", HF_ERANGE, "GiB"},
        {"multibutterfly:radix=16,stages=16", HF_ERANGE, "GiB"},
    };
    refusals_check(list, sizeof list / sizeof *list);
}

/* ---- self-routing ---- */

/** Output that leads to destination `p` in stage s: its digit, as the family says. */
static uint32_t digit_of(const hf_fly *fly, const char *family, uint32_t s, uint32_t p) {
    const bool is_ruft = strncmp(family, "ruft", 4) == 0, is_benes = strncmp(family, "benes", 5) == 0;
    return hf_fly_digit(fly, p, is_ruft ? s : is_benes ? fly->n_stage - 1 - s : fly->n - 1 - s);
}

/** From terminal a, taking output `free` in the first stages of a Benes network, then the digits of b. \return where it ends */
static uint32_t follow(const hf_topology *topo, const hf_fly *fly, uint32_t a, uint32_t b, uint32_t free) {
    uint32_t at = topo->to[hf_topology_channel_at(topo, topo->n_switch + a, 0)];
    for (uint32_t s = 0; s < fly->n_stage; s++) {
        const bool is_free = s + fly->n < fly->n_stage;
        const uint32_t port = is_free ? free / hf_power(fly->k, s) % fly->k : digit_of(fly, topo->spec, s, b);
        at = topo->to[hf_topology_channel_at(topo, at, fly->k + port)];
    }
    return at - topo->n_switch;
}

static void digits_lead_home(void **state) {
    (void)state;
    static const char *const spec[] = {"ruft:k=2,n=4",  "ruft:k=3,n=3",  "butterfly:k=2,n=4", "butterfly:k=3,n=3",
                                       "omega:k=2,n=4", "omega:k=3,n=3", "baseline:k=2,n=4",  "baseline:k=3,n=3",
                                       "benes:k=2,n=3", "benes:k=3,n=2", "ruft:k=5,n=1"};
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        fixture fx;
        hf_fly fly;
        fixture_open(&fx, spec[i], NULL, NULL);
        assert_true(hf_fly_of(fx.topo, &fly));
        const uint32_t n_free = hf_power(fly.k, fly.n_stage - fly.n);
        for (uint32_t a = 0; a < fly.n_line; a++) {
            for (uint32_t b = 0; b < fly.n_line; b++) {
                for (uint32_t free = 0; free < n_free; free++) {
                    assert_int_equal(follow(fx.topo, &fly, a, b, free), b);
                }
            }
        }
        fixture_close(&fx);
    }
}

/* ---- multipath wirings ---- */

static const char *const multipaths[] = {
    "multibutterfly:radix=2,stages=4",
    "multibutterfly:radix=2,stages=4,seed=7,inputs=clustered",
    "multibutterfly:radix=4,stages=3,seed=3",
    "multibutterfly:radix=4,dilation=4,stages=3",
    "multibutterfly:radix=3,dilation=3,stages=3",
    "multibutterfly:radix=3,dilation=1,stages=3",
    "maximal-fanout:radix=2,stages=4",
    "maximal-fanout:radix=2,stages=4,wiring=random,seed=5,inputs=random",
    "maximal-fanout:radix=4,stages=4",
    "maximal-fanout:radix=4,stages=4,wiring=random",
    "multibutterfly:radix=4,dilation=2,stages=5",
    "maximal-fanout:radix=4,dilation=2,stages=5",
    "maximal-fanout:radix=4,dilation=2,stages=5,wiring=random",
};
enum { N_MULTIPATH = sizeof multipaths / sizeof *multipaths };

/** Outputs of a router towards direction j of a message, as channels: those of one direction lead into one class, apart. */
static void outputs_part(void **state) {
    (void)state;
    for (size_t i = 0; i < N_MULTIPATH; i++) {
        fixture fx;
        hf_multipath net;
        fixture_open(&fx, multipaths[i], NULL, NULL);
        const hf_topology *topo = fx.topo;
        assert_true(hf_multipath_of(topo, &net));
        const uint32_t *stage = hf_topology_attribute(topo, "stage")->of_switch;
        for (uint32_t v = 0; v < (net.n_stage - 1) * net.width; v++) {
            for (uint32_t port = 0; port < net.radix * net.dilation; port++) {
                const uint32_t to = topo->to[hf_topology_channel_at(topo, v, net.radix * net.dilation + port)];
                assert_int_equal(stage[to], stage[v] + 1);
                assert_int_equal(topo->coord[2 * to], topo->coord[2 * v] * net.radix + port / net.dilation);
                for (uint32_t other = port / net.dilation * net.dilation; other < port; other++) {
                    assert_int_not_equal(to, topo->to[hf_topology_channel_at(topo, v, net.radix * net.dilation + other)]);
                }
            }
        }
        for (uint32_t t = topo->n_switch; t < topo->n_node; t++) {
            for (uint32_t x = 1; x < net.dilation; x++) {
                assert_int_not_equal(topo->to[topo->out_list[topo->out_begin[t]]],
                                     topo->to[topo->out_list[topo->out_begin[t] + x]]);
            }
        }
        fixture_close(&fx);
    }
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/** Routers of stage s that the paths from a to b use. \param[in,out] front n_switch bits */
static uint32_t reach(const hf_topology *topo, const hf_multipath *net, uint32_t a, uint32_t b, uint32_t s, uint8_t *front) {
    memset(front, 0, topo->n_switch);
    for (uint32_t i = topo->out_begin[topo->n_switch + a]; i < topo->out_begin[topo->n_switch + a + 1]; i++) {
        front[topo->to[topo->out_list[i]]] = 1;
    }
    for (uint32_t v = 0; v < s * net->width; v++) {
        const uint32_t j = b / hf_power(net->radix, net->n_stage - 1 - v / net->width) % net->radix;
        for (uint32_t x = 0; front[v] && x < net->dilation; x++) {
            front[topo->to[hf_topology_channel_at(topo, v, (net->radix + j) * net->dilation + x)]] = 1;
        }
    }
    uint32_t n = 0;
    for (uint32_t v = s * net->width; v < (s + 1) * net->width && v < topo->n_switch; v++) {
        n += front[v];
    }
    return n;
}

/** Routers of a class of stage s but the last. */
static uint32_t class_size(const hf_multipath *net, uint32_t s) { return net->width / hf_power(net->radix, s); }

/** With clustered inputs: dilation^(s+1) routers, as long as the class has so many. [chong1992, 2: min of fanout tree and
 * class] */
static void fanout_is_maximal(void **state) {
    (void)state;
    static const char *const spec[] = {"maximal-fanout:radix=2,stages=4", "maximal-fanout:radix=2,stages=4,wiring=random,seed=9",
                                       "maximal-fanout:radix=4,stages=4", "maximal-fanout:radix=4,stages=4,wiring=random,seed=2",
                                       "maximal-fanout:radix=2,stages=6"};
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        fixture fx;
        hf_multipath net;
        void *front;
        fixture_open(&fx, spec[i], NULL, NULL);
        assert_true(hf_multipath_of(fx.topo, &net));
        fixture_ok(&fx, hf_scratch(fx.cx, fx.topo->n_switch, 1, &front));
        const bool is_random = strstr(spec[i], "random") != NULL;
        for (uint32_t s = 0; s + 1 < net.n_stage; s++) {
            const uint32_t tree = hf_power(net.dilation, s + 1), want = least(tree, class_size(&net, s));
            for (uint32_t a = 0; a < fx.topo->n_terminal; a++) {
                for (uint32_t b = 0; b < fx.topo->n_terminal; b += 3) {
                    const uint32_t have = reach(fx.topo, &net, a, b, s, front);
                    assert_true(have <= want);
                    /* random trees of the two inputs may meet; each by itself is maximal */
                    assert_true(is_random ? have >= least(tree / net.dilation, class_size(&net, s)) : have == want);
                }
            }
        }
        fixture_close(&fx);
    }
}

/** Smallest number of routers of the next class, in direction j, that any m routers of class 0 of stage s lead to; m = 1 or 2. */
static uint32_t expansion(const hf_topology *topo, const hf_multipath *net, uint32_t s, uint32_t m) {
    uint32_t fewest = HF_NONE;
    for (uint32_t j = 0; j < net->radix; j++) {
        for (uint32_t u = 0; u < class_size(net, s); u++) {
            for (uint32_t w = m == 1 ? u : u + 1; w < (m == 1 ? u + 1 : class_size(net, s)); w++) {
                uint32_t to[8], n = 0;
                for (uint32_t i = 0; i < m * net->dilation; i++) {
                    const uint32_t v = s * net->width + (i < net->dilation ? u : w), x = i % net->dilation;
                    to[i] = topo->to[hf_topology_channel_at(topo, v, (net->radix + j) * net->dilation + x)];
                    bool is_new = true;
                    for (uint32_t other = 0; other < i; other++) {
                        is_new &= to[other] != to[i];
                    }
                    n += is_new;
                }
                fewest = least(fewest, n);
            }
        }
    }
    return fewest;
}

/** A single router reaches `dilation`; two routers of the random wiring reach 2 at least, and no fewer than one of them. */
static void small_sets_expand(void **state) {
    (void)state;
    for (size_t i = 0; i < N_MULTIPATH; i++) {
        fixture fx;
        hf_multipath net;
        fixture_open(&fx, multipaths[i], NULL, NULL);
        assert_true(hf_multipath_of(fx.topo, &net));
        for (uint32_t s = 0; s + 2 < net.n_stage; s++) {
            assert_int_equal(expansion(fx.topo, &net, s, 1), net.dilation);
            assert_true(expansion(fx.topo, &net, s, 2) >= net.dilation);
        }
        fixture_close(&fx);
    }
}

/** A pair of a random multibutterfly reaches 2, 3 or 4 routers of the second stage; of maximal fanout always 4 (16 endpoints). */
static void second_stage(void **state) {
    (void)state;
    uint32_t seen[5] = {0};
    for (uint32_t seed = 1; seed <= 20; seed++) {
        char spec[64];
        fixture fx;
        hf_multipath net;
        void *front;
        (void)snprintf(spec, sizeof spec, "multibutterfly:radix=2,stages=4,seed=%u", seed);
        fixture_open(&fx, spec, NULL, NULL);
        assert_true(hf_multipath_of(fx.topo, &net));
        fixture_ok(&fx, hf_scratch(fx.cx, fx.topo->n_switch, 1, &front));
        for (uint32_t pair = 0; pair < 256; pair++) {
            const uint32_t n = reach(fx.topo, &net, pair / 16, pair % 16, 1, front);
            assert_true(n >= 2 && n <= 4);
            seen[n]++;
        }
        fixture_close(&fx);
    }
    print_message("second stage: %u pairs reach 2 routers, %u reach 3, %u reach 4\n", seen[2], seen[3], seen[4]);
    assert_true(seen[3] > seen[4] && seen[4] > seen[2] && seen[2] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),      cmocka_unit_test(bidirectional_min), cmocka_unit_test(refusals),
        cmocka_unit_test(digits_lead_home),  cmocka_unit_test(outputs_part),      cmocka_unit_test(fanout_is_maximal),
        cmocka_unit_test(small_sets_expand), cmocka_unit_test(second_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
