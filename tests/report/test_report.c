/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reports in every format: what is left out, what is null, what is quoted, what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/report.h>

static const hf_column columns[] = {{"f", "f", NULL, HF_COLUMN_COUNT, 6, 0},
                                    {"share", "%", "%", HF_COLUMN_ESTIMATE, 4, 0},
                                    {"mean", "mean", "hops", HF_COLUMN_REAL, 3, 0},
                                    {"never", "never measured", NULL, HF_COLUMN_REAL, 6, 0},
                                    {"names", "names", NULL, HF_COLUMN_WORD, 6, HF_COLUMN_ASKED}};
static const hf_column second[] = {{"word", "word", NULL, HF_COLUMN_WORD, 6, 0}};

static void add_row(hf_report *r, uint64_t f, hf_cell share, hf_cell mean, const char *names) {
    hf_report_cell(r, hf_cell_count(f));
    hf_report_cell(r, share);
    hf_report_cell(r, mean);
    hf_report_cell(r, hf_cell_none());
    hf_report_cell(r, hf_cell_word(names));
}

static void fill(hf_context *cx, hf_report *r) {
    hf_report_begin(cx, "a_title", "label", r);
    hf_report_argument(r, "topology", "torus:dims=4x4");
    hf_report_table_begin(r, "first", columns, 5);
    add_row(r, 1234567, hf_cell_estimate(12.34567, 12.34567, 12.34567, HF_INTERVAL_EXACT, "exact, part 1 of 2"),
            hf_cell_real(2.0 / 3), "a, \"b\"");
    add_row(r, 2, hf_cell_estimate(50, 40.5, 59.5, HF_INTERVAL_WILSON, NULL), hf_cell_none(), NULL);
    add_row(r, 3, hf_cell_estimate(7, 6, INFINITY, HF_INTERVAL_BERNSTEIN_SEEN, NULL), hf_cell_real(NAN), "c|d");
    hf_report_note(r, "a note");
    hf_report_table_begin(r, "second", second, 1);
    hf_report_cell(r, hf_cell_word("x & y"));
}

/* \param[in] expected NULL: refused */
static void expect(hf_report_style style, const char *expected) {
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    fill(cx, &r);
    hf_text_init(cx, &out);
    const hf_status status = hf_report_print(&r, &style, &out);
    if (expected) {
        assert_int_equal(status, HF_OK);
        assert_string_equal(out.data ? out.data : "", expected);
    } else {
        assert_int_equal(status, HF_EINVAL);
    }
    hf_text_free(&out);
    hf_context_free(cx);
}

static void test_text(void **state) {
    (void)state;
    expect((hf_report_style){.form = HF_FORM_TEXT}, "a_title\n\n"
                                                    "      f      %  95% interval                   mean\n"
                                                    "1234567  12.35  exact, part 1 of 2            0.667\n"
                                                    "      2   50.0  40.5 to 59.5                      -\n"
                                                    "      3  7.000  at least 6 (range not known)      -\n"
                                                    "a note\n\nword\nx & y\n");
    expect((hf_report_style){.form = HF_FORM_TEXT, .columns = "names,f"},
           "a_title\n\nnames         f\na, \"b\"  1234567\n-             2\nc|d           3\na note\n");
    expect((hf_report_style){.form = HF_FORM_TEXT, .table = "second"}, "a_title\n\nword\nx & y\n");
}

