/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Reports: how they are filled, and their formats by name. */
#include <holdfast/report.h>

#include <string.h>

#include "src/core/grow.h"
#include "src/core/lines.h"
#include "src/core/print.h"
#include "src/report/tree.h"
#include "src/report/view.h"

void hf_report_begin(hf_context *cx, const char *title, const char *label, hf_report *out) {
    *out = (hf_report){.cx = cx, .title = title, .label = label};
}

/* The value in the arena; NULL stays NULL. */
static const char *own(hf_report *report, const char *value) {
    char *copy = NULL;
    report->failed |= value && hf_scratch_print(report->cx, &copy, "%s", value) != HF_OK;
    return copy;
}

size_t hf_report_find_argument(const hf_report *report, const char *text, size_t size) {
    const hf_slice name = {text, size};
    size_t i = 0, other = report->n_argument;
    for (; i < report->n_argument && !hf_slice_is(name, report->argument[i].name); i++) {
        const char *word = report->argument_word[i];
        other = word && hf_slice_is(name, word) ? i : other;
    }
    return i < report->n_argument ? i : other;
}

void hf_report_argument_as(hf_report *report, const char *name, const char *value, hf_column_kind kind) {
    size_t i = 0;
    while (i < report->n_argument && strcmp(report->argument[i].name, name) != 0) {
        i++;
    }
    if (i == HF_REPORT_ARGUMENTS) {
        report->failed = true;
        return;
    }
    report->n_argument += i == report->n_argument;
    report->argument[i] = (hf_argument){name, own(report, value)};
    report->argument_kind[i] = kind;
}

void hf_report_argument(hf_report *report, const char *name, const char *value) {
    hf_report_argument_as(report, name, value, HF_COLUMN_WORD);
}

void hf_report_table_begin(hf_report *report, const char *name, const hf_column *column, size_t n_column) {
    if (report->n_table < HF_REPORT_TABLES) {
        report->table[report->n_table++] = (hf_report_table){.name = name, .column = column, .n_column = n_column};
    } else {
        report->failed = true;
    }
}

void hf_report_add_column(hf_report *report, hf_column column) {
    hf_report_table *t = &report->table[report->n_table - 1];
    hf_column *list;
    if (report->failed || hf_scratch(report->cx, t->n_column + 1, sizeof *list, (void **)&list) != HF_OK) {
        report->failed = true;
        return;
    }
    for (size_t i = 0; i < t->n_column; i++) {
        list[i] = t->column[i];
    }
    list[t->n_column++] = column;
    t->column = list;
}

void hf_report_hide(hf_report *report, const char *key) {
    hf_report_table *t = &report->table[report->n_table - 1];
    hf_column *list;
    if (report->failed || hf_scratch(report->cx, t->n_column, sizeof *list, (void **)&list) != HF_OK) {
        report->failed = true;
        return;
    }
    for (size_t i = 0; i < t->n_column; i++) {
        list[i] = t->column[i];
        list[i].flags |= strcmp(list[i].key, key) == 0 ? HF_COLUMN_MUTE : 0;
    }
    t->column = list;
}

void hf_report_nest(hf_report *report) { report->table[report->n_table - 1].is_nested = true; }

void hf_report_flatten(hf_report *report) { report->table[report->n_table - 1].is_flat = true; }

void hf_report_upright(hf_report *report) { report->table[report->n_table - 1].is_upright = true; }

void hf_report_await(hf_report *report) { report->table[report->n_table - 1].is_asked = true; }

void hf_report_place(hf_report *report, const char *within, bool is_single) {
    report->table[report->n_table - 1].within = within;
    report->table[report->n_table - 1].is_single = is_single;
}

void hf_report_group(hf_report *report, size_t n_head, const char *list) {
    report->table[report->n_table - 1].n_head = n_head;
    report->table[report->n_table - 1].list = list;
}

