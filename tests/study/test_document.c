/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The parts of the report: Markdown in both forms, templates, and findings found by the studies that they name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/study/document/parts.h"

static void expect(hf_document_form form, const char *markdown, const char *expected) {
    hf_context *cx = hf_context_new(NULL);
    hf_text out;
    hf_text_init(cx, &out);
    const hf_writer w = {cx, form, &out};
    hf_write_markdown(&w, markdown, strlen(markdown));
    assert_string_equal(out.data ? out.data : "", expected);
    hf_text_free(&out);
    hf_context_free(cx);
}

static void markdown(void **state) {
    (void)state;
    static const char text[] =
        "## A & B\n\nOne *two* **three `a_b`**\nfour [link](x.md#y) 2 * 3 * 4 \\| x\n\n- item\n  more\n- <b>\n\n"
        "| h | `k` |\n|---|---|\n| 1 | a \\| b |\n\n    code <x>\n      more\n\nend";
    expect(HF_DOCUMENT_HTML, text,
           "<h3>A &amp; B</h3>\n<p>One <em>two</em> <strong>three <code>a_b</code></strong>\nfour link 2 * 3 * 4 | x</p>\n"
           "<ul>\n<li>item\n  more</li>\n<li>&lt;b&gt;</li>\n</ul>\n"
           "<table>\n<tr><th>h</th><th><code>k</code></th></tr>\n<tr><td>1</td><td>a | b</td></tr>\n</table>\n"
           "<pre>code &lt;x&gt;\n  more\n</pre>\n<p>end</p>\n");
    expect(HF_DOCUMENT_TEX, "# 50%\n\na `k=2,n=3` *b*\n\n- x_y\n\n    \\raw{\n",
           "\\paragraph{50\\%.}\na \\texttt{k=\\allowbreak{}2,\\allowbreak{}n=\\allowbreak{}3} \\emph{b}\n\n"
           "\\begin{itemize}\n\\item x\\_y\n\\end{itemize}\n\\begin{verbatim}\n\\raw{\n\\end{verbatim}\n");
    /* what stands as far in as an item's text belongs to it; what stands nearer, or is code, does not */
    expect(HF_DOCUMENT_HTML, "- a\n\n  | b |\n  |---|\n  | c |\n\n  d\n  e\n\n- f\n\ng\n",
           "<ul>\n<li>a<table>\n<tr><th>b</th></tr>\n<tr><td>c</td></tr>\n</table>\n<p>d\n  e</p>\n</li>\n</ul>\n"
           "<ul>\n<li>f</li>\n</ul>\n<p>g</p>\n");
    /* numbered lists, signs and powers; not in code */
    expect(HF_DOCUMENT_HTML, "a\n\n1. *b*\n   c\n2. d 3.5 e\n\n- f\n",
           "<p>a</p>\n<ol>\n<li><em>b</em>\n   c</li>\n<li>d 3.5 e</li>\n</ol>\n<ul>\n<li>f</li>\n</ul>\n");
    expect(HF_DOCUMENT_TEX, "2 +- 1, \"10^7\" (\"k^(n-1)\") `\"x^2\" +- y` + - ^ z^",
           "2 $\\pm$ 1, ``10\\textsuperscript{7}'' (``k\\textsuperscript{n-1}'') "
           "\\texttt{\\textquotedbl{}\\allowbreak{}x\\textasciicircum{}2"
           "\\allowbreak{}\\textquotedbl{}\\allowbreak{} \\allowbreak{}+-\\allowbreak{} \\allowbreak{}y} + - \\textasciicircum{} "
           "z\\textasciicircum{}\n\n");
    expect(HF_DOCUMENT_HTML, "2 +- 1, \"10^7\" `\"x^2\"`",
           "<p>2 \302\261 1, \342\200\23410<sup>7</sup>\342\200\235 <code>&quot;x^2&quot;</code></p>\n");
    /* marks that close nothing are text; nothing is read behind the end */
    expect(HF_DOCUMENT_HTML, "a * b ** c ` d [e](f", "<p>a * b ** c ` d [e](f</p>\n");
    expect(HF_DOCUMENT_HTML, "", "");
    expect(HF_DOCUMENT_HTML, "|", "<table>\n<tr></tr>\n</table>\n");
}

