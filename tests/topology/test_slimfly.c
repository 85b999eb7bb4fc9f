/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Finite fields by their axioms; slim flies by the rule of their edges and by what they are known for: degree and diameter 2,
 *  for every residue and for prime powers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/topology/field.h"
#include "tests/oracle/wiring.h"

/* ---- fields ---- */

static uint32_t add(const hf_field *f, uint32_t a, uint32_t b) { return hf_field_subtract(f, a, hf_field_subtract(f, 0, b)); }

static void check_field(const hf_field *f) {
    for (uint32_t a = 0; a < f->q; a++) {
        uint32_t n_inverse = 0, n_negative = 0;
        assert_int_equal(add(f, a, 0), a);
        assert_int_equal(hf_field_multiply(f, a, 1), a);
        for (uint32_t b = 0; b < f->q; b++) {
            n_inverse += hf_field_multiply(f, a, b) == 1;
            n_negative += add(f, a, b) == 0;
            assert_int_equal(add(f, a, b), add(f, b, a));
            assert_int_equal(hf_field_subtract(f, add(f, a, b), b), a);
            for (uint32_t c = 0; c < f->q; c++) {
                assert_int_equal(hf_field_multiply(f, a, add(f, b, c)),
                                 add(f, hf_field_multiply(f, a, b), hf_field_multiply(f, a, c)));
            }
        }
        assert_int_equal(n_inverse, a != 0);
        assert_int_equal(n_negative, 1);
    }
}

static void fields(void **state) {
    (void)state;
    static const uint32_t list[] = {2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 32, 49};
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        hf_field f;
        assert_int_equal(hf_field_init(cx, list[i], &f), HF_OK);
        check_field(&f);
    }
    assert_int_equal(hf_field_prime(6, NULL), 0);
    assert_int_equal(hf_field_prime(1, NULL), 0);
    assert_int_equal(hf_field_prime(97, NULL), 97);
    uint32_t e;
    assert_int_equal(hf_field_prime(243, &e), 3);
    assert_int_equal(e, 5);
    hf_context_free(cx);
}

/* ---- slim flies ---- */

static const counts forms[] = {
    /* q = 5 is the graph of Hoffman and Singleton: 50 switches of degree 7 */
    {"slimfly:q=3", 18, 18, 45, 6, 6, 4},           {"slimfly:q=4,terminals=3", 32, 96, 96, 9, 9, 4},
    {"slimfly:q=5", 50, 50, 175, 8, 8, 4},          {"slimfly:q=7", 98, 98, 539, 12, 12, 4},
    {"slimfly:q=8", 128, 128, 768, 13, 13, 4},      {"slimfly:q=9,terminals=2", 162, 324, 1053, 15, 15, 4},
    {"slimfly:q=11", 242, 242, 2057, 18, 18, 4},    {"slimfly:q=13", 338, 338, 3211, 20, 20, 4},
    {"slimfly:q=16", 512, 512, 6144, 25, 25, 4},    {"slimfly:q=17", 578, 578, 7225, 26, 26, 4},
    {"slimfly:q=25", 1250, 1250, 23125, 38, 38, 4}, {"slimfly:q=27", 1458, 1458, 29889, 42, 42, 4},
};

static void closed_forms(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        counts_check(&forms[i]);
    }
}

/** q = 7, with the primitive root that the field found: y = m x + c between the sides; X and X' by the exponents written out. */
static void edges(void **state) {
    (void)state;
    enum { Q = 7 };
    static const uint32_t exponent[2][4] = {{0, 2, 3, 5}, {1, 3, 4, 6}}; /* w = 2 */
    fixture fx;
    hf_field f;
    fixture_open(&fx, "slimfly:q=7", NULL, NULL);
    const hf_topology *topo = fx.topo;
    fixture_ok(&fx, hf_field_init(fx.cx, Q, &f));
    for (uint32_t a = 0; a < 2 * Q * Q; a++) {
        for (uint32_t i = topo->out_begin[a]; i < topo->out_begin[a + 1] - 1; i++) {
            const uint32_t b = topo->to[topo->out_list[i]], *p = topo->coord + 3 * a, *q = topo->coord + 3 * b;
            if (p[0] != q[0]) {
                const uint32_t *zero = p[0] ? q : p, *one = p[0] ? p : q;
                assert_int_equal((one[1] * zero[1] + one[2]) % Q, zero[2]);
                continue;
            }
            bool is_generator = false;
            for (uint32_t g = 0; g < 4; g++) {
                is_generator |= (p[2] + Q - q[2]) % Q == f.power[exponent[p[0]][g] % (Q - 1)];
            }
            assert_true(p[1] == q[1] && is_generator);
        }
    }
    fixture_close(&fx);
}

static void refused(void **state) {
    (void)state;
    static const refusal bad[] = {
        {"slimfly:q=6", HF_EINVAL, "a prime power that is 4w - 1, 4w or 4w + 1"},
        {"slimfly:q=12", HF_EINVAL, "q=12"},
        {"slimfly:q=2", HF_ERANGE, "3 <= q"},
        {"slimfly:q=512", HF_ERANGE, "GiB of memory; the limit is 4 GiB"},
    };
    refusals_check(bad, sizeof bad / sizeof *bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(edges),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
