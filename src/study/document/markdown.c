/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  The Markdown of our own documents as LaTeX and HTML: paragraphs, lists of one level, numbered or not, tables, blocks of code,
 * headings; code, strong, emphasis and links within a line. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "src/study/document/document.h"

/* As it stands. */
static void put_plain(const hf_writer *w, const char *text) {
    (w->form == HF_DOCUMENT_TEX ? hf_text_latex : hf_text_xml)(w->out, text);
}

static const char *either(const hf_writer *w, const char *tex, const char *html) {
    return w->form == HF_DOCUMENT_TEX ? tex : html;
}
static void put(const hf_writer *w, const char *tex, const char *html) { hf_text_print(w->out, "%s", either(w, tex, html)); }

/* ---- within a line ---- */

static void put_piece(const hf_writer *w, const char *text, size_t size) {
    char piece[256];
    while (size > 0) {
        size_t n = size < sizeof piece ? size : sizeof piece - 1;
        while (n < size && n > 1 && ((unsigned char)text[n] & 0xc0) == 0x80) {
            n--; /* no character of several bytes is cut */
        }
        memcpy(piece, text, n);
        piece[n] = 0;
        put_plain(w, piece);
        text += n;
        size -= n;
    }
}

/* What is raised behind a letter, a digit or a bracket: a word, or what stands in brackets. \return how long it is, 0: nothing */
static size_t exponent(const char *at, size_t size) {
    size_t n = 0;
    if (size > 0 && *at == '(') {
        const char *close = memchr(at, ')', size);
        return close ? (size_t)(close - at) + 1 : 0;
    }
    while (n < size && isalnum((unsigned char)at[n])) {
        n++;
    }
    return n;
}

/* Quotes that open and close, powers, and +- as one sign. \param[in] before the character before it, a blank: none */
static void put_prose(const hf_writer *w, const char *text, size_t size, char before) {
    size_t from = 0;
    for (size_t i = 0; i < size;) {
        const char last = i ? text[i - 1] : before;
        const bool is_sum = text[i] == '+' && i + 1 < size && text[i + 1] == '-';
        const size_t power =
            text[i] == '^' && (isalnum((unsigned char)last) || last == ')') ? exponent(text + i + 1, size - i - 1) : 0;
        if (text[i] != '"' && !is_sum && !power) {
            i++;
            continue;
        }
        put_piece(w, text + from, i - from);
        if (is_sum) {
            put(w, "$\\pm$", "\302\261");
        } else if (power) {
            const bool has_brackets = text[i + 1] == '(';
            put(w, "\\textsuperscript{", "<sup>");
            put_piece(w, text + i + 1 + has_brackets, power - 2 * (size_t)has_brackets);
            put(w, "}", "</sup>");
        } else {
            const bool opens = strchr(" (\n|-", last);
            put(w, opens ? "``" : "''", opens ? "\342\200\234" : "\342\200\235");
        }
        i += is_sum ? 2 : 1 + power;
        from = i;
    }
    put_piece(w, text + from, size - from);
}

void hf_write_text(const hf_writer *w, const char *text) {
    if (w->form == HF_DOCUMENT_TEX) {
        put_prose(w, text, strlen(text), ' ');
    } else {
        put_plain(w, text);
    }
}

/* Code may be broken behind what joins it. */
static void put_code(const hf_writer *w, const char *text, size_t size) {
    put(w, "\\texttt{", "<code>");
    for (size_t i = 0; i < size;) {
        size_t n = 1;
        while (i + n < size && (w->form == HF_DOCUMENT_HTML || !strchr(",:/=- \"", text[i + n - 1])) && text[i + n] != '"') {
            n++;
        }
        if (text[i] == '"') { /* the same on both sides */
            n = 1;
            put(w, "\\textquotedbl{}", "&quot;");
        } else {
            put_piece(w, text + i, n);
        }
        put(w, i + n < size ? "\\allowbreak{}" : "", "");
        i += n;
    }
    put(w, "}", "</code>");
}

static const char *find_within(const char *from, const char *end, const char *what) {
    const size_t size = strlen(what);
    for (; from + size <= end; from++) {
        if (memcmp(from, what, size) == 0) {
            return from;
        }
    }
    return NULL;
}

