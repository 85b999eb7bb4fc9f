/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Texts of help laid out for the width of the terminal: paragraphs are filled, entries go on under their column, and a command
 *  that takes several lines can still be copied. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "src/cli/cli.h"
#include "src/core/lines.h"
#include "src/core/number.h"

enum { USUAL = 80, NARROWEST = 40, ENTRY = 2 }; /* entries begin with so many blanks */

static const char example[] = "Example: ", usage[] = "Usage: ";

typedef struct sheet {
    hf_text *out;
    size_t width;
    size_t hang;      /* where the next lines begin */
    size_t column;    /* what stands on the line */
    bool is_fresh;    /* no blank is due before the next word */
    bool has_options; /* an option and its value stay together */
    bool is_command;  /* a line that goes on ends with a backslash */
} sheet;

/* ---- words ---- */

static bool is_plain(hf_slice line) { return line.size > 0 && line.text[0] != ' ' && !hf_slice_begins(line, example); }

/* What stays on one line: a word, or an option with its value and ">" with its file. */
static size_t piece_size(const sheet *s, hf_slice words) {
    const char *blank = memchr(words.text, ' ', words.size);
    if (!blank) {
        return words.size;
    }
    const size_t word = (size_t)(blank - words.text), left = words.size - word - 1;
    if (!s->has_options || !strchr("->", words.text[0]) || left == 0 || blank[1] == '-') {
        return word;
    }
    const char *end = memchr(blank + 1, ' ', left);
    return end ? (size_t)(end - words.text) : words.size;
}

static void put_words(sheet *s, hf_slice words) {
    while (words.size > 0) {
        const size_t size = piece_size(s, words);
        const bool is_last = size == words.size;
        const size_t mark = s->is_command && !is_last ? 2 : 0;
        if (!s->is_fresh && s->column + 1 + size + mark > s->width) {
            hf_text_print(s->out, "%s\n%*s", s->is_command ? " \\" : "", (int)s->hang, "");
            s->column = s->hang;
            s->is_fresh = true;
        }
        hf_text_print(s->out, "%s%.*s", s->is_fresh ? "" : " ", (int)size, words.text);
        s->column += !s->is_fresh + size;
        s->is_fresh = false;
        words = (hf_slice){words.text + size + !is_last, words.size - size - !is_last};
    }
}

/* ---- lines ---- */

/* The first bytes as they are, the words behind them, and what does not fit under `hang`. */
static void put_start(sheet *s, hf_slice line, size_t size, size_t hang) {
    hf_text_append(s->out, line.text, size);
    s->column = size;
    s->is_fresh = true;
    s->hang = hang;
    put_words(s, (hf_slice){line.text + size, line.size - size});
}

static size_t count_blanks(hf_slice line, size_t from) {
    size_t n = 0;
    while (from + n < line.size && line.text[from + n] == ' ') {
        n++;
    }
    return n;
}

/* The text of an entry stands behind the first blanks that are more than one; else the entry has a single column. */
static void put_entry(sheet *s, hf_slice line) {
    const size_t lead = count_blanks(line, 0);
    s->has_options = s->is_command = hf_slice_begins((hf_slice){line.text + lead, line.size - lead}, "holdfast ");
    for (size_t i = lead; i < line.size && i < s->width / 2; i++) {
        const size_t n = count_blanks(line, i);
        if (n > 1) {
            put_start(s, line, i + n, i + n);
            return;
        }
    }
    put_start(s, line, lead, lead > ENTRY ? lead : 2 * ENTRY);
}

static hf_slice next_line(const char *text) { return (hf_slice){text, strcspn(text, "\n")}; }

static const char *behind(hf_slice line) { return line.text + line.size + (line.text[line.size] == '\n'); }

void cli_fold(const char *text, size_t width, hf_text *out) {
    while (*text) {
        const hf_slice line = next_line(text);
        sheet s = {.out = out, .width = width};
        text = behind(line);
        if (hf_slice_begins(line, example) || hf_slice_begins(line, usage)) {
            s.has_options = true;
            s.is_command = hf_slice_begins(line, example);
            const size_t size = s.is_command ? sizeof example - 1 : sizeof usage - 1;
            put_start(&s, line, size, size);
        } else if (!is_plain(line)) {
            put_entry(&s, line);
        } else {
            put_start(&s, line, 0, 0);
            for (hf_slice more = next_line(text); is_plain(more); more = next_line(text)) {
                put_words(&s, more);
                text = behind(more);
            }
        }
        hf_text_append(out, "\n", 1);
    }
}

/* ---- the terminal ---- */

static size_t find_width(void) {
    const char *told = getenv("COLUMNS");
    struct winsize size = {0};
    uint64_t width = 0;
    if (!told || !hf_read_number(told, 1, UINT16_MAX, &width)) {
        width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL;
    }
    return width < NARROWEST ? NARROWEST : (size_t)width;
}

hf_status cli_print_folded(const cli *c, const hf_text *text) {
    HF_TRY(hf_text_check(c->cx, text));
    hf_text out;
    hf_text_init(c->cx, &out);
    cli_fold(text->data ? text->data : "", find_width(), &out);
    const hf_status status = cli_print(c, &out);
    hf_text_free(&out);
    return status;
}
