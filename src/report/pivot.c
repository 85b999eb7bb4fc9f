/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  A table turned as a paper has it: values of some columns down, of others across, and one or several figures in each place. */
#include "src/report/pivot.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/core/print.h"

enum { KEYS = 6, KEY_SIZE = 96 };
/* What a column loses that was named. */
static const unsigned HIDDEN = HF_COLUMN_ASKED | HF_COLUMN_MUTE | HF_COLUMN_PEOPLE | HF_COLUMN_NAMED;

/* A column of the table, or an argument of the report. */
typedef struct source {
    const hf_column *column; /* NULL: an argument */
    size_t at;
} source;
typedef struct sources {
    source list[KEYS];
    size_t n;
} sources;

typedef struct pivot {
    hf_context *cx;
    const hf_report *report;
    const hf_report_table *table;
    sources rows, across, cell;
    bool is_stacked;           /* the figures of a place stand in rows below each other */
    size_t *down, *over;       /* by row of the table: which row and which group of columns it goes to */
    size_t n_down, n_over;     /* how many there are */
    size_t *of_down, *of_over; /* of each the first row of the table that has it */
} pivot;

/* ---- keys ---- */

static bool find(const pivot *p, hf_slice key, source *out) {
    const hf_column *column = hf_column_find(p->table->column, p->table->n_column, key.text, key.size);
    if (column) {
        *out = (source){column, (size_t)(column - p->table->column)};
        return true;
    }
    const size_t a = hf_report_find_argument(p->report, key.text, key.size);
    *out = (source){NULL, a};
    return a < p->report->n_argument;
}

static hf_status read_keys(pivot *p, const char *what, const char *text, char separator, sources *out) {
    const char stop[] = {separator, 0};
    for (const char *at = text; at; at = strchr(at, separator) ? strchr(at, separator) + 1 : NULL) {
        at += strspn(at, " ");
        const hf_slice key = {at, strcspn(at, stop)};
        if (out->n == KEYS) {
            HF_FAIL(p->cx, HF_ERANGE, "--%s names more than %d columns", what, KEYS);
        }
        if (!find(p, key, &out->list[out->n])) {
            HF_FAIL(p->cx, HF_EINVAL, "--%s: column \"%.*s\" is not there; --columns with a wrong name lists them", what,
                    (int)key.size, key.text);
        }
        out->n++;
    }
    return HF_OK;
}

/* ---- equal values ---- */

static const hf_cell *cell_of(const pivot *p, size_t row, const source *s) {
    return &p->table->cell[row * p->table->n_column + s->at];
}

static bool is_same_cell(const hf_cell *a, const hf_cell *b, hf_column_kind kind) {
    if (a->is_known != b->is_known || !a->is_known) {
        return a->is_known == b->is_known;
    }
    if (kind == HF_COLUMN_COUNT || kind == HF_COLUMN_BIG_COUNT || kind == HF_COLUMN_FLAG) {
        return a->count == b->count;
    }
    return kind >= HF_COLUMN_REAL ? a->value >= b->value && a->value <= b->value : strcmp(a->word, b->word) == 0;
}

static bool is_same(const pivot *p, const sources *keys, size_t a, size_t b) {
    size_t i = 0;
    while (i < keys->n && (!keys->list[i].column || is_same_cell(cell_of(p, a, &keys->list[i]), cell_of(p, b, &keys->list[i]),
                                                                 keys->list[i].column->kind))) {
        i++;
    }
    return i == keys->n;
}

/* Number the rows by their values of some keys, in the order in which they come. */
static hf_status number(pivot *p, const sources *keys, size_t n, size_t **place, size_t **first, size_t *n_first) {
    HF_TRY(hf_scratch(p->cx, n + 1, sizeof **place, (void **)place));
    HF_TRY(hf_scratch(p->cx, n + 1, sizeof **first, (void **)first));
    *n_first = 0;
    for (size_t row = 0; row < n; row++) {
        size_t i = 0;
        while (i < *n_first && !is_same(p, keys, (*first)[i], row)) {
            i++;
        }
        (*first)[i] = i == *n_first ? row : (*first)[i];
        *n_first += i == *n_first;
        (*place)[row] = i;
    }
    return HF_OK;
}

/* ---- headings ---- */

static bool is_number(const source *s) { return s->column && s->column->kind >= HF_COLUMN_COUNT; }

/* "updown", "f = 3", "load = 0.1"; a word that is a number too says of what. */
static void put_value(const pivot *p, const source *s, size_t row, hf_text *out) {
    char digits[40];
    const hf_cell *c = s->column ? cell_of(p, row, s) : NULL;
    double number;
    if (c && (is_number(s) || (c->is_known && c->word && hf_read_real(c->word, &number)))) {
        hf_text_print(out, "%s = ", s->column->heading);
    }
    if (!c) {
        const char *value = p->report->argument[s->at].value;
        hf_text_print(out, "%s", value ? value : "none");
    } else if (!c->is_known) {
        hf_text_print(out, "none");
    } else if (s->column->kind == HF_COLUMN_COUNT || s->column->kind == HF_COLUMN_BIG_COUNT) {
        hf_print_decimal(c->count, digits);
        hf_text_print(out, "%s", c->word ? c->word : digits);
    } else if (s->column->kind == HF_COLUMN_FLAG) {
        hf_text_print(out, "%s", c->count ? "yes" : "no");
    } else if (is_number(s)) {
        hf_text_print(out, "%.6g", c->value);
    } else {
        hf_text_print(out, "%s", c->word);
    }
}

