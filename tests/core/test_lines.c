/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lines and words of texts: blanks, comments, separators, columns, messages with file and line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "src/core/lines.h"

typedef struct fixture {
    hf_context *cx;
    hf_lines lines;
} fixture;

static fixture open_text(const char *text) {
    fixture fx = {.cx = hf_context_new(NULL)};
    assert_non_null(fx.cx);
    hf_lines_start(fx.cx, "t", text, text ? strlen(text) : 0, &fx.lines);
    return fx;
}

static void expect_rest(const hf_lines *r, uint32_t line, const char *text) {
    assert_int_equal(r->line, line);
    if (!hf_slice_is(hf_lines_rest(r), text)) {
        fail_msg("line %u is \"%.*s\", not \"%s\"", (unsigned)line, HF_SLICE(hf_lines_rest(r)), text);
    }
}

static void every_line(void **state) {
    (void)state;
    fixture fx = open_text("\xEF\xBB\xBF"
                           "a b\r\n\n \t # c \nlast ");
    static const char *const rest[] = {"a b", "", "# c", "last"};
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(hf_lines_next(&fx.lines));
        expect_rest(&fx.lines, i + 1, rest[i]);
    }
    assert_false(hf_lines_next(&fx.lines));
    assert_false(hf_lines_next(&fx.lines));
    hf_context_free(fx.cx);
}

static void lines_with_text(void **state) {
    (void)state;
    fixture fx = open_text("# head\n\n  a b # c # d\n#\n \t\r\n\te#f\n#");
    assert_true(hf_lines_next_text(&fx.lines));
    expect_rest(&fx.lines, 3, "a b");
    assert_int_equal(fx.lines.at - fx.lines.begin, 2);
    assert_true(hf_lines_next_text(&fx.lines));
    expect_rest(&fx.lines, 6, "e");
    assert_int_equal(fx.lines.at - fx.lines.begin, 1);
    assert_false(hf_lines_next_text(&fx.lines));
    hf_context_free(fx.cx);
    fx = open_text(NULL);
    assert_false(hf_lines_next_text(&fx.lines));
    hf_context_free(fx.cx);
}

static void words_and_items(void **state) {
    (void)state;
    static const struct {
        const char *text;
        char separator;
        const char *items; /* each followed by | */
    } row[] = {
        {"a b,c ,, d,", ',', "a|b|c|d|"}, {"a b,c ,, d,", ' ', "a|b,c|,,|d,|"}, {",,", ',', ""}, {"", ',', ""},
        {"\v a\tb\f", ',', "a|b|"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char got[64] = "";
        hf_slice item;
        fixture fx = open_text(row[i].text);
        (void)hf_lines_next(&fx.lines);
        while (hf_lines_item(&fx.lines, row[i].separator, &item)) {
            (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s|", HF_SLICE(item));
        }
        assert_string_equal(got, row[i].items);
        assert_ptr_equal(item.text, fx.lines.end); /* where something is missing */
        hf_context_free(fx.cx);
    }
}

static void messages(void **state) {
    (void)state;
    fixture fx = open_text("x\n1 2\n");
    uint64_t number;
    hf_slice word;
    assert_true(hf_lines_next(&fx.lines));
    assert_int_equal(hf_lines_number(&fx.lines, "a count", 1, 9, &number), HF_EINVAL);
    assert_string_equal(hf_context_message(fx.cx), "t, line 1: \"x\" is not a count; need a number from 1 to 9");
    assert_int_equal(hf_lines_end(&fx.lines, "one word"), HF_OK);
    assert_true(hf_lines_next(&fx.lines));
    assert_int_equal(hf_lines_number(&fx.lines, "a count", 1, 9, &number), HF_OK);
    assert_int_equal(hf_lines_end(&fx.lines, "one word"), HF_EINVAL);
    assert_string_equal(hf_context_message(fx.cx), "t, line 2: \"2\" is too much; need one word");
    assert_false(hf_lines_word(&fx.lines, &word));
    assert_int_equal(hf_context_fail(fx.cx, HF_ENOENT, "f.c", 1, "no such thing"), HF_ENOENT);
    assert_int_equal(hf_lines_prefix(&fx.lines, HF_ENOENT), HF_ENOENT);
    assert_string_equal(hf_context_message(fx.cx), "t, line 2: no such thing");
    hf_context_free(fx.cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line),
        cmocka_unit_test(lines_with_text),
        cmocka_unit_test(words_and_items),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
