/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Printing reports: what is shown of a table, its cells for programs, and all of a report. */
#include <holdfast/report.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/bridge/json.h"
#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/core/print.h"
#include "src/report/csv.h"
#include "src/report/pivot.h"
#include "src/report/view.h"

enum { MACHINE_DIGITS = 15, NESTED_COLUMNS = 8 };

static bool is_for_people(hf_form f) {
    return f == HF_FORM_TEXT || f == HF_FORM_MARKDOWN || f == HF_FORM_LATEX || f == HF_FORM_HTML;
}

/* ---- which columns ---- */

static bool has_cells(const hf_report_table *t, size_t column) {
    size_t r = 0;
    while (r < hf_view_rows(t) && !t->cell[r * t->n_column + column].is_known) {
        r++;
    }
    return r < hf_view_rows(t);
}

static hf_status show(hf_context *cx, hf_view *v, const hf_column *column, size_t at) {
    HF_GROW_SCRATCH(cx, v->column, v->n, v->room);
    v->column[v->n++] = (hf_view_column){column, at};
    return HF_OK;
}

/* What says something: not what nobody measured, nor what is long and was not asked for. */
static hf_status show_telling(hf_context *cx, hf_view *v) {
    const bool chosen = is_for_people(v->style->form);
    for (size_t c = 0; c < v->table->n_column; c++) {
        const hf_column *column = &v->table->column[c];
        const bool is_asked = (!(column->flags & HF_COLUMN_ASKED) || v->style->all) && !(column->flags & HF_COLUMN_MUTE);
        const bool is_json = v->style->form == HF_FORM_JSON || !(column->flags & HF_COLUMN_JSON);
        const bool is_here = is_json && !(column->flags & HF_COLUMN_NAMED) && (chosen || !(column->flags & HF_COLUMN_PEOPLE));
        if (is_here && (!chosen || (is_asked && (has_cells(v->table, c) || column->flags & HF_COLUMN_TOLD)))) {
            HF_TRY(show(cx, v, column, c));
        }
    }
    return HF_OK;
}

static hf_status refuse_column(hf_context *cx, const hf_view *v, const char *name, size_t size) {
    hf_text known;
    char *text = NULL;
    hf_text_init(cx, &known);
    for (size_t c = 0; c < v->table->n_column; c++) {
        hf_text_print(&known, "%s%s", c ? ", " : "", v->table->column[c].key);
    }
    for (size_t a = 0; a < v->report->n_argument; a++) {
        hf_text_print(&known, ", %s", v->report->argument[a].name);
    }
    hf_status status = hf_text_check(cx, &known);
    status = status == HF_OK ? hf_scratch_print(cx, &text, "%s", known.data) : status;
    hf_text_free(&known);
    HF_TRY(status);
    HF_FAIL(cx, HF_EINVAL, "column \"%.*s\" is not there; need %s, or arguments for all of the question", (int)size, name, text);
}

static const char *name_of(const hf_view *v, const hf_view_column *s) {
    return s->column ? s->column->key : v->report->argument[s->at].name;
}

static bool is_shown(const hf_view *v, hf_slice name) {
    size_t i = 0;
    while (i < v->n && !hf_slice_is(name, name_of(v, &v->column[i]))) {
        i++;
    }
    return i < v->n;
}

static bool is_column(const hf_view *v, const char *name) {
    return hf_column_find(v->table->column, v->table->n_column, name, strlen(name));
}

/* All arguments but for those whose names are taken. */
static hf_status show_arguments(hf_context *cx, hf_view *v) {
    for (size_t a = 0; a < v->report->n_argument; a++) {
        const char *name = v->report->argument[a].name;
        HF_TRY(is_column(v, name) || is_shown(v, hf_slice_of(name)) ? HF_OK : show(cx, v, NULL, a));
    }
    return HF_OK;
}