/* What a mark opens, up to the one that closes it. \return behind it, or NULL: it is no such mark */
static const char *take_marked(const hf_writer *w, const char *at, const char *end) {
    static const struct {
        const char *mark, *tex, *html, *html_end;
    } marks[] = {{"**", "\\textbf{", "<strong>", "</strong>"}, {"*", "\\emph{", "<em>", "</em>"}};
    if (*at == '`') {
        const char *close = memchr(at + 1, '`', (size_t)(end - at) - 1);
        if (close) {
            put_code(w, at + 1, (size_t)(close - at) - 1);
        }
        return close ? close + 1 : NULL;
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t size = strlen(marks[i].mark);
        const bool opens = (size_t)(end - at) > size && memcmp(at, marks[i].mark, size) == 0 && at[size] != ' ';
        const char *close = opens ? find_within(at + size, end, marks[i].mark) : NULL;
        if (close && close > at + size && close[-1] != ' ') {
            put(w, marks[i].tex, marks[i].html);
            hf_write_inline(w, at + size, (size_t)(close - at) - size);
            put(w, "}", marks[i].html_end);
            return close + size;
        }
    }
    const char *middle = *at == '[' ? find_within(at, end, "](") : NULL;
    const char *close = middle ? memchr(middle, ')', (size_t)(end - middle)) : NULL;
    if (close) {
        hf_write_inline(w, at + 1, (size_t)(middle - at) - 1);
        return close + 1;
    }
    return NULL;
}

void hf_write_inline(const hf_writer *w, const char *text, size_t size) {
    const char *end = text + size, *plain = text;
    for (const char *at = text; at < end;) {
        const bool may_open = strchr("`*[", *at) && *at;
        if (may_open) {
            put_prose(w, plain, (size_t)(at - plain), plain > text ? plain[-1] : ' ');
            const char *behind = take_marked(w, at, end);
            plain = behind ? behind : at;
            at = behind ? behind : at + 1;
        } else if (*at == '\\' && at + 1 < end && strchr("|*`_<>[]\\", at[1])) {
            put_prose(w, plain, (size_t)(at - plain), plain > text ? plain[-1] : ' ');
            plain = at + 1;
            at += 2;
        } else {
            at++;
        }
    }
    put_prose(w, plain, (size_t)(end - plain), plain > text ? plain[-1] : ' ');
}

/* ---- lines ---- */

typedef struct lines {
    const char *at, *end;
    size_t indent; /* blanks in front of the text of a list's item */
} lines;

/* The next line without its end and without the blanks of its item. \return false: there is none */
static bool peek(const lines *l, const char **text, size_t *size) {
    const char *at = l->at, *stop = at < l->end ? memchr(at, '\n', (size_t)(l->end - at)) : NULL;
    stop = stop ? stop : l->end;
    while (at < stop && *at == ' ' && at < l->at + l->indent) {
        at++;
    }
    *text = at;
    *size = (size_t)(stop - at);
    return l->at < l->end;
}
static void skip(lines *l) {
    const char *stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
    l->at = stop ? stop + 1 : l->end;
}

