/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Counting all sizes at once against walking over every set, on random small networks; and against published and independent
 *  numbers on larger ones. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "tests/support/folder.h"
#include "tests/support/rows.h"

enum { WALKED_MOST = 16, COMPONENTS_MOST = 10, GIB = 1 << 30 };

static hf_counted *count(fixture *fx, const char *criterion, uint32_t f_most, double memory) {
    hf_counted *counted = NULL;
    fixture_ok(fx, hf_counted_run(fx->cx, fx->universe, &fx->rule, fixture_criterion(fx, criterion), f_most, memory, &counted));
    return counted;
}

static uint64_t number(const hf_big *n) {
    hf_u128 out = 0;
    assert_true(hf_big_get_u128(n, &out) && out <= UINT64_MAX);
    return (uint64_t)out;
}

/* Every size, from none to all. */
static void expect_walk(fixture *fx, const char *criterion, uint64_t seed) {
    uint32_t f[WALKED_MOST + 1];
    const uint32_t m = fx->universe->n_component;
    for (uint32_t i = 0; i <= m; i++) {
        f[i] = i;
    }
    const hf_campaign c = rows_campaign(fx, criterion, f, m + 1);
    hf_result *walked = rows_run(fx, &c);
    hf_counted *counted = count(fx, criterion, m, GIB);
    assert_int_equal(counted->reach, m);
    for (uint32_t i = 0; i <= m; i++) {
        if (number(counted->not_tolerated[i]) != walked->row[i].tally.not_tolerated) {
            fail_msg("seed %" PRIu64 ", %s, %s, f=%" PRIu32 ": counted %" PRIu64 ", walked %" PRIu64, seed, fx->universe->spec,
                     criterion, i, number(counted->not_tolerated[i]), walked->row[i].tally.not_tolerated);
        }
    }
    hf_counted_free(counted);
    hf_result_free(walked);
}

/* A tree of up to six switches and further links, parallel ones too, as an edge list. \return links */
static uint32_t write_net(hf_random *r, const char *path) {
    char text[400];
    const uint32_t n = 2 + (uint32_t)hf_random_below(r, 5);
    uint32_t links = 0;
    int size = 0;
    for (uint32_t v = 1; v < n; v++, links++) {
        size +=
            snprintf(text + size, sizeof text - (size_t)size, "%" PRIu32 " %" PRIu32 "\n", (uint32_t)hf_random_below(r, v), v);
    }
    for (uint32_t more = (uint32_t)hf_random_below(r, 5); more > 0; more--, links++) {
        const uint32_t a = (uint32_t)hf_random_below(r, n), b = (a + 1 + (uint32_t)hf_random_below(r, n - 1)) % n;
        size += snprintf(text + size, sizeof text - (size_t)size, "%" PRIu32 " %" PRIu32 "\n", a, b);
    }
    folder_write(path, text, (size_t)size);
    return links;
}

/* Some groups of switches and links, named by a number. */
static void write_groups(hf_random *r, const hf_topology *topo, const char *path) {
    char text[800], name[64];
    int size = 0;
    for (uint32_t l = 0; l < topo->n_switch_link; l++) {
        hf_topology_link_name(topo, l, name, sizeof name);
        const uint32_t other = (uint32_t)hf_random_below(r, topo->n_switch);
        size += hf_random_below(r, 2)
                    ? snprintf(text + size, sizeof text - (size_t)size, "g%" PRIu32 ": %s s%" PRIu32 "\n", l, name, other)
                    : snprintf(text + size, sizeof text - (size_t)size, "g%" PRIu32 ": %s\n", l, name);
    }
    folder_write(path, text, (size_t)size);
}

static void random_networks(void **state) {
    (void)state;
    char folder[256], net[512], groups[512], spec[600], with_groups[600];
    folder_open(folder, sizeof folder);
    folder_file(folder, "net", net, sizeof net);
    folder_file(folder, "groups", groups, sizeof groups);
    (void)snprintf(with_groups, sizeof with_groups, "groups:%s", groups);
    const char *const universes[] = {"links", "switches", "links+switches", "links+terminal-links", with_groups};
    const char *const criteria[] = {"connected", "switches-connected", "switches-connected:live=70%"};
    for (uint64_t seed = 0; seed < 40; seed++) {
        hf_random r;
        fixture fx;
        hf_random_init(&r, seed, HF_PURPOSE_TEST, 0);
        write_net(&r, net);
        (void)snprintf(spec, sizeof spec, "file:%s,terminals=%d", net, 1 + (int)hf_random_below(&r, 2));
        fixture_open(&fx, spec, NULL, "minimal");
        write_groups(&r, fx.topo, groups);
        for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
            fixture_ok(&fx, hf_universe_new(fx.cx, fx.topo, universes[u], NULL, &fx.universe));
            for (size_t k = 0; k < 3 && fx.universe->n_component <= COMPONENTS_MOST; k++) {
                expect_walk(&fx, criteria[k], seed);
            }
            hf_universe_free(fx.universe);
            fx.universe = NULL;
        }
        fixture_close(&fx);
    }
    folder_close(folder);
}

