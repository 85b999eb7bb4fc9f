/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  LaTeX tables: what stands in one, characters escaped, columns that fit the line, tables longer than a page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/report.h>

enum { COLUMNS = 5, ROWS_MAX = 200 };
static const char *const header[COLUMNS] = {"cell", "computed", "95% interval", "remark", "source"};
static const bool is_number[COLUMNS] = {false, true, true, false, false};

typedef struct scene {
    hf_context *cx;
    hf_text out;
    const char *cell[COLUMNS * ROWS_MAX];
} scene;

static void start(scene *s) {
    *s = (scene){.cx = hf_context_new(NULL)};
    assert_non_null(s->cx);
    hf_text_init(s->cx, &s->out);
}

static void finish(scene *s) {
    hf_text_free(&s->out);
    hf_context_free(s->cx);
}

static const char *print(scene *s, const char *title, size_t n_row, const char *note) {
    const hf_table t = {.title = title,
                        .n_column = COLUMNS,
                        .n_row = n_row,
                        .header = header,
                        .cell = s->cell,
                        .is_number = is_number,
                        .note = note};
    s->out.size = 0;
    assert_int_equal(hf_table_latex(s->cx, &t, &s->out), HF_OK);
    return s->out.data;
}

static void set_row(scene *s, size_t row, const char *const *cell) {
    memcpy(s->cell + row * COLUMNS, cell, COLUMNS * sizeof *cell);
}

/* A column without a cell goes, one with the same text in every row is told once; what fits stays on one line. */
static void a_small_table(void **state) {
    (void)state;
    scene s;
    start(&s);
    set_row(&s, 0, (const char *const[]){"a_1 & b", "50%", NULL, "", "one"});
    set_row(&s, 1, (const char *const[]){"\"c\" <d>", "6", "", NULL, "one"});
    assert_string_equal(print(&s, "A #1 table", 2, "a note"), "% needs \\usepackage{array,booktabs}\n"
                                                              "\\begin{table}\n"
                                                              "  \\centering\\scriptsize\\setlength{\\tabcolsep}{6pt}\n"
                                                              "  \\caption{A \\#1 table}\n"
                                                              "  \\begin{tabular}{@{}lr@{}}\n"
                                                              "  \\toprule\n"
                                                              "  cell & computed \\\\\n"
                                                              "  \\midrule\n"
                                                              "  a\\_1 \\& b & 50\\% \\\\\n"
                                                              "  ``c'' \\textless{}d\\textgreater{} & 6 \\\\\n"
                                                              "  \\bottomrule\n"
                                                              "  \\end{tabular}\n"
                                                              "  \\par\\smallskip source: one\n"
                                                              "  \\par\\smallskip a note\n"
                                                              "\\end{table}\n");
    finish(&s);
}

/* Shares of the line that the broken columns take; each is above 0. */
static double sum_of_widths(const char *text, int *n) {
    double sum = 0;
    *n = 0;
    for (const char *at = text; (at = strstr(at, "}p{")) != NULL; at += 3) {
        const double width = strtod(at + 3, NULL);
        assert_true(width > 0);
        sum += width;
        (*n)++;
    }
    return sum;
}

static const char *words(scene *s, hf_random *random, uint32_t n_word) {
    char *text = NULL;
    assert_int_equal(hf_scratch_print(s->cx, &text, "%s", "w"), HF_OK);
    for (uint32_t i = 0; i < n_word; i++) {
        assert_int_equal(hf_scratch_print(s->cx, &text, "%s %.*s", text, 1 + (int)hf_random_below(random, 9), "abcdefghijk"),
                         HF_OK);
    }
    return text;
}

/* However long the texts: the columns of words of ten characters leave room for the numbers. */
static void wide_columns_share_the_line(void **state) {
    (void)state;
    scene s;
    hf_random random;
    start(&s);
    hf_random_init(&random, 5, HF_PURPOSE_TEST, 0);
    for (int round = 0; round < 100; round++) {
        const size_t n_row = 2 + hf_random_below(&random, 12);
        int n;
        for (size_t r = 0; r < n_row; r++) {
            set_row(&s, r,
                    (const char *const[]){words(&s, &random, 20), "0.125", "0.1 to 0.2", words(&s, &random, (uint32_t)r), "s"});
        }
        const double sum = sum_of_widths(print(&s, NULL, n_row, NULL), &n);
        assert_int_equal(n, 3);
        assert_true(sum > 0.4 && sum < 0.9); /* a number of five to eight characters takes the rest */
    }
    finish(&s);
}

static void a_long_table_goes_on(void **state) {
    (void)state;
    scene s;
    start(&s);
    for (size_t r = 0; r < ROWS_MAX; r++) {
        set_row(&s, r, (const char *const[]){"row", "1", "", "", ""});
    }
    s.cell[0] = "the first";
    const char *text = print(&s, "Long", ROWS_MAX, NULL);
    size_t n_table = 0;
    for (const char *at = text; (at = strstr(at, "\\begin{table}\n")) != NULL; at++) {
        n_table++;
    }
    assert_int_equal(n_table, (ROWS_MAX + 39) / 40);
    assert_non_null(strstr(text, "  \\caption{Long}\n"));
    assert_non_null(strstr(text, "  \\caption{Long (continued)}\n"));
    assert_null(strstr(print(&s, "Short", 20, NULL), "(continued)"));
    finish(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_table),
        cmocka_unit_test(wide_columns_share_the_line),
        cmocka_unit_test(a_long_table_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