static bool begins(const char *text, size_t size, const char *with) {
    return size >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static bool is_code(const char *text, size_t size) { return begins(text, size, "    "); }
/* How far in the text of an item stands: "- ", or "1. "; 0: it is none. */
static size_t item_indent(const char *text, size_t size) {
    const bool is_numbered = size > 2 && isdigit((unsigned char)text[0]) && text[1] == '.' && text[2] == ' ';
    return begins(text, size, "- ") ? 2 : is_numbered ? 3 : 0;
}
static bool is_item(const char *text, size_t size) { return item_indent(text, size) > 0; }
static bool is_row(const char *text, size_t size) { return begins(text, size, "|"); }
static bool is_plain(const char *text, size_t size) {
    return size > 0 && !is_item(text, size) && !is_row(text, size) && !begins(text, size, "#");
}

/* A line and those that go on with it, joined. */
static void put_joined(const hf_writer *w, lines *l, size_t indent) {
    const char *text, *first;
    size_t size;
    (void)peek(l, &text, &size);
    first = text + indent;
    skip(l);
    const char *last = text + size;
    while (peek(l, &text, &size) && is_plain(text, size)) {
        last = text + size;
        skip(l);
    }
    hf_write_inline(w, first, (size_t)(last - first));
}

static void put_code_block(const hf_writer *w, lines *l) {
    const char *text;
    size_t size;
    put(w, "\\begin{verbatim}\n", "<pre>");
    while (peek(l, &text, &size) && is_code(text, size)) {
        if (w->form == HF_DOCUMENT_TEX) {
            hf_text_append(w->out, text + 4, size - 4);
        } else {
            put_piece(w, text + 4, size - 4);
        }
        hf_text_append(w->out, "\n", 1);
        skip(l);
    }
    put(w, "\\end{verbatim}\n", "</pre>\n");
}

/* ---- tables ---- */

/* The next cell of a row, without the blanks around it. */
static bool take_cell(const char **at, const char *end, const char **cell, size_t *size) {
    if (*at >= end || **at != '|' || *at + 1 >= end) {
        return false;
    }
    const char *stop = ++*at;
    while (stop < end && (*stop != '|' || stop[-1] == '\\')) {
        stop++;
    }
    *cell = *at;
    *size = (size_t)(stop - *at);
    *at = stop;
    while (*size > 0 && **cell == ' ') {
        ++*cell;
        --*size;
    }
    while (*size > 0 && (*cell)[*size - 1] == ' ') {
        --*size;
    }
    return stop < end;
}

static size_t count_cells(const char *text, size_t size) {
    const char *at = text, *cell;
    size_t n = 0, length;
    while (take_cell(&at, text + size, &cell, &length)) {
        n++;
    }
    return n;
}

static void put_row(const hf_writer *w, const char *text, size_t size, bool is_head) {
    const char *at = text, *cell;
    size_t length, n = 0;
    put(w, "", "<tr>");
    while (take_cell(&at, text + size, &cell, &length)) {
        put(w, n++ ? " & " : "  ", is_head ? "<th>" : "<td>");
        hf_write_inline(w, cell, length);
        put(w, "", is_head ? "</th>" : "</td>");
    }
    put(w, " \\\\\n", "</tr>\n");
}

enum { TABLE_COLUMNS = 16 };

/* What a letter takes of the line, and a column at least. */
static const double letter = 0.0093, gap = 0.027;

static size_t longest_word(const char *text, size_t size) {
    size_t longest = 0, here = 0;
    for (size_t i = 0; i < size; i++) {
        here = text[i] == ' ' || text[i] == '/' ? 0 : here + 1;
        longest = here > longest ? here : longest;
    }
    return longest;
}

/* Letters of the widest cell of each column, of which the longest word must stand. */
static void measure(const lines *from, size_t n, double *width, double *word) {
    lines l = *from;
    const char *text;
    size_t size;
    while (peek(&l, &text, &size) && is_row(text, size)) {
        const char *at = text, *cell;
        size_t length;
        for (size_t c = 0; c < n && take_cell(&at, text + size, &cell, &length); c++) {
            const double here = length < 8 ? 8 : length > 40 ? 40 : (double)length;
            const bool is_line = strspn(cell, "-:") >= length; /* below the heads */
            width[c] = here > width[c] ? here : width[c];
            word[c] = is_line ? word[c] : fmax(word[c], (double)longest_word(cell, length));
        }
        skip(&l);
    }
}

/* Columns share the line as their widest cells ask; what a word needs more is taken from the widest. */
static void put_columns(const hf_writer *w, const lines *from, size_t n) {
    double width[TABLE_COLUMNS] = {0}, word[TABLE_COLUMNS] = {0}, all = 0;
    size_t widest = 0;
    measure(from, n, width, word);
    for (size_t c = 0; c < n; c++) {
        all += width[c] + 1.5;
        widest = width[c] > width[widest] ? c : widest;
    }
    const double room = 0.99 - gap * (double)(n - 1), unit = room / fmax(all, 95);
    for (size_t c = 0; c < n; c++) {
        const double share = unit * width[c], more = letter * word[c] - share;
        width[c] = c == widest ? width[c] : fmax(share, letter * word[c]) / unit;
        width[widest] -= c != widest && more > 0 ? more / unit : 0;
    }
    hf_text_print(w->out, "\\begin{center}\\footnotesize\\begin{tabular}{@{}");
    for (size_t c = 0; c < n; c++) {
        hf_text_print(w->out, ">{\\raggedright\\arraybackslash}p{0.%04d\\linewidth}", (int)(10000 * unit * width[c]));
    }
    hf_text_print(w->out, "@{}}\n");
}

static void put_table(const hf_writer *w, lines *l) {
    const char *text;
    size_t size, row = 0;
    (void)peek(l, &text, &size);
    const size_t cells = count_cells(text, size), n = cells < TABLE_COLUMNS ? cells : TABLE_COLUMNS;
    if (w->form == HF_DOCUMENT_TEX) {
        put_columns(w, l, n);
    }
    put(w, "  \\toprule\n", "<table>\n");
    for (; peek(l, &text, &size) && is_row(text, size); row++) {
        if (row != 1) { /* the line below the heads */
            put_row(w, text, size, row == 0);
        } else {
            put(w, "  \\midrule\n", "");
        }
        skip(l);
    }
    put(w, "  \\bottomrule\n\\end{tabular}\\end{center}\n", "</table>\n");
}

/* ---- lists ---- */

/* A block of code, a table or a paragraph. */
static void put_block(const hf_writer *w, lines *l) {
    const char *text;
    size_t size;
    (void)peek(l, &text, &size);
    if (size == 0) {
        skip(l);
    } else if (is_code(text, size)) {
        put_code_block(w, l);
    } else if (is_row(text, size)) {
        put_table(w, l);
    } else {
        put(w, "", "<p>");
        put_joined(w, l, 0);
        put(w, "\n\n", "</p>\n");
    }
}

/* What belongs to an item behind an empty line: lines that stand as far in as its text. Those further in are code behind the
 * list. */
static void put_rest_of_item(const hf_writer *w, lines *l, size_t indent) {
    const char *text;
    size_t size;
    lines rest = *l;
    for (lines ahead = *l; peek(&ahead, &text, &size) && (size == 0 || (begins(text, size, "  ") && !is_code(text, size)));) {
        skip(&ahead);
        rest.end = size ? ahead.at : rest.end;
        l->at = size ? ahead.at : l->at;
    }
    rest.end = l->at;
    rest.indent += indent;
    put(w, rest.at < rest.end ? "\n\n" : "", "");
    while (rest.at < rest.end) {
        put_block(w, &rest);
    }
}

static void put_list(const hf_writer *w, lines *l) {
    const char *text;
    size_t size;
    (void)peek(l, &text, &size);
    const size_t indent = item_indent(text, size);
    const bool is_numbered = indent > 2;
    put(w, is_numbered ? "\\begin{enumerate}\n" : "\\begin{itemize}\n", is_numbered ? "<ol>\n" : "<ul>\n");
    while (peek(l, &text, &size) && item_indent(text, size) == indent) {
        put(w, "\\item ", "<li>");
        put_joined(w, l, indent);
        put_rest_of_item(w, l, indent);
        put(w, "\n", "</li>\n");
    }
    put(w, is_numbered ? "\\end{enumerate}\n" : "\\end{itemize}\n", is_numbered ? "</ol>\n" : "</ul>\n");
}

/* ---- all ---- */

static void put_heading(const hf_writer *w, lines *l) {
    const char *text;
    size_t size;
    (void)peek(l, &text, &size);
    size_t marks = 0;
    while (marks < size && (text[marks] == '#' || text[marks] == ' ')) {
        marks++;
    }
    put(w, "\\paragraph{", "<h3>");
    hf_write_inline(w, text + marks, size - marks);
    put(w, ".}\n", "</h3>\n");
    skip(l);
}

void hf_write_markdown(const hf_writer *w, const char *text, size_t size) {
    lines l = {text, text + size, 0};
    const char *line;
    size_t length;
    while (peek(&l, &line, &length)) {
        if (begins(line, length, "#")) {
            put_heading(w, &l);
        } else if (is_item(line, length)) {
            put_list(w, &l);
        } else {
            put_block(w, &l);
        }
    }
}
