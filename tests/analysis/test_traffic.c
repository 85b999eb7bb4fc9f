/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Traffic patterns: sums of rows, permutations, examples of the sources, and what files are refused with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/bitset.h>

#include "src/analysis/traffic/traffic.h"
#include "tests/oracle/fixture.h"

static uint64_t row_sum(const hf_traffic *t, uint32_t s) {
    uint64_t sum = 0;
    for (uint32_t d = 0; d < t->n_terminal; d++) {
        sum += hf_traffic_weight(t, s, d);
    }
    return sum;
}

static hf_traffic *make(fixture *fx, const char *spec) {
    hf_traffic *t = NULL;
    fixture_ok(fx, hf_traffic_new(fx->cx, fx->topo, spec, &t));
    return t;
}

static void expect_to(const char *topology, const char *spec, uint32_t from, uint32_t to) {
    fixture fx;
    fixture_open(&fx, topology, NULL, NULL);
    hf_traffic *t = make(&fx, spec);
    assert_int_equal(t->to[from], to);
    hf_traffic_free(t);
    fixture_close(&fx);
}

static void every_terminal_sends_one_flit(void **state) {
    (void)state;
    static const char *const spec[] = {"uniform", "hot-spot:percent=20,node=3", "disks:count=3,seed=9", "disks:count=15,skew=no"};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=4,n=2", NULL, NULL);
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        hf_traffic *t = make(&fx, spec[i]);
        for (uint32_t s = 0; s < 16; s++) {
            assert_int_equal(row_sum(t, s), t->denominator);
        }
        hf_traffic_free(t);
    }
    fixture_close(&fx);
}

/* What a terminal sends to live ones, against the sum over all pairs. */
static void rows_are_sums_of_weights(void **state) {
    (void)state;
    static const char *const spec[] = {
        "uniform", "hot-spot:percent=20,node=3", "disks:count=3,seed=9", "complement", "transpose", "shuffle", "neighbour"};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=4,n=2", NULL, NULL);
    uint32_t n_made = 0;
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        hf_traffic *t = make(&fx, spec[i]);
        for (uint64_t live = 1; live < 1 << 16; live = live * 5 / 2 + 1) {
            for (uint32_t s = 0; s < 16; s++) {
                uint64_t sum = 0;
                for (uint32_t d = 0; d < 16; d++) {
                    sum += live >> d & 1 ? hf_traffic_weight(t, s, d) : 0;
                }
                assert_int_equal(hf_traffic_row(t, s, &live), sum);
                assert_int_equal(hf_traffic_row(t, s, NULL), row_sum(t, s));
                n_made += sum > 0;
            }
        }
        hf_traffic_free(t);
    }
    assert_true(n_made > 100);
    fixture_close(&fx);
}

/* Nodes and disks do not send among themselves; disk i gets 1/i of what the first gets; other seeds, other places. */
static void disks_are_few_and_hot(void **state) {
    (void)state;
    fixture fx;
    fixture_open(&fx, "kary-tree:k=2,n=7", NULL, NULL);
    hf_traffic *t = make(&fx, "disks"), *other = make(&fx, "disks:seed=2"), *plain = make(&fx, "disks:skew=no");
    uint64_t asked[128] = {0}, most = 0, least = UINT64_MAX;
    uint32_t n_disk = 0, n_moved = 0;
    for (uint32_t s = 0; s < 128; s++) {
        for (uint32_t d = 0; d < 128; d++) {
            asked[d] += hf_traffic_weight(t, s, d);
            assert_false(hf_traffic_weight(t, s, d) && hf_traffic_weight(t, s, d) == hf_traffic_weight(t, d, s));
            assert_true((hf_traffic_weight(t, s, d) == 0) == (hf_traffic_weight(plain, s, d) == 0));
            n_moved += (hf_traffic_weight(t, s, d) == 0) != (hf_traffic_weight(other, s, d) == 0);
        }
    }
    for (uint32_t d = 0; d < 128; d++) {
        if (asked[d] == 23 * (t->denominator / 105)) {
            continue; /* a node: a 105th of what each of 23 disks sends */
        }
        n_disk++;
        most = asked[d] > most ? asked[d] : most;
        least = asked[d] < least ? asked[d] : least;
    }
    assert_int_equal(n_disk, 23);
    assert_true(n_moved > 0);
    assert_true(most * 1000 > 22990 * least && most * 1000 < 23010 * least);
    hf_traffic_free(t);
    hf_traffic_free(other);
    hf_traffic_free(plain);
    fixture_close(&fx);
}

