/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Who is cut off: the parts of a network but its largest, one direction alone, and random pairs against a slow twin that counts
 *  anew in each step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <holdfast/analysis/tolerance.h>
#include <holdfast/core/bitset.h>
#include <holdfast/core/random.h>

enum { N_MOST = 24 };

typedef struct matrix {
    uint32_t n;
    uint64_t bad[(N_MOST * N_MOST + 63) / 64];
} matrix;

static void put(matrix *m, uint32_t from, uint32_t to) { hf_bit_set(m->bad, (size_t)from * m->n + to); }
static bool has(const matrix *m, uint32_t from, uint32_t to) { return hf_bit_test(m->bad, (size_t)from * m->n + to); }

static uint64_t cut_of(hf_context *cx, const matrix *m) {
    uint64_t cut[1] = {0};
    uint32_t count;
    assert_int_equal(hf_cut_off(cx, m->n, m->bad, cut, &count), HF_OK);
    assert_int_equal(count, __builtin_popcountll(cut[0]));
    return cut[0];
}

/** Pairs are lost between parts, none inside of one. \param[in] part of each terminal */
static matrix apart(const char *part) {
    matrix m = {.n = (uint32_t)strlen(part)};
    for (uint32_t a = 0; a < m.n; a++) {
        for (uint32_t b = 0; b < m.n; b++) {
            if (part[a] != part[b]) {
                put(&m, a, b);
            }
        }
    }
    return m;
}

static void parts_but_the_largest(void **state) {
    (void)state;
    static const struct {
        const char *part;
        uint64_t cut;
    } cases[] = {{"", 0},         {"a", 0},         {"ab", 1},         {"aaa", 0},       {"abbb", 1}, {"bbba", 8},
                 {"aabbbbbb", 3}, {"aabbcccc", 15}, {"abcccbca", 163}, {"aaaabbbb", 15}, {"abcd", 7}, {"babbb", 2}};
    hf_context *cx = hf_context_new(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const matrix m = apart(cases[i].part);
        if (cut_of(cx, &m) != cases[i].cut) {
            fail_msg("\"%s\": %llx", cases[i].part, (unsigned long long)cut_of(cx, &m));
        }
    }
    hf_context_free(cx);
}

/** Terminal 2 hears nobody, terminal 5 reaches nobody; one pair more is nobody's cut. */
static void one_direction(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    matrix m = {.n = 8};
    for (uint32_t t = 0; t < 8; t++) {
        if (t != 2) {
            put(&m, t, 2);
        }
        if (t != 5) {
            put(&m, 5, t);
        }
    }
    put(&m, 0, 7);
    assert_int_equal(cut_of(cx, &m), 1 << 2 | 1 << 5);
    hf_context_free(cx);
}

/** The rule as the header says it, counted anew for every terminal in every step. */
static uint64_t slow_cut(const matrix *m) {
    uint64_t cut = 0;
    for (;;) {
        uint32_t best = HF_NONE, most = 0;
        for (uint32_t t = 0; t < m->n; t++) {
            uint32_t sent = 0, received = 0, others = 0;
            for (uint32_t b = 0; b < m->n; b++) {
                if (b != t && !(cut >> b & 1)) {
                    others++;
                    sent += has(m, t, b);
                    received += has(m, b, t);
                }
            }
            if (!(cut >> t & 1) && (2 * sent > others || 2 * received > others) && sent + received > most) {
                most = sent + received;
                best = t;
            }
        }
        if (best == HF_NONE) {
            return cut;
        }
        cut |= UINT64_C(1) << best;
    }
}

static void random_pairs(void **state) {
    (void)state;
    enum { CASES = 2000 };
    hf_context *cx = hf_context_new(NULL);
    for (uint32_t i = 0; i < CASES; i++) {
        hf_random random;
        hf_random_init(&random, 20, HF_PURPOSE_TEST, i);
        matrix m = {.n = (uint32_t)hf_random_below(&random, N_MOST + 1)};
        const uint64_t percent = hf_random_below(&random, 101);
        for (uint32_t a = 0; a < m.n; a++) {
            for (uint32_t b = 0; b < m.n; b++) {
                if (a != b && hf_random_below(&random, 100) < percent) {
                    put(&m, a, b);
                }
            }
        }
        if (cut_of(cx, &m) != slow_cut(&m)) {
            fail_msg("seed 20, case %u: %llx, not %llx", i, (unsigned long long)cut_of(cx, &m), (unsigned long long)slow_cut(&m));
        }
    }
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_but_the_largest),
        cmocka_unit_test(one_direction),
        cmocka_unit_test(random_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