/* A key of a column, the name of an argument that no column has, or all arguments. */
static hf_status show_named(hf_context *cx, hf_view *v, hf_slice name) {
    if (hf_slice_is(name, "arguments")) {
        return show_arguments(cx, v);
    }
    if (is_shown(v, name)) {
        HF_FAIL(cx, HF_EINVAL, "column \"%.*s\" is named twice", (int)name.size, name.text);
    }
    const hf_column *column = hf_column_find(v->table->column, v->table->n_column, name.text, name.size);
    if (column) {
        return show(cx, v, column, (size_t)(column - v->table->column));
    }
    const size_t a = hf_report_find_argument(v->report, name.text, name.size);
    return a < v->report->n_argument ? show(cx, v, NULL, a) : refuse_column(cx, v, name.text, name.size);
}

static hf_status choose(hf_context *cx, hf_view *v) {
    const char *at = v->style->columns;
    if (!at) {
        return show_telling(cx, v);
    }
    for (;;) {
        const size_t size = strcspn(at, ",");
        HF_TRY(show_named(cx, v, (hf_slice){at, size}));
        if (!at[size]) {
            return HF_OK;
        }
        at += size + 1;
    }
}

/* ---- cells for programs ---- */

static void put_plain(const hf_view *v, double value, hf_text *out) {
    if (isfinite(value)) {
        hf_text_print(out, "%.*g", v->style->digits ? v->style->digits : MACHINE_DIGITS, value);
    }
}

/* What stands beside a value, in columns of their own: behind KEY. */
static const char *const no_ends[] = {NULL}, *const exact_ends[] = {"_exact", NULL},
                         *const estimate_ends[] = {"_low", "_high", "_by", NULL}, *const range_ends[] = {"_low", "_high", NULL};

static const char *const *ends_of(const hf_view_column *s) {
    const hf_column_kind kind = s->column ? s->column->kind : HF_COLUMN_WORD;
    return kind == HF_COLUMN_ESTIMATE ? estimate_ends
           : kind == HF_COLUMN_RANGE  ? range_ends
           : kind == HF_COLUMN_EXACT  ? exact_ends
                                      : no_ends;
}

static void put_csv_value(const hf_view *v, const hf_column *column, const hf_cell *c, hf_text *out) {
    char digits[40];
    switch (column->kind) {
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
        hf_print_decimal(c->count, digits);
        hf_text_print(out, "%s", c->word ? c->word : digits);
        break;
    case HF_COLUMN_FLAG:
        hf_text_print(out, c->count ? "true" : "false");
        break;
    case HF_COLUMN_NAMES:
    case HF_COLUMN_TREE:
    case HF_COLUMN_WORD:
        hf_csv_put(out, c->word);
        break;
    case HF_COLUMN_EXACT:
        put_plain(v, c->value, out);
        hf_text_print(out, ",%s", c->word ? c->word : "");
        break;
    case HF_COLUMN_REAL:
        put_plain(v, c->value, out);
        break;
    case HF_COLUMN_ESTIMATE:
    case HF_COLUMN_RANGE:
        put_plain(v, c->value, out);
        hf_text_append(out, ",", 1);
        put_plain(v, c->low, out);
        hf_text_append(out, ",", 1);
        put_plain(v, c->high, out);
        if (column->kind == HF_COLUMN_ESTIMATE) {
            hf_text_print(out, ",%s", c->by);
        }
        break;
    }
}

static void put_csv_cell(const hf_view *v, const hf_view_column *s, size_t row, hf_text *out) {
    if (!s->column) {
        const char *value = v->report->argument[s->at].value;
        hf_csv_put(out, value ? value : "");
        return;
    }
    const hf_cell *c = hf_view_cell(v, row, s);
    if (c->is_known) {
        put_csv_value(v, s->column, c, out);
        return;
    }
    for (const char *const *end = ends_of(s); *end; end++) {
        hf_text_append(out, ",", 1);
    }
}

static void put_csv(const hf_view *v, hf_text *out) {
    for (size_t i = 0; i < v->n; i++) {
        const hf_view_column *s = &v->column[i];
        const char *key = name_of(v, s);
        hf_text_print(out, "%s%s", i ? "," : "", key);
        for (const char *const *end = ends_of(s); *end; end++) {
            hf_text_print(out, ",%s%s", key, *end);
        }
    }
    hf_text_append(out, "\r\n", 2);
    for (size_t r = 0; r < hf_view_rows(v->table); r++) {
        for (size_t i = 0; i < v->n; i++) {
            hf_text_append(out, ",", i ? 1 : 0);
            put_csv_cell(v, &v->column[i], r, out);
        }
        hf_text_append(out, "\r\n", 2);
    }
}

