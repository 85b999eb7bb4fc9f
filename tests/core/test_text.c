/* SPDX-License-Identifier: GPL-3.0-or-later */
/** \file
 *  Growing texts, their XML form, and whole files in and out of them. */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <holdfast/core/random.h>
#include <holdfast/core/text.h>

#include "src/core/print.h"
#include "tests/support/failing.h"
#include "tests/support/folder.h"

enum { PATH_SIZE = 512 };

typedef struct bench {
    hf_context *cx;
    hf_text text;
    char folder[PATH_SIZE / 2], path[PATH_SIZE];
} bench;

static bench open_bench(void) {
    bench b = {.cx = hf_context_new(NULL)};
    assert_non_null(b.cx);
    hf_text_init(b.cx, &b.text);
    folder_open(b.folder, sizeof b.folder);
    folder_file(b.folder, "a", b.path, sizeof b.path);
    return b;
}

static void close_bench(bench *b) {
    hf_text_free(&b->text);
    hf_context_free(b->cx);
    folder_close(b->folder);
    assert_int_equal(access(b->folder, F_OK), -1); /* nothing was left that could not be removed */
}

static unsigned count_files(const char *folder) {
    unsigned n = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        n += entry->d_name[0] != '.';
    }
    closedir(list);
    return n;
}

/* ---- in memory ---- */

static void appends(void **state) {
    (void)state;
    bench b = open_bench();
    char want[9000] = "";
    size_t size = 0;
    hf_random r;
    hf_random_init(&r, 1, HF_PURPOSE_TEST, 0);
    assert_null(b.text.data);
    for (int i = 0; i < 300; i++) {
        if (i % 2) {
            hf_text_print(&b.text, "%d-%s,", i, "x");
            size += (size_t)snprintf(want + size, sizeof want - size, "%d-%s,", i, "x");
        } else {
            char piece[40];
            const size_t n = hf_random_below(&r, sizeof piece);
            memset(piece, 'a' + i % 26, sizeof piece);
            hf_text_append(&b.text, piece, n);
            memcpy(want + size, piece, n);
            size += n;
        }
        assert_int_equal(b.text.size, size);
        assert_memory_equal(b.text.data, want, size);
        assert_int_equal(b.text.data[size], 0);
        assert_true(b.text.capacity > size);
    }
    assert_int_equal(hf_text_check(b.cx, &b.text), HF_OK);
    hf_text_free(&b.text);
    assert_null(b.text.data);
    hf_text_append(&b.text, "a\0b", 3); /* it can be used again, and holds any bytes */
    assert_memory_equal(b.text.data, "a\0b", 4);
    hf_text_append(&b.text, "", 0);
    assert_int_equal(b.text.size, 3);
    close_bench(&b);
}

/** After a failure the text stays as it was, whatever else is appended. */
static void a_failed_append(void **state) {
    (void)state;
    failing account;
    const hf_allocator allocator = failing_allocator(&account, 2); /* the context, the first room, then this */
    hf_context *cx = hf_context_new(&allocator);
    hf_text text;
    hf_text_init(cx, &text);
    hf_text_print(&text, "kept");
    hf_text_print(&text, "%01000d", 1);
    hf_text_append(&text, "more", 4);
    hf_text_xml(&text, "<");
    assert_true(text.failed);
    assert_string_equal(text.data, "kept");
    assert_int_equal(hf_text_check(cx, &text), HF_ENOMEM);
    assert_non_null(strstr(hf_context_message(cx), "out of memory"));
    assert_int_equal(hf_text_save(cx, &text, "/nowhere/at/all"), HF_ENOMEM); /* half a text is not written */
    hf_text_free(&text);
    hf_context_free(cx);
    assert_int_equal(account.live, 0);
}

/* ---- XML ---- */

#define REPLACED "\xEF\xBF\xBD"

static void xml(void **state) {
    (void)state;
    static const struct {
        const char *data, *want;
    } row[] = {
        {"", ""},
        {"plain text 'quoted'", "plain text 'quoted'"},
        {"a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"},
        {"&amp;", "&amp;amp;"},
        {"tab\tline\nreturn\r", "tab\tline\nreturn\r"},
        {"\x01 \x1F", REPLACED " " REPLACED}, /* no document may hold them */
        {"\x7F", "\x7F"},
        {"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"}, /* of 2, 3 and 4 bytes */
        {"\xE9t\xE9", REPLACED "t" REPLACED},                                                 /* Latin-1 */
        {"\xC3", REPLACED},                                                                   /* cut off */
        {"\xE2\x82", REPLACED REPLACED},
        {"\xC0\xAF", REPLACED REPLACED},                           /* overlong */
        {"\xED\xA0\x80", REPLACED REPLACED REPLACED},              /* a surrogate */
        {"\xF4\x90\x80\x80", REPLACED REPLACED REPLACED REPLACED}, /* beyond U+10FFFF */
        {"\xEF\xBF\xBE|\xEF\xBF\xBF", REPLACED "|" REPLACED},      /* U+FFFE and U+FFFF */
        {"\xEF\xBF\xBD", REPLACED},
        {"\xC3<", REPLACED "&lt;"}, /* what follows a broken byte is read anew */
    };
    bench b = open_bench();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        hf_text_free(&b.text);
        hf_text_append(&b.text, "", 0);
        hf_text_xml(&b.text, row[i].data);
        assert_string_equal(b.text.data, row[i].want);
    }
    close_bench(&b);
}