static void test_programs(void **state) {
    (void)state;
    expect((hf_report_style){.form = HF_FORM_CSV, .digits = 4}, "f,share,share_low,share_high,share_by,mean,never,names\r\n"
                                                                "1234567,12.35,12.35,12.35,exact,0.6667,,\"a, \"\"b\"\"\"\r\n"
                                                                "2,50,40.5,59.5,wilson,,,\r\n"
                                                                "3,7,6,,bernstein-hoeffding-range-seen,,,c|d\r\n");
    expect((hf_report_style){.form = HF_FORM_CSV, .columns = "arguments,f"},
           "topology,f\r\ntorus:dims=4x4,1234567\r\ntorus:dims=4x4,2\r\ntorus:dims=4x4,3\r\n");
    expect(
        (hf_report_style){.form = HF_FORM_JSONL, .columns = "f,share,names"},
        "{\"table\": \"first\", \"f\": 1234567, \"share\": 12.34567, \"share_low\": 12.34567, \"share_high\": 12.34567, "
        "\"share_by\": \"exact\", \"names\": \"a, \\\"b\\\"\"}\n"
        "{\"table\": \"first\", \"f\": 2, \"share\": 50.0, \"share_low\": 40.5, \"share_high\": 59.5, \"share_by\": \"wilson\", "
        "\"names\": null}\n"
        "{\"table\": \"first\", \"f\": 3, \"share\": 7.0, \"share_low\": 6.0, \"share_high\": null, "
        "\"share_by\": \"bernstein-hoeffding-range-seen\", \"names\": \"c|d\"}\n");
    expect((hf_report_style){.form = HF_FORM_JSON, .table = "second"},
           "{\n  \"schema\": 1,\n  \"command\": \"label\",\n  \"program\": {\n    \"name\": \"holdfast\",\n    \"version\": "
           "\"0.1.0\"\n"
           "  },\n  \"spec\": {\n    \"topology\": \"torus:dims=4x4\"\n  },\n  \"second\": [\n    {\n"
           "      \"word\": \"x & y\"\n    }\n  ]\n}\n");
}

static void test_papers(void **state) {
    (void)state;
    expect((hf_report_style){.form = HF_FORM_MARKDOWN, .columns = "f,names"},
           "## a\\_title\n\n| f | names |\n|---:|---|\n| 1234567 | a, \"b\" |\n| 2 |  |\n| 3 | c\\|d |\n\na note\n");
    expect(
        (hf_report_style){.form = HF_FORM_LATEX, .columns = "f,mean"},
        "% needs \\usepackage{array,booktabs}\n\\begin{table}\n  \\centering\\scriptsize\\setlength{\\tabcolsep}{6pt}\n"
        "  \\caption{a\\_title}\n  \\label{tab:label}\n  \\begin{tabular}{@{}rr@{}}\n  \\toprule\n  f & mean \\\\\n  \\midrule\n"
        "  1,234,567 & 0.667 \\\\\n  2 &  \\\\\n  3 &  \\\\\n  \\bottomrule\n  \\end{tabular}\n"
        "  \\par\\smallskip a note\n\\end{table}\n");
}

static void test_refused(void **state) {
    (void)state;
    expect((hf_report_style){.columns = "f,,mean"}, NULL);
    expect((hf_report_style){.columns = ""}, NULL);
    expect((hf_report_style){.columns = "share_low"}, NULL);
    expect((hf_report_style){.table = "third"}, NULL);
}

/* More rows than a float holds: each row once, every part a table of its own, one label. */
static void test_long(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    hf_report_begin(cx, "many", "many", &r);
    hf_report_table_begin(&r, "rows", columns, 1);
    for (uint64_t i = 0; i < 81; i++) {
        hf_report_cell(&r, hf_cell_count(i));
    }
    hf_text_init(cx, &out);
    assert_int_equal(hf_report_print(&r, &(hf_report_style){.form = HF_FORM_LATEX}, &out), HF_OK);
    size_t begun = 0, labels = 0, lines = 0;
    for (const char *at = out.data; *at; at++) {
        begun += strncmp(at, "\\begin{table}", 13) == 0;
        labels += strncmp(at, "\\label", 6) == 0;
        lines += strncmp(at, " \\\\\n", 4) == 0;
    }
    assert_int_equal(begun, 3);
    assert_int_equal(labels, 1);
    assert_int_equal(lines, 81 + 3); /* and the headings */
    hf_text_free(&out);
    hf_context_free(cx);
}