static hf_json *json_word(const char *text) { return text ? hf_json_text(text) : hf_json_null(); }

static hf_json *json_names(const char *at, const char *between) {
    hf_json *list = hf_json_array();
    while (*at) {
        const size_t size = strcspn(at, between);
        hf_json_push(list, hf_json_text_of(at, size));
        at += size + (at[size] != 0);
    }
    return list;
}

static hf_json *json_tree(const hf_view *v, const char *text) {
    hf_json *tree = NULL; /* of no memory; a report holds what was printed as JSON */
    (void)hf_json_parse(v->report->cx, "report", text, strlen(text), &tree);
    return tree;
}

/* JSON Lines are for tables of numbers: a count is a text only where it does not fit. */
static hf_json *json_value(const hf_view *v, const hf_column *column, const hf_cell *c) {
    const bool is_text = column->kind == HF_COLUMN_BIG_COUNT && (v->style->form == HF_FORM_JSON || c->count >> 53);
    char digits[40];
    switch (column->kind) {
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
        if (!is_text) {
            return hf_json_integer((int64_t)c->count);
        }
        hf_print_decimal(c->count, digits);
        return hf_json_text(c->word ? c->word : digits);
    case HF_COLUMN_FLAG:
        return hf_json_boolean(c->count != 0);
    case HF_COLUMN_NAMES:
        return json_names(c->word, " ");
    case HF_COLUMN_TREE:
        return json_tree(v, c->word);
    case HF_COLUMN_WORD:
        return hf_json_text(c->word);
    case HF_COLUMN_EXACT:
    case HF_COLUMN_REAL:
    case HF_COLUMN_ESTIMATE:
    case HF_COLUMN_RANGE:
        break;
    }
    return hf_json_real(c->value);
}

/* What stands behind KEY_low and so on. */
static hf_json *json_end(const hf_cell *c, const char *end) {
    return strcmp(end, "_low") == 0    ? hf_json_real(c->low)
           : strcmp(end, "_high") == 0 ? hf_json_real(c->high)
           : strcmp(end, "_by") == 0   ? json_word(c->by)
                                       : json_word(c->word);
}

/* A count that is no number is the word for no limit. */
static hf_json *json_argument(const hf_report *report, size_t i) {
    const char *value = report->argument[i].value;
    const hf_column_kind kind = value ? report->argument_kind[i] : HF_COLUMN_WORD;
    uint64_t whole;
    double number;
    if (kind == HF_COLUMN_COUNT && hf_read_number(value, 0, INT64_MAX, &whole)) {
        return hf_json_integer((int64_t)whole);
    }
    return kind == HF_COLUMN_FLAG                                      ? hf_json_boolean(strcmp(value, "yes") == 0)
           : kind == HF_COLUMN_NAMES                                   ? json_names(strcmp(value, "none") == 0 ? "" : value, "+")
           : kind == HF_COLUMN_REAL && hf_read_real(value, &number)    ? hf_json_real(number)
           : kind == HF_COLUMN_COUNT && (*value < '0' || *value > '9') ? hf_json_null()
                                                                       : json_word(value);
}

static void set_json(const hf_view *v, const hf_view_column *s, size_t row, hf_json *o) {
    if (!s->column) {
        hf_json_set(o, v->report->argument[s->at].name, json_argument(v->report, s->at));
        return;
    }
    const hf_cell *c = hf_view_cell(v, row, s);
    char key[96];
    hf_json_set(o, s->column->key, c->is_known ? json_value(v, s->column, c) : hf_json_null());
    for (const char *const *end = ends_of(s); *end; end++) {
        (void)snprintf(key, sizeof key, "%s%s", s->column->key, *end);
        hf_json_set(o, key, c->is_known ? json_end(c, *end) : hf_json_null());
    }
}

