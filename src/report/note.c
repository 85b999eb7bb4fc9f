/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The tables of an answer as a text, and back again. */
#include "src/report/note.h"

#include <stdio.h>
#include <string.h>

#include "src/bridge/json.h"
#include "src/core/number.h"
#include "src/core/print.h"

/* ---- to a text ---- */

static hf_json *word_or_null(const char *word) { return word ? hf_json_text(word) : hf_json_null(); }

static hf_json *exact_real(double x) {
    char text[40];
    (void)snprintf(text, sizeof text, "%a", x);
    return hf_json_text(text);
}

/* [count, value, low, high, by, word]; of a mere number without the last four. */
static hf_json *tree_of_cell(const hf_cell *c) {
    char count[40];
    hf_json *list;
    if (!c->is_known) {
        return hf_json_null();
    }
    list = hf_json_array();
    hf_print_decimal(c->count, count);
    hf_json_push(list, hf_json_text(count));
    hf_json_push(list, exact_real(c->value));
    if (c->low == 0 && c->high == 0 && !c->by && !c->word) {
        return list;
    }
    hf_json_push(list, exact_real(c->low));
    hf_json_push(list, exact_real(c->high));
    hf_json_push(list, word_or_null(c->by));
    hf_json_push(list, word_or_null(c->word));
    return list;
}

static hf_json *tree_of_table(const hf_report_table *t) {
    hf_json *table = hf_json_object(), *columns = hf_json_array(), *cells = hf_json_array();
    for (size_t i = 0; i < t->n_column; i++) {
        hf_json *column = hf_json_array();
        hf_json_push(column, hf_json_text(t->column[i].key));
        hf_json_push(column, word_or_null(t->column[i].unit));
        hf_json_push(column, hf_json_integer(t->column[i].kind));
        hf_json_push(columns, column);
    }
    for (size_t i = 0; i < t->n_cell; i++) {
        hf_json_push(cells, tree_of_cell(&t->cell[i]));
    }
    hf_json_set(table, "name", hf_json_text(t->name));
    hf_json_set(table, "head", hf_json_integer((int64_t)t->n_head));
    hf_json_set(table, "columns", columns);
    hf_json_set(table, "cells", cells);
    return table;
}

hf_status hf_report_to_note(const hf_report *report, hf_text *out) {
    hf_json *tables = hf_json_array();
    for (size_t i = 0; i < report->n_table; i++) {
        hf_json_push(tables, tree_of_table(&report->table[i]));
    }
    const hf_status status = hf_json_print_line(report->cx, tables, out);
    hf_json_free(tables);
    return status;
}

/* ---- back ---- */

typedef struct reader {
    hf_context *cx;
    bool is_whole; /* nothing was amiss so far */
} reader;

/* A copy in the arena. */
static hf_status take_word(reader *r, const hf_json *tree, const char **out) {
    const char *text = hf_json_string(tree);
    char *copy = NULL;
    r->is_whole &= text || hf_json_is_null(tree);
    HF_TRY(text ? hf_scratch_print(r->cx, &copy, "%s", text) : HF_OK);
    *out = copy;
    return HF_OK;
}

static double take_real(reader *r, const hf_json *tree) {
    const char *text = hf_json_string(tree);
    hf_slice at = hf_slice_of(text ? text : "");
    double x = 0;
    r->is_whole &= hf_take_noted(&at, &x) && at.size == 0;
    return x;
}

static hf_status take_cell(reader *r, const hf_json *tree, hf_cell *out) {
    const char *count = hf_json_string(hf_json_at(tree, 0));
    hf_slice at = hf_slice_of(count ? count : "");
    *out = hf_cell_none();
    if (hf_json_is_null(tree)) {
        return HF_OK;
    }
    out->is_known = true;
    r->is_whole &= hf_take_wide(&at, &out->count) && at.size == 0;
    out->value = take_real(r, hf_json_at(tree, 1));
    if (hf_json_count(tree) == 2) {
        return HF_OK;
    }
    out->low = take_real(r, hf_json_at(tree, 2));
    out->high = take_real(r, hf_json_at(tree, 3));
    HF_TRY(take_word(r, hf_json_at(tree, 4), &out->by));
    return take_word(r, hf_json_at(tree, 5), &out->word);
}

static hf_status take_column(reader *r, const hf_json *tree, hf_column *out) {
    int64_t kind = -1;
    *out = (hf_column){.key = "", .digits = 6};
    HF_TRY(take_word(r, hf_json_at(tree, 0), &out->key));
    HF_TRY(take_word(r, hf_json_at(tree, 1), &out->unit));
    r->is_whole &= out->key && hf_json_whole(hf_json_at(tree, 2), &kind) && kind >= 0 && kind <= HF_COLUMN_RANGE;
    out->heading = out->key;
    out->kind = r->is_whole ? (hf_column_kind)kind : HF_COLUMN_WORD;
    return HF_OK;
}

static hf_status take_table(reader *r, const hf_json *tree, hf_report *out) {
    const hf_json *columns = hf_json_get(tree, "columns"), *cells = hf_json_get(tree, "cells");
    const size_t n_column = hf_json_count(columns), n_cell = hf_json_count(cells);
    int64_t n_head = -1;
    hf_column *column;
    const char *name;
    HF_TRY(take_word(r, hf_json_get(tree, "name"), &name));
    r->is_whole &= hf_json_whole(hf_json_get(tree, "head"), &n_head) && n_head >= 0 && n_head <= (int64_t)n_column;
    r->is_whole &= name && n_column > 0 && n_cell % (n_column ? n_column : 1) == 0 && out->n_table < HF_REPORT_TABLES;
    HF_TRY(hf_scratch(r->cx, n_column, sizeof *column, (void **)&column));
    for (size_t i = 0; i < n_column && r->is_whole; i++) {
        HF_TRY(take_column(r, hf_json_at(columns, i), &column[i]));
    }
    if (!r->is_whole) {
        return HF_OK;
    }
    hf_report_table_begin(out, name, column, n_column);
    hf_report_group(out, (size_t)n_head, NULL);
    for (size_t i = 0; i < n_cell && r->is_whole; i++) {
        hf_cell cell;
        HF_TRY(take_cell(r, hf_json_at(cells, i), &cell));
        hf_report_cell(out, cell);
    }
    return HF_OK;
}

hf_status hf_report_of_note(hf_context *cx, const char *text, hf_report *out, bool *is_whole) {
    reader r = {cx, true};
    hf_json *tables;
    *is_whole = false;
    if (hf_json_parse(cx, "note", text, strlen(text), &tables) != HF_OK) {
        hf_context_clear(cx);
        return HF_OK;
    }
    hf_report_begin(cx, "", "", out);
    hf_status status = HF_OK;
    for (size_t i = 0; i < hf_json_count(tables) && r.is_whole && status == HF_OK; i++) {
        status = take_table(&r, hf_json_at(tables, i), out);
    }
    *is_whole = r.is_whole && out->n_table > 0 && !out->failed;
    hf_json_free(tables);
    return status;
}