/* \param[in] figure what stands behind where a place has several; NULL: nothing */
static hf_status heading_of(const pivot *p, size_t row, const char *figure, char **out) {
    hf_text text;
    hf_text_init(p->cx, &text);
    for (size_t i = 0; i < p->across.n; i++) {
        hf_text_print(&text, "%s", i ? ", " : "");
        put_value(p, &p->across.list[i], row, &text);
    }
    hf_text_print(&text, "%s%s", figure && p->across.n ? ", " : "", figure ? figure : "");
    hf_status status = hf_text_check(p->cx, &text);
    status = status == HF_OK ? hf_scratch_print(p->cx, out, "%s", text.data ? text.data : "") : status;
    hf_text_free(&text);
    return status;
}

/* A key of CSV and JSON of a heading: letters, digits and _; another number behind it where an earlier one is the same. */
static hf_status key_of(const pivot *p, const char *heading, const hf_column *made, size_t n, char **out) {
    char key[KEY_SIZE];
    size_t size = 0, twins = 1;
    for (const char *c = heading; *c && size + 8 < sizeof key; c++) {
        if (isalnum((unsigned char)*c)) {
            key[size++] = (char)tolower((unsigned char)*c);
        } else if (size && key[size - 1] != '_') {
            key[size++] = '_';
        }
    }
    size -= size && key[size - 1] == '_';
    key[size] = 0;
    while (hf_column_find(made, n, key, strlen(key))) {
        (void)snprintf(key + size, sizeof key - size, "_%zu", ++twins);
    }
    return hf_scratch_print(p->cx, out, "%s", key);
}

/* ---- the turned table ---- */

/* Of one place, or of one figure in it. \param[in] has_figure is the figure told? */
static hf_status add_column(const pivot *p, size_t over, const hf_column *figure, bool has_figure, hf_column *out, size_t *n) {
    char *heading, *key;
    HF_TRY(heading_of(p, p->of_over[over], has_figure ? figure->key : NULL, &heading));
    HF_TRY(key_of(p, heading, out, *n, &key));
    HF_TRY(heading_of(p, p->of_over[over], has_figure ? figure->heading : NULL, &heading));
    out[*n] = *figure;
    out[*n].key = key;
    out[*n].heading = heading;
    out[(*n)++].flags &= ~HIDDEN;
    return HF_OK;
}

static hf_status make_columns(const pivot *p, hf_column **out, size_t *n) {
    static const hf_column which = {"which", "which", NULL, HF_COLUMN_WORD, 6, 0};
    const size_t beside = p->is_stacked ? 1 : p->cell.n;
    HF_TRY(hf_scratch(p->cx, p->rows.n + p->n_over * beside + 2, sizeof **out, (void **)out));
    for (*n = 0; *n < p->rows.n; ++*n) {
        const source *s = &p->rows.list[*n];
        const char *name = s->column ? NULL : p->report->argument[s->at].name;
        (*out)[*n] = s->column ? *s->column : (hf_column){name, name, NULL, HF_COLUMN_WORD, 6, 0};
        (*out)[*n].flags &= ~HIDDEN;
    }
    if (p->is_stacked) {
        (*out)[(*n)++] = which;
    }
    for (size_t o = 0; o < p->n_over; o++) {
        for (size_t i = 0; i < beside; i++) {
            HF_TRY(add_column(p, o, p->cell.list[i].column, !p->is_stacked && (p->cell.n > 1 || !p->across.n), *out, n));
        }
    }
    return HF_OK;
}

static hf_cell row_cell(const pivot *p, const source *s, size_t row) {
    return s->column ? *cell_of(p, row, s) : hf_cell_word(p->report->argument[s->at].value);
}

static hf_status refuse_twins(const pivot *p, size_t down, size_t over) {
    hf_text text;
    char *where = NULL;
    hf_text_init(p->cx, &text);
    for (size_t i = 0; i < p->rows.n + p->across.n; i++) {
        const bool is_row = i < p->rows.n;
        hf_text_print(&text, "%s", i ? ", " : "");
        put_value(p, is_row ? &p->rows.list[i] : &p->across.list[i - p->rows.n], is_row ? p->of_down[down] : p->of_over[over],
                  &text);
    }
    hf_status status = hf_text_check(p->cx, &text);
    status = status == HF_OK ? hf_scratch_print(p->cx, &where, "%s", text.data) : status;
    hf_text_free(&text);
    HF_TRY(status);
    HF_FAIL(p->cx, HF_EINVAL, "several rows have the same place, %s; name more keys in --rows or --across", where);
}

