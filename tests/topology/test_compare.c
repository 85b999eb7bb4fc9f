/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Networks side by side: against themselves, and random networks against copies with links taken out, put in and moved, which
 *  the slow twin counts pair by pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <holdfast/core/random.h>

#include "src/topology/compare.h"
#include "src/topology/multistage/draft.h"
#include "tests/conformance/specs.h"
#include "tests/oracle/fixture.h"

enum { NODES = 9, LINKS = 30, ROUNDS = 500 };

static void nothing_differs_from_itself(void **state) {
    (void)state;
    for (size_t i = 0; i < N_TOPOLOGY_SPEC; i++) {
        fixture fx;
        hf_link_difference *found;
        size_t n = 1;
        fixture_open(&fx, topology_specs[i], NULL, NULL);
        fixture_ok(&fx, hf_topology_compare(fx.cx, fx.topo, fx.topo, &found, &n));
        assert_int_equal(n, 0);
        fixture_close(&fx);
    }
}

/* The first network, and the second in another order and with ends swapped. */
static hf_topology *make(hf_context *cx, uint32_t count[NODES][NODES], bool is_turned) {
    char text[8 * LINKS * NODES] = "";
    size_t at = 0;
    for (uint32_t k = 0; k < NODES * NODES; k++) {
        const uint32_t i = is_turned ? NODES * NODES - 1 - k : k, a = i / NODES, b = i % NODES;
        for (uint32_t l = 0; l < count[a][b]; l++) {
            at += (size_t)snprintf(text + at, sizeof text - at, "n%u n%u\n", is_turned ? b : a, is_turned ? a : b);
        }
    }
    hf_draft draft;
    hf_args args = {0};
    hf_topology *topo = NULL;
    hf_draft_init(cx, "input", &draft);
    assert_int_equal(hf_read_edges(cx, text, strlen(text), &draft), HF_OK);
    assert_int_equal(hf_draft_add_terminals(cx, &draft, 1), HF_OK);
    assert_int_equal(hf_draft_build(cx, &draft, &hf_topology_file, &args, &topo), HF_OK);
    hf_draft_free(&draft);
    return topo;
}

static uint32_t number(const char *name) { return (uint32_t)(name[1] - '0'); }

static void compare(uint64_t seed) {
    hf_context *cx = hf_context_new(NULL);
    uint32_t one[NODES][NODES] = {{0}}, two[NODES][NODES] = {{0}}, differ = 0;
    hf_random random;
    hf_link_difference *found;
    size_t n;
    hf_random_init(&random, seed, HF_PURPOSE_TEST, 7);
    for (uint32_t l = 0; l < LINKS; l++) {
        const uint32_t a = (uint32_t)hf_random_below(&random, NODES - 1);
        const uint32_t b = a + 1 + (uint32_t)hf_random_below(&random, NODES - 1 - a),
                       kind = (uint32_t)hf_random_below(&random, 8);
        one[a][b] += kind != 0;
        two[a][b] += kind != 1;
    }
    one[0][1] += 1; /* neither is empty */
    two[0][1] += 1;
    hf_topology *x = make(cx, one, false), *y = make(cx, two, true);
    assert_int_equal(hf_topology_compare(cx, x, y, &found, &n), HF_OK);
    for (size_t i = 0; i < n; i++) {
        const uint32_t p = number(found[i].a), q = number(found[i].b), a = p < q ? p : q, b = p < q ? q : p;
        if (found[i].one != one[a][b] || found[i].two != two[a][b] || found[i].one == found[i].two) {
            fail_msg("seed %u: n%u n%u: %u and %u", (unsigned)seed, a, b, found[i].one, found[i].two);
        }
    }
    for (uint32_t i = 0; i < NODES * NODES; i++) {
        differ += one[i / NODES][i % NODES] != two[i / NODES][i % NODES];
    }
    if (n != differ) {
        fail_msg("seed %u: %u differences, slowly %u", (unsigned)seed, (unsigned)n, differ);
    }
    hf_topology_free(x);
    hf_topology_free(y);
    hf_context_free(cx);
}

static void random_networks(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        compare(seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_differs_from_itself), cmocka_unit_test(random_networks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
