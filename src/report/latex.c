/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The writer of LaTeX tables. Numbers keep their width; columns with blanks share what is left of the line, each at least as
 *  wide as its longest word where that is possible, none wider than its longest cell. */
#include <math.h>
#include <string.h>

#include "src/report/view.h"

/* In shares of the line of an article at \scriptsize: a character, a capital, a digit, what stands between digits, and the gap
 * between two columns; what one of two columns of an article takes of both. */
static const double letter = 0.0112, capital = 0.0136, digit = 0.0099, point = 0.0056, gap = 0.0116, one_of_two = 0.48;
enum { FLOAT_ROWS = 40 };

typedef struct column {
    bool is_shown, is_number;
    bool is_solid;               /* numbers without a blank, nor in their heading: on one line always */
    bool is_figure;              /* numbers without a blank below a heading with one, which may be broken */
    bool is_same;                /* one text in every row, told below */
    double least, wanted, width; /* of the longest word, of the longest cell, given */
} column;

typedef struct layout {
    const hf_table *table;
    column *column; /* n_column of the table */
    bool is_narrow; /* every cell fits on one line */
    bool is_turned; /* a line a column of one row, without headings */
    double wide;    /* what that line takes */
    int side_pt;    /* what a column has on either side, in points */
} layout;

/* ---- text ---- */

/* Numbers with a power of ten as people write it: 3.04e-06 is 3.04 10^-6. */
static void put_numbers(hf_text *out, const char *text) {
    for (const char *e; (e = strchr(text, 'e')) != NULL;) {
        const bool is_signed = e[1] == '-' || e[1] == '+';
        const char *digit_at = e + 1 + is_signed;
        const size_t n_digit = strspn(digit_at, "0123456789"), n_zero = strspn(digit_at, "0");
        if (n_digit == 0 || e == text) {
            break;
        }
        hf_text_append(out, text, (size_t)(e - text));
        hf_text_print(out, "$\\cdot10^{%s%.*s}$", e[1] == '-' ? "-" : "", (int)(n_digit - n_zero), digit_at + n_zero);
        text = digit_at + n_digit;
    }
    hf_text_latex(out, text);
}

/* Half of an interval. */
static void put_text(hf_text *out, const char *text) {
    if (strncmp(text, "+- ", 3) == 0) {
        hf_text_print(out, "$\\pm$ ");
        text += 3;
    }
    hf_text_latex(out, text);
}

/* A caption may be broken within specs. */
static void put_breakable(hf_text *out, const char *text) {
    for (const char *comma; (comma = strchr(text, ',')) != NULL; text = comma + 1) {
        char part[256];
        const size_t size = (size_t)(comma - text) + 1;
        if (size >= sizeof part) {
            break;
        }
        memcpy(part, text, size);
        part[size] = 0;
        hf_text_latex(out, part);
        hf_text_print(out, "%s", comma[1] && comma[1] != ' ' ? "\\allowbreak{}" : "");
    }
    hf_text_latex(out, text);
}

static const char *cell_of(const hf_table *t, size_t row, size_t c) {
    const char *text = row == 0 ? t->header[c] : t->cell[(row - 1) * t->n_column + c];
    return text ? text : "";
}

/* Continuation bytes of UTF-8 take no room. */
static double width_of(unsigned char c) {
    return c >= '0' && c <= '9'   ? digit
           : c == ',' || c == '.' ? point
           : c >= 'A' && c <= 'Z' ? capital
           : (c & 0xc0) != 0x80   ? letter
                                  : 0;
}

/* The width of a cell, and of its longest word. */
static void measure(const char *text, double *whole, double *word) {
    double here = 0;
    *whole = *word = 0;
    for (; *text; text++) {
        const double width = width_of((unsigned char)*text);
        *whole += width;
        here = *text == ' ' ? 0 : here + width;
        *word = here > *word ? here : *word;
    }
}

/* ---- widths ---- */

