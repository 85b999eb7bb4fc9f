/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Mutants that keep the shape of a format: its lines, tokens, numbers and subtrees are doubled, dropped, swapped, moved and
 *  replaced, and lines are made anew from the grammar. What the mutators of libFuzzer do to single bytes is left to them, now
 *  and then. */
#include <ctype.h>
#include <inttypes.h>

#include "tests/fuzz/fuzz.h"

/* libFuzzer's own; not there without it. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

typedef struct text {
    char *data;
    size_t size, max;
    uint64_t random;
} text;

typedef struct span {
    size_t begin, end;
} span;

typedef enum kind { TOKEN, NUMBER, LINE, BLOCK, BRACKETS, ELEMENT, N_KIND } kind;

/* ---- where to mutate ---- */

static int is_between(char c) { return isspace((unsigned char)c) || (c && strchr(fuzz_format.separators, c)); }

static span grow(const text *t, size_t at, int (*is_inside)(char)) {
    span s = {at, at};
    while (s.begin > 0 && is_inside(t->data[s.begin - 1])) {
        s.begin--;
    }
    while (s.end < t->size && is_inside(t->data[s.end])) {
        s.end++;
    }
    return s;
}

static int is_token(char c) { return !is_between(c); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_line(char c) { return c != '\n'; }

static span find_line(const text *t, size_t at) {
    span s = grow(t, at, is_line);
    s.end += s.end < t->size; /* its end belongs to it */
    return s;
}

static size_t indent_of(const text *t, span line) {
    size_t n = 0;
    while (line.begin + n < line.end && t->data[line.begin + n] == ' ') {
        n++;
    }
    return n;
}

/* A line with those below it that stand further right. */
static span find_block(const text *t, size_t at) {
    span s = find_line(t, at);
    const size_t indent = indent_of(t, s);
    while (s.end < t->size) {
        const span next = find_line(t, s.end);
        if (indent_of(t, next) <= indent) {
            break;
        }
        s.end = next.end;
    }
    return s;
}

/* From a bracket to the one that closes it, whatever stands in quotes; `at` is one that opens. */
static span find_brackets(const text *t, size_t at) {
    size_t depth = 0, end = at;
    do {
        depth += strchr("{[(", t->data[end]) && t->data[end];
        depth -= strchr("}])", t->data[end]) && t->data[end] && depth > 0;
        end++;
    } while (end < t->size && depth > 0);
    return (span){at, end};
}

/* <name ...> to </name>, or to the end of a tag that closes itself; `at` is a '<'. */
static span find_element(const text *t, size_t at) {
    size_t n = 1, end = at + 1;
    while (at + n < t->size && isalpha((unsigned char)t->data[at + n])) {
        n++;
    }
    while (end < t->size && t->data[end] != '>') {
        end++;
    }
    const int is_whole = end > at && end < t->size && t->data[end - 1] == '/';
    for (size_t i = end; !is_whole && i + n + 2 <= t->size; i++) {
        if (t->data[i] == '<' && t->data[i + 1] == '/' && memcmp(t->data + i + 2, t->data + at + 1, n - 1) == 0) {
            end = i + n + 1;
            break;
        }
    }
    return (span){at, end < t->size ? end + 1 : t->size};
}

/* The next byte of a set, from `at` on and then from the start. */
static size_t seek(const text *t, size_t at, const char *set) {
    for (size_t i = 0; i < t->size; i++) {
        const size_t p = (at + i) % t->size;
        if (t->data[p] && strchr(set, t->data[p])) {
            return p;
        }
    }
    return t->size;
}

/* A random span of a kind; empty where the text has none. */
static span pick(text *t, kind k) {
    static const char *const begins[N_KIND] = {[NUMBER] = "0123456789", [BRACKETS] = "{[(", [ELEMENT] = "<"};
    size_t at = fuzz_below(&t->random, t->size);
    at = begins[k] && t->size ? seek(t, at, begins[k]) : at;
    if (at >= t->size) {
        return (span){0, 0};
    }
    switch (k) {
    case TOKEN:
        return grow(t, at, is_token);
    case NUMBER:
        return grow(t, at, is_digit);
    case LINE:
        return find_line(t, at);
    case BLOCK:
        return find_block(t, at);
    case BRACKETS:
        return find_brackets(t, at);
    default:
        return find_element(t, at);
    }
}

/* ---- mutations ---- */

static void replace(text *t, span s, const char *with, size_t n) {
    const size_t size = t->size - (s.end - s.begin) + n;
    if (size > t->max) {
        return;
    }
    memmove(t->data + s.begin + n, t->data + s.end, t->size - s.end);
    memcpy(t->data + s.begin, with, n);
    t->size = size;
}

/* Put a copy of one span in the place of another, which may be empty. */
static void copy(text *t, span from, span to) {
    const size_t n = from.end - from.begin;
    char *bytes = malloc(n + 1);
    expect(bytes != NULL, "memory");
    memcpy(bytes, t->data + from.begin, n);
    replace(t, to, bytes, n);
    free(bytes);
}

static void swap(text *t, span a, span b) {
    if (a.begin > b.begin) {
        const span c = a;
        a = b;
        b = c;
    }
    if (a.end <= b.begin) {
        const size_t n = b.end - b.begin, before = t->size;
        copy(t, b, (span){a.begin, a.begin});
        if (t->size == before + n) { /* there was room */
            const span moved = {a.begin + n, a.end + n};
            copy(t, moved, (span){b.begin + n, b.end + n});
            replace(t, moved, "", 0);
        }
    }
}

const char *fuzz_one_of(uint64_t *state, const char *list, char separator) {
    static _Thread_local char one[256];
    size_t n = 0;
    for (const char *at = list; *at; at++) {
        n += *at == separator || !at[1];
    }
    for (n = fuzz_below(state, n); n > 0; n--) {
        list = strchr(list, separator) + 1;
    }
    size_t size = 0;
    for (; size + 1 < sizeof one && list[size] && list[size] != separator; size++) {
        one[size] = list[size];
    }
    one[size] = 0;
    return one;
}

const char *fuzz_number(uint64_t *state) {
    static const char borders[] =
        "0 1 2 3 4 5 7 8 15 16 31 32 63 64 65 127 128 255 256 1000 65535 65536 1000000 2147483647 "
        "2147483648 4294967294 4294967295 4294967296 9223372036854775807 9223372036854775808 "
        "18446744073709551615 18446744073709551616 99999999999999999999 -1 -0 00 007 0.5 1. .5 1e9 1e308 "
        "1e-308 1e999 nan inf 0x10 +1 1_0";
    return fuzz_one_of(state, fuzz_below(state, 2) ? borders : "0 1 2 3 4 5 6 7 8 9", ' ');
}

static void append(char *to, size_t *n, size_t max, const char *from, size_t size) {
    const size_t k = size < max - *n ? size : max - *n;
    memcpy(to + *n, from, k);
    *n += k;
}

/* A line of the grammar in front of some line. */
static void insert_line(text *t) {
    char line[512], pattern[256];
    size_t n = 0;
    strcpy(pattern, fuzz_one_of(&t->random, fuzz_format.lines, '\n'));
    for (const char *at = pattern; *at; at++) {
        const char what = *at == '$' ? at[1] : 0;
        if (what == 't') {
            const span s = pick(t, TOKEN);
            append(line, &n, sizeof line, t->data + s.begin, s.end - s.begin);
        } else if (what == 'n' || what == 'w') {
            const char *word = what == 'n' ? fuzz_number(&t->random) : fuzz_one_of(&t->random, fuzz_format.words, ' ');
            append(line, &n, sizeof line, word, strlen(word));
        } else {
            append(line, &n, sizeof line, at, 1);
        }
        at += what != 0;
    }
    append(line, &n, sizeof line, "\n", 1);
    const size_t place = fuzz_below(&t->random, 4) ? pick(t, LINE).begin : t->size;
    replace(t, (span){place, place}, line, n);
}

static void mutate_once(text *t) {
    const kind k = (kind)fuzz_below(&t->random, N_KIND);
    const span a = pick(t, k), b = pick(t, k);
    const char *with;
    switch (fuzz_below(&t->random, 8)) {
    case 0:
        replace(t, a, "", 0);
        break;
    case 1:
        copy(t, a, (span){a.end, a.end});
        break;
    case 2:
        swap(t, a, b);
        break;
    case 3:
        copy(t, a, b);
        break;
    case 4:
        copy(t, a, (span){b.begin, b.begin});
        break;
    case 5:
        with = fuzz_number(&t->random);
        replace(t, pick(t, NUMBER), with, strlen(with));
        break;
    case 6:
        with = fuzz_one_of(&t->random, fuzz_format.words, ' ');
        replace(t, pick(t, TOKEN), with, strlen(with));
        break;
    default:
        insert_line(t);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed) {
    text t = {(char *)data, size, max, seed};
    if (LLVMFuzzerMutate && fuzz_below(&t.random, 16) == 0) {
        return LLVMFuzzerMutate(data, size, max);
    }
    if (fuzz_format.make && fuzz_below(&t.random, 2)) {
        t.size = fuzz_format.make(&t.random, t.data, max);
        if (fuzz_below(&t.random, 2)) {
            return t.size;
        }
    }
    for (size_t n = 1 + fuzz_below(&t.random, 4); n > 0; n--) {
        mutate_once(&t);
    }
    return t.size;
}

/* The beginning of one and the end of the other, or one with a subtree of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out, size_t max,
                                 unsigned seed) {
    text t = {(char *)out, size1 < max ? size1 : max, max, seed},
         from = {(char *)(uintptr_t)data2, size2, size2, ~(uint64_t)seed};
    memcpy(out, data1, t.size);
    const kind k = (kind)fuzz_below(&t.random, N_KIND);
    const span a = pick(&t, k), b = pick(&from, k);
    if (k == LINE) {
        replace(&t, (span){a.begin, t.size}, (const char *)data2 + b.begin, size2 - b.begin);
    } else {
        replace(&t, a, (const char *)data2 + b.begin, b.end - b.begin);
    }
    return t.size;
}
