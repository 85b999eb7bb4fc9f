/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  What stands in the page for GMP, jansson and GSL, against these: the same names twice, those of the page with `page_` in
 *  front. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/big.h>
#include <holdfast/core/random.h>

#include "src/bridge/gsl.h"
#include "src/bridge/json.h"

#define hf_big_new page_big_new
#define hf_big_free page_big_free
#define hf_big_set page_big_set
#define hf_big_set_words page_big_set_words
#define hf_big_share page_big_share
#define hf_words_multiply page_words_multiply
#define hf_big_copy page_big_copy
#define hf_big_add page_big_add
#define hf_big_sub page_big_sub
#define hf_big_add_u128 page_big_add_u128
#define hf_big_mul_u64 page_big_mul_u64
#define hf_big_mul page_big_mul
#define hf_big_divide page_big_divide
#define hf_big_binomial page_big_binomial
#define hf_big_compare page_big_compare
#define hf_big_get_u128 page_big_get_u128
#define hf_big_text page_big_text
#define hf_gsl_normal_quantile page_normal_quantile
#define hf_gsl_beta_quantile page_beta_quantile
#define hf_gsl_t_quantile page_t_quantile
#define hf_gsl_normal_below page_normal_below
#define hf_gsl_t_below page_t_below
#define hf_json_object page_json_object
#define hf_json_array page_json_array
#define hf_json_text page_json_text
#define hf_json_text_of page_json_text_of
#define hf_json_integer page_json_integer
#define hf_json_real page_json_real
#define hf_json_boolean page_json_boolean
#define hf_json_null page_json_null
#define hf_json_set page_json_set
#define hf_json_push page_json_push
#define hf_json_free page_json_free
#define hf_json_print page_json_print
#define hf_json_print_line page_json_print_line
#define hf_json_parse page_json_parse
#define hf_json_get page_json_get
#define hf_json_entry page_json_entry
#define hf_json_at page_json_at
#define hf_json_count page_json_count
#define hf_json_string page_json_string
#define hf_json_number page_json_number
#define hf_json_whole page_json_whole
#define hf_json_truth page_json_truth
#define hf_json_is_null page_json_is_null
#define hf_json_type page_json_type
#define hf_json_key page_json_key
hf_json *page_json_text_of(const char *text, size_t size);
void page_json_free(hf_json *value);
const hf_json *page_json_get(const hf_json *object, const char *key);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include "report/page/wasm/big.c"       /* NOLINT(bugprone-suspicious-include) */
#include "report/page/wasm/json.c"      /* NOLINT(bugprone-suspicious-include) */
#include "report/page/wasm/quantiles.c" /* NOLINT(bugprone-suspicious-include) */
#pragma GCC diagnostic pop
#undef hf_big_new
#undef hf_big_free
#undef hf_big_set
#undef hf_big_set_words
#undef hf_big_share
#undef hf_words_multiply
#undef hf_big_copy
#undef hf_big_add
#undef hf_big_sub
#undef hf_big_add_u128
#undef hf_big_mul_u64
#undef hf_big_mul
#undef hf_big_divide
#undef hf_big_binomial
#undef hf_big_compare
#undef hf_big_get_u128
#undef hf_big_text
#undef hf_gsl_normal_quantile
#undef hf_gsl_beta_quantile
#undef hf_gsl_t_quantile
#undef hf_gsl_normal_below
#undef hf_gsl_t_below
#undef hf_json_print
#undef hf_json_print_line
#undef hf_json_parse
#undef hf_json_free

enum { N = 4, STEPS = 4000, DOCUMENTS = 3000 };
static const uint64_t seed = 20100601;

static hf_random draws(uint64_t which) {
    hf_random r;
    hf_random_init(&r, seed, HF_PURPOSE_TEST, which);
    return r;
}

/* ---- big integers ---- */

typedef struct pair {
    hf_context *cx;
    hf_big *mine[N], *gmp[N];
} pair;

