/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  JSON: what is printed, to the byte; what was printed is read back; what is not there is NULL. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/bridge/json.h"

typedef struct bench {
    hf_context *cx;
    hf_text text;
} bench;

static bench open_bench(void) {
    bench b = {.cx = hf_context_new(NULL)};
    assert_non_null(b.cx);
    hf_text_init(b.cx, &b.text);
    return b;
}

static void close_bench(bench *b) {
    hf_text_free(&b->text);
    hf_context_free(b->cx);
}

/** Print into the empty text, and free the value. */
static const char *print(bench *b, hf_json *value) {
    hf_text_free(&b->text);
    assert_int_equal(hf_json_print(b->cx, value, &b->text), HF_OK);
    hf_json_free(value);
    return b->text.data;
}

static hf_json *parse(bench *b, const char *data) {
    hf_json *value = NULL;
    if (hf_json_parse(b->cx, "f.json", data, strlen(data), &value) != HF_OK) {
        fail_msg("%s", hf_context_message(b->cx));
    }
    return value;
}

static void documents(void **state) {
    (void)state;
    bench b = open_bench();
    hf_json *top = hf_json_object(), *list = hf_json_array();
    hf_json_set(top, "zeta", hf_json_integer(INT64_MIN)); /* keys stay in the order of insertion */
    hf_json_set(top, "alpha", hf_json_boolean(true));
    hf_json_push(list, hf_json_text("a \"b\"\n\xC3\xA9"));
    hf_json_push(list, hf_json_null());
    hf_json_push(list, hf_json_real(0.1));
    hf_json_push(list, hf_json_object());
    hf_json_set(top, "list", list);
    hf_json_set(top, "none", hf_json_array());
    assert_string_equal(print(&b, top), "{\n"
                                        "  \"zeta\": -9223372036854775808,\n"
                                        "  \"alpha\": true,\n"
                                        "  \"list\": [\n"
                                        "    \"a \\\"b\\\"\\n\xC3\xA9\",\n"
                                        "    null,\n"
                                        "    0.10000000000000001,\n"
                                        "    {}\n"
                                        "  ],\n"
                                        "  \"none\": []\n"
                                        "}\n");
    assert_string_equal(print(&b, hf_json_text("alone")), "\"alone\"\n");
    top = hf_json_object();
    hf_json_set(top, "key", hf_json_integer(1));
    hf_json_set(top, "key", hf_json_integer(2)); /* the last one stays */
    assert_string_equal(print(&b, top), "{\n  \"key\": 2\n}\n");
    close_bench(&b);
}

/** A print appends to what the text held. */
static void printing_appends(void **state) {
    (void)state;
    bench b = open_bench();
    hf_json *value = hf_json_integer(7);
    hf_text_print(&b.text, "before ");
    assert_int_equal(hf_json_print(b.cx, value, &b.text), HF_OK);
    assert_string_equal(b.text.data, "before 7\n");
    hf_json_free(value);
    close_bench(&b);
}

/** 17 digits bring every double back. */
static void numbers_come_back(void **state) {
    (void)state;
    static const double odd[] = {0, 1, -1, 0.1, 1e300, 5e-324, 0x1.fffffffffffffp1023, 1.0 / 3, 123456789.125, 1e22, -0.0};
    bench b = open_bench();
    hf_random r;
    hf_random_init(&r, 1, HF_PURPOSE_TEST, 0);
    for (size_t i = 0; i < 2000; i++) {
        const double want = i < 11 ? odd[i] : ldexp((double)hf_random_u64(&r), (int)hf_random_below(&r, 2000) - 1060);
        double got = 4711;
        hf_json *back = hf_json_array();
        hf_json_push(back, hf_json_real(want));
        back = parse(&b, print(&b, back));
        assert_true(hf_json_number(hf_json_at(back, 0), &got));
        assert_true(got == want);
        hf_json_free(back);
    }
    assert_string_equal(print(&b, hf_json_real(NAN)), "null\n"); /* JSON has no word for these */
    assert_string_equal(print(&b, hf_json_real(INFINITY)), "null\n");
    assert_string_equal(print(&b, hf_json_real(-INFINITY)), "null\n");
    assert_string_equal(print(&b, hf_json_real(2)), "2.0\n"); /* still a real to its reader */
    close_bench(&b);
}

