/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  CSV: RFC 4180, a header first. */
#include "src/report/csv.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "src/core/grow.h"
#include "src/core/number.h"
#include "src/core/print.h"

void hf_csv_put(hf_text *out, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        hf_text_append(out, text, strlen(text));
        return;
    }
    hf_text_append(out, "\"", 1);
    for (; *text; text++) {
        hf_text_append(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    }
    hf_text_append(out, "\"", 1);
}

typedef struct reader {
    hf_context *cx;
    const char *file;
    char *at, *end; /* a copy, which ends in a line end; fields are cut out of it in place */
    uint32_t line;
    char **field; /* of all rows, the header first */
    size_t n_field, room;
} reader;

static bool ends_field(char c) { return c == ',' || c == '\n' || c == '\r'; }

/* From behind a quote to behind the one that ends the field. \param[out] to where the text ends */
static hf_status take_quoted(reader *r, char **to) {
    const uint32_t line = r->line;
    for (; r->at < r->end && !(*r->at == '"' && r->at[1] != '"'); r->at++) {
        r->line += *r->at == '\n';
        r->at += *r->at == '"';
        *(*to)++ = *r->at;
    }
    if (r->at == r->end) {
        HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": the quote that begins here does not end", r->file, line);
    }
    if (!ends_field(*++r->at)) {
        HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": behind a quote that ends a comma or the end of the line has to follow",
                r->file, r->line);
    }
    return HF_OK;
}

/* One field, and what ends it. */
static hf_status take_field(reader *r, bool *is_last) {
    HF_GROW_SCRATCH(r->cx, r->field, r->n_field, r->room);
    char *to = r->field[r->n_field++] = r->at;
    if (*r->at == '"') {
        r->at++;
        HF_TRY(take_quoted(r, &to));
    }
    while (!ends_field(*r->at)) {
        if (*r->at == '"') {
            HF_FAIL(r->cx, HF_EINVAL,
                    "%s:%" PRIu32 ": a quote inside a field; a field with quotes stands in quotes, each doubled", r->file,
                    r->line);
        }
        *to++ = *r->at++;
    }
    *is_last = *r->at != ',';
    r->at += *r->at == '\r' && r->at[1] == '\n';
    r->at++;
    *to = 0;
    return HF_OK;
}

static hf_status take_row(reader *r, size_t *n) {
    bool is_last = false;
    for (*n = 0; !is_last; ++*n) {
        HF_TRY(take_field(r, &is_last));
    }
    r->line++;
    return HF_OK;
}

static hf_status check_characters(const reader *r) {
    uint32_t line = 1;
    size_t n;
    for (const char *at = r->at; at < r->end; at += n) {
        n = hf_utf8_length(at);
        if (n == 0) {
            HF_FAIL(r->cx, HF_EINVAL, "%s:%" PRIu32 ": a byte that is not UTF-8", r->file, line);
        }
        line += *at == '\n';
    }
    return HF_OK;
}

static hf_status copy(reader *r, const char *data, size_t size) {
    const char *zero = memchr(data, 0, size);
    if (zero) {
        HF_FAIL(r->cx, HF_EINVAL, "%s: byte %zu is 0, which no text has", r->file, (size_t)(zero - data));
    }
    HF_TRY(hf_scratch(r->cx, size + 3, 1, (void **)&r->at));
    memcpy(r->at, data, size);
    r->end = r->at + size;
    *r->end = 0;
    HF_TRY(check_characters(r));
    if (size == 0 || data[size - 1] != '\n') {
        *r->end++ = '\n';
    }
    r->end[0] = '\n'; /* whoever looks one byte ahead sees an end */
    return HF_OK;
}