/** Every code point, encoded here by the bits of UTF-8, and every sequence that no code point has. */
static void utf8(void **state) {
    (void)state;
    static unsigned char known[1 << 16]; /* leading pairs of bytes of characters of 3 and more */
    for (unsigned long point = 1; point <= 0x10FFFF; point++) {
        const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
        unsigned char c[5] = {0};
        const size_t size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
        unsigned long rest = point;
        for (size_t i = size - 1; i > 0; i--, rest >>= 6) {
            c[i] = (unsigned char)(0x80 | (rest & 0x3F));
        }
        c[0] = (unsigned char)(size == 1 ? rest : ((0xF00U >> size) & 0xFF) | rest);
        const size_t got = hf_utf8_length((const char *)c);
        if (got != (is_surrogate ? 0 : size)) {
            fail_msg("U+%04lX: length %zu", point, got);
        }
        known[c[0] << 8 | c[1]] |= size > 2 && !is_surrogate;
    }
    for (unsigned first = 0x80; first <= 0xFF; first++) {
        for (unsigned second = 0; second <= 0xFF; second++) {
            const char c[5] = {(char)first, (char)second, (char)0x80, (char)0x80, 0};
            const bool is_pair = first >= 0xC2 && first <= 0xDF && second >= 0x80 && second <= 0xBF;
            assert_int_equal(hf_utf8_length(c), is_pair ? 2 : !known[first << 8 | second] ? 0 : first < 0xF0 ? 3 : 4);
        }
    }
    assert_int_equal(hf_utf8_length(""), 0);
}

/* ---- files ---- */

static void save_and_load(void **state) {
    (void)state;
    bench b = open_bench();
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 1000000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        hf_text back;
        hf_text_free(&b.text);
        hf_text_append(&b.text, "", 0);
        for (size_t at = 0; at < sizes[i]; at++) {
            hf_text_append(&b.text, (const char[]){(char)(at * 7 % 251)}, 1); /* any bytes, zeros too */
        }
        assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
        assert_true(folder_same(b.path, b.text.data, b.text.size));
        assert_int_equal(count_files(b.folder), 1); /* nothing beside it */
        hf_text_init(b.cx, &back);
        hf_text_append(&back, "before:", 7);
        assert_int_equal(hf_text_load(b.cx, b.path, sizes[i], &back), HF_OK); /* the limit may be reached */
        assert_int_equal(back.size, 7 + sizes[i]);
        assert_memory_equal(back.data, "before:", 7);
        assert_true(sizes[i] == 0 || memcmp(back.data + 7, b.text.data, sizes[i]) == 0);
        assert_int_equal(back.data[back.size], 0);
        hf_text_free(&back);
    }
    close_bench(&b);
}