static hf_json *json_row(const hf_view *v, size_t row, bool names_table) {
    hf_json *o = hf_json_object();
    if (names_table) {
        hf_json_set(o, "table", hf_json_text(v->table->name));
    }
    for (size_t i = 0; i < v->n; i++) {
        set_json(v, &v->column[i], row, o);
    }
    return o;
}

/* Of a row the columns `from` to before `upto`. */
static hf_json *json_part(const hf_view *v, size_t row, size_t from, size_t upto) {
    hf_json *o = hf_json_object();
    for (size_t i = 0; i < v->n; i++) {
        if (v->column[i].at >= from && v->column[i].at < upto) {
            set_json(v, &v->column[i], row, o);
        }
    }
    return o;
}

static bool says_something(const hf_report_table *t, size_t row) {
    size_t c = t->n_head;
    while (c < t->n_column && !t->cell[row * t->n_column + c].is_known) {
        c++;
    }
    return c < t->n_column;
}

static hf_json *json_groups(const hf_view *v) {
    const hf_report_table *t = v->table;
    hf_json *rows = hf_json_array(), *list = NULL;
    for (size_t row = 0; row < hf_view_rows(t); row++) {
        if (row == 0 || t->cell[row * t->n_column].count != t->cell[(row - 1) * t->n_column].count) {
            hf_json *o = json_part(v, row, 0, t->n_head);
            list = hf_json_array();
            hf_json_set(o, t->list, list);
            hf_json_push(rows, o);
        }
        if (says_something(t, row)) {
            hf_json_push(list, json_part(v, row, t->n_head, t->n_column));
        }
    }
    return rows;
}

/* The rows of a nested table that belong to a row of the first; null where there are none. */
static hf_json *json_nested(const hf_view *first, size_t row, const hf_report_table *table) {
    hf_view_column column[NESTED_COLUMNS];
    hf_view v = {.report = first->report, .table = table, .style = first->style, .column = column};
    hf_json *list = NULL;
    for (size_t c = 1; c < table->n_column && c <= NESTED_COLUMNS; c++) {
        column[v.n++] = (hf_view_column){&table->column[c], c};
    }
    for (size_t r = 0; r < hf_view_rows(table); r++) {
        if (table->cell[r * table->n_column].count == first->table->cell[row * first->table->n_column].count) {
            list = list ? list : hf_json_array();
            hf_json_push(list, json_row(&v, r, false));
        }
    }
    return list ? list : hf_json_null();
}

static hf_json *json_rows(const hf_view *v) {
    const hf_report *r = v->report;
    const bool is_first = v->table == r->table;
    if (v->table->list && !v->style->columns) {
        return json_groups(v);
    }
    hf_json *list = hf_json_array();
    for (size_t row = 0; row < hf_view_rows(v->table); row++) {
        hf_json *o = json_row(v, row, false);
        for (size_t t = 1; is_first && !v->style->columns && t < r->n_table; t++) {
            if (r->table[t].is_nested) {
                hf_json_set(o, r->table[t].name, json_nested(v, row, &r->table[t]));
            }
        }
        hf_json_push(list, o);
    }
    return list;
}

/* An entry of all, or of what the table says; of all where that is not there, as the table alone was asked for. */
static void set_table(const hf_view *v, hf_json *root) {
    const hf_report_table *t = v->table;
    const bool is_first = t == v->report->table;
    if (t->within && !*t->within && hf_view_rows(t)) {
        for (size_t i = 0; i < v->n; i++) {
            set_json(v, &v->column[i], 0, root);
        }
        return;
    }
    hf_json *home = t->within ? hf_json_entry(root, t->within) : NULL;
    hf_json *value = !t->is_single ? json_rows(v) : hf_view_rows(t) ? json_row(v, 0, false) : hf_json_null();
    hf_json_set(home ? home : root, is_first ? "rows" : t->name, value);
}