static void measure_column(const layout *l, size_t c, column *k) {
    const hf_table *t = l->table;
    bool has_text = t->n_row == 0;
    k->is_number = k->is_solid = k->is_figure = t->is_number && t->is_number[c];
    k->is_same = t->n_row > 1 && !k->is_number && !l->is_turned;
    for (size_t r = 0; r <= t->n_row; r++) {
        const char *text = cell_of(t, r, c);
        double whole, word;
        measure(text, &whole, &word);
        has_text |= r > 0 && *text;
        k->is_solid &= !strchr(text, ' ');
        k->is_figure &= r == 0 || !strchr(text, ' ');
        k->is_same &= r == 0 || strcmp(text, cell_of(t, 1, c)) == 0;
        k->wanted = whole > k->wanted ? whole : k->wanted;
        k->least = word > k->least ? word : k->least;
    }
    k->is_same &= has_text;
    k->is_figure &= !k->is_solid;
    k->is_shown = has_text && !k->is_same;
}

/* What the columns that can be broken may share. */
static double room(const layout *l) {
    double left = 1 + gap;
    for (size_t c = 0; c < l->table->n_column; c++) {
        const column *k = &l->column[c];
        left -= k->is_shown ? gap + (k->is_solid ? k->wanted : 0) : 0;
    }
    return left;
}

/* Words that do not fit side by side at the width that is reckoned for a letter still do at what most letters take. */
static void shrink(layout *l, double left) {
    double sum = 0;
    for (size_t c = 0; c < l->table->n_column; c++) {
        sum += l->column[c].is_shown && !l->column[c].is_solid ? l->column[c].width : 0;
    }
    for (size_t c = 0; c < l->table->n_column && sum > left && left > 0; c++) {
        l->column[c].width *= left / sum;
    }
}

static bool is_broken(const column *k) { return k->is_shown && !k->is_solid; }

/* Raise a common level until the widths of those that are figures, or of the others, each between least and wanted, fill the
 * room. \return what they take */
static double level_out(layout *l, bool figures, double left) {
    double low = 0, high = 1, sum = 0;
    for (int step = 0; step < 50; step++) {
        const double level = (low + high) / 2;
        sum = 0;
        for (size_t c = 0; c < l->table->n_column; c++) {
            column *k = &l->column[c];
            if (is_broken(k) && k->is_figure == figures) {
                k->width = k->wanted < level ? k->wanted : level > k->least ? level : k->least;
                sum += k->width;
            }
        }
        *(sum > left ? &high : &low) = level;
    }
    return sum;
}

/* Only the heading of figures can be broken, once: they take what they must, text as much as it wants, and headings the rest. */
static void share(layout *l, double left) {
    const double least = level_out(l, true, 0);
    level_out(l, true, left - level_out(l, false, left - least));
    shrink(l, left);
}

static void lay_out(layout *l) {
    double wanted = 0, gaps = -1;
    for (size_t c = 0; c < l->table->n_column; c++) {
        measure_column(l, c, &l->column[c]);
    }
    const double left = room(l);
    for (size_t c = 0; c < l->table->n_column; c++) {
        wanted += l->column[c].is_shown && !l->column[c].is_solid ? l->column[c].wanted : 0;
        gaps += l->column[c].is_shown;
    }
    l->is_narrow = wanted <= left;
    l->wide = 1 - left + wanted;
    const double spare = (l->wide <= one_of_two ? one_of_two : 1) - l->wide; /* a point on either side takes half a gap */
    l->side_pt = !l->is_narrow || gaps < 1 || spare < 0 ? 2 : (int)fmin(6, 2 + floor(2 * spare / (gaps * gap)));
    if (!l->is_narrow) {
        share(l, left);
    }
}

/* ---- the table ---- */

static void put_columns(const layout *l, hf_text *out) {
    hf_text_print(out, "{@{}");
    for (size_t c = 0; c < l->table->n_column; c++) {
        const column *k = &l->column[c];
        if (!k->is_shown) {
            continue;
        }
        if (k->is_solid || l->is_narrow) {
            hf_text_print(out, "%s", k->is_number ? "r" : "l");
        } else {
            hf_text_print(out, ">{\\ragged%s\\arraybackslash}p{%.3f\\linewidth}", k->is_number ? "left" : "right", k->width);
        }
    }
    hf_text_print(out, "@{}}\n");
}

static void put_row(const layout *l, size_t row, hf_text *out) {
    const char *between = "  ";
    for (size_t c = 0; c < l->table->n_column; c++) {
        if (l->column[c].is_shown) {
            hf_text_print(out, "%s", between);
            const bool is_number = row > 0 && l->column[c].is_number;
            (is_number ? put_numbers : put_text)(out, cell_of(l->table, row, c));
            between = " & ";
        }
    }
    hf_text_print(out, " \\\\\n");
}