static void expect_same(const pair *p, size_t i, uint64_t step) {
    char *mine, *gmp;
    assert_int_equal(page_big_text(p->cx, p->mine[i], &mine), HF_OK);
    assert_int_equal(hf_big_text(p->cx, p->gmp[i], &gmp), HF_OK);
    if (strcmp(mine, gmp) != 0) {
        fail_msg("seed %llu, step %llu: %s, GMP has %s", (unsigned long long)seed, (unsigned long long)step, mine, gmp);
    }
    hf_release(hf_context_allocator(p->cx), mine);
    hf_release(hf_context_allocator(p->cx), gmp);
}

/* 64 bits, often few of them, or nearly all. */
static uint64_t word_of(hf_random *r) {
    const uint64_t word = hf_random_u64(r);
    switch (hf_random_below(r, 4)) {
    case 0:
        return word >> hf_random_below(r, 64);
    case 1:
        return ~(word >> hf_random_below(r, 64));
    case 2:
        return 0;
    default:
        return word;
    }
}

/* i becomes the quotient of another number and k, which is not 0, and that one the rest. */
static void divide_one(pair *p, size_t i, size_t k) {
    const size_t rest = (i + 1) % N == k ? (i + 2) % N : (i + 1) % N;
    if (i != k && p->mine[k]->n > 0) {
        page_big_divide(p->mine[i], p->mine[rest], p->mine[k]), hf_big_divide(p->gmp[i], p->gmp[rest], p->gmp[k]);
        expect_same(p, rest, 0);
    }
}

static void multiply_one(pair *p, size_t i, size_t k) {
    if (p->mine[i]->n + p->mine[k]->n < 30) { /* words */
        page_big_mul(p->mine[i], p->mine[k]), hf_big_mul(p->gmp[i], p->gmp[k]);
    }
}

static void change(pair *p, hf_random *r, size_t i, size_t k) {
    const hf_u128 wide = (hf_u128)word_of(r) << 64 | word_of(r);
    const uint64_t word = word_of(r), small = hf_random_below(r, 300), few = hf_random_below(r, 40);
    switch (hf_random_below(r, 9)) {
    case 0:
        page_big_set(p->mine[i], wide), hf_big_set(p->gmp[i], wide);
        break;
    case 1:
        page_big_add(p->mine[i], p->mine[k]), hf_big_add(p->gmp[i], p->gmp[k]);
        break;
    case 2:
        page_big_sub(p->mine[i], p->mine[k]), hf_big_sub(p->gmp[i], p->gmp[k]);
        break;
    case 3:
        page_big_mul_u64(p->mine[i], word), hf_big_mul_u64(p->gmp[i], word);
        break;
    case 4:
        page_big_add_u128(p->mine[i], wide), hf_big_add_u128(p->gmp[i], wide);
        break;
    case 5:
        page_big_binomial(p->mine[i], small, few), hf_big_binomial(p->gmp[i], small, few);
        break;
    case 6:
        multiply_one(p, i, k);
        break;
    case 7:
        divide_one(p, i, k);
        break;
    default:
        page_big_copy(p->mine[i], p->mine[k]), hf_big_copy(p->gmp[i], p->gmp[k]);
    }
}

static void test_big(void **state) {
    pair p = {.cx = hf_context_new(NULL)};
    hf_random r = draws(0);
    (void)state;
    for (size_t i = 0; i < N; i++) {
        assert_int_equal(page_big_new(p.cx, &p.mine[i]), HF_OK);
        assert_int_equal(hf_big_new(p.cx, &p.gmp[i]), HF_OK);
    }
    for (uint64_t step = 0; step < STEPS; step++) {
        const size_t i = hf_random_below(&r, N), k = hf_random_below(&r, N);
        hf_u128 mine = 1, gmp = 1;
        change(&p, &r, i, k);
        expect_same(&p, i, step);
        const int a = page_big_compare(p.mine[i], p.mine[k]), b = hf_big_compare(p.gmp[i], p.gmp[k]);
        assert_int_equal((a > 0) - (a < 0), (b > 0) - (b < 0));
        assert_int_equal(page_big_get_u128(p.mine[i], &mine), hf_big_get_u128(p.gmp[i], &gmp));
        assert_true(mine == gmp);
        if (p.mine[k]->n > 0 && !p.mine[k]->is_negative && !p.mine[i]->is_negative) {
            const double x = page_big_share(p.mine[i], p.mine[k]), y = hf_big_share(p.gmp[i], p.gmp[k]);
            assert_true(x == y);
        }
    }
    for (size_t i = 0; i < N; i++) {
        page_big_free(p.mine[i]);
        hf_big_free(p.gmp[i]);
    }
    hf_context_free(p.cx);
}

