/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Fields of edge lists, and headers as spreadsheets and graph tools write them: "source,target", "From_Node";"To_Node". */
#include "src/topology/read/edges_header.h"
#include "src/core/number.h"
#include "src/core/registry.h"

#include <string.h>

enum { FIELD_MAX = 16, WORD_MAX = 24 };

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool hf_edges_next(hf_lines *r) {
    while (hf_lines_next(r)) {
        if (r->at < r->end && *r->at != '#' && *r->at != '%') {
            return true;
        }
    }
    return false;
}

/* ---- fields ---- */

static bool has_outside_quotes(const hf_lines *r, char mark) {
    bool is_quoted = false;
    for (const char *at = r->at; at < r->end; at++) {
        is_quoted ^= *at == '"';
        if (!is_quoted && *at == mark) {
            return true;
        }
    }
    return false;
}

/* A field that begins with quotes. */
static hf_status read_quoted(hf_lines *r, char separator, hf_slice *out) {
    r->at++;
    if (!hf_lines_until(r, '"', out)) {
        HF_LINE_FAIL(r, HF_EINVAL, "the quotes before \"%.*s\" do not end; need others behind the name",
                     HF_SLICE(hf_lines_rest(r)));
    }
    const char *behind = r->at;
    if (!hf_lines_skip(r, separator) && r->at < r->end && (separator || r->at == behind)) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" stands behind the quotes of a name; need a separator there",
                     HF_SLICE(hf_lines_rest(r)));
    }
    return HF_OK;
}

/* A field up to the separator, without blanks around it. */
static hf_slice read_plain(hf_lines *r, char separator) {
    hf_slice f;
    if (!separator) {
        (void)hf_lines_word(r, &f);
        return f;
    }
    if (!hf_lines_until(r, separator, &f)) {
        f = hf_lines_rest(r);
        r->at = r->end;
    }
    while (f.size && is_blank(f.text[f.size - 1])) {
        f.size--;
    }
    return f;
}

static bool is_number(hf_slice name) {
    uint64_t number;
    return hf_slice_number(name, 10, &number);
}

/* A name without quotes where there are separators. A blank in it may begin a weight, but only a number is a name for sure. */
static hf_status check_name(const hf_lines *r, bool is_second, hf_slice *name) {
    size_t n = 0;
    while (n < name->size && !is_blank(name->text[n])) {
        n++;
    }
    const hf_slice word = {name->text, n};
    if (n < name->size && !(is_second && is_number(word))) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" has a blank, and the line has a separator; write such a name in quotes",
                     HF_SLICE(*name));
    }
    *name = word;
    return HF_OK;
}

/* The fields of a line, at most FIELD_MAX; those of `column` are names of switches. */
static hf_status split(hf_lines *r, char separator, const size_t *column, hf_slice *field, size_t *n) {
    separator = has_outside_quotes(r, separator) ? separator : 0;
    for (*n = 0; *n < FIELD_MAX; ++*n) {
        hf_lines_blanks(r);
        if (r->at == r->end) {
            break;
        }
        if (*r->at == '"') {
            HF_TRY(read_quoted(r, separator, &field[*n]));
            continue;
        }
        field[*n] = read_plain(r, separator);
        if (column && (*n == column[0] || *n == column[1])) {
            HF_TRY(check_name(r, *n == column[1], &field[*n]));
        }
    }
    return HF_OK;
}

hf_status hf_edges_ends(hf_lines *r, const hf_edges_header *h, hf_slice end[2], hf_slice *flow) {
    hf_slice field[FIELD_MAX];
    size_t n;
    HF_TRY(split(r, h->separator, h->column, field, &n));
    for (size_t i = 0; i < 2; i++) {
        end[i] = h->column[i] < n ? field[h->column[i]] : (hf_slice){"", 0};
    }
    *flow = h->flow < n ? field[h->flow] : (hf_slice){"", 0};
    return HF_OK;
}

/* ---- names of columns ---- */

static const char *const from_words[] = {"source", "src",   "from",   "origin", "start", "tail",
                                         "left",   "local", "parent", "u",      NULL};
static const char *const to_words[] = {"target", "tgt",   "destination", "dst",   "dest", "to", "end",
                                       "head",   "right", "remote",      "child", "v",    NULL};
/* Only beside a word such as node: switch_a, node1. */
static const char *const first_words[] = {"a", "1", "i", "x", NULL}, *const second_words[] = {"b", "2", "j", "y", NULL};
static const char *const kinds[] = {"node",     "switch", "router", "device", "host", "vertex",
                                    "endpoint", "name",   "label",  "id",     NULL};

