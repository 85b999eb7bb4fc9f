/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  docs/figures.md against the papers and the studies: every table and figure once, with a study that exists or a sentence that
 * says why there is none, and no study of a paper left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/text.h>

#include "src/study/embedded.h"

enum { CELLS = 4, NUMBERS_MOST = 256, WORD = 64 };

/* What the papers have: of each kind those that are numbered first to last within a chapter; 0: not by chapters. */
static const struct {
    const char *paper, *kind;
    unsigned chapter;
    const char *first, *last;
} printed[] = {
    {"gomez2010", "figure", 2, "1", "13"},    {"gomez2010", "figure", 3, "1", "24"},   {"gomez2010", "figure", 4, "1", "25"},
    {"gomez2010", "figure", 5, "1", "12"},    {"gomez2010", "table", 2, "1", "1"},     {"gomez2010", "table", 3, "1", "5"},
    {"gomez2010", "table", 5, "1", "4"},      {"puente2004", "figure", 0, "1", "15"},  {"puente2004", "table", 0, "1", "2"},
    {"chalasani1996", "figure", 0, "1", "7"}, {"chalasani1996", "table", 0, "1", "3"}, {"chong1992", "figure", 0, "1", "8"},
    {"brown2002", "figure", 0, "1", "11"},    {"brown2002", "table", 0, "1", "1"},     {"brown2002", "table", 0, "2a", "2a"},
    {"brown2002", "table", 0, "2b", "2b"},
};
enum { PRINTED = sizeof printed / sizeof *printed };

typedef struct row {
    char cell[CELLS][1000];
} row;

static bool read_row(const char *line, row *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < CELLS && *line == '|'; i++) {
        const char *end = strchr(line + 1, '|');
        if (!end) {
            return false;
        }
        while (++line < end && *line == ' ') {
        }
        size_t size = (size_t)(end - line);
        while (size > 0 && line[size - 1] == ' ') {
            size--;
        }
        assert_true(size < sizeof out->cell[i]);
        memcpy(out->cell[i], line, size);
        line = end;
    }
    return out->cell[CELLS - 1][0] && strcmp(out->cell[0], "paper") != 0 && out->cell[0][0] != '-';
}

static size_t load(row **out) {
    hf_context *cx = hf_context_new(NULL);
    hf_text text;
    size_t n = 0;
    hf_text_init(cx, &text);
    assert_int_equal(hf_text_load(cx, "docs/figures.md", 1 << 20, &text), HF_OK);
    *out = calloc(200, sizeof **out);
    assert_non_null(*out);
    for (const char *at = text.data; at && n < 200; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        n += *at == '|' && read_row(at, &(*out)[n]);
    }
    hf_text_free(&text);
    hf_context_free(cx);
    assert_true(n > 40 && n < 200);
    return n;
}

/* ---- numbers ---- */

static void number_of(unsigned chapter, unsigned i, char *out) {
    if (chapter) {
        snprintf(out, WORD, "%u.%u", chapter, i);
    } else {
        snprintf(out, WORD, "%u", i);
    }
}

/* Does "figures 3.15, 3.17 to 3.19" have the number? */
static bool has_number(const char *what, const char *kind, const char *number) {
    const size_t size = strlen(kind);
    if (strncmp(what, kind, size) != 0) {
        return false;
    }
    for (const char *at = what + size; *at;) {
        char first[WORD], last[WORD];
        at += strspn(at, "s, ");
        const size_t n = strcspn(at, ", ");
        snprintf(first, sizeof first, "%.*s", (int)n, at);
        at += n;
        snprintf(last, sizeof last, "%s", first);
        if (strncmp(at, " to ", 4) == 0) {
            const size_t m = strcspn(at + 4, ", ");
            snprintf(last, sizeof last, "%.*s", (int)m, at + 4);
            at += 4 + m;
        }
        if (strcmp(first, number) == 0 || strcmp(last, number) == 0) {
            return true;
        }
        const char *dot = strchr(number, '.'), *low = strchr(first, '.'), *high = strchr(last, '.');
        const bool is_chapter =
            dot ? low && dot - number == low - first && strncmp(number, first, (size_t)(dot - number)) == 0 : !low;
        const int x = atoi(dot ? dot + 1 : number), a = atoi(low ? low + 1 : first), b = atoi(high ? high + 1 : last);
        if (is_chapter && strcmp(first, last) != 0 && a <= x && x <= b) {
            return true;
        }
    }
    return false;
}