static void test_words(void **state) {
    hf_random r = draws(1);
    (void)state;
    for (uint64_t step = 0; step < STEPS; step++) {
        uint64_t a[5], b[5], mine[10], gmp[10];
        const size_t n_a = 1 + hf_random_below(&r, 5), n_b = 1 + hf_random_below(&r, 5);
        for (size_t i = 0; i < 5; i++) {
            a[i] = word_of(&r);
            b[i] = word_of(&r);
        }
        page_words_multiply(mine, a, n_a, b, n_b);
        hf_words_multiply(gmp, a, n_a, b, n_b);
        assert_memory_equal(mine, gmp, (n_a + n_b) * sizeof *mine);
    }
}

/* ---- quantiles ---- */

/* Far in the tails and for large shapes GSL loses more digits than the page does. */
static void expect_near(double mine, double gsl, const char *what, double p, double a, double b) {
    const double near = strcmp(what, "beta") == 0 ? 2e-9 : strcmp(what, "t") == 0 ? 1e-7 : 1e-10;
    if (!(fabs(mine - gsl) <= near * fabs(gsl) + 1e-300)) {
        fail_msg("%s p=%g a=%g b=%g: %.17g, GSL has %.17g", what, p, a, b, mine, gsl);
    }
}

static void test_quantiles(void **state) {
    static const double shares[] = {1e-9, 0.0125, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9875, 0.999999};
    static const double shapes[] = {1, 2, 7, 31, 500, 10001, 123456};
    static const double freedoms[] = {1, 2, 5, 19, 100, 1e4};
    (void)state;
    /* by the binomial sum, in 60 digits: P(X <= 1.4500658776629474e-06) = 1.00000000000000214e-9 */
    assert_true(fabs(page_beta_quantile(1e-9, 7, 123456) / 1.4500658776629474e-06 - 1) < 1e-14);
    assert_true(fabs(page_t_quantile(1e-9, 1) * -tan(3.141592653589793e-9) - 1) < 1e-12);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        const double p = shares[i];
        expect_near(page_normal_quantile(p), hf_gsl_normal_quantile(p), "normal", p, 0, 0);
        for (size_t a = 0; a < sizeof shapes / sizeof *shapes; a++) {
            for (size_t b = 0; b < sizeof shapes / sizeof *shapes; b++) {
                expect_near(page_beta_quantile(p, shapes[a], shapes[b]), hf_gsl_beta_quantile(p, shapes[a], shapes[b]), "beta", p,
                            shapes[a], shapes[b]);
            }
        }
        for (size_t f = 0; f < sizeof freedoms / sizeof *freedoms; f++) {
            expect_near(page_t_quantile(p, freedoms[f]), hf_gsl_t_quantile(p, freedoms[f]), "t", p, freedoms[f], 0);
        }
    }
    for (int quarter = -32; quarter <= 32; quarter++) {
        const double x = 0.25 * quarter;
        expect_near(page_normal_below(x), hf_gsl_normal_below(x), "normal below", x, 0, 0);
        for (size_t f = 0; f < sizeof freedoms / sizeof *freedoms; f++) {
            expect_near(page_t_below(x, freedoms[f]), hf_gsl_t_below(x, freedoms[f]), "t below", x, freedoms[f], 0);
        }
    }
}

/* ---- JSON ---- */

/* \param[in] head what a key begins with, so that keys differ; NULL: it is no key */
static void write_text(hf_random *r, const char *head, hf_text *out) {
    static const char *const parts[] = {"a",        "key", " ",   "\\n",     "\\u0041", "\\ud83d\\ude00", "\\\"", "\\\\",
                                        "\xc3\xa4", "/",   "\\/", "\\u00e4", "\\t",     "\\u001f"};
    hf_text_print(out, "\"%s", head ? head : "");
    for (uint64_t n = hf_random_below(r, 4); n > 0; n--) {
        hf_text_print(out, "%s", parts[hf_random_below(r, sizeof parts / sizeof *parts)]);
    }
    hf_text_print(out, "\"");
}

