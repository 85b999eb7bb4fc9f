/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Every question of the registry: its descriptor, every format of its answer, every column and argument by name, what it
 *  refuses, and that it is a command whose help names all that it takes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/holdfast.h>

#include "src/bridge/json.h"
#include "src/cli/cli.h"
#include "src/cli/options.h"
#include "src/report/limits.h"
#include "src/report/note.h"
#include "tests/support/folder.h"
#include "tests/support/questions.h"
#include "tests/support/studies.h"

static void answer(hf_context *cx, const hf_question *q, const example *e, hf_report *out) {
    if (hf_ask(cx, q->name, e->argument, e->n, out) != HF_OK) {
        fail_msg("%s: %s", q->name, hf_context_message(cx));
    }
}

/* Of each question and each first table that it can have. */
static void for_each_answer(void (*check)(hf_context *cx, const hf_question *q, const example *e, const hf_report *report)) {
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        for (size_t form = 0; form < example_forms(q); form++) {
            example e;
            hf_report report;
            if (example_at(q, form, &e)) {
                hf_context *cx = hf_context_new(NULL);
                answer(cx, q, &e, &report);
                assert_ptr_equal(hf_question_columns(q, e.argument, e.n, NULL, NULL),
                                 form ? q->forms[form - 1].columns : q->columns);
                check(cx, q, &e, &report);
                hf_context_free(cx);
            }
        }
    }
}

static hf_status print_by(const hf_report *report, hf_report_style style, hf_text *out) {
    hf_text_init(report->cx, out);
    return hf_report_print(report, &style, out);
}

static bool is_key(const char *name) { return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name); }

static void descriptors_are_complete(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        const hf_param *p;
        assert_true(q->name && q->summary && q->about && q->table && q->parts && q->columns && q->ask);
        assert_non_null(strstr(q->about, "Example: holdfast "));
        for (size_t k = 0; (p = hf_question_param(q, k)) != NULL; k++) {
            const size_t size = strlen(p->help);
            assert_true(size > 3 && (p->help[size - 1] != '.' || strcmp(p->help + size - 3, "...") == 0));
            assert_true(p->unit || p->type == HF_PARAM_BOOL);
            assert_true(p->size > 0 || p->each || p->lists || k < 8); /* what is said goes somewhere */
            for (size_t other = 0; other < k; other++) {
                assert_string_not_equal(hf_question_param(q, other)->name, p->name);
            }
        }
        for (const hf_column *c = q->columns; c->key; c++) {
            assert_true(is_key(c->key) && c->heading && *c->heading);
        }
    }
}

static size_t count_lines(const char *text) {
    size_t n = 0;
    for (; *text; text++) {
        n += *text == '\n';
    }
    return n;
}

/* \param[in] list of a row, in which the columns can stand too; NULL: none */
static void check_json(hf_context *cx, const hf_question *q, const hf_column *columns, const char *list, const hf_text *text) {
    hf_json *root;
    const hf_param *p;
    assert_int_equal(hf_json_parse(cx, q->name, text->data, text->size, &root), HF_OK);
    assert_string_equal(hf_json_string(hf_json_get(root, "command")), q->name);
    const hf_json *spec = hf_json_get(root, "spec"), *rows = hf_json_get(root, "rows");
    for (size_t i = 0; (p = hf_question_param(q, i)) != NULL; i++) {
        char key[64];
        (void)snprintf(key, sizeof key, "%s", p->key ? p->key : p->name);
        for (char *c = key; *c; c++) {
            *c = *c == '-' ? '_' : *c;
        }
        assert_true(p->each || (p->lists && !p->words) || hf_json_get(spec, key));
    }
    assert_true(hf_json_count(rows) > 0);
    for (size_t r = 0; r < hf_json_count(rows); r++) {
        const hf_json *row = hf_json_at(rows, r), *entries = list ? hf_json_get(row, list) : NULL;
        for (const hf_column *c = columns; c->key; c++) {
            assert_true(hf_json_get(row, c->key) ||
                        (entries && (!hf_json_count(entries) || hf_json_get(hf_json_at(entries, 0), c->key))));
        }
    }
    hf_json_free(root);
}