/** The file is replaced as a whole: who has the old one open goes on reading the old one, and its rights are kept. */
static void saving_replaces(void **state) {
    (void)state;
    bench b = open_bench();
    struct stat about;
    char old[16] = "";
    folder_write(b.path, "old content", 11);
    assert_int_equal(chmod(b.path, 0640), 0);
    FILE *reader = fopen(b.path, "rb");
    assert_non_null(reader);
    hf_text_print(&b.text, "new");
    assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
    assert_true(folder_same(b.path, "new", 3));
    assert_int_equal(fread(old, 1, sizeof old - 1, reader), 11);
    assert_string_equal(old, "old content");
    fclose(reader);
    assert_int_equal(stat(b.path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(count_files(b.folder), 1);
    close_bench(&b);
}

/** A name beside the file that somebody else has taken is left alone. */
static void saving_beside_others(void **state) {
    (void)state;
    bench b = open_bench();
    char name[64], other[PATH_SIZE];
    snprintf(name, sizeof name, "a.%ld-0.new", (long)getpid());
    folder_write(folder_file(b.folder, name, other, sizeof other), "theirs", 6);
    hf_text_print(&b.text, "mine");
    assert_int_equal(hf_text_save(b.cx, &b.text, b.path), HF_OK);
    assert_true(folder_same(b.path, "mine", 4));
    assert_true(folder_same(other, "theirs", 6));
    assert_int_equal(count_files(b.folder), 2);
    close_bench(&b);
}

static void saving_fails(void **state) {
    (void)state;
    bench b = open_bench();
    char path[PATH_SIZE], message[PATH_SIZE + 64];
    hf_text_print(&b.text, "text");
    folder_file(b.folder, "none/a", path, sizeof path);
    snprintf(message, sizeof message, "\"%s\" cannot be written: No such file or directory", path);
    assert_int_equal(hf_text_save(b.cx, &b.text, path), HF_EIO);
    assert_string_equal(hf_context_message(b.cx), message);
    assert_int_equal(hf_text_save(b.cx, &b.text, b.folder), HF_EIO); /* a folder is no file */
    assert_non_null(strstr(hf_context_message(b.cx), "Is a directory"));
    assert_int_equal(count_files(b.folder), 0);
    close_bench(&b);
}

/** A special file is written in place. It is reached by a link, so that a save that renames replaces the link, not a device. */
static void saving_to_devices(void **state) {
    (void)state;
    bench b = open_bench();
    struct stat about;
    static const struct {
        const char *device;
        hf_status status;
        const char *message;
    } row[] = {{"/dev/null", HF_OK, ""}, {"/dev/full", HF_EIO, "No space left on device"}};
    hf_text_print(&b.text, "text");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (access(row[i].device, W_OK) != 0) {
            continue;
        }
        hf_context_clear(b.cx);
        assert_int_equal(symlink(row[i].device, b.path), 0);
        assert_int_equal(hf_text_save(b.cx, &b.text, b.path), row[i].status);
        assert_non_null(strstr(hf_context_message(b.cx), row[i].message));
        assert_int_equal(lstat(b.path, &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_int_equal(count_files(b.folder), 1);
        assert_int_equal(unlink(b.path), 0);
    }
    close_bench(&b);
}

/** The disk is full, here by a limit on the size of files: the old file stays, and nothing is left beside it. */
static void saving_half(void **state) {
    (void)state;
    bench b = open_bench();
    struct rlimit before, small;
    hf_text_print(&b.text, "%05000d", 1);
    folder_write(b.path, "old", 3);
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const hf_status status = hf_text_save(b.cx, &b.text, b.path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, HF_EIO);
    assert_non_null(strstr(hf_context_message(b.cx), "cannot be written: File too large"));
    assert_true(folder_same(b.path, "old", 3));
    assert_int_equal(count_files(b.folder), 1);
    close_bench(&b);
}

/** What cannot be loaded leaves the text as it was. */
static void loading_fails(void **state) {
    (void)state;
    bench b = open_bench();
    hf_text empty;
    char message[PATH_SIZE + 64];
    hf_text_print(&b.text, "kept");
    snprintf(message, sizeof message, "\"%s\" cannot be read: No such file or directory", b.path);
    assert_int_equal(hf_text_load(b.cx, b.path, 100, &b.text), HF_ENOENT);
    assert_string_equal(hf_context_message(b.cx), message);
    assert_int_equal(hf_text_load(b.cx, b.folder, 100, &b.text), HF_EIO);
    assert_non_null(strstr(hf_context_message(b.cx), "Is a directory"));
    static char large[10000];
    char below[PATH_SIZE];
    folder_write(b.path, large, sizeof large);
    assert_int_equal(hf_text_load(b.cx, folder_file(b.folder, "a/b", below, sizeof below), 100, &b.text), HF_EIO);
    assert_non_null(strstr(hf_context_message(b.cx), "Not a directory"));
    snprintf(message, sizeof message, "\"%s\" is larger than 9999 bytes", b.path);
    assert_int_equal(hf_text_load(b.cx, b.path, 9999, &b.text), HF_ERANGE); /* noticed after some pieces */
    assert_string_equal(hf_context_message(b.cx), message);
    assert_string_equal(b.text.data, "kept");
    assert_int_equal(b.text.size, 4);
    hf_text_init(b.cx, &empty);
    assert_int_equal(hf_text_load(b.cx, b.path, 9999, &empty), HF_ERANGE);
    assert_int_equal(empty.size, 0);
    hf_text_free(&empty);
    folder_write(b.path, "", 0);
    assert_int_equal(hf_text_load(b.cx, b.path, 0, &empty), HF_OK);
    assert_string_equal(empty.data, ""); /* an empty file is a text, not NULL */
    hf_text_free(&empty);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(appends),
        cmocka_unit_test(a_failed_append),
        cmocka_unit_test(xml),
        cmocka_unit_test(utf8),
        cmocka_unit_test(save_and_load),
        cmocka_unit_test(saving_replaces),
        cmocka_unit_test(saving_beside_others),
        cmocka_unit_test(saving_fails),
        cmocka_unit_test(saving_to_devices),
        cmocka_unit_test(saving_half),
        cmocka_unit_test(loading_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