/* One row that stands upright in what people read, and lies in what programs read. */
static void test_upright(void **state) {
    (void)state;
    static const hf_column of_one[] = {{"switches", "switches", NULL, HF_COLUMN_COUNT, 6, 0},
                                       {"distance", "mean distance", NULL, HF_COLUMN_REAL, 6, 0},
                                       {"spec", "spec", NULL, HF_COLUMN_WORD, 6, 0}};
    static const char latex[] =
        "% needs \\usepackage{array,booktabs}\n\\begin{table}\n  \\centering\\scriptsize\\setlength{\\tabcolsep}{6pt}\n"
        "  \\caption{a:b=1,\\allowbreak{}c=2}\n  \\label{tab:one}\n  \\begin{tabular}{@{}ll@{}}\n  \\toprule\n"
        "  switches & 48 \\\\\n  mean distance & 5.5 \\\\\n  spec & x \\\\\n  \\bottomrule\n  "
        "\\end{tabular}\n\\end{table}\n";
    static const char html[] =
        "<table id=\"one\">\n<caption>a:b=1,c=2</caption>\n<tbody>\n<tr><td>switches</td><td>48</td></tr>\n"
        "<tr><td>mean distance</td><td>5.5</td></tr>\n<tr><td>spec</td><td>x</td></tr>\n</tbody>\n</table>\n";
    static const char *const expected[HF_FORMS] = {
        [HF_FORM_TEXT] = "a:b=1,c=2\n\nswitches       48\nmean distance  5.5\nspec           x\n",
        [HF_FORM_CSV] = "switches,distance,spec\r\n48,5.5,x\r\n",
        [HF_FORM_MARKDOWN] = "## a:b=1,c=2\n\n|  |  |\n|---|---|\n| switches | 48 |\n| mean distance | 5.5 |\n| spec | x |\n",
        [HF_FORM_LATEX] = latex,
        [HF_FORM_HTML] = html};
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_report_begin(cx, "a:b=1,c=2", "one", &r);
    hf_report_table_begin(&r, "one", of_one, 3);
    hf_report_upright(&r);
    hf_report_cell(&r, hf_cell_count(48));
    hf_report_cell(&r, hf_cell_real(5.5));
    hf_report_cell(&r, hf_cell_word("x"));
    for (int form = 0; form < HF_FORMS; form++) {
        hf_text out;
        hf_text_init(cx, &out);
        assert_int_equal(hf_report_print(&r, &(hf_report_style){.form = (hf_form)form}, &out), HF_OK);
        if (expected[form]) {
            assert_string_equal(out.data, expected[form]);
        }
        hf_text_free(&out);
    }
    hf_context_free(cx);
}

/* Ranges, and a table of one row within another one. */
static void test_ranges(void **state) {
    (void)state;
    static const hf_column of_range[] = {{"t", "t", "h", HF_COLUMN_RANGE, 4, 0}};
    static const struct {
        hf_form form;
        const char *table, *expected;
    } cases[] = {
        {HF_FORM_TEXT, "times",
         " t least       t most\n   1.500        2.346\n   7.000  not bounded\ninfinite     infinite\n       -            -\n"},
        {HF_FORM_CSV, "times", "t,t_low,t_high\r\n2,1.5,2.34567\r\n,7,\r\n,,\r\n,,\r\n"},
        {HF_FORM_JSONL, "one", "{\"table\": \"one\", \"t\": 2.0, \"t_low\": 1.0, \"t_high\": 3.0}\n"}};
    hf_context *cx = hf_context_new(NULL);
    hf_report r;
    hf_text out;
    hf_report_begin(cx, NULL, "ranges", &r);
    hf_report_table_begin(&r, "times", of_range, 1);
    hf_report_cell(&r, hf_cell_range(1.5, 2, 2.34567));
    hf_report_cell(&r, hf_cell_range(7, INFINITY, INFINITY));
    hf_report_cell(&r, hf_cell_range(INFINITY, INFINITY, INFINITY));
    hf_report_cell(&r, hf_cell_none());
    hf_report_table_begin(&r, "one", of_range, 1);
    hf_report_place(&r, NULL, true);
    hf_report_cell(&r, hf_cell_range(1, 2, 3));
    hf_report_table_begin(&r, "empty", of_range, 1);
    hf_report_place(&r, "one", true);
    hf_report_table_begin(&r, "list", second, 1);
    hf_report_place(&r, "spec", false);
    hf_report_cell(&r, hf_cell_word("x"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hf_report_style style = {.form = cases[i].form, .table = cases[i].table};
        hf_text_init(cx, &out);
        assert_int_equal(hf_report_print(&r, &style, &out), HF_OK);
        assert_string_equal(out.data, cases[i].expected);
        hf_text_free(&out);
    }
    hf_text_init(cx, &out);
    assert_int_equal(hf_report_print(&r, &(hf_report_style){.form = HF_FORM_JSON}, &out), HF_OK);
    const char *spec = strstr(out.data, "\"spec\": {\n    \"list\": ["), *one = strstr(out.data, "  \"one\": {\n    \"t\": 2.0");
    assert_true(spec && one && strstr(one, "    \"empty\": null\n  }\n}\n"));
    hf_text_free(&out);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text),   cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_papers), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_long),   cmocka_unit_test(test_upright),
                                       cmocka_unit_test(test_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