static void in_every_format(hf_context *cx, const hf_question *q, const example *e, const hf_report *report) {
    const size_t n_row = report->table[0].n_cell / report->table[0].n_column;
    assert_int_equal(report->table[0].n_cell % report->table[0].n_column, 0);
    for (int form = 0; form < HF_FORMS; form++) {
        hf_text out;
        assert_int_equal(print_by(report, (hf_report_style){.form = (hf_form)form, .all = true}, &out), HF_OK);
        assert_true(out.size > 0);
        if (form == HF_FORM_CSV) {
            assert_int_equal(count_lines(out.data), n_row + 1);
        } else if (form == HF_FORM_JSON) {
            check_json(cx, q, hf_question_columns(q, e->argument, e->n, NULL, NULL), report->table[0].list, &out);
        } else if (form == HF_FORM_LATEX) {
            assert_true(strstr(out.data, "\\caption{") && strstr(out.data, "\\label{tab:"));
        } else if (form == HF_FORM_HTML) {
            assert_non_null(strstr(out.data, "<caption>"));
        }
        hf_text_free(&out);
    }
}

static void every_format(void **state) {
    (void)state;
    for_each_answer(in_every_format);
}

/* Each column and each argument alone, in every format. */
static void by_every_column(hf_context *cx, const hf_question *q, const example *e, const hf_report *report) {
    (void)cx;
    hf_text out;
    for (int form = 0; form < HF_FORMS; form++) {
        for (const hf_column *c = hf_question_columns(q, e->argument, e->n, NULL, NULL); c->key; c++) {
            assert_int_equal(print_by(report, (hf_report_style){.form = (hf_form)form, .columns = c->key}, &out), HF_OK);
            hf_text_free(&out);
        }
        for (size_t a = 0; a < report->n_argument; a++) {
            const hf_report_style style = {.form = (hf_form)form, .columns = report->argument[a].name};
            assert_int_equal(print_by(report, style, &out), HF_OK);
            hf_text_free(&out);
        }
    }
    assert_int_equal(print_by(report, (hf_report_style){.columns = "no-such"}, &out), HF_EINVAL);
    hf_text_free(&out);
}

static void every_column(void **state) {
    (void)state;
    for_each_answer(by_every_column);
}

/* What the store keeps of an answer is the answer again, to the last bit. */
static void as_a_note(hf_context *cx, const hf_question *q, const example *e, const hf_report *report) {
    hf_text first, second;
    hf_report again;
    bool is_whole;
    (void)e;
    hf_text_init(cx, &first);
    hf_text_init(cx, &second);
    assert_int_equal(hf_report_to_note(report, &first), HF_OK);
    assert_int_equal(hf_report_of_note(cx, first.data, &again, &is_whole), HF_OK);
    if (!is_whole || again.n_table != report->n_table || again.table[0].n_cell != report->table[0].n_cell) {
        fail_msg("%s: the note of the answer is not the answer", q->name);
    }
    assert_int_equal(hf_report_to_note(&again, &second), HF_OK);
    assert_string_equal(first.data, second.data);
    for (size_t size = 0; size + 1 < first.size;
         size += 1 + first.size / 50) { /* a note that is cut before its line ends is none */
        char *cut;
        assert_int_equal(hf_scratch_print(cx, &cut, "%.*s", (int)size, first.data), HF_OK);
        assert_int_equal(hf_report_of_note(cx, cut, &again, &is_whole), HF_OK);
        assert_false(is_whole);
    }
    hf_text_free(&first);
    hf_text_free(&second);
}

static void every_note(void **state) {
    (void)state;
    for_each_answer(as_a_note);
}