hf_status hf_csv_read(hf_context *cx, const char *file, const char *data, size_t size, hf_csv *out) {
    reader r = {.cx = cx, .file = file, .line = 1};
    uint32_t *line = NULL;
    size_t n, room = 0;
    *out = (hf_csv){.file = file};
    if (size == 0) {
        HF_FAIL(cx, HF_EINVAL, "%s is empty; need a line of column names and a line for each row", file);
    }
    HF_TRY(copy(&r, data, size));
    HF_TRY(take_row(&r, &out->n_column));
    while (r.at < r.end) {
        HF_GROW_SCRATCH(cx, line, out->n_row, room);
        line[out->n_row++] = r.line;
        HF_TRY(take_row(&r, &n));
        if (n != out->n_column) {
            HF_FAIL(cx, HF_EINVAL, "%s:%" PRIu32 ": the row has %zu fields; the first line names %zu columns", file,
                    line[out->n_row - 1], n, out->n_column);
        }
    }
    out->name = r.field;
    out->cell = r.field + out->n_column;
    out->line = line;
    return HF_OK;
}

hf_status hf_csv_column(hf_context *cx, const hf_csv *csv, const char *name, size_t *out) {
    for (*out = 0; *out < csv->n_column && strcmp(csv->name[*out], name) != 0; ++*out) {
    }
    if (*out == csv->n_column) {
        HF_FAIL(cx, HF_EINVAL, "%s:1: no column is called \"%s\"", csv->file, name);
    }
    return HF_OK;
}

/* ---- cells ---- */

/* What stands in column KEYend; NULL: there is no such column. */
static const char *field(const hf_csv *csv, size_t row, const char *key, const char *end) {
    const size_t size = strlen(key);
    size_t i = 0;
    while (i < csv->n_column && (strncmp(csv->name[i], key, size) != 0 || strcmp(csv->name[i] + size, end) != 0)) {
        i++;
    }
    return i < csv->n_column ? csv->cell[row * csv->n_column + i] : NULL;
}

/* A bound that is not printed is infinite. */
static bool take_bound(const char *text, double infinite, double *out) {
    *out = infinite;
    return !text || !*text || hf_read_real(text, out);
}

static bool take_count(const char *text, hf_cell *out) {
    hf_slice at = hf_slice_of(text);
    const bool is_whole = text[strspn(text, "0123456789")] == 0;
    if (!hf_take_wide(&at, &out->count) || at.size > 0) {
        out->word = text; /* more digits than a count has */
        return is_whole && hf_read_real(text, &out->value);
    }
    return true;
}

/* \return false: the text is none of the kind */
static bool take_kind(const hf_csv *csv, size_t row, const hf_column *column, const char *text, hf_cell *out) {
    const bool is_yes = strcmp(text, "true") == 0;
    switch (column->kind) {
    case HF_COLUMN_WORD:
    case HF_COLUMN_NAMES:
    case HF_COLUMN_TREE:
        out->word = text;
        return true;
    case HF_COLUMN_FLAG:
        *out = hf_cell_flag(is_yes);
        return is_yes || strcmp(text, "false") == 0;
    case HF_COLUMN_COUNT:
    case HF_COLUMN_BIG_COUNT:
        return take_count(text, out);
    case HF_COLUMN_EXACT:
        out->word = field(csv, row, column->key, "_exact");
        return hf_read_real(text, &out->value);
    case HF_COLUMN_ESTIMATE:
    case HF_COLUMN_RANGE:
        out->by = field(csv, row, column->key, "_by");
        return take_bound(field(csv, row, column->key, "_low"), -INFINITY, &out->low) &&
               take_bound(field(csv, row, column->key, "_high"), INFINITY, &out->high) && hf_read_real(text, &out->value);
    case HF_COLUMN_REAL:
        break;
    }
    return hf_read_real(text, &out->value);
}

hf_status hf_csv_cell(hf_context *cx, const hf_csv *csv, size_t row, const hf_column *column, hf_cell *out) {
    const char *text = field(csv, row, column->key, "");
    *out = hf_cell_none();
    if (!text || !*text) {
        return HF_OK;
    }
    out->is_known = true;
    if (!take_kind(csv, row, column, text, out)) {
        HF_FAIL(cx, HF_EINVAL, "%s:%" PRIu32 ": %s=%s is not right; need %s, or nothing", csv->file, csv->line[row], column->key,
                text, column->kind == HF_COLUMN_FLAG ? "true or false" : "a number");
    }
    return HF_OK;
}
