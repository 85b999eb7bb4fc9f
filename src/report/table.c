/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Writers of tables: aligned text, CSV, Markdown; latex.c has that of LaTeX. */
#include <string.h>

#include <holdfast/report.h>

#include "src/report/csv.h"
#include "src/report/view.h"

static const char *cell(const hf_table *t, size_t row, size_t column) {
    const char *text = t->cell[row * t->n_column + column];
    return text ? text : "";
}

static bool is_number(const hf_table *t, size_t column) { return t->is_number && t->is_number[column]; }

/* Characters, not bytes: continuation bytes of UTF-8 take no room. */
static size_t width_of(const char *text) {
    size_t n = 0;
    for (; *text; text++) {
        n += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return n;
}

static void pad(hf_text *out, size_t n) {
    while (n-- > 0) {
        hf_text_append(out, " ", 1);
    }
}

static void put_aligned(hf_text *out, const char *text, size_t width, bool right, bool is_last) {
    const size_t gap = width - width_of(text);
    pad(out, right ? gap : 0);
    hf_text_append(out, text, strlen(text));
    pad(out, right || is_last ? 0 : gap);
}

hf_status hf_table_turn(hf_context *cx, const hf_table *t, hf_table *out) {
    static const char *const no_headings[] = {"", ""};
    const char **cells;
    HF_TRY(hf_scratch(cx, 2 * t->n_column, sizeof *cells, (void **)&cells));
    *out = (hf_table){.title = t->title, .n_column = 2, .header = no_headings, .cell = cells, .note = t->note, .label = t->label};
    for (size_t c = 0; c < t->n_column; c++) {
        cells[2 * c] = t->header[c];
        cells[2 * c + 1] = cell(t, 0, c);
    }
    out->n_row = t->n_column;
    return HF_OK;
}

static void put_rows(const hf_table *t, const size_t *width, hf_text *out) {
    const bool has_headings = *t->header[0] || *t->header[t->n_column - 1];
    for (size_t c = 0; c < t->n_column && has_headings; c++) {
        pad(out, c ? 2 : 0);
        put_aligned(out, t->header[c], width[c], is_number(t, c), c + 1 == t->n_column);
    }
    hf_text_append(out, "\n", has_headings ? 1 : 0);
    for (size_t r = 0; r < t->n_row; r++) {
        for (size_t c = 0; c < t->n_column; c++) {
            pad(out, c ? 2 : 0);
            put_aligned(out, cell(t, r, c), width[c], is_number(t, c), c + 1 == t->n_column);
        }
        while (out->size && out->data[out->size - 1] == ' ') {
            out->data[--out->size] = 0;
        }
        hf_text_append(out, "\n", 1);
    }
}

/* \return what a row takes */
static size_t measure(const hf_table *t, size_t *width) {
    size_t all = 0;
    for (size_t c = 0; c < t->n_column; c++) {
        width[c] = width_of(t->header[c]);
        for (size_t r = 0; r < t->n_row; r++) {
            const size_t here = width_of(cell(t, r, c));
            width[c] = here > width[c] ? here : width[c];
        }
        all += width[c] + (c ? 2 : 0);
    }
    return all;
}

/* Turned where it is one row that is too wide. \param[out] width in the arena */
static hf_status set_up(hf_context *cx, const hf_table *t, hf_table *out, size_t **width) {
    *out = *t;
    HF_TRY(hf_scratch(cx, t->n_column > 2 ? t->n_column : 2, sizeof **width, (void **)width));
    if (measure(t, *width) > t->widest && t->widest && t->n_row == 1) {
        HF_TRY(hf_table_turn(cx, t, out));
        measure(out, *width);
    }
    return HF_OK;
}

hf_status hf_table_text(hf_context *cx, const hf_table *table, hf_text *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_table turned, *t = &turned;
    size_t *width;
    HF_TRY(set_up(cx, table, t, &width));
    if (t->title) {
        hf_text_print(out, "%s\n", t->title);
    }
    put_rows(t, width, out);
    if (t->note) {
        hf_text_print(out, "%s\n", t->note);
    }
    hf_scratch_reset(cx, mark);
    return hf_text_check(cx, out);
}

hf_status hf_table_csv(hf_context *cx, const hf_table *t, hf_text *out) {
    for (size_t r = 0; r <= t->n_row; r++) {
        for (size_t c = 0; c < t->n_column; c++) {
            hf_text_append(out, ",", c ? 1 : 0);
            hf_csv_put(out, r == 0 ? t->header[c] : cell(t, r - 1, c));
        }
        hf_text_append(out, "\r\n", 2);
    }
    return hf_text_check(cx, out);
}

static void put_markdown(hf_text *out, const char *text) {
    for (; *text; text++) {
        if (strchr("|\\`*_<>[]", *text)) {
            hf_text_append(out, "\\", 1);
        }
        hf_text_append(out, *text == '\n' ? " " : text, 1);
    }
}

hf_status hf_table_markdown(hf_context *cx, const hf_table *table, hf_text *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_table turned, *t = &turned;
    size_t *width;
    HF_TRY(set_up(cx, table, t, &width));
    if (t->title) {
        hf_text_append(out, "## ", 3);
        put_markdown(out, t->title);
        hf_text_append(out, "\n\n", 2);
    }
    for (size_t r = 0; r <= t->n_row; r++) {
        for (size_t c = 0; c < t->n_column; c++) {
            hf_text_append(out, c ? " " : "| ", c ? 1 : 2);
            put_markdown(out, r == 0 ? t->header[c] : cell(t, r - 1, c));
            hf_text_append(out, " |", 2);
        }
        hf_text_append(out, "\n", 1);
        for (size_t c = 0; c < t->n_column && r == 0; c++) {
            hf_text_print(out, "%s%s|", c ? "" : "|", is_number(t, c) ? "---:" : "---");
        }
        hf_text_append(out, "\n", r == 0 ? 1 : 0);
    }
    if (t->note) {
        hf_text_append(out, "\n", 1);
        put_markdown(out, t->note);
        hf_text_append(out, "\n", 1);
    }
    hf_scratch_reset(cx, mark);
    return hf_text_check(cx, out);
}

/* ---- HTML ---- */

static void put_html_cell(hf_text *out, const char *tag, bool is_right, const char *text) {
    hf_text_print(out, "<%s%s>", tag, is_right ? " class=\"number\"" : "");
    hf_text_xml(out, text);
    hf_text_print(out, "</%s>", tag);
}

static void put_html_rows(hf_text *out, const hf_table *t) {
    bool has_head = false;
    for (size_t c = 0; c < t->n_column; c++) {
        has_head |= *t->header[c];
    }
    for (size_t r = has_head ? 0 : 1; r <= t->n_row; r++) {
        hf_text_print(out, r == 0 ? "<thead><tr>" : r == 1 ? "<tbody>\n<tr>" : "<tr>");
        for (size_t c = 0; c < t->n_column; c++) {
            put_html_cell(out, r == 0 ? "th" : "td", is_number(t, c), r == 0 ? t->header[c] : cell(t, r - 1, c));
        }
        hf_text_print(out, r == 0 ? "</tr></thead>\n" : "</tr>\n");
    }
    hf_text_print(out, t->n_row ? "</tbody>\n" : "");
}

hf_status hf_table_html(hf_context *cx, const hf_table *table, hf_text *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_table turned, *t = &turned;
    size_t *width;
    HF_TRY(set_up(cx, table, t, &width));
    hf_text_print(out, "<table");
    if (t->label) {
        hf_text_print(out, " id=\"");
        hf_text_xml(out, t->label);
        hf_text_print(out, "\"");
    }
    hf_text_print(out, ">\n");
    if (t->title) {
        hf_text_print(out, "<caption>");
        hf_text_xml(out, t->title);
        hf_text_print(out, "</caption>\n");
    }
    put_html_rows(out, t);
    hf_text_print(out, "</table>\n");
    if (t->note) {
        hf_text_print(out, "<p class=\"note\">");
        hf_text_xml(out, t->note);
        hf_text_print(out, "</p>\n");
    }
    hf_scratch_reset(cx, mark);
    return hf_text_check(cx, out);
}