/* A number of a cell; NaN where it has none. */
static double number_of(const hf_column *column, const hf_cell *c) {
    const bool is_count =
        column->kind == HF_COLUMN_FLAG || column->kind == HF_COLUMN_COUNT || column->kind == HF_COLUMN_BIG_COUNT;
    const double unit = column->unit && strcmp(column->unit, "%") == 0 ? 0.01 : 1;
    return !c->is_known ? NAN : is_count ? (double)c->count : unit * c->value;
}

/* Of a column of words the text of its cell, which is one of those that the column can say. */
static void check_word(const hf_column *column, const hf_cell *c, const hf_study_line *line) {
    const bool is_flag = column->kind == HF_COLUMN_FLAG;
    if (c->is_known) {
        assert_string_equal(line->computed, is_flag ? c->count ? "yes" : "no" : c->word);
        assert_true(is_flag || hf_column_can_say(column, hf_slice_of(c->word)));
        assert_true(is_flag || isnan(line->value));
    }
}

/* A cell of a study that asks for one column of the first row, which its first column names. */
static void ask_in_study(hf_context *cx, const hf_question *q, const example *e, const hf_report *report, size_t column) {
    const hf_report_table *t = &report->table[0];
    hf_text yaml, row;
    hf_text_init(cx, &yaml);
    assert_int_equal(print_by(report, (hf_report_style){.form = HF_FORM_CSV, .columns = t->column[0].key}, &row), HF_OK);
    const char *first = strchr(row.data, '\n') + 1;
    const bool is_quoted = *first == '"'; /* CSV quotes specs with commas */
    hf_text_print(&yaml, "schema: 1\nname: x\ntitle: t\nsource: s\ncells:\n  - {label: a, ask: \"%s", q->name);
    for (size_t i = 0; i < e->n; i++) {
        hf_text_print(&yaml, " %s=%s", e->argument[i].name, e->argument[i].value);
    }
    hf_text_print(&yaml, "\", column: %s, row: \"%s=%.*s\"}\n", t->column[column].key, t->column[0].key,
                  (int)strcspn(first + is_quoted, is_quoted ? "\"" : "\r"), first + is_quoted);
    hf_study_outcome *o = study_run(cx, yaml.data, &(hf_study_options){.threads = 1});
    const double value = number_of(&t->column[column], &t->cell[column]);
    const hf_study_line *line = &o->line[0]; /* of rows with the same first cell the first */
    assert_true(o->n_line > 0 && line->label[0] == 'a');
    if (t->column[column].kind <= HF_COLUMN_FLAG) {
        check_word(&t->column[column], &t->cell[column], line);
    }
    const bool has_value = t->column[column].kind >= HF_COLUMN_FLAG && t->cell[column].is_known;
    assert_true((line->verdict == HF_STUDY_NOT_COMPUTABLE) == !t->cell[column].is_known);
    assert_true(!has_value || isnan(value) || fabs(line->value - value) <= 1e-12 * fabs(value));
    hf_study_outcome_free(o);
    hf_text_free(&yaml);
    hf_text_free(&row);
}

static void as_a_value(hf_context *cx, const hf_question *q, const example *e, const hf_report *report) {
    const hf_column *column = hf_question_columns(q, e->argument, e->n, NULL, NULL);
    for (size_t c = 0; column[c].key; c++) {
        ask_in_study(cx, q, e, report, c);
    }
}

/* All that a question answers can be a value of a study, numbers and words. */
static void every_column_in_a_study(void **state) {
    (void)state;
    for_each_answer(as_a_value);
}

static void expect_refused(const hf_question *q, const example *e, const char *with) {
    hf_context *cx = hf_context_new(NULL);
    hf_report report;
    assert_int_not_equal(hf_ask(cx, q->name, e->argument, e->n, &report), HF_OK);
    if (!strstr(hf_context_message(cx), with)) {
        fail_msg("%s: \"%s\" does not name %s", q->name, hf_context_message(cx), with);
    }
    hf_context_free(cx);
}