/* 001 to 100 in digits of base 8; as 9-bit words 000000001 to 100000000, which is 400. */
static void destinations_of_rules(void **state) {
    (void)state;
    expect_to("kary-tree:k=8,n=3", "digit-reversal", 1, 64);
    expect_to("kary-tree:k=8,n=3", "bit-reversal", 1, 256);
    expect_to("kary-tree:k=8,n=3", "digit-reversal:radix=2", 1, 256);
    expect_to("kary-tree:k=4,n=2", "complement", 3, 12);
    expect_to("kary-tree:k=4,n=2", "transpose", 7, 13);
    expect_to("kary-tree:k=4,n=2", "shuffle", 9, 3);
    expect_to("torus:dims=4x8", "neighbour", 15, 16);
    expect_to("torus:dims=4x8", "tornado", 0, 1 * 8 + 3);
    expect_to("torus:dims=8,terminals=2", "tornado", 3, 9);
    expect_to("kary-tree:k=4,n=2", "tornado", 0, 5);
    expect_to("dragonfly:p=2,a=4,h=2", "neighbour", 71, 0);
}

static void rules_are_permutations(void **state) {
    (void)state;
    static const char *const spec[] = {"complement", "digit-reversal", "bit-reversal", "transpose",
                                       "tornado",    "shuffle",        "neighbour"};
    fixture fx;
    fixture_open(&fx, "kary-tree:k=4,n=2", NULL, NULL);
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        hf_traffic *t = make(&fx, spec[i]);
        uint32_t seen = 0;
        for (uint32_t s = 0; s < 16; s++) {
            seen |= UINT32_C(1) << t->to[s];
        }
        assert_int_equal(seen, 0xffff);
        hf_traffic_free(t);
    }
    fixture_close(&fx);
}

static void refused(const char *spec, hf_status status, const char *words) {
    fixture fx;
    hf_traffic *t = NULL;
    fixture_open(&fx, "kary-tree:k=3,n=2", NULL, NULL);
    assert_int_equal(hf_traffic_new(fx.cx, fx.topo, spec, &t), status);
    assert_non_null(strstr(hf_context_message(fx.cx), words));
    fixture_close(&fx);
}

static void wrong_specs(void **state) {
    (void)state;
    refused("unifrom", HF_ENOENT, "did you mean \"uniform\"?");
    refused("bit-reversal", HF_EINVAL, "9 terminals; need a power of two");
    refused("digit-reversal:radix=2", HF_EINVAL, "need a power of the radix");
    refused("hot-spot:node=9", HF_ERANGE, "terminals 0 to 8");
    refused("disks:count=9", HF_ERANGE, "9 terminals");
    refused("matrix:/nonexistent", HF_ENOENT, "/nonexistent");
}

static void file_fails(bool is_matrix, const char *data, const char *words) {
    hf_context *cx = hf_context_new(NULL);
    hf_traffic *t;
    assert_int_equal(hf_allocate(cx, 1, sizeof *t, (void **)&t), HF_OK);
    *t = (hf_traffic){.allocator = *hf_context_allocator(cx), .n_terminal = 3, .denominator = 1, .hot = HF_NONE};
    hf_status (*parse)(hf_context *, const char *, const char *, size_t, hf_traffic *) =
        is_matrix ? hf_traffic_parse_matrix : hf_traffic_parse_permutation;
    assert_int_not_equal(parse(cx, "file", data, strlen(data), t), HF_OK);
    if (!strstr(hf_context_message(cx), words)) {
        fail_msg("\"%s\" does not contain \"%s\"", hf_context_message(cx), words);
    }
    hf_traffic_free(t);
    hf_context_free(cx);
}

