/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Files read line by line, in pieces, against the same files in memory; and the hash that names them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <holdfast/core/random.h>

#include "src/core/content.h"
#include "src/core/source.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

enum { PATH_SIZE = 512, LIMIT = 1 << 26 };

typedef struct bench {
    hf_context *cx;
    hf_text text;
    char folder[PATH_SIZE / 2], path[PATH_SIZE];
} bench;

static bench open_bench(void) {
    bench b = {.cx = hf_context_new(NULL)};
    assert_non_null(b.cx);
    hf_text_init(b.cx, &b.text);
    hf_text_append(&b.text, "", 0);
    folder_open(b.folder, sizeof b.folder);
    folder_file(b.folder, "a", b.path, sizeof b.path);
    return b;
}

static void close_bench(bench *b) {
    hf_text_free(&b->text);
    hf_context_free(b->cx);
    folder_close(b->folder);
}

/* ---- the hash ---- */

/* The values are those of xxhsum -H1 0.8.1. */
static void hashes_as_published(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } row[] = {
        {"", UINT64_C(0xef46db3751d8e999)},
        {"a", UINT64_C(0xd24ec4f1a98c6e5b)},
        {"0123456789", UINT64_C(0x3f5fc178a81867e7)},
        {"The way between two faults is told in bytes of a text that is longer than a stripe.", UINT64_C(0x90ef1ee57f381871)},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_true(hf_content_of(row[i].text, strlen(row[i].text)) == row[i].hash);
    }
}

static void hashes_in_pieces(void **state) {
    (void)state;
    hf_random random;
    unsigned char bytes[300];
    hf_random_init(&random, 5, HF_PURPOSE_TEST, 0);
    for (int run = 0; run < 2000; run++) {
        const size_t size = hf_random_below(&random, sizeof bytes + 1);
        hf_content c;
        for (size_t i = 0; i < size; i++) {
            bytes[i] = (unsigned char)hf_random_below(&random, 256);
        }
        hf_content_start(&c);
        for (size_t at = 0, n; at < size; at += n) {
            n = 1 + hf_random_below(&random, size - at < 70 ? size - at : 70);
            hf_content_more(&c, bytes + at, n);
        }
        assert_true(hf_content_hash(&c) == hf_content_of(bytes, size));
    }
}

/* ---- lines ---- */

typedef struct twin {
    hf_lines lines; /* of the file in memory */
    uint32_t until; /* the line at which to stop, HF_NONE: there is as much as in the twin */
    bool again;     /* every other line twice */
} twin;

static hf_status compare(hf_lines *r, void *user) {
    twin *t = user;
    while (hf_lines_next(r)) {
        assert_true(hf_lines_next(&t->lines));
        if (t->again && r->line % 2) {
            hf_lines_again(r);
            assert_true(hf_lines_next(r));
        }
        assert_int_equal(r->line, t->lines.line);
        assert_int_equal(r->end - r->at, t->lines.end - t->lines.at);
        assert_int_equal(r->at - r->begin, t->lines.at - t->lines.begin);
        assert_memory_equal(r->at, t->lines.at, (size_t)(r->end - r->at));
        if (r->line == t->until) {
            HF_LINE_FAIL(r, HF_EINVAL, "%s", "enough");
        }
    }
    assert_true(t->until != HF_NONE || !hf_lines_next(&t->lines));
    assert_false(hf_lines_next(r));
    return HF_OK;
}

/* \return the status of reading the text of the bench from its file */
static hf_status read_both(bench *b, const char *name, size_t limit, uint32_t until, char **named) {
    twin t = {.until = until, .again = b->text.size % 3 == 0};
    hf_lines_start(b->cx, "twin", b->text.data, b->text.size, &t.lines);
    return hf_source_read(b->cx, name, limit, compare, &t, named);
}

static void append_line(hf_text *text, hf_random *random, uint32_t most) {
    for (size_t n = hf_random_below(random, most); n > 0; n--) {
        hf_text_append(text, (const char[]){(char)(hf_random_below(random, 8) ? 'x' : ' ')}, 1);
    }
    hf_text_append(text, "\r\n", hf_random_below(random, 4) ? 2 : 0);
}