static void readers(void **state) {
    (void)state;
    bench b = open_bench();
    hf_json *top =
        parse(&b, "{\"t\": \"text\", \"n\": 42, \"r\": 2.5, \"y\": true, \"f\": false, \"z\": null, \"a\": [1, [2, 3]]}");
    double number = 4711;
    int64_t whole = 4711;
    bool truth = true;
    assert_string_equal(hf_json_string(hf_json_get(top, "t")), "text");
    assert_true(hf_json_whole(hf_json_get(top, "n"), &whole) && whole == 42);
    assert_true(hf_json_number(hf_json_get(top, "n"), &number) && number == 42);
    assert_true(hf_json_number(hf_json_get(top, "r"), &number) && number == 2.5);
    assert_true(hf_json_truth(hf_json_get(top, "f"), &truth) && !truth);
    assert_true(hf_json_truth(hf_json_get(top, "y"), &truth) && truth);
    const hf_json *list = hf_json_get(top, "a");
    assert_int_equal(hf_json_count(list), 2);
    assert_true(hf_json_whole(hf_json_at(hf_json_at(list, 1), 1), &whole) && whole == 3);
    hf_json_free(top);
    close_bench(&b);
}

/** Whatever is asked of the wrong thing, the answer is "not there", and outputs stay. */
static void readers_of_something_else(void **state) {
    (void)state;
    bench b = open_bench();
    hf_json *top = parse(&b, "[{\"k\": 1}, [], \"text\", 42, 2.5, true, null]");
    for (size_t i = 0; i <= 7; i++) { /* the last is none at all */
        const hf_json *value = hf_json_at(top, i);
        double number = 4711;
        int64_t whole = 4711;
        bool truth = true;
        assert_int_equal(value != NULL, i < 7);
        assert_int_equal(hf_json_get(value, "k") != NULL, i == 0);
        assert_null(hf_json_get(value, "j"));
        assert_null(hf_json_at(value, 0));
        assert_int_equal(hf_json_count(value), 0);
        assert_int_equal(hf_json_string(value) != NULL, i == 2);
        assert_int_equal(hf_json_number(value, &number), i == 3 || i == 4);
        assert_int_equal(hf_json_whole(value, &whole), i == 3); /* 2.5 is not whole, nor would 2.0 be */
        assert_int_equal(hf_json_truth(value, &truth), i == 5);
        assert_true(number == (i == 3 ? 42 : i == 4 ? 2.5 : 4711));
        assert_true(whole == (i == 3 ? 42 : 4711));
    }
    hf_json_free(top);
    hf_json_free(NULL);
    close_bench(&b);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *data, *message;
    } row[] = {
        {"", "f.json, line 1, column 0: "},
        {"{\"a\": 1,\n \"b\": }", "f.json, line 2, column 7: "},
        {"[1, 2", "f.json, line 1, column 5: "},
        {"{\"a\": 1, \"a\": 2}", "f.json, line 1, column 12: duplicate object key"},
        {"[1] 2", "f.json, line 1, column 5: end of file expected"},
        {"[\"\xFF\"]", "f.json, line 1, column 2: "},
        {"[123456789012345678901]", "f.json, line 1, column 22: too big integer"},
        {"nul", "f.json, line 1, column 3: "},
    };
    bench b = open_bench();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hf_json *value = NULL;
        assert_int_equal(hf_json_parse(b.cx, "f.json", row[i].data, strlen(row[i].data), &value), HF_EINVAL);
        assert_null(value);
        if (strncmp(hf_context_message(b.cx), row[i].message, strlen(row[i].message)) != 0) {
            fail_msg("%s: %s", row[i].data, hf_context_message(b.cx));
        }
    }
    close_bench(&b);
}

/** A value that could not be had shows when the document is printed, however deep it should have stood. */
static void missing_values(void **state) {
    (void)state;
    bench b = open_bench();
    for (int where = 0; where < 4; where++) {
        hf_json *top = hf_json_object(), *list = hf_json_array(), *inner = hf_json_object();
        hf_json_set(inner, "x", where == 0 ? NULL : hf_json_text("y"));
        hf_json_push(list, where == 1 ? NULL : hf_json_integer(1));
        hf_json_push(list, inner);
        hf_json_set(top, "list", list);
        hf_json_set(top, "late", where == 2 ? NULL : hf_json_boolean(false));
        hf_text_free(&b.text);
        assert_int_equal(hf_json_print(b.cx, top, &b.text), where < 3 ? HF_ENOMEM : HF_OK);
        hf_json_free(top);
    }
    assert_int_equal(hf_json_print(b.cx, NULL, &b.text), HF_ENOMEM);
    hf_json_set(NULL, "a", NULL); /* the parent could not be had either */
    hf_json_push(NULL, NULL);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents),      cmocka_unit_test(printing_appends),          cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(readers),        cmocka_unit_test(readers_of_something_else), cmocka_unit_test(refusals),
        cmocka_unit_test(missing_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