static void wrong_files(void **state) {
    (void)state;
    file_fails(false, "# none\n", "no traffic");
    file_fails(false, "0 1\n0 2\n", "file, line 2: terminal 0 sends already");
    file_fails(false, "0 1\n\n2 1 # again\n", "file, line 3: terminal 1 is a destination already, at line 1");
    file_fails(false, "0 3\n", "file, line 1");
    file_fails(false, "0 1 2\n", "file, line 1: \"2\" is too much");
    file_fails(true, "0 1 2\n0 1\n", "file, line 2");
    file_fails(true, "0 1 2\n", "1 rows are too few");
    file_fails(true, "0 1 2\n0 0 0\n0 0 0\n0 0 0\n", "file, line 4: too many rows");
}

static void good_matrix(void **state) {
    (void)state;
    static const char data[] = "0 1 2 # first\n\n5 0 0\n0 0 4\n";
    hf_context *cx = hf_context_new(NULL);
    hf_traffic *t;
    assert_int_equal(hf_allocate(cx, 1, sizeof *t, (void **)&t), HF_OK);
    *t = (hf_traffic){.allocator = *hf_context_allocator(cx), .n_terminal = 3, .denominator = 1, .hot = HF_NONE};
    assert_int_equal(hf_traffic_parse_matrix(cx, "file", data, sizeof data - 1, t), HF_OK);
    assert_int_equal(t->denominator, 5);
    assert_int_equal(hf_traffic_weight(t, 0, 2), 2);
    assert_int_equal(hf_traffic_weight(t, 2, 2), 0);
    hf_traffic_free(t);
    hf_context_free(cx);
}

/** The permutation of theorem 1: 16 of 64 endpoints send over 4 routers of stage 1, counted over their paths one by one. */
static void theorem_1(void **state) {
    (void)state;
    fixture fx;
    hf_traffic *t;
    hf_fault_set set;
    hf_plan plan;
    uint8_t met[64] = {0}, used[16] = {0};
    uint32_t n_bad = 0, n_used = 0;
    fixture_open(&fx, "maximal-fanout:radix=2,dilation=2,stages=6", NULL, "multipath");
    fixture_plan(&fx, "", &set, &plan);
    fixture_ok(&fx, hf_traffic_new(fx.cx, fx.topo, "theorem-1", &t));
    for (uint32_t a = 0; a < 64; a++) {
        hf_pair_paths paths;
        assert_true(t->to[a] < 64 && !met[t->to[a]]);
        met[t->to[a]] = 1;
        if (t->to[a] >= 16) {
            continue;
        }
        n_bad++;
        fixture_ok(&fx, hf_paths_of_pair(fx.cx, &plan, a, t->to[a], &paths));
        for (uint32_t v = 0; v < 16; v++) {
            used[v] |= hf_bit_test(paths.node_set, 32 + v);
        }
    }
    for (uint32_t v = 0; v < 16; v++) {
        n_used += used[v];
    }
    assert_int_equal(n_bad, 16);
    assert_int_equal(n_used, 4);
    hf_traffic_free(t);
    fixture_close(&fx);
    fixture_open(&fx, "butterfly:k=2,n=3", NULL, NULL);
    assert_int_equal(hf_traffic_new(fx.cx, fx.topo, "theorem-1", &t), HF_EINVAL);
    fixture_close(&fx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_terminal_sends_one_flit),
        cmocka_unit_test(rows_are_sums_of_weights),
        cmocka_unit_test(disks_are_few_and_hot),
        cmocka_unit_test(destinations_of_rules),
        cmocka_unit_test(rules_are_permutations),
        cmocka_unit_test(wrong_specs),
        cmocka_unit_test(wrong_files),
        cmocka_unit_test(good_matrix),
        cmocka_unit_test(theorem_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
