/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A graph that stays without a cycle, against a search from scratch after every edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/core/acyclic.h"

enum { N = 14 };

/* Warshall. */
static bool reaches(bool edge[N][N], uint32_t from, uint32_t to) {
    bool all[N][N];
    for (uint32_t u = 0; u < N; u++) {
        for (uint32_t v = 0; v < N; v++) {
            all[u][v] = edge[u][v];
        }
    }
    for (uint32_t k = 0; k < N; k++) {
        for (uint32_t u = 0; u < N; u++) {
            for (uint32_t v = 0; v < N; v++) {
                all[u][v] |= all[u][k] && all[k][v];
            }
        }
    }
    return from == to || all[from][to];
}

static void random_edges(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    uint32_t refused = 0, taken = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        bool edge[N][N] = {{false}};
        hf_acyclic g;
        hf_random random;
        hf_random_init(&random, seed, HF_PURPOSE_TEST, 0);
        assert_int_equal(hf_acyclic_init(cx, N, &g), HF_OK);
        for (uint32_t i = 0; i < 60; i++) {
            const uint32_t from = (uint32_t)hf_random_below(&random, N), to = (uint32_t)hf_random_below(&random, N);
            bool ok;
            assert_int_equal(hf_acyclic_add(cx, &g, from, to, &ok), HF_OK);
            if (ok == reaches(edge, to, from)) {
                fail_msg("seed %llu: edge %u -> %u", (unsigned long long)seed, from, to);
            }
            edge[from][to] |= ok;
            refused += !ok;
            taken += ok;
            for (uint32_t u = 0; u < N; u++) {
                for (uint32_t v = 0; v < N; v++) {
                    assert_true(!edge[u][v] || g.order[u] < g.order[v]);
                }
            }
        }
    }
    assert_true(refused > 1000 && taken > 1000);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