/* An argument that is missing, unknown, given twice or wrong: the message names it. */
static void refusals(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        const example e = example_of(q);
        const hf_param *p;
        for (size_t k = 0; k < e.n_required; k++) {
            example less = e;
            less.argument[k] = less.argument[--less.n];
            expect_refused(q, &less, e.argument[k].name);
        }
        example more = e;
        char wrong[64];
        p = hf_question_param(q, 0);
        (void)snprintf(wrong, sizeof wrong, "%.*s", (int)strlen(p->name) - 1, p->name);
        more.argument[more.n++] = (hf_argument){wrong, "ring:n=3"};
        expect_refused(q, &more, p->name);
        more.argument[e.n] = e.argument[0];
        expect_refused(q, &more, "twice");
        for (size_t k = 0; (p = hf_question_param(q, k)) != NULL; k++) {
            if (p->type != HF_PARAM_TEXT && !p->with) {
                more.argument[e.n] = (hf_argument){p->name, "x?"};
                expect_refused(q, &more, p->name);
            }
        }
    }
}

/* What can be written beside the tables is there where it is wanted. */
static void attachments(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        for (const hf_param *p = q->attachments ? q->attachments : hf_no_params; p->name; p++) {
            const char *const wanted[] = {p->name, NULL}, *table;
            hf_context *cx = hf_context_new(NULL);
            hf_report report;
            example e = example_of(q);
            if (p->with) {
                example_add(q, &e, p->with);
            }
            assert_true((p->unit || p->type == HF_PARAM_BOOL) && p->help);
            const hf_status status =
                hf_question_ask(cx, q, "test", NULL, e.argument, e.n, &(hf_conduct){.attachments = wanted}, &report);
            assert_true(status == HF_OK || p->flags & HF_PARAM_OPTIONAL);
            assert_true(hf_report_attachment(&report, p->name) || p->flags & HF_PARAM_OPTIONAL);
            (void)hf_question_columns(q, e.argument, e.n, wanted, &table);
            assert_string_equal(report.table[0].name, table);
            hf_context_free(cx);
        }
    }
}

/* No question starts more threads than there may be. */
static void threads_have_a_limit(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        const example e = example_of(q);
        hf_context *cx = hf_context_new(NULL);
        hf_report report;
        assert_int_equal(
            hf_question_ask(cx, q, "test", NULL, e.argument, e.n, &(hf_conduct){.threads = HF_THREADS_MOST + 1}, &report),
            HF_EINVAL);
        assert_non_null(strstr(hf_context_message(cx), "threads=1025 is not right"));
        hf_context_free(cx);
    }
}

/* What a question writes it confirms, in any format; what is no such file it refuses by its name. */
static void files_are_checked_again(void **state) {
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        if (!q->check) {
            continue;
        }
        const example e = example_of(q);
        const char *const wanted[] = {q->attachments->name, NULL};
        hf_context *cx = hf_context_new(NULL);
        hf_report report;
        char folder[128], path[160];
        folder_open(folder, sizeof folder);
        folder_file(folder, "file.json", path, sizeof path);
        assert_int_equal(hf_question_ask(cx, q, "test", NULL, e.argument, e.n, &(hf_conduct){.attachments = wanted}, &report),
                         HF_OK);
        const char *text = hf_report_attachment(&report, wanted[0]);
        folder_write(path, text, strlen(text));
        assert_int_equal(hf_question_check_file(cx, q, path, &report), HF_OK);
        assert_int_equal(report.answer, HF_ANSWER_YES);
        for (int form = 0; form < HF_FORMS; form++) {
            hf_text out;
            assert_int_equal(print_by(&report, (hf_report_style){.form = (hf_form)form}, &out), HF_OK);
            hf_text_free(&out);
        }
        folder_write(path, "{\"schema\": 1}", 13);
        assert_int_equal(hf_question_check_file(cx, q, path, &report), HF_EINVAL);
        assert_non_null(strstr(hf_context_message(cx), path));
        folder_close(folder);
        hf_context_free(cx);
        n++;
    }
    assert_true(n > 0);
}