/* Whatever is cut off: HTML has no mark that the text has not closed. */
static void cut_off(void **state) {
    (void)state;
    static const char text[] =
        "# a `b`\n\np *q* **r** [s](t)\n\n- u\n- v\n\n  | i |\n  | j |\n\n  k\n\n| w | x |\n|---|---|\n| y | z |\n\n    code\n";
    for (size_t size = 0; size < sizeof text; size++) {
        hf_context *cx = hf_context_new(NULL);
        hf_text out;
        hf_text_init(cx, &out);
        const hf_writer w = {cx, HF_DOCUMENT_HTML, &out};
        hf_write_markdown(&w, text, size);
        int depth = 0;
        for (const char *at = out.data ? out.data : ""; *at; at++) {
            depth += *at == '<' ? at[1] == '/' ? -1 : 1 : 0;
            assert_true(depth >= 0);
        }
        assert_int_equal(depth, 0);
        hf_text_free(&out);
        hf_context_free(cx);
    }
}

static void findings(void **state) {
    (void)state;
    static const char text[] =
        "# All\n\nIntroduction of `one`.\n\n## First\n\nStudy `one`.\n\n## Second\n\nStudy `one-more`, `two`.\n";
    static const struct {
        const char *name, *expected;
    } rows[] = {{"one", "<h3>First</h3>\n<p>Study <code>one</code>.</p>\n"},
                {"two", "<h3>Second</h3>\n<p>Study <code>one-more</code>, <code>two</code>.</p>\n"},
                {"tw", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hf_context *cx = hf_context_new(NULL);
        hf_text out;
        hf_text_init(cx, &out);
        hf_part_findings(&(hf_writer){cx, HF_DOCUMENT_HTML, &out}, &(hf_document){.findings = text}, rows[i].name);
        assert_string_equal(out.data ? out.data : "", rows[i].expected);
        hf_text_free(&out);
        hf_context_free(cx);
    }
}

/* One thing of a kind has its verb, too. */
static void verdicts(void **state) {
    (void)state;
    static const struct {
        hf_document_tally tally;
        const char *expected;
    } rows[] = {
        {{.reproduced = 9, .differing = 1}, "10 printed numbers: 9 reproduced, 1 differs. "},
        {{.differing = 2, .not_computable = 1, .holding = 1},
         "3 printed numbers: 2 differ, 1 not computable here. 1 claim: 1 holds. "},
        {{.holding = 2, .not_holding = 1, .claims_open = 1}, "4 claims: 2 hold, 1 does not hold, 1 open. "},
        {{.not_holding = 3}, "3 claims: 3 do not hold. "},
        {{0}, "The paper prints no numbers to compare with."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hf_context *cx = hf_context_new(NULL);
        hf_text out;
        hf_text_init(cx, &out);
        hf_part_verdicts(&(hf_writer){cx, HF_DOCUMENT_TEX, &out}, &rows[i].tally);
        assert_string_equal(out.data, rows[i].expected);
        hf_text_free(&out);
        hf_context_free(cx);
    }
}

static void templates(void **state) {
    (void)state;
    hf_context *cx = hf_context_new(NULL);
    hf_text out;
    hf_text_init(cx, &out);
    const hf_template_value few[] = {{"name", "x"}, {"title", "y"}};
    assert_int_equal(hf_template_fill(cx, "row.html", few, 2, &out), HF_EINVAL); /* verdicts are missing */
    assert_non_null(strstr(hf_context_message(cx), "row.html"));
    assert_int_equal(hf_template_fill(cx, "none.html", few, 2, &out), HF_ENOENT);
    hf_text_free(&out);
    hf_text_init(cx, &out);
    const hf_template_value all[] = {{"name", "x"}, {"title", "y"}, {"verdicts", NULL}};
    assert_int_equal(hf_template_fill(cx, "row.html", all, 3, &out), HF_OK);
    assert_string_equal(out.data, "<tr><td><a href=\"x.html\">x</a></td><td>y</td><td></td></tr>\n");
    hf_text_free(&out);
    hf_context_free(cx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(markdown), cmocka_unit_test(cut_off), cmocka_unit_test(findings),
                                       cmocka_unit_test(verdicts), cmocka_unit_test(templates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