/* Lines of all lengths, across the ends of pieces, longer than a piece, without an end; the mark before UTF-8. */
static void reads_lines(void **state) {
    (void)state;
    static const uint32_t most[] = {1, 40, 3000, 400000, 1500000};
    bench b = open_bench();
    for (uint32_t run = 0; run < 30; run++) {
        hf_random random;
        char *named, want[PATH_SIZE + 20];
        hf_random_init(&random, 7, HF_PURPOSE_TEST, run);
        b.text.size = 0;
        hf_text_append(&b.text, "\xEF\xBB\xBF", run % 2 ? 3 : 0);
        for (uint32_t size = run % 5 == 2 ? 700000 : 60000; b.text.size < size && run > 0;) {
            append_line(&b.text, &random, most[run % 5]);
        }
        assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
        assert_int_equal(read_both(&b, b.path, b.text.size, HF_NONE, &named), HF_OK); /* the limit may be reached */
        (void)snprintf(want, sizeof want, "%s#%016" PRIx64, b.path, hf_content_of(b.text.data, b.text.size));
        assert_string_equal(named, want);
        hf_release(hf_context_allocator(b.cx), named);
        assert_int_equal(read_both(&b, want, LIMIT, HF_NONE, &named), HF_OK);
        hf_release(hf_context_allocator(b.cx), named);
    }
    close_bench(&b);
}

static void assert_message(const bench *b, const char *part) {
    if (!strstr(hf_context_message(b->cx), part)) {
        fail_msg("\"%s\" is not in: %s", part, hf_context_message(b->cx));
    }
}

/* What is wrong with the file comes before what is wrong in it. */
static void refuses(void **state) {
    (void)state;
    bench b = open_bench();
    char *named, other[PATH_SIZE + 20];
    for (int i = 0; i < 100000; i++) {
        hf_text_append(&b.text, "a line\n", 7);
    }
    assert_int_equal(read_both(&b, b.path, LIMIT, 3, &named), HF_ENOENT);
    assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
    (void)snprintf(other, sizeof other, "%s#0123456789abcdef", b.path);
    assert_int_equal(read_both(&b, b.folder, LIMIT, 3, &named), HF_EIO);
    assert_int_equal(read_both(&b, b.path, LIMIT, 3, &named), HF_EINVAL);
    assert_message(&b, "line 3: enough");
    assert_int_equal(read_both(&b, other, LIMIT, HF_NONE, &named), HF_EINVAL);
    assert_message(&b, "the file has changed: its content has the hash");
    assert_int_equal(read_both(&b, other, LIMIT, 3, &named), HF_EINVAL);
    assert_message(&b, "the file has changed");
    assert_int_equal(read_both(&b, b.path, 699999, 3, &named), HF_ERANGE);
    assert_message(&b, "is larger than 699999 bytes");
    assert_null(named);
    close_bench(&b);
}

static hf_status count(hf_lines *r, void *user) {
    uint32_t *n = user;
    while (hf_lines_next(r)) {
        ++*n;
    }
    return HF_OK;
}

static hf_status read_once(hf_context *cx, void *user) {
    char *named;
    uint32_t n = 0;
    HF_TRY(hf_source_read(cx, user, LIMIT, count, &n, &named));
    hf_release(hf_context_allocator(cx), named);
    return n == 2 ? HF_OK : HF_EIO;
}

static void without_memory(void **state) {
    (void)state;
    bench b = open_bench();
    for (int i = 0; i < 600000; i++) {
        hf_text_append(&b.text, i == 100 ? "\n" : "x", 1); /* the second line needs a larger piece, twice */
    }
    assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
    assert_true(failing_sweep("source", read_once, b.path) > 4);
    close_bench(&b);
}

/* Files that were read are noted, whichever way. */
static void notes_files(void **state) {
    (void)state;
    bench b = open_bench();
    hf_text noted;
    hf_source source;
    hf_text_append(&b.text, "one\ntwo\n", 8);
    assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
    hf_text_init(b.cx, &noted);
    hf_context_note_files(b.cx, &noted);
    assert_int_equal(read_once(b.cx, b.path), HF_OK);
    const size_t size = noted.size;
    assert_int_equal(hf_source_load(b.cx, b.path, LIMIT, &source), HF_OK);
    assert_int_equal(noted.size, 2 * size);
    assert_memory_equal(noted.data, noted.data + size, size);
    assert_memory_equal(noted.data, source.named, size - 1);
    hf_context_note_files(b.cx, NULL);
    hf_source_free(&source);
    hf_text_free(&noted);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_as_published), cmocka_unit_test(hashes_in_pieces),
        cmocka_unit_test(reads_lines),         cmocka_unit_test(refuses),
        cmocka_unit_test(without_memory),      cmocka_unit_test(notes_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