/* Cut off one word such as node, at the end or the beginning. */
static bool cut_kind(char *word) {
    const size_t size = strlen(word);
    for (size_t i = 0; kinds[i]; i++) {
        const size_t k = strlen(kinds[i]);
        if (k < size && strcmp(word + size - k, kinds[i]) == 0) {
            word[size - k] = 0;
            return true;
        }
        if (k < size && strncmp(word, kinds[i], k) == 0) {
            memmove(word, word + k, size - k + 1);
            return true;
        }
    }
    return false;
}

/* What a column holds: 1 and 2 the ends of a link, 3 + i and 103 + i the ends that are only told apart; 0 something else. */
static unsigned role_of(hf_slice field) {
    char word[WORD_MAX];
    size_t n = 0;
    for (size_t i = 0; i < field.size && n < sizeof word; i++) {
        const char c = field.text[i], low = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if ((low >= 'a' && low <= 'z') || (low >= '0' && low <= '9')) {
            word[n++] = low;
        }
    }
    if (n == 0 || n == sizeof word) {
        return 0;
    }
    word[n] = 0;
    for (bool is_cut = false;; is_cut = true) {
        const hf_slice name = hf_slice_of(word);
        const bool is_from = from_words[hf_words_find(from_words, name)], is_to = to_words[hf_words_find(to_words, name)];
        if (is_from || is_to) {
            return is_from ? 1 : 2;
        }
        const size_t first = hf_words_find(first_words, name), second = hf_words_find(second_words, name);
        if (is_cut && (first_words[first] || second_words[second])) {
            return (unsigned)(first_words[first] ? 3 + first : 103 + second);
        }
        if (!cut_kind(word)) {
            return 0;
        }
    }
}

static bool are_ends(unsigned a, unsigned b) { return (a == 1 && b == 2) || (a >= 3 && b == a + 100); }

/* The columns of the two ends, by what the fields of a header are called. */
static bool find_columns(const hf_slice *field, size_t n, size_t *column) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const unsigned a = role_of(field[j]), b = role_of(field[i]);
            if (are_ends(a, b) || are_ends(b, a)) {
                column[0] = j;
                column[1] = i;
                return true;
            }
        }
    }
    return false;
}

/* ---- is it a header? ---- */

/* What the lines below say of the names in the first one. */
static hf_status ask_others(hf_lines *r, const hf_edges_header *h, const hf_slice *name, bool is_named, bool *is_header,
                            bool *is_other) {
    bool by_number = !is_number(name[0]) && !is_number(name[1]);
    *is_header = *is_other = false;
    while (hf_edges_next(r)) {
        hf_slice end[2], flow;
        *is_other = true;
        HF_TRY(hf_edges_ends(r, h, end, &flow));
        for (size_t i = 0; i < 2; i++) {
            by_number &= is_number(end[i]);
            if (hf_slice_same(end[i], name[0]) || hf_slice_same(end[i], name[1])) {
                return HF_OK; /* a switch is called so */
            }
        }
    }
    *is_header = *is_other && (is_named || by_number);
    return HF_OK;
}

hf_status hf_edges_find_header(const hf_lines *lines, hf_draft *draft, hf_edges_header *out) {
    hf_lines r = *lines;
    hf_slice field[FIELD_MAX];
    size_t n;
    *out = (hf_edges_header){.separator = ',', .column = {0, 1}, .flow = SIZE_MAX};
    if (!hf_edges_next(&r)) {
        return HF_OK;
    }
    hf_lines first = r;
    out->separator = has_outside_quotes(&r, ';') && !has_outside_quotes(&r, ',') ? ';' : ',';
    HF_TRY(split(&r, out->separator, NULL, field, &n));
    if (draft->header == HF_HEADER_NO || (n < 2 && draft->header == HF_HEADER_AUTO)) {
        return HF_OK;
    }
    const bool is_named = find_columns(field, n, out->column);
    bool is_header = draft->header == HF_HEADER_YES;
    if (!is_header) {
        const hf_slice name[] = {field[out->column[0]], field[out->column[1]]};
        bool is_other;
        HF_TRY(ask_others(&r, out, name, is_named, &is_header, &is_other));
        if (is_named && !is_other && has_outside_quotes(&first, out->separator)) {
            HF_LINE_FAIL(&first, HF_EINVAL, "\"%.*s\" names columns, and no link stands below; say header=no if it is a link",
                         HF_SLICE(hf_lines_rest(&first)));
        }
    }
    if (!is_header) {
        out->column[0] = 0;
        out->column[1] = 1;
        return HF_OK;
    }
    for (size_t i = 0; i < n; i++) {
        out->flow = hf_slice_is(field[i], "flow") && i != out->column[0] && i != out->column[1] ? i : out->flow;
    }
    out->line = first.line;
    draft->header_line = hf_lines_rest(&first);
    return HF_OK;
}