static hf_status put_lines(hf_context *cx, const hf_view *v, hf_text *out) {
    for (size_t r = 0; r < hf_view_rows(v->table); r++) {
        hf_json *o = json_row(v, r, true);
        const hf_status status = hf_json_print_line(cx, o, out);
        hf_json_free(o);
        HF_TRY(status);
    }
    return HF_OK;
}

/* ---- reports ---- */

/* The one of that name; NULL: the first that has rows, as an answer about a part has no figures, or the first. */
static hf_status find_table(hf_context *cx, const hf_report *report, const char *name, size_t *out) {
    for (*out = 0; !name && *out < report->n_table; ++*out) {
        if (report->table[*out].n_cell > 0) {
            return HF_OK;
        }
    }
    for (*out = 0; *out < report->n_table; ++*out) {
        if (!name || strcmp(report->table[*out].name, name) == 0) {
            return HF_OK;
        }
    }
    HF_FAIL(cx, HF_EINVAL, "table \"%s\" is not in this answer; its first is %s", name ? name : "",
            report->n_table ? report->table[0].name : "none");
}

static hf_status put_view(hf_context *cx, const hf_view *v, bool is_first, hf_json *tables, hf_text *out) {
    switch (v->style->form) {
    case HF_FORM_CSV:
        put_csv(v, out);
        return HF_OK;
    case HF_FORM_JSONL:
        return put_lines(cx, v, out);
    case HF_FORM_JSON:
        set_table(v, tables);
        return HF_OK;
    default:
        return hf_view_put(cx, v, is_first, out);
    }
}

/* All tables; of CSV, or with columns named or a table, one. */
static hf_status put_tables(const hf_report *report, const hf_report_style *style, hf_json *tables, hf_text *out) {
    size_t first, n_put = 0;
    HF_TRY(find_table(report->cx, report, style->table, &first));
    const bool is_one = style->form == HF_FORM_CSV || style->columns || style->table;
    for (size_t t = first; t < (is_one ? first + 1 : report->n_table); t++) {
        hf_view v = {.report = report, .table = &report->table[t], .style = style};
        const bool is_elsewhere = v.table->is_nested || (v.table->is_flat && style->form == HF_FORM_JSON) ||
                                  (v.table->is_asked && is_for_people(style->form));
        if (is_elsewhere && !is_one) {
            continue;
        }
        HF_TRY(choose(report->cx, &v));
        if (v.n > 0) {
            HF_TRY(put_view(report->cx, &v, n_put++ == 0, tables, out));
        }
    }
    return HF_OK;
}

/* All but the tables. */
static hf_json *frame(const hf_report *report) {
    hf_json *root = hf_json_frame(report->label), *spec = hf_json_object();
    for (size_t a = 0; a < report->n_argument; a++) {
        hf_json_set(spec, report->argument[a].name, json_argument(report, a));
    }
    hf_json_set(root, "spec", spec);
    return root;
}

/* One table, turned. */
static hf_status print_turned(const hf_report *report, const hf_report_style *style, hf_text *out) {
    hf_report_style plain = *style;
    hf_report turned;
    size_t table;
    HF_TRY(find_table(report->cx, report, style->table, &table));
    HF_TRY(hf_report_pivot(report, &report->table[table], style, &turned));
    plain.rows = plain.across = plain.cell = NULL;
    return hf_report_print(&turned, &plain, out);
}

hf_status hf_report_print(const hf_report *report, const hf_report_style *style, hf_text *out) {
    hf_context *cx = report->cx;
    if (report->failed) {
        HF_FAIL(cx, HF_ENOMEM, "out of memory while an answer was put together");
    }
    if (style->rows || style->across || style->cell) {
        return print_turned(report, style, out);
    }
    if (style->form != HF_FORM_JSON) {
        HF_TRY(put_tables(report, style, NULL, out));
        if (report->remark && (style->remarks || report->remark_is_asked) && style->form == HF_FORM_TEXT) {
            hf_text_print(out, "%s", report->remark);
        }
        return hf_text_check(cx, out);
    }
    hf_json *root = frame(report);
    hf_status status = put_tables(report, style, root, out);
    status = status == HF_OK ? hf_json_print(cx, root, out) : status;
    hf_json_free(root);
    return status;
}