static void write_value(hf_random *r, hf_text *out, int depth) {
    static const char *const words[] = {
        "null", "true", "false", "0", "-1", "12.5", "1e300", "-0.1", "3E-7", "9007199254740993", "-9223372036854775808", "1.0"};
    const uint64_t kind = hf_random_below(r, depth > 3 ? 2 : 4);
    if (kind == 0) {
        hf_text_print(out, "%s", words[hf_random_below(r, sizeof words / sizeof *words)]);
        return;
    }
    if (kind == 1) {
        write_text(r, NULL, out);
        return;
    }
    hf_text_print(out, kind == 2 ? "[" : "{");
    for (uint64_t n = hf_random_below(r, 4), i = 0; i < n; i++) {
        hf_text_print(out, i ? " ,\n" : "");
        if (kind == 3) {
            static const char *const heads[] = {"0", "1", "2", "3"};
            write_text(r, heads[hf_random_below(r, 30) ? i : 0], out);
            hf_text_print(out, " : ");
        }
        write_value(r, out, depth + 1);
    }
    hf_text_print(out, kind == 2 ? "]" : "}");
}

/* Often something in it is wrong. */
static void spoil(hf_random *r, hf_text *text) {
    static const char bad[] = "{}[],:\"\\0-.eu \x01\xff";
    for (uint64_t n = hf_random_below(r, 3); n > 0 && text->size > 0; n--) {
        text->data[hf_random_below(r, text->size)] = bad[hf_random_below(r, sizeof bad - 1)];
    }
}

static bool is_ascii(const hf_text *text) {
    for (size_t i = 0; i < text->size; i++) {
        if ((unsigned char)text->data[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

static void compare_documents(hf_context *cx, const hf_text *text, uint64_t which, bool is_spoilt, size_t *accepted) {
    hf_json *mine = NULL, *jansson = NULL;
    hf_text a, b;
    hf_text_init(cx, &a);
    hf_text_init(cx, &b);
    const hf_status x = page_json_parse(cx, "f", text->data, text->size, &mine),
                    y = hf_json_parse(cx, "f", text->data, text->size, &jansson);
    /* jansson refuses what is no UTF-8; the page gets its texts from the browser, which lets none through. */
    if (x != y && !(is_spoilt && !is_ascii(text))) {
        fail_msg("seed %llu, document %llu: %d, jansson %d (%s): %s", (unsigned long long)seed, (unsigned long long)which, (int)x,
                 (int)y, hf_context_message(cx), text->data);
    }
    if (x == HF_OK && y == HF_OK) {
        ++*accepted;
        assert_int_equal(page_json_print(cx, mine, &a), HF_OK);
        assert_int_equal(hf_json_print(cx, jansson, &b), HF_OK);
        assert_int_equal(page_json_print_line(cx, mine, &a), HF_OK);
        assert_int_equal(hf_json_print_line(cx, jansson, &b), HF_OK);
        assert_string_equal(a.data, b.data);
    }
    page_json_free(x == HF_OK ? mine : NULL);
    hf_json_free(y == HF_OK ? jansson : NULL);
    hf_text_free(&a);
    hf_text_free(&b);
}

static void test_json(void **state) {
    hf_context *cx = hf_context_new(NULL);
    hf_random r = draws(2);
    size_t accepted = 0;
    (void)state;
    for (uint64_t i = 0; i < DOCUMENTS; i++) {
        hf_text text;
        hf_text_init(cx, &text);
        hf_text_print(&text, i % 2 ? "{\"a\": " : "[");
        write_value(&r, &text, 0);
        hf_text_print(&text, i % 2 ? "}" : "]");
        compare_documents(cx, &text, i, false, &accepted);
        spoil(&r, &text);
        compare_documents(cx, &text, i, true, &accepted);
        hf_text_free(&text);
    }
    assert_true(accepted > DOCUMENTS / 2 && accepted < 2 * DOCUMENTS);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_big), cmocka_unit_test(test_words), cmocka_unit_test(test_quantiles),
                                       cmocka_unit_test(test_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