/* A question of one plan that can be asked of fault sets: a row for each size, over what can fail. */
static void plans_and_sets(void **state) {
    (void)state;
    size_t n = 0;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        if (!(q->scene_maybe & HF_SCENE_UNIVERSE) || !hf_question_param_named(q, "faults")) {
            continue;
        }
        example sets = example_of(q), only = sets;
        only.argument[only.n++] = (hf_argument){"only", "stage=0"};
        expect_refused(q, &only, "belongs to faults");
        sets.argument[sets.n++] = (hf_argument){"faults", "0..1"};
        hf_context *cx = hf_context_new(NULL);
        hf_report report;
        hf_text out;
        assert_int_equal(hf_ask(cx, q->name, sets.argument, sets.n, &report), HF_OK);
        assert_int_equal(report.table[0].n_cell, 2 * report.table[0].n_column);
        assert_int_equal(print_by(&report, (hf_report_style){.form = HF_FORM_JSON}, &out), HF_OK);
        check_json(cx, q, hf_question_columns(q, sets.argument, sets.n, NULL, NULL), NULL, &out);
        assert_true(!q->universe || strstr(out.data, q->universe));
        hf_text_free(&out);
        hf_context_free(cx);
        sets.argument[sets.n++] = (hf_argument){"failed", "s0"};
        expect_refused(q, &sets, "contradict");
        n++;
    }
    assert_true(n > 0);
}

/* What takes the place of the scene and of what other groups say is refused with any of them, and else asked alone. */
static void replaced(void **state) {
    (void)state;
    size_t n_replaced = 0;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        const example e = example_of(q);
        example own = {.n = 0};
        if (!q->instead) {
            continue;
        }
        own.argument[own.n++] = (hf_argument){q->instead, "no-such-file"};
        for (size_t k = 0; k < e.n; k++) {
            example both = {.argument = {{q->instead, "no-such-file"}, e.argument[k]}, .n = 2};
            hf_context *cx = hf_context_new(NULL);
            if (hf_question_check(cx, q, "test", both.argument, both.n) == HF_OK) {
                own.argument[own.n++] = e.argument[k];
            } else {
                expect_refused(q, &both, "takes the place of");
                expect_refused(q, &both, e.argument[k].name);
                n_replaced++;
            }
            hf_context_free(cx);
        }
        expect_refused(q, &own, "no-such-file");
    }
    assert_true(n_replaced > 0);
}

static void every_question_is_a_command(void **state) {
    (void)state;
    for (size_t i = 0; i < hf_question_count(); i++) {
        const hf_question *q = hf_question_at(i);
        hf_context *cx = hf_context_new(NULL);
        const hf_param *p;
        cli_command command;
        hf_text help;
        assert_true(cli_command_find(q->name, &command));
        assert_ptr_equal(command.question, q);
        hf_text_init(cx, &help);
        assert_int_equal(cli_print_help(cx, &command, NULL, &help), HF_OK);
        for (size_t k = 0; (p = hf_question_param(q, k)) != NULL; k++) {
            char option[64];
            (void)snprintf(option, sizeof option, "  --%s", p->name);
            assert_non_null(strstr(help.data, option));
        }
        assert_true(strstr(help.data, "--format") && strstr(help.data, "--columns") && strstr(help.data, "--output"));
        hf_text_free(&help);
        hf_context_free(cx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_complete),
        cmocka_unit_test(every_format),
        cmocka_unit_test(every_column),
        cmocka_unit_test(every_note),
        cmocka_unit_test(every_column_in_a_study),
        cmocka_unit_test(refusals),
        cmocka_unit_test(attachments),
        cmocka_unit_test(plans_and_sets),
        cmocka_unit_test(replaced),
        cmocka_unit_test(every_question_is_a_command),
        cmocka_unit_test(files_are_checked_again),
        cmocka_unit_test(threads_have_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