static hf_status fill(const pivot *p, hf_report *out) {
    const size_t n = p->table->n_column ? p->table->n_cell / p->table->n_column : 0;
    size_t *at;
    HF_TRY(hf_scratch(p->cx, p->n_down * p->n_over + 1, sizeof *at, (void **)&at));
    for (size_t row = 0; row < n; row++) {
        size_t *place = &at[p->down[row] * p->n_over + p->over[row]];
        HF_TRY(*place ? refuse_twins(p, p->down[row], p->over[row]) : HF_OK);
        *place = row + 1;
    }
    const size_t n_line = p->is_stacked ? p->cell.n : 1, beside = p->is_stacked ? 1 : p->cell.n;
    for (size_t line = 0; line < p->n_down * n_line; line++) {
        const size_t d = line / n_line, figure = line % n_line;
        for (size_t i = 0; i < p->rows.n; i++) {
            hf_report_cell(out, row_cell(p, &p->rows.list[i], p->of_down[d]));
        }
        if (p->is_stacked) {
            hf_report_cell(out, hf_cell_word(p->cell.list[figure].column->heading));
        }
        for (size_t o = 0; o < p->n_over; o++) {
            const size_t row = at[d * p->n_over + o];
            for (size_t i = 0; i < beside; i++) {
                hf_report_cell(out, row ? *cell_of(p, row - 1, &p->cell.list[figure + i]) : hf_cell_none());
            }
        }
    }
    return HF_OK;
}

/* The table without the rows in which a column says nothing. */
static hf_status keep_rows(pivot *p, const char *where, hf_report_table *kept) {
    const size_t n = p->table->n_column, n_cell = p->table->n_cell;
    const hf_column *column = hf_column_find(p->table->column, n, where, strlen(where));
    if (!column) {
        HF_FAIL(p->cx, HF_EINVAL, "column \"%s\" is not there; --columns with a wrong name lists them", where);
    }
    *kept = *p->table;
    kept->n_cell = 0;
    HF_TRY(hf_scratch(p->cx, n_cell + 1, sizeof *kept->cell, (void **)&kept->cell));
    for (size_t row = 0; row < n_cell; row += n) {
        if (p->table->cell[row + (size_t)(column - p->table->column)].is_known) {
            memcpy(kept->cell + kept->n_cell, p->table->cell + row, n * sizeof *kept->cell);
            kept->n_cell += n;
        }
    }
    if (n_cell && !kept->n_cell) {
        HF_FAIL(p->cx, HF_EINVAL, "column \"%s\" says nothing in any row", where);
    }
    p->table = kept;
    return HF_OK;
}

static hf_status read_all(pivot *p, const hf_report_style *style, hf_report_table *kept) {
    if (!style->rows || !style->cell) {
        HF_FAIL(p->cx, HF_EINVAL, "a turned table needs --rows and --cell, and --across where values stand across");
    }
    HF_TRY(style->where ? keep_rows(p, style->where, kept) : HF_OK);
    p->is_stacked = strchr(style->cell, '/');
    HF_TRY(read_keys(p, "rows", style->rows, ',', &p->rows));
    HF_TRY(read_keys(p, "across", style->across, ',', &p->across));
    HF_TRY(read_keys(p, "cell", style->cell, p->is_stacked ? '/' : ',', &p->cell));
    if (p->is_stacked && !p->across.n) {
        HF_FAIL(p->cx, HF_EINVAL, "figures below each other need --across");
    }
    for (size_t i = 0; i < p->cell.n; i++) {
        if (!p->cell.list[i].column) {
            HF_FAIL(p->cx, HF_EINVAL, "--cell: %s is an argument, the same in every place; need a column",
                    p->report->argument[p->cell.list[i].at].name);
        }
        if (p->is_stacked && p->cell.list[i].column->kind != p->cell.list[0].column->kind) {
            HF_FAIL(p->cx, HF_EINVAL, "--cell=%s is not right: what stands in one column is of one kind; need commas between",
                    style->cell);
        }
    }
    return HF_OK;
}

hf_status hf_report_pivot(const hf_report *report, const hf_report_table *table, const hf_report_style *style, hf_report *out) {
    pivot p = {.cx = report->cx, .report = report, .table = table};
    hf_report_table kept;
    hf_column *columns;
    size_t n_column;
    HF_TRY(read_all(&p, style, &kept));
    const size_t n = p.table->n_column ? p.table->n_cell / p.table->n_column : 0;
    HF_TRY(number(&p, &p.rows, n, &p.down, &p.of_down, &p.n_down));
    HF_TRY(number(&p, &p.across, n, &p.over, &p.of_over, &p.n_over));
    HF_TRY(make_columns(&p, &columns, &n_column));
    *out = *report;
    out->n_table = 0;
    hf_report_table_begin(out, table->name, columns, n_column);
    hf_report_note(out, table->note);
    return fill(&p, out);
}
