/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Turned tables: random tables turned and read back place by place, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/report.h>

static const hf_column columns[] = {{"rule", "rule", NULL, HF_COLUMN_WORD, 6, 0},
                                    {"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"size", "size", NULL, HF_COLUMN_COUNT, 6, HF_COLUMN_ASKED},
                                    {"share", "%", "%", HF_COLUMN_REAL, 6, 0}};
enum { COLUMNS = sizeof columns / sizeof *columns, RULES = 3, FAULTS = 4 };
static const char *const rules[RULES] = {"updown", "ft2ei:intervals=1", "ft2ei:intervals=2"};

static void begin(hf_context *cx, hf_report *r) {
    hf_report_begin(cx, "title", "tolerance", r);
    hf_report_argument(r, "topology", "ring:n=4");
    hf_report_table_begin(r, "sets", columns, COLUMNS);
}

static void add(hf_report *r, const char *rule, uint32_t f, uint32_t size, double share) {
    hf_report_cell(r, hf_cell_word(rule));
    hf_report_cell(r, hf_cell_count(f));
    hf_report_cell(r, hf_cell_count(size));
    hf_report_cell(r, hf_cell_real(share));
}

static char *print(hf_report *r, const char *rows, const char *across, const char *cell, hf_text *out) {
    hf_text_init(r->cx, out);
    const hf_report_style style = {.form = HF_FORM_CSV, .rows = rows, .across = across, .cell = cell};
    return hf_report_print(r, &style, out) == HF_OK ? out->data : NULL;
}

/* Which places have a row, and in which order rows come, is drawn; the slow twin looks every place up in the list of rows. */
static void turned_tables_say_the_same(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 200; seed++) {
        hf_context *cx = hf_context_new(NULL);
        hf_report r;
        hf_text out, expected;
        uint32_t of_rule[RULES * FAULTS], of_f[RULES * FAULTS], n = 0;
        unsigned random = seed;
        begin(cx, &r);
        for (uint32_t i = 0; i < RULES * FAULTS; i++) {
            const uint32_t place = (i * 5 + seed) % (RULES * FAULTS);
            random = random * 1103515245u + 12345u;
            if ((random >> 16) & 3u) {
                of_rule[n] = place % RULES;
                of_f[n++] = place / RULES;
                add(&r, rules[place % RULES], place / RULES, 8, place);
            }
        }
        hf_text_init(cx, &expected);
        hf_text_print(&expected, "f");
        uint32_t over[RULES], n_over = 0, down[FAULTS], n_down = 0;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t o = 0, d = 0;
            while (o < n_over && over[o] != of_rule[i]) {
                o++;
            }
            while (d < n_down && down[d] != of_f[i]) {
                d++;
            }
            over[o] = of_rule[i];
            n_over += o == n_over;
            down[d] = of_f[i];
            n_down += d == n_down;
        }
        static const char *const keys[] = {"updown", "ft2ei_intervals_1", "ft2ei_intervals_2"};
        for (uint32_t o = 0; o < n_over; o++) {
            hf_text_print(&expected, ",%s", keys[over[o]]);
        }
        hf_text_print(&expected, "\r\n");
        for (uint32_t d = 0; d < n_down; d++) {
            hf_text_print(&expected, "%u", down[d]);
            for (uint32_t o = 0; o < n_over; o++) {
                hf_text_print(&expected, ",");
                for (uint32_t i = 0; i < n; i++) {
                    if (of_rule[i] == over[o] && of_f[i] == down[d]) {
                        hf_text_print(&expected, "%u", of_f[i] * RULES + of_rule[i]);
                    }
                }
            }
            hf_text_print(&expected, "\r\n");
        }
        char *said = print(&r, "f", "rule", "share", &out);
        if (!said || strcmp(said, expected.data) != 0) {
            print_message("seed %u\n", seed);
        }
        assert_non_null(said);
        assert_string_equal(said, expected.data);
        hf_text_free(&out);
        hf_text_free(&expected);
        hf_context_free(cx);
    }
}