void hf_report_attach(hf_report *report, const char *name, const char *text) {
    if (report->n_attachment < HF_REPORT_ATTACHMENTS) {
        report->attachment[report->n_attachment++] = (hf_attachment){name, own(report, text)};
    } else {
        report->failed = true;
    }
}

hf_answer hf_report_answer(const hf_report *report) { return report->answer; }

const char *hf_report_attachment(const hf_report *report, const char *name) {
    size_t i = 0;
    while (i < report->n_attachment && strcmp(report->attachment[i].name, name) != 0) {
        i++;
    }
    return i < report->n_attachment ? report->attachment[i].text : NULL;
}

void hf_report_remark(hf_report *report, const char *text) { report->remark = own(report, text); }

void hf_report_note(hf_report *report, const char *note) { report->table[report->n_table - 1].note = note; }

static hf_status add(hf_report *report, hf_report_table *t, hf_cell cell) {
    HF_GROW_SCRATCH(report->cx, t->cell, t->n_cell, t->room);
    t->cell[t->n_cell++] = cell;
    return HF_OK;
}

void hf_report_cell(hf_report *report, hf_cell cell) {
    cell.word = own(report, cell.word);
    if (!report->failed) {
        report->failed = add(report, &report->table[report->n_table - 1], cell) != HF_OK;
    }
}

void hf_report_tree(hf_report *report, hf_json *tree) {
    hf_text text;
    hf_text_init(report->cx, &text);
    if (hf_json_is_null(tree)) {
        hf_report_cell(report, hf_cell_none());
    } else if (hf_json_print_line(report->cx, tree, &text) == HF_OK) {
        hf_report_cell(report, hf_cell_word(text.data));
    } else {
        report->failed = true;
    }
    hf_text_free(&text);
    hf_json_free(tree);
}

static const hf_report_table *table_of(const hf_report *report, const char *name) {
    for (size_t i = 0; i < report->n_table; i++) {
        if (!name || strcmp(report->table[i].name, name) == 0) {
            return &report->table[i];
        }
    }
    return NULL;
}

size_t hf_report_rows(const hf_report *report, const char *table) {
    const hf_report_table *t = table_of(report, table);
    return t ? hf_view_rows(t) : 0;
}

const hf_column *hf_report_column(const hf_report *report, const char *table, size_t i) {
    const hf_report_table *t = table_of(report, table);
    return t && i < t->n_column ? &t->column[i] : NULL;
}

const hf_column *hf_column_find(const hf_column *columns, size_t n, const char *key, size_t size) {
    for (size_t i = 0; i < n; i++) {
        if (strlen(columns[i].key) == size && memcmp(columns[i].key, key, size) == 0) {
            return &columns[i];
        }
    }
    return NULL;
}

const hf_cell *hf_report_value(const hf_report *report, const char *table, size_t row, const char *key) {
    const hf_report_table *t = table_of(report, table);
    const hf_column *column =
        row < hf_report_rows(report, table) ? hf_column_find(t->column, t->n_column, key, strlen(key)) : NULL;
    return column ? &t->cell[row * t->n_column + (size_t)(column - t->column)] : NULL;
}

static const char *const names[HF_FORMS] = {
    [HF_FORM_TEXT] = "text",   [HF_FORM_CSV] = "csv",   [HF_FORM_JSONL] = "jsonl", [HF_FORM_MARKDOWN] = "markdown",
    [HF_FORM_LATEX] = "latex", [HF_FORM_HTML] = "html", [HF_FORM_JSON] = "json"};

const char *hf_form_name(hf_form form) { return names[form]; }

hf_status hf_form_find(hf_context *cx, const char *name, hf_form *out) {
    for (int f = 0; f < HF_FORMS; f++) {
        if (strcmp(name, names[f]) == 0) {
            *out = (hf_form)f;
            return HF_OK;
        }
    }
    HF_FAIL(cx, HF_EINVAL, "format \"%s\" is not known; need text, csv, json, jsonl, markdown, latex or html", name);
}
