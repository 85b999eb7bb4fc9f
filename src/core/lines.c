/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Lines and words of a text in memory. */
#include "src/core/lines.h"

#include <string.h>

#include "src/core/number.h"

bool hf_slice_same(hf_slice a, hf_slice b) { return a.size == b.size && (a.size == 0 || memcmp(a.text, b.text, a.size) == 0); }

bool hf_slice_is(hf_slice a, const char *text) { return hf_slice_same(a, (hf_slice){text, strlen(text)}); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

void hf_lines_start(hf_context *cx, const char *file, const char *data, size_t size, hf_lines *out) {
    const char *start = data ? data : "";
    const bool has_mark = size >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0;
    start += has_mark ? 3 : 0;
    size -= has_mark ? 3 : 0;
    *out = (hf_lines){.cx = cx, .file = file, .begin = start, .at = start, .end = start, .next = start, .stop = start + size};
}

void hf_lines_blanks(hf_lines *r) {
    while (r->at < r->end && is_blank(*r->at)) {
        r->at++;
    }
}

static void cut_blanks(hf_lines *r) {
    while (r->end > r->at && is_blank(r->end[-1])) {
        r->end--;
    }
}

static const char *find_newline(const hf_lines *r) { return memchr(r->next, '\n', (size_t)(r->stop - r->next)); }

bool hf_lines_next(hf_lines *r) {
    const char *newline = r->next < r->stop ? find_newline(r) : NULL;
    while (!newline && r->more && r->more(r)) {
        newline = find_newline(r);
    }
    if (r->next == r->stop) {
        return false;
    }
    r->line++;
    r->begin = r->at = r->next;
    r->end = newline ? newline : r->stop;
    r->next = newline ? newline + 1 : r->stop;
    hf_lines_blanks(r);
    cut_blanks(r);
    return true;
}

bool hf_lines_next_text(hf_lines *r) {
    while (hf_lines_next(r)) {
        const char *comment = r->at < r->end ? memchr(r->at, '#', (size_t)(r->end - r->at)) : NULL;
        if (comment) {
            r->end = comment;
            cut_blanks(r);
        }
        if (r->at < r->end) {
            return true;
        }
    }
    return false;
}

bool hf_lines_item(hf_lines *r, char separator, hf_slice *out) {
    while (r->at < r->end && (is_blank(*r->at) || *r->at == separator)) {
        r->at++;
    }
    const char *start = r->at;
    while (r->at < r->end && !is_blank(*r->at) && *r->at != separator) {
        r->at++;
    }
    *out = (hf_slice){start, (size_t)(r->at - start)};
    return out->size > 0;
}

bool hf_lines_name(hf_lines *r, char separator, hf_slice *out) {
    bool is_quoted = false;
    while (r->at < r->end && (is_blank(*r->at) || *r->at == separator)) {
        r->at++;
    }
    const char *start = r->at;
    while (r->at < r->end && (is_quoted || (!is_blank(*r->at) && *r->at != separator))) {
        is_quoted ^= *r->at++ == '"';
    }
    *out = (hf_slice){start, (size_t)(r->at - start)};
    return out->size > 0;
}

bool hf_lines_word(hf_lines *r, hf_slice *out) { return hf_lines_item(r, ' ', out); }

bool hf_lines_until(hf_lines *r, char mark, hf_slice *out) {
    const char *found = r->at < r->end ? memchr(r->at, mark, (size_t)(r->end - r->at)) : NULL;
    if (!found) {
        return false;
    }
    *out = (hf_slice){r->at, (size_t)(found - r->at)};
    r->at = found + 1;
    return true;
}

bool hf_lines_skip(hf_lines *r, char mark) {
    hf_lines_blanks(r);
    const bool is_there = r->at < r->end && *r->at == mark;
    r->at += is_there;
    return is_there;
}

hf_status hf_lines_number(hf_lines *r, const char *what, uint64_t low, uint64_t high, uint64_t *out) {
    hf_slice word;
    if (!hf_lines_word(r, &word)) {
        HF_LINE_FAIL(r, HF_EINVAL, "the line ends where %s is expected, a number from %" PRIu64 " to %" PRIu64, what, low, high);
    }
    if (!hf_slice_number(word, 10, out) || *out < low || *out > high) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is not %s; need a number from %" PRIu64 " to %" PRIu64, HF_SLICE(word), what, low,
                     high);
    }
    return HF_OK;
}

hf_status hf_lines_end(hf_lines *r, const char *need) {
    hf_slice more;
    if (hf_lines_word(r, &more)) {
        HF_LINE_FAIL(r, HF_EINVAL, "\"%.*s\" is too much; need %s", HF_SLICE(more), need);
    }
    return HF_OK;
}

hf_status hf_lines_prefix(const hf_lines *r, hf_status status) {
    hf_context_prefix(r->cx, "%s, line %" PRIu32 ": ", r->file, r->line);
    return status;
}