static void several_figures_and_arguments(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    begin(cx, &r);
    add(&r, "a b", 1, 8, 0.5);
    add(&r, "a-b", 1, 9, 0.25);
    assert_string_equal(print(&r, "topology,f", "rule", "size,share", &out),
                        "topology,f,a_b_size,a_b_share,a_b_size_2,a_b_share_2\r\nring:n=4,1,8,0.5,9,0.25\r\n");
    hf_text_free(&out);
    assert_string_equal(print(&r, "rule", "f,size", "share", &out), "rule,f_1_size_8,f_1_size_9\r\na b,0.5,\r\na-b,,0.25\r\n");
    hf_text_free(&out);
    hf_context_free(cx);
}

/* Figures of a place stand below each other, as many rows as there are. */
static void figures_below_each_other(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    begin(cx, &r);
    add(&r, "a", 1, 8, 0.5);
    add(&r, "b", 1, 9, 0.25);
    add(&r, "b", 2, 7, 0.75);
    assert_string_equal(print(&r, "rule", "f", "size/f", &out),
                        "rule,which,f_1,f_2\r\na,size,8,\r\na,f,1,\r\nb,size,9,7\r\nb,f,1,2\r\n");
    hf_text_free(&out);
    hf_context_free(cx);
}

/* Figures stand side by side; rows that a column says nothing of are left out, if it is told which. */
static void nothing_across(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    begin(cx, &r);
    add(&r, "a", 1, 8, 0.5);
    add(&r, "b", 1, 8, NAN);
    add(&r, "c", 2, 9, 0.25);
    assert_string_equal(print(&r, "rule", NULL, "size,share", &out), "rule,size,share\r\na,8,0.5\r\nb,8,\r\nc,9,0.25\r\n");
    hf_text_free(&out);
    hf_text_init(cx, &out);
    hf_report_style style = {.form = HF_FORM_CSV, .rows = "rule", .cell = "size", .where = "share"};
    assert_int_equal(hf_report_print(&r, &style, &out), HF_OK);
    assert_string_equal(out.data, "rule,size\r\na,8\r\nc,9\r\n");
    style.where = "topology";
    assert_int_equal(hf_report_print(&r, &style, &out), HF_EINVAL);
    hf_text_free(&out);
    hf_context_free(cx);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *rows, *across, *cell, *why;
    } cases[] = {
        {"f", NULL, NULL, "a turned table needs --rows and --cell, and --across where values stand across"},
        {NULL, "rule", "share", "a turned table needs --rows and --cell, and --across where values stand across"},
        {"g", "rule", "share", "--rows: column \"g\" is not there; --columns with a wrong name lists them"},
        {"f", "rule", "topology", "--cell: topology is an argument, the same in every place; need a column"},
        {"f", "topology", "share", "several rows have the same place, f = 1, ring:n=4; name more keys in --rows or --across"},
        {"f,f,f,f,f,f,f", "rule", "share", "--rows names more than 6 columns"},
        {"f", "rule", "size/share",
         "--cell=size/share is not right: what stands in one column is of one kind; need commas between"},
        {"f", "rule", "size/share,f", "--cell: column \"share,f\" is not there; --columns with a wrong name lists them"},
        {"f", NULL, "size/size", "figures below each other need --across"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hf_context *cx = hf_context_new(NULL);
        hf_report r;
        hf_text out;
        begin(cx, &r);
        add(&r, "a", 1, 8, 0.5);
        add(&r, "b", 1, 8, 0.25);
        assert_null(print(&r, cases[i].rows, cases[i].across, cases[i].cell, &out));
        assert_string_equal(hf_context_message(cx), cases[i].why);
        hf_text_free(&out);
        hf_context_free(cx);
    }
}

static void without_rows(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    begin(cx, &r);
    assert_string_equal(print(&r, "f", "rule", "share", &out), "f\r\n");
    hf_text_free(&out);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_tables_say_the_same),
        cmocka_unit_test(several_figures_and_arguments),
        cmocka_unit_test(figures_below_each_other),
        cmocka_unit_test(nothing_across),
        cmocka_unit_test(refusals),
        cmocka_unit_test(without_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