static void corners(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *criterion;
    } cases[] = {{"torus:dims=2x2", "links", "connected"},
                 {"torus:dims=2x2", "switches", "switches-connected"},
                 {"torus:dims=3", "links+switches", "connected"},
                 {"mesh:dims=2", "terminal-links+switches", "switches-connected"},
                 {"complete:n=4", "links+switches", "switches-connected"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        fixture_open(&fx, cases[i].topo, cases[i].universe, "minimal");
        expect_walk(&fx, cases[i].criterion, i);
        fixture_close(&fx);
    }
    fixture fx;
    for (uint32_t k = 2; k < 4; k++) {
        char spec[40];
        (void)snprintf(spec, sizeof spec, "kary-tree:k=%" PRIu32 ",n=2", k);
        fixture_open(&fx, spec, "links", "updown");
        expect_walk(&fx, "all-pairs", k);
        fixture_close(&fx);
    }
    fixture_open(&fx, "kary-tree:k=2,n=3", "links", "updown");
    expect_walk(&fx, "all-pairs", 0);
    fixture_close(&fx);
}

static void expect_counts(const char *topo, const char *rule, const char *criterion, uint32_t first, uint32_t n,
                          const uint64_t *not_tolerated) {
    fixture fx;
    fixture_open(&fx, topo, "links", rule);
    hf_counted *counted = count(&fx, criterion, first + n - 1, GIB);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(number(counted->not_tolerated[first + i]), not_tolerated[i]);
    }
    hf_counted_free(counted);
    fixture_close(&fx);
}

static void known_numbers(void **state) {
    (void)state;
    expect_counts("kary-tree:k=4,n=3", "updown", "all-pairs", 4, 5,
                  (const uint64_t[]){1696, 199744, 11663456, 450168512, 12918531344});
    expect_counts("kary-tree:k=3,n=3", "updown", "all-pairs", 3, 4, (const uint64_t[]){225, 10287, 230904, 3386124});
    expect_counts("torus:dims=4x4", "minimal", "connected", 4, 4, (const uint64_t[]){16, 448, 6080, 53184});
    expect_counts("torus:dims=6x6", "minimal", "connected", 4, 2, (const uint64_t[]){36, 2448});
}

/* The last sets that leave a network connected leave a spanning tree: 4x4 torus, 42467328 of them. */
static void spanning_trees(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "torus:dims=4x4", "links", "minimal");
    hf_counted *counted = count(&fx, "connected", 32, GIB);
    assert_int_equal(number(counted->not_tolerated[17]), UINT64_C(565722720) - 42467328);
    hf_counted_free(counted);
    fixture_close(&fx);
}

/* With little memory the sizes that are reached are exact all the same. */
static void little_memory(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "torus:dims=5x5", "links", "minimal");
    hf_counted *whole = count(&fx, "connected", 50, GIB), *some = count(&fx, "connected", 50, 400000);
    assert_int_equal(whole->reach, 50);
    assert_in_range(some->reach, 3, 49);
    for (uint32_t f = 0; f <= some->reach; f++) {
        assert_int_equal(hf_big_compare(some->not_tolerated[f], whole->not_tolerated[f]), 0);
    }
    hf_counted_free(whole);
    hf_counted_free(some);
    fixture_close(&fx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *topo, *universe, *rule, *criterion, *message;
    } cases[] = {{"torus:dims=3x3", "channels", "minimal", "connected", "directions fail together"},
                 {"torus:dims=3x3", "links", "dor", "all-pairs", "no way to count"},
                 {"torus:dims=3x3", "links", "minimal", "surviving", "no way to count"},
                 {"kary-tree:k=2,n=4", "links", "updown", "all-pairs", "knows minimal paths"},
                 {"kary-tree:k=2,n=3", "switches", "updown", "all-pairs", "knows minimal paths"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture fx;
        hf_counted *counted = NULL;
        fixture_open(&fx, cases[i].topo, cases[i].universe, cases[i].rule);
        const hf_status status =
            hf_counted_run(fx.cx, fx.universe, &fx.rule, fixture_criterion(&fx, cases[i].criterion), 1, GIB, &counted);
        assert_int_equal(status, HF_ENOTSUP);
        assert_non_null(strstr(hf_context_message(fx.cx), cases[i].message));
        fixture_close(&fx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_networks), cmocka_unit_test(corners),       cmocka_unit_test(known_numbers),
        cmocka_unit_test(spanning_trees),  cmocka_unit_test(little_memory), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