static void expect_once(const row *all, size_t n, const char *paper, const char *kind, const char *number) {
    unsigned found = 0;
    for (size_t i = 0; i < n; i++) {
        found += strcmp(all[i].cell[0], paper) == 0 && has_number(all[i].cell[1], kind, number);
    }
    if (found != 1) {
        fail_msg("docs/figures.md has %s %s of %s %u times; need once", kind, number, paper, found);
    }
}

static void every_figure_is_there_once(void **state) {
    (void)state;
    row *all;
    const size_t n = load(&all);
    for (size_t i = 0; i < PRINTED; i++) {
        const unsigned first = (unsigned)atoi(printed[i].first), last = (unsigned)atoi(printed[i].last);
        for (unsigned k = first; k <= last; k++) {
            char number[WORD];
            number_of(printed[i].chapter, k, number);
            const bool is_plain = strspn(printed[i].first, "0123456789") == strlen(printed[i].first);
            expect_once(all, n, printed[i].paper, printed[i].kind, is_plain ? number : printed[i].first);
        }
    }
    free(all);
}

/* ---- studies ---- */

static bool is_study(const char *name) {
    for (size_t i = 0; i < hf_embedded_studies_count; i++) {
        if (strcmp(hf_embedded_studies[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Is the study among those in backquotes? A name that ends with * stands for all that begin so. */
static bool is_named(const row *r, const char *name) {
    for (const char *at = strchr(r->cell[2], '`'); at; at = strchr(at, '`')) {
        const size_t size = strcspn(++at, "`");
        const bool is_all = size > 0 && at[size - 1] == '*';
        if (is_all ? strncmp(name, at, size - 1) == 0 : strlen(name) == size && strncmp(name, at, size) == 0) {
            return true;
        }
        at += size + 1;
    }
    return false;
}

static void studies_exist(void **state) {
    (void)state;
    row *all;
    const size_t n = load(&all);
    for (size_t i = 0; i < n; i++) {
        for (const char *at = strchr(all[i].cell[2], '`'); at; at = strchr(at, '`')) {
            char name[WORD];
            const size_t size = strcspn(++at, "`");
            snprintf(name, sizeof name, "%.*s", (int)size, at);
            if (!strchr(name, '*') && !is_study(name)) {
                fail_msg("docs/figures.md names the study %s, which there is not", name);
            }
            at += size + 1;
        }
    }
    free(all);
}

static void no_study_is_left_out(void **state) {
    (void)state;
    static const char *const papers[] = {"gomez2010-", "puente2004-", "chalasani1996-", "chong1992-", "brown2002-"};
    row *all;
    const size_t n = load(&all);
    for (size_t i = 0; i < hf_embedded_studies_count; i++) {
        const char *name = hf_embedded_studies[i].name;
        bool is_of_paper = false, found = false;
        for (size_t p = 0; p < sizeof papers / sizeof *papers; p++) {
            is_of_paper |= strncmp(name, papers[p], strlen(papers[p])) == 0;
        }
        for (size_t r = 0; r < n && is_of_paper; r++) {
            found |= is_named(&all[r], name);
        }
        if (is_of_paper && !found) {
            fail_msg("docs/figures.md does not name the study %s", name);
        }
    }
    free(all);
}

/* The reader of numbers itself. */
static void lists_of_numbers(void **state) {
    (void)state;
    assert_true(has_number("figures 3.15, 3.17 to 3.19", "figure", "3.18"));
    assert_false(has_number("figures 3.15, 3.17 to 3.19", "figure", "3.16"));
    assert_false(has_number("figures 3.15, 3.17 to 3.19", "figure", "4.18"));
    assert_false(has_number("tables 3.1, 3.2", "figure", "3.1"));
    assert_true(has_number("table 2a", "table", "2a"));
    assert_false(has_number("table 2a", "table", "2b"));
    assert_true(has_number("figures 1, 2, 4 to 9", "figure", "7"));
    assert_false(has_number("figures 1, 2, 4 to 9", "figure", "3"));
    assert_false(has_number("figure 10", "figure", "1"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_of_numbers), cmocka_unit_test(every_figure_is_there_once),
                                       cmocka_unit_test(studies_exist), cmocka_unit_test(no_study_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