static void put_head(const layout *l, hf_text *out) {
    hf_text_print(out, "  \\toprule\n");
    if (!l->is_turned) {
        put_row(l, 0, out);
        hf_text_print(out, "  \\midrule\n");
    }
}

/* \param[in] part of a table in several, from 0: the first bears the label */
static void put_caption(const hf_table *t, size_t part, hf_text *out) {
    if (t->title) {
        hf_text_print(out, "  \\caption{");
        put_breakable(out, t->title);
        hf_text_print(out, "%s}\n", part ? " (continued)" : "");
    }
    if (t->label && part == 0) {
        hf_text_print(out, "  \\label{tab:%s}\n", t->label);
    }
}

/* Rows from `first`, counted from 1, to before `end`. */
static void put_rows(const layout *l, size_t first, size_t end, hf_text *out) {
    for (size_t r = first; r < end; r++) {
        put_row(l, r, out);
    }
}

/* Does a column before say the same below the table? */
static bool is_said(const layout *l, size_t c) {
    const hf_table *t = l->table;
    size_t i = 0;
    while (i < c && !(l->column[i].is_same && strcmp(t->header[i], t->header[c]) == 0 &&
                      strcmp(cell_of(t, 1, i), cell_of(t, 1, c)) == 0)) {
        i++;
    }
    return i < c;
}

/* What every row has in common, and the note of the table. */
static void put_notes(const layout *l, hf_text *out) {
    const hf_table *t = l->table;
    const char *before = "  \\par\\smallskip ";
    for (size_t c = 0; c < t->n_column; c++) {
        if (l->column[c].is_same && !is_said(l, c)) {
            hf_text_print(out, "%s", before);
            hf_text_latex(out, t->header[c]);
            hf_text_print(out, ": ");
            hf_text_latex(out, cell_of(t, 1, c));
            before = "; ";
        }
    }
    hf_text_print(out, "%s", *before == ';' ? "\n" : "");
    if (t->note) {
        hf_text_print(out, "  \\par\\smallskip ");
        hf_text_latex(out, t->note);
        hf_text_print(out, "\n");
    }
}

static void put_float(const layout *l, const char *kind, size_t part, size_t first, size_t end, hf_text *out) {
    hf_text_print(out, "\\begin{%s}\n  \\centering\\scriptsize\\setlength{\\tabcolsep}{%dpt}\n", kind, l->side_pt);
    put_caption(l->table, part, out);
    hf_text_print(out, "  \\begin{tabular}");
    put_columns(l, out);
    put_head(l, out);
    put_rows(l, first, end, out);
    hf_text_print(out, "  \\bottomrule\n  \\end{tabular}\n");
    if (end > l->table->n_row) {
        put_notes(l, out);
    }
    hf_text_print(out, "\\end{%s}\n", kind);
}

hf_status hf_table_latex(hf_context *cx, const hf_table *t, hf_text *out) {
    const hf_mark mark = hf_scratch_mark(cx);
    hf_table turned;
    layout l = {.table = t};
    HF_TRY(hf_scratch(cx, t->n_column + 2, sizeof *l.column, (void **)&l.column));
    lay_out(&l);
    if (t->n_row == 1 && (t->widest == 1 || (t->widest && l.wide > 1))) {
        HF_TRY(hf_table_turn(cx, t, &turned));
        l = (layout){.table = &turned, .column = l.column, .is_turned = true};
        memset(l.column, 0, 2 * sizeof *l.column);
        lay_out(&l);
        t = &turned;
    }
    hf_text_print(out, "%% needs \\usepackage{array,booktabs}\n");
    const char *kind = l.wide <= one_of_two ? "table" : "table*";
    size_t first = 1;
    for (size_t part = 0; part == 0 || first <= t->n_row; part++, first += FLOAT_ROWS) {
        const size_t end = first + FLOAT_ROWS <= t->n_row ? first + FLOAT_ROWS : t->n_row + 1;
        put_float(&l, kind, part, first, end, out);
    }
    hf_scratch_reset(cx, mark);
    return hf_text_check(cx, out);
}
